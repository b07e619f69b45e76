"""File profiles that an organization saves by name, and those that come with Muster.

A profile has the match of the columns, and what headings cannot say.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any, Final

from domain.file_import.cell_times import DateOrder
from domain.file_import.column_types import squash
from domain.file_import.row_sending import JournalContext

MIN_HEADINGS: Final = 2


@dataclass(frozen=True)
class ColumnMatch:
    """A saved match: the headings of each column, and the parse options that differ from the default.

    `headings` are all headings of the file. The names of the fields are stored.
    """

    columns: Mapping[str, Sequence[str]]
    reading: Mapping[str, Any] = field(default_factory=dict)
    headings: Sequence[str] = ()
    sheet: str = ""
    """The sheet of a workbook that the headings are in."""
    changes: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    """The changes of each column, such as values that are replaced and rows that are skipped."""
    splits: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """The columns that are split into several, by heading."""
    reported_days_ago: int | None = None
    """How many days before the import the report was, if dates have no year and the file has no date of its own."""


@dataclass(frozen=True)
class BuiltInProfile:
    """What the headings of a usual kind of file cannot say."""

    name: str
    headings: frozenset[str]
    """Squashed headings of such files. A file of this kind has two of them."""
    date_order: DateOrder | None = None
    reported_days_ago: int | None = None

    def fits(self, headings: Sequence[str]) -> bool:
        """Return whether a file has two of the headings."""
        return len(self.headings.intersection(map(squash, headings))) >= MIN_HEADINGS


def load_profiles(path: Path) -> tuple[BuiltInProfile, ...]:
    """Read profiles from a TOML file."""
    stored = tomllib.loads(path.read_text(encoding="utf-8"))["profile"]
    return tuple(BuiltInProfile(**{**each, "headings": frozenset(map(squash, each["headings"]))}) for each in stored)


def list_matches(context: JournalContext, kind: str) -> dict[str, ColumnMatch]:
    """Return the saved matches for a kind of file by name, the latest first."""
    stored = context.journal.versioned_records.list(context.actor, _storage_kind(kind))
    return {each.name: ColumnMatch(**each.payload) for each in sorted(stored, key=lambda each: each.saved_at)[::-1]}


def save_match(context: JournalContext, kind: str, name: str, match: ColumnMatch) -> None:
    """Save a match under a name. Raises JournalError."""
    context.journal.versioned_records.save(context.actor, _storage_kind(kind), name, vars(match), over=None)


def delete_match(context: JournalContext, kind: str, name: str) -> None:
    """Delete a saved match. Raises JournalError."""
    context.journal.versioned_records.delete(context.actor, _storage_kind(kind), name)


def file_kind(name: str) -> str:
    """Return the name of a file without its ending, its digits, and the marks around them: "agency export"."""
    words = re.split(r"[\W\d_]+", PurePath(name).stem)
    return " ".join(filter(None, words)) or "Files"


def _storage_kind(kind: str) -> str:
    return f"columns/{kind}"
