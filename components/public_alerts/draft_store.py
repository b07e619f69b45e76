"""Where drafts of public alerts are kept between visits."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from components.public_alerts.draft import AlertDraft

if TYPE_CHECKING:
    from components.shell.workspace import Workspace
    from journal.drafts import Draft

KIND: Final = "public_alert"


@dataclass(frozen=True)
class Kept:
    """A draft as it is kept: when it was saved and, once its sending began, since when and what was noted then."""

    draft: AlertDraft
    saved_at: datetime
    begun_at: datetime | None = None
    note: dict[str, Any] | None = None

    @property
    def is_begun(self) -> bool:
        """Whether somebody began to send it."""
        return self.begun_at is not None


def save(workspace: Workspace, draft: AlertDraft) -> None:
    """Keep the draft as it is now; that its sending began stays as it was."""
    workspace.journal.drafts.save(workspace.actor, KIND, draft.uid, draft.model_dump(mode="json"))


def load(workspace: Workspace, uid: str) -> Kept | None:
    """Read a draft; None where this person has none under that name."""
    record = workspace.journal.drafts.load(workspace.actor, KIND, uid)
    return None if record is None else _kept(record)


def list_all(workspace: Workspace) -> list[Kept]:
    """Every draft of the person, the latest first, those whose sending began included."""
    return [_kept(record) for record in workspace.journal.drafts.list(workspace.actor, KIND)]


def unfinished(workspace: Workspace) -> list[Kept]:
    """The person's drafts whose sending has not begun, the latest first."""
    return [kept for kept in list_all(workspace) if not kept.is_begun]


def discard(workspace: Workspace, uid: str) -> None:
    """Forget a draft."""
    workspace.journal.drafts.delete(workspace.actor, KIND, uid)


def _kept(record: Draft) -> Kept:
    return Kept(AlertDraft.model_validate(record.payload), record.saved_at, record.claimed_at, record.claim)
