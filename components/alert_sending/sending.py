"""Sending an alert once: claimed, written down, then sent; and settling what a lost answer left open. No drawing."""

from __future__ import annotations

from collections.abc import Callable
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final

from client import Invalid, ServiceError
from components.alert_sending import approval, countdown, fate
from components.alert_sending.alert_chain import linked
from components.alert_sending.fate import SEND, SUBJECT, Standing
from components.alert_sending.whom import written_down
from components.change.kept_drafts import Fate
from components.change.recorded import outcome_of, recorded
from components.public_alerts import draft_store
from components.public_alerts.alert_problems import alert_problems, refusals
from components.public_alerts.draft import AlertDraft
from components.public_alerts.request import request_json, to_request
from journal import JournalError
from journal.handovers import digest_of

if TYPE_CHECKING:
    from client.models.results import ModificationResult
    from components.shell.workspace import Workspace

CHANGED: Final = "What became of it has changed meanwhile. Look again."


class ChangedMeanwhile(JournalError):
    """The draft is no longer what was reviewed; `now` is what it is, or None where it was discarded."""

    def __init__(self, now: AlertDraft | None) -> None:
        super().__init__("This alert was changed or discarded in another tab since it was reviewed.")
        self.now = now


class StoppedMeanwhile(JournalError):
    """It was stopped before anything left."""

    def __init__(self) -> None:
        super().__init__("It was stopped in another tab, or counts down anew there. This attempt sent nothing.")


class TakenMeanwhile(JournalError):
    """Another attempt to send the same draft came first; this one sent nothing."""

    def __init__(self) -> None:
        super().__init__("It is being sent, or was sent, from another tab. This attempt sent nothing.")


def digest(draft: AlertDraft) -> str:
    """What stands for every letter of the request that the draft would send."""
    return digest_of(request_json(draft))


def send(
    workspace: Workspace, draft: AlertDraft, *, reviewed: str, is_wanted: Callable[[], bool] = lambda: True
) -> int | None:
    """Send the draft, once; return the notification's id, or None where it was begun before, here or elsewhere.

    `reviewed` is the digest of what the person saw; `is_wanted` is asked once it is taken for sending. What is not
    wanted any more, is refused or never left is given back to be mended and sent again; after any other error the draft
    stays taken. Raises `ChangedMeanwhile`, `StoppedMeanwhile`, `approval.NotApproved`, `ServiceError`.
    """
    kept = draft_store.load(workspace, draft.uid)
    if kept is None or digest(kept.draft) != reviewed or digest(draft) != reviewed:
        raise ChangedMeanwhile(kept.draft if kept is not None else None)
    problems = alert_problems(draft).of(draft.uid)
    if problems:
        raise Invalid("This cannot be sent yet: " + " ".join(words for _, words in problems), sent=False)
    attempt = token_hex(8)
    body = request_json(draft)
    note = {"attempt": attempt, "request": body, "draft": draft.model_dump(mode="json")}
    if not workspace.journal.drafts.claim(workspace.actor, draft_store.KIND, draft.uid, note):
        return None
    try:
        return _send(workspace, draft, attempt, body, is_wanted)
    except TakenMeanwhile:
        return None
    except Exception as error:
        if outcome_of(error) in {"refused", "not sent"}:
            _give_back(workspace, draft.uid, attempt)
        raise


def stop(workspace: Workspace, draft: AlertDraft) -> Fate:
    """Stop every countdown of the draft, in whichever tab it runs; tell where it stands then, by the journal.

    Only one has the draft at a time: whoever sends it takes it first and asks then whether it is still wanted, so that
    it was either stopped here before, or is found taken.
    """
    attempt = token_hex(8)
    if workspace.journal.drafts.claim(workspace.actor, draft_store.KIND, draft.uid, {"attempt": attempt}):
        countdown.clear_mark(workspace, draft.uid)
        _give_back(workspace, draft.uid, attempt)
    return fate.standing_of(workspace, draft.uid).fate


