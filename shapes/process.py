"""The process that reads shapes: `python -m shapes.process read FILE` or `prepare FOLDER`; what it found, it prints.

`read` prints one JSON object: a shape, or `{"problem": "why not"}`. `prepare` is told more in the folder, and prints
more: `shapes/preparing.py` says what.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, Final

from shapes.apart import STARTED
from shapes.confinement import SENT_DRIVERS, confine
from shapes.preparation import MOST_FILE_BYTES, PREPARING_SECONDS, prepared_in

MOST_MEMORY_BYTES: Final = 2 * 2**30
READING_SECONDS: Final = 25
MOST_FEATURES: Final = 5_000
MOST_POSITIONS: Final = 500_000


def main(order: str, place: str) -> int:
    """Carry out the order on a file or folder, and print what was found, behind a line that says that it began."""
    is_read = order == "read"
    confine(
        most_seconds=READING_SECONDS if is_read else PREPARING_SECONDS,
        most_memory_bytes=MOST_MEMORY_BYTES,
        most_file_bytes=0 if is_read else MOST_FILE_BYTES,
        drivers=SENT_DRIVERS if is_read else (*SENT_DRIVERS, "FlatGeobuf"),
    )
    sys.stdout.buffer.write(STARTED)
    sys.stdout.buffer.flush()
    # From here on it would be the file that has something said.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
    found = json.dumps(_read(Path(place))).encode() if is_read else prepared_in(Path(place))
    sys.stdout.buffer.write(found)
    return 0


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
        return {"problem": "The file holds no shape."}
    if not is_finite(layer.shapes).all():
        return {"problem": "The file has a position that is not a number."}
    west, south, east, north = map(float, shapely.total_bounds(layer.shapes))
    # Drawn on a map that repeats sideways, GeoJSON counts on beyond the 180th meridian.
    most = 360.0 if file.suffix == ".geojson" else 180.001
    if west < -most or east > most or south < -90.001 or north > 90.001:
        return {"problem": "The shapes lie outside of -180 to 180 and -90 to 90 degrees; is the .prj file missing?"}
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
