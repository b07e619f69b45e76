"""The rows of a file as they are sent and downloaded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from domain.file_import.checked_file import CheckedFile
from domain.file_import.matched_file import unique_heading
from domain.file_import.row_problems import Rows
from domain.file_import.row_sending import MAX_NAMES, Outgoing, Sending
from domain.text.plain_text import count, names
from journal import NewItem

REASON: Final = "Reason"


class SendableFile(CheckedFile):
    """A checked file with the payloads of its ready rows, and a download of the others."""

    def unready_frame(self) -> pd.DataFrame:
        """Return the rows that are not ready, with corrections and the reason."""
        rows = self._unready_rows()
        labels = {column.name: column.label for column in self.columns}
        reasons = []
        for row in rows.tolist():
            parts = ["Skipped."] if row in self.decisions.skipped_rows else []
            for column, messages in self.cell_messages(row).items():
                text = " ".join(text for text, is_error in messages if is_error)
                parts += [f"{labels[column]}: {text}" if column else text] if text else []
            reasons.append(" ".join(parts) or f"No column is matched to {self.missing[0].label}.")
        table = self.file_frame(rows)
        heading = unique_heading(REASON, table.columns)
        return table.assign(**{heading: pd.Series(reasons, dtype="str", index=table.index)})

    def describe_unready(self) -> list[str]:
        """Name the rows that are not sent, in sentences: those with errors, and those that a person skipped."""
        rows = self._unready_rows()
        is_skipped = np.isin(rows, list(self.decisions.skipped_rows))
        named = (("Not sent, because of errors", rows[~is_skipped]), ("Skipped", rows[is_skipped]))
        numbers = self.rows.numbers
        return [
            f"{why}: {'row' if len(these) == 1 else 'rows'} "
            f"{names([f'{number:,}' for number in numbers[these].tolist()], at_most=MAX_NAMES)}."
            for why, these in named
            if len(these)
        ]

    def _unready_rows(self) -> npt.NDArray[np.intp]:
        return np.flatnonzero(~self.is_ready & ~self._mask_of(self.decisions.job_of_row))

    def file_frame(self, rows: npt.NDArray[np.int64]) -> pd.DataFrame:
        """Return rows in the columns of the file, with corrections and values from the row above."""
        table = self.source.frame.iloc[rows].reset_index(drop=True)
        positions = {int(row): number for number, row in enumerate(rows)}
        headings, corrected = self.headings_of, dict(self.decisions.corrections)
        for column in self.columns:
            is_respelled = hasattr(column.kind, "normalize") and getattr(column.kind, "normalizer", "") is not None
            if (is_respelled or self.decisions.column_changes.get(column.name)) and headings.get(column.name):
                respelled = self.texts_of(column.name)
                raw = self.join(self.matches[column.name].headers)
                rows_of = np.flatnonzero((respelled != raw).to_numpy(dtype=bool))
                corrected[column.name] = dict(zip(rows_of.tolist(), respelled.iloc[rows_of], strict=True))
        if self.options.carries:
            corrected |= {c.name: dict(enumerate(self.texts_of(c.name))) for c in self.columns if c.forward_fill}
        for name, cells in corrected.items():
            corrections = {positions[row]: text for row, text in cells.items() if row in positions}
            for number, each in enumerate(headings.get(name, ())):
                texts = table[each].tolist() if each in table else [""] * len(table)
                for row, text in corrections.items():
                    texts[row] = "" if number else text
                table[each] = pd.Series(texts, dtype="str")
        return table

    def outgoing(self) -> Sequence[Outgoing]:
        """Return the payloads of the ready rows. The result is cached."""
        return self._once("outgoing", lambda: list(self._build_outgoing(self.ready)))

    def build_items(self) -> Iterator[NewItem]:
        """Yield the items of the ready rows, with the rows for later corrections."""
        ready = self.ready
        cells = list(self.file_frame(np.flatnonzero(self.is_ready)).astype(object).itertuples(index=False, name=None))
        numbers = ready.numbers.tolist()
        for item in self._computed.get("outgoing") or self._build_outgoing(ready):
            rows = [(numbers[place], cells[place]) for place in item.rows]
            yield NewItem(item.payload, rows, item.label, item.batch_group)

    @property
    def headers(self) -> list[str]:
        """The headings of the file, and of corrected columns that it did not have."""
        return list(self.file_frame(np.zeros(0, dtype=np.int64)).columns)

    @property
    def replaced_positions(self) -> dict[int, list[int]]:
        """The positions of the items that the ready rows replace, by job."""
        items = dict(self.decisions.reopened_rows)
        if self.decisions.origin is not None:
            job_of_rows, positions = self.decisions.origin
            items |= {row: (job_of_rows, position) for row, position in enumerate(positions)}
        found: dict[int, set[int]] = {}
        for row in np.flatnonzero(self.is_ready).tolist():
            if row in items:
                job_id, position = items[row]
                found.setdefault(job_id, set()).add(position)
        return {job_id: sorted(positions) for job_id, positions in found.items()}

    def _build_outgoing(self, rows: Rows) -> Iterable[Outgoing]:
        return () if self.declaration.sending is None else self.declaration.sending.build_items(rows)

    def describe_sending(self, sending: Sending) -> str:
        """Return what sending the ready rows does: "Add 12 trips", "Add 140, cancel 2 trips", or "Add trips"."""
        groups = (
            Counter(item.batch_group for item in self.outgoing()) if sending.other_verbs else {"": self.ready_count}
        )
        numbers = sending.count_by_verb(groups, 0)
        if not numbers:
            return f"{sending.verb} {self.declaration.noun[1]}"
        *first, last = numbers.items()
        parts = [
            *(f"{verb} {number:,}" for verb, number in first),
            f"{last[0]} {count(last[1], *self.declaration.noun)}",
        ]
        return ", ".join([parts[0], *(f"{part[0].lower()}{part[1:]}" for part in parts[1:])])
