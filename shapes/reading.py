"""Read a shape file in a confined process: as one GeoJSON, or as features with what was left out.

GDAL reads many more formats than shapefiles and KML, some from other files and from the network, and a broken file can
crash the process. So GDAL runs in a confined process (`shapes/process.py`) with all other drivers disabled.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

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


@dataclass(frozen=True)
class AreaFeature:
    """A feature of a file: its area, or the reason why it has none."""

    attributes: Mapping[str, str]
    geometry: Mapping[str, Any] | None
    """The areas in GeoJSON and WGS 84; longitudes may continue beyond 180."""

    reason: str = ""
    """What the feature has instead of an area: "no geometry", "only points"."""

    has_points_or_lines: bool = False
    """Whether points or lines of the feature were left out."""


@dataclass(frozen=True)
class AreaFeatures:
    """All features of a file, and what was changed or is doubtful in the file, one sentence each."""

    features: Sequence[AreaFeature]
    findings: Sequence[str]


def read_shape(content: bytes, ending: str) -> Shape:
    """Read a `.zip` with a shapefile or a `.kml`. Takes about 1 s.

    Raises `UnreadableShapeError`, `ArchiveError`, or `ReaderNotStartedError`.
    """
    parts = {".kml": content} if ending == ".kml" else shapefile_members(content)
    return Shape(**_read("read", ShapeFile(f"region{ending}", ending, parts)))


def read_features(file: ShapeFile) -> AreaFeatures:
    """Read one of the files that `shapes.preparing.shape_files` finds. Takes about 1 s.

    Raises `UnreadableShapeError` or `ReaderNotStartedError`.
    """
    answer = _read("areas", file)
    return AreaFeatures([AreaFeature(**each) for each in answer["features"]], answer["findings"])


def _read(command: Literal["read", "areas"], file: ShapeFile) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="shape-") as folder:
        for ending, content in file.parts.items():
            (Path(folder) / f"region{ending}").write_bytes(content)
        path = Path(folder) / f"region{'.shp' if file.ending == '.zip' else file.ending}"
        answer: dict[str, Any] = json.loads(run_confined(command, path, seconds=SECONDS))
    if "problem" in answer:
        raise UnreadableShapeError(answer["problem"])
    return answer
