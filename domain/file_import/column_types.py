"""The types of columns: how the cells of a file are read as values, and which of them cannot be read."""

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
    are_without_year,
    needs_date_order,
    read_clocks,
    read_spans,
    spell_fractions,
    spell_serials,
    tell_a_clock,
)
from domain.geography.folding import fold
from domain.text.plain_text import names

Mask = npt.NDArray[np.bool_]
Wrong = tuple[Mask, str]
"""In which rows something is wrong, and what; "{}" in the words stands for the cell."""
SAY_THE_MARK: Final = "“{}” can be read as a decimal or as thousands. Write the number without a thousands separator."
SAY_THE_ORDER: Final = "Select whether the day or the month comes first."
FULL_FROM: Final = 20 * 86_400
"""Seconds: a time of day is less, "+9" behind it included; a date and time of any trip is more."""
_DAY: Final = 86_400
_FIRST_DAYS: Final = -64 * 365 * _DAY
"""In seconds since 1970: 1899 and 1900 lie before."""


@dataclass(frozen=True)
class Reading:
    """What a file's cells do not say themselves: the zone of bare times, which of two numbers is the day."""

    zone: str = "UTC"
    date_order: DateOrder = "as the file shows"
    country: str = ""
    """Of phone numbers that name none: a code of two letters."""
    are_contacts: bool = False
    """Whether the service has contacts for employee IDs that stand without a name."""
    carries: bool | None = None
    """Whether an empty cell says what the row above says, where a column is told once; None as the file shows."""


class Kind(Protocol):
    """How the filled cells of a column are read.

    A kind may have a method `respell`, which writes cells as a person reads them before anything else is done.
    """

    def read(self, texts: pd.Series[str], reading: Reading) -> tuple[pd.Series[Any], list[Wrong]]:
        """The values, one a text (whatever it is where the text is wrong), and what is wrong with which."""


@dataclass(frozen=True)
class Text:
    """A text of up to `longest` characters; `pattern` must fit the whole of it, else `words` say what is wrong.

    `spelling` writes each text before as a person reads it.
    """

    longest: int | None = None
    pattern: str | None = None
    words: str = "The value doesn’t have the right format."
    spelling: Callable[[str], str] | None = None

    def respell(self, texts: pd.Series[str]) -> pd.Series[str]:
        """Write the texts as a person reads them."""
        return _respelled(texts, self.spelling)

    def read(self, texts: pd.Series[str], reading: Reading) -> tuple[pd.Series[Any], list[Wrong]]:  # noqa: ARG002
        """The texts as they are."""
        wrong = []
        if self.longest is not None:
            wrong.append(
                (_mask(texts.str.len() > self.longest), f"The value is longer than {self.longest:,} characters.")
            )
        if self.pattern is not None:
            wrong.append((~_mask(texts.str.fullmatch(self.pattern)), self.words))
        return texts, wrong


@dataclass(frozen=True)
class Whole:
    """A whole number of up to 18 digits, as Int64."""

    least: int | None = None
    most: int | None = None

    def read(self, texts: pd.Series[str], reading: Reading) -> tuple[pd.Series[Any], list[Wrong]]:  # noqa: ARG002
        """The numbers."""
        is_whole = _mask(texts.str.fullmatch(r"[+-]?[0-9]{1,18}"))
        numbers = np.zeros(len(texts), np.int64)
        numbers[is_whole] = texts[is_whole].str.lstrip("+").astype("int64").to_numpy()
        values = pd.Series(numbers, texts.index)
        wrong = [(~is_whole, "The value isn’t a whole number."), *_beyond(values, is_whole, self.least, self.most)]
        return values.astype("Int64").where(is_whole), wrong


@dataclass(frozen=True)
class Decimal:
    """A number with or without decimals, as float."""

    least: float | None = None
    most: float | None = None

    def read(self, texts: pd.Series[str], reading: Reading) -> tuple[pd.Series[Any], list[Wrong]]:  # noqa: ARG002
        """The numbers, with the decimal mark that their column shows."""
        values, is_open = read_numbers(texts, least=self.least, most=self.most)
        is_number = np.isfinite(values.to_numpy())
        wrong = [(~is_number & ~is_open, "The value isn’t a number."), (is_open, SAY_THE_MARK)]
        return values, [*wrong, *_beyond(values, is_number, self.least, self.most)]


@dataclass(frozen=True)
class Choice:
    """One of some options, whatever its case and accents; `options` are spellings and what each stands for."""

    options: Mapping[str, Any]

    @classmethod
    def of(cls, *options: str) -> Choice:
        """Of options that stand for themselves."""
        return cls({option: option for option in options})

    def read(self, texts: pd.Series[str], reading: Reading) -> tuple[pd.Series[Any], list[Wrong]]:  # noqa: ARG002
        """What the options stand for."""
        known = {squash(spelling): value for spelling, value in self.options.items()}
        codes, uniques = pd.factorize(texts)
        squashed = [squash(text) for text in uniques]
        values = pd.Series([known.get(text) for text in squashed], dtype=object).take(codes).set_axis(texts.index)
        found = np.array([text in known for text in squashed], dtype=bool)[codes]
        offered = names(list(dict.fromkeys(map(str, self.options.values()))), at_most=8, last="or")
        return values, [(~found, f"The value must be {offered}.")]


