"""Search the loaded rosters, the rosters that are not loaded, flights, records, and screens for what a person types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

import numpy as np

from domain.expected_locations.expected_words import whereabout_text
from domain.expected_locations.location_frame import Locations
from domain.expected_locations.person_days import NOT_COVERED
from domain.geography.airports import search_airports
from domain.geography.countries import country_name
from domain.geography.folding import fold
from domain.runtime.screens import FIND_TRIP, TRIP
from domain.search.answers import Answer, Asker, answer_question
from domain.search.flights import FlightIndex, flight_group, may_be_flight
from domain.search.question import parse_question, search_words
from domain.search.roster_index import RosterIndex, find_texts, index_of
from domain.search.screen_search import find_screens
from domain.search.search_results import (
    MOST_PLACES,
    MOST_SHOWN,
    ResultGroup,
    SearchLink,
    SearchNote,
    SearchResult,
    SearchResults,
    map_link,
    similar_note,
)
from domain.text.plain_text import count, names
from domain.text.time_text import ago
from journal import Roster

_FEWEST_LETTERS: Final = 2
_LONGEST_LOCATOR: Final = 12
_SHORTEST_LOCATOR: Final = 5
_USUAL_LOCATOR: Final = 6
_NAMED: Final = 3
_CERTAIN_RANK: Final = 2
_GUESS_RANK: Final = 7
_MEANINGLESS: Final = frozenset(("s", "is", "are", "the", "of", "for", "our", "now", "trip", "trips"))
_ANY_RANK: Final = 9
_SIMILAR_PLACES: Final = "Places with a similar name"
_MOST_RUNS: Final = 3
"""How many parts of a text are tried as a name."""
_ICONS: Final = {"Hotel": "hotel", "Rail": "train", "Car": "directions_car", "Air": "flight"}


@dataclass(frozen=True, eq=False)
class LoadedRosters:
    """Rosters whose expected locations are in memory.

    Attributes:
        locations: What was loaded of them.
        link_values: The rosters, as a link to the map has them.
        as_of: When they were loaded.
        is_outdated: Whether that is so long ago that people may be somewhere else.
        unread: How many of their trips are not loaded.
        not_found: How many of their trips the service does not have.
        reading: The progress of loading; empty if it has ended.
    """

    locations: Locations
    link_values: tuple[str, ...]
    as_of: datetime | None
    is_outdated: bool = False
    unread: int = 0
    not_found: int = 0
    reading: str = ""


@dataclass(frozen=True)
class Nameable:
    """A person of a roster that is not loaded."""

    external_id: str
    name: str
    locators: tuple[str, ...]
    roster_ids: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class UnloadedRosters:
    """Rosters whose expected locations are not in memory. Their names and record locators come from the journal."""

    rosters: Sequence[Roster] = ()
    people: Sequence[Nameable] = ()
    texts: Sequence[str] = ()
    """For each person, the text of name and ID."""
    locators: Mapping[str, str] = field(default_factory=dict)
    """The record locators by their normalized form."""


@dataclass(frozen=True)
class SearchedRecord:
    """A record that can be found by its text, such as a contact filter."""

    kind: str
    """The heading of its group."""
    title: str
    detail: str
    text: str
    """The folded text, with a space at both ends."""
    link: SearchLink
    icon: str


@dataclass(frozen=True, eq=False)
class Searched:
    """Everything that is searched."""

    now: datetime
    loaded: LoadedRosters | None = None
    unloaded: UnloadedRosters = field(default_factory=UnloadedRosters)
    flights: FlightIndex | None = None
    """None until it is read."""
    records: Sequence[SearchedRecord] = ()
    record_notes: Sequence[SearchNote] = ()
    """Which records are not searched."""


def search(text: str, searched: Searched) -> SearchResults:
    """Return the results for a text: the answer if it asks a question, and what has its words."""
    text = text.strip()
    if len(fold(text)) < _FEWEST_LETTERS:
        return SearchResults(text)
    if text.startswith("/"):
        found = find_screens(text[1:])
        return SearchResults(text, groups=(_group("Screens", found, 0),) if found else ())
    answer = _answer(text, searched)
    if answer is not None and answer.sentence:
        return SearchResults(
            text, answer.sentence, answer.groups, (*answer.notes, *_notes(searched, about_people=True))
        )
    return _search_words(text, searched, answer)


def _answer(text: str, searched: Searched) -> Answer | None:
    question = parse_question(text)
    if question is None:
        return None
    if searched.loaded is None:
        return Answer(problem="Muster cannot answer this question until a roster is loaded.")
    return answer_question(question, Asker(searched.loaded.locations, searched.loaded.link_values, searched.now))


def _search_words(text: str, searched: Searched, answer: Answer | None) -> SearchResults:
    wanted = search_words(text)
    words = meaningful_words(wanted)
    groups = [
        *_people_groups(words, searched),
        *_locator_groups(wanted, searched),
        *_flight_groups(wanted, searched),
        *_place_groups(wanted, words, searched),
        *_record_groups(words, searched.records),
    ]
    if screens := find_screens(wanted):
        groups.append(_group("Screens", screens, 1 if fold(screens[0].title) == fold(wanted) else 6))
    if answer is not None and answer.problem:
        # A name that is only similar does not answer a question about an unknown place.
        groups = [group for group in groups if group.rank < _GUESS_RANK]
    groups.sort(key=lambda group: group.rank)
    about_people = ("Travelers", "Trips", "Places", _SIMILAR_PLACES)
    is_about_people = not groups or any(group.title in about_people for group in groups)
    notes = _notes(searched, about_people=is_about_people)
    if not groups and searched.loaded is not None and searched.loaded.not_found:
        trips = count(searched.loaded.not_found, "trip was", "trips were")
        notes = (*notes, SearchNote(f"{trips} not found in the service. Muster cannot search for their travelers."))
    if not groups and answer is not None and answer.problem:
        notes = (SearchNote(answer.problem, is_warning=True), *notes)
    notes = (
        *notes,
        *(similar_note(each.results[0].title, wanted) for each in groups if each.title == _SIMILAR_PLACES),
    )
    is_known = any(group.title == "Flights and trains" or group.rank == 0 for group in groups)
    if may_be_flight(wanted) and not is_known:
        notes = (*notes, _unknown_flight(wanted, searched))
    if not groups and (part := _known_name(words, searched)):
        groups = _people_groups(part.split(), searched)
        notes = (SearchNote(f"Showing results for “{part}”."), *notes)
    is_certain = bool(groups) and groups[0].rank <= _CERTAIN_RANK
    record_notes = [note for note in searched.record_notes if note.is_warning or not is_certain]
    if (lookup := _lookup(wanted, groups)) is not None:
        groups.append(lookup)
    return SearchResults(text, "", tuple(groups), (*notes, *record_notes))


def meaningful_words(text: str) -> list[str]:
    """Return the folded words of a text without those that mean nothing, unless there are no others."""
    words = fold(text).split()
    return [word for word in words if word not in _MEANINGLESS] or words


def _known_name(words: Sequence[str], searched: Searched) -> str:
    """Return the most words in a row that are a name: "when does Ana Silva land" asks about "ana silva"."""
    if searched.loaded is None or len(words) < 2:
        return ""
    index = index_of(searched.loaded.locations)
    runs = [
        words[start:end]
        for end in range(1, len(words) + 1)
        for start in range(end)
        if end - start < len(words) and all(index.is_name(word) for word in words[start:end])
    ]
    return next(
        (" ".join(run) for run in sorted(runs, key=len, reverse=True)[:_MOST_RUNS] if index.find_people(run)), ""
    )


def _people_groups(words: Sequence[str], searched: Searched) -> list[ResultGroup]:
    results: list[SearchResult] = []
    total, rank, title, known = 0, _ANY_RANK, "Travelers", set[str]()
    if searched.loaded is not None:
        asker = Asker(searched.loaded.locations, searched.loaded.link_values, searched.now)
        index = asker.index
        codes = index.find_people(words)
        if not codes and (similar := index.similar_words(words)):
            codes, title = index.find_people(similar), "Travelers with a similar name"
        total = len(codes)
        results += [asker.person_result(code, _person_detail(index, code, searched.now)) for code in codes[:MOST_SHOWN]]
        known = {index.keys[code] for code in codes}
        if codes:
            rank = min(_rank(words, fold(each[codes[0]])) for each in (index.names, index.external_ids))
    unloaded = searched.unloaded
    others = [each for each in find_texts(unloaded.texts, words) if unloaded.people[each].external_id not in known]
    for number in others[: max(MOST_SHOWN - len(results), 0)]:
        results.append(_unloaded_person(unloaded.people[number]))
        rank = min(rank, _rank(words, fold(unloaded.people[number].name)))
    if not results:
        return []
    rank = _GUESS_RANK if title != "Travelers" else rank
    return [ResultGroup(title, tuple(results), total + len(others), rank)]


def _person_detail(index: RosterIndex, code: int, now: datetime) -> str:
    """Say where a person is now, as the card of the person on the map does."""
    current, following = index.now_and_next(code, now.replace(second=0, microsecond=0))
    coming = f"Next: {whereabout_text(following, now, is_next=True)}" if following else ""
    if current is None:
        where = "Not traveling now"
    elif current.status == NOT_COVERED:
        where = "Not covered now"
    else:
        where, coming = whereabout_text(current, now), ""
    return " · ".join(filter(None, (where, coming, index.external_ids[code])))


def _unloaded_person(person: Nameable) -> SearchResult:
    detail = " · ".join(filter(None, (names(list(person.locators), at_most=_NAMED), person.external_id)))
    if person.external_id:
        link = map_link(person.roster_ids, expected_person=person.external_id)
    else:
        link = SearchLink(TRIP, {"locator": person.locators[0]})
    return SearchResult(person.name or person.external_id, link, detail, "person")


def _locator_groups(wanted: str, searched: Searched) -> list[ResultGroup]:
    if " " in wanted:
        return []
    found: list[str] = []
    travelers: Mapping[str, list[str]] = {}
    if searched.loaded is not None:
        index = Asker(searched.loaded.locations, searched.loaded.link_values, searched.now).index
        found = index.find_locators(wanted)
        travelers = index.names_on(found[:MOST_SHOWN])
    key = wanted.upper()
    known = {each.upper() for each in found}
    others = [
        written for normalized, written in searched.unloaded.locators.items() if normalized.upper().startswith(key)
    ]
    found += sorted(each for each in others if each.upper() not in known)
    if not found:
        return []
    results = [
        SearchResult(
            each,
            SearchLink(TRIP, {"locator": each}),
            names(travelers.get(each, []), at_most=_NAMED),
            TRIP.symbol,
        )
        for each in found[:MOST_SHOWN]
    ]
    return [_group("Trips", results, 0 if found[0].upper() == key else 5, len(found))]


def _flight_groups(wanted: str, searched: Searched) -> list[ResultGroup]:
    found = flight_group(searched.flights, wanted, searched.now) if searched.flights is not None else None
    return [found] if found is not None else []


def _unknown_flight(wanted: str, searched: Searched) -> SearchNote:
    if searched.flights is None:
        return SearchNote("Muster is still loading the flight numbers of trips sent from Muster.")
    return SearchNote(
        f"No trip that was sent from Muster has flight {wanted.upper()}. The service does not return flight numbers, "
        "so other trips were not searched."
    )


def _place_groups(wanted: str, words: Sequence[str], searched: Searched) -> list[ResultGroup]:
    """Return cities and countries, with the number of people there now, and hotels, airports, and stations."""
    if searched.loaded is None:
        return []
    asker = Asker(searched.loaded.locations, searched.loaded.link_values, searched.now)
    index, places = asker.index, asker.index.places
    people = np.bincount(index.at(asker.minute).place, minlength=len(places.ids))
    rows = places.containing(words)
    match = places.match(wanted)
    first = match.codes.tolist() if match is not None and match.is_named else []
    named: list[SearchResult] = []
    if match is not None and (len(first) > 1 or (first and match.country)):
        named.append(_area_result(match.label, first, people, asker, match.country))
    cities = [
        _area_result(label, several, people, asker)
        for (country, city), several in places.by_city.items()
        if all(f" {word}" in f" {city}" for word in words)
        and not (named and match and not match.country and {*several} <= {*first})
        and (label := ", ".join(filter(None, (places.cities[several[0]], country_name(country)))))
        not in {each.title for each in named}
    ]
    own = [row for row in rows.tolist() if all(f" {word}" in f" {fold(places.labels[row])}" for word in words)]
    # The airport of a code comes first.
    own.sort(key=lambda row: (not (len(first) == 1 and row in first), -people[row], places.labels[row]))
    results = [
        SearchResult(
            places.labels[row],
            map_link(asker.rosters, expected_place=(places.ids[row],)),
            f"{count(int(people[row]), 'person', 'people')} now",
            _ICONS.get(places.kinds[row], "location_on"),
        )
        for row in own
    ]
    found = [*named, *results, *cities] if len(first) == 1 else [*named, *cities, *results]
    if found:
        return [_group("Places", found, 1 if first else 4)]
    if len(wanted) == len("SIN") and (airports := _airport_groups(wanted, asker)):
        return airports
    similar = places.similar(fold(wanted), of_roster=True)
    if similar is None:
        return []
    return [_group(_SIMILAR_PLACES, [_area_result(similar.label, similar.codes.tolist(), people, asker)], _GUESS_RANK)]


def _area_result(label: str, rows: Sequence[int], people: np.ndarray, asker: Asker, country: str = "") -> SearchResult:
    """Return a city or country."""
    number = int(sum(people[row] for row in rows))
    largest = sorted(rows, key=lambda row: (-people[row], row))
    ids = tuple(asker.index.places.ids[row] for row in largest[:MOST_PLACES])
    link = (
        map_link(asker.rosters, expected_country=country_name(country))
        if country
        else map_link(asker.rosters, expected_place=ids)
    )
    return SearchResult(
        label, link, f"{count(number, 'person', 'people')} now", "public" if country else "location_city"
    )


def _airport_groups(wanted: str, asker: Asker) -> list[ResultGroup]:
    """Return airports where no one is expected, so that the search knows the code."""
    results = [
        SearchResult(
            each.label,
            map_link(asker.rosters, expected_place=(each.iata,)),
            "No one is expected at this airport.",
            "flight",
        )
        for each in search_airports(wanted, MOST_SHOWN)
    ]
    return [_group("Places", results, 8)] if results else []


def _record_groups(words: Sequence[str], records: Sequence[SearchedRecord]) -> list[ResultGroup]:
    found = [records[number] for number in find_texts([each.text for each in records], words)]
    by_kind: dict[str, list[SearchedRecord]] = {}
    for each in found:
        by_kind.setdefault(each.kind, []).append(each)
    return [
        _group(
            kind,
            [SearchResult(each.title, each.link, each.detail, each.icon) for each in several],
            min(_rank(words, fold(several[0].title)) + 1, 7),
        )
        for kind, several in by_kind.items()
    ]


def _lookup(wanted: str, groups: Sequence[ResultGroup]) -> ResultGroup | None:
    """Return the lookup at the service of a text that may be a record locator that no roster has."""
    may_be_locator = wanted.isascii() and wanted.isalnum() and _SHORTEST_LOCATOR <= len(wanted) <= _LONGEST_LOCATOR
    is_likely = not groups or len(wanted) == _USUAL_LOCATOR or any(map(str.isdigit, wanted))
    if not (may_be_locator and is_likely) or any(group.title == "Trips" and group.rank == 0 for group in groups):
        return None
    result = SearchResult(
        f"Look up record locator {wanted.upper()}",
        SearchLink(FIND_TRIP, {"q": wanted.upper()}),
        "Asks the service for this trip.",
        "travel_explore",
    )
    return ResultGroup("In the service", (result,), 1, _ANY_RANK)


def _rank(words: Sequence[str], folded_title: str) -> int:
    """Return how well a title matches, 0 for the best: it is the text, has the words, or has other words with them."""
    if sorted(folded_title.split()) == sorted(words):
        return 0
    padded = f" {folded_title} "
    return (
        2 if all(f" {word} " in padded for word in words) else 3 if all(f" {word}" in padded for word in words) else 5
    )


def _group(title: str, results: Sequence[SearchResult], rank: int, total: int | None = None) -> ResultGroup:
    return ResultGroup(title, tuple(results[:MOST_SHOWN]), len(results) if total is None else total, rank)


def _notes(searched: Searched, *, about_people: bool) -> tuple[SearchNote, ...]:
    """Say how old the data is, and what was not searched."""
    notes: list[SearchNote] = []
    loaded = searched.loaded
    if about_people and loaded is not None and loaded.as_of is not None:
        age = f"The locations were loaded {ago(loaded.as_of, searched.now, in_words=True)}."
        if loaded.is_outdated:
            link = map_link(loaded.link_values)
            notes.append(SearchNote(age, "Open the map to refresh", link, is_warning=True))
        else:
            notes.append(SearchNote(age))
    if about_people and loaded is not None and loaded.reading:
        notes.append(SearchNote(f"{loaded.reading}. The results are not complete.", is_warning=True))
    elif about_people and loaded is not None and loaded.unread:
        trips = count(loaded.unread, "trip is", "trips are")
        notes.append(
            SearchNote(
                f"{trips} not loaded and not searched.",
                "Open the map to retry",
                map_link(loaded.link_values),
                is_warning=True,
            )
        )
    if about_people and (rosters := searched.unloaded.rosters):
        named = names([f"“{roster.name}”" for roster in rosters], at_most=_NAMED)
        are, these = ("is", "this roster") if len(rosters) == 1 else ("are", "these rosters")
        text = (
            f"{named} {are} not loaded. In {these}, Muster searches only travelers’ names and record locators, "
            "not places."
        )
        values = tuple(str(roster.id) for roster in rosters)
        notes.append(
            SearchNote(
                text,
                "Open the map to load",
                map_link((*(loaded.link_values if loaded else ()), *values)),
                is_warning=loaded is None,
            )
        )
    if about_people and loaded is None and not searched.unloaded.rosters:
        notes.append(
            SearchNote("Your organization has no rosters, so Muster cannot search for people.", is_warning=True)
        )
    return tuple(notes)
