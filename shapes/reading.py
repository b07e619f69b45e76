"""A shape file in, its regions as GeoJSON out: read by GDAL in a process of its own, with limits, told nothing else.

GDAL reads far more than shapefiles and KML, some of it from other files and from the network, and a broken file may end
the process that reads it. So it runs apart (`shapes/gdal_process.py`), with every other driver off.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shapes.archives import shapefile_members
from shapes.gdal_process import STARTED

SECONDS = 30.0
_PROJECT = Path(__file__).resolve().parents[1]
# What the reading process is told of this one's environment: no secret, no proxy, no home.
_KEPT_VARIABLES = ("PATH", "LD_LIBRARY_PATH", "PYTHONPATH", "SYSTEMROOT", "TZ")
# Threads of a numeric library would each reserve memory that the limits count.
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


class UnreadableShapeError(Exception):
    """A file that is no shape; the message says why."""


class ReaderNotStartedError(Exception):
    """The process that reads shapes did not start, whatever the file is."""

    def __init__(self, why: str) -> None:
        super().__init__(f"The process that reads shapes did not start: {why}")


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
    """Read a `.zip` with a shapefile or a `.kml`; raises `UnreadableShapeError`, `ArchiveError` or
    `ReaderNotStartedError`. Takes about 1 s."""
    with tempfile.TemporaryDirectory(prefix="shape-") as folder:
        if ending == ".kml":
            file = Path(folder) / "region.kml"
            file.write_bytes(content)
        else:
            for part, unpacked in shapefile_members(content).items():
                (Path(folder) / f"region{part}").write_bytes(unpacked)
            file = Path(folder) / "region.shp"
        answer = _read_apart(file)
    if "problem" in answer:
        raise UnreadableShapeError(answer["problem"])
    return Shape(**answer)


def _read_apart(file: Path) -> dict[str, Any]:
    environment = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ} | _ONE_THREAD
    try:
        done = subprocess.run(  # noqa: S603 (our own module, and a path of our own making)
            [sys.executable, "-m", "shapes.gdal_process", str(file)],
            cwd=_PROJECT,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise UnreadableShapeError("The file takes too long to read.") from error
    except OSError as error:
        raise ReaderNotStartedError(type(error).__name__) from error
    started, _, answer = done.stdout.decode().partition("\n")
    if started != STARTED.strip():
        # The last line of a traceback: the kind of the error, and what it is about.
        last = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise ReaderNotStartedError(f"exit code {done.returncode}, {last}")
    if done.returncode != 0:
        raise UnreadableShapeError("The file cannot be read.")
    read: dict[str, Any] = json.loads(answer)
    return read
