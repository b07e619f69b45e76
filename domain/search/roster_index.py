"""The people, record locators, and places of loaded rosters, prepared for searching, and where people are at a moment.

An index is made once per snapshot. Its size and the time to make it are in proportion to the records. A search reads
each name once, which takes a few milliseconds for 100,000 people.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Final

import numpy as np
from rapidfuzz import fuzz, process

from domain.expected_locations.at_moment import IN_TRANSIT, STATUSES
from domain.expected_locations.location_frame import Locations
from domain.expected_locations.person_days import NOT_COVERED, Whereabout
from domain.geography.folding import fold
from domain.search.places import PlaceIndex
from domain.trips.presences import ALWAYS, KINDS, NEVER, Flags, Ints, Times, opening
from journal import normalize_locator

_SIMILAR_FROM: Final = 75
"""The similarity, of 100, from which a word of a name is meant by one that is spelled otherwise."""
_FEWEST_LETTERS: Final = 2
_LAST_LETTER: Final = "\U0010ffff"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, eq=False)
class PeopleAtMoment:
    """Where everyone is at a moment. The arrays of a person at a place are parallel, one element per person."""

    person: Ints
    place: Ints
    status: Ints
    """An index in `STATUSES`."""
    interval: Ints
    """The interval of `LikelyPlaces`."""
    legs: Ints
    """The legs in `Whereabouts` of people who are in transit."""
    not_covered: Ints
    """The codes of the people who are not covered."""


class RosterIndex:
    """A snapshot, prepared for searching."""

    def __init__(self, locations: Locations) -> None:
        """Prepare the names. The rest is prepared when it is first needed."""
        self.locations = locations
        people = locations.people
        # As lists: a data frame takes much longer for one value.
        self.keys: list[str] = people["person"].tolist()
        self.names: list[str] = people["name"].tolist()
        self.external_ids: list[str] = people["external_id"].tolist()
        folded_names = [fold(name) for name in self.names]
        self.order = sorted(range(len(folded_names)), key=folded_names.__getitem__)
        """The codes of the people by name. The texts are in this order."""
        self.name_ranks = np.empty(len(self.order), dtype=np.int64)
        """By code: the position of the person in that order."""
        self.name_ranks[self.order] = np.arange(len(self.order))
        self.texts = [person_text(folded_names[code], self.external_ids[code]) for code in self.order]

    @cached_property
    def places(self) -> PlaceIndex:
        """The places by their names."""
        return PlaceIndex(self.locations)

    @cached_property
    def locators(self) -> dict[str, int]:
        """The codes of the record locators by their normalized form."""
        categories = self.locations.rows["locator"].cat.categories
        return {normalize_locator(str(each)): code for code, each in enumerate(categories)}

    @cached_property
    def _name_words(self) -> list[str]:
        return sorted({word for text in self.texts for word in text.split() if word.isalpha()})

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(self._name_words)

    def is_name(self, word: str) -> bool:
        """Return whether a folded word of three letters or more is one of a name."""
        return len(word) > _FEWEST_LETTERS and word in self._names

    def find_people(self, words: Sequence[str]) -> list[int]:
        """Return the codes of the people who have all words in their name or ID, the best matches first.

        Whole words come before the starts of words, and these before other parts. Each group is in the order of names.
        """
        return [self.order[number] for number in find_texts(self.texts, words)]

    def similar_words(self, words: Sequence[str]) -> list[str]:
        """Return the words with those that no name has replaced by the most similar one; empty if there is none."""
        similar: list[str] = []
        for word in words:
            if self._begins_a_word(word):
                similar.append(word)
                continue
            found = process.extractOne(word, self._name_words, scorer=fuzz.ratio, score_cutoff=_SIMILAR_FROM)
            if found is None:
                return []
            similar.append(found[0])
        return similar

    def _begins_a_word(self, word: str) -> bool:
        at = bisect_left(self._name_words, word)
        is_in_name = at < len(self._name_words) and self._name_words[at].startswith(word)
        return is_in_name or (not word.isalpha() and any(f" {word}" in text for text in self.texts))

    @cached_property
    def _sorted_locators(self) -> list[str]:
        return sorted(self.locators)

    def find_locators(self, text: str) -> list[str]:
        """Return the record locators that begin with a text, as written, in order: the exact one first."""
        wanted = normalize_locator(text)
        if len(wanted) < _FEWEST_LETTERS:
            return []
        known = self._sorted_locators
        found = known[bisect_left(known, wanted) : bisect_left(known, f"{wanted}{_LAST_LETTER}")]
        codes = [self.locators[each] for each in found]
        return self.locations.rows["locator"].cat.categories.to_numpy()[codes].tolist() if codes else []

    def names_on(self, locators: Sequence[str]) -> dict[str, list[str]]:
        """Return the names of the people on the trips of these record locators."""
        codes = {self.locators[normalize_locator(each)]: each for each in locators}
        is_wanted = np.zeros(len(self.locations.rows["locator"].cat.categories), dtype=bool)
        is_wanted[list(codes)] = True
        rows = np.flatnonzero(is_wanted[self.locations.codes("locator")])
        found: dict[str, dict[str, None]] = {locator: {} for locator in locators}
        of_locator, person = self.locations.codes("locator")[rows], self.locations.codes("person")[rows]
        for code, each in zip(of_locator.tolist(), person.tolist(), strict=True):
            found[codes[code]][self.names[each]] = None
        return {locator: list(several) for locator, several in found.items()}

    def locators_of(self, person: int) -> list[str]:
        """Return the record locators of a person."""
        codes = np.unique(self.locations.codes("locator")[self.locations.codes("person") == person])
        return [str(each) for each in self.locations.rows["locator"].cat.categories[codes]]

    def at(self, now: datetime) -> PeopleAtMoment:
        """Return where everyone is at a moment. The last moments are stored."""
        return self.locations.memo.get(("search", now), lambda: self._at(opening(now)))

    def _at(self, at: int) -> PeopleAtMoment:
        where, likely = self.locations.whereabouts, self.locations.likely_places
        intervals = likely.intervals_at(at)
        is_somewhere = likely.place[intervals] >= 0
        there = intervals[is_somewhere]
        return PeopleAtMoment(
            person=likely.person[there],
            place=likely.place[there],
            status=likely.status[there],
            interval=there,
            legs=np.flatnonzero((where.departs <= at) & (where.arrives > at)),
            not_covered=likely.person[intervals[likely.is_not_covered[intervals]]],
        )

    def present_at(self, at_places: Times, is_chosen: Flags) -> tuple[Ints, Ints]:
        """Return who is at the chosen places at a moment of each place's own, and the interval of each.

        People who are still on their way there do not count.
        """
        likely = self.locations.likely_places
        intervals = np.flatnonzero((likely.place >= 0) & is_chosen[likely.place])
        at = at_places[likely.place[intervals]]
        is_then = (likely.time[intervals] <= at) & (likely.time[intervals + 1] > at)
        is_then &= likely.status[intervals] != STATUSES.index("arriving")
        intervals = intervals[is_then]
        return likely.person[intervals], intervals

    def whereabout(self, interval: int) -> Whereabout:
        """Return the time of a person at the place of an interval, with its neighbors at the same place."""
        likely, places = self.locations.likely_places, self.places
        place, status, person = likely.place[interval], likely.status[interval], likely.person[interval]
        after = interval + 1
        while likely.person[after] == person and likely.place[after] == place and likely.status[after] == status:
            after += 1
        return Whereabout(
            status=STATUSES[status],
            begins=moment_of(likely.time[interval]),
            ends=moment_of(likely.time[after]),
            place_id=places.ids[place],
            label=places.labels[place],
            zone=places.zones[place] or None,
        )

    def journey(self, leg: int) -> Whereabout:
        """Return the time of a person on a leg."""
        where, places = self.locations.whereabouts, self.places
        origin, destination = where.windows.place[where.left[leg]], where.windows.place[where.reached[leg]]
        return Whereabout(
            status=IN_TRANSIT,
            begins=moment_of(where.departs[leg]),
            ends=moment_of(where.arrives[leg]),
            place_id=places.ids[destination],
            label=places.labels[destination],
            zone=places.zones[destination] or None,
            origin=places.labels[origin],
        )

    def now_and_next(self, person: int, now: datetime) -> tuple[Whereabout | None, Whereabout | None]:
        """Return where a person is, and if nowhere, the next place or journey; None if there is none."""
        at, people = opening(now), self.at(now)
        where, likely = self.locations.whereabouts, self.locations.likely_places
        if len(legs := people.legs[where.person_of_leg[people.legs] == person]):
            return self.journey(int(legs[0])), None
        if len(there := people.interval[people.person == person]):
            return self.whereabout(int(there[0])), None
        first, last = np.searchsorted(likely.person, [person, person + 1])
        own = np.arange(first, last)
        following = own[(likely.time[own] > at) & (likely.place[own] >= 0)][:1]
        coming = self.whereabout(int(following[0])) if len(following) else None
        if person in people.not_covered:
            return Whereabout(NOT_COVERED, None, None), coming
        return None, coming

    def legs_by_kind(self, legs: Ints, kind: str) -> Ints:
        """Return the legs of a segment type; all of them without one."""
        where = self.locations.whereabouts
        return legs[where.windows.kind[where.left[legs]] == KINDS.index(kind)] if kind else legs


def person_text(folded_name: str, external_id: str) -> str:
    """Return the text in which a person's name and ID are found, each word after a space."""
    folded_id = fold(external_id)
    joined = folded_id.replace(" ", "")
    return f" {folded_name} {folded_id} {joined} " if joined != folded_id else f" {folded_name} {folded_id} "


def find_texts(texts: Sequence[str], words: Sequence[str]) -> list[int]:
    """Return the numbers of the texts that contain all words, the best matches first, as in `RosterIndex.find_people`.

    A single letter counts only at the start of a word.
    """
    if not words or max(map(len, words)) < _FEWEST_LETTERS:
        return []
    found = list(range(len(texts)))
    for word in sorted(words, key=len, reverse=True):
        part = word if len(word) >= _FEWEST_LETTERS else f" {word}"
        found = [number for number in found if part in texts[number]]
    whole = [number for number in found if all(f" {word} " in texts[number] for word in words)]
    starts = [number for number in found if all(f" {word}" in texts[number] for word in words)]
    return list(dict.fromkeys([*whole, *starts, *found]))


def moment_of(at: np.int64) -> datetime | None:
    """Return a time in UTC; None for `ALWAYS` and `NEVER`."""
    return None if at in (ALWAYS, NEVER) else _EPOCH + timedelta(microseconds=int(at))


def index_of(locations: Locations) -> RosterIndex:
    """Return the index of a snapshot, which is made once."""
    return locations.memo.get("search index", lambda: RosterIndex(locations))
