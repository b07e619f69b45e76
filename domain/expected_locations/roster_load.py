"""Load rosters in the background: look up record locators, read their expected locations, and store them.

The journal stores the progress, and the itinerary IDs found. The interface has no batch request: an expected location
does not name its trip, and the search for several record locators does not say which one an ID belongs to.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Final, Literal, TypeVar

from client.clock import Interrupted, interrupted_by
from client.errors import NotAllowed, NotAuthenticated, NotFound, ServiceError, ServiceFailed, TransportError
from client.fan_out import fan_out
from domain.expected_locations.location_frame import Locations, LocationStore
from domain.runtime.background import BackgroundRead
from domain.runtime.server import server
from domain.trips.known_trip import IMPORT, REMOVAL
from journal import Actor, EntryFilters, Journal, LearntEntry, Roster, locator_spellings, normalize_locator

if TYPE_CHECKING:
    from client.models.itineraries import ExpectedLocation
    from client.resources.itineraries import Itineraries
    from domain.expected_locations.roster_choice import RosterChoice
    from domain.runtime.workspace import Workspace

log = logging.getLogger(__name__)

T = TypeVar("T")
Became = Literal["found", "not found", "failed", "not asked"]

MOST_LOADS: Final = 24
"""How many loads are kept per organization, if they are not running."""
_JOURNAL_EVERY_SECONDS: Final = 0.5
_LONGEST_CALL: Final = timedelta(minutes=10)
_MOST_ENTRIES: Final = 500
LEARNT_GOOD_FOR: Final = timedelta(hours=1)
"""How long itinerary IDs are used before the record locator is looked up again: it may have got another itinerary."""
_NOT_ASKED: Final = {
    "stopped": "Not loaded. Loading was stopped.",
    "refused": "Not loaded. The service rejected the sign-in.",
    "gone": "Not loaded. The service stopped responding.",
}
_NOT_FOUND: Final = "The service has no trip with this record locator."


@dataclass(frozen=True)
class Failure:
    """A record locator without data, and the reason."""

    locator: str
    reason: Became
    words: str


@dataclass(frozen=True)
class _Answer:
    """The data of one record locator. `looked_up_at` is when its IDs were looked up; None if stored IDs were used."""

    itinerary_ids: list[int]
    looked_up_at: datetime | None
    locations: list[tuple[int, list[ExpectedLocation]]]


class RosterLoad(BackgroundRead[None]):
    """The expected locations of one or more rosters, read once for everyone in the organization.

    Data stays available while it is read again. A trip or person in several rosters counts once. `counts` are the
    numbers of record locators in the latest run by result: found, not found, failed. `problem` is why it ended early or
    failed for some. `as_of` is the beginning of the last complete run; the data can have changed since.
    """

    problem: ServiceError | None = None
    as_of: datetime | None = None

    def __init__(
        self,
        rosters: Sequence[Roster],
        itineraries: Itineraries,
        journal: Journal,
        actor: Actor,
        *,
        width: int = 16,
        record_locators: Sequence[str] = (),
    ) -> None:
        """Prepare a load of rosters and further trips. `load` starts it, with `width` requests at once."""
        super().__init__(f"{len(rosters)} rosters", self._read_rosters, timedelta.max)
        self._rosters: dict[int, datetime] = {roster.id: roster.changed_at for roster in rosters}
        self._locators: dict[int, dict[str, str]] = {}
        """By roster: its record locators as written, by their normalized form."""
        self._became: dict[str, Became] = {}
        """By normalized record locator, in this run."""
        self.counts: Counter[Became] = Counter()
        self._itineraries = itineraries
        self._journal = journal
        self._actor = actor
        self._width = width
        self._record_locators = tuple(record_locators)
        self._store = LocationStore()
        self._names: dict[str, str] = {}
        self._entries: list[LearntEntry] = []
        self._failures: dict[str, Failure] = {}
        self._known: set[str] = set()
        self._is_whole = True
        self._heeded: set[tuple[int | datetime, str]] = set()
        self._changed: set[str] = set()

    @property
    def version(self) -> int:
        """A number that increases with everything read."""
        return self._store.version

    def failures(self) -> list[Failure]:
        """The record locators without data in the latest run, in the order of the roster."""
        with self._lock:
            return list(self._failures.values())

    def locations(self) -> Locations:
        """Everything read so far. People have the names that Muster stored."""
        return self._store.snapshot(self._names)

    def load(self, *, only_failed: bool = False, only: Collection[str] | None = None) -> bool:
        """Read in the background: the whole roster, what failed, or `only` these normalized record locators.

        Return False if a run is active already, or the roster has none of these.
        """
        with self._lock:
            if self.now.is_running:
                return False
            entries = self._read_entries()
            if only is not None and not any(normalize_locator(entry.record_locator) in only for entry in entries):
                return False
            self._forget_all_but({entry.record_locator for entry in entries})
            self._is_whole = not only_failed and only is None
            if only_failed:
                failed = (each.locator for each in self._failures.values() if each.reason != "not found")
                only = set(map(normalize_locator, failed))
            if only is not None:
                entries = [entry for entry in entries if normalize_locator(entry.record_locator) in only]
            else:
                self._failures = {}
            self._entries, self.counts, self._became, self.problem = entries, Counter(), {}, None
            self._begin(len(entries))
            self.as_of = self.as_of or self.now.began_at
        return True

    def follow_rosters(self, rosters: Sequence[Roster]) -> None:
        """Read trips that were added to the rosters, and drop those that were removed."""
        now = {roster.id: roster.changed_at for roster in rosters}
        with self._lock:
            if self.now.is_running or now == self._rosters:
                return
            self._rosters = now
            entries = self._read_entries()
            self._forget_all_but({entry.record_locator for entry in entries})
            known = self._known | set(self._failures)
            new = {normalize_locator(each.record_locator) for each in entries if each.record_locator not in known}
        if new:
            self.load(only=new)

    def follow_changes(self) -> None:
        """Read trips again that Muster added, changed, canceled, or deleted since they were read, singly or in jobs, by
        anyone in the organization.

        Each change is followed once, unless it was made before its trip was read.
        """
        if self.as_of is None:
            return
        # The time of an entry is the beginning of its request, which may end after the load.
        done = EntryFilters(subject_kind="itinerary", state="succeeded", since=self.as_of - _LONGEST_CALL)
        scope = self._actor.service, self._actor.organization_id
        entries = self._journal.audit.list(*scope, filters=done, page_size=_MOST_ENTRIES, payloads_of=())
        changed: set[tuple[int | datetime, str]] = {
            (entry.id, normalize_locator(entry.subject_name))
            for entry in entries
            if entry.subject_name and (entry.finished_at or entry.at) >= self.as_of
        }
        among_many = self._journal.ledger_history.list_done(self._actor, [IMPORT, REMOVAL], since=self.as_of)
        of_roster = self._read_entries() if among_many else []
        known = {str(number): each.record_locator for each in of_roster for number in each.itinerary_ids}
        for sent in among_many:
            locator = sent.payload.get("pnr") or sent.payload.get("locator") or known.get(str(sent.payload.get("id")))
            if locator:
                changed.add((sent.at, normalize_locator(locator)))
        if changed := changed - self._heeded:
            self._changed |= {locator for _, locator in changed}
            # Another tab may have started a run. The change is then followed next time.
            if self.load(only={locator for _, locator in changed}):
                self._heeded |= changed

    def use(self, itineraries: Itineraries) -> None:
        """Read through this client from the next run on. The user of the previous one may have lost access."""
        if not self.now.is_running:
            self._itineraries = itineraries

    def _read_entries(self) -> list[LearntEntry]:
        """Return the trips of all rosters, each once, preferring those that were looked up; then trips of no roster."""
        entries: dict[str, LearntEntry] = {}
        for roster_id in self._rosters:
            of_roster = self._journal.rosters.entries(roster_id)
            self._locators[roster_id] = {
                normalize_locator(each.record_locator): each.record_locator for each in of_roster
            }
            for key, entry in zip(self._locators[roster_id], of_roster, strict=True):
                known = entries.setdefault(key, entry)
                if known.looked_up_at is None and entry.looked_up_at is not None:
                    ids, at = entry.itinerary_ids, entry.looked_up_at
                    entries[key] = replace(known, itinerary_ids=ids, looked_up_at=at)
        for locator in self._record_locators:
            entries.setdefault(normalize_locator(locator), LearntEntry(locator, [], [], None))
        return list(entries.values())

    def _read_rosters(self, _: object) -> None:
        load_ids: dict[int, int] = {}
        if self._is_whole:  # Reading some trips says nothing about the roster.
            for roster_id in self._rosters:
                total = len(self._locators[roster_id])
                start = partial(self._journal.roster_loads.start, roster_id, self._actor, total)
                if (load_id := self._note(start)) is not None:
                    load_ids[roster_id] = load_id
        state: Literal["done", "stopped", "failed"] = "failed"
        message: str | None = "Muster failed while loading the roster."
        try:
            self._read_names()
            state, message = self._read_all(self._entries, load_ids)
        finally:
            for load_id in load_ids.values():
                self._note(partial(self._journal.roster_loads.finish, load_id, state, message))
            self._read_names()
        if state == "done" and self._is_whole:
            self.as_of = self.now.began_at

    def _read_all(
        self, entries: list[LearntEntry], load_ids: Mapping[int, int]
    ) -> tuple[Literal["done", "stopped", "failed"], str | None]:
        waiting = {entry.record_locator: entry for entry in entries}
        learnt: dict[str, _Answer] = {}
        noted = time.monotonic()
        lost, ended = 0, ""
        for outcome in fan_out(self._read_locator, entries, width=self._width):
            locator = outcome.item.record_locator
            if isinstance(outcome.error, Interrupted):
                continue
            waiting.pop(locator, None)
            if outcome.value is not None:
                lost = 0
                self._take(locator, outcome.value)
                if outcome.value.looked_up_at is not None:
                    learnt[locator] = outcome.value
            elif outcome.error is not None:
                self._fail(locator, outcome.error)
                lost = lost + 1 if isinstance(outcome.error, TransportError | ServiceFailed) else 0
                if isinstance(outcome.error, NotAuthenticated | NotAllowed):
                    ended = "refused"
                elif lost >= self._width:
                    # All concurrent requests failed after retries: the service is unavailable.
                    ended = "gone"
                if ended:
                    self._stopped.set()
            if time.monotonic() - noted > _JOURNAL_EVERY_SECONDS:
                self._write_down(load_ids, learnt)
                learnt, noted = {}, time.monotonic()
        self._write_down(load_ids, learnt)
        ended = ended or ("stopped" if waiting else "")
        why = _NOT_ASKED.get(ended)
        with self._lock:
            for locator in waiting:
                self._failures[locator] = Failure(locator, "not asked", why or "")
            # In the order of the roster, not of the responses.
            order = {entry.record_locator: place for place, entry in enumerate(entries)}
            self._failures = dict(sorted(self._failures.items(), key=lambda pair: order.get(pair[0], -1)))
        return "stopped" if ended == "stopped" else "failed" if ended else "done", why

    def _read_locator(self, entry: LearntEntry) -> _Answer:
        """Read the expected locations of a record locator. Look it up if its IDs are unknown or have no data."""
        with interrupted_by(self._stopped):
            if entry.itinerary_ids and self._may_be_read_by_ids(entry):
                self._heed_stop()
                locations = self._read_ids(entry.itinerary_ids)
                if len(locations) == len(entry.itinerary_ids) and all(records for _, records in locations):
                    return _Answer(entry.itinerary_ids, None, locations)
            self._heed_stop()
            looked_up_at = datetime.now(UTC)
            found = self._itineraries.search(field_name="pnr", values=locator_spellings(entry.record_locator))
            ids = list(dict.fromkeys(reference.id for reference in found))
            return _Answer(ids, looked_up_at, self._read_ids(ids))

    def _may_be_read_by_ids(self, entry: LearntEntry) -> bool:
        """Return whether the IDs of a record locator were found recently, and Muster has not changed it since."""
        is_old = entry.looked_up_at is None or datetime.now(UTC) - entry.looked_up_at > LEARNT_GOOD_FOR
        return not is_old and normalize_locator(entry.record_locator) not in self._changed

    def _read_ids(self, itinerary_ids: Sequence[int]) -> list[tuple[int, list[ExpectedLocation]]]:
        locations = []
        for itinerary_id in itinerary_ids:
            try:
                locations.append((itinerary_id, list(self._itineraries.list_expected_locations(itinerary_id))))
            except NotFound:
                log.info("A trip of a roster is gone")
        return locations

    def _heed_stop(self) -> None:
        if self._stopped.is_set():
            raise Interrupted

    def _take(self, locator: str, answer: _Answer) -> None:
        if answer.looked_up_at is not None:
            self._changed.discard(normalize_locator(locator))
        if answer.itinerary_ids:
            self._store.put(locator, answer.locations)
            self._known.add(locator)
        else:
            self._store.drop(locator)
        self._count(locator, None if answer.itinerary_ids else Failure(locator, "not found", _NOT_FOUND))

    def _fail(self, locator: str, error: Exception) -> None:
        words = "Muster cannot read the response."
        if isinstance(error, ServiceError):
            self.problem, words = error, error.message
        else:
            log.error("Loading a trip of a roster failed", exc_info=error)
        self._count(locator, Failure(locator, "failed", words))

    def _count(self, locator: str, failure: Failure | None) -> None:
        with self._lock:
            self._failures.pop(locator, None)
            if failure is not None:
                self._failures[locator] = failure
            became: Became = failure.reason if failure is not None else "found"
            self.counts[became] += 1
            self._became[normalize_locator(locator)] = became
        self._report(self.counts.total(), self.now.total)

    def _write_down(self, load_ids: Mapping[int, int], learnt: dict[str, _Answer]) -> None:
        if learnt:
            since = min(answer.looked_up_at for answer in learnt.values() if answer.looked_up_at is not None)
            found = {normalize_locator(locator): answer.itinerary_ids for locator, answer in learnt.items()}
            for roster_id, locators in self._locators.items():
                ids = {written: found[key] for key, written in locators.items() if key in found}
                if ids:
                    self._note(partial(self._journal.rosters.learn, roster_id, ids, since))
        for roster_id, load_id in load_ids.items():
            became = Counter(map(self._became.get, self._locators[roster_id]))
            counts = [became["found"], became["not found"], became["failed"]]
            self._note(partial(self._journal.roster_loads.progress, load_id, sum(counts), *counts))

    def _read_names(self) -> None:
        known = self._note(lambda: self._journal.travelers.names(self._actor.service, self._actor.organization_id))
        self._names = known or self._names

    def _forget_all_but(self, locators: set[str]) -> None:
        for locator in self._known - locators:
            self._store.drop(locator)
        self._known &= locators
        self._failures = {locator: each for locator, each in self._failures.items() if locator in locators}

    def _note(self, note: Callable[[], T]) -> T | None:
        """Read or write the journal. Without it, the load continues."""
        try:
            return note()
        except Exception:
            log.exception("The journal could not be reached while a roster was loading")
            return None


def find_load(workspace: Workspace, choice: RosterChoice) -> RosterLoad | None:
    """Return the load of these rosters if there is one, without starting it."""
    load = server().reads.find(workspace, "roster", choice.value, of_organization=True)
    return load if isinstance(load, RosterLoad) else None
