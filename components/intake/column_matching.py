"""What a screen takes in, column by column: names, kinds of values, and which columns of a file stand for them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt
import pandas as pd
from rapidfuzz.distance import OSA

from components.geography.folding import fold
from components.intake.cell_times import DateOrder, needs_date_order, read_spans
from components.widgets.number_text import names

Mask = npt.NDArray[np.bool_]
Wrong = tuple[Mask, str]
"""In which rows something is wrong, and what; "{}" in the words stands for the cell."""

ALIKE: Final = 0.8
SHORTEST_ALIKE: Final = 5
"""Headings of so many letters are compared with slips of the hand."""
LOOKED_AT: Final = 200
_NO_DIGIT: Final = re.compile(r"\D+")
_NUMBERED: Final = re.compile(r"\d+$")


@dataclass(frozen=True)
class Reading:
    """What a file's cells do not say themselves: the zone of bare times, which of two numbers is the day, commas."""

    zone: str = "UTC"
    date_order: DateOrder = "as the file shows"
    decimal_comma: bool = False


class Kind(Protocol):
    """How the filled cells of a column are read."""

    def read(self, texts: pd.Series[str], reading: Reading) -> tuple[pd.Series[Any], list[Wrong]]:
        """The values, one a text (whatever it is where the text is wrong), and what is wrong with which."""


@dataclass(frozen=True)
class Text:
    """A text of up to `longest` characters; `pattern` must fit the whole of it, else `words` say what is wrong."""

    longest: int | None = None
    pattern: str | None = None
    words: str = "This is not of the right form."

    def read(self, texts: pd.Series[str], reading: Reading) -> tuple[pd.Series[Any], list[Wrong]]:  # noqa: ARG002
        """The texts as they are."""
        wrong = []
        if self.longest is not None:
            wrong.append((_mask(texts.str.len() > self.longest), f"Longer than {self.longest:,} characters."))
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
        wrong = [(~is_whole, "This is not a whole number.")]
        return values, [*wrong, *_beyond(values, is_whole, self.least, self.most)]


