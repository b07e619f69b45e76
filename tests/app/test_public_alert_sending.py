"""Sending a public alert under AppTest: double sends, the typed place, the countdown, and approval."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event
from types import ModuleType
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from streamlit.testing.v1 import AppTest

from client.resources.notifications import Notifications
from client.resources.public_lookups import PublicLookups
from components.alerts.alert_session import DRAFT
from components.alerts.sending import alert_times, approval_view, boxes, review, send_actions, sent_alert
from components.alerts.sending.send_actions import COUNTDOWN, DECISION, second_confirmation
from components.edits import send_status_view
from components.shell.background_changes import redraw_when
from components.shell.session import OWNER, TOKEN
from domain.alerts.alert_form import ALERT_FORM
from domain.alerts.draft import (
    ALL_CLEAR,
    EXTENSION,
    FALSE_ALARM,
    KIND,
    SECOND_LANGUAGE,
    SEND,
    AlertDraft,
    FollowUp,
)
from domain.alerts.recipients.region_catalog import region_lookups
from domain.alerts.request import request_json, to_request
from domain.alerts.sending import approval, countdown
from domain.alerts.sending.alert_chain import journal_links
from domain.alerts.sending.alert_edit import ALERT_EDIT
from domain.alerts.sending.facts import title_of
from domain.edits import stored_drafts
from domain.edits.edit_draft import DraftVersion, SendStatus
from domain.edits.stored_drafts import ATTEMPT, ENTRY
from domain.runtime import screens
from domain.runtime.background import THREAD, BackgroundReads
from domain.runtime.server import server
from domain.runtime.settings import settings
from domain.runtime.workspace import Workspace
from journal.audit import AuditTrail
from service.accounts import repository as accounts
from service.database import Database
from tests.app.form_fields import key_of
from tests.app.presses import press_twice
from tests.app.tables import tables
from tests.domain.alerts.sending.alerts_for_sending import (
    LOST_AFTER,
    LOST_BEFORE,
    TEXT,
    a_test,
    an_alert,
    count_alerts,
    expire_leases,
    load_alert,
    save_draft,
    send,
)
from tests.running_service import CHEAP_HASHER, PASSWORD, RunningService

FRAME = Path(__file__).resolve().parents[2] / "components" / "shell" / "frame.py"
PAGE = screens.PUBLIC_ALERT.page
APPROVAL = screens.PUBLIC_ALERT_APPROVAL.page


@dataclass
class Person:
    """A user who signs in to the service."""

    url: str
    organization_id: int
    username: str
    password: str = PASSWORD


@pytest.fixture
def colleague(service: RunningService) -> Person:
    """A second user of the organization."""
    with closing(Database(service.database_url)) as database, database.transaction() as connection:
        cheap = CHEAP_HASHER.hash(PASSWORD)
        user_id = accounts.add_user(connection, "ben", cheap, "Ben Okoro")
        accounts.give_access(connection, user_id, service.organization_id)
    return Person(service.url, service.organization_id, "ben")


@pytest.fixture
def start_countdown_at_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start the countdown at zero."""
    monkeypatch.setattr(countdown, "SECONDS", 0.0)


