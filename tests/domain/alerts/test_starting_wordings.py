"""The outline of an alert text for every event."""

from __future__ import annotations

import re

import pytest

from client.vocabulary.public_alerts import EVENTS_BY_CATEGORY, ROUTINE_TESTS
from domain.alerts.alert_events import outline_of, own_placeholders, placeholders_in, starting_wording
from domain.alerts.draft import AlertDraft
from domain.alerts.wording.sms import GSM_7, measure
from tests.service.interface_document import events_by_category

EVENTS = sorted({event for events in events_by_category().values() for event in events})


@pytest.mark.parametrize("event", EVENTS)
def test_every_event_has_an_outline_that_fits_one_message_part(event: str) -> None:
    wording = starting_wording(event)
    assert wording is not None
    meter = measure(wording.sms)
    assert (meter.encoding, meter.segments) == (GSM_7, 1)
    assert wording.sms.startswith("[who]: ")
    assert wording.sms.rstrip()[-1] in ".!?"
    assert measure(wording.instructions).encoding == GSM_7
    assert wording.instructions.strip()
    assert "[time]" in wording.sms
    assert "!" not in wording.sms


@pytest.mark.parametrize("event", EVENTS)
def test_outlines_use_one_form_of_each_phrase_and_have_no_notes_to_the_author(event: str) -> None:
    """Notes to the author stand in brackets. "Seen?", "else", and "Until [time]." alone read like notes."""
    wording = starting_wording(event)
    assert wording is not None
    for text in (wording.sms, wording.instructions):
        assert not re.search(r"\b(?:Seen|Saw|else|ill|Repeat)\b|[.!?] Until \[|\] or told|notice by|; ", text)


def test_unknown_events_have_no_outline() -> None:
    assert starting_wording("") is None
    assert starting_wording("flood warning") is None
    assert {event for events in EVENTS_BY_CATEGORY.values() for event in events} == set(EVENTS)


@pytest.mark.parametrize("event", ROUTINE_TESTS)
def test_the_outline_of_a_test_says_that_it_is_a_test(event: str) -> None:
    assert "TEST" in outline_of(AlertDraft(event=event)).sms
    assert "no emergency" in outline_of(AlertDraft(event=event)).sms


def test_known_sender_place_and_end_are_filled_into_the_outline() -> None:
    draft = AlertDraft(event="Gas Leak", contact_name="Ana Silva", contact_division="Flint OEM")
    assert outline_of(draft, "Main Street", "18:05 EST").sms == (
        "Flint OEM: Gas leak at Main Street. Leave now on foot and go [distance] away. Do not light anything, use "
        "switches, or start cars. Stay away until 18:05 EST."
    )
    assert outline_of(AlertDraft(event="Gas Leak", contact_name="Ana Silva")).sms.startswith(
        "Ana Silva: Gas leak at [place]."
    )
    assert outline_of(draft, " Main Street ").title == "Gas Leak: Main Street"


def test_the_outline_without_an_event_has_the_five_parts_of_an_alert() -> None:
    assert outline_of(AlertDraft()).sms == "[who]: [What happens] in [place]. [What to do now.] In effect until [time]."


def test_placeholders_are_listed_once_in_their_order() -> None:
    assert placeholders_in("[b] [a] [b] [] [two\nlines] [x[y]]") == ["[b]", "[a]", "[y]"]
    assert placeholders_in("") == []
    others = [
        "{street}",
        "<place>",
        "____",
        "__",
        "XXXX",
        "TBD",
        "(street)",
        "(Calle)",
        "??",
        "##",
        "INSERT STREET NAME",
        "*hora*",
    ]
    others += ["hora por confirmar"]
    assert placeholders_in("Gas leak at ... in Flint. Wait... Leave!") == ["..."]
    others_before_time = [*others, "XX"]
    assert placeholders_in(f"{', '.join(others)} until XX PM") == others_before_time, "as people leave them"
    assert placeholders_in("Class XX a_b USXXXX 3 < 5 TBDX. Danger?? #1 C## (time to go)") == []
    assert {"[who]", "[place]", "[time]", "[What is true now.]", "[What happens]"} <= own_placeholders()
