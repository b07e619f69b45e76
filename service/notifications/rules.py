"""Every rule of a public alert's field table, and the few that are known of the notification around it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from client.vocabulary.notifications import LAUNCH_TYPES, NOTIFICATION_TYPES
from client.vocabulary.public_alerts import (
    ACTION_CREATE,
    CATEGORIES,
    CERTAINTIES,
    CONTACT_PHONE_LENGTHS,
    EVENTS_BY_CATEGORY,
    EXPIRE_HOURS,
    JURISDICTIONS,
    SEVERITIES,
    TYPES,
    URGENCIES,
)
from service.bodies import empty_field, invalid_field, read_body
from service.notifications.models import Community, Notification, PublicAlert

ALERT = "publicMessages.publicAlertMessage"
DEFAULT_TYPE = NOTIFICATION_TYPES[0]
DEFAULT_LAUNCH_TYPE = LAUNCH_TYPES[0]
HOUR_MS = 3_600_000
# ASSUMPTION A124: a notification without a public alert is in progress for an hour.
HOURS_WITHOUT_ALERT = 1


def accept(body: Any) -> Notification:
    """The notification in a body; 400 names the first field that breaks a rule. Ids are looked up by `check_ids`."""
    notification = read_body(Notification, body)
    message = notification.message
    says_something = message is not None and (message.title or message.text_message)
    if notification.public_alert is None and not says_something:
        # ASSUMPTION A125: a notification has a message with a title or a text, or a public alert, or both.
        raise empty_field("message")
    _check_choice("type", notification.type, NOTIFICATION_TYPES)
    _check_choice("launchtype", notification.launchtype, LAUNCH_TYPES)
    if notification.public_alert is not None:
        _check_alert(notification.public_alert)
    return notification


def check_ids(
    notification: Notification,
    *,
    event_groups: Collection[int],
    regions: Collection[int],
    is_event: Callable[[int], bool],
    is_category: Callable[[int], bool],
) -> None:
    """Refuse ids that the lookups do not offer, and events and categories that do not exist."""
    if notification.notification_event_id is not None and not is_event(notification.notification_event_id):
        raise invalid_field("notificationEventId", "there is no such notification event")
    if notification.category_id is not None and not is_category(notification.category_id):
        raise invalid_field("categoryId", "there is no such notification category")
    alert = notification.public_alert
    if alert is None:
        return
    _check_offered(f"{ALERT}.community.regionIds", alert.region_ids, regions, "region")
    _check_offered(f"{ALERT}.eventGroups", alert.event_groups or (), event_groups, "event group")


def to_document(notification: Notification) -> dict[str, Any]:
    """What is kept of a notification, and answered."""
    document = notification.model_dump(by_alias=True, exclude_none=True, exclude={"public_messages"})
    # Broadcast data go back as they came, with what is null in them.
    for name, given in (
        ("broadcastContacts", notification.broadcast_contacts),
        ("broadcastSettings", notification.broadcast_settings),
    ):
        if given is not None:
            document[name] = given
    # ASSUMPTION A126: type and launchtype are Standard and SendNow where they are not said.
    document.setdefault("type", DEFAULT_TYPE)
    document.setdefault("launchtype", DEFAULT_LAUNCH_TYPE)
    alert = notification.public_alert
    if alert is not None:
        kept = alert.model_dump(by_alias=True, exclude_none=True)
        kept.setdefault("applyZipCodeToEventGroups", False)
        document["publicMessages"] = {"publicAlertMessage": kept}
    return document


def ends_at(notification: Notification, created_at: int) -> int:
    """When it is completed, in epoch milliseconds: with its public alert, which ends after `expire` hours."""
    alert = notification.public_alert
    hours = int(alert.expire) if alert is not None and alert.expire is not None else HOURS_WITHOUT_ALERT
    return created_at + hours * HOUR_MS


def _check_alert(alert: PublicAlert) -> None:
    category = _require_choice(f"{ALERT}.category", alert.category, CATEGORIES)
    events = EVENTS_BY_CATEGORY[category]
    if alert.event is None:
        raise empty_field(f"{ALERT}.event")
    if alert.event not in events:
        raise invalid_field(f"{ALERT}.event", f"the events of {category} are {', '.join(events)}")
    _require_choice(f"{ALERT}.urgency", alert.urgency, URGENCIES)
    _require_choice(f"{ALERT}.severity", alert.severity, SEVERITIES)
    _require_choice(f"{ALERT}.certainty", alert.certainty, CERTAINTIES)
    _require_choice(f"{ALERT}.expire", alert.expire, [str(hours) for hours in EXPIRE_HOURS])
    if alert.sms_message is None:
        raise empty_field(f"{ALERT}.smsMessage")
    _require_choice(f"{ALERT}.action", alert.action, (ACTION_CREATE,))
    if alert.type is None:
        raise empty_field(f"{ALERT}.type")
    if alert.type not in TYPES:
        raise invalid_field(f"{ALERT}.type", f"it is one of {', '.join(map(str, TYPES))}")
    has_community = alert.community is not None and alert.community.has_values
    if alert.apply_zip_code_to_event_groups and not (has_community and alert.event_groups):
        raise invalid_field(
            f"{ALERT}.applyZipCodeToEventGroups", "it can be true only when both community and eventGroups have values"
        )
    if alert.community is not None:
        _check_community(f"{ALERT}.community", alert.community)


def _check_community(path: str, community: Community) -> None:
    phone = community.contact_phone
    if phone is not None and not (phone.isascii() and phone.isdigit() and len(phone) in CONTACT_PHONE_LENGTHS):
        lengths = " or ".join(str(length) for length in CONTACT_PHONE_LENGTHS)
        raise invalid_field(f"{path}.contactPhone", f"it is {lengths} digits")
    _check_choice(f"{path}.jurisdictionType", community.jurisdiction_type, JURISDICTIONS)


def _require_choice(path: str, value: str | None, allowed: Sequence[str]) -> str:
    if value is None:
        raise empty_field(path)
    _check_choice(path, value, allowed)
    return value


def _check_choice(path: str, value: str | None, allowed: Sequence[str]) -> None:
    if value is not None and value not in allowed:
        raise invalid_field(path, f"it is one of {', '.join(allowed)}" if len(allowed) > 1 else f"it is {allowed[0]}")


def _check_offered(path: str, ids: Sequence[int], offered: Collection[int], what: str) -> None:
    for index, number in enumerate(ids):
        if number not in offered:
            raise invalid_field(f"{path}[{index}]", f"the lookup offers no {what} with id {number}")
