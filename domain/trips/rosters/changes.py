"""Create, rename, fill, and delete rosters, with entries in the journal; and show rosters as tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final

import pandas as pd

from client import NotFound
from domain.edits.journaled_calls import call_with_journal
from domain.edits.removals import Removal, Target
from domain.runtime.workspace import Workspace
from domain.text.plain_text import count, names
from domain.text.time_text import ago
from domain.trips.rosters.roster_file import RosterTrips
from journal import EntryNotFound, LearntEntry, Roster, RosterEntry, RosterLoad, RosterNotFound, Traveler

SUBJECT: Final = "roster"
ROSTER_IN_URL: Final = "roster"
"""The query parameter of the roster, as on the map."""
NAMED_IN_QUESTION: Final = 6

LOAD_STATES = {
    "running": ("Loading, started {}", "loading started {}"),
    "done": ("{}", "last loaded {}"),
    "stopped": ("Stopped {}", "loading stopped {}"),
    "failed": ("Failed {}", "loading failed {}"),
    "interrupted": ("Interrupted {}", "loading interrupted {}"),
}
"""How the last load ended, in a column “Last loaded” and in a line of facts."""


def create(workspace: Workspace, name: str, entries: Sequence[RosterEntry]) -> Roster:
    """Create a roster, and store its travelers' names. Raise RosterNameTaken or JournalError."""
    rosters = workspace.journal.rosters
    make = partial(rosters.create, workspace.actor, name, entries)
    return _change_roster(workspace, "create", None, name, {"name": name, "trips": len(entries)}, make, entries)


def rename(workspace: Workspace, roster: Roster, name: str) -> Roster:
    """Rename a roster. Raise RosterNameTaken, RosterNotFound, or JournalError."""
    call = partial(workspace.journal.rosters.rename, roster.id, name, actor=workspace.actor)
    return _change_roster(workspace, "rename", roster.id, roster.name, {"name": name}, call)


def replace(workspace: Workspace, roster: Roster, entries: Sequence[RosterEntry]) -> Roster:
    """Replace the trips of a roster. Raise RosterNotFound or JournalError, also if it changed since it was read."""
    replace_entries = workspace.journal.rosters.replace_entries
    call = partial(replace_entries, roster.id, entries, actor=workspace.actor, over=roster.changed_at)
    locators_before = [entry.record_locator for entry in roster.entries()]
    request = {"trips": len(entries), "trips_before": len(locators_before), "record_locators_before": locators_before}
    return _change_roster(workspace, "replace", roster.id, roster.name, request, call, entries)


def extend(workspace: Workspace, roster: Roster, entries: Sequence[RosterEntry]) -> Roster:
    """Add trips to a roster. Trips that the roster has already get the additional travelers.

    Raise RosterNotFound or JournalError, also if it changed since it was read.
    """
    every = [*(RosterEntry(each.record_locator, each.travelers) for each in roster.entries()), *entries]
    call = partial(
        workspace.journal.rosters.replace_entries, roster.id, every, actor=workspace.actor, over=roster.changed_at
    )
    request = {"trips": len(entries), "record_locators": [entry.record_locator for entry in entries]}
    return _change_roster(workspace, "extend", roster.id, roster.name, request, call, entries)


def make_default(workspace: Workspace, roster: Roster, *, is_default: bool) -> None:
    """Set or clear the roster that the map opens on by default. Raise RosterNotFound or JournalError."""
    call_with_journal(
        workspace,
        f"{SUBJECT}.make_default",
        subject_kind=SUBJECT,
        subject_id=str(roster.id),
        subject_name=roster.name,
        request={"default": is_default},
        call=partial(workspace.journal.rosters.set_default, workspace.actor, roster.id if is_default else None),
    )


def _change_roster(
    workspace: Workspace,
    verb: str,
    roster_id: int | None,
    name: str,
    request: dict[str, Any],
    call: Callable[[], Roster],
    entries: Sequence[RosterEntry] = (),
) -> Roster:
    changed = call_with_journal(
        workspace,
        f"{SUBJECT}.{verb}",
        subject_kind=SUBJECT,
        subject_id=None if roster_id is None else str(roster_id),
        subject_name=name,
        request=request,
        call=call,
    )
    if entries:
        people: list[Traveler] = [traveler for entry in entries for traveler in entry.travelers]
        workspace.journal.travelers.learn(workspace.actor.service, workspace.actor.organization_id, people)
    return changed


@dataclass(frozen=True)
class RosterTarget(Target):
    """A roster to delete, and the trips in it."""

    entries: tuple[LearntEntry, ...] = ()


