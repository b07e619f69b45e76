"""Answer a question with a sentence, the people, and a link to the screen that shows the same people."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import Any, Final

import numpy as np

from domain.expected_locations.at_moment import IN_TRANSIT, bounds, moment, to_the_minute
from domain.expected_locations.expected_words import whereabout_text
from domain.expected_locations.location_frame import Locations
from domain.expected_locations.movement_texts import STATES, movement_text
from domain.expected_locations.movements import HOURS, NOT_DEPARTED, Direction, find_movements
from domain.expected_locations.roster_view import Filters
from domain.geography.time_zones import zone_named
from domain.incidents.affected import MARGIN_KM, find_affected
from domain.incidents.affected_texts import SECTION_LABELS
from domain.incidents.area import AreaError
from domain.incidents.area_text import parse_area
from domain.runtime.screens import WHO_IS_AFFECTED
from domain.search.places import PlaceMatch
from domain.search.question import Around, InTransit, Movements, Night, NotCovered, Present, Question
from domain.search.roster_index import RosterIndex, index_of
from domain.search.search_results import (
    MOST_PEOPLE,
    MOST_PLACES,
    ResultGroup,
    SearchLink,
    SearchNote,
    SearchResult,
    map_link,
)
from domain.text.plain_text import count
from domain.text.time_text import format_date
from domain.trips.presences import Ints

NIGHT_AT: Final = time(3)
"""The local time at which people are where they sleep."""
_NIGHT_BEGINS: Final = timedelta(hours=6)
"""Before this local time, "tonight" is the night that has begun."""
_MOVES: Final[Mapping[tuple[Direction, bool], tuple[str, str, str]]] = {
    ("Arriving", True): ("person will land", "people will land", "No one will land"),
    ("Arriving", False): ("person will arrive", "people will arrive", "No one will arrive"),
    ("Leaving", True): ("person will leave", "people will leave", "No one will leave"),
    ("Leaving", False): ("person will leave", "people will leave", "No one will leave"),
}
_STATE_VERBS: Final = {
    IN_TRANSIT: ("is in transit", "are in transit"),
    NOT_DEPARTED: ("has not departed", "have not departed"),
}
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
    match = places.match(question.place) if question.place else PlaceMatch("", np.arange(len(locations.places)))
    if match is None:
        return _unknown_place(question.place)
    at, hours, query = asker.minute, question.hours, {}
    if question.day is not None:
        zone = _main_zone(asker.index, match.codes)
        today = _local_date(asker.minute, zone)
        day = question.day.resolve(today)
        hours = 24
        if day != today:
            at = _at_local(day, time(), zone)
            query = _moment_query(at)
        when = f"on {_day_text(day, asker.now)}"
        when = f"within {hours} hours" if day == today else when
    else:
        when = f"within {count(hours, 'hour', 'hours')}"
    kinds = frozenset({"Air"}) if question.is_by_air else frozenset[str]()
    ids = [places.ids[code] for code in match.codes]
    table = find_movements(locations, question.direction, ids, at, hours, Filters(kinds))
    one, many, no_one = _MOVES[question.direction, question.is_by_air]
    first = table.drop_duplicates("person")
    who = count(len(first), one, many) if len(first) else no_one
    sentence = _at_place(match, f"{who} {when}.")
    by_state = first["state"].value_counts()
    states = [count(by_state[state], *verbs) for state, verbs in _STATE_VERBS.items() if by_state.get(state, 0)]
    sentence += f" {', and '.join(states)}." if states else ""
    people = [
        asker.named_result(row["person"], row["name"], _movement_detail(row, question.direction, asker.now))
        for row in first.head(MOST_PEOPLE).to_dict("records")
    ]
    within = next((each for each in HOURS if each >= hours), HOURS[-1])
    link = map_link(
        asker.rosters,
        expected_place=_place_ids(table["place_id"], ids),
        expected_due=question.direction,
        expected_within=f"{within} h",
        expected_kind="Air" if question.is_by_air else "",
        **query,
    )
    movements = "arrivals" if question.direction == "Arriving" else "departures"
    shown = f"Show {movements} within {within} hours on the map"
    return Answer(sentence, _groups(people, len(first), shown, link if match.label else None), _similar(match))


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
    return Answer(sentence, _groups(people, len(legs), "Show people in transit on the map", link), _similar(match))


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
    place = asker.locations.likely_places.place[intervals]
    hotels = np.array([index.places.kinds[code] == "Hotel" for code in place.tolist()], dtype=bool)
    by_name = asker.by_name(person)
    order = [*by_name[hotels[by_name]], *by_name[~hotels[by_name]]]
    who = count(len(person), "person", "people") if len(person) else "No one"
    sentence = _at_place(match, f"{who} will be there overnight on {_day_text(day, asker.now)}.")
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
    link = map_link(
        asker.rosters,
        expected_place=_place_ids((index.places.ids[code] for code in place[order]), ids),
        **_moment_query(at),
    )
    return Answer(sentence, _groups(people, len(person), "Show this night on the map", link), _similar(match))


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
    link = map_link(
        asker.rosters, expected_place=_place_ids((index.places.ids[code] for code in people_now.place[rows]), ids)
    )
    return Answer(sentence, _groups(people, len(rows), "Show on the map", link), _similar(match))


def _answer_around(question: Around, asker: Asker) -> Answer:
    try:
        area = parse_area(question.area)
    except AreaError as error:
        return Answer(problem=str(error))
    begins = asker.minute
    key = ("affected", question.area, begins, begins, MARGIN_KM)
    find = partial(find_affected, asker.locations, area, begins, begins, margin_km=MARGIN_KM)
    found = asker.locations.memo.get(key, find)
    numbers = [
        f"{found.counts[section].people:,} {SECTION_LABELS[section].lower()}"
        for section in ("possiblyAffected", "departed", "nearby")
        if found.counts[section].people
    ]
    affected = found.counts["affected"].people
    who = count(affected, "person is", "people are") if affected else "No one is known to be"
    sentences = [f"{who} in the area now: {area.label}.", f"{', '.join(numbers)}." if numbers else ""]
    sentence = " ".join(filter(None, [*sentences, found.unplaced_people]))
    listed = found.people[found.people["section"].isin(["affected", "possiblyAffected", "departed"])]
    people = [
        asker.named_result(row["person"], row["name"], f"{SECTION_LABELS[row['section']]} · {row['place']}")
        for row in listed.head(MOST_PEOPLE).to_dict("records")
    ]
    link = SearchLink(WHO_IS_AFFECTED, {"area": (question.area,), "roster": asker.rosters})
    notes = tuple(SearchNote(note, is_warning=True) for note in dict.fromkeys(found.area.notes))
    return Answer(sentence, _groups(people, len(listed), "Open Who is affected", link), notes)


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


def _similar(match: PlaceMatch | None) -> tuple[SearchNote, ...]:
    if match is None or not match.is_similar:
        return ()
    return (SearchNote(f"No place has exactly this name. The answer is for {match.label}."),)


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
