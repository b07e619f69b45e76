"""Groups of people, changes since the last view, the days of a person, and countries with people."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.expected_locations.at_moment import moment, whole_day
from domain.expected_locations.concentrations import find_concentrations
from domain.expected_locations.country_counts import count_countries
from domain.expected_locations.person_days import Whereabout, candidates, companions, person_days, travelers_now
from domain.expected_locations.roster_changes import RosterSnapshot, find_changes, take_snapshot
from domain.expected_locations.roster_view import Filters, View, look
from tests.domain.expected_locations.records import PLACES, Row, build_locations
from tests.domain.expected_locations.reference_evaluation import ReferenceEvaluation, records

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
LION = PLACES["hotel"].place_id


def stay(person: str, place: str, begins: float = -12, ends: float = 12, locator: str = "") -> Row:
    return Row(person, locator or f"{person}1", place, "Stay", NOON + begins * HOUR, NOON + ends * HOUR)


def flight(person: str, origin: str, destination: str, leaves: float, lands: float, locator: str = "") -> list[Row]:
    """A flight with the windows of the service. Times are hours after noon."""
    departs, arrives, trip = NOON + leaves * HOUR, NOON + lands * HOUR, locator or f"{person}1"
    return [
        Row(person, trip, origin, "Departure", departs - 24 * HOUR, departs),
        Row(person, trip, destination, "Arrival", arrives, arrives + 24 * HOUR),
    ]


def build_view(rows: list[Row], filters: Filters | None = None, after: float = 0) -> View:
    return look(build_locations(rows), moment(NOON + after * HOUR), filters or Filters())


GROUPED_ROWS = [
    *(stay(person, "hotel") for person in ("ana", "ben", "cai")),
    stay("ana", "hotel", locator="OTHER1"),
    *(stay(person, "rental") for person in ("dee", "eva")),
    stay("fay", "CDG"),
    *(row for person in ("gus", "hal") for row in flight(person, "LHR", "SIN", -2, 11)),
    *flight("ian", "LHR", "SIN", -1, 11),
]


@pytest.mark.parametrize(
    ("grouping", "groups"),
    [
        ("Hotel", [("Lion Hotel, Singapore", 3, [LION])]),
        ("Airport", [("Charles de Gaulle International Airport (CDG)", 1, ["CDG"])]),
        ("City", [("Singapore, Singapore", 5, [LION, PLACES["rental"].place_id]), ("Paris, France", 1, ["CDG"])]),
        ("Country", [("Singapore", 5, [LION, PLACES["rental"].place_id]), ("France", 1, ["CDG"])]),
        ("Flight", [("London (LHR) → Singapore (SIN)", 2, ["SIN"]), ("London (LHR) → Singapore (SIN)", 1, ["SIN"])]),
        ("Train", []),
    ],
)
def test_people_together_are_counted_once_and_the_largest_group_comes_first(
    grouping: str, groups: list[tuple[str, int, list[str]]]
) -> None:
    table = find_concentrations(build_view(GROUPED_ROWS), grouping, at_least=1)  # type: ignore[arg-type]
    assert list(zip(table["label"], table["people"], table["place_ids"], strict=True)) == groups


def test_people_on_a_flight_are_one_group_and_filters_apply() -> None:
    table = find_concentrations(build_view(GROUPED_ROWS), "Flight")
    assert table[["people", "departs", "arrives"]].to_numpy().tolist() == [[2, NOON - 2 * HOUR, NOON + 11 * HOUR]]
    assert (table["from_zone"].tolist(), table["zone"].tolist()) == (["Europe/London"], ["Asia/Singapore"])
    assert find_concentrations(build_view(GROUPED_ROWS, Filters(text="ana")), "Hotel", at_least=1)[
        "people"
    ].tolist() == [1]


def test_a_person_who_changes_hotels_within_a_day_counts_once_in_the_city_and_the_country() -> None:
    rows = [stay("ana", "hotel", -12, 0), stay("ana", "rental", 0, 12)]
    day = look(build_locations(rows), whole_day(NOON.date()), Filters())
    assert len(day.places) == 2
    assert find_concentrations(day, "City", at_least=1)["people"].tolist() == [1]
    assert count_countries(day)["people"].tolist() == [1]


def test_countries_are_counted_without_the_country_filter() -> None:
    table = count_countries(build_view(GROUPED_ROWS, Filters(countries=frozenset({"FR"}))))
    assert table.to_numpy().tolist() == [["SG", "Singapore", 8], ["FR", "France", 1]]
    assert count_countries(build_view(GROUPED_ROWS, Filters(text="fay")))["country"].tolist() == ["FR"]


FIRST_VISIT = [
    stay("ana", "hotel", -40, 60),
    *flight("ben", "LHR", "SIN", 1, 14),
    stay("cai", "CDG", -40, 60),
    stay("dee", "CDG", -40, 60),
    stay("eva", "hotel", -40, 60),
    *flight("gus", "LHR", "SIN", 1, 14),
]
LATER_VISIT = [
    *FIRST_VISIT[:4],
    stay("dee", "hotel", 2, 60, "DEE2"),
    FIRST_VISIT[4],
    *flight("fay", "LHR", "CDG", -9, -1),
    *flight("gus", "LHR", "SIN", 1, 30),
    # Not at the airport yet, though its window before the departure is open.
    flight("ian", "LHR", "CDG", -9, 20)[1],
    flight("ian", "CDG", "SIN", 30, 43)[0],
]


def test_changes_since_the_last_visit_are_listed_by_person_and_survive_storage() -> None:
    before, now = build_locations(FIRST_VISIT), build_locations(LATER_VISIT, {"dee": "Doe, Dee"})
    first_snapshot = RosterSnapshot.from_bytes(take_snapshot(before, NOON).to_bytes())
    assert first_snapshot is not None
    assert first_snapshot.taken_at == NOON
    table = find_changes(first_snapshot, take_snapshot(now, NOON + 16 * HOUR), now)
    airport, singapore = "Charles de Gaulle International Airport (CDG)", "Singapore Changi International Airport (SIN)"
    london = "London Heathrow Airport (LHR)"
    assert table[["name", "change", "place", "before", "locator"]].to_numpy().tolist() == [
        ["Doe, Dee", "arrived", "Lion Hotel, Singapore", airport, ""],
        ["Doe, Dee", "new", "", "", "DEE2"],
        ["ben", "arrived", singapore, london, ""],
        ["eva", "canceled", "", "", "eva1"],
        ["fay", "arrived", airport, "", ""],
        ["fay", "new", "", "", "fay1"],
        ["gus", "left", london, "", ""],
        ["ian", "new", "", "", "ian1"],
    ]
    assert table["person"].tolist()[0] == "dee"


def test_what_changed_shows_from_where_people_were_in_transit() -> None:
    locations = build_locations(flight("ana", "LHR", "SIN", -3, 10))
    snapshot = RosterSnapshot.from_bytes(take_snapshot(locations, NOON).to_bytes())
    assert snapshot is not None
    table = find_changes(snapshot, take_snapshot(locations, NOON + 11 * HOUR), locations)
    assert table[["change", "before"]].to_numpy().tolist() == [
        ["arrived", "In transit from London Heathrow Airport (LHR)"]
    ]


def test_two_views_at_the_same_time_have_no_changes() -> None:
    locations = build_locations(FIRST_VISIT)
    assert find_changes(take_snapshot(locations, NOON), take_snapshot(locations, NOON), locations).empty


@pytest.mark.parametrize("content", [b"", b"{}", take_snapshot(build_locations([]), NOON).to_bytes()[:-5]])
def test_a_damaged_snapshot_is_ignored(content: bytes) -> None:
    assert RosterSnapshot.from_bytes(content) is None


def test_an_empty_snapshot_is_valid() -> None:
    empty, locations = (
        RosterSnapshot.from_bytes(take_snapshot(build_locations([]), NOON).to_bytes()),
        build_locations(FIRST_VISIT[:1]),
    )
    assert empty is not None
    assert find_changes(empty, take_snapshot(locations, NOON), locations)["change"].tolist() == ["arrived", "new"]


TRIP = [
    *flight("ana", "LHR", "SIN", 0, 13),
    stay("ana", "hotel", 15, 60),
    *flight("ana", "SIN", "AKL", 62, 72),
    stay("ben", "hotel", -5, 90),
]


def test_the_current_and_the_next_place_of_a_person_follow_the_trip() -> None:
    found = person_days(build_locations(TRIP, {"ana": "Silva, Ana"}), "ana", date(2026, 11, 20), NOON + HOUR, days=5)
    assert found is not None
    assert (found.name, found.external_id) == ("Silva, Ana", "ana")
    assert found.now == Whereabout(
        status="in transit",
        begins=NOON,
        ends=NOON + 13 * HOUR,
        place_id="SIN",
        label="Singapore Changi International Airport (SIN)",
        zone="Asia/Singapore",
        origin="London Heathrow Airport (LHR)",
    )
    assert found.next is not None
    assert (found.next.place_id, found.next.begins) == ("SIN", NOON + 13 * HOUR)
    later = person_days(build_locations(TRIP), "ana", date(2026, 11, 20), NOON + 20 * HOUR)
    assert later is not None
    assert later.now is not None
    assert (later.now.place_id, later.now.status, later.now.ends) == (LION, "there", NOON + 60 * HOUR)
    assert later.next is not None
    assert (later.next.place_id, later.next.begins) == ("SIN", NOON + 60 * HOUR)
    assert found.trips[["locator", "begins", "ends"]].to_numpy().tolist() == [
        ["ana1", NOON - 24 * HOUR, NOON + 96 * HOUR]
    ]


def test_the_days_of_a_person_are_local_days_across_the_date_line() -> None:
    rows = [stay("ana", "HNL", -14, 10), *flight("ana", "HNL", "AKL", 10, 19), stay("ana", "AKL", 19, 60)]
    found = person_days(build_locations(rows), "ana", date(2026, 11, 18), NOON, days=6)
    assert found is not None
    days = [(each.day.day, each.main.place_id if each.main else "") for each in found.days]
    assert days == [(18, ""), (19, "HNL"), (20, "HNL"), (21, "AKL"), (22, "AKL"), (23, "AKL")]


@settings(max_examples=60)
@given(records, st.sampled_from([NOON, datetime(2026, 10, 25, 3, tzinfo=UTC), datetime(2026, 3, 29, 3, tzinfo=UTC)]))
def test_the_days_of_a_person_agree_with_an_evaluation_record_by_record(rows: list[Row], center: datetime) -> None:
    moved = [
        replace(row, **{name: at + (center - NOON) for name in ("arrives", "expires") if (at := getattr(row, name))})
        for row in rows
    ]
    person, ids = moved[0].person, {PLACES[key].place_id: key for key in PLACES}
    found = person_days(build_locations(moved), person, center.date() - timedelta(days=2), center, days=5)
    assert found is not None
    for day in found.days:
        evaluation = ReferenceEvaluation(moved, whole_day(day.day, "place"))
        places = {ids[each.place_id] for each in day.whereabouts if each.place_id and each.status != "in transit"}
        assert places == {
            key for key in PLACES if any(place == key for place, _ in evaluation.likely_places(person, key))
        }
        legs = Counter(ids[each.place_id] for each in day.whereabouts if each.status == "in transit")
        own = [(left.expires, reached) for left, reached in evaluation.legs if left.person == person]
        assert legs == Counter(
            reached.place
            for departs, reached in own
            if departs < evaluation.bounds(reached.place)[1] and reached.arrives > evaluation.bounds(reached.place)[0]
        )


def test_a_day_without_a_place_is_not_covered_and_one_without_a_trip_is_empty() -> None:
    rows = [*flight("ana", "LHR", "SIN", 0, 13), *flight("ana", "SIN", "LHR", 150, 163)]
    found = person_days(build_locations(rows), "ana", date(2026, 11, 18), NOON, days=8)
    assert found is not None
    assert [each.main.status if each.main else "" for each in found.days] == [
        "",
        "leaving",
        "leaving",
        "there",
        "there",
        "not covered",
        "not covered",
        "not covered",
    ]
    assert person_days(build_locations(rows), "nobody", date(2026, 11, 18), NOON) is None


def test_other_places_of_a_person_are_candidates_and_people_at_the_same_place_are_companions() -> None:
    locations = build_locations(TRIP)
    table = candidates(locations, "ana", NOON + 16 * HOUR)
    assert table[["place_id", "status"]].to_numpy().tolist() == [[LION, "there"], ["SIN", "possible"]]
    view = look(locations, moment(NOON + 16 * HOUR), Filters())
    assert companions(view, "ana", LION)["person"].tolist() == ["ben"]


def test_the_page_of_a_trip_does_not_place_travelers_at_a_rental_counter_that_they_left() -> None:
    def row(place: str, role: str, begins: int, ends: int) -> Row:
        return Row("ana", "AAA111", place, role, NOON + timedelta(hours=begins), NOON + timedelta(hours=ends))

    rows = [
        row("rental", "Departure", -48, -24),
        row("rental", "Arrival", 40, 64),
        row("hotel", "Stay", -20, 30),
    ]
    [(current, following)] = travelers_now("AAA111", 1, [each.record() for each in rows], NOON)
    assert current is not None
    assert following is not None
    assert (current.status, current.label) == ("there", "Lion Hotel, Singapore")
    assert following.label == "City Cars, Singapore"