def target_of(roster: Roster) -> RosterTarget:
    """Return the target for deleting a roster."""
    entries = tuple(roster.entries())
    locators = [entry.record_locator for entry in entries]
    note = f"{count(len(locators), 'trip', 'trips')}, {names(locators, at_most=NAMED_IN_QUESTION)}" if locators else ""
    return RosterTarget(roster.id, roster.name, note, entries)


def read_deleted(workspace: Workspace, entry_id: int) -> tuple[str, list[RosterEntry]] | None:
    """Read the name and the trips of the roster that a journal entry deleted; None for other entries."""
    try:
        entry = workspace.journal.audit.retrieve(entry_id, actor=workspace.actor)
    except EntryNotFound:
        return None
    stored = (entry.request or {}).get("entries") if entry.action == ROSTER_REMOVAL.action else None
    if stored is None:
        return None
    entries = [RosterEntry(locator, [Traveler(*each) for each in people]) for locator, people in stored]
    return entry.subject_name or "", entries


class RosterRemoval(Removal[RosterTarget]):
    """Deleting rosters, which are stored in Muster."""

    kind = SUBJECT
    key = "rosters-delete"
    noun = ("roster", "rosters")
    action = "roster.delete"
    selection_parameter = ROSTER_IN_URL

    def consequences(self, workspace: Workspace, targets: Sequence[RosterTarget]) -> list[str]:
        """Return what is deleted, and how to restore it."""
        del workspace
        subject = "The roster" if len(targets) == 1 else f"These {len(targets):,} rosters"
        return [
            f"{subject} will be deleted from Muster, for everyone in your organization. The trips stay in the service.",
            "You can restore a roster from the Journal.",
        ]

    def refresh(self, workspace: Workspace, target: RosterTarget) -> RosterTarget:
        """Read the roster as it is when it is deleted."""
        try:
            return target_of(workspace.journal.rosters.retrieve(int(target.subject_id or 0), actor=workspace.actor))
        except RosterNotFound as error:
            raise NotFound(str(error)) from error

    def send(self, workspace: Workspace, target: RosterTarget) -> None:
        """Delete the roster from the journal's database."""
        try:
            workspace.journal.rosters.delete(int(target.subject_id or 0), actor=workspace.actor)
        except RosterNotFound as error:
            raise NotFound(str(error)) from error

    def journal_request(self, target: RosterTarget) -> Mapping[str, Any]:
        """Return everything that restoring the roster needs."""
        entries = [
            (entry.record_locator, [(each.external_id, each.first_name, each.last_name) for each in entry.travelers])
            for entry in target.entries
        ]
        return {"trips": len(entries), "entries": entries}


ROSTER_REMOVAL: Final = RosterRemoval()


def load_text(load: RosterLoad | None, now: datetime, *, in_line: bool = False) -> str:
    """Say when a roster was last loaded onto the map, and the result; `in_line` if no heading says “Last loaded”."""
    if load is None:
        return "never loaded" if in_line else "Never"
    text = LOAD_STATES[load.state][in_line].format(ago(load.finished_at or load.started_at, now))
    missing = [
        f"{load.not_found:,} not found" if load.not_found else "",
        f"{load.failed:,} failed" if load.failed else "",
    ]
    return " · ".join([text, *filter(None, missing)])


def trips_frame(entries: Sequence[LearntEntry]) -> pd.DataFrame:
    """Build the table of a roster's trips: `locator`, `travelers`, `itineraries` (the IDs found by the last lookup)."""
    rows = [
        {
            "locator": entry.record_locator,
            "travelers": "; ".join(traveler.name or traveler.external_id for traveler in entry.travelers),
            "itineraries": _itinerary_text(entry),
        }
        for entry in entries
    ]
    return pd.DataFrame(rows, columns=["locator", "travelers", "itineraries"])


def roster_download(entries: Sequence[LearntEntry]) -> pd.DataFrame:
    """Build the download: one row per traveler and trip, with headings that the roster import reads."""
    rows = [
        (entry.record_locator, traveler.external_id, traveler.first_name, traveler.last_name)
        for entry in entries
        for traveler in (entry.travelers or [Traveler("")])
    ]
    return pd.DataFrame(rows, columns=["record_locator", "employee_id", "first_name", "last_name"])


def trips_summary(trips: RosterTrips) -> str:
    """Summarize trips in one line: "214 trips · 260 travelers · 3 repeats left out"."""
    parts = [count(len(trips.entries), "trip", "trips")]
    if trips.traveler_count:
        parts.append(count(trips.traveler_count, "traveler", "travelers"))
    if trips.repeats:
        parts.append(count(trips.repeats, "repeat skipped", "repeats skipped"))
    return " · ".join(parts)


def _itinerary_text(entry: LearntEntry) -> str:
    if entry.looked_up_at is None:
        return "Not looked up yet"
    return ", ".join(map(str, entry.itinerary_ids)) if entry.itinerary_ids else "Not found in the service"
