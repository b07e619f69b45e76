"""Ends in words, in English and Spanish: what they mean, and that a replacement covers the whole expression."""

from __future__ import annotations

import tomllib
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from domain.alerts.draft import AlertDraft
from domain.alerts.wording.contradictions import advice
from domain.alerts.wording.end_time_in_text import find_end_times

DENVER = ZoneInfo("America/Denver")
WRITTEN_AT = datetime(2026, 11, 20, 14, 5, tzinfo=DENVER)
ENDS = tomllib.loads(Path(__file__).with_name("spoken_ends.toml").read_text(encoding="utf-8"))["ends"]


@pytest.mark.parametrize(("text", "end"), ENDS)
def test_an_end_in_words_is_read(text: str, end: str) -> None:
    found = [each.likely.astimezone(DENVER) for each in find_end_times(text, WRITTEN_AT, str(DENVER))]
    assert [f"{each:%Y-%m-%d %H:%M}" for each in found] == ([end] if end else [])


@pytest.mark.parametrize("text", [text for text, end in ENDS if end])
def test_a_replacement_covers_the_whole_expression(text: str) -> None:
    """The end of the alert replaces the end in the text, and leaves nothing of it."""
    draft = AlertDraft(sms=text, hours=9, written_at=WRITTEN_AT)
    (found,) = advice(draft, now=WRITTEN_AT, zone=str(DENVER))
    fixed = found.fixes[-1].changes["sms"]
    assert fixed.endswith((" 9 hours.", " 9 horas.", " 11 PM MST.")), fixed


@pytest.mark.parametrize(
    "text", ["Evite la zona hasta las 19.30.45.", "Stay away until 7 and a half.", "Until 25.61 inches fell."]
)
def test_an_expression_that_is_read_only_in_part_is_not_replaced(text: str) -> None:
    draft = AlertDraft(sms=text, hours=9, written_at=WRITTEN_AT)
    assert advice(draft, now=WRITTEN_AT, zone=str(DENVER)) == []
