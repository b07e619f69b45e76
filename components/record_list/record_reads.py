"""Reading the records of a list: all of them or a page, with progress and what went wrong in their place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st

from client import ServiceError
from components.record_list.declared import Asked, Found, Records, Whole
from components.record_list.found import matching, reading_words, total_of
from components.record_list.list_filters import find_field, query_of_list
from components.shell.notices import show_problem
from components.shell.reading_view import draw_reading
from domain.runtime.background import Reading
from domain.runtime.server import server
from domain.tables.listed import Listed
from domain.text.time_text import moment
from journal import JournalError

if TYPE_CHECKING:
    from client.paging import Page
    from components.record_list.declared import ByPage
    from domain.runtime.workspace import Workspace
    from domain.tables.listed import Tell

R = TypeVar("R")
T = TypeVar("T")


def read_again(what: Records[Any]) -> None:
    """Have the list read again at the next drawing, as after a change of a record."""
    server().reads.invalidate(what.key)


def at_hand(workspace: Workspace, what: Records[R]) -> Sequence[R]:
    """Return the records of a list that is read whole, as far as they were read; nothing is read for this."""
    held = server().reads.held(workspace, what.key, "all")
    return held.value.records if held is not None and held.value is not None else ()


def read_whole(workspace: Workspace, what: Records[R], read: Whole[R], narrowing: Any) -> Found[R] | None:
    """Read all records and find those that the filters keep; None while nothing was read."""
    now = read_in_place(workspace, what, ("all",), partial(read.read, workspace), place=narrowing)
    if now.value is None:
        return _not_read(now, Asked())
    listed = now.value
    if not listed.records:
        return Found([], 0, Asked(), listed, now.read_at)
    asked = query_of_list(workspace, what, narrowing)
    kept = matching(what, read, listed.records, asked, find_field(what).get())
    return Found(kept, len(kept), asked, listed, now.read_at)


def read_page(workspace: Workspace, what: Records[R], read: ByPage[R], narrowing: Any) -> Found[R] | None:
    """Read the page that the URL names, or the last one; None while nothing was read."""
    asked = query_of_list(workspace, what, narrowing)
    place = narrowing.container()
    while True:
        now = read_in_place(
            workspace, what, ("page", *asked.name), partial(_page_of, workspace, read, asked), place=place
        )
        if now.value is None:
            return _not_read(now, asked)
        page, total = now.value, total_of(now.value, asked)
        size = page.page_size or asked.size
        last = max(1, -(-total // size))
        if page.items or asked.number <= last:
            return Found(page.items, total, replace(asked, size=size), Listed(page.items), now.read_at)
        # The list has become shorter, or the URL names too high a page. Without a total, the first page helps.
        asked = replace(asked, number=1 if page.total_count is None else last)


def _not_read(now: Reading[Any], asked: Asked) -> Found[R] | None:
    """What is above a list is drawn also where the list cannot be read; while it is read, it waits."""
    return None if now.error is None else Found([], 0, asked, Listed([], error=now.error), is_read=False)


def _page_of(workspace: Workspace, read: ByPage[R], asked: Asked, _: Tell) -> Page[R]:
    return read.read(workspace, asked)


def read_in_place(
    workspace: Workspace, what: Records[Any], name: tuple[Any, ...], read: Callable[[Tell], T], *, place: Any
) -> Reading[T]:
    """Read something, or take what was read; errors and progress are drawn in its place."""
    key, good_for = f"{what.key}-{name[0]}", what.read.good_for
    if good_for is None:
        try:
            return Reading(read(lambda *_: None))
        except (ServiceError, JournalError) as error:
            now: Reading[T] = Reading(error=error)
            with place:
                show_problem(error, key=key)
    else:
        held = server().reads.open(workspace, (what.key, *name), read, good_for=good_for)
        with place:
            now = draw_reading(held, partial(reading_words, what), key=key)
    if now.error is not None:
        with place:
            if now.value is not None and now.read_at is not None:
                st.caption(f"Muster shows what was read {moment(now.read_at)}.")
            draw_try_again(what, key)
    return now


def draw_try_again(what: Records[Any], key: str) -> None:
    """Draw the button that reads the list again."""
    st.button("Try again", key=f"{key}-again", icon=":material/refresh:", on_click=read_again, args=(what,))
