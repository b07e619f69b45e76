"""Arrivals without a date in a file: the derived day and impossible arrivals."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from client.models.itineraries import Segment
from domain.geography.time_zones import moment_of, utc_text
from domain.trips.resolved_segments import resolve_segment
from domain.trips.trip_import.arrivals import complete_arrival
from tests.domain.trips.trip_import.outcomes import check_of

MINUTE = 60_000


def read_arrival(start: str, end: str, departs: str, arrives: str) -> tuple[str | None, list[tuple[str, bool]]]:
    """The local arrival time of a flight, and the messages at the cell of its arrival."""
    check = check_of(
        f"PNR,Traveller,Flight,From,To,Departs,Arrival time\nK7QWZP,DOE/ANN,XX1,{start},{end},{departs},{arrives}\n"
    )
    sent = [segment.get("toDateTimeLocal") for trip in check.outgoing() for segment in trip.payload["segments"]]
    return next(iter(sent), None), check.cell_messages(0).get("toClock", [])


@pytest.mark.parametrize(
    ("start", "end", "departs", "arrives", "day"),
    [
        ("SYD", "LAX", "2026-03-20 10:00", "06:00", "2026-03-20"),
        ("LAX", "SYD", "2026-03-20 22:30", "08:00", "2026-03-22"),
        ("APW", "HNL", "2026-03-20 23:00", "04:00", "2026-03-20"),
        ("CXI", "HNL", "2026-03-20 03:00", "06:10", "2026-03-19"),
        ("MAD", "LIS", "2026-03-20 10:00", "10:15", "2026-03-20"),
        ("MAD", "LIS", "2026-03-20 00:10", "23:59", "2026-03-19"),
        ("JFK", "LHR", "2026-03-20 22:10", "09:55", "2026-03-21"),
    ],
)
def test_an_arrival_without_a_date_is_on_the_only_day_that_fits(
    start: str, end: str, departs: str, arrives: str, day: str
):
    local, messages = read_arrival(start, end, departs, arrives)
    words = f"The file has no arrival date. Based on the time zones, Muster uses {day}."
    assert (local, messages) == (f"{day}T{arrives}:00", [] if departs.startswith(day) else [(words, False)])


@pytest.mark.parametrize("arrives", ["0955+1", "2026-03-21 09:55"])
def test_an_arrival_with_a_day_offset_uses_it(arrives: str):
    assert read_arrival("JFK", "LHR", "2026-03-20 22:10", arrives) == ("2026-03-21T09:55:00", [])


@pytest.mark.parametrize(
    ("departs", "arrives"), [("2026-03-28 12:00", "12:30"), ("2026-10-24 12:30", "12:15")], ids=["two fit", "none fits"]
)
def test_an_uncertain_arrival_day_is_an_error_at_its_cell(departs: str, arrives: str):
    """With a day of 23 hours, two arrivals fit within 24 hours; with a day of 25 hours, none does."""
    message = "The arrival date isn’t certain. Enter it with the time, such as 2026-03-27 05:00."
    assert read_arrival("LHR", "MAN", departs, arrives) == (None, [(message, True)])


def test_the_arrival_day_is_correct_for_every_pair_of_zones_and_duration():
    chance = random.Random(6)
    zones = [
        "Pacific/Kiritimati",
        "Pacific/Pago_Pago",
        "Asia/Kolkata",
        "America/Los_Angeles",
        "Australia/Sydney",
        "UTC",
    ]
    certain_count = 0
    for _ in range(1_000):
        left, reached = (ZoneInfo(chance.choice(zones)) for _ in range(2))
        leaves = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=chance.randrange(365 * 1440))
        arrives = leaves + timedelta(minutes=chance.randint(1, 1440))
        clock_time = arrives.astimezone(reached).replace(tzinfo=None)
        segment = resolve_segment(0, Segment(
            type="Air", from_iata_code="LHR", to_iata_code="LHR", from_time_zone=left.key, to_time_zone=reached.key,
            from_date_time=utc_text(leaves),
        ))  # fmt: skip
        found = complete_arrival(segment, (clock_time.hour * 60 + clock_time.minute) * MINUTE, None)
        if found.is_uncertain or found.is_placeholder:
            continue
        certain_count += 1
        assert found.local is not None
        moment = moment_of(found.local, reached)
        assert moment is not None
        assert timedelta(0) < moment - leaves <= timedelta(days=1)
        # The first occurrence of a repeated hour is used.
        if moment_of(clock_time.replace(fold=0), reached) == arrives:
            assert found.local == clock_time.replace(fold=0)
    assert certain_count > 980
