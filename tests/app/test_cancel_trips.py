"""Cancel several trips: find them, confirm a dialog that names them, and report the result of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from client.resources.itineraries import Itineraries
from domain.runtime.screens import CANCEL_TRIPS, FIND_TRIP
from journal import JournalUnavailable, Ledger, RosterEntry, Traveler
from tests.app.presses import page_text, press, press_twice, run
from tests.app.tables import tables
from tests.contract.trips import trip
from tests.running_service import RunningService

OpenScreen = Callable[..., AppTest]


@pytest.fixture
def open_screen(signed_in: Any, service: RunningService) -> Iterator[OpenScreen]:
    def open_page(**query: str) -> AppTest:
        first = not hasattr(signed_in, "workspace")
        return run(
            signed_in(service, CANCEL_TRIPS.page, **query) if first else signed_in.open_tab(CANCEL_TRIPS.page, **query)
        )

    return open_page


def paste(app: AppTest, text: str) -> AppTest:
    app.text_area(key="cancel-trips-text-0").set_value(text)
    return run(app)


def count_trips(signed_in: Any, *locators: str) -> int:
    references = signed_in.workspace.client.itineraries.search(field_name="pnr", values=list(locators))
    return len(list(references))


def test_trips_are_found_and_canceled_once_after_a_confirmation(open_screen: OpenScreen, signed_in: Any) -> None:
    app = open_screen()
    for number in range(12):
        signed_in.workspace.client.itineraries.create(trip(f"LOC{number:02}"))
    locators = [f"LOC{number:02}" for number in range(12)]
    assert "1 trip found" in page_text(run(signed_in.open_tab(FIND_TRIP.page, q="LOC00")))
    app = press(paste(app, ", ".join([*locators, "NOBODY"])), "cancel-trips-look")
    assert "12 trips to cancel" in page_text(app)
    assert "Not found in the service: 1." in page_text(app)
    assert [code.value for code in app.code] == ["NOBODY"]
    assert tables(app)[-1]["locator"].tolist() == locators
    app = press(app, "cancel-trips-send")
    assert count_trips(signed_in, *locators) == 12
    assert "LOC00, LOC01, LOC02, LOC03, LOC04, LOC05, LOC06, and 5 more." in page_text(app)
    assert "Cancel 12 trips" in app.button(key="cancel-trips-dialog-confirm").label
    app = press_twice(app, app.button(key="cancel-trips-dialog-confirm"))
    assert count_trips(signed_in, *locators) == 0
    assert "12 canceled" in page_text(app)
    jobs = signed_in.workspace.journal.ledger.jobs(signed_in.workspace.actor, "trip_cancel")
    assert [dict(job.counts) for job in jobs] == [{"done": 12}]
    assert "12 canceled" in page_text(open_screen())
    assert "1 not found" in page_text(run(signed_in.open_tab(FIND_TRIP.page, q="LOC00")))


def test_the_confirmation_names_travelers_from_rosters(open_screen: OpenScreen, signed_in: Any) -> None:
    app = open_screen()
    workspace = signed_in.workspace
    people = [Traveler("E1", "Ana", "Silva"), Traveler("E2", "Bo", "Li")]
    workspace.journal.rosters.create(workspace.actor, "Team", [RosterEntry("LOC01", travelers=people)])
    for locator in ("LOC01", "LOC02"):
        workspace.client.itineraries.create(trip(locator))
    app = press(paste(app, "LOC01 LOC02"), "cancel-trips-look")
    assert tables(app)[-1]["who"].tolist() == ["Ana Silva +1", ""]
    app = press(app, "cancel-trips-send")
    assert "LOC01 (Ana Silva +1)" in page_text(app)


def test_one_trip_is_singular_and_a_list_may_have_a_heading(open_screen: OpenScreen, signed_in: Any) -> None:
    app = open_screen()
    signed_in.workspace.client.itineraries.create(trip("LOC01"))
    app = press(paste(app, "PNR\nLOC01"), "cancel-trips-look")
    assert "one column only" not in page_text(app)
    app = press(app, "cancel-trips-send")
    assert "The service will delete the trips and their expected locations." in page_text(app)
    assert app.button(key="cancel-trips-dialog-keep").label == "Keep 1 trip"


def test_only_the_trip_with_the_external_id_is_canceled(open_screen: OpenScreen, signed_in: Any) -> None:
    app = open_screen()
    create = signed_in.workspace.client.itineraries.create
    for external in ("X-1", "X-2"):
        create(trip("LOC01", externalItineraryId=external))
    create(trip("LOC02", externalItineraryId="X-3"))
    app = press(paste(app, "PNR;External id\nLOC01;X-2\nLOC02;X-1\nLOC02;X-9\nNOBODY;X-9"), "cancel-trips-look")
    [canceled] = signed_in.workspace.client.itineraries.search(field_name="externalItineraryId", values=["X-2"])
    assert tables(app)[-1]["id"].tolist() == [str(canceled.id)]
    assert "Not canceled: 2. The record locator and the external ID belong to different trips." in page_text(app)
    assert "Not found in the service: 1." in page_text(app)
    assert [code.value for code in app.code] == ['"NOBODY; X-9"', '"LOC02; X-1", "LOC02; X-9"']


def test_without_found_trips_there_is_no_button(open_screen: OpenScreen) -> None:
    app = press(paste(open_screen(), ", ".join(f"NOBODY{number}" for number in range(30))), "cancel-trips-look")
    assert "0 trips to cancel" in page_text(app)
    assert "cancel-trips-send" not in [button.key for button in app.button]
    (missing,) = (code.value for code in app.code)
    assert missing.count("NOBODY") == 30


def test_if_the_journal_cannot_be_written_nothing_is_canceled(
    open_screen: OpenScreen, signed_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_screen()
    signed_in.workspace.client.itineraries.create(trip("LOC01"))

    def fail(*_: Any, **__: Any) -> Any:
        raise JournalUnavailable("The journal’s database has no room left.")

    app = press(press(paste(app, "LOC01"), "cancel-trips-look"), "cancel-trips-send")
    with monkeypatch.context() as patch:
        patch.setattr(Ledger, "begin", fail)
        app = press(app, "cancel-trips-dialog-confirm")
    assert "Nothing was canceled. The journal’s database has no room left." in page_text(app)
    assert count_trips(signed_in, "LOC01") == 1
    assert "Nothing was canceled" not in page_text(paste(app, "LOC02"))


def test_a_failing_service_is_reported_and_nothing_is_canceled(
    open_screen: OpenScreen, signed_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from client import ConnectionFailed

    app = open_screen()

    def fail(*_: Any, **__: Any) -> Any:
        raise ConnectionFailed("The connection broke.")

    monkeypatch.setattr(Itineraries, "search", fail)
    app = press(paste(app, "A1, B2"), "cancel-trips-look")
    assert "Not loaded, because the service failed: 2. Find the trips again." in page_text(app)
    assert [code.value for code in app.code] == ["A1, B2"]
    monkeypatch.undo()
