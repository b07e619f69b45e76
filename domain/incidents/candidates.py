"""Find what puts people on the list of an incident: presences, legs, touches, and gaps, each with its section.

`domain.incidents.affected` has the rules. All code is numpy over whole rosters: no loop runs over records.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from domain.expected_locations.location_frame import Locations
from domain.trips.presences import NEVER, ROLES, Flags, Ints, Times, Whereabouts

AFFECTED, POSSIBLY, NEARBY, NOT_PLACED = range(4)
"""Sections, the strongest first."""
INSIDE, DOUBTFUL, NEAR, UNPLACED, FAR = range(5)
"""The relation of a place to an area. A doubtful place is inside by its country or by its coordinates, but not by
both.
"""
PRESENCE, LEG, TOUCH, GAP = range(4)
"""The kinds of candidates, the strongest first within a section."""

_STAY: Final = ROLES.index("Stay")
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
    """The record of the other end of a leg, or of another place that is open at the same time; -1 if there is none."""
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
    where = locations.whereabouts
    people = len(locations.people)
    grades = grade[where.place]
    is_open = (where.begins < incident.stop) & (where.ends > incident.start)
    legs = np.flatnonzero((where.departs < incident.stop) & (where.arrives > incident.start))
    # For people with an open place that is not far, every open place and leg counts.
    concerned = np.zeros(people, dtype=bool)
    concerned[where.person[is_open & (grades != FAR)]] = True
    presences = np.flatnonzero(is_open & concerned[where.person])
    begins = _from_reaching(where, presences, np.flatnonzero(concerned[where.person]), len(locations.places))
    still = begins < np.minimum(where.ends[presences], incident.stop)
    presences, begins = presences[still], begins[still]
    flying = legs[concerned[where.person_of_leg[legs]]]
    firsts = _first_moments(where, presences, begins, flying, grades, incident, people)

    parts = [
        _of_presences(where, presences, begins, grades, firsts, near_first, flying),
        _of_legs(where, legs, grade),
        _of_touches(where, grades, incident),
        _of_gaps(where, grades, incident, people),
    ]
    return Candidates(
        *(np.concatenate(columns) for columns in zip(*(vars(part).values() for part in parts), strict=True))
    )


def _of_presences(
    where: Whereabouts, presences: Ints, begins: Times, grades: Ints, firsts: Ints, near_first: Times, legs: Ints
) -> Candidates:
    """Return presences at places that are not far. `firsts` has the first moment of each section, by section and
    person.
    """
    person, ends, grade = where.person[presences], where.ends[presences], grades[presences]
    is_inside = grade <= DOUBTFUL
    is_affected = (grade == INSIDE) & (firsts[AFFECTED][person] != NEVER)
    section = np.select(
        [is_affected, is_inside, grade == NEAR, grade == UNPLACED], [AFFECTED, POSSIBLY, NEARBY, NOT_PLACED], -1
    )
    when = firsts[section, person]
    applies = (section >= 0) & (when != NEVER)
    is_then = (begins <= when) & (ends > when)
    role = where.windows.role[where.row[presences]]
    rank = np.select([role == _STAY, role == _DEPARTURE], [0, 2], 1)
    weight = np.where(section == NEARBY, near_first[where.place[presences]], 0) * 8 + ~is_then * 4 + rank
    # Another place that is open while a person is possibly inside explains why it is only possible.
    possibly_first = firsts[POSSIBLY]
    possibly = possibly_first[person]
    is_other = ~is_inside & (possibly != NEVER) & (begins <= possibly) & (ends > possibly)
    other = np.full(firsts.shape[1], -1)
    flies = possibly_first[where.person_of_leg[legs]]
    is_flying = (flies != NEVER) & (where.departs[legs] <= flies) & (where.arrives[legs] > flies)
    other[where.person_of_leg[legs[is_flying]]] = where.reached[legs[is_flying]]
    other[person[is_other]] = where.row[presences[is_other]]
    found = Candidates(
        person=person,
        section=section,
        kind=np.full(len(person), PRESENCE),
        row=where.row[presences],
        other=np.where(section == POSSIBLY, other[person], -1),
        begins=begins,
        ends=ends,
        weight=weight,
    )
    return found.take(applies)


def _of_legs(where: Whereabouts, legs: Ints, grade: Ints) -> Candidates:
    """Return legs from or to a place inside. For a leg between two places inside, the destination is the place."""
    left, reached = where.left[legs], where.reached[legs]
    to_inside = grade[where.windows.place[reached]] <= DOUBTFUL
    touches = to_inside | (grade[where.windows.place[left]] <= DOUBTFUL)
    return Candidates(
        person=where.person_of_leg[legs],
        section=np.full(len(legs), POSSIBLY),
        kind=np.full(len(legs), LEG),
        row=np.where(to_inside, reached, left),
        other=np.where(to_inside, left, reached),
        begins=where.departs[legs],
        ends=where.arrives[legs],
        weight=(~to_inside).astype(np.int64),
    ).take(touches)


def _of_touches(where: Whereabouts, grades: Ints, incident: Incident) -> Candidates:
    """Return presences inside that end when the incident begins, or begin when it ends."""
    at_end = (where.begins == incident.touches) & (incident.touches != NEVER)
    rows = np.flatnonzero((grades <= DOUBTFUL) & ((where.ends == incident.start) | at_end))
    return Candidates(
        person=where.person[rows],
        section=np.full(len(rows), POSSIBLY),
        kind=np.full(len(rows), TOUCH),
        row=where.row[rows],
        other=np.full(len(rows), -1),
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


def _from_reaching(where: Whereabouts, presences: Ints, known: Ints, places: int) -> Times:
    """Return when presences begin. A presence before a departure begins no earlier than the person last reaches the
    place.
    """
    begins = where.begins[presences].copy()
    departing = np.flatnonzero(where.is_departure[presences])
    reaching = known[~where.is_departure[known]]
    if not len(departing) or not len(reaching):
        return begins
    keys = where.person.astype(np.int64) * places + where.place
    times = np.unique(where.begins[reaching])
    span = len(times) + 1
    reached = np.sort(keys[reaching] * span + np.searchsorted(times, where.begins[reaching]))
    key, ends = keys[presences[departing]], where.ends[presences[departing]]
    last = np.searchsorted(reached, key * span + np.searchsorted(times, ends)) - 1
    is_reached = (last >= 0) & (reached[last] // span == key)
    at = times[reached[last[is_reached]] % span]
    chosen = departing[is_reached]
    begins[chosen] = np.maximum(begins[chosen], at)
    return begins


def _first_moments(
    where: Whereabouts,
    presences: Ints,
    begins: Times,
    legs: Ints,
    grades: Ints,
    incident: Incident,
    people: int,
) -> Ints:
    """Return, by section and person, the first moment of the incident at which the section applies; `NEVER` if none."""
    person = np.concatenate([where.person[presences], where.person_of_leg[legs]])
    opens = np.maximum(np.concatenate([begins, where.departs[legs]]), incident.start)
    closes = np.minimum(np.concatenate([where.ends[presences], where.arrives[legs]]), incident.stop)
    # A person on a leg is far from everything. If they are also inside at that time, the records contradict each other.
    column = np.concatenate([grades[presences], np.full(len(legs), FAR)])
    at, who = np.concatenate([opens, closes]), np.concatenate([person, person])
    order = np.lexsort((at, who))
    at, who = at[order], who[order]
    step = np.repeat(np.array([1, -1], dtype=np.int32), len(person))[order]
    column = np.concatenate([column, column])[order]
    # Everything that opens for a person also closes, so one count over all people is a count for each.
    inside, doubtful, near, unplaced, far = (np.cumsum(np.where(column == each, step, 0)) for each in range(FAR + 1))
    lasts = np.r_[(at[1:] > at[:-1]) & (who[1:] == who[:-1]), False]
    certain = lasts & (inside > 0) & (doubtful + near + unplaced + far == 0)
    states = (certain, lasts & (inside + doubtful > 0) & ~certain, lasts & (near > 0), lasts & (unplaced > 0))
    firsts = np.full((len(states), people), NEVER)
    for section, state in enumerate(states):
        np.minimum.at(firsts[section], who[state], at[state])
    return firsts
