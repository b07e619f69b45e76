"""The rows of a file that its table shows: a view, or some rows from a link elsewhere on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from components.shell.state import StateKey
from domain.file_import.checked_file import View
from domain.file_import.checking import Check

_FOCUS: Final = StateKey[dict[str, tuple[Check, str, Sequence[int]]]]("file-import.focus", dict)
"""By import: the file, what its rows have in common, and the rows."""


def selected_view(key: str) -> StateKey[View | None]:
    """Return the state of the control that selects all rows, those with errors, or those with warnings."""
    return StateKey(f"{key}-view", lambda: None)


def focus_rows(check: Check, key: str, summary: str, rows: Sequence[int]) -> None:
    """Show only these rows."""
    _FOCUS.get()[key] = check, summary, rows


def clear_focus(key: str) -> None:
    """Show all rows."""
    _FOCUS.get().pop(key, None)


def focused_rows(check: Check, key: str) -> tuple[str, list[int]] | None:
    """Return what the shown rows of this file have in common, and those that are still open."""
    focus = _FOCUS.get().get(key)
    if focus is None or focus[0] is not check:
        return None
    is_open = check.is_open
    rows = [row for row in focus[2] if row < len(is_open) and is_open[row]]
    return (focus[1], rows) if rows else None
