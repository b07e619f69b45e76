"""The trip editor under AppTest: signed out, empty, filled, failing, sending, and with a lost response."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from client import ServiceFailed
from client.resources.itineraries import Itineraries
from components.trips.editor.trip_form import EDITOR
from components.trips.trip_view import LOCATOR
from domain.edits import stored_drafts
from domain.edits.edit_draft import SendStatus
from domain.edits.removals import remove_each
from domain.runtime import screens
from domain.runtime.calls import Calls
from domain.trips.editor.form_state import TRIP_FORM, TripDraft, from_itinerary
from domain.trips.editor.trip_change import TRIP_EDIT, find_ids_by_locator, last_sent, start_change
from domain.trips.trip_removal import CANCEL_TRIP, TripTarget
from journal import RosterEntry
from tests.app.presses import press, press_twice, title
from tests.app.tables import tables
from tests.domain.trips.editor.sample_trips import BACK, OUT, send_trip, trip
from tests.running_service import RunningService

PAGE = screens.TRIP_EDITOR.page
LOSE_RESPONSE = {
    "fault": [{"kind": "drop", "when": "after", "methods": ["POST"], "path": "/itineraries/8800", "times": 1}]
}


def draft_of(app: AppTest) -> TripDraft:
    """The draft on the screen."""
    draft = app.session_state[EDITOR.draft.name]
    assert isinstance(draft, TripDraft)
    return draft


def page_text(app: AppTest) -> str:
    """Return all text on the page."""
    parts: list[Any] = [app.title, app.header, app.markdown, app.caption, app.error, app.warning, app.info]
    return "\n".join(str(element.value) for kind in parts for element in kind).replace("\\", "")


def toasts(app: AppTest) -> list[str]:
    """Return the texts of the toasts."""
    return [str(toast.value).replace("\\", "") for toast in app.toast]


def type_in(app: AppTest, owner: str, path: str, value: str) -> None:
    """Type into a field."""
    app.text_input(key=TRIP_FORM.key(owner, path)).set_value(value)


def fill_in(app: AppTest, locator: str = "WSVM7K") -> AppTest:
    """Type a flight and a traveler into the empty form."""
    draft = draft_of(app)
    segment, traveler = draft.segments[0].uid, draft.travelers[0].uid
    type_in(app, draft.uid, "record_locator", locator)
    type_in(app, segment, "start.iata", "auh")
    type_in(app, segment, "finish.iata", "KWI")
    app.date_input(key=TRIP_FORM.key(segment, "start.day")).set_value(date(2026, 11, 25))
    app.date_input(key=TRIP_FORM.key(segment, "finish.day")).set_value(date(2026, 11, 25))
    type_in(app, segment, "start.clock", "14:05")
    type_in(app, segment, "finish.clock", "14:45")
    type_in(app, traveler, "employee_id", "E100")
    type_in(app, traveler, "first_name", "Ana")
    type_in(app, traveler, "last_name", "Silva")
    app.run()
    assert not app.exception
    return app


@pytest.fixture
def lossy_service() -> Iterator[RunningService]:
    """A service that executes the request and loses the first response."""
    with RunningService(faults=LOSE_RESPONSE) as running:
        yield running


def test_unreadable_traveler_rows_stay_in_the_text_field(signed_in: Any, service: RunningService) -> None:
    """The rows are reported. The others are added."""
    app = signed_in(service, PAGE).run()
    app.text_area(key="trip_editor.paste").set_value('E1,Ana,Silva\nE2,"Ben,Okoro').run()
    assert "1 row cannot be read" in page_text(app)
    press(app, "trip_editor.paste_rows")
    assert [each.employee_id for each in draft_of(app).travelers] == ["E1"]
    assert app.button(key="trip_editor.undo").label == "Undo: paste 1 traveler"
    assert app.text_area(key="trip_editor.paste").value == 'E2,"Ben,Okoro'
    assert '“E2,"Ben,Okoro”' in page_text(app)


def test_an_empty_form_has_one_flight_and_one_traveler_and_no_errors(signed_in: Any, service: RunningService) -> None:
    """Errors appear only after input."""
    app = signed_in(service, PAGE).run()
    assert not app.exception
    assert [title.value for title in app.title] == ["Trips"]
    assert [len(draft_of(app).segments), len(draft_of(app).travelers)] == [1, 1]
    assert "Muster then shows" in page_text(app)
    assert ":red[" not in page_text(app)
    assert stored_drafts.list_unfinished(signed_in.workspace, TRIP_EDIT) == []


def test_each_segment_type_shows_only_its_own_fields(signed_in: Any, service: RunningService) -> None:
    """A hotel has no flight number and one address. A car has only two addresses."""
    app = signed_in(service, PAGE).run()
    assert "Flight number" in [field.label for field in app.text_input]
    key = TRIP_FORM.key(draft_of(app).segments[0].uid, "kind")
    app.segmented_control(key=key).set_value("Hotel").run()
    labels = [field.label for field in app.text_input]
    assert "Flight number" not in labels
    assert "Arrives: airport" not in labels
    assert labels.count("City") == 1
    app.segmented_control(key=key).set_value("Car").run()
    assert [field.label for field in app.text_input].count("City") == 2


def test_a_city_offers_its_airports_and_selecting_one_fills_in_the_field(
    signed_in: Any, service: RunningService
) -> None:
    """With its time zone."""
    app = signed_in(service, PAGE).run()
    segment = draft_of(app).segments[0].uid
    type_in(app, segment, "start.iata", "abu dh")
    app.run()
    press(app, f"{TRIP_FORM.key(segment, 'start.iata')}/AUH")
    assert draft_of(app).segments[0].start.iata == "AUH"
    assert next(field.value for field in app.text_input if field.label == "Departs: airport") == "AUH"
    assert app.selectbox(key=TRIP_FORM.key(segment, "start.zone")).placeholder == "Asia/Dubai"


def test_a_station_code_is_not_looked_up_among_airports(signed_in: Any, service: RunningService) -> None:
    """The code sets no time zone, either: as an airport, EDB is in Sudan."""
    app = signed_in(service, PAGE).run()
    segment = draft_of(app).segments[0].uid
    type_in(app, segment, "start.iata", "EDB")
    app.run()
    assert "El Debba" in page_text(app)
    app.segmented_control(key=TRIP_FORM.key(segment, "kind")).set_value("Rail").run()
    assert app.text_input(key=TRIP_FORM.key(segment, "start.iata")).label == "Departs: station code"
    assert "El Debba" not in page_text(app)
    assert app.selectbox(key=TRIP_FORM.key(segment, "start.zone")).placeholder == "Select a zone"
    type_in(app, segment, "start.iata", "X")
    press(app, "trip_editor.review")
    assert "“X” is not a code of 3 letters." in page_text(app)


def test_the_airports_of_a_city_are_offered_and_a_name_with_codes_selects_its_airport(
    signed_in: Any, service: RunningService
) -> None:
    app = signed_in(service, PAGE).run()
    segment = draft_of(app).segments[0].uid
    type_in(app, segment, "start.iata", "LON")
    type_in(app, segment, "finish.iata", "Stockholm / Arlanda (ARN/ESSA)")
    app.run()
    assert "Any airport, London" in page_text(app)
    assert draft_of(app).segments[0].finish.iata == "ARN"
    press(app, f"{TRIP_FORM.key(segment, 'start.iata')}/LGW")
    assert draft_of(app).segments[0].start.iata == "LGW"


def test_coordinates_that_contradict_their_city_are_corrected_with_one_click(
    signed_in: Any, service: RunningService
) -> None:
    app = signed_in(service, PAGE).run()
    segment = draft_of(app).segments[0].uid
    app.segmented_control(key=TRIP_FORM.key(segment, "kind")).set_value("Hotel").run()
    for path, text in (("city", "Munich"), ("latitude", "48.14"), ("longitude", "-11.58")):
        type_in(app, segment, f"start.address.{path}", text)
    app.run()
    assert "more than 300 km from Munich" in page_text(app)
    press(app, f"trip_editor.fix/{segment}/start")
    address = draft_of(app).segments[0].start.address
    assert (address.latitude, address.longitude) == ("48.14", "11.58")
    assert "more than 300 km from Munich" not in page_text(app)


def test_a_traveler_without_an_employee_id_is_sent_and_expected(signed_in: Any, service: RunningService) -> None:
    """A name and an address are enough and cause no warning."""
    app = fill_in(signed_in(service, PAGE).run())
    traveler = draft_of(app).travelers[0].uid
    type_in(app, traveler, "employee_id", "")
    type_in(app, traveler, "emails", "ana@example.com")
    app.run()
    assert "2 expected locations: 1 traveler at 2 places" in page_text(app)
    assert "employee id" not in page_text(app).casefold()
    press(app, "trip_editor.review")
    press(app, "trip_editor.send")
    workspace = signed_in.workspace
    (itinerary_id,) = find_ids_by_locator(workspace, "WSVM7K")
    locations = list(workspace.client.itineraries.list_expected_locations(itinerary_id))
    assert [location.contact_external_id for location in locations] == ["ana@example.com"] * 2
    assert workspace.journal.travelers.names(workspace.actor.service, workspace.actor.organization_id) == {
        "ana@example.com": "Silva, Ana"
    }


def test_typed_values_are_previewed_and_saved(signed_in: Any, service: RunningService) -> None:
    """UTC under the field, expected locations next to it, and the draft in the journal."""
    app = fill_in(signed_in(service, PAGE).run())
    assert re.search("Wed, Nov 25(, 2026)?, 10:05 UTC", page_text(app))
    assert "2 expected locations: 1 traveler at 2 places" in page_text(app)
    (saved_draft,) = stored_drafts.list_unfinished(signed_in.workspace, TRIP_EDIT)
    assert saved_draft.draft.record_locator == "WSVM7K"
    assert saved_draft.draft.uid in app.query_params["draft"]


def test_a_refresh_restores_the_draft(signed_in: Any, service: RunningService) -> None:
    """Another session at the same URL shows the same value in each field."""
    first = fill_in(signed_in(service, PAGE).run())
    uid = draft_of(first).uid
    second = signed_in(service, PAGE, draft=uid).run()
    assert not second.exception
    draft = draft_of(second)
    assert draft.uid == uid
    assert second.text_input(key=TRIP_FORM.key(draft.segments[0].uid, "start.clock")).value == "14:05"


def test_a_run_before_the_browser_updates_its_url_loses_nothing(signed_in: Any, service: RunningService) -> None:
    """Before the draft's ID is in the URL, the draft stays. After that, a URL without an ID means a new trip."""
    app = fill_in(signed_in(service, PAGE).run())
    uid = draft_of(app).uid
    del app.query_params["draft"]
    type_in(app, draft_of(app).segments[0].uid, "number", "EY301")
    app.run()
    assert (draft_of(app).uid, draft_of(app).segments[0].number) == (uid, "EY301")
    app.query_params["draft"] = uid
    app.run()
    del app.query_params["draft"]
    app.run()
    assert draft_of(app).uid != uid
    assert [each.draft.uid for each in stored_drafts.list_unfinished(signed_in.workspace, TRIP_EDIT)] == [uid]


