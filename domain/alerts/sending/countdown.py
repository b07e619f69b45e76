"""The 5 seconds before a live alert is sent, and how it is known that its page is still open. Nothing is drawn."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from secrets import token_urlsafe
from typing import Any, Final, Literal, TypeAlias
from weakref import WeakValueDictionary

from pydantic import ValidationError

from domain.alerts.draft import KIND, AlertDraft
from domain.edits.edit_draft import DraftVersion
from domain.runtime.workspace import Workspace

SECONDS: Final = 5.0
LATE_SECONDS: Final = 2.5
"""The seconds after zero in which a report of the page still sends the alert. After that, the page counts as left."""
MARK: Final = "public_alert_countdown"
"""The kind of draft with which the journal marks a running countdown."""
MAY_RUN_FOR: Final = timedelta(seconds=SECONDS + LATE_SECONDS + 1.0)

OtherTab: TypeAlias = Literal["sent", "stopped", "restarted", "changed", "removed"]
"""What another tab did with a draft whose countdown ran in this one."""
State: TypeAlias = Literal["not started", "counting", "stopped", "sent", "left"]

_countdowns: Final[WeakValueDictionary[str, Countdown]] = WeakValueDictionary()


class Countdown:
    """The countdown of one draft as it was reviewed. Thread-safe.

    Twice a second the browser reports over HTTP that the page is open. The first report at zero sends the alert, by the
    clock of the server. No script has to run for it, so a busy server delays the numbers on the screen, not the alert.
    """

    def __init__(
        self,
        ready: DraftVersion,
        send: Callable[[], None],
        *,
        seconds: float = SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Create a countdown. `ready` is the reviewed draft with its stored version, and `send` starts to send it."""
        self.ready = ready
        self.seconds = seconds
        self.id = token_urlsafe()
        self._send = send
        self._clock = clock
        self._lock = threading.Lock()
        self._zero_at = math.inf
        self._state: State = "not started"
        _countdowns[self.id] = self

    @property
    def state(self) -> State:
        """Whether it counts, and how it ended."""
        with self._lock:
            if self._state == "counting" and self._clock() > self._zero_at + LATE_SECONDS:
                self._state = "left"
            return self._state

    @property
    def seconds_left(self) -> float:
        """The seconds until the alert is sent."""
        return self.seconds if self._state == "not started" else max(self._zero_at - self._clock(), 0.0)

    @property
    def shown_seconds(self) -> int:
        """The number to show: 5, 4, 3, 2, 1."""
        return math.ceil(self.seconds_left)

    def start(self) -> None:
        """Start to count. Call it when the countdown is first drawn, so that a slow page does not shorten it."""
        with self._lock:
            if self._state == "not started":
                self._state, self._zero_at = "counting", self._clock() + self.seconds
        self.report()

    def report(self) -> None:
        """Note that the page is open, and send the alert at zero."""
        with self._lock:
            if self._state != "counting" or not self._zero_at <= self._clock() <= self._zero_at + LATE_SECONDS:
                return
            self._state = "sent"
        self._send()

    def stop(self) -> bool:
        """Stop it, and return whether that was in time."""
        with self._lock:
            if self._state != "sent":
                self._state = "stopped"
            return self._state == "stopped"


def find_countdown(countdown_id: str) -> Countdown | None:
    """Return the countdown of a browser session of this process, or None."""
    return _countdowns.get(countdown_id)


def begin(workspace: Workspace, ready: DraftVersion) -> datetime | None:
    """Mark the start in the journal, and return the new version of the draft, or None if another tab changed the draft.

    Because the version is new, a countdown of the draft in another tab ends.
    """
    if ready.version is None:
        return None
    version = _renew(workspace, ready.draft.uid, ready.draft.model_dump(mode="json"), ready.version)
    if version is not None:
        workspace.journal.drafts.save(workspace.actor, MARK, ready.draft.uid, {"begun": datetime.now(UTC).isoformat()})
    return version


def stop(workspace: Workspace, draft: AlertDraft) -> bool:
    """Stop every countdown of the draft in any tab, and return whether that was in time.

    Only one version is sent, and sending claims it first. If a new version can be stored, nothing was claimed.
    """
    while True:
        record = workspace.journal.drafts.load(workspace.actor, KIND, draft.uid)
        if record is not None and record.claimed_at is not None:
            return False
        if record is None or _renew(workspace, draft.uid, record.payload, record.saved_at):
            clear_mark(workspace, draft.uid)
            return True


def is_current(workspace: Workspace, ready: DraftVersion) -> bool:
    """Return whether no other tab stopped or restarted the countdown of this version, or changed its draft."""
    record = workspace.journal.drafts.load(workspace.actor, KIND, ready.draft.uid)
    return record is not None and record.claimed_at is None and record.saved_at == ready.version


def action_in_other_tab(workspace: Workspace, ready: DraftVersion) -> OtherTab:
    """Return what another tab did with the draft of a countdown that is not current anymore."""
    record = workspace.journal.drafts.load(workspace.actor, KIND, ready.draft.uid)
    if record is None:
        return "removed"
    if record.claimed_at is not None:
        return "sent"
    try:
        stored = AlertDraft.model_validate(record.payload)
    except ValidationError:  # From another version of Muster.
        return "changed"
    if not stored.has_same_payload(ready.draft):
        return "changed"
    return "stopped" if unfinished_since(workspace, ready.draft.uid) is None else "restarted"


def _renew(workspace: Workspace, uid: str, payload: Mapping[str, Any], seen: datetime) -> datetime | None:
    return workspace.journal.drafts.replace(workspace.actor, KIND, uid, payload, seen=seen)


def clear_mark(workspace: Workspace, uid: str) -> None:
    """Remove the mark: the countdown was stopped or has ended, or the user has read about it."""
    workspace.journal.drafts.delete(workspace.actor, MARK, uid)


def may_run_in_other_tab(started_at: datetime, now: datetime) -> bool:
    """Return whether a countdown may still run in another tab. False if the clock was set back since."""
    return timedelta(0) <= now - started_at < MAY_RUN_FOR


def unfinished_since(workspace: Workspace, uid: str) -> datetime | None:
    """Return when a countdown started that has no end in the journal, or None."""
    record = workspace.journal.drafts.load(workspace.actor, MARK, uid)
    return None if record is None else datetime.fromisoformat(str(record.payload["begun"]))
