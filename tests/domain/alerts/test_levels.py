"""The explanations of all options, and the hint about wireless emergency alerts."""

from __future__ import annotations

from itertools import product

import pytest

from client.vocabulary.public_alerts import (
    CATEGORIES,
    CERTAINTIES,
    EVENTS_BY_CATEGORY,
    ROUTINE_TESTS,
    SEVERITIES,
    TYPES,
    URGENCIES,
)
from domain.alerts.alert_events import meaning_of
from domain.alerts.draft import AlertDraft
from domain.alerts.levels import MEANINGS, TYPE, eligibility_hint, meaning


@pytest.mark.parametrize(
    ("phrases", "words"),
    [
        *(
            ({word: each.whole for word, each in MEANINGS[field].items()}, words)
            for field, words in (
                ("urgency", URGENCIES),
                ("severity", SEVERITIES),
                ("certainty", CERTAINTIES),
                ("category", CATEGORIES),
            )
        ),
        (TYPE, tuple(TYPES)),
    ],
)
def test_each_option_has_its_own_explanation(phrases: dict[object, str], words: tuple[object, ...]) -> None:
    assert tuple(phrases) == words
    assert len(set(phrases.values())) == len(words)
    assert all(phrase.strip() for phrase in phrases.values())


@pytest.mark.parametrize(
    ("field", "words"),
    [("category", CATEGORIES), ("urgency", URGENCIES), ("severity", SEVERITIES), ("certainty", CERTAINTIES)],
)
def test_the_short_explanation_of_each_option_fits_next_to_it(field: str, words: tuple[str, ...]) -> None:
    in_short = {word: each.short for word, each in MEANINGS[field].items()}
    assert tuple(in_short) == words
    assert len(set(in_short.values())) == len(words)
    assert max(len(f"{word} · {in_short[word]}") for word in words) <= 32


def test_each_explanation_belongs_to_its_option() -> None:
    assert "immediately" in meaning("urgency", "Immediate")
    assert "over" in meaning("urgency", "Past")
    assert "hour" in meaning("urgency", "Expected")
    assert "extraordinary" in meaning("severity", "Extreme")
    assert "significant" in meaning("severity", "Severe")
    assert "seen" in meaning("certainty", "Observed")
    assert "urgent threat" in TYPE[2]
    assert "advisories" in TYPE[3]
    assert "Do not use it for warnings" in TYPE[5]
    assert "nuclear" in meaning("category", "CBRNE")
    assert "Weather" in meaning("category", "Met")
    assert "Police" in meaning("category", "Security")
    assert "Tests" in meaning("category", "Other")


def test_events_with_unclear_names_are_explained() -> None:
    events = {event for events in EVENTS_BY_CATEGORY.values() for event in events}
    explained = {event for event in events if meaning_of(event)}
    assert {event for event in events if event.endswith((" Watch", " Warning", " Advisory"))} <= explained
    assert {"Blue Alert", "Silver Alert", "Amber Alert", "Boil Order", *ROUTINE_TESTS} <= explained
    assert "abducted" in meaning_of("Amber Alert")
    assert meaning_of("") == meaning_of("Gas Leak") == ""


def hint(urgency: str, severity: str, certainty: str, *, type_: int | None = 2, event: str = "Gas Leak") -> str | None:
    return eligibility_hint(
        AlertDraft(urgency=urgency, severity=severity, certainty=certainty, type=type_, event=event)
    )


def test_only_alerts_with_all_three_minimum_levels_may_qualify_for_wireless_alerts() -> None:
    may = {levels for levels in product(URGENCIES, SEVERITIES, CERTAINTIES) if "may qualify" in (hint(*levels) or "")}
    assert may == set(product(("Immediate", "Expected"), ("Extreme", "Severe"), ("Observed", "Likely")))


def test_the_hint_names_the_levels_that_are_too_low_and_promises_nothing() -> None:
    text = hint("Future", "Extreme", "Possible")
    assert text is not None
    assert "urgency is Future, not Immediate or Expected and certainty is Possible, not Observed or Likely" in text
    assert "severity is" not in text
    assert "documentation does not say" in (hint("Immediate", "Extreme", "Observed") or "")


def test_there_is_no_hint_for_incomplete_levels_tests_or_other_types() -> None:
    assert hint("", "Extreme", "Observed") is None
    assert hint("Immediate", "", "Observed") is None
    assert hint("Immediate", "Extreme", "") is None
    for type_ in (None, 3, 5):
        assert hint("Immediate", "Extreme", "Observed", type_=type_) is None
    for event in ROUTINE_TESTS:
        assert hint("Past", "Minor", "Unknown", event=event) is None


def test_a_test_with_levels_of_a_wireless_alert_is_reported() -> None:
    for event in ROUTINE_TESTS:
        assert "may qualify" in (hint("Immediate", "Extreme", "Observed", event=event) or "")
