"""Arrivals that a file leaves open: on which day, and whether they can be."""

from __future__ import annotations

import random

import numpy as np
import pytest

from domain.trips.trip_import.arrivals import work_out_arrivals
from domain.trips.trip_import.wall_clocks import DAY, NO_TIME, true_times, wall_clocks
from tests.domain.trips.trip_import.outcomes import check_of

MINUTE = 60_000


def read(start: str, end: str, departs: str, arrives: str) -> tuple[str | None, list[tuple[str, bool]]]:
    """When a flight arrives on the clocks there, and what stands at its arrival."""
    check = check_of(
        f"PNR,Traveller,Flight,From,To,Departs,Arrival time\nK7QWZP,DOE/ANN,XX1,{start},{end},{departs},{arrives}\n"
    )
    sent = [segment.get("toDateTimeLocal") for trip in check.outgoing() for segment in trip.payload["segments"]]
    return next(iter(sent), None), check.at_cells(0).get("toClock", [])


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
def test_an_arrival_without_a_day_is_on_the_one_day_that_true_time_allows(
    start: str, end: str, departs: str, arrives: str, day: str
):
    local, said = read(start, end, departs, arrives)
    words = f"The file has no arrival date. By true time, it's another day than the departure's: {day}."
    assert (local, said) == (f"{day}T{arrives}:00", [] if departs.startswith(day) else [(words, False)])


@pytest.mark.parametrize("arrives", ["0955+1", "2026-03-21 09:55"])
def test_an_arrival_that_says_its_day_is_on_that(arrives: str):
    assert read("JFK", "LHR", "2026-03-20 22:10", arrives) == ("2026-03-21T09:55:00", [])


@pytest.mark.parametrize(
    ("departs", "arrives"), [("2026-03-28 12:00", "12:30"), ("2026-10-24 12:30", "12:15")], ids=["two fit", "none fits"]
)
def test_where_more_than_one_day_or_none_fits_the_cell_asks(departs: str, arrives: str):
    """A night of 23 hours lets two arrivals be within 24 hours, one of 25 hours none."""
    asks = "The arrival date isn't certain. Write it with the time, such as 2026-03-27 05:00."
    assert read("LHR", "MAN", departs, arrives) == (None, [(asks, True)])


def test_the_day_is_right_for_every_pair_of_zones_and_every_duration():
    chance = random.Random(6)
    zones = [
        "Pacific/Kiritimati",
        "Pacific/Pago_Pago",
        "Asia/Kolkata",
        "America/Los_Angeles",
        "Australia/Sydney",
        "UTC",
    ]
    number = 3_000
    left, reached = (np.array([chance.choice(zones) for _ in range(number)], dtype=object) for _ in range(2))
    first = int(np.datetime64("2026-01-01", "ms").astype(int))
    leaves = np.array([first + chance.randrange(365 * 1440) * MINUTE for _ in range(number)])
    arrives = leaves + np.array([chance.randint(1, 1440) * MINUTE for _ in range(number)])
    shown = wall_clocks(arrives, reached)
    nothing = np.full(number, NO_TIME)
    found = work_out_arrivals(
        np.ones(number, dtype=bool),
        (wall_clocks(leaves, left), leaves),
        (nothing, nothing),
        shown % DAY,
        reached,
        nothing,
    )
    is_placed = ~found.is_uncertain & ~found.is_placeholder
    assert is_placed.mean() > 0.98
    # In the hour that clocks show twice, the first is taken.
    is_clear = is_placed & (true_times(shown, reached) == arrives)
    assert (found.local[is_clear] == shown[is_clear]).all()
    lasts = found.moment[is_placed] - leaves[is_placed]
    assert ((lasts > 0) & (lasts <= DAY)).all()
