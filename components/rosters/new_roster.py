"""Drawing the form that makes a roster; what was typed stays until the roster is made."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components.intake.steps import forget
from components.records.declared import NEW
from components.rosters import changes
from components.rosters.roster_intake import roster_intake
from components.rosters.state import FAILURE, NAME, NAME_PROBLEM, ROSTER_IN_URL, TEXT_PROBLEM
from components.shell.calls import End
from components.shell.changing import change, is_same_press
from components.shell.notices import done
from components.shell.workspace import Workspace
from components.widgets.field_problem import field_problem
from components.widgets.number_text import count
from journal import JournalError, Roster, RosterEntry

MAKING = "roster"
MAX_NAME_LENGTH = 100
NO_TRIPS = "Paste at least one record locator, or take a file that holds some."
DRAFT = "rosters-new"


def new_roster(workspace: Workspace) -> None:
    """Draw the form."""
    st.subheader("New roster", anchor=False)
    st.text_input(
        "Name",
        key=NAME.widget_key,
        max_chars=MAX_NAME_LENGTH,
        persist_state="session",
        placeholder="Sales conference, Singapore",
        on_change=NAME_PROBLEM.clear,
    )
    field_problem(NAME_PROBLEM.get())
    entries = roster_intake(workspace, key=DRAFT, problem=TEXT_PROBLEM.get())
    trips = f" of {count(len(entries), 'trip', 'trips')}" if entries else ""
    st.button(
        f"Make a roster{trips}",
        key="rosters-make",
        type="primary",
        icon=":material/playlist_add:",
        on_click=partial(_make, workspace, entries),
    )


def _make(workspace: Workspace, entries: list[RosterEntry]) -> None:
    if is_same_press(workspace, MAKING):
        return
    # It stands open also where there was no roster before.
    st.query_params[ROSTER_IN_URL] = NEW
    name = NAME.get().strip()
    NAME_PROBLEM.set(None if name else "Give the roster a name.")
    TEXT_PROBLEM.set(None if entries else NO_TRIPS)
    if NAME_PROBLEM.get() or not entries:
        return
    work = partial(changes.create, workspace, name, entries)
    change(workspace, MAKING, name, work, doing=f"making the roster “{name}”", then=partial(_made, workspace))


def _made(workspace: Workspace, end: End) -> None:
    if isinstance(end.error, JournalError):
        NAME_PROBLEM.set(str(end.error))
        return
    if end.error is not None:
        FAILURE.set(("making the roster", end.error))
        return
    roster: Roster = end.value
    if end.is_here:
        NAME.set("")
        forget(DRAFT, workspace)
        st.query_params[ROSTER_IN_URL] = str(roster.id)
    done(f"“{roster.name}” holds {count(roster.entry_count, 'trip', 'trips')}")
