"""What a watched folder leaves over is stored in the journal, so that a person can fix it on the screen."""

from __future__ import annotations

from contextlib import suppress
from pathlib import PurePath

from domain.runtime.workspace import Workspace
from domain.tables.spreadsheet import to_csv
from domain.text.plain_text import count
from domain.trips.trip_import.leftover_files import save_leftover
from journal import JournalError
from muster.run import Exit, ImportResult


def keep_leftover(workspace: Workspace, name: str, content: bytes, result: ImportResult) -> None:
    """Store a file that could not be sent, or the rows of a file that were not sent because of errors.

    The rows that the service rejected are in the job of the file, where they can be fixed.
    """
    rows = result.left_rows
    if result.exit in (Exit.NOTHING, Exit.UNFINISHED) or (result.exit is not Exit.CANNOT and rows is None):
        return
    reason = result.message
    if rows is not None and result.job is not None:
        name, content = f"{PurePath(name).stem}, rows not sent.csv", to_csv(rows)
        reason = f"{count(len(rows), 'row was', 'rows were')} not sent because of errors."
    with suppress(JournalError):  # The file itself is in the folder.
        save_leftover(workspace, name, content, reason)
