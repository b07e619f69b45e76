"""Corrections of columns and options that are kept for the next file with the same headings."""

from __future__ import annotations

from domain.file_import.column_types import ParseOptions
from domain.file_import.matched_file import MatchedFile
from domain.file_import.row_sending import JournalContext
from domain.file_import.saved_matches import ColumnMatch, file_kind, list_matches, save_match


def build_match(file: MatchedFile) -> ColumnMatch:
    """Return the columns and the changed options of a file."""
    columns = {column: list(match.headers) for column, match in file.matches.items() if match.headers}
    options, defaults = vars(file.decisions.options), vars(ParseOptions())
    stored_names = ("zone", "date_order", "country", "are_contacts", "carries")
    changed = {each: options[each] for each in stored_names if options[each] != defaults[each]}
    return ColumnMatch(columns, changed, list(file.source.headers), next(iter(file.source.sheets), ""))


def learn_match(file: MatchedFile, context: JournalContext) -> None:
    """Save the columns and options of a file if a person changed any.

    The name is that of the match in use, or that of the file without its digits. Raises JournalError.
    """
    match, is_file = build_match(file), file.decisions.origin is None and bool(file.source.digest)
    if not is_file or not (file.decisions.selected_headings or match.reading):
        return
    saved, name, number = list_matches(context, file.declaration.kind), file.decisions.match_name, 1
    while name is None or (name in saved and set(saved[name].headings) != set(match.headings)):
        name = " ".join((file_kind(file.source.name), *([str(number)] if number > 1 else [])))
        number += 1
    if saved.get(name) != match:
        save_match(context, file.declaration.kind, name, match)
