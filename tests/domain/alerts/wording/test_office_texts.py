"""Other hazards, ends, and live wording in realistic English and Spanish texts."""

from __future__ import annotations

import tomllib
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from domain.alerts.alert_events import starting_wording
from domain.alerts.alert_templates import demo_templates
from domain.alerts.wording.end_time_in_text import stated_end
from domain.alerts.wording.hazards_in_text import find_other_hazard
from domain.alerts.wording.live_words import find_live_words

TEXTS = tomllib.loads(Path(__file__).with_name("office_texts.toml").read_text(encoding="utf-8"))
WRITTEN_AT = {
    "ends": datetime(2026, 11, 20, 14, 5, tzinfo=ZoneInfo("America/New_York")),
    "ends_in_denver": datetime(2026, 11, 24, 13, 20, tzinfo=ZoneInfo("America/Denver")),
}


def test_another_hazard_is_distinguished_from_a_cause_or_a_consequence() -> None:
    missed = [
        (event, text) for event, text, is_other in TEXTS["hazards"] if bool(find_other_hazard(event, text)) != is_other
    ]
    assert missed == []


@pytest.mark.parametrize("name", WRITTEN_AT)
def test_the_end_of_a_text_is_read_in_all_notations(name: str) -> None:
    at, missed = WRITTEN_AT[name], []
    for text, end in TEXTS[name]:
        found = stated_end(text, at, str(at.tzinfo))
        written = f"{found.astimezone(at.tzinfo):%Y-%m-%d %H:%M}" if found is not None else ""
        if written != end:
            missed.append((text, end, written))
    assert missed == []


def test_live_wording_in_a_routine_test_is_found_but_not_hypothetical_or_negated_wording() -> None:
    assert [text for text, is_live in TEXTS["tests"] if bool(find_live_words(text)) != is_live] == []


def test_outlines_and_demo_alerts_name_no_other_hazard() -> None:
    drafts = demo_templates().values()
    assert [draft.event for draft in drafts if find_other_hazard(draft.event, draft.sms)] == []
    for event in ("Routine Weekly Test", "Routine Monthly Test"):
        wording = starting_wording(event)
        assert wording is not None
        assert find_live_words(f"{wording.sms}\n{wording.instructions}") is None
