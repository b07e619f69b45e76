"""Marks of places: how large for how many people, which shape for which kind, which filling for which status.

The marks are pictures in one file a theme (static/basemap/marks-*.png, drawn by scripts/build_marks.py), a cell for
each kind and status. A shape's area, not its width, tells the number of people, and shapes of one size have one area.
"""

import math
from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

from domain.maps.palette import GROUNDS, KIND_COLOURS, KIND_ICONS, KIND_LETTERS, Theme, kind_or_other

Floats = npt.NDArray[np.float64]

STATUSES: tuple[str, ...] = ("there", "arriving", "leaving", "possible")
STATUS_FILLINGS: Mapping[str, str] = {"there": "solid", "arriving": "ring", "leaving": "half", "possible": "hollow"}
KIND_SHAPES: Mapping[str, str] = {
    "Air": "circle",
    "Hotel": "square",
    "Rail": "diamond",
    "Car": "triangle",
    "Other": "circle",
}

MIN_RADIUS = 6.0
MAX_RADIUS = 24.0
FULL_SCALE_PEOPLE = 60
"""How many people the largest mark stands for, where no place has more."""

CELL = 160
"""Pixels of a cell in the picture, both ways."""
CELL_RADIUS = 0.29
"""Radius of a cell's circle, as a share of the cell: the other shapes and the casing need the rest."""
RING = "ring"
"""The name of the cell that is drawn around a picked mark."""
CELL_RING_RADIUS = 0.42
"""Radius of that ring, as a share of the cell."""

SHAPES = {"circle": "●", "square": "■", "diamond": "◆", "triangle": "▲"}
FILLINGS = {"solid": "●", "ring": "◎", "half": "◐", "hollow": "○"}
APART = "\u2003"


def radii(people: npt.ArrayLike, *, scale: float = 1.0) -> Floats:
    """Return the radius in pixels of a circle for each number of people: areas in proportion, within the two limits.

    `scale` shrinks marks and limits alike, for a small screen.
    """
    numbers = np.maximum(np.asarray(people, dtype=np.float64), 0.0)
    full = max(float(numbers.max(initial=0.0)), float(FULL_SCALE_PEOPLE))
    return np.clip(MAX_RADIUS * np.sqrt(numbers / full), MIN_RADIUS, MAX_RADIUS) * scale


def icon_name(kind: object, status: object) -> str:
    """Return the name of a mark's cell, such as ``A0`` for people who are there by air."""
    column = STATUSES.index(status) if isinstance(status, str) and status in STATUSES else 0
    return f"{kind_or_other(kind)[0]}{column}"


def icon_cells() -> dict[str, dict[str, int | bool]]:
    """Return where each mark lies in the picture, as deck.gl's iconMapping wants it."""
    cells = {
        icon_name(kind, status): (column, row)
        for row, kind in enumerate(KIND_COLOURS)
        for column, status in enumerate(STATUSES)
    }
    cells[RING] = (0, len(KIND_COLOURS))
    return {
        name: {"x": column * CELL, "y": row * CELL, "width": CELL, "height": CELL, "mask": False}
        for name, (column, row) in cells.items()
    }


def icon_sizes(radius: Floats) -> Floats:
    """Return the size to draw a cell at, in pixels, so that its circle has this radius."""
    return radius / CELL_RADIUS


def ring_sizes(radius: Floats) -> Floats:
    """Return the size to draw the ring's cell at, in pixels, so that it lies around a mark of this radius."""
    # The corners of a triangle reach 1.6 radii from its centre.
    return (radius * 1.35 + 6.0) / CELL_RING_RADIUS


def count_text(people: int) -> str:
    """Return a count as short as a mark needs it: 7, 312, 1.2k, 45k, 1.3M."""
    for unit, suffix in ((1_000_000, "M"), (1_000, "k")):
        if people >= unit:
            # Cut, not rounded: 999,999 people are not 1000k.
            tenths = math.floor(people * 10 / unit)
            return f"{tenths / 10:.1f}{suffix}" if tenths < 100 and tenths % 10 else f"{tenths // 10}{suffix}"
    return str(people)


def kinds_legend(kinds: Iterable[object], theme: Theme, *, as_lines: bool = False) -> str:
    """Name the shapes and colours of these kinds; `as_lines` shows the chips that stand for legs."""
    present = {kind_or_other(kind) for kind in kinds}
    shown = [kind for kind in KIND_COLOURS if kind in present]
    return APART.join(f"{chip(kind, theme) if as_lines else _mark(kind, theme)}\u00a0{kind}" for kind in shown)


def statuses_legend(statuses: Iterable[object]) -> str:
    """Name the fillings of these statuses."""
    present = set(statuses)
    fillings = STATUS_FILLINGS.items()
    return APART.join(
        f"{FILLINGS[filling]}\u00a0{status.capitalize()}" for status, filling in fillings if status in present
    )


def chip(kind: object, theme: Theme) -> str:
    """The mark of a kind of segment in its colour: its icon and its letter."""
    kind = kind_or_other(kind)
    colours = f'foreground="{GROUNDS[theme].on_mark}" background="{KIND_COLOURS[kind][theme]}"'
    return f":color[{KIND_ICONS[kind]} {KIND_LETTERS[kind]}]{{{colours}}}"


def _mark(kind: str, theme: Theme) -> str:
    return f':color[{SHAPES[KIND_SHAPES[kind]]}]{{foreground="{KIND_COLOURS[kind][theme]}"}}'
