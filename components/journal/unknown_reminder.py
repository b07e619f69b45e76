"""The notice on every screen that changes have an unknown outcome, as after a crash or a lost response."""

from __future__ import annotations

import time
from typing import Final

import streamlit as st

from components.journal.entry_list import OUTCOME, unknown_count
from components.shell.address import link_to
from domain.journal.words import OUTCOMES
from domain.runtime.screens import JOURNAL
from domain.runtime.workspace import Workspace
from domain.text.plain_text import count

EVERY_SECONDS: Final = 2.0
_STARTED: Final = time.monotonic()
_SETTLING_SECONDS: Final = 15.0
"""So long after a start it is looked again by itself: what a crash left behind is known once its lease is over."""


def draw_unknown_reminder(workspace: Workspace) -> None:
    """Draw how many changes have status Unknown, and the way to them."""
    is_settling = time.monotonic() - _STARTED < _SETTLING_SECONDS

    @st.fragment(run_every=EVERY_SECONDS if is_settling else None)
    def look() -> None:
        if number := unknown_count(workspace):
            changes = count(number, "change has", "changes have")
            st.warning(
                f"**{changes} status Unknown.** Check the service before you repeat a change.",
                icon=":material/help:",
            )
            link_to(JOURNAL, "Check in the Journal", **{OUTCOME.name: OUTCOMES["unknown"].word})

    look()
