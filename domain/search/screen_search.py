"""Find the screens by their names, their URL, and words for what is done on them."""

from __future__ import annotations

from typing import Final

from domain.geography.folding import fold
from domain.runtime import screens
from domain.runtime.screens import Screen
from domain.search.roster_index import find_texts
from domain.search.search_results import SearchLink, SearchResult

_NEED_A_RECORD: Final = (
    screens.TRIP,
    screens.CONTACT_FILTER,
    screens.LOOKUP_MAPPING,
    screens.PUBLIC_ALERT_APPROVAL,
)
"""Screens that show a record, which a link must name."""
_FURTHER_WORDS: Final = {
    screens.PUBLIC_ALERT: "new alert send compose warning",
    screens.EXPECTED_LOCATIONS: "expected locations travelers people start home",
    screens.WHO_IS_AFFECTED: "incident emergency area affected",
    screens.FIND_TRIP: "find trip record locator look up",
    screens.TRIP_IMPORT: "file upload itineraries",
    screens.CONTACT_FILTERS: "contact rules queries",
    screens.LOOKUP_MAPPINGS: "lookup groups attributes",
    screens.ALERT_TEMPLATES: "alert ready",
    screens.NOTIFICATIONS: "notifications alerts sent in force",
    screens.CRISIS_TEMPLATES: "crisis tasks checklist",
    screens.SHAPE_LIBRARY: "regions shapefile library",
    screens.DYNAMIC_LOCATIONS: "dynamic locations upload",
    screens.JOURNAL: "history audit log changes",
    screens.CONNECTION: "settings service token",
}


def find_screens(text: str) -> list[SearchResult]:
    """Return the screens for a text such as "filters" or "/filters"."""
    found = find_texts(list(_TEXTS.values()), fold(text).split())
    offered = list(_TEXTS)
    return [SearchResult(_name(offered[each]), SearchLink(offered[each]), icon=offered[each].symbol) for each in found]


def _name(screen: Screen) -> str:
    if screen.tab:
        return f"{screen.heading} · {screen.tab}"
    return screen.title


def _text(screen: Screen) -> str:
    parts = (screen.title, screen.heading, screen.tab, screen.section, screen.url_path, _FURTHER_WORDS.get(screen, ""))
    return f" {fold(' '.join(parts))} "


_TEXTS: Final = {screen: _text(screen) for screen in screens.ALL if screen not in _NEED_A_RECORD}
