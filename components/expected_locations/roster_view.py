"""What the screen shows of a roster at one time, through one set of filters: counts, places and people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from components.expected_locations.at_moment import ARRIVING, STATUSES, AtMoment, Ints, Stretch, at_moment, bounds
from components.expected_locations.location_frame import KINDS, Locations, utc
from components.geography.city_names import names_of_city
from components.geography.countries import country_name, names_of_country
from components.geography.folding import fold

COLUMNS: Final = ("place_id", "label", "lat", "lon", "people", "locations", "kind", "status")


@dataclass(frozen=True)
class Filters:
    """Kinds and countries (two-letter codes) to keep, none meaning all, and words that must each be found."""

    kinds: frozenset[str] = frozenset()
    countries: frozenset[str] = frozenset()
    text: str = ""

    @property
    def are_set(self) -> bool:
        """Whether anything is filtered at all."""
        return bool(self.kinds or self.countries or self.text.strip())


@dataclass(frozen=True, eq=False)
class Narrowed:
    """What is left: positions in `AtMoment.rows`, in its pairs, and the codes of people not covered."""

    rows: Ints
    pairs: Ints
    not_covered: Ints


def narrow(locations: Locations, at: AtMoment, filters: Filters) -> Narrowed:
    """Keep the open records that every filter lets through, and the pairs that still have one.

    Each word must be found in the person's name or id, the record locator, or the place with its city and country by
    any of their names, whatever case and accents. Of people not covered only the words ask, of person and record
    locator: they are at no place, by no kind of segment.
    """
    keep = np.ones(len(at.rows), dtype=bool)
    if filters.kinds:
        wanted = np.array([kind in filters.kinds for kind in KINDS])
        keep &= wanted[locations.codes("kind")[at.rows]]
    if filters.countries:
        wanted = locations.places["country"].isin(filters.countries).to_numpy(dtype=bool)
        keep &= wanted[locations.codes("place")[at.rows]]
    not_covered = at.not_covered
    for word in fold(filters.text).split():
        people, locators, places = _with_word(locations, word)
        rows = at.rows
        keep &= (
            people[locations.codes("person")[rows]]
            | locators[locations.codes("locator")[rows]]
            | places[locations.codes("place")[rows]]
        )
        on_such_a_trip = np.zeros(len(locations.people), dtype=bool)
        on_such_a_trip[locations.codes("person")[locators[locations.codes("locator")]]] = True
        not_covered = not_covered[(people | on_such_a_trip)[not_covered]]
    left = np.flatnonzero(keep)
    pairs = np.flatnonzero(np.bincount(at.pair_of_row[left], minlength=len(at.person)))
    return Narrowed(rows=left, pairs=pairs, not_covered=not_covered)


def _with_word(locations: Locations, word: str) -> tuple[npt.NDArray[np.bool_], ...]:
    """Which people, record locators and places the word is found in."""
    words = locations.memo.get("words", lambda: _folded(locations))
    return tuple(np.fromiter((word in each for each in texts), dtype=bool, count=len(texts)) for texts in words)


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
    """One look at a roster; tables are made when asked for, and kept with the snapshot they were made of."""

    locations: Locations
    stretch: Stretch
    filters: Filters
    at: AtMoment
    narrowed: Narrowed
    places: pd.DataFrame
    people: int

    @property
    def location_count(self) -> int:
        """How many records are open and let through."""
        return len(self.narrowed.rows)

    @property
    def not_covered_count(self) -> int:
        """How many people are on a trip with no open window."""
        return len(self.narrowed.not_covered)

    def people_at(self, place_ids: Sequence[str] | None) -> pd.DataFrame:
        """Who is at these places, or at all of them; see `people_at` below."""
        key = ("people", self.stretch, self.filters, None if place_ids is None else tuple(place_ids))
        return self.locations.memo.get(key, lambda: people_at(self.locations, self.at, self.narrowed, place_ids))

    def not_covered(self) -> pd.DataFrame:
        """Who is on a trip with no open window; see `not_covered`."""
        return self.locations.memo.get(
            ("not covered", self.stretch, self.filters),
            lambda: not_covered(self.locations, self.stretch, self.narrowed),
        )


def look(locations: Locations, stretch: Stretch, filters: Filters) -> View:
    """Look at the roster; what did not change since the last look is not worked out again."""
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
    )


def first_and_last(locations: Locations) -> tuple[datetime, datetime] | None:
    """When the first window opens and the last one closes, in UTC; None where no record says."""
    first, last = locations.rows["arrives"].min(), locations.rows["expires"].max()
    if pd.isna(first) or pd.isna(last):
        return None
    return first.to_pydatetime(warn=False), last.to_pydatetime(warn=False)


def places_of(locations: Locations, at: AtMoment, narrowed: Narrowed) -> pd.DataFrame:
    """Return the places with anybody, those with most people first.

    place_id, label; lat, lon (decimal degrees, NaN where unknown); people (distinct) and locations (records); kind and
    status: what most records there are, and most people there.
    """
    count = len(locations.places)
    place_of_row = locations.codes("place")[at.rows[narrowed.rows]]
    place_of_pair = at.place[narrowed.pairs]
    locations_there = np.bincount(place_of_row, minlength=count)
    people_there = np.bincount(place_of_pair, minlength=count)
    shown = np.flatnonzero(people_there)
    kinds = _most(place_of_row, locations.codes("kind")[at.rows[narrowed.rows]], count, len(KINDS))
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
    """The places no map can show."""
    return places[places["lat"].isna() | places["lon"].isna()]


def with_coordinates(places: pd.DataFrame) -> pd.DataFrame:
    """The places a map can show."""
    return places[places["lat"].notna() & places["lon"].notna()]


def _most(groups: Ints, values: Ints, count: int, kinds: int) -> npt.NDArray[np.intp]:
    """For each group the value most of its members have; the first of those that tie."""
    counts = np.bincount(groups.astype(np.int64) * kinds + values, minlength=count * kinds)
    most: npt.NDArray[np.intp] = counts.reshape(count, kinds).argmax(axis=1)
    return most


def people_at(
    locations: Locations, at: AtMoment, narrowed: Narrowed, place_ids: Sequence[str] | None = None
) -> pd.DataFrame:
    """Return who is at the places (all of them for None), one row a person, place and record locator, by name.

    from and until (UTC; NaT where the records do not say): the first opening and the last closing of the windows open
    there, but for somebody arriving from when they reach the place, and until they next depart from it where they do;
    kind and itinerary (id as text): those of the window that closes last; zone: the place's, empty where unknown.
    """
    chosen = narrowed.rows
    place = locations.codes("place")[at.rows[chosen]]
    if place_ids is not None:
        wanted = locations.places["place_id"].isin(list(place_ids)).to_numpy(dtype=bool)
        chosen = chosen[wanted[place]]
    rows = at.rows[chosen]
    locators = locations.rows["locator"].cat.categories
    keys = at.pair_of_row[chosen].astype(np.int64) * (len(locators) + 1) + locations.codes("locator")[rows]
    arrives, expires = locations.times("arrives")[rows], locations.times("expires")[rows]
    order = np.lexsort((expires, keys))
    lasts = np.flatnonzero(np.r_[keys[order][1:] != keys[order][:-1], True]) if len(keys) else np.empty(0, np.intp)
    firsts = np.r_[0, lasts[:-1] + 1] if len(lasts) else lasts
    first_arrives = np.minimum.reduceat(arrives[order], firsts) if len(lasts) else arrives
    last = order[lasts]
    row, pair = rows[last], at.pair_of_row[chosen][last]
    person, place = at.person[pair], at.place[pair]
    since = np.where(at.status[pair] == ARRIVING, at.reaches[pair], first_arrives)
    until = np.where(at.departs[pair] > since, np.minimum(at.departs[pair], expires[last]), expires[last])
    places, people = locations.places, locations.people
    itineraries = locations.rows["itinerary"].cat.categories
    table = pd.DataFrame(
        {
            "person": people["person"].to_numpy()[person],
            "name": people["name"].to_numpy()[person],
            "external_id": people["external_id"].to_numpy()[person],
            "locator": locators.to_numpy()[locations.codes("locator")[row]],
            "itinerary": itineraries.to_numpy()[locations.codes("itinerary")[row]],
            "place_id": places["place_id"].to_numpy()[place],
            "place": places["label"].to_numpy()[place],
            "country": _country_names(places)[place],
            "latitude": places["latitude"].to_numpy()[place],
            "longitude": places["longitude"].to_numpy()[place],
            "kind": np.array(KINDS, dtype=object)[locations.codes("kind")[row]],
            "status": np.array(STATUSES, dtype=object)[at.status[pair]],
            "from": utc(since),
            "until": utc(until),
            "zone": places["zone"].fillna("").to_numpy()[place],
        }
    )
    by_name = np.lexsort((until, _rank(people["name"])[person]))
    return table.iloc[by_name].reset_index(drop=True)


def not_covered(locations: Locations, stretch: Stretch, narrowed: Narrowed) -> pd.DataFrame:
    """Return the people on a trip with no open window: where they were expected last, and where they will be next.

    name, external_id; locator, itinerary (id as text): the trip that is under way; last_place, last_until, next_place,
    next_from (UTC): of all their trips.
    """
    _, ends = bounds(locations, stretch)
    wanted = np.zeros(len(locations.people), dtype=bool)
    wanted[narrowed.not_covered] = True
    rows = np.flatnonzero(wanted[locations.codes("person")])
    frame = pd.DataFrame(
        {
            "person": locations.codes("person")[rows].astype(np.int64),
            "locator": locations.codes("locator")[rows],
            "itinerary": locations.codes("itinerary")[rows],
            "place": locations.codes("place")[rows],
            "arrives": locations.times("arrives")[rows],
            "expires": locations.times("expires")[rows],
            # None of their windows is open: what is not ahead is past.
            "is_past": locations.times("arrives")[rows] < ends[rows],
        }
    )
    past = frame[frame["is_past"]].sort_values("expires").groupby("person").tail(1).set_index("person")
    to_come = frame[~frame["is_past"]].sort_values("arrives")
    has_begun = frame.groupby(["person", "locator"])["is_past"].transform("any")
    trip = to_come[has_begun[to_come.index]].groupby("person").head(1).set_index("person")
    ahead = to_come.groupby("person").head(1).set_index("person").loc[trip.index]
    past = past.loc[trip.index]
    labels, locators = locations.places["label"].to_numpy(), locations.rows["locator"].cat.categories.to_numpy()
    itineraries = locations.rows["itinerary"].cat.categories.to_numpy()
    people = locations.people.iloc[trip.index]
    table = pd.DataFrame(
        {
            "name": people["name"].to_numpy(),
            "external_id": people["external_id"].to_numpy(),
            "locator": locators[trip["locator"]],
            "itinerary": itineraries[trip["itinerary"]],
            "last_place": labels[past["place"]],
            "last_until": utc(past["expires"].to_numpy()),
            "next_place": labels[ahead["place"]],
            "next_from": utc(ahead["arrives"].to_numpy()),
        }
    )
    return table.sort_values("name", kind="stable").reset_index(drop=True)


def _country_names(places: pd.DataFrame) -> np.ndarray:
    return np.array([country_name(code) for code in places["country"]], dtype=object)


def _rank(names: pd.Series) -> Ints:
    """The place of each name in the order of names, whatever case."""
    return np.asarray(names.str.casefold().rank(method="dense"), dtype=np.int64)
