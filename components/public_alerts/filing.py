"""The names that notifications are filed under, kept for the session of whoever is signed in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from components.public_alerts.filing_names import FilingNames, filing_names
from components.public_alerts.state import FILING

if TYPE_CHECKING:
    from components.shell.workspace import Workspace


def filing_of(workspace: Workspace, patience: float = 0.0) -> FilingNames:
    """The lists of this person's organization; where they were not asked for yet, wait so many seconds at most."""
    held = FILING.get()
    if held is None or held.source is not workspace.client:
        held = filing_names(workspace.client)
        FILING.set(held)
        if patience:
            held.wait(patience)
    return held
