"""The 5 seconds before a live alert is sent. Nothing is drawn."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal, TypeAlias

from domain.alerts.draft import KIND, AlertDraft
from domain.edits.edit_draft import DraftVersion
from domain.runtime.workspace import Workspace

SECONDS: Final = 5.0
SILENCE: Final = 3.5
"""The seconds without a tick after which the page counts as left or asleep."""
MARK: Final = "public_alert_countdown"
"""The kind of draft with which the journal marks a running countdown."""
MAY_RUN_FOR: Final = timedelta(seconds=SECONDS + SILENCE)

Step: TypeAlias = Literal["counting", "zero", "left"]


@dataclass(frozen=True)
class Countdown:
    """The countdown of one draft as it was reviewed.

    Times are seconds of a monotonic clock.
    """

    ready: DraftVersion
    """The draft that was on the screen, and its stored version."""
    seconds: float = SECONDS
    started_at: float | None = None
    """None until the countdown is first drawn, so that a slow page does not shorten it."""
    last_tick_at: float | None = None
    """The time of the last tick."""

    def after_tick(self, now: float) -> Countdown:
        """Return the countdown after a tick."""
        return replace(self, started_at=now if self.started_at is None else self.started_at, last_tick_at=now)

    def step(self, now: float) -> Step:
        """Return what to do at a tick. After a silence, no one was watching, so nothing is sent."""
        if self.last_tick_at is not None and now - self.last_tick_at > SILENCE:
            return "left"
        return "zero" if self.seconds_left(now) <= 0 else "counting"

    def seconds_left(self, now: float) -> float:
        """Return the seconds until the alert is sent."""
        return self.seconds - (0.0 if self.started_at is None else now - self.started_at)

    def shown_seconds(self, now: float) -> int:
        """Return the number to show: 5, 4, 3, 2, 1."""
        return max(math.ceil(self.seconds_left(now)), 0)


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


def is_current(workspace: Workspace, counting: Countdown) -> bool:
    """Return whether no other tab stopped or restarted this countdown, or changed its draft."""
    record = workspace.journal.drafts.load(workspace.actor, KIND, counting.ready.draft.uid)
    return record is not None and record.claimed_at is None and record.saved_at == counting.ready.version


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
