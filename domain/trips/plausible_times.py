"""The limits of how long and how fast a segment can be.

The functions accept single numbers and NumPy arrays.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

LONGEST_FLIGHT: Final = timedelta(hours=24)
"""No flight takes longer, even with stops. A longer one has a wrong day or time zone."""
LONG_FLIGHT: Final = timedelta(hours=20)
"""No nonstop flight takes longer."""
FASTEST: Final = {"air": 1150.0, "rail": 400.0, "car": 180.0}
"""The highest possible average speed, in km/h."""
JUDGED_FROM_KM: Final = 300.0
"""Speeds over shorter distances are not checked, because times are whole minutes."""


def is_too_long(kind: str, hours: Any) -> Any:
    """Return whether no segment of this type can last that long."""
    return (kind.casefold() == "air") & (hours > LONGEST_FLIGHT / timedelta(hours=1))


def is_long(kind: str, hours: Any) -> Any:
    """Return whether a segment is so long that someone should check it."""
    return (kind.casefold() == "air") & (hours > LONG_FLIGHT / timedelta(hours=1))


def is_too_fast(kind: str, kilometers: Any, hours: Any) -> Any:
    """Return whether no segment of this type can go that far in that time."""
    fastest = FASTEST.get(kind.casefold(), float("inf"))
    return (kilometers >= JUDGED_FROM_KM) & (kilometers > fastest * hours)


def is_impossible(kilometers: Any, hours: Any) -> Any:
    """Return whether no aircraft can go that far in that time."""
    return is_too_fast("air", kilometers, hours)
