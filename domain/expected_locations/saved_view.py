"""What an organization stores by name for its map: views, and the limit of people at one place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from domain.expected_locations.bounds import Bounds
from domain.runtime.workspace import Workspace
from journal import JournalError

VIEW: Final = "map_view"
_LIMIT: Final = "map_limit"
_LIMIT_NAME: Final = "People together"
HIGHEST_LIMIT: Final = 1_000_000


@dataclass(frozen=True)
class SavedView:
    """A view of the map under a name; `fields` are parameters of the address with their values."""

    name: str
    version: int
    fields: Mapping[str, Sequence[str]]
    area: Bounds | None


def saved_views(workspace: Workspace) -> list[SavedView]:
    """List the views of the organization by name."""
    return [
        SavedView(each.name, each.version, each.payload["fields"], _bounds(each.payload.get("area")))
        for each in workspace.journal.versioned_records.list(workspace.actor, VIEW)
    ]


def save_view(
    workspace: Workspace, name: str, fields: Mapping[str, Sequence[str]], area: Bounds | None, *, over: int
) -> None:
    """Save a view over the version of that name that was seen, 0 for a new name. Raises JournalError."""
    payload = {"fields": {each: list(values) for each, values in fields.items()}, "area": area and list(area)}
    workspace.journal.versioned_records.save(workspace.actor, VIEW, name, payload, over=over)


def delete_view(workspace: Workspace, view: SavedView) -> None:
    """Delete a view for everyone in the organization. Raises JournalError if it has changed meanwhile."""
    workspace.journal.versioned_records.delete(workspace.actor, VIEW, view.name, over=view.version)


def read_limit(workspace: Workspace) -> int | None:
    """The most people that the organization wants at one place or on one leg; None for no limit."""
    stored = workspace.journal.versioned_records.versions(workspace.actor, _LIMIT, _LIMIT_NAME)
    return stored[0].payload.get("people") if stored else None


def save_limit(workspace: Workspace, limit: int | None) -> None:
    """Store the limit for the organization. Raises JournalError."""
    if limit is not None and not 0 < limit <= HIGHEST_LIMIT:
        raise JournalError(f"The limit must be from 1 to {HIGHEST_LIMIT:,}.")
    workspace.journal.versioned_records.save(workspace.actor, _LIMIT, _LIMIT_NAME, {"people": limit}, over=None)


def _bounds(area: Sequence[float] | None) -> Bounds | None:
    return Bounds(*area) if area else None
