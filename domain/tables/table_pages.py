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
    def range_text(self) -> str:
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
    """A column of a table. A value that is a `Status` is drawn as a badge."""

    label: str
    format_value: Callable[[Any], str] = str
    sort_column: str | None = None
    """The column whose values sort the rows, if it is another one."""
    is_numeric: bool = False
    is_one_line: bool = False
    """Whether values get the room to stay in one line before other columns do, as times."""
    is_secondary: bool = False
    """Whether the column is left out on a phone."""
    is_optional: bool = False
    """Whether the column is left out of a page on which it is empty."""
    is_phone: bool = False
    """Whether values are phone numbers, one per line, which are drawn as links that call."""


@dataclass(frozen=True)
class RowAction:
    """A button in each row of a table."""

    name: str
    """The value in the column of the actions if this one is in effect."""
    text: str
    label: str
    """The label for screen readers and on hover, without the row."""


def numbers(label: str) -> Column:
    """Declare a column of numbers with separators."""
    return Column(label, "{:,}".format, is_numeric=True)


def normalize_columns(columns: Mapping[str, str | Column]) -> dict[str, Column]:
    """Return columns in which a label stands for a column of text."""
    return {name: Column(column) if isinstance(column, str) else column for name, column in columns.items()}


def format_cells(page: pd.DataFrame, columns: Mapping[str, Column], placeholder: str = "") -> list[list[str]]:
    """Return the rows of a page as lists of text, with `placeholder` in empty cells."""
    cells = [
        [
            placeholder if is_empty else column.format_value(value)
            for value, is_empty in zip(page[name], page[name].isna(), strict=True)
        ]
        for name, column in columns.items()
    ]
    return [list(row) for row in zip(*cells, strict=True)]


def row_ids(page: pd.DataFrame, id_column: str | Sequence[str]) -> list[str]:
    """Return the IDs of the rows of a page: the text of one column, or of several joined."""
    names = [id_column] if isinstance(id_column, str) else list(id_column)
    if not names:
        return [str(position) for position in range(len(page))]
    return ["\x1f".join(map(str, row)) for row in zip(*(page[name] for name in names), strict=True)]


def update_selection(
    selected: Sequence[str],
    pressed: Sequence[str] | None,
    page_ids: Collection[str],
    selection: Literal["one", "many"] | None,
    *,
    keeps_other_pages: bool,
) -> list[str]:
    """Return the selection after the rows `pressed` became the selected ones of this page, or before any press (None).

    In a multiple selection, rows of other pages stay selected. In a single one, the press replaces the selection.
    """
    if pressed is None:
        return [id_ for id_ in selected if id_ in page_ids or keeps_other_pages]
    others = [id_ for id_ in selected if id_ not in page_ids] if keeps_other_pages and selection == "many" else []
    return [*others, *(id_ for id_ in pressed if id_ in page_ids)]


def order_of(text: str, columns: Collection[str], default_order: str | None = None) -> tuple[str, bool] | None:
    """Return the column to sort by and whether in descending order, from a text such as "name descending"."""
    name, _, direction = text.rpartition(" ")
    if name in columns and direction in {"ascending", "descending"}:
        return name, direction == "descending"
    if default_order is None:
        return None
    return default_order.removesuffix(" descending"), default_order.endswith(" descending")


def next_order(order: tuple[str, bool] | None, pressed: str, default_order: str | None = None) -> str:
    """Return the order after a press on a heading: ascending, then descending, then the default."""
    default = order_of("", (), default_order)
    is_default = default is not None and default[0] == pressed
    if order is None or order[0] != pressed:
        new = default if is_default else (pressed, False)
    else:
        new = (pressed, not order[1]) if is_default or not order[1] else None
    return "" if new is None or new == default else f"{pressed} {'descending' if new[1] else 'ascending'}"


def sort_rows(table: pd.DataFrame, values: pd.Series, descending: bool) -> pd.DataFrame:
    """Sort rows by values: text without case, IDs by number, missing values last, equal ones unchanged."""
    ordered = values.reset_index(drop=True).sort_values(
        ascending=not descending, kind="stable", na_position="last", key=_sort_keys if _is_text(values) else None
    )
    return table.iloc[ordered.index]


def _is_text(column: pd.Series) -> bool:
    return bool(pd.api.types.is_string_dtype(column)) or column.dtype == object


def _sort_keys(column: pd.Series) -> pd.Series:
    return column.map(_sort_key)


def _sort_key(value: object) -> object:
    if not isinstance(value, str):
        return value
    return f"{len(value):09}{value}" if value.isdecimal() else value.casefold()
