"""The callbacks of the buttons of the review. They store errors for the page to show, and draw nothing.

The status of an alert does not depend on session state.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from components.alerts.sending.alert_editor import ALERT_EDITOR
from components.alerts.sending.boxes import find_warnings
from components.alerts.sending.similar_alerts import has_new_similar_alert
from components.shell.background_changes import start_change
from components.shell.notices import show_success
from components.shell.state import StateKey
from domain.alerts.draft import AlertDraft
from domain.alerts.sending import approval, countdown
from domain.alerts.sending.countdown import Countdown, OtherTab
from domain.alerts.sending.facts import matches_place
from domain.alerts.wording.contradictions import Fix
from domain.edits.edit_draft import DraftVersion
from domain.runtime.calls import End
from domain.runtime.workspace import Workspace
from journal.approval_requests import ApprovalRequest

IN_OTHER_TAB: Final[Mapping[OtherTab, str]] = {
    "sent": "Another tab started to send the alert. This tab did not send it again.",
    "stopped": "Stopped in another tab. Nothing was sent.",
    "restarted": "The countdown was started again in another tab. This tab did not send the alert.",
    "changed": "The alert was changed in another tab. Nothing was sent. Check the alert, then select Send again.",
    "removed": "The draft was deleted in another tab. This tab did not send the alert.",
}
STOPPED: Final = "Stopped. Nothing was sent."
TOO_LATE: Final = "The alert was not stopped. It was already being sent."
OVERTAKEN: Final = (
    "Nothing was sent. Another alert to some of the same people was just sent, or is about to be sent. Check it, then "
    "select Send again."
)
NEW_WARNING: Final = "Nothing was sent. This warning is new: {} Check the alert, then select Send again."
NOTE_LENGTH: Final = 500
COUNTDOWN: Final = StateKey[Countdown | None]("public_alerts.countdown", lambda: None)
UNCONFIRMED: Final = StateKey[str]("public_alerts.untyped", str)
"""The uid of the draft whose Send button was selected without the confirmation."""
DECISION: Final = StateKey[tuple[str, Exception] | None]("public_alerts.decision", lambda: None)
_REVIEWED: Final = StateKey[tuple[AlertDraft, Sequence[str]] | None]("public_alerts.reviewed", lambda: None)
"""The draft of the review, and the warnings with which it opened."""
_TIME: Final = re.compile(r"[\d:]+(?: [AP]M\b)?")
# The ID of the approval request that was rejected without a note.
MISSING_NOTE: Final = StateKey[str | None]("public_alert_approval.unsaid", lambda: None)


def typed_confirmation(uid: str) -> StateKey[str | None]:
    """The typed confirmation: the place that the alert goes to."""
    return StateKey(f"public_alert.typed/{uid}", str)


def second_confirmation(uid: str) -> StateKey[bool]:
    """The tick of an alert to very many people, or to more than its text says."""
    return StateKey(f"public_alert.second/{uid}", bool)


def keep_first_warnings(draft: AlertDraft, warnings: Sequence[str]) -> None:
    """Keep the warnings with which the review of a draft opened. Later ones may be out of sight when they appear."""
    reviewed = _REVIEWED.get()
    if reviewed is None or not reviewed[0].has_same_payload(draft):
        _REVIEWED.set((draft, warnings))


def start_countdown(workspace: Workspace, place: str, *, needs_tick: bool = False) -> None:
    """Start the countdown of the alert as it was reviewed, if the confirmations are correct.

    The alert is checked again: time has passed since the review opened, and the end in the text may be over.
    """
    draft = ALERT_EDITOR.draft.get()
    if draft is None:
        return
    is_ticked = not needs_tick or second_confirmation(draft.uid).get()
    if not is_ticked or not matches_place(typed_confirmation(draft.uid).get() or "", place):
        UNCONFIRMED.set(draft.uid)
        return
    UNCONFIRMED.clear()
    ALERT_EDITOR.note.clear()
    ALERT_EDITOR.clear_error()
    warnings, _ = find_warnings(workspace, draft)
    if warning := _find_new_warning(warnings):
        _REVIEWED.set((draft, warnings))
        ALERT_EDITOR.note.set(NEW_WARNING.format(warning))
        return
    ready = ALERT_EDITOR.ready(workspace)
    version = None if ready is None else countdown.begin(workspace, ready)
    if ready is not None and version is not None:
        ready = ready._replace(version=version)
        ALERT_EDITOR.saved.set(ready)
        # After its own start is in the journal: of two colleagues who start at once, at least one sees the other.
        if has_new_similar_alert(workspace, draft):
            countdown.clear_mark(workspace, draft.uid)
            ALERT_EDITOR.note.set(OVERTAKEN)
            return
        send = ALERT_EDITOR.prepare_sending(workspace, ready)
        COUNTDOWN.set(Countdown(ready, send, seconds=countdown.SECONDS))


def _find_new_warning(warnings: Sequence[str]) -> str:
    """Return a warning with which the review did not open, or "".

    The times in warnings pass as well: "the alert ends today at 5:03 PM". They make no new warning.
    """
    reviewed = _REVIEWED.get()
    if reviewed is None:
        return ""
    known = {_TIME.sub("", each) for each in reviewed[1]}
    return next((each for each in warnings if _TIME.sub("", each) not in known), "")


def stop_countdown(workspace: Workspace, draft: AlertDraft) -> None:
    """Stop the countdown of a draft in every tab, and say whether that was in time.

    This tab or another one may have started to send the alert.
    """
    counting = COUNTDOWN.get()
    COUNTDOWN.clear()
    if counting is None and countdown.unfinished_since(workspace, draft.uid) is None:
        return
    is_stopped = (counting is None or counting.stop()) and countdown.stop(workspace, draft)
    ALERT_EDITOR.note.set(STOPPED if is_stopped else TOO_LATE)


def leave_countdown() -> None:
    """End the countdown of this tab without a note. If it is being sent already, it is sent."""
    counting = COUNTDOWN.get()
    COUNTDOWN.clear()
    if counting is not None:
        counting.stop()


def end_stopped_countdown(workspace: Workspace, ready: DraftVersion) -> None:
    """End a countdown whose draft another tab changed, and say what it did."""
    leave_countdown()
    ALERT_EDITOR.note.set(IN_OTHER_TAB[countdown.action_in_other_tab(workspace, ready)])


def apply_fix(fix: Fix) -> None:
    """Apply a change that advice offers."""
    what = fix.label[:1].lower() + fix.label[1:]
    ALERT_EDITOR.do(what, lambda draft: draft.model_copy(update=dict(fix.changes)))


def back_to_composer(workspace: Workspace, draft: AlertDraft) -> None:
    """Go back from the review to the composer."""
    _REVIEWED.clear()
    ALERT_EDITOR.note.clear()
    ALERT_EDITOR.clear_error()
    countdown.clear_mark(workspace, draft.uid)
    ALERT_EDITOR.set_stage(review=False)


def request_approval(workspace: Workspace, draft: AlertDraft) -> None:
    """Request approval of the draft as it is."""
    _decide(workspace, "request_approval", draft.uid, partial(approval.request_approval, workspace, draft))


def withdraw_request(workspace: Workspace, draft: AlertDraft) -> None:
    """Withdraw the request."""
    _decide(workspace, "withdraw_request", draft.uid, partial(approval.withdraw_request, workspace, draft))


def approve(workspace: Workspace, approval_request: ApprovalRequest) -> None:
    """Approve the alert that was shown."""
    message = f"Approved. {approval_request.written_by} can send the alert now."
    _decide(workspace, "approve", approval_request.id, partial(approval.approve, workspace, approval_request), message)


def decline(workspace: Workspace, approval_request: ApprovalRequest) -> None:
    """Reject the alert that was shown. The note is required: without it, the author would not know what to change."""
    note = (rejection_note(workspace, approval_request.id).get() or "").strip()
    if not note:
        MISSING_NOTE.set(approval_request.id)
        return
    MISSING_NOTE.clear()
    message = f"Rejected. {approval_request.written_by} can see your note."
    decision = partial(approval.decline, workspace, approval_request, note)
    _decide(workspace, "decline", approval_request.id, decision, message)


def fill_note(workspace: Workspace, request_id: str, lines: Sequence[str]) -> None:
    """Put the warnings into the note after its own text, as many lines as fit."""
    note = rejection_note(workspace, request_id)
    message = (note.get() or "").strip()
    for line in lines:
        longer = f"{message}\n{line}".strip()
        if line not in message and len(longer) <= NOTE_LENGTH:
            message = longer
    note.set(message)
    keep_note(workspace, request_id)


def _decide(workspace: Workspace, kind: str, about: str, decision: Callable[[], None], message: str = "") -> None:
    start_change(workspace, kind, about, decision, label="Approval", then=partial(_decided, about, message))


def _decided(about: str, message: str, end: End) -> None:
    DECISION.set(None if end.error is None else (about, end.error))
    if message and end.error is None:
        show_success(message)


def rejection_note(workspace: Workspace, request_id: str) -> StateKey[str | None]:
    """The note of a rejection. Each approval request has its own."""
    name = f"public_alert_approval.note/{request_id}"
    return StateKey(name, lambda: workspace.unsaved_work.get(name))


def keep_note(workspace: Workspace, request_id: str) -> None:
    """Store the note as it is typed, so that a refreshed tab shows it."""
    note = rejection_note(workspace, request_id)
    workspace.unsaved_work[note.name] = note.get()
