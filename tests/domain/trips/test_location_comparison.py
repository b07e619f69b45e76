"""Expected locations compared with the sent trip, and a trip reconstructed from them."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import product
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.models.itineraries import ExpectedLocation, Passenger
from domain.trips import location_comparison
from domain.trips.checks import trip_checks
from domain.trips.location_comparison import (
    Comparison,
    compare_locations,
    comparison_summary,
    locations_table,
    presence_texts,
)
from domain.trips.prediction import IGNORED_IN_RECONSTRUCTION, PredictedLocation, predict, reconstruct_itinerary
from domain.trips.timeline import timeline
from journal import Traveler
from tests.domain.trips.trip_builders import ANA, build_expected_locations, flight, format_timeline, good_trip, trip

NOW = datetime(2026, 10, 1, tzinfo=UTC)
BEN = Passenger(employee_id="E200", first_name="Ben", last_name="Roy")


def list_comparisons(rows: Any) -> list[str]:
    return [row.comparison.value for row in rows]


def test_locations_equal_to_the_sent_trip_match() -> None:
    both = good_trip().model_copy(update={"passengers": [ANA, BEN]})
    rows = compare_locations(both, build_expected_locations(both))
    assert list_comparisons(rows) == ["matches"] * 10
    assert comparison_summary(rows) == "all match the trip sent from Muster"
    assert {row.person for row in rows} == {"Silva, Ana", "Roy, Ben"}


def test_travelers_with_the_same_name_are_two_people_even_with_missing_locations() -> None:
    namesake = ANA.model_copy(update={"employee_id": "E200"})
    nobody = Passenger(first_name="Dee", last_name="Roy", email_addresses=["dee@roy.example"])
    several = good_trip().model_copy(update={"passengers": [ANA, namesake, nobody]})
    rows = compare_locations(several, build_expected_locations(several)[1::2])
    assert {row.comparison for row in rows} == {Comparison.MATCHES, Comparison.MISSING}
    assert len({row.person_id for row in rows}) == 3


def test_a_moved_window_differs_with_the_amount_of_time() -> None:
    locations = build_expected_locations(good_trip())
    address = locations[1].address
    assert address.arrive_date is not None
    assert address.expire_date is not None
    address.arrive_date += timedelta(hours=3)
    address.expire_date -= timedelta(minutes=30)
    rows = compare_locations(good_trip(), locations)
    assert [row.note for row in rows if row.comparison is Comparison.DIFFERS] == [
        "starts 3 h later; ends 30 min earlier"
    ]
    assert list_comparisons(rows).count("matches") == 4


def test_an_impossible_position_never_matches() -> None:
    sent = good_trip().model_copy(deep=True)
    sent.segments[1].from_address.latitude = sent.segments[1].from_address.longitude = None  # type: ignore[union-attr]
    stays = [each for each in build_expected_locations(sent) if each.kind == "Hotel"]
    assert "matches" in list_comparisons(compare_locations(sent, stays))
    stays = [
        each for each in build_expected_locations(sent, gisLocation={"lat": 951.3, "lon": 9.7}) if each.kind == "Hotel"
    ]
    [row] = [row for row in compare_locations(sent, stays) if row.kind == "Hotel"]
    assert (row.comparison, row.note) == (Comparison.DIFFERS, "the service’s coordinates are not valid")


def test_locations_of_one_side_only_are_missing_or_extra() -> None:
    both = good_trip().model_copy(update={"passengers": [ANA, BEN]})
    assert list_comparisons(compare_locations(both, build_expected_locations(good_trip()))).count("missing") == 5
    assert list_comparisons(compare_locations(good_trip(), build_expected_locations(both))).count("extra") == 5
    rows = compare_locations(good_trip(), [])
    assert list_comparisons(rows) == ["missing"] * 5
    assert comparison_summary(rows) == "5 missing from the service"


def test_two_visits_to_one_place_are_distinguished_by_their_times() -> None:
    itinerary = trip(
        flight("LH1", "FRA", "MUC", "2026-10-20T08:00", "2026-10-20T09:00"),
        flight("LH2", "MUC", "FRA", "2026-10-20T18:00", "2026-10-20T19:00"),
        flight("LH3", "FRA", "MUC", "2026-10-23T08:00", "2026-10-23T09:00"),
    )
    assert set(list_comparisons(compare_locations(itinerary, list(reversed(build_expected_locations(itinerary)))))) == {
        "matches"
    }


def test_a_location_at_another_position_does_not_match() -> None:
    rows = compare_locations(
        good_trip(), build_expected_locations(good_trip(), gisLocation={"lat": 60.0, "lon": 60.0}, iata=None)
    )
    assert sorted(set(list_comparisons(rows))) == ["extra", "missing"]


def test_a_location_at_another_position_does_not_match_even_with_the_same_code() -> None:
    moved_locations = build_expected_locations(good_trip(), gisLocation={"lat": 60.0, "lon": 60.0})
    assert sorted(set(list_comparisons(compare_locations(good_trip(), moved_locations)))) == ["extra", "missing"]


def test_travelers_without_an_employee_id_are_distinguished_and_named() -> None:
    """By the email address or name in the service, in any order."""
    una, guy = Passenger(first_name="Una", email_addresses=["una@x.org"]), Passenger(first_name="Guy", last_name="Roy")
    away = good_trip().model_copy(update={"passengers": [una, guy, ANA]})
    rows = compare_locations(away, list(reversed(build_expected_locations(away))))
    assert set(list_comparisons(rows)) == {"matches"}
    assert sorted(row.person for row in rows) == ["Roy, Guy"] * 5 + ["Silva, Ana"] * 5 + ["Una"] * 5
    locations = build_expected_locations(away)
    for location in locations:
        if location.contact_external_id == "una@x.org":
            location.contact_external_id = "0815"
    assert set(list_comparisons(compare_locations(away, locations))) == {"matches"}


PEOPLE = st.builds(
    Passenger,
    employee_id=st.sampled_from([None, "E1", "e1", "E2"]),
    first_name=st.sampled_from([None, "Ana", "Ben"]),
    email_addresses=st.lists(st.sampled_from(["a@x.org", "A@x.org", "b@x.org"]), max_size=2),
)
LOCATIONS = st.builds(
    lambda external, role, kind, iata, hour: ExpectedLocation.model_validate(
        {
            "contactExternalId": external,
            "travelCategory": kind,
            "travelType": role,
            "address": {"iata": iata, "arriveDate": hour, "expireDate": hour and f"2026-10-21T{hour[11:]}"},
        }
    ),
    external=st.sampled_from([None, "E1", "e1", "E2", "Ana", "a@x.org", "b@x.org", "0815"]),
    role=st.sampled_from([None, "Departure", "Arrival"]),
    kind=st.sampled_from([None, "Air", "Air", "Rail"]),
    iata=st.sampled_from([None, "FRA", "MUC", "SIN"]),
    hour=st.sampled_from([None, "2026-10-20T06:00:00Z", "2026-10-20T07:00:00Z"]),
)
THERE_AND_BACK = (
    flight("LH1", "FRA", "MUC", "2026-10-20T08:00", "2026-10-20T09:00"),
    flight("LH2", "MUC", "FRA", "2026-10-20T18:00", "2026-10-20T19:00"),
)


def match_pair_by_pair(
    predicted: Sequence[PredictedLocation], locations: Sequence[ExpectedLocation]
) -> list[tuple[int, int]]:
    """The prediction of each location, found by comparing every pair."""
    candidates = []
    for (number, location), (other, each) in product(enumerate(locations), enumerate(predicted)):
        employee, external = each.employee_id or "", location.contact_external_id or ""
        cost = location_comparison._matching_cost(each, location)
        if cost is not None and (not employee or not external or employee.casefold() == external.casefold()):
            candidates.append((cost, external not in each.known_as, number, other))
    pairs: dict[int, int] = {}
    for _, _, number, other in sorted(candidates):
        if number not in pairs and other not in pairs.values():
            pairs[number] = other
    return sorted(pairs.items())


@given(st.lists(PEOPLE, max_size=5), st.lists(LOCATIONS, max_size=12))
def test_groups_match_like_single_pairs(people: list[Passenger], locations: list[ExpectedLocation]) -> None:
    predicted = predict(trip(*THERE_AND_BACK, passengers=people))
    assert sorted(location_comparison._match_predictions(predicted, locations).items()) == match_pair_by_pair(
        predicted, locations
    )


def test_a_trip_of_many_people_is_compared_at_once() -> None:
    """A comparison of every pair would take a minute."""
    people = [Passenger(first_name="Ana", last_name=f"Silva {number}") for number in range(1000)]
    group = trip(*THERE_AND_BACK, passengers=people)
    began = process_time()
    assert set(list_comparisons(compare_locations(group, build_expected_locations(group)))) == {"matches"}
    assert process_time() - began < 15


def test_locations_without_roles_are_compared_by_place_and_time() -> None:
    locations = build_expected_locations(good_trip())
    for location in locations:
        location.travel_type = None
    assert list_comparisons(compare_locations(good_trip(), locations)) == ["matches"] * 5


def test_without_an_itinerary_nothing_is_compared() -> None:
    rows = compare_locations(None, build_expected_locations(good_trip()), {"E100": "Silva, Ana"})
    assert set(list_comparisons(rows)) == {"not compared"}
    assert comparison_summary(rows) == ""
    assert {row.person for row in rows} == {"Silva, Ana"}


@pytest.mark.parametrize(
    ("now", "texts"),
    [
        ("2026-10-18T09:10", ["in 1 d", "in 2 d 12 h", "in 2 d 21 h", "in 5 d 6 h", "in 6 d 19 h"]),
        ("2026-10-20T09:00", ["now, for another 10 min", "in 13 h 5 min", "in 22 h", "in 3 d 6 h", "in 4 d 19 h"]),
        ("2026-10-20T12:10", ["left 3 h ago", "in transit, arrives in 9 h 55 min", "in 18 h 50 min", "in 3 d 3 h"]),
        ("2026-10-24T20:00", ["ended 4 d 10 h ago", "ended 2 d 21 h ago", "ended 17 h ago", "left 4 h 5 min ago"]),
    ],
)
def test_a_location_shows_if_the_person_is_there(now: str, texts: list[str]) -> None:
    rows = compare_locations(None, build_expected_locations(good_trip()))
    assert presence_texts(rows, datetime.fromisoformat(now).replace(tzinfo=UTC))[: len(texts)] == texts


def test_a_person_is_not_at_a_place_after_a_later_flight_from_it() -> None:
    itinerary = trip(
        flight("SQ1", "FRA", "MUC", "2026-10-20T08:00", "2026-10-20T09:00"),
        flight("SQ2", "MUC", "SIN", "2026-10-20T11:00", "2026-10-21T06:00"),
    )
    rows, noon = (
        compare_locations(itinerary, build_expected_locations(itinerary)),
        datetime(2026, 10, 20, 12, tzinfo=UTC),
    )
    texts = dict(zip([f"{row.place[:3]} {row.role}" for row in rows], presence_texts(rows, noon), strict=True))
    assert texts["MUC after arrival"] == "left 3 h ago"
    assert texts["SIN after arrival"] == "in transit, arrives in 10 h"


def test_the_table_names_both_times_and_the_comparison() -> None:
    table = locations_table(compare_locations(good_trip(), build_expected_locations(good_trip())), NOW)
    assert table["from"][1] == "Wed, Oct 21, 06:05"
    assert table["comparison"][1] == "✓ matches: as sent from Muster"
    assert table["country"][1] == "Singapore"
    assert locations_table([], NOW).empty


def test_a_trip_is_reconstructed_from_its_expected_locations() -> None:
    both = good_trip().model_copy(update={"passengers": [ANA, BEN]})
    found = reconstruct_itinerary(
        build_expected_locations(both), {"E100": Traveler("E100", "Ana", "Silva")}, locator="WSVM7K"
    )
    assert found is not None
    assert format_timeline(timeline(found, now=NOW)).splitlines() == [
        "Tue, Oct 20, 2026",
        "11:10–06:05 (+1 d)  Air Flight: FRA Frankfurt am Main → SIN Singapore (12 h 55 min)",
        "3 d 17 h at SIN Singapore",
        "Wed, Oct 21",
        "15:00–Sat, Oct 24, 11:00  Hotel Harbour Hotel: Harbour Hotel, Singapore (2 d 20 h)",
        "Sat, Oct 24",
        "23:55–05:50 (+1 d)  Air Flight: SIN Singapore → FRA Frankfurt am Main (12 h 55 min)",
    ]
    assert [(each.first_name, each.employee_id) for each in found.passengers] == [("Ana", "E100"), (None, "E200")]
    assert [each for each in trip_checks(found, now=NOW) if each.rule not in IGNORED_IN_RECONSTRUCTION] == []


def test_a_flight_with_one_known_end_is_a_segment_with_a_gap() -> None:
    """A person can enter the other end. Nothing is invented."""
    locations = build_expected_locations(good_trip())
    departure = locations[0]
    assert reconstruct_itinerary([departure], {}, locator=None) is None
    found = reconstruct_itinerary([departure], {}, locator=None, with_gaps=True)
    assert found is not None
    (segment,) = found.segments
    assert (segment.type, segment.from_iata_code, segment.from_date_time) == ("Air", "FRA", "2026-10-20T09:10:00Z")
    assert (segment.to_iata_code, segment.to_address, segment.to_date_time) == (None, None, None)
    whole = reconstruct_itinerary(locations, {}, locator=None)
    assert reconstruct_itinerary(locations, {}, locator=None, with_gaps=True) == whole


@pytest.mark.parametrize(
    ("first", "last"), [("Ana", "Silva"), ("Ana", ""), ("", "Silva"), ("Ana", "Silva, Jr."), ("A, B", "")]
)
def test_a_reconstructed_trip_keeps_first_and_last_names_separate(first: str, last: str) -> None:
    travelers = {"E100": Traveler("E100", first, last)}
    found = reconstruct_itinerary(build_expected_locations(good_trip()), travelers, locator=None)
    assert found is not None
    assert [(each.first_name or "", each.last_name or "") for each in found.passengers] == [(first, last)]


def test_departures_and_arrivals_are_paired_in_any_order_of_locations() -> None:
    locations = build_expected_locations(good_trip())
    in_order = reconstruct_itinerary(locations, {}, locator=None)
    assert reconstruct_itinerary(list(reversed(locations)), {}, locator=None) == in_order
    assert reconstruct_itinerary([*locations[3:], *locations[:3]], {}, locator=None) == in_order
    first, reached, stay, second, back = locations
    assert reconstruct_itinerary([first, back, stay, second, reached], {}, locator=None) == in_order


def test_without_roles_nothing_is_reconstructed() -> None:
    flights = [location for location in build_expected_locations(good_trip()) if location.kind == "Air"]
    for location in flights:
        location.travel_type = "Business"
    assert reconstruct_itinerary(flights, {}, locator=None) is None
