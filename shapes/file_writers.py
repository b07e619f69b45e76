"""Write features as a zipped shapefile or as KML, in WGS 84. Runs in the confined process."""

from __future__ import annotations

import io
import math
import tempfile
import warnings
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

import numpy as np
import pyogrio.raw
import shapely

from shapes.features import NAME, Layer
from shapes.layers import read_layer
from shapes.systems import WGS84

KML_DECIMALS: Final = 7
_KINDS: Final = ("MultiPoint", "MultiLineString", "MultiPolygon")
_POINT: Final = 0
MOST_READ_BACK: Final = 2**31


def write_layer(layer: Layer, kind: str, folder: Path) -> bytes:
    """Return the features as `.zip` or `.kml`. For a shapefile, all must have one type of geometry."""
    return write_shapefile(layer, folder) if kind == ".zip" else write_kml(layer)


def write_shapefile(layer: Layer, folder: Path) -> bytes:
    """Return the features as a zipped shapefile. GDAL writes its parts into a temporary folder in `folder`."""
    names = list(layer.columns) or [NAME]
    values = [_column(layer.columns.get(name, [None] * len(layer.shapes))) for name in names]
    kind, shapes = _KINDS[int(shapely.get_dimensions(layer.shapes).max(initial=0))], layer.shapes.copy()
    if kind == "MultiPoint":
        # A shapefile tells one point from several; of lines and areas it doesn't.
        single = shapely.get_type_id(shapes) == _POINT
        shapes[single] = [shapely.multipoints([each]) for each in shapes[single]]
    with tempfile.TemporaryDirectory(dir=folder) as inner, warnings.catch_warnings():
        # GDAL says that it shortens the names of columns.
        warnings.simplefilter("ignore")
        pyogrio.raw.write(
            str(Path(inner) / "region.shp"),
            shapely.to_wkb(shapes),
            values,
            names,
            driver="ESRI Shapefile",
            geometry_type=kind,
            promote_to_multi=False,
            crs=WGS84,
            encoding="UTF-8",
        )
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
            for part in sorted(Path(inner).iterdir()):
                archive.writestr(
                    zipfile.ZipInfo(part.name, (1980, 1, 1, 0, 0, 0)), part.read_bytes(), zipfile.ZIP_DEFLATED
                )
    return content.getvalue()


def describe_shortening(layer: Layer, folder: Path) -> str:
    """Write a shapefile, read it back, and return a sentence about shortened names and values; "" if there are none."""
    with tempfile.TemporaryDirectory(dir=folder) as inner:
        with zipfile.ZipFile(io.BytesIO(write_shapefile(layer, folder))) as archive:
            archive.extractall(inner)
        after = read_layer(Path(inner) / "region.shp", most_features=len(layer.shapes), most_positions=MOST_READ_BACK)
    names = [name for name, values in layer.columns.items() if any(value is not None for value in values)]
    renamed = [name for name in names if name not in after.columns]
    read_back = [name for name in after.columns if name not in layer.columns]
    now = dict(zip(renamed, read_back, strict=False)) | {name: name for name in names if name not in renamed}
    changed = [
        name for name in names if name in now and any(map(_differs, layer.columns[name], after.columns[now[name]]))
    ]
    parts = []
    if renamed:
        examples = [f"{name} to {now[name]}" if name in now else name for name in renamed[:3]]
        parts.append(f"{_several(len(renamed), 'field name')} ({', '.join(examples)})")
    if changed:
        parts.append(f"values in {_several(len(changed), 'field')} ({', '.join(changed[:3])})")
    return f"A shapefile shortens {' and '.join(parts)}. KML keeps them whole." if parts else ""


def _differs(value: Any, value_read_back: Any) -> bool:
    if isinstance(value, str) or isinstance(value_read_back, str):
        return str(value) != str(value_read_back)
    if value == value_read_back:
        return False
    return not (value and value_read_back and math.isclose(value, value_read_back, rel_tol=1e-12))


def _several(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def write_kml(layer: Layer) -> bytes:
    """Return the features as KML: one placemark per feature, with its attributes as extended data."""
    names = next((values for name, values in layer.columns.items() if name.lower() == NAME), None)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<kml xmlns="http://www.opengis.net/kml/2.2"><Document>']
    for place, shape in enumerate(layer.shapes):
        name = names[place] if names is not None else None
        data = "".join(
            f"<Data name={quoteattr(column)}><value>{escape(str(values[place]))}</value></Data>"
            for column, values in layer.columns.items()
            if values is not names and values[place] is not None
        )
        lines.append(
            "<Placemark>"
            + (f"<name>{escape(str(name))}</name>" if name is not None else "")
            + (f"<ExtendedData>{data}</ExtendedData>" if data else "")
            + "".join(_kml_of(shape))
            + "</Placemark>"
        )
    lines.append("</Document></kml>")
    return "\n".join(lines).encode()


def _kml_of(shape: Any) -> Iterator[str]:
    kind = shapely.get_type_id(shape)
    if kind == 0:
        yield f"<Point>{_positions(shape)}</Point>"
    elif kind in (1, 2):
        yield f"<LineString>{_positions(shape)}</LineString>"
    elif kind == 3:
        yield f"<Polygon><outerBoundaryIs><LinearRing>{_positions(shape.exterior)}</LinearRing></outerBoundaryIs>"
        for ring in shape.interiors:
            yield f"<innerBoundaryIs><LinearRing>{_positions(ring)}</LinearRing></innerBoundaryIs>"
        yield "</Polygon>"
    elif kind > 3:
        yield "<MultiGeometry>"
        for part in shapely.get_parts(shape):
            yield from _kml_of(part)
        yield "</MultiGeometry>"


def _positions(line: Any) -> str:
    places = np.round(shapely.get_coordinates(line), KML_DECIMALS).tolist()
    return f"<coordinates>{' '.join([f'{x:.10g},{y:.10g}' for x, y in places])}</coordinates>"


def _column(values: list[Any]) -> Any:
    numbers = [value for value in values if value is not None]
    if numbers and len(numbers) == len(values):
        if all(isinstance(value, int) and abs(value) < 2**53 for value in numbers):
            return np.array(values, dtype=np.int64)
        if all(isinstance(value, int | float) for value in numbers):
            return np.array(values, dtype=np.float64)
    return np.array([None if value is None else str(value) for value in values], dtype=object)
