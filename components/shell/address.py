"""What stands in the address, and the ways from one screen to another, with the query that says what it should show.

A link shows what its sender saw, and *back* shows what was there before.

The framework's own binding of widgets to the address writes what an option is called, leaves out what happens to be the
default today, and leaves entries in the browser's history that belong to no screen. So the fields here are ordinary
widgets, and their values go both ways: out of the address where it leads somewhere, into it where somebody chose.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from typing import Any, Final, NoReturn, TypeAlias, TypeVar
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from components.shell.state import StateKey
from domain.runtime.screens import ALL, Screen
from domain.text.plain_text import in_short, names, plain

T = TypeVar("T")
ON_ITS_WAY_SECONDS: Final = 5.0
"""So long the browser may still send an address from before the one that was written last; then somebody means it."""
Query: TypeAlias = dict[str, list[str]]
QueryValue: TypeAlias = str | int | Iterable[str] | None


class AddressField(StateKey[T]):
    """A place in a session's memory, most often a widget's, that is a parameter of the address under the same name."""

    def __init__(
        self,
        name: str,
        default_factory: Callable[[], T],
        read: Callable[[Sequence[str]], T],
        write: Callable[[T], Sequence[str]],
    ) -> None:
        """Declare the field; `read` gets at least one text and raises ValueError where it means nothing."""
        super().__init__(name, default_factory)
        self._default = default_factory
        self._read = read
        self._write = write

    def take(self, given: Sequence[str]) -> None:
        """Hold what the address gives. What is held already stays untouched: a widget's value would be sent anew."""
        try:
            value = self._read(given) if given else self._default()
        except ValueError:
            value = self._default()
        _UNKNOWN.get()[self.name] = [text for text in given if not self._is_known(text)], value
        if self.name not in st.session_state or st.session_state[self.name] != value:
            self.set(value)

    def put(self, value: T) -> None:
        """Hold it, and let the address say so already in this run; not for a widget that was drawn in it."""
        self.set(value)
        given = self.given()
        if given == st.query_params.get_all(self.name):
            return
        if given:
            st.query_params[self.name] = given
        else:
            st.query_params.pop(self.name, None)

    @property
    def unknown(self) -> list[str]:
        """What the address asked for and the field does not know, until another value is chosen."""
        texts, value = _UNKNOWN.get().get(self.name, ([], None))
        return texts if value == self.get() else []

    def _is_known(self, text: str) -> bool:
        try:
            return self._read([text]) != [] or not text.strip()
        except ValueError:
            return False

    def given(self) -> list[str]:
        """Return what the address is to say: nothing for the default."""
        value = self.get()
        return [] if value == self._default() else list(self._write(value))


def text_field(name: str) -> AddressField[str]:
    """A field of free text."""
    return AddressField(name, str, lambda given: given[-1], lambda text: [text])


def choice_field(name: str, options: Collection[str], default: str) -> AddressField[str]:
    """A field that is one of the options."""

    def read(given: Sequence[str]) -> str:
        if given[-1] not in options:
            raise ValueError(given[-1])
        return given[-1]

    return AddressField(name, lambda: default, read, lambda chosen: [chosen])


def choices_field(name: str, options: Collection[str] | None = None) -> AddressField[list[str]]:
    """A field that is any number of the options, or of any texts, such as ids, where no options are named."""

    def read(given: Sequence[str]) -> list[str]:
        return [each for each in dict.fromkeys(given) if (each.strip() if options is None else each in options)]

    return AddressField(name, list, read, list)


def optional_field(name: str) -> AddressField[str | None]:
    """A field that is one text, such as an id, or none."""
    return AddressField(name, lambda: None, lambda given: given[-1] or None, lambda text: [text] if text else [])


def flag_field(name: str) -> AddressField[bool]:
    """A field that is on or off."""
    return AddressField(name, bool, lambda given: given[-1] in {"true", "1"}, lambda on: ["true"] if on else [])


