"""A sent notification as a draft: what it said and whom it reached, ready to be changed and sent as another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from client.models.notifications import Notification, SentCommunity, SentPublicAlert
from client.vocabulary.limits import LONG_MAX
from components.public_alerts.draft import AlertDraft


def draft_from_sent(notification: Notification) -> AlertDraft:
    """A new draft with everything a sent notification tells; what cannot be read of it is left open.

    Words are taken as they came, even those the interface does not allow: they are pointed out at their fields.
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
    # A float may have lost digits on the way: it is no id. Each once, in their order.
    found = (_positive(_whole(value)) for value in values)
    return list(dict.fromkeys(number for number in found if number is not None))


def _positive(number: int | None) -> int | None:
    return number if number is not None and 0 < number <= LONG_MAX else None


def _whole(value: Any) -> int | None:
    if type(value) is int:
        return value
    text = value.strip() if isinstance(value, str) else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= len(str(LONG_MAX)) else None
