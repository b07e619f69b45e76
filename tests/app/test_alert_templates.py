"""Alert templates on their screen and in the composer: start, fill in, save, edit, and delete."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from client.models.public_lookups import Region, Regions
from client.resources.public_lookups import PublicLookups
from components.alerts.alert_session import DRAFT
from components.alerts.sending import reminder
from components.alerts.sending.reminder import draw_reminder
from components.shell import sidebar
from domain.alerts.alert_form import ALERT_FORM
from domain.alerts.alert_problems import alert_problems
from domain.alerts.alert_templates import alert_templates, placeholder_key, save_template, versions
from domain.alerts.draft import KIND, SEND, AlertDraft
from domain.alerts.recipients.region_catalog import region_lookups
from domain.alerts.recipients.saved_areas import delete_area, save_area, with_area
from domain.alerts.request import request_json
from domain.alerts.sending.alert_chain import journal_links
from domain.alerts.sending.alert_edit import ALERT_EDIT
from domain.edits.stored_drafts import list_unfinished
from domain.runtime import screens
from domain.text.time_text import moment
from tests.app.form_fields import key_of
from tests.app.presses import page_text, press, press_twice
from tests.domain.alerts.sending.alerts_for_sending import an_alert, save_draft, send
from tests.running_service import RunningService

GAS = AlertDraft(
    category="Infra",
    event="Gas Leak",
    urgency="Immediate",
    severity="Severe",
    certainty="Observed",
    hours=6,
    type=2,
    sms="[who]: Gas leak at [street] in [place]. Leave. Until [time].",
    jurisdiction="some",
    regions=[1],
    contact_division="Lyons Fire",
)


@pytest.fixture(autouse=True)
def use_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    places = Regions(cities=[Region(id=1, name="Lyons", state="CO")])
    monkeypatch.setattr(PublicLookups, "list_regions", lambda _: places)


def draft_of(app: AppTest) -> AlertDraft:
    draft = app.session_state[DRAFT.name]
    assert isinstance(draft, AlertDraft)
    return draft


def open_composer(
    signed_in: Any, service: RunningService, page: str = screens.PUBLIC_ALERT.page, **query: str
) -> AppTest:
    app: AppTest = signed_in(service, page, **query)
    save_template(signed_in.workspace, GAS, "Gas leak")
    region_lookups(signed_in.workspace).wait()
    app.run()
    assert not app.exception
    return app


def test_a_draft_from_an_alert_template_can_be_reviewed_once_its_placeholder_is_filled_in(
    signed_in: Any, service: RunningService
) -> None:
    """The sender, the place, and the end time are filled in automatically. Only the street has to be typed."""
    app = press(open_composer(signed_in, service), "public_alert.ready/Gas leak")
    draft = draft_of(app)
    assert draft.sms.startswith("Lyons Fire: Gas leak at [street] in Lyons, CO. Leave. Until ")
    assert app.query_params["draft"] == draft.uid
    (template,) = versions(signed_in.workspace, "Gas leak")
    assert f"From the alert template “Gas leak”, version 1, saved {moment(template.saved_at)}." in page_text(app)
    assert "public_alert.ready/Gas leak" not in {button.key for button in app.button}
    press(app, "public_alert.review")
    assert "Fill in before sending" in page_text(app), "the error is at the field"
    app.text_input(key=placeholder_key(draft, "[street]")).set_value("Main Street").run()
    press(app, "public_alert.review")
    assert draft_of(app).stage == "review"
    assert "Lyons Fire: Gas leak at Main Street in Lyons, CO." in page_text(app)


def test_saving_a_template_replaces_fixed_times_by_placeholders_and_leaves_the_draft_unchanged(
    signed_in: Any, service: RunningService
) -> None:
    app = open_composer(signed_in, service)
    sms = "Lyons Fire: Gas leak since 9:15 am. Leave. Until 6 pm."
    app.session_state[DRAFT.name] = GAS.model_copy(update={"sms": sms, "uid": draft_of(app).uid})
    app.run()
    app.text_input(key=f"public_alert.keep_ready/{draft_of(app).uid}-name").set_value("Leak").run()
    press(app, f"public_alert.keep_ready/{draft_of(app).uid}")
    (ready,) = versions(signed_in.workspace, "Leak")
    assert ready.payload["sms"] == "Lyons Fire: Gas leak since [other time]. Leave. Until [time]."
    assert draft_of(app).sms == sms


def test_the_most_used_alert_template_is_first(signed_in: Any, service: RunningService) -> None:
    app = open_composer(signed_in, service)
    workspace = signed_in.workspace
    save_template(workspace, GAS, "Another leak")

    def find_first_key() -> str:
        return next(str(button.key) for button in app.run().button if str(button.key).startswith("public_alert.ready/"))

    assert find_first_key() == "public_alert.ready/Another leak"
    send(workspace, save_draft(workspace, an_alert(template=("Gas leak", 1))))
    assert find_first_key() == "public_alert.ready/Gas leak"


def test_place_names_in_the_text_follow_the_selected_places_and_typed_text_stays(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first selected place must not stay in the text after another one is selected."""
    names = {1: ("Lyons", "CO"), 2: ("Estes Park", "CO"), 3: ("Ward", "CO"), 4: ("Peck", "ID")}
    places = Regions(cities=[Region(id=number, name=name, state=state) for number, (name, state) in names.items()])
    monkeypatch.setattr(PublicLookups, "list_regions", lambda _: places)
    app = press(open_composer(signed_in, service), "public_alert.ready/Gas leak")

    def select_places(*regions: int, **typed: str) -> str:
        app.session_state[DRAFT.name] = draft_of(app).model_copy(update={"regions": [*regions], **typed})
        app.run()
        assert not app.exception
        return draft_of(app).sms.partition(" Leave.")[0]

    assert select_places(1) == "Lyons Fire: Gas leak at [street] in Lyons, CO."
    assert select_places(1, 2) == "Lyons Fire: Gas leak at [street] in Lyons and Estes Park, CO."
    assert select_places(1, 2) == "Lyons Fire: Gas leak at [street] in Lyons and Estes Park, CO."
    assert select_places() == "Lyons Fire: Gas leak at [street] in [place].", "as before any place was selected"
    assert select_places(2) == "Lyons Fire: Gas leak at [street] in Estes Park, CO."
    typed = draft_of(app).sms.replace("Gas leak", "Large gas leak")
    assert select_places(3, sms=typed) == "Lyons Fire: Large gas leak at [street] in Ward, CO."
    longer = "Lyons Fire: Leak in Ward, CO. Ward, CO Residents: shelter in Edward, CO. Leave."
    assert select_places(1, sms=longer) == (
        "Lyons Fire: Leak in Lyons, CO. Lyons, CO Residents: shelter in Edward, CO."
    )
    assert select_places(3, sms="Lyons Fire: Leak in Lyons, CO. Leave.") == "Lyons Fire: Leak in Ward, CO."
    assert select_places(1, sms="Lyons Fire: Leave Ward, CO NOW. Leave.") == "Lyons Fire: Leave Lyons, CO NOW."
    assert select_places(1, 4) == "Lyons Fire: Leave Lyons, CO and Peck, ID NOW."
    assert select_places(1) == "Lyons Fire: Leave Lyons, CO NOW.", "without the removed place"
    assert select_places(2, sms="Lyons Fire: Leak in the upper town. Leave.") == "Lyons Fire: Leak in the upper town."


