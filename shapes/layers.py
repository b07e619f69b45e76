"""Reading a file into features: shapefiles and KML by GDAL, GeoJSON and GeoPackage by hand. Runs apart.

GDAL's readers of GeoJSON and GeoPackage would bring SQL functions and other formats with them: they stay switched off.
"""

from __future__ import annotations

import json
import re
import sqlite3
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from xml.etree.ElementTree import ParseError

import numpy as np
import pyogrio
import pyogrio.errors
import pyogrio.raw
import pyproj
import shapely
from defusedxml import DefusedXmlException, ElementTree

DEEPEST_XML: Final = 60
WGS84: Final = "EPSG:4326"
NAME: Final = "name"
FOLDER: Final = "folder"
LONGEST_VALUE: Final = 2_000
MOST_COLUMNS: Final = 100
# Line ends, other control characters, and what is half a character: neither a table nor XML takes them.
_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
# What LIBKML makes a column of whether a file says anything about it or not.
_OF_LIBKML: Final[dict[str, set[Any]]] = {
    "altitudeMode": {None, ""},
    "drawOrder": {None},
    "extrude": {None, -1, 0},
    "tessellate": {None, -1, 0, 1},
    "visibility": {None, -1, 0, 1},
}
_ENVELOPES: Final = {0: 0, 1: 32, 2: 48, 3: 48, 4: 64}

Shapes = np.ndarray[Any, np.dtype[np.object_]]


class ShapeProblemError(Exception):
    """What is wrong with the file, in words."""


@dataclass
class Layer:
    """Features: their geometries (None where one has none), a column a list of as many values, and where they lie.

    `crs` is what pyproj reads as a coordinate system, "" where the file names none.
    """

    shapes: Shapes
    columns: dict[str, list[Any]] = field(default_factory=dict)
    crs: str = WGS84

    def only(self, kept: Any) -> Layer:
        """The features that a mask or a list of places names."""
        places = np.arange(len(self.shapes))[kept]
        columns = {name: [values[place] for place in places] for name, values in self.columns.items()}
        return Layer(self.shapes[places], columns, self.crs)


def read_layer(file: Path, *, most_features: int, most_positions: int) -> Layer:
    """Read a `.shp`, `.kml`, `.geojson` or `.gpkg`; raises `ShapeProblemError`."""
    if file.suffix == ".kml":
        _check_kml(file)
    read = {".geojson": _geojson, ".gpkg": _geopackage}.get(file.suffix, _by_gdal)
    layers = []
    features = positions = 0
    try:
        for name, layer in _quietly(read(file, most_features)):
            features += len(layer.shapes)
            positions += int(shapely.get_num_coordinates(layer.shapes).sum())
            if features > most_features or positions > most_positions:
                raise ShapeProblemError(f"The file has more than {most_features} shapes or {most_positions} positions.")
            layers.append((name, layer))
    except (pyogrio.errors.DataSourceError, pyogrio.errors.DataLayerError, pyogrio.errors.FeatureError) as error:
        raise ShapeProblemError("The file cannot be read as a shape.") from error
    except (pyogrio.errors.GeometryError, shapely.errors.ShapelyError, UnicodeError) as error:
        raise ShapeProblemError("The file has a geometry that cannot be read.") from error
    return _together(layers)


