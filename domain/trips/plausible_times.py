"""The limits of how long and how fast a segment can be."""

from __future__ import annotations

from typing import Final

LONGEST_FLIGHT_HOURS: Final = 24
"""No flight takes longer, even with stops. A longer one has a wrong day or time zone."""
LONG_FLIGHT_HOURS: Final = 20
"""No nonstop flight takes longer."""
FASTEST: Final = {"air": 1150.0, "rail": 400.0, "car": 180.0}
"""The highest possible average speed, in km/h."""
JUDGED_FROM_KM: Final = 300.0
"""Speeds over shorter distances are not checked, because times are whole minutes."""


def is_too_long(kind: str, hours: float) -> bool:
    """Return whether no segment of this type can last that long."""
    return kind.casefold() == "air" and hours > LONGEST_FLIGHT_HOURS


def is_long(kind: str, hours: float) -> bool:
    """Return whether a segment is so long that someone should check it."""
    return kind.casefold() == "air" and hours > LONG_FLIGHT_HOURS


def is_too_fast(kind: str, kilometers: float, hours: float) -> bool:
    """Return whether no segment of this type can go that far in that time."""
    return kilometers >= JUDGED_FROM_KM and kilometers > FASTEST.get(kind.casefold(), float("inf")) * hours


def is_impossible(kilometers: float, hours: float) -> bool:
    """Return whether no aircraft can go that far in that time."""
    return is_too_fast("air", kilometers, hours)