@dataclass(frozen=True)
class Decimal:
    """A number with or without decimals, as float."""

    least: float | None = None
    most: float | None = None

    def read(self, texts: pd.Series[str], reading: Reading) -> tuple[pd.Series[Any], list[Wrong]]:
        """The numbers; "47,5" is one where a comma parts no columns."""
        plain = texts
        if reading.decimal_comma:
            has_comma = _mask(texts.str.fullmatch(r"[+-]?[0-9]+,[0-9]+"))
            plain = texts.where(~has_comma, texts.str.replace(",", ".", regex=False))
        is_number = _mask(plain.str.fullmatch(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?"))
        values = pd.to_numeric(plain.where(is_number), errors="coerce").astype("float64")
        is_number = is_number & np.isfinite(values.to_numpy())
        wrong = [(~is_number, "This is not a number.")]
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
        offered = names(list(dict.fromkeys(map(str, self.options.values()))), at_most=8)
        return values, [(~found, f"This is none of {offered}.")]


@dataclass(frozen=True)
class Moment:
    """A day or a moment, as epoch milliseconds; a day alone is its beginning, or its end where `is_end`."""

    is_end: bool = False

    def read(self, texts: pd.Series[str], reading: Reading) -> tuple[pd.Series[Any], list[Wrong]]:
        """The moments; which of two numbers is the day is settled for the file and never row by row."""
        spans = read_spans(texts, reading.zone, reading.date_order)
        values = pd.Series(spans.end if self.is_end else spans.begin, texts.index)
        words = "There is no such day or time."
        if not spans.is_read.all() and reading.date_order == "as the file shows" and needs_date_order(texts):
            words = "Say whether the day or the month comes first."
        return values, [(~spans.is_read, words)]


@dataclass(frozen=True)
class Json:
    """Any JSON value, as Python holds it; a text that is none is taken for a text where `or_text`."""

    or_text: bool = False

    def read(self, texts: pd.Series[str], reading: Reading) -> tuple[pd.Series[Any], list[Wrong]]:  # noqa: ARG002
        """The values."""
        codes, uniques = pd.factorize(texts)
        read = [self._value(text) for text in uniques]
        values = np.empty(len(read), dtype=object)
        values[:] = [value for value, _ in read]
        bad = np.array([not is_read for _, is_read in read], dtype=bool)
        return pd.Series(values[codes], texts.index, dtype=object), [(bad[codes], "This is not JSON.")]

    def _value(self, text: str) -> tuple[Any, bool]:
        try:
            return json.loads(text, parse_constant=_refuse), True
        except (ValueError, RecursionError):
            return text, self.or_text


@dataclass(frozen=True)
class Parsed:
    """What a function makes of a text; it raises ValueError, in words, for what it cannot read."""

    parse: Callable[[str], Any]

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


@dataclass(frozen=True)
class Column:
    """A column that a screen takes in.

    A heading is compared, without case, blanks, marks and accents, with name, label and `aliases`; `alike` are names
    that a person should look at, and `hints` words that let a heading resemble it. With `by_content` a heading that
    says nothing is proposed where its cells are of the kind. `several` columns of a file may feed it, and then their
    values stand in a cell together, parted by a bar.
    """

    name: str
    label: str
    kind: Kind = Text()
    aliases: Sequence[str] = ()
    required: bool = False
    several: bool = False
    alike: Sequence[str] = ()
    hints: Sequence[str] = ()
    by_content: bool = False
    help: str = ""
    nothing: str = "No column"
    spellings: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Work out once how headings of it are written."""
        spelled = frozenset(map(squash, (self.name, self.label, *self.aliases))) - {""}
        object.__setattr__(self, "spellings", spelled)

    def is_called(self, heading: str) -> bool:
        """Whether a heading, squashed, is a name of it."""
        return heading in self.spellings or (self.several and _NUMBERED.sub("", heading) in self.spellings)

    def resembles(self, heading: str) -> bool:
        """Whether a heading, squashed, may be meant for it."""
        if heading in map(squash, self.alike) or any(word in heading for word in self.hints):
            return True
        if len(heading) < SHORTEST_ALIKE:
            return False
        # Another number is another thing, and no slip.
        of_its_number = [name for name in self.spellings if _NO_DIGIT.sub("", name) == _NO_DIGIT.sub("", heading)]
        return any(OSA.normalized_similarity(heading, name, score_cutoff=ALIKE) for name in of_its_number)


@dataclass(frozen=True)
class Match:
    """The columns of a file that stand for one; `is_sure` is False where a person should look.

    `is_chosen` tells that a person said so.
    """

    headers: tuple[str, ...] = ()
    is_sure: bool = True
    is_chosen: bool = False


def match_columns(
    headers: Sequence[str],
    columns: Iterable[Column],
    chosen: Mapping[str, Sequence[str]] | None = None,
    cells: pd.DataFrame | None = None,
) -> dict[str, Match]:
    """Find which columns of a file stand for each; what a person chose stands before what is found.

    What only resembles is taken, as unsure, where nothing else could be meant by it. `cells` let content be looked at.
    """
    columns = list(columns)
    said = {name: tuple(found) for name, found in (chosen or {}).items() if set(found) <= set(headers)}
    squashed = {header: squash(header) for header in headers}
    taken = {header for column in columns for header in said.get(column.name, ())}
    matches: dict[str, Match] = {}
    for column in columns:
        found = [header for header in headers if header not in taken and column.is_called(squashed[header])]
        if column.name in said:
            matches[column.name] = Match(said[column.name], is_chosen=True)
        else:
            matches[column.name] = Match(tuple(found if column.several else found[:1]))
    for looks in (_resembles(squashed), _holds(cells)):
        claimed = {header for match in matches.values() for header in match.headers}
        free = [header for header in headers if header not in claimed]
        wanting = [column for column in columns if not matches[column.name].headers and column.name not in said]
        wanted = {column.name: [header for header in free if looks(column, header)] for column in wanting}
        for column in wanting:
            others = {header for name, found in wanted.items() if name != column.name for header in found}
            found = [header for header in wanted[column.name] if header not in others]
            if found:
                matches[column.name] = Match(tuple(found if column.several else found[:1]), is_sure=False)
    return matches


def names_a_column(headers: Sequence[str], columns: Iterable[Column]) -> bool:
    """Whether any of these is surely what a column is called."""
    squashed = [squash(header) for header in headers if header]
    return any(column.is_called(heading) for column in columns for heading in squashed)


@cache
def squash(text: str) -> str:
    """A heading reduced to its letters and digits."""
    return fold(text).replace(" ", "")


def _resembles(squashed: Mapping[str, str]) -> Callable[[Column, str], bool]:
    return lambda column, header: column.resembles(squashed[header])


def _holds(cells: pd.DataFrame | None) -> Callable[[Column, str], bool]:
    """Whether the cells under a heading, as far as they are looked at, are all of the column's kind."""

    def looks(column: Column, header: str) -> bool:
        if cells is None or not column.by_content:
            return False
        filled = cells[header].iloc[:LOOKED_AT]
        filled = filled[filled != ""]
        return len(filled) > 0 and not any(mask.any() for mask, _ in column.kind.read(filled, Reading())[1])

    return looks


def _mask(values: Any) -> Mask:
    return np.asarray(values, dtype=bool)


def _beyond(values: pd.Series[Any], is_read: Mask, least: float | None, most: float | None) -> list[Wrong]:
    wrong = []
    if least is not None:
        wrong.append((is_read & _mask(values < least), f"Less than {least:,}."))
    if most is not None:
        wrong.append((is_read & _mask(values > most), f"More than {most:,}."))
    return wrong


def _refuse(text: str) -> None:
    raise ValueError(text)
