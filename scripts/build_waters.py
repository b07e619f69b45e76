"""Build static/basemap/waters.geojson, the rivers and lakes of close maps, from Natural Earth 1:10 million.

    .venv/bin/python scripts/build_waters.py FOLDER

The folder has the GeoJSON files ne_10m_lakes, ne_10m_rivers_lake_centerlines, ne_10m_rivers_europe, and
ne_10m_rivers_north_america, as in the repository martynafford/natural-earth-geojson.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, Final

import shapely
from shapely.geometry.base import BaseGeometry

OUTPUT: Final = Path(__file__).resolve().parent.parent / "static" / "basemap" / "waters.geojson"
LAKES: Final = ("ne_10m_lakes",)
RIVERS: Final = ("ne_10m_rivers_lake_centerlines", "ne_10m_rivers_europe", "ne_10m_rivers_north_america")
DECIMALS: Final = 2
TOLERANCE: Final = 0.015
"""Degrees, about 1.5 km, that a point may be off the line that is drawn without it."""


def main() -> None:
    """Read the folder from the command line and write the file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    features = [
        {"type": "Feature", "properties": {"kind": kind}, "geometry": json.loads(shapely.to_geojson(geometry))}
        for kind, names in (("lake", LAKES), ("river", RIVERS))
        for geometry in [_joined([each for name in names for each in _geometries(folder / f"{name}.json")])]
    ]
    text = json.dumps({"type": "FeatureCollection", "features": features}, separators=(",", ":"))
    OUTPUT.write_text(text + "\n", encoding="utf-8")
    print(f"{OUTPUT}: {len(text) / 1e6:.2f} MB")


def _geometries(path: Path) -> list[BaseGeometry]:
    features: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["features"]
    return [shapely.from_geojson(json.dumps(each["geometry"])) for each in features if each["geometry"]]


def _joined(geometries: list[BaseGeometry]) -> BaseGeometry:
    """Return one geometry of all parts, simplified and rounded, without those that vanish."""
    parts = shapely.get_parts(geometries)
    simple = shapely.set_precision(shapely.simplify(parts, TOLERANCE), 10.0**-DECIMALS)
    kept = [each for each in shapely.get_parts(simple) if not each.is_empty]
    is_line = kept[0].geom_type == "LineString"
    kept = [each for each in kept if (each.geom_type == "LineString") == is_line]
    return shapely.multilinestrings(kept) if is_line else shapely.multipolygons(kept)


if __name__ == "__main__":
    main()
