"""The last look before a trip is sent: what it is, what follows, what is different, what stands in the way."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import pandas as pd
import streamlit as st

from client import ServiceError
from components.change.sent_stage import draw_error
from components.forms.on_screen import OnScreen
from components.records.record_table import record_table
from components.shell.navigation import link_to
from components.shell.screens import TRIP as TRIP_SCREEN
from components.shell.state import StateKey
from components.trip_editor import base_version
from components.trip_editor.difference import differences, segment_words, traveller_words
from components.trip_editor.form_state import TRIP_FORM, to_itinerary
from components.trip_editor.preview import preview
from components.trip_editor.trip_change import HELD_BEFORE, ids_with_locator, request_of
from components.trip_editor.trip_draft import TripDraft
from components.trip_editor.trip_form import EDITOR
from components.widgets.markdown_text import plain
from components.widgets.number_text import count
from components.widgets.payload_view import request_expander
from components.widgets.time_text import moment

if TYPE_CHECKING:
    from components.shell.workspace import Workspace

HELD: Final = StateKey[tuple[str, list[int] | Exception] | None]("trip_editor.held", lambda: None)
"""Under which record locator was looked, and what the service held there."""


def review(workspace: Workspace, draft: TripDraft) -> None:
    """Draw the review of a draft that may be sent, and its one button."""
    now = datetime.now(UTC)
    itinerary = to_itinerary(draft)
    left, right = st.columns([11, 7], gap="medium")
    with left:
        held = _already_there(workspace, draft)
        _changed_in_between(workspace, draft)
        _content(draft)
        _different(draft)
        _roster(workspace, draft)
        request_expander("Show the request", request_of(draft, at=now), key="trip_editor-request")
        draw_error(EDITOR, draft)
        with st.container(horizontal=True):
            st.button(
                "Back to the form",
                key="trip_editor.back",
                icon=":material/arrow_back:",
                on_click=EDITOR.set_stage,
                kwargs={"review": False},
            )
            label = send_label(draft)
            st.button(
                f":red[**{plain(label)}**]" if itinerary.is_canceled else plain(label),
                key="trip_editor.send",
                type="secondary" if itinerary.is_canceled else "primary",
                icon=":material/event_busy:" if itinerary.is_canceled else ":material/send:",
                on_click=_send,
                args=(workspace, held),
            )
    with right:
        preview(itinerary, key="trip_editor-review")


def send_label(draft: TripDraft) -> str:
    """What the button says: what it does, and to which trip."""
    if to_itinerary(draft).is_canceled:
        return f"Cancel trip {draft.title}"
    return f"Send the change of trip {draft.title}" if draft.is_change else f"Add trip {draft.title}"


def _send(workspace: Workspace, held: list[int] | None) -> None:
    HELD.clear()
    EDITOR.send(workspace, {HELD_BEFORE: None if held is None else [str(each) for each in held]})


def _content(draft: TripDraft) -> None:
    wire = to_itinerary(draft).to_wire()
    segments, travellers = wire.get("segments", []), wire.get("passengers", [])
    st.subheader("What will be sent")
    facts = [f"Record locator **{plain(draft.title)}**"]
    if draft.external_id.strip():
        facts.append(f"external trip id {plain(draft.external_id)}")
    facts.append(f"status {plain(draft.status)}")
    if draft.source.strip():
        facts.append(f"source {plain(draft.source)}")
    st.markdown(" · ".join(facts))
    st.markdown(f"**{count(len(segments), 'segment', 'segments')}**")
    _table(
        pd.DataFrame(
            [
                (
                    segment_words(segment, timed=False),
                    *(
                        str(segment.get(name, "")).replace("T", " ")[:16]
                        for name in ("fromDateTimeLocal", "toDateTimeLocal", "fromDateTime", "toDateTime")
                    ),
                )
                for segment in segments
            ],
            columns=["Segment", "Starts, local", "Ends, local", "Starts, UTC", "Ends, UTC"],
        ),
        "trip_editor-segments",
    )
    people = "; ".join(plain(traveller_words(traveller)) for traveller in travellers)
    st.markdown(f"**{count(len(travellers), 'traveller', 'travellers')}**: {people or 'nobody'}")
    st.caption(
        "Contacts are made for travellers who have none."
        if draft.auto_create_contact
        else "Travellers without a contact are left out: no contact is made."
    )


def _different(draft: TripDraft) -> None:
    if not draft.is_change:
        return
    st.subheader("What is different")
    if draft.base is None:
        st.warning(
            "This trip was made elsewhere, and the service shows no way to read it back. What you send **replaces "
            "everything** it holds.",
            icon=":material/warning:",
        )
        return
    found = differences(draft.base, to_itinerary(draft).to_wire())
    if not found:
        st.info("Nothing: this is the trip as it was last sent from here.", icon=":material/info:")
        return
    _table(
        pd.DataFrame(
            # What will be sent comes before what was: a phone shows two columns.
            [("\n".join(filter(None, (each.where, each.what))), each.now, each.before) for each in found],
            columns=["What", "Now", "Last sent"],
        ),
        "trip_editor-differences",
    )


def _table(table: pd.DataFrame, key: str) -> None:
    record_table(table, {name: name for name in table.columns}, key, selection=None)


def _already_there(workspace: Workspace, draft: TripDraft) -> list[int] | None:
    """Look up the record locator, once a review; return the ids the service holds under it, None where unknown."""
    locator = draft.record_locator.strip()
    known = HELD.get()
    if known is None or known[0] != locator:
        try:
            known = (locator, ids_with_locator(workspace, locator))
        except ServiceError as error:
            known = (locator, error)
        HELD.set(known)
    answer = known[1]
    if isinstance(answer, Exception):
        st.warning(
            "Whether the service already holds a trip with this record locator could not be looked up.",
            icon=":material/warning:",
        )
        return None
    others = [each for each in answer if each != draft.itinerary_id]
    if others:
        st.warning(
            f"**Trip {plain(locator)} already exists** at the service "
            f"({'id' if len(others) == 1 else 'ids'} {', '.join(str(each) for each in others)}). "
            + (
                "The service refuses a change that takes another trip’s record locator."
                if draft.is_change
                else "Adding it again replaces that trip with this one, under a new id."
            ),
            icon=":material/warning:",
        )
        link_to(TRIP_SCREEN, "Open the trip that is there", id=others[0], locator=locator)
    return answer


def _changed_in_between(workspace: Workspace, draft: TripDraft) -> None:
    since = base_version.changed_since(workspace, draft)
    if since is None:
        return
    st.warning(
        f"**{plain(since.by)} has {base_version.removal_words(since)} this trip** from this desk since you opened it "
        f"({moment(since.at)}). What you send replaces that.",
        icon=":material/group:",
    )


def _roster(workspace: Workspace, draft: TripDraft) -> None:
    rosters = workspace.journal.rosters.list(workspace.actor.service, workspace.actor.organization_id)
    if not rosters or to_itinerary(draft).is_canceled:
        return
    names = {str(roster.id): roster.name for roster in rosters}
    OnScreen(TRIP_FORM, draft).draw("roster", options=list(names), named=names)
