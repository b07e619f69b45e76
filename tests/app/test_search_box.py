"""The search box under AppTest: what it finds before and after a roster is loaded, and the screens that it opens."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from components.expected_locations import controls
from components.incidents import incident_controls
from components.preparedness.task_lists.template_list import read_all_templates
from components.search.search_box import EXAMPLES, KEY, draw_search_box
from components.shell import sidebar
from domain.edits.removals import remove_each
from domain.runtime import screens
from domain.trips.editor.form_state import from_itinerary
from domain.trips.trip_removal import CANCEL_TRIP, TripTarget
from journal import RosterEntry, Traveler
from tests.app.presses import page_text
from tests.app.tables import EVENT_TIMES, send_events
from tests.app.test_expected_locations import NOW, flight, stay, wait_for_load
from tests.domain.trips.editor.sample_trips import OUT, send_trip, trip
from tests.running_service import RunningService


@pytest.fixture(autouse=True)
def draw_the_box(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sidebar, "HEADLINES", [draw_search_box])


def add_roster(service: RunningService, workspace: Any) -> None:
    """Add a roster of record locators without names. The names are those of sent trips."""
    with service.client() as client:
        client.itineraries.create(stay("STAY01", "E1", "E2", start=NOW - timedelta(days=1), nights=5))
        client.itineraries.create(flight("FLY001", "E3", NOW - timedelta(hours=1)))
    workspace.journal.rosters.create(workspace.actor, "Fair", [RosterEntry("STAY01"), RosterEntry("FLY001")])
    people = [Traveler("E1", "Ana", "Silva"), Traveler("E2", "Ben", "Müller"), Traveler("E3", "Cai", "Ito")]
    workspace.journal.travelers.learn(workspace.actor.service, workspace.actor.organization_id, people)


def press(app: AppTest, kind: str, argument: object) -> AppTest:
    send_events(app, KEY, [next(EVENT_TIMES), kind, argument])
    assert not app.exception, app.exception
    return app


def ask(app: AppTest, text: str) -> dict[str, Any]:
    """Type a text, and return what the box shows."""
    press(app, "begin", 0)
    press(app, "type", text)
    return shown(app)


def shown(app: AppTest) -> dict[str, Any]:
    (part,) = (each for each in app.get("bidi_component") if each.proto.id.endswith(f"-{KEY}"))  # type: ignore[union-attr]
    data: dict[str, Any] = json.loads(part.proto.json)  # type: ignore[union-attr]
    return data


def titles(data: dict[str, Any]) -> list[str]:
    return [result["title"] for group in data["groups"] for result in group["results"]]


def test_a_person_is_found_from_any_screen_once_the_roster_is_loaded_and_their_card_opens(
    service: RunningService, signed_in: Any
) -> None:
    app = signed_in(service, screens.JOURNAL.page).run()
    assert (
        ask(app, "silva")["notes"][0]["text"] == "Your organization has no rosters, so Muster cannot search for people."
    )
    add_roster(service, signed_in.workspace)
    data = ask(app, "silva")
    assert titles(data) == ["Look up record locator SILVA"]
    assert data["notes"][0]["text"].startswith("“Fair” is not loaded. ")
    assert data["notes"][0]["label"] == "Open the map to load"
    press(app, "open", data["notes"][0]["url"])
    wait_for_load(app.run(), signed_in)
    data = ask(app, "silva")
    assert titles(data)[0] == "Silva, Ana"
    assert data["groups"][0]["results"][0]["detail"].startswith("Lion Hotel, Singapore, until ")
    press(app, "open", data["groups"][0]["results"][0]["url"])
    assert app.query_params["expected_person"] == "E1"
    assert "Silva, Ana" in page_text(app)
    assert shown(app)["text"] == ""


def test_every_example_is_answered_and_its_links_have_fields_of_their_screens(
    service: RunningService, signed_in: Any
) -> None:
    app = signed_in(service).run()
    add_roster(service, signed_in.workspace)
    wait_for_load(app.run(), signed_in)
    fields = {
        screens.EXPECTED_LOCATIONS: {field.name for field in controls.ADDRESS},
        screens.WHO_IS_AFFECTED: {field.name for field in incident_controls.ADDRESS},
    }
    sentences = {}
    for text in (*EXAMPLES, "who is in Singapore"):
        data = ask(app, text)
        sentences[text] = data["sentence"]
        for result in [result for group in data["groups"] for result in group["results"]]:
            url = urlsplit(result["url"])
            screen = next(each for each in screens.ALL if f"/{each.url_path}" == url.path)
            assert set(parse_qs(url.query)) <= fields.get(screen, {"locator", "q"}), result
    assert sentences["in the air"] == "1 person is in the air now."
    assert sentences["who is in Singapore"].startswith("Singapore: 2 people are there now.")
    assert sentences["not covered"] == "Everyone on a trip is covered now."


def test_a_task_list_is_found_as_a_checklist(demo_service: RunningService, signed_in: Any) -> None:
    app = signed_in(demo_service, screens.JOURNAL.page).run()
    assert read_all_templates(signed_in.workspace).wait(30)
    data = ask(app, "earthquake checklist")
    assert [group["title"] for group in data["groups"]] == ["Task lists"]
    assert titles(data) == ["Earthquake near an office"]
    press(app, "open", data["groups"][0]["results"][0]["url"])
    assert "Account for people, check the building" in page_text(app)


def test_trips_finds_names_of_loaded_rosters_and_says_what_was_not_searched(
    service: RunningService, signed_in: Any
) -> None:
    app = signed_in(service, screens.FIND_TRIP.page, q="silva").run()
    add_roster(service, signed_in.workspace)
    assert "2 trips on the searched rosters have no names until you load “Fair” on the map." in page_text(app.run())
    app.switch_page(screens.EXPECTED_LOCATIONS.page).run()
    wait_for_load(app, signed_in)
    app.switch_page(screens.FIND_TRIP.page)
    app.query_params["q"] = "silva"
    text = page_text(app.run())
    assert "**1 traveler with “silva” in the name**" in text
    assert "Muster searched 3 names in “Fair”. The service cannot search names." in text


def test_a_flight_of_a_sent_trip_is_found_until_the_trip_is_canceled(service: RunningService, signed_in: Any) -> None:
    app = signed_in(service, screens.JOURNAL.page).run()
    itinerary_id = send_trip(signed_in.workspace, from_itinerary(trip(OUT)))
    assert itinerary_id is not None
    data = ask(app, "ey 301")
    assert data["groups"][0]["title"] == "Flights and trains"
    assert titles(data)[0] == "EY301 · AUH → KWI"
    assert data["groups"][0]["results"][0]["url"] == "/trip?locator=WSVM7K"
    target = TripTarget(itinerary_id, "WSVM7K", locator="WSVM7K", last_sent=trip(OUT))
    remove_each(signed_in.workspace, CANCEL_TRIP, [target])
    notes = [note["text"] for note in ask(app, "ey 301")["notes"]]
    assert any(note.startswith("No trip that was sent from Muster has flight") for note in notes)
