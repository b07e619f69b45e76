"""A trip that was deleted from Muster is created again from its journal entry."""

from __future__ import annotations

from typing import Any

from components.trips.editor.trip_form import EDITOR
from domain.edits.journaled_calls import journaled
from domain.edits.removals import remove_each
from domain.file_import.checking import Check
from domain.file_import.job import JOBS
from domain.runtime import screens
from domain.trips.editor.form_state import to_itinerary
from domain.trips.trip_import.canceling import CANCELING
from domain.trips.trip_removal import DELETE_TRIP, TripTarget
from tests.app.following import follow
from tests.app.presses import page_text, run
from tests.contract.trips import trip
from tests.running_service import RunningService


def test_a_trip_that_was_canceled_with_others_is_created_again_from_its_page(
    signed_in: Any, service: RunningService
) -> None:
    run(signed_in(service, screens.TRIP_EDITOR.page))
    workspace, sent = signed_in.workspace, trip("AGAIN2")
    with journaled(
        workspace,
        "itinerary.create",
        subject_kind="itinerary",
        subject_id=None,
        subject_name="AGAIN2",
        request={"itinerary": sent.to_wire()},
    ) as call:
        call.result = workspace.client.itineraries.create(sent)
    JOBS.wait(
        JOBS.begin(workspace, Check.of_rows(CANCELING, "two", [{"id": str(call.result.id), "locator": "AGAIN2"}]))
    )
    app = run(signed_in.open_tab(screens.TRIP.page, id=str(call.result.id), locator="AGAIN2"))
    app = follow(app, "Create the trip again")
    draft = app.session_state[EDITOR.draft.name]
    assert not draft.is_change
    assert [each.air_rail_number for each in to_itinerary(draft).segments] == [
        each.air_rail_number for each in sent.segments
    ]


def test_a_deleted_trip_is_a_new_draft_with_its_segments_and_travelers(signed_in: Any, service: RunningService) -> None:
    """The draft can be opened twice, and an entry without a trip is reported."""
    app = run(signed_in(service, screens.TRIP_EDITOR.page))
    workspace, sent = signed_in.workspace, trip("AGAIN1")
    created = workspace.client.itineraries.create(sent)
    remove_each(workspace, DELETE_TRIP, [TripTarget(created.id, "trip AGAIN1", locator="AGAIN1", last_sent=sent)])
    (entry,) = workspace.journal.audit.list(workspace.actor.service, workspace.actor.organization_id)[:1]
    for _ in range(2):
        app = run(signed_in.open_tab(screens.TRIP_EDITOR.page, entry=str(entry.id)))
        draft = app.session_state[EDITOR.draft.name]
        assert not draft.is_change
        again = to_itinerary(draft)
        assert (again.pnr, again.is_canceled) == ("AGAIN1", False)
        assert len(again.segments) == len(sent.segments)
        assert [each.employee_id for each in again.passengers] == [each.employee_id for each in sent.passengers]
    app = run(signed_in.open_tab(screens.TRIP_EDITOR.page, entry="999999"))
    assert "Journal entry 999999 has no trip that can be created again." in page_text(app)
