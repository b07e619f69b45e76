"""What the region picker keeps in a browser session, each place declared once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from components.alert_reach.region_paste import Pasted
from components.public_alerts.draft import AlertDraft
from components.shell.state import StateKey


@dataclass(frozen=True)
class Step:
    """The places before a step that changed many at once, and what the step did; `uid` is the draft's."""

    uid: str
    words: str
    regions: tuple[int, ...]


@dataclass(frozen=True)
class Asked:
    """A step that a control asked for and that may not be done yet; `uid` is the draft's."""

    uid: str
    do: Callable[[AlertDraft], None]


TEXT: Final = StateKey[str]("public_alerts.region_text", str)
KIND: Final = StateKey[str]("public_alerts.region_kind", str)
STATE: Final = StateKey[str]("public_alerts.region_state", str)
PASTED_TEXT: Final = StateKey[str]("public_alerts.region_pasted_text", str)
PASTED: Final = StateKey[tuple[str, Pasted] | None]("public_alerts.region_pasted", lambda: None)
SHOWN: Final = StateKey[int]("public_alerts.region_shown", int)
STEP: Final = StateKey[Step | None]("public_alerts.region_step", lambda: None)
CHANGED: Final = StateKey[bool]("public_alerts.region_changed", bool)
ASKED: Final = StateKey[list[Asked]]("public_alerts.region_asked", list)
SEARCHED_FOR: Final = StateKey[str]("public_alerts.region_searched_for", str)
LOOKED_AT: Final = StateKey[str | None]("public_alerts.region_looked_at", lambda: None)
AREA_NAME: Final = StateKey[str]("public_alerts.area_name", str)
AREA_ERROR: Final = StateKey[str]("public_alerts.area_error", str)
MAP_OPEN: Final = StateKey[bool]("public_alerts.map_open", bool)
AREA_KIND: Final = StateKey[str | None]("public_alerts.area_kind", lambda: None)
AREA_CENTRE: Final = StateKey[int]("public_alerts.area_centre", int)
AREA_MILES: Final = StateKey[float]("public_alerts.area_miles", lambda: 10.0)
AREA_CORNERS: Final = StateKey[str]("public_alerts.area_corners", str)
AREA_RING: Final = StateKey[list[tuple[float, float]]]("public_alerts.area_ring", list)
