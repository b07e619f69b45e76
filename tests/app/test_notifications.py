"""Sent notifications under AppTest: listed a page at a time, narrowed, read, duplicated and corrected."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from streamlit.testing.v1 import AppTest

from client.models.notifications import Notification
from client.resources.notifications import Notifications
from client.vocabulary.public_alerts import ROUTINE_TESTS
from components.alert_sending import afterwards
from components.alert_sending.alert_change import ALERT
from components.change import kept_drafts
from components.notifications.sent_list import ACTIVE, EVENT, SENT
from components.records.declared import Asked, ByPage
from components.records.found import every_page
from components.shell import screens
from components.widgets.place_clock import clock
from tests.app.tables import tables
from tests.running_service import RunningService

PAGE = screens.NOTIFICATIONS.page


def said(app: AppTest) -> str:
    """Everything that is said on the page."""
    parts: list[Any] = [app.title, app.subheader, app.markdown, app.caption, app.error, app.warning, app.info]
    parts += [app.text]
    return "\n".join(str(element.value) for kind in parts for element in kind).replace("\\", "")


@pytest.fixture
def sent(demo_service: RunningService) -> list[Notification]:
    """What the demo organization has sent, the newest first."""
    with demo_service.client() as client:
        return list(client.notifications.list())


def test_the_list_tells_each_page_as_the_service_does(
    signed_in: Any, demo_service: RunningService, sent: list[Notification]
) -> None:
    """Ten a page, exact ids, and how many there are in all."""
    app = signed_in(demo_service, PAGE).run()
    assert not app.exception
    assert f"{len(sent)} notifications" in said(app)
    assert list(tables(app)[0].index) == [str(each.id) for each in sent[:10]]
    assert "Pick a notification to read it" in said(app)
    app = signed_in(demo_service, PAGE)
    app.query_params["notifications-page"] = "3"
    app.run()
    assert not app.exception
    assert list(tables(app)[0].index) == [str(each.id) for each in sent[20:30]]


def test_the_list_is_narrowed_by_the_services_own_filters(
    signed_in: Any, demo_service: RunningService, sent: list[Notification]
) -> None:
    """By event, from its address or the choice, and to what is being sent."""
    event_id = next(each.notification_event_id for each in sent if each.notification_event_id)
    wanted = [str(each.id) for each in sent if each.notification_event_id == event_id]
    app = signed_in(demo_service, PAGE, event=str(event_id)).run()
    assert not app.exception
    assert list(tables(app)[0].index) == wanted[:10]
    app.toggle(key=ACTIVE.widget_key).set_value(True).run()
    assert not app.exception
    running = [str(each.id) for each in sent if each.notification_event_id == event_id and each.is_running]
    shown = list(tables(app)[0].index) if tables(app) else []
    assert shown == running
    app.selectbox(key=EVENT.widget_key).set_value(None).run()
    assert list(tables(app)[0].index) == [str(each.id) for each in sent if each.is_running][:10]


def test_a_file_holds_all_pages_of_what_the_list_is_narrowed_to(
    signed_in: Any, demo_service: RunningService, sent: list[Notification]
) -> None:
    """However few of them the list shows; past a number, the newest."""
    signed_in(demo_service, PAGE)
    by_page = SENT.read
    assert isinstance(by_page, ByPage)

    def file_of(event_id: int | None, read: ByPage[Any] = by_page) -> list[str]:
        event = None if event_id is None else str(event_id)
        asked = Asked(number=2, size=10, values={EVENT.name: event, ACTIVE.name: False})
        return [SENT.identity(each) for each in every_page(signed_in.workspace, read, asked)]

    event_id = next(each.notification_event_id for each in sent if each.notification_event_id)
    assert file_of(None) == [str(each.id) for each in sent]
    assert file_of(event_id) == [str(each.id) for each in sent if each.notification_event_id == event_id]
    assert file_of(None, replace(by_page, most_in_file=13)) == [str(each.id) for each in sent[:13]]


def test_one_is_read_in_full_wherever_it_stands_and_duplicated_as_a_draft(
    signed_in: Any, demo_service: RunningService, sent: list[Notification]
) -> None:
    """Its words, levels and reach; the draft says the same, and nothing is sent."""
    record = next(each for each in reversed(sent) if each.public_alert and each.public_alert.community)
    alert = record.public_alert
    assert alert is not None
    app = signed_in(demo_service, PAGE, notification=str(record.id)).run()
    assert not app.exception
    for words in (alert.event, alert.sms_message, alert.urgency):
        assert words is not None
        assert words in said(app)
    app.button(key=f"notifications.duplicate/{record.id}").click().run()
    assert not app.exception
    [kept] = kept_drafts.unfinished(signed_in.workspace, ALERT)
    assert (kept.draft.event, kept.draft.sms, kept.draft.follows) == (alert.event, alert.sms_message, None)
    assert kept.draft.regions == [int(each) for each in (alert.community.region_ids or [])]
    with demo_service.client() as client:
        assert len(list(client.notifications.list())) == len(sent)


def test_a_correction_has_the_reach_of_what_it_corrects(
    signed_in: Any, demo_service: RunningService, sent: list[Notification]
) -> None:
    """And names it; the sent one stays as it is."""
    record = next(each for each in sent if each.public_alert and each.public_alert.event_groups)
    app = signed_in(demo_service, PAGE, notification=str(record.id)).run()
    app.button(key=f"notifications/{record.id}.correction").click().run()
    assert not app.exception
    [kept] = kept_drafts.unfinished(signed_in.workspace, ALERT)
    assert record.public_alert is not None
    assert kept.draft.follows == record.id
    assert kept.draft.groups == [int(each) for each in record.public_alert.event_groups or []]
    assert "CORRECTION" in kept.draft.sms


def test_a_false_alarm_is_called_off_with_the_time_it_was_sent(
    signed_in: Any, demo_service: RunningService, sent: list[Notification], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the public's clocks showed it; where the browser names no zone, no time is named."""
    record = next(each for each in sent if each.public_alert and each.public_alert.event not in ROUTINE_TESTS)
    assert record.created_date is not None
    app = signed_in(demo_service, PAGE, notification=str(record.id)).run()
    app.button(key=f"notifications/{record.id}.false_alarm").click().run()
    assert not app.exception
    [kept] = kept_drafts.unfinished(signed_in.workspace, ALERT)
    assert "Disregard our alert (" in kept.draft.sms
    assert "There is no emergency." in kept.draft.sms
    assert kept.draft.follows == record.id

    monkeypatch.setattr(afterwards, "desk_zone", lambda: "America/Denver")
    app = signed_in(demo_service, PAGE, notification=str(record.id)).run()
    app.button(key=f"notifications/{record.id}.correction").click().run()
    there = record.created_date.astimezone(ZoneInfo("America/Denver"))
    said_at = re.search(
        r"Disregard our alert of ([^(]*) \(", kept_drafts.unfinished(signed_in.workspace, ALERT)[0].draft.sms
    )
    assert said_at is not None
    is_today = there.date() == datetime.now(there.tzinfo).date()
    assert said_at[1] == (clock(there) if is_today else f"{there.day} {there:%b} {clock(there)}")


def test_an_empty_list_says_why_and_an_unknown_notification_is_said_to_be(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing was sent yet; an address that names one all the same, which is looked for once and not at every press."""
    listed, asked = Notifications.list, []
    monkeypatch.setattr(Notifications, "list", lambda *args, **query: asked.append(query) or listed(*args, **query))
    app = signed_in(service, PAGE, notification="999999").run()
    assert not app.exception
    looked = len(asked)
    app.run()
    assert len(asked) == looked
    assert "Nothing has been sent yet" in said(app)
    assert "tells no notification “999999”" in said(app)


def test_a_list_that_cannot_be_read_is_told_with_a_way_on(signed_in: Any) -> None:
    """In words; asked again, it is read."""
    fault = {"fault": [{"kind": "status", "status": 500, "path": "/notifications", "times": 1}]}
    with RunningService(faults=fault) as failing:
        app = signed_in(failing, PAGE).run()
        assert not app.exception
        assert "reading the notifications" in said(app)
        next(each for each in app.button if each.label == "Try again").click().run()
        assert "Pick a notification" not in said(app), "there is none to pick"
        assert "Nothing has been sent yet" in said(app)