def test_a_time_skipped_by_a_clock_change_is_reported_at_its_field(signed_in: Any, service: RunningService) -> None:
    """02:30 does not exist in Berlin on 29 March 2026."""
    app = fill_in(signed_in(service, PAGE).run())
    segment = draft_of(app).segments[0].uid
    type_in(app, segment, "start.iata", "BER")
    app.date_input(key=TRIP_FORM.key(segment, "start.day")).set_value(date(2026, 3, 29))
    type_in(app, segment, "start.clock", "02:30")
    app.run()
    assert "does not exist" in page_text(app)


def test_reviewing_an_unfinished_trip_lists_its_errors(signed_in: Any, service: RunningService) -> None:
    """At the fields, and in a list for those who cannot see them."""
    app = signed_in(service, PAGE).run()
    press(app, "trip_editor.review")
    assert [title.value for title in app.title] == ["Trips"]
    text = page_text(app)
    assert "Fix " in text
    assert "Enter a record locator." in text
    assert "Enter the arrival day and time." in text


def test_segments_are_added_duplicated_removed_and_restored(signed_in: Any, service: RunningService) -> None:
    """Return flight, hotel in between, copy, remove, undo."""
    app = fill_in(signed_in(service, PAGE).run())
    press(app, "trip_editor.return")
    press(app, f"trip_editor.hotel/{draft_of(app).segments[0].uid}/2026-11-25")
    assert [each.kind for each in draft_of(app).segments] == ["Air", "Hotel", "Air"]
    press(app, f"trip_editor.duplicate/{draft_of(app).segments[2].uid}")
    press(app, f"trip_editor.remove/{draft_of(app).segments[0].uid}")
    assert [each.kind for each in draft_of(app).segments] == ["Hotel", "Air", "Air"]
    press(app, "trip_editor.undo")
    assert [each.kind for each in draft_of(app).segments] == ["Air", "Hotel", "Air", "Air"]
    assert draft_of(app).segments[0].start.clock == "14:05"


