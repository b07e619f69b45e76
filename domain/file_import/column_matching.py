"""What a screen takes in, column by column: names, kinds of values, and which columns of a file stand for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt
import pandas as pd
from rapidfuzz.distance import OSA

from domain.file_import.cell_numbers import read_numbers
from domain.file_import.cell_times import (
    EPOCH,
    SERIAL,
    DateOrder,
    are_without_year,
    needs_date_order,
    order_shown,
    read_clocks,
    read_spans,
    spell_fractions,
    spell_serials,
    tell_a_clock,
)
from domain.file_import.heading_words import english_headings
from domain.geography.folding import fold
from domain.text.plain_text import names

Mask = npt.NDArray[np.bool_]
Wrong = tuple[Mask, str]
"""In which rows something is wrong, and what; "{}" in the words stands for the cell."""

SAY_THE_MARK: Final = "{} can be read with decimals or with thousands. Write it without a separator of thousands."
SAY_THE_ORDER: Final = "Say whether the day or the month comes first."
ALIKE: Final = 0.8
FITTING: Final = 0.8
"""Such a part of the cells has to be of a column's kind for it to be proposed by them."""
SHORTEST_ALIKE: Final = 5
"""Headings of so many letters are compared with slips of the hand."""
LOOKED_AT: Final = 200
MOSTLY: Final = 0.5
FULL_FROM: Final = 20 * 86_400
"""Seconds: a time of day is less, "+9" behind it included; a date and time of any trip is more."""
_DAY: Final = 86_400
_FIRST_DAYS: Final = -64 * 365 * _DAY
"""In seconds since 1970: 1899 and 1900 lie before."""
_NO_DIGIT: Final = re.compile(r"\D+")
_NUMBERED: Final = re.compile(r"\d+$")


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
    words: str = "This is not of the right form."
    spelling: Callable[[str], str] | None = None

    def respell(self, texts: pd.Series[str]) -> pd.Series[str]:
        """Write the texts as a person reads them."""
        return _respelled(texts, self.spelling)

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
        wrong = [(~is_whole, "This is not a whole number."), *_beyond(values, is_whole, self.least, self.most)]
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
        wrong = [(~is_number & ~is_open, "This is not a number."), (is_open, SAY_THE_MARK)]
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

    def respell(self, texts: pd.Series[str]) -> pd.Series[str]:
        """Write a spreadsheet's numbers as dates."""
        return spell_serials(texts)

    def read(self, texts: pd.Series[str], reading: Reading) -> tuple[pd.Series[Any], list[Wrong]]:
        """The moments; which of two numbers is the day is settled for the file and never row by row."""
        spans = read_spans(texts, reading.zone, reading.date_order)
        values = pd.Series(spans.end if self.is_end else spans.begin, texts.index, dtype="Int64").where(spans.is_read)
        words = "There is no such day or time."
        if not spans.is_read.all() and reading.date_order == "as the file shows" and needs_date_order(texts):
            words = SAY_THE_ORDER
        yearless = are_without_year(texts) & ~spans.is_read
        return values, [(yearless, "In which year? Write it behind the day."), (~spans.is_read & ~yearless, words)]


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
        return values, [*wrong, (is_utc, "This is in UTC and not on the clocks of the place: match it as such.")]


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
        words = "This is not a time of day. Write it like 14:05."
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


