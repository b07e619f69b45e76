"""Coordinates are compared with the country, the city, and the airport of their row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from domain.geography.airports import airport, all_airports
from domain.geography.place_conflicts import REASONS, Stated, find_conflict, find_conflicts


def describe_conflict(latitude: float, longitude: float, **fields: Any) -> tuple[str, str | None] | None:
    """The reason of a conflict and the fix for it."""
    found = find_conflict(latitude, longitude, **{"country": None, "city": None, "airport": None, **fields})
    return (found.reason, found.fix) if found else None


@pytest.mark.parametrize(
    ("latitude", "longitude", "fields", "expected"),
    [
        (33.9, 151.2, {"country": "AU"}, ("country", "latitude")),
        (40.7, 74.0, {"country": "US", "city": "New York"}, ("country", "longitude")),
        (23.5, 46.6, {"country": "BR"}, ("country", "signs")),
        (11.58, 48.14, {"country": "DE"}, ("country", "swap")),
        (48.14, -11.58, {"city": "Munich"}, ("city", "longitude")),
        (52.5, 13.4, {"country": "DE", "city": "Munich"}, ("city", "city")),
        (8.57, 50.03, {"airport": airport("FRA")}, ("airport", "swap")),
        (48.14, 11.58, {"airport": airport("FRA")}, ("airport", "airport")),
        (48.14, 11.58, {"country": "AU"}, ("country", None)),
        (0.0, 0.0, {"country": "DE", "city": "Munich"}, ("zero", "city")),
        (0.0, 0.0, {"country": "DE"}, ("zero", "clear")),
        (0.0, 0.0, {}, ("zero", "clear")),
    ],
)
def test_a_contradicting_position_has_a_fix(
    latitude: float, longitude: float, fields: dict[str, Any], expected: tuple[str, str | None]
) -> None:
    assert describe_conflict(latitude, longitude, **fields) == expected


@pytest.mark.parametrize(
    ("latitude", "longitude", "fields"),
    [
        (48.14, 11.58, {"country": "DE", "city": "Munich", "airport": airport("MUC")}),
        (47.59, 7.53, {"country": "CH", "airport": airport("BSL")}),  # an airport across the border
        (-20.9, 55.5, {"country": "FR"}),  # Réunion
        (61.0, 2.5, {"country": "NO"}),  # a platform at sea
        (43.74, 7.42, {"country": "MC"}),  # too small for the map of countries
        (33.66, -95.55, {"country": "US", "city": "Paris"}),  # a town with the same name that is not in the table
        (48.14, 11.58, {"city": "Atlantis"}),
        (40.0, -180.0, {}),
    ],
)
def test_a_plausible_position_is_unchanged(latitude: float, longitude: float, fields: dict[str, Any]) -> None:
    assert describe_conflict(latitude, longitude, **fields) is None


def test_no_airport_contradicts_its_country() -> None:
    ports = list(all_airports().values())
    latitudes, longitudes = (np.array([getattr(port, name) for port in ports]) for name in ("latitude", "longitude"))
    nothing = [None] * len(ports)
    found = find_conflicts(latitudes, longitudes, Stated([port.country for port in ports], nothing, nothing))
    assert [(ports[row].iata, REASONS[found.reason[row]]) for row in np.flatnonzero(found.reason >= 0)] == []
    mirrored = find_conflicts(-latitudes, longitudes, Stated([port.country for port in ports], nothing, nothing))
    assert (mirrored.reason >= 0).mean() > 0.9
