"""What a person saw when they last looked at rosters, stored in the journal for each person."""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import Final

from domain.expected_locations.roster_changes import RosterSnapshot
from domain.runtime.workspace import Workspace

_KIND: Final = "map_last_look"


def read_last_look(workspace: Workspace, rosters: str) -> RosterSnapshot | None:
    """Return the last look at the rosters, named by `RosterChoice.value`; None if there is none that can be read."""
    stored = workspace.journal.drafts.load(workspace.actor, _KIND, rosters)
    return RosterSnapshot.from_bytes(b64decode(stored.payload["snapshot"])) if stored is not None else None


def save_last_look(workspace: Workspace, rosters: str, snapshot: RosterSnapshot) -> None:
    """Store a look at the rosters over the one before. Raises JournalError."""
    payload = {"snapshot": b64encode(snapshot.to_bytes()).decode()}
    workspace.journal.drafts.save(workspace.actor, _KIND, rosters, payload)
