"""Draws the empty state of screens that need a roster."""

from __future__ import annotations

from components.shell.address import go_to
from components.widgets.empty_state import EmptyAction, draw_empty_state
from domain.runtime.screens import ROSTERS


def draw_no_rosters(purpose: str) -> None:
    """Draw the empty state. `purpose` is the sentence that says what the screen needs rosters for."""
    action = EmptyAction("New roster", lambda: go_to(ROSTERS, roster="new"))
    sentence = f"{purpose} A roster is a named list of trips."
    draw_empty_state("format_list_bulleted", sentence, action, key="no-rosters")
