"""The part of the world that a map shows."""

from __future__ import annotations

from typing import NamedTuple


class Bounds(NamedTuple):
    """Decimal degrees. Where the part crosses the date line, `east` is less than `west`."""

    west: float
    south: float
    east: float
    north: float
