"""The form of an alert: its fields, and what follows in one from another."""

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
from domain.alerts.alert_events import with_usual
from domain.alerts.draft import AlertDraft
from domain.alerts.levels import MEANINGS, TYPE, WHO_RECEIVES_A_TYPE
from domain.alerts.request import zip_flag_is_offered
from domain.forms.form import Choice, Choices, Field, Form, Switch, Text
from domain.text.plain_text import count, plain

EVENTS: Final = tuple(sorted({event for events in EVENTS_BY_CATEGORY.values() for event in events}))
_SMS_HEIGHT: Final = 150
_TEXT_HEIGHT: Final = 110
_JURISDICTIONS: Final = {
    JURISDICTION_SOME: "Some places",
    JURISDICTION_ALL: "ALL of the jurisdiction",
    "": "Nobody by place",
}
_REACH: Final = {
    JURISDICTION_SOME: "The cities, zip codes and counties you choose.",
    JURISDICTION_ALL: "Everybody this organization can warn.",
    "": "Only event groups, if any.",
}
_BETWEEN_DIGITS: Final = re.compile(r"[\s().+\-‐-―−]+")
_SPOKEN: Final = f"{ALERT_PATH}.community"


def is_listed(event: str, category: str) -> bool:
    """Whether the event may be chosen under the category."""
    return event in EVENTS_BY_CATEGORY.get(category, ())


def categories_of(event: str) -> list[str]:
    """The categories that list an event, in the interface's order."""
    return [category for category, events in EVENTS_BY_CATEGORY.items() if event in events]


def phone_digits(typed: str) -> str:
    """The digits of a phone number, as the interface wants them; anything else stays as it was typed."""
    digits = _BETWEEN_DIGITS.sub("", typed)
    if not digits.isascii() or not digits.isdigit():
        return typed
    return digits[1:] if len(digits) == 11 and digits[0] == "1" else digits


def _settled(before: AlertDraft, after: AlertDraft) -> AlertDraft:
    """Give up an event that a new category does not list, and the zip flag where it no longer applies.

    Another event brings what is usual for it; the first its category. Who is warned by place is decided with it too, or
    with the first event group: some places, or nobody.
    """
    if after.category != before.category and not is_listed(after.event, after.category):
        after.event = ""
    if after.event and not after.category:
        after.category = next(iter(categories_of(after.event)), "")
    is_begun = (after.event and not before.event) or (after.groups and not before.groups)
    if is_begun and after.jurisdiction is None:
        after.jurisdiction = "" if after.groups else JURISDICTION_SOME
    if after.event != before.event:
        after = with_usual(after, before=before.event)
    after.zip_to_groups = after.zip_to_groups and zip_flag_is_offered(after)
    return after


def _with_its_meaning(name: str) -> Callable[[str], str]:
    def words(option: str) -> str:
        meaning = MEANINGS[name].get(option)
        return f"{option} · {meaning.short}" if meaning is not None else option

    return words


def _filed(path: str, label: str, wire: str) -> Choice:
    return Choice(
        path,
        label,
        wire=wire,
        none=None,
        numbers=True,
        empty="None",
        help="Optional. It only sorts the notification among those that were sent.",
    )


def _level(path: str, label: str, options: tuple[str, ...]) -> Choice:
    return Choice(
        path,
        label,
        wire=f"{ALERT_PATH}.{path}",
        options=options,
        named=_with_its_meaning(path),
        placeholder=f"Choose the {path}",
    )


