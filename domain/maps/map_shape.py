"""A shape on a map."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

Tone = Literal["plain", "warning", "error"]
"""How a shape is drawn. Warnings and errors are larger, above the others, and in their color."""
MOST_SHAPES: Final = 2_000
"""The largest number of shapes on one map."""


@dataclass(frozen=True)
class Shape:
    """A valid GeoJSON geometry in degrees, longitude first, with its name and a line about it."""

    name: str
    about: str
    geometry: Mapping[str, Any]
    tone: Tone = "plain"
    id: str = field(default="", kw_only=True)


class Outline(NamedTuple):
    """A part of an area on a map on which areas are drawn."""

    name: str
    counts: bool
    """Whether it belongs to the area. Parts of a file that are not selected do not."""
    rings: list[list[list[float]]]
    """Its outer rings, in degrees, longitude first."""
