"""Draws what changed in the rosters since the person last looked."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

import streamlit as st

from components.expected_locations.people_table import select_person
from components.record_list.record_table import record_table
from components.shell.notices import show_failure
from components.shell.state import StateKey
from domain.expected_locations import expected_words
from domain.expected_locations.at_moment import to_the_minute
from domain.expected_locations.last_look import read_last_look, save_last_look
from domain.expected_locations.location_frame import Locations
from domain.expected_locations.roster_changes import RosterSnapshot, find_changes, take_snapshot
from domain.expected_locations.roster_choice import RosterChoice
from domain.runtime.workspace import Workspace
from domain.text.plain_text import plain
from domain.text.time_text import moment
from journal import JournalError

_HAS_LOOK: Final = StateKey[set[str]]("expected.has_last_look", set)
"""The rosters of which a look is known to be stored."""


def note_first_look(workspace: Workspace, rosters: RosterChoice, locations: Locations, now: datetime) -> None:
    """Store the first look of a person at rosters whose trips are all read."""
    if rosters.value in _HAS_LOOK.get():
        return
    if read_last_look(workspace, rosters.value) is None:
        _save(workspace, rosters.value, take_snapshot(locations, to_the_minute(now)))
    _HAS_LOOK.get().add(rosters.value)


def draw_changes(workspace: Workspace, rosters: RosterChoice, locations: Locations, *, is_whole: bool) -> None:
    """Draw who arrived, left, is new, or is canceled since the last look, and the button that makes this the last."""
    st.header("What changed since you last looked", anchor=False)
    before = read_last_look(workspace, rosters.value) if is_whole else None
    if before is None:
        st.caption("Muster can compare once all trips are loaded.")
        return
    now = datetime.now(UTC)
    current = take_snapshot(locations, to_the_minute(now))
    changes = find_changes(before, current, locations)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.markdown(expected_words.changes_text(changes, moment(before.taken_at, now=now)), width="content")
        st.button(
            "Mark as seen",
            icon=":material/done_all:",
            key="expected-mark-seen",
            help="The list then shows only changes from now on.",
            on_click=_save,
            args=(workspace, rosters.value, current),
        )
    if changes.empty:
        return
    picked = record_table(
        changes,
        expected_words.CHANGE_COLUMNS,
        "expected-changes",
        id_column=("person", "change", "place_id", "locator"),
        format_page=expected_words.shown_changes,
        noun=("change", "changes"),
        default_order="name",
        build_file=expected_words.changes_file,
        stem=expected_words.stem(rosters.name, now).replace("expected-", "changes-", 1),
    )
    for row in picked.rows.to_dict("records"):
        st.button(
            f"Show {plain(str(row['name']))}",
            key=f"expected-show-changed-{row['person']}",
            icon=":material/person:",
            on_click=select_person,
            args=(str(row["person"]),),
        )


def _save(workspace: Workspace, rosters: str, snapshot: RosterSnapshot) -> None:
    try:
        save_last_look(workspace, rosters, snapshot)
    except JournalError as error:
        show_failure(str(error))
