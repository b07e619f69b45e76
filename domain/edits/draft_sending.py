"""Sending a draft once, and settling what a lost answer left open: all in a worker, nothing here draws.

Whoever takes the draft writes an entry into the journal, notes it with the claim, and calls then. So whatever stops the
process, the claim tells what to look at: without an entry nothing was sent, with one the entry says how it ended.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final

from client import ServiceError
from domain.edits.edit import Change, D, ReconcileCandidate
from domain.edits.journaled_calls import decided, outcome_of, recorded
from domain.edits.stored_drafts import (
    ATTEMPT,
    ENTRY,
    SendStatus,
    StoredDraft,
    attempts,
    decisive,
    find_draft,
    load,
    save,
)
from domain.runtime.problems import NotSentError
from journal import JournalError

if TYPE_CHECKING:
    from domain.runtime.workspace import Workspace
    from journal import EntryState

CHANGED: Final = "What became of it has changed meanwhile. Look again."
_DECISION: Final = "decision"


class ChangedMeanwhileError(NotSentError):
    """Another tab kept something else of the draft, or discarded it, since it was sent from here."""

    def __init__(self) -> None:
        super().__init__("This draft was changed or discarded in another tab at this moment. Nothing was sent.")


class TakenMeanwhileError(JournalError):
    """Another attempt to send the same draft came first; this one sent nothing."""

    def __init__(self) -> None:
        super().__init__("It is being sent, or was sent, from another tab. This attempt sent nothing.")


def carry_out(
    workspace: Workspace, change: Change[D], draft: D, *, seen: datetime | None, note: Mapping[str, Any]
) -> list[str] | None:
    """Send the draft and do what follows; return what is to be said of it, or None where it was begun before.

    `seen` is the version that is sent, None for a draft that was never kept. What is refused, or never left, is given
    back to be mended and sent again, with the reasons at its fields; after any other error the draft stays taken, since
    the service may have carried it out. Raises `ServiceError`, `NotSentError`, `JournalError`.
    """
    try:
        result = send(workspace, change, draft, seen=seen, note=note)
    except (ServiceError, NotSentError) as error:
        kept = load(workspace, change, draft.uid)
        if kept is not None and kept.status is SendStatus.DRAFT and kept.draft.has_same_payload(draft):
            save(workspace, change, change.refused(draft, error), seen=kept.version)
        raise
    return None if result is None else change.follow_up(workspace, draft, result[0])


def send(
    workspace: Workspace, change: Change[D], draft: D, *, seen: datetime | None = None, note: Mapping[str, Any]
) -> tuple[Any] | None:
    """Send the draft, once; return the id at the service of what it became, or None where it was begun before."""
    if _is_taken(workspace, change, draft):
        return None
    try:
        change.before(workspace, draft)
    except (ServiceError, NotSentError):
        # What keeps it from being sent may be that it was sent from another tab at this moment.
        if _is_taken(workspace, change, draft):
            return None
        raise
    drafts, actor, kind = workspace.journal.drafts, workspace.actor, change.kept_as
    version = save(workspace, change, draft, seen=None) if seen is None else seen
    claim = {**note, ATTEMPT: token_hex(8)}
    if version is None or not drafts.claim(actor, kind, draft.uid, claim, seen=version):
        if _is_taken(workspace, change, draft):
            return None
        raise ChangedMeanwhileError
    before = decisive(attempts(workspace, change, draft.uid, change.action(draft)))
    if before is not None and before.state == "succeeded":
        # It was discarded once it had been sent, and kept again: the journal remembers.
        drafts.note(actor, kind, draft.uid, {**claim, ENTRY: before.id}, instead_of=claim)
        return None
    wire, sent = change.wire(draft), False

    def noted(entry_id: int) -> None:
        nonlocal claim
        if not drafts.note(actor, kind, draft.uid, {**claim, ENTRY: entry_id}, instead_of=claim):
            raise TakenMeanwhileError
        claim = {**claim, ENTRY: entry_id}

    def call() -> Any:
        nonlocal sent
        sent = True
        return change.call(workspace, draft, wire)

    try:
        result = recorded(
            workspace,
            change.action(draft),
            subject_kind=change.kind,
            subject_id=None if draft.subject_id is None else str(draft.subject_id),
            subject_name=change.name(workspace, draft),
            request=change.written_down(workspace, draft, wire),
            call=call,
            begun=noted,
        )
    except TakenMeanwhileError:
        return None
    except Exception as error:
        if not sent or outcome_of(error) in {"refused", "not sent"}:
            with suppress(JournalError):  # it is given back when it is looked at, too
                drafts.release(actor, kind, draft.uid, claim=claim)
        raise
    return (draft.subject_id if draft.is_change else getattr(result, "id", None),)


def _is_taken(workspace: Workspace, change: Change[D], draft: D) -> bool:
    kept = load(workspace, change, draft.uid)
    return kept is not None and kept.status is not SendStatus.DRAFT


def settle_as_done(
    workspace: Workspace, change: Change[D], kept: StoredDraft[D], candidate: ReconcileCandidate
) -> list[str]:
    """Write down that a person found it at the service, do what follows, and return what is to be said.

    Raises `JournalError` where somebody decided meanwhile, in another tab or by another click.
    """
    subject = candidate.subject_id if candidate.subject_id is not None else kept.draft.subject_id
    _decide(workspace, change, kept, "succeeded", None if subject is None else str(subject))
    return change.follow_up(workspace, kept.draft, subject)


def settle_as_not_done(workspace: Workspace, change: Change[D], kept: StoredDraft[D]) -> None:
    """Write down that a person decided that it was not done, and give the draft back to be sent again.

    Raises `JournalError` where somebody decided meanwhile.
    """
    subject = kept.draft.subject_id
    claim = _decide(workspace, change, kept, "not sent", None if subject is None else str(subject))
    if not kept.is_own:
        return
    workspace.journal.drafts.release(workspace.actor, change.kept_as, kept.draft.uid, claim=claim)
    save(workspace, change, kept.draft.model_copy(update={"stage": "review", "refused": []}), seen=kept.version)


def _decide(
    workspace: Workspace, change: Change[D], kept: StoredDraft[D], state: EntryState, subject_id: str | None
) -> Mapping[str, Any]:
    now = find_draft(workspace, change, kept.draft.uid)
    if now is None or now.status is not SendStatus.UNKNOWN or _entry_id(now) != _entry_id(kept):
        raise JournalError(CHANGED)
    if now.is_own:
        now = replace(now, note=_noted(workspace, change, now, {_DECISION: token_hex(8)}))
    draft, entry = now.draft, now.entry
    claim: Mapping[str, Any] = {}
    told = entry.request if entry is not None else None

    def noted(decision: int) -> None:
        nonlocal claim
        claim = _noted(workspace, change, now, {ENTRY: decision}) if now.is_own else {}

    decided(
        workspace,
        change.action(draft),
        settles=_entry_id(now),
        state=state,
        subject_kind=change.kind,
        subject_id=subject_id,
        subject_name=entry.subject_name if entry is not None else change.name(workspace, draft),
        request=told or change.written_down(workspace, draft, change.wire(draft)),
        begun=noted,
    )
    return claim


def _noted(workspace: Workspace, change: Change[D], kept: StoredDraft[D], more: Mapping[str, Any]) -> Mapping[str, Any]:
    note = {ATTEMPT: "", **(kept.note or {}), **more}
    uid = kept.draft.uid
    if not workspace.journal.drafts.note(workspace.actor, change.kept_as, uid, note, instead_of=kept.note):
        raise JournalError(CHANGED)
    return note


def _entry_id(kept: StoredDraft[D]) -> int | None:
    return None if kept.entry is None else kept.entry.id
