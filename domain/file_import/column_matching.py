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
    detect_date_order,
    full_matches,
    read_clocks,
)
from domain.file_import.column_types import NO_YEAR, Clock, ColumnType, Moment, ParseOptions, Text, WallClock, squash
from domain.file_import.direction_headings import squash_headings
from domain.file_import.heading_words import english_headings

MIN_SIMILARITY: Final = 0.8
MIN_MATCHING_CELLS: Final = 0.8
"""The share of cells of a column's type for a match by content."""
MIN_FUZZY_LENGTH: Final = 5
"""The length from which headings are compared with typos."""
SAMPLE_ROWS: Final = 200
HALF: Final = 0.5
_REPEAT: Final = re.compile(r"(.+?)(?: \(\d+\)|\.\d+)")
_NO_DIGIT: Final = re.compile(r"\D+")
_NUMBERED: Final = re.compile(r"(?<!\d)\d+$")


@dataclass(frozen=True)
class Column:
    """A column that a screen imports. Headings are compared without case, spaces, punctuation, and accents."""

    name: str
    label: str
    kind: ColumnType = field(default_factory=Text)
    aliases: Sequence[str] = ()
    """Other names of the column."""
    required: bool = False
    allows_many: bool = False
    """Whether several headings may match. Their values are joined with a bar."""
    similar_names: Sequence[str] = ()
    """Names that match, but that a person should check."""
    hints: Sequence[str] = ()
    """Words in a heading that make it match, but that a person should check."""
    requires: str = ""
    """The column that must be matched for similar names and hints to count, over cells that can be read."""
    unless_present: Sequence[str] = ()
    """If none of these columns is matched, similar names and hints come before the names of other columns."""
    by_content: bool | str | ColumnType = False
    """Whether cells of the column type, of this pattern, or of another type make an unknown heading match."""
    forward_fill: bool = False
    """Whether an empty cell may repeat the row above."""
    is_code: bool = False
    """Whether a cell that a spreadsheet turned into a number or a date is an error."""
    key: Callable[[str], str] | None = None
    """Returns the form in which two cells are compared; by default, the text."""
    date_column: str = ""
    """The column of dates for this column of times. The cells decide which of the two a heading matches."""
    zone_column: str = ""
    """The column of time zones for this column of local times."""
    holds_several: bool = False
    """Whether a cell may hold several values, with semicolons between them."""
    help: str = ""
    nothing: str = "No column"
    """The placeholder of the field for the heading."""
    from_titles: re.Pattern[str] | None = None
    """Reads the value of all rows from a line above the headings, if no heading matches."""
    side: str = ""
    """The word for the end of a segment that the column describes: "from" or "to"."""
    number: int = 0
    """The number of a column in a group, from 1; 0 without a group."""
    group_words: tuple[str, ...] = field(default=(), repr=False, compare=False)
    spellings: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Compute the squashed names."""
        spelled = frozenset(map(squash, (self.name, self.label, *self.aliases))) - {""}
        object.__setattr__(self, "spellings", spelled)

    @property
    def reads_times(self) -> bool:
        """Whether the column is one of dates or of times of day."""
        return isinstance(self.kind, Moment | WallClock | Clock)

    @cached_property
    def empty_values(self) -> pd.Series[Any]:
        """An empty series of the column's type."""
        return self.kind.read(pd.Series([], dtype="str"), ParseOptions())[0]

    def matches_alias(self, heading: str) -> bool:
        """Return whether a squashed heading is a name of the column."""
        if self.number:
            cores = {
                name
                for number, names in _numbers_in(heading, self.group_words)
                if number == self.number
                for name in names
            }
            if self.number == 1:
                cores |= {heading, *(heading.removeprefix(word) for word in self.group_words)}
            if self.number > 1 or not self.spellings.isdisjoint(cores):
                return not self.spellings.isdisjoint(cores)
        return heading in self.spellings or (self.allows_many and _NUMBERED.sub("", heading) in self.spellings)

    def matches_hint(self, heading: str) -> bool:
        """Return whether a squashed heading is a similar name or has a hint."""
        return self.number < 2 and (
            heading in map(squash, self.similar_names) or any(word in heading for word in self.hints)
        )

    def is_fuzzy_match(self, heading: str) -> bool:
        """Return whether a squashed heading is nearly a name of the column."""
        if self.number > 1 or len(heading) < MIN_FUZZY_LENGTH:
            return False
        # Another number is a different column, not a typo.
        of_its_number = [name for name in self.spellings if _NO_DIGIT.sub("", name) == _NO_DIGIT.sub("", heading)]
        return any(OSA.normalized_similarity(heading, name, score_cutoff=MIN_SIMILARITY) for name in of_its_number)


