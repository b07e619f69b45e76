"""Drawing records: their list over the full width, and the selected one beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

import streamlit as st

from components.record_list.declared import Found, Records, Whole
from components.record_list.found import (
    ID,
    every_page,
    file_of,
    in_order_asked,
    none_words,
    pages_of_a_file,
    reading_words,
    table_of,
)
from components.record_list.list_filters import (
    clear_filters,
    fields_of,
    find_field,
    is_narrowed,
    keep_listed,
    pick,
    picks,
    size_field,
    sizes,
)
from components.record_list.record_detail import draw_close, draw_selected
from components.record_list.record_reads import draw_try_again, read_again, read_page, read_whole
from components.record_list.record_table import page_table, pager
from components.record_list.unknown_changes import draw_unknown_changes
from components.shell.address import in_address
from components.shell.notices import show_problem
from components.shell.page_header import draw_age, draw_page_header
from components.shell.reading_view import draw_reading
from components.streamlit_workarounds.own_scripts import in_sight
from components.widgets.downloads import download_items, download_menu, download_popover
from components.widgets.empty_state import EmptyAction, draw_empty_state
from domain.runtime.background import Reading
from domain.runtime.server import server
from domain.tables.listed import NEW
from domain.text.plain_text import count, plain
from domain.text.time_text import moment

if TYPE_CHECKING:
    from components.record_list.declared import ByPage
    from domain.runtime.workspace import Workspace

R = TypeVar("R")

READ_AT_ONCE: Final = 5
"""A file of so many pages is read when it is downloaded."""
FILE_SHOWN_FOR: Final = timedelta(days=1)
"""How long what was read for a file is offered, with its age."""
BESIDE: Final = [3, 2]
"""The widths of a list and of what is beside it."""


def records(workspace: Workspace, what: Records[R]) -> None:
    """Draw the whole screen of records."""
    now = datetime.now(UTC)
    header = draw_page_header()
    if what.subject_kind:
        draw_unknown_changes(workspace, what.subject_kind)
    above, narrowing = st.container(), st.container()
    with in_address(*fields_of(what)):
        if isinstance(what.read, Whole):
            found = read_whole(workspace, what, what.read, narrowing)
        else:
            with header.actions:
                _draw_new_button(workspace, what)
            found = read_page(workspace, what, what.read, narrowing)
        if found is None:
            return
        if isinstance(what.read, Whole) and found.listed.records:
            with header.actions:
                _draw_new_button(workspace, what)
        if what.above is not None:
            with above:
                what.above(workspace, found)
        if not found.is_read:
            return
        if found.read_at is not None:
            with header.age:
                draw_age(found.read_at, now=now, key=f"{what.key}-refresh", refresh=partial(read_again, what))
        if found.total or is_narrowed(what) or found.listed.records or found.listed.total:
            header.answer.markdown(plain(_answer(workspace, what, found)))
        _draw_partly_read(what, found)
        if found.total or set(picks(what).get()) - {NEW} or is_narrowed(what):
            _draw_list_and_detail(workspace, what, found)
        else:
            _draw_empty(workspace, what)


def _answer(workspace: Workspace, what: Records[R], found: Found[R]) -> str:
    if what.answer is not None:
        return what.answer(workspace, found)
    return count(len(found.listed.records) if isinstance(what.read, Whole) else found.total, *what.noun)


def _draw_partly_read(what: Records[R], found: Found[R]) -> None:
    error = found.listed.error
    if error is None:
        return
    show_problem(error, key=f"{what.key}-rest")
    if found.listed.records:
        st.warning(
            f"Muster could read only the first {count(len(found.listed.records), *what.noun)}. There may be more.",
            icon=":material/warning:",
        )
    draw_try_again(what, f"{what.key}-rest")


def _draw_empty(workspace: Workspace, what: Records[R]) -> None:
    new = what.new
    if new is not None and new.form is not None and picks(what).get() == [NEW]:
        with st.container(border=True, width=720):
            new.form(workspace)
            draw_close(what, "Close")
        return
    action = what.first
    if action is None and new is not None:
        action = EmptyAction(new.label, partial(_begin_new, workspace, what))
    draw_empty_state(what.icon, what.empty, action, key=what.key)


def _draw_new_button(workspace: Workspace, what: Records[Any]) -> None:
    new = what.new
    if new is None:
        return
    pressed = st.button(
        new.label,
        key=f"{what.key}-new",
        type="primary" if new.primary else "secondary",
        icon=":material/add:",
        disabled=picks(what).get() == [NEW],
    )
    if pressed:
        _begin_new(workspace, what)


def _begin_new(workspace: Workspace, what: Records[Any]) -> None:
    if what.new is not None and what.new.open is not None:
        what.new.open(workspace)
    else:
        pick(what, NEW)
        st.rerun()


def _draw_list_and_detail(workspace: Workspace, what: Records[R], found: Found[R]) -> None:
    keep_listed(what, [what.identity(each) for each in found.records])
    picked = picks(what).get()
    # The list is always in the first column, so that the browser keeps it as it is when something is selected.
    columns = st.columns(BESIDE if picked or (what.beside is not None and found.total) else 1, gap="medium")
    with columns[0]:
        _draw_list(workspace, what, found, is_beside=len(columns) > 1)
    if len(columns) == 1:
        return
    with columns[1]:
        with st.container(border=True):
            heading = st.container(horizontal=True, wrap=False, key="announced-selected")
            if picked:
                draw_selected(workspace, what, found, picked, heading)
            elif what.beside is not None:
                what.beside(workspace, found)
        in_sight("/".join((what.key, *picked)) if picked else "", begun=picked == [NEW])


def _draw_list(workspace: Workspace, what: Records[R], found: Found[R], *, is_beside: bool) -> None:
    if not found.total:
        if is_narrowed(what):
            others = any(field.given() for each in what.filters for field in each.fields)
            with st.container(key=f"announced-{what.key}-none"):
                st.info(
                    plain(none_words(what, find_field(what).get(), is_narrowed=others)), icon=":material/search_off:"
                )
            st.button("Clear filters", key=f"{what.key}-clear", on_click=clear_filters, args=(what,))
        else:
            st.info(plain(what.empty), icon=f":material/{what.icon}:")
        return
    columns = {
        name: column.shown()
        for name, column in what.columns.items()
        if not column.hidden and not (column.is_secondary and is_beside)
    }
    is_whole = isinstance(what.read, Whole)
    records = in_order_asked(what, found.records, found.asked.order) if is_whole else found.records
    orders = list(columns) if is_whole else what.read.orders  # type: ignore[union-attr]
    table = st.container()
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        with st.container(width="stretch"):
            bounds = pager(
                found.total,
                key=f"{what.key}-page",
                page_size=found.asked.size,
                noun=what.noun,
                sizes=sizes(what),
                sized=size_field(what) if len(sizes(what)) > 1 else None,
                of=len(found.listed.records) if is_whole else None,
            )
        _draw_download(workspace, what, found, records)
    with table:
        page_table(
            table_of(what, records[bounds.start : bounds.stop] if is_whole else records),
            columns,
            what.key,
            orders=orders,
            id_column=ID,
            selection=what.selection,
            picked_in=picks(what),
            noun=what.noun,
            by=what.by,
            placeholder=what.placeholder,
            has_cards=True,
        )


def _draw_download(workspace: Workspace, what: Records[R], found: Found[R], records: Sequence[R]) -> None:
    stem = f"{what.key}-{workspace.actor.organization_id}-{datetime.now(UTC):%Y-%m-%d}"
    key, read = f"{what.key}-file", what.read
    if isinstance(read, Whole):
        download_menu(lambda: file_of(what, records), stem, key)
        return
    is_slow = pages_of_a_file(read, found) > READ_AT_ONCE and read.read_file is None and read.good_for is not None
    with download_popover(key):
        if found.total > read.most_in_file:
            st.caption(f"The file contains the first {read.most_in_file:,}. Use filters to download others.")
        if is_slow:
            _draw_prepared_download(workspace, what, read, found, stem)
        else:
            download_items(lambda: file_of(what, every_page(workspace, read, found.asked)), stem, key)


def _draw_prepared_download(
    workspace: Workspace, what: Records[R], read: ByPage[R], found: Found[R], stem: str
) -> None:
    """Draw the download of a file of many pages, which are read in the background first."""
    asked = replace(found.asked, number=1)
    name = (what.key, "file", *asked.name)
    held = server().reads.held(workspace, *name)
    now: Reading[Sequence[R]] = Reading()
    if held is not None:
        now = draw_reading(held, partial(reading_words, what), key=f"{what.key}-file")
    if now.is_running:
        return
    records = now.value
    if records is not None:
        if now.read_at is not None:
            st.caption(f"as of {moment(now.read_at)}")
        download_items(lambda: file_of(what, records), stem, f"{what.key}-file")

    def make() -> None:
        if held is not None:
            held.again()
        else:
            read_all = partial(every_page, workspace, read, asked)
            server().reads.open(workspace, name, read_all, good_for=FILE_SHOWN_FOR)

    st.button(
        "Prepare file" if records is None else "Prepare again",
        key=f"{what.key}-file-make",
        icon=":material/sync:",
        type="secondary" if records is None else "tertiary",
        on_click=make,
    )
