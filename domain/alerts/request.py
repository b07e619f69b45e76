"""The request of a draft: the values that the interface accepts and nothing that was not entered. Also the reverse."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from client.models.notifications import (
    Community,
    Notification,
    NotificationMessage,
    NotificationRequest,
    PublicAlert,
    SentCommunity,
    SentPublicAlert,
)
from client.vocabulary.limits import LONG_MAX
from client.vocabulary.notifications import NOTIFICATION_TYPES, SEND_NOW
from domain.alerts.draft import AlertDraft

# ASSUMPTION A87: a public alert goes out at once in a plain notification that names no contacts, and its title and text
# only where they are given; how one travels with polls, conferences or contacts is not shown.
NOTIFICATION_TYPE: Final = NOTIFICATION_TYPES[0]
LAUNCH_TYPE: Final = SEND_NOW


def to_request(draft: AlertDraft) -> NotificationRequest:
    """Return the notification with its public alert. The ZIP code option is set only if the interface allows it."""
    message = NotificationMessage(title=draft.title, text_message=draft.text)
    return NotificationRequest(
        message=message if message.to_wire() else None,
        type=NOTIFICATION_TYPE,
        launchtype=LAUNCH_TYPE,
        notification_event_id=draft.notification_event_id,
        category_id=draft.category_id,
        public_alert=public_alert(draft),
    )


def public_alert(draft: AlertDraft) -> PublicAlert:
    """Return the public alert only."""
    return PublicAlert(
        category=draft.category or None,
        event=draft.event or None,
        urgency=draft.urgency or None,
        severity=draft.severity or None,
        certainty=draft.certainty or None,
        expire=None if draft.hours is None else str(draft.hours),
        sms_message=draft.sms,
        instructions=draft.instructions,
        type=draft.type,
        apply_zip_code_to_event_groups=True if draft.zip_to_groups and zip_flag_is_offered(draft) else None,
        community=_community(draft),
        event_groups=list(draft.groups) or None,
    )


def request_json(draft: AlertDraft) -> dict[str, Any]:
    """Return the body as it is sent."""
    return to_request(draft).to_wire()


def zip_flag_is_offered(draft: AlertDraft) -> bool:
    """Return whether ZIP codes can apply to event groups: only with event groups and a non-empty community."""
    return _community(draft) is not None and bool(draft.groups)


def _community(draft: AlertDraft) -> Community | None:
    community = Community(
        contact_name=draft.contact_name,
        contact_email=draft.contact_email,
        contact_division=draft.contact_division,
        contact_phone=draft.contact_phone,
        jurisdiction_type=draft.jurisdiction or None,
        region_ids=list(draft.regions) or None,
    )
    return community if community.has_values else None


def draft_from_sent(notification: Notification) -> AlertDraft:
    """Return a new draft with the values of a sent notification. What cannot be read is left empty.

    Values that the interface does not allow are kept, and reported at their fields.
    """
    message = notification.message
    alert = notification.public_alert or SentPublicAlert()
    community = alert.community or SentCommunity()
    return AlertDraft(
        title=(message.title if message else None) or "",
        text=(message.text_message if message else None) or "",
        notification_event_id=_positive(notification.notification_event_id),
        category_id=_positive(notification.category_id),
        category=alert.category or "",
        event=alert.event or "",
        urgency=alert.urgency or "",
        severity=alert.severity or "",
        certainty=alert.certainty or "",
        hours=_whole(alert.expire),
        sms=alert.sms_message or "",
        instructions=alert.instructions or "",
        type=alert.type,
        groups=_ids(alert.event_groups or ()),
        contact_name=community.contact_name or "",
        contact_email=community.contact_email or "",
        contact_division=community.contact_division or "",
        contact_phone=community.contact_phone or "",
        jurisdiction=community.jurisdiction_type or "",
        regions=_ids(community.region_ids or ()),
        zip_to_groups=bool(alert.apply_zip_code_to_event_groups),
    )


def _ids(values: Iterable[Any]) -> list[int]:
    # A float may have lost digits, so it is no ID. Each ID once, in order.
    found = (_positive(_whole(value)) for value in values)
    return list(dict.fromkeys(number for number in found if number is not None))


def _positive(number: int | None) -> int | None:
    return number if number is not None and 0 < number <= LONG_MAX else None


def _whole(value: Any) -> int | None:
    if type(value) is int:
        return value
    text = value.strip() if isinstance(value, str) else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= len(str(LONG_MAX)) else None