@pytest.fixture
def require_approval(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The deployment requires the approval of a second user."""
    monkeypatch.setenv("MUSTER_ALERT_APPROVAL", "true")
    settings.cache_clear()
    yield
    settings.cache_clear()


def page_text(app: AppTest) -> str:
    """Return all text on the page."""
    parts: list[Any] = [app.title, app.header, app.markdown, app.caption, app.error, app.warning, app.info]
    parts += [app.success, app.text, app.code]
    return "\n".join(str(element.value) for kind in parts for element in kind).replace("\\", "")


def wait_for_reads(app: AppTest) -> AppTest:
    """Wait for the background reads of the composer, so that the service does not stop during a request."""
    assert not app.exception
    for thread in threading.enumerate():
        if thread.name.startswith(THREAD):
            thread.join(30)
    return app


def press(app: AppTest, key: str) -> AppTest:
    """Click a button."""
    return wait_for_reads(app.button(key=key).click().run())


def has_button(app: AppTest, key: str) -> bool:
    """Return whether the page has this button."""
    return any(button.key == key for button in app.button)


def open_review(signed_in: Any, service: Any, draft: AlertDraft) -> AppTest:
    """Open the review of a draft in a new tab."""
    app = signed_in(service, PAGE, draft=draft.uid)
    if stored_drafts.load(signed_in.workspace, ALERT_EDIT, draft.uid) is None:
        save_draft(signed_in.workspace, draft)
    region_lookups(signed_in.workspace).wait()
    app.run()
    assert not app.exception
    return app


def open_approval(signed_in: Any, person: Any, request_id: str) -> AppTest:
    """Open the approval of an alert in the tab of a user, with the names of its places loaded."""
    app = signed_in(person, APPROVAL, id=request_id)
    region_lookups(signed_in.workspace).wait()
    app.run()
    assert not app.exception
    return app


def open_second_tab(first: AppTest, draft: AlertDraft) -> AppTest:
    """Open the same URL in a second tab of the same browser."""
    tab = AppTest.from_file(FRAME, default_timeout=60)
    tab.run()
    tab.session_state[TOKEN.name] = first.session_state[TOKEN.name]
    tab.session_state[OWNER.name] = None
    tab.switch_page(PAGE)
    tab.query_params["draft"] = draft.uid
    tab.run()
    assert not tab.exception
    return tab


def type_place(app: AppTest, draft: AlertDraft, place: str) -> AppTest:
    """Type the name of the place."""
    app.text_input(key=f"public_alert.typed/{draft.uid}").set_value(place).run()
    assert not app.exception
    return app


def list_entries(workspace: Workspace) -> list[tuple[str, str]]:
    """Actions and states in the journal, newest first."""
    audit_entries = workspace.journal.audit.list(workspace.actor.service, workspace.actor.organization_id)
    return [(entry.action.removeprefix("public_alert."), entry.state) for entry in audit_entries]


def test_a_text_that_names_a_place_outside_the_recipients_is_reported_before_sending(
    signed_in: Any, service: RunningService
) -> None:
    app = open_review(signed_in, service, an_alert(regions=[80301], sms="Wildfire in Dallas. Leave now."))
    text = "\n".join(warning.value.replace("\\", "") for warning in app.warning)
    assert "Check before you send" in text
    assert "The text says “in Dallas”, but the alert goes to 80301, CO, " in text


def test_a_live_alert_needs_a_review_the_typed_place_and_a_countdown(signed_in: Any, service: RunningService) -> None:
    """The button appears once the typed place matches. Nothing is sent during the countdown or after Stop."""
    draft = an_alert(regions=[80301])
    app = open_review(signed_in, service, draft)
    text = page_text(app)
    for part in (
        "Review the alert",
        "LIVE ALERT: Wildfire",
        "Event and levels",
        "Message",
        "Recipients",
        TEXT,
    ):
        assert part in text
    assert [json.loads(shown.value) for shown in app.code if shown.language == "json"] == [request_json(draft)]
    press(app, "public_alert.send")
    assert "Nothing was sent. To send this live alert, enter **80301, CO**." in page_text(app)
    press(type_place(app, draft, "Boulder"), "public_alert.send")
    assert "Sending in" not in page_text(app)
    type_place(app, draft, " 80301 co ")
    press(app, "public_alert.send")
    assert "Sending in 5 s" in page_text(app)
    assert not has_button(app, "public_alert.back"), "during the countdown, Stop is the only action"
    assert count_alerts(service) == 0
    press(app, "public_alert.stop")
    assert "Sending in" not in page_text(app)
    assert (count_alerts(service), list_entries(signed_in.workspace)) == (0, [])
    assert "did not finish" not in page_text(app)


@pytest.mark.parametrize(
    ("kind", "kind_label"),
    [("", "live alert"), (ALL_CLEAR, "all clear"), (FALSE_ALARM, "correction of a false alarm")],
)
def test_the_button_and_the_countdown_name_the_kind_of_alert(
    signed_in: Any, service: RunningService, kind: FollowUp, kind_label: str
) -> None:
    """An all clear is not called a live alert."""
    draft = an_alert(regions=[80301], follow_up=kind)
    app = type_place(open_review(signed_in, service, draft), draft, "80301, CO")
    assert app.button(key="public_alert.send").label.startswith(f"Send this {kind_label} to ")
    press(app, "public_alert.send")
    assert f"**{title_of(draft)}** to " in page_text(app)
    press(app, "public_alert.stop")


@pytest.mark.usefixtures("require_approval")
def test_the_list_of_approvals_names_the_kind_of_alert(
    signed_in: Any, service: RunningService, colleague: Person
) -> None:
    """An all clear is not called a live alert."""
    press(
        open_review(signed_in, service, an_alert(regions=[80301], follow_up=ALL_CLEAR)), "public_alert.request_approval"
    )
    text = page_text(open_approval(signed_in, colleague, ""))
    assert ":green-badge[:material/check_circle: **All clear**]" in text
    assert "live alert" not in text


def test_an_alert_to_all_is_prominent_and_requires_typing_all(
    signed_in: Any, service: RunningService, start_countdown_at_zero: None
) -> None:
    """ALL is in the banner, on the button, and in the field."""
    draft = an_alert(jurisdiction="all", regions=[])
    app = open_review(signed_in, service, draft)
    assert "To: Entire jurisdiction" in page_text(app).replace("*", "")
    press(type_place(app, draft, "Boulder"), "public_alert.send")
    assert "Sending in" not in page_text(app)
    press(type_place(app, draft, "all"), "public_alert.send")
    assert count_alerts(service) == 1
    assert "Sent: Wildfire alert" in page_text(app)


@pytest.mark.parametrize(
    ("fields", "most", "question"),
    [
        ({}, "1000", "That is more than 1,000."),
        ({"sms": "Boulder Fire: wildfire. Evacuate zone 7 now. Until 18:00."}, "500000", "Evacuate zone 7"),
        ({"instructions": "Go to [name of shelter]."}, "500000", "The text still has [name of shelter]."),
    ],
)
def test_an_alert_to_very_many_people_to_more_than_its_text_says_or_with_a_blank_needs_a_tick(
    signed_in: Any,
    service: RunningService,
    start_countdown_at_zero: None,
    monkeypatch: pytest.MonkeyPatch,
    fields: dict[str, Any],
    most: str,
    question: str,
) -> None:
    monkeypatch.setenv("MUSTER_ALERT_MANY_PEOPLE", most)
    settings.cache_clear()
    draft = an_alert(regions=[80301], **fields)
    app = open_review(signed_in, service, draft)
    assert question in page_text(app).replace("\\", "")
    press(type_place(app, draft, "80301, CO"), "public_alert.send")
    assert "Nothing was sent. To send this live alert, select the check box above." in page_text(app)
    assert count_alerts(service) == 0
    app.checkbox(key=second_confirmation(draft.uid).widget_key).check().run()
    press(app, "public_alert.send")
    assert count_alerts(service) == 1
    settings.cache_clear()


def test_send_stops_once_if_the_end_in_the_text_has_passed_since_the_review_opened(
    signed_in: Any, service: RunningService, start_countdown_at_zero: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The warning may have appeared out of sight while the place was typed."""
    now = datetime(2026, 11, 20, 20, 40, tzinfo=UTC)

    class Clock(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> datetime:
            return now.astimezone(tz)

    monkeypatch.setattr(boxes, "datetime", Clock)
    sms = "Boulder Fire: wildfire near Boulder. Leave now. Until 2:30 PM MST."
    draft = an_alert(regions=[80301], sms=sms, hours=1, written_at=now)
    app = open_review(signed_in, service, draft)
    assert "has passed" not in page_text(app)
    now += timedelta(hours=1)
    press(type_place(app, draft, "80301, CO"), "public_alert.send")
    assert "Nothing was sent. This warning is new: The text says “Until 2:30 PM MST”, but that time has passed." in (
        page_text(app).replace("\\", "")
    )
    assert count_alerts(service) == 0
    now += timedelta(minutes=1)
    press(app, "public_alert.send")
    assert count_alerts(service) == 1, "the warning has been read"


def test_a_change_that_finishes_during_the_countdown_does_not_stop_it(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch, refresh_at_once: Any
) -> None:
    draft, tick = an_alert(regions=[80301]), review._tick

    def tick_then_end_change(*arguments: Any) -> None:
        tick(*arguments)
        refresh_at_once()
        redraw_when(lambda: True)

    monkeypatch.setattr(review, "_tick", tick_then_end_change)
    app = press(type_place(open_review(signed_in, service, draft), draft, "80301, CO"), "public_alert.send")
    assert "Sending in 5 s" in page_text(app)


def test_leaving_or_refreshing_during_the_countdown_sends_nothing_and_reports_it(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new page ends the countdown. Another session is told that it started and how it ended."""
    draft = an_alert(regions=[80301])
    app = press(type_place(open_review(signed_in, service, draft), draft, "80301, CO"), "public_alert.send")
    app.switch_page(screens.JOURNAL.page).run()
    app.switch_page(PAGE)
    app.query_params["draft"] = draft.uid
    app.run()
    assert "Sending in" not in page_text(app)
    assert COUNTDOWN.name not in app.session_state or app.session_state[COUNTDOWN.name] is None
    assert "A countdown started" in page_text(app)
    monkeypatch.setattr(countdown, "MAY_RUN_FOR", timedelta(0))
    refreshed = open_review(signed_in, service, draft)
    assert "Not sent." in page_text(refreshed)
    assert "did not finish" in page_text(refreshed)
    assert (count_alerts(service), list_entries(signed_in.workspace)) == (0, [])
    press(refreshed, "public_alert.back")
    assert refreshed.session_state[DRAFT.name].stage == "edit"
    assert countdown.unfinished_since(signed_in.workspace, draft.uid) is None


def test_going_back_during_the_countdown_is_reported_in_the_composer(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the browser's Back button, to the URL without the draft's ID."""
    monkeypatch.setattr(countdown, "MAY_RUN_FOR", timedelta(0))
    draft = an_alert(regions=[80301])
    app = press(type_place(open_review(signed_in, service, draft), draft, "80301, CO"), "public_alert.send")
    app.query_params.clear()
    app.run()
    assert app.session_state[DRAFT.name].stage == "edit"
    assert "Not sent." in page_text(app)
    assert count_alerts(service) == 0


def test_a_countdown_that_the_browser_stopped_or_that_the_user_left_is_reported(
    signed_in: Any, service: RunningService
) -> None:
    """The browser may stop it over HTTP before the press arrives."""
    draft = an_alert(regions=[80301])
    app = press(type_place(open_review(signed_in, service, draft), draft, "80301, CO"), "public_alert.send")
    counting = app.session_state[COUNTDOWN.name]
    assert countdown.find_countdown(counting.id) is counting
    assert counting.stop()
    press(app, "public_alert.stop")
    assert send_actions.STOPPED in page_text(app)
    counting.report()
    assert count_alerts(service) == 0


def test_a_routine_test_is_sent_with_one_click_and_looks_like_a_test(signed_in: Any, service: RunningService) -> None:
    """With its own text and button, without a typed place or a countdown."""
    app = open_review(signed_in, service, a_test())
    text = page_text(app)
    assert "TEST" in text
    assert "LIVE ALERT" not in text
    assert "Send routine test" in app.button(key="public_alert.send").label
    assert not [field for field in app.text_input if (field.key or "").startswith("public_alert.typed")]
    press(app, "public_alert.send")
    assert "Sent once" in page_text(app)
    assert count_alerts(service) == 1


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"sms": TEXT}, "people could take its text or levels for a live alert"),
        ({"sms": "Dies ist ein Test."}, "its text isn’t a saved text or template"),
        (
            {"urgency": "Immediate", "severity": "Extreme", "certainty": "Observed"},
            "people could take its text or levels for a live alert",
        ),
        ({"jurisdiction": "all", "regions": []}, "it goes to Entire jurisdiction"),
    ],
)
def test_a_routine_test_with_live_content_is_sent_like_a_live_alert(
    fields: dict[str, Any], reason: str, signed_in: Any, service: RunningService
) -> None:
    """The text, levels, and recipients decide whether the place must be typed and a countdown runs."""
    draft = a_test(regions=[80301]).model_copy(update=fields)
    app = open_review(signed_in, service, draft)
    place = "all" if draft.jurisdiction == "all" else "80301, CO"
    assert "the same confirmation as a live alert because " in page_text(app)
    assert reason in page_text(app)
    assert ("This test reads like a live alert" in page_text(app)) is (place != "all")
    press(type_place(app, draft, place), "public_alert.send")
    assert "Sending in 5 s" in page_text(app)
    press(app, "public_alert.stop")
    assert (count_alerts(service), list_entries(signed_in.workspace)) == (0, [])


