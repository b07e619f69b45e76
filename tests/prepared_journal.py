"""A new journal for a test, without creating its tables each time."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from client.redaction import redact
from journal import Journal


def new_journal(path: Path) -> Journal:
    """Open the journal in a SQLite file. If the file does not exist, it is copied from an empty journal."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(prepared_journal(), path)
    return Journal.open(f"sqlite:///{path}", redact)


@cache
def prepared_journal() -> Path:
    """Return the file of an empty journal, created once per process, to copy."""
    folder = Path(tempfile.mkdtemp(prefix="journal-prepared-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    Journal.open(f"sqlite:///{folder / 'journal.sqlite'}", redact).close()
    return folder / "journal.sqlite"
