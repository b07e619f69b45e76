"""Sending a draft once, and resolving what a lost response left open. All of it runs in a worker.

A sending claims the draft, writes a journal entry, links the entry to the claim, and only then calls the service. After
a crash, a claim without an entry was not sent. Otherwise the entry gives the status.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final, Generic

from client import ServiceError
from domain.edits.edit import Edit, ReconcileCandidate
from domain.edits.edit_draft import D, SendStatus, StoredDraft
from domain.edits.journaled_calls import classify_outcome, journaled, record_decision
from domain.edits.stored_drafts import ATTEMPT, ENTRY, find_attempts, find_decisive_entry, find_draft, load, save
from domain.runtime.problems import NotSentError
from journal import JournalError

if TYPE_CHECKING:
    from domain.runtime.workspace import Workspace
    from journal import EntryState

STATUS_CHANGED: Final = "The status has changed. Check it again."
_DECISION: Final = "decision"


class DraftChangedError(NotSentError):
    """Another tab stored something else of the draft, or discarded it, before it was claimed."""

    def __init__(self) -> None:
        super().__init__("This draft was changed or discarded in another tab. Nothing was sent.")


class ClaimLostError(JournalError):
    """Another attempt to send the same draft came first. This one sends nothing."""

    def __init__(self) -> None:
        super().__init__("Another tab is sending this draft or has sent it. This attempt sent nothing.")


def send_draft(
    workspace: Workspace, edit: Edit[D, Any], draft: D, *, seen: datetime | None, note: Mapping[str, Any]
) -> list[str] | None:
    """Send the draft once, do what follows, and return the messages for the person; None if it was sent before.

    `seen` is the stored version to send; None for a draft that was never stored. A draft that was refused, or never
    left, is released with the errors at its fields. After any other error it stays claimed, since the service may have
    made the change. Raises `ServiceError`, `NotSentError`, `JournalError`.
    """
    claim, is_sent = None, False
    try:
        claim = _claim(workspace, edit, draft, seen=seen, note=note)
        if claim is None:
            return None
        payload = edit.payload(draft)
        with journaled(
            workspace,
            edit.action(draft),
            subject_kind=edit.kind,
            subject_id=None if draft.subject_id is None else str(draft.subject_id),
            subject_name=edit.journal_name(workspace, draft),
            request=edit.build_journal_request(workspace, draft, payload),
            link=claim.link,
        ) as call:
            is_sent = True
            call.result = edit.send(workspace, draft, payload)
    except ClaimLostError:
        return None
    except Exception as error:
        if claim is not None and (not is_sent or classify_outcome(error) in {"refused", "not sent"}):
            with suppress(JournalError):  # It is released when it is loaded, too.
                workspace.journal.drafts.release(workspace.actor, edit.draft_kind, draft.uid, claim=claim.note)
        if isinstance(error, ServiceError | NotSentError):
            _store_refusal(workspace, edit, draft, error)
        raise
    return edit.finish(workspace, draft, draft.subject_id if draft.is_change else getattr(call.result, "id", None))


@dataclass
class _Claim(Generic[D]):
    """The claim of one attempt to send a draft; `note` is its note in the journal."""

    workspace: Workspace
    edit: Edit[D, Any]
    uid: str
    note: Mapping[str, Any]

    def link(self, entry_id: int) -> None:
        """Add the journal entry of the sending to the claim. Raises `ClaimLostError`."""
        linked, drafts = {**self.note, ENTRY: entry_id}, self.workspace.journal.drafts
        if not drafts.note(self.workspace.actor, self.edit.draft_kind, self.uid, linked, instead_of=self.note):
            raise ClaimLostError
        self.note = linked


def _claim(
    workspace: Workspace, edit: Edit[D, Any], draft: D, *, seen: datetime | None, note: Mapping[str, Any]
) -> _Claim[D] | None:
    """Check and claim the draft; None if it was claimed or sent before."""
    if _is_claimed(workspace, edit, draft):
        return None
    try:
        edit.check(workspace, draft)
    except (ServiceError, NotSentError):
        # The reason may be that another tab has just sent it.
        if _is_claimed(workspace, edit, draft):
            return None
        raise
    version = save(workspace, edit, draft, seen=None) if seen is None else seen
    claim = _Claim(workspace, edit, draft.uid, {**note, ATTEMPT: token_hex(8)})
    drafts, actor = workspace.journal.drafts, workspace.actor
    if version is None or not drafts.claim(actor, edit.draft_kind, draft.uid, claim.note, seen=version):
        if _is_claimed(workspace, edit, draft):
            return None
        raise DraftChangedError
    earlier = find_decisive_entry(find_attempts(workspace, edit, draft.uid, edit.action(draft)))
    if earlier is not None and earlier.state == "succeeded":
        # It was sent, discarded, and stored again: the journal remembers.
        linked = {**claim.note, ENTRY: earlier.id}
        drafts.note(actor, edit.draft_kind, draft.uid, linked, instead_of=claim.note)
        return None
    return claim


def _is_claimed(workspace: Workspace, edit: Edit[D, Any], draft: D) -> bool:
    stored = load(workspace, edit, draft.uid)
    return stored is not None and stored.status is not SendStatus.DRAFT


def _store_refusal(workspace: Workspace, edit: Edit[D, Any], draft: D, error: Exception) -> None:
    stored = load(workspace, edit, draft.uid)
    if stored is not None and stored.status is SendStatus.DRAFT and stored.draft.has_same_payload(draft):
        save(workspace, edit, with_refusal(edit, draft, error), seen=stored.version)


def with_refusal(edit: Edit[D, Any], draft: D, error: Exception) -> D:
    """Return the draft with the errors of a refusal, back in the form if a field can be corrected."""
    errors = edit.field_errors(error)
    stage = "edit" if errors else draft.stage
    return draft.model_copy(update={"refused": errors, "stage": stage, "checked": draft.checked or bool(errors)})


def mark_as_done(
    workspace: Workspace, edit: Edit[D, Any], stored: StoredDraft[D], candidate: ReconcileCandidate
) -> list[str]:
    """Record that a person found the record in the service, do what follows, and return the messages.

    Raises `JournalError` where someone decided before, in another tab or with another click.
    """
    subject = candidate.subject_id if candidate.subject_id is not None else stored.draft.subject_id
    _decide(workspace, edit, stored, "succeeded", None if subject is None else str(subject))
    return edit.finish(workspace, stored.draft, subject)


def mark_as_not_done(workspace: Workspace, edit: Edit[D, Any], stored: StoredDraft[D]) -> None:
    """Record that a person decided that nothing was changed, and release the draft to be sent again.

    Raises `JournalError` where someone decided before.
    """
    subject = stored.draft.subject_id
    claim = _decide(workspace, edit, stored, "not sent", None if subject is None else str(subject))
    if not stored.is_own:
        return
    workspace.journal.drafts.release(workspace.actor, edit.draft_kind, stored.draft.uid, claim=claim)
    save(workspace, edit, stored.draft.model_copy(update={"stage": "review", "refused": []}), seen=stored.version)


def _decide(
    workspace: Workspace, edit: Edit[D, Any], stored: StoredDraft[D], state: EntryState, subject_id: str | None
) -> Mapping[str, Any]:
    now = find_draft(workspace, edit, stored.draft.uid)
    if now is None or now.status is not SendStatus.UNKNOWN or _entry_id(now) != _entry_id(stored):
        raise JournalError(STATUS_CHANGED)
    if now.is_own:
        now = replace(now, note=_renoted(workspace, edit, now, {_DECISION: token_hex(8)}))
    draft, entry = now.draft, now.entry
    claim: Mapping[str, Any] = {}

    def link(decision: int) -> None:
        nonlocal claim
        claim = _renoted(workspace, edit, now, {ENTRY: decision}) if now.is_own else {}

    record_decision(
        workspace,
        edit.action(draft),
        settles=_entry_id(now),
        state=state,
        subject_kind=edit.kind,
        subject_id=subject_id,
        subject_name=entry.subject_name if entry is not None else edit.journal_name(workspace, draft),
        request=(entry.request if entry is not None else None)
        or edit.build_journal_request(workspace, draft, edit.payload(draft)),
        link=link,
    )
    return claim


def _renoted(
    workspace: Workspace, edit: Edit[D, Any], stored: StoredDraft[D], more: Mapping[str, Any]
) -> Mapping[str, Any]:
    note = {ATTEMPT: "", **(stored.note or {}), **more}
    uid = stored.draft.uid
    if not workspace.journal.drafts.note(workspace.actor, edit.draft_kind, uid, note, instead_of=stored.note):
        raise JournalError(STATUS_CHANGED)
    return note


def _entry_id(stored: StoredDraft[D]) -> int | None:
    return None if stored.entry is None else stored.entry.id
