"""Read GeoJSON, GeoJSON with one feature per line, and TopoJSON without GDAL. Runs in the confined process."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import shapely

from shapes.features import (
    Layer,
    ReadOptions,
    ShapeProblemError,
    Shapes,
    check_size,
    clean_columns,
    exceed_degrees,
)
from shapes.systems import WGS84

_RECORD_SEPARATOR: Final = "\x1e"
_NOT_JSON: Final = "The file is not valid GeoJSON."


def read_json(
    file: Path, most_features: int, *, most_positions: int, options: ReadOptions
) -> Iterator[tuple[str, Layer]]:
    """Read GeoJSON or TopoJSON."""
    try:
        whole = _parse(file.read_bytes().decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise ShapeProblemError(_NOT_JSON) from error
    if not isinstance(whole, dict):
        raise ShapeProblemError(_NOT_JSON)
    if whole.get("type") == "Topology":
        yield from _read_topology(whole, most_features, most_positions, options)
        return
    features = whole.get("features") if whole.get("type") == "FeatureCollection" else [whole]
    if not isinstance(features, list):
        raise ShapeProblemError(_NOT_JSON)
    yield "", _layer_of(features[: most_features + 1], whole.get("crs"), options)


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        lines = [line.strip(_RECORD_SEPARATOR + " \t\r") for line in text.split("\n")]
        records = [json.loads(line) for line in lines if line]
    features = [each for one in records for each in one.get("features", [one])]
    return {"type": "FeatureCollection", "features": features}


def _layer_of(features: Sequence[Any], system: Any, options: ReadOptions) -> Layer:
    shapes = np.empty(len(features), dtype=object)
    records = []
    unreadable: list[int] = []
    for place, each in enumerate(features):
        feature: Mapping[str, Any] = each if isinstance(each, dict) else {}
        geometry = feature.get("geometry") if feature.get("type") == "Feature" else feature
        try:
            shapes[place] = None if geometry is None else shapely.from_geojson(json.dumps(geometry))
        except (shapely.errors.ShapelyError, ValueError, RecursionError) as error:
            if options.findings is None:
                raise ShapeProblemError(f"Feature {place + 1} has a geometry that cannot be read.") from error
            unreadable.append(place + 1)
        properties = feature.get("properties")
        records.append(properties if isinstance(properties, dict) else {})
    if unreadable:
        verbs = ("feature has", "is") if len(unreadable) == 1 else ("features have", "are")
        message = f"{len(unreadable):,} {verbs[0]} a geometry that cannot be read, and {verbs[1]} skipped."
        options.note_change("unreadable", message, len(unreadable), features=tuple(unreadable))
    shapes = shapely.force_2d(shapes)
    headings = list(dict.fromkeys(heading for record in records for heading in record))
    columns = clean_columns((heading, [record.get(heading) for record in records]) for heading in headings)
    return Layer(shapes, columns, _system_of(system, shapes))


def _system_of(system: Any, shapes: Shapes) -> str:
    if system is None:
        # GeoJSON is in degrees (RFC 7946). If no shape can be, the file is in meters.
        return "" if exceed_degrees(shapes) else WGS84
    properties = system.get("properties") if isinstance(system, dict) else system
    if isinstance(properties, dict):
        kind = str(system.get("type", "")).upper()
        code = properties.get("code")
        properties = f"{kind}:{code}" if code and kind in ("EPSG", "ESRI") else properties.get("name") or properties
    return properties if isinstance(properties, str) else json.dumps(properties)


def _read_topology(
    whole: Mapping[str, Any], most_features: int, most_positions: int, options: ReadOptions
) -> Iterator[tuple[str, Layer]]:
    try:
        arcs = [np.array([position[:2] for position in arc], dtype=float) for arc in whole["arcs"]]
        sizes = [len(arc) for arc in arcs]
        positions = sum(
            _count(each.get("arcs", []), sizes) for topology in whole["objects"].values() for each in _all(topology)
        )
        # Check before joining: a small file can refer to a long arc many times.
        check_size(0, positions, most_features=most_features, most_positions=most_positions)
        transform = whole.get("transform")
        scale, shift = np.array((transform["scale"], transform["translate"])) if transform else (1.0, 0.0)
        if transform:
            arcs = [np.cumsum(arc, axis=0) * scale + shift for arc in arcs]
        read = {
            name: [_feature_of(each, arcs, scale, shift) for each in _members(topology)[: most_features + 1]]
            for name, topology in whole["objects"].items()
        }
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise ShapeProblemError("The file is not valid TopoJSON.") from error
    for name, features in read.items():
        yield str(name), _layer_of(features, whole.get("crs"), options)


def _members(item: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    members: Sequence[Mapping[str, Any]] = item["geometries"] if item["type"] == "GeometryCollection" else [item]
    return members


def _all(item: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield item
    for each in item.get("geometries", []):
        yield from _all(each)


def _count(indexes: Any, sizes: Sequence[int]) -> int:
    if isinstance(indexes, int):
        return sizes[indexes if indexes >= 0 else ~indexes]
    return sum(_count(each, sizes) for each in indexes)


def _feature_of(item: Mapping[str, Any], arcs: Sequence[Any], scale: Any, shift: Any) -> dict[str, Any]:
    return {
        "type": "Feature",
        "properties": item.get("properties") or ({"id": item["id"]} if "id" in item else None),
        "geometry": _geometry_of(item, arcs, scale, shift),
    }


def _geometry_of(item: Mapping[str, Any], arcs: Sequence[Any], scale: Any, shift: Any) -> dict[str, Any] | None:
    kind = item.get("type")
    if kind is None:
        return None
    if kind == "GeometryCollection":
        return {"type": kind, "geometries": [_geometry_of(each, arcs, scale, shift) for each in item["geometries"]]}
    if kind in ("Point", "MultiPoint"):
        at = np.array(item["coordinates"], dtype=float)[..., :2]
        return {"type": kind, "coordinates": (at * scale + shift).tolist()}
    return {"type": kind, "coordinates": _lines_of(item["arcs"], arcs)}


def _lines_of(indexes: Sequence[Any], arcs: Sequence[Any]) -> Any:
    """Return the positions of arcs, joined end to end. Index ~n means arc n reversed."""
    if indexes and isinstance(indexes[0], int):
        pieces = [arcs[each] if each >= 0 else arcs[~each][::-1] for each in indexes]
        return np.concatenate([piece[min(number, 1) :] for number, piece in enumerate(pieces)]).tolist()
    return [_lines_of(each, arcs) for each in indexes]
