"""The selected record beside its list with its actions, or several selected ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

import streamlit as st

from client import NotFound
from client.fan_out import fan_out
from components.record_list.declaration import AllRecords, ListResult, RecordList
from components.record_list.list_data import build_file_table, describe_selection
from components.record_list.list_filters import select_record, selection_field
from components.record_list.record_reads import read_with_progress
from components.shell.state import StateKey
from components.widgets.downloads import download_menu
from domain.tables.loaded_records import NEW
from domain.text.plain_text import NOT_AN_ID, count, id_in, in_short, plain, quoted_id

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from components.record_list.declaration import Action
    from domain.runtime.workspace import Workspace
    from domain.tables.loaded_records import ReportProgress

R = TypeVar("R")

_WIDTH: Final = 8
MAX_NAMES: Final = 12
"""The maximum number of selected records that are listed by name."""
MAX_BUTTONS: Final = 4
"""The maximum number of actions that are buttons. The others are in the menu *More*."""


def draw_selected(
    workspace: Workspace,
    record_list: RecordList[R],
    result: ListResult[R],
    selected_ids: list[str],
    heading: DeltaGenerator,
) -> None:
    """Draw the selected record, several selected ones, or the form of a new one. The title is drawn in `heading`."""
    if len(selected_ids) > 1 and NEW in selected_ids:
        selected_ids = [each for each in selected_ids if each != NEW]
        selection_field(record_list).set(selected_ids)
    selected, are_read = (
        _load_selected(workspace, record_list, result, selected_ids) if record_list.selection == "many" else ([], True)
    )
    if selected_ids == [NEW] and record_list.new is not None and record_list.new.form is not None:
        record_list.new.form(workspace)
        draw_close(record_list, "Close")
    elif len(selected_ids) == 1:
        _draw_record(workspace, record_list, result, selected_ids[0], heading)
    elif selected_ids:
        _draw_several(workspace, record_list, selected_ids, selected, heading, are_read=are_read)


def _draw_heading(record_list: RecordList[Any], place: DeltaGenerator, title: str, close: str) -> None:
    with place:
        st.header(plain(in_short(title)), anchor=False, width="stretch")
        draw_close(record_list, close)


def draw_close(record_list: RecordList[Any], label: str) -> None:
    """Draw the button that clears the selection."""
    st.button(
        label,
        key=f"{record_list.key}-close",
        icon=":material/close:",
        type="tertiary",
        on_click=select_record,
        args=(record_list, None),
    )


def _draw_record(
    workspace: Workspace, record_list: RecordList[R], result: ListResult[R], record_id: str, heading: DeltaGenerator
) -> None:
    by_id = {record_list.identity(each): each for each in result.loaded.records}
    record = by_id.get(record_id)
    if record_list.retrieve is not None and (record is None or record_list.has_partial_records):
        if record_list.has_numeric_ids and id_in(record_id) is None:
            st.info(
                f"{plain(quoted_id(record_id))} is not the ID of {record_list.noun_with_article}. {NOT_AN_ID}",
                icon=":material/help:",
            )
            return
        retrieved = _retrieve(workspace, record_list, record_list.retrieve, record_id)
        if isinstance(retrieved, _NotLoaded):
            return
        record = retrieved
    if record is None:
        message = (
            record_list.missing_message
            or f"The service has no {record_list.noun[0]} {{id}}. The {record_list.noun[0]} may have been deleted."
        )
        st.info(plain(message.format(id=quoted_id(record_id))), icon=":material/search_off:")
        draw_close(record_list, "Close")
        return
    _draw_heading(record_list, heading, record_list.name(record), "Close")
    _draw_actions(workspace, record_list, [record])
    record_list.draw_detail(workspace, record)
    displayed_id = (
        record_list.identity(record) if record_list.displayed_id is None else record_list.displayed_id(record)
    )
    if displayed_id:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption("ID", width="content")
            st.code(displayed_id, language=None, width="content")


class _NotLoaded:
    """The record is being read or could not be read, and the progress or error is drawn."""


def _retrieve(
    workspace: Workspace, record_list: RecordList[R], retrieve: Callable[[Workspace, str], R | None], record_id: str
) -> R | _NotLoaded | None:
    def load(_: ReportProgress) -> tuple[R | None]:
        return (_or_none(partial(retrieve, workspace), record_id),)

    one = replace(record_list, noun=(f"{record_list.noun[0]} {quoted_id(record_id)}",) * 2)
    now = read_with_progress(workspace, one, ("one", record_id), load, place=st.container())
    return _NotLoaded() if now.value is None else now.value[0]


def _draw_several(
    workspace: Workspace,
    record_list: RecordList[R],
    selected_ids: list[str],
    selected: list[R],
    heading: DeltaGenerator,
    *,
    are_read: bool,
) -> None:
    _draw_heading(record_list, heading, describe_selection(record_list, len(selected_ids)), "Clear")
    if selected:
        _draw_actions(workspace, record_list, selected)
    st.markdown("\n".join(f"- {plain(record_list.name(each))}" for each in selected[:MAX_NAMES]))
    if len(selected) > MAX_NAMES:
        st.caption(f"and {len(selected) - MAX_NAMES:,} more")
    if are_read and len(selected) < len(selected_ids):
        st.caption(f"{count(len(selected_ids) - len(selected), *record_list.noun)} no longer in the list.")


def _load_selected(
    workspace: Workspace, record_list: RecordList[R], result: ListResult[R], selected_ids: list[str]
) -> tuple[list[R], bool]:
    """Return the selected records that exist, and whether all could be read.

    Records of other pages are as they were when they were last drawn.
    """
    are_read = True
    drawn = _drawn_records(record_list)
    known = drawn.get() | {record_list.identity(each): each for each in result.loaded.records}
    missing = [
        each
        for each in selected_ids
        if each not in known and (not record_list.has_numeric_ids or id_in(each) is not None)
    ]
    retrieve = record_list.retrieve
    if len(selected_ids) > 1 and missing and retrieve is not None and not isinstance(record_list.source, AllRecords):

        def load(report: ReportProgress) -> dict[str, R]:
            loaded: dict[str, R] = {}
            outcomes = fan_out(partial(_or_none, partial(retrieve, workspace)), missing, width=_WIDTH)
            for done, outcome in enumerate(outcomes, start=1):
                if outcome.error is not None:
                    raise outcome.error
                if outcome.value is not None:
                    loaded[outcome.item] = outcome.value
                report(done, len(missing))
            return loaded

        loaded = read_with_progress(workspace, record_list, ("picked", *missing), load, place=st.container()).value
        known, are_read = known | (loaded or {}), loaded is not None
    drawn.set({each: known[each] for each in selected_ids if each in known})
    return list(drawn.get().values()), are_read


def _or_none(retrieve: Callable[[str], R | None], record_id: str) -> R | None:
    try:
        return retrieve(record_id)
    except NotFound:
        return None


def _drawn_records(record_list: RecordList[R]) -> StateKey[dict[str, R]]:
    return StateKey(f"{record_list.key}-seen", dict)


def _draw_actions(workspace: Workspace, record_list: RecordList[R], selected: list[R]) -> None:
    if len(selected) > 1:
        with st.container(horizontal=True):
            for action in record_list.actions:
                if action.allows_several:
                    _draw_action(workspace, record_list, selected, action)
            make_json = partial(record_list.make_json, workspace, selected) if record_list.make_json else None
            download_menu(
                lambda: build_file_table(record_list, selected),
                f"{record_list.key}-selected",
                f"{record_list.key}-picked-file",
                make_json=make_json,
            )
        return
    record = selected[0]
    offered = [each for each in record_list.actions if each.is_offered is None or each.is_offered(workspace, record)]
    first = [each for each in offered if not each.is_destructive][:MAX_BUTTONS]
    rest = [each for each in offered if each not in first]
    if not first and record_list.draw_buttons is None and record_list.draw_more is None:
        first, rest = rest, []
    if not first and not rest and record_list.draw_buttons is None and record_list.draw_more is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        if record_list.draw_buttons is not None:
            record_list.draw_buttons(workspace, record)
        for action in first:
            _draw_action(workspace, record_list, selected, action)
        if rest or record_list.draw_more is not None:
            # Each record has its own menu, so that an open one does not show the actions of the next record.
            with st.popover(
                "More", icon=":material/more_horiz:", key=f"{record_list.key}-more/{record_list.identity(record)}"
            ):
                if record_list.draw_more is not None:
                    record_list.draw_more(workspace, record)
                for action in rest:
                    _draw_action(workspace, record_list, selected, action)


def _draw_action(workspace: Workspace, record_list: RecordList[R], selected: list[R], action: Action[R]) -> None:
    # The key names the record, so that a press never goes to one that has taken its place.
    suffix = f"/{record_list.identity(selected[0])}" if len(selected) == 1 else "-several"
    label = action.label if isinstance(action.label, str) else action.label(workspace, selected[0])
    if action.allows_several:
        label = f"{label} {record_list.noun[0] if len(selected) == 1 else count(len(selected), *record_list.noun)}"
    text = plain(label)
    pressed = st.button(
        f":red[{text}]" if action.is_destructive else text,
        key=f"{record_list.key}-{action.key or record_list.actions.index(action)}{suffix}",
        icon=action.icon,
    )
    if pressed:
        action.run(workspace, selected)
