"""The line above each page: how many live alerts are in force, from the first page on."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime, timedelta
from threading import Event
from typing import Any

import pytest

from client.errors import ConnectionFailed
from client.resources.notifications import Notifications
from components.alerts.sending.in_force_line import draw_in_force
from components.shell import sidebar
from domain.alerts.draft import ALL_CLEAR
from domain.alerts.request import to_request
from domain.alerts.sending.alerts_in_force import read_newest
from domain.runtime import screens
from tests.app.presses import page_text
from tests.domain.alerts.sending.alerts_for_sending import a_test, an_alert, save_draft, send
from tests.running_service import RunningService


@pytest.fixture(autouse=True)
def draw_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sidebar, "HEADLINES", [draw_in_force])


def test_every_screen_shows_the_number_of_live_alerts_and_when_the_next_one_ends(
    signed_in: Any, service: RunningService
) -> None:
    """An alert that Muster sent, and one that only the service has. Tests do not count."""
    app = signed_in(service, screens.JOURNAL.page)
    workspace = signed_in.workspace

    def read_line() -> list[str]:
        return [
            link.proto.label.replace("\\", "")
            for link in app.run().main.get("page_link")
            if "force" in link.proto.label
        ]

    send(workspace, save_draft(workspace, a_test()))
    assert read_line() == []
    assert "No alerts in force" in page_text(app), "with the first page"
    send(workspace, save_draft(workspace, an_alert()))
    assert [text.split(" · ")[0] for text in read_line()] == ["1 alert in force"]
    with service.client() as client:
        client.notifications.create(to_request(an_alert(hours=1)))
    read_newest(workspace).restart(30)
    [text] = read_line()
    ends = [datetime.now(UTC) + timedelta(hours=1, minutes=-ago) for ago in (0, 1)]
    assert text.startswith("2 alerts in force · first ends ")
    assert any(text.endswith(f"{end:%H:%M} UTC") for end in ends)


def test_the_line_and_sent_agree_on_the_number(signed_in: Any, service: RunningService) -> None:
    """Without a routine test, an all clear, the alert that it ended, and an alert that the service stopped counting."""
    app = signed_in(service, screens.NOTIFICATIONS.page)
    workspace = signed_in.workspace
    send(workspace, save_draft(workspace, a_test()))
    ended = send(workspace, save_draft(workspace, an_alert()))
    send(workspace, save_draft(workspace, an_alert(follow_up=ALL_CLEAR, follows=ended, sms="The fire is out.")))
    send(workspace, save_draft(workspace, an_alert(hours=2)))
    with service.client() as client:
        client.notifications.create(to_request(an_alert(hours=1)))
    app.run()
    assert not app.exception
    [link] = [each.proto.label for each in app.main.get("page_link") if "force" in each.proto.label]
    assert re.findall(r"(\d+) alerts? in force", link) == ["2"]
    assert re.findall(r"(\d+) in force now", page_text(app)) == ["2"]


def test_a_slow_service_delays_the_first_page_by_a_fraction_of_a_second_and_one_that_is_down_is_named(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    go, waits = Event(), list[float]()

    def fail(*_: Any, **__: Any) -> None:
        assert go.wait(30)
        raise ConnectionFailed("no answer")

    monkeypatch.setattr(Notifications, "list", fail)
    app = signed_in(service, screens.JOURNAL.page)
    read = read_newest(signed_in.workspace)
    wait = type(read).wait

    def measure(*given: Any, **options: Any) -> bool:
        began = time.monotonic()
        try:
            return wait(*given, **options)
        finally:
            waits.append(time.monotonic() - began)

    monkeypatch.setattr(type(read), "wait", measure)
    app.run()
    assert "in force" not in page_text(app)
    assert sum(waits) < 2
    go.set()
    wait(read, 30)
    assert "Muster does not know which alerts are in force. The service did not respond." in page_text(app.run())
