"""Where drafts of contact filters are kept between visits, and what the journal says became of one that was sent."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from components.change.kept_drafts import Fate, fate_of
from components.contact_filters.changes import CREATE, DRAFT_NAME, SUBJECT, UPDATE
from components.contact_filters.draft import FilterDraft

if TYPE_CHECKING:
    from components.shell.workspace import Workspace
    from journal import Entry
    from journal.drafts import Draft

KIND: Final = "contact_filter"
SENT_KEPT_FOR: Final = timedelta(days=2)
_NAME: Final = "name"


@dataclass(frozen=True)
class Kept:
    """A draft as it is kept: when it was typed in last, what became of it, and the journal's entry of its sending."""

    draft: FilterDraft
    saved_at: datetime
    fate: Fate
    entry: Entry | None = None

    @property
    def sent_id(self) -> int | None:
        """The id of the filter that a sent draft became."""
        if self.fate is not Fate.SENT:
            return None
        if self.entry is None or self.entry.subject_id is None:
            return self.draft.filter_id
        return int(self.entry.subject_id)


def save(workspace: Workspace, draft: FilterDraft) -> None:
    """Keep the draft as it is now."""
    workspace.journal.drafts.save(workspace.actor, KIND, draft.uid, draft.model_dump(mode="json"))


def load(workspace: Workspace, uid: str) -> Kept | None:
    """Read a draft and what became of it; None where this person has none under that name."""
    record = workspace.journal.drafts.load(workspace.actor, KIND, uid)
    return None if record is None else _kept(workspace, record)


def is_being_sent(workspace: Workspace, uid: str) -> bool:
    """Whether a draft whose saving began, here or at another server, has no end yet."""
    kept = load(workspace, uid)
    return kept is not None and kept.fate is Fate.SENDING


def discard(workspace: Workspace, uid: str) -> None:
    """Forget a draft."""
    workspace.journal.drafts.delete(workspace.actor, KIND, uid)


def discard_changes_of(workspace: Workspace, filter_id: int) -> None:
    """Forget every change of a filter that was begun: the filter is gone."""
    for kept in unfinished(workspace):
        if kept.draft.filter_id == filter_id:
            discard(workspace, kept.draft.uid)


def unfinished(workspace: Workspace) -> list[Kept]:
    """The person's drafts that are not known to be sent, the latest first. Those sent days ago are forgotten."""
    found = []
    for record in workspace.journal.drafts.list(workspace.actor, KIND):
        kept = _kept(workspace, record)
        if kept.fate is not Fate.SENT:
            found.append(kept)
        elif datetime.now(UTC) - kept.saved_at > SENT_KEPT_FOR:
            discard(workspace, record.key)
    return found


def unfinished_change(workspace: Workspace, filter_id: int) -> Kept | None:
    """The latest change of this filter that the person began and is not known to be sent."""
    return next((kept for kept in unfinished(workspace) if kept.draft.filter_id == filter_id), None)


def claim(workspace: Workspace, draft: FilterDraft) -> bool:
    """Take the draft for sending; False where it was taken before, here or in another tab."""
    return workspace.journal.drafts.claim(workspace.actor, KIND, draft.uid, {_NAME: draft.name.strip()})


def release(workspace: Workspace, uid: str) -> None:
    """Let the draft be sent (again)."""
    workspace.journal.drafts.release(workspace.actor, KIND, uid)


def _kept(workspace: Workspace, record: Draft) -> Kept:
    draft = FilterDraft.model_validate(record.payload)
    if record.claimed_at is None:
        return Kept(draft, record.saved_at, Fate.UNSENT)
    # Under the name it had when its sending began: another tab may have typed over it since.
    name = str((record.claim or {}).get(_NAME) or draft.name.strip())
    entry = _entry_of(workspace, draft, name, record.claimed_at)
    fate = fate_of(entry, record.claimed_at)
    if fate is Fate.UNSENT:
        # It was refused, or never left, and the process stopped before it could give the draft back.
        release(workspace, draft.uid)
        return Kept(draft, record.saved_at, fate)
    return Kept(draft, record.saved_at, fate, entry)


def _entry_of(workspace: Workspace, draft: FilterDraft, name: str, since: datetime) -> Entry | None:
    entries = workspace.journal.audit.history(
        workspace.actor.service,
        workspace.actor.organization_id,
        subject_kind=SUBJECT,
        subject_id=None if draft.filter_id is None else str(draft.filter_id),
        subject_name=name,
    )
    mine = [
        entry
        for entry in entries
        if entry.at >= since
        and entry.action == (UPDATE if draft.is_change else CREATE)
        and entry.actor == workspace.actor
        and (entry.request or {}).get(DRAFT_NAME) == draft.uid
    ]
    # What a person settled, or what was done, outweighs what came before it.
    return next((entry for entry in mine if entry.state == "succeeded"), mine[0] if mine else None)
