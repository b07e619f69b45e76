"""Who is expected where: the vectorised rules against the same rules read row by row."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from components.expected_locations.at_moment import STATUSES, Stretch, at_moment, moment, whole_day
from components.expected_locations.location_frame import LocationStore
from tests.unit.expected_locations.records import PLACES, Row, located

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def naive(rows: list[Row], stretch: Stretch) -> tuple[dict[tuple[str, str], str], int, set[str]]:
    """The rules of `at_moment`, one row after the other: (person, place) → status, open records, people not covered."""
    us = timedelta(microseconds=1)

    def begin_end(row: Row) -> tuple[datetime, datetime]:
        def real(at: datetime) -> datetime:
            zone = PLACES[row.place].zone
            aware = at if at.tzinfo else at.replace(tzinfo=ZoneInfo(zone) if zone else UTC)
            return aware.astimezone(UTC)

        begins = real(stretch.begins)
        return begins, begins + us if stretch.ends is None else real(stretch.ends)

    def window(row: Row) -> tuple[datetime, datetime]:
        arrives = row.arrives or datetime(1900, 1, 1, tzinfo=UTC)
        return arrives, max(row.expires or datetime(2100, 1, 1, tzinfo=UTC), arrives + us)

    def is_open(row: Row) -> bool:
        (begins, ends), (arrives, closes) = begin_end(row), window(row)
        return arrives < ends and closes > begins

    opened = [row for row in rows if is_open(row)]
    pairs = {(row.person, row.place) for row in opened}

    def there_of(person: str, place: str) -> list[Row]:
        return [row for row in opened if (row.person, row.place) == (person, place)]

    def is_arriving(person: str, place: str) -> bool:
        mine = there_of(person, place)
        others = [row for row in mine if row.role != "Departure"]
        if others:
            return all(window(row)[0] > begin_end(row)[0] for row in others)
        departs = min(window(row)[1] for row in mine)
        return any(
            begin_end(row)[0] < window(row)[0] < departs
            for row in rows
            if (row.person, row.place) == (person, place) and row.role != "Departure"
        )

    def hull(person: str, place: str) -> tuple[timedelta, timedelta]:
        mine = there_of(person, place)
        zero = begin_end(mine[0])[0] if stretch.clock == "place" else datetime(2000, 1, 1, tzinfo=UTC)
        opens = min(max(window(row)[0], begin_end(row)[0]) for row in mine)
        return opens - zero, max(min(window(row)[1], begin_end(row)[1]) for row in mine) - zero

    def status(person: str, place: str) -> str:
        if is_arriving(person, place):
            return "arriving"
        start, end = hull(person, place)
        for other_person, other in pairs:
            if other_person == person and other != place and not is_arriving(person, other):
                begins, ends = hull(person, other)
                if begins < end and start < ends:
                    return "possible"
        return "leaving" if any(row.role == "Departure" for row in there_of(person, place)) else "there"

    somewhere = {person for person, _ in pairs}
    uncovered = set()
    for person, locator in {(row.person, row.locator) for row in rows}:
        trip = [row for row in rows if (row.person, row.locator) == (person, locator)]
        begun = any(window(row)[0] < begin_end(row)[1] for row in trip)
        not_over = any(window(row)[1] > begin_end(row)[0] for row in trip)
        if begun and not_over and person not in somewhere:
            uncovered.add(person)
    return {pair: status(*pair) for pair in pairs}, len(opened), uncovered


def ours(rows: list[Row], stretch: Stretch) -> tuple[dict[tuple[str, str], str], int, set[str]]:
    locations = located(rows)
    found = at_moment(locations, stretch)
    people, places = locations.people["person"], locations.places["place_id"]
    names = {PLACES[key].place_id: key for key in PLACES}
    pairs = {
        (people[person], names[places[place]]): STATUSES[status]
        for person, place, status in zip(found.person, found.place, found.status, strict=True)
    }
    return pairs, len(found.rows), {people[code] for code in found.not_covered}


def hours(low: int = -60, high: int = 60) -> st.SearchStrategy[timedelta]:
    return st.integers(low * 2, high * 2).map(lambda half: timedelta(minutes=30 * half))


rows_strategy = st.lists(
    st.builds(
        lambda person, locator, place, role, start, length, missing: Row(
            person=person,
            locator=locator,
            place=place,
            role=role,
            arrives=None if missing == 1 else NOON + start,
            expires=None if missing == 2 else NOON + start + length,
        ),
        st.sampled_from(["ana", "ben", "contact 7"]),
        st.sampled_from(["AAA111", "BBB222"]),
        st.sampled_from(sorted(PLACES)),
        st.sampled_from(["Departure", "Arrival", "Stay"]),
        hours(),
        hours(-2, 40),
        st.sampled_from([0, 0, 0, 0, 1, 2]),
    ),
    max_size=14,
)
stretches = st.one_of(
    hours().map(lambda after: moment(NOON + after)),
    hours().map(lambda after: moment((NOON + after).replace(tzinfo=None), "place")),
    st.builds(
        lambda days, clock: whole_day(date(2026, 11, 20) + timedelta(days=days), clock),
        st.integers(-3, 3),
        st.sampled_from(["utc", "place"]),
    ),
)


@settings(max_examples=100, deadline=None)
@given(rows_strategy, stretches)
def test_agrees_with_a_reading_row_by_row(rows: list[Row], stretch: Stretch) -> None:
    assert ours(rows, stretch) == naive(rows, stretch)


def test_an_empty_roster_has_nobody_anywhere() -> None:
    found = at_moment(LocationStore().snapshot({}), moment(NOON))
    assert len(found.rows) == len(found.person) == len(found.not_covered) == 0


def flight(person: str = "ana", locator: str = "AAA111") -> list[Row]:
    """London to Singapore: leaves at noon, lands 13 hours later; the windows are as the service gives them."""
    lands = NOON + timedelta(hours=13)
    return [
        Row(person, locator, "LHR", "Departure", NOON - timedelta(hours=24), NOON),
        Row(person, locator, "SIN", "Arrival", lands, lands + timedelta(hours=24)),
    ]


@pytest.mark.parametrize(
    ("after", "pairs", "uncovered"),
    [
        (timedelta(hours=-25), {}, set()),
        (timedelta(hours=-24), {("ana", "LHR"): "leaving"}, set()),
        (timedelta(microseconds=-1), {("ana", "LHR"): "leaving"}, set()),
        (timedelta(0), {}, {"ana"}),
        (timedelta(hours=12, minutes=59), {}, {"ana"}),
        (timedelta(hours=13), {("ana", "SIN"): "there"}, set()),
        (timedelta(hours=37), {}, set()),
    ],
)
def test_a_flight_from_its_first_window_to_its_last(
    after: timedelta, pairs: dict[tuple[str, str], str], uncovered: set[str]
) -> None:
    found = ours(flight(), moment(NOON + after))
    assert (found[0], found[2]) == (pairs, uncovered)


def test_a_place_whose_departure_stands_open_before_the_person_gets_there_is_arriving() -> None:
    lands, leaves = NOON + timedelta(hours=2), NOON + timedelta(hours=6)
    rows = [
        Row("ana", "AAA111", "LHR", "Departure", NOON - timedelta(hours=23), NOON + timedelta(hours=1)),
        Row("ana", "AAA111", "CDG", "Arrival", lands, lands + timedelta(hours=24)),
        Row("ana", "AAA111", "CDG", "Departure", leaves - timedelta(hours=24), leaves),
    ]
    assert ours(rows, moment(NOON))[0] == {("ana", "LHR"): "leaving", ("ana", "CDG"): "arriving"}
    assert ours(rows, moment(lands))[0] == {("ana", "CDG"): "leaving"}


def test_a_place_reached_only_when_it_is_left_is_left() -> None:
    leaves = NOON + timedelta(hours=6)
    rows = [
        Row("ana", "AAA111", "CDG", "Arrival", leaves, leaves + timedelta(hours=24)),
        Row("ana", "AAA111", "CDG", "Departure", leaves - timedelta(hours=24), leaves),
    ]
    assert ours(rows, moment(NOON))[0] == {("ana", "CDG"): "leaving"}


def test_a_place_left_before_it_is_reached_once_more_is_left() -> None:
    leaves, returns, leaves_again = (NOON + timedelta(hours=hours) for hours in (1, 8, 10))
    rows = [
        Row("ana", "AAA111", "CDG", "Departure", leaves - timedelta(hours=24), leaves),
        Row("ana", "AAA111", "CDG", "Arrival", returns, returns + timedelta(hours=24)),
        Row("ana", "AAA111", "CDG", "Departure", leaves_again - timedelta(hours=24), leaves_again),
    ]
    assert ours(rows, moment(NOON))[0] == {("ana", "CDG"): "leaving"}
    assert ours(rows, moment(leaves))[0] == {("ana", "CDG"): "arriving"}


def test_two_places_open_at_once_are_both_possible() -> None:
    rows = [
        Row("ana", "AAA111", "SIN", "Arrival", NOON, NOON + timedelta(hours=24)),
        Row("ana", "AAA111", "hotel", "Stay", NOON + timedelta(hours=3), NOON + timedelta(days=3)),
    ]
    assert Counter(ours(rows, moment(NOON + timedelta(hours=4)))[0].values()) == {"possible": 2}
    assert ours(rows, moment(NOON + timedelta(hours=25)))[0] == {("ana", "hotel"): "there"}


def test_a_day_with_one_place_after_the_other_is_not_a_doubt() -> None:
    assert ours(flight(), whole_day(NOON.date()))[0] == {("ana", "LHR"): "leaving"}
    assert ours(flight(), whole_day(NOON.date() + timedelta(days=1)))[0] == {("ana", "SIN"): "arriving"}


def test_a_night_without_a_hotel_is_not_covered() -> None:
    back = NOON + timedelta(days=6)
    rows = [*flight(), Row("ana", "AAA111", "SIN", "Departure", back - timedelta(hours=24), back)]
    assert ours(rows, moment(NOON + timedelta(days=3)))[2] == {"ana"}


def test_between_two_trips_nobody_is_travelling() -> None:
    later = [
        Row(row.person, "BBB222", row.place, row.role, row.arrives + timedelta(days=9), row.expires + timedelta(days=9))
        for row in flight()
    ]
    assert ours([*flight(), *later], moment(NOON + timedelta(days=5)))[2] == set()


def test_the_same_wall_clock_is_another_time_at_each_place() -> None:
    """A stay all of 20 November on each side of the date line: one is over before the other begins."""
    auckland, honolulu = ZoneInfo("Pacific/Auckland"), ZoneInfo("Pacific/Honolulu")
    rows = [
        Row("ana", "AAA111", place, "Stay", datetime(2026, 11, 20, tzinfo=zone), datetime(2026, 11, 21, tzinfo=zone))
        for place, zone in (("AKL", auckland), ("HNL", honolulu))
    ]
    wall_clock = datetime(2026, 11, 20, 12)  # noqa: DTZ001
    assert set(ours(rows, moment(wall_clock, "place"))[0]) == {("ana", "AKL"), ("ana", "HNL")}
    assert set(ours(rows, moment(datetime(2026, 11, 20, 8, tzinfo=UTC)))[0]) == {("ana", "AKL")}
    assert set(ours(rows, moment(datetime(2026, 11, 20, 12, tzinfo=UTC)))[0]) == {("ana", "HNL")}
    assert set(ours(rows, whole_day(date(2026, 11, 20), "place"))[0]) == {("ana", "AKL"), ("ana", "HNL")}


@pytest.mark.parametrize(
    ("wall_clock", "utc"),
    [
        (
            "2026-03-29T01:30",
            datetime(2026, 3, 29, 1, 30, tzinfo=UTC),
        ),  # skipped: by the offset before
        ("2026-10-25T01:30", datetime(2026, 10, 25, 0, 30, tzinfo=UTC)),  # twice: the first
        ("2026-07-01T01:30", datetime(2026, 7, 1, 0, 30, tzinfo=UTC)),
    ],
)
def test_wall_clocks_that_are_skipped_or_come_twice(wall_clock: str, utc: datetime) -> None:
    begins, ends = moment(datetime.fromisoformat(wall_clock), "place").at_zone("Europe/London")
    assert datetime.fromtimestamp(begins / 1e6, UTC) == utc
    assert ends == begins + 1


@pytest.mark.parametrize(
    ("day", "length"), [(date(2026, 3, 29), 23), (date(2026, 10, 25), 25), (date(2026, 11, 20), 24)]
)
def test_a_day_on_the_places_clock_is_as_long_as_it_is(day: date, length: int) -> None:
    begins, ends = whole_day(day, "place").at_zone("Europe/London")
    assert (ends - begins) / 3.6e9 == length


@pytest.mark.parametrize("zone", ["Pacific/Auckland", "Pacific/Honolulu", None])
@pytest.mark.parametrize("day", [date.min, date.max])
def test_the_first_and_the_last_day_of_the_calendar_are_days(day: date, zone: str | None) -> None:
    begins, ends = whole_day(day, "place").at_zone(zone)
    assert abs(ends - begins - 86_400_000_000) <= 1
    utc = whole_day(day).at_zone(None)
    assert abs(begins - utc[0]) < 14 * 3_600_000_000
    at = datetime.combine(day, datetime.min.time())
    assert moment(at, "place").at_zone(zone) == (begins, begins + 1)


def test_a_place_without_a_known_zone_is_read_in_utc() -> None:
    rows = [Row("ana", "AAA111", "nowhere", "Stay", NOON, NOON + timedelta(hours=1))]
    assert ours(rows, moment(NOON.replace(tzinfo=None), "place"))[0] == {("ana", "nowhere"): "there"}
    assert moment(NOON.replace(tzinfo=None), "place").at_zone("Not/AZone") == moment(NOON).at_zone(None)


def test_a_record_without_an_end_never_closes_and_one_without_a_beginning_was_always_open() -> None:
    rows = [
        Row("ana", "AAA111", "SIN", "Stay", NOON, None),
        Row("ben", "AAA111", "SIN", "Stay", None, NOON),
    ]
    assert set(ours(rows, moment(NOON + timedelta(days=4000)))[0]) == {("ana", "SIN")}
    assert set(ours(rows, moment(NOON - timedelta(days=4000)))[0]) == {("ben", "SIN")}
