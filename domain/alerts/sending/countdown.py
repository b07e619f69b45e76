"""The five seconds before a live alert leaves: what may happen at each look at the clock, decided without drawing."""

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
"""Seconds without a look at the clock, after which nobody is watching any more: the page was left, or slept."""
MARK: Final = "public_alert_countdown"
"""The kind of draft under which the journal keeps that a countdown was begun."""
RUNNING_ELSEWHERE: Final = timedelta(seconds=SECONDS + SILENCE)

Step: TypeAlias = Literal["counting", "zero", "left"]


@dataclass(frozen=True)
class Countdown:
    """A countdown of one draft as it was reviewed.

    `ready` is what was on the screen, and the version that it is kept as. Times are seconds of a clock that never runs
    back; `begun` is None until it was first drawn, so that a slow page takes nothing from the five seconds.
    """

    ready: DraftVersion
    seconds: float = SECONDS
    begun: float | None = None
    seen: float | None = None

    def observed(self, now: float) -> Countdown:
        """The countdown after a look at the clock."""
        return replace(self, begun=now if self.begun is None else self.begun, seen=now)

    def step(self, now: float) -> Step:
        """What a look at the clock means: one after a silence means that nobody watched, and nothing is sent."""
        if self.seen is not None and now - self.seen > SILENCE:
            return "left"
        return "zero" if self.left(now) <= 0 else "counting"

    def left(self, now: float) -> float:
        """Seconds until it is sent."""
        return self.seconds - (0.0 if self.begun is None else now - self.begun)

    def shown(self, now: float) -> int:
        """The seconds as they are shown: 5, 4, 3, 2, 1."""
        return max(math.ceil(self.left(now)), 0)


def begin(workspace: Workspace, ready: DraftVersion) -> datetime | None:
    """Write down that a countdown was begun, and return the version of the draft that counts; None: changed meanwhile.

    It is a new version: a countdown of another tab counts another one, and is over with this.
    """
    if ready.version is None:
        return None
    version = _renew(workspace, ready.draft.uid, ready.draft.model_dump(mode="json"), ready.version)
    if version is not None:
        workspace.journal.drafts.save(workspace.actor, MARK, ready.draft.uid, {"begun": datetime.now(UTC).isoformat()})
    return version


def stop(workspace: Workspace, draft: AlertDraft) -> bool:
    """Stop every countdown of the draft, in whichever tab it runs; tell whether that was in time.

    What is sent is one version, and is taken for that: where the draft could be kept as a new one, none was taken.
    """
    while True:
        record = workspace.journal.drafts.load(workspace.actor, KIND, draft.uid)
        if record is not None and record.claimed_at is not None:
            return False
        if record is None or _renew(workspace, draft.uid, record.payload, record.saved_at):
            clear_mark(workspace, draft.uid)
            return True


def still_counts(workspace: Workspace, counting: Countdown) -> bool:
    """Whether nobody stopped this countdown, began another one of its draft, or changed it, in another tab."""
    record = workspace.journal.drafts.load(workspace.actor, KIND, counting.ready.draft.uid)
    return record is not None and record.claimed_at is None and record.saved_at == counting.ready.version


def _renew(workspace: Workspace, uid: str, payload: Mapping[str, Any], seen: datetime) -> datetime | None:
    return workspace.journal.drafts.replace(workspace.actor, KIND, uid, payload, seen=seen)


def clear_mark(workspace: Workspace, uid: str) -> None:
    """Forget that a countdown was begun: it was stopped, it came to its end, or the person has read about it."""
    workspace.journal.drafts.delete(workspace.actor, MARK, uid)


def may_run_elsewhere(begun: datetime, now: datetime) -> bool:
    """Whether a countdown begun then may be running still in another tab; never where the clock was set back since."""
    return timedelta(0) <= now - begun < RUNNING_ELSEWHERE


def left_at(workspace: Workspace, uid: str) -> datetime | None:
    """When a countdown was begun that came to no end; None where there is none."""
    record = workspace.journal.drafts.load(workspace.actor, MARK, uid)
    return None if record is None else datetime.fromisoformat(str(record.payload["begun"]))
