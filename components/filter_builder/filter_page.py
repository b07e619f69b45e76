"""The builder's page around the rules: which filter, its head, what keeps it from being saved, and the buttons."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

import streamlit as st

from client import NotFound
from components.change import kept_drafts
from components.change.declaration import ExistsError
from components.change.removed_view import ask_to_remove, draw_removed, leave_if_removed
from components.change.sent_stage import ask_to_discard, draft_on_screen, draw_note
from components.contact_filters.filter_change import FILTER, FILTER_REMOVAL, last_change, target_of
from components.contact_filters.filter_draft import FilterDraft, base_filter
from components.contact_filters.filter_problems import FILTER_FORM, problems_of
from components.filter_builder import opened_filter
from components.filter_builder.opened_filter import OPENED, Opened, as_new, open_filter, opened_now
from components.filter_builder.rule_actions import EDITOR
from components.framework.own_scripts import new_stage
from components.shell.navigation import go_to, link_to
from components.shell.notices import draw_problem, show_problem
from components.shell.problems import explain
from components.shell.screens import CONTACT_FILTER, CONTACT_FILTERS
from components.widgets.field_problem import to_mend
from components.widgets.ids import NOT_AN_ID, id_in, quoted_id
from components.widgets.markdown_text import plain

if TYPE_CHECKING:
    from components.shell.workspace import Workspace


def filter_on_screen(workspace: Workspace) -> FilterDraft:
    """Give the draft of this address, kept as it is now; end the run where there is none, or where it was sent."""
    leave_if_removed(FILTER_REMOVAL, CONTACT_FILTERS)
    _open(workspace)
    if EDITOR.draft.get() is None:
        _stop_without(OPENED.get() or Opened(None))
    draft = draft_on_screen(workspace, EDITOR)
    if draft is None:
        st.stop()
    return opened_filter.heed_error(draft)


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
                    open_copy(workspace, draft)
                if st.button(":red[Delete]", key="contact-filter-delete", icon=":material/delete:"):
                    ask_to_remove(workspace, FILTER_REMOVAL, [target_of(base)], leave=True)
    if base is not None:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption("Id", width="content")
            st.code(str(draft.filter_id), language=None, width="content")
            st.caption(plain(last_change(base)), width="content")
    else:
        st.caption("Nothing is sent until you save it. What you type is kept as a draft.")
    draw_removed(workspace, FILTER_REMOVAL)
    draw_note(EDITOR)
    _draw_meanwhile(workspace, draft, opened_now(draft))


def draw_save(workspace: Workspace, draft: FilterDraft) -> None:
    """Draw the buttons that save or let go of the draft, with what stands in the way above them."""
    if draft.checked and not (draft.refused and EDITOR.error_of(draft) is not None):
        to_mend(FILTER_FORM.listed(draft, problems_of(draft)), before="saved")
    draw_save_error(draft)
    untouched = draft.is_untouched
    with st.container(horizontal=True):
        st.button(
            "Compare and save" if draft.is_change else "Save the filter",
            key="contact-filter-save",
            type="primary",
            icon=":material/save:",
            disabled=untouched and draft.is_change,
            help="Nothing is changed yet." if untouched and draft.is_change else None,
            on_click=opened_filter.ask_save,
            args=(workspace,),
        )
        if not untouched and st.button(
            "Discard the change" if draft.is_change else "Discard this draft",
            key="contact-filter-discard",
            icon=":material/delete_sweep:",
        ):
            ask_to_discard(workspace, EDITOR, draft)


def draw_save_error(draft: FilterDraft) -> None:
    """Say what went wrong when the draft was saved last."""
    error, doing = EDITOR.error_of(draft), FILTER.words.doing(draft)
    if error is None:
        return
    if isinstance(error, ExistsError):
        st.error(
            f"**There is already a contact filter called {plain(draft.title)}.** Nothing was saved. Give yours another "
            "name, or change the one that is there.",
            icon=":material/error:",
        )
        link_to(CONTACT_FILTER, "Open the one that is there", id=error.other.id or None, name=error.other.name)
    elif draft.refused:
        # What is wrong with which rule, once: under the service's words nobody would find it.
        said = FILTER_FORM.listed(draft, problems_of(draft))
        problem = replace(explain(error, doing), advice="  \n".join(f"• {line}" for line in said))
        draw_problem(problem, key="contact-filter-save")
    else:
        show_problem(error, doing=doing, key="contact-filter-save")


def draw_gone(workspace: Workspace) -> None:
    """Say that somebody deleted the filter, with the way to save it as a new one."""
    st.warning(
        "**This filter is no longer at the service: somebody has deleted it.** Nothing was saved. What you built is "
        "still here, and can be saved as a new filter.",
        icon=":material/delete:",
    )
    as_new_button(workspace, keep_name=True)


def as_new_button(workspace: Workspace, *, keep_name: bool) -> None:
    """Draw the button that makes a new filter of one's own."""
    st.button(
        "Make mine a new filter",
        key="contact-filter-as-new",
        type="primary" if keep_name else "secondary",
        icon=":material/add:",
        on_click=opened_filter.as_new_filter,
        args=(workspace,),
        kwargs={"keep_name": keep_name},
    )


