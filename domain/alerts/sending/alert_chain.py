"""The chains of alerts: which sent alert goes on from which other, read from the journal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, cast

from domain.alerts.draft import CORRECTION, SECOND_LANGUAGE, SEND, AlertDraft, FollowUp
from domain.alerts.wording.follow_ups import KINDS
from domain.edits.journaled_calls import SETTLES
from domain.runtime.workspace import Workspace
from domain.text.plain_text import id_in
from journal import Entry, EntryFilters, KeptVersion

READ: Final = 500
"""How many of the latest sendings are looked through for what follows what."""


@dataclass(frozen=True)
class Link:
    """One alert that follows another, `notification` being its own id; None where its outcome is not known."""

    follows: int
    kind: FollowUp
    notification: int | None
    at: datetime
    by: str
    draft: str

    def describe(self, format_time: Callable[[datetime], str]) -> str:
        """Say what it is, who sent it, and when."""
        description = f"{KINDS[self.kind].followed} by {self.by}, {format_time(self.at)}"
        return description if self.notification is not None else f"{description}. Status: Unknown"


@dataclass(frozen=True)
class ChainLine:
    """A step of a chain in words, and the notification it leads to, or the draft where that is not known."""

    words: str
    notification: int | None
    draft: str = ""


@dataclass(frozen=True)
class Chains:
    """What follows what among the alerts that were sent from this desk, and which of them the desk is reminded of.

    Ids are those of notifications.
    """

    links: tuple[Link, ...] = ()
    times: Mapping[int, datetime] = field(default_factory=dict)
    going_on: frozenset[int] = frozenset()
    _after: dict[int, list[Link]] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        for link in self.links:
            self._after.setdefault(link.follows, []).append(link)

    def sent_at(self, notification: int) -> datetime | None:
        """When this one was sent from this desk."""
        return self.times.get(notification)

    def after(self, notification: int | None) -> list[Link]:
        """What follows this one, in the order it was sent."""
        return [] if notification is None else self._after.get(notification, [])

    def before(self, notification: int | None) -> Link | None:
        """What this one is to the one it follows."""
        return next((link for link in self.links if link.notification == notification and notification), None)

    def with_links(self, notification: int | None, sent: AlertDraft) -> AlertDraft:
        """Return the draft of a notification with what it follows and whether it goes on, which the service omits."""
        link = self.before(notification)
        before = {} if link is None else {"follow_up": link.kind, "follows": link.follows}
        return sent.model_copy(update={"goes_on": notification in self.going_on, **before})

    def superseded(self, notification: int | None) -> Link | None:
        """What took its place, after which nothing is offered for it; the same in another language does not."""
        return next((link for link in self.after(notification) if link.kind != SECOND_LANGUAGE), None)

    def summary(self, notification: int | None) -> str:
        """Return its place in the chain, such as "Extension · Corrected"; empty for an alert without links."""
        before, after = self.before(notification), self.superseded(notification)
        parts = [KINDS[before.kind].title] if before is not None else []
        return " · ".join([*parts, *([KINDS[after.kind].followed] if after is not None else [])])

    def lines(self, notification: int | None, format_time: Callable[[datetime], str]) -> list[ChainLine]:
        """Return its neighbors in the chain, each in a line."""
        before = self.before(notification)
        lines = []
        if before is not None:
            lines.append(ChainLine(f"{KINDS[before.kind].title} of notification {before.follows}", before.follows))
        return [
            *lines,
            *(
                ChainLine(link.describe(format_time), link.notification, link.draft)
                for link in self.after(notification)
            ),
        ]


# ASSUMPTION A452: the interface has no field that links alerts. What links them is this desk's journal; for the public,
# the words of each that name the one before, and that both are filed under the same event and category.
def linked(draft: AlertDraft) -> dict[str, Any]:
    """What the journal notes of a draft beside its request: what it goes on from, that it is to go on, and the ready
    alert that it was begun with.
    """
    link = {"as": draft.follow_up, "notification": draft.follows, "draft": draft.beside}
    links = {name: value for name, value in link.items() if value}
    ready = {"ready": draft.ready[0]} if draft.ready is not None else {}
    goes_on = {"goes_on": True} if draft.goes_on else {}
    return {**({"follows": links} if draft.follow_up else {}), **goes_on, **ready}


def most_used_first(workspace: Workspace, ready: Sequence[KeptVersion]) -> list[KeptVersion]:
    """The ready alerts, those that the latest alerts were most often begun with first, then by name."""
    used = Counter(str((entry.request or {}).get("ready", "")) for entry in sendings(workspace))
    return sorted(ready, key=lambda each: -used[each.name])


def chains_of(entries: Iterable[Entry]) -> Chains:
    """The chains that these entries of sendings tell of, in any order."""
    oldest_first = sorted(entries, key=lambda entry: entry.id)
    became: dict[str, int | None] = {}
    for entry in oldest_first:
        request = entry.request or {}
        uid = str(request.get("draft") or "")
        if uid and entry.state in ("succeeded", "unknown", "started"):
            became[uid] = id_in(entry.subject_id or "") or became.get(uid)
        elif uid and entry.state == "not sent" and request.get(SETTLES):
            became.pop(uid, None)
    links = []
    for entry in oldest_first:
        request = entry.request or {}
        uid, kind, follows = str(request.get("draft") or ""), *followed_by(request, became)
        if request.get(SETTLES):
            continue  # It says what became of an entry that tells the same.
        if follows is not None and uid in became and entry.state not in ("refused", "not sent"):
            links.append(Link(follows, kind, became[uid], entry.at, entry.actor.username, uid))
    began = {entry.id: entry.at for entry in oldest_first}
    sent = {
        number: (entry.id, entry.request or {})
        for entry in oldest_first
        if entry.state == "succeeded" and (number := id_in(entry.subject_id or "")) is not None
    }
    # What a person found out later was sent when the sending began.
    starts = {number: request.get(SETTLES) or entry_id for number, (entry_id, request) in sent.items()}
    times = {number: began[start] for number, start in starts.items() if start in began}
    going_on = frozenset(number for number, (_, request) in sent.items() if request.get("goes_on"))
    return Chains(tuple(links), times, going_on)


def chains(workspace: Workspace) -> Chains:
    """The chains of the organization's latest alerts."""
    return chains_of(sendings(workspace))


def sendings(workspace: Workspace, *, since: datetime | None = None) -> list[Entry]:
    """What the journal tells of the organization's latest sendings, of those from a time on or of all."""
    actor = workspace.actor
    filters = EntryFilters(action=SEND, since=since)
    return workspace.journal.audit.list(actor.service, actor.organization_id, filters=filters, page_size=READ)


def followed_by(request: Mapping[str, Any], became: Mapping[str, int | None]) -> tuple[FollowUp, int | None]:
    """What this sending is to which notification, given what those of other drafts became."""
    link = request.get("follows")
    if not isinstance(link, dict):
        # As it was written down before there were other follow-ups.
        corrects = request.get("corrects")
        return CORRECTION, corrects if isinstance(corrects, int) else None
    kind = link.get("as")
    if kind not in KINDS:
        return CORRECTION, None
    notification = link.get("notification") or became.get(str(link.get("draft")))
    return cast("FollowUp", kind), notification if isinstance(notification, int) else None
