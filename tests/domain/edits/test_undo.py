"""Undoing one step of a draft keeps later input."""

from __future__ import annotations

from typing import Any

import pytest

from domain.edits.undo import undo_step
from domain.trips.editor.form_state import SegmentDraft, TripDraft

A, B, C = ("a", {"number": "1"}), ("b", {"number": "2"}), ("c", {"number": "3"})
TYPED = ("b", {"number": "typed"})


def a_trip(*segments: tuple[str, dict[str, Any]], **fields: Any) -> TripDraft:
    """A draft with these segments."""
    return TripDraft(uid="t", segments=[SegmentDraft(uid=uid, **values) for uid, values in segments], **fields)


@pytest.mark.parametrize(
    ("original", "result", "now", "restored"),
    [
        ([A, B], [B], [TYPED], [A, TYPED]),
        ([A, B], [A, B, C], [A, TYPED, C], [A, TYPED]),
        ([A, B], [("a", {"number": "9"}), B], [("a", {"number": "9", "supplier_code": "EY"}), TYPED], None),
        ([A, B], [B, A], [B, A], [A, B]),
    ],
    ids=["removed", "added", "changed", "moved"],
)
def test_undo_keeps_later_input_in_other_rows(
    original: list[Any], result: list[Any], now: list[Any], restored: list[Any] | None
) -> None:
    expected = restored if restored is not None else [("a", {"number": "1", "supplier_code": "EY"}), TYPED]
    assert undo_step(a_trip(*now), a_trip(*original), a_trip(*result)) == a_trip(*expected)


def test_undo_keeps_the_stage_and_later_input_in_other_fields() -> None:
    now = a_trip(A, external_id="typed since", record_locator="NEW", stage="review")
    undone = undo_step(now, a_trip(A, record_locator="OLD"), a_trip(A, record_locator="NEW"))
    assert undone == a_trip(A, external_id="typed since", record_locator="OLD", stage="review")
