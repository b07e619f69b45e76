"""What became of an alert whose sending began, read from the journal: the one memory that outlives tabs and crashes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from client.models.notifications import Notification
from components.change.kept_drafts import GRACE, Fate
from components.public_alerts import draft_store
from components.public_alerts.draft import AlertDraft
from components.public_alerts.draft_store import Kept
from components.public_alerts.from_sent import draft_from_sent
from components.widgets.ids import id_in
from journal import EntryFilters

if TYPE_CHECKING:
    from components.shell.workspace import Workspace
    from journal import Entry

SEND: Final = "public_alert.send"
SUBJECT: Final = "public_alert"
ATTEMPTS_READ: Final = 200


@dataclass(frozen=True)
class Standing:
    """Where an alert stands; `entry` decides it, `attempt` is the entry of the call itself, begun at `begun_at`.

    `stopped_at` is when a sending began that ended before anything left. `kept` is the draft as it is kept now, or
    None where it was discarded.
    """

    uid: str
    fate: Fate
    kept: Kept | None
    entry: Entry | None = None
    attempt: Entry | None = None
    begun_at: datetime | None = None
    stopped_at: datetime | None = None

    @property
    def notification_id(self) -> int | None:
        """The id the alert got at the service."""
        known = self.entry.subject_id if self.fate is Fate.SENT and self.entry is not None else None
        return id_in(known or "")

    @property
    def body(self) -> dict[str, Any]:
        """What was sent: as it was noted when the sending began, else as the journal has it."""
        noted = self._noted("request")
        if noted is not None:
            return noted
        for entry in (self.attempt, self.entry):
            sent = (entry.request or {}).get("notification") if entry is not None else None
            if isinstance(sent, dict):
                return sent
        return {}

    @property
    def sent_draft(self) -> AlertDraft:
        """The draft as it was when its sending began, later changes aside; where it is gone, made of what was sent."""
        noted = self._noted("draft")
        if noted is not None:
            return AlertDraft.model_validate(noted)
        if self.kept is not None:
            return self.kept.draft
        return draft_from_sent(Notification.from_wire(self.body))

    @property
    def people(self) -> dict[str, str]:
        """Who wrote it, approved it and sent it, as far as each is known."""
        entry = self.attempt or self.entry
        said = (entry.request if entry is not None else None) or {}
        names = {name: said.get(f"{name}_by") for name in ("written", "approved", "sent")}
        return {name: str(person) for name, person in names.items() if person}

    def _noted(self, name: str) -> dict[str, Any] | None:
        noted = ((self.kept.note if self.kept is not None else None) or {}).get(name)
        return noted if isinstance(noted, dict) else None


def begun(workspace: Workspace, uid: str) -> bool:
    """Whether the sending of the person's draft began and was not given back; quick, for every run of the page."""
    kept = draft_store.load(workspace, uid)
    return kept is not None and kept.is_begun


def standing_of(workspace: Workspace, uid: str) -> Standing:
    """Where an alert stands. The journal's entries outweigh the claim: a draft discarded and kept again has none.

    A claim under which nothing was sent is given back, once whoever took it had time to write its entry.
    """
    kept = draft_store.load(workspace, uid)
    entries = attempts(workspace, uid)
    deciding = decisive(entries)
    if deciding is not None:
        attempt = _attempt_of(deciding, entries)
        return Standing(uid, _fate(deciding), kept, deciding, attempt, begun_at=attempt.at)
    if kept is None or kept.begun_at is None:
        return Standing(uid, Fate.UNSENT, kept)
    ended = next((entry for entry in entries if _noted_in(kept, entry)), None)
    if ended is None and datetime.now(UTC) - kept.begun_at <= GRACE:
        return Standing(uid, Fate.SENDING, kept, begun_at=kept.begun_at)
    # It was refused, never left, or was not even begun, and the process stopped before it could give the draft back.
    workspace.journal.drafts.release(workspace.actor, draft_store.KIND, uid)
    return Standing(uid, Fate.UNSENT, draft_store.load(workspace, uid), ended, stopped_at=kept.begun_at)


def attempts(workspace: Workspace, uid: str) -> list[Entry]:
    """Every entry of a sending of this draft, newest first, whoever made it and whatever its event is now."""
    actor = workspace.actor
    found = workspace.journal.audit.list(
        actor.service,
        actor.organization_id,
        filters=EntryFilters(action=SEND, text=uid),
        page_size=ATTEMPTS_READ,
    )
    return [entry for entry in found if (entry.request or {}).get("draft") == uid]


def decisive(entries: Sequence[Entry]) -> Entry | None:
    """The entry that decides what became of an alert: done, else under way, else unknown; None where it may be sent."""
    settled = {(entry.request or {}).get("settles") for entry in entries}
    for state in ("succeeded", "started", "unknown"):
        for entry in entries:
            if entry.state == state and (state == "succeeded" or entry.id not in settled):
                return entry
    return None


def is_done_elsewhere(entries: Sequence[Entry], attempt: str) -> bool:
    """Whether another attempt than this one has sent the alert, may have, or is about to."""
    others = [entry for entry in entries if (entry.request or {}).get("attempt") != attempt]
    return decisive(others) is not None


def noted_attempt(note: Mapping[str, Any] | None) -> str | None:
    """The name of the attempt that a claim was taken for."""
    name = (note or {}).get("attempt")
    return str(name) if name else None


def _noted_in(kept: Kept, entry: Entry) -> bool:
    return (entry.request or {}).get("attempt") == noted_attempt(kept.note)


def _attempt_of(deciding: Entry, entries: Sequence[Entry]) -> Entry:
    """The entry of the call itself, where a person settled it afterwards."""
    settles = (deciding.request or {}).get("settles")
    return next((entry for entry in entries if entry.id == settles), deciding)


def _fate(entry: Entry) -> Fate:
    return {"succeeded": Fate.SENT, "started": Fate.SENDING}.get(entry.state, Fate.UNKNOWN)