def test_a_double_click_never_acts_on_the_next_item(signed_in: Any, service: RunningService) -> None:
    """Segments, travelers, and a night without a hotel. A click without effect is not an undo step."""
    app = fill_in(signed_in(service, PAGE).run())
    for key in ("trip_editor.return", "trip_editor.add_traveler", "trip_editor.add_traveler"):
        press(app, key)
    draft, steps = draft_of(app), len(app.session_state[EDITOR.steps.name])
    for key, counts in (
        (f"trip_editor.hotel/{draft.segments[0].uid}/2026-11-25", (3, 3)),
        (f"trip_editor.remove/{draft.segments[0].uid}", (2, 3)),
        (f"trip_editor.remove/{draft.travelers[0].uid}", (2, 2)),
    ):
        press_twice(app, app.button(key=key))
        assert (len(draft_of(app).segments), len(draft_of(app).travelers)) == counts
    assert len(app.session_state[EDITOR.steps.name]) == steps + 3


def test_review_shows_the_exact_request_and_sends_it_once(signed_in: Any, service: RunningService) -> None:
    """The trip is sent, recorded, and opened. Another click sends nothing."""
    app = press(fill_in(signed_in(service, PAGE).run()), "trip_editor.review")
    assert [title.value for title in app.title] == ["Review trip WSVM7K"]
    (request,) = [each.value for each in app.code]
    assert json.loads(request)["body"]["pnr"] == "WSVM7K"
    assert "1 row" not in page_text(app).splitlines()
    draft = draft_of(app)
    press(app, "trip_editor.send")
    workspace = signed_in.workspace
    (itinerary_id,) = find_ids_by_locator(workspace, "WSVM7K")
    entries = workspace.journal.audit.list(workspace.actor.service, workspace.actor.organization_id)
    assert [(entry.action, entry.state, entry.subject_id) for entry in entries] == [
        ("itinerary.create", "succeeded", str(itinerary_id))
    ]
    assert send_trip(workspace, draft) is None


def test_the_review_shows_the_trip_like_its_page_with_all_data_of_its_travelers(
    signed_in: Any, service: RunningService
) -> None:
    app = fill_in(signed_in(service, PAGE).run())
    type_in(app, draft_of(app).travelers[0].uid, "emails", "ana@example.org")
    press(app, "trip_editor.review")
    assert "**14:05**–14:45" in page_text(app)
    (people,) = [each for each in tables(app) if "Email" in each.columns]
    assert people[["Name", "Employee ID", "Email"]].to_numpy().tolist() == [["Ana Silva", "E100", "ana@example.org"]]


