"""Draw static/map/world-light.png and world-dark.png: static/basemap/countries.geojson in Web Mercator.

    .venv/bin/python scripts/build_world_pictures.py

While the whole world is in view, a picture costs a browser without a graphics card far less than polygons do.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from PIL import Image, ImageDraw

from domain.maps.palette import GROUNDS, Ground, rgb

PROJECT: Final = Path(__file__).resolve().parent.parent
SOURCE: Final = PROJECT / "static" / "basemap" / "countries.geojson"
OUTPUT: Final = PROJECT / "static" / "map"
SIZE: Final = 2048
"""Pixels in each direction: the world at zoom 2 of the map."""
OVERSAMPLING: Final = 3
COLORS: Final = 24
MAX_LATITUDE: Final = 85.0511


def main() -> None:
    """Write both pictures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--output", type=Path, default=OUTPUT)
    output: Path = parser.parse_args().output
    features = json.loads(SOURCE.read_text(encoding="utf-8"))["features"]
    for theme, ground in GROUNDS.items():
        path = output / f"world-{theme}.png"
        draw_world(features, ground).save(path, optimize=True)
        print(f"{path}: {path.stat().st_size / 1e3:.0f} KB")


def draw_world(features: Sequence[dict[str, Any]], ground: Ground) -> Image.Image:
    """Return the picture of the world, with a palette of few colors."""
    side = SIZE * OVERSAMPLING
    image = Image.new("RGB", (side, side), rgb(ground.sea))
    draw = ImageDraw.Draw(image)
    for line in graticule():
        draw.line([project(point, side) for point in line], fill=rgb(ground.graticule), width=OVERSAMPLING)
    for feature in features:
        if feature["geometry"]["type"] == "MultiPolygon":
            for outer, *holes in feature["geometry"]["coordinates"]:
                draw.polygon([project(point, side) for point in outer], fill=rgb(ground.land))
                for hole in holes:
                    draw.polygon([project(point, side) for point in hole], fill=rgb(ground.sea))
    for feature in features:
        if feature["geometry"]["type"] == "MultiLineString":
            for line in feature["geometry"]["coordinates"]:
                draw.line([project(point, side) for point in line], fill=rgb(ground.border), width=OVERSAMPLING)
    small = image.resize((SIZE, SIZE), Image.Resampling.BOX)
    return small.quantize(COLORS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def graticule() -> Iterator[list[tuple[float, float]]]:
    """Yield meridians and parallels, 30 degrees apart."""
    for longitude in range(-150, 180, 30):
        yield [(longitude, -MAX_LATITUDE), (longitude, MAX_LATITUDE)]
    for latitude in range(-60, 61, 30):
        yield [(-180, latitude), (180, latitude)]


def project(point: Sequence[float], side: int) -> tuple[float, float]:
    """Return the pixel of a longitude and latitude."""
    latitude = max(-MAX_LATITUDE, min(MAX_LATITUDE, point[1]))
    height = 0.5 - math.log(math.tan(math.pi / 4 + math.radians(latitude) / 2)) / (2 * math.pi)
    return (point[0] + 180) / 360 * side, height * side


if __name__ == "__main__":
    main()
