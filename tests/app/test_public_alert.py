"""The composer of public alerts under AppTest: dependent fields, errors, drafts, saved texts, and lookups."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from client import NotAllowed
from client.models.public_lookups import Region, Regions
from client.resources.notification_categories import NotificationCategories
from client.resources.notification_events import NotificationEvents
from client.resources.public_lookups import PublicLookups
from client.vocabulary.public_alerts import (
    CATEGORIES,
    CERTAINTIES,
    EVENTS_BY_CATEGORY,
    JURISDICTION_SOME,
    ROUTINE_TESTS,
    SEVERITIES,
    TYPES,
    URGENCIES,
)
from components.alerts.alert_session import DRAFT
from components.alerts.composer import composer
from components.edits.draft_editor import NO_SUCH_DRAFT
from domain.alerts.alert_form import ALERT_FORM
from domain.alerts.alert_problems import alert_problems
from domain.alerts.alert_templates import texts_of, wordings
from domain.alerts.draft import AlertDraft
from domain.alerts.filing_names import filing_names
from domain.alerts.levels import MEANINGS, TYPE, meaning
from domain.alerts.recipients.region_catalog import region_lookups
from domain.alerts.request import request_json
from domain.alerts.sending.alert_edit import ALERT_EDIT
from domain.edits import stored_drafts
from domain.runtime import screens
from domain.runtime.background import THREAD
from service.database import Database
from service.public_lookups import repository
from tests.app import form_fields
from tests.app.presses import press
from tests.domain.alerts.sending.alerts_for_sending import save_draft
from tests.running_service import RunningService

PAGE = screens.PUBLIC_ALERT.page
TEXT = "City of Lyons: Tornado near Lyons. Take shelter now. Until 18:00."
COMPLETE: dict[str, Any] = {
    "category": "Met",
    "event": "Tornado Warning",
    "urgency": "Immediate",
    "severity": "Extreme",
    "certainty": "Observed",
    "hours": 4,
    "sms": TEXT,
    "type": 2,
    "jurisdiction": "all",
}


@pytest.fixture(autouse=True)
def use_few_places(service: RunningService, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A lookup of few places. At the end, wait until no read uses the service."""
    cities = (("Lyons", "CO"), ("Ward", "CO"), ("Dallas", "TX"))
    places = Regions(cities=[Region(id=at, name=name, state=state) for at, (name, state) in enumerate(cities, 1)])
    monkeypatch.setattr(PublicLookups, "list_regions", lambda _: places)
    yield
    for thread in threading.enumerate():
        if thread.name.startswith(THREAD):
            thread.join(30)


def draft_of(app: AppTest) -> AlertDraft:
    """The draft on the screen."""
    draft = app.session_state[DRAFT.name]
    assert isinstance(draft, AlertDraft)
    return draft


def key_of(app: AppTest, name: str) -> str:
    """Return the current widget key of a field."""
    return form_fields.key_of(app, ALERT_FORM.name, draft_of(app).uid, name)


def page_text(app: AppTest) -> str:
    """Return all text on the page."""
    parts: list[Any] = [app.title, app.header, app.markdown, app.caption, app.error, app.warning, app.info, app.text]
    return "\n".join(str(element.value) for kind in parts for element in kind).replace("\\", "")


def fill(app: AppTest, **fields: Any) -> AppTest:
    """Set fields of the draft and run the page."""
    kinds: dict[str, Callable[..., Any]] = {
        **dict.fromkeys(("sms", "instructions", "text"), app.text_area),
        **dict.fromkeys(
            ("title", "contact_name", "contact_email", "contact_division", "contact_phone"), app.text_input
        ),
        **dict.fromkeys(("type",), app.radio),
        **dict.fromkeys(("groups",), app.multiselect),
        **dict.fromkeys(("zip_to_groups",), app.checkbox),
    }
    for name, value in fields.items():
        kinds.get(name, app.selectbox)(key=key_of(app, name)).set_value(value)
    app.run()
    assert not app.exception
    return app


def list_options(app: AppTest, name: str) -> list[str]:
    """Return the labels of the options of a field."""
    return [str(option) for option in app.selectbox(key=key_of(app, name)).options]


