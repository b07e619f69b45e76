"""What became of a draft whose sending began: done, under way, or unknown, with a way to find out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from client import ServiceError
from components.journal.fate import Fate, why_unknown
from components.shell.changing import follow
from components.shell.navigation import go_to, link_to
from components.shell.notices import done, show_problem
from components.shell.screens import JOURNAL, TRIP_EDITOR
from components.shell.screens import TRIP as TRIP_SCREEN
from components.trip_editor import draft_store, sending
from components.trip_editor.draft import TripDraft
from components.trip_editor.draft_store import Kept
from components.trip_editor.review import doing
from components.trip_editor.sending import Candidate
from components.trip_editor.state import DRAFT, FOUND, HELD, JUST_SENT, SEND_ERROR
from components.widgets.markdown_text import plain
from components.widgets.number_text import count
from components.widgets.time_text import moment

if TYPE_CHECKING:
    from components.shell.workspace import Workspace


def outcome(workspace: Workspace, kept: Kept) -> None:
    """Draw where a sent draft stands; one that was sent just now leads to its trip."""
    draft = kept.draft
    if kept.fate is Fate.SENT:
        if JUST_SENT.get() == draft.uid:
            JUST_SENT.clear()
            DRAFT.clear()
            go_to(TRIP_SCREEN, id=kept.sent_id, locator=draft.record_locator.strip())
        _sent(kept)
    elif kept.fate is Fate.SENDING:
        draw_sending(draft)
        follow(lambda: not draft_store.is_being_sent(workspace, draft.uid))
    else:
        _unknown(workspace, kept)


def _sent(kept: Kept) -> None:
    draft = kept.draft
    st.title(f"Trip {plain(draft.title)} has been sent")
    when = f" {moment(kept.entry.at)}" if kept.entry is not None else ""
    st.success(f"It was sent once,{when}. It is not sent again.", icon=":material/check_circle:")
    link_to(TRIP_SCREEN, f"Open trip {plain(draft.title)}", id=kept.sent_id, locator=draft.record_locator.strip())
    link_to(TRIP_EDITOR, "Add another trip")


def draw_sending(draft: TripDraft) -> None:
    """Say that the draft is on its way; the page is drawn again by itself once it is known what became of it."""
    st.title(f"Trip {plain(draft.title)} is being sent")
    st.info(
        "You can go on elsewhere, or close this tab: it is sent once, and you are told what became of it.",
        icon=":material/hourglass_top:",
    )


def _unknown(workspace: Workspace, kept: Kept) -> None:
    draft = kept.draft
    st.title(f"Trip {plain(draft.title)}: unknown")
    st.warning(
        f"**It is not known whether the service {'changed' if draft.is_change else 'added'} this trip.** "
        f"{why_unknown(kept.entry)} Nothing is sent again by itself: look first, then decide.",
        icon=":material/help:",
    )
    failed = SEND_ERROR.get()
    if failed is not None and failed[0] == draft.uid:
        show_problem(failed[1], doing=doing(draft), key="trip_editor-unknown")
    before = [int(each) for each in (kept.note or {}).get("held_before", [])]
    found = FOUND.get()
    looked = found is not None and found[0] == draft.uid
    st.button(
        "Look again" if looked else "Look at the service",
        key="trip_editor.look",
        type="secondary" if looked else "primary",
        icon=":material/search:",
        on_click=_look,
        args=(workspace, draft, before),
    )
    if found is not None and looked:
        if isinstance(found[1], Exception):
            show_problem(found[1], doing=f"looking for trip {draft.title}", key="trip_editor-look")
        else:
            _what_was_found(workspace, draft, found[1], before)
    link_to(JOURNAL, "See it in the journal")


def _what_was_found(workspace: Workspace, draft: TripDraft, found: list[Candidate], before: list[int]) -> None:
    st.subheader("What the service holds now")
    if not draft.is_change:
        st.caption(
            f"Under {plain(draft.title)}, before it was sent: "
            f"{', '.join(f'id {each}' for each in before) or 'no trip'}."
        )
    if not found:
        st.info(
            f"No trip with the record locator {plain(draft.title)}: it was not added, or not yet.",
            icon=":material/search_off:",
        )
    for candidate in found:
        with st.container(border=True):
            what = "was not there before" if candidate.is_new else "was there before"
            if draft.is_change:
                what = "the trip you changed" if candidate.itinerary_id == draft.itinerary_id else "another trip"
            st.markdown(f"**Id {candidate.itinerary_id}**, {what}")
            st.caption(_compared(candidate))
            with st.container(horizontal=True):
                link_to(TRIP_SCREEN, "Open it", id=candidate.itinerary_id, locator=draft.record_locator.strip())
                st.button(
                    "This is it: mark as done",
                    key=f"trip_editor.settle/{candidate.itinerary_id}",
                    icon=":material/check:",
                    type="primary" if candidate.looks_like_it and candidate is found[0] else "secondary",
                    on_click=_settle,
                    args=(workspace, draft, candidate.itinerary_id),
                )
    st.button(
        "It was not done: back to the review, to send it again",
        key="trip_editor.again",
        icon=":material/replay:",
        on_click=_again,
        args=(workspace, draft),
    )


def _compared(candidate: Candidate) -> str:
    said = count(candidate.expected, "expected location", "expected locations")
    if candidate.looks_like_it:
        return f"{said}, exactly those of this trip: it looks as if it was done."
    return f"{said}; {candidate.matching:,} of the {candidate.predicted:,} of this trip among them."


def _look(workspace: Workspace, draft: TripDraft, before: list[int]) -> None:
    try:
        FOUND.set((draft.uid, sending.look(workspace, draft, held_before=before)))
    except ServiceError as error:
        FOUND.set((draft.uid, error))


def _settle(workspace: Workspace, draft: TripDraft, itinerary_id: int) -> None:
    sending.settle_as_done(workspace, draft, itinerary_id)
    FOUND.clear()
    SEND_ERROR.clear()
    JUST_SENT.set(draft.uid)
    for said in sending.follow_up(workspace, draft, itinerary_id):
        done(said)


def _again(workspace: Workspace, draft: TripDraft) -> None:
    FOUND.clear()
    HELD.clear()
    SEND_ERROR.clear()
    again = draft.model_copy(update={"stage": "review"})
    draft_store.release(workspace, draft.uid)
    draft_store.save(workspace, again)
    DRAFT.set(again)
