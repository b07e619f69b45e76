"""The trip editor from top to bottom: which draft, what became of it, the form with its preview, or the review."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from client import ServiceError
from components.journal.fate import Fate
from components.shell.changing import is_under_way
from components.shell.navigation import link_to
from components.shell.notices import show_problem
from components.shell.screens import FIND_TRIP, TRIP_EDITOR
from components.trip_editor import actions, draft_store, opening
from components.trip_editor.draft import TripDraft, new_trip
from components.trip_editor.field_problems import problems_of, worth_showing
from components.trip_editor.form_state import TRIP_FORM, to_itinerary
from components.trip_editor.opening import Opened
from components.trip_editor.outcome import draw_sending, outcome
from components.trip_editor.preview import preview
from components.trip_editor.review import SENDING, doing, review
from components.trip_editor.state import DRAFT, LINKED, NOTE, SAVED, SEND_ERROR, UNDO
from components.trip_editor.trip_form import trip_form
from components.widgets.field_problem import to_mend
from components.widgets.ids import NOT_AN_ID, id_in, quoted_id
from components.widgets.markdown_text import plain
from components.widgets.number_text import count
from components.widgets.stage import new_stage
from components.widgets.time_text import moment

if TYPE_CHECKING:
    from components.shell.workspace import Workspace


def trip_editor(workspace: Workspace) -> None:
    """Draw the editor for the address it stands at: a new trip, a kept draft, or the change of a trip."""
    _open(workspace)
    draft = actions.current()
    if draft is None:
        given = quoted_id(st.query_params.get("id", ""))
        st.info(f"{plain(given)} is not the id of an itinerary. {NOT_AN_ID}", icon=":material/search_off:")
        link_to(FIND_TRIP, "Find a trip")
        link_to(TRIP_EDITOR, "Add a trip")
        return
    if is_under_way(workspace, SENDING, draft.uid):
        new_stage(draft.uid, Fate.SENDING)
        draw_sending(draft)
        return
    kept = opening.fate_of(workspace, draft)
    new_stage(draft.uid, kept.fate if kept is not None else draft.stage)
    if kept is not None:
        outcome(workspace, kept)
        return
    draft = _keep(workspace, draft)
    DRAFT.set(draft)
    if draft.stage == "review":
        st.title(f"Review trip {plain(draft.title)}")
        review(workspace, draft)
    else:
        _edit(workspace, draft)


def _edit(workspace: Workspace, draft: TripDraft) -> None:
    _head(workspace, draft)
    found = problems_of(draft)
    left, right = st.columns([11, 7], gap="medium")
    with left:
        trip_form(draft, worth_showing(draft, found))
    with right:
        unfinished = {index for index, segment in enumerate(draft.segments) if found.of(segment.uid)}
        preview(to_itinerary(draft), key="trip_editor-preview", unfinished=unfinished)
        _failed(draft)
        if draft.checked:
            to_mend(TRIP_FORM.listed(draft, found))
        with st.container(horizontal=True):
            st.button(
                "Review and send",
                key="trip_editor.review",
                type="primary",
                icon=":material/rate_review:",
                on_click=actions.ask_review,
            )
            if not draft.is_untouched:
                st.button(
                    "Start over" if draft.is_change else "Discard this draft",
                    key="trip_editor.discard",
                    icon=":material/restart_alt:" if draft.is_change else ":material/delete_sweep:",
                    on_click=_start_over,
                    args=(workspace, draft),
                )


def _head(workspace: Workspace, draft: TripDraft) -> None:
    st.title(f"Change trip {plain(draft.title)}" if draft.is_change else "Add a trip")
    if NOTE.get():
        st.info(NOTE.get(), icon=":material/edit_note:")
    if draft.is_change and draft.base is None:
        st.warning(
            "This trip was not sent from this desk, and the service shows no way to read it back. "
            "What you send **replaces everything** the trip holds.",
            icon=":material/warning:",
        )
        st.button(
            "Fill in what its expected locations tell",
            key="trip_editor.fill_in",
            icon=":material/auto_fix_high:",
            on_click=_fill_in,
            args=(workspace,),
        )
    elif draft.is_change:
        last = opening.last_sent(workspace, draft.itinerary_id or 0, draft.record_locator.strip())
        said = f"As {plain(last.by)} last sent it from here, {moment(last.at)}. " if last is not None else ""
        st.caption(f"{said}A change made elsewhere since then does not show here, and is replaced by what you send.")
    else:
        st.caption("Nothing is sent until you have reviewed it. What you type is kept as a draft.")
    if not draft.is_change:
        _others(workspace, draft)


def _others(workspace: Workspace, draft: TripDraft) -> None:
    others = opening.others(workspace, draft)
    if not others:
        return
    with st.popover(
        count(len(others), "unfinished trip", "unfinished trips"), icon=":material/edit_note:", key="trip_editor.others"
    ):
        for kept in others:
            each = kept.draft
            state = "outcome unknown, " if kept.fate is Fate.UNKNOWN else ""
            label = f"{plain(each.title)} ({state}{moment(kept.saved_at)})"
            if each.is_change:
                link_to(TRIP_EDITOR, label, id=each.itinerary_id, locator=each.record_locator)
            else:
                link_to(TRIP_EDITOR, label, draft=each.uid)


def _failed(draft: TripDraft) -> None:
    failed = SEND_ERROR.get()
    if failed is not None and failed[0] == draft.uid:
        show_problem(failed[1], doing=doing(draft), key="trip_editor-form")


def _open(workspace: Workspace) -> None:
    """Put the draft of this address on the screen, unless it is there already."""
    uid = st.query_params.get("draft", "")
    locator = st.query_params.get("locator", "")
    given = st.query_params.get("id", "")
    itinerary_id = id_in(given)
    if given and itinerary_id is None:
        DRAFT.clear()
        return
    held = DRAFT.get()
    if held is not None and _is_of(held, itinerary_id, uid):
        if uid:
            LINKED.set(uid)
        return
    if itinerary_id is not None:
        opened = opening.open_change(workspace, itinerary_id, locator, uid)
    else:
        opened = opening.open_new(workspace, uid)
    _show(opened)
    if uid and opened.draft.uid != uid:
        del st.query_params["draft"]


def _is_of(held: TripDraft, itinerary_id: int | None, uid: str) -> bool:
    if itinerary_id is not None:
        return held.itinerary_id == itinerary_id and uid in ("", held.uid)
    if uid:
        return held.uid == uid
    if held.is_change:
        return False
    # The browser may run the page again before it has taken up the address with the draft's name: only where that was
    # seen once does an address without it mean another, new trip.
    return held.is_untouched or LINKED.get() != held.uid


def _show(opened: Opened) -> None:
    DRAFT.set(opened.draft)
    SAVED.set(opened.draft)
    NOTE.set(opened.note)
    UNDO.clear()
    SEND_ERROR.clear()


def _keep(workspace: Workspace, draft: TripDraft) -> TripDraft:
    """Keep the draft where it differs from what is kept; what the service refused no longer stands once it changed."""
    saved = SAVED.get()
    if saved is not None and saved == draft:
        return draft
    if saved is not None and draft.refused == saved.refused and not TRIP_FORM.same_content(saved, draft):
        draft = draft.model_copy(update={"refused": []})
        SEND_ERROR.clear()
    if not draft.is_untouched:
        draft_store.save(workspace, draft)
        if not draft.is_change:
            st.query_params["draft"] = draft.uid
    SAVED.set(draft)
    return draft


def _fill_in(workspace: Workspace) -> None:
    draft = actions.current()
    if draft is None:
        return
    try:
        opened = opening.from_expected_locations(workspace, draft)
    except ServiceError as error:
        SEND_ERROR.set((draft.uid, error))
        return
    if opened.draft is not draft:
        draft_store.discard(workspace, draft.uid)
    _show(opened)


def _start_over(workspace: Workspace, draft: TripDraft) -> None:
    draft_store.discard(workspace, draft.uid)
    if draft.itinerary_id is None:
        st.query_params.clear()
        _show(Opened(new_trip()))
    else:
        _show(opening.fresh_change(workspace, draft.itinerary_id, draft.record_locator.strip()))