@dataclass(frozen=True)
class Group:
    """Columns that a row may have several times: "From 2", "Segment 2 From". `aliases` are words next to a number.

    The first column keeps its name and label. The others are "from.2" and "Segment 2 · From".
    """

    name: str
    label: str
    columns: Sequence[Column]
    aliases: Sequence[str] = ()
    most: int = 12

    def of(self, number: int) -> tuple[Column, ...]:
        """Return the columns with this number, from 1."""
        return tuple(self._of(column, number) for column in self.columns)

    def count_in_headings(self, headings: Sequence[str]) -> int:
        """Return how many times the columns occur in headings; 1 without numbers."""
        single = [column for column in self.columns if not column.allows_many]
        names = {name for column in single for name in column.spellings}
        numbers = [
            number
            for heading in spell_headings(headings, self.of(1)).values()
            for spelling in (heading, *english_headings(heading))
            for number, cores in _numbers_in(spelling, self._words)
            if number <= self.most and not names.isdisjoint(cores)
        ]
        return max(numbers, default=1)

    @property
    def _words(self) -> tuple[str, ...]:
        return tuple(sorted(map(squash, (self.name, self.label, *self.aliases)), key=len, reverse=True))

    def _of(self, column: Column, number: int) -> Column:
        if number == 1:
            return replace(column, number=1, group_words=self._words)
        return replace(
            column,
            name=f"{column.name}.{number}",
            label=f"{self.label} {number} · {column.label}",
            aliases=(column.name, column.label, *column.aliases),
            number=number,
            group_words=self._words,
            date_column=column.date_column and f"{column.date_column}.{number}",
            zone_column=column.zone_column and f"{column.zone_column}.{number}",
            required=False,
            by_content=False,
        )


@cache
def _numbers_in(heading: str, message: tuple[str, ...]) -> tuple[tuple[int, frozenset[str]], ...]:
    """Return the numbers in a squashed heading, each with the possible names without it."""
    found = []
    word_pattern = "|".join(map(re.escape, message))
    for pattern in (
        rf"(?P<word>{word_pattern})?0*(?P<number>[0-9]{{1,2}})(?P<core>\D.*)?",
        rf"(?P<core>.*?\D)(?P<word>{word_pattern})?0*(?P<number>[0-9]{{1,2}})",
    ):
        read = re.fullmatch(pattern, heading)
        if read is not None and int(read["number"]):
            core, word = read["core"] or "", read["word"] or ""
            found.append((int(read["number"]), frozenset({core, word + core, core + word} - {""})))
    return tuple(found)


@dataclass(frozen=True)
class Match:
    """The headings that match a column. `is_sure` is False if a person should check.

    `misfits` is the number of sampled cells of another type, for a match by content.
    """

    headers: tuple[str, ...] = ()
    is_sure: bool = True
    misfits: int = 0


