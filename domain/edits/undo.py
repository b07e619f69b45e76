"""Undoing one step of a draft, without what was typed since in other fields."""

from __future__ import annotations

from typing import Any

from domain.edits.edit_draft import D
from domain.forms.form import Part


def undo_step(draft: D, original: D, result: D) -> D:
    """Return the draft with the fields restored that a step changed from `original` to `result`."""
    fields = [name for name in type(draft).model_fields if name not in draft.ui_state_fields]
    return draft.model_copy(
        update={name: _restore(*(getattr(each, name) for each in (original, result, draft))) for name in fields}
    )


def _restore(original: Any, result: Any, now: Any) -> Any:
    if original == result:
        return now
    if now == result:
        return original
    if all(isinstance(each, Part) for each in (original, result, now)):
        names = type(now).model_fields
        return now.model_copy(
            update={name: _restore(*(getattr(each, name) for each in (original, result, now))) for name in names}
        )
    if all(isinstance(each, list) and all(isinstance(row, Part) for row in each) for each in (original, result, now)):
        return _restore_rows(original, result, now)
    return original


def _restore_rows(original: list[Any], result: list[Any], now: list[Any]) -> list[Any]:
    """Bring back rows that the step removed, remove those that it added, and restore those that it changed."""
    before, after, current = ({row.uid: row for row in rows} for rows in (original, result, now))
    rows = []
    for uid in dict.fromkeys([*before, *current]):
        if uid in before and uid in after and uid in current:
            rows.append(_restore(before[uid], after[uid], current[uid]))
        elif uid in before and uid not in after:
            rows.append(before[uid])
        elif uid in current and uid not in after:
            rows.append(current[uid])
    return rows
