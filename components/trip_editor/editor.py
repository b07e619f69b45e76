"""The trip editor from top to bottom: which draft, what became of it, the form with its preview, or the review."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from client import ServiceError
from components.change import kept_drafts
from components.change.sent_stage import draft_on_screen, draw_error, draw_note, draw_unfinished
from components.framework.own_scripts import new_stage
from components.shell.navigation import link_to
from components.shell.screens import FIND_TRIP, TRIP_EDITOR
from components.trip_editor import base_version
from components.trip_editor.field_problems import problems_of, worth_showing
from components.trip_editor.form_state import TRIP_FORM, to_itinerary
from components.trip_editor.preview import preview
from components.trip_editor.trip_change import TRIP
from components.trip_editor.trip_draft import TripDraft, new_trip
from components.trip_editor.trip_form import EDITOR, trip_form
from components.trip_editor.trip_review import HELD, review
from components.widgets.field_problem import to_mend
from components.widgets.ids import NOT_AN_ID, id_in, quoted_id
from components.widgets.markdown_text import plain
from components.widgets.time_text import moment

if TYPE_CHECKING:
    from components.shell.workspace import Workspace


def trip_editor(workspace: Workspace) -> None:
    """Draw the editor for the address it stands at: a new trip, a kept draft, or the change of a trip."""
    given = st.query_params.get("id", "")
    itinerary_id = id_in(given)
    if given and itinerary_id is None:
        st.info(f"{plain(quoted_id(given))} is not the id of an itinerary. {NOT_AN_ID}", icon=":material/search_off:")
        link_to(FIND_TRIP, "Find a trip")
        link_to(TRIP_EDITOR, "Add a trip")
        return
    _open(workspace, itinerary_id)
    draft = draft_on_screen(workspace, EDITOR)
    if draft is None:
        return
    new_stage(draft.uid, draft.stage)
    if not draft.is_change and not draft.is_untouched:
        st.query_params["draft"] = draft.uid
    if draft.stage == "review":
        st.title(f"Review trip {plain(draft.title)}")
        review(workspace, draft)
    else:
        _edit(workspace, draft)


def _edit(workspace: Workspace, draft: TripDraft) -> None:
    # Each review looks anew what the service holds under the record locator.
    HELD.clear()
    _head(workspace, draft)
    found = problems_of(draft)
    left, right = st.columns([11, 7], gap="medium")
    with left:
        trip_form(draft, worth_showing(draft, found))
    with right:
        unfinished = {index for index, segment in enumerate(draft.segments) if found.of(segment.uid)}
        preview(to_itinerary(draft), key="trip_editor-preview", unfinished=unfinished)
        draw_error(EDITOR, draft)
        if draft.checked:
            to_mend(TRIP_FORM.listed(draft, found))
        with st.container(horizontal=True):
            st.button(
                "Review and send",
                key="trip_editor.review",
                type="primary",
                icon=":material/rate_review:",
                on_click=EDITOR.set_stage,
                kwargs={"review": True},
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
    draw_note(EDITOR)
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
        last = base_version.last_sent(workspace, draft.itinerary_id or 0, draft.record_locator.strip())
        said = f"As {plain(last.by)} last sent it from here, {moment(last.at)}. " if last is not None else ""
        st.caption(f"{said}A change made elsewhere since then does not show here, and is replaced by what you send.")
    else:
        st.caption("Nothing is sent until you have reviewed it. What you type is kept as a draft.")
    if not draft.is_change:
        draw_unfinished(workspace, EDITOR, but=draft.uid)


def _open(workspace: Workspace, itinerary_id: int | None) -> None:
    """Put the draft of this address on the screen, unless it is there already."""
    uid, locator = st.query_params.get("draft", ""), st.query_params.get("locator", "")
    if EDITOR.holds(uid, itinerary_id) or (itinerary_id is None and EDITOR.back_from_review(workspace, uid)):
        return
    kept, note = EDITOR.kept_for(workspace, uid, itinerary_id)
    if kept is not None:
        EDITOR.show(kept.draft, note, version=kept.version)
    elif itinerary_id is not None:
        EDITOR.show(base_version.fresh_change(workspace, itinerary_id, locator))
    else:
        EDITOR.show(new_trip(), "That draft is no longer here: this is a new trip." if uid else "")
    if uid and (kept is None or kept.draft.uid != uid):
        del st.query_params["draft"]


def _fill_in(workspace: Workspace) -> None:
    draft = EDITOR.current()
    if draft is None:
        return
    try:
        filled = base_version.from_expected_locations(workspace, draft)
    except ServiceError as error:
        EDITOR.failed(draft, error)
        return
    if filled is None:
        EDITOR.note.set("Its expected locations tell too little to fill in the form.")
        return
    kept_drafts.discard(workspace, TRIP, draft.uid)
    EDITOR.show(filled, "Filled in from its expected locations. They carry no carriers and no numbers.")


def _start_over(workspace: Workspace, draft: TripDraft) -> None:
    kept_drafts.discard(workspace, TRIP, draft.uid)
    if draft.itinerary_id is None:
        st.query_params.clear()
        EDITOR.show(new_trip())
    else:
        EDITOR.show(base_version.fresh_change(workspace, draft.itinerary_id, draft.record_locator.strip()))