def test_a_live_text_filed_as_a_routine_test_is_approved_and_corrected_like_a_live_alert(
    signed_in: Any, service: RunningService, colleague: Person, require_approval: None
) -> None:
    """The approver is warned. After sending, the alert can be marked as a false alarm."""
    draft = a_test(sms=TEXT, regions=[80301])
    press(open_review(signed_in, service, draft), "public_alert.request_approval")
    author_workspace = signed_in.workspace
    approval_request = approval.approval_of(author_workspace, draft).approval_request
    assert approval_request is not None
    assert "people could mistake it for a live alert" in page_text(signed_in(colleague, APPROVAL).run())
    theirs = open_approval(signed_in, colleague, approval_request.id)
    assert "This test reads like a live alert" in page_text(theirs)
    assert "send exactly this text to **80301, CO" in page_text(theirs)
    press(theirs, "public_alert_approval.approve")
    send(author_workspace, draft)
    assert has_button(open_review(signed_in, service, draft), "public_alert.false_alarm")


def test_an_old_draft_shows_its_age_until_its_text_changes(signed_in: Any, service: RunningService) -> None:
    """In the review and in the composer. A review does not reset the age, and a copy has the same age."""
    draft, yesterday = a_test(regions=[80301]), datetime.now(UTC) - timedelta(days=1)
    app = signed_in(service, PAGE, draft=draft.uid)
    save_draft(signed_in.workspace, draft.model_copy(update={"written_at": yesterday}))
    app = open_review(signed_in, service, draft)
    assert "Review the test" in page_text(app)
    assert "**Written 1 d ago**" in page_text(app)
    press(app, "public_alert.back")
    assert "**Written 1 d ago**" in page_text(app)
    wait_for_reads(app.button(key="public_alert.review").click().run())
    assert "Review the test" in page_text(app)
    assert "**Written 1 d ago**" in page_text(app)
    save_draft(signed_in.workspace, draft.model_copy(update={"sms": "Boulder Fire: this is only a test."}))
    assert "Written" not in page_text(open_review(signed_in, service, draft))


@pytest.mark.usefixtures("require_approval")
def test_the_approver_of_an_old_draft_sees_its_age(
    signed_in: Any, service: RunningService, colleague: Person, require_approval: None
) -> None:
    """Before everything else, and in the local time of its places."""
    draft = an_alert(regions=[80301], written_at=datetime.now(UTC) - timedelta(days=1))
    press(open_review(signed_in, service, draft), "public_alert.request_approval")
    approval_request = approval.approval_of(signed_in.workspace, draft).approval_request
    assert approval_request is not None
    first = open_approval(signed_in, colleague, approval_request.id).warning[0].value
    assert re.search(r"^\*\*Written 1 d ago\*\*, .* [AP]M M[SD]T", first.replace("\\", ""))


def test_going_back_from_a_review_shows_the_same_draft(signed_in: Any, service: RunningService) -> None:
    """Back leads to the URL without the draft's ID. A sent alert is not opened."""
    draft = an_alert(regions=[80301])
    app = wait_for_reads(open_review(signed_in, service, draft).run())
    del app.query_params["draft"]
    wait_for_reads(app.run())
    assert app.session_state[DRAFT.name].has_same_payload(draft)
    assert has_button(app, "public_alert.review")
    assert app.query_params["draft"] == draft.uid
    assert not has_button(app, "public_alert.send")
    send(signed_in.workspace, draft)
    wait_for_reads(app.run())
    del app.query_params["draft"]
    assert wait_for_reads(app.run()).session_state[DRAFT.name].is_untouched


def test_a_copy_of_a_sent_alert_has_the_age_of_its_text(signed_in: Any, service: RunningService) -> None:
    """The text was true when it was sent."""
    draft = a_test()
    app = press(open_review(signed_in, service, draft), "public_alert.send")
    sent_at = load_alert(signed_in.workspace, draft.uid).begun_at
    press(app, "public_alert.copy")
    copy = stored_drafts.load(signed_in.workspace, ALERT_EDIT, app.session_state[DRAFT.name].uid)
    assert copy is not None
    assert copy.draft.written_at == sent_at


def test_the_review_repeats_the_warnings_about_the_text(signed_in: Any, service: RunningService) -> None:
    """Each missing piece of information is named, with advice."""
    app = open_review(signed_in, service, an_alert(sms="x", regions=[80301]))
    for missing in ("sender", "hazard", "place", "what to do", "end time"):
        assert f"Missing: {missing}." in page_text(app)


def test_advice_has_a_button_that_applies_the_change(signed_in: Any, service: RunningService) -> None:
    """The review stays open. In the composer, the change can be undone."""
    draft = a_test(regions=[80301], urgency="Immediate", severity="Severe")
    app = open_review(signed_in, service, draft)
    assert "Change them to Minor and Past." in page_text(app)
    press(app, "public_alert.fix/0")
    corrected = app.session_state[DRAFT.name]
    assert (corrected.severity, corrected.urgency, corrected.stage) == ("Minor", "Past", "review")
    assert "Change them to Minor and Past." not in page_text(app)
    again = open_review(signed_in, service, an_alert(urgency="Past", stage="edit", checked=False, regions=[80301]))
    press(again, "public_alert.fix/0")
    assert again.session_state[DRAFT.name].urgency == "Immediate"
    press(again, "public_alert.undo")
    assert again.session_state[DRAFT.name].urgency == "Past"


def test_typing_the_place_does_not_replace_the_send_button(signed_in: Any, service: RunningService) -> None:
    """Streamlit replaces a button whose type changes, and the keyboard focus is lost."""
    draft = an_alert(regions=[80301])
    app = open_review(signed_in, service, draft)
    for each in (app, type_place(app, draft, "80301, CO")):
        button = each.button(key="public_alert.send")
        assert (button.disabled, button.proto.type) == (False, "primary")
        assert [one.key for one in each.button if one.proto.type == "primary"] == ["public_alert.send"]


def test_times_are_shown_in_the_local_time_of_the_places(signed_in: Any, service: RunningService) -> None:
    """Review, result, and journal of an alert to Colorado name its time zone for a user in another one."""
    draft = a_test(regions=[80301])
    stale = draft.model_copy(update={"written_at": datetime.now(UTC) - timedelta(hours=3)})
    app = open_review(signed_in, service, stale)
    mountain = r"\d{1,2}(:\d\d)? [AP]M M[SD]T"
    assert re.search(rf"Written 3 h ago\*\*, \w+, \w+ \d+, {mountain}", page_text(app))
    assert re.search(rf"Ends: \*\*.*{mountain}", page_text(app))
    press(app, "public_alert.send")
    assert re.search(rf"Sent once .*{mountain}", page_text(app))
    assert re.search(rf"To \*\*80301, CO · Boulder\*\* · in force until \*\*.*{mountain}", page_text(app))
    (entry,) = signed_in.workspace.journal.audit.list(service.url, 8800)
    journal = signed_in.open_tab(screens.JOURNAL.page, entry=str(entry.id)).run()
    (row,) = tables(journal)[0].to_dict("records")
    assert row["subject"] == "Routine Weekly Test · 80301, CO · Boulder"
    assert re.search(rf"by ana · .*{mountain}", page_text(journal))
    assert "80301, CO · Boulder" in page_text(journal)
    assert "UTC" not in page_text(journal)


