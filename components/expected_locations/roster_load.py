"""Loading a roster in the background: look its record locators up, read their expected locations, keep what arrives.

A load belongs to a connection and a roster, not to a browser tab: a tab that is refreshed or closed finds it again in
the server's memory (`load_registry`). How far it is stands in the journal, and so do the itinerary ids it learns.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final, Literal, Protocol, TypeVar

from client.clock import Interrupted, interrupted_by
from client.errors import NotAllowed, NotAuthenticated, NotFound, ServiceError, ServiceFailed, TransportError
from client.fan_out import fan_out
from client.models.itineraries import ExpectedLocation, ItineraryReference
from components.expected_locations.load_state import Failure, LoadKey, LoadProgress, LoadState
from components.expected_locations.location_frame import Locations, LocationStore
from journal import Actor, Journal, LearntEntry
from journal import LoadState as JournalState

log = logging.getLogger(__name__)

T = TypeVar("T")

_JOURNAL_EVERY_SECONDS: Final = 0.5
_NOT_ASKED_STOPPED: Final = "The load was stopped before this trip was asked for."
_NOT_ASKED_REFUSED: Final = "Not asked for, since the service had refused the sign-in."
_NOT_ASKED_GONE: Final = "Not asked for, since the service had stopped answering."
_NOT_FOUND: Final = "The service knows no trip with this record locator."


class Itineraries(Protocol):
    """What a load needs of the client."""

    def search(
        self, *, field_name: Literal["pnr", "externalItineraryId"], values: Sequence[str]
    ) -> Iterable[ItineraryReference]:
        """Find the itineraries with these record locators."""

    def list_expected_locations(self, itinerary_id: int) -> Iterable[ExpectedLocation]:
        """Read every expected location of an itinerary."""


@dataclass(frozen=True)
class _Answer:
    """What was read for one record locator; `looked_up` tells whether its ids were asked for anew."""

    itinerary_ids: list[int]
    looked_up: bool
    locations: list[tuple[int, list[ExpectedLocation]]]


class _Stopped(Exception):
    """The load was asked to stop before this record locator's turn came."""


