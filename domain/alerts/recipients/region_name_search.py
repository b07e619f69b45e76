"""Search for regions by what a person types: names, states, ZIP codes, nicknames, and slips of the keyboard."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, repeat
from operator import contains
from typing import Final, TypeVar

from domain.alerts.recipients.region_place import Place, RegionKind
from domain.alerts.recipients.us_names import (
    PlaceKey,
    expand_abbreviations,
    find_nickname,
    find_similar,
    other_forms,
    squash,
    state_words,
    strip_county_word,
    typed_forms,
)
from domain.alerts.recipients.us_places import UsPlace, UsPlaces
from domain.geography.folding import fold, letters_together

H = TypeVar("H", bound=Hashable)

_INSIDE_WORDS_FROM: Final = 4
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
_ZIP_AND_FOUR: Final = re.compile(r"^\s*(\d{5})\s*+(?:-\s*+\d{0,4}|\d{4})\s*$")
_ZIP_IN_TEXT: Final = re.compile(r"(?<![\d-])(\d{5})(?:-\d{4})?(?![\d-])")


@dataclass(frozen=True)
class RegionSearchResult:
    """What a search found, best match first."""

    places: list[Place]
    reasons: Mapping[int, str]
    """Why a place with another name matches, by ID."""
    weak_match_ids: frozenset[int]
    """IDs of places that only contain the text or were hardly meant. They are selected one by one, not all at once."""
    has_exact_name: bool
    """False if the names only begin with the text or contain it."""


class RegionSearch:
    """Finds the places of one lookup by text. Immutable, so that threads and sessions can share it."""

    def __init__(
        self,
        places: Sequence[Place],
        keys: Sequence[str],
        *,
        positions: Mapping[int, int],
        us: UsPlaces,
        us_keys: Sequence[Sequence[PlaceKey]],
        us_places: Sequence[UsPlace | None],
    ) -> None:
        """Index the places by their folded names (`keys`). `positions` gives the index of a place by its ID.

        `us_keys` and `us_places` hold, for each place, its keys in `us` and what `us` knows about it.
        """
        self._places = places
        self._keys = keys
        self._at = positions
        self._us = us
        self._known = us_places
        self._sizes = [known.zip_codes if known is not None else 0 for known in us_places]
        self._by_us_key = group_indexes((us_key, at) for at, some in enumerate(us_keys) for us_key in some)
        # Few names are written in more than one way. They are searched separately.
        self._other_keys = {
            at: others
            for at, place in enumerate(places)
            if place.kind != "zip" and (others := other_forms(keys[at], is_county=place.kind == "county"))
        }
        further = ((at, way) for at, ways in self._other_keys.items() for way in ways)
        self._ways = [*enumerate(keys), *further]
        self._written = [way for _, way in self._ways]
        self._state_words = state_words({place.state for place in places if place.state})

    @cached_property
    def _by_name(self) -> Mapping[str, list[int]]:
        return group_indexes(
            (way, at) for at, key in enumerate(self._keys) for way in {key, *self._other_keys.get(at, ())}
        )

    @cached_property
    def _by_letters(self) -> Mapping[str, list[int]]:
        return group_indexes((squash(key), at) for at, key in enumerate(self._keys) if self._places[at].kind != "zip")

    @cached_property
    def _by_county_itself(self) -> Mapping[str, list[int]]:
        counties = ((at, key) for at, key in enumerate(self._keys) if self._places[at].kind == "county")
        return group_indexes((squash(strip_county_word(key)), at) for at, key in counties)

    def find(
        self, text: str, kind: RegionKind | None = None, state: str | None = None, *, used: Collection[int] = ()
    ) -> RegionSearchResult:
        """Find every place that matches, best first.

        Among equal matches, those with the IDs in `used` come first, then the larger ones. The name
        may be followed by its state, with or without a comma. A match inside a word counts only if there is no better
        match, and never for digits: a ZIP code is found by its beginning. Without text, kind or state select.
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
            # A postal name was hardly meant if a place has exactly this name.
            hits |= {at: rank + _AFTER_ALL for at, rank in hits.items() if rank in (_POST_CODE, _POST_CITY)}
        if best < _INSIDE:
            hits = {at: rank for at, rank in hits.items() if rank != _INSIDE}
        fitting = (at for at in hits if _fits(self._places[at], kind, state))
        people = {at: self._people_of(at) for at, rank in hits.items() if rank == _CALLED_SO}
        order = sorted(
            fitting,
            key=lambda at: (hits[at], self._places[at].id not in used, -people.get(at, 0), -self._sizes[at], at),
        )
        return RegionSearchResult(
            [self._places[at] for at in order],
            {self._places[at].id: because[at] for at in order if because.get(at)},
            frozenset(self._places[at].id for at in order if hits[at] == _POST_CITY or hits[at] > _AFTER_ALL),
            has_exact_name=best < _BEGINS,
        )

    def _people_of(self, at: int) -> int:
        """Return the population of a city or county, as far as it is known. ZIP codes stay in their order."""
        known = self._known[at]
        is_zip = known is None or self._places[at].kind == "zip"
        return 0 if known is None or is_zip else self._us.people_of(self._us.zip_codes_of(known))

    def find_places(self, text: str, kind: RegionKind | None = None, state: str | None = None) -> list[Place]:
        """Return the places that `find` finds, best first."""
        return self.find(text, kind, state).places

    def find_partial_zip_codes(self, text: str) -> list[Place]:
        """Find the ZIP codes that 3 or 4 digits may begin, or end if a leading zero is missing."""
        digits = text.strip()
        if not _CUT_SHORT.match(digits):
            return []
        padded = [place for place in self.find_exact(digits.zfill(_ZIP_DIGITS)) if place.kind == "zip"]
        return [*padded, *self.find_places(digits, "zip")]

    def suggest(self, text: str, kind: RegionKind | None = None, state: str | None = None) -> list[Place]:
        """Suggest places for text that matches nothing, best first: names written together or with a typing error.

        For an address: its ZIP code, and what the rest names. A mistyped ZIP code suggests no other.
        """
        zip_code = _ZIP_IN_TEXT.search(text)
        if zip_code:
            rest = f"{text[: zip_code.start()]} {text[zip_code.end() :]}".strip(" ,")
            named = [*self.find_exact(zip_code[1]), *(self.find_places(rest) if rest else ())]
            return [place for place in dict.fromkeys(named) if _fits(place, kind, state)]
        hits: dict[int, int] = {}
        for name, states in self._readings(text, with_slips=True):
            for at, rank in find_similar(name, self._keys):
                place = self._places[at]
                is_meant = _fits(place, kind, state) and (states is None or place.state in states)
                if is_meant and rank < hits.get(at, 9):
                    hits[at] = rank
        return [self._places[at] for at in sorted(hits, key=lambda at: (hits[at], -self._sizes[at], at))]

    def find_exact(self, name: str, states: Collection[str] | None = None) -> list[Place]:
        """Find the places with exactly this name, with or without accents, capitals, and abbreviations."""
        key = fold(name)
        found = sorted({at for way in (key, expand_abbreviations(key)) for at in self._by_name.get(way, ())})
        return [self._places[at] for at in found if states is None or self._places[at].state in states]

    def find_nicknames(self, text: str, states: Collection[str] | None = None) -> list[Place]:
        """Find the places that people call by another name: "LA county", "NYC"."""
        found = (self._places[at] for key in find_nickname(fold(text)) for at in self._by_us_key.get(key, ()))
        return [place for place in found if states is None or place.state in states]

    def states_of(self, text: str) -> frozenset[str]:
        """Return the states that a text names by code or name, as the lookup writes them; usually one or none."""
        return self._state_words.get(letters_together(fold(text)), frozenset())

    def _readings(self, text: str, *, with_slips: bool = False) -> list[tuple[str, frozenset[str] | None]]:
        """Return the ways to read a text: a name, and the states it must be in."""
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
            # Part of a state's name may be unfinished typing. Two letters are a postal code or no state.
            named = self._states_meant(tail, with_slips) if len(tail) > _LETTERS else self._state_words.get(tail)
            if named:
                readings.append((" ".join(words[:-size]), named))
        return readings

    def _states_meant(self, text: str, with_slips: bool) -> frozenset[str]:
        """Return the states with this name, else those that begin with it, else those with a similar name."""
        words = list(self._state_words)
        meant = [text] if text in self._state_words else [word for word in words if word.startswith(text)]
        if with_slips and not meant:
            meant = [words[at] for at, _ in find_similar(text, words)]
        return frozenset(state for word in meant for state in self._state_words[word])

    def _ranked(self, name: str) -> Iterator[tuple[int, int, str]]:
        """Yield every match: its index, its rank, and the reason if it does not match by its own name."""
        called_so = self._by_letters.get(squash(name), ())
        yield from ((at, _CALLED_SO, "") for at in called_so)
        for key in find_nickname(name):
            yield from ((at, _MEANT, "" if at in called_so else "matches “{}”") for at in self._by_us_key.get(key, ()))
        itself = strip_county_word(name)
        # A search for a borough or parish does not find counties. A search for a county finds both.
        is_any = itself == name or name.endswith(" county")
        yield from (
            (at, _COUNTY_ITSELF, "" if itself == name else "matches “{}”")
            for at in self._by_county_itself.get(squash(itself), ())
            if is_any or not self._keys[at].endswith(" county")
        )
        for key in self._us.other_names.get(name, ()):
            rank, what = (_POST_CODE, "code") if key[0] == "zip" else (_POST_CITY, "city")
            yield from ((at, rank, f"postal {what} for “{{}}”") for at in self._by_us_key.get(key, ()))
        for form in typed_forms(name):
            worst = _INSIDE if len(form) >= _INSIDE_WORDS_FROM and form.isalpha() else _WORD_BEGINS
            for at, written in compress(self._ways, map(contains, self._written, repeat(form))):
                if (rank := _rank(form, written)) <= worst:
                    yield at, rank, ""


def _fits(place: Place, kind: RegionKind | None, state: str | None) -> bool:
    return (kind is None or place.kind == kind) and (state is None or place.state == state)


def _rank(form: str, key: str) -> int:
    """Return how well a name matches text that it contains."""
    if key.startswith(form):
        return _CALLED_SO if key == form else _BEGINS
    return _WORD_BEGINS if f" {form}" in key else _INSIDE


def group_indexes(pairs: Iterable[tuple[H, int]]) -> Mapping[H, list[int]]:
    """Group indexes by key."""
    found: defaultdict[H, list[int]] = defaultdict(list)
    for key, at in pairs:
        found[key].append(at)
    return found