def match_columns(
    headers: Sequence[str],
    columns: Iterable[Column],
    selected_headings: Mapping[str, Sequence[str]] | None = None,
    cells: pd.DataFrame | None = None,
) -> dict[str, Match]:
    """Match the headings of a file to columns. Selected headings come first.

    A heading that is only similar matches as unsure, if no other column fits. `cells` allows matches by content.
    """
    columns = list(columns)
    selected = {name: tuple(found) for name, found in (selected_headings or {}).items() if set(found) <= set(headers)}
    squashed = spell_headings(headers, columns)
    used = {header for column in columns for header in selected.get(column.name, ())}
    matches: dict[str, Match] = {}
    free = [header for header in headers if header not in used]
    alias_matches = {
        column.name: [header for header in free if column.matches_alias(squashed[header])] for column in columns
    }
    _add_translated(alias_matches, columns, free, squashed, cells)
    best_columns = {
        header: _find_best_columns(header, [each for each in columns if header in alias_matches[each.name]], cells)
        for header in free
    }
    replacements = _find_replacements(columns, free, squashed, best_columns, cells)
    for column in columns:
        found = [
            header
            for header in alias_matches[column.name]
            if column.name in best_columns[header] and header not in replacements
        ]
        other = [header for header, name in replacements.items() if name == column.name]
        if column.name in selected:
            matches[column.name] = Match(selected[column.name])
        elif found or not other:
            matches[column.name] = Match(tuple(found if column.allows_many else found[:1]))
        else:
            matches[column.name] = Match(tuple(other[:1]), is_sure=False)
    matches |= _swap_dates_and_times(columns, matches, selected, cells)
    for score in (_hint_score(squashed, cells), _fuzzy_score(squashed, cells), _content_score(cells)):
        claimed = {header for match in matches.values() for header in match.headers}
        free = [header for header in headers if header not in claimed]
        unmatched = [
            column
            for column in columns
            if not matches[column.name].headers
            and column.name not in selected
            and (not column.requires or matches[column.requires].headers)
        ]
        scores = {header: {column.name: score(column, header) for column in unmatched} for header in free}
        # A heading belongs to the column that it fits best.
        best_headings = {
            column.name: [header for header in free if 0 < scores[header][column.name] == max(scores[header].values())]
            for column in unmatched
        }
        for column in unmatched:
            others = [name for name, found in best_headings.items() if set(found) & set(best_headings[column.name])]
            if len(others) > 1 and all(best_headings[name] == best_headings[column.name] for name in others):
                # As many columns as headings: they match in order.
                found = best_headings[column.name] if len(others) == len(best_headings[column.name]) else []
                found = found[others.index(column.name) :][:1]
            else:
                found = best_headings[column.name] if others == [column.name] else []
            if found:
                proposed = tuple(found if column.allows_many else found[:1])
                unfit = [(1 - scores[header][column.name], header) for header in proposed]
                misfits = 0 if cells is None else sum(round(part * len(_sample(cells[name]))) for part, name in unfit)
                matches[column.name] = Match(proposed, is_sure=False, misfits=misfits)
    sure = [
        column
        for column in columns
        if not matches[column.name].is_sure
        and sum(column.matches_hint(squashed[header]) for header in headers) == 1
        and column.matches_hint(squashed[matches[column.name].headers[0]])
        and _has_only_required(column, columns, matches)
    ]
    return matches | {column.name: replace(matches[column.name], is_sure=True) for column in sure}


def _add_translated(
    alias_matches: Mapping[str, list[str]],
    columns: Sequence[Column],
    free: Sequence[str],
    squashed: Mapping[str, str],
    cells: pd.DataFrame | None,
) -> None:
    """Add headings in other languages to the columns of their English translations, if the cells fit."""
    known = {header for found in alias_matches.values() for header in found}
    for header in free:
        english = english_headings(squashed[header])
        if header in known or not english:
            continue
        filled = None if cells is None else _sample(cells[header])
        for column in columns:
            if not any(map(column.matches_alias, english)):
                continue
            if filled is None or not len(filled) or _share_of_type(column.kind, filled) >= HALF:
                alias_matches[column.name].append(header)


def _has_only_required(column: Column, columns: Sequence[Column], matches: Mapping[str, Match]) -> bool:
    """Return whether its group has only the required column and columns that require it."""
    found = [each for each in columns if each.group_words == column.group_words and matches[each.name].headers]
    required = column.requires
    return bool(required and column.number) and all(required in (each.name, each.requires) for each in found)