def let_go_of_untouched() -> None:
    """Forget a filter that was only looked at, so that it is read anew when it is opened again."""
    held = EDITOR.draft.get()
    if held is not None and held.is_untouched:
        EDITOR.draft.clear()


def open_copy(workspace: Workspace, of: FilterDraft) -> NoReturn:
    """Open a copy of a filter in the builder, kept as a draft of its own."""
    copy = as_new(of)
    kept_drafts.save(workspace, FILTER, copy, seen=None)
    go_to(CONTACT_FILTER, draft=copy.uid)


def _draw_meanwhile(workspace: Workspace, draft: FilterDraft, opened: Opened) -> None:
    if isinstance(opened.error, NotFound):
        draw_gone(workspace)
    elif opened.error is not None:
        show_problem(opened.error, doing=opened.doing, key="contact-filter-reread")
    elif opened.seen is not None and opened_filter.is_overtaken(opened, draft):
        st.warning(
            f"**It was changed at the service since you began your change**: {plain(last_change(opened.seen))}.",
            icon=":material/group:",
        )
        st.button(
            "Look at what was changed",
            key="contact-filter-look-at-theirs",
            icon=":material/compare:",
            on_click=opened_filter.look_at_change,
            args=(workspace,),
        )


def _stop_without(opened: Opened) -> NoReturn:
    """Say why there is nothing to build on, and what to do."""
    st.title("Contact filter", anchor=False)
    if isinstance(opened.error, NotFound):
        st.info(
            f"The service has no such filter (while {plain(opened.doing)}). It has been deleted, or the link is not "
            "complete, or its name is spelled in another way: names are compared to the letter.",
            icon=":material/search_off:",
        )
    elif opened.error is not None:
        show_problem(opened.error, doing=opened.doing, key="contact-filter-open")
        st.button("Try again", key="contact-filter-open-again", icon=":material/refresh:", type="primary")
    elif opened.note:
        st.error(plain(opened.note), icon=":material/error:")
    link_to(CONTACT_FILTERS, "All contact filters")
    st.stop()


def _open(workspace: Workspace) -> None:
    """Put the draft of this address on the screen, unless it is there already.

    The address then names the filter, or the draft of a new one, so that a refresh brings it back. That is done when
    the draft is opened: done while somebody types, it would lose what they type.
    """
    given, name, uid = (st.query_params.get(each, "").strip() for each in ("id", "name", "draft"))
    number = id_in(given)
    if given and number is None:
        opened_filter.show(Opened(None, f"{quoted_id(given)} is not the id of a contact filter. {NOT_AN_ID}"))
        return
    name, held = "" if given else name, EDITOR.draft.get()
    if held is not None and held.is_change and held.name == name if name else EDITOR.holds(uid, number):
        return
    with st.spinner("Opening the contact filter"):
        opened = open_filter(workspace, number, name=name, uid=uid)
    opened_filter.show(opened)
    draft = opened.draft
    if draft is not None:
        wanted = {"id": str(draft.filter_id)} if draft.is_change else {}
        if not draft.is_change or uid == draft.uid:
            wanted["draft"] = draft.uid
        if {each: st.query_params.get(each) for each in st.query_params} != wanted:
            st.query_params.from_dict(wanted)
