"""Draws the trip editor: the draft with its form and preview, or the review."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
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
from components.shell.address import go_to, link_to
from components.shell.notices import error_list, show_success
from components.shell.page_header import draw_page_header
from components.shell.state import StateKey
from components.streamlit_workarounds.own_scripts import new_stage
from components.trips.editor.trip_form import EDITOR, trip_form
from components.trips.trip_view import list_findings, show_timeline, show_travelers
from components.widgets.downloads import request_expander
from domain.edits import stored_drafts
from domain.edits.edit import EditConflictError
from domain.runtime.screens import FIND_TRIP, TRIP_EDITOR
from domain.runtime.screens import TRIP as TRIP_SCREEN
from domain.tables.table_pages import Column, numbers
from domain.text.plain_text import NOT_AN_ID, count, id_in, plain, quoted_id
from domain.text.time_text import moment
from domain.trips.checks import trip_checks
from domain.trips.editor import trip_change
from domain.trips.editor.difference import find_differences
from domain.trips.editor.form_state import TRIP_FORM, TripDraft, copy_as_new, from_itinerary, new_trip, to_itinerary
from domain.trips.editor.removed_trip import draft_of_changes, draft_of_removed
from domain.trips.editor.trip_change import (
    IDS_BEFORE,
    TRIP_EDIT,
    find_ids_by_locator,
    problems_of,
    request_of,
    visible_problems,
)
from domain.trips.known_trip import load_trip_changes
from domain.trips.location_comparison import predicted_table
from domain.trips.prediction import predict, preview_summary
from domain.trips.timeline import legs_of, timeline
from journal import EntryNotFound

if TYPE_CHECKING:
    from domain.runtime.workspace import Workspace
    from domain.trips.known_trip import TripChange


COLUMNS: Final[dict[str, str | Column]] = {
    "place": "Place",
    "people": numbers("People"),
    "from": Column("From (local)", sort_column="arrives", is_one_line=True),
    "until": Column("Until (local)", sort_column="expires", is_one_line=True),
    "problem": "Problem",
}
MAP_WIDTH: Final = 340

EXISTING_TRIPS: Final = StateKey[tuple[str, list[int] | Exception] | None]("trip_editor.held", lambda: None)
"""The record locator that was last looked up, and the IDs of its trips at the service, or the error."""


def preview(itinerary: Itinerary, *, key: str, unfinished: Collection[int] = ()) -> None:
    """Draw what Muster predicts for the trip. Nothing is read from the service.

    `unfinished` are the indexes of segments that still have errors in the form. Their findings are left out.
    """
    predicted = [each for each in predict(itinerary) if each.is_expected]
    st.header("Preview", anchor=False)
    if itinerary.is_canceled:
        st.info("The service removes a canceled trip and its expected locations.", icon=":material/event_busy:")
        return
    if not predicted:
        st.info(
            "Enter the places and times of a segment, and the employee ID or name of a traveler. Muster then shows "
            "where travelers will be expected.",
            icon=":material/travel_explore:",
        )
    else:
        travelers = len({each.employee_id or each.traveler for each in predicted})
        st.caption(preview_summary(predicted, travelers))
        legs, points = legs_of(itinerary)
        if points.empty:
            st.info("None of these places has coordinates or an airport, so there is no map.")
        else:
            legs_map(legs, points, key=f"{key}-map", height=300, width=MAP_WIDTH)
        table = predicted_table(predicted, datetime.now(UTC))
        table["place"] += ", " + table["role"]
        # Columns that would repeat one value, or are empty, leave their space to the times.
        idle = {"people"} if table["people"].nunique() == 1 else set()
        idle |= set() if table["problem"].any() else {"problem"}
        shown = {name: column for name, column in COLUMNS.items() if name not in idle}
        record_table(table, shown, f"{key}-table", selection=None, noun=("location", "locations"))
    if predicted:
        list_findings(
            (problems for problems in trip_checks(itinerary) if problems.segment not in unfinished), numbered=True
        )


def review(workspace: Workspace, draft: TripDraft) -> None:
    """Draw the review of a draft without errors, and the button that sends it."""
    now = datetime.now(UTC)
    itinerary = to_itinerary(draft)
    left, right = st.columns([11, 7], gap="medium")
    with left:
        ids = _draw_existing_trips(workspace, draft)
        last_change = _draw_conflict(workspace, draft)
        _draw_request(draft)
        _draw_differences(draft, last_change)
        _draw_roster(workspace, draft)
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
                args=(workspace, ids, last_change),
                disabled=_is_gone(last_change),
            )
    with right:
        preview(itinerary, key="trip_editor-review")


def send_label(draft: TripDraft) -> str:
    """Return the label of the send button: the action and the record locator."""
    if to_itinerary(draft).is_canceled:
        return f"Cancel trip {draft.title}"
    return f"Send changes to trip {draft.title}" if draft.is_change else f"Add trip {draft.title}"


def _send(workspace: Workspace, ids: list[int] | None, last_change: TripChange | None) -> None:
    EXISTING_TRIPS.clear()
    draft = EDITOR.current()
    if draft is not None:
        EDITOR.draft.set(draft.model_copy(update={"seen_at": None if last_change is None else last_change.at}))
    EDITOR.send(workspace, {IDS_BEFORE: None if ids is None else [str(each) for each in ids]})


def _draw_request(draft: TripDraft) -> None:
    itinerary = to_itinerary(draft)
    st.header("What will be sent", anchor=False)
    facts = [f"Record locator **{plain(draft.title)}**"]
    if draft.external_id.strip():
        facts.append(f"external trip ID {plain(draft.external_id)}")
    facts.append(f"status {plain(draft.status)}")
    if draft.source.strip():
        facts.append(f"source {plain(draft.source)}")
    st.markdown(" · ".join(facts))
    show_timeline(timeline(itinerary, is_live=False))
    if itinerary.passengers:
        show_travelers(itinerary)
    else:
        st.markdown("**No travelers.**")
    st.caption(
        "Contacts are created for travelers without one."
        if draft.auto_create_contact
        else "Travelers without a contact are skipped. No contact is created."
    )


def _draw_differences(draft: TripDraft, last_change: TripChange | None) -> None:
    """Draw the differences between the draft and the trip as last sent, including what others sent since it was
    opened.
    """
    if not draft.is_change or _is_gone(last_change):
        return
    st.header("Differences", anchor=False)
    last_sent = last_change.itinerary if last_change is not None else None
    if last_sent is None and draft.base is not None:
        last_sent = Itinerary.model_validate(draft.base)
    if last_sent is None:
        st.warning(
            "This trip was created outside Muster, and the service cannot return trips. Sending this version "
            "**replaces the whole trip**.",
            icon=":material/warning:",
        )
        if gaps := trip_change.find_gaps(draft):
            st.warning(
                f"**{count(len(gaps), 'value', 'values')} that Muster does not know will be missing from the trip.** "
                "To enter them, go back to the form.",
                icon=":material/warning:",
            )
        return
    problems = find_differences(from_itinerary(last_sent), draft)
    if not problems:
        st.info("Nothing has changed. This is the trip as last sent from Muster.", icon=":material/info:")
        return
    table = pd.DataFrame(
        # “Now” comes before “Last sent”, because a phone shows only two columns.
        [("\n".join(filter(None, (each.part_label, each.field_label))), each.new, each.old) for each in problems],
        columns=["What", "Now", "Last sent"],
    )
    record_table(
        table,
        {name: name for name in table.columns},
        "trip_editor-differences",
        selection=None,
        noun=("difference", "differences"),
    )


def _draw_existing_trips(workspace: Workspace, draft: TripDraft) -> list[int] | None:
    """Draw a warning if the service has other trips with this record locator. Return the IDs; None if they are
    unknown.
    """
    locator = draft.record_locator.strip()
    answer_for = EXISTING_TRIPS.get()
    if answer_for is None or answer_for[0] != locator:
        try:
            with st.spinner("Checking for trips with this record locator"):
                answer_for = (locator, find_ids_by_locator(workspace, locator))
        except ServiceError as error:
            answer_for = (locator, error)
        EXISTING_TRIPS.set(answer_for)
    answer = answer_for[1]
    if isinstance(answer, Exception):
        st.warning(
            "Muster could not check whether the service already has a trip with this record locator.",
            icon=":material/warning:",
        )
        return None
    others = [each for each in answer if each != draft.itinerary_id]
    if others:
        st.warning(
            f"**Trip {plain(locator)} already exists** in the service "
            f"({'ID' if len(others) == 1 else 'IDs'} {', '.join(str(each) for each in others)}). "
            + (
                "Each trip needs its own record locator. The service will reject this edit."
                if draft.is_change
                else "Adding this trip replaces the existing one. The trip will have a new ID."
            ),
            icon=":material/warning:",
        )
        link_to(TRIP_SCREEN, "Open existing trip", id=others[0], locator=locator)
    return answer


def _draw_conflict(workspace: Workspace, draft: TripDraft) -> TripChange | None:
    """Draw what others changed since the draft was opened; if the trip was removed, offer to add it as a new one."""
    last_change, error = trip_change.find_change_since(workspace, draft), EDITOR.error_of(draft)
    is_gone = _is_gone(last_change) or isinstance(error, NotFound)
    if last_change is not None:
        not_sent = " Nothing was sent." if isinstance(error, EditConflictError) else ""
        then = "" if is_gone else " Your version will replace that change."
        st.warning(
            f"**{plain(last_change.by)} has {trip_change.change_verb(last_change)} this trip** in Muster since you "
            f"opened it ({moment(last_change.at)}).{not_sent}{then}",
            icon=":material/group:",
        )
    if is_gone:
        st.warning(
            "**The service no longer has this trip.** You can add your version as a new trip.",
            icon=":material/event_busy:",
        )
        st.button(
            "Add as new trip",
            key="trip_editor.as_new",
            icon=":material/add:",
            on_click=_convert_to_new,
            args=(workspace,),
        )
    return last_change


def _is_gone(last_change: TripChange | None) -> bool:
    return last_change is not None and last_change.removes


def _convert_to_new(workspace: Workspace) -> None:
    EXISTING_TRIPS.clear()
    draft = EDITOR.current()
    if draft is not None:
        EDITOR.replace_with(workspace, copy_as_new(draft), "This is now a new trip. Check it before you add it.")


def _draw_roster(workspace: Workspace, draft: TripDraft) -> None:
    rosters = workspace.journal.rosters.list(workspace.actor.service, workspace.actor.organization_id)
    if not rosters or to_itinerary(draft).is_canceled:
        return
    names = {str(roster.id): roster.name for roster in rosters}
    FormView(TRIP_FORM, draft).draw("roster", options=list(names), labels=names)


def trip_editor(workspace: Workspace) -> None:
    """Draw the editor for the trip in the address: a new trip, a saved draft, or the change of a trip."""
    if (entry_id := id_in(st.query_params.get("entry", ""))) is not None:
        _open_removed(workspace, _draft_in_journal(workspace, entry_id), f"Journal entry {entry_id}")
        return
    if (removed_id := id_in(st.query_params.get("again", ""))) is not None:
        changes = load_trip_changes(workspace, removed_id, st.query_params.get("locator"))
        _open_removed(workspace, draft_of_changes(removed_id, changes), f"The journal of trip {removed_id}")
        return
    given = st.query_params.get("id", "")
    itinerary_id = id_in(given)
    if given and itinerary_id is None:
        st.info(f"{plain(quoted_id(given))} is not a trip ID. {NOT_AN_ID}", icon=":material/search_off:")
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
        _draw_form(workspace, draft)


def _draw_form(workspace: Workspace, draft: TripDraft) -> None:
    # Each review reads again which trips the service has under the record locator.
    EXISTING_TRIPS.clear()
    _draw_header(workspace, draft)
    problems = problems_of(draft)
    left, right = st.columns([11, 7], gap="medium")
    with left:
        trip_form(draft, visible_problems(draft, problems))
    with right:
        unfinished = {index for index, segment in enumerate(draft.segments) if problems.of(segment.uid)}
        preview(to_itinerary(draft), key="trip_editor-preview", unfinished=unfinished)
        draw_error(EDITOR, draft)
        if draft.checked:
            error_list(TRIP_FORM.describe_problems(draft, problems))
        if draft.unknown or draft.left_out:
            FormView(TRIP_FORM, draft).draw("is_sent_with_gaps")
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
                "Discard changes" if draft.is_change else "Discard draft",
                key="trip_editor.discard",
                icon=":material/delete_sweep:",
            ):
                ask_to_discard(workspace, EDITOR, draft)


def _draw_header(workspace: Workspace, draft: TripDraft) -> None:
    draw_page_header(f"Edit trip {draft.title}" if draft.is_change else "")
    draw_note(EDITOR)
    if draft.is_change and draft.base is None:
        st.warning(
            "This trip was not sent from Muster, and the service cannot return trips. "
            "Sending this version **replaces the whole trip**."
            + (
                " Muster filled in the form from the expected locations. They contain no carriers, flight or train "
                "numbers, email addresses, phone numbers, or arrangers. Enter these from the booking."
                if draft.unknown
                else ""
            ),
            icon=":material/warning:",
        )
        if st.button("Fill in from expected locations", key="trip_editor.fill_in", icon=":material/auto_fix_high:"):
            with st.spinner("Loading expected locations"):
                _fill_in(workspace)
            st.rerun()
    elif draft.is_change:
        last_change = _draw_conflict(workspace, draft)
        last = None if last_change is not None else trip_change.last_sent(workspace, *_trip_key(draft))
        sender = f"{plain(last.by)} last sent this trip from Muster, {moment(last.at)}. " if last is not None else ""
        st.caption(f"{sender}Later changes outside Muster are not shown. Sending this version replaces them.")
    else:
        st.caption(
            "Muster saves this draft automatically. Nothing is sent until you select **Add trip** in the review."
        )
    if not draft.is_change:
        draw_unfinished(workspace, EDITOR, but=draft.uid)


def _trip_key(draft: TripDraft) -> tuple[int, str]:
    return draft.itinerary_id or 0, draft.record_locator.strip()


def _draft_in_journal(workspace: Workspace, entry_id: int) -> TripDraft | None:
    with suppress(EntryNotFound):
        return draft_of_removed(workspace.journal.audit.retrieve(entry_id, actor=workspace.actor))
    return None


def _open_removed(workspace: Workspace, draft: TripDraft | None, source: str) -> None:
    """Open a new draft with a canceled or deleted trip; `source` is what should have had it."""
    if draft is not None:
        stored_drafts.begin(workspace, TRIP_EDIT, draft)
        go_to(TRIP_EDITOR, draft=draft.uid)
    st.info(f"{source} has no trip that can be created again.", icon=":material/search_off:")
    link_to(FIND_TRIP, "Find a trip")


def _open(workspace: Workspace, itinerary_id: int | None) -> None:
    """Show the draft that belongs to the address, unless it is already open and up to date."""
    ids, saved = EDITOR.current(), EDITOR.saved.get()
    if ids is not None and ids.is_change and saved is not None and saved.version is None and ids == saved.draft:
        # The draft is unchanged, so that a newer version can replace it.
        last = trip_change.last_sent(workspace, *_trip_key(ids))
        if last is not None and last.at != ids.base_at:
            EDITOR.draft.clear()
    locator = st.query_params.get("locator", "")

    def begin() -> TripDraft:
        if itinerary_id is None:
            return new_trip()
        with st.spinner("Loading expected locations"):
            return trip_change.start_change(workspace, itinerary_id, locator)

    EDITOR.open(workspace, itinerary_id, begin)


def _fill_in(workspace: Workspace) -> None:
    draft = EDITOR.current()
    if draft is None:
        return
    try:
        filled = trip_change.fill_from_expected_locations(workspace, draft)
    except ServiceError as error:
        EDITOR.set_error(draft, error)
        return
    if filled is None:
        EDITOR.note.set("The expected locations are not enough to fill in the form.")
        return
    now = datetime.now(UTC)
    if to_itinerary(filled, at=now) != to_itinerary(draft, at=now):
        EDITOR.do("fill in from expected locations", lambda _: filled)
    show_success("Filled in from the expected locations.")
