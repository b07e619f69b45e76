"""Draw the marks of an incident's people, the buttons to mark them, and what changed on the list."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

import pandas as pd
import streamlit as st

from components.record_list.record_table import record_table
from components.shell.notices import field_problem, show_success
from components.shell.page_redraw import redraw_page
from components.shell.state import StateKey
from domain.expected_locations.location_frame import Locations
from domain.incidents.affected import Affected
from domain.incidents.affected_texts import CHANGE_LABELS, MARK_STATUSES, mark_counts
from domain.incidents.list_changes import find_list_changes, list_snapshot
from domain.runtime.workspace import Workspace
from domain.text.plain_text import count, names
from domain.text.time_text import moment
from journal.incidents import MAX_NOTE_LENGTH, Incident, LastView, Mark, MarkStatus
from journal.journal_errors import IncidentChanged, JournalError

REFRESH_SECONDS: Final = 2.0
_NOTE: Final = StateKey[str]("incidents.mark_note", str)
_PROBLEM: Final = StateKey[str]("incidents.mark_problem", str)
_LOOK: Final[StateKey[tuple[int, LastView | None] | None]] = StateKey("incidents.last_look", lambda: None)
"""The open incident, and the list as the person saw it last time."""


def draw_mark_counts(workspace: Workspace, incident: Incident, affected: Affected, marks: Mapping[str, Mark]) -> None:
    """Draw the number of people per mark. Draws the page again soon after someone else changes the incident."""
    journal, actor = workspace.journal.incidents, workspace.actor
    drawn = journal.latest_event_id(actor, incident.id)
    counts = mark_counts(affected, marks)
    texts = [
        f"**{number:,}** {'need help' if status == 'needs help' and number != 1 else status}"
        for status, number in counts.items()
    ]

    @st.fragment(run_every=REFRESH_SECONDS)
    def redraw() -> None:
        st.markdown(" · ".join(texts))
        if journal.latest_event_id(actor, incident.id) != drawn:
            redraw_page()

    redraw()


def draw_marking(
    workspace: Workspace, incident: Incident | None, rows: pd.DataFrame, marks: Mapping[str, Mark] | None
) -> None:
    """Draw the buttons that mark the selected people of a saved incident."""
    if incident is None or marks is None:
        return
    if rows.empty:
        st.caption("Select people in the list to mark them as contacted, safe, or in need of help.")
        return
    with st.container(border=True, key="incident-marking"):
        st.markdown(f"**Mark {count(len(rows), 'person', 'people')}**")
        st.text_input("Note", key=_NOTE.widget_key, max_chars=MAX_NOTE_LENGTH, placeholder="At the hotel, uninjured")
        with st.container(horizontal=True):
            for status in ("contacted", "safe", "needs help", "unanswered"):
                st.button(
                    MARK_STATUSES[status],
                    key=f"incident-mark-{status.replace(' ', '-')}",
                    on_click=_mark,
                    args=(workspace, incident, rows, status, marks),
                )
        field_problem(_PROBLEM.get() or None)


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
        st.caption(f"No one has arrived, left, or been added, and no trip was canceled {since}.")
        return
    with st.expander(f"{count(len(changes), 'change', 'changes')} {since}", icon=":material/history:", expanded=True):
        record_table(
            changes.assign(change=changes["change"].map(CHANGE_LABELS)),
            {"name": "Person", "change": "Change", "place": "Place", "locator": "Record locator"},
            "affected-changes",
            selection=None,
            noun=("person", "people"),
        )


def _mark(
    workspace: Workspace, incident: Incident, rows: pd.DataFrame, status: MarkStatus, marks: Mapping[str, Mark]
) -> None:
    journal, actor = workspace.journal.incidents, workspace.actor
    marked_by_others, note, latest = [], _NOTE.get(), journal.marks(actor, incident.id)
    _PROBLEM.set("")
    for person, name in zip(rows["person"], rows["name"], strict=True):
        if not note and person in latest and latest[person].status == status:
            # The second click of a double click would remove the note.
            continue
        version = marks[person].version if person in marks else 0
        try:
            journal.mark(actor, incident.id, person, status, note, over=version)
        except IncidentChanged:
            marked_by_others.append(str(name))
        except JournalError as error:
            _PROBLEM.set(str(error))
            return
    if marked_by_others:
        _PROBLEM.set(f"Someone else has just marked {names(marked_by_others)}. Check the new mark, then mark again.")
    else:
        _NOTE.set("")
        show_success(f"{count(len(rows), 'person is', 'people are')} marked as {status}.")
