"""The sites of the demo organization as assets, and areas around them in the shape library."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from datetime import date
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection

from service.accounts.models import Caller
from service.assets import repository as assets
from service.assets.models import Asset
from service.demo.demo_travelers import BASES
from service.demo.world import City, cities
from service.shape_library import repository as shapes
from shapes.reading import Shape

Position = tuple[float, float]
"""Longitude and latitude in decimal degrees."""

_KILOMETRES_A_DEGREE = 111.32
_PLANTS = ("BOM", "PVG", "GRU", "JNB", "FRA")
_CAMPUSES = ("LHR", "JFK", "SIN", "SFO", "BLR", "FRA")

_WATCHED: dict[str, Sequence[Position]] = {
    "Strait of Hormuz": ((54.6, 24.6), (57.4, 24.6), (57.4, 27.3), (54.6, 27.3)),
    "Bay of Naples": ((13.9, 40.5), (14.6, 40.5), (14.6, 40.95), (13.9, 40.95)),
    "Florida peninsula": ((-83.3, 24.9), (-79.8, 24.9), (-79.8, 30.8), (-83.3, 30.8)),
    "Kanto plain": ((138.9, 35.1), (140.9, 35.1), (140.9, 36.7), (138.9, 36.7)),
}
_EXTERNAL_ID = "OFFICE-{}"


def office_id(base: str) -> str:
    """Return the external ID of the office in a home city, by airport code."""
    return _EXTERNAL_ID.format(base)


def offices() -> list[str]:
    """Return the airport codes of the cities with an office."""
    return sorted(BASES)


def ensure(connection: Connection, caller: Caller, _today: date) -> None:
    """Store the initial sites and areas of the demo."""
    found = assets_by_id()
    assets.add(connection, caller, list(found.values()), list(found))
    for folder, name, shape in _regions():
        folder_id = shapes.ensure_folder(connection, caller, folder) if folder else None
        shapes.add_region(connection, caller, name=name, folder_id=folder_id, file_name=f"{name}.kml", shape=shape)


def assets_by_id() -> dict[str, Asset]:
    """Return the sites as assets, by ID."""
    return {sha256(f"asset {asset.external_id}".encode()).hexdigest()[:24]: asset for asset in _assets()}


def asset_rows() -> list[dict[str, Any]]:
    """Return the sites as rows of an asset file, by heading."""
    return [
        {
            "Asset id": asset_id,
            "Name": asset.name,
            "External id": asset.external_id,
            "Asset type": asset.asset_type_id,
            "Category": asset.category,
            "Icon": asset.icon_id,
            "Notes": asset.notes,
            "Street": asset.address and asset.address.street_address1,
            "City": asset.address and asset.address.city,
            "Country": asset.address and asset.address.country,
            "Geometry (GeoJSON)": asset.geometry,
            "Properties": json.dumps([each.model_dump(by_alias=True) for each in asset.properties or ()]),
        }
        for asset_id, asset in assets_by_id().items()
    ]


def region_rows() -> list[dict[str, Any]]:
    """Return the areas of the shape library, by the fields of their upload."""
    return [
        {
            "regionName": name,
            "folder": folder or "",
            "fileName": f"{name}.kml",
            "bytes": len(shape.geometry),
            "features": shape.feature_count,
            "Geometry (GeoJSON)": shape.geometry,
        }
        for folder, name, shape in _regions()
    ]


def _assets() -> Iterator[Asset]:
    for base in offices():
        city = cities()[base]
        point = {"type": "Point", "coordinates": [city.longitude, city.latitude]}
        yield _asset(city, office_id(base), f"{city.name} office", "office", point)
    for base in _PLANTS:
        city = cities()[base]
        ground = {"type": "Polygon", "coordinates": [_circle(city, 1.2, offset_km=14)]}
        yield _asset(city, f"PLANT-{base}", f"{city.name} plant", "plant", ground)


def _asset(city: City, external_id: str, name: str, kind: str, geometry: dict[str, Any]) -> Asset:
    return Asset.model_validate(
        {
            "name": name,
            "assetTypeId": kind,
            "category": "Site",
            "externalId": external_id,
            "iconId": kind,
            "notes": f"{name}, demo organization",
            "geometry": json.dumps(geometry),
            "address": {"city": city.name, "country": city.country, "streetAddress1": f"1 {city.name} Way"},
            "properties": [{"name": "Airport", "propertyId": "airport", "value": city.iata}],
        }
    )


def _regions() -> Iterator[tuple[str | None, str, Shape]]:
    for base in _CAMPUSES:
        city = cities()[base]
        yield "Campuses", f"{city.name} campus", _shape(f"{city.name} campus", _circle(city, 3))
    for name, corners in _WATCHED.items():
        yield "Watch areas", name, _shape(name, [*corners, corners[0]])
    zurich = cities()["ZRH"]
    yield None, "Headquarters region", _shape("Headquarters region", _circle(zurich, 25))


def _circle(city: City, kilometres: float, *, offset_km: float = 0) -> list[Position]:
    height = kilometres / _KILOMETRES_A_DEGREE
    width = height / math.cos(math.radians(city.latitude))
    east = city.longitude + width * offset_km / kilometres
    turns = [2 * math.pi * step / 48 for step in range(48)]
    ring = [
        (round(east + width * math.cos(turn), 6), round(city.latitude + height * math.sin(turn), 6)) for turn in turns
    ]
    return [*ring, ring[0]]


def _shape(name: str, ring: Sequence[Position]) -> Shape:
    geometry = {"type": "Polygon", "coordinates": [ring]}
    feature = {"type": "Feature", "properties": {"name": name}, "geometry": geometry}
    longitudes, latitudes = [position[0] for position in ring], [position[1] for position in ring]
    return Shape(
        geometry=json.dumps({"type": "FeatureCollection", "features": [feature]}, separators=(",", ":")),
        feature_count=1,
        west=min(longitudes),
        south=min(latitudes),
        east=max(longitudes),
        north=max(latitudes),
    )
