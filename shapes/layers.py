"""Reading a file into features: shapefiles, KML and FlatGeobuf by GDAL, the other formats without it. Runs apart.

GDAL's readers of GeoJSON and GeoPackage would bring SQL functions and other formats with them: they stay switched off.
"""

from __future__ import annotations

import sqlite3
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyogrio
import pyogrio.errors
import pyogrio.raw
import pyproj
import shapely

from shapes.encodings import declared_encoding, decode
from shapes.features import FOLDER, Layer, ReadOptions, ShapeProblemError, check_size, clean_columns, clean_text
from shapes.json_shapes import read_json
from shapes.polygon_repairs import areas_of, encloses_shell, exclude_each_other
from shapes.systems import WGS84, is_wgs84, parse_system
from shapes.xml_shapes import check_kml, read_gpx

_MULTIPOLYGON: Final = 6
_ENVELOPES: Final = {0: 0, 1: 32, 2: 48, 3: 48, 4: 64}


def read_layer(file: Path, *, most_features: int, most_positions: int, options: ReadOptions | None = None) -> Layer:
    """Read a file of any format that `shapes.preparing` names; raises `ShapeProblemError`."""
    options = options or ReadOptions()
    if file.suffix == ".kml":
        check_kml(file, options)
    readers: dict[str, Callable[[Path, int], Iterator[tuple[str, Layer]]]] = {
        ".geojson": partial(read_json, most_positions=most_positions, options=options),
        ".gpkg": _geopackage,
        ".gpx": read_gpx,
        ".shp": partial(_shapefile, options=options),
    }
    read = readers.get(file.suffix, _by_gdal)
    layers = []
    features = positions = 0
    try:
        for name, layer in _quietly(read(file, most_features)):
            features += len(layer.shapes)
            positions += int(shapely.get_num_coordinates(layer.shapes).sum())
            check_size(features, positions, most_features=most_features, most_positions=most_positions)
            layers.append((name, layer))
    except (pyogrio.errors.DataSourceError, pyogrio.errors.DataLayerError, pyogrio.errors.FeatureError) as error:
        raise ShapeProblemError("The file cannot be read as a shape.") from error
    except (pyogrio.errors.GeometryError, shapely.errors.ShapelyError) as error:
        raise ShapeProblemError("The file has a geometry that cannot be read.") from error
    except NotImplementedError as error:
        raise ShapeProblemError("The file has curves. Save it with straight lines instead.") from error
    except UnicodeError as error:
        raise ShapeProblemError("The file has text in an unknown encoding.") from error
    return _exchange_rings(_merge_layers(layers), options)


def _exchange_rings(layer: Layer, options: ReadOptions) -> Layer:
    """Exchange areas and holes if a hole encloses the area: the rings run the wrong way, or come in the wrong order."""
    wrong = np.array([encloses_shell(shape) for shape in layer.shapes], dtype=bool)
    if wrong.any():
        shapes = layer.shapes.copy()
        rings = [shapely.get_rings(shapely.get_parts(shape)) for shape in shapes[wrong]]
        shapes[wrong] = [exclude_each_other(shapely.polygons(each)) for each in rings]
        layer = Layer(shapes, layer.columns, layer.crs)
        count = int(np.count_nonzero(wrong))
        words = "1 feature is" if count == 1 else f"{count:,} features are"
        message = f"{words} drawn the wrong way around: holes enclose the area. Muster swapped the areas and the holes."
        options.note_change("directions", message, count)
    return layer