def page_field(name: str) -> AddressField[int]:
    """A field that is the number of a page, from 1."""
    return AddressField(name, lambda: 1, lambda given: max(1, int(given[-1])), lambda number: [str(number)])


def day_field(name: str) -> AddressField[date | None]:
    """A field that is a day: always the day itself, never "today"."""
    return AddressField(
        name, lambda: None, lambda given: date.fromisoformat(given[-1]), lambda day: [day.isoformat()] if day else []
    )


def moment_field(name: str) -> AddressField[datetime | None]:
    """A field that is a wall clock to the minute."""

    def read(given: Sequence[str]) -> datetime:
        return datetime.fromisoformat(given[-1]).replace(tzinfo=None, second=0, microsecond=0)

    return AddressField(name, lambda: None, read, lambda at: [at.isoformat(timespec="minutes")] if at else [])


@contextmanager
def in_address(*fields: AddressField[Any]) -> Iterator[None]:
    """Draw the fields of a screen within: they start as the address says, and the address says what they hold after.

    A field need not be drawn in every run. What the address asks for and no field knows is named above them.
    """
    names = tuple(field.name for field in fields)
    asked = {name: given for name in names if (given := st.query_params.get_all(name))}
    # A field that the session does not hold takes what the address says.
    is_ours = all(field.name in st.session_state for field in fields) and _held(fields) == asked
    leads = _leads(names, asked, is_ours=is_ours)
    if leads:
        _tell_the_browser()
    for field in fields:
        # The framework forgets the value of a widget that was not drawn in the last run.
        if leads or field.name not in st.session_state:
            field.take(asked.get(field.name, []))
    _draw_unknown([in_short(text, _LONGEST_UNKNOWN) for field in fields for text in field.unknown])
    yield
    held = _held(fields)
    if held != asked:
        _write(names, held)
        others = {name: given for name, given in query().items() if name not in names}
        # In one step: each step is an entry in the browser's history.
        if query() != others | held:
            st.query_params.from_dict(others | held)
        _keep()


def arrive(screen: Screen) -> None:
    """Begin a run of a screen: one that is opened without a query, as from the menu, shows what it showed last."""
    before = _HERE.get()
    if _is_history():
        meant = _STRAY.get().get((screen.url_path, _text(query())))
        if meant is not None:
            st.query_params.from_dict(meant)
    elif before != screen.url_path and screen.is_remembered and not query():
        last = _LAST.get().get(screen.url_path, {})
        if last:
            st.query_params.from_dict(last)
            _note_stray(before, last)
    is_link_to_here = before == screen.url_path and not _is_history() and query() != _LAST.get().get(before)
    _UNTOLD.set(is_link_to_here)
    if before != screen.url_path:
        _HERE.set(screen.url_path)
        _SEEN.clear()
        _RECENT.clear()
    elif is_link_to_here and query() not in _RECENT.get():
        _tell_the_browser()
    _keep()


def current_screen() -> Screen | None:
    """Return the screen that this run draws."""
    return next((screen for screen in ALL if screen.url_path == _HERE.get()), None)


def depart(query: Query) -> None:
    """Note that another screen is opened from within a run, with that query."""
    _note_stray(_HERE.get(), query)


def leave() -> None:
    """End a run: what the address says now is what the menu leads back to."""
    _keep()
    _RECENT.set([*_RECENT.get(), query()][-_RECENT_KEPT:])


def query() -> Query:
    """Return the query of the address, every parameter with all its values."""
    return {name: st.query_params.get_all(name) for name in st.query_params}


def _draw_unknown(texts: list[str]) -> None:
    if texts:
        st.warning(
            f"This link asks for {plain(names([f'“{text}”' for text in texts]))}, which Muster does not know. "
            "The rest of the link is shown.",
            icon=":material/search_off:",
        )


