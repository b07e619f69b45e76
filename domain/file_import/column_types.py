"""The types of columns: how cells become values, and which cells are invalid."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt
import pandas as pd

from domain.file_import.cell_numbers import read_numbers
from domain.file_import.cell_times import (
    EPOCH,
    DateOrder,
    format_day_fractions,
    format_serial_dates,
    full_matches,
    has_time_of_day,
    is_without_year,
    needs_date_order,
    read_clocks,
    read_spans,
)
from domain.geography.folding import fold
from domain.text.plain_text import names

Mask = npt.NDArray[np.bool_]
CellIssue = tuple[Mask, str]
"""The rows with an issue, and its message. "{}" in the message stands for the cell."""
AMBIGUOUS_NUMBER: Final = (
    "“{}” can be read as a decimal or as thousands. Enter the number without a thousands separator."
)
NO_YEAR: Final = "The date has no year. Add the year."
AMBIGUOUS_DATE: Final = "Select whether the day or the month comes first."
FULL_FROM: Final = 20 * 86_400
"""Seconds. Times of day, including "+9", are below. Dates and times are above."""
_DAY: Final = 86_400
_FIRST_DAYS: Final = -64 * 365 * _DAY
"""Seconds since 1970. Spreadsheet times of day in 1899 and 1900 are below."""


@dataclass(frozen=True)
class ParseOptions:
    """How cells are parsed if they leave something open. The names of the fields are stored."""

    zone: str = "UTC"
    date_order: DateOrder = "as the file shows"
    country: str = ""
    """The country of phone numbers without a country code, as two letters."""
    are_contacts: bool = False
    """Whether employee IDs without a name belong to existing contacts."""
    reported_on: str = ""
    """The date of the report in ISO 8601, after which dates without a year are."""
    are_dates_right: bool = False
    """Whether dates that are months or years from the others are right."""
    carries: bool | None = None
    """Whether empty cells repeat the row above. None: as the file shows."""
    includes_hidden: bool = False
    """Whether rows that the workbook hides are included."""


class ColumnType(Protocol):
    """How the filled cells of a column are read.

    A type may have a method `normalize`, which writes cells in a common form first.
    """

    def read(self, texts: pd.Series[str], options: ParseOptions) -> tuple[pd.Series[Any], list[CellIssue]]:
        """Return a value per text (anything if the text is invalid), and the issues."""


@dataclass(frozen=True)
class Text:
    """A text of up to `max_length` characters that matches `pattern`; otherwise `message` is the issue.

    `normalizer` writes each text in a common form first.
    """

    max_length: int | None = None
    pattern: str | None = None
    message: str = "The value doesn’t have the right format."
    normalizer: Callable[[str], str] | None = None

    def normalize(self, texts: pd.Series[str]) -> pd.Series[str]:
        """Apply the normalizer."""
        return _normalize_texts(texts, self.normalizer)

    def read(self, texts: pd.Series[str], options: ParseOptions) -> tuple[pd.Series[Any], list[CellIssue]]:  # noqa: ARG002
        """Return the texts."""
        issues = []
        if self.max_length is not None:
            issues.append(
                (_mask(texts.str.len() > self.max_length), f"The value is longer than {self.max_length:,} characters.")
            )
        if self.pattern is not None:
            issues.append((~full_matches(texts, self.pattern), self.message))
        return texts, issues


@dataclass(frozen=True)
class WholeNumber:
    """A whole number of up to 18 digits, as Int64."""

    least: int | None = None
    most: int | None = None

    def read(self, texts: pd.Series[str], options: ParseOptions) -> tuple[pd.Series[Any], list[CellIssue]]:  # noqa: ARG002
        """Return the numbers."""
        is_whole = full_matches(texts, r"[+-]?[0-9]{1,18}")
        numbers = np.zeros(len(texts), np.int64)
        numbers[is_whole] = texts[is_whole].str.lstrip("+").astype("int64").to_numpy()
        values = pd.Series(numbers, texts.index)
        issues = [
            (~is_whole, "The value isn’t a whole number."),
            *_find_out_of_range(values, is_whole, self.least, self.most),
        ]
        return values.astype("Int64").where(is_whole), issues


@dataclass(frozen=True)
class Decimal:
    """A number with or without decimals, as float."""

    least: float | None = None
    most: float | None = None

    def read(self, texts: pd.Series[str], options: ParseOptions) -> tuple[pd.Series[Any], list[CellIssue]]:  # noqa: ARG002
        """Return the numbers, with the decimal mark of the column."""
        values, is_open = read_numbers(texts, least=self.least, most=self.most)
        is_number = np.isfinite(values.to_numpy())
        issues = [(~is_number & ~is_open, "The value isn’t a number."), (is_open, AMBIGUOUS_NUMBER)]
        return values, [*issues, *_find_out_of_range(values, is_number, self.least, self.most)]


@dataclass(frozen=True)
class Choice:
    """One of several options, without case and accents. `options` maps spellings to values."""

    options: Mapping[str, Any]

    @classmethod
    def of(cls, *options: str) -> Choice:
        """Return a choice of options that are their own values."""
        return cls({option: option for option in options})

    def read(self, texts: pd.Series[str], options: ParseOptions) -> tuple[pd.Series[Any], list[CellIssue]]:  # noqa: ARG002
        """Return the values of the options."""
        known = {squash(normalizer): value for normalizer, value in self.options.items()}
        codes, uniques = pd.factorize(texts)
        squashed = [squash(text) for text in uniques]
        values = pd.Series([known.get(text) for text in squashed], dtype=object).take(codes).set_axis(texts.index)
        found = np.array([text in known for text in squashed], dtype=bool)[codes]
        offered = names(list(dict.fromkeys(map(str, self.options.values()))), at_most=8, last="or")
        return values, [(~found, f"The value must be {offered}.")]


@dataclass(frozen=True)
class Moment:
    """A day or a moment, as epoch milliseconds. A day alone is its beginning, or its end if `is_end`.

    `is_past` is for days before the file was written, such as that of a booking.
    """

    is_end: bool = False
    is_past: bool = False

    def normalize(self, texts: pd.Series[str]) -> pd.Series[str]:
        """Write a spreadsheet's numbers as dates."""
        return format_serial_dates(texts)

    def read(self, texts: pd.Series[str], options: ParseOptions) -> tuple[pd.Series[Any], list[CellIssue]]:
        """Return the moments. The order of day and month is the same for the whole file."""
        spans = read_spans(texts, options.zone, options.date_order)
        values = pd.Series(spans.end if self.is_end else spans.begin, texts.index, dtype="Int64").where(spans.is_read)
        if spans.is_read.all():
            return values, []
        message = "The date or time isn’t valid."
        if options.date_order == "as the file shows" and needs_date_order(texts):
            message = AMBIGUOUS_DATE
        yearless = np.zeros(len(texts), dtype=bool)
        yearless[~spans.is_read] = is_without_year(texts[~spans.is_read])
        return values, [(yearless, NO_YEAR), (~spans.is_read & ~yearless, message)]


