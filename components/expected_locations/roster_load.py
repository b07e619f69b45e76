"""Loading a roster in the background: look its record locators up, read their expected locations, keep what arrives.

A load belongs to a connection and a roster, not to a browser tab: a tab that is refreshed or closed finds it again in
the server's memory (`LOADS`). How far it is stands in the journal, and so do the itinerary ids it learns.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeVar

from client.clock import Interrupted, interrupted_by
from client.errors import NotAllowed, NotAuthenticated, NotFound, ServiceError, ServiceFailed, TransportError
from client.fan_out import fan_out
from components.expected_locations.location_frame import Locations, LocationStore
from journal import Actor, EntryFilters, Journal, LearntEntry

if TYPE_CHECKING:
    from client.models.itineraries import ExpectedLocation
    from client.resources.itineraries import Itineraries

log = logging.getLogger(__name__)

T = TypeVar("T")

MOST_LOADS: Final = 8
_JOURNAL_EVERY_SECONDS: Final = 0.5
_LONGEST_CALL: Final = timedelta(minutes=10)
_MOST_ENTRIES: Final = 500
_NOT_ASKED: Final = {
    "stopped": "The load was stopped before this trip was asked for.",
    "refused": "Not asked for, since the service had refused the sign-in.",
    "gone": "Not asked for, since the service had stopped answering.",
}
_NOT_FOUND: Final = "The service knows no trip with this record locator."


class LoadKey(NamedTuple):
    """Whose load of which roster: the fingerprint is the connection's, and tells users apart."""

    fingerprint: str
    roster_id: int


@dataclass(frozen=True)
class Failure:
    """A record locator nothing was read for, and why in words."""

    locator: str
    reason: Literal["not found", "failed", "not asked"]
    words: str


@dataclass(frozen=True)
class LoadProgress:
    """How far a load is: of `total` record locators, those found, not known to the service, and failed."""

    total: int
    started_at: datetime
    state: Literal["running", "done", "stopped", "failed"] = "running"
    found: int = 0
    not_found: int = 0
    failed: int = 0

    @property
    def done(self) -> int:
        """How many have had their answer, whatever it was."""
        return self.found + self.not_found + self.failed


@dataclass(frozen=True)
class _Answer:
    """What was read for one record locator; `looked_up` tells whether its ids were asked for anew."""

    itinerary_ids: list[int]
    looked_up: bool
    locations: list[tuple[int, list[ExpectedLocation]]]


