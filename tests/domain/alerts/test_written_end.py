"""An end that Muster wrote into a text follows the duration until a person writes another."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from components.alerts.composer.actions import with_updated_end
from domain.alerts.draft import AlertDraft, WrittenEnd
from domain.alerts.expiry import ends_at

NOW = datetime(2026, 11, 20, 19, 5, tzinfo=UTC)  # 2:05 pm in New York
WRITTEN = WrittenEnd("6 pm", 4, "America/New_York")


@pytest.mark.parametrize(
    ("sms", "zone", "after"),
    [
        ("Stay away until 6 pm.", "America/New_York", "Stay away until 8 PM EST."),
        ("Last seen at 6 pm. Until 6 pm.", "America/New_York", "Last seen at 6 pm. Until 8 PM EST."),
        ("Stay away until 6 pm.", "America/Chicago", "Stay away until 7 PM CST."),
        ("Stay away until 7 pm.", "America/New_York", "Stay away until 7 pm."),
    ],
)
def test_an_end_written_by_muster_changes_with_the_duration_and_time_zone(sms: str, zone: str, after: str) -> None:
    draft = AlertDraft(sms=sms, hours=6, end_written=WRITTEN)
    changed = with_updated_end(draft, ends_at(6, NOW, zone))
    assert changed.sms == after
    assert (changed.end_written is None) == ("7 pm" in sms), "an end that a person wrote is no longer updated"


def test_the_end_stays_while_the_duration_is_unchanged() -> None:
    draft = AlertDraft(sms="Until 6 pm.", hours=4, end_written=WRITTEN)
    later = datetime(2026, 11, 20, 20, 35, tzinfo=UTC)
    assert with_updated_end(draft, ends_at(4, later, "America/New_York")) is draft
