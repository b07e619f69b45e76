"""Rosters in sentences and tables."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from components.record_list.list_data import build_file_table
from components.trips.rosters.roster_list import ROSTERS, RosterWithLoad
from domain.trips.rosters.changes import load_text, trips_frame, trips_summary
from domain.trips.rosters.roster_file import RosterTrips
from journal import LearntEntry, Roster, RosterEntry, RosterLoad, Traveler

NOW = datetime(2026, 11, 20, 12, 5, tzinfo=UTC)
ANA, BO = Traveler("1", "Ana", "Silva"), Traveler("2", "Bo", "Berg")


def roster_load(**more: Any) -> RosterLoad:
    values: dict[str, Any] = {
        "id": 1, "roster_id": 1, "started_by": "ana", "started_at": NOW - timedelta(minutes=5),
        "finished_at": NOW - timedelta(minutes=3), "total": 5, "done": 5, "found": 5, "not_found": 0, "failed": 0,
        "state": "done", "message": None,
    }  # fmt: skip
    return RosterLoad(**{**values, **more})


@pytest.mark.parametrize(
    ("last", "words", "line"),
    [
        (None, "Never", "never loaded"),
        (roster_load(), "3 min ago", "last loaded 3 min ago"),
        (
            roster_load(not_found=3, failed=1200),
            "3 min ago · 3 not found · 1,200 failed",
            "last loaded 3 min ago · 3 not found · 1,200 failed",
        ),
        (roster_load(state="running", finished_at=None), "Loading, started 5 min ago", "loading started 5 min ago"),
        (roster_load(state="interrupted", finished_at=None), "Interrupted 5 min ago", "loading interrupted 5 min ago"),
    ],
)
def test_the_last_load_is_described(last: RosterLoad | None, words: str, line: str) -> None:
    assert load_text(last, NOW) == words
    assert load_text(last, NOW, in_line=True) == line


def test_the_list_of_rosters_has_ids_as_text() -> None:
    roster = Roster(7, "s", 1, "Sales", "ana", NOW, NOW, 1612, lambda _: [])
    item = RosterWithLoad(roster, roster_load())
    assert ROSTERS.identity(item) == "7"
    [row] = build_file_table(ROSTERS, [item]).to_dict("records")
    assert (row["Roster"], row["Trips"], row["Created by"]) == ("Sales", 1612, "ana")
    assert item.loaded_at == NOW - timedelta(minutes=3)


def test_trips_not_looked_up_differ_from_trips_not_found() -> None:
    entries = [
        LearntEntry("A", [ANA, BO], [2**60, 7], NOW),
        LearntEntry("B", [Traveler("9")], [], NOW),
        LearntEntry("C", [], [], None),
    ]
    table = trips_frame(entries)
    assert list(table["itineraries"]) == [f"{2**60}, 7", "Not found in the service", "Not looked up yet"]
    assert list(table["travelers"]) == ["Silva, Ana; Berg, Bo", "9", ""]


def test_the_summary_counts_trips_travelers_and_duplicates() -> None:
    trips = RosterTrips([RosterEntry("A", [ANA, BO]), RosterEntry("B", [ANA])], 3)
    assert trips_summary(trips) == "2 trips · 2 travelers · 3 repeats skipped"
    assert trips_summary(RosterTrips([RosterEntry("A")])) == "1 trip"
