"""What the buttons around sending do; what goes wrong is kept for the page to show. Nothing here draws."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from client import ServiceError
from components.alert_sending import approval, countdown, fate, lost_answer, sending
from components.alert_sending.countdown import Countdown
from components.alert_sending.fate import Standing
from components.alert_sending.sending import ChangedMeanwhile, StoppedMeanwhile
from components.alert_sending.state import (
    CHANGED,
    COUNTDOWN,
    DECISION,
    FOUND,
    SEND_ERROR,
    STOPPED,
    UNSAID,
    note_on,
)
from components.journal.fate import Fate
from components.notifications.state import SENT as SENT_LIST
from components.public_alerts import draft_store
from components.public_alerts.alert_problems import alert_problems
from components.public_alerts.draft import AlertDraft, Stage
from components.public_alerts.form_values import is_untouched
from components.public_alerts.state import DRAFT, SAVED
from components.shell.notices import done
from components.shell.session import session_lives
from journal import JournalError

if TYPE_CHECKING:
    from components.shell.workspace import Workspace
    from journal.handovers import Handover

_log = logging.getLogger(__name__)

CHANGED_ELSEWHERE: Final = (
    "**It was changed in another tab since you reviewed it, so nothing was sent.** This is how it is now: look again."
)
STOPPED_ELSEWHERE: Final = (
    "**Not sent from here.** The countdown of this tab ended because it was stopped, or begun anew, in another tab."
)
TOO_LATE: Final = "**Too late to stop it.** Another tab had begun to send it when you pressed *Stop*."
DISCARDED_ELSEWHERE: Final = (
    "**It was discarded in another tab since you reviewed it, so nothing was sent.** It is kept again: send it "
    "if it is still wanted."
)


def begin_countdown(workspace: Workspace, draft: AlertDraft, reviewed: str) -> None:
    """Begin the five seconds before this draft leaves, as it was reviewed."""
    _forget_what_was_said()
    name = countdown.mark_begun(workspace, draft)
    COUNTDOWN.set(countdown.Countdown(draft, reviewed, name, seconds=countdown.SECONDS))


def stop_countdown(workspace: Workspace) -> None:
    """Stop the countdown, in this tab and in others, and say what came of it: another tab may have begun to send it."""
    counting = COUNTDOWN.get()
    COUNTDOWN.clear()
    if counting is None:
        return
    if sending.stop(workspace, counting.draft) is Fate.UNSENT:
        done("Stopped. Nothing was sent.")
    else:
        CHANGED.set((counting.draft.uid, TOO_LATE))


def stopped_elsewhere(counting: Countdown) -> None:
    """End a countdown that was stopped in another tab, or begun anew there."""
    COUNTDOWN.clear()
    CHANGED.set((counting.draft.uid, STOPPED_ELSEWHERE))


def send_now(workspace: Workspace, draft: AlertDraft, reviewed: str, counted: Countdown | None = None) -> None:
    """Send the draft as it was reviewed; not where the session ended meanwhile, in another tab or by itself.

    `counted` is the countdown that came to zero, where there was one: it must not have been stopped meanwhile.
    """
    if not session_lives():
        return
    _forget_what_was_said()
    # Before anything is sent: whatever interrupts this run, no other run finds a countdown that is at zero.
    COUNTDOWN.clear()
    try:
        sent = sending.send(
            workspace,
            draft,
            reviewed=reviewed,
            is_wanted=lambda: counted is None or countdown.still_counts(workspace, counted),
        )
    except StoppedMeanwhile:
        CHANGED.set((draft.uid, STOPPED_ELSEWHERE))
        # The mark may be that of a countdown that runs in another tab.
        return
    except ChangedMeanwhile as changed:
        _show_what_changed(workspace, draft, changed.now)
    except ServiceError as error:
        SEND_ERROR.set((draft.uid, error))
        mended = sending.refused(draft, error)
        if mended is not draft:
            put(workspace, mended)
    except JournalError as error:
        SEND_ERROR.set((draft.uid, error))
    except Exception as error:  # noqa: BLE001 — whatever it is, the page tells where the alert stands, by the journal
        _log.exception("Sending the public alert of draft %s failed.", draft.uid)
        SEND_ERROR.set((draft.uid, error))
    else:
        # None: it was begun before, by the first click of two, or in another tab. The page looks what became of it.
        if sent is not None:
            # The list that was read before does not show it.
            SENT_LIST.clear()
            done("The routine test was sent." if draft.is_test else "The alert was sent.")
    countdown.clear_mark(workspace, draft.uid)


def back_to_composer(workspace: Workspace, draft: AlertDraft) -> None:
    """Leave the review for the composer."""
    _forget_what_was_said()
    countdown.clear_mark(workspace, draft.uid)
    put(workspace, draft.model_copy(update={"stage": "edit"}))


def hand_over(workspace: Workspace, draft: AlertDraft) -> None:
    """Ask for a second pair of eyes on the draft as it is."""
    _decided(draft.uid, lambda: approval.hand_over(workspace, draft))


def take_back(workspace: Workspace, draft: AlertDraft) -> None:
    """No longer ask for it."""
    _decided(draft.uid, lambda: approval.take_back(workspace, draft))


def approve(workspace: Workspace, handover: Handover) -> None:
    """Approve what was shown."""
    if _decided(handover.id, lambda: approval.approve(workspace, handover)):
        done(f"Approved. {handover.written_by} can send it now.")


def decline(workspace: Workspace, handover: Handover) -> None:
    """Turn down what was shown, with the note that was typed; without one, who wrote it could not mend it."""
    note = (note_on(handover.id).get() or "").strip()
    if not note:
        UNSAID.set(handover.id)
        return
    UNSAID.clear()
    if _decided(handover.id, lambda: approval.decline(workspace, handover, note)):
        done(f"Turned down. {handover.written_by} sees your note.")


def look(workspace: Workspace, standing: Standing) -> None:
    """Look for the alert among the sent notifications."""
    since = standing.begun_at or datetime.now(UTC)
    try:
        FOUND.set((standing.uid, lost_answer.look(workspace, standing.body, uid=standing.uid, since=since)))
    except ServiceError as error:
        FOUND.set((standing.uid, error))


def settle(workspace: Workspace, standing: Standing, notification_id: int) -> None:
    """Write down that this notification is the alert, unless it became known meanwhile what it is."""
    _forget_what_was_said()
    try:
        sending.settle_as_sent(workspace, standing, notification_id)
    except JournalError as error:
        DECISION.set((standing.uid, error))
        return
    done("Written down: it was sent. Nothing was sent again.")


def not_sent(workspace: Workspace, standing: Standing) -> None:
    """Write down that it did not go out, and open its review again."""
    try:
        sending.settle_as_not_sent(workspace, standing)
    except JournalError as error:
        DECISION.set((standing.uid, error))
        return
    _forget_what_was_said()
    # A countdown that came to zero in a process which was killed then: it is not one that nobody waited for.
    countdown.clear_mark(workspace, standing.uid)
    if standing.kept is not None:
        put(workspace, standing.sent_draft.model_copy(update={"stage": "review"}))


def put(workspace: Workspace, draft: AlertDraft) -> None:
    """Keep a draft, and have it on the screen."""
    draft_store.save(workspace, draft)
    DRAFT.set(draft)
    SAVED.set(draft)


def where_it_stands(workspace: Workspace, draft: AlertDraft, *, asked_for: bool = False) -> Standing | None:
    """Where a draft stands whose sending began, or that is about to be sent; None for one that is being written.

    `asked_for` tells that an address names the draft: an empty one may stand for one that was sent and discarded.
    """
    is_gone = asked_for and is_untouched(draft)
    if draft.stage != "review" and not is_gone and not fate.begun(workspace, draft.uid):
        return None
    standing = fate.standing_of(workspace, draft.uid)
    if standing.stopped_at is not None:
        STOPPED.set((draft.uid, standing.stopped_at))
    return standing


def _show_what_changed(workspace: Workspace, reviewed: AlertDraft, now: AlertDraft | None) -> None:
    if now is None:
        put(workspace, reviewed)
        CHANGED.set((reviewed.uid, DISCARDED_ELSEWHERE))
        return
    stage: Stage = "edit" if alert_problems(now) else "review"
    put(workspace, now.model_copy(update={"stage": stage, "checked": True}))
    CHANGED.set((reviewed.uid, CHANGED_ELSEWHERE))


def _decided(about: str, decision: Callable[[], None]) -> bool:
    DECISION.clear()
    if not session_lives():
        return False
    try:
        decision()
    except JournalError as error:
        DECISION.set((about, error))
        return False
    return True


def _forget_what_was_said() -> None:
    for key in (SEND_ERROR, CHANGED, STOPPED, FOUND, DECISION):
        key.clear()
