"""Problems with the positions of rows, with a fix for all rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from domain.file_import.row_problems import Offer, Problem
from domain.geography.place_conflicts import (
    FIX_LABELS,
    FIXES,
    REASONS,
    Conflicts,
    Fix,
    Floats,
    Mask,
    Stated,
    find_conflicts,
    find_far,
)

if TYPE_CHECKING:
    from domain.file_import.row_problems import Rows

MANY: Final = 0.1
FEWEST: Final = 3
"""From this share of swapped positions on, the other positions get a warning too."""
FAR: Final = "The place is far from all other places in the file."


def conflict_problems(
    rows: Rows, columns: tuple[str, str], degrees: tuple[Floats, Floats], stated: Stated
) -> Iterator[Problem]:
    """Find positions that contradict their row or are swapped.

    `columns` are the latitude and longitude columns, and `degrees` their values, NaN for empty cells.
    """
    y, x = degrees
    conflicts = find_conflicts(y, x, stated)

    def describe(row: int) -> str:
        return stated.message(row, REASONS[conflicts.reason[row]])

    swapped = (np.abs(y) > 90) & (np.abs(y) <= 180) & (np.abs(x) <= 90)
    swap = _offer(rows, columns, conflicts, "swap")
    yield Problem(swapped, columns[0], "Latitude and longitude may be swapped.", offer=swap)
    for number in np.unique(conflicts.fix[conflicts.reason >= 0]).tolist():
        has_fix = (conflicts.reason >= 0) & (conflicts.fix == number)
        offer = _offer(rows, columns, conflicts, FIXES[number]) if number >= 0 else None
        yield Problem(has_fix, columns[0], "", row_message=describe, offer=offer)
    is_right = (stated.is_stated & (conflicts.reason < 0)) | ((np.abs(y) <= 90) & (np.abs(x) > 90))
    others = (np.abs(y) <= 90) & (np.abs(x) <= 90) & (conflicts.reason < 0) & ~is_right
    if swapped.sum() >= max(FEWEST, MANY * np.isfinite(y).sum(), is_right.sum()):
        message = "Latitude and longitude are swapped in many rows. Check this row too."
        also_swap = Offer("Also swap latitude and longitude in {}", swap.cells)
        yield Problem(others, columns[0], message, is_error=False, offer=also_swap)
    far = find_far(y, x) & ~stated.is_stated & (conflicts.reason < 0)
    yield Problem(far, columns[0], FAR, is_error=False)


def _offer(rows: Rows, columns: tuple[str, str], conflicts: Conflicts, fix: Fix) -> Offer:
    lat, lon = (rows.texts[name] for name in columns)
    if fix != "swap":
        has_fix = (conflicts.reason >= 0) & (conflicts.fix == FIXES.index(fix))
        lat, lon = _replace_texts(lat, conflicts.latitudes, has_fix), _replace_texts(lon, conflicts.longitudes, has_fix)
    else:
        lat, lon = lon, lat
    label = f"Move {{}} to the {fix}" if fix in ("airport", "city") else f"{FIX_LABELS[fix]} in {{}}"
    return Offer(label, dict(zip(columns, (lat, lon), strict=True)))


def _replace_texts(texts: pd.Series[str], degrees: Floats, mask: Mask) -> pd.Series[str]:
    fixed = ["" if np.isnan(each) else f"{each:.6f}".rstrip("0").rstrip(".") for each in degrees.tolist()]
    return texts.where(~mask, pd.Series(fixed, dtype="str"))
