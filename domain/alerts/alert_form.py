"""The form of an alert: its fields, and how one field changes others."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from client.models.public_alert_rules import ALERT_PATH
from client.vocabulary.public_alerts import (
    CATEGORIES,
    CERTAINTIES,
    EVENTS_BY_CATEGORY,
    EXPIRE_HOURS,
    JURISDICTION_ALL,
    JURISDICTION_SOME,
    SEVERITIES,
    TYPES,
    URGENCIES,
)
from domain.alerts.alert_events import with_usual_levels
from domain.alerts.draft import AlertDraft
from domain.alerts.levels import MEANINGS, TYPE, WHO_RECEIVES_A_TYPE
from domain.alerts.request import zip_flag_is_offered
from domain.forms.form import Choice, Choices, Field, Form, Switch, Text
from domain.text.plain_text import count, plain

EVENTS: Final = tuple(sorted({event for events in EVENTS_BY_CATEGORY.values() for event in events}))
_SMS_HEIGHT: Final = 150
_TEXT_HEIGHT: Final = 110
_JURISDICTIONS: Final = {
    JURISDICTION_SOME: "Selected places",
    JURISDICTION_ALL: "Entire jurisdiction",
    "": "No places",
}
_REACH: Final = {
    JURISDICTION_SOME: "The cities, ZIP codes, and counties you select.",
    JURISDICTION_ALL: "Everyone this organization can alert.",
    "": "Only event groups, if any.",
}
MAX_LENGTHS: Final = {
    **dict.fromkeys(("contact_name", "contact_email", "contact_division", "contact_phone"), 200),
    "title": 200,
    "text": 5_000,
    "sms": 2_000,
    "instructions": 5_000,
}
"""The most characters of each text. Longer texts are not read by people, and slow down the checks."""
_BETWEEN_DIGITS: Final = re.compile(r"[\s().+\-‐-―−]+")
_SPOKEN: Final = f"{ALERT_PATH}.community"


def is_listed(event: str, category: str) -> bool:
    """Return whether a category lists an event."""
    return event in EVENTS_BY_CATEGORY.get(category, ())


def categories_of(event: str) -> list[str]:
    """Return the categories that list an event, in the interface's order."""
    return [category for category, events in EVENTS_BY_CATEGORY.items() if event in events]


def phone_digits(typed: str) -> str:
    """Return the digits of a phone number as the interface requires them. Other text is returned unchanged."""
    digits = _BETWEEN_DIGITS.sub("", typed)
    if not digits.isascii() or not digits.isdigit():
        return typed
    return digits[1:] if len(digits) == 11 and digits[0] == "1" else digits


def _settled(before: AlertDraft, after: AlertDraft) -> AlertDraft:
    """Return the draft after a change, with the fields that depend on it.

    An event that the new category does not list is cleared, and so is a ZIP code option that no longer applies. A new
    event brings its usual levels, and the first one its category. The first event or event group also sets the
    jurisdiction, to selected places or to none.
    """
    if after.category != before.category and not is_listed(after.event, after.category):
        after.event = ""
    if after.event and not after.category:
        after.category = next(iter(categories_of(after.event)), "")
    is_begun = (after.event and not before.event) or (after.groups and not before.groups)
    if is_begun and after.jurisdiction is None:
        after.jurisdiction = "" if after.groups else JURISDICTION_SOME
    if after.event != before.event:
        after = with_usual_levels(after, previous_event=before.event)
    after.zip_to_groups = after.zip_to_groups and zip_flag_is_offered(after)
    return after


def _with_its_meaning(name: str) -> Callable[[str], str]:
    def words(option: str) -> str:
        meaning = MEANINGS[name].get(option)
        return f"{option} · {meaning.short}" if meaning is not None else option

    return words


def _filed(path: str, label: str, path_in_request: str) -> Choice:
    return Choice(
        path,
        label,
        payload_path=path_in_request,
        none_value=None,
        is_numeric=True,
        empty_label="None",
        help="Optional. Groups the notification in the list of sent notifications.",
    )


def _level(path: str, label: str, options: tuple[str, ...]) -> Choice:
    return Choice(
        path,
        label,
        payload_path=f"{ALERT_PATH}.{path}",
        options=options,
        labels=_with_its_meaning(path),
        placeholder=f"Select the {path}",
    )


