"""The trip editor from top to bottom: the draft, its status, the form with its preview, or the review."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import pandas as pd
import streamlit as st

from client import NotFound, ServiceError
from client.models.itineraries import Itinerary
from components.edits.send_status_view import ask_to_discard, draft_on_screen, draw_error, draw_note, draw_unfinished
from components.forms.form_view import FormView
from components.maps.map_view import legs_map
from components.record_list.record_table import record_table
from components.shell.address import link_to
from components.shell.notices import error_list, show_success
from components.shell.page_header import draw_page_header
from components.shell.state import StateKey
from components.streamlit_workarounds.own_scripts import new_stage
from components.trips.editor.trip_form import EDITOR, trip_form
from components.trips.trip_view import list_findings, show_timeline, show_travellers
from components.widgets.downloads import request_expander
from domain.edits.edit import EditConflictError
from domain.runtime.screens import FIND_TRIP, TRIP_EDITOR
from domain.runtime.screens import TRIP as TRIP_SCREEN
from domain.tables.table_pages import Column, numbers
from domain.text.plain_text import NOT_AN_ID, id_in, plain, quoted_id
from domain.text.time_text import moment
from domain.trips.checks import trip_checks
from domain.trips.editor import trip_change
from domain.trips.editor.difference import differences
from domain.trips.editor.form_state import TRIP_FORM, TripDraft, as_new, from_itinerary, new_trip, to_itinerary
from domain.trips.editor.trip_change import (
    HELD_BEFORE,
    ids_with_locator,
    problems_of,
    request_of,
    worth_showing,
)
from domain.trips.expected import predicted_table
from domain.trips.prediction import answer_line, predict
from domain.trips.timeline import legs_of, timeline

if TYPE_CHECKING:
    from domain.runtime.workspace import Workspace
    from domain.trips.known_trip import DeskChange


COLUMNS: Final[dict[str, str | Column]] = {
    "place": "Place",
    "people": numbers("People"),
    "from": Column("From, there", sort_column="arrives"),
    "until": Column("Until, there", sort_column="expires"),
    "problem": "Problem",
}
MAP_WIDTH: Final = 340

HELD: Final = StateKey[tuple[str, list[int] | Exception] | None]("trip_editor.held", lambda: None)
"""Under which record locator was looked, and what the service held there."""


def preview(itinerary: Itinerary, *, key: str, unfinished: Collection[int] = ()) -> None:
    """Draw what will follow from the trip, worked out here and now; nothing is asked of the service.

    `unfinished` are the segments (indexes) that are still being typed: nothing is found wrong with them yet.
    """
    predicted = [each for each in predict(itinerary) if each.follows]
    st.header("What will follow", anchor=False)
    if itinerary.is_canceled:
        st.info("The service removes a canceled trip and expects no one for it.", icon=":material/event_busy:")
        return
    if not predicted:
        st.info(
            "Nothing yet. As soon as a segment has its places and times, and a traveler has an employee ID or a name, "
            "this shows where they will be expected.",
            icon=":material/travel_explore:",
        )
    else:
        travellers = len({each.employee_id or each.traveller for each in predicted})
        st.caption(answer_line(predicted, travellers))
        legs, points = legs_of(itinerary)
        if points.empty:
            st.info("None of these places has coordinates or an airport: there is nothing to show on a map.")
        else:
            legs_map(legs, points, key=f"{key}-map", height=300, width=MAP_WIDTH)
        table = predicted_table(predicted, datetime.now(UTC))
        table["place"] += ", " + table["role"]
        # What is told above, or of nothing, leaves its room to the times.
        idle = {"people"} if table["people"].nunique() == 1 else set()
        idle |= set() if table["problem"].any() else {"problem"}
        shown = {name: column for name, column in COLUMNS.items() if name not in idle}
        record_table(table, shown, f"{key}-table", selection=None, noun=("location", "locations"))
    if predicted:
        list_findings((found for found in trip_checks(itinerary) if found.segment not in unfinished), numbered=True)


def review(workspace: Workspace, draft: TripDraft) -> None:
    """Draw the review of a draft that may be sent, and its one button."""
    now = datetime.now(UTC)
    itinerary = to_itinerary(draft)
    left, right = st.columns([11, 7], gap="medium")
    with left:
        held = _already_there(workspace, draft)
        since = _changed_in_between(workspace, draft)
        _content(draft)
        _different(draft, since)
        _roster(workspace, draft)
        request_expander("Show request", request_of(draft, at=now), key="trip_editor-request")
        if not isinstance(EDITOR.error_of(draft), EditConflictError):
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
                args=(workspace, held, since),
                disabled=_is_gone(since),
            )
    with right:
        preview(itinerary, key="trip_editor-review")


def send_label(draft: TripDraft) -> str:
    """What the button says: what it does, and to which trip."""
    if to_itinerary(draft).is_canceled:
        return f"Cancel trip {draft.title}"
    return f"Send the change of trip {draft.title}" if draft.is_change else f"Add trip {draft.title}"


def _send(workspace: Workspace, held: list[int] | None, since: DeskChange | None) -> None:
    HELD.clear()
    draft = EDITOR.current()
    if draft is not None:
        EDITOR.draft.set(draft.model_copy(update={"seen_at": None if since is None else since.at}))
    EDITOR.send(workspace, {HELD_BEFORE: None if held is None else [str(each) for each in held]})


def _content(draft: TripDraft) -> None:
    itinerary = to_itinerary(draft)
    st.header("What will be sent", anchor=False)
    facts = [f"Record locator **{plain(draft.title)}**"]
    if draft.external_id.strip():
        facts.append(f"external trip id {plain(draft.external_id)}")
    facts.append(f"status {plain(draft.status)}")
    if draft.source.strip():
        facts.append(f"source {plain(draft.source)}")
    st.markdown(" · ".join(facts))
    show_timeline(timeline(itinerary, is_live=False))
    if itinerary.passengers:
        show_travellers(itinerary)
    else:
        st.markdown("**No one travels.**")
    st.caption(
        "Contacts are created for travelers without one."
        if draft.auto_create_contact
        else "Travelers without a contact are left out. No contact is created."
    )


def _different(draft: TripDraft, since: DeskChange | None) -> None:
    """Compare the draft with the trip as it was last sent, also by somebody else since it was opened."""
    if not draft.is_change or _is_gone(since):
        return
    st.header("What is different", anchor=False)
    last_sent = since.itinerary if since is not None else None
    if last_sent is None and draft.base is not None:
        last_sent = Itinerary.model_validate(draft.base)
    if last_sent is None:
        st.warning(
            "This trip was created outside Muster, and the service has no way to read it back. What you send "
            "**replaces everything** in it.",
            icon=":material/warning:",
        )
        return
    found = differences(from_itinerary(last_sent), draft)
    if not found:
        st.info("Nothing has changed. This is the trip as last sent from Muster.", icon=":material/info:")
        return
    told = pd.DataFrame(
        # What will be sent comes before what was: a phone shows two columns.
        [("\n".join(filter(None, (each.where, each.what))), each.now, each.before) for each in found],
        columns=["What", "Now", "Last sent"],
    )
    record_table(
        told,
        {name: name for name in told.columns},
        "trip_editor-differences",
        selection=None,
        noun=("difference", "differences"),
    )


def _already_there(workspace: Workspace, draft: TripDraft) -> list[int] | None:
    """Look up the record locator, once a review; return the ids the service holds under it, None where unknown."""
    locator = draft.record_locator.strip()
    known = HELD.get()
    if known is None or known[0] != locator:
        try:
            with st.spinner("Asking the service whether it has a trip with this record locator"):
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


def _changed_in_between(workspace: Workspace, draft: TripDraft) -> DeskChange | None:
    """Say what somebody did to the trip meanwhile; where it is gone, with the way to add it as a new one."""
    since, error = trip_change.changed_since(workspace, draft), EDITOR.error_of(draft)
    is_gone = _is_gone(since) or isinstance(error, NotFound)
    if since is not None:
        not_sent = " Nothing was sent." if isinstance(error, EditConflictError) else ""
        then = "" if is_gone else " What you send replaces that."
        st.warning(
            f"**{plain(since.by)} has {trip_change.removal_words(since)} this trip** in Muster since you opened "
            f"it ({moment(since.at)}).{not_sent}{then}",
            icon=":material/group:",
        )
    if is_gone:
        st.warning(
            "**The service has this trip no longer**, and would refuse the change. What you typed is still here, and "
            "can be added as a new trip.",
            icon=":material/event_busy:",
        )
        st.button(
            "Make mine a new trip", key="trip_editor.as_new", icon=":material/add:", on_click=_as_new, args=(workspace,)
        )
    return since


def _is_gone(since: DeskChange | None) -> bool:
    return since is not None and since.removes


def _as_new(workspace: Workspace) -> None:
    HELD.clear()
    draft = EDITOR.current()
    if draft is not None:
        EDITOR.replace_with(workspace, as_new(draft), "This is a new trip now. Look at it before you add it.")


def _roster(workspace: Workspace, draft: TripDraft) -> None:
    rosters = workspace.journal.rosters.list(workspace.actor.service, workspace.actor.organization_id)
    if not rosters or to_itinerary(draft).is_canceled:
        return
    names = {str(roster.id): roster.name for roster in rosters}
    FormView(TRIP_FORM, draft).draw("roster", options=list(names), labels=names)


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
    if draft.stage == "review":
        draw_page_header(f"Review trip {draft.title}")
        draw_note(EDITOR)
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
            error_list(TRIP_FORM.describe_problems(draft, found))
        with st.container(horizontal=True):
            st.button(
                "Review and send",
                key="trip_editor.review",
                type="primary",
                icon=":material/rate_review:",
                on_click=EDITOR.set_stage,
                kwargs={"review": True},
            )
            if not draft.is_untouched and st.button(
                "Discard the change" if draft.is_change else "Discard this draft",
                key="trip_editor.discard",
                icon=":material/delete_sweep:",
            ):
                ask_to_discard(workspace, EDITOR, draft)


def _head(workspace: Workspace, draft: TripDraft) -> None:
    draw_page_header(f"Change trip {draft.title}" if draft.is_change else "")
    draw_note(EDITOR)
    if draft.is_change and draft.base is None:
        st.warning(
            "This trip was not sent from Muster, and the service has no way to read it back. "
            "What you send **replaces everything** the trip holds.",
            icon=":material/warning:",
        )
        if st.button(
            "Fill in what its expected locations tell", key="trip_editor.fill_in", icon=":material/auto_fix_high:"
        ):
            with st.spinner("Asking the service where its people are expected"):
                _fill_in(workspace)
            st.rerun()
    elif draft.is_change:
        since = _changed_in_between(workspace, draft)
        last = None if since is not None else trip_change.last_sent(workspace, *_address_of(draft))
        said = f"As {plain(last.by)} last sent it from Muster, {moment(last.at)}. " if last is not None else ""
        st.caption(f"{said}A later change made outside Muster does not show. What you send replaces it.")
    else:
        st.caption("Nothing is sent until you have reviewed it. What you type is kept as a draft.")
    if not draft.is_change:
        draw_unfinished(workspace, EDITOR, but=draft.uid)


def _address_of(draft: TripDraft) -> tuple[int, str]:
    return draft.itinerary_id or 0, draft.record_locator.strip()


def _open(workspace: Workspace, itinerary_id: int | None) -> None:
    """Put the draft of this address on the screen, unless it is there already and shows the trip as last sent."""
    held, saved = EDITOR.current(), EDITOR.saved.get()
    if held is not None and held.is_change and saved is not None and saved.version is None and held == saved.draft:
        # It was only looked at.
        last = trip_change.last_sent(workspace, *_address_of(held))
        if last is not None and last.at != held.base_at:
            EDITOR.draft.clear()
    locator = st.query_params.get("locator", "")

    def begin() -> TripDraft:
        return trip_change.fresh_change(workspace, itinerary_id, locator) if itinerary_id is not None else new_trip()

    EDITOR.open(workspace, itinerary_id, begin)


def _fill_in(workspace: Workspace) -> None:
    draft = EDITOR.current()
    if draft is None:
        return
    try:
        filled = trip_change.from_expected_locations(workspace, draft)
    except ServiceError as error:
        EDITOR.set_error(draft, error)
        return
    if filled is None:
        EDITOR.note.set("Its expected locations tell too little to fill in the form.")
        return
    now = datetime.now(UTC)
    if to_itinerary(filled, at=now) != to_itinerary(draft, at=now):
        EDITOR.do("fill in what its expected locations tell", lambda _: filled)
    show_success("Filled in from its expected locations. They carry no carriers and no numbers.")
