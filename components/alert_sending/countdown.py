"""The five seconds before a live alert leaves: what may happen at each look at the clock, decided without drawing."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from secrets import token_hex
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from components.public_alerts.draft import AlertDraft

if TYPE_CHECKING:
    from components.shell.workspace import Workspace

SECONDS: Final = 5.0
SILENCE: Final = 3.5
"""Seconds without a look at the clock, after which nobody is watching any more: the page was left, or slept."""
KIND: Final = "public_alert_countdown"
"""The kind of draft under which the journal keeps that a countdown was begun."""
RUNNING_ELSEWHERE: Final = timedelta(seconds=SECONDS + SILENCE)

Step: TypeAlias = Literal["counting", "zero", "left"]


@dataclass(frozen=True)
class Countdown:
    """A countdown of one draft as it was reviewed.

    `digest` stands for what was on the screen. Times are seconds of a clock that never runs back; `begun` is None until
    it was first drawn, so that a slow page takes nothing from the five seconds. `name` is the one it is marked by.
    """

    draft: AlertDraft
    digest: str
    name: str = ""
    seconds: float = SECONDS
    begun: float | None = None
    seen: float | None = None

    def looked(self, now: float) -> Countdown:
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


def mark_begun(workspace: Workspace, draft: AlertDraft) -> str:
    """Write down that a countdown was begun, so that whoever comes back after leaving is told; return its name.

    The countdown begun last is the one that counts: one of another tab is over with this.
    """
    name = token_hex(8)
    workspace.journal.drafts.save(
        workspace.actor, KIND, draft.uid, {"begun": datetime.now(UTC).isoformat(), "name": name}
    )
    return name


def still_counts(workspace: Workspace, counting: Countdown) -> bool:
    """Whether nobody stopped this countdown, or began another one of its draft, in another tab."""
    record = workspace.journal.drafts.load(workspace.actor, KIND, counting.draft.uid)
    return record is not None and record.payload.get("name") == counting.name


def clear_mark(workspace: Workspace, uid: str) -> None:
    """Forget that a countdown was begun: it was stopped, it came to its end, or the person has read about it."""
    workspace.journal.drafts.delete(workspace.actor, KIND, uid)


def may_run_elsewhere(begun: datetime, now: datetime) -> bool:
    """Whether a countdown begun then may be running still in another tab; never where the clock was set back since."""
    return timedelta(0) <= now - begun < RUNNING_ELSEWHERE


def left_at(workspace: Workspace, uid: str) -> datetime | None:
    """When a countdown was begun that came to no end; None where there is none."""
    record = workspace.journal.drafts.load(workspace.actor, KIND, uid)
    return None if record is None else datetime.fromisoformat(str(record.payload["begun"]))
