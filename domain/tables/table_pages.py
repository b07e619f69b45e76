"""What a table shows: its columns in words, in which order all of its rows stand, and which of them are on a page."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import pandas as pd

PAGE_SIZE: Final = 50


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


def page_bounds(total: int, number: int, page_size: int = PAGE_SIZE) -> PageBounds:
    """Find what a page shows; a number past the end means the last page."""
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
    """A column of numbers with separators."""
    return Column(label, "{:,}".format, numeric=True)


def columns_of(columns: Mapping[str, str | Column]) -> dict[str, Column]:
    """Take a bare label for a column of text."""
    return {name: Column(column) if isinstance(column, str) else column for name, column in columns.items()}


def cells_of(page: pd.DataFrame, columns: Mapping[str, Column], placeholder: str = "") -> list[list[str]]:
    """Write the rows of a page as text, a list a row; `placeholder` stands where a cell holds nothing."""
    written = [
        [
            placeholder if is_empty else column.words(value)
            for value, is_empty in zip(page[name], page[name].isna(), strict=True)
        ]
        for name, column in columns.items()
    ]
    return [list(row) for row in zip(*written, strict=True)]


def ids_of(page: pd.DataFrame, id_column: str | Sequence[str]) -> list[str]:
    """By what the rows of a page are known: the text of a column, or of several together."""
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
    """What is picked after a press, which tells of the rows in sight only; None where nothing was pressed.

    Of several, those on other pages stay; of one, a press anywhere takes the place of what was picked.
    """
    elsewhere = [id_ for id_ in kept if id_ not in in_sight] if keeps_what_is_out_of_sight else []
    if pressed is None:
        return [id_ for id_ in kept if id_ in in_sight or keeps_what_is_out_of_sight]
    return [*(elsewhere if selection == "many" else []), *(id_ for id_ in pressed if id_ in in_sight)]


def order_of(text: str, columns: Collection[str], by: str | None = None) -> tuple[str, bool] | None:
    """Read what a table is put in order by, and whether the last comes first; else it stands as it is, by `by`."""
    name, _, direction = text.rpartition(" ")
    if name in columns and direction in {"ascending", "descending"}:
        return name, direction == "descending"
    return None if by is None else (by.removesuffix(" descending"), by.endswith(" descending"))


def next_order(order: tuple[str, bool] | None, pressed: str, by: str | None = None) -> str:
    """What a press on a heading asks for: up, then down, then as the table stands by itself."""
    own = order_of("", (), by)
    is_own = own is not None and own[0] == pressed
    if order is None or order[0] != pressed:
        wanted = own if is_own else (pressed, False)
    else:
        wanted = (pressed, not order[1]) if is_own or not order[1] else None
    return "" if wanted is None or wanted == own else f"{pressed} {'descending' if wanted[1] else 'ascending'}"


def in_order(table: pd.DataFrame, values: pd.Series, descending: bool) -> pd.DataFrame:
    """Sort a table by values, one a row: text whatever its case, ids by number, missing last, equals as they were."""
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
