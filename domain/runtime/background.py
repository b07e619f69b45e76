"""What is read once and shown on many screens: read in the background, of one age, held for a connection.

    names = server().reads.open(workspace, ("event names",), read, good_for=timedelta(minutes=2))
    names.wait(1.0)                    # a moment, so that most reads show no waiting
    names.value                        # what was read last: it stays while it is read again, and where that fails
    names.now                          -> Reading(value, read_at, is_running, error, done, total)
    server().reads.outdate("event names")    # as after a change of one of them

The registry of one process. No Streamlit here, and none in what is called.
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
    from domain.runtime.workspace import Workspace

T = TypeVar("T")
R = TypeVar("R", bound="BackgroundRead[Any]")

MOST_KEPT: Final = 1_024
KEPT_SECONDS: Final = 3600.0
"""What nobody looked at for so long is let go."""
THREAD: Final = "read "
"""How the names of the threads begin that read."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Reading(Generic[T]):
    """How far a reading is: what was read last and when, and why the latest one failed, None where it did not.

    While it runs, `done` of `total` records are there; None where the total is not known.
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
        """What the latest reading gave; None while it runs, and where it failed."""
        return None if self.is_running or self.error is not None else self.value


class BackgroundRead(Generic[T]):
    """One thing that is read, by one thread at a time. Thread-safe.

    `read` is given what it may tell how far it is: how many records are there, and how many there are in all.
    """

    def __init__(self, name: str, read: Callable[[Callable[[int, int | None], None]], T], good_for: timedelta) -> None:
        """Prepare; nothing is read before `start`. `name` goes into logs: a kind, never what someone searches for."""
        self._name = name
        self.good_for = good_for
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._stopped = threading.Event()
        self._is_outdated = False
        self._now: Reading[T] = Reading()
        # By a clock that nobody sets; those of the reading are for people.
        self._began_at = self._read_at = -math.inf
        self.read = read

    @property
    def now(self) -> Reading[T]:
        """How far it is, all of one moment."""
        return self._now

    @property
    def value(self) -> T | None:
        """What was read last; None where nothing was yet."""
        return self._now.value

    def start(self) -> None:
        """Read it in the background where it was never read, is too old, or was outdated."""
        with self._lock:
            now = self._now
            since = self._read_at if now.error is None else self._began_at
            is_old = self._is_outdated or time.monotonic() - since > self.good_for.total_seconds()
            if not now.is_running and is_old:
                self._begin()

    def _begin(self, total: int | None = None) -> None:
        """Begin to read; under the lock, and where nothing runs."""
        self._is_outdated = False
        self._ended.clear()
        self._stopped.clear()
        self._began_at = time.monotonic()
        self._now = replace(self._now, is_running=True, began_at=datetime.now(UTC), error=None, done=0, total=total)
        threading.Thread(target=self._run, name=f"{THREAD}{self._name}", daemon=True).start()

    def stop(self) -> None:
        """Ask the reading under way to end; one that asks for little goes on to its end."""
        self._stopped.set()

    def again(self, patience: float = 0.0) -> None:
        """Read it anew at once, and wait so many seconds for it."""
        self.outdate()
        self.start()
        self.wait(patience)

    def outdate(self) -> None:
        """Have it read anew when it is next asked for, also where a reading that is under way began before this."""
        with self._lock:
            self._is_outdated = True

    def wait(self, seconds: float | None = None, *, since_it_began: bool = False) -> bool:
        """Wait for the reading under way to end, for so long from now on or since it began; tell whether it has."""
        now = self._now
        if since_it_began and seconds is not None:
            seconds = max(0.0, seconds - (time.monotonic() - self._began_at))
        return not now.is_running or self._ended.wait(seconds)

    def _run(self) -> None:
        value: T | None = None
        error: Exception | None = None
        try:
            value = self.read(self._tell)
        except Exception as failure:  # noqa: BLE001 — whatever it is, the screen has to tell it
            error = failure
            _log.warning(
                "Reading %s failed: %s",
                self._name,
                type(failure).__name__,
                exc_info=None if isinstance(failure, ServiceError) else failure,
            )
        with self._lock:
            done = replace(self._now, is_running=False, error=error)
            if error is None:
                self._read_at = time.monotonic()
                done = replace(done, value=value, read_at=datetime.now(UTC))
            self._now = done
        self._ended.set()

    def _tell(self, done: int, total: int | None) -> None:
        with self._lock:
            self._now = replace(self._now, done=done, total=total)


class BackgroundReads:
    """What is read for every connection of this process. Thread-safe."""

    patience: float = 1.0
    """How many seconds a run waits for a reading, so that most show no waiting."""
    patience_for_names: float = 3.0
    """How many seconds it waits where numbers would stand in the place of names that are read for the first time."""

    def __init__(self) -> None:
        """Start empty."""
        self._lock = threading.Lock()
        self._held: TTLCache[tuple[Hashable, ...], BackgroundRead[Any]] = TTLCache(MOST_KEPT, KEPT_SECONDS)

    def open(
        self,
        workspace: Workspace,
        name: tuple[Hashable, ...],
        read: Callable[[Callable[[int, int | None], None]], T],
        *,
        good_for: timedelta,
    ) -> BackgroundRead[T]:
        """The reading of this name for this connection, begun where it was never read or is too old to be shown."""
        held = self.keep(workspace, name, lambda: BackgroundRead(str(name[0]), read, good_for))
        # Read from now on as this session asks: the one that asked first may be gone.
        held.read, held.good_for = read, good_for
        held.start()
        return held

    def keep(
        self,
        workspace: Workspace,
        name: tuple[Hashable, ...],
        make: Callable[[], R],
        *,
        with_token: bool = True,
        at_most: int | None = None,
    ) -> R:
        """The reading of this name for this connection, made where there is none; nothing is read for this.

        What needs no access token is kept for the connection `with_token` and without. Of what rests under one first
        name a connection has `at_most`: what was asked for longest ago goes.
        """
        connection = workspace.connection
        key = (connection.fingerprint, connection.fingerprint_with_token if with_token else "", *name)
        with self._lock:
            held = cast("R | None", self._held.pop(key, None)) or make()
            self._held[key] = held
            if at_most is not None:
                # In the order in which they were asked for, this one last.
                alike = [each for each, kept in self._held.items() if each[:3] == key[:3] and not kept.now.is_running]
                for each in alike[:-at_most]:
                    del self._held[each]
        if workspace.has_ended.is_set():
            self.forget(connection.fingerprint)
        return held

    def held(self, workspace: Workspace, *name: Hashable) -> BackgroundRead[Any] | None:
        """The reading of this name where it was asked for before; nothing is read for this."""
        with self._lock:
            connection = workspace.connection
            return self._held.get((connection.fingerprint, connection.fingerprint_with_token, *name))

    def outdate(self, *name: Hashable) -> None:
        """Have all whose name begins so read anew when they are next opened, whoever's.

        What was read stands until then. May be called from any thread.
        """
        with self._lock:
            held = [each for key, each in self._held.items() if key[2 : len(name) + 2] == name]
        for each in held:
            each.outdate()

    def forget(self, fingerprint: str) -> None:
        """Let go what was read for a connection, as when its last session ends."""
        with self._lock:
            for key in [key for key in self._held if key[0] == fingerprint]:
                self._held.pop(key).stop()

    def __len__(self) -> int:
        return len(self._held)
