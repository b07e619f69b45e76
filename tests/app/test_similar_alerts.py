"""The review shows an alert in force that is like the draft, with the ways to continue."""

from __future__ import annotations

from typing import Any

from components.alerts.alert_session import DRAFT
from components.alerts.sending.alert_change import ALERT
from domain.alerts.recipients.region_catalog import region_lookups
from domain.alerts.request import to_request
from domain.edits import kept_drafts
from domain.runtime import screens
from tests.app.presses import press, said
from tests.running_service import RunningService
from tests.unit.alert_sending.alerts_for_sending import an_alert, kept, send


def test_a_similar_alert_in_force_is_shown_and_extended_instead(signed_in: Any, service: RunningService) -> None:
    """One that Muster sent, and one that the service alone knows; no second alert is sent by that."""
    page = screens.PUBLIC_ALERT.page
    signed_in(service, page)
    workspace = signed_in.workspace
    first = send(workspace, kept(workspace, an_alert()))
    with service.client() as client:
        client.notifications.create(to_request(an_alert(regions=[80302], sms="Boulder Fire: fire west of Boulder.")))
    draft = kept(workspace, an_alert(regions=[80302]))
    region_lookups(workspace).wait()
    app = signed_in.again(page, draft=draft.uid).run()
    assert not app.exception
    assert "The same alert is already in force" in said(app)
    assert "Boulder Fire: fire west of Boulder." in said(app)
    app = press(app, f"public_alert.instead/{first}.extension")
    begun = app.session_state[DRAFT.name]
    assert (begun.follows, begun.follow_up) == (first, "extension")
    assert [each.draft.uid for each in kept_drafts.unfinished(workspace, ALERT)] == [draft.uid], "both can be continued"
