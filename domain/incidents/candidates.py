"""Find what puts people on the list of an incident: presences, legs, touches, and gaps, each with its section.

`domain.incidents.affected` has the rules. All code is numpy over whole rosters: no loop runs over records.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from domain.expected_locations.location_frame import Locations
from domain.trips.likely_places import (
    ARRIVING,
    AT_AIRPORT_AFTER,
    AT_AIRPORT_BEFORE,
    LikelyPlaces,
    expand_ranges,
)
from domain.trips.presences import ARRIVAL_CODE, NEVER, ROLES, STAY_CODE, Flags, Ints, Times, Whereabouts, are_apart
from domain.trips.trip_night_checks import HOTEL_WITHIN_KM

AFFECTED, POSSIBLY, DEPARTED, NEARBY, NOT_PLACED = range(5)
"""Sections, the strongest first."""
INSIDE, DOUBTFUL, NEAR, UNPLACED, FAR = range(5)
"""The relation of a place to an area. A doubtful place is inside by its country or by its coordinates, but not by
both.
"""
PRESENCE, COMING, LEG, OVERLAP, TOUCH, GAP = range(6)
"""The kinds of candidates, the strongest first within a section. COMING is the likely place before the person reaches
it. OVERLAP is a place that is open while another one, or a leg, is at least as likely.
"""

_DEPARTURE: Final = ROLES.index("Departure")


class Incident(NamedTuple):
    """The time of an incident, [start, stop) in microseconds. `touches` is its end as entered; `NEVER` for a moment."""

    start: int
    stop: int
    touches: int


@dataclass(frozen=True, eq=False)
class Candidates:
    """The reasons that put people on the list, several per person. Times are in microseconds UTC."""

    person: Ints
    section: Ints
    kind: Ints
    row: Ints
    """The record that puts the person there: for a leg, the end inside; for a gap, the record before or after it."""
    other: Ints
    """The place at the other end of a leg; -1 for other kinds."""
    interval: Ints
    """The interval of `LikelyPlaces` in which a presence counts; -1 for other kinds."""
    begins: Times
    ends: Times
    weight: Times
    """Of the candidates of one person, section, and kind, the one with the least weight is shown."""

    def strongest(self) -> Candidates:
        """Return the strongest candidate of each person, by person."""
        order = np.lexsort((self.ends, self.begins, self.weight, self.kind, self.section, self.person))
        _, first = np.unique(self.person[order], return_index=True)
        return self.take(order[first])

    def take(self, which: Ints | Flags) -> Candidates:
        """Return the selected candidates."""
        return Candidates(*(column[which] for column in vars(self).values()))


def find_candidates(locations: Locations, grade: Ints, near_first: Times, incident: Incident) -> Candidates:
    """Find everything that puts a person on the list. `grade` and `near_first` (a rank by distance) have one value
    per place.
    """
    where, likely = locations.whereabouts, locations.likely_places
    people = len(locations.people)
    grades = grade[where.place]
    legs = np.flatnonzero((where.departs < incident.stop) & (where.arrives > incident.start))
    parts = [
        _of_presences(where, likely, grade, near_first, incident, people),
        _of_legs(where, legs, grade),
        _of_touches(where, likely, grades, incident),
        _of_gaps(where, grades, incident, people),
    ]
    return Candidates(
        *(np.concatenate(columns) for columns in zip(*(vars(part).values() for part in parts), strict=True))
    )


@dataclass(frozen=True, eq=False)
class _Times:
    """Parts of presences in which nothing begins or ends for the person, in microseconds UTC."""

    presence: Ints
    interval: Ints
    """The interval of `LikelyPlaces` that has the part."""
    opens: Times
    closes: Times

    def take(self, which: Ints | Flags) -> _Times:
        """Return the selected parts."""
        return _Times(*(column[which] for column in vars(self).values()))


def _is_possible(where: Whereabouts, likely: LikelyPlaces, times: _Times) -> Flags:
    """Return whether the person can be there: at the likely place, at one as likely, or at another.

    A stay and a record without a role count as long as they are open, unless the person has reached a place too far
    away. The windows of arrivals and departures are a day long, whatever the traveler does.
    """
    presence, role = times.presence, where.windows.role[where.row[times.presence]]
    place, most_likely = where.place[presence], likely.place[times.interval]
    is_possible: Flags = (place == most_likely) | (role != _DEPARTURE) & (role != ARRIVAL_CODE)
    left = np.flatnonzero((role == STAY_CODE) & likely.gives_way[times.interval])
    is_possible[left] = ~are_apart(where.windows, place[left], most_likely[left], HOTEL_WITHIN_KM)
    # ASSUMPTION A504: people can be at a place for an hour after any arrival, and for 2 hours before any departure.
    has_just_come = (role == ARRIVAL_CODE) & (times.opens - AT_AIRPORT_AFTER < where.begins[presence])
    leaves_soon = (role == _DEPARTURE) & (times.closes + AT_AIRPORT_BEFORE > where.ends[presence])
    is_possible |= (has_just_come | leaves_soon) & (most_likely >= 0)
    is_tied = np.flatnonzero(likely.is_tied[times.interval])
    tied = likely.tied_interval * len(where.row) + likely.tied_presence
    keys = times.interval[is_tied].astype(np.int64) * len(where.row) + presence[is_tied]
    is_possible[is_tied[np.isin(keys, tied)]] = True
    return is_possible


def _of_presences(
    where: Whereabouts, likely: LikelyPlaces, grade: Ints, near_first: Times, incident: Incident, people: int
) -> Candidates:
    """Return the times at likely and at credible places that are not far."""
    is_open = (where.begins < incident.stop) & (where.ends > incident.start)
    concerned = np.flatnonzero(is_open & (grade[where.place] != FAR))
    open_interval, number = expand_ranges(likely.presence_first[concerned], likely.presence_end[concerned])
    opens = np.maximum(likely.time[open_interval], incident.start)
    closes = np.minimum(likely.time[open_interval + 1], incident.stop)
    times = _Times(concerned[number], open_interval, opens, closes)
    times = times.take(times.opens < times.closes)
    times = times.take(_is_possible(where, likely, times))
    presence, interval = times.presence, times.interval
    person, place, most_likely = where.person[presence], where.place[presence], likely.place[interval]
    graded, is_likely, is_tied = grade[place], place == most_likely, likely.is_tied[interval]
    # Of places that are equally likely, all have to be inside.
    is_certain = (most_likely >= 0) & (grade[most_likely] == INSIDE) & (likely.status[interval] != ARRIVING)
    split = likely.tied_interval[grade[where.place[likely.tied_presence]] != INSIDE]
    is_certain[is_tied] &= ~np.isin(interval[is_tied], split)
    section = np.select(
        [(graded == INSIDE) & is_certain, graded <= DOUBTFUL, graded == NEAR], [AFFECTED, POSSIBLY, NEARBY], NOT_PLACED
    )
    role = where.windows.role[where.row[presence]]
    is_window = (role == _DEPARTURE) | (role == ARRIVAL_CODE)
    is_overlap = (section == POSSIBLY) & np.where(is_likely, is_tied, (most_likely < 0) | is_tied | ~is_window)
    is_coming = is_likely & (likely.status[interval] == ARRIVING)
    first = np.full((NOT_PLACED + 1, people), NEVER)
    np.minimum.at(first, (section, person), times.opens)
    rank = np.select([role == STAY_CODE, role == _DEPARTURE], [0, 2], 1)
    rank += 3 * ~is_likely + 6 * (times.opens > first[section, person])
    return Candidates(
        person=person,
        section=section,
        kind=np.select([is_overlap, is_coming], [OVERLAP, COMING], PRESENCE),
        row=where.row[presence],
        other=np.full(len(person), -1),
        interval=interval,
        begins=where.begins[presence],
        ends=where.ends[presence],
        weight=rank + 12 * np.where(section == NEARBY, near_first[place], 0),
    )


def find_other_places(locations: Locations, listed: Candidates, incident: Incident) -> Ints:
    """Return another place for each candidate, one per person; -1 if there is none.

    For a leg or a gap, it is the place at the other end. For a person who is affected, it is another stay at the time;
    for one who is possibly affected, the likely place, one that is as likely, or the destination of a leg.
    """
    where, likely = locations.whereabouts, locations.likely_places
    people = len(locations.people)
    chosen = np.flatnonzero((listed.interval >= 0) & (listed.section <= POSSIBLY))
    interval, own = listed.interval[chosen], where.windows.place[listed.row[chosen]]
    when = np.full(people, NEVER)
    when[listed.person[chosen]] = np.maximum(likely.time[interval], incident.start)
    own_of_person = np.full(people, -1)
    own_of_person[listed.person[chosen]] = own

    def of_person(person: Ints, place: Ints, begins: Times, ends: Times) -> Ints:
        at = when[person]
        there = (begins <= at) & (ends > at) & (at != NEVER) & (place != own_of_person[person])
        found = np.full(people, -1)
        found[person[there]] = place[there]
        return found[listed.person[chosen]]

    is_stay = np.equal(where.windows.role[where.row], STAY_CODE)
    stays = of_person(where.person[is_stay], where.place[is_stay], where.begins[is_stay], where.ends[is_stay])
    destinations = of_person(where.person_of_leg, where.windows.place[where.reached], where.departs, where.arrives)
    tied = of_person(
        likely.person[likely.tied_interval],
        where.place[likely.tied_presence],
        likely.time[likely.tied_interval],
        likely.time[likely.tied_interval + 1],
    )
    is_elsewhere = (likely.place[interval] >= 0) & (likely.place[interval] != own)
    otherwise = np.where(is_elsewhere, likely.place[interval], np.maximum(destinations, tied))
    is_visit = where.windows.role[listed.row[chosen]] != STAY_CODE
    other = listed.other.copy()
    other[chosen] = np.where(listed.section[chosen] == POSSIBLY, otherwise, np.where(is_visit, -1, stays))
    is_gap, is_last = listed.kind == GAP, listed.weight == 0
    for gaps, ends, times in (
        (np.flatnonzero(is_gap & is_last), listed.ends, where.begins),
        (np.flatnonzero(is_gap & ~is_last), listed.begins, where.ends),
    ):
        end_of_gap, place = np.full(people, NEVER), np.full(people, -1)
        end_of_gap[listed.person[gaps]] = ends[gaps]
        there = np.flatnonzero((times == end_of_gap[where.person]) & (times != NEVER))
        place[where.person[there]] = where.place[there]
        other[gaps] = place[listed.person[gaps]]
    return other


def _of_legs(where: Whereabouts, legs: Ints, grade: Ints) -> Candidates:
    """Return legs from or to a place inside. For a leg between two places inside, the destination is the place."""
    left, reached = where.left[legs], where.reached[legs]
    to_inside = grade[where.windows.place[reached]] <= DOUBTFUL
    touches = to_inside | (grade[where.windows.place[left]] <= DOUBTFUL)
    return Candidates(
        person=where.person_of_leg[legs],
        section=np.where(to_inside, POSSIBLY, DEPARTED),
        kind=np.full(len(legs), LEG),
        row=np.where(to_inside, reached, left),
        other=where.windows.place[np.where(to_inside, left, reached)],
        interval=np.full(len(legs), -1),
        begins=where.departs[legs],
        ends=where.arrives[legs],
        weight=(~to_inside).astype(np.int64),
    ).take(touches)


def _of_touches(where: Whereabouts, likely: LikelyPlaces, grades: Ints, incident: Incident) -> Candidates:
    """Return times at likely and credible places inside that end when the incident begins, or begin when it ends."""
    at_end = (where.begins == incident.touches) & (incident.touches != NEVER)
    before, after = (np.flatnonzero((grades <= DOUBTFUL) & when) for when in (where.ends == incident.start, at_end))
    rows = np.concatenate([before, after])
    times = _Times(
        presence=rows,
        interval=np.concatenate([likely.presence_end[before] - 1, likely.presence_first[after]]),
        opens=np.concatenate([where.ends[before] - 1, where.begins[after]]),
        closes=np.concatenate([where.ends[before], where.begins[after] + 1]),
    )
    rows = rows[_is_possible(where, likely, times)]
    return Candidates(
        person=where.person[rows],
        section=np.full(len(rows), POSSIBLY),
        kind=np.full(len(rows), TOUCH),
        row=where.row[rows],
        other=np.full(len(rows), -1),
        interval=np.full(len(rows), -1),
        begins=where.begins[rows],
        ends=where.ends[rows],
        weight=np.zeros(len(rows), dtype=np.int64),
    )


def _of_gaps(where: Whereabouts, grades: Ints, incident: Incident, people: int) -> Candidates:
    """Return times of a trip without a record, after or before a place inside."""
    ever = np.zeros(people, dtype=bool)
    ever[where.person[grades <= DOUBTFUL]] = True
    # Only a person with records before and after some moment of the incident can be between two.
    for side in (where.begins < incident.stop, where.ends > incident.start):
        ever &= np.bincount(where.person[side & ever[where.person]], minlength=people).astype(bool)
    presences, legs = np.flatnonzero(ever[where.person]), np.flatnonzero(ever[where.person_of_leg])
    gaps = _find_gaps(where, presences, legs, incident)
    trips = pd.DataFrame({"begins": where.begins[presences], "ends": where.ends[presences]})
    spans = trips.groupby(where.person_trip[presences]).agg({"begins": "min", "ends": "max"})
    inside = presences[grades[presences] <= DOUBTFUL]
    span = spans.reindex(where.person_trip[inside])
    known = pd.DataFrame(
        {
            "person": where.person[inside],
            "row": where.row[inside],
            "begins": where.begins[inside],
            "ends": where.ends[inside],
            "trip_begins": span["begins"].to_numpy(),
            "trip_ends": span["ends"].to_numpy(),
        }
    )
    last = gaps.merge(known, left_on=["person", "since"], right_on=["person", "ends"])
    following = gaps.merge(known, left_on=["person", "until"], right_on=["person", "begins"])
    last = last[last["trip_ends"] >= last["until"]].assign(weight=0)
    following = following[following["trip_begins"] <= following["since"]].assign(weight=1)
    found = pd.concat([last, following])
    return Candidates(
        person=found["person"].to_numpy(),
        section=np.full(len(found), POSSIBLY),
        kind=np.full(len(found), GAP),
        row=found["row"].to_numpy(dtype=np.int64),
        other=np.full(len(found), -1),
        interval=np.full(len(found), -1),
        begins=found["since"].to_numpy(),
        ends=found["until"].to_numpy(),
        weight=found["weight"].to_numpy(dtype=np.int64),
    )


def _find_gaps(where: Whereabouts, presences: Ints, legs: Ints, incident: Incident) -> pd.DataFrame:
    """Return times between two records of a person that overlap the incident: person, since, until."""
    person = np.concatenate([where.person[presences], where.person_of_leg[legs]]).astype(np.int64)
    begins = np.concatenate([where.begins[presences], where.departs[legs]])
    ends = np.concatenate([where.ends[presences], where.arrives[legs]])
    order = np.lexsort((begins, person))
    person, begins = person[order], begins[order]
    times, rank = np.unique(ends[order], return_inverse=True)
    # The latest end so far of the same person.
    latest = times[np.maximum.accumulate(person * len(times) + rank) - person * len(times)] if len(times) else begins
    since, until = latest[:-1], begins[1:]
    is_gap = (person[1:] == person[:-1]) & (since < until) & (since < incident.stop) & (until > incident.start)
    return pd.DataFrame({"person": person[1:][is_gap], "since": since[is_gap], "until": until[is_gap]})
