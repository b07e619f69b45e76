"""A watched folder: each file that arrives is import_file once, then moved."""

from __future__ import annotations

import fcntl
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Final, Self

from domain.tables.spreadsheet import to_csv
from muster.file_errors import explain_read_error, explain_write_error
from muster.run import Exit, ImportResult

ENDINGS: Final = frozenset({".csv", ".txt", ".tsv", ".xlsx", ".json"})
SETTLED_SECONDS: Final = 5.0
"""A file that changed within so many seconds may be incomplete."""
DONE: Final = "done"
UNREADABLE: Final = "unreadable"
_LOCK: Final = ".muster-lock"


class FolderError(Exception):
    """The folder does not exist, cannot be read or written, or another process watches it."""


class WatchedFolder:
    """A folder that only this process watches; a context manager. Raises FolderError."""

    def __init__(self, path: Path) -> None:
        """Remember the path; nothing is locked until the folder is entered."""
        self._path = path
        self._lock: IO[str] | None = None

    def __enter__(self) -> Self:
        try:
            self._lock = (self._path / _LOCK).open("w")
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self.__exit__()
            raise FolderError(f"Another process is already watching {self._path}.") from error
        except OSError as error:
            raise FolderError(explain_read_error(self._path, error)) from error
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock is not None:
            self._lock.close()

    def list_files(self) -> list[Path]:
        """List the complete files, oldest first; names that begin with a dot are incomplete."""
        now, files = time.time(), []
        try:
            paths = [*self._path.iterdir()]
        except OSError as error:
            raise FolderError(explain_read_error(self._path, error)) from error
        for path in paths:
            if path.suffix.lower() in ENDINGS and not path.name.startswith(".") and path.is_file():
                with suppress(FileNotFoundError):
                    files.append((path.stat().st_mtime, path))
        return [path for changed, path in sorted(files) if now - changed >= SETTLED_SECONDS]

    def import_files(
        self, import_one: Callable[[Path], ImportResult], *, leaves_files: bool = False
    ) -> Iterator[ImportResult]:
        """Import each file, and move it with a file of the rows that were not added.

        A file that is not finished stays for the next scan; with `leaves_files`, all stay. Raises FolderError, after
        the result is yielded, if a file cannot be moved.
        """
        for path in self.list_files():
            seen = _file_state(path)
            if seen is None:
                continue
            result, problem = import_one(path), None
            if result.exit is not Exit.UNFINISHED and not leaves_files:
                where = UNREADABLE if result.exit is Exit.CANNOT else DONE
                try:
                    self._move(path, self._free_path(path, where), seen, result)
                except OSError as error:
                    problem = FolderError(
                        f"{path.name} was imported, but not moved. {explain_write_error(self._path / where, error)}"
                    )
            yield result
            if problem is not None:
                raise problem

    def _move(self, path: Path, target: Path, seen: tuple[int, int, int], result: ImportResult) -> None:
        if result.not_added is not None:
            _not_added_path(target).write_bytes(to_csv(result.not_added))
        # Another file may have the name by now, or the sender removed it.
        if _file_state(path) == seen:
            path.rename(target)

    def _free_path(self, path: Path, where: str) -> Path:
        place = self._path / where
        place.mkdir(exist_ok=True)
        target, number = place / path.name, 1
        while target.exists() or _not_added_path(target).exists():
            number += 1
            target = place / f"{path.stem}-{number}{path.suffix}"
        return target


def _not_added_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.not-added.csv")


def _file_state(path: Path) -> tuple[int, int, int] | None:
    """What differs between two files of one name; None if there is no file."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size
