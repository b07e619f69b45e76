"""The usual values of an event: every event has them, and they never replace a selected value."""

from __future__ import annotations

import pytest

from client.vocabulary.public_alerts import EVENTS_BY_CATEGORY, EXPIRE_HOURS, TYPES
from domain.alerts.alert_events import Usual, suggestion_words, usual_levels_of
from domain.alerts.alert_form import ALERT_FORM
from domain.alerts.draft import AlertDraft
from domain.alerts.wording.contradictions import advice

EVENTS = [(category, event) for category, events in EVENTS_BY_CATEGORY.items() for event in events]


def select(draft: AlertDraft, **fields: object) -> AlertDraft:
    """Return the draft after these values were selected on the screen."""
    return ALERT_FORM.with_values(draft, {(draft.uid, name): value for name, value in fields.items()})


def read_usual_values(draft: AlertDraft) -> tuple[object, ...]:
    return tuple(getattr(draft, name) for name in Usual._fields)


@pytest.mark.parametrize(("category", "event"), EVENTS)
def test_the_usual_levels_of_every_event_contain_no_contradiction(category: str, event: str) -> None:
    draft = select(AlertDraft(category=category), event=event)
    assert read_usual_values(draft) == usual_levels_of(event)
    assert draft.hours in EXPIRE_HOURS
    assert draft.type in TYPES
    assert advice(draft) == []


def test_a_new_event_sets_its_usual_values_but_keeps_selected_ones() -> None:
    draft = select(AlertDraft(category="Met"), event="Tornado Warning")
    draft = select(draft, hours=3)
    draft = select(draft, event="Flood Watch")
    assert read_usual_values(draft) == ("Future", "Severe", "Possible", 3, 3)


def test_values_selected_together_with_the_event_stay() -> None:
    draft = select(AlertDraft(category="Met"), event="Tornado Warning", severity="Severe")
    assert read_usual_values(draft) == ("Immediate", "Severe", "Likely", 1, 2)


def test_an_event_can_be_selected_before_its_category() -> None:
    """The event sets its first category and the jurisdiction “some”. The places are still to be selected."""
    draft = select(AlertDraft(), event="Wildfire")
    assert (draft.category, draft.jurisdiction, draft.regions) == ("Fire", "some", [])
    assert select(draft, category="Geo").event == "Wildfire"
    to_groups = select(AlertDraft(groups=[3]), event="Wildfire")
    assert to_groups.jurisdiction == "", "recipients that are already selected stay"
    assert select(AlertDraft(), groups=[3]).jurisdiction == ""
    assert select(select(AlertDraft(), jurisdiction=""), event="Wildfire").jurisdiction == "", (
        "a cleared jurisdiction stays cleared"
    )


def test_removing_an_event_clears_its_usual_values() -> None:
    """Otherwise its levels would look as if a person had selected them."""
    draft = select(AlertDraft(category="Met"), event="Tornado Warning")
    draft = select(draft, hours=3)
    draft = select(draft, category="Health")
    assert read_usual_values(draft) == ("", "", "", 3, None)


def test_usual_values_are_marked_as_suggested_until_they_change() -> None:
    draft = select(AlertDraft(category="Met"), event="Tornado Warning")
    assert suggestion_words(draft) == (
        "Usual values for Tornado Warning: Immediate, Extreme, Likely, 1 hour, Alert. Muster filled "
        "in these values. Change them if needed."
    )
    draft = select(draft, severity="Severe")
    assert suggestion_words(draft) == "Usual values for Tornado Warning: Immediate, Extreme, Likely, 1 hour, Alert."
    assert suggestion_words(AlertDraft()) == ""
