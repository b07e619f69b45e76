"""Sending the draft of any kind of change as a screen does, without a screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.edits import draft_sending, stored_drafts
from domain.edits.edit import Change, D
from domain.edits.stored_drafts import StoredDraft
from domain.runtime.workspace import Workspace


def send_draft(workspace: Workspace, change: Change[D], draft: D, note: Mapping[str, Any] | None = None) -> int | None:
    """Send a draft as it is, once; the id of what it became, or None where its sending was begun before."""
    kept = stored_drafts.load(workspace, change, draft.uid)
    seen = None if kept is None or kept.draft != draft else kept.version
    if kept is not None and seen is None:
        seen = stored_drafts.save(workspace, change, draft, seen=kept.version)
    became = draft_sending.send(workspace, change, draft, seen=seen, note=note or {})
    return None if became is None else became[0]


def kept_draft(workspace: Workspace, change: Change[D], draft: D) -> StoredDraft[D]:
    """What is kept of a draft, which there is."""
    kept = stored_drafts.load(workspace, change, draft.uid)
    assert kept is not None
    return kept