def button_keys(app: AppTest) -> set[str | None]:
    """The buttons on the page."""
    return {button.key for button in app.button}


def open_composer(signed_in: Any, service: RunningService, draft: AlertDraft | None = None) -> AppTest:
    """Open the composer with a saved draft."""
    app: AppTest = signed_in(service, PAGE)
    if draft is not None:
        save_draft(signed_in.workspace, draft)
        app.query_params["draft"] = draft.uid
    app.run()
    assert not app.exception
    return app


def store_groups(service: RunningService, *names: str) -> list[int]:
    """Event groups of the service, and their IDs."""
    with closing(Database(service.database_url)) as database, database.transaction() as connection:
        repository.add_groups(connection, service.organization_id, names)
        ids_by_name = {each.group_name: each.id for each in repository.list_groups(connection, service.organization_id)}
    return [ids_by_name[name] for name in names]


def test_a_new_alert_shows_three_boxes_and_saves_no_empty_draft(signed_in: Any, service: RunningService) -> None:
    """The boxes show no errors, and the alert is neither a test nor live yet."""
    app = open_composer(signed_in, service)
    assert [title.value for title in app.title] == ["Public alert"]
    assert [each.value for each in app.header] == ["Event and levels", "Message", "Recipients"]
    text = page_text(app)
    assert "No event yet" in text
    assert "error" not in text.casefold()
    assert "LIVE" not in text
    assert app.radio(key=key_of(app, "jurisdiction")).value is None
    assert list_options(app, "event") == sorted({event for events in EVENTS_BY_CATEGORY.values() for event in events})
    assert stored_drafts.list_unfinished(signed_in.workspace, ALERT_EDIT) == []
    assert "draft" not in app.query_params
    assert "public_alert.discard" not in button_keys(app)


def test_changing_the_category_changes_the_events_and_keeps_a_shared_event(
    signed_in: Any, service: RunningService
) -> None:
    """All twelve categories of the interface. Wildfire is in Fire and Geo. Met clears it with a message."""
    app = open_composer(signed_in, service)
    assert [option.partition(" · ")[0] for option in list_options(app, "category")] == list(CATEGORIES)
    for category, events in EVENTS_BY_CATEGORY.items():
        fill(app, category=category)
        assert list_options(app, "event") == list(events)
    fill(app, category="Fire")
    fill(app, event="Wildfire")
    fill(app, category="Geo")
    assert draft_of(app).event == "Wildfire"
    assert "isn’t in the category" not in page_text(app)
    fill(app, category="Met")
    assert (draft_of(app).event, app.selectbox(key=key_of(app, "event")).value) == ("", None)
    assert "“Wildfire” isn’t in the category Met, but in Fire and Geo. Select another event." in page_text(app)
    fill(app, event="Flood Watch")
    assert "isn’t in the category" not in page_text(app)


def test_each_level_and_type_is_explained_at_its_field(signed_in: Any, service: RunningService) -> None:
    """In the list, and under the field once a value is selected. The type says who receives the alert."""
    app = open_composer(signed_in, service)
    for name, choices in (
        ("urgency", URGENCIES),
        ("severity", SEVERITIES),
        ("certainty", CERTAINTIES),
    ):
        assert list_options(app, name) == [f"{choice} · {MEANINGS[name][choice].short}" for choice in choices]
    fill(app, urgency="Past", severity="Minor", certainty="Observed")
    for phrase in (meaning("urgency", "Past"), meaning("severity", "Minor"), meaning("certainty", "Observed")):
        assert phrase in [caption.value.replace("\\", "") for caption in app.caption]
    kind = app.radio(key=key_of(app, "type"))
    assert (list(kind.options), kind.value) == (list(TYPES.values()), None)
    assert list(kind.proto.captions) == list(TYPE.values())


def test_the_end_time_is_shown_and_only_1_to_24_hours_are_offered(signed_in: Any, service: RunningService) -> None:
    """0 and 25 cannot be selected."""
    app = open_composer(signed_in, service)
    assert list_options(app, "hours") == ["1 hour", *(f"{hours} hours" for hours in range(2, 25))]
    fill(app, hours=4)
    assert "Ends **" in page_text(app)
    assert "UTC** if sent now." in page_text(app)


