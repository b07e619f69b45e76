"""The decisions of a person about a file: columns, options, corrections, and skipped and sent rows."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from domain.file_import.column_types import ParseOptions
from journal import Item
from journal.ledger_records import NOT_SENT, SAID_NOT_DONE


@dataclass(frozen=True)
class Decisions:
    """Immutable decisions. Each method returns new ones. Rows are numbered by position, from 0."""

    reading: ParseOptions = field(default_factory=ParseOptions)
    chosen: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The headings that a person selected for each column."""
    repeats: Mapping[str, int] = field(default_factory=dict)
    """How many times a row has the columns of each group, as a person selected."""
    ignored_headings: frozenset[str] = frozenset()
    """The headings that match no column in the saved match."""
    match_name: str | None = None
    """The name of the saved match in use."""
    corrected: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    """The corrected texts, by column and row."""
    dropped: frozenset[int] = frozenset()
    service_messages: Mapping[tuple[int, str], str] = field(default_factory=dict)
    """The messages of the service about failed rows, by row and column."""
    job_of_row: Mapping[int, int] = field(default_factory=dict)
    """The ID of the job that sends each sent row."""
    returned: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """The rows that failed in a job and are open again: the job, and the position of their item."""
    origin: tuple[int, Sequence[int]] | None = None
    """The job whose failed items these rows are, and the position of the item of each row."""

    def correct(self, texts: Mapping[str, Mapping[int, str]]) -> Decisions:
        """Correct cells, and drop the messages of the service about them."""
        corrected, refused = dict(self.corrected), dict(self.service_messages)
        for name, cells in texts.items():
            cleaned = {row: " ".join(text.split()) for row, text in cells.items()}
            corrected[name] = {**corrected.get(name, {}), **cleaned}
            for row in cells if refused else ():
                refused.pop((row, name), None)
                refused.pop((row, ""), None)
        return replace(self, corrected=corrected, service_messages=refused)

    def mark_sent(self, rows: Collection[int], job_id: int) -> Decisions:
        """Mark rows as sent by a job."""
        returned = {row: item for row, item in self.returned.items() if row not in set(rows)}
        return replace(self, job_of_row={**self.job_of_row, **dict.fromkeys(rows, job_id)}, returned=returned)

    def restore_rows(
        self, job_id: int, rows_of: Sequence[tuple[Item, Collection[int]]], columns: Collection[str]
    ) -> Decisions:
        """Reopen the rows of items that failed in a job, with the messages of the service."""
        sent_in, returned, refused = dict(self.job_of_row), dict(self.returned), dict(self.service_messages)
        for item, rows in rows_of:
            for row in rows:
                del sent_in[row]
                returned[row] = job_id, item.position
                refused |= {(row, name): words for name, words in service_messages(item, columns).items()}
        return replace(self, job_of_row=sent_in, returned=returned, service_messages=refused)

    def clear_rows(self) -> Decisions:
        """Keep only the decisions that do not depend on rows and columns."""
        return Decisions(reading=self.reading, repeats=self.repeats, match_name=self.match_name, origin=self.origin)


def service_messages(item: Item, columns: Collection[str]) -> dict[str, str]:
    """Return the messages of the service about an item by column, "" for other columns."""
    return {
        name if name in columns else "": words
        for name, words in item.fate.reasons.items()
        if words not in (NOT_SENT, SAID_NOT_DONE)
    }
