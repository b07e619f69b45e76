"""What people decided about a file: how its columns are matched and read, what was corrected, dropped, and sent."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from domain.file_import.column_types import Reading
from journal import Item
from journal.ledger_records import NOT_SENT, SAID_NOT_DONE


@dataclass(frozen=True)
class Decisions:
    """Decisions are never changed: each method returns others. Rows are numbered by their place, from 0."""

    reading: Reading = field(default_factory=Reading)
    chosen: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The columns of the file that stand for each column of the declaration, where a person said so."""
    repeats: Mapping[str, int] = field(default_factory=dict)
    """How many times a row has the columns of a group, where a person said so."""
    passed_over: frozenset[str] = frozenset()
    """The headings that stand for nothing in what was kept."""
    kept_as: str | None = None
    """Under which name the match of columns is kept."""
    corrected: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    """The texts that were written into cells, by column and row."""
    dropped: frozenset[int] = frozenset()
    refused: Mapping[tuple[int, str], str] = field(default_factory=dict)
    """By row and column, what the service said when these rows were sent before."""
    sent_in: Mapping[int, int] = field(default_factory=dict)
    """Which job took over each of the rows that were sent."""
    returned: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """The rows that came back from a job since they failed there: the job, and the position of their item."""
    origin: tuple[int, Sequence[int]] | None = None
    """The job that the rows are from, and row by row the position of its item."""

    def correct(self, texts: Mapping[str, Mapping[int, str]]) -> Decisions:
        """Write other texts into cells; what the service said of them no longer counts."""
        corrected, refused = dict(self.corrected), dict(self.refused)
        for name, cells in texts.items():
            cleaned = {row: " ".join(text.split()) for row, text in cells.items()}
            corrected[name] = {**corrected.get(name, {}), **cleaned}
            for row in cells if refused else ():
                refused.pop((row, name), None)
                refused.pop((row, ""), None)
        return replace(self, corrected=corrected, refused=refused)

    def hand_over(self, rows: Collection[int], job_id: int) -> Decisions:
        """Note that a job took over these rows."""
        returned = {row: item for row, item in self.returned.items() if row not in set(rows)}
        return replace(self, sent_in={**self.sent_in, **dict.fromkeys(rows, job_id)}, returned=returned)

    def take_back(
        self, job_id: int, rows_of: Sequence[tuple[Item, Collection[int]]], columns: Collection[str]
    ) -> Decisions:
        """Put the rows of items that failed in a job back among those that are here, with what the service said."""
        sent_in, returned, refused = dict(self.sent_in), dict(self.returned), dict(self.refused)
        for item, rows in rows_of:
            for row in rows:
                del sent_in[row]
                returned[row] = job_id, item.position
                refused |= {(row, name): words for name, words in refusals(item, columns).items()}
        return replace(self, sent_in=sent_in, returned=returned, refused=refused)

    def without_rows(self) -> Decisions:
        """Drop all that was decided about single rows and columns."""
        return Decisions(reading=self.reading, repeats=self.repeats, kept_as=self.kept_as, origin=self.origin)


def refusals(item: Item, columns: Collection[str]) -> dict[str, str]:
    """What the service said of an item by column, "" where it is about none of these; nothing if it was not sent."""
    return {
        name if name in columns else "": words
        for name, words in item.fate.reasons.items()
        if words not in (NOT_SENT, SAID_NOT_DONE)
    }
