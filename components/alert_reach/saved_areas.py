"""Saved areas: places that an organization keeps by name, to be chosen together when they are needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from journal import JournalError, NameTaken

if TYPE_CHECKING:
    from components.shell.workspace import Workspace

KIND: Final = "saved_area"
_SEEDED: Final = "saved_area_demo"
_DEMO: Final = {
    "Boulder and its foothills": (80301, 80302, 80303, 80304, 80305, 80455, 80466, 80481),
    "Downtown Denver": (80202, 80203, 80204, 80205, 80264, 80265, 80290, 80293, 80294),
}
"""Those that the demo organization begins with: zip codes, which are their own ids in the embedded service."""


@dataclass(frozen=True)
class SavedArea:
    """Places under a name, as ids of the region lookup; `version` is the latest."""

    name: str
    regions: tuple[int, ...]
    version: int
    saved_by: str
    saved_at: datetime


def saved_areas(workspace: Workspace) -> list[SavedArea]:
    """The organization's areas, by name."""
    actor = workspace.actor
    if workspace.is_demo:
        _seed(workspace)
    kept = workspace.journal.kept_by_name.list(actor.service, actor.organization_id, KIND)
    return [
        SavedArea(each.name, tuple(each.payload.get("regions", ())), each.version, each.saved_by, each.saved_at)
        for each in kept
    ]


def save_area(workspace: Workspace, name: str, regions: Sequence[int], *, over: int = 0) -> None:
    """Keep places under a name. Raises `NameTaken` where an area has it, and `over` is not its latest version."""
    if not regions:
        raise JournalError("Choose places first: an area without any reaches nobody.")
    workspace.journal.kept_by_name.save(workspace.actor, KIND, name, {"regions": list(regions)}, over=over)


def forget_area(workspace: Workspace, name: str) -> None:
    """Delete an area; alerts that its places were chosen for keep them."""
    workspace.journal.kept_by_name.delete(workspace.actor, KIND, name)


def _seed(workspace: Workspace) -> None:
    """Give the demo organization its first ones, once: what is deleted stays deleted."""
    actor, kept = workspace.actor, workspace.journal.kept_by_name
    if kept.list(actor.service, actor.organization_id, _SEEDED):
        return
    try:
        kept.save(actor, _SEEDED, "made", {})
        for name, regions in _DEMO.items():
            save_area(workspace, name, regions)
    except NameTaken:
        # Another tab was first.
        return
