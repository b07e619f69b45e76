"""Both lookups of public alerts, read in the background once a connection and held in this server's memory.

    at_hand = region_lookups(workspace)      # starts reading what was not read yet; returns at once
    at_hand.regions.value                 -> RegionCatalog | None (None while it is read for the first time, or failed)
    at_hand.groups.value                  -> dict[int, str] | None: event groups by id, as the service orders them
    at_hand.regions.now                   -> Reading(value, read_at, began_at, is_running, error)
    at_hand.offered()                     -> client's Offered | None, to check an alert by; None until both are there
    at_hand.is_reading / .reload() / .reload_failed() / .version / .wait(seconds)

What was read stays while it is read again, and stays where that fails.
"""

from __future__ import annotations

import hashlib
import logging
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final, Generic, Protocol, TypeVar

from client.models.public_alert_rules import Offered
from client.models.public_lookups import EventGroup, Regions
from components.alert_reach.place_sizes import place_sizes
from components.alert_reach.regions import RegionCatalog
from components.shell.workspace import Workspace

log = logging.getLogger(__name__)

T = TypeVar("T")

READ_AGAIN_AFTER: Final = timedelta(hours=6)
MOST_KEPT: Final = 64
_IDLE: Final = timedelta(hours=1)


class PublicLookups(Protocol):
    """What is needed of the client."""

    def list_event_groups(self) -> list[EventGroup]:
        """The event groups."""

    def list_regions(self) -> Regions:
        """The regions."""


@dataclass(frozen=True)
class Reading(Generic[T]):
    """How far the reading of one lookup is; `error` is why the latest one failed, None where it did not."""

    value: T | None = None
    read_at: datetime | None = None
    began_at: datetime | None = None
    is_running: bool = False
    error: Exception | None = None


class BackgroundReading(Generic[T]):
    """One lookup: what it gave last, and the thread that reads it, one at a time."""

    def __init__(self, name: str, read: Callable[[], T]) -> None:
        """Prepare; nothing is read before `start`. `read` is called in a thread of its own."""
        self._name = name
        self._read = read
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._now: Reading[T] = Reading()

    @property
    def now(self) -> Reading[T]:
        """How far it is, all of one moment."""
        return self._now

    @property
    def value(self) -> T | None:
        """What was read last; None where nothing was yet."""
        return self._now.value

    @property
    def needs_reading(self) -> bool:
        """Whether it was never asked for, or is so old that it is asked for again. A failure waits for a person."""
        now = self._now
        if now.is_running or now.error is not None:
            return False
        return now.read_at is None or datetime.now(UTC) - now.read_at > READ_AGAIN_AFTER

    def start(self) -> bool:
        """Read in the background; False where it is being read already."""
        with self._lock:
            if self._now.is_running:
                return False
            self._now = replace(self._now, is_running=True, began_at=datetime.now(UTC), error=None)
            self._thread = threading.Thread(target=self._run, name=f"public-lookup-{self._name}", daemon=True)
            self._thread.start()
        return True

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the reading under way to end; tell whether it has."""
        thread = self._thread
        if thread is not None:
            thread.join(seconds)
        return not self._now.is_running

    def _run(self) -> None:
        error: Exception | None = None
        value: T | None = None
        try:
            value = self._read()
        except Exception as failure:  # noqa: BLE001 - whatever it is, the screen has to tell it
            log.warning("Reading the %s of public alerts failed: %s", self._name, type(failure).__name__)
            error = failure
        with self._lock:
            if error is None:
                self._now = replace(self._now, value=value, read_at=datetime.now(UTC), is_running=False)
            else:
                self._now = replace(self._now, is_running=False, error=error)


class RegionLookups:
    """The event groups and the regions of one connection."""

    def __init__(self, source: PublicLookups) -> None:
        """Prepare both; nothing is read yet."""
        self._source = source
        self.groups: BackgroundReading[dict[int, str]] = BackgroundReading("event groups", self._read_groups)
        self.regions: BackgroundReading[RegionCatalog] = BackgroundReading("regions", self._read_regions)
        self.touched = time.monotonic()

    @property
    def is_reading(self) -> bool:
        """Whether either is being read."""
        return self.groups.now.is_running or self.regions.now.is_running

    @property
    def version(self) -> tuple[object, ...]:
        """Changes with whatever a screen draws of both."""
        return tuple((now.read_at, now.is_running, id(now.error)) for now in (self.groups.now, self.regions.now))

    def offered(self) -> Offered | None:
        """The ids that may be named; None until both lookups were read."""
        groups, regions = self.groups.value, self.regions.value
        return None if groups is None or regions is None else Offered(groups.keys(), regions.ids)

    def use(self, source: PublicLookups) -> None:
        """Read through this client from now on: the one before may have been closed with its session."""
        self._source = source

    def start(self) -> None:
        """Read what was not read yet, or long ago."""
        for each in (self.groups, self.regions):
            if each.needs_reading:
                each.start()

    def reload(self) -> None:
        """Read both again."""
        self.groups.start()
        self.regions.start()

    def reload_failed(self) -> None:
        """Read again what could not be read."""
        for each in (self.groups, self.regions):
            if each.now.error is not None:
                each.start()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for what is under way to end; tell whether it has."""
        waited = [each.wait(seconds) for each in (self.groups, self.regions)]
        return all(waited)

    def _read_groups(self) -> dict[int, str]:
        return {
            group.id: (group.group_name or "").strip() or f"group {group.id}"
            for group in self._source.list_event_groups()
        }

    def _read_regions(self) -> RegionCatalog:
        return _shared(self._source.list_regions())


