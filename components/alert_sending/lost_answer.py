"""Looking for an alert among the sent notifications after its answer was lost. Reads only, and decides nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, Final

from client import Page
from client.models.notifications import Notification
from components.change.declaration import Candidate, Looked
from components.public_alerts.draft import KIND
from components.shell.workspace import Workspace
from components.widgets.number_text import count, names
from components.widgets.time_text import moment
from journal import Entry

CLOCKS_APART: Final = timedelta(minutes=10)
ZONES_APART: Final = timedelta(days=1)
"""How far a service's times may be off where its clock or its zone is wrong: what is exactly like it is shown still."""
PAGES_READ: Final = 30

_COMPARED: Final = {
    "text on the phone": ("smsMessage",),
    "event": ("event",),
    "category": ("category",),
    "urgency": ("urgency",),
    "severity": ("severity",),
    "certainty": ("certainty",),
    "hours until it ends": ("expire",),
    "instructions": ("instructions",),
    "type": ("type",),
    "event groups": ("eventGroups",),
    "jurisdiction": ("community", "jurisdictionType"),
    "regions": ("community", "regionIds"),
}
SEND: Final = "public_alert.send"
_DECISIVE: Final = ("text on the phone", "event")


@dataclass(frozen=True)
class Like:
    """A sent notification that may be the alert, held against what was sent.

    `same` and `differs` name what is alike and what is not; `known_as` is the journal's entry of another sending that
    this notification came from; `is_earlier` where it is older than the sending, if its time is right.
    """

    notification: Notification
    same: tuple[str, ...]
    differs: tuple[str, ...]
    known_as: Entry | None = None
    is_earlier: bool = False

    @property
    def notification_id(self) -> int | None:
        """Its id."""
        return self.notification.id

    @property
    def at(self) -> datetime | None:
        """When the service says that it was made."""
        return self.notification.created_date

    @property
    def looks_like_it(self) -> bool:
        """Whether everything that was sent is in it, and neither its time nor the journal tells of another sending."""
        return not self.differs and self.known_as is None and not self.is_earlier

    def as_candidate(self, told_at: Callable[[datetime], str] = moment) -> Candidate:
        """It, in words, for a person to decide on; `told_at` writes a moment for people."""
        sent = self.notification
        when = told_at(self.at) if self.at is not None else "at a time the service does not tell"
        return Candidate(
            self.notification_id,
            f"Id {self.notification_id} · sent {when}" + (f" by {sent.created_name}" if sent.created_name else ""),
            self._told(told_at),
            self.looks_like_it,
            {"notification": self.notification_id},
            (sent.public_alert.sms_message if sent.public_alert is not None else None) or "",
            is_other=self.known_as is not None,
        )

    def _told(self, told_at: Callable[[datetime], str]) -> str:
        if self.known_as is not None:
            return (
                f"It came from another sending from this desk, by {self.known_as.actor.username} "
                f"{told_at(self.known_as.at)} (entry {self.known_as.id}): it is not this one."
            )
        if self.differs:
            return f"Not the same: {names(list(self.differs), at_most=12)}."
        if self.is_earlier:
            return (
                "Exactly like it, and older than the sending. It is this one only if the service's clock, or its time "
                "zone, is wrong."
            )
        return "Text, event, levels and reach are exactly those of this alert: it looks as if it went out."


@dataclass(frozen=True)
class LookedThrough:
    """What was found: candidates, those that look like it first; how many were read, and whether that was all."""

    candidates: tuple[Like, ...]
    read: int
    is_complete: bool

    @property
    def found(self) -> Like | None:
        """The one that looks like it; None where there is none, or where several do."""
        like_it = [each for each in self.candidates if each.looks_like_it]
        return like_it[0] if len(like_it) == 1 else None

    def as_found(self, told_at: Callable[[datetime], str] = moment) -> Looked:
        """It, in words, for a person to decide on; `told_at` writes a moment for people."""
        rest = "" if self.is_complete else " There are more: older ones were not looked at."
        told = f"Looked through {count(self.read, 'notification', 'notifications')}.{rest}"
        return Looked([each.as_candidate(told_at) for each in self.candidates], told)