@dataclass(frozen=True)
class Moment:
    """A day or a moment, as epoch milliseconds; a day alone is its beginning, or its end where `is_end`."""

    is_end: bool = False

    def respell(self, texts: pd.Series[str]) -> pd.Series[str]:
        """Write a spreadsheet's numbers as dates."""
        return spell_serials(texts)

    def read(self, texts: pd.Series[str], reading: Reading) -> tuple[pd.Series[Any], list[Wrong]]:
        """The moments; which of two numbers is the day is settled for the file and never row by row."""
        spans = read_spans(texts, reading.zone, reading.date_order)
        values = pd.Series(spans.end if self.is_end else spans.begin, texts.index, dtype="Int64").where(spans.is_read)
        words = "The date or time isn’t valid."
        if not spans.is_read.all() and reading.date_order == "as the file shows" and needs_date_order(texts):
            words = SAY_THE_ORDER
        yearless = are_without_year(texts) & ~spans.is_read
        return values, [(yearless, "The date has no year. Add the year."), (~spans.is_read & ~yearless, words)]


@dataclass(frozen=True)
class WallClock:
    """A day or a time on the clocks of a place, as epoch milliseconds as if those showed UTC.

    An offset is left out: whoever knows the place holds it against that (`told_offsets`).
    """

    def respell(self, texts: pd.Series[str]) -> pd.Series[str]:
        """Write a spreadsheet's numbers as dates."""
        return spell_serials(texts)

    def read(self, texts: pd.Series[str], reading: Reading) -> tuple[pd.Series[Any], list[Wrong]]:
        """The times; a moment in UTC is none, since it tells no clock."""
        is_utc = _mask(texts.str.fullmatch(rf".*[0-9] ?(?:[Zz]|-00:?00)|{EPOCH}"))
        local = texts.str.replace(r"([T ][0-9]{1,2}:[0-9:.,]+) ?[+-][0-9]{2}:?[0-9]{2}$", r"\1", regex=True)
        values, wrong = Moment().read(local, replace(reading, zone="UTC"))
        return values, [*wrong, (is_utc, "The time is in UTC, not local time. Match this column as UTC.")]


@dataclass(frozen=True)
class Clock:
    """A time of day, as seconds since midnight; "+1" behind it is the day after.

    A whole date and time is read, too, as seconds since 1970 on the clocks of the place: all from `FULL_FROM` are so.
    """

    def respell(self, texts: pd.Series[str]) -> pd.Series[str]:
        """Write a spreadsheet's numbers as dates and times of day."""
        return spell_fractions(texts)

    def read(self, texts: pd.Series[str], reading: Reading) -> tuple[pd.Series[Any], list[Wrong]]:
        """The seconds."""
        seconds, is_read = read_clocks(texts)
        words = "The value isn’t a time of day. Write it as 14:05."
        if not is_read.all():
            rest = texts[~is_read]
            times, wrong = WallClock().read(rest, reading)
            full = np.asarray(times.fillna(0), dtype=np.int64) // 1000
            is_full = ~np.logical_or.reduce([mask for mask, _ in wrong]) & ((full >= FULL_FROM) | (full < _FIRST_DAYS))
            is_full[is_full] = tell_a_clock(rest[is_full])
            # A spreadsheet's time of day without a date is one of its first days.
            seconds[~is_read] = np.where(full < _FIRST_DAYS, full % _DAY, full) * is_full
            is_read[~is_read] = is_full
            words = next((said for mask, said in wrong if said == SAY_THE_ORDER and mask.any()), words)
        return pd.Series(seconds, texts.index), [(~is_read, words)]


@dataclass(frozen=True)
class Parsed:
    """What a function makes of a text; it raises ValueError, in words, for what it cannot read.

    `spelling` writes each text before as a person reads it.
    """

    parse: Callable[[str], Any]
    spelling: Callable[[str], str] | None = None

    def respell(self, texts: pd.Series[str]) -> pd.Series[str]:
        """Write the texts as a person reads them."""
        return _respelled(texts, self.spelling)

    def read(self, texts: pd.Series[str], reading: Reading) -> tuple[pd.Series[Any], list[Wrong]]:  # noqa: ARG002
        """What each text says, each looked at once."""
        codes, uniques = pd.factorize(texts)
        values, said = np.empty(len(uniques), dtype=object), np.full(len(uniques), "", dtype=object)
        for place, text in enumerate(uniques):
            try:
                values[place] = self.parse(text)
            except ValueError as error:
                said[place] = str(error)
        wrong = [(_mask((said == words)[codes]), words) for words in dict.fromkeys(said) if words]
        return pd.Series(values[codes], texts.index, dtype=object), wrong


@cache
def squash(text: str) -> str:
    """A heading reduced to its letters and digits."""
    return fold(text).replace(" ", "")


def _respelled(texts: pd.Series[str], spelling: Callable[[str], str] | None) -> pd.Series[str]:
    if spelling is None:
        return texts
    codes, uniques = pd.factorize(texts)
    spelled = pd.Series([spelling(text) for text in uniques], dtype="str")
    return texts if spelled.tolist() == list(uniques) else spelled.take(codes).set_axis(texts.index)


def _mask(values: Any) -> Mask:
    return np.asarray(values, dtype=bool)


def _beyond(values: pd.Series[Any], is_read: Mask, least: float | None, most: float | None) -> list[Wrong]:
    wrong = []
    if least is not None:
        wrong.append((is_read & _mask(values < least), f"The value is less than {least:,}."))
    if most is not None:
        wrong.append((is_read & _mask(values > most), f"The value is more than {most:,}."))
    return wrong
