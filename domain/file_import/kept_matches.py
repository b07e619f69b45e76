"""How columns are matched and read, kept by name for an organization."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from domain.file_import.row_sending import Desk


@dataclass(frozen=True)
class ColumnMatch:
    """What is kept under a name: the headings of each column, and what a person said of how cells are read.

    `headings` are all that the file had.
    """

    columns: Mapping[str, Sequence[str]]
    reading: Mapping[str, Any] = field(default_factory=dict)
    headings: Sequence[str] = ()


def kept_matches(desk: Desk, kind: str) -> dict[str, ColumnMatch]:
    """What the organization keeps for a kind of file, by name; the latest first."""
    kept = desk.journal.kept_by_name.list(desk.actor, _kept_as(kind))
    return {each.name: ColumnMatch(**each.payload) for each in sorted(kept, key=lambda each: each.saved_at)[::-1]}


def keep_match(desk: Desk, kind: str, name: str, match: ColumnMatch) -> None:
    """Keep how columns are matched under a name. Raises JournalError."""
    desk.journal.kept_by_name.save(desk.actor, _kept_as(kind), name, vars(match), over=None)


def delete_match(desk: Desk, kind: str, name: str) -> None:
    """Delete what is kept under a name. Raises JournalError."""
    desk.journal.kept_by_name.delete(desk.actor, _kept_as(kind), name)


def _kept_as(kind: str) -> str:
    return f"columns/{kind}"
