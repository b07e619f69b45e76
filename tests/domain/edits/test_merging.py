"""One draft in two tabs: what is taken over, what stays, and what is said of it."""

from __future__ import annotations

from typing import Any

import pytest

from components.alerts.sending.alert_change import TOGETHER
from domain.alerts.alert_form import LABELS
from domain.alerts.draft import AlertDraft
from domain.edits.merging import merged, words_on
from domain.trips.editor.form_state import SegmentDraft, TripDraft

SEEN = AlertDraft(uid="one", category="Met", event="Tornado Warning", sms="Seen", jurisdiction="some", regions=[1])
TAKEN = "Changed in another tab and taken over here: "
TOO = "Changed in another tab too: "


@pytest.mark.parametrize(
    ("here", "there", "expected", "says"),
    [
        ({"hours": 3}, {}, {}, ""),
        ({"hours": 3}, {"hours": 3}, {}, ""),
        (
            {"hours": 3},
            {"sms": "Theirs", "title": "T"},
            {"sms": "Theirs", "title": "T"},
            f"{TAKEN}Title and Text message.",
        ),
        ({"sms": "Mine"}, {"sms": "Theirs"}, {}, f"{TOO}Text message. What stands here is kept."),
        (
            {"sms": "Mine"},
            {"category": "Fire", "event": ""},
            {"category": "Fire", "event": ""},
            f"{TAKEN}Category and Event.",
        ),
        ({"event": "Flood Watch"}, {"category": "Fire", "event": ""}, {}, f"{TOO}Category and Event."),
        ({"regions": [1, 2]}, {"jurisdiction": "all", "regions": []}, {}, f"{TOO}Recipients by place and Places."),
        ({"hours": 3}, {"stage": "review", "checked": True, "refused": [("", "No")]}, {}, ""),
    ],
)
def test_what_was_changed_there_alone_is_taken_over(
    here: dict[str, Any], there: dict[str, Any], expected: dict[str, Any], says: str
) -> None:
    """Fields that belong together come together; a conflict stays as it is here, and is told."""
    mine, theirs = SEEN.model_copy(update=here), SEEN.model_copy(update=there)
    both = merged(SEEN, mine, theirs, together=TOGETHER)
    assert both.draft == mine.model_copy(update=expected)
    said = words_on(both, LABELS.__getitem__)
    assert said.startswith(says)
    assert bool(said) == bool(says)


def a_trip(*segments: tuple[str, dict[str, Any]]) -> TripDraft:
    """A draft with these segments."""
    return TripDraft(uid="t", segments=[SegmentDraft(uid=uid, **given) for uid, given in segments])


A, B, C = ("a", {"number": "1"}), ("b", {"number": "2"}), ("c", {"number": "3"})


@pytest.mark.parametrize(
    ("here", "there", "expected", "taken", "both"),
    [
        ([A, B], [A, B], [A, B], (), ()),
        ([A, B, C], [A, B], [A, B, C], (), ()),
        ([A, B], [A, B, C], [A, B, C], ("segments",), ()),
        ([A, B], [B], [B], ("segments",), ()),
        ([B], [A, B], [B], (), ()),
        ([A, B], [B, A], [B, A], (), ()),
        ([("a", {"number": "9"}), B], [B], [("a", {"number": "9"}), B], (), ("segments",)),
        ([B], [("a", {"number": "9"}), B], [B], (), ("segments",)),
        (
            [("a", {"number": "1", "supplier_code": "EY"}), B],
            [("a", {"number": "9"}), B],
            [("a", {"number": "9", "supplier_code": "EY"}), B],
            ("segments",),
            (),
        ),
        ([("a", {"number": "8"}), B], [("a", {"number": "9"}), B], [("a", {"number": "8"}), B], (), ("segments",)),
    ],
)
def test_items_of_a_list_are_put_together_by_their_names(
    here: list[Any], there: list[Any], expected: list[Any], taken: tuple[str, ...], both: tuple[str, ...]
) -> None:
    """Added, removed, moved and changed ones, field by field; what both changed stays as it is here."""
    joined = merged(a_trip(A, B), a_trip(*here), a_trip(*there))
    assert joined.draft == a_trip(*expected)
    assert (joined.taken, joined.both) == (taken, both)