def look(workspace: Workspace, body: Mapping[str, Any], *, uid: str, since: datetime) -> LookedThrough:
    """Ask the service for notifications like `body` made since its sending began; raises `ServiceError`.

    Those with the same text or the same event are told, and what is exactly like it and seems somewhat older. Without a
    time in the answer, time excludes nothing.
    """
    notifications = workspace.client.notifications
    earliest = since - CLOCKS_APART
    found: list[Like] = []
    read, is_complete = 0, True
    for page in islice(notifications.list().pages(), PAGES_READ):
        read += len(page.items)
        is_complete = not page.has_next
        found += [
            candidate
            for notification in page.items
            if (candidate := _candidate(workspace, body, notification, uid=uid, earliest=earliest))
        ]
        if _newest_first(page) and page.items and _before(page.items[-1], earliest):
            is_complete = True
            break
    return LookedThrough(tuple(sorted(found, key=_likeness)), read, is_complete)


def risk(looked: Looked | Exception) -> str:
    """What to fear when an alert is sent again, by what was found just now."""
    if not isinstance(looked, Looked):
        return (
            "**The sent notifications cannot be read at this moment.** If the first one went out, the public gets it "
            "twice."
        )
    like_it = sum(each.looks_like_it for each in looked.candidates)
    if like_it:
        return (
            f"**{count(like_it, 'notification looks', 'notifications look')} exactly like it.** Sent again, the public "
            "gets it twice."
        )
    return "No notification like it was found. If the first one is only late, the public gets it twice."


def compare(body: Mapping[str, Any], notification: Notification) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Name what of the sent body the notification says too, and what it says otherwise.

    What was not sent does not count: services fill in what is absent.
    """
    sent, told = _told(body), _told(notification.model_dump(by_alias=True, mode="json"))
    same = tuple(name for name, value in sent.items() if told.get(name) == value)
    return same, tuple(name for name in sent if name not in same)


def _candidate(
    workspace: Workspace, body: Mapping[str, Any], notification: Notification, *, uid: str, earliest: datetime
) -> Like | None:
    if notification.id is None or notification.public_alert is None:
        return None
    if _before(notification, earliest - ZONES_APART):
        return None
    same, differs = compare(body, notification)
    # ASSUMPTION A95: nothing in a notification names the request it came from. One is worth showing that has the text
    # or the event and was made no earlier than ten minutes before the sending began, for clocks that are apart; one
    # that is exactly like it, up to a day before.
    if not any(name in same for name in _DECISIVE):
        return None
    known_as = _other_sending(workspace, notification.id, uid)
    is_earlier = _before(notification, earliest)
    if is_earlier and (differs or known_as is not None):
        return None
    return Like(notification, same, differs, known_as, is_earlier)


def _other_sending(workspace: Workspace, notification_id: int, uid: str) -> Entry | None:
    actor = workspace.actor
    entries = workspace.journal.audit.history(
        actor.service, actor.organization_id, subject_kind=KIND, subject_id=str(notification_id)
    )
    return next(
        (
            entry
            for entry in entries
            if entry.action == SEND and entry.state == "succeeded" and (entry.request or {}).get("draft") != uid
        ),
        None,
    )


def _told(notification: Mapping[str, Any]) -> dict[str, Any]:
    """What an alert says, by the names people know, for comparing: spaces and the order of ids do not count."""
    message = notification.get("message") or {}
    alert = (notification.get("publicMessages") or {}).get("publicAlertMessage") or {}
    said = {
        "title": _plain(message.get("title")),
        "text of the notification": _plain(message.get("textMessage")),
    }
    for name, path in _COMPARED.items():
        value: Any = alert
        for part in path:
            value = (value or {}).get(part)
        said[name] = _plain(value)
    return {name: value for name, value in said.items() if value not in ("", ())}


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(sorted(str(each) for each in value))
    return "" if value is None else " ".join(str(value).split())


def _before(notification: Notification, earliest: datetime) -> bool:
    return notification.created_date is not None and notification.created_date < earliest


def _newest_first(page: Page[Notification]) -> bool:
    times = [each.created_date for each in page.items if each.created_date is not None]
    return len(times) == len(page.items) and times == sorted(times, reverse=True)


def _likeness(candidate: Like) -> tuple[bool, bool, int, float]:
    at = candidate.at.timestamp() if candidate.at is not None else 0.0
    return (not candidate.looks_like_it, candidate.is_earlier, len(candidate.differs), -at)
