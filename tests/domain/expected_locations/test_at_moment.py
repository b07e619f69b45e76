"""Where people are: the vectorized rules agree with the same rules evaluated record by record."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings

from domain.expected_locations.at_moment import (
    GROUPS,
    STATUSES,
    Stretch,
    at_moment,
    group_people,
    moment,
    other_candidates,
    whole_day,
)
from domain.expected_locations.location_frame import Locations, LocationStore
from tests.domain.expected_locations.records import PLACES, Row, build_locations
from tests.domain.expected_locations.reference_evaluation import (
    NOON,
    Evaluation,
    ReferenceEvaluation,
    records,
    stretches,
)


def evaluate(locations: Locations, stretch: Stretch) -> Evaluation:
    found, where = at_moment(locations, stretch), locations.whereabouts
    people, places = locations.people["person"], locations.places["place_id"]
    names = {PLACES[key].place_id: key for key in PLACES}
    pairs = {
        (people[person], names[places[place]]): STATUSES[status]
        for person, place, status in zip(found.person, found.place, found.status, strict=True)
    }
    person, place = where.windows.person, where.windows.place
    legs = Counter(
        (people[person[left]], names[places[place[left]]], names[places[place[reached]]])
        for left, reached in zip(where.left[found.legs], where.reached[found.legs], strict=True)
    )
    groups = {people[code]: GROUPS[group] for code, group in enumerate(group_people(locations, found))}
    return Evaluation(pairs, legs, groups)


@settings(max_examples=100)
@given(records, stretches)
def test_the_result_agrees_with_an_evaluation_record_by_record(rows: list[Row], times: list[Stretch]) -> None:
    locations = build_locations(rows)
    for stretch in times:
        assert evaluate(locations, stretch) == ReferenceEvaluation(rows, stretch).evaluate()


def evaluate_rows(rows: list[Row], stretch: Stretch) -> Evaluation:
    return evaluate(build_locations(rows), stretch)


def test_an_empty_roster_has_no_one_anywhere() -> None:
    found = at_moment(LocationStore().snapshot({}), moment(NOON))
    assert len(found.rows) == len(found.person) == len(found.legs) == len(found.not_covered) == 0


def flight(person: str = "ana", locator: str = "AAA111") -> list[Row]:
    """London to Singapore: leaves at noon, lands 13 hours later; the windows are those of the service."""
    lands = NOON + timedelta(hours=13)
    return [
        Row(person, locator, "LHR", "Departure", NOON - timedelta(hours=24), NOON),
        Row(person, locator, "SIN", "Arrival", lands, lands + timedelta(hours=24)),
    ]


@pytest.mark.parametrize(
    ("after", "pairs", "group"),
    [
        (timedelta(hours=-25), {}, "not traveling"),
        (timedelta(hours=-24), {("ana", "LHR"): "leaving"}, "at a place"),
        (timedelta(microseconds=-1), {("ana", "LHR"): "leaving"}, "at a place"),
        (timedelta(0), {}, "in transit"),
        (timedelta(hours=13, microseconds=-1), {}, "in transit"),
        (timedelta(hours=13), {("ana", "SIN"): "there"}, "at a place"),
        (timedelta(hours=37), {}, "not traveling"),
    ],
)
def test_the_status_of_a_person_through_the_windows_of_a_flight(
    after: timedelta, pairs: dict[tuple[str, str], str], group: str
) -> None:
    found = evaluate_rows(flight(), moment(NOON + after))
    assert (found.pairs, found.groups) == (pairs, {"ana": group})
    assert found.in_transit == ({("ana", "LHR", "SIN"): 1} if group == "in transit" else {})


def window_after(after: float, hours: float = 24) -> tuple[datetime, datetime]:
    """A window that starts a number of hours after noon and lasts a number of hours."""
    begins = NOON + timedelta(hours=after)
    return begins, begins + timedelta(hours=hours)


def trip(person: str, *records: tuple[str, str, tuple[datetime, datetime]], locator: str = "AAA111") -> list[Row]:
    return [Row(person, locator, place, role, *window) for place, role, window in records]


def test_a_person_is_not_at_a_place_after_the_trip_departed_from_it() -> None:
    rows = trip(
        "ana",
        ("SIN", "Arrival", window_after(0)),
        ("SIN", "Departure", window_after(-22)),
        ("AKL", "Arrival", window_after(12)),
    )
    assert evaluate_rows(rows, moment(NOON + timedelta(hours=1))).pairs == {("ana", "SIN"): "leaving"}
    later_result = evaluate_rows(rows, moment(NOON + timedelta(hours=2)))
    assert (later_result.pairs, later_result.in_transit) == ({}, {("ana", "SIN", "AKL"): 1})
    assert evaluate_rows(rows, moment(NOON + timedelta(hours=13))).pairs == {("ana", "AKL"): "there"}
    others = [Row(row.person, f"BBB{number}", *list(vars(row).values())[2:]) for number, row in enumerate(rows)]
    assert evaluate_rows(others, moment(NOON + timedelta(hours=3))).pairs == {("ana", "SIN"): "there"}, (
        "the departure is of another trip"
    )


def test_a_stay_continues_after_the_person_returns_near_it() -> None:
    rows = trip(
        "ana",
        ("hotel", "Stay", window_after(0, 100)),
        ("SIN", "Departure", window_after(-14)),
        ("AKL", "Arrival", window_after(20)),
        ("AKL", "Departure", window_after(6)),
        ("SIN", "Arrival", window_after(40)),
    )
    when = {5: "hotel", 10: "", 25: "AKL", 35: "", 70: "hotel"}
    for after, place in when.items():
        found = evaluate_rows(rows, moment(NOON + timedelta(hours=after)))
        assert {key[1] for key in found.pairs} - {"SIN"} == ({place} if place else set()), after
        assert bool(found.in_transit) is not bool(place)


def test_a_long_rental_does_not_end_a_hotel_stay_and_a_short_drive_does() -> None:
    def with_car(hours: float) -> Evaluation:
        rows = trip(
            "ana",
            ("hotel", "Stay", window_after(0, 100)),
            ("rental", "Departure", window_after(-20)),
            ("rental", "Arrival", window_after(4 + hours)),
        )
        return evaluate_rows(rows, moment(NOON + timedelta(hours=5)))

    assert with_car(60).pairs == {("ana", "hotel"): "there"}
    assert with_car(3).in_transit == {("ana", "rental", "rental"): 1}


def test_a_departure_and_an_arrival_longer_apart_than_any_flight_are_not_a_flight() -> None:
    rows = trip("ana", ("LHR", "Departure", window_after(-24)), ("SIN", "Arrival", window_after(200)))
    assert evaluate_rows(rows, moment(NOON + timedelta(hours=3))).groups == {"ana": "not covered"}


def test_a_departure_without_an_arrival_puts_no_one_in_transit() -> None:
    rows = trip(
        "ana",
        ("LHR", "Departure", window_after(-24)),
        ("CDG", "Departure", window_after(-20)),
        ("SIN", "Arrival", window_after(16)),
    )
    assert evaluate_rows(rows, moment(NOON + timedelta(hours=1))).in_transit == {}
    assert evaluate_rows(rows, moment(NOON + timedelta(hours=5))).in_transit == {("ana", "CDG", "SIN"): 1}


def test_each_traveler_of_a_trip_is_in_transit_separately() -> None:
    found = evaluate_rows([*flight("ana"), *flight("ben")], moment(NOON + timedelta(hours=2)))
    assert found.in_transit == {(person, "LHR", "SIN"): 1 for person in ("ana", "ben")}


def test_the_next_hours_include_people_who_land_within_them() -> None:
    rows = [*flight("ana"), *trip("ben", ("LHR", "Departure", window_after(-12)), ("SIN", "Arrival", window_after(24)))]
    hours = Stretch(NOON + timedelta(hours=9), NOON + timedelta(hours=15), "utc")
    found = evaluate_rows(rows, hours)
    assert found.pairs == {("ana", "SIN"): "arriving", ("ben", "LHR"): "leaving"}
    assert found.in_transit == {("ana", "LHR", "SIN"): 1, ("ben", "LHR", "SIN"): 1}


def list_candidates(rows: list[Row], after: float = 0) -> dict[str, str]:
    """The likely place a number of hours after noon, then the other candidates, each with its status."""
    locations, stretch = build_locations(rows), moment(NOON + timedelta(hours=after))
    names = {PLACES[key].place_id: key for key in PLACES}
    return {
        names[locations.places["place_id"][place]]: STATUSES[status]
        for found in (at_moment(locations, stretch), other_candidates(locations, stretch))
        for place, status in zip(found.place, found.status, strict=True)
    }


def test_a_place_with_an_open_departure_before_the_arrival_is_a_candidate_with_status_arriving() -> None:
    lands, leaves = NOON + timedelta(hours=2), NOON + timedelta(hours=6)
    rows = [
        Row("ana", "AAA111", "LHR", "Departure", NOON - timedelta(hours=23), NOON + timedelta(hours=1)),
        Row("ana", "AAA111", "CDG", "Arrival", lands, lands + timedelta(hours=24)),
        Row("ana", "AAA111", "CDG", "Departure", leaves - timedelta(hours=24), leaves),
    ]
    assert list(list_candidates(rows).items()) == [("LHR", "leaving"), ("CDG", "arriving")]
    assert evaluate_rows(rows, moment(lands)).pairs == {("ana", "CDG"): "leaving"}


def test_a_person_is_leaving_a_place_with_arrival_and_departure_at_the_same_time() -> None:
    leaves = NOON + timedelta(hours=6)
    rows = [
        Row("ana", "AAA111", "CDG", "Arrival", leaves, leaves + timedelta(hours=24)),
        Row("ana", "AAA111", "CDG", "Departure", leaves - timedelta(hours=24), leaves),
    ]
    assert evaluate_rows(rows, moment(NOON)).pairs == {("ana", "CDG"): "leaving"}


def test_a_person_is_leaving_a_place_before_a_later_return_to_it() -> None:
    leaves, returns, leaves_again = (NOON + timedelta(hours=hours) for hours in (1, 8, 10))
    rows = [
        Row("ana", "AAA111", "CDG", "Departure", leaves - timedelta(hours=24), leaves),
        Row("ana", "AAA111", "CDG", "Arrival", returns, returns + timedelta(hours=24)),
        Row("ana", "AAA111", "CDG", "Departure", leaves_again - timedelta(hours=24), leaves_again),
    ]
    assert evaluate_rows(rows, moment(NOON)).pairs == {("ana", "CDG"): "leaving"}
    assert evaluate_rows(rows, moment(leaves)).in_transit == {("ana", "CDG", "CDG"): 1}


def test_a_hotel_stay_takes_precedence_over_an_earlier_airport_arrival() -> None:
    rows = trip(
        "ana",
        ("SIN", "Arrival", window_after(0)),
        ("hotel", "Stay", window_after(3, 72)),
        ("SIN", "Departure", window_after(2)),
    )
    assert list_candidates(rows, after=2) == {"SIN": "leaving"}
    assert list(list_candidates(rows, after=4).items()) == [("hotel", "there"), ("SIN", "possible")]


def test_people_are_at_an_airport_for_1_hour_after_arrival_and_2_hours_before_departure() -> None:
    rows = trip(
        "ana",
        ("hotel", "Stay", window_after(-3, 72)),
        ("SIN", "Arrival", window_after(0)),
        ("SIN", "Departure", window_after(-4)),
    )
    when = {-0.01: "hotel", 0: "SIN", 0.99: "SIN", 1: "hotel", 17.99: "hotel", 18: "SIN", 19.99: "SIN"}
    assert {after: next(iter(list_candidates(rows, after))) for after in when} == when


def test_the_later_of_two_stays_is_likely_and_simultaneous_stays_are_possible() -> None:
    rows = trip("ana", ("hotel", "Stay", window_after(-9, 40)), ("nowhere", "Stay", window_after(-6, 40)))
    assert list(list_candidates(rows).items()) == [("nowhere", "there"), ("hotel", "possible")]
    rows = trip("ana", ("hotel", "Stay", window_after(-9, 40)), ("nowhere", "Stay", window_after(-9, 40)))
    assert list_candidates(rows) == {"nowhere": "possible", "hotel": "possible"}
    assert len(evaluate_rows(rows, moment(NOON)).pairs) == 1


def test_a_place_of_arrival_takes_precedence_over_a_place_of_departure() -> None:
    rows = trip("ana", ("CDG", "Arrival", window_after(-2)), ("LHR", "Departure", window_after(-20)), locator="AAA111")
    assert list(list_candidates(rows).items()) == [("CDG", "there"), ("LHR", "possible")]
    rows = trip("ana", ("CDG", "Departure", window_after(-9)), ("LHR", "Departure", window_after(-20)))
    assert list(list_candidates(rows).items()) == [("LHR", "leaving"), ("CDG", "possible")]


@pytest.mark.parametrize(("place", "likely"), [("AKL", "AKL"), ("LHR", "LHR"), ("SIN", "hotel")])
def test_a_later_arrival_far_away_takes_precedence_over_a_stay(place: str, likely: str) -> None:
    stay = trip("ana", ("hotel" if place != "LHR" else "CDG", "Stay", window_after(-30, 90)))
    rows = [*stay, *trip("ana", (place, "Arrival", window_after(-2)), locator="BBB222")]
    assert next(iter(list_candidates(rows))) == likely


@pytest.mark.parametrize(("stay", "likely"), [("hotel", "LHR"), ("CDG", "CDG")])
def test_a_stay_far_from_the_first_departure_has_not_begun(stay: str, likely: str) -> None:
    rows = trip("ana", (stay, "Stay", window_after(-3, 90)))
    rows += trip("ana", ("LHR", "Departure", window_after(-20)), ("SIN", "Arrival", window_after(17)), locator="BBB222")
    assert next(iter(list_candidates(rows))) == likely


def test_a_day_with_consecutive_places_has_no_uncertain_status() -> None:
    assert evaluate_rows(flight(), whole_day(NOON.date())).pairs == {("ana", "LHR"): "leaving"}
    assert evaluate_rows(flight(), whole_day(NOON.date() + timedelta(days=1))).pairs == {("ana", "SIN"): "arriving"}


def test_a_night_without_a_hotel_is_not_covered() -> None:
    back = NOON + timedelta(days=6)
    rows = [*flight(), Row("ana", "AAA111", "SIN", "Departure", back - timedelta(hours=24), back)]
    assert evaluate_rows(rows, moment(NOON + timedelta(days=3))).groups == {"ana": "not covered"}


def test_a_person_between_two_trips_is_not_traveling() -> None:
    next_trip = [
        Row(row.person, "BBB222", row.place, row.role, row.arrives + timedelta(days=9), row.expires + timedelta(days=9))
        for row in flight()
    ]
    assert evaluate_rows([*flight(), *next_trip], moment(NOON + timedelta(days=5))).groups == {"ana": "not traveling"}


def test_the_same_local_time_is_a_different_moment_at_each_place() -> None:
    """Stays on November 20 on each side of the date line: one ends before the other begins."""
    auckland, honolulu = ZoneInfo("Pacific/Auckland"), ZoneInfo("Pacific/Honolulu")
    rows = [
        Row("ana", "AAA111", place, "Stay", datetime(2026, 11, 20, tzinfo=zone), datetime(2026, 11, 21, tzinfo=zone))
        for place, zone in (("AKL", auckland), ("HNL", honolulu))
    ]
    wall_clock = datetime(2026, 11, 20, 12)  # noqa: DTZ001
    assert set(evaluate_rows(rows, moment(wall_clock, "place")).pairs) == {("ana", "AKL"), ("ana", "HNL")}
    assert set(evaluate_rows(rows, moment(datetime(2026, 11, 20, 8, tzinfo=UTC))).pairs) == {("ana", "AKL")}
    assert set(evaluate_rows(rows, moment(datetime(2026, 11, 20, 12, tzinfo=UTC))).pairs) == {("ana", "HNL")}
    assert set(evaluate_rows(rows, whole_day(date(2026, 11, 20), "place")).pairs) == {("ana", "AKL"), ("ana", "HNL")}


@pytest.mark.parametrize(
    ("wall_clock", "utc"),
    [
        (
            "2026-03-29T01:30",
            datetime(2026, 3, 29, 1, 30, tzinfo=UTC),
        ),  # skipped: the earlier UTC offset
        ("2026-10-25T01:30", datetime(2026, 10, 25, 0, 30, tzinfo=UTC)),  # repeated: the first occurrence
        ("2026-07-01T01:30", datetime(2026, 7, 1, 0, 30, tzinfo=UTC)),
    ],
)
def test_local_times_that_clocks_skip_or_repeat_are_resolved(wall_clock: str, utc: datetime) -> None:
    begins, ends = moment(datetime.fromisoformat(wall_clock), "place").at_zone("Europe/London")
    assert datetime.fromtimestamp(begins / 1e6, UTC) == utc
    assert ends == begins + 1


@pytest.mark.parametrize(
    ("day", "length"), [(date(2026, 3, 29), 23), (date(2026, 10, 25), 25), (date(2026, 11, 20), 24)]
)
def test_a_local_day_with_a_clock_change_has_its_real_length(day: date, length: int) -> None:
    begins, ends = whole_day(day, "place").at_zone("Europe/London")
    assert (ends - begins) / 3.6e9 == length


@pytest.mark.parametrize("zone", ["Pacific/Auckland", "Pacific/Honolulu", None])
@pytest.mark.parametrize("day", [date.min, date.max])
def test_the_first_and_last_day_of_the_calendar_are_accepted(day: date, zone: str | None) -> None:
    begins, ends = whole_day(day, "place").at_zone(zone)
    assert abs(ends - begins - 86_400_000_000) <= 1
    utc = whole_day(day).at_zone(None)
    assert abs(begins - utc[0]) < 14 * 3_600_000_000
    at = datetime.combine(day, datetime.min.time())
    assert moment(at, "place").at_zone(zone) == (begins, begins + 1)


def test_a_place_without_a_known_zone_is_read_in_utc() -> None:
    rows = [Row("ana", "AAA111", "nowhere", "Stay", NOON, NOON + timedelta(hours=1))]
    assert evaluate_rows(rows, moment(NOON.replace(tzinfo=None), "place")).pairs == {("ana", "nowhere"): "there"}
    assert moment(NOON.replace(tzinfo=None), "place").at_zone("Not/AZone") == moment(NOON).at_zone(None)


def test_a_record_without_an_end_or_a_beginning_is_open_on_that_side() -> None:
    rows = [
        Row("ana", "AAA111", "SIN", "Stay", NOON, None),
        Row("ben", "AAA111", "SIN", "Stay", None, NOON),
    ]
    assert set(evaluate_rows(rows, moment(NOON + timedelta(days=4000))).pairs) == {("ana", "SIN")}
    assert set(evaluate_rows(rows, moment(NOON - timedelta(days=4000))).pairs) == {("ben", "SIN")}
