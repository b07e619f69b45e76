"""Store the areas of files in the journal, by the hash of their content, so that the link of an incident can name them.

A stored area never changes. Everyone in the organization can load it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from domain.incidents.area import Area, AreaError
from domain.incidents.area_file import AreaFile
from domain.runtime.workspace import Workspace
from journal.journal_errors import NameTaken
from journal.retention import AREA_KIND

_MAX_BYTES: Final = 8 * 2**20
_CACHE: Final = "incident_areas"


def save_area(workspace: Workspace, area: AreaFile) -> str:
    """Store an area, and return the text that names it in a link. Raises `AreaError` if it is too detailed, or
    JournalError.
    """
    content = json.dumps(area.to_geojson(), sort_keys=True)
    if len(content) > _MAX_BYTES:
        raise AreaError(f"The area is too detailed: {len(content) / 2**20:.1f} MB. The limit is {_MAX_BYTES >> 20} MB.")
    text = f"file:{hashlib.sha256(content.encode()).hexdigest()[:16]}"
    areas = _areas(workspace)
    if text not in areas:
        with suppress(NameTaken):
            workspace.journal.versioned_records.save(workspace.actor, AREA_KIND, text, json.loads(content))
        areas[text] = area
    return text


def load_area(workspace: Workspace, text: str) -> AreaFile | None:
    """Return the area that a text of a link names; None if the organization does not have it."""
    areas = _areas(workspace)
    if text not in areas:
        versions = workspace.journal.versioned_records.versions(workspace.actor, AREA_KIND, text)
        if not versions:
            return None
        areas[text] = AreaFile.from_geojson(versions[0].payload)
    return areas[text]


def incident_area(area: Area, texts: Sequence[str]) -> dict[str, Any]:
    """Return the area as an incident stores it: GeoJSON and notes, with the texts of its parts."""
    return {**area.to_geojson(), "parts": list(texts)}


def incident_parts(workspace: Workspace, collection: Mapping[str, Any]) -> list[str]:
    """Return the texts of the parts of a stored incident. An incident without texts was not saved on the screen."""
    return list(collection.get("parts") or [save_area(workspace, AreaFile.from_geojson(collection))])


def _areas(workspace: Workspace) -> dict[str, AreaFile]:
    """Return the areas that this sign-in has stored or loaded, by text."""
    areas: dict[str, AreaFile] = workspace.unsaved_work.setdefault(_CACHE, {})
    return areas
