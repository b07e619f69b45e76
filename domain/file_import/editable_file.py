"""A file whose cells, columns, and rows a person corrects, in steps that can be undone."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from domain.file_import.column_changes import (
    ChangedValue,
    ColumnChange,
    HeadingSplit,
    change_texts,
    list_changed,
)
from domain.file_import.column_matching import Column
from domain.file_import.column_types import ParseOptions
from domain.file_import.decisions import Decisions
from domain.file_import.import_declaration import ImportDeclaration
from domain.file_import.row_problems import Offer
from domain.file_import.sendable_file import SendableFile
from domain.file_import.source_file import SourceFile, part_headings


class _Step(NamedTuple):
    """The source and the decisions at a step, and the names of the decisions that the step changed."""

    source: SourceFile
    decisions: Decisions
    changed: tuple[str, ...]


class EditableFile(SendableFile):
    """A file with corrections that can be undone and redone."""

    def __init__(self, declaration: ImportDeclaration, source: SourceFile) -> None:
        super().__init__(declaration, source)
        self.version = 0
        """A number that grows with every decision."""
        self._steps: list[_Step] = []
        """The state before each step."""
        self._undone_steps: list[_Step] = []
        """The state before each step was undone."""

    def set_options(self, options: ParseOptions) -> None:
        """Set how cells are parsed."""
        if options != self.decisions.options:
            self._decide(replace(self.decisions, options=options))

    def fix_cell(self, row: int, column: str, text: str) -> None:
        """Write another text into a cell."""
        self._correct({column: {row: text}})

    def accept(self, offer: Offer, rows: Sequence[int]) -> None:
        """Apply a fix to some rows."""
        if offer.cells:
            self._correct({name: {row: str(texts.iloc[row]) for row in rows} for name, texts in offer.cells.items()})
        else:
            self.skip_rows(rows)

    def preview_change(self, column: Column, change: ColumnChange) -> list[ChangedValue]:
        """Return the values that a change of a column would change, the most common first."""
        texts = self.texts_of(column.name)
        return list_changed(texts, change_texts(change, column, texts, self.options.date_order))

    def change_column(self, column: Column, change: ColumnChange) -> None:
        """Change every cell of a column. Cells that are corrected later keep their correction."""
        texts = self.texts_of(column.name)
        corrected = dict(self.decisions.corrections.get(column.name, {}))
        if corrected:
            new = change_texts(change, column, pd.Series([*corrected.values()], dtype="str"), self.options.date_order)
            corrected = dict(zip(corrected, new.tolist(), strict=True))
        is_changed = (texts != change_texts(change, column, texts, self.options.date_order)).to_numpy(dtype=bool)
        decisions = self.decisions.change_column(column.name, change, corrected, np.flatnonzero(is_changed).tolist())
        if change.kind == "skip":
            decisions = replace(decisions, skipped_rows=decisions.skipped_rows | self._rows_with(column, change.text))
        self._do(decisions, "column_changes", "corrections", "service_messages", "skipped_rows")

    def list_column_changes(self) -> list[tuple[Column, ColumnChange, int]]:
        """Return the changes of columns that change a cell or skip a row of this file, with the number of rows."""

        def compute() -> list[tuple[Column, ColumnChange, int]]:
            found = []
            for column in self.columns:
                if changes := self.decisions.column_changes.get(column.name, ()):
                    texts = self.original_texts(column)
                    for change in changes:
                        new = change_texts(change, column, texts, self.options.date_order)
                        is_affected = texts.eq(change.text) if change.kind == "skip" else texts.ne(new)
                        found.append((column, change, int(is_affected.sum())))
                        texts = new
            return [each for each in found if each[2]]

        return self._once("column changes", compute)

    def remove_change(self, column: Column, change: ColumnChange) -> None:
        """Remove a change of a column."""
        changes = [each for each in self.decisions.column_changes.get(column.name, ()) if each != change]
        decisions = replace(self.decisions, column_changes={**self.decisions.column_changes, column.name: changes})
        if change.kind == "skip":
            decisions = replace(decisions, skipped_rows=decisions.skipped_rows - self._rows_with(column, change.text))
        self._do(decisions, "column_changes", "skipped_rows")

    def split_heading(self, heading: str, split: HeadingSplit) -> None:
        """Split a column of the file into several, which are matched like others."""
        chosen = self.decisions.selected_headings
        decisions = replace(
            self.decisions,
            heading_splits={**self.decisions.heading_splits, heading: split},
            ignored_headings=self.decisions.ignored_headings | {heading},
            selected_headings={name: found for name, found in chosen.items() if heading not in found},
        )
        source = self.source.split_column(heading, split.separator, split.parts)
        self._do(decisions, "heading_splits", "ignored_headings", "selected_headings", source=source)

    def remove_split(self, heading: str) -> None:
        """Remove the columns into which a column of the file was split, and match it again."""
        splits = dict(self.decisions.heading_splits)
        parts = {*part_headings(heading, splits.pop(heading).parts)}
        decisions = replace(
            self.decisions,
            heading_splits=splits,
            ignored_headings=self.decisions.ignored_headings - {heading},
            selected_headings={
                name: found for name, found in self.decisions.selected_headings.items() if parts.isdisjoint(found)
            },
        )
        changed = ("heading_splits", "ignored_headings", "selected_headings")
        self._do(decisions, *changed, source=self.source.without_columns(parts))

    def _rows_with(self, column: Column, text: str) -> frozenset[int]:
        return frozenset(np.flatnonzero(self.texts_of(column.name) == text).tolist())

    def _correct(self, texts: Mapping[str, Mapping[int, str]]) -> None:
        self._do(self.decisions.correct(texts), "corrections", "service_messages")

    def add_row(self) -> None:
        """Add an empty row at the end."""
        source = self.source
        empty = pd.DataFrame([[""] * len(source.cells.columns)], columns=source.cells.columns, dtype="str")
        cells = pd.concat([source.cells, empty], ignore_index=True)
        numbers = (*source.numbers, source.numbers[-1] + 1)
        self._do(self.decisions, source=replace(source, cells=cells, numbers=numbers))

    def add_column(self, column: Column, text: str) -> None:
        """Add a column at the end with the same text in every row."""
        cells = self.source.cells.copy()
        cells[cells.shape[1]] = text
        if self.source.has_headings:
            cells.iat[0, -1] = column.label
        source = replace(self.source, cells=cells)
        selected = {**self.decisions.selected_headings, column.name: [source.headers[-1]]}
        self._do(replace(self.decisions, selected_headings=selected), "selected_headings", source=source)

    def skip_rows(self, rows: Collection[int]) -> None:
        """Skip rows."""
        self._do(replace(self.decisions, skipped_rows=self.decisions.skipped_rows | set(rows)), "skipped_rows")

    @property
    def can_undo(self) -> bool:
        """Whether a step can be undone."""
        return bool(self._steps)

    def undo(self) -> None:
        """Undo the last correction, change of a column, addition, or skip."""
        self._move_step(self._steps, self._undone_steps)

    @property
    def can_redo(self) -> bool:
        """Whether an undone step can be done again."""
        return bool(self._undone_steps)

    def redo(self) -> None:
        """Do the step again that was undone last."""
        self._move_step(self._undone_steps, self._steps)

    def _move_step(self, steps: list[_Step], others: list[_Step]) -> None:
        if steps:
            source, decisions, changed = steps.pop()
            others.append(_Step(self.source, self.decisions, changed))
            self._decide(replace(self.decisions, **{name: getattr(decisions, name) for name in changed}), source)

    def _do(self, decisions: Decisions, *changed: str, source: SourceFile | None = None) -> None:
        """Change decisions in a step that can be undone."""
        self._steps.append(_Step(self.source, self.decisions, changed))
        self._undone_steps = []
        self._decide(decisions, source)

    def _decide(self, decisions: Decisions, source: SourceFile | None = None) -> None:
        if source is not None and source is not self.source:
            self.source, self._results = source, {}
        self.decisions = decisions
        self.version += 1
        self._computed = {}