def test_every_field_is_in_the_request(signed_in: Any, service: RunningService) -> None:
    """The payload is as the interface defines it. A complete alert continues to its review."""
    (group,) = store_groups(service, "Schools")
    app = open_composer(signed_in, service, AlertDraft(jurisdiction="all"))
    region_lookups(signed_in.workspace).wait()
    fill(app, category="Met", urgency="Immediate", severity="Extreme", certainty="Observed", hours=4, type=2)
    fill(app, event="Tornado Warning", sms=TEXT, instructions="Stay inside.", groups=[group])
    fill(app, title="Tornado", text="Take cover.", zip_to_groups=True)
    fill(
        app,
        contact_name="Desk",
        contact_email="desk@lyons.example",
        contact_division="OEM",
        contact_phone="3035550123",
    )
    assert request_json(draft_of(app)) == {
        "message": {"title": "Tornado", "textMessage": "Take cover."},
        "type": "Standard",
        "launchtype": "SendNow",
        "publicMessages": {
            "publicAlertMessage": {
                "category": "Met",
                "event": "Tornado Warning",
                "urgency": "Immediate",
                "severity": "Extreme",
                "certainty": "Observed",
                "expire": "4",
                "smsMessage": TEXT,
                "instructions": "Stay inside.",
                "action": "create",
                "type": 2,
                "applyZipCodeToEventGroups": True,
                "community": {
                    "contactName": "Desk",
                    "contactEmail": "desk@lyons.example",
                    "contactDivision": "OEM",
                    "contactPhone": "3035550123",
                    "jurisdictionType": "all",
                },
                "eventGroups": [group],
            }
        },
    }
    press(app, "public_alert.review")
    assert draft_of(app).stage == "review"
    assert [title.value for title in app.title] == [":red[Review the alert]"]


def test_review_reports_missing_values_at_their_fields(signed_in: Any, service: RunningService) -> None:
    """Before that, only invalid values are reported. After that, every error is, until it is fixed."""
    app = open_composer(signed_in, service)
    fill(app, sms="Storm", contact_phone="30")
    text = page_text(app)
    assert "3 or 10 digits" in text
    assert "Select a category." not in text
    press(app, "public_alert.review")
    assert draft_of(app).stage == "edit"
    text = page_text(app)
    for slot, problem in alert_problems(draft_of(app)).of(draft_of(app).uid):
        assert problem in text, slot
    assert "errors**: " in text
    fill(app, category="Met", urgency="Immediate", severity="Extreme", certainty="Observed", hours=4, type=2)
    fill(app, event="Tornado Warning", contact_phone="303")
    assert "**1 error**: “Places”" in page_text(app)


@pytest.mark.parametrize("phone", ["30", "3035", "303555012", "30355501234", "30355x0123"])
def test_a_phone_number_of_invalid_length_is_rejected_at_its_field(
    signed_in: Any, service: RunningService, phone: str
) -> None:
    """2, 4, 9, and 11 digits, and letters. Other tests cover 3 and 10 digits."""
    app = open_composer(signed_in, service, AlertDraft(**COMPLETE, contact_phone=phone))
    assert "3 or 10 digits" in page_text(app)
    press(app, "public_alert.review")
    assert draft_of(app).stage == "edit"


def test_the_zip_option_is_offered_only_with_a_community_and_groups(signed_in: Any, service: RunningService) -> None:
    """In each of the four combinations. The option is cleared when it no longer applies."""
    schools, harbor = store_groups(service, "Schools", "Harbor")
    app = open_composer(signed_in, service, AlertDraft(category="Met", event="Tornado Warning"))
    region_lookups(signed_in.workspace).wait()
    app.run()
    key = key_of(app, "zip_to_groups")

    def is_offered() -> bool:
        return key in [box.key for box in app.checkbox]

    assert not is_offered()
    fill(app, contact_name="Desk")
    assert not is_offered()
    fill(app, contact_name="", groups=[schools])
    assert not is_offered()
    assert app.multiselect(key=key_of(app, "groups")).proto.select_all == 0, "no single click selects all groups"
    assert "only if you also select a place or enter a contact" in page_text(app)
    fill(app, contact_name="Desk", groups=[schools, harbor])
    assert is_offered()
    fill(app, zip_to_groups=True)
    assert request_json(draft_of(app))["publicMessages"]["publicAlertMessage"]["applyZipCodeToEventGroups"] is True
    fill(app, groups=[])
    assert not draft_of(app).zip_to_groups
    fill(app, groups=[schools])
    assert app.checkbox(key=key_of(app, "zip_to_groups")).value is False


