"""A file of trips compared with what is known: today, its people, and the last file with the same headings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import numpy as np

from client.models.itineraries import Itinerary
from domain.file_import.checking import Check
from domain.file_import.row_sending import JournalContext, Outgoing
from domain.text.plain_text import count, names
from domain.text.time_text import moment
from domain.trips.known_trip import REMOVAL
from domain.trips.resolved_segments import ResolvedSegment, is_stay, resolve
from domain.trips.trip_import.dry_run import SendHistory
from domain.trips.trip_import.file_segments import read_segments
from domain.trips.trip_import.trip_sending import REMOVED
from domain.trips.trip_travel_checks import are_same_place, is_journey
from journal import Item, Job, normalize_locator

MOST_JOBS: Final = 50
MOST_NAMES: Final = 3
MIN_SHARED_STAY: Final = timedelta(hours=12)
"""Two stays that share less time may be two nights in a row."""


@dataclass(frozen=True)
class Remark:
    """A sentence about a file, with the rows or the missing trips that it is about."""

    text: str
    rows: Sequence[int] = ()
    link: str = ""
    """What the rows have in common, in a few words."""
    missing_locators: Sequence[str] = ()
    """The record locators of trips that the last file had and that have not ended."""


def compare_with_known(check: Check, context: JournalContext, history: SendHistory, *, now: datetime) -> list[Remark]:
    """Return what a person should know about the ready trips of a file before they are sent. Raises JournalError."""
    trips = [item for item in check.outgoing() if item.batch_group != REMOVED]
    positions = np.flatnonzero(check.is_ready)
    segments_by_row = read_segments(check.ready)
    segments = [[each.resolved for row in item.rows for each in segments_by_row[row]] for item in trips]
    rows = [[int(positions[row]) for row in item.rows] for item in trips]
    return [
        *_past_trips(segments, rows, now),
        *_people_in_two_places(trips, segments, rows),
        *_people_on_earlier_trips(check, trips, segments, rows, history),
        *_last_file(check, trips, context, now),
    ]


def _past_trips(
    segments: Sequence[Sequence[ResolvedSegment]], rows: Sequence[Sequence[int]], now: datetime
) -> Iterator[Remark]:
    past = [place for place, some in enumerate(segments) if _has_ended(some, now)]
    if past:
        text = f"{count(len(past), 'trip has', 'trips have')} already ended."
        yield Remark(text, [row for place in past for row in rows[place]], "trips that have ended")


def _has_ended(segments: Sequence[ResolvedSegment], now: datetime) -> bool:
    ends = [each.end.moment or each.start.moment for each in segments]
    return bool(ends) and all(end is not None and end < now for end in ends)


def _people_in_two_places(
    trips: Sequence[Outgoing], segments: Sequence[Sequence[ResolvedSegment]], rows: Sequence[Sequence[int]]
) -> Iterator[Remark]:
    """Yield the people with two trips that overlap at different places."""
    people: list[str] = []
    found: dict[int, None] = {}
    for name, places in _trips_of_people(trips).values():
        clashing = {each for pair in _clashes(places, segments) for each in pair} if len(places) > 1 else set()
        if clashing:
            people.append(name)
            found |= {row: None for place in sorted(clashing) for row in rows[place]}
    if people:
        subject = count(len(people), "person is", "people are")
        yield Remark(
            f"{subject} in two places at the same time: {names(people, at_most=MOST_NAMES)}.",
            [*found],
            "two places at once",
        )


def _people_on_earlier_trips(
    check: Check,
    trips: Sequence[Outgoing],
    segments: Sequence[Sequence[ResolvedSegment]],
    rows: Sequence[Sequence[int]],
    history: SendHistory,
) -> Iterator[Remark]:
    """Yield the people who are at another place on a trip that was sent before and is not in the file."""
    people = _trips_of_people(trips)
    in_file = {*check.rows.comparison_keys("pnr")}
    every, found = [*segments], dict[int, None]()
    clashing: dict[str, str] = {}
    for locator, text in history.open_trips.items():
        if locator in in_file:
            continue
        payload = json.loads(text)
        keys = {_person_key(person) for person in payload.get("passengers", ())} & people.keys()
        if not keys:
            continue
        every.append(resolve(Itinerary.model_validate(payload)))
        for key in sorted(keys):
            name, places = people[key]
            pairs = [pair for pair in _clashes([*places, len(every) - 1], every) if len(every) - 1 in pair]
            if pairs:
                clashing.setdefault(key, f"{name} ({payload['pnr']})")
                found |= {row: None for place in sorted({min(pair) for pair in pairs}) for row in rows[place]}
    if clashing:
        subject = count(len(clashing), "person is", "people are")
        listed = names([*clashing.values()], at_most=MOST_NAMES)
        text = f"According to trips sent earlier, {subject} in another place at the same time: {listed}."
        yield Remark(text, [*found], "overlap with earlier trips")


def _trips_of_people(trips: Sequence[Outgoing]) -> dict[str, tuple[str, list[int]]]:
    """Return the name of each person and the positions of their trips."""
    found: dict[str, tuple[str, list[int]]] = {}
    for place, trip in enumerate(trips):
        for person in trip.payload["passengers"]:
            found.setdefault(_person_key(person), (_person_name(person), []))[1].append(place)
    return found


def _clashes(places: Sequence[int], segments: Sequence[Sequence[ResolvedSegment]]) -> Iterator[tuple[int, int]]:
    timed = sorted(
        (
            (each.start.moment, each.end.moment, place, each)
            for place in places
            for each in segments[place]
            if each.start.moment is not None
            and each.end.moment is not None
            and (is_journey(each) or is_stay(each.kind))
        ),
        key=lambda each: each[0],
    )
    for number, (_, ends, place, one) in enumerate(timed):
        for starts, other_ends, other_place, other in timed[number + 1 :]:
            if starts >= ends:
                break
            if place != other_place and _are_apart(one, other, min(ends, other_ends) - starts):
                yield place, other_place


def _are_apart(one: ResolvedSegment, other: ResolvedSegment, shared: timedelta) -> bool:
    """Return whether no one can be in both segments. A stay goes on during a journey."""
    if is_stay(one.kind) and is_stay(other.kind):
        return shared >= MIN_SHARED_STAY and are_same_place(one.start, other.start) is False
    if is_stay(one.kind) or is_stay(other.kind):
        return False
    # Two bookings of one flight or train are one journey.
    is_same = one.start.moment == other.start.moment and one.end.moment == other.end.moment
    return not (is_same and are_same_place(one.start, other.start) is not False)


def _person_key(person: Mapping[str, Any]) -> str:
    identifier = person.get("contactId") or person.get("employeeId")
    return f"id {identifier}" if identifier else _person_name(person).casefold() or repr(sorted(person.items()))


def _person_name(person: Mapping[str, Any]) -> str:
    name = f"{person.get('firstName', '')} {person.get('lastName', '')}".strip()
    return name or str(person.get("employeeId", ""))


def _count_people(passengers: Iterable[Mapping[str, Any]]) -> int:
    return len({_person_key(person) for person in passengers})


def _last_file(check: Check, trips: Sequence[Outgoing], context: JournalContext, now: datetime) -> Iterator[Remark]:
    """Yield how the travelers and the trips differ from the last file with the same headings."""
    jobs = _jobs_of_last_file(check, context)
    if not jobs:
        return
    items = [
        item
        for job in jobs
        for item in context.journal.ledger.items(job.id, ["done", "unknown"])
        if item.batch_group != REMOVED
    ]
    travelers = _count_people(person for trip in trips for person in trip.payload["passengers"])
    earlier = _count_people(person for item in items for person in item.payload["passengers"])
    name, at = jobs[0].name, moment(jobs[0].created_at, now=now)
    text = f"The file has {count(travelers, 'traveler', 'travelers')}"
    if travelers == earlier:
        yield Remark(f"{text}, as many as the last file with these headings ({name}, {at}).")
    else:
        difference = f"{abs(travelers - earlier):,} {'fewer' if travelers < earlier else 'more'}"
        yield Remark(f"{text}, {difference} than the last file with these headings ({name}, {at}).")
    known = {*check.rows.comparison_keys("pnr")}
    canceled = {
        normalize_locator(str(done.payload.get("locator", "")))
        for done in context.journal.ledger_history.list_done(context.actor, [REMOVAL])
    }
    missing = [
        item.label
        for item in items
        if normalize_locator(item.label) not in known | canceled and not _has_item_ended(item, now)
    ]
    if missing:
        one, many = "trip from the last file that has not ended is", "trips from the last file that have not ended are"
        listed = names(missing, at_most=MOST_NAMES)
        text = f"{count(len(missing), one, many)} missing from this one: {listed}."
        yield Remark(text, missing_locators=missing)


def _has_item_ended(item: Item, now: datetime) -> bool:
    return _has_ended(resolve(Itinerary.model_validate(item.payload)), now)


def _jobs_of_last_file(check: Check, context: JournalContext) -> list[Job]:
    """Return the jobs of the last other file with the same headings, the first one first."""
    headings = {*check.source.headers}
    jobs = [
        job
        for job in context.journal.ledger.jobs(context.actor, check.declaration.kind, at_most=MOST_JOBS)
        if job.digest and job.digest != check.source.digest and headings == {*job.settings.get("headers", ())}
    ]
    return [job for job in jobs if job.digest == jobs[0].digest][::-1]
