"""Events and categories under AppTest: listed, counted, read, created, rejected, and with a lost response."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import TextInput

from client import ServiceFailed
from client.resources.notification_events import NotificationEvents
from client.resources.notifications import Notifications
from components.alerts.notifications import named_records_screen
from components.alerts.notifications.named_records_screen import EVENTS, new_name_key
from domain.alerts.notifications import named_records
from domain.alerts.notifications.named_records import CATEGORY, EVENT, NamedRecordKind
from domain.runtime import screens
from domain.runtime.background import BackgroundReads
from domain.runtime.calls import Calls
from domain.runtime.server import server
from domain.runtime.workspace import Workspace
from journal import EntryFilters
from tests.app.conftest import PATIENCE
from tests.app.presses import page_text
from tests.app.tables import tables
from tests.running_service import RunningService

LOSE_RESPONSE = {
    "fault": [{"kind": "drop", "when": "after", "methods": ["POST"], "path": "/notificationEvents/8800", "times": 1}]
}


@pytest.fixture
def lossy_service() -> Iterator[RunningService]:
    """A service that creates the event and loses the first response."""
    with RunningService(faults=LOSE_RESPONSE) as running:
        yield running


KINDS = {kind.noun[0]: kind for kind in (EVENT, CATEGORY)}


def name_field(app: AppTest, noun: str) -> TextInput:
    """Return the name field of a new event, which is opened if needed."""
    button_keys = [f"notification-{KINDS[noun].noun[1]}-{each}" for each in ("new", "empty")]
    if button := next((each for each in app.button if each.key in button_keys and not each.disabled), None):
        button.click().run()
    return app.text_input(key=new_name_key(KINDS[noun]).widget_key)


def create(app: AppTest, noun: str, name: str) -> AppTest:
    """Type a name and click the button."""
    name_field(app, noun).set_value(name).run()
    app.button(key=f"notifications.create/{noun}").click().run()
    assert not app.exception
    return app


@pytest.mark.parametrize(
    ("screen", "noun", "answer"),
    [
        (screens.NOTIFICATION_EVENTS, "event", "6 events · "),
        (screens.NOTIFICATION_CATEGORIES, "category", "13 categories · "),
    ],
    ids=["events", "categories"],
)
def test_the_list_counts_notifications_per_event_and_is_searchable_by_name(
    signed_in: Any, demo_service: RunningService, screen: screens.Screen, noun: str, answer: str
) -> None:
    """Events without a name are listed, too. The counts come from the service."""
    app = signed_in(demo_service, screen.page).run()
    assert not app.exception
    assert answer in page_text(app)
    [table] = tables(app)
    assert "No name" in list(table["name"])
    with demo_service.client() as client:
        sent = list(client.notifications.list())
    ids = (
        sent
        and {
            "event": [each.notification_event_id for each in sent],
            "category": [each.category_id for each in sent],
        }[noun]
    )
    assert {row.id: int(row.uses) for row in table.itertuples()} == {
        number: sum(str(each) == number for each in ids) for number in table["id"]
    }
    name = table["name"].iloc[0]
    app.text_input(key=f"notification-{KINDS[noun].noun[1]}-find").set_value(name.upper()).run()
    assert list(tables(app)[0]["name"]) == [name]
    app.text_input(key=f"notification-{KINDS[noun].noun[1]}-find").set_value("no such").run()
    assert "matches “no such”" in page_text(app)


@pytest.mark.parametrize(
    ("screen", "noun"),
    [(screens.NOTIFICATION_EVENTS, "event"), (screens.NOTIFICATION_CATEGORIES, "category")],
    ids=["events", "categories"],
)
def test_the_first_event_is_created_and_recorded_in_the_journal(
    signed_in: Any, service: RunningService, screen: screens.Screen, noun: str
) -> None:
    """An empty list says what to do. A blank or used name is rejected at the field, and nothing is sent."""
    app = signed_in(service, screen.page).run()
    assert ("An event groups" if noun == "event" else "A category is the topic") in page_text(app)
    create(app, noun, "   ")
    assert "Enter a name" in page_text(app)
    create(app, noun, " *Storms* ")
    assert "Enter a name" not in page_text(app)
    [event] = KINDS[noun].list_all(signed_in.workspace.client)[0]
    assert app.query_params["record"] == str(event.id), "the event is shown next to the list"
    assert list(tables(app)[0]["name"]) == ["*Storms*"]
    assert name_field(app, noun).value == ""
    create(app, noun, "*storms*")
    assert "“*Storms*” already exists" in page_text(app)
    assert name_field(app, noun).value == "*storms*"
    journal, actor = signed_in.workspace.journal, signed_in.workspace.actor
    [entry] = journal.audit.list(actor.service, actor.organization_id)
    assert (entry.action, entry.state, entry.subject_name) == (f"notification_{noun}.create", "succeeded", "*Storms*")


def test_a_name_used_by_someone_else_meanwhile_is_rejected_and_stays_in_the_field(
    signed_in: Any, service: RunningService
) -> None:
    """The field shows the service's message, also for a name that is too long, and the list is current."""
    app = signed_in(service, screens.NOTIFICATION_EVENTS.page).run()
    with service.client() as client:
        client.notification_events.create(name="Storms")
    create(app, "event", "Storms")
    assert "The service rejected this name" in page_text(app)
    assert name_field(app, "event").value == "Storms"
    assert list(tables(app)[0]["name"]) == ["Storms"]
    create(app, "event", "S" * 300)
    assert "300 characters" in page_text(app)
    create(app, "event", "Floods")
    assert "rejected this name" not in page_text(app)