def test_going_back_from_the_review_of_a_new_trip_shows_the_same_draft(signed_in: Any, service: RunningService) -> None:
    """Back leads to the URL without the draft's ID."""
    app = press(fill_in(signed_in(service, PAGE).run()), "trip_editor.review")
    draft = draft_of(app)
    app.run()
    del app.query_params["draft"]
    app.run()
    assert not app.exception
    assert draft_of(app).has_same_payload(draft)
    assert draft_of(app).stage == "edit"
    assert app.query_params["draft"] == draft.uid


def test_an_existing_record_locator_is_reported_before_sending(signed_in: Any, service: RunningService) -> None:
    """With the effect of sending on the existing trip."""
    with service.client() as client:
        client.itineraries.create(trip(OUT))
    app = press(fill_in(signed_in(service, PAGE).run()), "trip_editor.review")
    assert "Trip WSVM7K already exists" in page_text(app)
    assert "replaces the existing one" in page_text(app)


def test_a_rejection_is_shown_at_the_travelers_and_no_typed_value_is_lost(
    signed_in: Any, service: RunningService
) -> None:
    """No contact matches: the form shows advice, and every field has its value."""
    app = fill_in(signed_in(service, PAGE).run())
    app.toggle(key=TRIP_FORM.key(draft_of(app).uid, "auto_create_contact")).set_value(False).run()
    press(app, "trip_editor.review")
    press(app, "trip_editor.send")
    assert [title.value for title in app.title] == ["Trips"]
    assert "No traveler matches a contact" in page_text(app)
    assert draft_of(app).segments[0].start.clock == "14:05"
    app.toggle(key=TRIP_FORM.key(draft_of(app).uid, "auto_create_contact")).set_value(True).run()
    assert "No traveler matches a contact" not in page_text(app)
    press(app, "trip_editor.review")
    press(app, "trip_editor.send")
    assert len(find_ids_by_locator(signed_in.workspace, "WSVM7K")) == 1


def test_an_unreachable_service_is_reported_and_the_draft_stays(signed_in: Any) -> None:
    """Nothing was sent, and the draft can be sent again."""
    with RunningService() as service:
        app = press(fill_in(signed_in(service, PAGE).run()), "trip_editor.review")
    press(app, "trip_editor.send")
    assert app.error
    assert [title.value for title in app.title] == ["Review trip WSVM7K"]
    saved_draft = stored_drafts.load(signed_in.workspace, TRIP_EDIT, draft_of(app).uid)
    assert saved_draft is not None
    assert saved_draft.status is SendStatus.DRAFT


def test_a_lost_response_has_status_unknown_until_the_user_checks_and_decides(
    signed_in: Any, lossy_service: RunningService
) -> None:
    """The trip is found as predicted and marked as succeeded."""
    app = press(fill_in(signed_in(lossy_service, PAGE).run()), "trip_editor.review")
    press(app, "trip_editor.send")
    assert [title.value for title in app.title] == ["Trip WSVM7K has status Unknown"]
    assert "may or may not have this trip" in page_text(app)
    assert "trip_editor.send" not in [button.key for button in app.button]
    press(app, "trip_editor.look")
    assert "identical to your trip" in page_text(app)
    (itinerary_id,) = find_ids_by_locator(signed_in.workspace, "WSVM7K")
    press(app, f"trip_editor.resolve/{itinerary_id}")
    entries = signed_in.workspace.journal.audit.list(lossy_service.url, 8800)
    assert [entry.state for entry in entries] == ["succeeded", "unknown"]
    assert len(find_ids_by_locator(signed_in.workspace, "WSVM7K")) == 1


def test_a_cancellation_with_a_lost_response_is_found_to_have_succeeded(signed_in: Any) -> None:
    """The service no longer has the trip."""
    fault = {"kind": "drop", "when": "after", "methods": ["PUT"], "path": "/itineraries/8800/*", "times": 6}
    with RunningService(faults={"fault": [fault]}) as service:
        app = signed_in(service, PAGE)
        workspace = signed_in.workspace
        sent = send_trip(workspace, from_itinerary(trip(OUT, BACK)))
        app.query_params["id"], app.query_params["locator"] = str(sent), "WSVM7K"
        app.run()
        status = app.selectbox(key=TRIP_FORM.key(draft_of(app).uid, "status"))
        status.set_value(status.options[-1]).run()
        press(app, "trip_editor.review")
        press(app, "trip_editor.send")
        assert find_ids_by_locator(workspace, "WSVM7K") == []
        press(app, "trip_editor.look")
        press(app, f"trip_editor.resolve/{sent}")
        entries = workspace.journal.audit.list(service.url, 8800)
        assert [entry.state for entry in entries][:2] == ["succeeded", "unknown"]


def test_a_change_shows_its_differences_before_sending(signed_in: Any, service: RunningService) -> None:
    """Prefilled from the journal, with old and new side by side."""
    app = signed_in(service, PAGE)
    workspace = signed_in.workspace
    sent = send_trip(workspace, from_itinerary(trip(OUT, BACK)))
    app.query_params["id"], app.query_params["locator"] = str(sent), "WSVM7K"
    app.run()
    assert [title.value for title in app.title] == ["Edit trip WSVM7K"]
    segment = draft_of(app).segments[0].uid
    assert app.text_input(key=TRIP_FORM.key(segment, "number")).value == "EY301"
    type_in(app, segment, "number", "EY305")
    app.run()
    press(app, "trip_editor.review")
    (table,) = [each for each in tables(app) if "Last sent" in each.columns]
    assert table[["Now", "Last sent"]].to_numpy().tolist() == [["EY305", "EY301"]]
    assert table.loc["0", "What"].endswith("\nFlight number")
    press(app, "trip_editor.send")
    latest = workspace.journal.audit.list(workspace.actor.service, 8800)[0]
    assert (latest.action, latest.state, latest.subject_id) == ("itinerary.update", "succeeded", str(sent))


