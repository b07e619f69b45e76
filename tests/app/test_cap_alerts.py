"""CAP on the screens: show a sent alert or a draft as CAP, and import a file or text as a draft."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from client.models.public_lookups import Region, Regions
from client.resources.public_lookups import PublicLookups
from components.alerts.alert_session import DRAFT
from components.alerts.composer.start_options import TEXT_KEY
from domain.alerts.alert_form import ALERT_FORM
from domain.alerts.cap.cap_writing import CapArea, Issue, to_cap
from domain.alerts.draft import AlertDraft
from domain.alerts.recipients.region_catalog import region_lookups
from domain.alerts.sending.alert_edit import ALERT_EDIT
from domain.edits import stored_drafts
from domain.runtime import screens
from domain.runtime.background import BackgroundReads
from tests.app.form_fields import key_of
from tests.app.presses import page_text
from tests.domain.alerts.sending.alerts_for_sending import an_alert, save_draft, send
from tests.running_service import RunningService

EXAMPLES = Path(__file__).parents[1] / "domain" / "alerts" / "cap" / "public_examples"


def _extend_expiry(path: Path) -> str:
    later = (datetime.now(UTC) + timedelta(hours=3)).isoformat(timespec="seconds")
    return re.sub("(?<=<expires>)[^<]*", later, path.read_text(encoding="utf-8"))


ROADS = _extend_expiry(EXAMPLES / "civil-road-closure-wrapped.xml")
OWN_DRAFT = AlertDraft(event="Road Closure", category="Transport", sms="Closed", jurisdiction="some", regions=[1])


@pytest.fixture(autouse=True)
def use_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    places = Regions(cities=[Region(id=1, name="Lyons", state="CO")])
    monkeypatch.setattr(PublicLookups, "list_regions", lambda _: places)


def open_composer(signed_in: Any, service: RunningService) -> AppTest:
    app: AppTest = signed_in(service, screens.PUBLIC_ALERT.page).run()
    region_lookups(signed_in.workspace).wait()
    return app.run()


def test_cap_text_is_imported_as_a_draft_with_its_places(signed_in: Any, service: RunningService) -> None:
    """Values that the service does not offer or a draft cannot hold are reported."""
    app = open_composer(signed_in, service)
    app.text_area(key=TEXT_KEY).set_value(ROADS).run()
    app.button(key="public_alert.open_cap").click().run()
    assert not app.exception
    draft = app.session_state[DRAFT.name]
    assert isinstance(draft, AlertDraft)
    assert (draft.event, draft.category, draft.title) == ("Road Closure", "Transport", "US 36 closed")
    assert (draft.regions, draft.jurisdiction) == ([1], "some")
    assert "The area “Estes Park, CO”. Select its places." in page_text(app)
    assert stored_drafts.list_unfinished(signed_in.workspace, ALERT_EDIT) == []
    assert "draft" not in app.query_params
    app.text_area(key=key_of(app, ALERT_FORM.name, draft.uid, "sms")).set_value("US 36 is closed.").run()
    saved_draft = stored_drafts.load(signed_in.workspace, ALERT_EDIT, draft.uid)
    assert saved_draft is not None
    assert (saved_draft.draft.not_imported, saved_draft.draft.sms) == (draft.not_imported, "US 36 is closed.")
    assert app.query_params["draft"] == draft.uid


ENDED = Path(__file__).parents[1] / "cases" / "cap-ended-and-active.xml"


def test_a_part_of_a_cap_alert_can_be_selected_and_the_review_says_that_its_event_is_over(
    signed_in: Any, service: RunningService
) -> None:
    """The first click shows the parts. The most severe active one is selected."""
    text = _extend_expiry(ENDED)
    app = open_composer(signed_in, service)
    app.text_area(key=TEXT_KEY).set_value(text)
    app.button(key="public_alert.open_cap").click().run()
    assert app.session_state[DRAFT.name].is_untouched, "nothing is imported before a part is selected"
    (choice,) = (each for each in app.radio if each.label == "Part to import")
    assert choice.options[choice.value].startswith("Tornado Warning · Immediate, Extreme · Rutherford County, TN")
    choice.set_value(0).run()
    app.button(key="public_alert.open_cap").click().run()
    draft = app.session_state[DRAFT.name]
    assert draft.sms == "The tornado warning for Davidson County has ended."
    assert draft.regions == []
    app.session_state[DRAFT.name] = draft.model_copy(update={"stage": "review"})
    assert "The CAP alert from Weather Office says that this event is over." in page_text(app.run())


def test_a_live_alert_from_a_cap_exercise_has_a_warning(signed_in: Any, service: RunningService) -> None:
    """Only the status and the note of the CAP alert say that it is an exercise. The warning is first on the page."""
    app = open_composer(signed_in, service)
    noted = ROADS.replace("</scope>", "</scope><note>EXERCISE EXERCISE EXERCISE</note>")
    app.text_area(key=TEXT_KEY).set_value(noted.replace("Actual", "Exercise")).run()
    app.button(key="public_alert.open_cap").click().run()
    draft = app.session_state[DRAFT.name]
    for stage in ("edit", "review"):
        app.session_state[DRAFT.name] = draft.model_copy(update={"stage": stage})
        (message,) = (each for each in app.run().columns if [header.value for header in each.header] == ["Message"])
        words = "has the status “Exercise” and says “EXERCISE EXERCISE EXERCISE” in its note, but this alert is live."
        assert words in message.warning[0].value
        assert words in app.main.warning[0].value, "first, in sight"
    test = {"category": "Other", "event": "Routine Weekly Test"}
    app.session_state[DRAFT.name] = draft.model_copy(update=test)
    assert "has the status" not in page_text(app.run())


def test_an_expired_cap_alert_is_reported_in_the_time_of_its_places(signed_in: Any, service: RunningService) -> None:
    app = open_composer(signed_in, service)
    expired = re.sub("(?<=<expires>)[^<]*", "2026-01-05T18:30:00+00:00", ROADS)
    app.text_area(key=TEXT_KEY).set_value(expired).run()
    app.button(key="public_alert.open_cap").click().run()
    assert "This CAP alert expired Mon, Jan 5, 11:30 AM MST" in page_text(app)


@pytest.mark.parametrize(
    "text",
    [ROADS, to_cap(OWN_DRAFT, Issue("1", "desk", datetime.now(UTC)), {1: CapArea("Lyons, CO")})],
)
def test_a_cap_alert_is_not_imported_until_the_places_are_loaded(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """Otherwise, the draft would have no places. Once they are loaded, the same button imports the alert."""
    monkeypatch.setattr(BackgroundReads, "patience_for_names", 0.01)
    go, read = Event(), PublicLookups.list_regions
    monkeypatch.setattr(PublicLookups, "list_regions", lambda lookups: read(lookups) if go.wait(30) else None)
    app: AppTest = signed_in(service, screens.PUBLIC_ALERT.page).run()
    app.text_area(key=TEXT_KEY).set_value(text).run()
    app.button(key="public_alert.open_cap").click().run()
    assert "Muster is still loading the list of places. Try again in a few seconds." in page_text(app)
    assert app.session_state[DRAFT.name].is_untouched
    go.set()
    region_lookups(signed_in.workspace).wait()
    app.button(key="public_alert.open_cap").click().run()
    assert app.session_state[DRAFT.name].regions == [1]


def test_text_that_is_not_a_cap_alert_is_reported_and_not_imported(signed_in: Any, service: RunningService) -> None:
    app = open_composer(signed_in, service)
    app.button(key="public_alert.open_cap").click().run()
    assert "Select a CAP file, or paste the CAP text" in page_text(app)
    app.text_area(key=TEXT_KEY).set_value("Storm tomorrow").run()
    app.button(key="public_alert.open_cap").click().run()
    assert not app.exception
    assert "The file is not valid XML" in page_text(app)
    assert app.session_state[DRAFT.name].is_untouched


def test_a_sent_alert_is_shown_as_cap(signed_in: Any, demo_service: RunningService) -> None:
    with demo_service.client() as client:
        sent = next(each for each in client.notifications.list() if each.public_alert)
    app = signed_in(demo_service, screens.NOTIFICATIONS.page, notification=str(sent.id)).run()
    assert not app.exception
    assert sent.public_alert is not None
    assert f"<event>{sent.public_alert.event}</event>" in page_text(app)
    assert f"-{sent.id}</identifier>" in page_text(app)


def test_a_follow_up_refers_to_the_sent_time_in_the_cap_of_the_first_alert(
    signed_in: Any, service: RunningService
) -> None:
    """Even if the journal has another time than the service, because of its clock or a slow response."""
    signed_in(service, screens.NOTIFICATIONS.page)
    workspace = signed_in.workspace
    first = send(workspace, save_draft(workspace, an_alert()))
    second = send(workspace, save_draft(workspace, an_alert(follow_up="extension", follows=first)))
    with workspace.journal.audit._database.writing() as connection:
        connection.exec_driver_sql("UPDATE audit_entries SET at = '2026-01-02 03:04:05.000000'")
    first_text = page_text(signed_in.open_tab(screens.NOTIFICATIONS.page, notification=str(first)).run())
    follows = page_text(signed_in.open_tab(screens.NOTIFICATIONS.page, notification=str(second)).run())
    (sender, identifier, sent) = (
        re.search(f"<{name}>(.*?)</", first_text)[1] for name in ("sender", "identifier", "sent")
    )  # type: ignore[index]
    assert f"<references>{sender},{identifier},{sent}</references>" in follows