@dataclass(frozen=True)
class Column:
    """A column that a screen takes in.

    A heading is compared, without case, blanks, marks and accents, with name, label and `aliases`; `alike` are names
    that a person should look at, and `hints` words that let a heading resemble it; with `beside` they count only where
    a column was found that stands for the one of that name, and over cells that can be read: surely so where nothing
    else of its group was found and one heading alone is like it. Where, besides, none of those was found that it is
    told `without`, they count before what others are called. With `by_content` a heading
    that says nothing is proposed where most of its cells are of the kind, or fit a pattern; of columns of a group that
    have one name, the first is meant that reads the cells. `several` columns of a file may feed it, and then their
    values stand in a cell together, parted by a bar. What is `carried` may be told once for the rows below.
    Two cells say the same where `key` makes the same text of them; without it, where they are spelled the same. A
    heading of a time of day over whole dates and times stands for the column `day_in`, where nothing else is called
    that, and a heading of `day_in` over times of day stands for this column.
    """

    name: str
    label: str
    kind: Kind = Text()
    aliases: Sequence[str] = ()
    required: bool = False
    several: bool = False
    alike: Sequence[str] = ()
    hints: Sequence[str] = ()
    beside: str = ""
    without: Sequence[str] = ()
    by_content: bool | str = False
    carried: bool = False
    key: Callable[[str], str] | None = None
    day_in: str = ""
    help: str = ""
    nothing: str = "No column"
    number: int = 0
    """Which of a group's columns of one name it is; 0 for a column of no group."""
    of_group: tuple[str, ...] = field(default=(), repr=False, compare=False)
    spellings: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Work out once how headings of it are written."""
        spelled = frozenset(map(squash, (self.name, self.label, *self.aliases))) - {""}
        object.__setattr__(self, "spellings", spelled)

    @cached_property
    def unfilled(self) -> pd.Series[Any]:
        """What is read where no cell is filled: no value, of its type. Most columns of most files are so."""
        return self.kind.read(pd.Series([], dtype="str"), Reading())[0]

    def is_called(self, heading: str) -> bool:
        """Whether a heading, squashed, is a name of it."""
        if self.number:
            cores = {
                name for number, names in _numbers_in(heading, self.of_group) if number == self.number for name in names
            }
            if self.number == 1:
                cores |= {heading, *(heading.removeprefix(word) for word in self.of_group)}
            if self.number > 1 or not self.spellings.isdisjoint(cores):
                return not self.spellings.isdisjoint(cores)
        return heading in self.spellings or (self.several and _NUMBERED.sub("", heading) in self.spellings)

    def is_like(self, heading: str) -> bool:
        """Whether a heading, squashed, is a name that may be meant for it."""
        return self.number < 2 and (heading in map(squash, self.alike) or any(word in heading for word in self.hints))

    def resembles(self, heading: str) -> bool:
        """Whether a heading, squashed, is nearly a name of it."""
        if self.number > 1 or len(heading) < SHORTEST_ALIKE:
            return False
        # Another number is another thing, and no slip.
        of_its_number = [name for name in self.spellings if _NO_DIGIT.sub("", name) == _NO_DIGIT.sub("", heading)]
        return any(OSA.normalized_similarity(heading, name, score_cutoff=ALIKE) for name in of_its_number)


@dataclass(frozen=True)
class Group:
    """Columns that a row may have several times: "From 2", "Segment 2 From"; `aliases` are words beside a number.

    The first of each name is called as it is declared, the others "from.2" and "Segment 2 · From".
    """

    name: str
    label: str
    columns: Sequence[Column]
    aliases: Sequence[str] = ()
    most: int = 12

    def of(self, number: int) -> tuple[Column, ...]:
        """The columns with a number, from 1."""
        return tuple(self._of(column, number) for column in self.columns)

    def found_in(self, headings: Iterable[str]) -> int:
        """How many times its columns stand among these headings; 1 where they are not numbered."""
        single = [column for column in self.columns if not column.several]
        names = {name for column in single for name in column.spellings}
        told = [
            number
            for heading in headings
            for number, cores in _numbers_in(squash(heading), self._words)
            if number <= self.most and not names.isdisjoint(cores)
        ]
        return max(told, default=1)

    @property
    def _words(self) -> tuple[str, ...]:
        return tuple(sorted(map(squash, (self.name, self.label, *self.aliases)), key=len, reverse=True))

    def _of(self, column: Column, number: int) -> Column:
        if number == 1:
            return replace(column, number=1, of_group=self._words)
        return replace(
            column,
            name=f"{column.name}.{number}",
            label=f"{self.label} {number} · {column.label}",
            aliases=(column.name, column.label, *column.aliases),
            number=number,
            of_group=self._words,
            day_in=column.day_in and f"{column.day_in}.{number}",
            required=False,
            by_content=False,
        )


@cache
def _numbers_in(heading: str, words: tuple[str, ...]) -> tuple[tuple[int, frozenset[str]], ...]:
    """The numbers that a squashed heading may be read with, and what it is called without each."""
    found = []
    told = "|".join(map(re.escape, words))
    for pattern in (
        rf"(?P<word>{told})?0*(?P<number>[0-9]{{1,2}})(?P<core>\D.*)?",
        rf"(?P<core>.*?\D)(?P<word>{told})?0*(?P<number>[0-9]{{1,2}})",
    ):
        read = re.fullmatch(pattern, heading)
        if read is not None and int(read["number"]):
            core, word = read["core"] or "", read["word"] or ""
            found.append((int(read["number"]), frozenset({core, word + core, core + word} - {""})))
    return tuple(found)


@dataclass(frozen=True)
class Match:
    """The columns of a file that stand for one; `is_sure` is False where a person should look.

    Of a column that was found by its cells, `misfits` of those that were looked at are of another kind.
    """

    headers: tuple[str, ...] = ()
    is_sure: bool = True
    misfits: int = 0


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
    free = [header for header in headers if header not in taken]
    called = {column.name: [header for header in free if column.is_called(squashed[header])] for column in columns}
    _add_translated(called, columns, free, squashed, cells)
    meant = {
        header: _meant(header, [each for each in columns if header in called[each.name]], cells) for header in free
    }
    instead = _instead(columns, free, squashed, meant, cells)
    for column in columns:
        found = [header for header in called[column.name] if column.name in meant[header] and header not in instead]
        other = [header for header, name in instead.items() if name == column.name]
        if column.name in said:
            matches[column.name] = Match(said[column.name])
        elif found or not other:
            matches[column.name] = Match(tuple(found if column.several else found[:1]))
        else:
            matches[column.name] = Match(tuple(other[:1]), is_sure=False)
    matches |= _with_days(columns, matches, said, cells)
    for looks in (_is_like(squashed, cells), _resembles(squashed, cells), _holds(cells)):
        claimed = {header for match in matches.values() for header in match.headers}
        free = [header for header in headers if header not in claimed]
        wanting = [
            column
            for column in columns
            if not matches[column.name].headers
            and column.name not in said
            and (not column.beside or matches[column.beside].headers)
        ]
        fits = {header: {column.name: looks(column, header) for column in wanting} for header in free}
        # What fits one better than another is meant for that one.
        wanted = {
            column.name: [header for header in free if 0 < fits[header][column.name] == max(fits[header].values())]
            for column in wanting
        }
        for column in wanting:
            others = [name for name, found in wanted.items() if set(found) & set(wanted[column.name])]
            if len(others) > 1 and all(wanted[name] == wanted[column.name] for name in others):
                # As many columns as there are headings for them: they stand in their order.
                found = wanted[column.name] if len(others) == len(wanted[column.name]) else []
                found = found[others.index(column.name) :][:1]
            else:
                found = wanted[column.name] if others == [column.name] else []
            if found:
                proposed = tuple(found if column.several else found[:1])
                unfit = [(1 - fits[header][column.name], header) for header in proposed]
                misfits = 0 if cells is None else sum(round(part * len(_filled(cells[name]))) for part, name in unfit)
                matches[column.name] = Match(proposed, is_sure=False, misfits=misfits)
    sure = [
        column
        for column in columns
        if not matches[column.name].is_sure
        and sum(column.is_like(squashed[header]) for header in headers) == 1
        and column.is_like(squashed[matches[column.name].headers[0]])
        and _is_all(column, columns, matches)
    ]
    return matches | {column.name: replace(matches[column.name], is_sure=True) for column in sure}


def _add_translated(
    called: Mapping[str, list[str]],
    columns: Sequence[Column],
    free: Sequence[str],
    squashed: Mapping[str, str],
    cells: pd.DataFrame | None,
) -> None:
    """Have headings of other languages call the columns that their English ones do, where the cells agree."""
    known = {header for found in called.values() for header in found}
    for header in free:
        english = english_headings(squashed[header])
        if header in known or not english:
            continue
        filled = None if cells is None else _filled(cells[header])
        for column in columns:
            agrees = filled is None or not len(filled) or _read_of(column, filled) >= MOSTLY
            if not called[column.name] and any(map(column.is_called, english)) and agrees:
                called[column.name].append(header)


def _is_all(column: Column, columns: Sequence[Column], matches: Mapping[str, Match]) -> bool:
    """Whether of its group only what it stands beside was found, and others that stand beside that."""
    found = [each for each in columns if each.of_group == column.of_group and matches[each.name].headers]
    return bool(column.beside and column.number) and all(column.beside in (each.name, each.beside) for each in found)


def _meant(header: str, columns: Sequence[Column], cells: pd.DataFrame | None) -> set[str]:
    """Which of the columns that are called so a heading stands for: of a group, the first that reads its cells."""
    largest = max((column.number for column in columns), default=0)
    of_it = [column for column in columns if column.number == largest]
    if cells is None or not largest or len(of_it) == 1:
        return {column.name for column in of_it}
    return {next((each for each in of_it if _fitting(each, cells[header]) >= MOSTLY), of_it[0]).name}


def _instead(
    columns: Sequence[Column],
    free: Sequence[str],
    squashed: Mapping[str, str],
    meant: Mapping[str, set[str]],
    cells: pd.DataFrame | None,
) -> dict[str, str]:
    """The headings that others are called by, and the column that each stands for since those are not in the file."""
    looks = _is_like(squashed, cells)
    wanted = {header: each for each in columns if each.without for header in free if looks(each, header)}
    found = {name for header in free if header not in wanted for name in meant[header]}
    return {
        header: each.name
        for header, each in wanted.items()
        if each.beside in found and found.isdisjoint((each.name, *each.without))
    }


def _with_days(
    columns: Sequence[Column],
    matches: Mapping[str, Match],
    said: Mapping[str, Sequence[str]],
    cells: pd.DataFrame | None,
) -> dict[str, Match]:
    """Match a heading of a day over times of day to the column of times, and the other way round, by the cells."""
    by_name = {column.name: column for column in columns}
    changed: dict[str, Match] = {}
    for clock in columns:
        day = by_name.get(clock.day_in)
        if cells is None or day is None or {clock.name, day.name} & set(said):
            continue
        by_clock, by_day = matches[clock.name], matches[day.name]
        if bool(by_clock.headers) == bool(by_day.headers):
            continue
        filled = _filled(cells[(by_clock.headers or by_day.headers)[0]])
        if not len(filled):
            continue
        as_day, as_clock = _read_of(day, filled), _read_of(clock, filled)
        if by_clock.headers and as_day >= max(as_clock, MOSTLY):
            changed |= {day.name: by_clock, clock.name: Match()}
        elif by_day.headers and as_clock >= MOSTLY and as_clock > as_day:
            changed |= {clock.name: by_day, day.name: Match()}
    return changed


def named_columns(headers: Sequence[str], columns: Sequence[Column], groups: Sequence[Group] = ()) -> int:
    """How many of these are surely what a column is called, those of groups with whatever number."""
    squashed = [squash(header) for header in headers if header]
    numbers = {number for group in groups for number in range(2, group.found_in(filter(None, headers)) + 1)}
    more = [column for group in groups for number in numbers for column in group.of(number)]
    spelled = [(heading, *english_headings(heading)) for heading in squashed]
    return sum(any(column.is_called(each) for column in (*columns, *more) for each in all_of) for all_of in spelled)


@cache
def squash(text: str) -> str:
    """A heading reduced to its letters and digits."""
    return fold(text).replace(" ", "")


def _is_like(squashed: Mapping[str, str], cells: pd.DataFrame | None) -> Callable[[Column, str], float]:
    def looks(column: Column, header: str) -> float:
        if not column.is_like(squashed[header]):
            return 0.0
        if cells is None or not column.beside:
            return 1.0
        filled = _filled(cells[header])
        return float(not len(filled) or _read_of(column, filled) >= MOSTLY)

    return looks


def _resembles(squashed: Mapping[str, str], cells: pd.DataFrame | None) -> Callable[[Column, str], float]:
    def looks(column: Column, header: str) -> float:
        if not column.resembles(squashed[header]):
            return 0.0
        if cells is None:
            return 1.0
        # "Arr Gate" is one letter from "Arr Date": its cells tell.
        filled = _filled(cells[header])
        return float(not len(filled) or _read_of(column, filled) >= MOSTLY)

    return looks


def _holds(cells: pd.DataFrame | None) -> Callable[[Column, str], float]:
    """Which part of the cells under a heading are of the column's kind, 0 where that is too little to tell it."""

    def looks(column: Column, header: str) -> float:
        if cells is None or not column.by_content or _filled(cells[header]).str.fullmatch(SERIAL).any():
            return 0.0
        part = _fitting(column, cells[header])
        return part if part >= FITTING else 0.0

    return looks


def _fitting(column: Column, cells: pd.Series[str]) -> float:
    """Which part of the cells, as far as they are looked at, are of the column's kind, or fit its pattern."""
    filled = _filled(cells)
    if not len(filled):
        return 0.0
    if isinstance(column.by_content, str):
        return float(filled.str.fullmatch(column.by_content).mean())
    return _read_of(column, filled)


def _read_of(column: Column, filled: pd.Series[str]) -> float:
    shown = order_shown([filled])
    reading = Reading(date_order="day first" if shown == "as the file shows" else shown)
    wrong = [mask for mask, _ in column.kind.read(filled, reading)[1]]
    return 1 - float(np.logical_or.reduce(wrong).mean()) if wrong else 1.0


def _filled(cells: pd.Series[str]) -> pd.Series[str]:
    looked_at = cells.iloc[:LOOKED_AT]
    return looked_at[looked_at != ""]


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
        wrong.append((is_read & _mask(values < least), f"Less than {least:,}."))
    if most is not None:
        wrong.append((is_read & _mask(values > most), f"More than {most:,}."))
    return wrong
