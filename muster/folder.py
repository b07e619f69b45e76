"""A watched folder: each file that arrives is taken once, and moved when it is done."""

from __future__ import annotations

import fcntl
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Final, Self

from domain.tables.spreadsheet import to_csv
from muster.run import Exit, Ran

ENDINGS: Final = frozenset({".csv", ".txt", ".tsv", ".xlsx", ".json"})
SETTLED_SECONDS: Final = 5.0
"""A file that was written to within so many seconds may still be on its way."""
DONE: Final = "done"
UNREADABLE: Final = "unreadable"
_LOCK: Final = ".muster-lock"


class NotAFolder(Exception):
    """It is no folder (any more), cannot be read or written to, or another process watches it."""


class Watched:
    """A folder that this process alone watches; a context manager. Raises NotAFolder."""

    def __init__(self, path: Path) -> None:
        """Take the folder."""
        self._path = path
        self._lock: IO[str] | None = None

    def __enter__(self) -> Self:
        try:
            self._lock = (self._path / _LOCK).open("w")
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self.__exit__()
            raise NotAFolder(f"{self._path} is watched by another process already.") from error
        except OSError as error:
            raise NotAFolder(f"{self._path} cannot be watched: {error.strerror}.") from error
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock is not None:
            self._lock.close()

    def arrived(self) -> list[Path]:
        """The files that are there whole, the oldest first; those that begin with a dot are on their way."""
        now, files = time.time(), []
        try:
            paths = [*self._path.iterdir()]
        except OSError as error:
            raise NotAFolder(f"{self._path} cannot be read: {error.strerror}.") from error
        for path in paths:
            if path.suffix.lower() in ENDINGS and not path.name.startswith(".") and path.is_file():
                with suppress(FileNotFoundError):
                    files.append((path.stat().st_mtime, path))
        return [path for changed, path in sorted(files) if now - changed >= SETTLED_SECONDS]

    def taken(self, take: Callable[[Path], Ran], *, keep: bool = False) -> Iterator[Ran]:
        """Have every file that is there taken, and move it, with its rows that were not added beside it.

        One that was not finished stays for the next time; with `keep`, all do. Raises NotAFolder, once what became of
        the file is told, where it can't be moved.
        """
        for path in self.arrived():
            seen = _state(path)
            if seen is None:
                continue
            ran, problem = take(path), None
            if ran.exit is not Exit.UNFINISHED and not keep:
                where = UNREADABLE if ran.exit is Exit.CANNOT else DONE
                try:
                    self._put_away(path, self._free(path, where), seen, ran)
                except OSError as error:
                    words = f"it cannot be put into “{where}”: {error.strerror}."
                    problem = NotAFolder(f"{path.name} stays where it is, since {words}")
            yield ran
            if problem is not None:
                raise problem

    def _put_away(self, path: Path, target: Path, seen: tuple[int, int, int], ran: Ran) -> None:
        if ran.not_added is not None:
            _not_added(target).write_bytes(to_csv(ran.not_added))
        # Another file may have come under its name, or the sender has taken it back.
        if _state(path) == seen:
            path.rename(target)

    def _free(self, path: Path, where: str) -> Path:
        place = self._path / where
        place.mkdir(exist_ok=True)
        target, number = place / path.name, 1
        while target.exists() or _not_added(target).exists():
            number += 1
            target = place / f"{path.stem}-{number}{path.suffix}"
        return target


def _not_added(path: Path) -> Path:
    return path.with_name(f"{path.name}.not-added.csv")


def _state(path: Path) -> tuple[int, int, int] | None:
    """What tells a file from another of its name; None where there is none."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size
