"""Draw the marks of an incident's people, the buttons to mark them, and what changed on the list."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import Final

import pandas as pd
import streamlit as st

from components.record_list.record_table import record_table
from components.shell.notices import field_problem, show_success
from components.shell.page_redraw import redraw_page
from components.shell.state import StateKey
from domain.expected_locations.location_frame import Locations
from domain.incidents.affected import Affected
from domain.incidents.affected_texts import CHANGE_LABELS, MARK_STATUSES
from domain.incidents.list_changes import find_list_changes, list_snapshot
from domain.runtime.workspace import Workspace
from domain.text.plain_text import count, names, plain
from domain.text.time_text import moment
from journal.incidents import MAX_NOTE_LENGTH, Incident, LastView, Mark, MarkStatus
from journal.journal_errors import IncidentChanged, JournalError

REFRESH_SECONDS: Final = 2.0
_MARKED: Final[Mapping[MarkStatus, tuple[str, str]]] = {
    "contacted": ("{:,} person is marked as contacted.", "{:,} people are marked as contacted."),
    "safe": ("{:,} person is marked as safe.", "{:,} people are marked as safe."),
    "needs help": ("{:,} person is marked as needing help.", "{:,} people are marked as needing help."),
    "unanswered": ("The mark of {:,} person was cleared.", "The marks of {:,} people were cleared."),
}
"""What a message says about one person, and about several."""
_NOTE: Final = StateKey[str]("incidents.mark_note", str)
_ASSIGNEE: Final[StateKey[str | None]] = StateKey("incidents.assignee", lambda: None)
_PROBLEM: Final = StateKey[str]("incidents.mark_problem", str)
_LOOK: Final[StateKey[tuple[int, LastView | None] | None]] = StateKey("incidents.last_look", lambda: None)
"""The open incident, and the list as the person saw it last time."""


def follow_incident(workspace: Workspace, incident: Incident) -> None:
    """Draw the page again soon after someone else changes the incident or marks someone."""
    journal, actor = workspace.journal.incidents, workspace.actor
    drawn = journal.latest_event_id(actor, incident.id)

    @st.fragment(run_every=REFRESH_SECONDS)
    def redraw() -> None:
        if journal.latest_event_id(actor, incident.id) != drawn:
            redraw_page()

    redraw()


def draw_marking(
    workspace: Workspace, incident: Incident | None, rows: pd.DataFrame, marks: Mapping[str, Mark] | None
) -> None:
    """Draw the buttons that mark and assign the selected people of a saved incident, always in sight."""
    if incident is None or marks is None:
        return
    if rows.empty:
        st.caption("Select people to mark several at once, to add a note, or to assign them to a colleague.")
        return
    with st.bottom, st.container(horizontal=True, vertical_alignment="center", key="incident-marking"):
        st.markdown(f"**Mark {count(len(rows), 'person', 'people')}**", width="content")
        st.text_input(
            "Note",
            key=_NOTE.widget_key,
            max_chars=MAX_NOTE_LENGTH,
            placeholder="Note: at the hotel, uninjured",
            label_visibility="collapsed",
            width=260,
        )
        for status in ("contacted", "safe", "needs help", "unanswered"):
            st.button(
                MARK_STATUSES[status],
                key=f"incident-mark-{status.replace(' ', '-')}",
                on_click=_mark_selected,
                args=(workspace, incident, rows, status, marks),
            )
        st.selectbox(
            "Assign to",
            _assignees(workspace, marks),
            index=None,
            key=_ASSIGNEE.widget_key,
            format_func=lambda name: name or "No one",
            placeholder="Assign to…",
            accept_new_options=True,
            label_visibility="collapsed",
            on_change=_assign,
            args=(workspace, incident, rows, marks),
            width=170,
        )
        field_problem(_PROBLEM.get() or None)


def _assignees(workspace: Workspace, marks: Mapping[str, Mark]) -> list[str]:
    """Return the names to assign people to: one's own, those of colleagues by name, and "" for no one."""
    own, actor = workspace.actor.username, workspace.actor
    users = workspace.journal.audit.usernames(actor.service, actor.organization_id)
    known = {*users, *(mark.assigned_to for mark in marks.values())} - {own, ""}
    return [own, *sorted(known, key=str.casefold), ""]


