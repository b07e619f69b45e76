"""What the search box shows: results by kind, each with a link to the screen that shows it, and notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from domain.runtime.screens import EXPECTED_LOCATIONS, Screen

MOST_SHOWN: Final = 6
"""How many results of a kind are listed."""
MOST_PEOPLE: Final = 50
"""How many people the answer to a question lists."""
MOST_PLACES: Final = 40
"""How many places a link to the map has. Longer links do not fit everywhere."""


@dataclass(frozen=True)
class SearchLink:
    """A screen and its query."""

    screen: Screen
    query: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class SearchResult:
    """A result: its title, what else tells it apart, its icon, and where it leads."""

    title: str
    link: SearchLink
    detail: str = ""
    icon: str = ""


@dataclass(frozen=True)
class ResultGroup:
    """The results of a kind. `total` counts those that are not listed too, and `rank` orders the groups, 0 first."""

    title: str
    results: tuple[SearchResult, ...]
    total: int
    rank: int = 0


@dataclass(frozen=True)
class SearchNote:
    """What a person must know about the results, such as what was not searched, and where to change that."""

    text: str
    link_label: str = ""
    link: SearchLink | None = None
    is_warning: bool = False


@dataclass(frozen=True)
class SearchResults:
    """The results for a text. `sentence` answers a question."""

    text: str
    sentence: str = ""
    groups: tuple[ResultGroup, ...] = ()
    notes: tuple[SearchNote, ...] = ()

    @property
    def count(self) -> int:
        """How many results there are, listed or not."""
        return sum(group.total for group in self.groups)


def similar_note(label: str, text: str) -> SearchNote:
    """Return the note that a place was searched that is spelled like the text."""
    return SearchNote(f"Showing {label} for “{text}”.")


def map_link(rosters: tuple[str, ...], **query: str | tuple[str, ...]) -> SearchLink:
    """Return a link to the map of these rosters."""
    return SearchLink(EXPECTED_LOCATIONS, {"roster": rosters, **{name: each for name, each in query.items() if each}})