def refused(draft: AlertDraft, error: ServiceError) -> AlertDraft:
    """The draft with what the service refused it for, back where it can be mended; where no field is named, as it is.

    An alert refused as a whole (no permission, wrong password) stays in the review: nothing in it can be mended.
    """
    if not isinstance(error, Invalid):
        return draft
    return draft.model_copy(update={"refused": refusals(error), "stage": "edit", "checked": True})


def settle_as_sent(workspace: Workspace, standing: Standing, notification_id: int) -> None:
    """Write down that a person found the alert among the sent notifications: it is what the draft became.

    Raises `JournalError` where another attempt was made or settled meanwhile: what was found may be of that one.
    """
    if not _is_same(standing, fate.standing_of(workspace, standing.uid)):
        raise JournalError(CHANGED)
    entry = _settling(workspace, standing, subject_id=str(notification_id))
    workspace.journal.audit.finish(
        entry, state="succeeded", message="The answer had been lost; a person looked and found it sent."
    )


def settle_as_not_sent(workspace: Workspace, standing: Standing) -> None:
    """Write down that a person decided that it did not go out, and give the draft back to be sent again.

    Raises `JournalError` where its sending is still under way, it is known to be sent, or another attempt was made
    meanwhile: the decision was on the one before.
    """
    now = fate.standing_of(workspace, standing.uid)
    if now.fate is not Fate.UNKNOWN or not _is_same(standing, now):
        raise JournalError(CHANGED)
    entry = _settling(workspace, now, subject_id=None)
    workspace.journal.audit.finish(
        entry, state="not sent", message="The answer had been lost; a person looked and decided that it did not go out."
    )
    workspace.journal.drafts.release(workspace.actor, draft_store.KIND, standing.uid)


def _is_same(standing: Standing, now: Standing) -> bool:
    """Whether the entry that a person decided on still decides."""
    return now.entry is not None and standing.entry is not None and now.entry.id == standing.entry.id


def _send(
    workspace: Workspace, draft: AlertDraft, attempt: str, body: dict[str, Any], is_wanted: Callable[[], bool]
) -> int:
    if not is_wanted():
        raise StoppedMeanwhile
    if fate.is_done_elsewhere(fate.attempts(workspace, draft.uid), attempt):
        raise TakenMeanwhile
    approved = approval.take_for_sending(workspace, draft)
    people = {"written_by": workspace.actor.username, "approved_by": approved.approved_by}
    request, to = to_request(draft), written_down(workspace, draft)

    def call() -> ModificationResult:
        # Both who take a draft write their entry first and look for the other's then: at most one goes on.
        if not _still_ours(workspace, draft.uid, attempt):
            raise TakenMeanwhile
        return workspace.client.notifications.create(request)

    result = recorded(
        workspace,
        SEND,
        subject_kind=SUBJECT,
        subject_id=None,
        subject_name=f"{draft.event} · {to['to']}",
        request={
            "draft": draft.uid,
            "attempt": attempt,
            **to,
            **{name: person for name, person in people.items() if person},
            "sent_by": workspace.actor.username,
            **linked(draft),
            "notification": body,
        },
        call=call,
    )
    return result.id


def _still_ours(workspace: Workspace, uid: str, attempt: str) -> bool:
    kept = draft_store.load(workspace, uid)
    if kept is None or not kept.is_begun or fate.noted_attempt(kept.note) != attempt:
        return False
    return not fate.is_done_elsewhere(fate.attempts(workspace, uid), attempt)


def _give_back(workspace: Workspace, uid: str, attempt: str) -> None:
    kept = draft_store.load(workspace, uid)
    if kept is not None and fate.noted_attempt(kept.note) == attempt:
        workspace.journal.drafts.release(workspace.actor, draft_store.KIND, uid)


def _settling(workspace: Workspace, standing: Standing, *, subject_id: str | None) -> int:
    attempt = standing.attempt or standing.entry
    return workspace.journal.audit.begin(
        workspace.actor,
        SEND,
        subject_kind=SUBJECT,
        subject_id=subject_id,
        subject_name=attempt.subject_name if attempt is not None else None,
        request={
            "draft": standing.uid,
            "settles": attempt.id if attempt is not None else None,
            "decided_by": workspace.actor.username,
            "settled": "A person looked at the sent notifications; nothing was sent.",
        },
    )