def _quietly(layers: Iterator[tuple[str, Layer]]) -> Iterator[tuple[str, Layer]]:
    """Without the warnings of GDAL and GEOS: what they would warn of is looked for by ourselves."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield from layers


def to_degrees(layer: Layer) -> Layer:
    """The features in WGS 84, longitude before latitude; raises `ShapeProblemError`."""
    if not layer.crs:
        return layer
    try:
        source = pyproj.CRS.from_user_input(layer.crs)
        if source == pyproj.CRS.from_epsg(4326):
            return layer
        transformer = pyproj.Transformer.from_crs(source, 4326, always_xy=True)
        moved = shapely.transform(layer.shapes, transformer.transform, interleaved=False)
    except pyproj.exceptions.ProjError as error:
        raise ShapeProblemError("The coordinates cannot be brought to WGS 84.") from error
    return Layer(moved, layer.columns, WGS84)


def extent_of(shapes: Shapes) -> Any:
    """West, south, east and north of all shapes; NaN where there is no position."""
    return shapely.total_bounds(shapes) if len(shapes) else np.full(4, np.nan)


def is_empty(shapes: Shapes) -> Any:
    """Which of the shapes have no position at all."""
    return shapely.is_missing(shapes) | shapely.is_empty(shapes)


def is_finite(shapes: Shapes) -> Any:
    """Which of the shapes have nothing but numbers for positions; those without any position count."""
    positions, owners = shapely.get_coordinates(shapes, return_index=True)
    finite = np.ones(len(shapes), dtype=bool)
    finite[owners[~np.isfinite(positions).all(axis=1)]] = False
    return finite


def cleaned(value: Any) -> Any:
    """A value as a table or XML takes it: a number, or a text without control characters; None for nothing."""
    if isinstance(value, float | np.floating):
        return float(value) if np.isfinite(value) else None
    if isinstance(value, bool | np.bool_):
        return str(bool(value)).lower()
    if isinstance(value, int | np.integer):
        return int(value)
    if value is None or (isinstance(value, np.datetime64) and np.isnat(value)):
        return None
    if isinstance(value, bytes | memoryview):
        return f"{len(value)} bytes"
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else str(value)
    return _CONTROL.sub(" ", text)[:LONGEST_VALUE].strip() or None


def _together(layers: Sequence[tuple[str, Layer]]) -> Layer:
    if not layers:
        return Layer(np.empty(0, dtype=object))
    several = sum(len(layer.shapes) > 0 for _, layer in layers) > 1
    columns: dict[str, list[Any]] = {}
    size = 0
    for name, layer in layers:
        given = dict(layer.columns)
        if several:
            given = {FOLDER: [name] * len(layer.shapes), **given}
        for column, values in given.items():
            columns.setdefault(column, [None] * size).extend(values)
        size += len(layer.shapes)
        for values in columns.values():
            values.extend([None] * (size - len(values)))
    crs = next((layer.crs for _, layer in layers), "")
    if any(layer.crs != crs for _, layer in layers):
        layers, crs = [(name, to_degrees(layer)) for name, layer in layers], WGS84
    return Layer(np.concatenate([layer.shapes for _, layer in layers]), columns, crs)


def _by_gdal(file: Path, most_features: int) -> Iterator[tuple[str, Layer]]:
    for name, _kind in pyogrio.list_layers(str(file)):
        meta, _fids, encoded, values = pyogrio.raw.read(
            str(file), layer=name, force_2d=True, max_features=most_features + 1
        )
        if encoded is None:
            continue
        shapes = shapely.from_wkb(encoded, on_invalid="fix")
        columns = _columns(zip(meta["fields"], values, strict=True))
        yield _text(name), Layer(shapes, columns, meta.get("crs") or "")


def _columns(given: Iterable[tuple[Any, Iterable[Any]]]) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {}
    for heading, values in given:
        column = [cleaned(value) for value in values]
        heading = str(heading)
        if heading in _OF_LIBKML and set(column) <= _OF_LIBKML[heading]:
            continue
        if all(value is None for value in column):
            continue
        label = NAME if heading == "Name" else _text(heading) or f"column {len(columns) + 1}"
        if len(columns) < MOST_COLUMNS:
            columns.setdefault(label, column)
    return columns


def _text(value: Any) -> str:
    return str(cleaned(str(value)) or "")


def _check_kml(file: Path) -> None:
    depth = 0
    root: str | None = None
    try:
        for event, element in ElementTree.iterparse(file, events=("start", "end"), forbid_dtd=True):
            name = str(element.tag).rpartition("}")[2]
            root = root or name
            depth += 1 if event == "start" else -1
            if depth > DEEPEST_XML:
                raise ShapeProblemError("The KML is nested too deeply.")
            if name in ("NetworkLink", "NetworkLinkControl"):
                raise ShapeProblemError("The KML refers to another file, which is not followed.")
            if event == "end":
                element.clear()
    except (ParseError, DefusedXmlException, ValueError, LookupError) as error:
        raise ShapeProblemError("The file is not KML that can be read.") from error
    if root != "kml":
        raise ShapeProblemError("The file is not KML.")


def _geojson(file: Path, most_features: int) -> Iterator[tuple[str, Layer]]:
    try:
        whole = json.loads(file.read_bytes())
    except (ValueError, RecursionError) as error:
        raise ShapeProblemError("The file is not GeoJSON that can be read.") from error
    if not isinstance(whole, dict):
        raise ShapeProblemError("The file is not GeoJSON.")
    features = whole.get("features") if whole.get("type") == "FeatureCollection" else [whole]
    if not isinstance(features, list) or not all(isinstance(each, dict) for each in features):
        raise ShapeProblemError("The file is not GeoJSON.")
    features = features[: most_features + 1]
    shapes = np.empty(len(features), dtype=object)
    records = []
    for place, feature in enumerate(features):
        geometry = feature.get("geometry") if feature.get("type") == "Feature" else feature
        try:
            shapes[place] = None if geometry is None else shapely.from_geojson(json.dumps(geometry))
        except (shapely.errors.ShapelyError, ValueError, RecursionError) as error:
            raise ShapeProblemError(f"Feature {place + 1} has a geometry that cannot be read.") from error
        told = feature.get("properties")
        records.append(told if isinstance(told, dict) else {})
    shapes = shapely.force_2d(shapes)
    headings = list(dict.fromkeys(heading for record in records for heading in record))
    columns = _columns((heading, [record.get(heading) for record in records]) for heading in headings)
    yield "", Layer(shapes, columns, _crs_of(whole, shapes))


def _crs_of(whole: Mapping[str, Any], shapes: Shapes) -> str:
    told = whole.get("crs")
    properties = told.get("properties") if isinstance(told, dict) else None
    name = properties.get("name") if isinstance(properties, dict) else None
    if not isinstance(name, str):
        # Degrees, by the format's own rule; where no shape can be in them, even twice round, somebody wrote metres.
        farthest = np.abs(shapely.bounds(shapes)).max(axis=1)
        return "" if (farthest > 720).any() and not (farthest <= 720).any() else WGS84
    if "CRS84" in name:
        return WGS84
    found = re.fullmatch(r"(?:urn:ogc:def:crs:)?EPSG:[\d.]*:?(\d{4,6})", name, re.I)
    if found is None:
        raise ShapeProblemError("The GeoJSON names a coordinate system that is not known.")
    return f"EPSG:{found[1]}"


def _geopackage(file: Path, most_features: int) -> Iterator[tuple[str, Layer]]:
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro&immutable=1", uri=True)) as database:
            database.execute("PRAGMA trusted_schema = OFF")
            database.text_factory = lambda raw: raw.decode("utf-8", "replace")
            # A view or a virtual table would run what the file says.
            plain = {
                name
                for (name,) in database.execute(
                    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
                )
            }
            if not {"gpkg_geometry_columns", "gpkg_spatial_ref_sys"} <= plain:
                raise ShapeProblemError("The file is not a GeoPackage.")
            tables = database.execute(
                "SELECT g.table_name, g.column_name, s.organization, s.organization_coordsys_id, s.definition"
                " FROM gpkg_geometry_columns g JOIN gpkg_spatial_ref_sys s ON s.srs_id = g.srs_id ORDER BY 1"
            ).fetchall()
            for table, column, organization, code, definition in tables:
                if table not in plain:
                    raise ShapeProblemError("The GeoPackage has a layer that is no plain table.")
                crs = f"EPSG:{code}" if str(organization).upper() == "EPSG" else str(definition)
                yield _text(table), _of_table(database, table, column, "" if crs == "undefined" else crs, most_features)
    except sqlite3.Error as error:
        raise ShapeProblemError("The file cannot be read as a GeoPackage.") from error


def _of_table(database: sqlite3.Connection, table: str, column: str, crs: str, most_features: int) -> Layer:
    quoted = table.replace('"', '""')
    found = database.execute(f'SELECT * FROM "{quoted}" LIMIT {most_features + 1}')  # noqa: S608 (quoted, and a table)
    headings = [each[0] for each in found.description]
    rows = found.fetchall()
    if column not in headings:
        raise ShapeProblemError("The GeoPackage has a layer without its geometries.")
    at = headings.index(column)
    shapes = np.empty(len(rows), dtype=object)
    shapes[:] = shapely.from_wkb([_wkb(row[at]) for row in rows], on_invalid="fix")
    others = ((heading, [row[place] for row in rows]) for place, heading in enumerate(headings) if place != at)
    return Layer(shapely.force_2d(shapes), _columns(others), crs)


def _wkb(blob: Any) -> bytes | None:
    """The WKB in a GeoPackage's geometry: it follows a head of eight bytes and an envelope."""
    if blob is None:
        return None
    if not isinstance(blob, bytes) or len(blob) < 8 or blob[:2] != b"GP" or (blob[3] >> 1) & 7 not in _ENVELOPES:
        raise ShapeProblemError("The GeoPackage has a geometry that cannot be read.")
    return blob[8 + _ENVELOPES[(blob[3] >> 1) & 7] :]