def _find_best_columns(header: str, columns: Sequence[Column], cells: pd.DataFrame | None) -> set[str]:
    """Return the column that a heading with several columns means: in a group, the first that fits the cells."""
    largest = max((column.number for column in columns), default=0)
    candidates = [column for column in columns if column.number == largest]
    if cells is None or not largest or len(candidates) == 1:
        return {column.name for column in candidates}
    return {next((each for each in candidates if _share_of_cells(each, cells[header]) >= HALF), candidates[0]).name}


def _find_replacements(
    columns: Sequence[Column],
    free: Sequence[str],
    squashed: Mapping[str, str],
    best_columns: Mapping[str, set[str]],
    cells: pd.DataFrame | None,
) -> dict[str, str]:
    """Return headings that match a column only because the columns in `unless_present` are not in the file."""
    score = _hint_score(squashed, cells)
    hinted = {header: each for each in columns if each.unless_present for header in free if score(each, header)}
    found = {name for header in free if header not in hinted for name in best_columns[header]}
    return {
        header: each.name
        for header, each in hinted.items()
        if each.requires in found and found.isdisjoint((each.name, *each.unless_present))
    }


def _swap_dates_and_times(
    columns: Sequence[Column],
    matches: Mapping[str, Match],
    selected: Mapping[str, Sequence[str]],
    cells: pd.DataFrame | None,
) -> dict[str, Match]:
    """Swap the matches of a date column and its time column if the cells show the opposite."""
    by_name = {column.name: column for column in columns}
    changed: dict[str, Match] = {}
    for clock in columns:
        day = by_name.get(clock.date_column)
        if cells is None or day is None or {clock.name, day.name} & set(selected):
            continue
        by_clock, by_day = matches[clock.name], matches[day.name]
        if bool(by_clock.headers) == bool(by_day.headers):
            continue
        filled = _sample(cells[(by_clock.headers or by_day.headers)[0]])
        if not len(filled):
            continue
        as_day, as_clock = _share_of_type(day.kind, filled), _share_of_type(clock.kind, filled)
        if by_clock.headers and as_day >= max(as_clock, HALF):
            changed |= {day.name: by_clock, clock.name: Match()}
        elif by_day.headers and as_clock >= HALF and as_clock > as_day:
            changed |= {clock.name: by_day, day.name: Match()}
    return changed


def spell_headings(headers: Sequence[str], columns: Sequence[Column]) -> dict[str, str]:
    """Return the squashed headings. Repeated ones begin with the end of the segment that they describe.

    In "Airport, Date, Time, Airport, Date, Time" and in "From, Date, To, Date", the second date becomes "todate". If
    the headings of whole segments repeat, such as "From, To, Date, From, To, Date", they stay.
    """
    spelled = squash_headings(headers)
    repeats: dict[str, list[str]] = {}
    for header in headers:
        found = _REPEAT.fullmatch(header)
        repeats.setdefault(found[1] if found and found[1] in spelled else header, []).append(header)
    of_sides = [column for column in columns if column.side and column.number == 1]
    sides = tuple(dict.fromkeys(column.side for column in of_sides))
    if not sides or len(repeats) == len(headers):
        return spelled
    shared: dict[str, str] = {}
    side_of: dict[str, str] = {}
    segments = 1
    for base, alike in repeats.items():
        names = (spelled[alike[0]], *english_headings(spelled[alike[0]]))
        matched = [column for column in columns if column.number < 2 and any(map(column.matches_alias, names))]
        common = [name for name in names if all(_has_alias(of_sides, side, side + name) for side in sides)]
        if common and all(column.side for column in matched):
            shared[base] = common[0]
        elif any(column.group_words == of_sides[0].group_words for column in matched):
            segments = max(segments, len(alike))
            if len(found_sides := {column.side for column in matched}) == 1:
                side_of |= dict.fromkeys(alike, *found_sides)
    side, context = "", {}
    for header in headers:
        side = context[header] = side_of.get(header) or side
    for base, name in shared.items():
        if len(repeats[base]) == len(sides) * segments:
            order = [context[header] for header in repeats[base]]
            if {order.count(side) for side in sides} != {segments}:
                order = [*sides] * segments
            for place, header in enumerate(repeats[base]):
                number = order[: place + 1].count(order[place])
                spelled[header] = f"{order[place]}{name}{number if number > 1 else ''}"
    return spelled