def draw_list_changes(
    workspace: Workspace,
    incident: Incident | None,
    affected: Affected,
    locations: Locations,
    now: datetime,
    *,
    is_whole: bool,
) -> None:
    """Draw who arrived, left, is new, or is canceled since the person last opened the incident, once all trips are
    read.
    """
    if incident is None:
        _LOOK.set(None)
    if incident is None or not is_whole:
        return
    opened = _LOOK.get()
    if opened is None or opened[0] != incident.id:
        opened = incident.id, workspace.journal.incidents.load_last_view(workspace.actor, incident.id)
        _LOOK.set(opened)
        workspace.journal.incidents.save_last_view(workspace.actor, incident.id, list_snapshot(affected), at=now)
    look = opened[1]
    if look is None:
        return
    changes = find_list_changes(look.snapshot, look.looked_at, affected, locations, now)
    since = f"since you last opened the incident on {moment(look.looked_at, now=now)}"
    if changes.empty:
        st.caption(f"No one has arrived, left, or been added, and no trip has been canceled {since}.")
        return
    with st.expander(f"{count(len(changes), 'change', 'changes')} {since}", icon=":material/history:", expanded=True):
        record_table(
            changes.assign(change=changes["change"].map(CHANGE_LABELS)),
            {"name": "Person", "change": "Change", "place": "Place", "locator": "Record locator"},
            "affected-changes",
            selection=None,
            noun=("person", "people"),
        )


def mark_row(
    workspace: Workspace,
    incident: Incident | None,
    listed: pd.DataFrame,
    marks: Mapping[str, Mark] | None,
    person: str,
    status: MarkStatus,
) -> None:
    """Mark one person of the list, without a note."""
    if incident is not None and marks is not None:
        _mark(workspace, incident, listed[listed["person"] == person], status, "", marks)


def _mark_selected(
    workspace: Workspace, incident: Incident, rows: pd.DataFrame, status: MarkStatus, marks: Mapping[str, Mark]
) -> None:
    if _mark(workspace, incident, rows, status, _NOTE.get(), marks):
        _NOTE.set("")


def _mark(
    workspace: Workspace,
    incident: Incident,
    rows: pd.DataFrame,
    status: MarkStatus,
    note: str,
    marks: Mapping[str, Mark],
) -> bool:
    """Mark people, and return whether no one else has just marked them."""
    journal, actor = workspace.journal.incidents, workspace.actor
    latest = journal.marks(actor, incident.id)
    # The second click of a double click would remove the note.
    is_marked = [not note and person in latest and latest[person].status == status for person in rows["person"]]
    return _change_marks(
        rows[[not each for each in is_marked]],
        marks,
        partial(journal.mark, actor, incident.id, status=status, note=note),
        _MARKED[status][len(rows) != 1].format(len(rows)),
    )


def _assign(workspace: Workspace, incident: Incident, rows: pd.DataFrame, marks: Mapping[str, Mark]) -> None:
    assignee = _ASSIGNEE.get()
    _ASSIGNEE.set(None)
    if assignee is None:
        return
    journal, actor = workspace.journal.incidents, workspace.actor
    people = count(len(rows), "person is", "people are")
    cleared = f"{people} no longer assigned to anyone."
    _change_marks(
        rows,
        marks,
        partial(journal.assign, actor, incident.id, assignee=assignee),
        f"{people} assigned to {plain(assignee)}." if assignee else cleared,
    )


def _change_marks(rows: pd.DataFrame, marks: Mapping[str, Mark], change: Callable[..., Mark], success: str) -> bool:
    """Change the mark of each person over the version that is shown. Returns whether every mark was changed.

    `change` takes `person`, and `over` as the version.
    """
    changed_by_others = []
    _PROBLEM.set("")
    for person, name in zip(rows["person"], rows["name"], strict=True):
        try:
            change(person=str(person), over=marks[person].version if person in marks else 0)
        except IncidentChanged:
            changed_by_others.append(str(name))
        except JournalError as error:
            _PROBLEM.set(str(error))
            return False
    if changed_by_others:
        _PROBLEM.set(f"Someone else has just changed {names(changed_by_others)}. Check the change, then try again.")
        return False
    show_success(success)
    return True
