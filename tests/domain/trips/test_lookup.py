"""Trip lookup: reading pasted values, searching for each value separately, and reporting the outcome."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client import ConnectionFailed, NotAllowed, NotAuthenticated, ServiceError, ServiceFailed
from client.models.itineraries import ItineraryReference
from domain.trips.known_trip import TripNote
from domain.trips.lookup import (
    MAX_URL_LENGTH,
    LookupBy,
    LookupResult,
    Match,
    fits_in_url,
    join_values,
    list_found_trips,
    look_up_all,
    look_up_one,
    lookup_summary,
    parse_values,
    results_table,
)

NOTE = TripNote("AAA111", "Active", "sent from Muster Fri, Nov 20 by ana", ("Ana Silva", "Ben Roy"))


class FakeItineraries:
    """Search results from a table of (field, value) to IDs. An exception in the table is raised."""

    def __init__(self, table: dict[tuple[str, str], list[int] | ServiceError]) -> None:
        self.table = table
        self.searches: list[tuple[str, str]] = []

    def search(self, *, field_name: str, values: Sequence[str]) -> Iterator[ItineraryReference]:
        self.searches.append((field_name, values[0]))
        found: list[int] = []
        for value in values:
            ids = self.table.get((field_name, value), [])
            if isinstance(ids, ServiceError):
                raise ids
            found += ids
        return iter([ItineraryReference(id=each) for each in found])


class FakeClient:
    def __init__(self, table: dict[tuple[str, str], list[int] | ServiceError]) -> None:
        self.itineraries = FakeItineraries(table)


def build_client(table: dict[tuple[str, str], list[int] | ServiceError]) -> Any:
    return FakeClient(table)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("", []),
        (" ,; \n", []),
        ("A", ["A"]),
        ("A, B;C\tD\r\nE F", ["A", "B", "C", "D", "E", "F"]),
        ("a A", ["a"]),
        ('"TRIP 42", X', ["TRIP 42", "X"]),
        ('"TRIP  42"', ["TRIP 42"]),
        ('"open', ["open"]),
        ('""', []),
        ("A\u00a0B\u2003C", ["A", "B", "C"]),
    ],
)
def test_values_are_separated_by_commas_semicolons_spaces_and_lines(text: str, values: list[str]) -> None:
    assert list(parse_values(text).values) == values


def test_external_ids_are_case_sensitive() -> None:
    assert parse_values("a A", are_locators=False).values == ("a", "A")


def test_repeated_values_are_dropped_and_listed_once() -> None:
    pasted = parse_values("A B A A C B")
    assert (pasted.values, pasted.repeated, pasted.left_out) == (("A", "B", "C"), ("A", "B"), ())


def test_values_beyond_the_limit_are_omitted() -> None:
    assert parse_values("A B C A D", limit=2).left_out == ("C", "D")


@given(
    st.lists(st.text(st.characters(codec="utf-8", exclude_characters='"', exclude_categories=["Cc", "Cs"]), min_size=1))
)
def test_values_written_as_text_are_read_back(values: list[str]) -> None:
    tidy = list(dict.fromkeys(" ".join(value.split()) for value in values if value.split()))
    assert list(parse_values(join_values(tidy), limit=1000, are_locators=False).values) == tidy


def test_the_limit_of_the_url_counts_bytes() -> None:
    assert fits_in_url("A" * MAX_URL_LENGTH)
    assert not fits_in_url("é" * MAX_URL_LENGTH)


@pytest.mark.parametrize("spelling", ["abC1", "ABC1", "abc1"])
def test_a_record_locator_is_found_in_any_case_even_if_the_service_is_case_sensitive(spelling: str) -> None:
    assert look_up_one(build_client({("pnr", spelling): [2]}), "abC1", LookupBy.LOCATOR).matches == (
        Match(2, "pnr", "ABC1"),
    )
    assert not look_up_one(build_client({("externalItineraryId", "ABC1"): [2]}), "abC1", LookupBy.EXTERNAL_ID).is_found


def test_both_fields_are_searched_and_an_itinerary_found_twice_counts_once() -> None:
    result = look_up_one(
        build_client({("pnr", "X1"): [1, 2], ("externalItineraryId", "X1"): [2, 3]}), "X1", LookupBy.BOTH
    )
    assert [(each.itinerary_id, each.field) for each in result.matches] == [
        (1, "pnr"),
        (2, "pnr"),
        (3, "externalItineraryId"),
    ]


def test_trips_found_in_one_field_stay_when_the_other_fails() -> None:
    result = look_up_one(
        build_client({("pnr", "X1"): ServiceFailed("No."), ("externalItineraryId", "X1"): [3]}), "X1", LookupBy.BOTH
    )
    assert result.is_found
    assert result.error is not None
    failed = look_up_one(build_client({("pnr", "X1"): ServiceFailed("No.")}), "X1", LookupBy.LOCATOR)
    assert not failed.is_found
    assert not failed.is_not_found


def test_each_value_is_searched_separately() -> None:
    service = build_client({("pnr", "A"): [1], ("pnr", "C"): ServiceFailed("No.")})
    outcomes = look_up_all(service, ("A", "B", "C"), LookupBy.LOCATOR, width=2)
    assert [(each.value, each.is_found, each.is_not_found) for each in outcomes] == [
        ("A", True, False),
        ("B", False, True),
        ("C", False, False),
    ]
    assert (
        lookup_summary(outcomes, LookupBy.LOCATOR)
        == "1 trip found for 1 of 3 record locators · 1 not found · 1 could not be looked up"
    )


@pytest.mark.parametrize("error", [ConnectionFailed("Gone."), NotAuthenticated("No."), NotAllowed("No.")])
def test_a_lookup_stops_when_the_service_is_unreachable_or_denies_access(error: ServiceError) -> None:
    values = [f"V{number}" for number in range(50)]
    service = build_client({("pnr", value): error for value in values})
    outcomes = look_up_all(service, values, LookupBy.BOTH, width=2)
    assert len(outcomes) == 50
    assert all(each.error is error and not each.is_not_found for each in outcomes)
    assert len(service.itineraries.searches) <= 2


def test_the_table_has_a_row_for_every_itinerary_and_every_value_without_one() -> None:
    big = 2**53 + 1
    outcomes = [
        LookupResult("AAA111", (Match(big, "pnr", "AAA111"), Match(8, "pnr", "AAA111"))),
        LookupResult("B", ()),
        LookupResult("C", (), ServiceFailed("It failed.")),
    ]
    table = results_table(outcomes, lambda _: NOTE)
    assert list(table["result"]) == ["found", "found", "not found", "could not be looked up"]
    assert list(table["trip ID"]) == ["9007199254740993", "8", "", ""]
    assert table["travelers"][0] == "Ana Silva; Ben Roy"
    assert table["problem"][3] == "It failed."
    assert [(trip.number, trip.total) for trip in list_found_trips(outcomes)] == [(1, 2), (2, 2)]


def test_a_trip_found_by_two_values_is_one_trip() -> None:
    by_id, by_locator = Match(7, "externalItineraryId", "EXT-7"), Match(7, "pnr", "WSVM7K")
    outcomes = [LookupResult("EXT-7", (by_id,)), LookupResult("WSVM7K", (by_locator,))]
    (found,) = list_found_trips(outcomes)
    assert (found.match, found.other_matches, found.locator) == (by_id, (by_locator,), "WSVM7K")
    assert lookup_summary(outcomes, LookupBy.BOTH) == "1 trip found for 2 of 2 values"
    assert list(results_table(outcomes, lambda _trip: NOTE)["value"]) == ["EXT-7", "WSVM7K"]