ALERT_FORM: Final = Form[AlertDraft](
    "public_alert",
    Text("title", "Title", max_length=MAX_LENGTHS["title"], payload_path="message.title", placeholder="Optional"),
    Text(
        "text",
        "Text",
        max_length=MAX_LENGTHS["text"],
        payload_path="message.textMessage",
        height=_TEXT_HEIGHT,
        placeholder="Optional",
    ),
    _filed("notification_event_id", "Notification event", "notificationEventId"),
    _filed("category_id", "Notification category", "categoryId"),
    Choice(
        "category",
        "Category",
        payload_path=f"{ALERT_PATH}.category",
        options=tuple(CATEGORIES),
        labels=_with_its_meaning("category"),
        placeholder="Select a category",
    ),
    Choice(
        "event",
        "Event",
        payload_path=f"{ALERT_PATH}.event",
        options=lambda draft: EVENTS_BY_CATEGORY[draft.category] if draft.category in CATEGORIES else EVENTS,
        placeholder=lambda draft: "Select an event" if draft.category else "Any category",
    ),
    _level("urgency", "Urgency", tuple(URGENCIES)),
    _level("severity", "Severity", tuple(SEVERITIES)),
    _level("certainty", "Certainty", tuple(CERTAINTIES)),
    Choice(
        "hours",
        "Ends after",
        payload_path=f"{ALERT_PATH}.expire",
        options=tuple(EXPIRE_HOURS),
        labels=lambda hours: count(hours, "hour", "hours"),
        none_value=None,
        is_numeric=True,
        placeholder=f"{EXPIRE_HOURS[0]} to {EXPIRE_HOURS[-1]} hours",
    ),
    Switch(
        "goes_on",
        "Remind us before this alert ends",
        is_checkbox=True,
        help="Shows a reminder on every screen of your organization, starting 30 minutes before the end.",
    ),
    Text(
        "sms",
        "Text message",
        max_length=MAX_LENGTHS["sms"],
        payload_path=f"{ALERT_PATH}.smsMessage",
        height=_SMS_HEIGHT,
        placeholder="Sender, hazard, place, what to do, and end time",
    ),
    Text(
        "instructions",
        "Instructions",
        max_length=MAX_LENGTHS["instructions"],
        payload_path=f"{ALERT_PATH}.instructions",
        height=_TEXT_HEIGHT,
        placeholder="Optional. More details on what people should do.",
    ),
    Choice(
        "type",
        "Type",
        payload_path=f"{ALERT_PATH}.type",
        options=tuple(TYPES),
        labels=lambda number: TYPES.get(number, f"Type {number}"),
        captions=TYPE,
        none_value=None,
        is_numeric=True,
        style="radio",
        help=WHO_RECEIVES_A_TYPE,
    ),
    Choices(
        "groups",
        "Event groups",
        payload_path=f"{ALERT_PATH}.eventGroups",
        is_numeric=True,
        help="Optional. Subscribers of these groups, wherever they are.",
    ),
    Text(
        "contact_name",
        "Contact name",
        max_length=MAX_LENGTHS["contact_name"],
        payload_path=f"{_SPOKEN}.contactName",
        placeholder="Emergency operations",
    ),
    Text(
        "contact_email",
        "Email",
        max_length=MAX_LENGTHS["contact_email"],
        payload_path=f"{_SPOKEN}.contactEmail",
        placeholder="alerts@city.example",
    ),
    Text(
        "contact_division",
        "Division",
        max_length=MAX_LENGTHS["contact_division"],
        payload_path=f"{_SPOKEN}.contactDivision",
        placeholder="Office of Emergency Management",
    ),
    Text(
        "contact_phone",
        "Phone",
        max_length=MAX_LENGTHS["contact_phone"],
        payload_path=f"{_SPOKEN}.contactPhone",
        placeholder="311 or 303-555-0123",
        help="3 or 10 digits. Muster removes dashes, spaces, parentheses, and a leading 1.",
        clean=phone_digits,
    ),
    Choice(
        "jurisdiction",
        "Recipients by place",
        payload_path=f"{_SPOKEN}.jurisdictionType",
        options=tuple(_JURISDICTIONS),
        labels=lambda word: _JURISDICTIONS.get(word) or f"{plain(f'“{word}”')} (not allowed)",
        captions=_REACH,
        none_value=None,
        style="radio",
    ),
    # The region picker writes them into the draft.
    Field("regions", "Places", payload_path=f"{_SPOKEN}.regionIds"),
    Switch(
        "zip_to_groups",
        "Apply ZIP codes to event groups",
        payload_path=f"{ALERT_PATH}.applyZipCodeToEventGroups",
        applies=zip_flag_is_offered,
        is_checkbox=True,
        help="Only subscribers of the event groups in the selected ZIP codes receive the alert.",
    ),
    error_places={"message": "text"},
    after_change=_settled,
)
LABELS: Final = {field.path: str(field.label) for field in ALERT_FORM.root.fields}
"""The labels of the fields."""


def differs_beyond_its_text(one: AlertDraft, other: AlertDraft) -> bool:
    """Return whether anything but the text and the instructions differs. These are drawn by a fragment of the page."""
    of_the_text = {"sms", "instructions", "written_at"}
    return one.model_dump(exclude=of_the_text) != other.model_dump(exclude=of_the_text)
