"""Column matches that an organization saves by name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from domain.file_import.row_sending import JournalContext


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
