"""The screen of a record list: the list over the full width, or with the selected record beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

import streamlit as st

from components.record_list.declaration import AllRecords, ListResult, RecordList
from components.record_list.list_data import (
    ID,
    build_file_table,
    build_table,
    count_file_pages,
    describe_progress,
    no_match_message,
    read_all_pages,
    sort_records,
)
from components.record_list.list_filters import (
    clear_filters,
    clear_unlisted_selection,
    fields_of,
    is_filtered,
    page_sizes,
    search_field,
    select_record,
    selection_field,
    size_field,
)
from components.record_list.record_detail import draw_close, draw_selected
from components.record_list.record_reads import draw_try_again, read_again, read_all, read_page
from components.record_list.record_table import page_table, pager
from components.record_list.unknown_changes import draw_unknown_changes
from components.shell.address import in_address
from components.shell.notices import show_problem
from components.shell.page_header import draw_age, draw_page_header
from components.shell.reading_view import draw_reading
from components.streamlit_workarounds.own_scripts import scroll_to_detail
from components.widgets.downloads import download_items, download_menu, download_popover
from components.widgets.empty_state import EmptyAction, draw_empty_state
from domain.runtime.background import ReadState
from domain.runtime.server import server
from domain.tables.loaded_records import NEW
from domain.text.plain_text import count, plain
from domain.text.time_text import moment

if TYPE_CHECKING:
    from components.record_list.declaration import PagedRecords
    from domain.runtime.workspace import Workspace

R = TypeVar("R")

MAX_DIRECT_PAGES: Final = 5
"""A file of up to this many pages is read when it is downloaded, and a longer one in advance."""
FILE_MAX_AGE: Final = timedelta(days=1)
"""How long a file that was read in advance is offered."""
SPLIT_WIDTHS: Final = [3, 2]
"""The widths of a list and of the record beside it."""


def draw_record_list(workspace: Workspace, record_list: RecordList[R]) -> None:
    """Draw the whole screen of a record list."""
    now = datetime.now(UTC)
    header = draw_page_header()
    if record_list.subject_kind:
        draw_unknown_changes(workspace, record_list.subject_kind)
    above_list, filter_row = st.container(), st.container()
    with in_address(*fields_of(record_list)):
        if isinstance(record_list.source, AllRecords):
            result = read_all(workspace, record_list, record_list.source, filter_row)
        else:
            with header.actions:
                _draw_new_button(workspace, record_list)
            result = read_page(workspace, record_list, record_list.source, filter_row)
        if result is None:
            return
        if isinstance(record_list.source, AllRecords) and result.loaded.records:
            with header.actions:
                _draw_new_button(workspace, record_list)
        if record_list.draw_above_list is not None:
            with above_list:
                record_list.draw_above_list(workspace, result)
        if not result.is_loaded:
            return
        if result.read_at is not None:
            with header.age:
                draw_age(
                    result.read_at, now=now, key=f"{record_list.key}-refresh", refresh=partial(read_again, record_list)
                )
        if result.total or is_filtered(record_list) or result.loaded.records or result.loaded.total:
            header.answer.markdown(plain(_summarize(workspace, record_list, result)))
        _draw_partly_read(record_list, result)
        if result.total or set(selection_field(record_list).get()) - {NEW} or is_filtered(record_list):
            _draw_list_and_detail(workspace, record_list, result)
        else:
            _draw_empty(workspace, record_list)


def _summarize(workspace: Workspace, record_list: RecordList[R], result: ListResult[R]) -> str:
    if record_list.summarize is not None:
        return record_list.summarize(workspace, result)
    return count(
        len(result.loaded.records) if isinstance(record_list.source, AllRecords) else result.total, *record_list.noun
    )


def _draw_partly_read(record_list: RecordList[R], result: ListResult[R]) -> None:
    error = result.loaded.error
    if error is None:
        return
    show_problem(error, key=f"{record_list.key}-rest", is_read=True)
    if result.loaded.records:
        records = count(len(result.loaded.records), *record_list.noun)
        st.warning(
            f"Muster could load only the first {records}. There may be more.",
            icon=":material/warning:",
        )
    draw_try_again(record_list, f"{record_list.key}-rest")


def _draw_empty(workspace: Workspace, record_list: RecordList[R]) -> None:
    new = record_list.new
    if new is not None and new.form is not None and selection_field(record_list).get() == [NEW]:
        with st.container(border=True, width=720):
            new.form(workspace)
            draw_close(record_list, "Close")
        return
    action = record_list.empty_action
    if action is None and new is not None:
        action = EmptyAction(new.label, partial(_begin_new, workspace, record_list))
    draw_empty_state(record_list.icon, record_list.empty_message, action, key=record_list.key)


def _draw_new_button(workspace: Workspace, record_list: RecordList[Any]) -> None:
    new = record_list.new
    if new is None:
        return
    pressed = st.button(
        new.label,
        key=f"{record_list.key}-new",
        type="primary" if new.is_primary else "secondary",
        icon=":material/add:",
        disabled=selection_field(record_list).get() == [NEW],
    )
    if pressed:
        _begin_new(workspace, record_list)


def _begin_new(workspace: Workspace, record_list: RecordList[Any]) -> None:
    if record_list.new is not None and record_list.new.open is not None:
        record_list.new.open(workspace)
    else:
        select_record(record_list, NEW)
        st.rerun()


def _draw_list_and_detail(workspace: Workspace, record_list: RecordList[R], result: ListResult[R]) -> None:
    clear_unlisted_selection(record_list, [record_list.identity(each) for each in result.records])
    selected_ids = selection_field(record_list).get()
    # The list is always in the first column, so that the browser does not draw it again after a selection.
    columns = st.columns(
        SPLIT_WIDTHS if selected_ids or (record_list.draw_side_panel is not None and result.total) else 1, gap="medium"
    )
    with columns[0]:
        _draw_list(workspace, record_list, result, is_beside=len(columns) > 1)
    if len(columns) == 1:
        return
    with columns[1]:
        with st.container(border=True):
            heading = st.container(horizontal=True, wrap=False, key="announced-selected")
            if selected_ids:
                draw_selected(workspace, record_list, result, selected_ids, heading)
            elif record_list.draw_side_panel is not None:
                record_list.draw_side_panel(workspace, result)
        detail = "/".join((record_list.key, *selected_ids)) if selected_ids else ""
        scroll_to_detail(detail, is_new=selected_ids == [NEW])


def _draw_list(workspace: Workspace, record_list: RecordList[R], result: ListResult[R], *, is_beside: bool) -> None:
    if not result.total:
        if is_filtered(record_list):
            has_filters = any(field.url_values() for each in record_list.filters for field in each.fields)
            with st.container(key=f"announced-{record_list.key}-none"):
                st.info(
                    plain(no_match_message(record_list, search_field(record_list).get(), has_filters=has_filters)),
                    icon=":material/search_off:",
                )
            st.button("Clear filters", key=f"{record_list.key}-clear", on_click=clear_filters, args=(record_list,))
        else:
            st.info(plain(record_list.empty_message), icon=f":material/{record_list.icon}:")
        return
    columns = {
        name: column.as_table_column()
        for name, column in record_list.columns.items()
        if not column.is_hidden and not (column.is_secondary and is_beside)
    }
    is_complete = isinstance(record_list.source, AllRecords)
    records = sort_records(record_list, result.records, result.query.order) if is_complete else result.records
    sortable = list(columns) if is_complete else record_list.source.sortable  # type: ignore[union-attr]
    table = st.container()
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        with st.container(width="stretch"):
            bounds = pager(
                result.total,
                key=f"{record_list.key}-page",
                page_size=result.query.page_size,
                noun=record_list.noun,
                page_sizes=page_sizes(record_list),
                size_field=size_field(record_list) if len(page_sizes(record_list)) > 1 else None,
                unfiltered_total=len(result.loaded.records) if is_complete else None,
            )
        _draw_download(workspace, record_list, result, records)
    with table:
        page_table(
            build_table(record_list, records[bounds.start : bounds.stop] if is_complete else records),
            columns,
            record_list.key,
            sortable=sortable,
            id_column=ID,
            selection=record_list.selection,
            selection_state=selection_field(record_list),
            noun=record_list.noun,
            default_order=record_list.default_order,
            placeholder=record_list.placeholder,
            has_cards=True,
        )


def _draw_download(
    workspace: Workspace, record_list: RecordList[R], result: ListResult[R], records: Sequence[R]
) -> None:
    stem = f"{record_list.key}-{workspace.actor.organization_id}-{datetime.now(UTC):%Y-%m-%d}"
    key, source = f"{record_list.key}-file", record_list.source
    if isinstance(source, AllRecords):
        make_json = partial(record_list.make_json, workspace, records) if record_list.make_json is not None else None
        download_menu(lambda: build_file_table(record_list, records), stem, key, make_json=make_json)
        return
    is_slow = (
        count_file_pages(source, result) > MAX_DIRECT_PAGES and source.read_file is None and source.max_age is not None
    )
    with download_popover(key):
        if result.total > source.max_file_records:
            st.caption(f"The file contains the first {source.max_file_records:,}. Use filters to download others.")
        if is_slow:
            _draw_prepared_download(workspace, record_list, source, result, stem)
        else:
            download_items(
                lambda: build_file_table(record_list, read_all_pages(workspace, source, result.query)), stem, key
            )


def _draw_prepared_download(
    workspace: Workspace, record_list: RecordList[R], source: PagedRecords[R], result: ListResult[R], stem: str
) -> None:
    """Draw the download of a file of many pages, which are read in the background in advance."""
    query = replace(result.query, page_number=1)
    name = (record_list.key, "file", *query.cache_key)
    file_read = server().reads.find(workspace, *name)
    now: ReadState[Sequence[R]] = ReadState()
    if file_read is not None:
        now = draw_reading(file_read, partial(describe_progress, record_list), key=f"{record_list.key}-file")
    if now.is_running:
        return
    records = now.value
    if records is not None:
        if now.read_at is not None:
            st.caption(f"as of {moment(now.read_at)}")
        download_items(lambda: build_file_table(record_list, records), stem, f"{record_list.key}-file")

    def make() -> None:
        if file_read is not None:
            file_read.restart()
        else:
            read_pages = partial(read_all_pages, workspace, source, query)
            server().reads.open(workspace, name, read_pages, max_age=FILE_MAX_AGE)

    st.button(
        "Prepare file" if records is None else "Prepare again",
        key=f"{record_list.key}-file-make",
        icon=":material/sync:",
        type="secondary" if records is None else "tertiary",
        on_click=make,
    )
