"""A trip: the data that Muster sent next to the data of the service, with a message for every status."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from client import OutcomeUnknown
from client.models.itineraries import ExpectedLocation, Itinerary
from client.resources.itineraries import Itineraries
from domain.edits.removals import remove_each
from domain.runtime import screens
from domain.trips.editor.form_state import from_itinerary
from domain.trips.known_trip import load_known_trip
from domain.trips.trip_removal import CANCEL_TRIP, DELETE_TRIP, TripTarget, removal_target
from journal import Traveler
from tests.app.tables import tables
from tests.domain.trips.editor.sample_trips import send_trip
from tests.domain.trips.trip_builders import ANA, SINGAPORE, flight, good_trip, hotel, trip
from tests.running_service import RunningService

LATER = {
    "segments": [
        flight("SQ25", "FRA", "SIN", "2030-10-20T11:10", "2030-10-21T06:05"),
        hotel(SINGAPORE, "2030-10-21T15:00", "2030-10-23T11:00"),
        flight("SQ26", "SIN", "FRA", "2030-10-24T23:55", "2030-10-25T05:50"),
    ]
}


def later_trip() -> Itinerary:
    """A future trip with one night without a hotel."""
    return good_trip().model_copy(update=LATER)


def page_text(app: AppTest) -> str:
    assert not app.exception, app.exception
    texts = [*app.title, *app.header, *app.subheader, *app.markdown, *app.caption]
    parts = [*texts, *app.info, *app.warning, *app.error, *app.code]
    return "\n".join(str(part.value).replace("\\", "") for part in parts)


def test_a_url_without_a_trip_is_reported(service: RunningService, signed_in: Any) -> None:
    assert "The link doesn’t contain a trip." in page_text(signed_in(service, screens.TRIP.page).run())


@pytest.mark.parametrize("text", ["abc", "1e3", "-1", "１２"])
def test_an_id_that_is_not_a_number_is_reported(service: RunningService, signed_in: Any, text: str) -> None:
    assert "is not a trip ID" in page_text(signed_in(service, screens.TRIP.page, id=text).run())


def test_a_trip_sent_from_muster_is_shown_completely(service: RunningService, signed_in: Any) -> None:
    app = signed_in(service, screens.TRIP.page)
    itinerary_id = send_trip(signed_in.workspace, from_itinerary(later_trip()))
    app.query_params["id"] = str(itinerary_id)
    text = page_text(app.run())
    assert text.startswith("Ana Silva: Frankfurt am Main → Singapore\n")
    assert "sent from Muster" in text
    assert "by ana · Ana Silva" in text
    assert "**1 problem**] [No hotel Oct 23–24](#segment-1)" in text
    assert "segment-1" in [each.anchor for each in app.subheader]
    assert "SQ25" in text
    assert "**11:10**–06:05" in text
    assert "1 person, 5 locations: all match the trip sent from Muster." in text
    assert "Added · Sent" in text
    assert str(itinerary_id) in [code.value for code in app.code]
    assert {button.label for button in app.button} >= {"Edit", ":red[Cancel trip]", ":red[Delete]"}


def test_a_trip_created_outside_muster_shows_its_available_data(service: RunningService, signed_in: Any) -> None:
    with service.client() as client:
        itinerary_id = client.itineraries.create(later_trip()).id
    app = signed_in(service, screens.TRIP.page, id=str(itinerary_id), locator="WSVM7K")
    actor = signed_in.workspace.actor
    signed_in.workspace.journal.travelers.learn(
        actor.service, actor.organization_id, [Traveler("E100", "Ana", "Silva")]
    )
    text = page_text(app.run())
    assert "This trip was created outside Muster**, and the service cannot return trips." in text
    travelers, expected = tables(app)
    assert list(travelers["Name"]) == ["Ana Silva"]
    assert set(expected["person"]) == {"Silva, Ana"}
    assert "SIN Singapore Changi International Airport" in set(expected["place"])
    assert "5 locations, from the service." in text
    assert "Flight FRA Frankfurt am Main → SIN Singapore" in text
    assert "**1 problem**" in text
    assert "The Journal has no entry about this trip" in text


def test_travelers_with_the_same_name_are_counted_separately(service: RunningService, signed_in: Any) -> None:
    namesake = ANA.model_copy(update={"employee_id": "E200"})
    with service.client() as client:
        both = later_trip().model_copy(update={"passengers": [ANA, namesake]})
        itinerary_id = client.itineraries.create(both).id
    app = signed_in(service, screens.TRIP.page, id=str(itinerary_id), locator="WSVM7K")
    actor = signed_in.workspace.actor
    signed_in.workspace.journal.travelers.learn(
        actor.service, actor.organization_id, [Traveler(each, "Ana", "Silva") for each in ("E100", "E200")]
    )
    assert "2 people, 10 locations, from the service." in page_text(app.run())


def test_a_trip_without_segments_shows_places_on_the_map_and_times_in_the_table(
    service: RunningService, signed_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    list_locations = Itineraries.list_expected_locations

    def without_roles(*arguments: Any, **options: Any) -> list[ExpectedLocation]:
        return [
            each.model_copy(update={"travel_type": "Business"})
            for each in list_locations(*arguments, **options)
            if each.kind == "Air"
        ]

    monkeypatch.setattr(Itineraries, "list_expected_locations", without_roles)
    with service.client() as client:
        itinerary_id = client.itineraries.create(later_trip()).id
    app = signed_in(service, screens.TRIP.page, id=str(itinerary_id), locator="WSVM7K").run()
    assert [each.value for each in app.header][:2] == ["Map", "Expected locations"]
    (expected,) = tables(app)
    assert len(expected) == 4
    assert expected[["from", "until", "until_utc"]].all(axis=None)


def test_a_trip_is_found_by_its_record_locator(service: RunningService, signed_in: Any) -> None:
    with service.client() as client:
        itinerary_id = client.itineraries.create(later_trip()).id
    app = signed_in(service, screens.TRIP.page, locator="WSVM7K").run()
    assert str(itinerary_id) in [code.value for code in app.code]


@pytest.mark.parametrize("query", [{"locator": "WSVM7K"}, {"id": "99", "locator": "WSVM7K"}])
def test_progress_is_shown_while_the_service_responds(
    service: RunningService, signed_in: Any, spinner_texts: list[str], query: dict[str, str]
) -> None:
    with service.client() as client:
        client.itineraries.create(later_trip())
    signed_in(service, screens.TRIP.page, **query).run()
    assert spinner_texts
    assert set(spinner_texts) == {"Loading the trip"}


def test_an_unknown_record_locator_is_reported(service: RunningService, signed_in: Any) -> None:
    app = signed_in(service, screens.TRIP.page, locator="NOPE").run()
    assert "The service has no trip with the record locator “NOPE”" in page_text(app)


def test_a_missing_trip_is_reported(service: RunningService, signed_in: Any) -> None:
    text = page_text(signed_in(service, screens.TRIP.page, id="99", locator="WSVM7K").run())
    assert "The service cannot find this trip" in text
    assert "Nothing. The Journal" in text
    assert "Timeline" not in text


@pytest.mark.parametrize("is_lost", [False, True])
def test_a_trip_opened_by_its_record_locator_reports_its_removal(
    service: RunningService, signed_in: Any, is_lost: bool
) -> None:
    """Though the service no longer has the trip."""
    with service.client() as client:
        itinerary_id = client.itineraries.create(later_trip()).id
    app = signed_in(service, screens.TRIP.page, locator="WSVM7K").run()
    app.button(key=f"trip.delete/{itinerary_id}").click().run()
    delete = next(button for button in app.button if "Delete trip WSVM7K" in button.label)
    fault = service.failing({"kind": "drop", "methods": ["DELETE"], "when": "after"})
    with fault if is_lost else nullcontext():
        delete.click().run()
    text = page_text(app.run())
    assert "has no trip" not in text
    assert ("has status Unknown." in text) is is_lost
    assert ("It was removed as requested in Muster" in text) is is_lost
    assert ("This trip was deleted in Muster" in text) is not is_lost


@pytest.mark.parametrize("removal", ["canceled", "deleted"])
def test_a_trip_removed_in_muster_shows_when_and_by_whom(service: RunningService, signed_in: Any, removal: str) -> None:
    app = signed_in(service, screens.TRIP.page)
    itinerary_id = send_trip(signed_in.workspace, from_itinerary(later_trip()))
    target = TripTarget(itinerary_id, "WSVM7K", locator="WSVM7K", last_sent=later_trip())
    if removal == "canceled":
        remove_each(signed_in.workspace, CANCEL_TRIP, [target])
    else:
        remove_each(signed_in.workspace, DELETE_TRIP, [target])
    app.query_params["id"] = str(itinerary_id)
    text = page_text(app.run())
    assert f"This trip was {removal} in Muster" in text
    assert "UTC by ana" in text
    assert "SQ25" in text
    assert "Edit" not in [button.label for button in app.button]


def test_a_change_with_a_lost_response_is_marked(
    service: RunningService, signed_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = signed_in(service, screens.TRIP.page)
    itinerary_id = send_trip(signed_in.workspace, from_itinerary(later_trip()))
    with monkeypatch.context() as patched:

        def lose_response(*_: object, **__: object) -> None:
            raise OutcomeUnknown("The answer was lost.")

        patched.setattr(Itineraries, "update", lose_response)
        with pytest.raises(OutcomeUnknown):
            send_trip(signed_in.workspace, from_itinerary(later_trip(), itinerary_id=itinerary_id))
    app.query_params["id"] = str(itinerary_id)
    text = page_text(app.run())
    assert "has status Unknown." in text
    assert "Changed · Unknown" in text


def test_a_change_outside_muster_is_shown_as_differences(service: RunningService, signed_in: Any) -> None:
    app = signed_in(service, screens.TRIP.page)
    itinerary_id = send_trip(signed_in.workspace, from_itinerary(later_trip()))
    other = trip(*later_trip().segments[:1])
    other.segments[0].to_date_time_local = "2030-10-21T07:05:00"
    with service.client() as client:
        client.itineraries.update(itinerary_id, other)
    app.query_params["id"] = str(itinerary_id)
    text = page_text(app.run())
    assert "1 as sent, 1 differ from the trip sent, 3 missing from the service" in text


def test_if_the_service_fails_the_data_in_muster_is_shown(signed_in: Any) -> None:
    faults = {"fault": [{"kind": "status", "path": "/itineraries/expectedLocations/*", "status": 500}]}
    with RunningService(faults=faults) as failing:
        app = signed_in(failing, screens.TRIP.page)
        itinerary_id = send_trip(signed_in.workspace, from_itinerary(later_trip()))
        app.query_params["id"] = str(itinerary_id)
        text = page_text(app.run())
        assert app.error
        assert "SQ25" in text
        assert "Service unavailable" in text
        assert "missing" not in text


def test_a_trip_is_canceled_after_a_confirmation(service: RunningService, signed_in: Any) -> None:
    app = signed_in(service, screens.TRIP.page)
    itinerary_id = send_trip(signed_in.workspace, from_itinerary(later_trip()))
    app.query_params["id"] = str(itinerary_id)
    app.run()
    label = CANCEL_TRIP.label([removal_target(load_known_trip(signed_in.workspace, itinerary_id=itinerary_id), {})])
    app.button(key=f"trip.cancel/{itinerary_id}").click().run()
    assert "5 expected locations" in page_text(app)
    next(button for button in app.button if label in button.label).click().run()
    app.run()
    assert "This trip was canceled in Muster" in page_text(app)
    with service.client() as client:
        assert list(client.itineraries.search(field_name="pnr", values=["WSVM7K"])) == []
