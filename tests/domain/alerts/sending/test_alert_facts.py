"""What is read over once more before an alert leaves, in lines of plain text."""

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


def test_what_happens_is_reported_with_what_its_words_mean_and_when_it_ends() -> None:
    """In the order of the composer; the end by the clock on the wall."""
    told = event_facts(an_alert(), now=NOW, zone="America/Denver")
    assert [fact.label for fact in told] == ["Event", "Category", "Urgency", "Severity", "Certainty", "Ends"]
    assert all(fact.meaning for fact in told[1:])
    assert told[-1].value == "today at 6:05 PM MST (4 hours)"


def test_what_is_not_given_is_not_told() -> None:
    """An empty draft has nothing to read over."""
    empty = AlertDraft()
    assert (event_facts(empty, now=NOW, zone=None), around(empty), sender(empty)) == ([], [], [])
    assert name_of(empty) == "Public alert"
    assert name_of(AlertDraft(event="Wildfire", follow_up="all clear")) == "All clear (Wildfire)"
    assert name_of(AlertDraft(event="Wildfire", follow_up="second language")) == "Wildfire in another language"


def test_what_is_around_the_alert_is_told_by_name_where_the_name_is_known() -> None:
    """By its id where it is not (yet)."""
    draft = an_alert(title="Wildfire near Boulder", notification_event_id=7, category_id=9)
    told = around(draft, {"notification_event_id": {7: "Fires of 2026"}})
    assert [(fact.label, fact.value) for fact in told] == [
        ("Title", "Wildfire near Boulder"),
        ("Notification event", "Fires of 2026"),
        ("Notification category", "ID 9"),
    ]


def test_the_sender_and_the_length_are_reported() -> None:
    """Who is named, and how many messages it takes."""
    assert [fact.value for fact in sender(an_alert())] == ["Boulder Fire", "911"]
    assert length_words(an_alert(sms="a" * 161)) == "161 characters · 2 message parts (SMS)"


@pytest.mark.parametrize(
    ("typed", "right"),
    [("Boulder", True), (" boulder ", True), ("BOULDER", True), ("Bould", False), ("", False), ("Boulder, CO", False)],
)
def test_the_place_may_be_typed_in_any_case_but_must_be_whole(typed: str, right: bool) -> None:
    """Capitals and spaces around it do not count."""
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
def test_the_state_has_to_be_typed_and_its_comma_not(typed: str, right: bool) -> None:
    """A namesake in another state is another place."""
    assert matches_place(typed, "Davidson County, TN") is right


def test_what_has_no_letter_is_typed_as_it_is() -> None:
    """An event group may be called by signs alone."""
    assert matches_place(" ★ ", "★")
    assert not matches_place("☆", "★")


def test_where_no_place_is_asked_for_nothing_typed_is_right() -> None:
    """An alert that reaches nobody cannot be confirmed by an empty field."""
    assert not matches_place("", "")


WEEKLY = starting_wording("Routine Weekly Test")
assert WEEKLY is not None
KEPT = [WEEKLY._asdict(), {"sms": "TEST from [who]: Siren test in [place]. No action is needed.", "title": "Test"}]
NEARBY = Reach((), is_wide=False, warnings=(), whom="Boulder, CO", place_to_type="Boulder, CO")


def a_kept_test(sms: str = KEPT[1]["sms"], **fields: Any) -> AlertDraft:
    """A routine test with a text that the organization keeps."""
    known = {"contact_division": "Boulder OEM", "place_said": "Boulder", "urgency": "Past", "severity": "Minor"}
    given = {"category": "Other", "event": "Routine Weekly Test", "certainty": "Unknown", "sms": sms}
    return AlertDraft(**(given | known | fields))


@pytest.mark.parametrize(
    "draft",
    [
        a_kept_test("TEST from Boulder OEM: Siren test in Boulder. No action is needed.", title="Test"),
        a_kept_test(
            WEEKLY.sms.replace("[who]", "Boulder OEM").replace("[place]", "Boulder").replace("[time]", "6 pm"),
            instructions=WEEKLY.instructions,
            end_written=("6 pm", 1, "America/Denver"),
        ),
    ],
    ids=["kept by the organization", "skeleton"],
)
def test_an_unchanged_test_that_is_kept_takes_no_care(draft: AlertDraft) -> None:
    """Sender, place, and end are as Muster filled them in."""
    assert confirmation_reason(draft, NEARBY, KEPT) == ""
    assert "isn't a saved text or template" in confirmation_reason(draft, NEARBY, [])
    assert "take its text or levels for a live alert" in confirmation_reason(
        draft.model_copy(update={"severity": "Severe"}), NEARBY, KEPT
    )
    assert "goes to Boulder, CO" in confirmation_reason(draft, NEARBY._replace(is_wide=True), KEPT)


@pytest.mark.parametrize(
    "draft",
    [
        a_kept_test("TEST: Lock your doors, gunman on campus."),
        a_kept_test("This is a test. No action is needed."),
        a_kept_test("Dies ist ein Test. Schließen Sie Ihre Türen ab."),
        a_kept_test("PRUEBA: hay un tirador en el campus."),
        a_kept_test("TEST from Boulder OEM: Siren test in Boulder. No action is needed. Lock doors."),
        a_kept_test("TEST from Lock your doors: Siren test in Boulder. No action is needed."),
        a_kept_test("TEST from Boulder OEM: Siren test in Boulder, Türen schließen. No action is needed."),
        a_kept_test("TEST from Boulder OEM: Siren test in Boulder. No action is needed.", instructions="Hide."),
        a_kept_test("TEST from Boulder OEM: Siren test in Boulder. No action is needed.", title="Gunman"),
        a_kept_test("TEST from Boulder OEM: Siren test in Boulder. No action is needed.", text="Türen schließen"),
    ],
    ids=lambda draft: f"{draft.sms} {draft.instructions}{draft.title}{draft.text}",
)
def test_any_other_text_under_a_test_event_takes_the_care_of_a_live_alert(draft: AlertDraft) -> None:
    """In whatever language; adding “TEST:” to a warning removes no guard."""
    assert "isn't a saved text or template" in confirmation_reason(draft, NEARBY, KEPT)
