"""A record beside its list with what can be done with it, or several that are selected."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

import streamlit as st

from client import NotFound
from client.fan_out import fan_out
from components.record_list.declared import Found, Records, Whole
from components.record_list.found import file_of, picked_words
from components.record_list.list_filters import pick, picks
from components.record_list.record_reads import read_in_place
from components.shell.state import StateKey
from components.widgets.downloads import download_menu
from domain.tables.listed import NEW
from domain.text.plain_text import NOT_AN_ID, count, id_in, in_short, plain, quoted_id

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from components.record_list.declared import Action
    from domain.runtime.workspace import Workspace
    from domain.tables.listed import Tell

R = TypeVar("R")

_WIDTH: Final = 8
NAMED: Final = 12
"""How many of several selected records are named."""
BUTTONS: Final = 4
"""How many actions of a record are buttons; the others are in the menu *More*."""


def draw_selected(
    workspace: Workspace, what: Records[R], found: Found[R], picked: list[str], heading: DeltaGenerator
) -> None:
    """Draw what is selected: a record, several, or the form of a new one; its name is drawn in `heading`."""
    if len(picked) > 1 and NEW in picked:
        picked = [each for each in picked if each != NEW]
        picks(what).set(picked)
    chosen, are_read = _chosen(workspace, what, found, picked) if what.selection == "many" else ([], True)
    if picked == [NEW] and what.new is not None and what.new.form is not None:
        what.new.form(workspace)
        draw_close(what, "Close")
    elif len(picked) == 1:
        _draw_record(workspace, what, found, picked[0], heading)
    elif picked:
        _draw_several(workspace, what, picked, chosen, heading, are_read=are_read)


def _draw_heading(what: Records[Any], place: DeltaGenerator, title: str, close: str) -> None:
    with place:
        st.header(plain(in_short(title)), anchor=False, width="stretch")
        draw_close(what, close)


def draw_close(what: Records[Any], label: str) -> None:
    """Draw the button that clears the selection."""
    st.button(
        label, key=f"{what.key}-close", icon=":material/close:", type="tertiary", on_click=pick, args=(what, None)
    )


def _draw_record(
    workspace: Workspace, what: Records[R], found: Found[R], record_id: str, heading: DeltaGenerator
) -> None:
    by_id = {what.identity(each): each for each in found.listed.records}
    record = by_id.get(record_id)
    if what.retrieve is not None and (record is None or what.thin):
        if what.long_ids and id_in(record_id) is None:
            st.info(f"{plain(quoted_id(record_id))} is not the ID of {what.a}. {NOT_AN_ID}", icon=":material/help:")
            return
        read = _retrieved(workspace, what, what.retrieve, record_id)
        if isinstance(read, _Drawn):
            return
        record = read
    if record is None:
        missing = what.missing or f"The service has no {what.noun[0]} {{id}}. The {what.noun[0]} may have been deleted."
        st.info(plain(missing.format(id=quoted_id(record_id))), icon=":material/search_off:")
        draw_close(what, "Close")
        return
    _draw_heading(what, heading, what.name(record), "Close")
    _draw_actions(workspace, what, [record])
    what.detail(workspace, record)
    shown_id = what.identity(record) if what.shown_id is None else what.shown_id(record)
    if shown_id:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption("ID", width="content")
            st.code(shown_id, language=None, width="content")


class _Drawn:
    """That a record is being read, or could not be read, was drawn."""


def _retrieved(
    workspace: Workspace, what: Records[R], retrieve: Callable[[Workspace, str], R | None], record_id: str
) -> R | _Drawn | None:
    def read(_: Tell) -> tuple[R | None]:
        return (_or_none(partial(retrieve, workspace), record_id),)

    one = replace(what, noun=(f"{what.noun[0]} {quoted_id(record_id)}",) * 2)
    now = read_in_place(workspace, one, ("one", record_id), read, place=st.container())
    return _Drawn() if now.value is None else now.value[0]


def _draw_several(
    workspace: Workspace,
    what: Records[R],
    picked: list[str],
    chosen: list[R],
    heading: DeltaGenerator,
    *,
    are_read: bool,
) -> None:
    _draw_heading(what, heading, picked_words(what, len(picked)), "Clear")
    if chosen:
        _draw_actions(workspace, what, chosen)
    st.markdown("\n".join(f"- {plain(what.name(each))}" for each in chosen[:NAMED]))
    if len(chosen) > NAMED:
        st.caption(f"and {len(chosen) - NAMED:,} more")
    if are_read and len(chosen) < len(picked):
        st.caption(f"{count(len(picked) - len(chosen), *what.noun)} no longer in the list.")


def _chosen(workspace: Workspace, what: Records[R], found: Found[R], picked: list[str]) -> tuple[list[R], bool]:
    """Return the selected records, as far as they exist, and whether all could be read.

    Those of other pages are as they were when they were last drawn.
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

        there = read_in_place(workspace, what, ("picked", *missing), read, place=st.container()).value
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


def _draw_actions(workspace: Workspace, what: Records[R], chosen: list[R]) -> None:
    if len(chosen) > 1:
        with st.container(horizontal=True):
            for action in what.actions:
                if action.several:
                    _draw_action(workspace, what, chosen, action)
            download_menu(lambda: file_of(what, chosen), f"{what.key}-selected", f"{what.key}-picked-file")
        return
    record = chosen[0]
    offered = [each for each in what.actions if each.is_offered is None or each.is_offered(workspace, record)]
    first = [each for each in offered if not each.danger][:BUTTONS]
    rest = [each for each in offered if each not in first]
    if not first and what.buttons is None and what.more is None:
        first, rest = rest, []
    if not first and not rest and what.buttons is None and what.more is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        if what.buttons is not None:
            what.buttons(workspace, record)
        for action in first:
            _draw_action(workspace, what, chosen, action)
        if rest or what.more is not None:
            # A menu of its own for each record: one that stands open does not pass to the next.
            with st.popover("More", icon=":material/more_horiz:", key=f"{what.key}-more/{what.identity(record)}"):
                if what.more is not None:
                    what.more(workspace, record)
                for action in rest:
                    _draw_action(workspace, what, chosen, action)


def _draw_action(workspace: Workspace, what: Records[R], chosen: list[R], action: Action[R]) -> None:
    # A press goes to the record it was made on, and not to one that came into its place.
    about = f"/{what.identity(chosen[0])}" if len(chosen) == 1 else "-several"
    label = action.label if isinstance(action.label, str) else action.label(workspace, chosen[0])
    if action.several:
        label = f"{label} {what.noun[0] if len(chosen) == 1 else count(len(chosen), *what.noun)}"
    words = plain(label)
    pressed = st.button(
        f":red[{words}]" if action.danger else words,
        key=f"{what.key}-{action.key or what.actions.index(action)}{about}",
        icon=action.icon,
    )
    if pressed:
        action.run(workspace, chosen)
