"""Approval of an alert by a second person. It applies to exactly one text, and is used once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Literal, TypeAlias

from pydantic import ValidationError

from domain.alerts.draft import KIND, AlertDraft
from domain.alerts.request import request_json
from domain.alerts.sending.known_recipients import describe_recipients
from domain.edits.journaled_calls import call_with_journal
from domain.runtime.problems import NotSentError
from domain.runtime.settings import settings
from domain.runtime.workspace import Workspace
from journal import JournalError
from journal.approval_requests import ApprovalRequest

REQUEST_APPROVAL: Final = "public_alert.request_approval"
APPROVE: Final = "public_alert.approve"
DECLINE: Final = "public_alert.decline"

ApprovalState: TypeAlias = Literal["none", "waiting", "approved", "declined", "changed", "withdrawn"]


class NotApproved(NotSentError):
    """The alert has not been approved by a second person, as the administrator requires."""

    def __init__(self) -> None:
        super().__init__("Someone else must approve this alert before you can send it.")


class CannotDecide(JournalError):
    """This user cannot decide on this request, or not anymore. The message says why."""


@dataclass(frozen=True)
class Approval:
    """The state of a draft's approval. `approval_request` is the latest request."""

    state: ApprovalState
    approval_request: ApprovalRequest | None = None

    @property
    def may_be_sent(self) -> bool:
        """Whether exactly this text is approved."""
        return self.state == "approved"

    @property
    def approved_by(self) -> str | None:
        """The user who approved it."""
        return self.approval_request.decided_by if self.may_be_sent and self.approval_request is not None else None


def is_required() -> bool:
    """Return whether the administrator requires an approval."""
    return settings().alert_approval


def approval_of(workspace: Workspace, draft: AlertDraft) -> Approval:
    """Return the approval of the draft. If the stored draft has changed, its approval or request becomes void.

    The draft of a tab may be older than the stored one.
    """
    latest = workspace.journal.approval_requests.latest(workspace.actor, KIND, draft.uid)
    if latest is None or not is_author(workspace, latest):
        return Approval("none")
    if latest.state == "declined":
        return Approval("declined", latest)
    if not covers(latest, draft):
        if latest.state in {"waiting", "approved"} and not counts(workspace, latest):
            workspace.journal.approval_requests.void(workspace.actor, KIND, draft.uid)
        return Approval("changed", latest)
    # ASSUMPTION A96: the author sends. An approval that was taken for a sending which did not leave, or which a person
    # found not to have gone out, still stands for exactly its text: only the claim of the draft makes it go out once.
    known: dict[str, ApprovalState] = {"waiting": "waiting", "approved": "approved", "used": "approved"}
    return Approval(known.get(latest.state, "withdrawn"), latest)


def covers(approval_request: ApprovalRequest, draft: AlertDraft) -> bool:
    """Return whether the draft would send exactly what was submitted."""
    return bool(approval_request.payload.get("request") == request_json(draft))


def submitted_draft(approval_request: ApprovalRequest) -> AlertDraft | None:
    """Return the draft as it was submitted, or None if this version of Muster cannot read it."""
    return _read(approval_request.payload.get("draft"))


def submitted_request(approval_request: ApprovalRequest) -> dict[str, Any]:
    """Return the request to the service as it was submitted."""
    request = approval_request.payload.get("request")
    return request if isinstance(request, dict) else {}


def request_approval(workspace: Workspace, draft: AlertDraft) -> None:
    """Request an approval, and record it in the journal. An earlier request for this draft becomes void."""
    request = request_json(draft)
    payload = {"request": request, "draft": draft.model_dump(mode="json")}

    def create() -> dict[str, Any]:
        made = workspace.journal.approval_requests.create(workspace.actor, KIND, draft.uid, payload)
        return {"approval_request": made.id}

    _recorded(workspace, REQUEST_APPROVAL, draft, request, create, written_by=workspace.actor.username)


def withdraw_request(workspace: Workspace, draft: AlertDraft) -> None:
    """Withdraw the request."""
    workspace.journal.approval_requests.void(workspace.actor, KIND, draft.uid)


def why_not(workspace: Workspace, approval_request: ApprovalRequest) -> str | None:
    """Return why this user cannot decide, or None."""
    if is_author(workspace, approval_request):
        return "You wrote this alert. Someone else must approve it."
    return outcome_words(workspace, approval_request)


def is_author(workspace: Workspace, approval_request: ApprovalRequest) -> bool:
    """Return whether this user wrote the alert."""
    return _is_same_user(workspace, approval_request.written_by)


