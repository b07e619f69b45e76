"""State in the URL: fields that are stored in its query, and links from one screen to another.

A link shows what its sender saw, and *back* shows what was there before. Streamlit's own binding of widgets writes the
label of an option, omits the current default, and adds entries to the browser's history that belong to no screen. The
fields here are ordinary widgets: their values are read from the URL when it changes, and written to it afterwards.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from types import MappingProxyType
from typing import Any, Final, NoReturn, TypeAlias, TypeVar
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from components.shell.state import StateKey
from domain.runtime.screens import ALL, Screen
from domain.text.plain_text import in_short, names, plain

T = TypeVar("T")
URL_DELAY_SECONDS: Final = 5.0
"""How long the browser may still send the URL before the last change. Afterwards the user must mean it."""
Query: TypeAlias = dict[str, list[str]]
QueryValue: TypeAlias = str | int | Iterable[str] | None


class AddressField(StateKey[T]):
    """A key of session state, usually a widget's, that is stored in the URL under the same name."""

    def __init__(
        self,
        name: str,
        default_factory: Callable[[], T],
        read: Callable[[Sequence[str]], T],
        write: Callable[[T], Sequence[str]],
    ) -> None:
        """Declare the field. `read` gets at least one text, and raises ValueError if the text is not valid."""
        super().__init__(name, default_factory)
        self._default = default_factory
        self._read = read
        self._write = write

    def set_from_url(self, url_values: Sequence[str]) -> None:
        """Read the value from the URL. An unchanged value is not set again, since the widget would be sent again."""
        try:
            value = self._read(url_values) if url_values else self._default()
        except ValueError:
            value = self._default()
        _INVALID.get()[self.name] = [text for text in url_values if not self._is_valid(text)], value
        if self.name not in st.session_state or st.session_state[self.name] != value:
            self.set(value)

    def set_with_url(self, value: T) -> None:
        """Set the value and the URL in this run. Not for a widget that was drawn in it."""
        self.set(value)
        url_values = self.url_values()
        if url_values == st.query_params.get_all(self.name):
            return
        if url_values:
            st.query_params[self.name] = url_values
        else:
            st.query_params.pop(self.name, None)

    @property
    def invalid_values(self) -> list[str]:
        """The texts from the URL that are not valid for the field, until another value is selected."""
        texts, value = _INVALID.get().get(self.name, ([], None))
        return texts if value == self.get() else []

    def _is_valid(self, text: str) -> bool:
        try:
            return self._read([text]) != [] or not text.strip()
        except ValueError:
            return False

    def url_values(self) -> list[str]:
        """Return the texts for the URL; none for the default."""
        value = self.get()
        return [] if value == self._default() else list(self._write(value))


def text_field(name: str) -> AddressField[str]:
    """Declare a field of free text."""
    return AddressField(name, str, lambda texts: texts[-1], lambda text: [text])


def choice_field(
    name: str, options: Collection[str], default: str, renamed: Mapping[str, str] = MappingProxyType({})
) -> AddressField[str]:
    """Declare a field that is one of the options. `renamed` has the names of options in older URLs."""

    def read(texts: Sequence[str]) -> str:
        option = renamed.get(texts[-1], texts[-1])
        if option not in options:
            raise ValueError(option)
        return option

    return AddressField(name, lambda: default, read, lambda chosen: [chosen])


def choices_field(name: str, options: Collection[str] | None = None) -> AddressField[list[str]]:
    """Declare a field that is any number of the options, or of any texts, such as IDs, without options."""

    def read(texts: Sequence[str]) -> list[str]:
        return [each for each in dict.fromkeys(texts) if (each.strip() if options is None else each in options)]

    return AddressField(name, list, read, list)


def optional_field(name: str) -> AddressField[str | None]:
    """Declare a field that is one text, such as an ID, or None."""
    return AddressField(name, lambda: None, lambda texts: texts[-1] or None, lambda text: [text] if text else [])