def test_changing_a_trip_made_outside_muster_warns_that_everything_is_replaced(
    signed_in: Any, service: RunningService
) -> None:
    """The form starts from the expected locations, and sends nothing that these do not contain without a decision."""
    with service.client() as client:
        itinerary_id = client.itineraries.create(trip(OUT)).id
    app = signed_in(service, PAGE, id=str(itinerary_id), locator="WSVM7K").run()
    assert not app.exception
    assert "the service cannot return trips" in page_text(app)
    assert "Expected locations do not contain this value" in page_text(app)
    (segment,) = draft_of(app).segments
    assert (segment.start.iata, segment.start.clock, segment.finish.iata) == ("AUH", "14:05", "KWI")
    assert [traveler.employee_id for traveler in draft_of(app).travelers] == ["E100"]
    assert "replaces the whole trip" in page_text(app).replace("*", "")
    type_in(app, segment.uid, "number", "EY301")
    app.run()
    press(app, "trip_editor.review")
    assert draft_of(app).stage == "edit"
    app.checkbox(key=TRIP_FORM.key(draft_of(app).uid, "is_sent_with_gaps")).check().run()
    press(app, "trip_editor.review")
    assert draft_of(app).stage == "review"
    assert "5 values that Muster does not know will be missing" in page_text(app)


def test_filling_in_from_expected_locations_can_be_undone(signed_in: Any, service: RunningService) -> None:
    """Typed values of other fields stay."""
    with service.client() as client:
        itinerary_id = client.itineraries.create(trip(OUT)).id
    app = signed_in(service, PAGE, id=str(itinerary_id), locator="WSVM7K").run()
    draft = draft_of(app)
    type_in(app, draft.uid, "external_id", "TRIP-7")
    type_in(app, draft.segments[0].uid, "number", "EY301")
    type_in(app, draft.travelers[0].uid, "employee_id", "E900")
    app.run()
    press(app, "trip_editor.fill_in")
    assert [traveler.employee_id for traveler in draft_of(app).travelers] == ["E100"]
    assert draft_of(app).external_id == "TRIP-7"
    assert toasts(app) == ["Filled in from the expected locations."]
    press(app, "trip_editor.fill_in")  # the second click of two
    press(app, "trip_editor.undo")
    assert [traveler.employee_id for traveler in draft_of(app).travelers] == ["E900"]
    assert draft_of(app).segments[0].number == "EY301"
    (saved_draft,) = stored_drafts.list_unfinished(signed_in.workspace, TRIP_EDIT)
    assert saved_draft.draft.uid == draft_of(app).uid


def test_progress_is_shown_while_the_service_responds(
    signed_in: Any, service: RunningService, spinner_texts: list[str]
) -> None:
    with service.client() as client:
        itinerary_id = client.itineraries.create(trip(OUT)).id
    app = signed_in(service, PAGE, id=str(itinerary_id), locator="WSVM7K").run()
    app.checkbox(key=TRIP_FORM.key(draft_of(app).uid, "is_sent_with_gaps")).check().run()
    press(app, "trip_editor.review")
    assert spinner_texts == [
        "Loading expected locations",
        "Checking for trips with this record locator",
    ]


def test_a_url_without_a_valid_trip_is_reported(signed_in: Any, service: RunningService) -> None:
    """Without a traceback."""
    app = signed_in(service, PAGE, id="seven").run()
    assert not app.exception
    assert "is not a trip ID" in page_text(app)


def test_a_trip_is_added_to_the_selected_roster(signed_in: Any, service: RunningService) -> None:
    """So the map of expected locations shows it."""
    app = signed_in(service, PAGE)
    workspace = signed_in.workspace
    roster = workspace.journal.rosters.create(workspace.actor, "My people", [RosterEntry("OLD000")])
    press(fill_in(app.run()), "trip_editor.review")
    app.selectbox(key=TRIP_FORM.key(draft_of(app).uid, "roster")).set_value(str(roster.id)).run()
    press(app, "trip_editor.send")
    (itinerary_id,) = find_ids_by_locator(workspace, "WSVM7K")
    assert {entry.record_locator: entry.itinerary_ids for entry in roster.entries()}["WSVM7K"] == [itinerary_id]


@pytest.mark.parametrize(("removal", "action"), [("cancel", "itinerary.cancel"), ("delete", "itinerary.delete")])
def test_a_trip_is_canceled_after_a_confirmation(
    signed_in: Any, service: RunningService, removal: str, action: str
) -> None:
    """From its page, through the dialog, into the journal."""
    app = signed_in(service, screens.TRIP.page)
    workspace = signed_in.workspace
    sent = send_trip(workspace, from_itinerary(trip(OUT)))
    app.query_params["id"], app.query_params["locator"] = str(sent), "WSVM7K"
    press(app.run(), f"trip.{removal}/{sent}")
    assert "will remove 2 expected locations of 1 traveler" in page_text(app)
    assert len(find_ids_by_locator(workspace, "WSVM7K")) == 1, "nothing is removed before the confirmation"
    press(app, f"trip.{removal}-dialog-confirm")
    assert find_ids_by_locator(workspace, "WSVM7K") == []
    latest = workspace.journal.audit.list(workspace.actor.service, 8800)[0]
    assert (latest.action, latest.state) == (action, "succeeded")


