"""The review shows a similar alert in force, with the ways to continue."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from components.alerts.alert_session import DRAFT
from components.alerts.sending.in_force_line import draw_in_force
from components.shell import sidebar
from domain.alerts.recipients.region_catalog import region_lookups
from domain.alerts.request import to_request
from domain.alerts.sending.alert_edit import ALERT_EDIT
from domain.edits import stored_drafts
from domain.runtime import screens
from tests.app.presses import page_text, press
from tests.domain.alerts.sending.alerts_for_sending import a_test, an_alert, save_draft, send
from tests.running_service import RunningService


def test_a_similar_alert_in_force_is_shown_and_extended_instead(signed_in: Any, service: RunningService) -> None:
    """An alert that Muster sent, and one that only the service has. Extending sends no second alert."""
    page = screens.PUBLIC_ALERT.page
    signed_in(service, page)
    workspace = signed_in.workspace
    first = send(workspace, save_draft(workspace, an_alert()))
    with service.client() as client:
        client.notifications.create(to_request(an_alert(regions=[80302], sms="Boulder Fire: fire west of Boulder.")))
    draft = save_draft(workspace, an_alert(regions=[80302]))
    region_lookups(workspace).wait()
    app = signed_in.open_tab(page, draft=draft.uid).run()
    assert not app.exception
    assert "The same alert is already in force" in page_text(app)
    assert "Boulder Fire: fire west of Boulder." in page_text(app)
    app = press(app, f"public_alert.instead/{first}.extension")
    started = app.session_state[DRAFT.name]
    assert (started.follows, started.follow_up) == (first, "extension")
    assert [each.draft.uid for each in stored_drafts.list_unfinished(workspace, ALERT_EDIT)] == [draft.uid], (
        "both can be continued"
    )


def test_an_alert_that_a_colleague_is_writing_is_shown_until_the_author_continues(
    signed_in: Any, service: RunningService
) -> None:
    page = screens.PUBLIC_ALERT.page
    signed_in(service, page)
    workspace = signed_in.workspace
    colleague = replace(workspace.actor, username="zoe")
    theirs = an_alert(event="Gas Leak", sms="Zoe's gas leak.")
    workspace.journal.drafts.save(colleague, ALERT_EDIT.draft_kind, theirs.uid, theirs.model_dump(mode="json"))
    draft = save_draft(workspace, an_alert(regions=[80302]))
    region_lookups(workspace).wait()
    app = signed_in.open_tab(page, draft=draft.uid).run()
    assert "A colleague is writing an alert for some of the same people." in page_text(app)
    assert "Zoe's gas leak." in page_text(app)
    app = press(app, "public_alert.continue")
    assert "A colleague is writing" not in page_text(app)
    assert "1 other alert for some of the same people." in page_text(app)


def test_every_screen_shows_the_number_of_live_alerts_and_when_the_next_one_ends(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch, refresh_at_once: Callable[[], None]
) -> None:
    """An alert that Muster sent, and one that only the service has. Tests do not count."""
    monkeypatch.setattr(sidebar, "HEADLINES", [draw_in_force])
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
    assert "No alerts in force" not in page_text(app), "the service has not been read yet"
    send(workspace, save_draft(workspace, an_alert()))
    assert [text.split(" · ")[0] for text in read_line()] == ["1 alert in force"]
    with service.client() as client:
        client.notifications.create(to_request(an_alert(hours=1)))
    refresh_at_once()
    [text] = read_line()
    ends = [datetime.now(UTC) + timedelta(hours=1, minutes=-ago) for ago in (0, 1)]
    assert text.startswith("2 alerts in force · next ends ")
    assert any(text.endswith(f"{end:%H:%M} UTC") for end in ends)
