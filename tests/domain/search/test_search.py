"""The results for a text: their order, their kinds, and what they say was not searched."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from domain.runtime.screens import CONTACT_FILTERS, EXPECTED_LOCATIONS, FIND_TRIP, TRIP
from domain.search.flights import FlightIndex, number_key
from domain.search.roster_index import person_text
from domain.search.search import LoadedRosters, Nameable, Searched, SearchedRecord, UnloadedRosters, search
from domain.search.search_results import ResultGroup, SearchLink, SearchResults
from journal import Roster
from tests.domain.expected_locations.records import Row, build_locations
from tests.domain.expected_locations.reference_evaluation import NOON

NAMES = {
    "E1001": "Hilton, Paris",
    "E1002": "Silva, Ana",
    "E1003": "Carvalho-Silva, Lucía",
    "E1004": "Ødegård, Søren",
    "E1005": "Cruz, Maria",
}


def in_hotel(person: str, locator: str, place: str = "hotel") -> Row:
    return Row(person, locator, place, "Stay", NOON - timedelta(hours=1), NOON + timedelta(days=2))


LOCATIONS = build_locations(
    [
        in_hotel("E1001", "QX2P9L"),
        in_hotel("E1002", "WSVM7K"),
        in_hotel("E1003", "SQ682A"),
        in_hotel("E1004", "AB12CD"),
        Row("E1005", "ZTCVS3", "CDG", "Departure", NOON - timedelta(hours=23), NOON + timedelta(hours=1)),
    ],
    NAMES,
)
LOADED = LoadedRosters(LOCATIONS, ("1",), as_of=NOON)
FILTERS = SearchedRecord(
    "Contact filters",
    "Expected in Paris",
    "",
    " expected in paris filter contact filters ",
    SearchLink(CONTACT_FILTERS, {"id": "7"}),
    "filter_alt",
)
SEARCHED = Searched(NOON, LOADED, records=[FILTERS], flights=FlightIndex())


def titles(results: SearchResults) -> dict[str, list[str]]:
    return {group.title: [result.title for result in group.results] for group in results.groups}


def group(results: SearchResults, title: str) -> ResultGroup:
    return next(each for each in results.groups if each.title == title)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("silva", ["Carvalho-Silva, Lucía", "Silva, Ana"]),
        ("sil", ["Carvalho-Silva, Lucía", "Silva, Ana"]),
        ("ana silva", ["Silva, Ana"]),
        ("a silva", ["Silva, Ana"]),
        ("odegard", ["Ødegård, Søren"]),
        ("lucia", ["Carvalho-Silva, Lucía"]),
        ("where is Cruz?", ["Cruz, Maria"]),
        ("e1004", ["Ødegård, Søren"]),
    ],
)
def test_a_traveler_is_found_by_a_part_of_the_name_or_the_id(text: str, names: list[str]) -> None:
    results = search(text, SEARCHED)
    assert titles(results)["Travelers"] == names
    first = group(results, "Travelers").results[0]
    assert first.link.screen == EXPECTED_LOCATIONS
    assert set(first.link.query) == {"roster", "expected_person"}


def test_a_person_of_the_full_name_comes_before_the_city_and_the_city_alone_before_the_person() -> None:
    by_name, by_city = search("paris hilton", SEARCHED), search("Paris", SEARCHED)
    assert next(iter(titles(by_name))) == "Travelers"
    assert "Places" not in titles(by_name)
    assert next(iter(titles(by_city))) == "Places"
    assert titles(by_city)["Travelers"] == ["Hilton, Paris"]
    assert titles(by_city)["Contact filters"] == ["Expected in Paris"]


def test_a_similar_name_does_not_answer_a_question_about_an_unknown_place() -> None:
    loaded = LoadedRosters(build_locations([in_hotel("E1001", "QX2P9L")], {"E1001": "Silva, Ines"}), ("1",), as_of=NOON)
    results = search("who is in slva", replace(SEARCHED, loaded=loaded))
    assert not titles(results)
    assert "Muster does not know the place “slva”." in [note.text for note in results.notes]


def test_a_question_about_a_misspelled_country_is_answered_for_the_country() -> None:
    results = search("who is in Japn", SEARCHED)
    assert results.sentence == "Japan: no one is there now."
    assert "Showing Japan for “Japn”." in [note.text for note in results.notes]


def test_a_misspelled_name_finds_similar_ones() -> None:
    assert titles(search("slva", SEARCHED))["Travelers with a similar name"] == ["Carvalho-Silva, Lucía", "Silva, Ana"]


def test_a_traveler_is_shown_with_where_they_are() -> None:
    assert group(search("cruz", SEARCHED), "Travelers").results[0].detail.startswith("Charles de Gaulle")


@pytest.mark.parametrize("text", ["wsvm7k", "WSVM7K", "wsvm"])
def test_a_record_locator_is_found_in_any_case_with_its_travelers(text: str) -> None:
    result = group(search(text, SEARCHED), "Trips").results[0]
    assert (result.title, result.detail) == ("WSVM7K", "Silva, Ana")
    assert result.link == SearchLink(TRIP, {"locator": "WSVM7K"})


def test_an_unknown_record_locator_can_be_looked_up_at_the_service() -> None:
    results = search("zzz999", SEARCHED)
    assert [each.title for each in results.groups] == ["In the service"]
    assert results.groups[0].results[0].link == SearchLink(FIND_TRIP, {"q": "ZZZ999"})
    assert "In the service" not in titles(search("wsvm7k", SEARCHED))
    assert "In the service" not in titles(search("Paris", SEARCHED))


def test_a_flight_is_found_with_spaces_and_zeros_and_a_locator_of_its_form_too() -> None:
    flights = FlightIndex()
    segment = {
        "type": "Air",
        "supplierCode": "SQ",
        "airRailNumber": "0682",
        "fromIataCode": "SIN",
        "toIataCode": "BKK",
        "fromDateTimeLocal": "2026-11-20T18:05:00",
    }
    flights.add("AB12CD", {"segments": [segment], "passengers": [{"firstName": "Ana", "lastName": "Silva"}]})
    searched = replace(SEARCHED, flights=flights)
    results = search("sq 682", searched)
    (result,) = group(results, "Flights and trains").results
    assert result.title == "SQ0682 · SIN → BKK"
    assert result.detail == "Fri, Nov 20, 18:05 local · 1 traveler: Silva, Ana"
    assert result.link == SearchLink(TRIP, {"locator": "AB12CD"})
    assert titles(search("SQ682", searched))["Trips"] == ["SQ682A"]
    assert not any("flight" in note.text for note in results.notes)


def test_an_unknown_flight_is_explained() -> None:
    notes = [note.text for note in search("BA117", SEARCHED).notes]
    assert any(note.startswith("No trip that was sent from Muster has flight BA117.") for note in notes)


def test_flight_numbers_are_compared_without_zeros_and_marks() -> None:
    assert {number_key(each) for each in ("SQ682", "sq 0682", "SQ-682")} == {"SQ682"}
    assert number_key("ICE 511") == "ICE511"


def test_a_screen_is_found_by_its_url_and_by_words() -> None:
    assert titles(search("/filters", SEARCHED))["Screens"][0] == "Filters"
    assert titles(search("filters", SEARCHED))["Screens"] == ["Filters"]
    assert titles(search("audit log", SEARCHED))["Screens"] == ["Journal"]


def test_unknown_words_find_nothing() -> None:
    results = search("xyzzy plugh", SEARCHED)
    assert results.groups == ()


def roster(number: int, name: str) -> Roster:
    return Roster(number, "service", 1, name, "ana", NOON, NOON, 1, lambda _: [])


def test_rosters_that_are_not_loaded_are_named_and_their_people_found_by_name() -> None:
    person = Nameable("E2001", "Silva, Zoe", ("QQQ111",), ("2",))
    unloaded = UnloadedRosters(
        [roster(2, "Field staff")], [person], [person_text("silva zoe", "E2001")], {"QQQ111": "QQQ111"}
    )
    results = search("silva zoe", Searched(NOON, None, unloaded))
    assert group(results, "Travelers").results[0].link.query == {"roster": ("2",), "expected_person": "E2001"}
    (note,) = results.notes
    assert note.text == (
        "“Field staff” is not loaded. In this roster, Muster searches only travelers’ names and record locators, "
        "not places."
    )
    assert note.link is not None
    assert note.link.query == {"roster": ("2",)}
    assert titles(search("qqq111", Searched(NOON, None, unloaded))) == {"Trips": ["QQQ111"]}
    assert search("in the air", Searched(NOON, None, unloaded)).notes[0].is_warning


def test_old_data_is_marked() -> None:
    old = replace(LOADED, is_outdated=True)
    notes = search("in the air", replace(SEARCHED, loaded=old, now=NOON + timedelta(minutes=12))).notes
    assert notes[0].is_warning
    assert notes[0].text == "The locations were loaded 12 minutes ago."
    assert not search("in the air", SEARCHED).notes[0].is_warning
