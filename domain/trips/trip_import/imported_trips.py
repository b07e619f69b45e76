"""Imported trips as a roster, and compared with the service."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import pandas as pd

from client import NotFound, ServiceError
from client.fan_out import fan_out
from client.models.itineraries import Itinerary
from domain.edits.journaled_calls import error_message
from domain.text.plain_text import names
from domain.trips.editor.trip_change import identified_travelers
from domain.trips.location_comparison import Comparison, compare_locations, comparison_summary
from domain.trips.rosters import changes
from domain.trips.trip_import.trip_sending import is_canceled
from domain.trips.trip_import.undoing import find_canceled_ids
from journal import Item, Roster, RosterEntry

if TYPE_CHECKING:
    from client import ServiceClient
    from domain.file_import.row_sending import JournalContext
    from domain.runtime.workspace import Workspace
    from domain.tables.loaded_records import ReportProgress

MATCHES: Final = "as sent"


def create_roster(workspace: Workspace, name: str, items: Sequence[Item]) -> Roster:
    """Create a roster of the trips that an import added and that still exist. Raises JournalError."""
    there = find_remaining(workspace, items)
    entries = [RosterEntry(item.label, identified_travelers(Itinerary.model_validate(item.payload))) for item in there]
    roster = changes.create(workspace, name, entries)
    ids: dict[str, list[int]] = {}
    for item in there:
        ids.setdefault(item.label, []).append(int(str(item.status.result_id)))
    workspace.journal.rosters.learn(roster.id, ids, datetime.now(UTC))
    return roster


@dataclass(frozen=True)
class ServiceComparison:
    """The number of trips whose expected locations match the prediction, and the other trips with their differences."""

    same: int
    others: pd.DataFrame


def compare_with_service(
    client: ServiceClient, items: Sequence[Item], report: ReportProgress, *, width: int
) -> ServiceComparison:
    """Read the expected locations of imported trips, and compare them with the prediction."""

    def compare(item: Item) -> str:
        try:
            locations = list(client.itineraries.list_expected_locations(int(str(item.status.result_id))))
        except NotFound:
            return "no longer in the service"
        # If the trip doesn't say enough, nothing was predicted.
        rows = [row for row in compare_locations(Itinerary.model_validate(item.payload), locations) if row.is_expected]
        if all(row.comparison is Comparison.MATCHES for row in rows):
            return MATCHES
        differing = [f"{row.place}: {row.note}" for row in rows if row.comparison is not Comparison.MATCHES]
        return f"{comparison_summary(rows)}. {names(differing, at_most=3)}"

    others, same = [], 0
    for number, outcome in enumerate(fan_out(compare, items, width=width), start=1):
        if outcome.error is not None and not isinstance(outcome.error, ServiceError):
            raise outcome.error
        result = error_message(outcome.error) if outcome.error is not None else outcome.result()
        if result == MATCHES:
            same += 1
        else:
            item = outcome.item
            numbers = ", ".join(str(row) for row, _ in item.rows)
            others.append((item.position, item.label, item.status.result_id, numbers, result))
        report(number, len(items))
    table = pd.DataFrame(sorted(others), columns=["position", "locator", "id", "rows", "what"])
    return ServiceComparison(same, table.drop(columns="position"))


def find_remaining(context: JournalContext, items: Sequence[Item]) -> list[Item]:
    """Return the trips that an import added and that were not canceled from Muster since. Raises JournalError."""
    canceled = find_canceled_ids(context)
    return [
        item
        for item in items
        if item.status.state == "done"
        and item.status.result_id is not None
        and item.status.result_id not in canceled
        and not is_canceled(item.payload)
    ]
