"""Draw static/basemap/marks-light.png and marks-dark.png: the marks of the maps, a row a kind, a column a status.

    .venv/bin/python scripts/build_marks.py

Each shape is a function that tells how far a point lies outside its outline, so edges come out smooth at any size.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from components.maps.marks import CELL, CELL_RADIUS, CELL_RING_RADIUS, KIND_SHAPES, STATUS_FILLINGS, STATUSES
from domain.maps.palette import GROUNDS, KIND_COLOURS, Colour, Theme, rgb

Floats = npt.NDArray[np.float64]
Shape = Callable[[Floats, Floats], Floats]

OUTPUT = Path(__file__).resolve().parent.parent / "static" / "basemap"
CASING = 0.028
LINE = 0.05


def main() -> None:
    """Write both pictures."""
    for theme in GROUNDS:
        path = OUTPUT / f"marks-{theme}.png"
        path.write_bytes(png(sheet(theme)))
        print(f"{path}: {path.stat().st_size / 1e3:.0f} kB")


def sheet(theme: Theme) -> npt.NDArray[np.uint8]:
    """Return the picture of a theme as height by width by RGBA."""
    rows = [np.hstack([cell(kind, status, theme) for status in STATUSES]) for kind in KIND_COLOURS]
    empty = np.zeros((CELL, CELL * (len(STATUSES) - 1), 4), dtype=np.uint8)
    return np.vstack([*rows, np.hstack([ring(theme), empty])])


def mixed(colour: str, ground: str, share: float) -> Colour:
    """Return a colour laid over a ground with this share of itself, from 0 to 1."""
    over, under = rgb(colour), rgb(ground)
    red, green, blue = (round(share * a + (1 - share) * b) for a, b in zip(over, under, strict=True))
    return red, green, blue


def ring(theme: Theme) -> npt.NDArray[np.uint8]:
    """Return what is drawn around a picked mark: a ring in the colour of ink, cased on both sides."""
    ground = GROUNDS[theme]
    centre = (np.arange(CELL) + 0.5) / CELL - 0.5
    x, y = np.meshgrid(centre, centre)
    away = np.abs(np.hypot(x, y) - CELL_RING_RADIUS)
    return painted([(away - 0.062, rgb(ground.casing)), (away - 0.034, rgb(ground.ink))])


def cell(kind: str, status: str, theme: Theme) -> npt.NDArray[np.uint8]:
    """Return one mark: the shape in its colour, filled as the status says, with a casing that parts it from the map."""
    ground = GROUNDS[theme]
    centre = (np.arange(CELL) + 0.5) / CELL - 0.5
    x, y = np.meshgrid(centre, centre)
    outside = SHAPES[KIND_SHAPES[kind]](x, y)
    colour, casing = rgb(KIND_COLOURS[kind][theme]), rgb(ground.casing)
    pale = mixed(KIND_COLOURS[kind][theme], ground.casing, 0.16)
    layers = [(outside - CASING, casing), (outside, colour)]
    match STATUS_FILLINGS[status]:
        case "ring":
            layers += [(outside + LINE, casing), (outside + 1.75 * LINE, colour)]
        case "half":
            layers += [(np.maximum(outside + LINE, -y), pale)]
        case "hollow":
            layers += [(outside + LINE, pale)]
    return painted(layers)


def painted(layers: list[tuple[Floats, tuple[int, int, int]]]) -> npt.NDArray[np.uint8]:
    """Return layers painted over each other, as RGBA; the first one decides where the mark is."""
    canvas = np.zeros((CELL, CELL, 3))
    alpha = np.clip(0.5 - layers[0][0] * CELL, 0, 1)
    for outside, colour in layers:
        cover = np.clip(0.5 - outside * CELL, 0, 1)[..., None]
        canvas = cover * np.array(colour, dtype=np.float64) + (1 - cover) * canvas
    # Where only the casing's edge covers, its colour is full and its alpha partial.
    canvas = np.where(alpha[..., None] < 1, np.array(layers[0][1], dtype=np.float64), canvas)
    return np.dstack([canvas, alpha * 255]).round().astype(np.uint8)


def circle(x: Floats, y: Floats) -> Floats:
    """Return the distance to a circle."""
    return np.hypot(x, y) - CELL_RADIUS


def square(x: Floats, y: Floats, corner: float = 0.05) -> Floats:
    """Return the distance to a square of the circle's area, with round corners."""
    # The corners take (4 - pi) corner^2 from the area.
    side = math.sqrt(math.pi * CELL_RADIUS**2 + (4 - math.pi) * corner**2) / 2 - corner
    across, down = np.abs(x) - side, np.abs(y) - side
    return np.hypot(np.maximum(across, 0), np.maximum(down, 0)) + np.minimum(np.maximum(across, down), 0) - corner


def diamond(x: Floats, y: Floats) -> Floats:
    """Return the distance to a square of the circle's area that stands on a corner."""
    turned = math.sqrt(0.5)
    return square((x + y) * turned, (y - x) * turned)


def triangle(x: Floats, y: Floats, corner: float = 0.06) -> Floats:
    """Return the distance to an upright triangle of the circle's area about its centre, with round corners."""
    # A triangle of inradius h grown by the corner: 3 sqrt(3) h^2 + 6 sqrt(3) h corner + pi corner^2.
    b, c = 6 * math.sqrt(3) * corner, (corner**2 - CELL_RADIUS**2) * math.pi
    inradius = (-b + math.sqrt(b * b - 12 * math.sqrt(3) * c)) / (6 * math.sqrt(3))
    half = inradius * math.sqrt(3)
    # After Inigo Quilez: fold the plane onto one side of an equilateral triangle.
    px, py = np.abs(x) - half, -y + inradius
    fold = px + math.sqrt(3) * py > 0
    px, py = (
        np.where(fold, (px - math.sqrt(3) * py) / 2, px),
        np.where(fold, (-math.sqrt(3) * px - py) / 2, py),
    )
    px = px - np.clip(px, -2 * half, 0)
    return -np.hypot(px, py) * np.sign(py) - corner


SHAPES: dict[str, Shape] = {"circle": circle, "square": square, "diamond": diamond, "triangle": triangle}


def png(pixels: npt.NDArray[np.uint8]) -> bytes:
    """Return RGBA pixels as a PNG file."""
    height, width, _ = pixels.shape
    rows = np.hstack([np.zeros((height, 1), dtype=np.uint8), pixels.reshape(height, width * 4)])
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in chunks
    )


if __name__ == "__main__":
    main()
