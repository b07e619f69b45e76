"""The places a public alert may name, found by the beginning or a part of their names, and counted by state.

catalog = RegionCatalog(regions, known)      # client.models.public_lookups.Regions, UsPlaces
catalog.search("springfield il", kind=None, state=None, near=ids) -> Found: every match, best first, and why
catalog.cut_short("8030")                    -> the zip codes that this may be the beginning, or the end, of
catalog.nearly("bouldr")                     -> where nothing matches: what may have been meant
catalog.listed_as(104)                       -> (104, 105): the ids under which the lookup lists this very place
catalog.known(8030)                          -> UsPlace | None: where it lies, on which clocks, how large it is
catalog.zones(ids)                           -> {"America/Denver": 7}: on which clocks they are
catalog.names(ids)                           -> ["Boulder, CO", "region 77"]
catalog.chosen(ids)                          -> Chosen(places, unknown): what the lookup offers, and what not
catalog.worked_out(what, ids)                -> what(catalog, ids), worked out once for these ids
catalog.per_state(ids)                       -> (StateCount, ...), in the order of the states' names
catalog.whole_kinds(ids)                     -> ((state, kind, count), ...): every county of a state, and the like
catalog.ids, catalog.counts, catalog.states, len(catalog)
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import compress, repeat
from operator import contains
from typing import Any, Final, Literal, NamedTuple, TypeVar, get_args

import numpy as np
import numpy.typing as npt
from shapely.geometry.base import BaseGeometry

from client.models.public_lookups import Region, Regions
from domain.alerts.recipients.us_names import (
    PlaceKey,
    asked_as,
    county_itself,
    joined,
    meant_by,
    nearly_alike,
    other_ways,
    state_words,
    written_out,
)
from domain.alerts.recipients.us_places import NOTHING_KNOWN, UsPlace, UsPlaces, us_counties
from domain.geography.distance import WGS84
from domain.geography.folding import fold, letters_together
from domain.geography.states import state_code, state_name
from domain.text.plain_text import count

RegionKind = Literal["city", "zip", "county"]
T = TypeVar("T")
H = TypeVar("H", bound=Hashable)

KINDS: Final[tuple[RegionKind, ...]] = get_args(RegionKind)
KIND_WORDS: Final[Mapping[RegionKind, tuple[str, str]]] = {
    "city": ("city", "cities"),
    "zip": ("ZIP code", "ZIP codes"),
    "county": ("county", "counties"),
}
# Fewer than so many counties of a state are no sign of a state having been taken whole.
_FEWEST_FOR_WHOLE: Final = 3
_REACHES_KEPT: Final = 100
_STATES_TOLD: Final = 8
_INSIDE_WORDS_FROM: Final = 4
_SEVERAL: Final = 2
# How well a place fits a text: the lower, the better.
_MEANT: Final = -1
_CALLED_SO: Final = 0
_POST_CODE, _POST_CITY = 1, 2
_COUNTY_ITSELF: Final = 3
_BEGINS, _WORD_BEGINS, _INSIDE = 4, 5, 6
_AFTER_ALL: Final = 10
_LONGEST_STATE: Final = 4
_LETTERS: Final = 2
_ZIP_DIGITS: Final = 5
_CUT_SHORT: Final = re.compile(r"^\d{3,4}$")
_ZIP_AND_FOUR: Final = re.compile(r"^\s*(\d{5})(?:\s*-\s*\d{0,4}|\s*\d{4})\s*$")
_ZIP_IN_TEXT: Final = re.compile(r"(?<![\d-])(\d{5})(?:-\d{4})?(?![\d-])")


@dataclass(frozen=True, slots=True)
class Place:
    """A city, a zip code or a county that the lookup offers; `state` as the lookup gives it, "" for none."""

    id: int
    name: str
    state: str
    kind: RegionKind

    @property
    def label(self) -> str:
        """Its name and state: "Boulder, CO"."""
        return f"{self.name}, {self.state}" if self.state else self.name

    @property
    def words(self) -> str:
        """Its name, state and kind: "Boulder, CO · city"."""
        return f"{self.label} · {KIND_WORDS[self.kind][0]}"


@dataclass(frozen=True)
class Found:
    """What a search found, best first.

    `because` tells by id, in words, why a place of another name is among them. `apart` are the ids of places that only
    hold what was asked for, or were hardly meant: they are chosen one by one. Where nothing `is_called_so`, the names
    only begin with the text, or hold it.
    """

    places: list[Place]
    because: Mapping[int, str]
    apart: frozenset[int]
    is_called_so: bool


class Chosen(NamedTuple):
    """What ids stand for: places in the order of the ids, and ids that the lookup does not offer."""

    places: tuple[Place, ...]
    unknown: tuple[int, ...]


@dataclass(frozen=True)
class StateCount:
    """How many places of each kind are chosen in a state."""

    state: str
    by_kind: Mapping[RegionKind, int]

    @property
    def total(self) -> int:
        """How many in all."""
        return sum(self.by_kind.values())

    @property
    def name(self) -> str:
        """The state's name."""
        return state_name(self.state)

    @property
    def words(self) -> str:
        """The counts as people read them: "2 cities, 14 zip codes"."""
        return kind_counts(self.by_kind)


