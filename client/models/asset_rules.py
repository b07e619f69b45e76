"""The rules that an asset must follow, as messages for people."""

import json
import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..errors import FieldError
from ..vocabulary.assets import (
    COORDINATE_DEPTHS,
    EARLIEST_MOMENT,
    GEOMETRY_COLLECTION,
    LATEST_MOMENT,
    LENGTHS,
    REQUIRED,
)

if TYPE_CHECKING:
    from .assets import Asset

_REQUIRED_WORDS = {
    "assetTypeId": "Select the type of the asset.",
    "externalId": "Enter an external ID.",
    "name": "Enter a name.",
}

_LENGTHS: dict[str, dict[str, int]] = {}
for _path, _most in LENGTHS.items():
    _LENGTHS.setdefault(_path.rpartition(".")[0], {})[_path.rpartition(".")[2]] = _most


def asset_problems(
    asset: "Asset", *, is_update: bool = False, payload: Mapping[str, Any] | None = None
) -> list[FieldError]:
    """Return what keeps this asset from being sent; empty if nothing does.

    An update needs an ID; a create has none. Pass the payload if it exists already. Interface: Asset.
    """
    return list(_problems(asset, is_update, asset.to_wire() if payload is None else payload))


def _problems(asset: "Asset", is_update: bool, payload: Mapping[str, Any]) -> Iterator[FieldError]:
    if is_update and "id" not in payload:
        yield FieldError("id", "Enter the ID of the asset to change.")
    if not is_update and "id" in payload:
        yield FieldError("id", "Remove the ID. The service assigns one to a new asset.")
    for name in REQUIRED:
        if name not in payload:
            yield FieldError(name, _REQUIRED_WORDS[name])
    for outer, names in _LENGTHS.items():
        texts = payload.get(outer, {}) if outer else payload
        for name, most in names.items():
            if name in texts and len(texts[name]) > most:
                path = f"{outer}.{name}" if outer else name
                yield FieldError(path, f"The value has {len(texts[name]):,} characters. At most {most:,} are allowed.")
    for name in ("startTimestamp", "endTimestamp"):
        if name in payload and not EARLIEST_MOMENT <= payload[name] <= LATEST_MOMENT:
            yield FieldError(name, "Enter the time in milliseconds since 1970.")
    if (
        "startTimestamp" in payload
        and "endTimestamp" in payload
        and payload["startTimestamp"] > payload["endTimestamp"]
    ):
        yield FieldError("endTimestamp", "The end is before the start.")
    if "geometry" in payload:
        yield from (FieldError("geometry", words) for words in geometry_problems(payload["geometry"]))
    for index, one in enumerate(asset.properties):
        if not (one.property_id or "").strip() and not (one.name or "").strip():
            yield FieldError(f"properties[{index}]", "Enter the name or the ID of the property.")


def geometry_problems(text: str) -> list[str]:
    """Return what keeps a text from being the geometry of an asset; empty if nothing does."""
    try:
        return list(_geometry_problems(json.loads(text)))
    except (ValueError, RecursionError):
        return ["Enter the geometry as GeoJSON."]


def _geometry_problems(geometry: Any) -> Iterator[str]:
    kind = geometry.get("type") if isinstance(geometry, dict) else None
    if kind == GEOMETRY_COLLECTION:
        parts = geometry.get("geometries")
        if not isinstance(parts, list):
            yield "A GeometryCollection must have a list of geometries."
        else:
            for part in parts:
                yield from _geometry_problems(part)
    elif not isinstance(kind, str) or kind not in COORDINATE_DEPTHS:
        yield "Enter a GeoJSON geometry, such as a Point or a Polygon."
    elif not _are_positions(geometry.get("coordinates"), COORDINATE_DEPTHS[kind]):
        yield "Positions are longitude and then latitude, in degrees."
    elif kind in ("LineString", "MultiLineString", "Polygon", "MultiPolygon"):
        lines = list(_lines(geometry["coordinates"]))
        if any(len(line) < 2 for line in lines):
            yield "A line must have at least two positions."
        elif "Polygon" in kind and any(len(line) < 4 or line[0] != line[-1] for line in lines):
            yield "The ring of a polygon must have at least four positions and end where it begins."


def _lines(coordinates: list[Any]) -> Iterator[list[Any]]:
    if _is_number(coordinates[0][0]):
        yield coordinates
    else:
        for part in coordinates:
            yield from _lines(part)


def _are_positions(value: Any, depth: int) -> bool:
    if not isinstance(value, list) or not value:
        return False
    if depth:
        return all(_are_positions(element, depth - 1) for element in value)
    if len(value) not in (2, 3) or not all(_is_number(number) for number in value):
        return False
    return bool(-180 <= value[0] <= 180 and -90 <= value[1] <= 90)


def _is_number(value: Any) -> bool:
    return type(value) is int or (type(value) is float and math.isfinite(value))