class RosterLoad:
    """One roster's expected locations as read through one connection, and the run that reads them."""

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
        self._progress: LoadProgress | None = None
        self._error: ServiceError | None = None
        self._as_of: datetime | None = None
        self._is_whole = True
        self.touched = time.monotonic()
        self.heeded: set[int] = set()

    # What the screen reads

    @property
    def progress(self) -> LoadProgress | None:
        """How far the latest run is; None where none was started."""
        return self._progress

    @property
    def is_running(self) -> bool:
        """Whether a run is under way."""
        return self._progress is not None and self._progress.state == "running"

    @property
    def version(self) -> int:
        """A number that grows with everything that is read."""
        return self._store.version

    @property
    def as_of(self) -> datetime | None:
        """Since when what is there may have changed: the beginning of the last run that went to its end."""
        return self._as_of

    @property
    def error(self) -> ServiceError | None:
        """What ended the latest run early, or made it fail for some; None where all was well."""
        return self._error

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
        begun = self._begin(only_failed, only)
        if begun is None:
            return False
        self._thread = threading.Thread(
            target=self._run, args=begun, name=f"roster-load-{self.key.roster_id}", daemon=True
        )
        self._thread.start()
        return True

    def run(self, *, only_failed: bool = False) -> bool:
        """Read the roster in this thread; False where a run is under way already."""
        begun = self._begin(only_failed)
        if begun is None:
            return False
        self._run(*begun)
        return True

    def use(self, itineraries: Itineraries) -> None:
        """Read through this client from the next run on: the one before may have been closed with its session."""
        if not self.is_running:
            self._itineraries = itineraries

    def stop(self) -> None:
        """Ask the run to end; requests under way are waited for, none is begun."""
        self._stop.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the run to end; tell whether it has."""
        thread = self._thread
        if thread is not None:
            thread.join(timeout)
        return not self.is_running

    # The run

    def _begin(
        self, only_failed: bool, only: Collection[str] | None = None
    ) -> tuple[list[LearntEntry], int | None] | None:
        with self._lock:
            if self.is_running:
                return None
            entries = self._journal.rosters.entries(self.key.roster_id)
            if only is not None and not any(entry.record_locator in only for entry in entries):
                return None
            self._forget_all_but({entry.record_locator for entry in entries})
            self._is_whole = not only_failed and only is None
            if only is not None:
                entries = [entry for entry in entries if entry.record_locator in only]
            elif only_failed:
                again = {each.locator for each in self._failures.values() if each.reason != "not found"}
                entries = [entry for entry in entries if entry.record_locator in again]
            else:
                self._failures = {}
            self._stop = threading.Event()
            self._error = None
            now = datetime.now(UTC)
            self._as_of = self._as_of or now
            self._progress = LoadProgress(total=len(entries), started_at=now)
        self._names = self._note(self._read_names) or self._names
        load_id = self._note(lambda: self._journal.roster_loads.start(self.key.roster_id, self._actor, len(entries)))
        return entries, load_id

    def _run(self, entries: list[LearntEntry], load_id: int | None) -> None:
        state: LoadState = "failed"
        message: str | None = "Muster failed while reading the roster."
        try:
            state, message = self._read_all(entries, load_id)
        except Exception:
            log.exception("Loading roster %s failed", self.key.roster_id)
        finally:
            self._finish(state, message, load_id)

    def _read_all(self, entries: list[LearntEntry], load_id: int | None) -> tuple[LoadState, str | None]:
        waiting = {entry.record_locator: entry for entry in entries}
        learnt: dict[str, list[int]] = {}
        noted = time.monotonic()
        lost = 0
        state: LoadState = "done"
        why = ""
        outcomes = fan_out(self._read, entries, width=self._width)
        for outcome in outcomes:
            entry = outcome.item
            if isinstance(outcome.error, _Stopped | Interrupted):
                continue
            waiting.pop(entry.record_locator, None)
            if outcome.value is not None:
                lost = 0
                self._take(entry.record_locator, outcome.value)
                if outcome.value.looked_up:
                    learnt[entry.record_locator] = outcome.value.itinerary_ids
            elif outcome.error is not None:
                self._fail(entry.record_locator, outcome.error)
                lost = lost + 1 if isinstance(outcome.error, TransportError | ServiceFailed) else 0
                if isinstance(outcome.error, NotAuthenticated | NotAllowed):
                    state, why = "failed", _NOT_ASKED_REFUSED
                elif lost >= self._width:
                    # Every one of as many as are asked at once was tried again and again: the service is gone.
                    state, why = "failed", _NOT_ASKED_GONE
                if state == "failed":
                    self._stop.set()
            if time.monotonic() - noted > _JOURNAL_EVERY_SECONDS:
                self._write_down(load_id, learnt)
                learnt, noted = {}, time.monotonic()
        self._write_down(load_id, learnt)
        if waiting and state == "done":
            state, why = "stopped", _NOT_ASKED_STOPPED
        with self._lock:
            for locator in waiting:
                self._failures[locator] = Failure(locator, "not asked", why)
            # In the order of the roster, whatever order the answers came in.
            order = {entry.record_locator: place for place, entry in enumerate(entries)}
            self._failures = dict(sorted(self._failures.items(), key=lambda pair: order.get(pair[0], -1)))
        return state, why or None

    def _read(self, entry: LearntEntry) -> _Answer:
        """Read one record locator's expected locations; look it up where its ids are not known or lead nowhere."""
        with interrupted_by(self._stop):
            return self._read_now(entry)

    def _read_now(self, entry: LearntEntry) -> _Answer:
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
            raise _Stopped

    def _take(self, locator: str, answer: _Answer) -> None:
        if answer.itinerary_ids:
            self._store.put(locator, answer.locations)
            self._known.add(locator)
            self._count(found=1)
        else:
            self._store.drop(locator)
            self._count(not_found=1)
        with self._lock:
            self._failures.pop(locator, None)
            if not answer.itinerary_ids:
                self._failures[locator] = Failure(locator, "not found", _NOT_FOUND)

    def _fail(self, locator: str, error: Exception) -> None:
        if isinstance(error, ServiceError):
            self._error = error
            words = error.message
        else:
            log.error("Reading record locator %s failed", locator, exc_info=error)
            words = "Muster could not read the answer."
        with self._lock:
            self._failures[locator] = Failure(locator, "failed", words)
        self._count(failed=1)

    def _count(self, *, found: int = 0, not_found: int = 0, failed: int = 0) -> None:
        now = self._progress
        assert now is not None  # noqa: S101 - only a run that was begun counts
        self._progress = replace(
            now, found=now.found + found, not_found=now.not_found + not_found, failed=now.failed + failed
        )

    def _write_down(self, load_id: int | None, learnt: dict[str, list[int]]) -> None:
        now = self._progress
        if learnt:
            self._note(lambda: self._journal.rosters.learn(self.key.roster_id, learnt, datetime.now(UTC)))
        if now is not None and load_id is not None:
            self._note(
                lambda: self._journal.roster_loads.progress(load_id, now.done, now.found, now.not_found, now.failed)
            )

    def _finish(self, state: LoadState, message: str | None, load_id: int | None) -> None:
        if load_id is not None:
            written: JournalState = state if state != "running" else "failed"
            self._note(lambda: self._journal.roster_loads.finish(load_id, written, message))
        self._names = self._note(self._read_names) or self._names
        with self._lock:
            now = self._progress
            assert now is not None  # noqa: S101 - only a run that was begun finishes
            if state == "done" and self._is_whole:
                self._as_of = now.started_at
            self._progress = replace(now, state=state, finished_at=datetime.now(UTC), message=message)

    def _read_names(self) -> dict[str, str]:
        return self._journal.travellers.names(self._actor.service, self._actor.organization_id)

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
