"""What the person looking asks for: kinds of segment, countries, words; what is open is narrowed, never recomputed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from components.expected_locations.at_moment import AtMoment, Ints
from components.expected_locations.location_frame import KINDS, Locations
from components.geography.countries import country_name
from components.geography.folding import fold


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

    Each word must be found in the person's name or id, the record locator, or the place with its city and country,
    whatever case and accents. Of people not covered only the words ask, of person and record locator: they are at no
    place, by no kind of segment.
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
            f"{fold(label)} {fold(address)} {fold(country_name(country))}"
            for label, address, country in zip(places["label"], places["address"], places["country"], strict=True)
        ],
    )
