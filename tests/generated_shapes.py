"""Generated shapes: neighbors with shared borders, and files of them in any coordinate system."""

from __future__ import annotations

import io
import json
import tempfile
import warnings
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyogrio.raw
import pyproj
import shapely

Shapes = Any


def neighbors(
    across: int, along: int, steps: int, *, west: float = 6.0, south: float = 47.0, size: float = 1.0
) -> Shapes:
    """Return areas in a grid with rugged borders that neighbors share exactly. Each border has `steps` corners."""
    cells = shapely.segmentize(
        np.array(
            [
                shapely.box(column * size, row * size, (column + 1) * size, (row + 1) * size)
                for row in range(along)
                for column in range(across)
            ]
        ),
        size / steps,
    )

    def rugged(at: Any) -> Any:
        at = np.round(at, 9)
        x, y = at.T
        # Steep enough for a rugged border, and not so steep that it would cross itself.
        shift = sum(size * 0.012 / 2**octave * np.sin(2**octave * (7 * x + 5 * y) / size) for octave in range(9))
        return np.column_stack([west + x + shift, south + y - shift / 2])

    return shapely.transform(cells, rugged)


def in_system(shapes: Shapes, crs: str) -> Shapes:
    """Return the shapes in another coordinate system."""
    transformer = pyproj.Transformer.from_crs(4326, crs, always_xy=True)
    return shapely.transform(shapes, transformer.transform, interleaved=False)


def shapefile_of(
    shapes: Shapes,
    crs: str | None = "EPSG:4326",
    *,
    left_out: Sequence[str] = (),
    encoding: str = "UTF-8",
    **columns: Any,
) -> bytes:
    """Return the shapes as a zipped shapefile, written by GDAL."""
    kind = {0: "Point", 1: "MultiLineString", 2: "Polygon"}[int(shapely.get_dimensions(shapes).max())]
    columns = columns or {"name": np.array([f"Region {number}" for number in range(len(shapes))], dtype=object)}
    with tempfile.TemporaryDirectory() as folder:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Ignore the warning about a missing coordinate system.
            pyogrio.raw.write(
                str(Path(folder) / "made.shp"),
                shapely.to_wkb(shapes),
                list(columns.values()),
                list(columns),
                driver="ESRI Shapefile",
                geometry_type=kind,
                crs=crs,
                encoding=encoding,
            )
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
            for part in sorted(Path(folder).iterdir()):
                if part.suffix not in left_out:
                    archive.write(part, part.name)
    return content.getvalue()


def geojson_of(shapes: Shapes, **more: Any) -> bytes:
    """Return the shapes as GeoJSON."""
    features = [
        {"type": "Feature", "properties": {"name": f"Region {place}"}, "geometry": json.loads(text)}
        for place, text in enumerate(shapely.to_geojson(shapes))
    ]
    return json.dumps({"type": "FeatureCollection", "features": features, **more}).encode()


def kml_of(shapes: Shapes, *, decimals: int = 12) -> bytes:
    """Return the shapes as KML, one polygon each."""
    marks = []
    for place, shape in enumerate(shapes):
        at = " ".join(f"{x:.{decimals}f},{y:.{decimals}f},0" for x, y in shapely.get_coordinates(shape.exterior))
        marks.append(
            f"<Placemark><name>Region {place}</name><Polygon><outerBoundaryIs><LinearRing><coordinates>{at}"
            "</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>"
        )
    head = '<?xml version="1.0" encoding="UTF-8"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>'
    return (head + "".join(marks) + "</Document></kml>").encode()
