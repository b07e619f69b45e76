"""What an import of trips made, as a roster, and held against the service. No drawing."""

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
from domain.trips.trip_import.undoing import canceled_from
from journal import Item, Roster, RosterEntry

if TYPE_CHECKING:
    from client import ServiceClient
    from domain.file_import.row_sending import JournalContext
    from domain.runtime.workspace import Workspace
    from domain.tables.loaded_records import ReportProgress

MATCHES: Final = "as sent"


def as_roster(workspace: Workspace, name: str, items: Sequence[Item]) -> Roster:
    """Make a roster of what an import added and nobody canceled since, with the service's ids. Raises JournalError."""
    there = still_there(workspace, items)
    entries = [RosterEntry(item.label, identified_travelers(Itinerary.model_validate(item.payload))) for item in there]
    roster = changes.create(workspace, name, entries)
    ids: dict[str, list[int]] = {}
    for item in there:
        ids.setdefault(item.label, []).append(int(str(item.fate.result_id)))
    workspace.journal.rosters.learn(roster.id, ids, datetime.now(UTC))
    return roster


@dataclass(frozen=True)
class HeldAgainst:
    """How many trips people are expected for exactly as they were sent, and the others, each with what differs."""

    same: int
    others: pd.DataFrame


def held_against(client: ServiceClient, there: Sequence[Item], tell: ReportProgress, *, width: int) -> HeldAgainst:
    """Read the expected locations of trips that an import added, and compare them with those it should give."""

    def words(item: Item) -> str:
        try:
            locations = list(client.itineraries.list_expected_locations(int(str(item.fate.result_id))))
        except NotFound:
            return "not at the service any more"
        # Nobody was predicted to be expected where the trip does not say enough of it.
        rows = [row for row in compare_locations(Itinerary.model_validate(item.payload), locations) if row.is_expected]
        if all(row.comparison is Comparison.MATCHES for row in rows):
            return MATCHES
        differing = [f"{row.place}: {row.note}" for row in rows if row.comparison is not Comparison.MATCHES]
        return f"{comparison_summary(rows)}. {names(differing, at_most=3)}"

    others, same = [], 0
    for number, outcome in enumerate(fan_out(words, there, width=width), start=1):
        if outcome.error is not None and not isinstance(outcome.error, ServiceError):
            raise outcome.error
        said = error_message(outcome.error) if outcome.error is not None else outcome.result()
        if said == MATCHES:
            same += 1
        else:
            item = outcome.item
            numbers = ", ".join(str(row) for row, _ in item.rows)
            others.append((item.position, item.label, item.fate.result_id, numbers, said))
        tell(number, len(there))
    table = pd.DataFrame(sorted(others), columns=["position", "locator", "id", "rows", "what"])
    return HeldAgainst(same, table.drop(columns="position"))


def still_there(desk: JournalContext, items: Sequence[Item]) -> list[Item]:
    """The trips of an import that it added, and that nobody at this desk canceled since. Raises JournalError."""
    gone = canceled_from(desk)
    return [
        item
        for item in items
        if item.fate.state == "done"
        and item.fate.result_id is not None
        and item.fate.result_id not in gone
        and not is_canceled(item.payload)
    ]
