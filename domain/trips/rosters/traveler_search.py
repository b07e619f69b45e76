"""Find travelers by name in the organization's rosters. The service cannot search names."""

from __future__ import annotations

import re
from collections.abc import Sequence
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
class TravelerSearch:
    """The travelers found, and what was searched: rosters, names, and trips without a name."""

    found: list[FoundTraveler]
    rosters: Sequence[Roster]
    name_count: int
    nameless_trip_count: int

    @property
    def scope(self) -> str:
        """What was searched and what was not."""
        if not self.rosters:
            return "Names were not searched, because your organization has no roster. The service cannot search names."
        searched = names([f"“{roster.name}”" for roster in self.rosters], at_most=_ROSTERS_NAMED)
        nameless = count(self.nameless_trip_count, "trip in them has", "trips in them have")
        without = f" {nameless} no names." if self.nameless_trip_count else ""
        return (
            f"Muster searched {count(self.name_count, 'name', 'names')} in {searched}.{without} "
            "The service cannot search names."
        )


def may_be_name(text: str) -> bool:
    """Return whether a text may be a name or a part of one: short, with letters, and without digits."""
    return len(text) <= _LONGEST_NAME and bool(fold(text)) and not _HAS_DIGIT.search(text)


def find_travelers(rosters: Sequence[Roster], text: str) -> TravelerSearch:
    """Return the travelers whose name contains each word, ignoring case, accents, and order; sorted by name."""
    words = fold(text).split()
    people: dict[str, FoundTraveler] = {}
    searched: set[str] = set()
    nameless = 0
    for roster in rosters:
        for entry in roster.entries():
            nameless += not any(traveler.name for traveler in entry.travelers)
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
    return TravelerSearch(sorted(people.values(), key=lambda each: fold(each.name)), rosters, len(searched), nameless)
