"""Data that is read once in the background and shown on many screens, per connection or organization.

    names = server().reads.open(workspace, ("event names",), read, max_age=timedelta(minutes=2))
    names.wait(1.0)                    # a moment, so that most reads show no progress
    names.value                        # the last value, which stays during the next read and if it fails
    names.now                          -> ReadState(value, read_at, is_running, error, done, total)
    server().reads.invalidate("event names")    # as after a change of an event

One process has one registry. This module and the called functions know nothing of Streamlit.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar, cast

from cachetools import TTLCache

from client import ServiceError

if TYPE_CHECKING:
    from client import Connection
    from domain.runtime.workspace import Workspace

T = TypeVar("T")
R = TypeVar("R", bound="BackgroundRead[Any]")

MAX_STORED: Final = 1_024
STORED_SECONDS: Final = 3600.0
"""How long data is stored after its last use."""
THREAD: Final = "read "
"""The prefix of the names of the reading threads."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ReadState(Generic[T]):
    """The state of a read: the last value and its time, the error of the latest attempt, and the progress.

    While it runs, `done` of `total` records are read; `total` is None if it is not known.
    """

    value: T | None = None
    read_at: datetime | None = None
    began_at: datetime | None = None
    is_running: bool = False
    error: Exception | None = None
    done: int = 0
    total: int | None = None

    @property
    def latest(self) -> T | None:
        """The value of the latest read; None while it runs or if it failed."""
        return None if self.is_running or self.error is not None else self.value


class BackgroundRead(Generic[T]):
    """Data that one thread at a time reads. Thread-safe.

    `read` gets a function that reports its progress: how many records are read, and of how many.
    """

    def __init__(self, name: str, read: Callable[[Callable[[int, int | None], None]], T], max_age: timedelta) -> None:
        """Prepare the read, which begins with `start`.

        `name` is for the log: a kind of data, never what someone searches for.
        """
        self._name = name
        self.max_age = max_age
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._stopped = threading.Event()
        self._is_outdated = False
        self._now: ReadState[T] = ReadState()
        # By the monotonic clock; the times in the state are for people.
        self._began_at = self._read_at = -math.inf
        self.read = read

    @property
    def now(self) -> ReadState[T]:
        """The state at one moment."""
        return self._now

    @property
    def value(self) -> T | None:
        """The last value; None before the first."""
        return self._now.value

    def start(self) -> None:
        """Read in the background if the data was never read, is too old, or is outdated."""
        with self._lock:
            now = self._now
            since = self._read_at if now.error is None else self._began_at
            is_old = self._is_outdated or time.monotonic() - since > self.max_age.total_seconds()
            if not now.is_running and is_old:
                self._begin()

    def _begin(self, total: int | None = None) -> None:
        """Start a read. Call it with the lock, and only if none runs."""
        self._is_outdated = False
        self._ended.clear()
        self._stopped.clear()
        self._began_at = time.monotonic()
        self._now = replace(self._now, is_running=True, began_at=datetime.now(UTC), error=None, done=0, total=total)
        threading.Thread(target=self._run, name=f"{THREAD}{self._name}", daemon=True).start()

    def stop(self) -> None:
        """Ask the running read to stop. A read of few requests continues to its end."""
        self._stopped.set()

    def restart(self, patience: float = 0.0) -> None:
        """Read again at once, and wait this many seconds for the end."""
        self.invalidate()
        self.start()
        self.wait(patience)

    def invalidate(self) -> None:
        """Mark the data as outdated, including that of a read that runs now, so that the next use reads it again."""
        with self._lock:
            self._is_outdated = True

    def wait(self, seconds: float | None = None, *, since_it_began: bool = False) -> bool:
        """Wait this long for the running read, from now or from its start, and return whether it has ended."""
        now = self._now
        if since_it_began and seconds is not None:
            seconds = max(0.0, seconds - (time.monotonic() - self._began_at))
        return not now.is_running or self._ended.wait(seconds)

    def _run(self) -> None:
        value: T | None = None
        error: Exception | None = None
        try:
            value = self.read(self._report)
        except Exception as failure:  # noqa: BLE001 — the screen shows any error
            error = failure
            _log.warning(
                "Reading %s failed: %s",
                self._name,
                type(failure).__name__,
                exc_info=None if isinstance(failure, ServiceError) else failure,
            )
        with self._lock:
            now = replace(self._now, is_running=False, error=error)
            if error is None:
                self._read_at = time.monotonic()
                now = replace(now, value=value, read_at=datetime.now(UTC))
            self._now = now
        self._ended.set()

    def _report(self, done: int, total: int | None) -> None:
        with self._lock:
            self._now = replace(self._now, done=done, total=total)


