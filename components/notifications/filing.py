"""The names that notifications are filed under, for this session: events and categories by id."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from components.public_alerts.filing import filing_of
from components.public_alerts.filing_names import CATEGORIES, EVENTS

if TYPE_CHECKING:
    from components.shell.workspace import Workspace

PATIENCE: Final = 3.0
"""Seconds a list waits for the names at most; after that, ids stand in their place."""


def names_filed_under(workspace: Workspace) -> tuple[Mapping[int, str], Mapping[int, str]]:
    """The names of events and of categories by id, as far as they could be read in a moment."""
    names = filing_of(workspace)
    names.wait(PATIENCE)
    return names.of(EVENTS).names, names.of(CATEGORIES).names
