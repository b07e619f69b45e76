"""A file checked in a thread of its own, which goes on when the page is left or drawn again."""

from __future__ import annotations

from contextlib import suppress
from threading import Event, Thread
from typing import Final

from domain.file_import.checking import Check
from domain.file_import.row_problems import PROGRESS

_RUNNING: Final = "background check"


class BackgroundCheck:
    """The check of a file as it stood when the check began."""

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
        """Wait so many seconds at most, and return whether the check is done."""
        return self._done.wait(seconds)

    def _run(self) -> None:
        # Whoever reads the problems next meets the same error, and shows it.
        with suppress(Exception):
            _ = self._check.problems
        self._done.set()


def check_in_background(check: Check) -> BackgroundCheck:
    """Start the check of a file as it stands, or return the one that is under way or done."""
    running: BackgroundCheck | None = check.memory.get(_RUNNING)
    if running is None or running.version != check.version:
        check.memory[PROGRESS] = 0.0
        running = check.memory[_RUNNING] = BackgroundCheck(check)
    return running
