"""The review shows a similar alert in force, with the ways to continue."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from components.alerts.alert_session import DRAFT
from domain.alerts.recipients.region_catalog import region_lookups
from domain.alerts.request import to_request
from domain.alerts.sending.alert_edit import ALERT_EDIT
from domain.alerts.wording.follow_ups import follow_up
from domain.edits import stored_drafts
from domain.runtime import screens
from tests.app.presses import page_text, press
from tests.domain.alerts.sending.alerts_for_sending import an_alert, save_draft, send
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
    assert "2 other alerts for some of the same people" in page_text(app)
    app = press(app, f"public_alert.instead/{first}.extension")
    started = app.session_state[DRAFT.name]
    assert (started.follows, started.follow_up) == (first, "extension")
    assert [each.draft.uid for each in stored_drafts.list_unfinished(workspace, ALERT_EDIT)] == [draft.uid], (
        "both can be continued"
    )


def test_a_new_alert_that_says_that_all_is_over_can_end_the_one_in_force(
    signed_in: Any, service: RunningService
) -> None:
    page = screens.PUBLIC_ALERT.page
    signed_in(service, page)
    workspace = signed_in.workspace
    first = send(workspace, save_draft(workspace, an_alert()))
    draft = save_draft(workspace, an_alert(sms="Todo despejado. Ya puede regresar a su casa.", urgency="Past"))
    region_lookups(workspace).wait()
    app = signed_in.open_tab(page, draft=draft.uid).run()
    assert not [each for each in app.button if each.key == f"public_alert.instead/{first}.extension"]
    app = press(app, f"public_alert.instead/{first}.all clear")
    started = app.session_state[DRAFT.name]
    assert (started.follows, started.follow_up) == (first, "all clear")


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


def test_an_all_clear_names_its_alert_and_asks_about_another_one_that_stays_in_force(
    signed_in: Any, service: RunningService
) -> None:
    page = screens.PUBLIC_ALERT.page
    signed_in(service, page)
    workspace = signed_in.workspace
    gas = an_alert(event="Gas Leak", category="Safety", title="Gas leak on Main", sms="Boulder Fire: gas leak. Leave.")
    first = send(workspace, save_draft(workspace, gas))
    draft = follow_up("all clear", gas, follows=first).model_copy(update={"stage": "review", "checked": True})
    save_draft(workspace, draft)
    region_lookups(workspace).wait()
    app = signed_in.open_tab(page, draft=draft.uid).run()
    assert f"Follows notification {first}: “Gas leak on Main”, sent " in page_text(app)
    assert "stays in force" not in page_text(app)
    send(workspace, save_draft(workspace, an_alert(title="Wildfire west of Boulder", regions=[80302])))
    app = signed_in.open_tab(page, draft=draft.uid).run()
    assert "Another alert stays in force for some of the same people: “Wildfire west of Boulder”" in page_text(app)
    place = app.text_input(key=f"public_alert.typed/{draft.uid}")
    place.set_value(place.placeholder).run()
    app = press(app, "public_alert.send")
    assert "select the check box above" in page_text(app)
    assert "Sending in" not in page_text(app)
