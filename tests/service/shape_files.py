"""Shape files for tests: KML texts, and zipped shapefiles written byte by byte."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Iterable, Mapping

Ring = tuple[tuple[float, float], ...]

SQUARE: Ring = ((10, 50), (10, 51), (11, 51), (11, 50), (10, 50))
WGS84 = (
    'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],'
    'PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]'
)
MERCATOR = (
    'PROJCS["WGS 84 / Pseudo-Mercator",' + WGS84 + ',PROJECTION["Mercator_1SP"],PARAMETER["central_meridian",0],'
    'PARAMETER["scale_factor",1],PARAMETER["false_easting",0],PARAMETER["false_northing",0],UNIT["metre",1],'
    'EXTENSION["PROJ4","+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m '
    '+nadgrids=@null +wktext +no_defs"],AUTHORITY["EPSG","3857"]]'
)


def kml(*placemarks: str) -> bytes:
    """Return a KML document."""
    head = '<?xml version="1.0" encoding="UTF-8"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>'
    return (head + "".join(placemarks) + "</Document></kml>").encode()


def placemark(name: str, ring: Ring = SQUARE) -> str:
    """Return a polygon in KML."""
    coordinates = " ".join(f"{longitude},{latitude},0" for longitude, latitude in ring)
    shape = f"<outerBoundaryIs><LinearRing><coordinates>{coordinates}</coordinates></LinearRing></outerBoundaryIs>"
    return f"<Placemark><name>{name}</name><Polygon>{shape}</Polygon></Placemark>"


def shapefile(*rings: Ring, projection: str | None = WGS84, names: Iterable[str] = ()) -> dict[str, bytes]:
    """Return the parts of a polygon shapefile, by ending."""
    rings = rings or (SQUARE,)
    labels = [*names, *("area" for _ in rings)][: len(rings)]
    records, index = b"", b""
    for number, ring in enumerate(rings, 1):
        content = struct.pack("<i4d2i", 5, *_bounds([ring]), 1, len(ring)) + struct.pack("<i", 0)
        content += b"".join(struct.pack("<2d", *position) for position in ring)
        index += struct.pack(">2i", 50 + len(records) // 2, len(content) // 2)
        records += struct.pack(">2i", number, len(content) // 2) + content
    parts = {
        ".shp": _header(len(records), rings) + records,
        ".shx": _header(len(index), rings) + index,
        ".dbf": _table(labels),
    }
    return parts | ({".prj": projection.encode()} if projection else {})


def zipped(parts: Mapping[str, bytes], *, stem: str = "area") -> bytes:
    """Return a zip of parts of a shapefile, and of other files by name."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for ending, part in parts.items():
            archive.writestr(stem + ending if ending.startswith(".") else ending, part)
    return content.getvalue()


def _header(length: int, rings: Iterable[Ring]) -> bytes:
    return struct.pack(">7i", 9994, 0, 0, 0, 0, 0, 50 + length // 2) + struct.pack(
        "<2i8d", 1000, 5, *_bounds(rings), 0, 0, 0, 0
    )


def _bounds(rings: Iterable[Ring]) -> tuple[float, float, float, float]:
    longitudes, latitudes = zip(*(position for ring in rings for position in ring), strict=True)
    return min(longitudes), min(latitudes), max(longitudes), max(latitudes)


def _table(labels: list[str]) -> bytes:
    width = 40
    head = struct.pack("<4BIHH20x", 3, 126, 11, 20, len(labels), 32 + 32 + 1, width + 1)
    column = struct.pack("<11sc4xBB14x", b"name", b"C", width, 0)
    rows = b"".join(b" " + label.encode().ljust(width)[:width] for label in labels)
    return head + column + b"\r" + rows + b"\x1a"
