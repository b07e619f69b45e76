"""Drafts between visits, and what became of one whose sending began: its claim names the journal's entry of it."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, Generic

from pydantic import ValidationError

from domain.edits.edit import D
from domain.edits.journaled_calls import SETTLES
from journal import EntryFilters, EntryNotFound

if TYPE_CHECKING:
    from domain.edits.edit import Change, SubjectId
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


class SendStatus(StrEnum):
    """What became of a draft."""

    DRAFT = "draft"
    SENDING = "sending"
    SENT = "sent"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class StoredDraft(Generic[D]):
    """A draft as it is kept: its version (when it was saved), what became of it, and what its claim notes.

    `begun_at` is when its sending began, `cut_off` when one did that was stopped before anything left; `entry` decides
    what became of it. `sent_id` is the id at the service of what a sent draft became. `is_own` is False where this
    person does not have the draft (any more), and the journal alone tells of it.
    """

    draft: D
    version: datetime
    status: SendStatus = SendStatus.DRAFT
    note: Mapping[str, Any] | None = None
    entry: Entry | None = None
    sent_id: SubjectId | None = None
    begun_at: datetime | None = None
    cut_off: datetime | None = None
    is_own: bool = True


def load(workspace: Workspace, change: Change[D], uid: str) -> StoredDraft[D] | None:
    """Read a draft and what became of it; None where this person has none under that name that can be read."""
    record = workspace.journal.drafts.load(workspace.actor, change.kept_as, uid)
    return None if record is None else _kept(workspace, change, record)


def load_from_journal(workspace: Workspace, change: Change[D], uid: str) -> StoredDraft[D] | None:
    """What became of a draft that this person does not have (any more): sent by a colleague, or discarded since.

    None where nobody began to send one of that name, or it was given back.
    """
    if change.told is None:
        return None
    tried = attempts(workspace, change, uid, change.action(change.model(uid=uid)))
    entry = decisive(tried)
    if entry is None:
        return None
    settles = (entry.request or {}).get(SETTLES)
    begun = next((each for each in tried if each.id == settles), entry)
    status = status_of_entry(entry, begun.at)
    sent_id = change.id_in(entry.subject_id or "") if status is SendStatus.SENT else None
    draft = change.told(begun).model_copy(update={"uid": uid})
    return StoredDraft(draft, begun.at, status, None, entry, sent_id, begun.at, is_own=False)


def attempts(workspace: Workspace, change: Change[D], uid: str, action: str) -> list[Entry]:
    """Every entry of a sending of this draft, latest first, whoever made it."""
    found = workspace.journal.audit.list(
        workspace.actor.service,
        workspace.actor.organization_id,
        filters=EntryFilters(action=action, text=uid),
        page_size=ATTEMPTS_READ,
    )
    return [each for each in found if each.subject_kind == change.kind and (each.request or {}).get("draft") == uid]


def decisive(entries: Sequence[Entry]) -> Entry | None:
    """The entry that decides what became of a draft: done, else under way, else unknown; None where it may be sent."""
    settled = {(entry.request or {}).get(SETTLES) for entry in entries}
    for state in ("succeeded", "started", "unknown"):
        for entry in entries:
            if entry.state == state and (state == "succeeded" or entry.id not in settled):
                return entry
    return None


def save(workspace: Workspace, change: Change[D], draft: D, *, seen: datetime | None) -> datetime | None:
    """Keep the draft over the version that was seen; None, and not kept, where it is another one by now."""
    payload = draft.model_dump(mode="json")
    return workspace.journal.drafts.replace(workspace.actor, change.kept_as, draft.uid, payload, seen=seen)


def discard(workspace: Workspace, change: Change[D], uid: str, *, if_unsent: bool = False) -> None:
    """Forget a draft; with `if_unsent`, only where nobody has begun to send it."""
    workspace.journal.drafts.delete(workspace.actor, change.kept_as, uid, if_free=if_unsent)


def unfinished(workspace: Workspace, change: Change[D]) -> list[StoredDraft[D]]:
    """The person's drafts that are not known to be sent, the latest first. Those sent days ago are forgotten."""
    found = []
    for record in workspace.journal.drafts.list(workspace.actor, change.kept_as):
        kept = _kept(workspace, change, record)
        if kept is None:
            continue
        if kept.status is not SendStatus.SENT:
            found.append(kept)
        elif datetime.now(UTC) - kept.version > SENT_KEPT_FOR:
            discard(workspace, change, record.key)
    return found


def unfinished_about(workspace: Workspace, change: Change[D], subject_id: SubjectId) -> list[StoredDraft[D]]:
    """What the person began to change of this and is not known to be sent, the latest first."""
    return [kept for kept in unfinished(workspace, change) if kept.draft.subject_id == subject_id]


def find_draft(workspace: Workspace, change: Change[D], uid: str) -> StoredDraft[D] | None:
    """The person's draft of that name, or else what the journal tells of it."""
    return load(workspace, change, uid) or load_from_journal(workspace, change, uid)


def is_being_sent(workspace: Workspace, change: Change[D], uid: str) -> bool:
    """Whether a draft whose sending began, here or at another server, has no end yet."""
    kept = find_draft(workspace, change, uid)
    return kept is not None and kept.status is SendStatus.SENDING


def why_unknown(entry: Entry | None) -> str:
    """Say in a sentence how a call ended that may have been carried out: without an answer, or with a fault."""
    status = ((entry.answer or {}).get("status") if entry is not None else None) or 0
    if status < 500:
        return "The request was sent, and its response was lost."
    return f"The service failed with status {status}, and may have made the change."


def _kept(workspace: Workspace, change: Change[D], record: Record) -> StoredDraft[D] | None:
    try:
        draft = change.model.model_validate(record.payload)
    except ValidationError:
        _log.warning("This version of Muster cannot read a draft (%s).", change.kind)
        return None
    if record.claimed_at is None:
        return StoredDraft(draft, record.saved_at)
    note = record.claim or {}
    entry = _entry_of(workspace, change, draft, note)
    status = _status(entry, note, record.claimed_at)
    if status is SendStatus.DRAFT:
        # It was refused, or never left, and the process stopped before it could give the draft back.
        workspace.journal.drafts.release(workspace.actor, change.kept_as, record.key, claim=record.claim)
        return StoredDraft(draft, record.saved_at, cut_off=record.claimed_at)
    sent_id = None
    if status is SendStatus.SENT:
        sent_id = change.id_in((entry.subject_id if entry is not None else None) or "") or draft.subject_id
    return StoredDraft(draft, record.saved_at, status, note, entry, sent_id, record.claimed_at)


def _entry_of(workspace: Workspace, change: Change[D], draft: D, note: Mapping[str, Any]) -> Entry | None:
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
    deciding = decisive(attempts(workspace, change, draft.uid, change.action(draft)))
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