ALERT_FORM: Final = Form[AlertDraft](
    "public_alert",
    Text("title", "Title", wire="message.title", placeholder="Optional"),
    Text("text", "Text", wire="message.textMessage", lines=_TEXT_HEIGHT, placeholder="Optional"),
    _filed("notification_event_id", "Notification event", "notificationEventId"),
    _filed("category_id", "Notification category", "categoryId"),
    Choice(
        "category",
        "Category",
        wire=f"{ALERT_PATH}.category",
        options=tuple(CATEGORIES),
        named=_with_its_meaning("category"),
        placeholder="What kind of event",
    ),
    Choice(
        "event",
        "Event",
        wire=f"{ALERT_PATH}.event",
        options=lambda draft: EVENTS_BY_CATEGORY[draft.category] if draft.category in CATEGORIES else EVENTS,
        placeholder=lambda draft: "Choose what happens" if draft.category else "Of any category",
    ),
    _level("urgency", "Urgency", tuple(URGENCIES)),
    _level("severity", "Severity", tuple(SEVERITIES)),
    _level("certainty", "Certainty", tuple(CERTAINTIES)),
    Choice(
        "hours",
        "Ends after",
        wire=f"{ALERT_PATH}.expire",
        options=tuple(EXPIRE_HOURS),
        named=lambda hours: count(hours, "hour", "hours"),
        none=None,
        numbers=True,
        placeholder=f"{EXPIRE_HOURS[0]} to {EXPIRE_HOURS[-1]} hours",
    ),
    Switch(
        "goes_on",
        "Remind the desk before it ends",
        box=True,
        help="For what will go on longer: 30 minutes before the end every screen of the organization says so.",
    ),
    Text(
        "sms",
        "Text message",
        wire=f"{ALERT_PATH}.smsMessage",
        lines=_SMS_HEIGHT,
        placeholder="Who says it, what happens, where, what to do, until when.",
    ),
    Text(
        "instructions",
        "Instructions",
        wire=f"{ALERT_PATH}.instructions",
        lines=_TEXT_HEIGHT,
        placeholder="Optional: what people should do, in more words than fit into the message.",
    ),
    Choice(
        "type",
        "Type",
        wire=f"{ALERT_PATH}.type",
        options=tuple(TYPES),
        named=lambda number: TYPES.get(number, f"Type {number}"),
        captions=TYPE,
        none=None,
        numbers=True,
        looks="radio",
        help=WHO_RECEIVES_A_TYPE,
    ),
    Choices(
        "groups",
        "Event groups",
        wire=f"{ALERT_PATH}.eventGroups",
        numbers=True,
        help="Optional. Subscribers of these groups, wherever they are.",
    ),
    Text("contact_name", "Contact name", wire=f"{_SPOKEN}.contactName", placeholder="Emergency desk"),
    Text("contact_email", "E-mail", wire=f"{_SPOKEN}.contactEmail", placeholder="desk@city.example"),
    Text(
        "contact_division",
        "Division",
        wire=f"{_SPOKEN}.contactDivision",
        placeholder="Office of Emergency Management",
    ),
    Text(
        "contact_phone",
        "Phone",
        wire=f"{_SPOKEN}.contactPhone",
        placeholder="311 or 303-555-0123",
        help="Three or ten digits. Dashes, blanks, brackets and a leading 1 are left out when it is sent.",
        clean=phone_digits,
    ),
    Choice(
        "jurisdiction",
        "Who is warned, by place",
        wire=f"{_SPOKEN}.jurisdictionType",
        options=tuple(_JURISDICTIONS),
        named=lambda word: _JURISDICTIONS.get(word) or f"{plain(f'“{word}”')}, which is not allowed",
        captions=_REACH,
        none=None,
        looks="radio",
    ),
    # The region picker writes them into the draft.
    Field("regions", "Places", wire=f"{_SPOKEN}.regionIds"),
    Switch(
        "zip_to_groups",
        "Apply the zip codes to the event groups",
        wire=f"{ALERT_PATH}.applyZipCodeToEventGroups",
        applies=zip_flag_is_offered,
        box=True,
        help="Of the event groups, only those in the zip codes chosen.",
    ),
    marks={"message": "text"},
    settle=_settled,
)
LABELS: Final = {field.path: str(field.label) for field in ALERT_FORM.own.fields}
"""What each field is called on the screen."""


def differs_beyond_its_text(one: AlertDraft, other: AlertDraft) -> bool:
    """Whether more differs than the text and the instructions, which are drawn apart from the rest of the page."""
    of_the_text = {"sms", "instructions", "written_at"}
    return one.model_dump(exclude=of_the_text) != other.model_dump(exclude=of_the_text)
