"""Saved areas: places that an organization saves by name.

An alert template refers to the areas of its places. A new alert gets their current places.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple

from domain.alerts.alert_templates import alert_templates, same_name, seed_demo, start_from_template
from domain.alerts.draft import AlertDraft, UsedArea
from domain.runtime.workspace import Workspace
from domain.text.plain_text import count
from journal import JournalError

KIND: Final = "saved_area"
_DEMO: Final = {
    "Boulder and its foothills": (80301, 80302, 80303, 80304, 80305, 80455, 80466, 80481),
    "Downtown Denver": (80202, 80203, 80204, 80205, 80264, 80265, 80290, 80293, 80294),
}
"""The areas of the demo organization: ZIP codes, which are their own IDs in the embedded service."""


class SavedArea(NamedTuple):
    """Places under a name, as IDs of the region lookup. `version` is the latest."""

    name: str
    regions: tuple[int, ...]
    version: int
    saved_by: str
    saved_at: datetime


class AreaNote(NamedTuple):
    """A note about the area of an alert's places. `newer` is the current area if it differs."""

    words: str
    is_amiss: bool = False
    newer: SavedArea | None = None


def saved_areas(workspace: Workspace) -> list[SavedArea]:
    """Return the organization's areas, by name."""
    seed_demo(workspace, KIND, lambda: {name: {"regions": regions} for name, regions in _DEMO.items()})
    saved = workspace.journal.versioned_records.list(workspace.actor, KIND)
    return [
        SavedArea(each.name, tuple(each.payload.get("regions", ())), each.version, each.saved_by, each.saved_at)
        for each in saved
    ]


def save_area(workspace: Workspace, name: str, regions: Sequence[int], *, over: int = 0) -> SavedArea:
    """Save places as the next version of an area. Raises `NameTaken` if `over` is not the latest version."""
    if not regions:
        raise JournalError("Select places first. An area needs at least one place.")
    actor, payload = workspace.actor, {"regions": list(regions)}
    version = workspace.journal.versioned_records.save(actor, KIND, name, payload, over=over)
    return SavedArea(" ".join(name.split()), tuple(regions), version, actor.username, datetime.now(UTC))


def delete_area(workspace: Workspace, area: SavedArea) -> None:
    """Delete an area. Alerts keep its places.

    Raises `JournalError` if it is not the latest version.
    """
    workspace.journal.versioned_records.delete(workspace.actor, KIND, area.name, over=area.version)


def taken(draft: AlertDraft) -> list[UsedArea]:
    """Return the areas whose places are all among the recipients."""
    chosen = frozenset(draft.regions)
    return [area for area in draft.areas if chosen.issuperset(area.regions)]


def with_area(draft: AlertDraft, area: SavedArea) -> AlertDraft:
    """Return the draft with the places of an area instead of those of its earlier version."""
    others = [each for each in taken(draft) if not same_name(each.name, area.name)]
    gone = {number for each in taken(draft) if same_name(each.name, area.name) for number in each.regions}
    gone -= {number for each in others for number in each.regions}
    regions = [*(each for each in draft.regions if each not in gone), *area.regions]
    here = UsedArea(area.name, area.version, area.regions)
    return draft.model_copy(update={"regions": list(dict.fromkeys(regions)), "areas": [*others, here]})


def with_latest_areas(workspace: Workspace, draft: AlertDraft) -> AlertDraft:
    """Return the draft with the current places of its areas. Places of deleted areas stay."""
    known = saved_areas(workspace) if draft.areas else []
    for area in taken(draft):
        latest = _named(area.name, known)
        draft = with_area(draft, latest) if latest is not None else draft
    return draft


def area_notes(workspace: Workspace, draft: AlertDraft) -> list[AreaNote]:
    """Return notes about the areas that the recipients came from."""
    known = saved_areas(workspace) if draft.areas else []
    return [_note(area, _named(area.name, known)) for area in taken(draft)]


def templates_with_area(workspace: Workspace, name: str) -> list[str]:
    """Return the alert templates that use an area, by name."""
    drafts = {template.name: start_from_template(template) for template in alert_templates(workspace)}
    return [title for title, draft in drafts.items() if any(same_name(area.name, name) for area in taken(draft))]


def usual_places(workspace: Workspace) -> list[int]:
    """Return the places of the organization's areas and alert templates."""
    areas = [number for area in saved_areas(workspace) for number in area.regions]
    # A template from another version of Muster may have none.
    ready = [number for template in alert_templates(workspace) for number in template.payload.get("regions") or []]
    return list(dict.fromkeys([*areas, *(number for number in ready if isinstance(number, int))]))


def _note(area: UsedArea, latest: SavedArea | None) -> AreaNote:
    places = count(len(area.regions), "place", "places")
    if latest is None:
        message = f"The saved area “{area.name}” was deleted. Check its places, which are still selected ({places})."
        return AreaNote(message, is_amiss=True)
    if set(latest.regions) != set(area.regions):
        now = count(len(latest.regions), "place", "places")
        message = (
            f"{latest.saved_by} changed the saved area “{latest.name}”. Version {latest.version} has {now}, but "
            f"version {area.version} is selected ({places})."
        )
        return AreaNote(message, is_amiss=True, newer=latest)
    return AreaNote(f"From the saved area “{latest.name}”, version {latest.version}: {places}")


def _named(name: str, areas: Iterable[SavedArea]) -> SavedArea | None:
    return next((area for area in areas if same_name(area.name, name)), None)
