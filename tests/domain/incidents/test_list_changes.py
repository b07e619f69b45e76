"""Changes to the list of an incident between two views."""

from __future__ import annotations

import json

from domain.incidents.affected import find_affected
from domain.incidents.list_changes import find_list_changes, list_snapshot
from tests.domain.expected_locations.records import Row, build_locations
from tests.domain.incidents.test_affected_times import AREA, record, time_at

STAYS = {
    "arrives": record("arrives", "hotel", "Stay", 2, 40, "A1"),
    "leaves": record("leaves", "hotel", "Stay", -40, 2, "L1"),
    "stays": record("stays", "hotel", "Stay", -40, 40, "S1"),
    "canceled": record("canceled", "hotel", "Stay", -40, 40, "C1"),
    "moved": record("moved", "hotel", "Stay", -40, 40, "M1"),
    "other": record("other", "LHR", "other", -40, 40, "O1"),
}


def list_changes(before: dict[str, Row], after: dict[str, Row]) -> dict[str, str]:
    first, second = build_locations(before.values()), build_locations(after.values())
    snapshot = json.loads(json.dumps(list_snapshot(find_affected(first, AREA, time_at(0), None))))
    found = find_affected(second, AREA, time_at(0), None)
    table = find_list_changes(snapshot, time_at(1), found, second, time_at(3))
    return dict(zip(table["person"], table["change"], strict=True))


def test_a_later_view_lists_arrivals_departures_new_people_and_cancellations() -> None:
    later = {name: row for name, row in STAYS.items() if name != "canceled"}
    later["moved"] = record("moved", "LHR", "other", -40, 40, "M1")
    later["new"] = record("new", "rental", "other", -1, 40, "N1")
    assert list_changes(STAYS, later) == {
        "arrives": "arrived",
        "canceled": "canceled",
        "leaves": "left",
        "moved": "left",
        "new": "new",
    }


def test_an_empty_list_has_no_changes() -> None:
    assert list_changes({"other": STAYS["other"]}, {}) == {}
