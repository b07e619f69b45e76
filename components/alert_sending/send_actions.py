"""What the buttons around sending do; what goes wrong is kept for the page to show. Nothing here draws."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Final

from client import ServiceError
from components.alert_sending import approval, countdown, fate, lost_answer, sending
from components.alert_sending.countdown import Countdown
from components.alert_sending.facts import name_of
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
from components.change.kept_drafts import Fate
from components.public_alerts import draft_store
from components.public_alerts.alert_form import is_untouched
from components.public_alerts.alert_problems import alert_problems
from components.public_alerts.draft import AlertDraft, Stage
from components.public_alerts.state import DRAFT, SAVED
from components.shell.changing import change, is_same_press
from components.shell.notices import done
from components.shell.server import server
from components.shell.session import session_lives

if TYPE_CHECKING:
    from components.alert_sending.lost_answer import Looked
    from components.shell.calls import End
    from components.shell.workspace import Workspace
    from journal.handovers import Handover

LOOKING: Final = "public alert look"
DECIDING: Final = "public alert decision"
"""What looking for an alert, and deciding on it, are called among the calls under way; the subject is its draft."""
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
    change(
        workspace,
        sending_of(draft),
        # A countdown that was stopped in favour of another tab's must not stand for that one.
        reviewed if counted is None else counted.name,
        partial(_carry_out, workspace, draft, reviewed, counted),
        doing=f"sending the alert {name_of(draft)}",
        then=partial(_ended, draft),
    )
    # Only now: a run cut off here is followed by one that ends a countdown at zero, and it has sent.
    COUNTDOWN.clear()


def sending_of(draft: AlertDraft) -> str:
    """What the sending of a draft is called among the changes under way."""
    return f"public alert {draft.uid}"


def _carry_out(workspace: Workspace, draft: AlertDraft, reviewed: str, counted: Countdown | None) -> int | None:
    is_over = True
    try:
        return sending.send(
            workspace,
            draft,
            reviewed=reviewed,
            is_wanted=lambda: counted is None or countdown.still_counts(workspace, counted),
        )
    except StoppedMeanwhile:
        # The mark may be that of a countdown that runs in another tab.
        is_over = False
        raise
    except ChangedMeanwhile as changed:
        draft_store.save(workspace, _as_changed(draft, changed.now))
        raise
    except ServiceError as error:
        mended = sending.refused(draft, error)
        if mended is not draft:
            draft_store.save(workspace, mended)
        raise
    finally:
        if is_over:
            countdown.clear_mark(workspace, draft.uid)


def _ended(draft: AlertDraft, end: End) -> None:
    _forget_what_was_said()
    error = end.error
    if isinstance(error, StoppedMeanwhile):
        CHANGED.set((draft.uid, STOPPED_ELSEWHERE))
    elif isinstance(error, ChangedMeanwhile):
        CHANGED.set((draft.uid, DISCARDED_ELSEWHERE if error.now is None else CHANGED_ELSEWHERE))
        _have_on_screen(_as_changed(draft, error.now))
    elif error is not None:
        SEND_ERROR.set((draft.uid, error))
        if isinstance(error, ServiceError):
            _have_on_screen(sending.refused(draft, error))
    elif end.value is not None:
        # None: it was begun before, in another tab. The list that was read before does not show it.
        server().reads.outdate("notifications")
        done("The routine test was sent." if draft.is_test else "The alert was sent.")


def back_to_composer(workspace: Workspace, draft: AlertDraft) -> None:
    """Leave the review for the composer."""
    _forget_what_was_said()
    countdown.clear_mark(workspace, draft.uid)
    put(workspace, draft.model_copy(update={"stage": "edit"}))


def hand_over(workspace: Workspace, draft: AlertDraft) -> None:
    """Ask for a second pair of eyes on the draft as it is."""
    _decide(workspace, "handing the alert over", draft.uid, partial(approval.hand_over, workspace, draft))


def take_back(workspace: Workspace, draft: AlertDraft) -> None:
    """No longer ask for it."""
    _decide(workspace, "taking the alert back", draft.uid, partial(approval.take_back, workspace, draft))


def approve(workspace: Workspace, handover: Handover) -> None:
    """Approve what was shown."""
    said = f"Approved. {handover.written_by} can send it now."
    _decide(workspace, "approving the alert", handover.id, partial(approval.approve, workspace, handover), said)


def decline(workspace: Workspace, handover: Handover) -> None:
    """Turn down what was shown, with the note that was typed; without one, who wrote it could not mend it."""
    note = (note_on(handover.id).get() or "").strip()
    if not note:
        UNSAID.set(handover.id)
        return
    UNSAID.clear()
    said = f"Turned down. {handover.written_by} sees your note."
    decision = partial(approval.decline, workspace, handover, note)
    _decide(workspace, "turning the alert down", handover.id, decision, said)


def look(workspace: Workspace, standing: Standing) -> None:
    """Look for the alert among the sent notifications, in the background: it may be long, and changes nothing."""
    change(
        workspace,
        LOOKING,
        standing.uid,
        partial(what_is_there, workspace, standing),
        doing="looking through the sent notifications",
        then=partial(_looked, standing.uid),
    )


def what_is_there(workspace: Workspace, standing: Standing) -> Looked:
    """What of the sent notifications is like the alert. Raises `ServiceError`."""
    since = standing.begun_at or datetime.now(UTC)
    return lost_answer.look(workspace, standing.body, uid=standing.uid, since=since)


def _looked(uid: str, end: End) -> None:
    FOUND.set((uid, end.value if end.error is None else end.error))


def settle(workspace: Workspace, standing: Standing, notification_id: int) -> None:
    """Write down that this notification is the alert, unless it became known meanwhile what it is."""
    decision = partial(sending.settle_as_sent, workspace, standing, notification_id)
    _settle(workspace, standing, decision, partial(_settled, standing.uid))


def not_sent(workspace: Workspace, standing: Standing) -> None:
    """Write down that it did not go out, and open its review again."""
    decision = partial(sending.settle_as_not_sent, workspace, standing)
    _settle(workspace, standing, decision, partial(_given_back, workspace, standing))


def _settle(
    workspace: Workspace, standing: Standing, decision: Callable[[], None], then: Callable[[End], None]
) -> None:
    if session_lives() and not is_same_press(workspace, DECIDING, standing.uid):
        doing = "writing down what became of the alert"
        change(workspace, DECIDING, standing.uid, decision, doing=doing, then=then)


def _settled(uid: str, end: End) -> None:
    _forget_what_was_said()
    if end.error is not None:
        DECISION.set((uid, end.error))
    else:
        done("Written down: it was sent. Nothing was sent again.")


def _given_back(workspace: Workspace, standing: Standing, end: End) -> None:
    if end.error is not None:
        DECISION.set((standing.uid, end.error))
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


def _as_changed(reviewed: AlertDraft, now: AlertDraft | None) -> AlertDraft:
    """What is to be looked at again: what the draft is now, or what was reviewed where it was discarded."""
    if now is None:
        return reviewed
    stage: Stage = "edit" if alert_problems(now) else "review"
    return now.model_copy(update={"stage": stage, "checked": True})


def _have_on_screen(draft: AlertDraft) -> None:
    """Show a draft, as it is kept, where it is the one on the screen."""
    held = DRAFT.get()
    if held is not None and held.uid == draft.uid:
        DRAFT.set(draft)
        SAVED.set(draft)


def _decide(workspace: Workspace, doing: str, about: str, decision: Callable[[], None], said: str = "") -> None:
    if session_lives():
        change(workspace, doing, about, decision, doing=doing, then=partial(_decided, about, said))


def _decided(about: str, said: str, end: End) -> None:
    DECISION.set(None if end.error is None else (about, end.error))
    if said and end.error is None:
        done(said)


def _forget_what_was_said() -> None:
    for key in (SEND_ERROR, CHANGED, STOPPED, FOUND, DECISION):
        key.clear()
