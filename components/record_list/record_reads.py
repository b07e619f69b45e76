"""Read the records of a list, all or a page, and draw the progress or the error."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st

from client import ServiceError
from components.record_list.declaration import AllRecords, ListQuery, ListResult, RecordList
from components.record_list.list_data import count_total, describe_progress, filter_records
from components.record_list.list_filters import draw_filters, search_field
from components.shell.notices import show_problem
from components.shell.reading_view import draw_reading
from domain.runtime.background import ReadState
from domain.runtime.server import server
from domain.tables.loaded_records import MAX_AGE, LoadedRecords
from domain.text.time_text import moment
from journal import JournalError

if TYPE_CHECKING:
    from client.paging import Page
    from components.record_list.declaration import PagedRecords
    from domain.runtime.background import BackgroundRead
    from domain.runtime.workspace import Workspace
    from domain.tables.loaded_records import ReportProgress

R = TypeVar("R")
T = TypeVar("T")


def read_again(record_list: RecordList[Any]) -> None:
    """Make the next run read the list again, as after a change of a record."""
    server().reads.invalidate(record_list.key)


def get_loaded_records(workspace: Workspace, record_list: RecordList[R]) -> Sequence[R]:
    """Return the loaded records of a list that is read all at once, without reading."""
    cached = server().reads.find(workspace, record_list.key, "all")
    return cached.value.records if cached is not None and cached.value is not None else ()


def open_records(workspace: Workspace, record_list: RecordList[R]) -> BackgroundRead[LoadedRecords[R]]:
    """Return the background read of a list that is read all at once, for another screen. Nothing is drawn."""
    source = record_list.source
    if not isinstance(source, AllRecords):
        raise TypeError(f"{record_list.key} is read page by page")
    read = partial(source.read, workspace)
    return server().reads.open(workspace, (record_list.key, "all"), read, max_age=source.max_age or MAX_AGE)


def read_all(
    workspace: Workspace, record_list: RecordList[R], source: AllRecords[R], place: Any
) -> ListResult[R] | None:
    """Read all records and filter them. Returns None until they are read."""
    now = read_with_progress(workspace, record_list, ("all",), partial(source.read, workspace), place=place)
    if now.value is None:
        return _failed_result(now, ListQuery())
    loaded = now.value
    if not loaded.records:
        return ListResult([], 0, ListQuery(), loaded, now.read_at)
    query = draw_filters(workspace, record_list, place)
    matching = filter_records(record_list, source, loaded.records, query, search_field(record_list).get())
    return ListResult(matching, len(matching), query, loaded, now.read_at)


def read_page(
    workspace: Workspace, record_list: RecordList[R], source: PagedRecords[R], place: Any
) -> ListResult[R] | None:
    """Read the page in the URL, or the last one if there are fewer. Returns None until it is read."""
    query = draw_filters(workspace, record_list, place)
    place = place.container()
    while True:
        now = read_with_progress(
            workspace,
            record_list,
            ("page", *query.cache_key),
            partial(_read_page, workspace, source, query),
            place=place,
        )
        if now.value is None:
            return _failed_result(now, query)
        page, total = now.value, count_total(now.value, query)
        size = page.page_size or query.page_size
        last = max(1, -(-total // size))
        if page.items or query.page_number <= last:
            return ListResult(page.items, total, replace(query, page_size=size), LoadedRecords(page.items), now.read_at)
        # The list has become shorter, or the page in the URL is too high. Without a total, the first page is shown.
        query = replace(query, page_number=1 if page.total_count is None else last)


def _failed_result(now: ReadState[Any], query: ListQuery) -> ListResult[R] | None:
    """Return a result with only the error, so that the parts above the list are drawn; None while it is read."""
    return None if now.error is None else ListResult([], 0, query, LoadedRecords([], error=now.error), is_loaded=False)


def _read_page(workspace: Workspace, source: PagedRecords[R], query: ListQuery, _: ReportProgress) -> Page[R]:
    return source.read(workspace, query)


def read_with_progress(
    workspace: Workspace,
    record_list: RecordList[Any],
    name: tuple[Any, ...],
    read: Callable[[ReportProgress], T],
    *,
    place: Any,
) -> ReadState[T]:
    """Read in the background, or return the cached value. Draw progress and errors in `place`."""
    key, max_age = f"{record_list.key}-{name[0]}", record_list.source.max_age
    if max_age is None:
        try:
            return ReadState(read(lambda *_: None))
        except (ServiceError, JournalError) as error:
            now: ReadState[T] = ReadState(error=error)
            with place:
                show_problem(error, key=key, is_read=True)
    else:
        data = server().reads.open(workspace, (record_list.key, *name), read, max_age=max_age)
        with place:
            now = draw_reading(data, partial(describe_progress, record_list), key=key)
    if now.error is not None:
        with place:
            if now.value is not None and now.read_at is not None:
                st.caption(f"Muster shows what was loaded {moment(now.read_at)}.")
            draw_try_again(record_list, key)
    return now


def draw_try_again(record_list: RecordList[Any], key: str) -> None:
    """Draw the button to read the list again."""
    st.button("Retry", key=f"{key}-again", icon=":material/refresh:", on_click=read_again, args=(record_list,))
