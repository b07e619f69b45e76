"""The differences between two texts, word by word."""

from __future__ import annotations

from domain.alerts.wording.word_changes import word_changes


def test_a_changed_word_is_shown_as_removed_and_added() -> None:
    changes = word_changes("Leave by Elm Street now.", "Leave by  Oak Street now. Help others.")
    assert changes == [
        ("same", "Leave by"),
        ("removed", "Elm"),
        ("added", "Oak"),
        ("same", "Street now."),
        ("added", "Help others."),
    ]
    assert word_changes("", "") == []
