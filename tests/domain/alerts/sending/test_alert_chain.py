"""Chains of alerts, read from the journal entries of their sendings."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from domain.alerts.draft import CORRECTION, EXTENSION, KIND, SECOND_LANGUAGE, SEND, AlertDraft
from domain.alerts.sending.alert_chain import chains_of, journal_links
from domain.alerts.wording.follow_ups import follow_up, follow_up_kinds
from journal import Actor, Entry, EntryState

ANA = Actor("s", 8800, "ana")
AT = datetime(2026, 11, 22, 12, tzinfo=UTC)


def entry(number: int, uid: str, notification: int | None, state: EntryState = "succeeded", **request: Any) -> Entry:
    """Return a journal entry of a sending."""
    subject = None if notification is None else str(notification)
    return Entry(number, AT, AT, ANA, SEND, KIND, subject, None, {"draft": uid, **request}, state, None, None)


def build_links(kind: str, notification: int | None = None, draft: str = "") -> dict[str, Any]:
    return journal_links(AlertDraft(follow_up=kind, follows=notification, translation_of=draft))  # type: ignore[arg-type]


def format_time(_: datetime) -> str:
    return "at 9 pm MST"


def test_a_chain_links_alerts_in_both_directions_and_marks_superseded_ones() -> None:
    chains = chains_of(
        [
            entry(3, "c", 103, **build_links("false alarm", 102)),
            entry(1, "a", 101),
            entry(2, "b", 102, **build_links("extension", 101)),
        ]
    )
    assert [chains.summary(number) for number in (101, 102, 103, 999, None)] == [
        *("Extended", "Extension · Reported as a false alarm", "Correction of a false alarm"),
        *("", ""),
    ]
    assert [(line.words, line.notification) for line in chains.lines(102, format_time)] == [
        ("Extension of notification 101", 101),
        ("Reported as a false alarm by ana, at 9 pm MST", 103),
    ]
    superseded = [chains.superseded(number) for number in (101, 102, 103)]
    assert [link and link.notification for link in superseded] == [102, 103, None]


def test_an_extension_keeps_the_reminder_setting_of_its_alert() -> None:
    chains = chains_of([entry(1, "a", 101, goes_on=True), entry(2, "b", 102)])
    drafts = [chains.with_links(number, AlertDraft(event="Wildfire", hours=2)) for number in (101, 102)]
    assert [follow_up(EXTENSION, each).goes_on for each in drafts] == [True, False]


def test_a_sent_follow_up_offers_only_suitable_follow_ups() -> None:
    """The service does not return what an alert follows. Without the journal, an all clear could be extended."""
    sent = AlertDraft(category="Fire", event="Wildfire", sms="ALL CLEAR from Boulder Fire: It is over.")
    chains = chains_of([entry(1, "a", 101), entry(2, "b", 102, **build_links("all clear", 101))])
    draft = chains.with_links(102, sent)
    assert (draft.follow_up, draft.follows) == ("all clear", 101)
    assert follow_up_kinds(draft) == [CORRECTION, SECOND_LANGUAGE]
    for alone in (chains.with_links(101, sent), chains.with_links(None, sent)):
        assert (alone.follow_up, alone.follows) == ("", None)
        assert EXTENSION in follow_up_kinds(alone)


def test_a_follow_up_that_was_not_sent_does_not_supersede_its_alert() -> None:
    chains = chains_of(
        [
            entry(1, "a", 101),
            entry(2, "b", None, "refused", **build_links("correction", 101)),
            entry(3, "b", None, "not sent", **build_links("correction", 101)),
        ]
    )
    assert chains.superseded(101) is None


def test_a_follow_up_with_status_unknown_is_in_the_chain() -> None:
    """Muster offers no second follow-up until someone checks the status."""
    attempts = [entry(1, "a", 101), entry(2, "b", None, "unknown", **build_links("correction", 101))]
    chains = chains_of(attempts)
    (line,) = chains.lines(101, format_time)
    assert line.words.endswith(". Status: Unknown")
    assert (line.notification, line.draft) == (None, "b")
    reconciled = chains_of([*attempts, entry(3, "b", 102, settles=2)])
    assert [link.notification for link in reconciled.follow_ups_of(101)] == [102]
    not_sent = chains_of([*attempts, entry(3, "b", None, "not sent", settles=2)])
    assert not_sent.follow_ups_of(101) == []


def test_an_alert_in_another_language_is_linked_by_its_draft_and_supersedes_nothing() -> None:
    chains = chains_of([entry(1, "a", 101), entry(2, "b", 102, **build_links("second language", draft="a"))])
    assert chains.superseded(101) is None
    assert chains.summary(102) == "In another language"
    assert [line.notification for line in chains.lines(101, format_time)] == [102]


def test_a_correction_in_the_old_journal_format_is_recognized() -> None:
    chains = chains_of([entry(1, "a", 101), entry(2, "b", 102, corrects=101)])
    assert chains.summary(101) == "Corrected"