class BackgroundReads:
    """All background reads of this process. Thread-safe."""

    patience: float = 1.0
    """How many seconds a run waits for a read, so that most show no progress."""
    patience_for_names: float = 3.0
    """How many seconds a run waits for names that are read for the first time and would be shown as numbers."""

    def __init__(self) -> None:
        """Start without data."""
        self._lock = threading.Lock()
        self._reads: TTLCache[tuple[Hashable, ...], BackgroundRead[Any]] = TTLCache(MAX_STORED, STORED_SECONDS)

    def open(
        self,
        workspace: Workspace,
        name: tuple[Hashable, ...],
        read: Callable[[Callable[[int, int | None], None]], T],
        *,
        max_age: timedelta,
    ) -> BackgroundRead[T]:
        """Return the read of this name for this connection, and start it if its data is missing or too old."""
        data = self.get_or_create(workspace, name, lambda: BackgroundRead(str(name[0]), read, max_age))
        # Later reads use the function of this session, since the session that asked first may have ended.
        data.read, data.max_age = read, max_age
        data.start()
        return data

    def get_or_create(
        self,
        workspace: Workspace,
        name: tuple[Hashable, ...],
        make: Callable[[], R],
        *,
        of_organization: bool = False,
        at_most: int | None = None,
    ) -> R:
        """Return the read of this name for this connection, or `of_organization`, without starting it.

        Everyone may share the trips of the organization: each sign-in checks that the user may read them. `at_most` so
        many reads with the same first name are stored; the one unused for the longest time goes.
        """
        connection = workspace.connection
        key = (*_scope(connection, of_organization=of_organization), *name)
        with self._lock:
            data = cast("R | None", self._reads.pop(key, None)) or make()
            self._reads[key] = data
            if at_most is not None:
                # In the order of their last use, this one last.
                same_kind = [
                    each for each, other in self._reads.items() if each[:3] == key[:3] and not other.now.is_running
                ]
                for each in same_kind[:-at_most]:
                    del self._reads[each]
        if workspace.has_ended.is_set() and not of_organization:
            self.remove(connection.fingerprint)
        return data

    def find(self, workspace: Workspace, *name: Hashable, of_organization: bool = False) -> BackgroundRead[Any] | None:
        """Return the read of this name if it exists, without starting it. `of_organization` as in `get_or_create`."""
        with self._lock:
            return self._reads.get((*_scope(workspace.connection, of_organization=of_organization), *name))

    def invalidate(self, *name: Hashable) -> None:
        """Mark all reads as outdated whose name begins so, for all connections. Their data stays until they are read
        again.
        """
        with self._lock:
            outdated = [each for key, each in self._reads.items() if key[2 : len(name) + 2] == name]
        for each in outdated:
            each.invalidate()

    def remove(self, fingerprint: str) -> None:
        """Remove the data of a connection or an organization, as when its last session ends."""
        with self._lock:
            for key in [key for key in self._reads if key[0] == fingerprint]:
                self._reads.pop(key).stop()

    def __len__(self) -> int:
        return len(self._reads)


def _scope(connection: Connection, *, of_organization: bool) -> tuple[str, str]:
    if of_organization:
        return connection.organization_fingerprint, ""
    return connection.fingerprint, connection.fingerprint_with_token
