"""What the screen shows of a roster at one time, through one set of filters: counts, places, and people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from domain.expected_locations.at_moment import (
    IN_TRANSIT,
    STATUSES,
    AtMoment,
    Stretch,
    at_moment,
    bounds,
    other_candidates,
)
from domain.expected_locations.location_frame import Locations, utc
from domain.geography.city_names import names_of_city
from domain.geography.countries import country_name, names_of_country
from domain.geography.folding import fold
from domain.trips.likely_places import ARRIVING
from domain.trips.presences import KINDS, NEVER, Flags, Ints, Times

COLUMNS: Final = ("place_id", "label", "lat", "lon", "people", "locations", "kind", "status")


@dataclass(frozen=True)
class Filters:
    """The filters: segment types, countries (two-letter codes), and statuses, where none means all; and search
    words.
    """

    kinds: frozenset[str] = frozenset()
    countries: frozenset[str] = frozenset()
    text: str = ""
    statuses: frozenset[str] = frozenset()

    @property
    def are_set(self) -> bool:
        """Return whether any filter is set."""
        return bool(self.choose_people or self.statuses)

    @property
    def choose_people(self) -> bool:
        """Return whether any filter except the status is set."""
        return bool(self.kinds or self.countries or self.text.strip())


@dataclass(frozen=True, eq=False)
class Narrowed:
    """What passes the filters: indexes of the rows, pairs, and legs of an `AtMoment`, and who is not covered.

    `people` counts everyone who passes all filters except the status: at a place, in transit, or not covered.
    """

    rows: Ints
    pairs: Ints
    legs: Ints
    not_covered: Ints
    people: int


def narrow(locations: Locations, at: AtMoment, filters: Filters) -> Narrowed:
    """Apply the filters to the open records, the legs, and the people not covered.

    Each word must be in the person's name or ID, in one of their record locators, or in the place with its city and
    country in any language, ignoring case and accents. A leg has its segment type, the country of its destination, and
    the words of both places. People who are not covered pass by their last or next place. The status filter applies to
    people at a place or in transit, not to those not covered.
    """
    where, selection = locations.whereabouts, Selection.of(locations, filters)
    keep, keep_legs = selection.has_record(at.rows), selection.has_leg(at.legs)
    keep_people = np.ones(len(at.not_covered), dtype=bool)
    if filters.choose_people:
        keep_people = selection.has_person(at.not_covered, *last_and_next(locations, at))
    not_covered = at.not_covered[keep_people]
    found = [at.person[at.pair_of_row[keep]], where.person_of_leg[at.legs[keep_legs]], not_covered]
    if filters.statuses:
        keep &= selection.statuses[at.status[at.pair_of_row]]
        keep_legs &= selection.in_transit
    left_over = np.flatnonzero(keep)
    return Narrowed(
        rows=left_over,
        pairs=np.flatnonzero(np.bincount(at.pair_of_row[left_over], minlength=len(at.person))),
        legs=np.flatnonzero(keep_legs),
        not_covered=not_covered,
        people=len(np.unique(np.concatenate(found))),
    )


@dataclass(frozen=True, eq=False)
class Selection:
    """The filters as flags by the codes of a `Locations`."""

    locations: Locations
    kinds: Flags
    """By position in `KINDS`."""
    countries: Flags
    """By place."""
    words: Sequence[tuple[Flags, Flags]]
    """For each word of the text: the people and the places that have it."""
    statuses: Flags
    """By position in `STATUSES`."""
    in_transit: bool

    @classmethod
    def of(cls, locations: Locations, filters: Filters) -> Selection:
        """Prepare the filters for a snapshot."""
        country = locations.places["country"]
        return cls(
            locations=locations,
            kinds=np.array([not filters.kinds or kind in filters.kinds for kind in KINDS]),
            countries=country.isin(filters.countries or country).to_numpy(dtype=bool),
            words=[_with_word(locations, word) for word in fold(filters.text).split()],
            statuses=np.array([not filters.statuses or status in filters.statuses for status in STATUSES]),
            in_transit=not filters.statuses or IN_TRANSIT in filters.statuses,
        )

    def has_record(self, rows: Ints) -> Flags:
        """Return which records pass all filters except the status."""
        person, kind, place = (self.locations.codes(name)[rows] for name in ("person", "kind", "place"))
        passes: Flags = self.kinds[kind] & self.countries[place]
        for people, places in self.words:
            passes &= people[person] | places[place]
        return passes

    def has_leg(self, legs: Ints) -> Flags:
        """Return which legs, as indexes in `Whereabouts`, pass all filters except the status."""
        where = self.locations.whereabouts
        person, kind, place = (self.locations.codes(name) for name in ("person", "kind", "place"))
        left, reached = where.left[legs], where.reached[legs]
        passes: Flags = self.kinds[kind[left]] & self.countries[place[reached]]
        for people, places in self.words:
            passes &= people[person[left]] | places[place[left]] | places[place[reached]]
        return passes

    def has_person(self, people: Ints, last: Ints, following: Ints) -> Flags:
        """Return which people not covered pass, by their last and next presences (-1 for none)."""
        where = self.locations.whereabouts
        kind, place = where.windows.kind[where.row], where.place
        passes = _either(self.kinds, kind, last, following) & _either(self.countries, place, last, following)
        for with_word, places in self.words:
            passes &= with_word[people] | _either(places, place, last, following)
        return passes


def last_and_next(locations: Locations, at: AtMoment) -> tuple[Ints, Ints]:
    """Return where each person not covered was last and will be next, as indexes in `Whereabouts`; -1 for none.

    All trips of the person count. Of presences that end or begin together, one is used.
    """
    where = locations.whereabouts
    begins_at, ends_at = bounds(locations, at.stretch)
    matching = np.zeros(len(locations.people), dtype=bool)
    matching[at.not_covered] = True
    some = np.flatnonzero(matching[where.person])
    past = some[where.ends[some] <= begins_at[where.place[some]]]
    ahead = some[where.begins[some] >= ends_at[where.place[some]]]
    return (
        _last_of_each(at.not_covered, past, where.person[past], where.ends[past]),
        _last_of_each(at.not_covered, ahead, where.person[ahead], -where.begins[ahead]),
    )


def _last_of_each(people: Ints, presences: Ints, person: Ints, at: Times) -> Ints:
    """Return the presence of each person with the greatest time; -1 if there is none."""
    order = np.lexsort((at, person))
    person = np.append(person[order], -1)
    found = np.searchsorted(person[:-1], people, side="right") - 1
    return np.where(person[found] == people, np.append(presences[order], -1)[found], -1)


def _either(matching: Flags, codes: Ints, last: Ints, following: Ints) -> Flags:
    """Return for which people the last or the next presence matches, by its code."""
    codes, matching = np.append(codes, len(matching)), np.append(matching, False)
    either: Flags = matching[codes[last]] | matching[codes[following]]
    return either


def _with_word(locations: Locations, word: str) -> tuple[Flags, Flags]:
    """Return by word which people (by themselves or a record locator) and which places contain it."""
    texts = locations.memo.get("words", lambda: _folded(locations))
    people, locators, places = (np.fromiter((word in each for each in some), bool, len(some)) for some in texts)
    people[locations.codes("person")[locators[locations.codes("locator")]]] = True
    return people, places


def _folded(locations: Locations) -> tuple[list[str], list[str], list[str]]:
    people, places = locations.people, locations.places
    return (
        [f"{fold(name)} {fold(key)}" for name, key in zip(people["name"], people["external_id"], strict=True)],
        [fold(locator) for locator in locations.rows["locator"].cat.categories],
        [
            f"{fold(label)} {fold(address)} {names_of_city(city, country)} {names_of_country(country)}"
            for label, address, city, country in places[["label", "address", "city", "country"]].itertuples(index=False)
        ],
    )


@dataclass(frozen=True, eq=False)
class View:
    """A roster at one time. Tables are built when needed, and cached with the snapshot."""

    locations: Locations
    stretch: Stretch
    filters: Filters
    at: AtMoment
    narrowed: Narrowed
    places: pd.DataFrame
    people: int
    """How many people are at the places."""
    in_transit: int
    """How many people are in transit."""

    @property
    def location_count(self) -> int:
        """How many records are open and pass the filters."""
        return len(_distinct(self.at.rows[self.narrowed.rows]))

    @property
    def unfiltered_people(self) -> int:
        """How many people are at a place or in transit, without the filters."""
        return len(np.union1d(self.at.person, self.locations.whereabouts.person_of_leg[self.at.legs]))

    @property
    def is_empty(self) -> bool:
        """Return whether no one is at a place or in transit."""
        return not (self.people or self.in_transit)

    @property
    def not_covered_count(self) -> int:
        """How many people are on a trip, but neither at a place nor in transit."""
        return len(self.narrowed.not_covered)

    def people_at(self, place_ids: Sequence[str] | None) -> pd.DataFrame:
        """Return who is at these places or in transit to them; None for all places. See `people_at` below."""
        key = ("people", self.stretch, self.filters, None if place_ids is None else tuple(place_ids))
        return self.locations.memo.get(key, lambda: people_at(self.locations, self.at, self.narrowed, place_ids))

    def other_candidates(self, place_ids: Sequence[str] | None) -> pd.DataFrame:
        """Return who may be at these places (None for any), though another place is more likely; columns as in
        `people_at`.

        Their status is *arriving* or *possible*. They are not counted.
        """

        def find() -> pd.DataFrame:
            others = other_candidates(self.locations, self.stretch)
            return people_at(self.locations, others, narrow(self.locations, others, self.filters), place_ids)

        key = ("other candidates", self.stretch, self.filters, None if place_ids is None else tuple(place_ids))
        return self.locations.memo.get(key, find)

    def not_covered(self) -> pd.DataFrame:
        """Return who is on a trip, but neither at a place nor in transit. See `not_covered` below."""
        return self.locations.memo.get(
            ("not covered", self.stretch, self.filters),
            lambda: not_covered(self.locations, self.at, self.narrowed),
        )

    def destinations(self) -> pd.DataFrame:
        """Return the destinations of people in transit, those with most people first: place_id, label, people."""
        where = self.locations.whereabouts
        legs = self.at.legs[self.narrowed.legs]
        person, place = where.person_of_leg[legs], where.windows.place[where.reached[legs]]
        places, people = np.unique(np.unique(np.stack([place, person]), axis=1)[0], return_counts=True)
        table = self.locations.places[["place_id", "label"]].iloc[places].assign(people=people)
        return table.sort_values("people", ascending=False, kind="stable").reset_index(drop=True)


def look(locations: Locations, stretch: Stretch, filters: Filters) -> View:
    """Build the view of a roster. Results of the previous view are reused if nothing changed."""
    memo = locations.memo
    at = memo.get(("at", stretch), lambda: at_moment(locations, stretch))
    return memo.get(("view", stretch, filters), lambda: _view(locations, stretch, filters, at))


def _view(locations: Locations, stretch: Stretch, filters: Filters, at: AtMoment) -> View:
    narrowed = narrow(locations, at, filters)
    return View(
        locations=locations,
        stretch=stretch,
        filters=filters,
        at=at,
        narrowed=narrowed,
        places=places_of(locations, at, narrowed),
        people=len(np.unique(at.person[narrowed.pairs])),
        in_transit=len(np.unique(locations.whereabouts.person_of_leg[at.legs[narrowed.legs]])),
    )


def _distinct(rows: Ints) -> Ints:
    """Return the distinct rows in ascending order."""
    return rows[np.r_[True, rows[1:] != rows[:-1]]] if len(rows) else rows


def first_and_last(locations: Locations) -> tuple[datetime, datetime] | None:
    """Return when the first window opens and the last one closes, in UTC; None if no record has one."""
    first, last = locations.rows["arrives"].min(), locations.rows["expires"].max()
    if pd.isna(first) or pd.isna(last):
        return None
    return first.to_pydatetime(warn=False), last.to_pydatetime(warn=False)


def places_of(locations: Locations, at: AtMoment, narrowed: Narrowed) -> pd.DataFrame:
    """Return the places with people, those with most people first.

    place_id, label; lat, lon (decimal degrees, NaN if unknown); people (distinct) and locations (records); kind and
    status: the most common ones.
    """
    count = len(locations.places)
    rows = _distinct(at.rows[narrowed.rows])
    place_of_row = locations.codes("place")[rows]
    place_of_pair = at.place[narrowed.pairs]
    locations_there = np.bincount(place_of_row, minlength=count)
    people_there = np.bincount(place_of_pair, minlength=count)
    shown = np.flatnonzero(people_there)
    kinds = _most(place_of_row, locations.codes("kind")[rows], count, len(KINDS))
    statuses = _most(place_of_pair, at.status[narrowed.pairs], count, len(STATUSES))
    shown = shown[np.lexsort((shown, -locations_there[shown], -people_there[shown]))]
    known = locations.places
    return pd.DataFrame(
        {
            "place_id": known["place_id"].to_numpy()[shown],
            "label": known["label"].to_numpy()[shown],
            "lat": known["latitude"].to_numpy()[shown],
            "lon": known["longitude"].to_numpy()[shown],
            "people": people_there[shown],
            "locations": locations_there[shown],
            "kind": np.array(KINDS, dtype=object)[kinds[shown]],
            "status": np.array(STATUSES, dtype=object)[statuses[shown]],
        }
    )


def without_coordinates(places: pd.DataFrame) -> pd.DataFrame:
    """Return the places without coordinates."""
    return places[places["lat"].isna() | places["lon"].isna()]


def with_coordinates(places: pd.DataFrame) -> pd.DataFrame:
    """Return the places with coordinates."""
    return places[places["lat"].notna() & places["lon"].notna()]


def _most(groups: Ints, values: Ints, count: int, kinds: int) -> npt.NDArray[np.intp]:
    """Return by group the most common value, the first one of a tie."""
    counts = np.bincount(groups.astype(np.int64) * kinds + values, minlength=count * kinds)
    most: npt.NDArray[np.intp] = counts.reshape(count, kinds).argmax(axis=1)
    return most


def people_at(
    locations: Locations, at: AtMoment, narrowed: Narrowed, place_ids: Sequence[str] | None = None
) -> pd.DataFrame:
    """Return who is at the places or in transit to them (None for all places), by name.

    One row per person, place, and record locator, and one per leg. from and until (UTC; NaT if unknown): the first
    opening and the last closing of the presences; for someone arriving, from when they reach the place, and until they
    next depart from it; of a leg, departure and arrival. kind and itinerary (ID as text): those of the presence that
    closes last, or of the leg. origin: where a leg starts; route: both its ends in short; else empty. zone and
    from_zone: those of the place and of `from`; empty if unknown.
    """
    where = locations.whereabouts
    matching = np.ones(len(locations.places), dtype=bool)
    if place_ids is not None:
        matching = locations.places["place_id"].isin(list(place_ids)).to_numpy(dtype=bool)
    chosen = narrowed.rows[matching[where.place[at.presences[narrowed.rows]]]]
    legs = at.legs[narrowed.legs]
    legs = legs[matching[where.windows.place[where.reached[legs]]]]

    rows, presences = at.rows[chosen], at.presences[chosen]
    locators = len(locations.rows["locator"].cat.categories) + 1
    keys = at.pair_of_row[chosen].astype(np.int64) * locators + locations.codes("locator")[rows]
    opens, closes = where.begins[presences], where.ends[presences]
    order = np.lexsort((closes, keys))
    lasts = np.flatnonzero(np.r_[keys[order][1:] != keys[order][:-1], True]) if len(keys) else np.empty(0, np.intp)
    firsts = np.r_[0, lasts[:-1] + 1] if len(lasts) else lasts
    first_opens = np.minimum.reduceat(opens[order], firsts) if len(lasts) else opens
    last = order[lasts]
    pair, until = at.pair_of_row[chosen][last], closes[last]
    since = np.where(at.status[pair] == ARRIVING, at.reaches[pair], first_opens)
    until = np.where(at.departs[pair] > since, np.minimum(at.departs[pair], until), until)

    left, reached = where.left[legs], where.reached[legs]
    row = np.concatenate([rows[last], reached])
    place = locations.codes("place")[row]
    origin = np.concatenate([place[: len(last)], locations.codes("place")[left]])
    status = np.concatenate([at.status[pair], np.full(len(legs), len(STATUSES))])
    since, until = np.concatenate([since, where.departs[legs]]), np.concatenate([until, where.arrives[legs]])
    places, people, is_leg = locations.places, locations.people, status == len(STATUSES)
    person, labels, zones = locations.codes("person")[row], places["label"].to_numpy(), places["zone"].fillna("")
    short = short_labels(places)
    table = pd.DataFrame(
        {
            "person": people["person"].to_numpy()[person],
            "name": people["name"].to_numpy()[person],
            "external_id": people["external_id"].to_numpy()[person],
            "locator": _names(locations, "locator", row),
            "itinerary": _names(locations, "itinerary", row),
            "place_id": places["place_id"].to_numpy()[place],
            "place": labels[place],
            "origin": np.where(is_leg, labels[origin], ""),
            "route": np.where(is_leg, short[origin] + " → " + short[place], ""),
            "country": _country_names(places)[place],
            "latitude": places["latitude"].to_numpy()[place],
            "longitude": places["longitude"].to_numpy()[place],
            "kind": np.array(KINDS, dtype=object)[locations.codes("kind")[row]],
            "status": np.array([*STATUSES, IN_TRANSIT], dtype=object)[status],
            "from": utc(since),
            "until": utc(until),
            "zone": zones.to_numpy()[place],
            "from_zone": zones.to_numpy()[origin],
        }
    )
    by_name = np.lexsort((until, _rank(people["name"])[person]))
    return table.iloc[by_name].reset_index(drop=True)


def not_covered(locations: Locations, at: AtMoment, narrowed: Narrowed) -> pd.DataFrame:
    """Return the people who are not covered: where they were expected last, and where they will be next.

    person (key), name, external_id; locator, itinerary (ID as text): the trip that is under way; last_place,
    last_until, next_place, next_from (UTC): of all their trips, missing if there is none.
    """
    where = locations.whereabouts
    people = narrowed.not_covered
    last, following = (ends[np.isin(at.not_covered, people)] for ends in last_and_next(locations, at))
    on_trip = np.flatnonzero(np.isin(where.person_trip, at.trips_not_covered))
    # Of several current trips, the one that continues first.
    _, ends_at = bounds(locations, at.stretch)
    begins = where.begins[on_trip]
    begins = np.where(begins >= ends_at[where.place[on_trip]], begins, NEVER)
    row = where.row[_last_of_each(people, on_trip, where.person[on_trip], -begins)]
    labels = np.array([*locations.places["label"], None], dtype=object)
    last_place, next_place = (np.where(end >= 0, where.place[end], -1) for end in (last, following))
    table = pd.DataFrame(
        {
            "person": locations.people["person"].to_numpy()[people],
            "name": locations.people["name"].to_numpy()[people],
            "external_id": locations.people["external_id"].to_numpy()[people],
            "locator": _names(locations, "locator", row),
            "itinerary": _names(locations, "itinerary", row),
            "last_place": labels[last_place],
            "last_until": utc(np.where(last >= 0, where.ends[last], NEVER)),
            "next_place": labels[next_place],
            "next_from": utc(np.where(following >= 0, where.begins[following], NEVER)),
        }
    )
    return table.sort_values("name", kind="stable").reset_index(drop=True)


def short_labels(places: pd.DataFrame) -> np.ndarray:
    """Return the label of each place; for airports, the city with the code: "London (LHR)"."""
    city, iata = places["city"].to_numpy(), places["iata"].to_numpy()
    is_airport = (city != "") & (iata != "")
    short: np.ndarray = np.where(is_airport, city + " (" + iata + ")", places["label"].to_numpy())
    return short


def _names(locations: Locations, column: str, rows: Ints) -> np.ndarray:
    """Return the values of a categorical column of the records in these rows."""
    names: np.ndarray = locations.rows[column].cat.categories.to_numpy()[locations.codes(column)[rows]]
    return names


def _country_names(places: pd.DataFrame) -> np.ndarray:
    return np.array([country_name(code) for code in places["country"]], dtype=object)


def _rank(names: pd.Series) -> Ints:
    """Return the rank of each name, ignoring case."""
    return np.asarray(names.str.casefold().rank(method="dense"), dtype=np.int64)
