"""Times and dates of one day become placeholders of an alert template. Other numbers stay."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from domain.alerts.draft import AlertDraft, WrittenEnd
from domain.alerts.wording.fixed_times import replace_fixed_times

NOW = datetime(2026, 11, 22, 17, tzinfo=UTC)


def replace_times(text: str, **fields: object) -> str:
    return replace_fixed_times(AlertDraft(sms=text, **fields), NOW, "America/Denver")[0].sms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Stay inside until 6:05 PM MST.", "Stay inside until [time]."),
        ("Water off from 1 pm to 6 pm.", "Water off from [other time] to [time]."),
        ("The shelter opens at 14:30 on Nov 24.", "The shelter opens at [other time] on [date]."),
        ("Seen at 9:15 am and 9:15 am.", "Seen at [other time] and [other time]."),
        ("Seen Friday, November 20th, 2026, last on 2026-11-21.", "Seen [date], last on [date 2]."),
        ("Flushing on Friday and on 11/24.", "Flushing on [date] and on [date 2]."),
        ("Quédese en casa hasta las 18:00.", "Quédese en casa hasta las [time]."),
        ("Corte el 24 de noviembre a las 14:30.", "Corte el [date] a las [other time]."),
    ],
)
def test_a_time_or_date_becomes_a_placeholder(text: str, expected: str) -> None:
    assert replace_times(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Boil water for 1 minute. Use 1/4 teaspoon. Call 911 or 303-555-0123, 24/7.",
        "Leave by Highway 36. You may 2 times be asked. Stay inside for the next 3 hours.",
        "[who]: Leave [place] until [time].",
    ],
)
def test_other_numbers_do_not_become_placeholders(text: str) -> None:
    assert replace_times(text) == text


def test_an_end_written_by_muster_becomes_its_placeholder_again() -> None:
    draft = AlertDraft(sms="Leave. Until Sun 6 pm.", end_written=WrittenEnd("Sun 6 pm", 4, "America/Denver"))
    template, words = replace_fixed_times(draft, NOW, "America/Denver")
    assert (template.sms, words) == ("Leave. Until [time].", ["Sun 6 pm"])
