"""A shape on a map: what any screen that draws shapes says of one of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

Tone = Literal["plain", "warning", "error"]
"""A warning and an error are drawn larger, over the others, and in their color."""
MOST_SHAPES: Final = 2_000
"""How many shapes one map can hold."""


@dataclass(frozen=True)
class Shape:
    """A valid GeoJSON geometry in degrees, longitude first; its name and a line about it."""

    name: str
    about: str
    geometry: Mapping[str, Any]
    tone: Tone = "plain"
    id: str = field(default="", kw_only=True)