def kind_counts(by_kind: Mapping[RegionKind, int]) -> str:
    """Write how many of each kind there are: "2 cities, 14 zip codes"; kinds there are none of are left out."""
    return ", ".join(count(by_kind[kind], *KIND_WORDS[kind]) for kind in KINDS if by_kind.get(kind))


def state_counts(places: Iterable[Place]) -> tuple[StateCount, ...]:
    """How many places of each kind there are in each state, in the order of the states' names."""
    counted: defaultdict[str, Counter[RegionKind]] = defaultdict(Counter)
    for place in places:
        counted[place.state][place.kind] += 1
    in_order = sorted(counted, key=lambda state: (not state, state_name(state)))
    return tuple(StateCount(state, counted[state]) for state in in_order)


class RegionCatalog:
    """Every place of one lookup. Nothing in it changes, so that threads and sessions share it."""

    def __init__(self, regions: Regions, known: UsPlaces = NOTHING_KNOWN) -> None:
        """Sort what the lookup offers; of two with one id, the first counts. What is `known` decides of namesakes."""
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
        self._keys = [key for key, _ in order]
        self._places = [place for _, place in order]
        self._at = {place.id: at for at, place in enumerate(self._places)}
        self._us = known
        us_keys = [_us_keys(place, key) for key, place in order]
        self._by_us_key = _index((us_key, at) for at, some in enumerate(us_keys) for us_key in some)
        self._known = [next((known.places[each] for each in some if each in known.places), None) for some in us_keys]
        self._sizes = [us.zip_codes if us is not None else 0 for us in self._known]
        itself = (county_itself(key) if place.kind == "county" else key for key, place in order)
        same = _index(
            ((place.kind, place.state, joined(key)), place.id) for key, (_, place) in zip(itself, order, strict=True)
        )
        self._twins = {each: tuple(ids) for ids in same.values() if len(ids) > 1 for each in ids}
        # Few names are written in more than one way; these are looked through apart.
        self._other_keys = {
            at: others
            for at, place in enumerate(self._places)
            if place.kind != "zip" and (others := other_ways(self._keys[at], is_county=place.kind == "county"))
        }
        further = ((at, way) for at, ways in self._other_keys.items() for way in ways)
        self._ways = [*enumerate(self._keys), *further]
        self._written = [way for _, way in self._ways]
        self._state_words = state_words({place.state for place in self._places if place.state})
        self._worked_out: Callable[[Callable[..., Any], tuple[int, ...]], Any] = lru_cache(_REACHES_KEPT)(
            lambda what, ids: what(self, ids)
        )

    def __len__(self) -> int:
        return len(self._places)

    @property
    def ids(self) -> Collection[int]:
        """The ids of all places."""
        return self._at.keys()

    @cached_property
    def counts(self) -> Mapping[RegionKind, int]:
        """How many places there are of each kind."""
        return Counter(place.kind for place in self._places)

    @cached_property
    def states(self) -> tuple[str, ...]:
        """The states of all places, in the order of their names."""
        return tuple(each.state for each in state_counts(self._places))

    @cached_property
    def _of_state(self) -> Mapping[tuple[str, RegionKind], int]:
        return Counter((place.state, place.kind) for place in self._places)

    @cached_property
    def _by_name(self) -> Mapping[str, list[int]]:
        return _index((way, at) for at, key in enumerate(self._keys) for way in {key, *self._other_keys.get(at, ())})

    @cached_property
    def _by_letters(self) -> Mapping[str, list[int]]:
        return _index((joined(key), at) for at, key in enumerate(self._keys) if self._places[at].kind != "zip")

    @cached_property
    def _by_county_itself(self) -> Mapping[str, list[int]]:
        counties = ((at, key) for at, key in enumerate(self._keys) if self._places[at].kind == "county")
        return _index((joined(county_itself(key)), at) for at, key in counties)

    @cached_property
    def _by_county(self) -> Mapping[str, list[int]]:
        return _index((us.county, at) for at, us in enumerate(self._known) if us is not None and us.county)

    # Searching

    def search(
        self, text: str, kind: RegionKind | None = None, state: str | None = None, *, near: Iterable[int] = ()
    ) -> Found:
        """Every place that matches, best first, and of those that match alike the larger first.

        Of several places of the very name, those that are the nearest to the places of the ids in `near` come first.

        A name may be followed by its state, with or without a comma. A part inside a word counts where nothing fits
        better, and never for digits: a zip code is found by its beginning. Without a text, a kind or a state chooses.
        """
        readings = self._readings(text)
        hits: dict[int, int] = {}
        because: dict[int, str] = {}
        if not readings and not text.strip() and (kind is not None or state is not None):
            hits = dict.fromkeys(range(len(self._places)), _CALLED_SO)
        for name, states in readings:
            for at, rank, why in self._ranked(name):
                if (states is None or self._places[at].state in states) and rank < hits.get(at, _AFTER_ALL):
                    hits[at] = rank
                    because[at] = why.format(" ".join(text.split())) if why else ""
        best = min(hits.values(), default=_CALLED_SO)
        if best <= _CALLED_SO:
            # What the post calls so was hardly meant where a place has this very name.
            hits |= {at: rank + _AFTER_ALL for at, rank in hits.items() if rank in (_POST_CODE, _POST_CITY)}
        if best < _INSIDE:
            hits = {at: rank for at, rank in hits.items() if rank != _INSIDE}
        fitting = (at for at in hits if _fits(self._places[at], kind, state))
        km = self._km_to([at for at, rank in hits.items() if rank == _CALLED_SO], near)
        order = sorted(fitting, key=lambda at: (hits[at], km.get(at, 0.0), -self._sizes[at], at))
        return Found(
            [self._places[at] for at in order],
            {self._places[at].id: because[at] for at in order if because.get(at)},
            frozenset(self._places[at].id for at in order if hits[at] == _POST_CITY or hits[at] > _AFTER_ALL),
            is_called_so=best < _BEGINS,
        )

    def _km_to(self, matches: list[int], near: Iterable[int]) -> Mapping[int, float]:
        """How far the places of one name are from the nearest of some ids; nothing where that is not known."""
        known = [place for each in dict.fromkeys(near) if (place := self.known(each))]
        if len(matches) < _SEVERAL or not known:
            return {}
        lat, lon = np.array([(each.lat, each.lon) for each in known]).T
        km = dict.fromkeys(matches, np.inf)
        for at in matches:
            if (place := self._known[at]) is not None:
                _, _, metres = WGS84.inv(np.full(len(lon), place.lon), np.full(len(lat), place.lat), lon, lat)
                km[at] = float(metres.min()) / 1000
        return km

    def matching(self, text: str, kind: RegionKind | None = None, state: str | None = None) -> list[Place]:
        """Every place that a search finds, best first."""
        return self.search(text, kind, state).places

    def cut_short(self, text: str) -> list[Place]:
        """The zip codes of which three or four digits may be the end, where a zero in front went, or the beginning."""
        digits = text.strip()
        if not _CUT_SHORT.match(digits):
            return []
        padded = [place for place in self.exactly(digits.zfill(_ZIP_DIGITS)) if place.kind == "zip"]
        return [*padded, *self.matching(digits, "zip")]

    def nearly(self, text: str, kind: RegionKind | None = None, state: str | None = None) -> list[Place]:
        """What a text that matches nothing may have meant, best first: names run together or typed with a slip.

        Of an address, the zip code and what the rest of it names. A mistyped zip code stands for no other.
        """
        zip_code = _ZIP_IN_TEXT.search(text)
        if zip_code:
            rest = f"{text[: zip_code.start()]} {text[zip_code.end() :]}".strip(" ,")
            named = [*self.exactly(zip_code[1]), *(self.matching(rest) if rest else ())]
            return [place for place in dict.fromkeys(named) if _fits(place, kind, state)]
        hits: dict[int, int] = {}
        for name, states in self._readings(text, with_slips=True):
            for at, rank in nearly_alike(name, self._keys):
                place = self._places[at]
                is_meant = _fits(place, kind, state) and (states is None or place.state in states)
                if is_meant and rank < hits.get(at, 9):
                    hits[at] = rank
        return [self._places[at] for at in sorted(hits, key=lambda at: (hits[at], -self._sizes[at], at))]

    def exactly(self, name: str, states: Collection[str] | None = None) -> list[Place]:
        """The places of exactly this name, however it is accented, capitalized or shortened."""
        key = fold(name)
        found = sorted({at for way in (key, written_out(key)) for at in self._by_name.get(way, ())})
        return [self._places[at] for at in found if states is None or self._places[at].state in states]

    def meant(self, said: str, states: Collection[str] | None = None) -> list[Place]:
        """The places that people mean by what they say instead of a name: "LA county", "NYC"."""
        found = (self._places[at] for key in meant_by(fold(said)) for at in self._by_us_key.get(key, ()))
        return [place for place in found if states is None or place.state in states]

    def states_of(self, text: str) -> frozenset[str]:
        """The states a text names, by letters or name, as the lookup writes them; as a rule one, or none."""
        return self._state_words.get(letters_together(fold(text)), frozenset())

    def _readings(self, text: str, *, with_slips: bool = False) -> list[tuple[str, frozenset[str] | None]]:
        """What a text may ask for: names, each with the states it is to lie in."""
        zip_code = _ZIP_AND_FOUR.match(text)
        if zip_code:
            return [(zip_code[1], None)]
        whole = fold(text)
        if not whole:
            return []
        name, comma, tail = text.rpartition(",")
        if comma and fold(name):
            if not fold(tail):
                return [(fold(name), None)]
            states = self._states_meant(letters_together(fold(tail)), with_slips)
            return [(fold(name), states)] if states else [(whole, None)]
        words = whole.split()
        readings: list[tuple[str, frozenset[str] | None]] = [(whole, None)]
        for size in range(1, min(_LONGEST_STATE, len(words) - 1) + 1):
            tail = letters_together(" ".join(words[-size:]))
            # Half a name of a state is one that is being typed; two letters are the post's, or no state's.
            named = self._states_meant(tail, with_slips) if len(tail) > _LETTERS else self._state_words.get(tail)
            if named:
                readings.append((" ".join(words[:-size]), named))
        return readings

    def _states_meant(self, text: str, with_slips: bool) -> frozenset[str]:
        """The states of this name, else those that begin so, else those that may have been meant."""
        words = list(self._state_words)
        meant = [text] if text in self._state_words else [word for word in words if word.startswith(text)]
        if with_slips and not meant:
            meant = [words[at] for at, _ in nearly_alike(text, words)]
        return frozenset(state for word in meant for state in self._state_words[word])

    def _ranked(self, name: str) -> Iterator[tuple[int, int, str]]:
        """Every match by its place in the order, with a rank, and why it is one where that is not by its name."""
        called_so = self._by_letters.get(joined(name), ())
        yield from ((at, _CALLED_SO, "") for at in called_so)
        for key in meant_by(name):
            yield from ((at, _MEANT, "" if at in called_so else "matches “{}”") for at in self._by_us_key.get(key, ()))
        itself = county_itself(name)
        # Of a borough or parish no county is meant; a county may well be one.
        is_any = itself == name or name.endswith(" county")
        yield from (
            (at, _COUNTY_ITSELF, "" if itself == name else "matches “{}”")
            for at in self._by_county_itself.get(joined(itself), ())
            if is_any or not self._keys[at].endswith(" county")
        )
        for key in self._us.other_names.get(name, ()):
            rank, what = (_POST_CODE, "code") if key[0] == "zip" else (_POST_CITY, "city")
            yield from ((at, rank, f"postal {what} for “{{}}”") for at in self._by_us_key.get(key, ()))
        for form in asked_as(name):
            worst = _INSIDE if len(form) >= _INSIDE_WORDS_FROM and form.isalpha() else _WORD_BEGINS
            for at, written in compress(self._ways, map(contains, self._written, repeat(form))):
                if (rank := _rank(form, written)) <= worst:
                    yield at, rank, ""

    # What ids stand for

    def known(self, region_id: int) -> UsPlace | None:
        """What is known of the place of an id beside its name; None where it is not known."""
        return self._known[self._at[region_id]] if region_id in self._at else None

    @property
    def us(self) -> UsPlaces:
        """What is known of all places, offered or not."""
        return self._us

    def of_county(self, number: str) -> tuple[int, ...]:
        """The ids under which the lookup lists the county of this number; none where it does not offer it."""
        return tuple(self._places[at].id for at in self._by_county.get(number, ()))

    def town_of(self, place: Place) -> Place:
        """The city that the post delivers a zip code's mail to, where the lookup offers it; else the place itself."""
        return self._towns.get(place.name, place) if place.kind == "zip" else place

    @cached_property
    def _towns(self) -> Mapping[str, Place]:
        offered = zip(self._places, self._known, strict=True)
        return {code: place for place, us in offered if us is not None and place.kind == "city" for code in us.codes}

    def counties_touched_by(self, area: BaseGeometry) -> list[Place]:
        """The counties that share ground with an area in degrees, each once."""
        ids = [self.of_county(county.number)[:1] for county in us_counties().touched_by(area)]
        return [self._places[self._at[each]] for some in ids for each in some]

    @cached_property
    def located(self) -> tuple[list[Place], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """The cities and zip codes whose middle is known, with their latitudes and longitudes in degrees."""
        known = [
            (place, us)
            for place, us in zip(self._places, self._known, strict=True)
            if us is not None and place.kind != "county"
        ]
        spots = np.array([(us.lat, us.lon) for _, us in known], dtype=np.float64).reshape(-1, 2)
        return [place for place, _ in known], spots[:, 0], spots[:, 1]

    def zones(self, ids: Iterable[int] | None = None) -> Counter[str]:
        """The zones in which the places of ids lie, or all places, each with the number of zip codes on its clocks."""
        return self._all_zones if ids is None else _zones_of(map(self.known, ids))

    @cached_property
    def _all_zones(self) -> Counter[str]:
        return _zones_of(self._known)

    def listed_as(self, region_id: int) -> tuple[int, ...]:
        """Every id under which the lookup lists the place of an id: more than one where it stands there twice."""
        # ASSUMPTION A222: two items of one kind, state and name are one place. Nothing tells them apart, and an alert
        # to one of them could miss people: they are chosen together.
        return self._twins.get(region_id, (region_id,))

    def names(self, ids: Iterable[int]) -> list[str]:
        """The names and states of ids, in their order; one that is not offered is called by its number."""
        return [self._places[self._at[each]].label if each in self._at else f"region {each}" for each in ids]

    def chosen(self, ids: Iterable[int]) -> Chosen:
        """What ids stand for, each once."""
        each_once = list(dict.fromkeys(ids))
        places = tuple(self._places[self._at[each]] for each in each_once if each in self._at)
        return Chosen(places, tuple(each for each in each_once if each not in self._at))

    def worked_out(self, what: Callable[[RegionCatalog, tuple[int, ...]], T], ids: Iterable[int]) -> T:
        """What a function makes of ids: a text is read anew at each pause in its typing, what it goes to is not."""
        found: T = self._worked_out(what, tuple(dict.fromkeys(ids)))
        return found

    def per_state(self, ids: Iterable[int]) -> tuple[StateCount, ...]:
        """How many places of each kind the ids name in each state, in the order of the states' names."""
        return state_counts(self.chosen(ids).places)

    def whole_kinds(self, ids: Iterable[int]) -> tuple[tuple[str, RegionKind, int], ...]:
        """The states of which the ids name every county, every city or every zip code, and how many these are."""
        return tuple(
            (each.state, kind, number)
            for each in self.per_state(ids)
            for kind, number in each.by_kind.items()
            if number >= _FEWEST_FOR_WHOLE and number == self._of_state[(each.state, kind)]
        )


def _us_keys(place: Place, key: str) -> tuple[PlaceKey, ...]:
    """What a place may be known by: some lookups leave out what a county is, or write it in another way."""
    state = state_code(place.state)
    if place.kind != "county" or key.endswith(" county"):
        return ((place.kind, state, key),)
    return (place.kind, state, key), (place.kind, state, f"{key} county")


def _zones_of(places: Iterable[UsPlace | None]) -> Counter[str]:
    counted: Counter[str] = Counter()
    for known in filter(None, places):
        for zone in known.zones:
            counted[zone] += max(known.zip_codes, 1)
    return counted


def _index(pairs: Iterable[tuple[H, int]]) -> Mapping[H, list[int]]:
    found: defaultdict[H, list[int]] = defaultdict(list)
    for key, at in pairs:
        found[key].append(at)
    return found


def _fits(place: Place, kind: RegionKind | None, state: str | None) -> bool:
    return (kind is None or place.kind == kind) and (state is None or place.state == state)


def _rank(form: str, key: str) -> int:
    """How well a name fits a form that it holds."""
    if key.startswith(form):
        return _CALLED_SO if key == form else _BEGINS
    return _WORD_BEGINS if f" {form}" in key else _INSIDE


def distinct_words(places: Iterable[Place]) -> dict[int, str]:
    """The words for places by id, in their order; those that read alike carry their ids."""
    known = list(places)
    times = Counter(place.words for place in known)
    return {place.id: f"{place.words} (id {place.id})" if times[place.words] > 1 else place.words for place in known}


def left_out(places: Iterable[Place]) -> str:
    """How many places there are in each state, in few letters: "AL 2, AR 1"."""
    counted = Counter(state_code(place.state) or state_name("") for place in places)
    return ", ".join(f"{state} {number:,}" for state, number in sorted(counted.items()))


def not_offered(ids: Iterable[int]) -> dict[int, str]:
    """The words for ids that the lookup does not offer."""
    return {each: f"Region {each} · not available" for each in ids}


def summary(places: Iterable[Place]) -> list[str]:
    """How many places of each kind there are in each state, a line each: "Colorado: 2 cities"."""
    states = state_counts(places)
    lines = [f"{each.name}: {each.words}" for each in states[:_STATES_TOLD]]
    if rest := states[_STATES_TOLD:]:
        left = count(sum(each.total for each in rest), "place", "places")
        lines.append(f"{count(len(rest), 'more state', 'more states')}: {left}")
    return lines
