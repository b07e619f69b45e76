"""Where drafts of public alerts are kept between visits."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from components.public_alerts.alert_form import ALERT_FORM
from components.public_alerts.draft import AlertDraft

if TYPE_CHECKING:
    from components.shell.workspace import Workspace
    from journal.drafts import Draft

KIND: Final = "public_alert"
_WRITTEN_AT: Final = "written_at"


@dataclass(frozen=True)
class Kept:
    """A draft as it is kept: when it was saved, and when what it says was last changed, which a review does not do.

    Once its sending began, since when, and what was noted then.
    """

    draft: AlertDraft
    saved_at: datetime
    written_at: datetime
    begun_at: datetime | None = None
    note: dict[str, Any] | None = None

    @property
    def is_begun(self) -> bool:
        """Whether somebody began to send it."""
        return self.begun_at is not None


def save(workspace: Workspace, draft: AlertDraft, *, written_at: datetime | None = None) -> None:
    """Keep the draft as it is now; that its sending began stays as it was.

    `written_at` is how old its words are where they were not written now: those of a copy are as old as the alert.
    """
    kept = load(workspace, draft.uid)
    if written_at is None and kept is not None and ALERT_FORM.same_content(kept.draft, draft):
        written_at = kept.written_at
    payload = draft.model_dump(mode="json") | {_WRITTEN_AT: (written_at or datetime.now(UTC)).isoformat()}
    workspace.journal.drafts.save(workspace.actor, KIND, draft.uid, payload)


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
    draft, written = AlertDraft.model_validate(record.payload), record.payload.get(_WRITTEN_AT)
    written_at = datetime.fromisoformat(written) if written else record.saved_at
    return Kept(draft, record.saved_at, written_at, record.claimed_at, record.claim)