def test_a_state_name_before_a_capitalized_word_follows_the_selected_places(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Typed text that contains the name of the place, such as a street, stays."""
    places = Regions(cities=[Region(id=1, name="Colorado", state=None), Region(id=2, name="Utah", state=None)])
    monkeypatch.setattr(PublicLookups, "list_regions", lambda _: places)
    app = open_composer(signed_in, service)
    save_template(signed_in.workspace, GAS.model_copy(update={"sms": "[place] Residents: leave. By [road]."}), "Leave")
    press(app.run(), "public_alert.ready/Leave")
    assert draft_of(app).sms == "Colorado Residents: leave. By [road]."
    typed = draft_of(app).sms.replace("[road]", "Colorado Avenue")
    app.session_state[DRAFT.name] = draft_of(app).model_copy(update={"regions": [2], "sms": typed})
    app.run()
    assert draft_of(app).sms == "Utah Residents: leave. By Colorado Avenue."


def test_a_place_name_in_the_sender_does_not_follow_the_selected_places(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = Regions(cities=[Region(id=1, name="Lyons", state=None), Region(id=2, name="Ward", state=None)])
    monkeypatch.setattr(PublicLookups, "list_regions", lambda _: places)
    app = press(open_composer(signed_in, service), "public_alert.ready/Gas leak")
    app.session_state[DRAFT.name] = draft_of(app).model_copy(update={"regions": [2]})
    app.run()
    assert draft_of(app).sms.startswith("Lyons Fire: Gas leak at [street] in Ward.")


@pytest.mark.parametrize("button", ["public_alert.use/", "public_alert.skeleton"])
def test_place_names_in_inserted_text_follow_the_selected_places(
    button: str, signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = Regions(cities=[Region(id=1, name="Lyons", state="CO"), Region(id=2, name="Ward", state="CO")])
    monkeypatch.setattr(PublicLookups, "list_regions", lambda _: places)
    app = open_composer(signed_in, service)
    app.session_state[DRAFT.name] = AlertDraft(category="Infra", event="Gas Leak", jurisdiction="some", regions=[1])
    press(app.run(), button)
    assert "Lyons, CO" in draft_of(app).sms
    app.session_state[DRAFT.name] = draft_of(app).model_copy(update={"regions": [2]})
    app.run()
    assert "Ward, CO" in draft_of(app).sms
    assert "Lyons, CO" not in draft_of(app).sms


@pytest.mark.parametrize("button", ["public_alert.use/Short", "public_alert.skeleton"])
def test_a_placeholder_in_the_instructions_is_an_error_after_the_text_is_replaced(
    button: str, signed_in: Any, service: RunningService
) -> None:
    """A saved text and the skeleton replace the text message, not the instructions."""
    app = signed_in(service, screens.PUBLIC_ALERT.page)
    workspace = signed_in.workspace
    save_template(workspace, GAS.model_copy(update={"sms": "Leave.", "instructions": "Go to [shelter]."}), "Leave")
    workspace.journal.versioned_records.save(workspace.actor, "wording/Gas Leak", "Short", {"sms": "Leave [street]."})
    press(press(app.run(), "public_alert.ready/Leave"), button)
    draft = draft_of(app)
    assert draft.sms != "Leave."
    assert "[shelter]" in str(alert_problems(draft).at(draft.uid, "instructions"))


def test_a_double_click_starts_one_alert(signed_in: Any, service: RunningService) -> None:
    app = open_composer(signed_in, service)
    press_twice(app, app.button(key="public_alert.ready/Gas leak"))
    assert [each.draft.uid for each in list_unfinished(signed_in.workspace, ALERT_EDIT)] == [draft_of(app).uid]


def test_alert_templates_are_not_offered_once_a_text_is_typed(signed_in: Any, service: RunningService) -> None:
    """Starting from a template would overwrite the text."""
    app = open_composer(signed_in, service)
    next(each for each in app.text_area if each.label == "Text message").set_value("Storm").run()
    assert "public_alert.ready/Gas leak" not in {button.key for button in app.button}


def test_an_alert_can_be_saved_as_the_next_version_or_as_a_new_template(
    signed_in: Any, service: RunningService
) -> None:
    app = press(open_composer(signed_in, service), "public_alert.ready/Gas leak")
    keep = f"public_alert.keep_ready/{draft_of(app).uid}"
    assert app.button(key=keep).label == "Save version 2"
    press(app, keep)
    assert [each.version for each in versions(signed_in.workspace, "Gas leak")] == [2, 1]
    assert draft_of(app).template == ("Gas leak", 2)
    app.text_input(key=f"{keep}-name").set_value("Gas leak north").run()
    assert app.button(key=keep).label == "Save template"
    press(app, keep)
    assert [each.name for each in alert_templates(signed_in.workspace)] == ["Gas leak", "Gas leak north"]


def test_saving_a_template_without_an_event_is_refused_and_overwrites_nothing(
    signed_in: Any, service: RunningService
) -> None:
    app = open_composer(signed_in, service)
    next(each for each in app.text_area if each.label == "Text message").set_value("Storm").run()
    keep = f"public_alert.keep_ready/{draft_of(app).uid}"
    app.text_input(key=f"{keep}-name").set_value("Gas leak").run()
    press(app, keep)
    assert "Select an event first" in page_text(app)
    assert len(versions(signed_in.workspace, "Gas leak")) == 1


def test_a_new_alert_has_the_sender_of_the_previous_one(signed_in: Any, service: RunningService) -> None:
    app = press(open_composer(signed_in, service), "public_alert.ready/Gas leak")
    app.text_input(key=placeholder_key(draft_of(app), "[street]")).set_value("Main Street").run()
    press(app, "public_alert.review")
    again: AppTest = signed_in(service, screens.PUBLIC_ALERT.page).run()
    category, event = again.selectbox[0], again.selectbox[1]
    category.set_value("Fire").run()
    event = next(each for each in again.selectbox if each.label == "Event")
    event.set_value("Wildfire").run()
    assert draft_of(again).contact_division == "Lyons Fire"


def test_the_screen_shows_every_version_and_can_start_an_older_one(signed_in: Any, service: RunningService) -> None:
    """An edit of the older version is saved as the next version."""
    app = signed_in(service, screens.ALERT_TEMPLATES.page, ready="Gas leak")
    save_template(signed_in.workspace, GAS, "Gas leak")
    later = GAS.model_copy(update={"sms": "Later words.", "template": ("Gas leak", 1)})
    save_template(signed_in.workspace, later, "Gas leak")
    app.run()
    assert not app.exception
    assert "Later words." in page_text(app)
    assert "Version 2 by ana" in page_text(app)
    press(app, "ready_alerts.version/1")
    assert "Gas leak at [street]" in draft_of(app).sms
    assert draft_of(app).template == ("Gas leak", 2)


def test_an_unreadable_alert_template_is_reported_and_the_others_stay_usable(
    signed_in: Any, service: RunningService
) -> None:
    """Both the screen and the composer say why the template, saved by another version of Muster, cannot be used."""
    app = signed_in(service, screens.ALERT_TEMPLATES.page, ready="Storm")
    records = signed_in.workspace.journal.versioned_records
    records.save(signed_in.workspace.actor, "ready_alert", "Storm", {"event": {"of": "another version"}})
    app.run()
    assert not app.exception
    assert "cannot read" in page_text(app)
    press(app, "ready_alerts-start/Storm")
    assert not app.exception
    app = press(open_composer(signed_in, service), "public_alert.ready/Storm")
    assert not app.exception
    assert "cannot read" in page_text(app)
    assert draft_of(press(app, "public_alert.ready/Gas leak")).event == "Gas Leak"


def test_an_alert_template_names_its_saved_area_and_reports_that_the_area_was_deleted(
    signed_in: Any, service: RunningService
) -> None:
    """On the screen of the template, and in the alert that is started from it."""
    app = signed_in(service, screens.ALERT_TEMPLATES.page, ready="Gas leak north")
    area = save_area(signed_in.workspace, "North side", [80301, 80302])
    save_template(signed_in.workspace, with_area(GAS, area), "Gas leak north")
    assert region_lookups(signed_in.workspace).wait(60)
    app.run()
    assert "From the saved area “North side”, version 1: 2 places" in page_text(app)
    delete_area(signed_in.workspace, area)
    app.run()
    assert "The saved area “North side” was deleted." in page_text(app)
    started = press(open_composer(signed_in, service), "public_alert.ready/Gas leak north")
    assert "The saved area “North side” was deleted." in page_text(started)


def test_a_reminder_appears_before_an_alert_marked_for_extension_ends(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reminder is on every screen and shows when the alert ends."""
    monkeypatch.setattr(sidebar, "REMINDERS", [draw_reminder])
    app: AppTest = signed_in(service, screens.JOURNAL.page)
    workspace, draft = signed_in.workspace, GAS.model_copy(update={"goes_on": True, "hours": 1})
    request = {"draft": draft.uid, **journal_links(draft), "notification": request_json(draft)}
    entry = workspace.journal.audit.begin(workspace.actor, SEND, subject_kind=KIND, request=request)
    workspace.journal.audit.finish(entry, state="succeeded", subject_id="4711")
    app.run()
    assert "Gas Leak ends in" not in page_text(app)
    monkeypatch.setattr(reminder, "BEFORE", timedelta(hours=1))
    app.run()
    assert not app.exception
    assert ["**Gas Leak ends in " in each.value for each in app.main.warning] == [True]


def test_another_language_is_a_second_alert_that_shows_the_first(signed_in: Any, service: RunningService) -> None:
    """Both have the same event, levels, and recipients, but separate texts. Each links to the other."""
    app = press(open_composer(signed_in, service), "public_alert.ready/Gas leak")
    app.text_input(key=placeholder_key(draft_of(app), "[street]")).set_value("Main Street").run()
    first = draft_of(app)
    press(app, "public_alert.second_language")
    second = draft_of(app)
    assert (second.translation_of, second.follow_up, second.sms) == (first.uid, "second language", "")
    assert (second.event, second.regions, second.hours) == (first.event, first.regions, first.hours)
    assert first.sms in page_text(app)
    assert app.query_params["draft"] == second.uid
    assert "public_alert.second_language" not in {button.key for button in app.button}
    app.query_params["draft"] = first.uid
    app.run()
    assert draft_of(app).uid == first.uid
    assert "Other language: No text yet" in [link.proto.label.replace("\\", "") for link in app.get("page_link")]


def test_another_language_is_offered_before_a_text_is_typed(signed_in: Any, service: RunningService) -> None:
    """Typing redraws only the text field: a button that depends on the text would not appear."""
    app = open_composer(signed_in, service)
    assert "public_alert.second_language" not in {button.key for button in app.button}
    app.selectbox(key=key_of(app, ALERT_FORM.name, draft_of(app).uid, "event")).set_value("Gas Leak").run()
    assert "public_alert.second_language" in {button.key for button in app.button}


def test_the_end_time_is_not_filled_in_until_the_places_are_loaded(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The places decide the time zone. In the time zone of Muster, the end could be hours off."""
    go = threading.Event()
    places = Regions(cities=[Region(id=1, name="Lyons", state="CO")])

    def list_regions(_: object) -> Regions:
        go.wait(30)
        return places

    monkeypatch.setattr(PublicLookups, "list_regions", list_regions)
    app: AppTest = signed_in(service, screens.PUBLIC_ALERT.page)
    save_template(signed_in.workspace, GAS, "Gas leak")
    app = press(app.run(), "public_alert.ready/Gas leak")
    assert "in [place]. Leave. Until [time]." in draft_of(app).sms
    go.set()
    region_lookups(signed_in.workspace).wait()
    app.run()
    assert "[" not in draft_of(app).sms.replace("[street]", "")
