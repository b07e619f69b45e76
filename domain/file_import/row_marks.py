"""Marks on a map for rows with coordinates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd

from domain.file_import.checked_file import CheckedFile
from domain.file_import.positions import Position, is_on_earth
from domain.maps.map_shape import MOST_SHAPES, Shape, Tone
from domain.text.plain_text import count

_GRIDS: Final = (1_000, 100, 10, 1, 0.2)
"""Grid cells per degree, finer first. Rows in one cell are one mark."""


def find_marks(position: Position, check: CheckedFile) -> list[Mark]:
    """Return a mark per place with the number of open rows, errors, and warnings."""
    y, x = position.degrees(check.rows)
    rows = np.flatnonzero(is_on_earth(y, x) & check.is_open)
    for grid in _GRIDS:
        # One number per cell: its row and its column in the grid.
        cell = np.floor(y[rows] * grid) * (400 * max(_GRIDS)) + np.floor(x[rows] * grid)
        cells, its = np.unique(cell, return_inverse=True)
        if len(cells) <= MOST_SHAPES:
            break
    bad, doubtful = check.with_errors[rows], check.with_warnings[rows]
    table = pd.DataFrame({"cell": its.ravel(), "y": y[rows], "x": x[rows], "bad": bad, "doubtful": doubtful, "n": 1})
    by_cell = table.groupby("cell").agg({"y": "mean", "x": "mean", "bad": "sum", "doubtful": "sum", "n": "sum"})
    return [_mark(each) for each in by_cell.to_dict("records")]


@dataclass(frozen=True)
class Mark(Shape):
    """The mark of a place. `number` is the number of rows."""

    number: int = 1


def _mark(cell: Mapping[Any, Any]) -> Mark:
    parts = [f"{cell['bad']:,} with errors"] if cell["bad"] else []
    parts += [f"{cell['doubtful']:,} with warnings"] if cell["doubtful"] else []
    where = {"type": "Point", "coordinates": [round(cell["x"], 5), round(cell["y"], 5)]}
    number = int(cell["n"])
    tone: Tone = "error" if cell["bad"] else "warning" if cell["doubtful"] else "plain"
    return Mark(count(number, "row", "rows"), " · ".join(parts), where, tone, number)