def test_a_test_and_a_live_alert_look_different(signed_in: Any, service: RunningService) -> None:
    """Color, icon, text, and button differ. The event decides whether an alert is a test, not the text."""
    app = open_composer(signed_in, service, AlertDraft(category="Met", event="Tornado Warning"))
    text, button = page_text(app), app.button(key="public_alert.review")
    assert [title.value for title in app.title] == [r":red[Public alert\: live]"]
    assert ":red-badge[:material/campaign: **LIVE ALERT**]" in text
    assert ":red-badge[:material/campaign: **LIVE ALERT**]" in text
    assert (button.label, button.proto.type, button.proto.icon) == (
        "Review alert",
        "primary",
        ":material/campaign:",
    )
    fill(app, category="Other")
    for event in ROUTINE_TESTS:
        fill(app, event=event)
        text, button = page_text(app), app.button(key="public_alert.review")
        assert [title.value for title in app.title] == [r":violet[Public alert\: routine test]"]
        assert ":violet-badge[:material/science: **TEST**]" in text
        assert ":violet-badge[:material/science: **TEST**]" in text
        assert "LIVE" not in text
        assert "red-badge" not in text
        assert "Review test" in button.label
        assert (button.proto.type, button.proto.icon) == ("secondary", ":material/science:")


def test_the_text_is_previewed_measured_checked_and_simplified(signed_in: Any, service: RunningService) -> None:
    """The preview shows every character. Costly characters are named, replaced, and restored."""
    app = open_composer(signed_in, service, AlertDraft(category="Met", event="Tornado Warning"))
    typed = "Tornado *near* Lyons\nstay “inside”"
    fill(app, sms=typed, instructions="Go to the [room].")
    assert [text.value for text in app.text] == [typed] * 2
    marked = [each.value for each in app.markdown if ":orange-background[" in each.value]
    assert marked == [r"Go to the :orange-background[\[room\]]\."] * 2
    shown_text = page_text(app)
    assert "special characters" in shown_text
    assert "left double quotation mark, position 27" in shown_text
    assert ":green-badge[:material/check_circle: Hazard]" in shown_text
    assert ":orange-badge[:material/cancel: **Sender**]" in shown_text
    assert "Name the sender" in shown_text
    assert "Fill in these placeholders: **[room]**" in shown_text
    press(app, "public_alert.straighten")
    assert draft_of(app).sms == 'Tornado *near* Lyons\nstay "inside"'
    assert app.text_area(key=key_of(app, "sms")).value == 'Tornado *near* Lyons\nstay "inside"'
    assert "plain characters" in page_text(app)
    assert "public_alert.straighten" not in button_keys(app)
    press(app, "public_alert.undo")
    assert draft_of(app).sms == typed
    assert "public_alert.undo" not in button_keys(app)
    long = " ".join(["Fire near Lyons."] * 100)
    fill(app, sms=long)
    first, rest = (text.value for text in app.text[:2])
    assert f"{first} {rest}" == long
    assert [each.label for each in app.expander if "more characters" in each.label] == [
        f"{len(rest):,} more characters"
    ] * 2


def test_a_text_outline_is_inserted_before_the_text(signed_in: Any, service: RunningService) -> None:
    """Its placeholders are listed until they are filled in. A second outline is not inserted before that."""
    app = open_composer(
        signed_in, service, AlertDraft(category="Met", event="Tornado Warning", contact_division="Lyons OEM")
    )
    fill(app, sms="Debris on Main Street.")
    press(app, "public_alert.skeleton")
    text = draft_of(app).sms
    assert text.startswith("Lyons OEM: ")
    assert text.endswith("\nDebris on Main Street.")
    press(app, "public_alert.skeleton")
    assert draft_of(app).sms == text
    assert "Fill in these placeholders: **[place]" in page_text(app)


