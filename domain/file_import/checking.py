"""One file on a screen, as people decide about it step by step until its rows are ready."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from domain.file_import.column_matching import Column, Group, match_columns
from domain.file_import.column_types import Reading
from domain.file_import.decisions import Decisions, refusals
from domain.file_import.import_declaration import Intake
from domain.file_import.kept_matches import ColumnMatch, delete_match, keep_match, kept_matches
from domain.file_import.row_problems import Offer
from domain.file_import.row_sending import Desk
from domain.file_import.sendable_file import SendableFile
from domain.file_import.source_file import SourceFile
from journal import Item, Job


class Check(SendableFile):
    """A file whose decisions change: each step keeps the decisions before it, so that it can be undone."""

    def __init__(self, intake: Intake, source: SourceFile, *, kept: Mapping[str, ColumnMatch] | None = None) -> None:
        """Take the file; columns are matched as under a kept name where all of its headings are those of the file."""
        super().__init__(intake, source)
        self.content: bytes | str | None = None
        """What was read, where there is more in it, such as another sheet."""
        self.job_id: int | None = None
        """The last of the jobs that took rows over."""
        self.about: Mapping[str, Any] = {}
        """What a job that is made of these rows is noted to be for, such as the one that it undoes."""
        self.version = 0
        """Grows with everything that changes what is ready."""
        self._steps: list[tuple[SourceFile, Decisions, tuple[str, ...]]] = []
        """The source and the decisions before each step, and which of them it changed."""
        for name, match in (kept or {}).items():
            headings = [header for found in match.columns.values() for header in found]
            if headings and set(headings) <= set(source.headers):
                self.match_as(name, match.columns, match.reading, known=match.headings)
                break

    @classmethod
    def of(
        cls,
        intake: Intake,
        name: str,
        content: bytes | str,
        desk: Desk | None = None,
        *,
        sheet: str | None = None,
    ) -> Check:
        """Read a file or a pasted text, and match it as the desk keeps it. Raises Unreadable."""
        kept = kept_matches(desk, intake.kind) if desk is not None else None
        check = cls(intake, intake.read(name, content, sheet=sheet), kept=kept)
        check.content = content if check.source.sheets else None
        return check

    @classmethod
    def of_rows(cls, intake: Intake, name: str, rows: Sequence[Mapping[str, str]]) -> Check:
        """Rows that are in no file, by the columns' names, such as those of records to be changed."""
        headings = [column.label for column in intake.columns]
        lines = [[row.get(column.name, "") for column in intake.columns] for row in rows]
        cells = pd.DataFrame([headings, *lines], dtype="str")
        return cls(intake, SourceFile(name, cells, tuple(range(len(cells))), "", True, "entered in Muster"))

    @classmethod
    def of_failed(cls, intake: Intake, job: Job, items: Sequence[Item]) -> Check:
        """The rows of a job's failed items, to be corrected, with what the service said at their cells."""
        rows = [(item, number, cells) for item in items for number, cells in item.rows]
        cells = pd.DataFrame([job.settings["headers"], *(cells for _, _, cells in rows)], dtype="str")
        numbers = (0, *(number for _, number, _ in rows))
        check = cls(intake, SourceFile(job.name, cells, numbers, job.digest, True, "failed rows"))
        check.match_as(None, job.settings["columns"], known=job.settings["headers"])
        usual = vars(Reading())  # an earlier version may have noted more
        reading = Reading(**{name: said for name, said in job.settings["reading"].items() if name in usual})
        known = {column.name for column in check.columns}
        refused = {
            (row, name): words for row, (item, _, _) in enumerate(rows) for name, words in refusals(item, known).items()
        }
        origin = job.id, [item.position for item, _, _ in rows]
        check._decide(replace(check.decisions, reading=reading, refused=refused, origin=origin))
        check.about = job.settings.get("about", {})
        return check

    # How it is read

    def repeat(self, group: Group, times: int) -> None:
        """Say how many times a row has the columns of a group."""
        self._decide(replace(self.decisions, repeats={**self.decisions.repeats, group.name: times}))
        known = {column.name for column in self.columns}
        chosen = {name: found for name, found in self.decisions.chosen.items() if name in known}
        self._decide(replace(self.decisions, chosen=chosen))

    def match(self, column: str, headers: Sequence[str]) -> None:
        """Say which columns of the file stand for one of the declaration."""
        chosen = {**self.decisions.chosen, column: list(headers)}
        passed_over = self.decisions.passed_over - set(headers)
        self._decide(replace(self.decisions, chosen=chosen, passed_over=passed_over))

    def match_as(
        self,
        name: str | None,
        columns: Mapping[str, Sequence[str]],
        reading: Mapping[str, Any] | None = None,
        *,
        known: Collection[str] = (),
    ) -> None:
        """Match and read all columns as was kept under a name, or as they are found by themselves.

        Headings that are `known`, and stand for nothing there, are passed over; any others are found as ever.
        """
        told = {header for found in columns.values() for header in found}
        passed_over = frozenset(known) - told
        more = [header for header in self.source.headers if header not in told | passed_over]
        repeats = {
            group.name: max(group.found_in(more), *numbers)
            for group in self.intake.groups
            if (numbers := [n for n in range(1, group.most + 1) for each in group.of(n) if columns.get(each.name)])
        }
        self._decide(replace(self.decisions, passed_over=passed_over, repeats=repeats))
        found = {name: match.headers for name, match in match_columns(more, self.columns).items() if match.is_sure}
        chosen = {
            each.name: [*columns[each.name], *(found.get(each.name, ()) if each.several else ())]
            for each in self.columns
            if columns.get(each.name)
        }
        said = replace(self.decisions.reading, **reading or {})
        self._decide(replace(self.decisions, chosen=chosen, kept_as=name, reading=said))

    def keep_as(self, desk: Desk, name: str) -> None:
        """Keep how columns are matched and read under a name, for the organization. Raises JournalError."""
        columns = {column: list(match.headers) for column, match in self.matches.items() if match.headers}
        said = vars(self.decisions.reading)
        usual = vars(Reading())
        names = ("zone", "date_order", "country", "are_contacts", "carries")
        reading = {each: said[each] for each in names if said[each] != usual[each]}
        keep_match(desk, self.intake.kind, name, ColumnMatch(columns, reading, list(self.source.headers)))
        self.match_as(" ".join(name.split()), columns, known=self.source.headers)

    def forget_kept(self, desk: Desk) -> None:
        """Delete what was kept under the name that columns are matched by, and match them by themselves."""
        if self.decisions.kept_as is not None:
            delete_match(desk, self.intake.kind, self.decisions.kept_as)
        self.match_as(None, {})

    def read_as(self, reading: Reading) -> None:
        """Say what the cells do not say themselves."""
        if reading != self.decisions.reading:
            self._decide(replace(self.decisions, reading=reading))

    def hold_against(self, intake: Intake) -> None:
        """Check the rows again, as by rules that know more by now."""
        if intake is not self.intake:
            self.intake = intake
            self._decide(self.decisions)

    def turn_headings(self) -> None:
        """Switch between reading the first row as headings and as a record."""
        source = replace(self.source, has_headings=not self.source.has_headings)
        self._steps = []
        self._decide(self.decisions.without_rows(), source)

    # What is done about it

    def mend(self, row: int, column: str, text: str) -> None:
        """Write another text into a cell."""
        self._correct({column: {row: text}})

    def accept(self, offer: Offer, rows: Sequence[int]) -> None:
        """Do what is offered about some rows."""
        if offer.cells:
            self._correct({name: {row: str(texts.iloc[row]) for row in rows} for name, texts in offer.cells.items()})
        else:
            self.drop(rows)

    def _correct(self, texts: Mapping[str, Mapping[int, str]]) -> None:
        self._do(self.decisions.correct(texts), "corrected", "refused")

    def add_row(self) -> None:
        """Put an empty row at the end."""
        source = self.source
        empty = pd.DataFrame([[""] * len(source.cells.columns)], columns=source.cells.columns, dtype="str")
        cells = pd.concat([source.cells, empty], ignore_index=True)
        numbers = (*source.numbers, source.numbers[-1] + 1)
        self._do(self.decisions, source=replace(source, cells=cells, numbers=numbers))

    def add_column(self, column: Column, text: str) -> None:
        """Put a column at the end that says the same in every row."""
        cells = self.source.cells.copy()
        cells[cells.shape[1]] = text
        if self.source.has_headings:
            cells.iat[0, -1] = column.label
        source = replace(self.source, cells=cells)
        chosen = {**self.decisions.chosen, column.name: [source.headers[-1]]}
        self._do(replace(self.decisions, chosen=chosen), "chosen", source=source)

    def drop(self, rows: Collection[int]) -> None:
        """Leave rows out."""
        self._do(replace(self.decisions, dropped=self.decisions.dropped | set(rows)), "dropped")

    @property
    def can_undo(self) -> bool:
        """Whether there is something to undo."""
        return bool(self._steps)

    def undo(self) -> None:
        """Take back what was corrected, added or dropped last."""
        if self._steps:
            source, before, changed = self._steps.pop()
            self._decide(replace(self.decisions, **{name: getattr(before, name) for name in changed}), source)

    # What became of it

    @property
    def has_unsent_work(self) -> bool:
        """Whether rows are here that no file has as they are: corrected, dropped, or left of what was sent."""
        decisions = self.decisions
        return bool(self.in_play.any() and (self._steps or decisions.sent_in or decisions.returned or decisions.origin))

    def hand_over(self, job_id: int) -> None:
        """Note that a job took over the rows that are ready: they are sent once, and not undone here."""
        self.job_id = job_id
        rows = [row for row, is_ready in enumerate(self.is_ready.tolist()) if is_ready]
        self._steps = []
        self._decide(self.decisions.hand_over(rows, job_id))

    def take_back(self, job_id: int, items: Sequence[Item]) -> bool:
        """Put what failed in a job back among the rows of this file; False where the job is not of this file.

        What was corrected and dropped in the others stays.
        """
        if job_id not in self.decisions.sent_in.values():
            return False
        by_number: dict[int, list[int]] = {}
        for row, job in self.decisions.sent_in.items():
            if job == job_id:
                by_number.setdefault(self.source.row_number(row), []).append(row)
        rows_of = [(item, {row for number, _ in item.rows for row in by_number.get(number, ())}) for item in items]
        self._decide(self.decisions.take_back(job_id, rows_of, {column.name for column in self.columns}))
        return True

    def _do(self, decisions: Decisions, *changed: str, source: SourceFile | None = None) -> None:
        """Decide in a step that can be undone."""
        self._steps.append((self.source, self.decisions, changed))
        self._decide(decisions, source)

    def _decide(self, decisions: Decisions, source: SourceFile | None = None) -> None:
        if source is not None and source is not self.source:
            self.source, self._results = source, {}
        self.decisions = decisions
        self.version += 1
        self._computed = {}