def outcome_words(workspace: Workspace, approval_request: ApprovalRequest) -> str | None:
    """Return the outcome as a sentence, or None while the request waits."""
    if not counts(workspace, approval_request):
        return "The author has changed or withdrawn this alert. This version will not be sent."
    approver = "You" if _is_same_user(workspace, approval_request.decided_by) else approval_request.decided_by
    sender = "you" if is_author(workspace, approval_request) else approval_request.written_by
    return {
        "approved": f"{approver} approved this alert.",
        "declined": f"{approver} rejected this alert.",
        "used": f"{approver} approved this alert, and {sender} sent it.",
    }.get(approval_request.state)


def counts(workspace: Workspace, approval_request: ApprovalRequest) -> bool:
    """Return whether the request is valid: not withdrawn, readable, and equal to the author's draft."""
    if approval_request.state not in {"waiting", "approved"}:
        return approval_request.state != "void"
    author = replace(workspace.actor, username=approval_request.written_by)
    record = workspace.journal.drafts.load(author, KIND, approval_request.key)
    stored = None if record is None else _read(record.payload)
    return stored is not None and submitted_draft(approval_request) is not None and covers(approval_request, stored)


def _read(payload: Any) -> AlertDraft | None:
    try:
        return AlertDraft.model_validate(payload)
    except ValidationError:
        return None


def approve(workspace: Workspace, approval_request: ApprovalRequest) -> None:
    """Approve exactly the text that was shown. Raises `CannotDecide`."""
    accept = workspace.journal.approval_requests.approve
    decision = partial(accept, workspace.actor, approval_request.id, approval_request.digest)
    _decide(workspace, approval_request, APPROVE, decision)


def decline(workspace: Workspace, approval_request: ApprovalRequest, note: str) -> None:
    """Reject it with a note for the author. Raises `CannotDecide`."""
    decision = partial(workspace.journal.approval_requests.decline, workspace.actor, approval_request.id, note)
    _decide(workspace, approval_request, DECLINE, decision, note=note)


def use_approval(workspace: Workspace, draft: AlertDraft) -> Approval:
    """Return the approval for sending this draft, marked as used. Raises `NotApproved`."""
    if not is_required():
        return Approval("none")
    approval = approval_of(workspace, draft)
    approval_request = approval.approval_request
    if not approval.may_be_sent or approval_request is None:
        raise NotApproved
    if approval_request.state == "approved" and not workspace.journal.approval_requests.use(
        workspace.actor, approval_request.id, approval_request.digest
    ):
        raise NotApproved
    return approval


def _decide(
    workspace: Workspace,
    approval_request: ApprovalRequest,
    action: str,
    decision: Callable[[], bool],
    *,
    note: str | None = None,
) -> None:
    def decide() -> dict[str, Any]:
        reason = why_not(workspace, approval_request)
        if reason is None and not decision():
            actor = workspace.actor
            now = workspace.journal.approval_requests.load(actor.service, actor.organization_id, approval_request.id)
            reason = (
                why_not(workspace, now) if now is not None else None
            ) or "This alert is no longer waiting for approval."
        if reason is not None:
            raise CannotDecide(reason)
        return {"approval_request": approval_request.id}

    draft = submitted_draft(approval_request)
    if draft is None:
        raise CannotDecide("This version of Muster cannot read the alert. Ask the author to request approval again.")
    people = {"written_by": approval_request.written_by, "decided_by": workspace.actor.username}
    _recorded(workspace, action, draft, submitted_request(approval_request), decide, **people, note=note)


def _recorded(
    workspace: Workspace,
    action: str,
    draft: AlertDraft,
    request: dict[str, Any],
    call: Callable[[], dict[str, Any]],
    **people: str | None,
) -> None:
    to, named = describe_recipients(workspace, draft), {role: name for role, name in people.items() if name}
    call_with_journal(
        workspace,
        action,
        subject_kind=KIND,
        subject_id=None,
        subject_name=f"{draft.event} · {to['to']}",
        request={"draft": draft.uid, **named, **to, "notification": request},
        call=call,
    )


def _is_same_user(workspace: Workspace, name: str | None) -> bool:
    # ASSUMPTION A97: whether the case of a user name matters is not shown. Names that differ in nothing else are taken
    # for one person here, so that nobody approves their own alert by signing in with a capital.
    return (name or "").strip().casefold() == workspace.actor.username.strip().casefold()
