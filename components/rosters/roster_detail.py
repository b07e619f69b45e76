"""Drawing one roster beside the list: its trips, and what can be done with it."""

from __future__ import annotations

from datetime import datetime
from functools import partial

import streamlit as st

from components.intake.steps import forget
from components.records.record_table import record_table
from components.rosters import changes
from components.rosters.roster_frame import load_words, roster_download, trips_frame
from components.rosters.roster_intake import roster_intake
from components.rosters.state import FAILURE, RENAME_PROBLEM, REPLACE_PROBLEM
from components.shell.calls import End
from components.shell.changing import change
from components.shell.confirm import confirm_dialog
from components.shell.navigation import link_to
from components.shell.notices import done
from components.shell.screens import EXPECTED_LOCATIONS
from components.shell.workspace import Workspace
from components.widgets.field_problem import field_problem
from components.widgets.markdown_text import plain
from components.widgets.number_text import count, names
from components.widgets.time_text import moment
from journal import Roster, RosterEntry, RosterLoad

RENAMING, REPLACING = "roster.rename", "roster.replace"
MAX_NAME_LENGTH = 100
NAMED_IN_DIALOG = 6


def roster_detail(workspace: Workspace, roster: Roster, load: RosterLoad | None, now: datetime) -> None:
    """Draw a roster below its name."""
    entries = roster.entries()
    made = f"made by {plain(roster.created_by)} on {moment(roster.created_at, now=now)}"
    st.caption(f"{count(roster.entry_count, 'trip', 'trips')} · {made} · last on the map: {load_words(load, now)}")
    with st.container(horizontal=True, vertical_alignment="center"):
        link_to(EXPECTED_LOCATIONS, "Open on the map", roster=roster.id)
        with st.popover("Rename", icon=":material/edit:"):
            _rename(workspace, roster)
    record_table(
        trips_frame(entries),
        {"locator": "Record locator", "travellers": "Travellers", "known": "Itinerary id at the service"},
        key=f"rosters-trips-{roster.id}",
        selection=None,
        noun=("trip", "trips"),
        file=lambda _: roster_download(entries),
        stem=f"roster-{roster.id}",
    )
    with st.expander("Replace the trips", icon=":material/sync_alt:"):
        _replace(workspace, roster)


def _rename(workspace: Workspace, roster: Roster) -> None:
    key = f"rosters-rename-{roster.id}"
    name = st.text_input("New name", roster.name, key=key, max_chars=MAX_NAME_LENGTH, on_change=RENAME_PROBLEM.clear)
    field_problem(RENAME_PROBLEM.get())

    def rename() -> None:
        work = partial(changes.rename, workspace, roster, st.session_state[key])
        change(workspace, RENAMING, str(roster.id), work, doing=f"renaming the roster “{roster.name}”", then=renamed)

    def renamed(end: End) -> None:
        RENAME_PROBLEM.set(None if end.error is None else str(end.error))
        if end.error is None:
            done(f"The roster is called “{end.value.name}” now")

    st.button("Save the name", key=f"{key}-save", on_click=rename, disabled=name == roster.name)


def _replace(workspace: Workspace, roster: Roster) -> None:
    st.caption("What you give here takes the place of all trips above. Trips that stay keep what was learnt for them.")
    entries = roster_intake(workspace, key=_draft(roster), problem=REPLACE_PROBLEM.get())
    before, after = count(roster.entry_count, "trip", "trips"), count(len(entries), "trip", "trips")
    if st.button(f":red[Replace {before} by {after}]", key="rosters-replace", disabled=not entries):
        confirm_dialog(
            "Replace the trips?",
            [
                (
                    f"The {before} of **{plain(roster.name)}** are taken out of it, and {after} put in: "
                    f"{plain(names([entry.record_locator for entry in entries], at_most=NAMED_IN_DIALOG))}."
                ),
                "Nothing changes at the service.",
            ],
            f"Replace {before}",
            partial(_do_replace, workspace, roster, entries),
            key="rosters-replace-dialog",
            icon=":material/sync_alt:",
        )


def _draft(roster: Roster) -> str:
    return f"rosters-replace-{roster.id}"


def _do_replace(workspace: Workspace, roster: Roster, entries: list[RosterEntry]) -> None:
    doing = f"replacing the trips of “{roster.name}”"
    work = partial(changes.replace, workspace, roster, entries)
    change(workspace, REPLACING, str(roster.id), work, doing=doing, then=partial(_replaced, workspace, roster, doing))


def _replaced(workspace: Workspace, roster: Roster, doing: str, end: End) -> None:
    if end.error is not None:
        FAILURE.set((doing, end.error))
        return
    forget(_draft(roster), workspace)
    done(f"“{end.value.name}” holds {count(end.value.entry_count, 'trip', 'trips')} now")
