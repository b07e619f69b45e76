"""Drafts between visits, and what became of one whose sending began: its claim names the journal's entry of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, Generic

from components.change.declaration import D
from journal import EntryFilters, EntryNotFound

if TYPE_CHECKING:
    from components.change.declaration import Change, SubjectId
    from components.shell.workspace import Workspace
    from journal import Entry
    from journal.drafts import Draft as Record

GRACE: Final = timedelta(seconds=30)
"""How long whoever took a draft has to write the entry, before it counts as never begun."""
SENT_KEPT_FOR: Final = timedelta(days=2)
ATTEMPT: Final = "attempt"
ENTRY: Final = "entry"


class Fate(StrEnum):
    """What became of a draft."""

    UNSENT = "unsent"
    SENDING = "sending"
    SENT = "sent"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Kept(Generic[D]):
    """A draft as it is kept: its version (when it was saved), what became of it, and what its claim notes.

    `sent_id` is the id at the service of what a sent draft became.
    """

    draft: D
    version: datetime
    fate: Fate = Fate.UNSENT
    note: Mapping[str, Any] | None = None
    entry: Entry | None = None
    sent_id: SubjectId | None = None


def load(workspace: Workspace, change: Change[D], uid: str) -> Kept[D] | None:
    """Read a draft and what became of it; None where this person has none under that name."""
    record = workspace.journal.drafts.load(workspace.actor, change.kept_as, uid)
    return None if record is None else _kept(workspace, change, record)


def save(workspace: Workspace, change: Change[D], draft: D, *, seen: datetime | None) -> datetime | None:
    """Keep the draft over the version that was seen; None, and not kept, where it is another one by now."""
    payload = draft.model_dump(mode="json")
    return workspace.journal.drafts.replace(workspace.actor, change.kept_as, draft.uid, payload, seen=seen)


def discard(workspace: Workspace, change: Change[D], uid: str) -> None:
    """Forget a draft."""
    workspace.journal.drafts.delete(workspace.actor, change.kept_as, uid)


def unfinished(workspace: Workspace, change: Change[D]) -> list[Kept[D]]:
    """The person's drafts that are not known to be sent, the latest first. Those sent days ago are forgotten."""
    found = []
    for record in workspace.journal.drafts.list(workspace.actor, change.kept_as):
        kept = _kept(workspace, change, record)
        if kept.fate is not Fate.SENT:
            found.append(kept)
        elif datetime.now(UTC) - kept.version > SENT_KEPT_FOR:
            discard(workspace, change, record.key)
    return found


def unfinished_about(workspace: Workspace, change: Change[D], subject_id: SubjectId) -> list[Kept[D]]:
    """What the person began to change of this and is not known to be sent, the latest first."""
    return [kept for kept in unfinished(workspace, change) if kept.draft.subject_id == subject_id]


def is_being_sent(workspace: Workspace, change: Change[D], uid: str) -> bool:
    """Whether a draft whose sending began, here or at another server, has no end yet."""
    kept = load(workspace, change, uid)
    return kept is not None and kept.fate is Fate.SENDING


def why_unknown(entry: Entry | None) -> str:
    """Say in a sentence how a call ended that may have been carried out: without an answer, or with a fault."""
    status = ((entry.answer or {}).get("status") if entry is not None else None) or 0
    if status < 500:
        return "The request was sent and no answer came back."
    return f"The service answered with a fault of its own ({status}), and it may have done it all the same."


def _kept(workspace: Workspace, change: Change[D], record: Record) -> Kept[D]:
    draft = change.model.model_validate(record.payload)
    if record.claimed_at is None:
        return Kept(draft, record.saved_at)
    note = record.claim or {}
    entry = _entry_of(workspace, change, record.key, note)
    fate = _fate(entry, note, record.claimed_at)
    if fate is Fate.UNSENT:
        # It was refused, or never left, and the process stopped before it could give the draft back.
        workspace.journal.drafts.release(workspace.actor, change.kept_as, record.key, claim=record.claim)
    sent_id = None
    if fate is Fate.SENT:
        sent_id = change.id_in((entry.subject_id if entry is not None else None) or "") or draft.subject_id
    return Kept(draft, record.saved_at, fate, note, entry, sent_id)


def _entry_of(workspace: Workspace, change: Change[D], uid: str, note: Mapping[str, Any]) -> Entry | None:
    audit, actor = workspace.journal.audit, workspace.actor
    if ENTRY in note:
        try:
            return audit.retrieve(note[ENTRY], within=actor)
        except EntryNotFound:
            return None
    if ATTEMPT in note:
        return None
    # Taken by an earlier Muster, which noted no entry.
    found = audit.list(actor.service, actor.organization_id, filters=EntryFilters(text=uid, username=actor.username))
    mine = [entry for entry in found if entry.subject_kind == change.kind and (entry.request or {}).get("draft") == uid]
    return next((entry for entry in mine if entry.state == "succeeded"), mine[0] if mine else None)


def _fate(entry: Entry | None, note: Mapping[str, Any], claimed_at: datetime) -> Fate:
    # Nothing is sent before the claim names the entry; an earlier Muster noted none.
    fate = fate_of(entry, claimed_at)
    return Fate.UNKNOWN if entry is None and fate is Fate.UNSENT and ATTEMPT not in note else fate


def fate_of(entry: Entry | None, claimed_at: datetime) -> Fate:
    """The fate of a draft that was taken for sending; without an entry it is given back after a while."""
    if entry is None:
        return Fate.UNSENT if datetime.now(UTC) - claimed_at > GRACE else Fate.SENDING
    match entry.state:
        case "started":
            return Fate.SENDING
        case "succeeded":
            return Fate.SENT
        case "unknown":
            return Fate.UNKNOWN
        case _:
            return Fate.UNSENT
