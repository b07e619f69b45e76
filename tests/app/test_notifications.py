"""Sent notifications under AppTest: paginated, filtered, shown, duplicated, and corrected."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from streamlit.testing.v1 import AppTest

from client.models.notifications import Notification
from client.resources.notifications import Notifications
from client.resources.public_lookups import PublicLookups
from client.vocabulary.public_alerts import ROUTINE_TESTS
from components.alerts.alert_session import DRAFT
from components.alerts.sending import alert_times
from components.shell import background_changes
from domain.alerts.expiry import time_in_text
from domain.alerts.recipients.region_catalog import region_lookups
from domain.alerts.sending.alert_chain import chains
from domain.alerts.sending.alert_edit import ALERT_EDIT
from domain.alerts.sending.alerts_in_force import counts_as_in_force
from domain.edits import stored_drafts
from domain.runtime import screens
from tests.app.tables import tables
from tests.running_service import RunningService

PAGE = screens.NOTIFICATIONS.page


def page_text(app: AppTest) -> str:
    """Return all text on the page."""
    parts: list[Any] = [app.title, app.header, app.markdown, app.caption, app.error, app.warning, app.info]
    parts += [app.text]
    return "\n".join(str(element.value) for kind in parts for element in kind).replace("\\", "")


@pytest.fixture
def sent(demo_service: RunningService) -> list[Notification]:
    """The notifications that the demo organization has sent, newest first."""
    with demo_service.client() as client:
        return list(client.notifications.list())


def test_a_page_lists_fifty_notifications_with_type_places_expiry_and_follow_ups(
    signed_in: Any, demo_service: RunningService, sent: list[Notification]
) -> None:
    """With exact IDs, the total number, and the number in force."""
    app = signed_in(demo_service, PAGE)
    region_lookups(signed_in.workspace).wait()
    app.run()
    assert not app.exception
    assert f"{len(sent)} notifications · " in page_text(app)
    assert "in force now" in page_text(app)
    [table] = tables(app)
    assert list(table.index) == [str(each.id) for each in sent[:50]]
    assert list(table.columns) == ["title", "kind", "to", "state", "until", "until_utc", "sent"]
    live = next(each for each in sent if each.public_alert and each.public_alert.event not in ROUTINE_TESTS)
    row = table.loc[str(live.id)]
    assert row["kind"] == "Live alert"
    assert row["state"].startswith(("In force", "Ended", "Stopped"))


def test_groups_read_after_the_places_are_named_automatically(
    signed_in: Any, demo_service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    go, read = threading.Event(), PublicLookups.list_event_groups

    def wait_and_read(lookups: PublicLookups) -> Any:
        assert go.wait(30)
        return read(lookups)

    followed: list[Callable[[], bool]] = []
    monkeypatch.setattr(PublicLookups, "list_event_groups", wait_and_read)
    monkeypatch.setattr(background_changes, "redraw_when", followed.append)
    app = signed_in(demo_service, PAGE)
    region_lookups(signed_in.workspace).regions.wait()
    followed.clear()
    assert not app.run().exception
    go.set()
    assert region_lookups(signed_in.workspace).wait()
    assert [has_ended() for has_ended in followed] == [True]


def test_the_list_is_searched_and_filtered(
    signed_in: Any, demo_service: RunningService, sent: list[Notification]
) -> None:
    """By words of the text, type, and event, and to the notifications in force."""
    now = datetime.now(UTC)
    signed_in(demo_service, PAGE)
    known = chains(signed_in.workspace)

    def list_ids(**query: str) -> list[str]:
        app = signed_in(demo_service, PAGE, **query).run()
        assert not app.exception
        return list(tables(app)[0].index) if tables(app) else []

    event_id = next(each.notification_event_id for each in sent if each.notification_event_id)
    assert (
        list_ids(event=str(event_id)) == [str(each.id) for each in sent if each.notification_event_id == event_id][:50]
    )
    assert list_ids(active="1") == [str(each.id) for each in sent if counts_as_in_force(each, known, now)][:50]
    tests = [str(each.id) for each in sent if each.public_alert and each.public_alert.event in ROUTINE_TESTS]
    assert list_ids(kind="Routine test") == tests[:50]
    one = next(each for each in sent if each.public_alert and each.public_alert.sms_message)
    assert one.public_alert is not None
    text = str(one.public_alert.sms_message).split()[:6]
    assert str(one.id) in list_ids(**{"notifications-find": " ".join(text)})


def test_a_notification_on_any_page_is_shown_in_full_and_duplicated_as_a_draft(
    signed_in: Any, demo_service: RunningService, sent: list[Notification]
) -> None:
    """With its text, levels, and recipients. The draft has the same, and nothing is sent."""
    record = next(each for each in reversed(sent) if each.public_alert and each.public_alert.community)
    alert = record.public_alert
    assert alert is not None
    app = signed_in(demo_service, PAGE, notification=str(record.id)).run()
    assert not app.exception
    for text in (alert.event, alert.sms_message, alert.urgency):
        assert text is not None
        assert text in page_text(app)
    app.button(key=f"notifications-duplicate/{record.id}").click().run()
    assert not app.exception
    [saved_draft] = stored_drafts.list_unfinished(signed_in.workspace, ALERT_EDIT)
    assert (saved_draft.draft.event, saved_draft.draft.sms, saved_draft.draft.follows) == (
        alert.event,
        alert.sms_message,
        None,
    )
    assert saved_draft.draft.regions == [int(each) for each in (alert.community.region_ids or [])]
    with demo_service.client() as client:
        assert len(list(client.notifications.list())) == len(sent)


def test_a_correction_has_the_recipients_of_the_corrected_alert(
    signed_in: Any, demo_service: RunningService, sent: list[Notification]
) -> None:
    """The correction names the alert, which does not change."""
    record = next(each for each in sent if each.public_alert and each.public_alert.event_groups)
    app = signed_in(demo_service, PAGE, notification=str(record.id)).run()
    app.button(key=f"notifications-correction/{record.id}").click().run()
    assert not app.exception
    draft = app.session_state[DRAFT.name]
    assert record.public_alert is not None
    assert draft.follows == record.id
    assert draft.groups == [int(each) for each in record.public_alert.event_groups or []]
    assert "CORRECTION" in draft.sms
    assert stored_drafts.list_unfinished(signed_in.workspace, ALERT_EDIT) == []


def test_a_correction_of_a_false_alarm_names_the_sending_time(
    signed_in: Any, demo_service: RunningService, sent: list[Notification], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In local time at the recipients, not in the time zone of the user."""
    record = next(each for each in sent if each.public_alert and each.public_alert.event not in ROUTINE_TESTS)
    assert record.created_date is not None
    monkeypatch.setattr(alert_times, "browser_zone", lambda: "America/Denver")
    app = signed_in(demo_service, PAGE, notification=str(record.id)).run()
    region_lookups(signed_in.workspace).wait()
    app.button(key=f"notifications-false_alarm/{record.id}").click().run()
    assert not app.exception
    draft = app.session_state[DRAFT.name]
    assert "There is no emergency." in draft.sms
    assert draft.follows == record.id
    sent_at = record.created_date.astimezone(ZoneInfo("America/New_York"))
    time_match = re.search(r"Disregard our ([^(]*) alert \(", draft.sms)
    assert time_match is not None
    is_today = sent_at.date() == datetime.now(sent_at.tzinfo).date()
    assert time_match[1] == (
        time_in_text(sent_at) if is_today else f"{sent_at:%b} {sent_at.day}, {time_in_text(sent_at)}"
    )


def test_an_empty_list_explains_itself_and_a_missing_notification_is_reported(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing was sent yet. The ID in the URL is searched for once, not in every run."""
    original, queries = Notifications.list, []
    monkeypatch.setattr(Notifications, "list", lambda *args, **query: queries.append(query) or original(*args, **query))
    app = signed_in(service, PAGE, notification="999999").run()
    assert not app.exception
    request_count = len(queries)
    app.run()
    assert len(queries) == request_count
    assert "No notifications have been sent yet" in page_text(app)
    assert "Notification “999999” is not among the newest" in page_text(app)


def test_a_list_that_cannot_be_read_is_reported_and_can_be_retried(signed_in: Any) -> None:
    """With a message. Retrying reads the list."""
    fault = {"fault": [{"kind": "status", "status": 500, "path": "/notifications", "times": 1}]}
    with RunningService(faults=fault) as failing:
        app = signed_in(failing, PAGE).run()
        assert not app.exception
        assert "The service failed." in page_text(app)
        next(each for each in app.button if each.label == "Retry").click().run()
        assert "The service failed." not in page_text(app)
        assert "No notifications have been sent yet" in page_text(app)
