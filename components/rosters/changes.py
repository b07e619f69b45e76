"""Making, renaming, refilling and deleting rosters: each is written to the journal before and after."""

from __future__ import annotations

from collections.abc import Sequence

from components.change.recorded import recorded
from components.shell.workspace import Workspace
from journal import Roster, RosterEntry, Traveller

SUBJECT = "roster"


def create(workspace: Workspace, name: str, entries: Sequence[RosterEntry]) -> Roster:
    """Make a roster and learn its travellers' names. Raises RosterNameTaken, JournalError."""
    roster = recorded(
        workspace,
        "roster.create",
        subject_kind=SUBJECT,
        subject_id=None,
        subject_name=name,
        request={"name": name, "trips": len(entries)},
        call=lambda: workspace.journal.rosters.create(workspace.actor, name, entries),
    )
    _learn_names(workspace, entries)
    return roster


def rename(workspace: Workspace, roster: Roster, name: str) -> Roster:
    """Give a roster another name. Raises RosterNameTaken, RosterNotFound, JournalError."""
    return recorded(
        workspace,
        "roster.rename",
        subject_kind=SUBJECT,
        subject_id=str(roster.id),
        subject_name=roster.name,
        request={"name": name},
        call=lambda: workspace.journal.rosters.rename(roster.id, name, within=workspace.actor),
    )


def replace(workspace: Workspace, roster: Roster, entries: Sequence[RosterEntry]) -> Roster:
    """Put other trips into a roster. Raises RosterNotFound."""
    replaced = recorded(
        workspace,
        "roster.replace",
        subject_kind=SUBJECT,
        subject_id=str(roster.id),
        subject_name=roster.name,
        request={"trips": len(entries), "trips_before": roster.entry_count},
        call=lambda: workspace.journal.rosters.replace_entries(roster.id, entries, within=workspace.actor),
    )
    _learn_names(workspace, entries)
    return replaced


def delete(workspace: Workspace, roster: Roster) -> None:
    """Remove a roster from this desk; its record locators stay in the journal. Raises RosterNotFound."""
    locators = [entry.record_locator for entry in roster.entries()]
    recorded(
        workspace,
        "roster.delete",
        subject_kind=SUBJECT,
        subject_id=str(roster.id),
        subject_name=roster.name,
        request={"trips": len(locators), "record_locators": locators},
        call=lambda: workspace.journal.rosters.delete(roster.id, within=workspace.actor),
    )


def _learn_names(workspace: Workspace, entries: Sequence[RosterEntry]) -> None:
    people: list[Traveller] = [traveller for entry in entries for traveller in entry.travellers]
    workspace.journal.travellers.learn(workspace.actor.service, workspace.actor.organization_id, people)
