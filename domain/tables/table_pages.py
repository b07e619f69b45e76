"""The columns, order, and pages of a table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import pandas as pd

PAGE_SIZE: Final = 50


@dataclass(frozen=True)
class PageBounds:
    """The rows of a page: `start` inclusive and `stop` exclusive, counted from 0; `number` counts from 1."""

    number: int
    pages: int
    start: int
    stop: int
    total: int

    @property
    def words(self) -> str:
        """Return the rows of the page as text: "51–100 of 1,612"."""
        if not self.total:
            return "0"
        if self.pages == 1:
            return f"{self.total:,}"
        return f"{self.start + 1:,}–{self.stop:,} of {self.total:,}"


def page_bounds(total: int, number: int, page_size: int = PAGE_SIZE) -> PageBounds:
    """Return the rows of a page. A number that is too high means the last page."""
    pages = max(1, -(-total // page_size))
    number = min(max(number, 1), pages)
    start = (number - 1) * page_size
    return PageBounds(number, pages, start, min(start + page_size, total), total)


@dataclass(frozen=True)
class Column:
    """How a column of a table is shown.

    A value that is a `Status` is drawn as a badge.
    """

    label: str
    words: Callable[[Any], str] = str
    """Formats a value."""
    order: str | None = None
    """The column whose values sort the rows, if it is another one."""
    numeric: bool = False
    in_one_line: bool = False
    """Whether values get the room to stay in one line before other columns do, as times."""
    is_secondary: bool = False
    """Whether the column is left out on a phone."""


def numbers(label: str) -> Column:
    """Declare a column of numbers with separators."""
    return Column(label, "{:,}".format, numeric=True)


def columns_of(columns: Mapping[str, str | Column]) -> dict[str, Column]:
    """Return columns in which a label stands for a column of text."""
    return {name: Column(column) if isinstance(column, str) else column for name, column in columns.items()}


def cells_of(page: pd.DataFrame, columns: Mapping[str, Column], placeholder: str = "") -> list[list[str]]:
    """Return the rows of a page as lists of text, with `placeholder` in empty cells."""
    written = [
        [
            placeholder if is_empty else column.words(value)
            for value, is_empty in zip(page[name], page[name].isna(), strict=True)
        ]
        for name, column in columns.items()
    ]
    return [list(row) for row in zip(*written, strict=True)]


def ids_of(page: pd.DataFrame, id_column: str | Sequence[str]) -> list[str]:
    """Return the IDs of the rows of a page: the text of one column, or of several joined."""
    names = [id_column] if isinstance(id_column, str) else list(id_column)
    if not names:
        return [str(position) for position in range(len(page))]
    return ["\x1f".join(map(str, row)) for row in zip(*(page[name] for name in names), strict=True)]


def picked_now(
    kept: Sequence[str],
    pressed: Sequence[str] | None,
    in_sight: Collection[str],
    selection: Literal["one", "many"] | None,
    *,
    keeps_what_is_out_of_sight: bool,
) -> list[str]:
    """Return the selection after a press on the rows of this page, or None if nothing was pressed.

    In a multiple selection, rows of other pages stay selected. In a single one, the press replaces the selection.
    """
    elsewhere = [id_ for id_ in kept if id_ not in in_sight] if keeps_what_is_out_of_sight else []
    if pressed is None:
        return [id_ for id_ in kept if id_ in in_sight or keeps_what_is_out_of_sight]
    return [*(elsewhere if selection == "many" else []), *(id_ for id_ in pressed if id_ in in_sight)]


def order_of(text: str, columns: Collection[str], by: str | None = None) -> tuple[str, bool] | None:
    """Return the column to sort by and whether in descending order; `by` if there is none."""
    name, _, direction = text.rpartition(" ")
    if name in columns and direction in {"ascending", "descending"}:
        return name, direction == "descending"
    return None if by is None else (by.removesuffix(" descending"), by.endswith(" descending"))


def next_order(order: tuple[str, bool] | None, pressed: str, by: str | None = None) -> str:
    """Return the order after a press on a heading: ascending, then descending, then the default."""
    own = order_of("", (), by)
    is_own = own is not None and own[0] == pressed
    if order is None or order[0] != pressed:
        wanted = own if is_own else (pressed, False)
    else:
        wanted = (pressed, not order[1]) if is_own or not order[1] else None
    return "" if wanted is None or wanted == own else f"{pressed} {'descending' if wanted[1] else 'ascending'}"


def in_order(table: pd.DataFrame, values: pd.Series, descending: bool) -> pd.DataFrame:
    """Sort rows by values: text without case, IDs by number, missing values last, equal ones unchanged."""
    ordered = values.reset_index(drop=True).sort_values(
        ascending=not descending, kind="stable", na_position="last", key=_in_words if _is_text(values) else None
    )
    return table.iloc[ordered.index]


def _is_text(column: pd.Series) -> bool:
    return bool(pd.api.types.is_string_dtype(column)) or column.dtype == object


def _in_words(column: pd.Series) -> pd.Series:
    return column.map(_in_word)


def _in_word(value: object) -> object:
    if not isinstance(value, str):
        return value
    return f"{len(value):09}{value}" if value.isdecimal() else value.casefold()