def flag_field(name: str, *, default: bool = False) -> AddressField[bool]:
    """Declare a field that is true or false. The default is not in the URL."""
    return AddressField(
        name,
        lambda: default,
        lambda texts: texts[-1] in {"true", "1"},
        lambda on: [] if on is default else [str(on).lower()],
    )


def page_field(name: str) -> AddressField[int]:
    """Declare a field that is a page number, from 1."""
    return AddressField(name, lambda: 1, lambda texts: max(1, int(texts[-1])), lambda number: [str(number)])


def day_field(name: str) -> AddressField[date | None]:
    """Declare a field that is a date; never "today"."""
    return AddressField(
        name, lambda: None, lambda texts: date.fromisoformat(texts[-1]), lambda day: [day.isoformat()] if day else []
    )


def moment_field(name: str) -> AddressField[datetime | None]:
    """Declare a field that is a date and time without a zone, to the minute."""

    def read(texts: Sequence[str]) -> datetime:
        return datetime.fromisoformat(texts[-1]).replace(tzinfo=None, second=0, microsecond=0)

    return AddressField(name, lambda: None, read, lambda at: [at.isoformat(timespec="minutes")] if at else [])


@contextmanager
def in_address(*fields: AddressField[Any]) -> Iterator[None]:
    """Draw the fields of a screen in this context: they start with the values of the URL, which is updated afterwards.

    A field need not be drawn in every run. Values in the URL that are not valid are listed above the fields.
    """
    names = tuple(field.name for field in fields)
    requested = {name: texts for name in names if (texts := st.query_params.get_all(name))}
    # A field that is not in the session gets its value from the URL.
    is_current = all(field.name in st.session_state for field in fields) and _current_values(fields) == requested
    reads_url = _should_read_url(names, requested, is_current=is_current)
    if reads_url:
        _send_url_to_browser()
    for field in fields:
        # Streamlit removes the value of a widget that was not drawn in the last run.
        if reads_url or field.name not in st.session_state:
            field.set_from_url(requested.get(field.name, []))
    _draw_invalid_values([in_short(text, _MAX_INVALID_LENGTH) for field in fields for text in field.invalid_values])
    yield
    current = _current_values(fields)
    if current != requested:
        _write(names, current)
        others = {name: texts for name, texts in query().items() if name not in names}
        # In one step, since each step is an entry in the browser's history.
        if query() != others | current:
            st.query_params.from_dict(others | current)
        _remember_url()


def arrive(screen: Screen) -> None:
    """Start the run of a screen. A screen opened without a query, as from the menu, shows what it showed last."""
    previous = _SCREEN.get()
    if _is_history():
        shown_query = _STRAY.get().get((screen.url_path, _text(query())))
        if shown_query is not None:
            st.query_params.from_dict(shown_query)
    elif previous != screen.url_path and screen.is_remembered and not query():
        last = _LAST.get().get(screen.url_path, {})
        if last:
            st.query_params.from_dict(last)
            _note_stray(previous, last)
    is_link_to_itself = previous == screen.url_path and not _is_history() and query() != _LAST.get().get(previous)
    _BROWSER_IS_BEHIND.set(is_link_to_itself)
    if previous != screen.url_path:
        _SCREEN.set(screen.url_path)
        _SEEN.clear()
        _RECENT.clear()
    elif is_link_to_itself and query() not in _RECENT.get():
        _send_url_to_browser()
    _remember_url()


def current_screen() -> Screen | None:
    """Return the screen of this run."""
    return next((screen for screen in ALL if screen.url_path == _SCREEN.get()), None)


def depart(query: Query) -> None:
    """Note that this run opens another screen with this query."""
    _note_stray(_SCREEN.get(), query)


def leave() -> None:
    """End the run of a screen: the menu leads back to its current URL."""
    _remember_url()
    _RECENT.set([*_RECENT.get(), query()][-_MAX_RECENT:])


def query() -> Query:
    """Return the query of the URL, every parameter with all its values."""
    return {name: st.query_params.get_all(name) for name in st.query_params}