def test_a_sign_out_in_another_tab_prevents_sending(signed_in: Any, service: RunningService) -> None:
    """The button is still on the screen for a moment, but the session has ended."""
    draft = a_test()
    app = open_review(signed_in, service, draft)
    server().sessions.end(app.session_state[TOKEN.name])
    app.button(key="public_alert.send").click().run()
    assert "Sign in" in page_text(app)
    assert (count_alerts(service), list_entries(signed_in.workspace)) == (0, [])
    assert load_alert(signed_in.workspace, draft.uid).status is SendStatus.DRAFT


def test_a_sent_alert_shows_its_details_and_offers_a_correction(
    signed_in: Any, service: RunningService, start_countdown_at_zero: None
) -> None:
    """ID, people, payload, response, and links. The correction is a draft with the same recipients and a new text."""
    draft = an_alert(regions=[80301])
    app = press(type_place(open_review(signed_in, service, draft), draft, "80301, CO"), "public_alert.send")
    standing = load_alert(signed_in.workspace, draft.uid)
    text = page_text(app)
    assert f"Notification ID {standing.sent_id}" in text.replace("*", "")
    assert "written by ana" in text.replace("*", "")
    payload, response = (json.loads(shown.value) for shown in app.code)
    assert payload == request_json(draft)
    assert response["id"] == standing.sent_id
    press(app, "public_alert.correction")
    new = app.session_state[DRAFT.name]
    assert (new.regions, new.follows, new.stage) == (draft.regions, standing.sent_id, "edit")
    assert new.uid != draft.uid
    assert new.sms.startswith("CORRECTION")
    assert stored_drafts.list_unfinished(signed_in.workspace, ALERT_EDIT) == [], "nothing is typed yet"
    app.text_area(key=key_of(app, ALERT_FORM.name, new.uid, "sms")).set_value("CORRECTION: Leave by Highway 7.").run()
    (unfinished,) = stored_drafts.list_unfinished(signed_in.workspace, ALERT_EDIT)
    assert (unfinished.draft.uid, unfinished.draft.follows) == (new.uid, standing.sent_id)
    assert app.query_params["draft"] == new.uid
    assert count_alerts(service) == 1


@pytest.mark.parametrize(
    ("key", "text_part"), [("public_alert.false_alarm", "no emergency"), ("public_alert.copy", TEXT)]
)
def test_a_sent_alert_offers_a_correction_of_a_false_alarm_and_a_copy(
    key: str, text_part: str, signed_in: Any, service: RunningService
) -> None:
    """Neither is sent without a review."""
    app = signed_in(service, PAGE)
    draft = save_draft(signed_in.workspace, an_alert(regions=[80301]))
    sent = send(signed_in.workspace, draft)
    app.query_params["draft"] = draft.uid
    press(app.run(), key)
    new = app.session_state[DRAFT.name]
    assert text_part in new.sms
    assert new.follows == (sent if key.endswith("false_alarm") else None)
    assert new.regions == draft.regions
    assert count_alerts(service) == 1


def test_a_double_click_starts_one_countdown_and_sends_once(
    signed_in: Any, service: RunningService, start_countdown_at_zero: None
) -> None:
    """Each click is a separate run. The second starts before the page is redrawn."""
    draft = an_alert(regions=[80301])
    app = type_place(open_review(signed_in, service, draft), draft, "80301, CO")
    press_twice(app, app.button(key="public_alert.send"))
    wait_for_reads(app.run())
    assert "Sent once" in page_text(app)
    assert count_alerts(service) == 1
    assert list_entries(signed_in.workspace) == [("send", "succeeded")]


def test_of_two_colleagues_with_overlapping_alerts_the_second_is_told_before_sending(
    signed_in: Any, service: RunningService, start_countdown_at_zero: None
) -> None:
    """During the countdown of the first, and again when the first was sent."""
    mine, theirs = an_alert(regions=[80301], sms=TEXT), an_alert(regions=[80301], sms="Boulder Fire: go south by CO 7.")
    app = type_place(open_review(signed_in, service, mine), mine, "80301, CO")
    workspace = signed_in.workspace
    ben = replace(workspace, actor=replace(workspace.actor, username="ben"))
    save_draft(ben, theirs)
    countdown.begin(ben, DraftVersion(theirs, load_alert(ben, theirs.uid).version))

    press(app, "public_alert.send")
    assert send_actions.OVERTAKEN in page_text(app)
    assert "A colleague is about to send an alert" in page_text(app)
    send(ben, theirs)
    press(app, "public_alert.send")
    assert send_actions.OVERTAKEN in page_text(app)
    assert "A similar alert is already in force" in page_text(app)
    assert count_alerts(service) == 1
    press(app, "public_alert.send")
    assert count_alerts(service) == 2


@pytest.mark.parametrize("is_live", [False, True])
def test_a_slow_send_continues_in_a_refreshed_tab(
    signed_in: Any, service: RunningService, start_countdown_at_zero: None, hold_calls: Any, is_live: bool
) -> None:
    """A second click or a refresh does not stop it, and the alert is sent once."""
    draft = an_alert(regions=[80301]) if is_live else a_test()
    app = open_review(signed_in, service, draft)
    if is_live:
        type_place(app, draft, "80301, CO")
    sending_now = hold_calls(Notifications, "create")
    press(app, "public_alert.send")
    refreshed = open_second_tab(app, draft)
    for each in (app, refreshed):
        assert each.title[0].value.startswith("Sending")
        assert not has_button(each, "public_alert.send")
        assert not has_button(each, "public_alert.stop")
    sending_now.finish()
    wait_for_reads(refreshed.run())
    assert "Sent once" in page_text(refreshed)
    assert [toast.value.endswith("was sent\\.") for toast in refreshed.toast] == [True]
    assert sending_now.count == 1
    assert list_entries(signed_in.workspace) == [("send", "succeeded")]


def test_a_slow_rejection_is_shown_at_its_field_in_a_refreshed_tab(
    signed_in: Any, service: RunningService, hold_calls: Any
) -> None:
    """Unsaved text in another tab does not change."""
    draft = a_test(regions=[80301, 123])
    app = open_review(signed_in, service, draft)
    sending_now = hold_calls(Notifications, "create")
    press(app, "public_alert.send")
    refreshed = open_second_tab(app, draft)
    sending_now.finish()
    wait_for_reads(refreshed.run())
    assert "region with id 123" in page_text(refreshed)


def test_a_refresh_after_sending_sends_nothing(signed_in: Any, service: RunningService) -> None:
    """The same URL shows the status, also if the draft was discarded meanwhile."""
    draft = a_test()
    app = press(open_review(signed_in, service, draft), "public_alert.send")
    app.run()
    assert "Sent once" in page_text(app)
    assert "Sent once" in page_text(open_second_tab(app, draft))
    stored_drafts.discard(signed_in.workspace, ALERT_EDIT, draft.uid)
    again = signed_in(service, PAGE, draft=draft.uid).run()
    assert not again.exception
    assert "Sent once" in page_text(again)
    assert count_alerts(service) == 1


def test_two_tabs_send_one_alert_and_the_second_reports_it(
    signed_in: Any, service: RunningService, start_countdown_at_zero: None
) -> None:
    """Both tabs have the typed place and an enabled button."""
    draft = an_alert(regions=[80301])
    first = type_place(open_review(signed_in, service, draft), draft, "80301, CO")
    second = type_place(open_second_tab(first, draft), draft, "80301, CO")
    press(first, "public_alert.send")
    press(second, "public_alert.send")
    assert "Sent: Wildfire alert" in page_text(first)
    assert "Sent: Wildfire alert" in page_text(second)
    assert (count_alerts(service), list_entries(signed_in.workspace)) == (1, [("send", "succeeded")])