def test_a_trip_removed_by_someone_else_is_reported_as_missing(signed_in: Any, service: RunningService) -> None:
    """The rejection is recorded and reported once, also after a double click."""
    app = signed_in(service, screens.TRIP.page)
    workspace = signed_in.workspace
    sent = send_trip(workspace, from_itinerary(trip(OUT)))
    app.query_params["id"], app.query_params["locator"] = str(sent), "WSVM7K"
    press(app.run(), f"trip.delete/{sent}")
    assert sent is not None
    workspace.client.itineraries.delete(sent)
    press_twice(app, app.button(key="trip.delete-dialog-confirm"))
    assert [entry.state for entry in workspace.journal.audit.list(workspace.actor.service, 8800)] == [
        "refused",
        "succeeded",
    ]


def test_a_trip_without_a_known_record_locator_is_canceled_with_a_typed_one(
    signed_in: Any, service: RunningService
) -> None:
    """The service requires it."""
    with service.client() as client:
        itinerary_id = client.itineraries.create(trip(OUT)).id
    app = press(signed_in(service, screens.TRIP.page, id=str(itinerary_id)).run(), f"trip.cancel/{itinerary_id}")
    assert app.button(key="trip.cancel-dialog-confirm").disabled
    app.session_state[LOCATOR.name] = "WSVM7K"
    press(app, f"trip.cancel/{itinerary_id}")
    press(app, "trip.cancel-dialog-confirm")
    assert find_ids_by_locator(signed_in.workspace, "WSVM7K") == []


def test_a_trip_sent_in_the_background_is_reported_on_another_screen(
    signed_in: Any, service: RunningService, hold_calls: Any
) -> None:
    """The trip is on the roster though its tab was closed."""
    app = signed_in(service, PAGE)
    workspace = signed_in.workspace
    roster = workspace.journal.rosters.create(workspace.actor, "My people", [])
    press(fill_in(app.run()), "trip_editor.review")
    app.selectbox(key=TRIP_FORM.key(draft_of(app).uid, "roster")).set_value(str(roster.id)).run()
    sending_now = hold_calls(Itineraries, "create")
    press(app, "trip_editor.send")
    sending_now.finish()
    assert [entry.record_locator for entry in roster.entries()] == ["WSVM7K"]
    other_screen = signed_in.open_tab(screens.JOURNAL.page).run()
    assert toasts(other_screen) == ["Trip WSVM7K is added.", "The trip is on the roster “My people”."]
    assert toasts(other_screen.run()) == []


def test_a_slow_rejection_is_shown_at_its_field_in_a_refreshed_tab(
    signed_in: Any, service: RunningService, hold_calls: Any
) -> None:
    """Like in the first tab."""
    app = fill_in(signed_in(service, PAGE).run())
    app.toggle(key=TRIP_FORM.key(draft_of(app).uid, "auto_create_contact")).set_value(False).run()
    press(app, "trip_editor.review")
    sending_now = hold_calls(Itineraries, "create")
    press(app, "trip_editor.send")
    refreshed = signed_in.open_tab(PAGE, draft=draft_of(app).uid).run()
    sending_now.finish()
    refreshed.run()
    assert not refreshed.exception
    assert [title.value for title in refreshed.title] == ["Trips"]
    assert "No traveler matches a contact" in page_text(refreshed)


def test_a_slow_removal_that_fails_reports_the_cause(signed_in: Any, hold_calls: Any) -> None:
    """In a refreshed tab too."""
    faults = {"fault": [{"kind": "status", "status": 500, "methods": ["DELETE"], "path": "/itineraries/*"}]}
    with RunningService(faults=faults) as failing:
        app = signed_in(failing, screens.TRIP.page)
        sent = send_trip(signed_in.workspace, from_itinerary(trip(OUT)))
        app.query_params["id"], app.query_params["locator"] = str(sent), "WSVM7K"
        press(app.run(), f"trip.delete/{sent}")
        removing = hold_calls(Itineraries, "delete")
        press(app, "trip.delete-dialog-confirm")
        refreshed = signed_in.open_tab(screens.TRIP.page, id=str(sent), locator="WSVM7K").run()
        assert "Deleting the trips" in page_text(refreshed)
        removing.finish()
        refreshed.run()
        assert "failed with status 500" in page_text(refreshed)
        assert "If the trip is already removed" in page_text(refreshed)
        press(refreshed, "trip.delete-removed-dismiss")
        assert "failed with status 500" not in page_text(refreshed)