def test_contradictions_are_shown_as_warnings(signed_in: Any, service: RunningService) -> None:
    """A test with the text of a live event, and levels that contradict each other."""
    app = open_composer(signed_in, service, AlertDraft(**{**COMPLETE, "sms": "This is a drill.", "urgency": "Past"}))
    fill(app, certainty="Likely")
    text = "\n".join(warning.value.replace("\\", "") for warning in app.warning)
    assert "drill" in text
    assert "Past means that the event is over, but Likely means that it may still happen" in text


def test_a_text_that_names_a_place_far_from_the_recipients_is_a_warning(
    signed_in: Any, service: RunningService
) -> None:
    draft = AlertDraft(
        **{**COMPLETE, "jurisdiction": JURISDICTION_SOME, "sms": "Tornado in Dallas. Take shelter now."}, regions=[1]
    )
    app = open_composer(signed_in, service, draft)
    text = "\n".join(warning.value.replace("\\", "") for warning in app.warning)
    assert "The text says “in Dallas”, but the alert goes to Lyons, CO, " in text
    fill(app, sms="Tornado in Lyons. Take shelter now.")
    assert not any("The text says" in warning.value for warning in app.warning)


def test_title_and_text_are_filled_in_from_the_alert_and_can_be_restored(
    signed_in: Any, service: RunningService
) -> None:
    """One selection restores the earlier text."""
    app = open_composer(signed_in, service, AlertDraft(**COMPLETE, title="Mine", instructions="Stay inside."))
    press(app, "public_alert.fill_around")
    draft = draft_of(app)
    assert (draft.title, draft.text) == ("Tornado Warning", f"{TEXT}\n\nStay inside.")
    assert app.text_input(key=key_of(app, "title")).value == "Tornado Warning"
    press(app, "public_alert.undo")
    assert (draft_of(app).title, draft_of(app).text) == ("Mine", "")
    assert app.text_input(key=key_of(app, "title")).value == "Mine"


def test_a_draft_is_saved_survives_a_refresh_and_is_discarded_only_after_a_confirmation(
    signed_in: Any, service: RunningService
) -> None:
    """The draft is in the journal from the first letter, and its ID is in the URL."""
    app = fill(open_composer(signed_in, service), sms="Storm", category="Met")
    uid = draft_of(app).uid
    assert app.query_params["draft"] in (uid, [uid])
    second = signed_in(service, PAGE, draft=uid).run()
    assert not second.exception
    assert second.text_area(key=key_of(second, "sms")).value == "Storm"
    assert draft_of(second).category == "Met"
    press(second, "public_alert.discard")
    assert "was never sent." in page_text(second)
    assert stored_drafts.load(signed_in.workspace, ALERT_EDIT, uid) is not None, (
        "nothing is discarded before the confirmation"
    )
    press(second, "public_alert.discard_dialog-confirm")
    assert stored_drafts.load(signed_in.workspace, ALERT_EDIT, uid) is None
    gone = signed_in(service, PAGE, draft=uid).run()
    assert NO_SUCH_DRAFT in page_text(gone)
    assert draft_of(gone).uid != uid


