"""Drafts between visits, and the status of those that were sent: the claim of a draft names its journal entry."""

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
"""How long a claim may be without a journal entry before the draft is released."""
SENT_DRAFT_LIFETIME: Final = timedelta(days=2)
UNEDITED_DRAFT_LIFETIME: Final = timedelta(days=1)
ATTEMPT: Final = "attempt"
ENTRY: Final = "entry"
MOST_ATTEMPTS: Final = 200

_log = logging.getLogger(__name__)


def load(workspace: Workspace, edit: Edit[D, Any], uid: str) -> StoredDraft[D] | None:
    """Load a draft of this person and its status; None if there is none that this version can read."""
    record = workspace.journal.drafts.load(workspace.actor, edit.draft_kind, uid)
    return None if record is None else _with_status(workspace, edit, record)


def load_from_journal(workspace: Workspace, edit: Edit[D, Any], uid: str) -> StoredDraft[D] | None:
    """Load a draft that this person does not have: sent by a colleague, or discarded after it was sent.

    None if no one started to send it, or it was released.
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
    """Return the journal entries of every attempt to send this draft, by anyone, latest first."""
    return workspace.journal.audit.list(
        workspace.actor.service,
        workspace.actor.organization_id,
        filters=EntryFilters(action=action, subject_kind=edit.kind, draft=uid),
        page_size=MOST_ATTEMPTS,
    )


def find_decisive_entry(entries: Sequence[Entry]) -> Entry | None:
    """Return the entry that decides the status: succeeded, else started, else unknown; None if there is none."""
    settled = {(entry.request or {}).get(SETTLES) for entry in entries}
    for state in ("succeeded", "started", "unknown"):
        for entry in entries:
            if entry.state == state and (state == "succeeded" or entry.id not in settled):
                return entry
    return None


def save(workspace: Workspace, edit: Edit[D, Any], draft: D, *, seen: datetime | None) -> datetime | None:
    """Save the draft over the version `seen`, and return the new version; None if the stored version is another one."""
    payload = draft.model_dump(mode="json")
    return workspace.journal.drafts.replace(workspace.actor, edit.draft_kind, draft.uid, payload, seen=seen)


def begin(workspace: Workspace, edit: Edit[D, Any], draft: D) -> datetime | None:
    """Store a draft that Muster prepared, and return its version; None if it is stored already.

    It replaces one with the same contents that no one has edited, so that repeated copies do not pile up.
    """
    payload, drafts = draft.model_dump(mode="json"), workspace.journal.drafts
    for record in drafts.list(workspace.actor, edit.draft_kind):
        is_same = record.key != draft.uid and _drop_uids(record.payload) == _drop_uids(payload)
        if record.is_unedited and record.claimed_at is None and is_same:
            drafts.delete(workspace.actor, edit.draft_kind, record.key, if_free=True)
    return drafts.begin(workspace.actor, edit.draft_kind, draft.uid, payload)


def _drop_uids(value: Any) -> Any:
    """Return the contents of a draft without the IDs of its parts, which differ in each copy."""
    if isinstance(value, dict):
        return {name: _drop_uids(each) for name, each in value.items() if name != "uid"}
    return [_drop_uids(each) for each in value] if isinstance(value, list) else value


def discard(workspace: Workspace, edit: Edit[D, Any], uid: str, *, if_unsent: bool = False) -> None:
    """Delete a draft; with `if_unsent`, only if its sending has not started."""
    workspace.journal.drafts.delete(workspace.actor, edit.draft_kind, uid, if_free=if_unsent)


def list_unfinished(workspace: Workspace, edit: Edit[D, Any]) -> list[StoredDraft[D]]:
    """Return the drafts of this person that are not sent, latest first.

    Those sent days ago are deleted, and those that Muster prepared and no one has edited for a day.
    """
    found = []
    for record in workspace.journal.drafts.list(workspace.actor, edit.draft_kind):
        stored = _with_status(workspace, edit, record)
        if stored is None:
            continue
        is_abandoned = record.is_unedited and datetime.now(UTC) - stored.version > UNEDITED_DRAFT_LIFETIME
        if stored.status is SendStatus.DRAFT and is_abandoned:
            discard(workspace, edit, record.key, if_unsent=True)
        elif stored.status is not SendStatus.SENT:
            found.append(stored)
        elif datetime.now(UTC) - stored.version > SENT_DRAFT_LIFETIME:
            discard(workspace, edit, record.key)
    return found


def list_unfinished_changes(workspace: Workspace, edit: Edit[D, Any], subject_id: SubjectId) -> list[StoredDraft[D]]:
    """Return the drafts of this person that change this record and are not sent, latest first."""
    return [stored for stored in list_unfinished(workspace, edit) if stored.draft.subject_id == subject_id]


def find_draft(workspace: Workspace, edit: Edit[D, Any], uid: str) -> StoredDraft[D] | None:
    """Return the draft of this person, or what the journal has of it."""
    return load(workspace, edit, uid) or load_from_journal(workspace, edit, uid)


def is_being_sent(workspace: Workspace, edit: Edit[D, Any], uid: str) -> bool:
    """Whether the draft is being sent, by this server or another one."""
    stored = find_draft(workspace, edit, uid)
    return stored is not None and stored.status is SendStatus.SENDING


def why_unknown(entry: Entry | None) -> str:
    """Say how a call with status Unknown ended: without a response, or with a failure."""
    status = ((entry.answer or {}).get("status") if entry is not None else None) or 0
    if status < 500:
        return "The request was sent, and its response was lost."
    return f"The service failed with status {status}, and may have made the change."


def _with_status(workspace: Workspace, edit: Edit[D, Any], record: Record) -> StoredDraft[D] | None:
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
        # It was refused or not sent, and the process stopped before it could release the draft.
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
            entry = workspace.journal.audit.retrieve(note[ENTRY], actor=workspace.actor)
        except EntryNotFound:
            return None
        if entry.state != "unknown":
            return entry
    elif ATTEMPT in note and "request" not in note:
        return None
    # An earlier version of Muster linked no entry. Or someone else may have resolved the status since.
    deciding = find_decisive_entry(find_attempts(workspace, edit, draft.uid, edit.action(draft)))
    return deciding if entry is None or (deciding is not None and deciding.state == "succeeded") else entry


def _status(entry: Entry | None, note: Mapping[str, Any], claimed_at: datetime) -> SendStatus:
    # Nothing is sent before the claim names the entry. An earlier version of Muster linked none.
    status = status_of_entry(entry, claimed_at)
    return SendStatus.UNKNOWN if entry is None and status is SendStatus.DRAFT and ATTEMPT not in note else status


def status_of_entry(entry: Entry | None, claimed_at: datetime) -> SendStatus:
    """Return the status of a claimed draft. Without an entry it is released after a while."""
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
