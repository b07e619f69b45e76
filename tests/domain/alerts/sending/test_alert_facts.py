"""The facts of an alert that a sender checks before sending, as lines of plain text."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from domain.alerts.alert_events import starting_wording
from domain.alerts.draft import AlertDraft
from domain.alerts.recipients.reach import Reach
from domain.alerts.sending.facts import (
    around,
    confirmation_reason,
    event_facts,
    length_words,
    matches_place,
    name_of,
    sender,
)
from tests.domain.alerts.sending.alerts_for_sending import an_alert

NOW = datetime(2026, 11, 20, 21, 5, tzinfo=UTC)


def test_the_event_is_listed_with_the_meaning_of_its_levels_and_its_end() -> None:
    """In the order of the composer, with the end in local time."""
    facts = event_facts(an_alert(), now=NOW, zone="America/Denver")
    assert [fact.label for fact in facts] == ["Event", "Category", "Urgency", "Severity", "Certainty", "Ends"]
    assert all(fact.meaning for fact in facts[1:])
    assert facts[-1].value == "today at 6:05 PM MST (4 hours)"


def test_missing_values_are_not_listed() -> None:
    """An empty draft lists nothing."""
    empty = AlertDraft()
    assert (event_facts(empty, now=NOW, zone=None), around(empty), sender(empty)) == ([], [], [])
    assert name_of(empty) == "Public alert"
    assert name_of(AlertDraft(event="Wildfire", follow_up="all clear")) == "All clear (Wildfire)"
    assert name_of(AlertDraft(event="Wildfire", follow_up="second language")) == "Wildfire in another language"


def test_title_event_and_category_are_listed_by_name_if_it_is_known() -> None:
    """Otherwise by ID."""
    draft = an_alert(title="Wildfire near Boulder", notification_event_id=7, category_id=9)
    facts = around(draft, {"notification_event_id": {7: "Fires of 2026"}})
    assert [(fact.label, fact.value) for fact in facts] == [
        ("Title", "Wildfire near Boulder"),
        ("Notification event", "Fires of 2026"),
        ("Notification category", "ID 9"),
    ]


def test_the_sender_and_the_length_are_listed() -> None:
    """The named contact, and the number of message parts."""
    assert [fact.value for fact in sender(an_alert())] == ["Boulder Fire", "911"]
    assert length_words(an_alert(sms="a" * 161)) == "161 characters · 2 message parts (SMS)"


@pytest.mark.parametrize(
    ("typed", "right"),
    [("Boulder", True), (" boulder ", True), ("BOULDER", True), ("Bould", False), ("", False), ("Boulder, CO", False)],
)
def test_the_place_must_be_typed_in_full_but_in_any_case(typed: str, right: bool) -> None:
    """Capital letters and spaces around it do not matter."""
    assert matches_place(typed, "Boulder") is right


@pytest.mark.parametrize(
    ("typed", "right"),
    [
        ("davidson county tn", True),
        ("Davidson County,TN", True),
        ("Davidson County", False),
        ("Davidson County, NC", False),
        ("Tennessee", False),
    ],
)
def test_the_state_must_be_typed_but_its_comma_is_optional(typed: str, right: bool) -> None:
    """A place with the same name in another state is another place."""
    assert matches_place(typed, "Davidson County, TN") is right


def test_a_name_without_letters_must_be_typed_exactly() -> None:
    """An event group may be named with symbols only."""
    assert matches_place(" ★ ", "★")
    assert not matches_place("☆", "★")


def test_an_empty_text_never_confirms_an_alert() -> None:
    """An alert without recipients cannot be confirmed by an empty field."""
    assert not matches_place("", "")


WEEKLY = starting_wording("Routine Weekly Test")
assert WEEKLY is not None
SAVED_TEXTS = [
    WEEKLY._asdict(),
    {"sms": "TEST from [who]: Siren test in [place]. No action is needed.", "title": "Test"},
]
NEARBY = Reach((), is_wide=False, warnings=(), whom="Boulder, CO", place_to_type="Boulder, CO")


def a_saved_test(sms: str = SAVED_TEXTS[1]["sms"], **fields: Any) -> AlertDraft:
    """Return a routine test with a saved text of the organization."""
    sender_and_levels = {
        "contact_division": "Boulder OEM",
        "inserted_place": "Boulder",
        "urgency": "Past",
        "severity": "Minor",
    }
    event_and_text = {"category": "Other", "event": "Routine Weekly Test", "certainty": "Unknown", "sms": sms}
    return AlertDraft(**(event_and_text | sender_and_levels | fields))


@pytest.mark.parametrize(
    "draft",
    [
        a_saved_test("TEST from Boulder OEM: Siren test in Boulder. No action is needed.", title="Test"),
        a_saved_test(
            WEEKLY.sms.replace("[who]", "Boulder OEM").replace("[place]", "Boulder").replace("[time]", "6 pm"),
            instructions=WEEKLY.instructions,
            end_written=("6 pm", 1, "America/Denver"),
        ),
    ],
    ids=["saved by the organization", "skeleton"],
)
def test_an_unchanged_saved_test_needs_no_confirmation(draft: AlertDraft) -> None:
    """Muster filled in the sender, place, and end."""
    assert confirmation_reason(draft, NEARBY, SAVED_TEXTS) == ""
    assert "isn’t a saved text or template" in confirmation_reason(draft, NEARBY, [])
    assert "take its text or levels for a live alert" in confirmation_reason(
        draft.model_copy(update={"severity": "Severe"}), NEARBY, SAVED_TEXTS
    )
    assert "goes to Boulder, CO" in confirmation_reason(draft, NEARBY._replace(is_wide=True), SAVED_TEXTS)


@pytest.mark.parametrize(
    "draft",
    [
        a_saved_test("TEST: Lock your doors, gunman on campus."),
        a_saved_test("This is a test. No action is needed."),
        a_saved_test("Dies ist ein Test. Schließen Sie Ihre Türen ab."),
        a_saved_test("PRUEBA: hay un tirador en el campus."),
        a_saved_test("TEST from Boulder OEM: Siren test in Boulder. No action is needed. Lock doors."),
        a_saved_test("TEST from Lock your doors: Siren test in Boulder. No action is needed."),
        a_saved_test("TEST from Boulder OEM: Siren test in Boulder, Türen schließen. No action is needed."),
        a_saved_test("TEST from Boulder OEM: Siren test in Boulder. No action is needed.", instructions="Hide."),
        a_saved_test("TEST from Boulder OEM: Siren test in Boulder. No action is needed.", title="Gunman"),
        a_saved_test("TEST from Boulder OEM: Siren test in Boulder. No action is needed.", text="Türen schließen"),
    ],
    ids=lambda draft: f"{draft.sms} {draft.instructions}{draft.title}{draft.text}",
)
def test_any_other_text_of_a_test_event_needs_the_confirmation_of_a_live_alert(draft: AlertDraft) -> None:
    """In every language. Adding “TEST:” to a warning removes no safeguard."""
    assert "isn’t a saved text or template" in confirmation_reason(draft, NEARBY, SAVED_TEXTS)