def test_unfinished_alerts_are_listed_and_opened_by_a_link(signed_in: Any, service: RunningService) -> None:
    """Only the user's own unsent drafts. The open draft is not listed."""
    app = signed_in(service, PAGE)
    first = AlertDraft(category="Other", event=ROUTINE_TESTS[0], sms="TEST")
    for draft in (first, AlertDraft(sms="Second *one*")):
        save_draft(signed_in.workspace, draft)
    app.run()
    assert not app.exception
    labels = [str(link.proto.label).replace("\\", "") for link in app.get("page_link")]
    assert {"No event yet", ROUTINE_TESTS[0]} <= set(labels)
    captions = [caption.value.replace("\\", "") for caption in app.caption]
    assert any("Draft] new · " in each and each.endswith(" UTC · Second *one*") for each in captions)
    assert any(each.endswith(" · TEST · routine test") for each in captions)
    app.query_params["draft"] = first.uid
    app.run()
    assert draft_of(app).uid == first.uid
    labels = [str(link.proto.label).replace("\\", "") for link in app.get("page_link")]
    assert not any(label.startswith(ROUTINE_TESTS[0]) for label in labels)
    press(app, "public_alert.new")
    assert draft_of(app).uid != first.uid
    assert (draft_of(app).sms, "draft" in app.query_params) == ("", False)
    assert stored_drafts.load(signed_in.workspace, ALERT_EDIT, first.uid) is not None


def test_several_unfinished_alerts_are_discarded_at_once(signed_in: Any, service: RunningService) -> None:
    """One question names the selected drafts. The others stay."""
    app = signed_in(service, PAGE)
    drafts = [AlertDraft(category="Fire", event="Wildfire", sms=f"Text {number}") for number in range(3)]
    for draft in drafts:
        save_draft(signed_in.workspace, draft)
    app.run()
    assert not [each for each in app.button if "discard/" in str(each.key)]
    for draft in drafts[:2]:
        app.checkbox(key=f"public_alert.pick/{draft.uid}").check()
    app.run()
    press(app, "public_alert.discard_picked")
    assert "were never sent." in page_text(app)
    press(app, "public_alert.discard_dialog-confirm")
    assert [each.draft.uid for each in stored_drafts.list_unfinished(signed_in.workspace, ALERT_EDIT)] == [
        drafts[2].uid
    ]


def test_a_run_before_the_browser_updates_its_url_loses_nothing(signed_in: Any, service: RunningService) -> None:
    """Before the draft's ID is in the URL, the draft stays. After that, a URL without an ID means a new alert."""
    app = fill(open_composer(signed_in, service), sms="Storm")
    uid = draft_of(app).uid
    del app.query_params["draft"]
    fill(app, title="T")
    assert (draft_of(app).uid, draft_of(app).title) == (uid, "T")
    app.query_params["draft"] = uid
    app.run()
    del app.query_params["draft"]
    app.run()
    assert draft_of(app).uid != uid
    assert [each.draft.uid for each in stored_drafts.list_unfinished(signed_in.workspace, ALERT_EDIT)] == [uid]


def test_a_change_in_another_tab_is_reported_before_the_review_and_reloaded_or_overwritten(
    signed_in: Any, service: RunningService
) -> None:
    before = AlertDraft(**COMPLETE)
    app = open_composer(signed_in, service, before)
    theirs = "City of Lyons: Tornado near Lyons. Take shelter at once. Until 18:00."
    save_draft(signed_in.workspace, before.model_copy(update={"sms": theirs}))
    fill(app, hours=3)
    assert "This draft has changed in another tab." in page_text(app)
    press(app, "public_alert.review")
    assert draft_of(app).stage == "edit"
    press(app, "public_alert.reload")
    assert app.text_area(key=key_of(app, "sms")).value == draft_of(app).sms == theirs
    saved_draft = stored_drafts.load(signed_in.workspace, ALERT_EDIT, before.uid)
    assert saved_draft is not None
    save_draft(signed_in.workspace, saved_draft.draft.model_copy(update={"instructions": "Stay there."}))
    press(app, "public_alert.review")
    assert "This tab shows the new version." in page_text(app)
    assert (draft_of(app).stage, draft_of(app).instructions) == ("edit", "Stay there.")
    press(app, "public_alert.review")
    assert draft_of(app).stage == "review"


