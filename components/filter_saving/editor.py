"""The builder's page around the rules: which filter, its head, and keeping what is typed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, NoReturn

import streamlit as st

from client import NotFound
from components.change.kept_drafts import Fate
from components.contact_filters import draft_store
from components.contact_filters.comparison import is_untouched, same_work
from components.contact_filters.draft import FilterDraft, new_uid
from components.contact_filters.draft_store import Kept
from components.contact_filters.filter_frame import last_change
from components.contact_filters.state import DRAFT
from components.contact_filters.wire import base_filter
from components.filter_builder import actions
from components.filter_saving import opening, save_steps, saving
from components.filter_saving.opening import Address, Opened
from components.filter_saving.removal import target_of
from components.filter_saving.removal_view import ask_to_delete, draw_removed
from components.filter_saving.save_outcome import draw_outcome, draw_saving
from components.filter_saving.state import JUST_SAVED, LEAVE, LINKED, OPENED, SAVE_ERROR, SAVED
from components.shell.changing import is_under_way
from components.shell.navigation import go_to, link_to
from components.shell.notices import done, show_problem
from components.shell.screens import CONTACT_FILTER, CONTACT_FILTERS
from components.widgets.markdown_text import plain
from components.widgets.stage import new_stage

if TYPE_CHECKING:
    from components.shell.workspace import Workspace

OTHER_TAB: Final = (
    "You have this filter open in another tab too, and changed it there. What stands here is kept now: go on in one "
    "tab only. Undo brings back what the other has."
)
_NOT_FOUND: Final = {
    False: "It has been deleted, or the link is not complete.",
    True: "It may have been deleted, or its name be spelled in another way: names are compared to the letter.",
}
"""What may have become of a filter that is not there, by whether it was looked for by its name."""


def filter_on_screen(workspace: Workspace) -> FilterDraft:
    """Give the draft of this address, kept as it is now; end the run where there is none, or where it was sent."""
    if LEAVE.get():
        LEAVE.clear()
        go_to(CONTACT_FILTERS)
    _open(workspace)
    draft = actions.current()
    if draft is None:
        _stop_without(OPENED.get())
    if is_under_way(workspace, save_steps.SAVING, draft.uid):
        actions.put_fields_away()
        new_stage(draft.uid, Fate.SENDING)
        draw_saving(draft)
        st.stop()
    kept = draft_store.load(workspace, draft.uid)
    if kept is not None and kept.fate is not Fate.UNSENT:
        if kept.fate is Fate.SENT and JUST_SAVED.get() == draft.uid:
            _go_on_to_stored(draft, kept.sent_id)
        actions.put_fields_away()
        new_stage(draft.uid, kept.fate)
        draw_outcome(workspace, kept)
        st.stop()
    draft = _keep(workspace, draft, kept)
    DRAFT.set(draft)
    return draft


def draw_head(workspace: Workspace, draft: FilterDraft) -> None:
    """Draw what the filter is called, who changed it last, and what can be done with the whole of it."""
    new_stage(draft.uid, "edit")
    link_to(CONTACT_FILTERS, "All contact filters", icon=":material/arrow_back:")
    base = base_filter(draft)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"):
        st.title(plain(draft.title), anchor=False, width="content")
        if base is not None:
            with st.container(horizontal=True, width="content"):
                if st.button(
                    "Copy",
                    key="contact-filter-copy",
                    icon=":material/content_copy:",
                    help="Begin a new filter from what is on the screen; this one stays as it is.",
                ):
                    open_copy(workspace, saving.as_new(draft, uid=new_uid()))
                if st.button(":red[Delete]", key="contact-filter-delete", icon=":material/delete:"):
                    ask_to_delete(workspace, [target_of(base)], key="contact-filter-delete-dialog", leave=True)
    opened = OPENED.get() or Opened(draft)
    if base is not None:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption("Id", width="content")
            st.code(str(draft.filter_id), language=None, width="content")
            st.caption(plain(last_change(base)), width="content")
    else:
        st.caption("Nothing is sent until you save it. What you type is kept as a draft.")
    _draw_notes(workspace, draft, opened)


def let_go_of_untouched() -> None:
    """Forget a filter that was only looked at, so that it is read anew when it is opened again."""
    held = DRAFT.get()
    if held is not None and is_untouched(held):
        DRAFT.clear()


def open_copy(workspace: Workspace, draft: FilterDraft) -> NoReturn:
    """Open a copy of a filter in the builder, kept as a draft of its own."""
    draft_store.save(workspace, draft)
    go_to(CONTACT_FILTER, draft=draft.uid)


def _draw_notes(workspace: Workspace, draft: FilterDraft, opened: Opened) -> None:
    draw_removed(workspace)
    if opened.note:
        st.info(opened.note, icon=":material/edit_note:")
    if opened.error is not None and isinstance(opened.error, NotFound):
        st.warning(
            "**This filter is no longer at the service: somebody has deleted it.** What you built is still here, and "
            "can be saved as a new filter.",
            icon=":material/delete:",
        )
        st.button(
            "Make mine a new filter",
            key="contact-filter-as-new-above",
            icon=":material/add:",
            on_click=save_steps.as_new_filter,
            args=(workspace,),
            kwargs={"keep_name": True},
        )
    elif opened.error is not None:
        show_problem(opened.error, doing=opened.doing, key="contact-filter-reread")
    elif opened.seen is not None and opening.is_overtaken(opened, draft):
        st.warning(
            f"**It was changed at the service since you began your change**: {plain(last_change(opened.seen))}.",
            icon=":material/group:",
        )
        st.button(
            "Look at what was changed",
            key="contact-filter-look-at-theirs",
            icon=":material/compare:",
            on_click=save_steps.look_at_change,
            args=(workspace,),
        )


def _stop_without(opened: Opened | None) -> NoReturn:
    """Say why there is nothing to build on, and what to do."""
    st.title("Contact filter", anchor=False)
    if opened is not None and isinstance(opened.error, NotFound):
        st.info(
            f"The service has no such filter (while {plain(opened.doing)}). {_NOT_FOUND[opened.by_name]}",
            icon=":material/search_off:",
        )
    elif opened is not None and opened.error is not None:
        show_problem(opened.error, doing=opened.doing, key="contact-filter-open")
        st.button("Try again", key="contact-filter-open-again", icon=":material/refresh:", type="primary")
    elif opened is not None:
        st.error(plain(opened.note), icon=":material/error:")
    link_to(CONTACT_FILTERS, "All contact filters")
    st.stop()


def _go_on_to_stored(draft: FilterDraft, sent_id: int | None) -> NoReturn:
    """Open what was saved just now, as the service has it, and say that it is saved."""
    done(save_steps.saved_words(draft))
    JUST_SAVED.clear()
    DRAFT.clear()
    OPENED.clear()
    if sent_id is None:
        go_to(CONTACT_FILTERS)
    st.query_params.from_dict({"id": str(sent_id)})
    st.rerun()


def _open(workspace: Workspace) -> None:
    """Put the draft of this address on the screen, unless it is there already."""
    address = opening.address_of(st.query_params)
    if address.problem:
        save_steps.show(Opened(None, address.problem))
        return
    held = DRAFT.get()
    if held is not None and _is_of(held, address):
        if address.draft:
            LINKED.set(address.draft)
        return
    with st.spinner("Opening the contact filter"):
        if address.filter_id is not None:
            opened = opening.open_change(workspace, address.filter_id, address.draft)
        elif address.name:
            opened = opening.open_named(workspace, address.name)
        else:
            opened = opening.open_new(workspace, address.draft)
    save_steps.show(opened)
    if opened.draft is not None:
        _name_in_address(opened.draft, address)


def _is_of(held: FilterDraft, address: Address) -> bool:
    if address.filter_id is not None:
        return held.filter_id == address.filter_id and address.draft in ("", held.uid)
    if address.draft:
        return held.uid == address.draft
    if address.name:
        return held.is_change and held.name == address.name
    if held.is_change:
        return False
    # The browser may run the page again before it has taken up the address with the draft's name: only where that was
    # seen once does an address without it mean another, new filter.
    return is_untouched(held) or LINKED.get() != held.uid


def _name_in_address(draft: FilterDraft, address: Address) -> None:
    """Let the address name the filter, or the draft of a new one, so that a refresh brings it back.

    It is done when the draft is opened: done while somebody types, it would lose what they type.
    """
    wanted = {"id": str(draft.filter_id)} if draft.is_change else {}
    if not draft.is_change or address.draft == draft.uid:
        wanted["draft"] = draft.uid
    if {name: st.query_params.get(name) for name in st.query_params} != wanted:
        st.query_params.from_dict(wanted)


def _keep(workspace: Workspace, draft: FilterDraft, kept: Kept | None) -> FilterDraft:
    """Keep the draft where it differs from what is kept; what the service refused no longer stands once it changed."""
    saved = SAVED.get()
    if saved is not None and saved == draft:
        return draft
    if saved is not None and not same_work(saved, draft):
        SAVE_ERROR.clear()
        if draft.refused == saved.refused:
            draft = draft.model_copy(update={"refused": []})
    if kept is not None and saved is not None:
        _tell_of_other_tab(kept.draft, saved, draft)
    if not is_untouched(draft):
        draft_store.save(workspace, draft)
    elif saved is not None and not is_untouched(saved):
        # Everything was taken back: there is nothing to go on with.
        draft_store.discard(workspace, draft.uid)
    SAVED.set(draft)
    return draft


def _tell_of_other_tab(stood: FilterDraft, saved: FilterDraft, draft: FilterDraft) -> None:
    """Where the draft was changed elsewhere since it was kept from here, say so, and leave a way back to that."""
    if is_untouched(stood) or same_work(stood, saved) or same_work(stood, draft):
        return
    actions.remember("replace what another tab has", stood)
    OPENED.set(replace(OPENED.get() or Opened(draft), note=OTHER_TAB))
