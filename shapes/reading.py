"""A shape file in, its regions as GeoJSON out: read by GDAL in a process of its own, with limits, told nothing else.

GDAL reads far more than shapefiles and KML, some of it from other files and from the network, and a broken file may end
the process that reads it. So it runs apart (`shapes/process.py`), with every other driver off.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

from shapes.apart import UnreadableShapeError, run_apart
from shapes.archives import shapefile_members

SECONDS = 30.0


@dataclass(frozen=True)
class Shape:
    """What a file holds: a GeoJSON FeatureCollection in WGS 84 and its extent in decimal degrees."""

    geometry: str
    feature_count: int
    west: float
    south: float
    east: float
    north: float


def read_shape(content: bytes, ending: str) -> Shape:
    """Read a `.zip` with a shapefile or a `.kml`. Takes about 1 s.

    Raises `UnreadableShapeError`, `ArchiveError` or `ReaderNotStartedError`.
    """
    with tempfile.TemporaryDirectory(prefix="shape-") as folder:
        if ending == ".kml":
            file = Path(folder) / "region.kml"
            file.write_bytes(content)
        else:
            for part, unpacked in shapefile_members(content).items():
                (Path(folder) / f"region{part}").write_bytes(unpacked)
            file = Path(folder) / "region.shp"
        answer = json.loads(run_apart("read", file, seconds=SECONDS))
    if "problem" in answer:
        raise UnreadableShapeError(answer["problem"])
    return Shape(**answer)
