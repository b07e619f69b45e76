"""Send the draft of any edit as a screen does, without a screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.edits import draft_sending, stored_drafts
from domain.edits.edit import Edit
from domain.edits.edit_draft import D, StoredDraft, SubjectId
from domain.runtime.workspace import Workspace


def send_draft(
    workspace: Workspace, edit: Edit[D, Any], draft: D, note: Mapping[str, Any] | None = None
) -> SubjectId | None:
    """Send a draft once. Returns the ID of the record, or None if it was sent before."""
    stored = stored_drafts.load(workspace, edit, draft.uid)
    seen = None if stored is None or stored.draft != draft else stored.version
    if stored is not None and seen is None:
        seen = stored_drafts.save(workspace, edit, draft, seen=stored.version)
    messages = draft_sending.send_draft(workspace, edit, draft, seen=seen, note=note or {})
    return None if messages is None else load_stored_draft(workspace, edit, draft).sent_id


def load_stored_draft(workspace: Workspace, edit: Edit[D, Any], draft: D) -> StoredDraft[D]:
    """Return the stored version of a draft, which must exist."""
    stored = stored_drafts.load(workspace, edit, draft.uid)
    assert stored is not None
    return stored