def _has_alias(columns: Sequence[Column], side: str, name: str) -> bool:
    return any(column.side == side and column.matches_alias(name) for column in columns)


def count_known_headings(headers: Sequence[str], columns: Sequence[Column], groups: Sequence[Group] = ()) -> int:
    """Return how many of these headings are names of columns, with any number in groups."""
    numbers = {number for group in groups for number in range(2, group.count_in_headings([*filter(None, headers)]) + 1)}
    squashed = [*squash_headings([*filter(None, headers)]).values()]
    more = [column for group in groups for number in numbers for column in group.of(number)]
    spelled = [(heading, *english_headings(heading)) for heading in squashed]
    return sum(any(column.matches_alias(each) for column in (*columns, *more) for each in all_of) for all_of in spelled)


def _hint_score(squashed: Mapping[str, str], cells: pd.DataFrame | None) -> Callable[[Column, str], float]:
    def score(column: Column, header: str) -> float:
        if not column.matches_hint(squashed[header]):
            return 0.0
        if cells is None or not (column.requires or column.reads_times):
            return 1.0
        filled = _sample(cells[header])
        if column.date_column:
            # A full date and time belongs to the column of dates.
            return float(len(filled) > 0 and read_clocks(filled)[1].mean() >= HALF)
        return float(not len(filled) or _share_of_type(column.kind, filled) >= HALF)

    return score


def _fuzzy_score(squashed: Mapping[str, str], cells: pd.DataFrame | None) -> Callable[[Column, str], float]:
    def score(column: Column, header: str) -> float:
        if not column.is_fuzzy_match(squashed[header]):
            return 0.0
        if cells is None:
            return 1.0
        # "Arr Gate" is one letter from "Arr Date". The cells decide.
        filled = _sample(cells[header])
        return float(not len(filled) or _share_of_type(column.kind, filled) >= HALF)

    return score


def _content_score(cells: pd.DataFrame | None) -> Callable[[Column, str], float]:
    """Return the share of cells of the column's type, or 0 if it is too small."""

    def score(column: Column, header: str) -> float:
        if cells is None or not column.by_content or full_matches(_sample(cells[header]), SERIAL).any():
            return 0.0
        share = _share_of_cells(column, cells[header])
        return share if share >= MIN_MATCHING_CELLS else 0.0

    return score


def _share_of_cells(column: Column, cells: pd.Series[str]) -> float:
    """Return the share of sampled cells of the column's type or pattern."""
    filled = _sample(cells)
    if not len(filled):
        return 0.0
    if isinstance(column.by_content, str):
        return float(full_matches(filled, column.by_content).mean())
    return _share_of_type(
        column.kind if isinstance(column.by_content, bool) else column.by_content, filled, allows_yearless=False
    )


def _share_of_type(kind: ColumnType, filled: pd.Series[str], *, allows_yearless: bool = True) -> float:
    """Return the share of cells of a type. 12.5 is a date without a year only under a heading for dates."""
    order = detect_date_order([filled])
    options = ParseOptions(date_order="day first" if order == "as the file shows" else order)
    wrong = [mask for mask, message in kind.read(filled, options)[1] if not (allows_yearless and message == NO_YEAR)]
    return 1 - float(np.logical_or.reduce(wrong).mean()) if wrong else 1.0


def _sample(cells: pd.Series[str]) -> pd.Series[str]:
    sample = cells.iloc[:SAMPLE_ROWS]
    return sample[sample != ""]
