"""The columns that a screen imports, and which columns of a file stand for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any, Final

import numpy as np
import pandas as pd
from rapidfuzz.distance import OSA

from domain.file_import.cell_times import (
    SERIAL,
    order_shown,
)
from domain.file_import.column_types import Kind, Reading, Text, squash
from domain.file_import.heading_words import english_headings

ALIKE: Final = 0.8
FITTING: Final = 0.8
"""Such a part of the cells has to be of a column's kind for it to be proposed by them."""
SHORTEST_ALIKE: Final = 5
"""Headings of so many letters are compared with slips of the hand."""
LOOKED_AT: Final = 200
MOSTLY: Final = 0.5
_NO_DIGIT: Final = re.compile(r"\D+")
_NUMBERED: Final = re.compile(r"\d+$")


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
    kind: Kind = field(default_factory=Text)
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
