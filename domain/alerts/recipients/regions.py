"""The places that a public alert may go to, by ID.

catalog = RegionCatalog(regions, known)      # client.models.public_lookups.Regions, UsPlaces
catalog.search.find("springfield il", kind=None, state=None, used=ids) -> RegionSearchResult
catalog.listed_as(104)                       -> (104, 105): the IDs of the same place in the lookup
catalog.us_place(8030)                          -> UsPlace | None: position, time zones, and size
catalog.zones(ids)                           -> {"America/Denver": 7}: ZIP codes per time zone
catalog.names(ids)                           -> ["Boulder, CO", "region 77"]
catalog.places_of(ids)                          -> Chosen(places, unknown): the available places, and other IDs
catalog.cached(function, ids)                -> function(catalog, ids), computed once for these IDs
catalog.per_state(ids)                       -> (StateCount, ...), by name of the state
catalog.whole_kinds(ids)                     -> ((state, kind, count), ...): such as all counties of a state
catalog.ids, catalog.counts, catalog.states, len(catalog)
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
from shapely.geometry.base import BaseGeometry

from client.models.public_lookups import Region, Regions
from domain.alerts.recipients.region_name_search import RegionSearch, group_indexes
from domain.alerts.recipients.region_place import KIND_WORDS, KINDS, Place, RegionKind
from domain.alerts.recipients.us_names import PlaceKey, expand_abbreviations, squash, strip_county_word
from domain.alerts.recipients.us_places import NOTHING_KNOWN, UsPlace, UsPlaces, us_counties
from domain.geography.folding import fold
from domain.geography.states import state_code, state_name
from domain.text.plain_text import count

# A state with fewer counties than this does not count as a whole state.
_FEWEST_FOR_WHOLE: Final = 3
_REACHES_KEPT: Final = 100
_STATES_TOLD: Final = 8

T = TypeVar("T")


class Chosen(NamedTuple):
    """The places of IDs in their order, and the unavailable IDs."""

    places: tuple[Place, ...]
    unknown: tuple[int, ...]


@dataclass(frozen=True)
class StateCount:
    """The number of selected places of each kind in a state."""

    state: str
    by_kind: Mapping[RegionKind, int]

    @property
    def total(self) -> int:
        """The total."""
        return sum(self.by_kind.values())

    @property
    def name(self) -> str:
        """The name of the state."""
        return state_name(self.state)

    @property
    def words(self) -> str:
        """The counts as text: "2 cities, 14 ZIP codes"."""
        return kind_counts(self.by_kind)


def kind_counts(by_kind: Mapping[RegionKind, int]) -> str:
    """Return the counts as text, without zeros: "2 cities, 14 ZIP codes"."""
    return ", ".join(count(by_kind[kind], *KIND_WORDS[kind]) for kind in KINDS if by_kind.get(kind))


def state_counts(places: Iterable[Place]) -> tuple[StateCount, ...]:
    """Return the number of places of each kind per state, by name of the state."""
    counted: defaultdict[str, Counter[RegionKind]] = defaultdict(Counter)
    for place in places:
        counted[place.state][place.kind] += 1
    in_order = sorted(counted, key=lambda state: (not state, state_name(state)))
    return tuple(StateCount(state, counted[state]) for state in in_order)


class RegionCatalog:
    """All places of a lookup. Immutable, so threads and sessions share it."""

    def __init__(self, regions: Regions, known: UsPlaces = NOTHING_KNOWN) -> None:
        """Index the places. Of two with the same ID, the first counts. `known` has data about them."""
        kinds: tuple[tuple[RegionKind, list[Region]], ...] = (
            ("city", regions.cities),
            ("zip", regions.zipcodes),
            ("county", regions.counties),
        )
        keyed: dict[int, tuple[str, int, str, int, Place]] = {}
        for rank, (kind, items) in enumerate(kinds):
            for item in items:
                if item.id not in keyed:
                    name = " ".join((item.name or "").split())
                    place = Place(item.id, name or f"region {item.id}", (item.state or "").strip(), kind)
                    keyed[item.id] = fold(place.name), rank, place.state, place.id, place
        order = [(key, place) for key, *_, place in sorted(keyed.values())]
        keys = [key for key, _ in order]
        self._places = [place for _, place in order]
        self._at = {place.id: at for at, place in enumerate(self._places)}
        self._us = known
        us_keys = [_us_keys(place, key) for key, place in order]
        self._known = [next((known.places[each] for each in some if each in known.places), None) for some in us_keys]
        itself = (strip_county_word(key) if place.kind == "county" else key for key, place in order)
        same = group_indexes(
            ((place.kind, place.state, squash(key)), place.id) for key, (_, place) in zip(itself, order, strict=True)
        )
        self._twins = {each: tuple(ids) for ids in same.values() if len(ids) > 1 for each in ids}
        self.search = RegionSearch(
            self._places, keys, positions=self._at, us=known, us_keys=us_keys, us_places=self._known
        )
        self._cached: Callable[[Callable[..., Any], tuple[int, ...]], Any] = lru_cache(_REACHES_KEPT)(
            lambda function, ids: function(self, ids)
        )

    def __len__(self) -> int:
        return len(self._places)

    @property
    def ids(self) -> Collection[int]:
        """The IDs of all places."""
        return self._at.keys()

    @cached_property
    def counts(self) -> Mapping[RegionKind, int]:
        """The number of places of each kind."""
        return Counter(place.kind for place in self._places)

    @cached_property
    def states(self) -> tuple[str, ...]:
        """The states of all places, by name."""
        return tuple(each.state for each in state_counts(self._places))

    @cached_property
    def _of_state(self) -> Mapping[tuple[str, RegionKind], int]:
        return Counter((place.state, place.kind) for place in self._places)

    @cached_property
    def _by_county(self) -> Mapping[str, list[int]]:
        return group_indexes((us.county, at) for at, us in enumerate(self._known) if us is not None and us.county)

    # Places of IDs

    def us_place(self, region_id: int) -> UsPlace | None:
        """Return the data about the place of an ID, or None."""
        return self._known[self._at[region_id]] if region_id in self._at else None

    @property
    def us(self) -> UsPlaces:
        """The data about all places, also unavailable ones."""
        return self._us

    def of_county(self, number: str) -> tuple[int, ...]:
        """Return the IDs of the county with this number in the lookup."""
        return tuple(self._places[at].id for at in self._by_county.get(number, ()))

    def town_of(self, place: Place) -> Place:
        """Return the postal city of a ZIP code if the lookup has it, or the place itself."""
        return self._towns.get(place.name, place) if place.kind == "zip" else place

    @cached_property
    def _towns(self) -> Mapping[str, Place]:
        offered = zip(self._places, self._known, strict=True)
        return {code: place for place, us in offered if us is not None and place.kind == "city" for code in us.codes}

    def counties_touched_by(self, area: BaseGeometry) -> list[Place]:
        """Return the counties that touch an area in degrees."""
        ids = [self.of_county(county.number)[:1] for county in us_counties().touched_by(area)]
        return [self._places[self._at[each]] for some in ids for each in some]

    @cached_property
    def located(self) -> tuple[list[Place], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """The cities and ZIP codes with a known center, and their latitudes and longitudes in degrees."""
        known = [
            (place, us)
            for place, us in zip(self._places, self._known, strict=True)
            if us is not None and place.kind != "county"
        ]
        spots = np.array([(us.lat, us.lon) for _, us in known], dtype=np.float64).reshape(-1, 2)
        return [place for place, _ in known], spots[:, 0], spots[:, 1]

    def zones(self, ids: Iterable[int] | None = None) -> Counter[str]:
        """Return the time zones of IDs, or of all places, each with its number of ZIP codes."""
        return self._all_zones if ids is None else _zones_of(map(self.us_place, ids))

    @cached_property
    def _all_zones(self) -> Counter[str]:
        return _zones_of(self._known)

    def listed_as(self, region_id: int) -> tuple[int, ...]:
        """Return every ID of the place of an ID: several if the lookup lists the place twice."""
        # ASSUMPTION A222: two items of one kind, state and name are one place. Nothing tells them apart, and an alert
        # to one of them could miss people: they are chosen together.
        return self._twins.get(region_id, (region_id,))

    def names(self, ids: Iterable[int]) -> list[str]:
        """Return the names and states of IDs, in their order. Unavailable ones are named by their number."""
        return [self._places[self._at[each]].label if each in self._at else f"region {each}" for each in ids]

    def places_of(self, ids: Iterable[int]) -> Chosen:
        """Return the places of IDs, each once, and the unavailable IDs."""
        each_once = list(dict.fromkeys(ids))
        places = tuple(self._places[self._at[each]] for each in each_once if each in self._at)
        return Chosen(places, tuple(each for each in each_once if each not in self._at))

    def cached(self, function: Callable[[RegionCatalog, tuple[int, ...]], T], ids: Iterable[int]) -> T:
        """Return the result of a function for these IDs, computed once. Typing reruns the page with the same places."""
        found: T = self._cached(function, tuple(dict.fromkeys(ids)))
        return found

    def per_state(self, ids: Iterable[int]) -> tuple[StateCount, ...]:
        """Return the number of places of each kind per state, by name of the state."""
        return state_counts(self.places_of(ids).places)

    def whole_kinds(self, ids: Iterable[int]) -> tuple[tuple[str, RegionKind, int], ...]:
        """Return the states of which every county, city, or ZIP code is included, with the kind and number."""
        return tuple(
            (each.state, kind, number)
            for each in self.per_state(ids)
            for kind, number in each.by_kind.items()
            if number >= _FEWEST_FOR_WHOLE and number == self._of_state[(each.state, kind)]
        )


def _us_keys(place: Place, key: str) -> tuple[PlaceKey, ...]:
    """Return the keys of a place in `UsPlaces`. Some lookups omit the type of a county or spell it differently."""
    state = state_code(place.state)
    forms = dict.fromkeys((key, expand_abbreviations(key)))
    if place.kind == "county" and not key.endswith(" county"):
        forms |= dict.fromkeys(f"{form} county" for form in tuple(forms))
    return tuple((place.kind, state, form) for form in forms)


def _zones_of(places: Iterable[UsPlace | None]) -> Counter[str]:
    counted: Counter[str] = Counter()
    for known in filter(None, places):
        for zone in known.zones:
            counted[zone] += max(known.zip_codes, 1)
    return counted


def distinct_words(places: Iterable[Place]) -> dict[int, str]:
    """Return labels of places by ID, in their order. Equal labels include their IDs."""
    known = list(places)
    times = Counter(place.words for place in known)
    return {place.id: f"{place.words} (ID {place.id})" if times[place.words] > 1 else place.words for place in known}


def left_out(places: Iterable[Place]) -> str:
    """Return the number of places in each state, in short: "AL 2, AR 1"."""
    counted = Counter(state_code(place.state) or state_name("") for place in places)
    return ", ".join(f"{state} {number:,}" for state, number in sorted(counted.items()))


def not_offered(ids: Iterable[int]) -> dict[int, str]:
    """Return the message about unavailable IDs."""
    return {each: f"Region {each} · not available" for each in ids}


def summary(places: Iterable[Place]) -> list[str]:
    """Return the number of places of each kind per state, one line each: "Colorado: 2 cities"."""
    states = state_counts(places)
    lines = [f"{each.name}: {each.words}" for each in states[:_STATES_TOLD]]
    if rest := states[_STATES_TOLD:]:
        left = count(sum(each.total for each in rest), "place", "places")
        lines.append(f"{count(len(rest), 'more state', 'more states')}: {left}")
    return lines
