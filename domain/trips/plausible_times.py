"""How long and how fast a segment can be: one rule for a trip in the editor and for all rows of a file.

Every function takes single numbers and NumPy arrays alike.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

LONGEST_FLIGHT: Final = timedelta(hours=24)
"""No flight takes longer, stops included; a longer one has a wrong day or zone."""
LONG_FLIGHT: Final = timedelta(hours=20)
"""No flight takes longer without a stop."""
FASTEST: Final = {"air": 1150.0, "rail": 400.0, "car": 180.0}
"""Faster than these, door to door, nothing of its kind goes (km/h)."""
JUDGED_FROM_KM: Final = 300.0
"""Shorter ways are not judged by their speed: times are whole minutes."""


def is_too_long(kind: str, hours: Any) -> Any:
    """Whether no segment of a kind lasts that long."""
    return (kind.casefold() == "air") & (hours > LONGEST_FLIGHT / timedelta(hours=1))


def is_long(kind: str, hours: Any) -> Any:
    """Whether a person should check that it lasts that long."""
    return (kind.casefold() == "air") & (hours > LONG_FLIGHT / timedelta(hours=1))


def is_too_fast(kind: str, kilometers: Any, hours: Any) -> Any:
    """Whether nothing of a kind goes that far in that time."""
    fastest = FASTEST.get(kind.casefold(), float("inf"))
    return (kilometers >= JUDGED_FROM_KM) & (kilometers > fastest * hours)


def is_impossible(kilometers: Any, hours: Any) -> Any:
    """Whether no aircraft goes that far in that time."""
    return is_too_fast("air", kilometers, hours)
