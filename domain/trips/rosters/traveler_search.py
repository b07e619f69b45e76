"""Find travelers by name in the organization's rosters. The service cannot search names."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

from domain.geography.folding import fold
from domain.text.plain_text import count, names
from journal import Roster

_HAS_DIGIT: Final = re.compile(r"\d")
_LONGEST_NAME: Final = 80
_ROSTERS_NAMED: Final = 3


@dataclass
class FoundTraveler:
    """A traveler whose name has the words, with the record locators and the rosters of their trips."""

    external_id: str
    name: str
    locators: list[str] = field(default_factory=list)
    roster_ids: dict[int, None] = field(default_factory=dict)


@dataclass(frozen=True)
class LoadedTravelers:
    """The travelers of rosters that are loaded: the IDs of all, those found, and the IDs of the rosters."""

    external_ids: Collection[str] = ()
    found: Sequence[FoundTraveler] = ()
    roster_ids: Collection[int] = ()


@dataclass(frozen=True)
class TravelerSearch:
    """The travelers found, and what was searched: rosters, names, and trips without a name.

    Attributes:
        unloaded: The rosters that have such trips and are not loaded.
    """

    found: list[FoundTraveler]
    rosters: Sequence[Roster]
    name_count: int
    nameless_trip_count: int
    unloaded: Sequence[Roster] = ()

    @property
    def scope(self) -> str:
        """What was searched and what was not."""
        if not self.rosters:
            return (
                "Your organization has no rosters, so Muster cannot search for names. The service cannot search names "
                "either."
            )
        searched, unloaded = (
            names([f"“{roster.name}”" for roster in some], at_most=_ROSTERS_NAMED)
            for some in (self.rosters, self.unloaded)
        )
        nameless = count(
            self.nameless_trip_count, "trip on the searched rosters has", "trips on the searched rosters have"
        )
        without = f" {nameless} no names until you load {unloaded} on the map." if self.nameless_trip_count else ""
        return (
            f"Muster searched {count(self.name_count, 'name', 'names')} in {searched}.{without} "
            "The service cannot search names."
        )


def may_be_name(text: str) -> bool:
    """Return whether a text may be a name or a part of one: short, with letters, and without digits."""
    return len(text) <= _LONGEST_NAME and bool(fold(text)) and not _HAS_DIGIT.search(text)


def find_travelers(rosters: Sequence[Roster], text: str, loaded: LoadedTravelers = LoadedTravelers()) -> TravelerSearch:
    """Return the travelers whose name contains each word, ignoring case, accents, and order; sorted by name.

    The names stored with the trips of a roster are searched, and all names of rosters that are `loaded`.
    """
    words = fold(text).split()
    people: dict[str, FoundTraveler] = {}
    searched = set(loaded.external_ids)
    nameless = 0
    unloaded: dict[int, Roster] = {}
    for roster in rosters:
        for entry in roster.entries():
            if roster.id not in loaded.roster_ids and not any(traveler.name for traveler in entry.travelers):
                nameless += 1
                unloaded[roster.id] = roster
            for traveler in entry.travelers:
                if not traveler.name:
                    continue
                key = traveler.external_id or traveler.name
                searched.add(key)
                folded = fold(traveler.name)
                if all(word in folded for word in words):
                    found = people.setdefault(key, FoundTraveler(traveler.external_id, traveler.name))
                    found.roster_ids[roster.id] = None
                    if entry.record_locator not in found.locators:
                        found.locators.append(entry.record_locator)
    for each in loaded.found:
        people.setdefault(each.external_id, each)
    by_name = sorted(people.values(), key=lambda each: fold(each.name))
    return TravelerSearch(by_name, rosters, len(searched), nameless, [*unloaded.values()])
