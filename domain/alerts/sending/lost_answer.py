"""Search for an alert in the sent notifications after its response was lost. Reads only, and decides nothing."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import islice
from typing import Any, Final, NamedTuple

from client import Page
from client.models.notifications import Notification
from domain.alerts.alert_form import LABELS
from domain.alerts.draft import CONTACT, KIND, SEND, AlertDraft
from domain.alerts.request import draft_from_sent
from domain.edits.edit import ReconcileCandidate, Reconciliation
from domain.runtime.workspace import Workspace
from domain.text.plain_text import count, names
from journal import Entry

CLOCKS_APART: Final = timedelta(minutes=10)
ZONES_APART: Final = timedelta(days=1)
"""How far off a service's times may be if its clock or time zone is wrong. An identical notification is still shown."""
PAGES_READ: Final = 30
_DECISIVE: Final = ("sms", "event")
_NEVER_ADDED: Final = ("instructions", "groups", "jurisdiction", "regions", "zip_to_groups")
"""Fields that no service fills in by itself. A notification that has one is another alert than one without it."""
_FILED: Final = ("notification_event_id", "category_id")
_COMPARED: Final = (
    *_DECISIVE,
    *("title", "text", "category", "urgency", "severity", "certainty", "hours", "type"),
    *(*_NEVER_ADDED, *CONTACT, *_FILED),
)


class _SimilarNotification(NamedTuple):
    """A sent notification that may be the alert."""

    notification: Notification
    differs: list[str]
    """The fields that differ from what was sent."""
    known_as: Entry | None
    """The journal entry of another sending that it came from."""
    is_earlier: bool
    """Whether it is older than the sending, if its time is correct."""

    @property
    def is_match(self) -> bool:
        """Whether it has everything that was sent, and neither its time nor the journal shows another sending."""
        return not self.differs and self.known_as is None and not self.is_earlier

    def in_order(self) -> tuple[bool, bool, int, float]:
        """A sort key: the most similar first, then the latest."""
        at = self.notification.created_date
        return not self.is_match, self.is_earlier, len(self.differs), -at.timestamp() if at is not None else 0.0

    def as_candidate(self) -> ReconcileCandidate:
        """Return the candidate to show, for the user to decide."""
        sent = self.notification
        by = f" by {sent.created_name}" if sent.created_name else ""
        when = "" if sent.created_date is not None else " at an unknown time"
        return ReconcileCandidate(
            sent.id,
            f"ID {sent.id} · sent{by}{when}",
            self._describe(),
            self.is_match,
            {"notification": sent.id},
            (sent.public_alert.sms_message if sent.public_alert is not None else None) or "",
            sent.created_date,
            is_other=self.known_as is not None,
        )

    def _describe(self) -> str:
        if self.known_as is not None:
            return (
                f"This notification is another alert, sent from Muster by {self.known_as.actor.username} (journal "
                f"entry {self.known_as.id})."
            )
        if self.differs:
            return f"Different: {names([f'“{LABELS[name]}”' for name in self.differs], at_most=12)}."
        if self.is_earlier:
            return (
                "Identical, but sent before yours. This notification is yours only if the clock or time zone of the "
                "service is wrong."
            )
        return "Identical text, event, levels, and recipients. Your alert was probably sent."


def reconcile(workspace: Workspace, draft: AlertDraft, *, since: datetime) -> Reconciliation:
    """Read the notifications since the sending began that are like the draft. Raises `ServiceError`.

    These have the same text or event. Identical ones may be somewhat older. Notifications without a time are included.
    """
    earliest = since - CLOCKS_APART
    found: list[_SimilarNotification] = []
    read, is_complete = 0, True
    for page in islice(workspace.client.notifications.list().pages(), PAGES_READ):
        read += len(page.items)
        is_complete = not page.has_next
        found += [like for each in page.items if (like := _like(workspace, draft, each, earliest))]
        if _newest_first(page) and page.items and _before(page.items[-1], earliest):
            is_complete = True
            break
    rest = "" if is_complete else " Older notifications were not checked."
    note = f"Muster checked {count(read, 'notification', 'notifications')}.{rest}"
    return Reconciliation([each.as_candidate() for each in sorted(found, key=_SimilarNotification.in_order)], note)


def resend_risk(result: Reconciliation | Exception) -> str:
    """Say what may happen if the alert is sent again, considering what was found."""
    if not isinstance(result, Reconciliation):
        return (
            "**The list of sent notifications could not be loaded.** If the first alert was sent and you "
            "send again, the public will receive the alert twice."
        )
    like_it = sum(each.is_match for each in result.candidates)
    if like_it:
        return (
            f"**{count(like_it, 'identical notification was', 'identical notifications were')} found.** If you send "
            "again, the public will receive the alert twice."
        )
    return (
        "No matching notification was found. If the first alert is only delayed and you send again, the public will "
        "receive the alert twice."
    )


def differing_fields(sent_draft: AlertDraft, other: AlertDraft) -> list[str]:
    """Return the fields in which a notification differs from what was sent, ignoring spaces and the order of IDs.

    Fields that were not sent are ignored if services may fill them in. Event and category are ignored if missing.
    """
    both = ((name, _plain(getattr(sent_draft, name)), _plain(getattr(other, name))) for name in _COMPARED)
    return [
        name
        for name, value, found in both
        if value != found and (value or name in _NEVER_ADDED) and (found or name not in _FILED)
    ]


def _plain(value: Any) -> Any:
    return sorted(value) if isinstance(value, list) else " ".join(str(value or "").split())


def _like(
    workspace: Workspace, draft: AlertDraft, notification: Notification, earliest: datetime
) -> _SimilarNotification | None:
    if notification.id is None or notification.public_alert is None or _before(notification, earliest - ZONES_APART):
        return None
    differs = differing_fields(draft, draft_from_sent(notification))
    # ASSUMPTION A95: nothing in a notification names the request it came from. One is worth showing that has the text
    # or the event and was made no earlier than ten minutes before the sending began, for clocks that are apart; one
    # that is exactly like it, up to a day before.
    if all(name in differs for name in _DECISIVE):
        return None
    known_as, is_earlier = _other_sending(workspace, notification.id, draft.uid), _before(notification, earliest)
    if is_earlier and (differs or known_as is not None):
        return None
    return _SimilarNotification(notification, differs, known_as, is_earlier)


def _other_sending(workspace: Workspace, notification_id: int, uid: str) -> Entry | None:
    actor = workspace.actor
    entries = workspace.journal.audit.history(
        actor.service, actor.organization_id, subject_kind=KIND, subject_id=str(notification_id)
    )
    sent = (entry for entry in entries if entry.action == SEND and entry.state == "succeeded")
    return next((entry for entry in sent if (entry.request or {}).get("draft") != uid), None)


def _before(notification: Notification, earliest: datetime) -> bool:
    return notification.created_date is not None and notification.created_date < earliest


def _newest_first(page: Page[Notification]) -> bool:
    times = [each.created_date for each in page.items if each.created_date is not None]
    return len(times) == len(page.items) and times == sorted(times, reverse=True)
