"""Read a shape file as GeoJSON in a confined process.

GDAL reads many more formats than shapefiles and KML, some from other files and from the network, and a broken file can
crash the process. So GDAL runs in a confined process (`shapes/process.py`) with all other drivers disabled.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

from shapes.archives import shapefile_members
from shapes.confined_process import UnreadableShapeError, run_confined
from shapes.preparing import ShapeFile

SECONDS = 30.0


@dataclass(frozen=True)
class Shape:
    """The content of a shape file: a GeoJSON FeatureCollection in WGS 84, and its extent in decimal degrees."""

    geometry: str
    feature_count: int
    west: float
    south: float
    east: float
    north: float


def read_shape(content: bytes, ending: str) -> Shape:
    """Read a `.zip` with a shapefile or a `.kml`. Takes about 1 s.

    Raises `UnreadableShapeError`, `ArchiveError`, or `ReaderNotStartedError`.
    """
    parts = {".kml": content} if ending == ".kml" else shapefile_members(content)
    return read_shape_file(ShapeFile(f"region{ending}", ending, parts))


def read_shape_file(file: ShapeFile) -> Shape:
    """Read one of the files that `shapes.preparing.shape_files` finds. Takes about 1 s.

    Raises `UnreadableShapeError` or `ReaderNotStartedError`.
    """
    with tempfile.TemporaryDirectory(prefix="shape-") as folder:
        for ending, content in file.parts.items():
            (Path(folder) / f"region{ending}").write_bytes(content)
        path = Path(folder) / f"region{'.shp' if file.ending == '.zip' else file.ending}"
        answer = json.loads(run_confined("read", path, seconds=SECONDS))
    if "problem" in answer:
        raise UnreadableShapeError(answer["problem"])
    return Shape(**answer)