def test_stop_in_one_tab_stops_the_countdown_in_another(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message that nothing was sent is true: the other tab stops before zero."""
    draft = an_alert(regions=[80301])
    first = type_place(open_review(signed_in, service, draft), draft, "80301, CO")
    second = type_place(open_second_tab(first, draft), draft, "80301, CO")
    press(first, "public_alert.send")
    other_countdown = first.session_state[COUNTDOWN.name]
    press(second, "public_alert.send")
    assert not countdown.is_current(signed_in.workspace, other_countdown.ready), "only the latest countdown runs"
    assert countdown.action_in_other_tab(signed_in.workspace, other_countdown.ready) == "restarted"
    press(second, "public_alert.stop")
    assert not countdown.is_current(signed_in.workspace, other_countdown.ready)
    assert countdown.action_in_other_tab(signed_in.workspace, other_countdown.ready) == "stopped"
    assert load_alert(signed_in.workspace, draft.uid).status is SendStatus.DRAFT
    assert (count_alerts(service), list_entries(signed_in.workspace)) == (0, [])
    monkeypatch.setattr(countdown, "SECONDS", 0.0)
    press(type_place(open_review(signed_in, service, draft), draft, "80301, CO"), "public_alert.send")
    assert count_alerts(service) == 1, "a stopped alert can be sent with another click"
    assert countdown.action_in_other_tab(signed_in.workspace, other_countdown.ready) == "sent"


def test_an_open_review_shows_a_countdown_that_starts_in_another_tab(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = an_alert(regions=[80301])
    first = type_place(open_review(signed_in, service, draft), draft, "80301, CO")
    watched: list[Callable[[], bool]] = []
    monkeypatch.setattr(review, "redraw_when", lambda has_ended, **_: watched.append(has_ended))
    second = open_second_tab(first, draft)
    assert not any(has_ended() for has_ended in watched)
    press(first, "public_alert.send")
    assert any(has_ended() for has_ended in watched)
    assert "A countdown started" in page_text(second.run())
    assert has_button(second, "public_alert.stop")


def test_a_countdown_in_another_tab_can_be_stopped_from_its_notice(signed_in: Any, service: RunningService) -> None:
    draft = an_alert(regions=[80301])
    first = press(type_place(open_review(signed_in, service, draft), draft, "80301, CO"), "public_alert.send")
    other_countdown = first.session_state[COUNTDOWN.name]
    second = press(open_second_tab(first, draft), "public_alert.stop")
    assert not countdown.is_current(signed_in.workspace, other_countdown.ready)
    assert countdown.unfinished_since(signed_in.workspace, draft.uid) is None
    assert "Stopped. Nothing was sent." in page_text(second)
    assert "public_alert.stop" not in {button.key for button in second.button}
    assert (count_alerts(service), list_entries(signed_in.workspace)) == (0, [])


def test_stop_does_not_report_that_nothing_was_sent_if_another_tab_has_sent(
    signed_in: Any, service: RunningService
) -> None:
    draft = an_alert(regions=[80301])
    first = press(type_place(open_review(signed_in, service, draft), draft, "80301, CO"), "public_alert.send")
    second = open_second_tab(first, draft)
    send(signed_in.workspace, draft)
    press(second, "public_alert.stop")
    assert len(second.toast) == 0
    assert "Sent: Wildfire alert" in page_text(second)
    assert count_alerts(service) == 1


def test_stop_reports_that_another_tab_sent_the_alert_first(signed_in: Any, service: RunningService) -> None:
    """The message agrees with the journal and does not say that nothing was sent."""
    draft = an_alert(regions=[80301])
    app = press(type_place(open_review(signed_in, service, draft), draft, "80301, CO"), "public_alert.send")
    send(signed_in.workspace, draft)
    press(app, "public_alert.stop")
    assert "The alert was not stopped" in page_text(app)
    assert "Sent: Wildfire alert" in page_text(app)
    assert not any("Nothing was sent" in toast.value for toast in app.toast)
    assert count_alerts(service) == 1


def test_a_change_in_another_tab_must_be_reviewed_before_sending(
    signed_in: Any, service: RunningService, start_countdown_at_zero: None
) -> None:
    """At zero, the text has changed: nothing is sent, and the new text is shown."""
    draft = an_alert(regions=[80301])
    app = type_place(open_review(signed_in, service, draft), draft, "80301, CO")
    save_draft(signed_in.workspace, draft.model_copy(update={"sms": "Boulder Fire: stay inside. Until 18:00."}))
    press(app, "public_alert.send")
    assert "This tab shows the new version." in page_text(app)
    assert "stay inside" in page_text(app)
    assert (count_alerts(service), list_entries(signed_in.workspace)) == (0, [])
    press(type_place(app, draft, "80301, CO"), "public_alert.send")
    assert (count_alerts(service, "stay inside"), count_alerts(service)) == (1, 1)


def test_a_draft_discarded_in_another_tab_is_not_sent(
    signed_in: Any, service: RunningService, start_countdown_at_zero: None
) -> None:
    """The draft is saved again and can be sent with another click."""
    draft = an_alert(regions=[80301])
    app = type_place(open_review(signed_in, service, draft), draft, "80301, CO")
    stored_drafts.discard(signed_in.workspace, ALERT_EDIT, draft.uid)
    press(app, "public_alert.send")
    assert "discarded in another tab" in page_text(app)
    assert count_alerts(service) == 0
    press(type_place(app, draft, "80301, CO"), "public_alert.send")
    assert count_alerts(service) == 1


def test_the_place_must_be_typed_once_its_name_is_loaded_or_cannot_be(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the places are loading, nothing can be typed. If they cannot be read, their number is typed."""
    go, read = Event(), PublicLookups.list_regions

    def wait_and_read(lookups: PublicLookups) -> Any:
        assert go.wait(30)
        if not readable:
            raise OSError("no places")
        return read(lookups)

    readable = False
    monkeypatch.setattr(PublicLookups, "list_regions", wait_and_read)
    monkeypatch.setattr(BackgroundReads, "patience_for_names", 0.01)
    app = signed_in(service, PAGE)
    draft = save_draft(signed_in.workspace, an_alert(regions=[80301]))
    app.query_params["draft"] = draft.uid
    app.run()
    assert not app.exception
    assert "Loading the names of the recipients" in page_text(app)
    assert not has_button(app, "public_alert.send")
    assert has_button(app, "public_alert.back")
    go.set()
    lookups = region_lookups(signed_in.workspace)
    assert lookups.wait()
    app.run()
    assert [field.placeholder for field in app.text_input] == ["1 place"]
    readable = True
    lookups.reload_failed()
    assert lookups.wait()
    app.run()
    assert [field.placeholder for field in app.text_input] == ["80301, CO"]


@pytest.mark.parametrize(
    "recipients", [{"regions": [80301]}, {"jurisdiction": "all", "regions": []}], ids=["some", "all"]
)
def test_no_advice_about_times_is_given_before_the_places_are_loaded(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch, recipients: dict[str, Any]
) -> None:
    """In the review and in the composer. In the user's time zone, the end time could be hours off.

    The user is in London. The text and the alert end at the same local time of the places.
    """
    go, read = Event(), PublicLookups.list_regions

    def wait_and_read(lookups: PublicLookups) -> Any:
        assert go.wait(30)
        return read(lookups)

    monkeypatch.setattr(PublicLookups, "list_regions", wait_and_read)
    monkeypatch.setattr(BackgroundReads, "patience_for_names", 0.01)
    for module in (boxes, alert_times):
        monkeypatch.setattr(module, "browser_zone", lambda: "Europe/London")
    ends = datetime.now(ZoneInfo("America/Denver")) + timedelta(hours=4, minutes=-5)
    sms = f"Boulder Fire: wildfire near Boulder. Leave now to the north. Until {ends:%H:%M}."
    app = signed_in(service, PAGE)
    draft = save_draft(signed_in.workspace, an_alert(sms=sms, **recipients))
    app.query_params["draft"] = draft.uid
    app.run()
    assert "Loading the list of places" in page_text(app)
    assert "The text says" not in page_text(app)
    assert not any(button.key.startswith("public_alert.fix") for button in app.button if button.key)
    app.button(key="public_alert.back").click().run()
    assert "The text says" not in page_text(app)
    go.set()
    assert region_lookups(signed_in.workspace).wait()


@pytest.mark.usefixtures("require_approval")
def test_a_double_click_requests_and_approves_once(
    signed_in: Any, service: RunningService, colleague: Person, require_approval: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The result of the first click stays, without a message that it was done already."""

    def repeat(original: Callable[..., None]) -> Callable[..., None]:
        def call_twice(*arguments: Any) -> None:
            original(*arguments)
            original(*arguments)

        return call_twice

    for name in ("request_approval", "approve"):
        monkeypatch.setattr(send_actions, name, repeat(getattr(send_actions, name)))
    draft = an_alert(regions=[80301])
    press(open_review(signed_in, service, draft), "public_alert.request_approval")
    author_workspace = signed_in.workspace
    approval_request = approval.approval_of(author_workspace, draft).approval_request
    assert approval_request is not None
    theirs = press(open_approval(signed_in, colleague, approval_request.id), "public_alert_approval.approve")
    assert theirs.session_state[DECISION.name] is None
    assert list_entries(author_workspace) == [("approve", "succeeded"), ("request_approval", "succeeded")]


def test_an_alert_cannot_be_approved_before_the_names_of_its_places_are_loaded(
    signed_in: Any, service: RunningService, colleague: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number of places is not enough for a decision."""
    go, read = Event(), PublicLookups.list_regions

    def wait_and_read(lookups: PublicLookups) -> Any:
        assert go.wait(30)
        return read(lookups)

    monkeypatch.setattr(PublicLookups, "list_regions", wait_and_read)
    monkeypatch.setattr(BackgroundReads, "patience_for_names", 0.01)
    signed_in(service, PAGE)
    workspace, draft = signed_in.workspace, an_alert(regions=[80301])
    approval.request_approval(workspace, save_draft(workspace, draft))
    approval_request = workspace.journal.approval_requests.latest(workspace.actor, KIND, draft.uid)
    assert approval_request is not None
    app = signed_in(colleague, APPROVAL, id=approval_request.id).run()
    assert "Loading the names" in page_text(app)
    assert not has_button(app, "public_alert_approval.approve")
    go.set()
    assert region_lookups(signed_in.workspace).wait()
    app.run()
    assert "80301, CO · ZIP code" in page_text(app)
    assert has_button(app, "public_alert_approval.approve")


@pytest.mark.parametrize("screen", [review, approval_view])
def test_place_names_loaded_while_a_review_or_approval_is_drawn_enable_the_decision_automatically(
    screen: ModuleType,
    signed_in: Any,
    service: RunningService,
    colleague: Person,
    monkeypatch: pytest.MonkeyPatch,
    refresh_at_once: Any,
) -> None:
    go, read, draw_banner = Event(), PublicLookups.list_regions, screen.kind_banner

    def wait_and_read(lookups: PublicLookups) -> Any:
        assert go.wait(30)
        return read(lookups)

    def load_then_draw(*arguments: Any) -> None:
        go.set()
        assert region_lookups(signed_in.workspace).wait(30)
        draw_banner(*arguments)

    signed_in(service, PAGE)
    workspace = signed_in.workspace
    draft = save_draft(workspace, an_alert(regions=[80301]))
    approval.request_approval(workspace, draft)
    approval_request = workspace.journal.approval_requests.latest(workspace.actor, KIND, draft.uid)
    assert approval_request is not None
    region_lookups(workspace).wait()
    server().reads.remove(workspace.connection.fingerprint)
    monkeypatch.setattr(PublicLookups, "list_regions", wait_and_read)
    monkeypatch.setattr(BackgroundReads, "patience_for_names", 0.01)
    monkeypatch.setattr(screen, "kind_banner", load_then_draw)
    refresh_at_once()
    of_review = screen is review
    app = (
        signed_in(service, PAGE, draft=draft.uid)
        if of_review
        else signed_in(colleague, APPROVAL, id=approval_request.id)
    )
    app.run()
    assert not app.exception
    assert "Loading the names" not in page_text(app)
    assert app.text_input if of_review else has_button(app, "public_alert_approval.approve")


def test_place_names_loaded_while_a_sent_alert_is_drawn_appear_automatically(
    signed_in: Any,
    service: RunningService,
    start_countdown_at_zero: None,
    monkeypatch: pytest.MonkeyPatch,
    refresh_at_once: Any,
) -> None:
    go, read, draw_boxes = Event(), PublicLookups.list_regions, sent_alert.boxes

    def wait_and_read(lookups: PublicLookups) -> Any:
        assert go.wait(30)
        return read(lookups)

    def load_then_draw_boxes(*arguments: Any, **options: Any) -> None:
        go.set()
        assert region_lookups(signed_in.workspace).wait(30)
        draw_boxes(*arguments, **options)

    draft = an_alert(regions=[80301])
    app = press(type_place(open_review(signed_in, service, draft), draft, "80301, CO"), "public_alert.send")
    assert "To **80301" in page_text(app)
    server().reads.remove(signed_in.workspace.connection.fingerprint)
    monkeypatch.setattr(PublicLookups, "list_regions", wait_and_read)
    monkeypatch.setattr(BackgroundReads, "patience_for_names", 0.01)
    monkeypatch.setattr(sent_alert, "boxes", load_then_draw_boxes)
    refresh_at_once()
    app.run()
    assert not app.exception
    assert "To **80301" in page_text(app)


@pytest.mark.usefixtures("require_approval")
def test_an_unreadable_approval_request_does_not_hide_the_others(
    signed_in: Any, service: RunningService, colleague: Person
) -> None:
    """Its own URL says that Muster cannot read the alert. The list shows only the readable alert."""
    signed_in(service, PAGE)
    workspace, draft, other = signed_in.workspace, an_alert(), an_alert()
    approval.request_approval(workspace, save_draft(workspace, draft))
    unreadable = {**draft.model_dump(mode="json"), "event": {"of": "another version"}}
    payload = {"request": request_json(other), "draft": unreadable}
    approval_request = workspace.journal.approval_requests.create(
        workspace.actor, KIND, save_draft(workspace, other).uid, payload
    )
    approvals = signed_in(colleague, APPROVAL).run()
    assert not approvals.exception
    assert "1 alert needs your approval" in page_text(approvals)
    alone = open_approval(signed_in, colleague, approval_request.id)
    assert "cannot read the alert" in page_text(alone)
    assert "1 alert needs your approval" in page_text(alone)
    assert not has_button(alone, "public_alert_approval.approve")
    with pytest.raises(approval.CannotDecide):
        approval.approve(signed_in.workspace, approval_request)


def test_a_rejected_alert_returns_to_the_composer_with_the_error_at_its_field(
    signed_in: Any, service: RunningService
) -> None:
    """For a region that is no longer offered. Once fixed, the alert can be reviewed again."""
    draft = a_test(regions=[80301, 123])
    app = press(open_review(signed_in, service, draft), "public_alert.send")
    now = app.session_state[DRAFT.name]
    assert now.stage == "edit"
    assert "region with id 123" in page_text(app)
    assert (count_alerts(service), list_entries(signed_in.workspace)) == (0, [("send", "refused")])
    again = now.model_copy(update={"regions": [80301], "refused": [], "stage": "review"})
    save_draft(signed_in.workspace, again)
    app = open_review(signed_in, service, again)
    app.run()
    assert "region with id 123" not in page_text(app), "the rejection is for the draft before the correction"
    press(app, "public_alert.send")
    assert count_alerts(service) == 1


def test_an_alert_that_could_not_be_sent_can_be_retried(signed_in: Any) -> None:
    """The service became unreachable after the review. Nothing was sent, and the button is still enabled."""
    draft = a_test()
    service = RunningService()
    service.start()
    app = open_review(signed_in, service, draft)
    workspace = signed_in.workspace
    service.stop()
    press(app, "public_alert.send")
    assert "could not be reached" in page_text(app)
    assert has_button(app, "public_alert.send")
    assert load_alert(workspace, draft.uid).status is SendStatus.DRAFT
    assert list_entries(workspace) == [("send", "not sent")]


def test_an_alert_with_a_lost_response_is_found_and_resolved_by_the_user(
    signed_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is resent. The sent alert is found, shown with local time and UTC, and recorded."""
    for module in (alert_times, send_status_view):
        monkeypatch.setattr(module, "browser_zone", lambda: "Europe/Berlin")
    draft = a_test()
    with RunningService(faults={"fault": [LOST_AFTER]}) as service:
        app = press(open_review(signed_in, service, draft), "public_alert.send")
        workspace = signed_in.workspace
        text = page_text(app)
        assert "The service may or may not have this alert" in text
        assert "Your alert was probably sent" in text
        assert "its response was lost" in text
        assert not app.error, "the status Unknown is reported once"
        assert re.search(r"ID \d+ · sent by .* · .* [AP]M M[SD]T \(.* CES?T\)", text)
        with service.client() as client:
            (sent_alert_record,) = client.notifications.list()
        press(app, f"public_alert.resolve/{sent_alert_record.id}")
        assert "Sent once" in page_text(app)
        assert load_alert(workspace, draft.uid).sent_id == sent_alert_record.id
        assert list_entries(workspace) == [("send", "succeeded"), ("send", "unknown")]
        assert count_alerts(service) == 1


def test_the_search_for_a_lost_alert_runs_in_the_background_and_a_double_click_decides_once(
    signed_in: Any, hold_calls: Callable[[type, str], Any]
) -> None:
    """The page says that it can be left. One entry is written also if the journal is slow."""
    draft = a_test()
    with RunningService(faults={"fault": [LOST_AFTER]}) as service:
        app = open_review(signed_in, service, draft)
        reading = hold_calls(Notifications, "list")
        press(app, "public_alert.send")
        app.run()
        assert "This changes nothing." in page_text(app)
        reading.finish()
        app.run()
        assert "Your alert was probably sent" in page_text(app)
        with service.client() as client:
            (sent_alert_record,) = client.notifications.list()
        deciding = hold_calls(AuditTrail, "begin")
        press_twice(app, app.button(key=f"public_alert.resolve/{sent_alert_record.id}"))
        assert "Saving the status." in page_text(app)
        deciding.finish()
        app.run()
        assert "Sent once" in page_text(app)
        assert list_entries(signed_in.workspace) == [("send", "succeeded"), ("send", "unknown")]


def test_a_lost_request_is_resent_only_after_a_second_confirmation(signed_in: Any) -> None:
    """The confirmation names similar alerts. The decision leads to the review and is recorded."""
    draft = a_test()
    with RunningService(faults={"fault": [LOST_BEFORE]}) as service:
        app = press(open_review(signed_in, service, draft), "public_alert.send")
        workspace = signed_in.workspace
        assert "No matching notification. The alert was not sent, or it is not in the list yet." in page_text(app)
        press(app, "public_alert.again")
        assert "No matching notification was found" in page_text(app)
        with service.client() as client:
            unlike = client.notifications.create(to_request(a_test(severity="Minor")))
            client.notifications.create(to_request(draft))
        press(app, "public_alert.look")
        press(app, f"public_alert.unlike/{unlike.id}")
        assert "Different: “Severity”" in page_text(app)
        assert "yours was not sent" in page_text(app), "a different notification needs a confirmation"
        press(app, "public_alert.unlike_dialog-keep")
        press(app, "public_alert.again")
        assert "1 identical notification" in page_text(app), "Muster checks again before the confirmation"
        assert list_entries(workspace) == [("send", "unknown")], "the confirmation decides nothing yet"
        press(app, "public_alert.again_dialog-confirm")
        assert list_entries(workspace) == [("send", "not sent"), ("send", "unknown")]
        app.run()
        assert "Review the test" in page_text(app)
        assert count_alerts(service) == 2
        press(app, "public_alert.send")
        assert "Sent once" in page_text(app)
        assert count_alerts(service) == 3


@pytest.mark.parametrize("is_sent", [True, False], ids=["after the call", "before the call"])
def test_an_alert_of_a_killed_process_is_shown_as_sending_then_unknown_and_searched_for(
    is_sent: bool, signed_in: Any, service: RunningService
) -> None:
    """The entry has no end. While its process may run, Muster waits. After that, the user checks and decides."""
    app = signed_in(service, PAGE)
    workspace = signed_in.workspace
    draft = save_draft(workspace, a_test())
    entry = workspace.journal.audit.begin(
        workspace.actor,
        SEND,
        subject_kind=KIND,
        subject_name=draft.event,
        request={"draft": draft.uid, "notification": request_json(draft)},
    )
    workspace.journal.drafts.claim(workspace.actor, KIND, draft.uid, {ATTEMPT: "a1", ENTRY: entry})
    if is_sent:
        with service.client() as client:
            client.notifications.create(to_request(draft))
    app.query_params["draft"] = draft.uid
    app.run()
    assert not app.exception
    assert "Sending: Routine Weekly Test" in page_text(app)
    assert not has_button(app, "public_alert.send")
    assert not has_button(app, "public_alert.again")
    expire_leases(workspace)
    app.run()
    assert "The service may or may not have this alert" in page_text(app)
    assert ("Your alert was probably sent" in page_text(app)) is is_sent
    assert count_alerts(service) == int(is_sent)
    assert has_button(app, "public_alert.again")


def test_a_colleague_sees_the_status_of_an_alert_in_the_journal_and_can_correct_it(
    signed_in: Any, service: RunningService, colleague: Person
) -> None:
    """The author is gone. The same URL shows others the sent alert and offers a correction."""
    app = signed_in(service, PAGE)
    draft = save_draft(signed_in.workspace, an_alert(regions=[80301]))
    sent = send(signed_in.workspace, draft)
    (entry,) = signed_in.workspace.journal.audit.list(service.url, 8800)
    journal = signed_in(colleague, screens.JOURNAL.page, entry=str(entry.id)).run()
    assert "Send a public alert: Wildfire" in page_text(journal)
    app = signed_in(colleague, PAGE, draft=draft.uid).run()
    assert "Sent: Wildfire alert" in page_text(app)
    assert "sent by ana" in page_text(app).replace("*", "")
    press(app, "public_alert.correction")
    new = app.session_state[DRAFT.name]
    assert (new.follows, new.regions) == (sent, [80301])
    assert new.uid != draft.uid, "the colleague has a new draft"


def test_a_send_interrupted_before_its_journal_entry_is_reported_and_can_be_retried(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The draft was only claimed. The review explains that, and one click sends one alert."""
    app = signed_in(service, PAGE)
    workspace = signed_in.workspace
    draft = save_draft(workspace, a_test())
    workspace.journal.drafts.claim(workspace.actor, KIND, draft.uid, {"attempt": "a1"})
    monkeypatch.setattr(stored_drafts, "GRACE", timedelta(0))
    region_lookups(workspace).wait()
    app.query_params["draft"] = draft.uid
    app.run()
    assert "stopped before anything was sent" in page_text(app)
    press(app, "public_alert.send")
    assert count_alerts(service) == 1


def test_a_second_user_approves_exactly_this_text_and_the_author_sends_it(
    signed_in: Any, service: RunningService, colleague: Person, require_approval: None, start_countdown_at_zero: None
) -> None:
    """Requested with a link, reviewed and approved by another user, and sent. The journal has three names."""
    draft = an_alert(regions=[80301])
    app = open_review(signed_in, service, draft)
    assert not has_button(app, "public_alert.send")
    press(app, "public_alert.request_approval")
    assert "Waiting for approval" in page_text(app)
    approval_request = approval.approval_of(signed_in.workspace, draft).approval_request
    assert approval_request is not None
    assert any(approval_request.id in shown.value for shown in app.code)

    mine = open_approval(signed_in, service, approval_request.id)
    assert "You wrote this alert" in page_text(mine)
    assert not has_button(mine, "public_alert_approval.approve")

    composing = wait_for_reads(signed_in(colleague, PAGE).run())
    assert "1 alert needs your approval" in [link.proto.label for link in composing.get("page_link")]
    # The names of the places appear once they are loaded.
    approvals = wait_for_reads(signed_in(colleague, APPROVAL).run()).run()
    assert "1 alert needs" in page_text(approvals)
    assert "To 80301, CO · Boulder · approval requested" in page_text(approvals)
    theirs = open_approval(signed_in, colleague, approval_request.id)
    text = page_text(theirs)
    for part in (
        "written by ana",
        "LIVE ALERT",
        "80301, CO",
        "Event and levels",
        "Message",
        "Recipients",
        TEXT,
    ):
        assert part in text.replace("**ana**", "ana")
    press(theirs, "public_alert_approval.approve")
    assert "You approved this alert" in page_text(theirs)
    assert "ben approved this alert" in page_text(open_approval(signed_in, service, approval_request.id))
    assert "You can send it now" in page_text(open_approval(signed_in, service, approval_request.id))

    with signed_in.workspace.journal.approval_requests._database.writing() as connection:
        connection.exec_driver_sql("UPDATE approval_requests SET decided_at = '2000-01-01 00:00:00.000000'")
    sender = open_review(signed_in, service, draft)
    assert "Approved by ben" in page_text(sender)
    assert "d ago.** Check that the text" in page_text(sender), "the age of an old approval is shown"
    press(type_place(sender, draft, "80301, CO"), "public_alert.send")
    assert "approved by ben" in page_text(sender).replace("*", "")
    assert count_alerts(service) == 1
    assert "if sent now" in text
    assert "if sent now" not in page_text(open_approval(signed_in, colleague, approval_request.id))
    assert list_entries(signed_in.workspace) == [
        ("send", "succeeded"),
        ("approve", "succeeded"),
        ("request_approval", "succeeded"),
    ]


def test_an_edit_voids_the_approval_and_a_rejection_has_a_note(
    signed_in: Any, service: RunningService, colleague: Person, require_approval: None
) -> None:
    """An edited alert cannot be sent. It is submitted again and rejected, which requires a note."""
    draft = a_test()
    app = press(open_review(signed_in, service, draft), "public_alert.request_approval")
    first = approval.approval_of(signed_in.workspace, draft).approval_request
    assert first is not None
    press(open_approval(signed_in, colleague, first.id), "public_alert_approval.approve")
    edited = draft.model_copy(update={"sms": "Boulder Fire: this is only a test."})
    app = signed_in(service, PAGE, draft=draft.uid)
    save_draft(signed_in.workspace, edited)
    app.run()
    assert "has changed since you requested approval" in page_text(app)
    assert not has_button(app, "public_alert.send")
    gone = open_approval(signed_in, colleague, first.id)
    assert "changed or withdrawn" in page_text(gone)

    app = press(open_review(signed_in, service, edited), "public_alert.request_approval")
    second = approval.approval_of(signed_in.workspace, edited).approval_request
    assert second is not None
    theirs = press(open_approval(signed_in, colleague, second.id), "public_alert_approval.decline")
    assert "Enter the changes that are needed" in page_text(theirs)
    theirs.text_area(key=f"public_alert_approval.note/{second.id}").set_value("Until when?")
    press(theirs, "public_alert_approval.decline")
    assert "You rejected this alert" in page_text(theirs)
    assert "ben rejected this alert" in page_text(open_approval(signed_in, service, second.id))
    app = open_review(signed_in, service, edited)
    assert "Rejected by ben" in page_text(app).replace("*", "")
    assert "Until when?" in page_text(app)
    assert count_alerts(service) == 0


@pytest.mark.usefixtures("require_approval")
def test_the_approver_can_add_advice_to_the_note(signed_in: Any, service: RunningService, colleague: Person) -> None:
    """Typed text stays, a second click adds nothing, and no line is cut off."""
    # The text has no other end time, which would be correct at some times of day.
    draft = an_alert(sms=TEXT.replace("Until 18:00", "For the next 17 hours"), regions=[80301])
    press(open_review(signed_in, service, draft), "public_alert.request_approval")
    approval_request = approval.approval_of(signed_in.workspace, draft).approval_request
    assert approval_request is not None
    theirs = open_approval(signed_in, colleague, approval_request.id)
    assert "Only ana can edit this alert" in page_text(theirs)
    note = f"public_alert_approval.note/{approval_request.id}"
    theirs.text_area(key=note).set_value("Two things.")
    for _ in range(2):
        press(theirs, "public_alert_approval.fill_note")
        written = theirs.text_area(key=note).value or ""
        assert re.findall("^Two things.$|next 17 h", written, re.M) == ["Two things.", "next 17 h"]
    again = signed_in.open_tab(APPROVAL, id=approval_request.id).run()
    assert again.text_area(key=note).value == written, "typed text survives a refresh"
    theirs.text_area(key=note).set_value("x" * 480)
    press(theirs, "public_alert_approval.fill_note")
    assert theirs.text_area(key=note).value == "x" * 480
    press(theirs, "public_alert_approval.decline")
    assert "You rejected this alert" in page_text(theirs)
    assert "Only ana can edit this alert" not in page_text(theirs), "no advice after the decision"


@pytest.mark.usefixtures("require_approval")
def test_a_review_or_approval_reports_an_earlier_follow_up_of_a_colleague(
    signed_in: Any, service: RunningService, colleague: Person
) -> None:
    """The same alert in another language does not count."""
    draft = an_alert(regions=[80301], follow_up=EXTENSION, follows=4711)
    app = open_review(signed_in, service, draft)
    workspace = signed_in.workspace

    def follow(kind: FollowUp) -> None:
        request = {"draft": kind, **journal_links(AlertDraft(follow_up=kind, follows=4711))}
        entry = workspace.journal.audit.begin(
            replace(workspace.actor, username="ben"), SEND, subject_kind=KIND, request=request
        )
        workspace.journal.audit.finish(entry, state="succeeded", subject_id="4712")

    follow(SECOND_LANGUAGE)
    assert "already has a follow-up" not in page_text(press(app, "public_alert.request_approval"))
    follow(ALL_CLEAR)
    approval_request = approval.approval_of(workspace, draft).approval_request
    assert approval_request is not None
    for page in (wait_for_reads(app.run()), open_approval(signed_in, colleague, approval_request.id)):
        assert "Notification 4711 already has a follow-up. All clear given by ben, " in page_text(page)


def test_a_url_without_a_valid_approval_request_is_reported(signed_in: Any, service: RunningService) -> None:
    """Without a traceback, and without data of another organization."""
    app = signed_in(service, APPROVAL, id="nothing").run()
    assert not app.exception
    assert "No alert in your organization has this address" in page_text(app)


@pytest.mark.usefixtures("require_approval")
def test_the_approver_sees_differences_from_the_sent_and_from_the_rejected_alert(
    signed_in: Any, service: RunningService, colleague: Person
) -> None:
    sent_texts = {"sms": TEXT, "instructions": ""}
    follows = {"follow_up": "correction", "follows": 7, "sent_texts": sent_texts, "instructions": ""}
    draft = an_alert(sms=TEXT.replace("36", "93"), regions=[80301], **follows)
    open_review(signed_in, service, draft)
    ana = signed_in.workspace
    approval.request_approval(ana, draft)
    first = approval.approval_of(ana, draft).approval_request
    assert first is not None
    theirs = open_approval(signed_in, colleague, first.id)
    assert "Highway :red[~~36~~] :green[**93**] to the north." in page_text(theirs)
    assert "Changes since" not in str([each.label for each in theirs.expander])
    approval.decline(signed_in.workspace, first, "North is closed.")
    changed = save_draft(ana, draft.model_copy(update={"sms": draft.sms.replace("north", "south"), "hours": 6}))
    approval.request_approval(ana, changed)
    second = approval.approval_of(ana, changed).approval_request
    assert second is not None
    again = open_approval(signed_in, colleague, second.id)
    assert "Changes since the decision by ben" in [each.label for each in again.expander]
    assert "93 to the :red[~~north.~~] :green[**south.**]" in page_text(again)
    assert "Also changed: Ends after." in page_text(again)