@dataclass(frozen=True)
class WallClock:
    """A day or a local time, as epoch milliseconds as if it were UTC.

    Offsets are dropped. The caller can compare them with the place (`read_utc_offsets`).
    """

    def normalize(self, texts: pd.Series[str]) -> pd.Series[str]:
        """Write a spreadsheet's numbers as dates."""
        return format_serial_dates(texts)

    def read(self, texts: pd.Series[str], options: ParseOptions) -> tuple[pd.Series[Any], list[CellIssue]]:
        """Return the times. A time in UTC is an issue, because it is not a local time."""
        codes, uniques = pd.factorize(texts)
        unique = pd.Series(uniques, dtype="str")
        is_utc = full_matches(unique, rf".*[0-9] ?(?:[Zz]|-00:?00)|{EPOCH}")
        local = unique.str.replace(r"([T ][0-9]{1,2}:[0-9:.,]+) ?[+-][0-9]{2}:?[0-9]{2}$", r"\1", regex=True)
        values, issues = Moment().read(local, replace(options, zone="UTC"))
        issues.append((is_utc, "The time is in UTC, not local time. Match this column as UTC."))
        return values.take(codes).set_axis(texts.index), [(mask[codes], message) for mask, message in issues]


@dataclass(frozen=True)
class Clock:
    """A time of day, as seconds since midnight; "+1" means the next day.

    A local date and time is read too, as seconds since 1970. Values from `FULL_FROM` on are such times.
    """

    def normalize(self, texts: pd.Series[str]) -> pd.Series[str]:
        """Write a spreadsheet's numbers as dates and times of day."""
        return format_day_fractions(texts)

    def read(self, texts: pd.Series[str], options: ParseOptions) -> tuple[pd.Series[Any], list[CellIssue]]:
        """Return the seconds."""
        seconds, is_read = read_clocks(texts)
        message = "The value isn’t a time of day. Use a format such as 14:05."
        if not is_read.all():
            rest = texts[~is_read]
            group_count, issues = WallClock().read(rest, options)
            full = np.asarray(group_count.fillna(0), dtype=np.int64) // 1000
            is_full = ~np.logical_or.reduce([mask for mask, _ in issues]) & ((full >= FULL_FROM) | (full < _FIRST_DAYS))
            is_full[is_full] = has_time_of_day(rest[is_full])
            # A spreadsheet's time of day without a date is one of its first days.
            seconds[~is_read] = np.where(full < _FIRST_DAYS, full % _DAY, full) * is_full
            is_read[~is_read] = is_full
            message = next((message for mask, message in issues if message == AMBIGUOUS_DATE and mask.any()), message)
        return pd.Series(seconds, texts.index), [(~is_read, message)]