def _draw_invalid_values(texts: list[str]) -> None:
    if texts:
        parts = "this part" if len(texts) == 1 else "these parts"
        st.warning(
            f"This link contains {plain(names([f'“{text}”' for text in texts]))}, which Muster does not know. "
            f"Muster ignored {parts} and used the rest of the link.",
            icon=":material/search_off:",
        )


_MAX_INVALID_LENGTH: Final = 60
_INVALID: Final = StateKey[dict[str, tuple[list[str], Any]]]("shell.unknown_in_address", dict)
"""By field: the texts from the URL that are not valid, and the value without them."""
_SCREEN: Final = StateKey[str | None]("shell.here", lambda: None)
_LAST: Final = StateKey[dict[str | None, Query]]("shell.last_addresses", dict)
_STRAY: Final = StateKey[dict[tuple[str | None, str], Query]]("shell.stray_addresses", dict)
# Whether the browser may show an older URL than that of this run.
_BROWSER_IS_BEHIND: Final = StateKey[bool]("shell.untold_address", bool)
# The URLs at the end of the last runs of the screen, which a second click may request again.
_RECENT: Final = StateKey[list[Query]]("shell.recent_addresses", list)
_MAX_RECENT: Final = 3
# By the names of the fields: the last URL that the session and the browser agreed on, and those written since.
_SEEN: Final = StateKey[dict[tuple[str, ...], list[Query]]]("shell.seen_addresses", dict)
_WRITTEN_AT: Final = StateKey[float]("shell.address_written_at", float)


def _send_url_to_browser() -> None:
    """Write the URL into the browser, which follows a link to the current screen only on the server."""
    if _BROWSER_IS_BEHIND.get():
        _BROWSER_IS_BEHIND.set(False)
        st.query_params.from_dict(query())


def _note_stray(screen: str | None, new_query: Query) -> None:
    """Remember a URL that was never shown.

    When the server sets a query and opens another screen, Streamlit first adds the old screen with the new query to the
    browser's history. *Back* to it should show what the old screen showed.
    """
    _STRAY.get()[screen, _text(new_query)] = _LAST.get().get(screen, {})


def _text(query: Query) -> str:
    return urlencode(sorted(query.items()), doseq=True)


def _current_values(fields: Iterable[AddressField[Any]]) -> Query:
    return {field.name: texts for field in fields if (texts := field.url_values())}


def _write(names: tuple[str, ...], current: Query) -> None:
    _SEEN.get()[names].append(current)
    _WRITTEN_AT.set(time.monotonic())


def _should_read_url(names: tuple[str, ...], requested: Query, *, is_current: bool) -> bool:
    """Return whether to read the URL: not if this screen wrote it, or if the browser is about to leave it.

    A user who selects twice in a second sends the second value with the URL before the first. If the URL `is_current`,
    its values are those of the widgets, which wrote them.
    """
    seen = _SEEN.get().get(names, [])
    if time.monotonic() - _WRITTEN_AT.get() > URL_DELAY_SECONDS:
        del seen[:-1]
    if _is_history() or not (requested in seen or (seen and is_current)):
        _SEEN.get()[names] = [requested]
        return True
    if requested not in seen:
        _write(names, requested)
    elif requested == seen[-1]:
        _SEEN.get()[names] = [requested]
    return False


def _is_history() -> bool:
    """Return whether the user went *back* or *forward*, which only the context of the run knows."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def _remember_url() -> None:
    _LAST.get()[_SCREEN.get()] = query()


def query_of(values: Mapping[str, QueryValue]) -> Query:
    """Return a query as texts: a list repeats the name, and None and empty values are omitted."""
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
    """End this run and open a screen with a query."""
    texts = query_of(query)
    depart(texts)
    st.switch_page(screen.page, query_params=texts)


def link_to(screen: Screen, label: str, icon: str | None = None, **query: QueryValue) -> None:
    """Draw a link to a screen with a query."""
    st.page_link(screen.page, label=label, icon=icon or screen.icon, query_params=query_of(query))
