"""The decisions of a person about a file: columns, options, corrections, and skipped and sent rows."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from domain.file_import.column_changes import ColumnChange, HeadingSplit
from domain.file_import.column_types import ParseOptions
from journal import Item
from journal.ledger_records import MARKED_NOT_DONE, NOT_SENT


@dataclass(frozen=True)
class Decisions:
    """Immutable decisions. Each method returns new ones. Rows are numbered by position, from 0."""

    options: ParseOptions = field(default_factory=ParseOptions)
    selected_headings: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The headings that a person selected for each column."""
    group_counts: Mapping[str, int] = field(default_factory=dict)
    """How many times a row has the columns of each group, as a person selected."""
    ignored_headings: frozenset[str] = frozenset()
    """The headings that match no column in the saved match."""
    match_name: str | None = None
    """The name of the saved match in use."""
    column_changes: Mapping[str, Sequence[ColumnChange]] = field(default_factory=dict)
    """The changes to whole columns, in order, by column. Corrections of cells come after them."""
    heading_splits: Mapping[str, HeadingSplit] = field(default_factory=dict)
    """The columns of the file that are split into several, by heading."""
    corrections: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    """The corrected texts, by column and row."""
    skipped_rows: frozenset[int] = frozenset()
    service_messages: Mapping[tuple[int, str], str] = field(default_factory=dict)
    """The messages of the service about failed rows, by row and column."""
    job_of_row: Mapping[int, int] = field(default_factory=dict)
    """The ID of the job that sends each sent row."""
    reopened_rows: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """The rows that failed in a job and are open again: the job, and the position of their item."""
    origin: tuple[int, Sequence[int]] | None = None
    """The job whose failed items these rows are, and the position of the item of each row."""

    def correct(self, texts: Mapping[str, Mapping[int, str]]) -> Decisions:
        """Correct cells, and drop the messages of the service about them."""
        corrections, messages = dict(self.corrections), dict(self.service_messages)
        for name, cells in texts.items():
            cleaned = {row: " ".join(text.split()) for row, text in cells.items()}
            corrections[name] = {**corrections.get(name, {}), **cleaned}
            for row in cells if messages else ():
                messages.pop((row, name), None)
                messages.pop((row, ""), None)
        return replace(self, corrections=corrections, service_messages=messages)

    def change_column(
        self, column: str, change: ColumnChange, corrected: Mapping[int, str], rows: Collection[int]
    ) -> Decisions:
        """Change a column and its corrected cells, and drop the messages of the service about the changed rows."""
        changes = {**self.column_changes, column: (*self.column_changes.get(column, ()), change)}
        corrections = {**self.corrections, column: corrected} if corrected else self.corrections
        changed = {*rows} if self.service_messages else set()
        messages = {
            (row, name): message
            for (row, name), message in self.service_messages.items()
            if row not in changed or name not in ("", column)
        }
        return replace(self, column_changes=changes, corrections=corrections, service_messages=messages)

    def mark_sent(self, rows: Collection[int], job_id: int) -> Decisions:
        """Mark rows as sent by a job."""
        reopened_rows = {row: item for row, item in self.reopened_rows.items() if row not in set(rows)}
        return replace(self, job_of_row={**self.job_of_row, **dict.fromkeys(rows, job_id)}, reopened_rows=reopened_rows)

    def restore_rows(
        self, job_id: int, rows_of: Sequence[tuple[Item, Collection[int]]], columns: Collection[str]
    ) -> Decisions:
        """Reopen the rows of items that failed in a job, with the messages of the service."""
        job_of_row, reopened_rows, messages = (
            dict(self.job_of_row),
            dict(self.reopened_rows),
            dict(self.service_messages),
        )
        for item, rows in rows_of:
            for row in rows:
                del job_of_row[row]
                reopened_rows[row] = job_id, item.position
                messages |= {(row, name): message for name, message in service_messages(item, columns).items()}
        return replace(self, job_of_row=job_of_row, reopened_rows=reopened_rows, service_messages=messages)

    def clear_rows(self) -> Decisions:
        """Keep only the decisions that do not depend on rows and columns."""
        return Decisions(
            options=self.options, group_counts=self.group_counts, match_name=self.match_name, origin=self.origin
        )


def service_messages(item: Item, columns: Collection[str]) -> dict[str, str]:
    """Return the messages of the service about an item by column, "" for other columns."""
    return {
        name if name in columns else "": message
        for name, message in item.status.reasons.items()
        if message not in (NOT_SENT, MARKED_NOT_DONE)
    }
