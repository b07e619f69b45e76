"""CAP on the screens: a sent alert and a draft to be looked at and kept, a file or text opened as a draft."""

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
from domain.alerts.cap.cap_writing import Issue, to_cap
from domain.alerts.draft import AlertDraft
from domain.alerts.recipients.region_catalog import region_lookups
from domain.alerts.sending.alert_edit import ALERT_EDIT
from domain.edits import stored_drafts
from domain.runtime import screens
from domain.runtime.background import BackgroundReads
from tests.app.form_fields import key_of
from tests.app.presses import page_text
from tests.domain.alerts.sending.alerts_for_sending import an_alert, kept, send
from tests.running_service import RunningService

EXAMPLES = Path(__file__).parents[1] / "domain" / "alerts" / "cap" / "public_examples"


def _in_force(path: Path) -> str:
    later = (datetime.now(UTC) + timedelta(hours=3)).isoformat(timespec="seconds")
    return re.sub("(?<=<expires>)[^<]*", later, path.read_text(encoding="utf-8"))


ROADS = _in_force(EXAMPLES / "civil-road-closure-wrapped.xml")
OWN_DRAFT = AlertDraft(event="Road Closure", category="Transport", sms="Closed", jurisdiction="some", regions=[1])


@pytest.fixture(autouse=True)
def few_places(monkeypatch: pytest.MonkeyPatch) -> None:
    places = Regions(cities=[Region(id=1, name="Lyons", state="CO")])
    monkeypatch.setattr(PublicLookups, "list_regions", lambda _: places)


def opened(signed_in: Any, service: RunningService) -> AppTest:
    app: AppTest = signed_in(service, screens.PUBLIC_ALERT.page).run()
    region_lookups(signed_in.workspace).wait()
    return app.run()


def test_a_text_is_opened_as_a_draft_whose_places_are_looked_up(signed_in: Any, service: RunningService) -> None:
    """What the service does not offer is told, and so is everything else that has no place in a draft."""
    app = opened(signed_in, service)
    app.text_area(key=TEXT_KEY).set_value(ROADS).run()
    app.button(key="public_alert.open_cap").click().run()
    assert not app.exception
    draft = app.session_state[DRAFT.name]
    assert isinstance(draft, AlertDraft)
    assert (draft.event, draft.category, draft.title) == ("Road Closure", "Transport", "US 36 closed")
    assert (draft.regions, draft.jurisdiction) == ([1], "some")
    assert "The area “Estes Park, CO”. Select its places." in page_text(app)
    assert stored_drafts.list_unfinished(signed_in.workspace, ALERT_EDIT) == [], "nothing is typed yet"
    assert "draft" not in app.query_params
    app.text_area(key=key_of(app, ALERT_FORM.name, draft.uid, "sms")).set_value("US 36 is closed.").run()
    kept = stored_drafts.load(signed_in.workspace, ALERT_EDIT, draft.uid)
    assert kept is not None
    assert (kept.draft.lost, kept.draft.sms) == (draft.lost, "US 36 is closed.")
    assert app.query_params["draft"] == draft.uid


ENDED = Path(__file__).parents[1] / "cases" / "cap-ended-and-active.xml"


def test_the_part_of_a_cap_alert_is_chosen_and_the_review_says_that_it_is_over(
    signed_in: Any, service: RunningService
) -> None:
    """The first press shows the parts, with the active and gravest one chosen."""
    text = _in_force(ENDED)
    app = opened(signed_in, service)
    app.text_area(key=TEXT_KEY).set_value(text)
    app.button(key="public_alert.open_cap").click().run()
    assert app.session_state[DRAFT.name].is_untouched, "nobody has seen the parts yet"
    (choice,) = (each for each in app.radio if each.label == "Part to import")
    assert choice.options[choice.value].startswith("Tornado Warning · Immediate, Extreme · Rutherford County, TN")
    choice.set_value(0).run()
    app.button(key="public_alert.open_cap").click().run()
    draft = app.session_state[DRAFT.name]
    assert draft.sms == "The tornado warning for Davidson County has ended."
    assert draft.regions == []
    app.session_state[DRAFT.name] = draft.model_copy(update={"stage": "review"})
    assert "The CAP alert from Weather Office says that this event is over." in page_text(app.run())


def test_a_cap_alert_that_is_an_exercise_is_not_reviewed_as_a_live_alert_without_a_warning(
    signed_in: Any, service: RunningService
) -> None:
    """Its text says nothing of an exercise: only its status does."""
    app = opened(signed_in, service)
    app.text_area(key=TEXT_KEY).set_value(ROADS.replace("Actual", "Exercise")).run()
    app.button(key="public_alert.open_cap").click().run()
    draft = app.session_state[DRAFT.name]
    for stage in ("edit", "review"):
        app.session_state[DRAFT.name] = draft.model_copy(update={"stage": stage})
        assert "has the status “Exercise”, but this alert is live." in page_text(app.run())
    test = {"category": "Other", "event": "Routine Weekly Test"}
    app.session_state[DRAFT.name] = draft.model_copy(update=test)
    assert "has the status" not in page_text(app.run())


@pytest.mark.parametrize(
    "text",
    [ROADS, to_cap(OWN_DRAFT, Issue("1", "desk", datetime.now(UTC)), {1: "Lyons, CO"})],
)
def test_nothing_is_opened_before_its_places_can_be_looked_up(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """Else all of them would be lost; once they are read, the same press opens it with them."""
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


def test_what_is_no_cap_alert_is_reported_and_opens_nothing(signed_in: Any, service: RunningService) -> None:
    app = opened(signed_in, service)
    app.button(key="public_alert.open_cap").click().run()
    assert "Select a CAP file, or paste the CAP text" in page_text(app)
    app.text_area(key=TEXT_KEY).set_value("Storm tomorrow").run()
    app.button(key="public_alert.open_cap").click().run()
    assert not app.exception
    assert "The file is not valid XML" in page_text(app)
    assert app.session_state[DRAFT.name].is_untouched


def test_a_sent_alert_stands_there_as_cap(signed_in: Any, demo_service: RunningService) -> None:
    with demo_service.client() as client:
        sent = next(each for each in client.notifications.list() if each.public_alert)
    app = signed_in(demo_service, screens.NOTIFICATIONS.page, notification=str(sent.id)).run()
    assert not app.exception
    assert sent.public_alert is not None
    assert f"<event>{sent.public_alert.event}</event>" in page_text(app)
    assert f"-{sent.id}</identifier>" in page_text(app)


def test_a_follow_up_names_the_document_it_follows_by_the_time_that_is_in_it(
    signed_in: Any, service: RunningService
) -> None:
    """Also where the service's clock, or a slow answer, makes it another than the desk's."""
    signed_in(service, screens.NOTIFICATIONS.page)
    workspace = signed_in.workspace
    first = send(workspace, kept(workspace, an_alert()))
    second = send(workspace, kept(workspace, an_alert(follow_up="extension", follows=first)))
    with workspace.journal.audit._database.writing() as connection:
        connection.exec_driver_sql("UPDATE audit_entries SET at = '2026-01-02 03:04:05.000000'")
    told = page_text(signed_in.again(screens.NOTIFICATIONS.page, notification=str(first)).run())
    follows = page_text(signed_in.again(screens.NOTIFICATIONS.page, notification=str(second)).run())
    (sender, identifier, sent) = (re.search(f"<{name}>(.*?)</", told)[1] for name in ("sender", "identifier", "sent"))  # type: ignore[index]
    assert f"<references>{sender},{identifier},{sent}</references>" in follows
