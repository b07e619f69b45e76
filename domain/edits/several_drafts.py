"""Sending several drafts that a person made in one step, one after the other, with a result for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

from client import NotAuthenticated, ServiceError, TransportError
from domain.edits import stored_drafts
from domain.edits.draft_sending import send_draft
from domain.edits.edit import Edit
from domain.edits.edit_draft import D, SendStatus, SubjectId
from domain.runtime.problems import NotSentError
from journal import JournalError

if TYPE_CHECKING:
    from domain.runtime.workspace import Workspace


@dataclass(frozen=True)
class SendResult(Generic[D]):
    """What became of one draft, and the error that explains why it was not sent."""

    draft: D
    status: SendStatus
    sent_id: SubjectId | None = None
    error: Exception | None = None


def send_each(workspace: Workspace, edit: Edit[D, Any], drafts: Sequence[D]) -> list[SendResult[D]]:
    """Store all drafts, then send one after the other, and return the result for each.

    A draft that was sent before is not sent again. A draft with errors stays a draft. Stops once the service cannot be
    reached, no longer knows the user, or the journal cannot be written; the others stay drafts.
    """
    for draft in drafts:
        stored_drafts.begin(workspace, edit, draft)
    results: list[SendResult[D]] = []
    stopped: Exception | None = None
    for draft in drafts:
        error = stopped if stopped is not None else _send(workspace, edit, draft)
        stored = stored_drafts.load(workspace, edit, draft.uid)
        status = stored.status if stored is not None else SendStatus.DRAFT
        results.append(SendResult(draft, status, stored.sent_id if stored is not None else None, error))
        if isinstance(error, TransportError | NotAuthenticated | JournalError):
            stopped = error
    return results


def _send(workspace: Workspace, edit: Edit[D, Any], draft: D) -> Exception | None:
    stored = stored_drafts.load(workspace, edit, draft.uid)
    if stored is None or stored.status is not SendStatus.DRAFT:
        return None
    if problems := edit.problems(stored.draft):
        return NotSentError(" ".join(problems))
    try:
        send_draft(workspace, edit, stored.draft, seen=stored.version, note={})
    except (ServiceError, NotSentError, JournalError) as error:
        return error
    return None
