"""Find who is affected: the people whose expected locations overlap an incident in time and place, and why.

    found = find_affected(locations, area, begins, ends, margin_km=25)
    found.people                 one row per person, with the strongest reason
    found.counts                 people and locations of each section
    found.not_covered(failures)  sentences on what the answer leaves out

The incident lasts from `begins` until just before `ends`. Without an end it goes on. If both are equal, it is a moment.
People are where the map shows them: at the likely place of `domain.trips.likely_places`, or on a leg of
`domain.trips.presences`. A person can also be at

- another stay, or a record without a role, that is open at the time;
- the place of an arrival, for an hour after it, and of a departure, from 2 hours before it;
- a place that is as likely.

The section of a person is the strongest that any moment of the incident gives:

- affected: the likely place is inside the area, and so is any place that is as likely;
- possiblyAffected: a place that the person can be at is inside, or may be; the person has not reached the likely place
  inside yet; a window inside only touches the incident; or the person is on a leg to a place inside; or the trip has no
  record at the time, and the place before or after is inside;
- departed: on a leg from a place inside to one outside;
- nearby: a place that the person can be at is within the margin;
- notPlaced: a place that the person can be at has no coordinates.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from domain.expected_locations.at_moment import find_not_covered
from domain.expected_locations.location_frame import Locations, utc
from domain.expected_locations.roster_load import Failure
from domain.geography.countries import country_name
from domain.incidents.area import MOST_MARGIN_KM, Area, AreaError, Measure, kilometers
from domain.incidents.candidates import (
    AFFECTED,
    COMING,
    DEPARTED,
    DOUBTFUL,
    FAR,
    GAP,
    INSIDE,
    LEG,
    NEAR,
    NEARBY,
    NOT_PLACED,
    OVERLAP,
    POSSIBLY,
    TOUCH,
    UNPLACED,
    Candidates,
    Incident,
    find_candidates,
    find_other_places,
)
from domain.text import time_text
from domain.text.plain_text import count, names
from domain.trips.presences import ALWAYS, KINDS, NEVER, ROLES, Flags, Ints, Whereabouts, closing, opening

Section: TypeAlias = Literal["affected", "possiblyAffected", "departed", "nearby", "notPlaced"]
SECTIONS: Final[tuple[Section, ...]] = ("affected", "possiblyAffected", "departed", "nearby", "notPlaced")
Status: TypeAlias = Literal["there", "arriving", "leaving", "in transit through"]
STATUSES: Final[tuple[Status, ...]] = ("there", "arriving", "leaving", "in transit through")
MARGIN_KM: Final = 25.0

_THERE, _ARRIVING, _LEAVING, _IN_TRANSIT = range(4)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DEPARTURE: Final = ROLES.index("Departure")
# ASSUMPTION A503: between two legs, a person who stays no longer than this only passes through.
_LONGEST_CONNECTION: Final = 24 * 3_600 * 1_000_000


class Count(NamedTuple):
    """The number of people in a section, and of the expected locations that put them there."""

    people: int
    locations: int


@dataclass(frozen=True, eq=False)
class Affected:
    """The answer for one area and time."""

    people: pd.DataFrame
    """One row per person, the affected first, and by name within a section.

    Columns: person (key), external_id, name, locator, itinerary (ID as text), section, status, place_id, place, country
    (its name), kind (of the segment), latitude, longitude, distance_km (missing without coordinates), from and until
    (UTC, missing if the record has none), zone ("" if unknown), sure ("confirmed" or "possible"), and why (a sentence).
    For a person on a leg, place_id, country, coordinates, and zone are those of the end inside the area.
    """
    counts: dict[Section, Count]
    places: Measure
    """The relation of each row of `Locations.places` to the area."""
    area: Area
    gaps: int
    """The number of people on trips that have no expected location when the incident begins. They are in no section."""

    def not_covered(self, failures: Sequence[Failure] = ()) -> list[str]:
        """Return what the answer leaves out, one sentence each: people, and what was left out of the area.

        `failures` are the trips that were not read.
        """
        return [*self.people_left_out(failures), *dict.fromkeys(self.area.notes)]

    @property
    def unplaced_people(self) -> str:
        """How many people can’t be placed, and why, as a sentence; "" if there are none."""
        number = self.counts["notPlaced"].people
        people = count(number, "person can’t be placed because the", "people can’t be placed because their")
        return f"{people} records have no coordinates." if number else ""

    def people_left_out(self, failures: Sequence[Failure] = ()) -> list[str]:
        """Return which people the answer leaves out, one sentence each."""
        missing = [each.locator for each in failures if each.reason == "not found"]
        unread = [each.locator for each in failures if each.reason != "not found"]
        sentences = []
        if unread:
            sentences.append(f"{count(len(unread), 'trip', 'trips')} could not be loaded: {names(unread)}.")
        if missing:
            sentences.append(f"The service did not find {count(len(missing), 'trip', 'trips')}: {names(missing)}.")
        if self.unplaced_people:
            sentences.append(self.unplaced_people)
        if self.gaps:
            people = count(self.gaps, "person on a trip has", "people on trips have")
            sentences.append(f"{people} no expected location when the incident begins.")
        return sentences


def find_affected(
    locations: Locations,
    area: Area,
    begins: datetime | None,
    ends: datetime | None,
    *,
    margin_km: float = MARGIN_KM,
) -> Affected:
    """Find who is affected in [begins, ends). None means an unknown beginning or no end. Raises `AreaError`."""
    start, stop = opening(begins), closing(ends)
    if stop < start:
        raise AreaError("The incident ends before it begins.")
    if not 0 <= margin_km <= MOST_MARGIN_KM:
        raise AreaError(f"The margin must be from 0 to {MOST_MARGIN_KM:,.0f} km.")
    incident = Incident(start, max(stop, start + 1), stop if stop > start else int(NEVER))
    places = area.measure(locations.places, margin_km)
    grade = np.full(len(locations.places), FAR)
    grade[np.isfinite(places.distance_km)] = NEAR
    grade[np.isnan(places.distance_km)] = UNPLACED
    grade[places.is_doubtful] = DOUBTFUL
    grade[places.is_inside] = INSIDE
    _, by_distance = np.unique(places.distance_km, return_inverse=True)

    candidates = find_candidates(locations, grade, by_distance, incident)
    shown = candidates.strongest()
    people = np.bincount(shown.section, minlength=len(SECTIONS))
    counts = {
        name: Count(int(people[code]), _count_records(candidates, shown, code, len(locations.people)))
        for code, name in enumerate(SECTIONS)
    }
    where = locations.whereabouts
    located = np.concatenate([shown.person, where.person[(where.begins <= start) & (where.ends > start)]])
    flying = where.person_of_leg[(where.departs <= start) & (where.arrives > start)]
    gaps, _ = find_not_covered(where, start, start + 1, np.concatenate([located, flying]), len(locations.people))
    return Affected(_describe(locations, places, shown, incident), counts, places, area, len(gaps))


def _count_records(candidates: Candidates, shown: Candidates, section: int, people: int) -> int:
    is_shown = np.zeros(people, dtype=bool)
    is_shown[shown.person[shown.section == section]] = True
    return len(np.unique(candidates.row[(candidates.section == section) & is_shown[candidates.person]]))


def _describe(locations: Locations, places: Measure, shown: Candidates, incident: Incident) -> pd.DataFrame:
    known, people, where = locations.places, locations.people, locations.whereabouts
    name = people["name"].to_numpy()[shown.person]
    order = np.lexsort((pd.Series(name).str.casefold().to_numpy(dtype=str), shown.section))
    shown, name = shown.take(order), name[order]
    place, other = locations.codes("place")[shown.row], find_other_places(locations, shown, incident)
    status = _statuses(where, shown, incident)
    labels = known["label"].to_numpy(dtype=object)
    is_leg = shown.kind == LEG
    to_inside = is_leg & (shown.weight == 0)
    origin, destination = np.where(to_inside, other, place), np.where(to_inside, place, other)
    distance = np.where(is_leg | (shown.section <= POSSIBLY), 0.0, places.distance_km[place])
    table = pd.DataFrame(
        {
            "person": people["person"].to_numpy()[shown.person],
            "external_id": people["external_id"].to_numpy()[shown.person],
            "name": name,
            "locator": _column_values(locations, "locator", shown.row),
            "itinerary": _column_values(locations, "itinerary", shown.row),
            "section": np.array(SECTIONS, dtype=object)[shown.section],
            "status": np.array(STATUSES, dtype=object)[status],
            "place_id": known["place_id"].to_numpy()[place],
            "place": np.where(is_leg, labels[origin] + " → " + labels[destination], labels[place]),
            "country": np.array([country_name(code) for code in known["country"]], dtype=object)[place],
            "kind": np.array(KINDS, dtype=object)[locations.codes("kind")[shown.row]],
            "latitude": known["latitude"].to_numpy()[place],
            "longitude": known["longitude"].to_numpy()[place],
            "distance_km": distance.round(1),
            "from": utc(shown.begins),
            "until": utc(shown.ends),
            "zone": known["zone"].fillna("").to_numpy()[place],
            "sure": np.where((shown.section == POSSIBLY) | (shown.section == DEPARTED), "possible", "confirmed"),
        }
    )
    others = np.where(other >= 0, labels[other], "")
    # The place inside is the origin of the leg, comes before the gap, or is left as the incident begins.
    before = np.where(is_leg, ~to_inside, np.where(shown.kind == GAP, shown.weight == 0, shown.ends == incident.start))
    roles = where.windows.role[shown.row]
    return table.assign(why=_explain(table, shown, labels[place], others, before, roles))


def _statuses(where: Whereabouts, shown: Candidates, incident: Incident) -> Ints:
    """Return the index into `STATUSES` of each candidate."""
    is_departure = where.windows.role[shown.row] == _DEPARTURE
    arrives, leaves = shown.begins > incident.start, shown.ends <= incident.start
    # A presence that begins with the arrival of a leg and ends with the departure of another.
    departs = pd.MultiIndex.from_arrays([where.person_of_leg, where.departs])
    leaves_by_leg = pd.MultiIndex.from_arrays([shown.person, shown.ends]).isin(departs)
    passes = np.isin(shown.row, where.reached) & leaves_by_leg & (shown.ends - shown.begins <= _LONGEST_CONNECTION)
    is_gap, comes_next = shown.kind == GAP, shown.weight > 0
    return np.select(
        [shown.kind == LEG, is_gap & comes_next, is_gap, passes, leaves | is_departure, arrives],
        [_IN_TRANSIT, _ARRIVING, _THERE, _IN_TRANSIT, _LEAVING, _ARRIVING],
        _THERE,
    )


def _explain(
    table: pd.DataFrame, shown: Candidates, places: np.ndarray, others: np.ndarray, before: Flags, roles: Ints
) -> list[str]:
    """Return the reason for each row in one or two sentences. `before` marks rows whose own time comes before the
    other time.
    """
    sentences = []
    is_pick_up = (roles == _DEPARTURE) & (table["kind"] == "Car").to_numpy()
    columns = (shown.section, shown.kind, shown.begins, shown.ends, before, roles, is_pick_up)
    others_of_row = (table["status"], places, others, table["distance_km"], table["zone"], table["country"])
    rows = zip(*(each.tolist() for each in (*columns, *others_of_row)), strict=True)
    for section, kind, begins, ends, is_first, role, picks_up, status, place, other, distance, zone, country in rows:
        # Of the two ends of a leg, only the one inside has its local time.
        since = _time_words(begins, "" if kind == LEG and not is_first else zone)
        until = _time_words(ends, "" if kind == LEG and is_first else zone)
        if kind == LEG and is_first:
            text = f"The traveler leaves {place}, inside the area, on {since} and arrives at {other} on {until}."
        elif kind == LEG:
            text = f"The traveler leaves {other} on {since} and arrives at {place}, inside the area, on {until}."
        elif kind == GAP and is_first and picks_up and other:
            text = f"The traveler picks up a car at {place}, inside the area, on {since}."
            text += f" The next expected location is {other}, from {until}."
        elif kind == GAP:
            which = "previous" if is_first else "next"
            text = (
                f"The trip has no expected location from {since} until {until}. The {which} expected location, "
                f"{place}, is in the area."
            )
        elif kind == TOUCH and is_first:
            text = f"The stay at {place}, inside the area, ends on {until}, exactly when the incident begins."
        elif kind == TOUCH:
            text = f"The stay at {place}, inside the area, begins on {since}, exactly when the incident ends."
        elif section == NEARBY:
            text = f"The traveler is expected at {place}, {kilometers(distance)} from the area."
        elif section == NOT_PLACED:
            text = f"The traveler is expected at {', '.join(filter(None, (place, country)))}, which has no coordinates."
        elif kind == OVERLAP:
            both = f"The records name {place} and {other} for the same time."
            text = f"{both} Only {place} is known to be inside the area."
        elif kind == COMING:
            text = f"The traveler is on the way to {place}, inside the area, and departs from there on {until}."
        elif section == POSSIBLY and other and role == _DEPARTURE:
            text = (
                f"The traveler departs from {place}, inside the area, on {until}. Before that, {other} is more likely."
            )
        elif section == POSSIBLY and other:
            text = f"The traveler arrives at {place}, inside the area, on {since}."
            text += f" After that, {other} is more likely."
        elif section == POSSIBLY:
            text = f"The country of {place} and its coordinates disagree. Only one of them is inside the area."
        elif status == "in transit through":
            text = f"The traveler makes a connection at {place}, inside the area, between {since} and {until}."
        elif status == "leaving":
            text = f"The traveler departs from {place}, inside the area, on {until}."
        elif status == "arriving":
            text = f"The traveler arrives at {place}, inside the area, on {since}."
        elif until:
            text = f"The traveler is expected at {place}, inside the area, until {until}."
        else:
            text = f"The traveler is expected at {place}, inside the area. The record has no end time."
        if section == AFFECTED and other:
            text += f" The records also name a stay at {other} for the same time."
        sentences.append(text)
    return sentences


@lru_cache(maxsize=50_000)
def _time_words(at: int, zone: str) -> str:
    """Format microseconds UTC since 1970; "" for an unknown time."""
    if at in (ALWAYS, NEVER):
        return ""
    words = time_text.at_place(_EPOCH + timedelta(microseconds=at), zone or None)
    return re.sub(r", (?=\d\d:\d\d)", ", at ", words, count=1)


def _column_values(locations: Locations, column: str, rows: Ints) -> np.ndarray:
    found: np.ndarray = locations.rows[column].cat.categories.to_numpy()[locations.codes(column)[rows]]
    return found
