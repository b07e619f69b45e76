"""Cutting long tables into pages and putting them in order, over all rows and not only those in sight."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass

import pandas as pd


@dataclass(frozen=True)
class PageBounds:
    """Which rows a page shows: `start` inclusive and `stop` exclusive, counted from 0; `number` counts from 1."""

    number: int
    pages: int
    start: int
    stop: int
    total: int

    @property
    def words(self) -> str:
        """Say which rows are in sight: "51–100 of 1,612"."""
        if not self.total:
            return "0"
        if self.pages == 1:
            return f"{self.total:,}"
        return f"{self.start + 1:,}–{self.stop:,} of {self.total:,}"


def page_bounds(total: int, number: int, page_size: int) -> PageBounds:
    """Find what a page shows; a number past the end means the last page."""
    pages = max(1, -(-total // page_size))
    number = min(max(number, 1), pages)
    start = (number - 1) * page_size
    return PageBounds(number, pages, start, min(start + page_size, total), total)


def in_order(table: pd.DataFrame, column: str | None, descending: bool) -> pd.DataFrame:
    """Sort a table by a column, text without regard to case, empty cells last, equal rows as they were."""
    if column is None or column not in table.columns:
        return table
    return table.sort_values(
        column,
        ascending=not descending,
        kind="stable",
        na_position="last",
        key=_caseless if _is_text(table[column]) else None,
    )


def rows_of(table: pd.DataFrame, id_column: str | None, ids: Collection[object]) -> list[int]:
    """Find at which positions of a table the rows with these ids stand."""
    if id_column is None or not ids:
        return []
    wanted = {str(value) for value in ids}
    return [position for position, value in enumerate(table[id_column]) if str(value) in wanted]


def picked_rows(table: pd.DataFrame, positions: Collection[int]) -> pd.DataFrame:
    """Take the rows at these positions; those that the table no longer has are passed over."""
    return table.iloc[[position for position in positions if 0 <= position < len(table)]]


def fingerprint(table: pd.DataFrame, id_column: str | None) -> str:
    """Name what rows a table shows, so that a selection made on other rows is not taken for one on these."""
    shown = table[id_column] if id_column else table
    return hashlib.sha256(shown.to_csv(index=True).encode("utf-8", errors="replace")).hexdigest()[:12]


def _is_text(column: pd.Series) -> bool:
    return bool(pd.api.types.is_string_dtype(column)) or column.dtype == object


def _caseless(column: pd.Series) -> pd.Series:
    return column.map(lambda value: value.casefold() if isinstance(value, str) else value)
