"""Check a file in a background thread, which continues if the page is left or drawn again."""

from __future__ import annotations

from contextlib import suppress
from threading import Event, Thread
from typing import Final

from domain.file_import.checking import Check
from domain.file_import.row_problems import PROGRESS

_RUNNING: Final = "background check"


class BackgroundCheck:
    """The check of a file, as of the version at its start."""

    def __init__(self, check: Check) -> None:
        self.version = check.version
        self._check = check
        self._done = Event()
        Thread(target=self._run, name="file check", daemon=True).start()

    @property
    def progress(self) -> float:
        """How much of the work is done, from 0 to 1."""
        done: float = self._check.memory.get(PROGRESS, 0.0)
        return min(done, 1.0)

    def wait(self, seconds: float) -> bool:
        """Wait up to this number of seconds, and return whether the check is done."""
        return self._done.wait(seconds)

    def _run(self) -> None:
        # The next reader of the problems gets the same error and shows it.
        with suppress(Exception):
            _ = self._check.problems
        self._done.set()


def check_in_background(check: Check) -> BackgroundCheck:
    """Start the check of this version of a file, or return the one that was started before."""
    running: BackgroundCheck | None = check.memory.get(_RUNNING)
    if running is None or running.version != check.version:
        check.memory[PROGRESS] = 0.0
        running = check.memory[_RUNNING] = BackgroundCheck(check)
    return running