class LookupRegistry:
    """The lookups of every connection of this process; those that nobody looked at for an hour are let go."""

    def __init__(self, *, most: int = MOST_KEPT, clock: Callable[[], float] = time.monotonic) -> None:
        """Start empty."""
        self._most = most
        self._clock = clock
        self._lock = threading.Lock()
        self._held: dict[str, RegionLookups] = {}

    def open(self, fingerprint: str, source: PublicLookups) -> RegionLookups:
        """The lookups of a connection, made where there are none, and read from now on through this source."""
        with self._lock:
            held = self._held.get(fingerprint)
            if held is None:
                held = self._held[fingerprint] = RegionLookups(source)
            held.use(source)
            held.touched = self._clock()
            self._let_go(fingerprint)
            return held

    def held(self, fingerprint: str) -> RegionLookups | None:
        """The lookups of a connection, where there are any: nothing is read for this."""
        return self._held.get(fingerprint)

    def forget(self, fingerprint: str) -> None:
        """Let go what was read for a connection, as when its session ends."""
        with self._lock:
            self._held.pop(fingerprint, None)

    def __len__(self) -> int:
        return len(self._held)

    def _let_go(self, wanted: str) -> None:
        resting = sorted((each for each in self._held if each != wanted), key=lambda each: self._held[each].touched)
        for each in resting:
            is_idle = self._clock() - self._held[each].touched > _IDLE.total_seconds()
            if is_idle or len(self._held) > self._most:
                del self._held[each]


LOOKUPS: Final = LookupRegistry()

_CATALOGS: Final[weakref.WeakValueDictionary[bytes, RegionCatalog]] = weakref.WeakValueDictionary()
_CATALOGS_LOCK: Final = threading.Lock()


def region_lookups(workspace: Workspace) -> RegionLookups:
    """The lookups of this person's connection; what was not read yet is read in the background from now on."""
    fingerprint = workspace.connection.fingerprint
    held = LOOKUPS.open(fingerprint, workspace.client.public_lookups)
    workspace.at_end("public lookups", partial(LOOKUPS.forget, fingerprint))
    held.start()
    return held


def lookups_at_hand(workspace: Workspace) -> RegionLookups | None:
    """The lookups of this person's connection where they were asked for before; nothing is read for this."""
    return LOOKUPS.held(workspace.connection.fingerprint)


def _shared(regions: Regions) -> RegionCatalog:
    """The catalog of these regions; whoever was answered the same shares one, for it takes 20 MB."""
    content = hashlib.blake2b(regions.model_dump_json().encode(), digest_size=32).digest()
    with _CATALOGS_LOCK:
        held = _CATALOGS.get(content)
        if held is None:
            held = _CATALOGS[content] = RegionCatalog(regions, place_sizes())
        return held
