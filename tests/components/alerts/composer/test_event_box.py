"""The notes beside the hours of an alert."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from components.alerts.composer.event_box import extension_note

NOON = datetime(2026, 11, 20, 19, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("minutes", "words"),
    [
        (135, "This extension adds 2 hours 15 minutes."),
        (60, "This extension adds 1 hour."),
        (0, "This extension adds no time."),
        (-1, "This extension ends 1 minute earlier."),
    ],
)
def test_an_extension_says_in_words_by_how_long_it_extends_the_alert(minutes: int, words: str) -> None:
    old_end = NOON + timedelta(hours=1)
    note = extension_note(old_end, old_end + timedelta(minutes=minutes), "America/Denver", NOON)
    assert note.startswith("The first alert ends ")
    assert note.endswith(words)
