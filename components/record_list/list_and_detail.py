"""Drawing records: their list, one of them beside it or what can be done with several, and all that goes wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from client import NotFound, ServiceError
from client.fan_out import fan_out
from components.record_list.declared import Asked, Found, Records, Whole
from components.record_list.found import (
    ID,
    every_page,
    file_of,
    in_order_asked,
    matching,
    none_words,
    pages_of_a_file,
    picked_words,
    reading_words,
    table_of,
    total_of,
)
from components.record_list.narrowing import Find
from components.record_list.record_table import addressed_by, ordered_by, page_table, pager
from components.record_list.unknown_changes import draw_unknown_changes
from components.shell.address import AddressField, choice_field, choices_field, in_address, page_field, text_field
from components.shell.notices import show_problem
from components.shell.page_header import draw_age, draw_page_header
from components.shell.reading_view import draw_reading
from components.shell.state import StateKey
from components.streamlit_workarounds.own_scripts import in_sight
from components.widgets.downloads import download_row
from domain.runtime.background import Reading
from domain.runtime.server import server
from domain.tables.listed import NEW, Listed
from domain.tables.table_pages import PAGE_SIZE
from domain.text.plain_text import NOT_AN_ID, count, id_in, in_short, plain, quoted_id
from domain.text.time_text import moment
from journal import JournalError

if TYPE_CHECKING:
    from client.paging import Page
    from components.record_list.declared import Action, ByPage, Filter
    from domain.runtime.workspace import Workspace
    from domain.tables.listed import Tell

R = TypeVar("R")
T = TypeVar("T")

_WIDTH: Final = 8
READ_AT_ONCE: Final = 5
"""A file of so many pages is read when it is asked for."""
FILE_SHOWN_FOR: Final = timedelta(days=1)
"""How long what was read for a file is kept; it says of when it is."""
NAMED: Final = 12
"""How many of several that are picked are named."""


def records(workspace: Workspace, what: Records[R]) -> None:
    """Draw the whole screen of records."""
    now = datetime.now(UTC)
    header = draw_page_header()
    if what.subject_kind:
        draw_unknown_changes(workspace, what.subject_kind)
    above, narrowing = st.container(), st.container()
    with in_address(*_fields(what)):
        if isinstance(what.read, Whole):
            found = _whole(workspace, what, what.read, narrowing)
        else:
            with header.actions:
                _new_button(workspace, what)
            found = _page(workspace, what, what.read, narrowing)
        if found is None:
            return
        if isinstance(what.read, Whole) and found.listed.records:
            with header.actions:
                _new_button(workspace, what)
        if what.above is not None:
            with above:
                what.above(workspace, found)
        if not found.is_read:
            return
        if found.read_at is not None:
            with header.age:
                draw_age(found.read_at, now=now, key=f"{what.key}-refresh", refresh=partial(read_again, what))
        header.answer.markdown(plain(_answer(workspace, what, found)))
        _partly(what, found)
        if found.total or set(picks(what).get()) - {NEW} or _is_narrowed(what):
            _beside_each_other(workspace, what, found)
        else:
            _nothing_yet(workspace, what)


def picks(what: Records[Any]) -> AddressField[list[str]]:
    """What is picked, as the address says."""
    return choices_field(what.picked_in)


def read_again(what: Records[Any]) -> None:
    """Have the list read anew at the next drawing, as after a change of a record."""
    server().reads.outdate(what.key)


def at_hand(workspace: Workspace, what: Records[R]) -> Sequence[R]:
    """The records of a list that is read whole, as far as they were read; nothing is read for this."""
    held = server().reads.held(workspace, what.key, "all")
    return held.value.records if held is not None and held.value is not None else ()


def pick(what: Records[R], record_id: str | None) -> None:
    """Have this record shown beside the list at the next drawing; None for none."""
    picks(what).put([] if record_id is None else [record_id])


# Reading


def _whole(workspace: Workspace, what: Records[R], read: Whole[R], narrowing: Any) -> Found[R] | None:
    now = _read(workspace, what, ("all",), partial(read.read, workspace), place=narrowing)
    if now.value is None:
        return _not_read(now, Asked())
    listed = now.value
    if not listed.records:
        return Found([], 0, Asked(), listed, now.read_at)
    asked = _asked(workspace, what, narrowing)
    kept = matching(what, read, listed.records, asked, _find(what).get())
    return Found(kept, len(kept), asked, listed, now.read_at)


def _page(workspace: Workspace, what: Records[R], read: ByPage[R], narrowing: Any) -> Found[R] | None:
    asked = _asked(workspace, what, narrowing)
    place = narrowing.container()
    while True:
        now = _read(workspace, what, ("page", *asked.name), partial(_page_of, workspace, read, asked), place=place)
        if now.value is None:
            return _not_read(now, asked)
        page, total = now.value, total_of(now.value, asked)
        size = page.page_size or asked.size
        last = max(1, -(-total // size))
        if page.items or asked.number <= last:
            return Found(page.items, total, replace(asked, size=size), Listed(page.items), now.read_at)
        # The list has become shorter since, or the address says too much; where no total is told, the first page helps.
        asked = replace(asked, number=1 if page.total_count is None else last)


def _not_read(now: Reading[Any], asked: Asked) -> Found[R] | None:
    """What stands above a list stands there also where the list cannot be read; while it is read, it waits."""
    return None if now.error is None else Found([], 0, asked, Listed([], error=now.error), is_read=False)


def _page_of(workspace: Workspace, read: ByPage[R], asked: Asked, _: Tell) -> Page[R]:
    return read.read(workspace, asked)


def _read(
    workspace: Workspace, what: Records[Any], name: tuple[Any, ...], read: Callable[[Tell], T], *, place: Any
) -> Reading[T]:
    """Read it, or take what was read; what goes wrong, and how far it is, is drawn in its place."""
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
                st.caption(f"What is shown was read {moment(now.read_at)}.")
            _again(what, key)
    return now


def _again(what: Records[Any], key: str) -> None:
    st.button("Try again", key=f"{key}-again", icon=":material/refresh:", on_click=read_again, args=(what,))


# What is asked for


def _find(what: Records[Any]) -> AddressField[str]:
    return text_field(f"{what.key}-find")


def _size(what: Records[Any]) -> AddressField[str]:
    sizes = [str(size) for size in _sizes(what)]
    return choice_field(f"{what.key}-size", sizes, sizes[0])


def _sizes(what: Records[Any]) -> Sequence[int]:
    return (PAGE_SIZE,) if isinstance(what.read, Whole) else what.read.sizes


def filters_of(what: Records[Any]) -> list[Filter]:
    """What a list is narrowed by, the text that is looked for in one that is read whole first."""
    finds = isinstance(what.read, Whole) and what.read.search
    first: list[Filter] = [Find(_find(what), f"Find {what.a}", what.read.hint)] if finds else []  # type: ignore[union-attr]
    return [*first, *what.filters]


def _fields(what: Records[Any]) -> list[AddressField[Any]]:
    narrowing = [field for each in filters_of(what) for field in each.fields]
    return [*narrowing, *addressed_by(what.key), _size(what), picks(what)]


def _asked(workspace: Workspace, what: Records[Any], narrowing: Any) -> Asked:
    with narrowing, st.container(horizontal=True, vertical_alignment="bottom"):
        for each in filters_of(what):
            each.draw(workspace, partial(_start_over, what))
    fields = [field for each in what.filters for field in each.fields]
    shown = [name for name, column in what.columns.items() if not column.hidden]
    orders = shown if isinstance(what.read, Whole) else what.read.orders
    return Asked(
        number=page_field(f"{what.key}-page").get(),
        size=int(_size(what).get()),
        order=ordered_by(what.key, orders, what.by),
        values={field.name: field.get() for field in fields},
        written=tuple((field.name, tuple(field.given())) for field in fields),
    )


def _is_narrowed(what: Records[Any]) -> bool:
    return any(field.given() for each in filters_of(what) for field in each.fields)


def _narrowed_now(what: Records[Any]) -> StateKey[bool]:
    return StateKey(f"{what.key}-narrowed", lambda: False)


def _start_over(what: Records[Any]) -> None:
    """Other filters, another list: go to its first page."""
    page_field(f"{what.key}-page").set(1)
    _narrowed_now(what).set(True)


def clear_filters(what: Records[Any]) -> None:
    """Take every filter away; call it in a callback."""
    for each in filters_of(what):
        for field in each.fields:
            field.take([])
    _start_over(what)


# Drawing


def _answer(workspace: Workspace, what: Records[R], found: Found[R]) -> str:
    if what.answer is not None:
        return what.answer(workspace, found)
    return count(len(found.listed.records) if isinstance(what.read, Whole) else found.total, *what.noun)


def _partly(what: Records[R], found: Found[R]) -> None:
    error = found.listed.error
    if error is None:
        return
    show_problem(error, key=f"{what.key}-rest")
    if found.listed.records:
        st.warning(
            f"Only the first {count(len(found.listed.records), *what.noun)} could be read. "
            "What is not in this list may exist.",
            icon=":material/warning:",
        )
    _again(what, f"{what.key}-rest")


def _nothing_yet(workspace: Workspace, what: Records[R]) -> None:
    st.info(plain(what.empty), icon=":material/inbox:")
    if what.first is not None:
        what.first()
    if what.new is not None and what.new.form is not None:
        what.new.form(workspace)
    elif isinstance(what.read, Whole):
        _new_button(workspace, what)


def _new_button(workspace: Workspace, what: Records[Any]) -> None:
    new = what.new
    if new is None:
        return
    is_open = picks(what).get() == [NEW]
    pressed = st.button(
        new.label,
        key=f"{what.key}-new",
        type="primary" if new.primary else "secondary",
        icon=":material/add:",
        disabled=is_open,
    )
    if pressed and new.open is not None:
        new.open(workspace)
    elif pressed:
        pick(what, NEW)
        st.rerun()


def _beside_each_other(workspace: Workspace, what: Records[R], found: Found[R]) -> None:
    list_side, detail_side = st.columns([3, 2], gap="medium")
    with list_side:
        _list(workspace, what, found)
    picked = picks(what).get()
    if found.total or picked:
        with detail_side, st.container(border=True):
            _beside(workspace, what, found, picked)
        with detail_side:
            in_sight("/".join((what.key, *picked)) if picked else "", begun=picked == [NEW])


def _list(workspace: Workspace, what: Records[R], found: Found[R]) -> None:
    _let_go(what, [what.identity(each) for each in found.records])
    if not found.total:
        words = none_words(what, _find(what).get(), is_narrowed=any(f.given() for e in what.filters for f in e.fields))
        if _is_narrowed(what):
            st.info(plain(words), icon=":material/filter_alt_off:")
            st.button("Clear the filters", key=f"{what.key}-clear", on_click=clear_filters, args=(what,))
        else:
            st.info(plain(what.empty), icon=":material/inbox:")
        return
    columns = {name: column.shown() for name, column in what.columns.items() if not column.hidden}
    is_whole = isinstance(what.read, Whole)
    records = in_order_asked(what, found.records, found.asked.order) if is_whole else found.records
    orders = list(columns) if is_whole else what.read.orders  # type: ignore[union-attr]
    if what.selection == "many":
        st.caption("Tick one to read it, several to see what can be done with them together.")
    place = st.container()
    bounds = pager(
        found.total,
        key=f"{what.key}-page",
        page_size=found.asked.size,
        noun=what.noun,
        sizes=_sizes(what),
        sized=_size(what) if len(_sizes(what)) > 1 else None,
    )
    with place:
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
        )
    _files(workspace, what, found, records)


def _files(workspace: Workspace, what: Records[R], found: Found[R], records: Sequence[R]) -> None:
    stem = f"{what.key}-{workspace.actor.organization_id}-{datetime.now(UTC):%Y-%m-%d}"
    read = what.read
    if isinstance(read, Whole):
        download_row(lambda: file_of(what, records), stem, f"{what.key}-file")
        return
    if pages_of_a_file(read, found) > READ_AT_ONCE and read.read_file is None and read.good_for is not None:
        _files_read_first(workspace, what, read, found, stem)
    else:
        download_row(lambda: file_of(what, every_page(workspace, read, found.asked)), stem, f"{what.key}-file")
    if found.total > read.most_in_file:
        st.caption(f"A file holds the first {read.most_in_file:,} of these; narrow the list for others.")


def _files_read_first(workspace: Workspace, what: Records[R], read: ByPage[R], found: Found[R], stem: str) -> None:
    """Where a file takes many pages, they are read in the background before it is offered."""
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
        download_row(lambda: file_of(what, records), stem, f"{what.key}-file")

    def make() -> None:
        if held is not None:
            held.again()
        else:
            read_all = partial(every_page, workspace, read, asked)
            server().reads.open(workspace, name, read_all, good_for=FILE_SHOWN_FOR)

    with st.container(horizontal=True, vertical_alignment="center"):
        if now.read_at is not None:
            st.caption(f"as of {moment(now.read_at)}", width="content")
        st.button(
            "Make a file of them" if records is None else "Make it anew",
            key=f"{what.key}-file-make",
            icon=":material/download:" if records is None else ":material/refresh:",
            type="secondary" if records is None else "tertiary",
            on_click=make,
        )


def _let_go(what: Records[Any], listed: Sequence[str]) -> None:
    """Other filters let go of the one that is shown, where it is not among what they leave."""
    narrowed = _narrowed_now(what)
    if narrowed.get() and what.selection == "one":
        picks(what).set([each for each in picks(what).get() if each in listed or each == NEW])
    narrowed.clear()


# One beside the list, or several


def _beside(workspace: Workspace, what: Records[R], found: Found[R], picked: list[str]) -> None:
    if len(picked) > 1 and NEW in picked:
        picked = [each for each in picked if each != NEW]
        picks(what).set(picked)
    # It is there before anything is picked: what appears in it is read out.
    heading = st.container(key="announced-selected")
    chosen, are_read = _chosen(workspace, what, found, picked) if what.selection == "many" else ([], True)
    if not picked:
        st.caption(what.pick or f"Pick {what.a} to read it.")
    elif picked == [NEW] and what.new is not None and what.new.form is not None:
        what.new.form(workspace)
    elif len(picked) == 1:
        _one(workspace, what, found, picked[0], heading)
    else:
        _several(workspace, what, picked, chosen, heading, are_read=are_read)


def _one(workspace: Workspace, what: Records[R], found: Found[R], record_id: str, heading: DeltaGenerator) -> None:
    at_hand = {what.identity(each): each for each in found.listed.records}
    record = at_hand.get(record_id)
    if what.retrieve is not None and (record is None or what.thin):
        if what.long_ids and id_in(record_id) is None:
            st.info(f"{plain(quoted_id(record_id))} is not the id of {what.a}. {NOT_AN_ID}", icon=":material/help:")
            return
        read = _retrieved(workspace, what, what.retrieve, record_id)
        if isinstance(read, _Drawn):
            return
        record = read
    if record is None:
        missing = what.missing or f"The service has no {what.noun[0]} {{id}}. It may have been deleted meanwhile."
        st.info(plain(missing.format(id=quoted_id(record_id))), icon=":material/search_off:")
        return
    heading.header(plain(in_short(what.name(record))), anchor=False)
    _actions(workspace, what, [record], what.actions)
    what.detail(workspace, record)
    shown_id = what.identity(record) if what.shown_id is None else what.shown_id(record)
    if shown_id:
        st.caption("Id")
        st.code(shown_id, language=None)


class _Drawn:
    """What came of reading a record was drawn: that it runs, or failed."""


def _retrieved(
    workspace: Workspace, what: Records[R], retrieve: Callable[[Workspace, str], R | None], record_id: str
) -> R | _Drawn | None:
    def read(_: Tell) -> tuple[R | None]:
        return (_or_none(partial(retrieve, workspace), record_id),)

    one = replace(what, noun=(f"{what.noun[0]} {quoted_id(record_id)}",) * 2)
    now = _read(workspace, one, ("one", record_id), read, place=st.container())
    return _Drawn() if now.value is None else now.value[0]


def _several(
    workspace: Workspace,
    what: Records[R],
    picked: list[str],
    chosen: list[R],
    heading: DeltaGenerator,
    *,
    are_read: bool,
) -> None:
    heading.header(picked_words(what, len(picked)), anchor=False)
    st.markdown("\n".join(f"- {plain(what.name(each))}" for each in chosen[:NAMED]))
    if len(chosen) > NAMED:
        st.caption(f"and {len(chosen) - NAMED:,} more")
    if are_read and len(chosen) < len(picked):
        gone = len(picked) - len(chosen)
        st.caption(f"{count(gone, *what.noun)} {'is' if gone == 1 else 'are'} not there any more.")
    if chosen:
        _actions(workspace, what, chosen, [each for each in what.actions if each.several])
        download_row(lambda: file_of(what, chosen), f"{what.key}-picked", f"{what.key}-picked-file")


def _chosen(workspace: Workspace, what: Records[R], found: Found[R], picked: list[str]) -> tuple[list[R], bool]:
    """The records that are picked, as far as they are there, and whether all could be read.

    Those of other pages are as they were when they were seen.
    """
    are_read = True
    seen = _seen(what)
    known = seen.get() | {what.identity(each): each for each in found.listed.records}
    missing = [each for each in picked if each not in known and (not what.long_ids or id_in(each) is not None)]
    retrieve = what.retrieve
    if len(picked) > 1 and missing and retrieve is not None and not isinstance(what.read, Whole):

        def read(tell: Tell) -> dict[str, R]:
            there: dict[str, R] = {}
            outcomes = fan_out(partial(_or_none, partial(retrieve, workspace)), missing, width=_WIDTH)
            for done, outcome in enumerate(outcomes, start=1):
                if outcome.error is not None:
                    raise outcome.error
                if outcome.value is not None:
                    there[outcome.item] = outcome.value
                tell(done, len(missing))
            return there

        there = _read(workspace, what, ("picked", *missing), read, place=st.container()).value
        known, are_read = known | (there or {}), there is not None
    seen.set({each: known[each] for each in picked if each in known})
    return list(seen.get().values()), are_read


def _or_none(retrieve: Callable[[str], R | None], record_id: str) -> R | None:
    try:
        return retrieve(record_id)
    except NotFound:
        return None


def _seen(what: Records[R]) -> StateKey[dict[str, R]]:
    return StateKey(f"{what.key}-seen", dict)


def _actions(workspace: Workspace, what: Records[R], chosen: list[R], actions: Sequence[Action[R]]) -> None:
    if not actions:
        return
    # A press goes to the record it was made on, and not to one that came into its place.
    about = f"/{what.identity(chosen[0])}" if len(chosen) == 1 else "-several"
    with st.container(horizontal=True):
        for number, action in enumerate(actions):
            label = action.label if isinstance(action.label, str) else action.label(workspace, chosen[0])
            words = plain(label if len(chosen) == 1 else f"{label} {count(len(chosen), *what.noun)}")
            pressed = st.button(
                f":red[{words}]" if action.danger else words,
                key=f"{what.key}-{action.key or number}{about}",
                icon=action.icon,
            )
            if pressed:
                action.run(workspace, chosen)
