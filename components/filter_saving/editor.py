"""The builder's page around the rules: which filter, its head, and keeping what is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NoReturn

import streamlit as st

from client import NotFound
from components.change import kept_drafts
from components.change.removed_view import ask_to_remove, draw_removed, leave_if_removed
from components.change.sent_stage import draft_on_screen, draw_note
from components.contact_filters.draft import FilterDraft
from components.contact_filters.filter_change import FILTER, FILTER_REMOVAL, target_of
from components.contact_filters.filter_frame import last_change
from components.contact_filters.wire import base_filter
from components.filter_builder.actions import EDITOR
from components.filter_saving import opening, save_steps, saving
from components.filter_saving.opening import Address, Opened
from components.filter_saving.state import OPENED
from components.forms.form import new_uid
from components.framework.own_scripts import new_stage
from components.shell.navigation import go_to, link_to
from components.shell.notices import show_problem
from components.shell.screens import CONTACT_FILTER, CONTACT_FILTERS
from components.widgets.markdown_text import plain

if TYPE_CHECKING:
    from components.shell.workspace import Workspace

_NOT_FOUND: Final = {
    False: "It has been deleted, or the link is not complete.",
    True: "It may have been deleted, or its name be spelled in another way: names are compared to the letter.",
}
"""What may have become of a filter that is not there, by whether it was looked for by its name."""


def filter_on_screen(workspace: Workspace) -> FilterDraft:
    """Give the draft of this address, kept as it is now; end the run where there is none, or where it was sent."""
    leave_if_removed(FILTER_REMOVAL, CONTACT_FILTERS)
    _open(workspace)
    if EDITOR.draft.get() is None:
        _stop_without(OPENED.get())
    draft = draft_on_screen(workspace, EDITOR)
    if draft is None:
        st.stop()
    save_steps.heed_error(draft)
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
                    ask_to_remove(workspace, FILTER_REMOVAL, [target_of(base)], leave=True)
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
    held = EDITOR.draft.get()
    if held is not None and held.is_untouched:
        EDITOR.draft.clear()


def open_copy(workspace: Workspace, draft: FilterDraft) -> NoReturn:
    """Open a copy of a filter in the builder, kept as a draft of its own."""
    kept_drafts.save(workspace, FILTER, draft, seen=None)
    go_to(CONTACT_FILTER, draft=draft.uid)


def _draw_notes(workspace: Workspace, draft: FilterDraft, opened: Opened) -> None:
    draw_removed(workspace, FILTER_REMOVAL)
    draw_note(EDITOR)
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


def _open(workspace: Workspace) -> None:
    """Put the draft of this address on the screen, unless it is there already."""
    address = opening.address_of(st.query_params)
    if address.problem:
        save_steps.show(Opened(None, address.problem))
        return
    held = EDITOR.draft.get()
    if address.name and held is not None and held.is_change and held.name == address.name:
        return
    if not address.name and EDITOR.holds(address.draft, address.filter_id):
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


def _name_in_address(draft: FilterDraft, address: Address) -> None:
    """Let the address name the filter, or the draft of a new one, so that a refresh brings it back.

    It is done when the draft is opened: done while somebody types, it would lose what they type.
    """
    wanted = {"id": str(draft.filter_id)} if draft.is_change else {}
    if not draft.is_change or address.draft == draft.uid:
        wanted["draft"] = draft.uid
    if {name: st.query_params.get(name) for name in st.query_params} != wanted:
        st.query_params.from_dict(wanted)
