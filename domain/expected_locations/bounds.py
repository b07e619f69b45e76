"""The part of the world that a map shows."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import pandas as pd


class Bounds(NamedTuple):
    """Decimal degrees. Where the part crosses the date line, `east` is less than `west`."""

    west: float
    south: float
    east: float
    north: float


def positions_of(table: pd.DataFrame, id_column: str, ids: Collection[str]) -> list[tuple[float, float]]:
    """Return longitude and latitude of the rows with these IDs, each position once, without rows that have none."""
    rows = table.loc[table[id_column].isin(ids), ["longitude", "latitude"]].dropna().drop_duplicates()
    return list(rows.itertuples(index=False, name=None))
