"""The chains of alerts, read from the journal: which alert follows which."""

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
from journal import Entry, EntryFilters, RecordVersion

READ: Final = 500
"""The number of the latest sendings in which follow-ups are searched."""


@dataclass(frozen=True)
class Link:
    """A follow-up of an alert. `notification` is its own ID, or None while its status is unknown."""

    follows: int
    kind: FollowUp
    notification: int | None
    at: datetime
    by: str
    draft: str

    def describe(self, format_time: Callable[[datetime], str]) -> str:
        """Say what kind of follow-up it is, who sent it, and when."""
        description = f"{KINDS[self.kind].followed} by {self.by}, {format_time(self.at)}"
        return description if self.notification is not None else f"{description}. Status: Unknown"


@dataclass(frozen=True)
class ChainLine:
    """A line about a chain, with the notification that it links to, or the draft if the notification is unknown."""

    words: str
    notification: int | None
    draft: str = ""


@dataclass(frozen=True)
class Chains:
    """The follow-ups among the alerts sent with Muster, and the alerts to extend. IDs are those of notifications."""

    links: tuple[Link, ...] = ()
    times: Mapping[int, datetime] = field(default_factory=dict)
    """When each notification was sent."""
    going_on: frozenset[int] = frozenset()
    """The notifications that Muster reminds its users to extend."""
    _after: dict[int, list[Link]] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        for link in self.links:
            self._after.setdefault(link.follows, []).append(link)

    def sent_at(self, notification: int) -> datetime | None:
        """Return when a notification was sent with Muster."""
        return self.times.get(notification)

    def follow_ups_of(self, notification: int | None) -> list[Link]:
        """Return the follow-ups of a notification, in the order they were sent."""
        return [] if notification is None else self._after.get(notification, [])

    def followed_link(self, notification: int | None) -> Link | None:
        """Return the link from a notification to the alert that it follows."""
        return next((link for link in self.links if link.notification == notification and notification), None)

    def with_links(self, notification: int | None, draft: AlertDraft) -> AlertDraft:
        """Return the draft of a notification with its links, which the service does not store."""
        link = self.followed_link(notification)
        before = {} if link is None else {"follow_up": link.kind, "follows": link.follows}
        return draft.model_copy(update={"goes_on": notification in self.going_on, **before})

    def superseded(self, notification: int | None) -> Link | None:
        """Return the follow-up that replaced an alert, if any. The same alert in another language does not replace
        it.
        """
        return next((link for link in self.follow_ups_of(notification) if link.kind != SECOND_LANGUAGE), None)

    def summary(self, notification: int | None) -> str:
        """Return the links of an alert in short, such as "Extension · Corrected"; "" if it has none."""
        before, after = self.followed_link(notification), self.superseded(notification)
        parts = [KINDS[before.kind].title] if before is not None else []
        return " · ".join([*parts, *([KINDS[after.kind].followed] if after is not None else [])])

    def lines(self, notification: int | None, format_time: Callable[[datetime], str]) -> list[ChainLine]:
        """Return a line for each alert before and after it."""
        before = self.followed_link(notification)
        lines = []
        if before is not None:
            lines.append(ChainLine(f"{KINDS[before.kind].title} of notification {before.follows}", before.follows))
        return [
            *lines,
            *(
                ChainLine(link.describe(format_time), link.notification, link.draft)
                for link in self.follow_ups_of(notification)
            ),
        ]


# ASSUMPTION A452: the interface has no field that links alerts. What links them is this desk's journal; for the public,
# the words of each that name the one before, and that both are filed under the same event and category.
def journal_links(draft: AlertDraft) -> dict[str, Any]:
    """Return what the journal stores about a draft besides its request: its links and its template."""
    link = {"as": draft.follow_up, "notification": draft.follows, "draft": draft.translation_of}
    links = {name: value for name, value in link.items() if value}
    template = {"ready": draft.template[0]} if draft.template is not None else {}
    goes_on = {"goes_on": True} if draft.goes_on else {}
    return {**({"follows": links} if draft.follow_up else {}), **goes_on, **template}


def most_used_first(workspace: Workspace, ready: Sequence[RecordVersion]) -> list[RecordVersion]:
    """Return the alert templates, those of the latest alerts first, then by name."""
    used = Counter(str((entry.request or {}).get("ready", "")) for entry in sendings(workspace))
    return sorted(ready, key=lambda each: -used[each.name])


def chains_of(entries: Iterable[Entry]) -> Chains:
    """Return the chains in these journal entries of sendings, in any order."""
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
            continue  # This entry reports the status of an earlier one.
        if follows is not None and uid in became and entry.state not in ("refused", "not sent"):
            links.append(Link(follows, kind, became[uid], entry.at, entry.actor.username, uid))
    began = {entry.id: entry.at for entry in oldest_first}
    sent = {
        number: (entry.id, entry.request or {})
        for entry in oldest_first
        if entry.state == "succeeded" and (number := id_in(entry.subject_id or "")) is not None
    }
    # What was later found to be sent was sent when its sending began.
    starts = {number: request.get(SETTLES) or entry_id for number, (entry_id, request) in sent.items()}
    times = {number: began[start] for number, start in starts.items() if start in began}
    going_on = frozenset(number for number, (_, request) in sent.items() if request.get("goes_on"))
    return Chains(tuple(links), times, going_on)


def chains(workspace: Workspace) -> Chains:
    """Return the chains of the organization's latest alerts."""
    return chains_of(sendings(workspace))


def sendings(workspace: Workspace, *, since: datetime | None = None) -> list[Entry]:
    """Return the journal entries of the organization's latest sendings, or of those from a time on."""
    actor = workspace.actor
    filters = EntryFilters(action=SEND, subject_kind="public_alert", since=since)
    return workspace.journal.audit.list(actor.service, actor.organization_id, filters=filters, page_size=READ)


def followed_by(request: Mapping[str, Any], became: Mapping[str, int | None]) -> tuple[FollowUp, int | None]:
    """Return the notification that this sending follows, and how. `became` has the notifications of other drafts."""
    link = request.get("follows")
    if not isinstance(link, dict):
        # The form that the journal had before there were other follow-ups.
        corrects = request.get("corrects")
        return CORRECTION, corrects if isinstance(corrects, int) else None
    kind = link.get("as")
    if kind not in KINDS:
        return CORRECTION, None
    notification = link.get("notification") or became.get(str(link.get("draft")))
    return cast("FollowUp", kind), notification if isinstance(notification, int) else None
