"""Shape files prepared in this process, and not in a confined one. Only tests with hostile files use the confined
process.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from shapes import preparing
from shapes.prepare_folder import prepare_folder
from shapes.preparing import Prepared, PrepareOptions, prepare, shape_files

MEGABYTE = 2**20
LIMITS = {".zip": MEGABYTE, ".kml": 3 * MEGABYTE}

Prepare = Callable[..., Prepared]


class SilentHost:
    """A host on this machine that counts connections and never responds."""

    def __init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.setblocking(False)
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def count_calls(self) -> int:
        """Return the number of connections since the last call."""
        count = 0
        with suppress(BlockingIOError):
            while True:
                self._listening.accept()[0].close()
                count += 1
        return count

    def close(self) -> None:
        """Close the host."""
        self._listening.close()


@pytest.fixture
def silent_host() -> Iterator[SilentHost]:
    """A host that must not receive a connection."""
    with closing(SilentHost()) as host:
        yield host


@pytest.fixture
def prepare_file(monkeypatch: pytest.MonkeyPatch) -> Prepare:
    """A function that prepares an uploaded file: `prepare_file(name, content, *repairs, kind=…, crs=…, fit=…)`."""

    def run(order: str, place: Path, *, seconds: float) -> bytes:
        assert (order, seconds) == ("prepare", preparing.SECONDS)
        return prepare_folder(place)

    monkeypatch.setattr(preparing, "run_confined", run)

    def prepare_it(
        name: str,
        content: bytes,
        *repairs: str,
        kind: str = "",
        crs: str = "",
        encoding: str = "",
        fit: str = "",
        limit: int = 0,
    ) -> Prepared:
        [file], problems = shape_files([(name, content)])
        assert not problems
        kind = kind or (file.ending if file.ending in LIMITS else ".zip")
        options = PrepareOptions(kind, frozenset(repairs), crs, encoding, fit)  # type: ignore[arg-type]
        return prepare(file, options, limit=limit or LIMITS[kind])

    return prepare_it
