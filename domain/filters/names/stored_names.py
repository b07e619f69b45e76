"""Names for IDs as the organization stores them: one record of the journal per kind, with all its versions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from domain.filters.names.id_names import KIND_LABELS, IdKind, NamesByKind
from domain.runtime.server import server
from domain.runtime.workspace import Workspace
from domain.tables.loaded_records import MAX_AGE
from journal import JournalError, NameTaken

RECORD_KIND: Final = "id_names"
READ_KEY: Final = "id-names"
"""The key of the background read of the names."""
MAX_NAMES: Final = 5_000
"""The most names of one type, because each version has all of them."""
MAX_NAME_LENGTH: Final = 100
_TRIES: Final = 5

NameChanges = Mapping[IdKind, Mapping[int, str | None]]
"""New names by kind and ID; None removes a name."""


def list_names(workspace: Workspace) -> NamesByKind:
    """Read the names that the organization has stored. Raises JournalError."""
    stored = {each.name: each for each in workspace.journal.versioned_records.list(workspace.actor, RECORD_KIND)}
    return {
        kind: {int(number): str(name) for number, name in stored[kind].payload.get("names", {}).items()}
        for kind in KIND_LABELS
        if kind in stored
    }


def read_names(workspace: Workspace) -> NamesByKind:
    """Return the stored names as they were read last; none if the journal cannot be read."""
    read = server().reads.open(workspace, (READ_KEY,), lambda _: list_names(workspace), max_age=MAX_AGE)
    read.wait(1, since_it_began=True)
    return read.value or {}


def change_names(workspace: Workspace, changes: NameChanges) -> None:
    """Store new names, and remove those that are None. Other names stay, also those that others store meanwhile.

    Raises JournalError.
    """
    for kind, by_id in changes.items():
        for attempt in range(_TRIES):
            versions = workspace.journal.versioned_records.versions(workspace.actor, RECORD_KIND, kind)
            before = versions[0].payload.get("names", {}) if versions else {}
            merged = {**before, **{str(number): name for number, name in by_id.items()}}
            names = {number: " ".join(name.split())[:MAX_NAME_LENGTH] for number, name in merged.items() if name}
            if len(names) > MAX_NAMES:
                raise JournalError(f"Muster stores up to {MAX_NAMES:,} names of one type. Nothing was saved.")
            if names == before:
                break
            over = versions[0].version if versions else 0
            try:
                workspace.journal.versioned_records.save(
                    workspace.actor, RECORD_KIND, kind, {"names": names}, over=over
                )
            except NameTaken:
                if attempt == _TRIES - 1:
                    raise
            else:
                break
    server().reads.invalidate(READ_KEY)
