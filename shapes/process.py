"""The confined process that reads shapes: `python -m shapes.process read FILE`, `areas FILE`, or `prepare FOLDER`.

`read` prints one JSON object: a shape, or `{"problem": "why not"}`. `areas` prints the features with what was left out
and why; see `shapes/area_features.py`. `prepare` reads a request from the folder; see
`shapes/prepare_folder.py` for its request and output.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, Final

from shapes.confined_process import STARTED
from shapes.confinement import SENT_DRIVERS, confine
from shapes.prepare_folder import MOST_FILE_BYTES, PREPARING_SECONDS, prepare_folder

MOST_MEMORY_BYTES: Final = 2 * 2**30
READING_SECONDS: Final = 25
MOST_FEATURES: Final = 5_000
MOST_POSITIONS: Final = 500_000


def main(command: str, path: str) -> int:
    """Run the command on a file or folder. Print `STARTED`, then the result."""
    is_read = command in ("read", "areas")
    confine(
        most_seconds=READING_SECONDS if is_read else PREPARING_SECONDS,
        most_memory_bytes=MOST_MEMORY_BYTES,
        most_file_bytes=0 if command == "read" else MOST_FILE_BYTES,
        drivers=SENT_DRIVERS if command == "read" else (*SENT_DRIVERS, "FlatGeobuf"),
    )
    sys.stdout.buffer.write(STARTED)
    sys.stdout.buffer.flush()
    # From this line on, a file could control what libraries print as errors.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
    read = {"read": _read, "areas": _read_areas}.get(command)
    result = json.dumps(read(Path(path))).encode() if read is not None else prepare_folder(Path(path))
    sys.stdout.buffer.write(result)
    return 0


def _read_areas(file: Path) -> dict[str, Any]:
    from shapes.area_features import read_area_features
    from shapes.features import ShapeProblemError

    missing = [each for each in (".prj",) if file.suffix == ".shp" and not file.with_suffix(each).exists()]
    try:
        return read_area_features(file, most_features=MOST_FEATURES, most_positions=MOST_POSITIONS, missing=missing)
    except ShapeProblemError as problem:
        return {"problem": str(problem)}


def _read(file: Path) -> dict[str, Any]:
    import numpy as np
    import shapely

    from shapes.features import NAME, ShapeProblemError, is_empty, is_finite
    from shapes.layers import read_layer, to_degrees

    try:
        layer = to_degrees(read_layer(file, most_features=MOST_FEATURES, most_positions=MOST_POSITIONS))
    except ShapeProblemError as problem:
        return {"problem": str(problem)}
    layer = layer.only(~is_empty(layer.shapes))
    if not len(layer.shapes):
        return {"problem": "The file contains no shape."}
    if not is_finite(layer.shapes).all():
        return {"problem": "The file has a position that is not a number."}
    west, south, east, north = map(float, shapely.total_bounds(layer.shapes))
    # Map editors write longitudes beyond 180 degrees for shapes across the 180th meridian.
    most = 360.0 if file.suffix == ".geojson" else 180.001
    if west < -most or east > most or south < -90.001 or north > 90.001:
        return {"problem": "The shapes lie outside of -180 to 180 and -90 to 90 degrees. The .prj file may be missing."}
    names = next((values for name, values in layer.columns.items() if name.lower() == NAME), [None] * len(layer.shapes))
    features = [
        {"type": "Feature", "properties": {"name": name}, "geometry": json.loads(geometry)}
        for name, geometry in zip(names, np.atleast_1d(shapely.to_geojson(layer.shapes)), strict=True)
    ]
    collection = json.dumps({"type": "FeatureCollection", "features": features}, separators=(",", ":"))
    extent = {"west": west, "south": south, "east": east, "north": north}
    return {"geometry": collection, "feature_count": len(features), **extent}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