def test_undo_reverts_the_latest_action_anywhere_and_preserves_later_typing(
    signed_in: Any, service: RunningService
) -> None:
    """A text that a button filled in, then a removed place, then a typed title."""
    draft = AlertDraft(category="Met", event="Tornado Warning", jurisdiction=JURISDICTION_SOME, regions=[1])
    app = open_composer(signed_in, service, draft)
    region_lookups(signed_in.workspace).wait()
    press(app.run(), "public_alert.skeleton")
    written = draft_of(app).sms
    press(app, f"public_alerts.chosen/{draft.uid}/1")
    fill(app, title="Typed since")
    assert draft_of(app).regions == []
    assert app.button(key="public_alert.undo").label == "Undo: remove 1 place"
    press(app, "public_alert.undo")
    assert (draft_of(app).regions, draft_of(app).sms, draft_of(app).title) == ([1], written, "Typed since")
    assert app.button(key="public_alert.undo").label == "Undo: insert outline"
    press(app, "public_alert.undo")
    assert (draft_of(app).sms, draft_of(app).title) == ("", "Typed since")


def test_saved_texts_of_an_event_are_used_replaced_and_deleted(signed_in: Any, service: RunningService) -> None:
    """A built-in text and a user's own. A colleague's text can be used and not deleted."""
    app = open_composer(signed_in, service)
    assert "Select an event first" in page_text(app)
    workspace = signed_in.workspace
    actor = workspace.actor
    other = type(actor)(actor.service, actor.organization_id, "ben")
    workspace.journal.versioned_records.save(
        other, "wording/Tornado Warning", "Ben's", {"sms": "Ben says", "title": "B"}
    )
    workspace.journal.versioned_records.save(other, "wording/Flood Watch", "Flood", {"sms": "Flood"})
    fill(app, category="Met")
    fill(app, event="Tornado Warning")
    press(app, "public_alert.use/")
    assert "[place]" in draft_of(app).sms
    assert "Ben's" in page_text(app)
    assert "**Flood**" not in page_text(app)
    assert "public_alert.delete_wording/Ben's" not in button_keys(app)
    press(app, "public_alert.use/Ben's")
    draft = draft_of(app)
    assert (draft.sms, draft.title) == ("Ben says", "B")
    assert draft.instructions, "a saved text replaces only the fields that it has"
    assert app.text_input(key=key_of(app, "title")).value == "B"
    press(app, "public_alert.undo")
    assert "[place]" in draft_of(app).sms
    fill(app, sms="Mine")
    keep = f"public_alert.keep_wording/{draft.uid}"
    app.text_input(key=f"{keep}-name").set_value("My own").run()
    press(app, keep)
    mine = [each for each in wordings(workspace, "Tornado Warning") if each.saved_by == actor.username]
    assert [(each.name, each.payload) for each in mine] == [("My own", texts_of(draft_of(app)))]
    app.text_input(key=f"{keep}-name").set_value("my own").run()
    assert app.button(key=keep).label == "Replace saved text"
    workspace.journal.versioned_records.save(other, "wording/Tornado Warning", "My Own", {"sms": "Ben's words"}, over=1)
    press(app, keep)
    assert "someone has changed it" in page_text(app), "a colleague's new version is not overwritten"
    press(app, keep)
    (mine,) = [each for each in wordings(workspace, "Tornado Warning") if each.saved_by == actor.username]
    assert mine.payload == texts_of(draft_of(app))
    press(app, "public_alert.delete_wording/my own")
    assert "my own" in page_text(app), "the text is deleted only after a confirmation"
    workspace.journal.versioned_records.save(other, "wording/Tornado Warning", "my own", {"sms": "Ben's words"}, over=3)
    press(app, "wording-delete-confirm")
    assert "Nothing was deleted" in str(app.toast[0].value)
    assert "Ben's words" in [each.payload["sms"] for each in wordings(workspace, "Tornado Warning")]


def test_names_loaded_while_the_page_is_drawn_are_offered_automatically(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch, refresh_at_once: Any
) -> None:
    go, read, draw_fields = threading.Event(), NotificationEvents.list, composer.notification_fields

    def wait_and_read(events: NotificationEvents, **list_options: Any) -> Any:
        assert go.wait(30)
        return read(events, **list_options)

    def load_then_draw(fields: Any) -> None:
        go.set()
        filing_names(signed_in.workspace).wait(30)
        draw_fields(fields)

    with service.client() as client:
        client.notification_events.create(name="Flood on the river")
    monkeypatch.setattr(NotificationEvents, "list", wait_and_read)
    monkeypatch.setattr(composer, "notification_fields", load_then_draw)
    refresh_at_once()
    app = open_composer(signed_in, service, AlertDraft(**COMPLETE))
    assert "Flood on the river" in list_options(app, "notification_event_id")


