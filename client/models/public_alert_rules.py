"""The rules that a public alert must follow, as messages for people."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import FieldError
from ..vocabulary.limits import LONG_MAX
from ..vocabulary.notifications import LAUNCH_TYPES, NOTIFICATION_TYPES
from ..vocabulary.public_alerts import (
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

if TYPE_CHECKING:
    from .notifications import Community, NotificationRequest, PublicAlert

ALERT_PATH = "publicMessages.publicAlertMessage"

_EXPIRIES = frozenset(str(hours) for hours in EXPIRE_HOURS)


@dataclass(frozen=True, slots=True)
class Offered:
    """The IDs of event groups and regions that the lookups currently offer."""

    event_group_ids: Collection[int]
    region_ids: Collection[int]


def notification_problems(notification: "NotificationRequest", *, offered: Offered | None = None) -> list[FieldError]:
    """Return what keeps this notification and its public alert from being sent; empty if nothing does."""
    return list(_notification_problems(notification, offered))


def public_alert_problems(
    alert: "PublicAlert", offered: Offered | None = None, *, path: str = ALERT_PATH
) -> list[FieldError]:
    """Return what keeps this alert from being sent; empty if nothing does.

    Fields are paths in the interface's names below `path`. If `offered` is given, IDs of groups and regions must be in
    it (interface: Public-alert message).
    """
    return list(_alert_problems(f"{path}." if path else "", alert, offered))


def _notification_problems(notification: "NotificationRequest", offered: Offered | None) -> Iterator[FieldError]:
    message = notification.message
    says_something = message is not None and bool(message.to_wire())
    if notification.public_alert is None and not says_something:
        yield FieldError("message", "Enter a message or a public alert.")
    for name, value, allowed in (
        ("type", notification.type, NOTIFICATION_TYPES),
        ("launchtype", notification.launchtype, LAUNCH_TYPES),
    ):
        if value is not None and value not in allowed:
            yield FieldError(name, f"Select {_one_of(allowed)}.")
    for name, number in (
        ("notificationEventId", notification.notification_event_id),
        ("categoryId", notification.category_id),
    ):
        if number is not None and not 0 < number <= LONG_MAX:
            yield FieldError(name, f"“{number}” is not a valid ID. IDs are whole numbers above 0.")
    if notification.public_alert is not None:
        yield from public_alert_problems(notification.public_alert, offered)


def _alert_problems(path: str, alert: "PublicAlert", offered: Offered | None) -> Iterator[FieldError]:
    yield from _choice_problem(f"{path}category", alert.category, CATEGORIES, "a category")
    events = EVENTS_BY_CATEGORY.get(alert.category or "")
    if not _is_text(alert.event):
        yield FieldError(f"{path}event", "Select the alert event.")
    elif events is not None and alert.event not in events:
        yield FieldError(f"{path}event", f"“{alert.event}” is not an event of the category {alert.category}.")
    elif events is None and not any(alert.event in known for known in EVENTS_BY_CATEGORY.values()):
        yield FieldError(f"{path}event", f"“{alert.event}” is not an event of any category.")
    yield from _choice_problem(f"{path}urgency", alert.urgency, URGENCIES, "an urgency")
    yield from _choice_problem(f"{path}severity", alert.severity, SEVERITIES, "a severity")
    yield from _choice_problem(f"{path}certainty", alert.certainty, CERTAINTIES, "a certainty")
    if alert.expire not in _EXPIRIES:
        yield FieldError(f"{path}expire", f"Enter {EXPIRE_HOURS[0]} to {EXPIRE_HOURS[-1]} hours.")
    if not _is_text(alert.sms_message):
        yield FieldError(f"{path}smsMessage", "Enter the text message.")
    if alert.action != ACTION_CREATE:
        yield FieldError(f"{path}action", f"The only accepted action is “{ACTION_CREATE}”.")
    if alert.type not in TYPES:
        kinds = [f"{name} ({number})" for number, name in TYPES.items()]
        yield FieldError(f"{path}type", f"Select the type: {_one_of(kinds)}.")
    has_community = alert.community is not None and alert.community.has_values
    if alert.apply_zip_code_to_event_groups and not (has_community and alert.event_groups):
        yield FieldError(
            f"{path}applyZipCodeToEventGroups",
            "ZIP codes can apply to event groups only if the alert has both a community and event groups.",
        )
    if alert.community is not None:
        yield from _community_problems(f"{path}community.", alert.community, offered)
    known_groups = None if offered is None else offered.event_group_ids
    yield from _id_problems(f"{path}eventGroups", alert.event_groups, known_groups, "event group")


def _community_problems(path: str, community: "Community", offered: Offered | None) -> Iterator[FieldError]:
    phone = community.contact_phone
    if phone and not (phone.isascii() and phone.isdigit() and len(phone) in CONTACT_PHONE_LENGTHS):
        lengths = " or ".join(str(length) for length in CONTACT_PHONE_LENGTHS)
        yield FieldError(f"{path}contactPhone", f"Write the number as {lengths} digits without other characters.")
    if community.jurisdiction_type and community.jurisdiction_type not in JURISDICTIONS:
        yield FieldError(f"{path}jurisdictionType", f"Select {_one_of(JURISDICTIONS)}.")
    known = None if offered is None else offered.region_ids
    yield from _id_problems(f"{path}regionIds", community.region_ids, known, "region")


def _id_problems(path: str, ids: list[int] | None, offered: Collection[int] | None, kind: str) -> Iterator[FieldError]:
    for index, number in enumerate(ids or []):
        if not 0 < number <= LONG_MAX:
            yield FieldError(f"{path}[{index}]", f"“{number}” is not a valid ID. IDs are above 0.")
        elif offered is not None and number not in offered:
            yield FieldError(f"{path}[{index}]", f"The service has no {kind} with the ID {number}.")


def _choice_problem(path: str, value: str | None, allowed: Sequence[str], what: str) -> Iterator[FieldError]:
    if not _is_text(value):
        yield FieldError(path, f"Select {what}.")
    elif value not in allowed:
        yield FieldError(path, f"“{value}” is not one of {_one_of(allowed)}.")


def _is_text(value: str | None) -> bool:
    return bool((value or "").strip())


def _one_of(words: Sequence[str]) -> str:
    return ", ".join(words[:-1]) + " or " + words[-1] if len(words) > 1 else words[0]
