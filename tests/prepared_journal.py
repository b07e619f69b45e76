"""A journal for a test, as it is when it was opened for the first time, without its tables being made each time."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from client.redaction import redact
from journal import Journal


def new_journal(path: Path) -> Journal:
    """Open the journal in a SQLite file; where there is none yet, in a copy of an empty one."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(prepared_journal(), path)
    return Journal.open(f"sqlite:///{path}", redact)


@cache
def prepared_journal() -> Path:
    """The file of an empty journal, made once a process; copy it."""
    folder = Path(tempfile.mkdtemp(prefix="journal-prepared-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    Journal.open(f"sqlite:///{folder / 'journal.sqlite'}", redact).close()
    return folder / "journal.sqlite"
