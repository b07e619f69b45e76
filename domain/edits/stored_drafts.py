"""Drafts between visits, and what became of one whose sending began: its claim names the journal's entry of it."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError

from domain.edits.edit_draft import D, SendStatus, StoredDraft
from domain.edits.journaled_calls import SETTLES
from journal import EntryFilters, EntryNotFound

if TYPE_CHECKING:
    from domain.edits.edit import Edit
    from domain.edits.edit_draft import SubjectId
    from domain.runtime.workspace import Workspace
    from journal import Entry
    from journal.drafts import Draft as Record

GRACE: Final = timedelta(seconds=30)
"""How long whoever took a draft has to write the entry, before it counts as never begun."""
SENT_KEPT_FOR: Final = timedelta(days=2)
ATTEMPT: Final = "attempt"
ENTRY: Final = "entry"
ATTEMPTS_READ: Final = 200

_log = logging.getLogger(__name__)


def load(workspace: Workspace, edit: Edit[D, Any], uid: str) -> StoredDraft[D] | None:
    """Read a draft and what became of it; None where this person has none under that name that can be read."""
    record = workspace.journal.drafts.load(workspace.actor, edit.draft_kind, uid)
    return None if record is None else _kept(workspace, edit, record)


def load_from_journal(workspace: Workspace, edit: Edit[D, Any], uid: str) -> StoredDraft[D] | None:
    """What became of a draft that this person does not have (any more): sent by a colleague, or discarded since.

    None where nobody began to send one of that name, or it was given back.
    """
    tried = find_attempts(workspace, edit, uid, edit.action(edit.draft_model(uid=uid)))
    entry = find_decisive_entry(tried)
    if entry is None:
        return None
    settles = (entry.request or {}).get(SETTLES)
    begun = next((each for each in tried if each.id == settles), entry)
    status = status_of_entry(entry, begun.at)
    sent_id = edit.parse_id(entry.subject_id or "") if status is SendStatus.SENT else None
    draft = edit.draft_from_journal(begun)
    if draft is None:
        return None
    return StoredDraft(
        draft.model_copy(update={"uid": uid}), begun.at, status, None, entry, sent_id, begun.at, is_own=False
    )


def find_attempts(workspace: Workspace, edit: Edit[D, Any], uid: str, action: str) -> list[Entry]:
    """Every entry of a sending of this draft, latest first, whoever made it."""
    found = workspace.journal.audit.list(
        workspace.actor.service,
        workspace.actor.organization_id,
        filters=EntryFilters(action=action, text=uid),
        page_size=ATTEMPTS_READ,
    )
    return [each for each in found if each.subject_kind == edit.kind and (each.request or {}).get("draft") == uid]


def find_decisive_entry(entries: Sequence[Entry]) -> Entry | None:
    """The entry that decides what became of a draft: done, else under way, else unknown; None where it may be sent."""
    settled = {(entry.request or {}).get(SETTLES) for entry in entries}
    for state in ("succeeded", "started", "unknown"):
        for entry in entries:
            if entry.state == state and (state == "succeeded" or entry.id not in settled):
                return entry
    return None


def save(workspace: Workspace, edit: Edit[D, Any], draft: D, *, seen: datetime | None) -> datetime | None:
    """Keep the draft over the version that was seen; None, and not kept, where it is another one by now."""
    payload = draft.model_dump(mode="json")
    return workspace.journal.drafts.replace(workspace.actor, edit.draft_kind, draft.uid, payload, seen=seen)


def discard(workspace: Workspace, edit: Edit[D, Any], uid: str, *, if_unsent: bool = False) -> None:
    """Forget a draft; with `if_unsent`, only where nobody has begun to send it."""
    workspace.journal.drafts.delete(workspace.actor, edit.draft_kind, uid, if_free=if_unsent)


def unfinished(workspace: Workspace, edit: Edit[D, Any]) -> list[StoredDraft[D]]:
    """The person's drafts that are not known to be sent, the latest first. Those sent days ago are forgotten."""
    found = []
    for record in workspace.journal.drafts.list(workspace.actor, edit.draft_kind):
        kept = _kept(workspace, edit, record)
        if kept is None:
            continue
        if kept.status is not SendStatus.SENT:
            found.append(kept)
        elif datetime.now(UTC) - kept.version > SENT_KEPT_FOR:
            discard(workspace, edit, record.key)
    return found