def test_failed_lookups_are_reported_at_their_fields_and_block_nothing(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The organization has no public alerts, and the events and categories cannot be read."""

    def refuse(*_: Any, **__: Any) -> Any:
        raise NotAllowed("The feature is disabled.", status=401)

    with monkeypatch.context() as patch:
        for resource, method in (
            (NotificationEvents, "list"),
            (NotificationCategories, "list"),
            (PublicLookups, "list_event_groups"),
            (PublicLookups, "list_regions"),
        ):
            patch.setattr(resource, method, refuse)
        app = open_composer(
            signed_in, service, AlertDraft(**{**COMPLETE, "jurisdiction": "all"}, category_id=77, groups=[9])
        )
        region_lookups(signed_in.workspace).wait()
        app.run()
        text = page_text(app)
        assert "You do not have access. You can send the alert without a notification event." in text
        assert "You do not have access. You can send the alert without a notification category." in text
        assert "The names of the event groups could not be loaded" in text
        assert app.multiselect(key=key_of(app, "groups")).options == ["Group 9"]
        assert list_options(app, "category_id") == ["None", "Category 77"]
        press(app, "public_alert.review")
        assert draft_of(app).stage == "review"
        press(app, "public_alert.back")
    with service.client() as client:
        client.notification_categories.create(name="Weather")
    press(app, "public_alert.look_again/category_id")
    assert "Weather" in list_options(app, "category_id")
    assert draft_of(app).category_id == 77
    assert draft_of(app).groups == [9]
    fill(app, category_id="")
    assert draft_of(app).category_id is None


def test_the_composer_works_while_the_service_is_unreachable(signed_in: Any) -> None:
    """The draft is saved."""
    with RunningService() as service:
        app = signed_in(service, PAGE)
    app.run()
    assert not app.exception
    fill(app, sms="Storm")
    assert stored_drafts.list_unfinished(signed_in.workspace, ALERT_EDIT)[0].draft.sms == "Storm"


def test_a_rejection_is_shown_at_the_fields_until_the_alert_changes(signed_in: Any, service: RunningService) -> None:
    """For a draft that the service rejected."""
    path = "publicMessages.publicAlertMessage.instructions"
    draft = AlertDraft(**COMPLETE, checked=True, refused=[(path, "Too long for the public.")])
    app = open_composer(signed_in, service, draft)
    assert "Too long for the public." in page_text(app)
    fill(app, instructions="Short.")
    assert "Too long for the public." not in page_text(app)
    assert draft_of(app).refused == []


def test_selected_places_without_a_place_is_an_error_at_the_places(signed_in: Any, service: RunningService) -> None:
    """Without places, the alert could go to millions of people."""
    app = open_composer(signed_in, service, AlertDraft(**{**COMPLETE, "jurisdiction": JURISDICTION_SOME}))
    press(app, "public_alert.review")
    assert draft_of(app).stage == "edit"
    assert "Select at least one place" in page_text(app)


def test_a_place_the_service_no_longer_offers_is_an_error_at_the_places(
    signed_in: Any, service: RunningService
) -> None:
    """Such as in a draft from an alert that was sent long ago."""
    app = open_composer(
        signed_in, service, AlertDraft(**{**COMPLETE, "jurisdiction": JURISDICTION_SOME}, regions=[999_999_999])
    )
    region_lookups(signed_in.workspace).wait()
    press(app, "public_alert.review")
    assert draft_of(app).stage == "edit"
    assert "The service has no region with the ID 999999999." in page_text(app)


def test_a_correction_names_the_corrected_alert(signed_in: Any, service: RunningService) -> None:
    """In the title and under it."""
    app = open_composer(signed_in, service, AlertDraft(**COMPLETE, follows=4711, follow_up="correction"))
    assert [title.value for title in app.title] == [r":orange[Correction\: live]"]
    assert "Correction. Follows notification 4711" in page_text(app)