_LONGEST_UNKNOWN: Final = 60
_UNKNOWN: Final = StateKey[dict[str, tuple[list[str], Any]]]("shell.unknown_in_address", dict)
"""By field: the texts of the address that it does not know, and the value that it took without them."""
_HERE: Final = StateKey[str | None]("shell.here", lambda: None)
_LAST: Final = StateKey[dict[str | None, Query]]("shell.last_addresses", dict)
_STRAY: Final = StateKey[dict[tuple[str | None, str], Query]]("shell.stray_addresses", dict)
# Whether this run is for an address that the browser may not show; and those the screen had when its last runs ended,
# which a second click may bring once more.
_UNTOLD: Final = StateKey[bool]("shell.untold_address", bool)
_RECENT: Final = StateKey[list[Query]]("shell.recent_addresses", list)
_RECENT_KEPT: Final = 3
# By the fields: what the address said when this session last agreed with the browser, and what was written since.
_SEEN: Final = StateKey[dict[tuple[str, ...], list[Query]]]("shell.seen_addresses", dict)
_WRITTEN_AT: Final = StateKey[float]("shell.address_written_at", float)


def _tell_the_browser() -> None:
    """Write the address into the browser: a link to the screen one is on tells it to the server alone."""
    if _UNTOLD.get():
        _UNTOLD.set(False)
        st.query_params.from_dict(query())


def _note_stray(screen: str | None, wanted: Query) -> None:
    """Remember an address that is none: where the server sets a query and opens another screen, the framework puts the
    new query under the old screen into the browser's history first. *Back* to it is meant for what stood there before.
    """
    _STRAY.get()[screen, _text(wanted)] = _LAST.get().get(screen, {})


def _text(wanted: Query) -> str:
    return urlencode(sorted(wanted.items()), doseq=True)


def _held(fields: Iterable[AddressField[Any]]) -> Query:
    return {field.name: given for field in fields if (given := field.given())}


def _write(names: tuple[str, ...], held: Query) -> None:
    _SEEN.get()[names].append(held)
    _WRITTEN_AT.set(time.monotonic())


def _leads(names: tuple[str, ...], asked: Query, *, is_ours: bool) -> bool:
    """Whether the address leads somewhere; else it is the one from here, or one the browser is about to leave.

    People who choose twice in a second send their second choice with the address from before the first. One that
    `is_ours` says what is held already: what they pressed has written it, and they may press it a second time.
    """
    seen = _SEEN.get().get(names, [])
    if time.monotonic() - _WRITTEN_AT.get() > ON_ITS_WAY_SECONDS:
        del seen[:-1]
    if _is_history() or not (asked in seen or (seen and is_ours)):
        _SEEN.get()[names] = [asked]
        return True
    if asked not in seen:
        _write(names, asked)
    elif asked == seen[-1]:
        _SEEN.get()[names] = [asked]
    return False


def _is_history() -> bool:
    """Whether this run is for *back* or *forward*; only the framework's context of the run tells."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def _keep() -> None:
    _LAST.get()[_HERE.get()] = query()


def query_of(values: Mapping[str, QueryValue]) -> Query:
    """Return the query as text: ids stay digits, lists repeat the name, and what is None or empty is left out."""
    query: Query = {}
    for name, value in values.items():
        if value is None or value == "":
            continue
        if isinstance(value, str | int):
            query[name] = [str(value)]
        elif several := [str(item) for item in value]:
            query[name] = several
    return query


def go_to(screen: Screen, **query: QueryValue) -> NoReturn:
    """Leave this run and open the screen with that query."""
    wanted = query_of(query)
    depart(wanted)
    st.switch_page(screen.page, query_params=wanted)


def link_to(screen: Screen, label: str, icon: str | None = None, **query: QueryValue) -> None:
    """Draw a link to the screen with that query."""
    st.page_link(screen.page, label=label, icon=icon or screen.icon, query_params=query_of(query))