def test_a_draft_changed_in_another_tab_is_saved_only_after_reload_or_overwrite(
    signed_in: Any, service: RunningService
) -> None:
    """A tab without unsaved input shows the new version."""
    this_tab = fill_in(signed_in(service, PAGE).run())
    draft = draft_of(this_tab)
    segment = draft.segments[0].uid
    other_tab = signed_in.open_tab(PAGE, draft=draft.uid).run()
    type_in(other_tab, segment, "number", "EY301")
    other_tab.run()
    this_tab.run()
    assert draft_of(this_tab).segments[0].number == "EY301"
    assert "This tab shows the new version." in page_text(this_tab)
    type_in(other_tab, draft.uid, "external_id", "theirs")
    other_tab.run()
    type_in(this_tab, draft.uid, "external_id", "ours")
    this_tab.run()
    assert "This draft has changed in another tab. What you typed in this tab is not saved." in (
        page_text(this_tab).replace("*", "")
    )
    (saved_draft,) = stored_drafts.list_unfinished(signed_in.workspace, TRIP_EDIT)
    assert saved_draft.draft.external_id == "theirs"
    press(this_tab, "trip_editor.review")
    press(this_tab, "trip_editor.overwrite")
    (saved_draft,) = stored_drafts.list_unfinished(signed_in.workspace, TRIP_EDIT)
    assert (saved_draft.draft.external_id, saved_draft.draft.segments[0].number) == ("ours", "EY301")


def test_a_draft_discarded_in_another_tab_is_not_saved_again_silently(signed_in: Any, service: RunningService) -> None:
    """Further input stays, and the discarded draft is reported."""
    app = fill_in(signed_in(service, PAGE).run())
    stored_drafts.discard(signed_in.workspace, TRIP_EDIT, draft_of(app).uid)
    type_in(app, draft_of(app).uid, "external_id", "typed on")
    app.run()
    assert "discarded in another tab" in page_text(app)
    (saved_draft,) = stored_drafts.list_unfinished(signed_in.workspace, TRIP_EDIT)
    assert saved_draft.draft.external_id == "typed on"


def test_a_change_in_another_tab_is_shown_before_sending(signed_in: Any, service: RunningService) -> None:
    """The first click sends nothing."""
    app = press(fill_in(signed_in(service, PAGE).run()), "trip_editor.review")
    other_tab = signed_in.open_tab(PAGE, draft=draft_of(app).uid).run()
    press(other_tab, "trip_editor.back")
    type_in(other_tab, draft_of(other_tab).segments[0].uid, "number", "EY999")
    other_tab.run()
    press(app, "trip_editor.send")
    assert find_ids_by_locator(signed_in.workspace, "WSVM7K") == []
    assert draft_of(app).segments[0].number == "EY999"


def test_a_draft_is_discarded_only_after_a_confirmation(signed_in: Any, service: RunningService) -> None:
    app = press(fill_in(signed_in(service, PAGE).run()), "trip_editor.discard")
    assert draft_of(app).record_locator == "WSVM7K"
    assert len(stored_drafts.list_unfinished(signed_in.workspace, TRIP_EDIT)) == 1
    press(app, "trip_editor.discard_dialog-confirm")
    assert draft_of(app).is_untouched
    assert stored_drafts.list_unfinished(signed_in.workspace, TRIP_EDIT) == []


def test_an_old_tab_does_not_discard_a_draft_whose_sending_has_started(
    signed_in: Any, lossy_service: RunningService
) -> None:
    app = fill_in(signed_in(lossy_service, PAGE).run())
    other = press(signed_in.open_tab(PAGE, draft=draft_of(app).uid).run(), "trip_editor.discard")
    press(press(app, "trip_editor.review"), "trip_editor.send")
    press(other, "trip_editor.discard_dialog-confirm")
    (saved_draft,) = stored_drafts.list_unfinished(signed_in.workspace, TRIP_EDIT)
    assert saved_draft.status is SendStatus.UNKNOWN
    assert toasts(other) == ["The draft WSVM7K was not discarded. Muster has started sending it."]


def test_changes_in_another_tab_are_not_discarded_by_an_open_dialog(signed_in: Any, service: RunningService) -> None:
    app = press(fill_in(signed_in(service, PAGE).run()), "trip_editor.discard")
    other_tab = signed_in.open_tab(PAGE, draft=draft_of(app).uid).run()
    type_in(other_tab, draft_of(other_tab).segments[0].uid, "number", "EY999")
    other_tab.run()
    press(app, "trip_editor.discard_dialog-confirm")
    (saved_draft,) = stored_drafts.list_unfinished(signed_in.workspace, TRIP_EDIT)
    assert saved_draft.draft.segments[0].number == "EY999"
    assert draft_of(app).segments[0].number == "EY999"


def open_change(signed_in: Any, service: RunningService) -> tuple[AppTest, int]:
    """Open the editor with a trip that Muster sent, and return it with the trip's ID."""
    app = signed_in(service, PAGE)
    sent = send_trip(signed_in.workspace, from_itinerary(trip(OUT, BACK)))
    assert sent is not None
    app.query_params["id"], app.query_params["locator"] = str(sent), "WSVM7K"
    return app.run(), sent


def test_after_a_change_is_sent_in_another_tab_the_trip_opens_with_current_data(
    signed_in: Any, service: RunningService
) -> None:
    """From any URL except that of the sent draft."""
    app, sent = open_change(signed_in, service)
    type_in(app, draft_of(app).segments[0].uid, "number", "EY305")
    app.run()
    other = signed_in.open_tab(PAGE, id=str(sent), locator="WSVM7K").run()
    press(press(app, "trip_editor.review"), "trip_editor.send")
    assert title(other.run()) == "Sent: Trip WSVM7K"
    assert title(other.run()) == "Sent: Trip WSVM7K"
    other.query_params.pop("draft", None)
    assert other.run().title[0].value == "Edit trip WSVM7K"
    assert draft_of(other).segments[0].number == "EY305"