def unfinished_about(workspace: Workspace, edit: Edit[D, Any], subject_id: SubjectId) -> list[StoredDraft[D]]:
    """What the person began to change of this and is not known to be sent, the latest first."""
    return [kept for kept in unfinished(workspace, edit) if kept.draft.subject_id == subject_id]


def find_draft(workspace: Workspace, edit: Edit[D, Any], uid: str) -> StoredDraft[D] | None:
    """The person's draft of that name, or else what the journal tells of it."""
    return load(workspace, edit, uid) or load_from_journal(workspace, edit, uid)


def is_being_sent(workspace: Workspace, edit: Edit[D, Any], uid: str) -> bool:
    """Whether a draft whose sending began, here or at another server, has no end yet."""
    kept = find_draft(workspace, edit, uid)
    return kept is not None and kept.status is SendStatus.SENDING


def why_unknown(entry: Entry | None) -> str:
    """Say in a sentence how a call ended that may have been carried out: without an answer, or with a fault."""
    status = ((entry.answer or {}).get("status") if entry is not None else None) or 0
    if status < 500:
        return "The request was sent, and its response was lost."
    return f"The service failed with status {status}, and may have made the change."


def _kept(workspace: Workspace, edit: Edit[D, Any], record: Record) -> StoredDraft[D] | None:
    try:
        draft = edit.draft_model.model_validate(record.payload)
    except ValidationError:
        _log.warning("This version of Muster cannot read a draft (%s).", edit.kind)
        return None
    if record.claimed_at is None:
        return StoredDraft(draft, record.saved_at)
    note = record.claim or {}
    entry = _entry_of(workspace, edit, draft, note)
    status = _status(entry, note, record.claimed_at)
    if status is SendStatus.DRAFT:
        # It was refused, or never left, and the process stopped before it could give the draft back.
        workspace.journal.drafts.release(workspace.actor, edit.draft_kind, record.key, claim=record.claim)
        return StoredDraft(draft, record.saved_at, interrupted_at=record.claimed_at)
    sent_id = None
    if status is SendStatus.SENT:
        sent_id = edit.parse_id((entry.subject_id if entry is not None else None) or "") or draft.subject_id
    return StoredDraft(draft, record.saved_at, status, note, entry, sent_id, record.claimed_at)


def _entry_of(workspace: Workspace, edit: Edit[D, Any], draft: D, note: Mapping[str, Any]) -> Entry | None:
    entry = None
    if ENTRY in note:
        try:
            entry = workspace.journal.audit.retrieve(note[ENTRY], within=workspace.actor)
        except EntryNotFound:
            return None
        if entry.state != "unknown":
            return entry
    elif ATTEMPT in note and "request" not in note:
        return None
    # Taken by an earlier Muster, which noted no entry; or somebody else may have found meanwhile what became of it.
    deciding = find_decisive_entry(find_attempts(workspace, edit, draft.uid, edit.action(draft)))
    return deciding if entry is None or (deciding is not None and deciding.state == "succeeded") else entry


def _status(entry: Entry | None, note: Mapping[str, Any], claimed_at: datetime) -> SendStatus:
    # Nothing is sent before the claim names the entry; an earlier Muster noted none.
    status = status_of_entry(entry, claimed_at)
    return SendStatus.UNKNOWN if entry is None and status is SendStatus.DRAFT and ATTEMPT not in note else status


def status_of_entry(entry: Entry | None, claimed_at: datetime) -> SendStatus:
    """The status of a draft that was taken for sending; without an entry it is given back after a while."""
    if entry is None:
        return SendStatus.DRAFT if datetime.now(UTC) - claimed_at > GRACE else SendStatus.SENDING
    match entry.state:
        case "started":
            return SendStatus.SENDING
        case "succeeded":
            return SendStatus.SENT
        case "unknown":
            return SendStatus.UNKNOWN
        case _:
            return SendStatus.DRAFT
