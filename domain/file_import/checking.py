"""A file on a screen: its profile, its columns, and its jobs. Corrections are in `editable_file`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pandas as pd

from domain.file_import.column_changes import (
    ColumnChange,
    HeadingSplit,
)
from domain.file_import.column_matching import Group, match_columns
from domain.file_import.column_types import ParseOptions
from domain.file_import.decisions import service_messages
from domain.file_import.editable_file import EditableFile
from domain.file_import.import_declaration import ImportDeclaration
from domain.file_import.learned_matches import build_match, fits_headings
from domain.file_import.row_sending import JournalContext
from domain.file_import.saved_matches import ColumnMatch, delete_match, list_matches, save_match
from domain.file_import.source_file import SourceFile
from journal import Item, Job


class Check(EditableFile):
    """A file that is read with a profile, and sent."""

    def __init__(
        self,
        declaration: ImportDeclaration,
        source: SourceFile,
        *,
        saved_matches: Mapping[str, ColumnMatch] | None = None,
    ) -> None:
        """Match the columns, by the first saved match whose headings are all in the file, or automatically."""
        super().__init__(declaration, source)
        self.content: bytes | str | None = None
        """The content of a workbook, to read another sheet."""
        self.job_id: int | None = None
        """The last job that sends rows of this file."""
        self.built_in_profile = ""
        """The name of the built-in profile in use."""
        self.about: Mapping[str, Any] = {}
        """Settings of a job with these rows, such as the ID of the job that it undoes."""
        for name, match in (saved_matches or {}).items():
            if fits_headings(match, source.headers):
                self.apply_profile(name, match)
                break
        else:
            self._apply_built_in_profile()

    @classmethod
    def of(
        cls,
        declaration: ImportDeclaration,
        name: str,
        content: bytes | str,
        context: JournalContext | None = None,
        *,
        sheet: str | None = None,
    ) -> Check:
        """Read a file or a pasted text, and match it with the saved matches. Raises Unreadable."""
        saved = list_matches(context, declaration.kind) if context is not None else None
        check = cls(declaration, declaration.read(name, content, sheet=sheet), saved_matches=saved)
        if sheet is None and check.decisions.match_name is None:
            of_sheet = {match.sheet: match for match in (saved or {}).values()}
            for other in check.source.sheets[1:]:
                match = of_sheet.get(other, ColumnMatch({}))
                source = declaration.read(name, content, sheet=other) if match.headings else check.source
                if match.headings and set(match.headings) == set(source.headers):
                    check = cls(declaration, source, saved_matches=saved)
                    break
        check.content = content if check.source.sheets else None
        return check

    @classmethod
    def of_rows(cls, declaration: ImportDeclaration, name: str, rows: Sequence[Mapping[str, str]]) -> Check:
        """Return rows that come from no file, by column name, such as records to change."""
        headings = [column.label for column in declaration.columns]
        lines = [[row.get(column.name, "") for column in declaration.columns] for row in rows]
        cells = pd.DataFrame([headings, *lines], dtype="str")
        return cls(declaration, SourceFile(name, cells, tuple(range(len(cells))), "", True, "entered in Muster"))

    @classmethod
    def of_failed(cls, declaration: ImportDeclaration, job: Job, items: Sequence[Item]) -> Check:
        """Return the rows of a job's failed items, with the messages of the service at their cells."""
        rows = [(item, number, cells) for item in items for number, cells in item.rows]
        cells = pd.DataFrame([job.settings["headers"], *(cells for _, _, cells in rows)], dtype="str")
        numbers = (0, *(number for _, number, _ in rows))
        check = cls(declaration, SourceFile(job.name, cells, numbers, job.digest, True, "failed rows"))
        check.apply_match(None, job.settings["columns"], known_headings=job.settings["headers"])
        defaults = vars(ParseOptions())  # A later or earlier version of Muster may have stored other options.
        options = ParseOptions(**{name: option for name, option in job.settings["reading"].items() if name in defaults})
        names = {column.name for column in check.columns}
        messages = {
            (row, name): message
            for row, (item, _, _) in enumerate(rows)
            for name, message in service_messages(item, names).items()
        }
        origin = job.id, [item.position for item, _, _ in rows]
        check._decide(replace(check.decisions, options=options, service_messages=messages, origin=origin))
        check.about = job.settings.get("about", {})
        return check

    # Columns and options

    def set_group_count(self, group: Group, number: int) -> None:
        """Set how many times a row has the columns of a group."""
        self._decide(replace(self.decisions, group_counts={**self.decisions.group_counts, group.name: number}))
        known = {column.name for column in self.columns}
        selected = {name: headings for name, headings in self.decisions.selected_headings.items() if name in known}
        self._decide(replace(self.decisions, selected_headings=selected))

    def match(self, column: str, headers: Sequence[str]) -> None:
        """Set the headings of the file for a column."""
        selected = {**self.decisions.selected_headings, column: list(headers)}
        ignored = self.decisions.ignored_headings - set(headers)
        self._decide(replace(self.decisions, selected_headings=selected, ignored_headings=ignored))

    def apply_match(
        self,
        name: str | None,
        columns: Mapping[str, Sequence[str]],
        changes: Mapping[str, Any] | None = None,
        *,
        known_headings: Collection[str] = (),
    ) -> None:
        """Match all columns as in a saved match, or automatically if `name` is None and `columns` is empty.

        Headings in `known_headings` that match no column are ignored. Other headings are matched automatically.
        """
        known_matched = {header for found in columns.values() for header in found}
        ignored = frozenset(known_headings) - known_matched
        others = [header for header in self.source.headers if header not in known_matched | ignored]
        repeats = {
            group.name: max(group.count_in_headings(others), *numbers)
            for group in self.declaration.groups
            if (numbers := [n for n in range(1, group.most + 1) for each in group.of(n) if columns.get(each.name)])
        }
        self._decide(replace(self.decisions, ignored_headings=ignored, group_counts=repeats))
        found = {name: match.headers for name, match in match_columns(others, self.columns).items() if match.is_sure}
        chosen = {
            each.name: [*columns[each.name], *(found.get(each.name, ()) if each.allows_many else ())]
            for each in self.columns
            if columns.get(each.name)
        }
        options = replace(self.decisions.options, **changes or {})
        self._decide(replace(self.decisions, selected_headings=chosen, match_name=name, options=options))

    def apply_profile(self, name: str, match: ColumnMatch) -> None:
        """Match all columns as in a saved profile, and apply its options and its changes."""
        splits = {heading: HeadingSplit(**split) for heading, split in match.splits.items()}
        splits = {heading: split for heading, split in splits.items() if heading in self.source.headers}
        source = self.source
        for heading, split in splits.items():
            source = source.split_column(heading, split.separator, split.parts)
        self._decide(replace(self.decisions, heading_splits=splits), source)
        self.apply_match(name, match.columns, match.reading, known_headings=(*match.headings, *splits))
        if self.dates.is_contradicted or self.dates.is_mixed:
            # The dates of this file count more than those of an earlier one.
            self.set_options(replace(self.decisions.options, date_order="as the file shows"))
        self._set_report_date(match.reported_days_ago)
        changes = {name: tuple(ColumnChange(**each) for each in found) for name, found in match.changes.items()}
        self._decide(replace(self.decisions, column_changes=changes))
        skipped = [
            self._rows_with(column, change.text)
            for column in self.columns
            for change in changes.get(column.name, ())
            if change.kind == "skip"
        ]
        self._decide(replace(self.decisions, skipped_rows=self.decisions.skipped_rows.union(*skipped)))

    def _apply_built_in_profile(self) -> None:
        """Apply the profile of a usual kind of file if it settles dates that are open."""
        fitting = [each for each in self.declaration.profiles if each.fits(self.source.headers)]
        times = [self.read_column(column) for column in self.columns if column.reads_times] if fitting else []
        is_open = {problem.question for each in times for problem in each.problems}
        for profile in fitting:
            if profile.date_order is not None and "order" in is_open:
                self.set_options(replace(self.decisions.options, date_order=profile.date_order))
                self.built_in_profile = profile.name
            if profile.reported_days_ago is not None and "year" in is_open:
                self._set_report_date(profile.reported_days_ago)
                self.built_in_profile = profile.name

    def _set_report_date(self, days_ago: int | None) -> None:
        """Set the date of the report to so many days ago, unless the file has one."""
        if days_ago is not None and self.dates.reported_on is None and self.dates.lacks_years:
            day = datetime.now(UTC).date() - timedelta(days=days_ago)
            self.set_options(replace(self.decisions.options, reported_on=day.isoformat()))

    def forget_profile(self, context: JournalContext) -> None:
        """Delete the saved profile in use, and read the file without a profile. Raises JournalError."""
        if self.decisions.match_name is not None:
            delete_match(context, self.declaration.kind, self.decisions.match_name)
        self.built_in_profile = ""
        for column, change, _ in self.list_column_changes():
            self.remove_change(column, change)
        for heading in [*self.decisions.heading_splits]:
            self.remove_split(heading)
        self.apply_match(None, {}, vars(ParseOptions()))

    def save_match(self, context: JournalContext, name: str) -> None:
        """Save the column match and the options under a name, for the organization. Raises JournalError."""
        match = build_match(self)
        save_match(context, self.declaration.kind, name, match)
        self.apply_match(
            " ".join(name.split()),
            match.columns,
            known_headings={*self.source.headers, *self.decisions.heading_splits},
        )

    def set_declaration(self, declaration: ImportDeclaration) -> None:
        """Check the rows with another declaration, such as one with newer rules."""
        if declaration is not self.declaration:
            self.declaration = declaration
            self._decide(self.decisions)

    def toggle_headings(self) -> None:
        """Switch between reading the first row as headings and as a record."""
        source = replace(self.source, has_headings=not self.source.has_headings)
        self._steps, self._undone_steps = [], []
        self._decide(self.decisions.clear_rows(), source)

    # Sending

    @property
    def has_unsent_work(self) -> bool:
        """Whether open rows would be lost with this file: corrected, skipped, or left over from sending."""
        decisions = self.decisions
        return bool(
            self.is_open.any() and (self._steps or decisions.job_of_row or decisions.reopened_rows or decisions.origin)
        )

    def mark_sent(self, job_id: int) -> None:
        """Mark the ready rows as sent by a job. This step cannot be undone."""
        self.job_id = job_id
        rows = [row for row, is_ready in enumerate(self.is_ready.tolist()) if is_ready]
        self._steps, self._undone_steps = [], []
        self._decide(self.decisions.mark_sent(rows, job_id))

    def restore_failed(self, job_id: int, items: Sequence[Item]) -> bool:
        """Reopen the rows of failed items, and return False if the job is not of this file.

        Corrections and skips of other rows stay.
        """
        if job_id not in self.decisions.job_of_row.values():
            return False
        by_number: dict[int, list[int]] = {}
        for row, job in self.decisions.job_of_row.items():
            if job == job_id:
                by_number.setdefault(self.source.row_number(row), []).append(row)
        rows_of = [(item, {row for number, _ in item.rows for row in by_number.get(number, ())}) for item in items]
        self._decide(self.decisions.restore_rows(job_id, rows_of, {column.name for column in self.columns}))
        return True
