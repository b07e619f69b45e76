"""The search box: a field in the line above each page, and `Ctrl+K`, which open a dialog with the results.

The dialog is the browser's own, so opening and closing it changes nothing on the page. What is typed is searched in a
fragment, which draws nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs, urlencode, urlsplit

import streamlit as st

from components.expected_locations.load_status import open_load
from components.search.searched_records import SearchedRecords, gather_records
from components.shell.address import go_to
from components.shell.page_redraw import redraw_page
from components.shell.session import browser_path, is_signed_in
from components.shell.state import StateKey
from components.streamlit_workarounds.own_scripts import draw_component
from domain.runtime import screens
from domain.runtime.workspace import Workspace
from domain.search.flights import read_flights
from domain.search.roster_index import index_of
from domain.search.search import Searched, search
from domain.search.search_results import SearchLink, SearchNote, SearchResult, SearchResults
from domain.search.searched_rosters import find_newest_load, loaded_rosters, unloaded_rosters
from domain.text.plain_text import count, isolated
from domain.text.text_limits import MAX_LINE

KEY: Final = "search-box"
EXAMPLES: Final = (
    "Cruz",
    "SQ682",
    "lands SIN next 6 h",
    "in the air",
    "sleeps in Tokyo Friday",
    "40 km Nairobi",
    "not covered",
)
_RECORDS_SECONDS: Final = 30.0
"""How long the records are used that were gathered for an earlier key, while the box is open."""
_LOADING_SECONDS: Final = 1.0
"""The same while some of them are still being loaded."""
_FLIGHTS_SECONDS: Final = 0.2


class _Gathered(NamedTuple):
    """Records, and when they were gathered by the monotonic clock."""

    at: float
    records: SearchedRecords


_TEXT: Final = StateKey[str]("search.text", str)
_OPENED: Final = StateKey[SearchLink | None]("search.opened", lambda: None)
_IS_OPEN: Final = StateKey("search.is_open", bool)
_RECORDS: Final = StateKey[_Gathered | None]("search.records", lambda: None)


def draw_search_box(workspace: Workspace) -> None:
    """Draw the field that opens the search box."""

    @st.fragment
    def draw() -> None:
        if not is_signed_in():
            redraw_page()
            return
        opened = _OPENED.get()
        if opened is not None:
            _OPENED.clear()
            go_to(opened.screen, **opened.query)
        results = SearchResults(_TEXT.get())
        if _IS_OPEN.get():
            results = search(_TEXT.get(), _gather(workspace))
        draw_component(
            "muster-search",
            "search_box",
            __file__,
            key=KEY,
            data=_data(results),
            on_press={"begin": _begin, "type": _type, "open": _open, "end": _end},
        )

    with st.container(key="search", width="content"):  # where what comes and goes in the line does not move it
        draw()


def _begin(_: object) -> None:
    _IS_OPEN.set(True)
    _TEXT.set("")
    _RECORDS.clear()


def _type(text: object) -> None:
    _TEXT.set(str(text)[:MAX_LINE])


def _open(url: object) -> None:
    """Note the screen of a result, which the next run opens. The results may have changed since it was selected."""
    parts = urlsplit(str(url))
    path = parts.path.rpartition("/")[2]
    screen = next((each for each in screens.ALL if each.url_path == path), None)
    if screen is not None:
        query = {name: tuple(values) for name, values in parse_qs(parts.query).items()}
        _OPENED.set(SearchLink(screen, query))
        _end(None)


def _end(_: object) -> None:
    _IS_OPEN.set(False)
    _TEXT.set("")
    _RECORDS.clear()


def _gather(workspace: Workspace) -> Searched:
    """Return everything that is searched, and prepare it, so that the first key has its results as soon as others."""
    now = datetime.now(UTC)
    found = find_newest_load(workspace, now)
    loaded = None
    if found is not None:
        choice, load = found
        if not _TEXT.get():
            open_load(workspace, choice)
        loaded = loaded_rosters(choice, load, now)
        index_of(loaded.locations).at(now.replace(second=0, microsecond=0))
    gathered = _RECORDS.get()
    good_for = _LOADING_SECONDS if gathered is not None and gathered.records.is_loading else _RECORDS_SECONDS
    if gathered is None or time.monotonic() - gathered.at > good_for:
        gathered = _Gathered(time.monotonic(), gather_records(workspace))
        _RECORDS.set(gathered)
    flights = read_flights(workspace)
    if not _TEXT.get():
        flights.restart()
    flights.wait(_FLIGHTS_SECONDS, since_it_began=True)
    return Searched(
        now=now,
        loaded=loaded,
        unloaded=unloaded_rosters(workspace, [roster.id for roster in found[0].rosters] if found else []),
        flights=flights.value,
        records=gathered.records.records,
        record_notes=gathered.records.notes,
    )


def _data(results: SearchResults) -> Mapping[str, Any]:
    groups = [
        {
            "title": group.title,
            "more": max(group.total - len(group.results), 0),
            "results": [_result(result) for result in group.results],
        }
        for group in results.groups
    ]
    return {
        "text": results.text,
        "sentence": isolated(results.sentence),
        "count": count(results.count, "result", "results"),
        "groups": groups,
        "notes": [_note(note) for note in results.notes],
        "examples": EXAMPLES,
        "limit": MAX_LINE,
    }


def _result(result: SearchResult) -> Mapping[str, str]:
    return {
        "title": isolated(result.title),
        "detail": isolated(result.detail),
        "icon": result.icon,
        "url": _url(result.link),
    }


def _note(note: SearchNote) -> Mapping[str, Any]:
    link = {} if note.link is None else {"label": note.link_label, "url": _url(note.link)}
    return {"text": note.text, "isWarning": note.is_warning, **link}


def _url(link: SearchLink) -> str:
    query = urlencode(link.query, doseq=True)
    return browser_path(f"/{link.screen.url_path}") + (f"?{query}" if query else "")