@dataclass(frozen=True)
class Parsed:
    """The result of a function. It raises ValueError with a message for invalid texts.

    `normalizer` writes each text in a common form first. `parser_under` returns the function for a heading that tells
    more about its cells.
    """

    parse: Callable[[str], Any]
    normalizer: Callable[[str], str] | None = None
    parser_under: Callable[[str], Callable[[str], Any]] | None = None

    def under(self, heading: str) -> Parsed:
        """Return the type of the cells under a heading."""
        return self if self.parser_under is None else replace(self, parse=self.parser_under(heading))

    def normalize(self, texts: pd.Series[str]) -> pd.Series[str]:
        """Apply the normalizer."""
        return _normalize_texts(texts, self.normalizer)

    def read(self, texts: pd.Series[str], options: ParseOptions) -> tuple[pd.Series[Any], list[CellIssue]]:  # noqa: ARG002
        """Return the result for each text. Equal texts are parsed once."""
        codes, uniques = pd.factorize(texts)
        values, messages = np.empty(len(uniques), dtype=object), np.full(len(uniques), "", dtype=object)
        for place, text in enumerate(uniques):
            try:
                values[place] = self.parse(text)
            except ValueError as error:
                messages[place] = str(error)
        issues = [(_mask((messages == message)[codes]), message) for message in dict.fromkeys(messages) if message]
        return pd.Series(values[codes], texts.index, dtype=object), issues


@cache
def squash(text: str) -> str:
    """Reduce a heading to its letters and digits, the form in which headings are compared."""
    return fold(text).replace(" ", "")


def _normalize_texts(texts: pd.Series[str], normalizer: Callable[[str], str] | None) -> pd.Series[str]:
    if normalizer is None:
        return texts
    codes, uniques = pd.factorize(texts)
    normalized = pd.Series([normalizer(text) for text in uniques], dtype="str")
    return texts if normalized.tolist() == list(uniques) else normalized.take(codes).set_axis(texts.index)


def _mask(values: Any) -> Mask:
    return np.asarray(values, dtype=bool)


def _find_out_of_range(
    values: pd.Series[Any], is_read: Mask, least: float | None, most: float | None
) -> list[CellIssue]:
    issues = []
    if least is not None:
        issues.append((is_read & _mask(values < least), f"The value is less than {least:,}."))
    if most is not None:
        issues.append((is_read & _mask(values > most), f"The value is more than {most:,}."))
    return issues
