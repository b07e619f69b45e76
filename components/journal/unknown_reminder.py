"""The notice on every screen about changes with status Unknown, as after a crash or a lost response."""

from __future__ import annotations

import streamlit as st

from components.journal.entry_list import OUTCOME, unknown_count
from components.record_list.unknown_changes import draw_during_recovery
from components.shell.address import link_to
from domain.runtime.screens import JOURNAL
from domain.runtime.workspace import Workspace
from domain.tables.status import UNKNOWN
from domain.text.plain_text import count


def draw_unknown_reminder(workspace: Workspace) -> None:
    """Draw how many changes have status Unknown, and a link to them."""

    def draw() -> None:
        if number := unknown_count(workspace):
            changes = count(number, "change has", "changes have")
            st.warning(
                f"**{changes} status Unknown.** Check the service before you repeat a change.",
                icon=":material/help:",
            )
            link_to(JOURNAL, "Check in the Journal", **{OUTCOME.name: str(UNKNOWN)})

    draw_during_recovery(draw)