class RosterLoad:
    """One roster's expected locations as read through one connection, and the run that reads them.

    `progress` is how far the latest run is, None where none was started; `error` what ended it early, or made it fail
    for some. What is there may have changed since `as_of`, the beginning of the last run that went to its end.
    """

    progress: LoadProgress | None = None
    error: ServiceError | None = None
    as_of: datetime | None = None

    def __init__(
        self, key: LoadKey, itineraries: Itineraries, journal: Journal, actor: Actor, *, width: int = 16
    ) -> None:
        """Prepare a load; nothing is read before `start`. `width` requests run at once."""
        self.key = key
        self._itineraries = itineraries
        self._journal = journal
        self._actor = actor
        self._width = width
        self._store = LocationStore()
        self._names: dict[str, str] = {}
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._failures: dict[str, Failure] = {}
        self._known: set[str] = set()
        self._is_whole = True
        self._heeded: set[int] = set()
        self.touched = time.monotonic()

    # What the screen reads

    @property
    def is_running(self) -> bool:
        """Whether a run is under way."""
        return self.progress is not None and self.progress.state == "running"

    @property
    def version(self) -> int:
        """A number that grows with everything that is read."""
        return self._store.version

    def failures(self) -> list[Failure]:
        """The record locators nothing was read for in the latest run, in the order of the roster."""
        with self._lock:
            return list(self._failures.values())

    def locations(self) -> Locations:
        """Everything read so far, people by the names this desk knows."""
        return self._store.snapshot(self._names)

    # What the screen does

    def start(self, *, only_failed: bool = False, only: Collection[str] | None = None) -> bool:
        """Read the roster in the background: all of it, what failed, or `only` these record locators.

        False where a run is under way already, or the roster holds none of these.
        """
        with self._lock:
            if self.is_running:
                return False
            entries = self._journal.rosters.entries(self.key.roster_id)
            if only is not None and not any(entry.record_locator in only for entry in entries):
                return False
            self._forget_all_but({entry.record_locator for entry in entries})
            self._is_whole = not only_failed and only is None
            if only_failed:
                only = {each.locator for each in self._failures.values() if each.reason != "not found"}
            if only is not None:
                entries = [entry for entry in entries if entry.record_locator in only]
            else:
                self._failures = {}
            self._stop = threading.Event()
            self.error = None
            now = datetime.now(UTC)
            self.as_of = self.as_of or now
            self.progress = LoadProgress(total=len(entries), started_at=now)
        self._read_names()
        load_id = self._note(lambda: self._journal.roster_loads.start(self.key.roster_id, self._actor, len(entries)))
        name = f"roster-load-{self.key.roster_id}"
        self._thread = threading.Thread(target=self._run, args=(entries, load_id), name=name, daemon=True)
        self._thread.start()
        return True

    def follow_changes(self) -> None:
        """Read again what this desk added, changed, canceled or deleted since it was read, whoever of its people did.

        Each change is heeded once, and none that was done before its trip was read.
        """
        if self.as_of is None:
            return
        # An entry tells when its call began, which may be before the load and end after it.
        done = EntryFilters(state="succeeded", since=self.as_of - _LONGEST_CALL)
        scope = self._actor.service, self._actor.organization_id
        entries = self._journal.audit.list(*scope, filters=done, page_size=_MOST_ENTRIES, payloads_of=())
        changed = {
            entry.id: entry.subject_name
            for entry in entries
            if entry.subject_kind == "itinerary"
            and entry.subject_name
            and entry.id not in self._heeded
            and (entry.finished_at or entry.at) >= self.as_of
        }
        if changed:
            self.start(only=frozenset(changed.values()))
            self._heeded |= set(changed)

    def use(self, itineraries: Itineraries) -> None:
        """Read through this client from the next run on: the one before may have been closed with its session."""
        if not self.is_running:
            self._itineraries = itineraries

    def stop(self) -> None:
        """Ask the run to end; requests under way are waited for, none is begun."""
        self._stop.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the run to end; tell whether it has."""
        if self._thread is not None:
            self._thread.join(timeout)
        return not self.is_running

    # The run

    def _run(self, entries: list[LearntEntry], load_id: int | None) -> None:
        state: Literal["done", "stopped", "failed"] = "failed"
        message: str | None = "Muster failed while reading the roster."
        try:
            state, message = self._read_all(entries, load_id)
        except Exception:
            log.exception("Loading roster %s failed", self.key.roster_id)
        finally:
            if load_id is not None:
                self._note(lambda: self._journal.roster_loads.finish(load_id, state, message))
            self._read_names()
            with self._lock:
                now = self._now
                if state == "done" and self._is_whole:
                    self.as_of = now.started_at
                self.progress = replace(now, state=state)

    def _read_all(
        self, entries: list[LearntEntry], load_id: int | None
    ) -> tuple[Literal["done", "stopped", "failed"], str | None]:
        waiting = {entry.record_locator: entry for entry in entries}
        learnt: dict[str, list[int]] = {}
        noted = time.monotonic()
        lost, ended = 0, ""
        for outcome in fan_out(self._read, entries, width=self._width):
            locator = outcome.item.record_locator
            if isinstance(outcome.error, Interrupted):
                continue
            waiting.pop(locator, None)
            if outcome.value is not None:
                lost = 0
                self._take(locator, outcome.value)
                if outcome.value.looked_up:
                    learnt[locator] = outcome.value.itinerary_ids
            elif outcome.error is not None:
                self._fail(locator, outcome.error)
                lost = lost + 1 if isinstance(outcome.error, TransportError | ServiceFailed) else 0
                if isinstance(outcome.error, NotAuthenticated | NotAllowed):
                    ended = "refused"
                elif lost >= self._width:
                    # Every one of as many as are asked at once was tried again and again: the service is gone.
                    ended = "gone"
                if ended:
                    self._stop.set()
            if time.monotonic() - noted > _JOURNAL_EVERY_SECONDS:
                self._write_down(load_id, learnt)
                learnt, noted = {}, time.monotonic()
        self._write_down(load_id, learnt)
        ended = ended or ("stopped" if waiting else "")
        why = _NOT_ASKED.get(ended)
        with self._lock:
            for locator in waiting:
                self._failures[locator] = Failure(locator, "not asked", why or "")
            # In the order of the roster, whatever order the answers came in.
            order = {entry.record_locator: place for place, entry in enumerate(entries)}
            self._failures = dict(sorted(self._failures.items(), key=lambda pair: order.get(pair[0], -1)))
        return "stopped" if ended == "stopped" else "failed" if ended else "done", why

    def _read(self, entry: LearntEntry) -> _Answer:
        """Read one record locator's expected locations; look it up where its ids are not known or lead nowhere."""
        with interrupted_by(self._stop):
            if entry.itinerary_ids:
                self._heed_stop()
                locations = self._read_ids(entry.itinerary_ids)
                if len(locations) == len(entry.itinerary_ids) and all(records for _, records in locations):
                    return _Answer(entry.itinerary_ids, False, locations)
            self._heed_stop()
            found = self._itineraries.search(field_name="pnr", values=[entry.record_locator])
            ids = list(dict.fromkeys(reference.id for reference in found))
            return _Answer(ids, True, self._read_ids(ids))

    def _read_ids(self, itinerary_ids: Sequence[int]) -> list[tuple[int, list[ExpectedLocation]]]:
        locations = []
        for itinerary_id in itinerary_ids:
            try:
                locations.append((itinerary_id, list(self._itineraries.list_expected_locations(itinerary_id))))
            except NotFound:
                log.info("Itinerary %s is gone", itinerary_id)
        return locations

    def _heed_stop(self) -> None:
        if self._stop.is_set():
            raise Interrupted

    def _take(self, locator: str, answer: _Answer) -> None:
        with self._lock:
            self._failures.pop(locator, None)
        if answer.itinerary_ids:
            self._store.put(locator, answer.locations)
            self._known.add(locator)
            self.progress = replace(self._now, found=self._now.found + 1)
        else:
            self._store.drop(locator)
            with self._lock:
                self._failures[locator] = Failure(locator, "not found", _NOT_FOUND)
            self.progress = replace(self._now, not_found=self._now.not_found + 1)

    def _fail(self, locator: str, error: Exception) -> None:
        if isinstance(error, ServiceError):
            self.error = error
            words = error.message
        else:
            log.error("Reading record locator %s failed", locator, exc_info=error)
            words = "Muster could not read the answer."
        with self._lock:
            self._failures[locator] = Failure(locator, "failed", words)
        self.progress = replace(self._now, failed=self._now.failed + 1)

    @property
    def _now(self) -> LoadProgress:
        assert self.progress is not None  # noqa: S101 - only a run that was begun counts and ends
        return self.progress

    def _write_down(self, load_id: int | None, learnt: dict[str, list[int]]) -> None:
        now = self._now
        if learnt:
            self._note(lambda: self._journal.rosters.learn(self.key.roster_id, learnt, datetime.now(UTC)))
        if load_id is not None:
            self._note(
                lambda: self._journal.roster_loads.progress(load_id, now.done, now.found, now.not_found, now.failed)
            )

    def _read_names(self) -> None:
        known = self._note(lambda: self._journal.travellers.names(self._actor.service, self._actor.organization_id))
        self._names = known or self._names

    def _forget_all_but(self, locators: set[str]) -> None:
        for locator in self._known - locators:
            self._store.drop(locator)
        self._known &= locators
        self._failures = {locator: each for locator, each in self._failures.items() if locator in locators}

    def _note(self, note: Callable[[], T]) -> T | None:
        """Read or write the journal; where it cannot be reached, the load goes on without."""
        try:
            return note()
        except Exception:
            log.exception("The journal could not be reached while roster %s was loading", self.key.roster_id)
            return None


