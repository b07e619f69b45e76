"""Where drafts of trips are kept between visits, and what the journal says became of one that was sent."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from components.journal.fate import Fate, fate_of
from components.trip_editor.changes import CANCEL, CREATE, UPDATE
from components.trip_editor.draft import TripDraft

if TYPE_CHECKING:
    from components.shell.workspace import Workspace
    from journal import Entry
    from journal.drafts import Draft

KIND: Final = "trip"
SENT_KEPT_FOR: Final = timedelta(days=2)
_SENDS: Final = frozenset({CREATE, UPDATE, CANCEL})


@dataclass(frozen=True)
class Kept:
    """A draft as it is kept: when it was saved, what became of it, and what was noted when its sending began."""

    draft: TripDraft
    saved_at: datetime
    fate: Fate
    entry: Entry | None = None
    note: dict[str, Any] | None = None

    @property
    def sent_id(self) -> int | None:
        """The id of the itinerary a sent draft became."""
        if self.fate is not Fate.SENT or self.entry is None or self.entry.subject_id is None:
            return None
        return int(self.entry.subject_id)


def save(workspace: Workspace, draft: TripDraft) -> None:
    """Keep the draft as it is now."""
    workspace.journal.drafts.save(workspace.actor, KIND, draft.uid, draft.model_dump(mode="json"))


def load(workspace: Workspace, uid: str) -> Kept | None:
    """Read a draft and what became of it; None where this person has none under that name."""
    record = workspace.journal.drafts.load(workspace.actor, KIND, uid)
    return None if record is None else _kept(workspace, record)


def is_being_sent(workspace: Workspace, uid: str) -> bool:
    """Whether a draft whose sending began, here or at another server, has no end yet."""
    kept = load(workspace, uid)
    return kept is not None and kept.fate is Fate.SENDING


def discard(workspace: Workspace, uid: str) -> None:
    """Forget a draft."""
    workspace.journal.drafts.delete(workspace.actor, KIND, uid)


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


def unfinished_change(workspace: Workspace, itinerary_id: int) -> Kept | None:
    """The latest change of this trip that the person began and is not known to be sent."""
    return next((kept for kept in unfinished(workspace) if kept.draft.itinerary_id == itinerary_id), None)


def claim(workspace: Workspace, draft: TripDraft, note: dict[str, Any]) -> bool:
    """Take the draft for sending; False where it was taken before, here or in another tab."""
    return workspace.journal.drafts.claim(workspace.actor, KIND, draft.uid, note)


def release(workspace: Workspace, uid: str) -> None:
    """Let the draft be sent (again)."""
    workspace.journal.drafts.release(workspace.actor, KIND, uid)


def _kept(workspace: Workspace, record: Draft) -> Kept:
    draft = TripDraft.model_validate(record.payload)
    if record.claimed_at is None:
        return Kept(draft, record.saved_at, Fate.UNSENT)
    entry = _entry_of(workspace, draft, record.claimed_at)
    fate = fate_of(entry, record.claimed_at)
    if fate is Fate.UNSENT:
        # It was refused, or never left, and the process stopped before it could give the draft back.
        release(workspace, draft.uid)
        return Kept(draft, record.saved_at, fate)
    return Kept(draft, record.saved_at, fate, entry, record.claim)


def _entry_of(workspace: Workspace, draft: TripDraft, since: datetime) -> Entry | None:
    entries = workspace.journal.audit.history(
        workspace.actor.service,
        workspace.actor.organization_id,
        subject_kind="itinerary",
        subject_id=None if draft.itinerary_id is None else str(draft.itinerary_id),
        subject_name=draft.record_locator.strip(),
    )
    mine = [
        entry
        for entry in entries
        if entry.at >= since and entry.action in _SENDS and entry.actor == workspace.actor and _is_of(entry, draft)
    ]
    # What a person settled, or what was done, outweighs what came before it.
    return next((entry for entry in mine if entry.state == "succeeded"), mine[0] if mine else None)


def _is_of(entry: Entry, draft: TripDraft) -> bool:
    if draft.itinerary_id is None:
        return entry.action != UPDATE
    return entry.subject_id == str(draft.itinerary_id)
