"""A sheet to draw on: the counties and towns around a reach, on which an area is drawn freehand by mouse or finger.

The framework's map tells what is pressed on it and not where, nor what part of the world it shows by then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import streamlit as st
from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest

Ring: TypeAlias = list[tuple[float, float]]
"""The way around an area: latitudes and longitudes in degrees."""

_NAME: Final = "muster_alert_reach.drawing_sheet"
_SCRIPTS: Final = ComponentManifest("muster_alert_reach", "", [ComponentConfig("drawing_sheet", "browser")])


def drawing_sheet(
    ground: Mapping[str, Any], ring: Sequence[tuple[float, float]], *, key: str, then: Callable[[Ring], None]
) -> None:
    """Draw a sheet of `ground_of` with what was drawn on it before; what is drawn now is given to `then`."""

    def drawn() -> None:
        then(ring_in(st.session_state[key]["ring"]))

    _drawn()(key=key, data={**ground, "ring": [list(corner) for corner in ring]}, on_ring_change=drawn)


def ring_in(told: Any) -> Ring:
    """The corners that the browser told; none where they make no area."""
    try:
        ring = [(float(lat), float(lon)) for lat, lon in told or ()]
    except (TypeError, ValueError):
        return []
    is_on_earth = all(abs(lat) <= 90 and abs(lon) <= 180 for lat, lon in ring)
    return ring if len(set(ring)) > 2 and is_on_earth else []


def _drawn() -> Any:
    """The part of the page that is drawn on; its scripts are served from here, as the security policy asks."""
    manager = get_bidi_component_manager()
    if manager.get(_NAME) is None:
        manager.register_from_manifest(_SCRIPTS, Path(__file__).parent)
    return st.components.v2.component(_NAME, js="drawing_sheet.js", css="drawing_sheet.css")
