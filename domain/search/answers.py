"""Answer a question with a sentence, the people, and a link to the screen that shows the same people."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import Any, Final, Literal

import numpy as np
import pandas as pd

from domain.expected_locations.at_moment import IN_TRANSIT, bounds, moment, to_the_minute
from domain.expected_locations.expected_words import whereabout_text
from domain.expected_locations.location_frame import Locations, utc
from domain.expected_locations.movement_texts import STATES, movement_text
from domain.expected_locations.movements import HOURS, NOT_DEPARTED, Direction, find_movements
from domain.expected_locations.movements import IN_TRANSIT as MOVING
from domain.expected_locations.roster_view import Filters
from domain.geography.time_zones import zone_named
from domain.incidents.affected import MARGIN_KM, find_affected
from domain.incidents.affected_texts import SECTION_LABELS
from domain.incidents.area import Area, AreaError
from domain.incidents.area_text import parse_area
from domain.runtime.screens import WHO_IS_AFFECTED
from domain.search.places import PlaceMatch
from domain.search.question import WHOLE_DAY, Around, InTransit, Movements, Night, NotCovered, Present, Question
from domain.search.roster_index import RosterIndex, index_of
from domain.search.search_results import (
    MOST_PEOPLE,
    MOST_PLACES,
    ResultGroup,
    SearchLink,
    SearchNote,
    SearchResult,
    map_link,
    similar_note,
)
from domain.text.plain_text import count, names
from domain.text.time_text import format_date
from domain.trips.presences import ARRIVAL_CODE, ROLES, Ints

NIGHT_AT: Final = time(3)
"""The local time at which people are where they sleep."""
_NIGHT_BEGINS: Final = timedelta(hours=6)
"""Before this local time, "tonight" is the night that has begun."""
_VERBS: Final[Mapping[tuple[Direction, bool], tuple[str, str]]] = {
    ("Arriving", True): ("land", "landed"),
    ("Arriving", False): ("arrive", "arrived"),
    ("Leaving", True): ("leave", "left"),
    ("Leaving", False): ("leave", "left"),
}
"""By direction and whether it is by air: the verb, and its past."""
_STATE_VERBS: Final = {
    MOVING: ("is in transit", "are in transit"),
    NOT_DEPARTED: ("has not departed", "have not departed"),
}
_DEPARTURE_CODE: Final = ROLES.index("Departure")
_LONGEST_JOURNEY: Final = timedelta(hours=36)
"""The time within which people who leave a place reach another one on the same trip, with connections."""
_AROUND: Final = " around "
_FEWEST_LETTERS: Final = 3
"""The letters from which an unknown place is searched among all airports, which takes longer."""
_MINUTE: Final = timedelta(minutes=1)
_IN_TRANSIT: Final = {
    "Air": ("person is in the air", "people are in the air", "No one is in the air"),
    "Rail": ("person is on a train", "people are on trains", "No one is on a train"),
    "": ("person is in transit", "people are in transit", "No one is in transit"),
}


@dataclass(frozen=True)
class Answer:
    """The answer to a question. `problem` says why there is none."""

    sentence: str = ""
    groups: tuple[ResultGroup, ...] = ()
    notes: tuple[SearchNote, ...] = ()
    problem: str = ""


@dataclass(frozen=True)
class Asker:
    """What a question is asked about: the rosters, as a link has them, the loaded locations, and the time."""

    locations: Locations
    rosters: tuple[str, ...]
    now: datetime

    @property
    def index(self) -> RosterIndex:
        """The index of the locations."""
        return index_of(self.locations)

    @property
    def minute(self) -> datetime:
        """The current minute, which the map shows as now."""
        return to_the_minute(self.now)

    def by_name(self, people: Ints) -> Ints:
        """Return the order of these people by name."""
        return np.argsort(self.index.name_ranks[people], kind="stable")

    def person_result(self, person: int, detail: str) -> SearchResult:
        """Return a person with a link to their card on the map."""
        return self.named_result(self.index.keys[person], self.index.names[person], detail)

    def named_result(self, key: str, name: str, detail: str) -> SearchResult:
        """Return a person by key and name."""
        return SearchResult(name, map_link(self.rosters, expected_person=key), detail, "person")


def answer_question(question: Question, asker: Asker) -> Answer:
    """Answer a question."""
    match question:
        case Movements():
            return _answer_movements(question, asker)
        case InTransit():
            return _answer_in_transit(question, asker)
        case Night():
            return _answer_night(question, asker)
        case Present():
            return _answer_present(question, asker)
        case Around():
            return _answer_around(question, asker)
        case NotCovered():
            return _answer_not_covered(asker)


def _answer_movements(question: Movements, asker: Asker) -> Answer:
    places, locations = asker.index.places, asker.locations
    everywhere = PlaceMatch("", np.arange(len(locations.places)))
    match = places.match(question.place) if question.place else everywhere
    if match is None:
        return _unknown_place(question.place)
    other = places.match(question.other_place) if question.other_place else everywhere
    if other is None:
        return _unknown_place(question.other_place)
    span = _time_span(question, asker, _main_zone(asker.index, match.codes))
    ids = [places.ids[code] for code in match.codes]
    kinds = frozenset({"Air"}) if question.is_by_air else frozenset[str]()
    table = find_movements(locations, question.direction, ids, span.after, span.hours, Filters(kinds))
    if match.label:
        # Someone who goes from a hotel to an airport in the same city does not leave the city.
        is_within = table["other_place_id"].isin(ids) & (table["other_place_id"] != table["place_id"])
        table = table[~is_within]
    if other.label:
        table = _between(table, question.direction, other.codes, asker)
    first = table.drop_duplicates("person")
    verb, past = _VERBS[question.direction, question.is_by_air]
    one, many = {"future": (f"will {verb}",) * 2, "now": (f"{verb}s", verb), "past": (past, past)}[span.tense]
    who = count(len(first), f"person {one}", f"people {many}") if len(first) else f"No one {one}"
    route = (other, match) if question.direction == "Arriving" else (match, other)
    label = " → ".join(each.label for each in route if each.label)
    sentence = _at_place(replace(match, label=label), f"{who} {span.text}.")
    table = table.assign(state=_current_states(table, asker.now))
    if span.begins <= asker.minute and span.tense != "past":
        first = table.drop_duplicates("person")
        moved = int((first["time"] <= asker.now).sum())
        by_state = first["state"].value_counts()
        states = [count(by_state[state], *verbs) for state, verbs in _STATE_VERBS.items() if by_state.get(state, 0)]
        states = [count(moved, past, past), *states] if moved else states
        sentence += f" {names(states)}." if states else ""
    people = [
        asker.named_result(row["person"], row["name"], _movement_detail(row, question.direction, asker.now))
        for row in first.head(MOST_PEOPLE).to_dict("records")
    ]
    within = next((each for each in HOURS if each >= span.hours), HOURS[-1])
    link = map_link(
        asker.rosters,
        expected_place=_place_ids(table["place_id"], ids),
        expected_due=question.direction,
        expected_within=f"{within} h",
        expected_kind="Air" if question.is_by_air else "",
        **({} if span.after == asker.minute else _moment_query(span.after)),
    )
    movements = "arrivals" if question.direction == "Arriving" else "departures"
    shown = f"Show {movements} within {within} hours on the map"
    notes = (*_similar(match, question.place), *_similar(other, question.other_place))
    return Answer(sentence, _groups(people, len(first), shown, link if match.label and len(ids) else None), notes)


@dataclass(frozen=True)
class _TimeSpan:
    """The time of a question about arrivals and departures: from its beginning, which counts, for some hours."""

    begins: datetime
    after: datetime
    """The last minute before what counts. Only what is after it counts, on the map too."""
    hours: int
    text: str
    tense: Literal["past", "now", "future"]


def _time_span(question: Movements, asker: Asker, zone: str | None) -> _TimeSpan:
    """Return the time that is asked about: whole days are those of the place."""
    hours = question.hours
    if question.day is None:
        span = count(hours, "hour", "hours")
        if question.is_past:
            begins = asker.minute - timedelta(hours=hours)
            return _TimeSpan(begins, begins, hours, f"in the last {span}", "past")
        return _TimeSpan(asker.minute, asker.minute, hours, f"within {span}", "future")
    first_hour, last_hour = question.day.hours
    is_night = last_hour > WHOLE_DAY[1]
    day = question.day.resolve(_local_date(asker.minute - (_NIGHT_BEGINS if is_night else timedelta()), zone))
    last_day = day + timedelta(days=question.day.days - 1)
    begins, ends = _at_hour(day, first_hour, zone), _at_hour(last_day, last_hour, zone)
    text = f"on {_day_text(day, asker.now)}"
    if last_day != day:
        text = f"from {_day_text(day, asker.now)} to {_day_text(last_day, asker.now)}"
    if question.day.hours != WHOLE_DAY:
        text += f", between {first_hour}:00 and {last_hour % 24}:00 local"
    tense: Literal["past", "now"] = "past" if ends <= asker.minute else "now"
    # Midnight belongs to the day that begins.
    return _TimeSpan(begins, begins - _MINUTE, round((ends - begins) / timedelta(hours=1)), text, tense)


def _at_hour(day: date, hour: int, zone: str | None) -> datetime:
    return _at_local(day + timedelta(days=hour // 24), time(hour % 24), zone)


def _between(table: pd.DataFrame, direction: Direction, other: Ints, asker: Asker) -> pd.DataFrame:
    """Return the movements of people who come from, or go to, other places on the same trip, with connections."""
    locations, where, is_arriving = asker.locations, asker.locations.whereabouts, direction == "Arriving"
    there = np.flatnonzero(np.isin(where.place, other))
    there = there[where.windows.role[where.row[there]] != (ARRIVAL_CODE if is_arriving else _DEPARTURE_CODE)]
    rows = where.row[there]
    ends = pd.DataFrame(
        {
            "person": [asker.index.keys[code] for code in locations.codes("person")[rows].tolist()],
            "itinerary": locations.rows["itinerary"].cat.categories[locations.codes("itinerary")[rows]],
            "end": utc((where.ends if is_arriving else where.begins)[there]),
        }
    )
    pairs = table.reset_index().merge(ends, on=["person", "itinerary"])
    lasts = (pairs["time"] - pairs["end"]) * (1 if is_arriving else -1)
    is_journey = (lasts > timedelta()) & (lasts <= _LONGEST_JOURNEY)
    return table.loc[table.index.isin(pairs.loc[is_journey, "index"])]


def _current_states(table: pd.DataFrame, now: datetime) -> np.ndarray:
    """Return the state of each movement now. The table has those at its beginning."""
    begins = table[["time", "other_time"]].min(axis=1)
    states = np.where(begins <= now, MOVING, NOT_DEPARTED)
    return np.where((table["time"] <= now) | table["other_time"].isna(), "", states)


def _at_place(match: PlaceMatch, sentence: str) -> str:
    """Put the place before the sentence, where its name needs no preposition and no article."""
    if not match.label:
        return sentence
    return f"{match.label}: {sentence[0].lower()}{sentence[1:]}"


def _movement_detail(row: Mapping[Hashable, Any], direction: Direction, now: datetime) -> str:
    state = STATES.get(str(row["state"]), "")
    return " · ".join(filter(None, [state, movement_text(row, direction, now), str(row["locator"])]))


def _answer_in_transit(question: InTransit, asker: Asker) -> Answer:
    index, where = asker.index, asker.locations.whereabouts
    match = index.places.match(question.destination) if question.destination else None
    if question.destination and match is None:
        return _unknown_place(question.destination)
    legs = index.legs_by_kind(index.at(asker.minute).legs, question.kind)
    if match is not None:
        legs = legs[np.isin(where.windows.place[where.reached[legs]], match.codes)]
    _, firsts = np.unique(where.person_of_leg[legs], return_index=True)
    legs = legs[firsts]
    legs = legs[np.argsort(where.arrives[legs], kind="stable")]
    one, many, no_one = _IN_TRANSIT[question.kind]
    who = count(len(legs), one, many) if len(legs) else no_one
    sentence = _at_place(match, f"{who} on the way there now.") if match is not None else f"{who} now."
    people = [
        asker.person_result(int(where.person_of_leg[leg]), whereabout_text(index.journey(int(leg)), asker.now))
        for leg in legs[:MOST_PEOPLE].tolist()
    ]
    ids = [index.places.ids[code] for code in match.codes] if match is not None else []
    link = map_link(
        asker.rosters,
        expected_status=IN_TRANSIT,
        expected_kind=question.kind,
        expected_place=_place_ids((index.places.ids[code] for code in where.windows.place[where.reached[legs]]), ids)
        if match is not None
        else (),
    )
    notes = _similar(match, question.destination)
    return Answer(sentence, _groups(people, len(legs), "Show people in transit on the map", link), notes)


def _answer_night(question: Night, asker: Asker) -> Answer:
    index = asker.index
    match = index.places.match(question.place)
    if match is None:
        return _unknown_place(question.place)
    zone = _main_zone(index, match.codes)
    day = question.day.resolve(_local_date(asker.minute - _NIGHT_BEGINS, zone))
    night = day + timedelta(days=1)
    at_places, _ = bounds(asker.locations, moment(datetime.combine(night, NIGHT_AT), "place"))
    is_chosen = np.zeros(len(asker.locations.places), dtype=bool)
    is_chosen[match.codes] = True
    person, intervals = index.present_at(at_places, is_chosen)
    be = "were" if _at_local(night, NIGHT_AT, zone) <= asker.now else "will be"
    place = asker.locations.likely_places.place[intervals]
    hotels = np.array([index.places.kinds[code] == "Hotel" for code in place.tolist()], dtype=bool)
    by_name = asker.by_name(person)
    order = [*by_name[hotels[by_name]], *by_name[~hotels[by_name]]]
    who = count(len(person), "person", "people") if len(person) else "No one"
    be = "was" if be == "were" and len(person) < 2 else be
    sentence = _at_place(match, f"{who} {be} there overnight on {_day_text(day, asker.now)}.")
    if without := int((~hotels).sum()):
        everyone = "this person" if without == 1 else "any of them"
        without_hotel = everyone if without == len(person) else f"{without:,} of them"
        sentence += f" No hotel is known for {without_hotel}."
    people = [
        asker.person_result(int(person[row]), whereabout_text(index.whereabout(int(intervals[row])), asker.now))
        for row in order[:MOST_PEOPLE]
    ]
    ids = [index.places.ids[code] for code in match.codes]
    at = _at_local(night, NIGHT_AT, zone)
    query = _place_query(match, (index.places.ids[code] for code in place[order]), ids)
    link = map_link(asker.rosters, **query, **_moment_query(at)) if query else None
    notes = _similar(match, question.place)
    return Answer(sentence, _groups(people, len(person), "Show this night on the map", link), notes)


def _answer_present(question: Present, asker: Asker) -> Answer:
    index = asker.index
    match = index.places.match(question.place)
    if match is None:
        return _unknown_place(question.place)
    people_now = index.at(asker.minute)
    rows = np.flatnonzero(np.isin(people_now.place, match.codes))
    legs = people_now.legs
    where = asker.locations.whereabouts
    coming = legs[np.isin(where.windows.place[where.reached[legs]], match.codes)]
    rows = rows[asker.by_name(people_now.person[rows])]
    who = count(len(rows), "person is", "people are") if len(rows) else "No one is"
    sentence = _at_place(match, f"{who} there now.")
    if on_the_way := len(np.unique(where.person_of_leg[coming])):
        sentence += f" {count(on_the_way, 'person is', 'people are')} on the way there."
    people = [
        asker.person_result(
            int(people_now.person[row]), whereabout_text(index.whereabout(int(people_now.interval[row])), asker.now)
        )
        for row in rows[:MOST_PEOPLE].tolist()
    ]
    ids = [index.places.ids[code] for code in match.codes]
    query = _place_query(match, (index.places.ids[code] for code in people_now.place[rows]), ids)
    link = map_link(asker.rosters, **query) if query else None
    return Answer(sentence, _groups(people, len(rows), "Show on the map", link), _similar(match, question.place))


def _answer_around(question: Around, asker: Asker) -> Answer:
    distance, _, place = question.area.partition(_AROUND)
    match = asker.index.places.match(place) if place else None
    if place and match is None and len(place) < _FEWEST_LETTERS:
        return _unknown_place(place)
    texts = (
        [] if match is None else [each if match.country else f"{distance}{_AROUND}{each}" for each in match.area_texts]
    )
    try:
        text, area = _first_area([*texts, question.area])
    except AreaError as error:
        return Answer(problem=str(error))
    begins = asker.minute
    key = ("affected", text, begins, begins, MARGIN_KM)
    find = partial(find_affected, asker.locations, area, begins, begins, margin_km=MARGIN_KM)
    found = asker.locations.memo.get(key, find)
    numbers = [
        f"{found.counts[section].people:,} {SECTION_LABELS[section].lower()}"
        for section in ("possiblyAffected", "departed", "nearby")
        if found.counts[section].people
    ]
    affected = found.counts["affected"].people
    who = count(affected, "person is", "people are") if affected else "No one is known to be"
    label = area.label
    if match is not None and match.position and text.endswith(match.position):
        label = f"{distance}{_AROUND}{match.label}"
    sentences = [f"{who} in the area now: {label}.", f"{', '.join(numbers)}." if numbers else ""]
    sentence = " ".join(filter(None, [*sentences, found.unplaced_people]))
    listed = found.people[found.people["section"].isin(["affected", "possiblyAffected", "departed"])]
    people = [
        asker.named_result(row["person"], row["name"], f"{SECTION_LABELS[row['section']]} · {row['place']}")
        for row in listed.head(MOST_PEOPLE).to_dict("records")
    ]
    link = SearchLink(WHO_IS_AFFECTED, {"area": (text,), "roster": asker.rosters})
    notes = (
        *_similar(match, place),
        *(SearchNote(note, is_warning=True) for note in dict.fromkeys(found.area.notes)),
    )
    return Answer(sentence, _groups(people, len(listed), "Open Who is affected", link), notes)


def _first_area(texts: Sequence[str]) -> tuple[str, Area]:
    """Return the first text that is an area, and the area. Raises the `AreaError` of the last one."""
    for text in texts[:-1]:
        with suppress(AreaError):
            return text, parse_area(text)
    return texts[-1], parse_area(texts[-1])


def _answer_not_covered(asker: Asker) -> Answer:
    index = asker.index
    codes = index.at(asker.minute).not_covered
    codes = codes[asker.by_name(codes)].tolist()
    who = count(len(codes), "person on a trip is", "people on trips are")
    sentence = f"{who} not covered now." if codes else "Everyone on a trip is covered now."
    people = []
    for code in codes[:MOST_PEOPLE]:
        _, following = index.now_and_next(code, asker.minute)
        detail = whereabout_text(following, asker.now, is_next=True) if following else ""
        people.append(asker.person_result(code, f"Next: {detail}" if detail else "No later location"))
    link = map_link(asker.rosters, expected_show="not-covered")
    return Answer(sentence, _groups(people, len(codes), "Show people not covered on the map", link))


def _groups(people: Sequence[SearchResult], total: int, title: str, link: SearchLink | None) -> tuple[ResultGroup, ...]:
    """Return the screen that shows the answer, and the people."""
    groups = []
    if link is not None:
        icon = link.screen.symbol
        groups.append(ResultGroup("Answer", (SearchResult(title, link, icon=icon),), 1))
    if people:
        groups.append(ResultGroup("Travelers", tuple(people), total))
    return tuple(groups)


def _unknown_place(text: str) -> Answer:
    return Answer(problem=f"Muster does not know the place “{text}”.")


def _similar(match: PlaceMatch | None, text: str) -> tuple[SearchNote, ...]:
    if match is None or not match.is_similar:
        return ()
    return (similar_note(match.label, text),)


def _place_query(
    match: PlaceMatch, with_people: Iterable[str], otherwise: Sequence[str]
) -> dict[str, str | tuple[str, ...]]:
    """Return the filters of the map for a place; empty if no one is ever expected there."""
    ids = list(dict.fromkeys(with_people)) or [*otherwise]
    if match.country and len(ids) > MOST_PLACES:
        return {"expected_country": match.label}
    return {"expected_place": tuple(ids[:MOST_PLACES])} if ids else {}


def _place_ids(with_people: Iterable[str], otherwise: Sequence[str]) -> tuple[str, ...]:
    """Return the places of a link: those with people, else those that were meant."""
    return tuple(dict.fromkeys(with_people))[:MOST_PLACES] or tuple(otherwise[:MOST_PLACES])


def _main_zone(index: RosterIndex, codes: Ints) -> str | None:
    zones = [zone for code in codes.tolist() if (zone := index.places.zones[code])]
    return max(sorted(set(zones)), key=zones.count) if zones else None


def _local_date(at: datetime, zone: str | None) -> date:
    return at.astimezone((zone_named(zone) if zone else None) or UTC).date()


def _at_local(day: date, clock: time, zone: str | None) -> datetime:
    return datetime.combine(day, clock, tzinfo=(zone_named(zone) if zone else None) or UTC).astimezone(UTC)


def _moment_query(at: datetime) -> dict[str, str]:
    return {"expected_time": "Moment", "expected_at": at.replace(tzinfo=None).isoformat(timespec="minutes")}


def _day_text(day: date, now: datetime) -> str:
    return format_date(day, with_year=day.year != now.year)
