"""Corrections of columns and options that are kept for the next file with the same headings."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Final

from domain.file_import.column_types import ParseOptions
from domain.file_import.matched_file import MatchedFile
from domain.file_import.row_sending import JournalContext
from domain.file_import.saved_matches import ColumnMatch, file_kind, list_matches, save_match
from domain.file_import.source_file import part_headings
from domain.text.plain_text import count

MOST_REPORT_DAYS: Final = 31


def build_match(file: MatchedFile) -> ColumnMatch:
    """Return the columns and the changed options of a file."""
    columns = {column: list(match.headers) for column, match in file.matches.items() if match.headers}
    options, defaults = vars(file.decisions.options), vars(ParseOptions())
    stored_names = ("zone", "date_order", "country", "are_contacts", "carries")
    changed = {each: options[each] for each in stored_names if options[each] != defaults[each]}
    learned = {
        column: [vars(each) for each in changes if each.is_learned]
        for column, changes in file.decisions.column_changes.items()
    }
    splits = file.decisions.heading_splits
    parts = {part for heading, split in splits.items() for part in part_headings(heading, split.parts)}
    return ColumnMatch(
        columns,
        changed,
        [header for header in file.source.headers if header not in parts],
        next(iter(file.source.sheets), ""),
        {column: changes for column, changes in learned.items() if changes},
        {heading: vars(split) for heading, split in splits.items()},
        _days_since_report(file.decisions.options),
    )


def _days_since_report(options: ParseOptions) -> int | None:
    """Return how many days ago the report was that a person dated. Another distance is no rule for later files."""
    if not options.reported_on:
        return None
    days = (datetime.now(UTC).date() - date.fromisoformat(options.reported_on)).days
    return days if 0 <= days <= MOST_REPORT_DAYS else None


def fits_headings(match: ColumnMatch, headers: Sequence[str]) -> bool:
    """Return whether a file has all headings that a saved match uses."""
    parts = {part for heading in match.splits for part in part_headings(heading, match.splits[heading]["parts"])}
    used = {header for found in match.columns.values() for header in found} - parts
    return bool(used | {*match.splits}) and (used | {*match.splits}) <= {*headers}


def describe_profile(file: MatchedFile) -> list[str]:
    """Return what the options of a file with a profile set, and how many columns the profile changes."""
    options, settings = file.decisions.options, []
    if options.date_order != "as the file shows":
        settings.append(f"{options.date_order} in dates")
    if options.reported_on:
        settings.append(f"dates without a year follow {options.reported_on}")
    if options.zone != "UTC":
        settings.append(f"times are in {options.zone}")
    number = sum(map(len, file.decisions.column_changes.values())) + len(file.decisions.heading_splits)
    return [*settings, *([count(number, "change to a column", "changes to columns")] if number else [])]


def learn_match(file: MatchedFile, context: JournalContext) -> None:
    """Save the columns and options of a file if a person changed any.

    The name is that of the match in use, or that of the file without its digits. Raises JournalError.
    """
    match, is_file = build_match(file), file.decisions.origin is None and bool(file.source.digest)
    is_corrected = file.decisions.selected_headings or match.reading or match.changes or match.splits
    if not is_file or not (is_corrected or match.reported_days_ago is not None):
        return
    saved, name, number = list_matches(context, file.declaration.kind), file.decisions.match_name, 1
    while name is None or (name in saved and set(saved[name].headings) != set(match.headings)):
        name = " ".join((file_kind(file.source.name), *([str(number)] if number > 1 else [])))
        number += 1
    if saved.get(name) != match:
        save_match(context, file.declaration.kind, name, match)