def test_edits_made_while_another_tab_sends_the_trip_are_not_marked_as_sent(
    signed_in: Any, service: RunningService
) -> None:
    app, sent = open_change(signed_in, service)
    type_in(app, draft_of(app).segments[0].uid, "number", "EY305")
    app.run()
    other = signed_in.open_tab(PAGE, id=str(sent), locator="WSVM7K").run()
    type_in(other, draft_of(other).uid, "external_id", "typed in the other tab")
    press(press(app, "trip_editor.review"), "trip_editor.send")
    other.run()
    assert "Another tab sent this trip without your changes in this tab. Your changes were not sent." in (
        page_text(other).replace("*", "")
    )
    press(other, "trip_editor.continue_unsent")
    draft = draft_of(other)
    assert (draft.segments[0].number, draft.external_id) == ("EY305", "typed in the other tab")
    press(other, "trip_editor.review")
    (table,) = [each for each in tables(other) if "Last sent" in each.columns]
    assert table["Now"].tolist() == ["typed in the other tab"]


def test_a_change_by_a_colleague_during_the_review_is_shown_before_it_is_replaced(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first click and a double click send nothing. A later click sends the trip."""
    app, sent = open_change(signed_in, service)
    type_in(app, draft_of(app).segments[0].uid, "number", "EY305")
    press(app, "trip_editor.review")
    ben = replace(signed_in.workspace, actor=replace(signed_in.workspace.actor, username="ben"))
    theirs = start_change(ben, sent, "WSVM7K").model_copy(update={"external_id": "from ben"})
    send_trip(ben, theirs)
    with monkeypatch.context() as patched:
        patched.setattr(Calls, "repeat_seconds", 60.0)
        press_twice(app, app.button(key="trip_editor.send"))
    assert "ben has changed this trip in Muster since you opened it" in page_text(app).replace("*", "")
    assert "Nothing was sent" in page_text(app)
    (table,) = [each for each in tables(app) if "Last sent" in each.columns]
    assert table[["Now", "Last sent"]].to_numpy().tolist() == [["nothing", "from ben"], ["EY305", "EY301"]]
    last = last_sent(ben, sent, "WSVM7K")
    assert last is not None
    assert last.by == "ben"
    press(app, "trip_editor.send")
    last = last_sent(ben, sent, "WSVM7K")
    assert last is not None
    assert last.by == signed_in.workspace.actor.username


def test_a_trip_that_was_only_viewed_reopens_with_its_latest_sent_data(signed_in: Any, service: RunningService) -> None:
    app, sent = open_change(signed_in, service)
    ben = replace(signed_in.workspace, actor=replace(signed_in.workspace.actor, username="ben"))
    change = start_change(ben, sent, "WSVM7K")
    change.segments[0].number = "EY999"
    send_trip(ben, change)
    app.run()
    assert draft_of(app).segments[0].number == "EY999"
    assert "ben last sent this trip" in page_text(app)
    type_in(app, draft_of(app).segments[0].uid, "number", "EY305")
    app.run()
    send_trip(ben, start_change(ben, sent, "WSVM7K"))
    app.run()
    assert draft_of(app).segments[0].number == "EY305"
    assert "ben last sent this trip" not in page_text(app)
    assert "ben has changed this trip" in page_text(app)


@pytest.mark.parametrize("is_canceled_in_muster", [True, False], ids=["in Muster", "outside Muster"])
def test_edits_of_a_trip_canceled_meanwhile_can_be_added_as_a_new_trip(
    signed_in: Any, service: RunningService, is_canceled_in_muster: bool
) -> None:
    """The service would reject the change, so no message says that it replaces a trip."""
    app, sent = open_change(signed_in, service)
    type_in(app, draft_of(app).segments[0].uid, "number", "EY305")
    press(app, "trip_editor.review")
    if is_canceled_in_muster:
        target = TripTarget(sent, "WSVM7K", locator="WSVM7K", last_sent=trip(OUT, BACK))
        remove_each(signed_in.workspace, CANCEL_TRIP, [target])
    else:
        with service.client() as client:
            client.itineraries.delete(sent)
    press(app, "trip_editor.send")
    assert "The service no longer has this trip." in page_text(app)
    assert "will replace that change" not in page_text(app)
    press(app, "trip_editor.as_new")
    assert [title.value for title in app.title] == ["Review trip WSVM7K"]
    assert "This is now a new trip" in page_text(app)
    press(app, "trip_editor.send")
    (new_id,) = find_ids_by_locator(signed_in.workspace, "WSVM7K")
    assert new_id != sent
    assert stored_drafts.list_unfinished(signed_in.workspace, TRIP_EDIT) == []


def test_existing_trips_are_not_reported_if_they_could_not_be_read(
    signed_in: Any, lossy_service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failed read does not mean that no trip exists."""

    def fail(*_: Any, **__: Any) -> Any:
        raise ServiceFailed("away", status=503, sent=True)

    app = fill_in(signed_in(lossy_service, PAGE).run())
    with monkeypatch.context() as patched:
        patched.setattr(Itineraries, "search", fail)
        press(app, "trip_editor.review")
    press(app, "trip_editor.send")
    press(app, "trip_editor.look")
    assert "does not know which trips" in page_text(app)
    assert "no trip" not in page_text(app)