def _quietly(layers: Iterator[tuple[str, Layer]]) -> Iterator[tuple[str, Layer]]:
    """Suppress the warnings of GDAL and GEOS: `shapes.repairs` finds the same problems."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield from layers


def to_degrees(layer: Layer) -> Layer:
    """Return the features in WGS 84, longitude before latitude. Raises `ShapeProblemError`."""
    source = parse_system(layer.crs)
    if source is None or is_wgs84(layer.crs):
        return layer
    try:
        transformer = pyproj.Transformer.from_crs(source, 4326, always_xy=True)
        moved = shapely.transform(layer.shapes, transformer.transform, interleaved=False)
    except pyproj.exceptions.ProjError as error:
        raise ShapeProblemError("The coordinates cannot be converted to WGS 84.") from error
    return Layer(moved, layer.columns, WGS84)


def _merge_layers(layers: Sequence[tuple[str, Layer]]) -> Layer:
    if not layers:
        return Layer(np.empty(0, dtype=object))
    several = sum(len(layer.shapes) > 0 for _, layer in layers) > 1
    columns: dict[str, list[Any]] = {}
    size = 0
    for name, layer in layers:
        attributes = dict(layer.columns)
        if several:
            attributes = {FOLDER: [name] * len(layer.shapes), **attributes}
        for column, values in attributes.items():
            columns.setdefault(column, [None] * size).extend(values)
        size += len(layer.shapes)
        for values in columns.values():
            values.extend([None] * (size - len(values)))
    crs = next((layer.crs for _, layer in layers), "")
    if any(layer.crs != crs for _, layer in layers):
        if any(parse_system(layer.crs) is None for _, layer in layers):
            raise ShapeProblemError("The layers are in different coordinate systems, and one of them isn’t known.")
        layers, crs = [(name, to_degrees(layer)) for name, layer in layers], WGS84
    return Layer(np.concatenate([layer.shapes for _, layer in layers]), columns, crs)


def _by_gdal(file: Path, most_features: int) -> Iterator[tuple[str, Layer]]:
    for name, layer in _raw_layers(file, most_features):
        yield name, Layer(layer.shapes, clean_columns(layer.columns.items()), layer.crs)


def _raw_layers(file: Path, most_features: int, **options: Any) -> Iterator[tuple[str, Layer]]:
    for name, _kind in pyogrio.list_layers(str(file)):
        meta, _fids, encoded, values = pyogrio.raw.read(
            str(file), layer=name, force_2d=True, max_features=most_features + 1, **options
        )
        if encoded is None:
            continue
        shapes = shapely.from_wkb(encoded, on_invalid="fix")
        columns = dict(zip(map(str, meta["fields"]), values, strict=True))
        yield clean_text(name), Layer(shapes, columns, meta.get("crs") or "")


def _shapefile(file: Path, most_features: int, *, options: ReadOptions) -> Iterator[tuple[str, Layer]]:
    """Read a shapefile whose text may be in another encoding than its parts declare."""
    cpg, table = file.with_suffix(".cpg"), file.with_suffix(".dbf")
    declared = declared_encoding(
        cpg.read_bytes() if cpg.exists() else b"", table.read_bytes() if table.exists() else b""
    )
    # Latin-1 maps each byte to one character, so no byte is lost.
    for name, layer in _raw_layers(file, most_features, encoding="ISO-8859-1"):
        texts = [each for values in layer.columns.values() for each in values if isinstance(each, str)]
        raw = [text.encode("latin-1") for text in [*layer.columns, *texts]]
        encoding = options.choose_encoding(raw, declared)

        def decode_value(value: Any, encoding: str = encoding) -> Any:
            return decode(value.encode("latin-1"), encoding) if isinstance(value, str) else value

        columns = (
            (decode_value(heading), [decode_value(each) for each in values])
            for heading, values in layer.columns.items()
        )
        shapes = layer.shapes.copy()
        shapes[:] = [shape if encloses_shell(shape) else _return_holes(shape) for shape in layer.shapes]
        yield name, Layer(shapes, clean_columns(columns), layer.crs)


def _return_holes(shape: Any) -> Any:
    """Make holes again of rings of a shapefile that GDAL read as areas, because they lie outside all others.

    In a shapefile, areas run clockwise and holes counterclockwise. If all run the same way, the file ignores the rule.
    """
    if shapely.get_type_id(shape) != _MULTIPOLYGON:
        return shape
    polygons = shapely.get_parts(shape)
    is_hole = shapely.is_ccw(shapely.get_exterior_ring(polygons))
    if is_hole.all() or not is_hole.any():
        return shape
    first, *others = polygons[~is_hole]
    holes = [*first.interiors, *(polygon.exterior for polygon in polygons[is_hole])]
    return areas_of(shapely.GeometryCollection([shapely.Polygon(first.exterior, holes), *others]))


def _geopackage(file: Path, most_features: int) -> Iterator[tuple[str, Layer]]:
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro&immutable=1", uri=True)) as database:
            database.execute("PRAGMA trusted_schema = OFF")
            database.text_factory = lambda raw: raw.decode("utf-8", "replace")
            # A view or a virtual table would run SQL from the file.
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
                " FROM gpkg_geometry_columns g LEFT JOIN gpkg_spatial_ref_sys s ON s.srs_id = g.srs_id ORDER BY 1"
            ).fetchall()
            for table, column, organization, code, definition in tables:
                if table not in plain:
                    raise ShapeProblemError("The GeoPackage has a layer that is not a plain table.")
                crs = f"EPSG:{code}" if str(organization).upper() == "EPSG" else str(definition or "")
                if crs.strip().lower() == "undefined":
                    crs = ""
                yield clean_text(table), _of_table(database, table, column, crs, most_features)
    except sqlite3.Error as error:
        raise ShapeProblemError("The file cannot be read as a GeoPackage.") from error


def _of_table(database: sqlite3.Connection, table: str, column: str, crs: str, most_features: int) -> Layer:
    quoted = table.replace('"', '""')
    found = database.execute(f'SELECT * FROM "{quoted}" LIMIT {most_features + 1}')  # noqa: S608 (quoted, and checked to be a table)
    headings = [each[0] for each in found.description]
    rows = found.fetchall()
    if column not in headings:
        raise ShapeProblemError("The GeoPackage has a layer without its geometries.")
    at = headings.index(column)
    shapes = np.empty(len(rows), dtype=object)
    shapes[:] = shapely.from_wkb([_wkb(row[at]) for row in rows], on_invalid="fix")
    others = ((heading, [row[place] for row in rows]) for place, heading in enumerate(headings) if place != at)
    return Layer(shapely.force_2d(shapes), clean_columns(others), crs)


def _wkb(blob: Any) -> bytes | None:
    """Return the WKB in a GeoPackage geometry, which follows a header of eight bytes and an envelope."""
    if blob is None:
        return None
    if not isinstance(blob, bytes) or len(blob) < 8 or blob[:2] != b"GP" or (blob[3] >> 1) & 7 not in _ENVELOPES:
        raise ShapeProblemError("The GeoPackage has a geometry that cannot be read.")
    return blob[8 + _ENVELOPES[(blob[3] >> 1) & 7] :]