@pytest.mark.parametrize("service_fixture", ["service", "lossy_service"])
def test_a_double_click_creates_one_event(
    service_fixture: str, signed_in: Any, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second click comes before the list is redrawn, with the name that the browser still shows."""
    create_once = named_records_screen.create

    def create_twice(workspace: Workspace, kind: NamedRecordKind) -> None:
        typed = new_name_key(kind)
        name = typed.get()
        create_once(workspace, kind)
        typed.set(name)
        create_once(workspace, kind)

    monkeypatch.setattr(named_records_screen, "create", create_twice)
    app = signed_in(request.getfixturevalue(service_fixture), screens.NOTIFICATION_EVENTS.page).run()
    create(app, "event", "Storms")
    events = signed_in.workspace.client.notification_events.list()
    assert [each.name for each in events] == ["Storms"]
    assert "already" not in page_text(app)


def test_a_second_click_on_the_refreshed_list_does_not_report_a_used_name(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The browser still shows the name that the first click created."""
    monkeypatch.setattr(Calls, "repeat_seconds", 60.0)
    app = signed_in(service, screens.NOTIFICATION_EVENTS.page).run()
    create(app, "event", "Storms")
    create(app, "event", "Storms")
    assert "already" not in page_text(app)
    assert list(tables(app)[0]["name"]) == ["Storms"]
    assert "Storms" in [element.value for element in app.header], "the event stays open"


def test_the_result_of_a_slow_creation_appears_automatically(
    signed_in: Any, service: RunningService, hold_calls: Any
) -> None:
    """The event is listed and open, and the field is empty again."""
    app = signed_in(service, screens.NOTIFICATION_EVENTS.page).run()
    creating = hold_calls(NotificationEvents, "create")
    create(app, "event", "Storms")
    assert "Creating the event…" in page_text(app)
    assert "notifications.create/event" not in [button.key for button in app.button]
    creating.finish()
    app.run()
    assert list(tables(app)[0]["name"]) == ["Storms"]
    assert "Storms" in [element.value for element in app.header]
    assert name_field(app, "event").value == ""
    assert creating.count == 1


def test_a_slow_creation_is_reported_on_another_screen_without_changing_its_url(
    signed_in: Any, service: RunningService, hold_calls: Any
) -> None:
    """In another tab, on another screen."""
    app = signed_in(service, screens.NOTIFICATION_EVENTS.page).run()
    creating = hold_calls(NotificationEvents, "create")
    create(app, "event", "Storms")
    creating.finish()
    other_screen = signed_in.open_tab(screens.JOURNAL.page).run()
    assert [toast.value.replace("\\", "") for toast in other_screen.toast] == ["Created the event “Storms”."]
    assert "record" not in other_screen.query_params


def test_a_slow_rejection_is_shown_at_the_name_in_a_refreshed_tab(
    signed_in: Any, service: RunningService, hold_calls: Any
) -> None:
    """The field shows the service's message."""
    app = signed_in(service, screens.NOTIFICATION_EVENTS.page).run()
    creating = hold_calls(NotificationEvents, "create")
    create(app, "event", "S" * 300)
    refreshed = signed_in.open_tab(screens.NOTIFICATION_EVENTS.page, record="new").run()
    creating.finish()
    assert "300 characters" in page_text(refreshed.run())


def test_an_event_with_a_lost_response_is_found(signed_in: Any, lossy_service: RunningService) -> None:
    """The event is reported as created and recorded in the journal."""
    app = signed_in(lossy_service, screens.NOTIFICATION_EVENTS.page).run()
    create(app, "event", "Storms")
    assert "Created the event “Storms”" in page_text(app)
    assert list(tables(app)[0]["name"]) == ["Storms"]
    audit, actor = signed_in.workspace.journal.audit, signed_in.workspace.actor
    assert [entry.state for entry in audit.list(actor.service, actor.organization_id)] == ["succeeded", "unknown"]
    assert not audit.count(actor.service, actor.organization_id, filters=EntryFilters(state="unknown"))


def test_after_a_lost_response_an_older_event_is_not_mistaken_for_the_new_one(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(named_records, "_CLOCKS_APART", timedelta(0))
    app = signed_in(service, screens.NOTIFICATION_EVENTS.page).run()
    with service.client() as client:
        client.notification_events.create(name="Storms")
    with service.failing({"kind": "drop", "when": "before", "methods": ["POST"], "path": "/notificationEvents/8800"}):
        create(app, "event", "Storms")
    assert "“Storms” already exists, created" in page_text(app)
    assert "was created" not in page_text(app)
    assert name_field(app, "event").value == "Storms"
    audit, actor = signed_in.workspace.journal.audit, signed_in.workspace.actor
    assert [entry.state for entry in audit.list(actor.service, actor.organization_id)] == ["refused", "unknown"]


def test_a_name_survives_a_failed_save_and_a_refresh(signed_in: Any, service: RunningService) -> None:
    app = signed_in(service, screens.NOTIFICATION_EVENTS.page).run()
    with service.failing({"kind": "status", "status": 503, "path": "/notificationEvents/8800"}):
        create(app, "event", "Storms")
        assert name_field(app, "event").value == "Storms"
    refreshed = signed_in.open_tab(screens.NOTIFICATION_EVENTS.page).run()
    assert name_field(refreshed, "event").value == "Storms"
    create(refreshed, "event", "Storms")
    assert "Created the event “Storms”" in page_text(refreshed)
    assert name_field(signed_in.open_tab(screens.NOTIFICATION_EVENTS.page).run(), "event").value == ""


def test_after_a_lost_response_the_event_is_not_sent_again(
    signed_in: Any, lossy_service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the list cannot be read, Muster checks again before anything is sent."""
    app = signed_in(lossy_service, screens.NOTIFICATION_EVENTS.page).run()
    original = NotificationEvents.list

    def fail(*_: Any) -> Any:
        raise ServiceFailed("The service failed.", request=None)

    monkeypatch.setattr(NotificationEvents, "list", fail)
    create(app, "event", "Storms")
    assert "The service’s response was lost." in page_text(app)
    create(app, "event", "Storms")
    assert "Creating the event again is safe" in page_text(app)
    monkeypatch.setattr(NotificationEvents, "list", original)
    create(app, "event", "Storms")
    assert "Created the event “Storms”" in page_text(app)
    with lossy_service.client() as client:
        assert [each.name for each in client.notification_events.list()] == ["Storms"]


def test_the_list_does_not_wait_for_the_notification_counts(
    signed_in: Any, demo_service: RunningService, hold_calls: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The counts appear automatically."""
    monkeypatch.setattr(BackgroundReads, "patience", 0.05)
    counting = hold_calls(Notifications, "list")
    app = signed_in(demo_service, screens.NOTIFICATION_EVENTS.page).run()
    server().reads.find(signed_in.workspace, EVENTS.key, "all").wait(PATIENCE)
    app.run()
    assert "6 events · counting notifications" in page_text(app)
    monkeypatch.setattr(BackgroundReads, "patience", PATIENCE)
    counting.finish()
    assert "notifications" in page_text(app.run())
    assert "counting" not in page_text(app)


def test_an_event_is_opened_by_its_url_and_an_invalid_id_is_reported(
    signed_in: Any, demo_service: RunningService
) -> None:
    """By an existing ID, by a missing ID, and by text that is no ID."""
    with demo_service.client() as client:
        record = next(each for each in client.notification_events.list() if each.name)
    app = signed_in(demo_service, screens.NOTIFICATION_EVENTS.page, record=str(record.id)).run()
    assert record.name in [element.value.replace("\\", "") for element in app.header]
    app = signed_in(demo_service, screens.NOTIFICATION_EVENTS.page, record="999999999").run()
    assert "999999999" in page_text(app)
    for invalid_id in ("storm", "9" * 5000):
        app = signed_in(demo_service, screens.NOTIFICATION_EVENTS.page, record=invalid_id).run()
        assert "is not the ID" in page_text(app)


def test_a_failed_read_is_reported_and_can_be_retried(signed_in: Any) -> None:
    """With a message, and no traceback."""
    fault = {"fault": [{"kind": "status", "status": 500, "path": "/notificationEvents/8800"}]}
    with RunningService(faults=fault) as failing:
        app = signed_in(failing, screens.NOTIFICATION_EVENTS.page).run()
        assert not app.exception
        assert "The service failed." in page_text(app)
        assert [button.label for button in app.button if button.label == "Retry"]