class LoadRegistry:
    """Loads by connection and roster; of a connection at most `most`, and none not looked at for `idle_seconds`.

    A load that is under way is never let go: a closed tab loses nothing.
    """

    def __init__(self, *, most: int = MOST_LOADS, clock: Callable[[], float] = time.monotonic) -> None:
        """Start empty."""
        self._most = most
        self._clock = clock
        self._lock = threading.Lock()
        self._loads: dict[LoadKey, RosterLoad] = {}

    def open(self, key: LoadKey, make: Callable[[], RosterLoad], *, idle_seconds: float) -> RosterLoad:
        """Return the load under the key, making it first where there is none; it counts as looked at."""
        with self._lock:
            load = self._loads.get(key)
            if load is None:
                load = self._loads[key] = make()
            load.touched = self._clock()
            self._let_go(key, idle_seconds)
            return load

    def forget(self, fingerprint: str) -> None:
        """Stop and let go all loads of a connection, as when its session ends."""
        with self._lock:
            for key in [key for key in self._loads if key.fingerprint == fingerprint]:
                self._loads.pop(key).stop()

    def __len__(self) -> int:
        return len(self._loads)

    def _let_go(self, wanted: LoadKey, idle_seconds: float) -> None:
        resting = sorted(
            (key for key, load in self._loads.items() if key != wanted and not load.is_running),
            key=lambda key: self._loads[key].touched,
        )
        # Never another connection's for want of room: many people at once would read their rosters again and again.
        own = sum(key.fingerprint == wanted.fingerprint for key in self._loads)
        for key in resting:
            is_idle = self._clock() - self._loads[key].touched > idle_seconds
            is_own = key.fingerprint == wanted.fingerprint
            if is_idle or (is_own and own > self._most):
                del self._loads[key]
                own -= is_own


LOADS: Final = LoadRegistry()
