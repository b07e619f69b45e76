"""Between the draft and the values of the fields on the screen, each known by a key made of the draft and its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from client.vocabulary.public_alerts import EVENTS_BY_CATEGORY
from components.public_alerts.draft import AlertDraft
from components.public_alerts.request import zip_flag_is_offered

PREFIX: Final = "public_alert"
CONTACT: Final = ("contact_name", "contact_email", "contact_division", "contact_phone")
TEXTS: Final = ("title", "text", "sms", "instructions", *CONTACT)
WORDS: Final = ("category", "event", "urgency", "severity", "certainty")
IDS: Final = ("notification_event_id", "category_id")
NUMBERS: Final = ("hours", "type", *IDS)
NOTHING: Final = 0
"""What stands in a pick list of ids where none is chosen: ids are above 0."""
LISTS: Final = ("groups",)
FLAGS: Final = ("zip_to_groups",)
FIELDS: Final = (*TEXTS, *WORDS, *NUMBERS, *LISTS, *FLAGS)
LABELS: Final = {
    "title": "Title",
    "text": "Text",
    "notification_event_id": "Notification event",
    "category_id": "Notification category",
    "category": "Category",
    "event": "Event",
    "urgency": "Urgency",
    "severity": "Severity",
    "certainty": "Certainty",
    "hours": "Ends after",
    "sms": "Text message",
    "instructions": "Instructions",
    "type": "Type",
    "groups": "Event groups",
    "contact_name": "Contact name",
    "contact_email": "E-mail",
    "contact_division": "Division",
    "contact_phone": "Phone",
    "jurisdiction": "Who is warned, by place",
    "regions": "Places",
    "zip_to_groups": "Zip codes",
}
"""What each field is called on the screen."""
_STANDING: Final = frozenset({"stage", "checked", "refused"})


def field_key(draft: AlertDraft, name: str) -> str:
    """The key of a field's widget: of which draft, and which field of it."""
    return f"{PREFIX}/{draft.uid}/{name}"


def shown(draft: AlertDraft, name: str) -> Any:
    """What a field's widget shows for the draft's value: None where a choice has not been made."""
    value = getattr(draft, name)
    if name in WORDS:
        return value or None
    return list(value) if name in LISTS else value


def absorb(draft: AlertDraft, values: Mapping[str, Any]) -> AlertDraft:
    """The draft with everything that stands in the fields now; a field that is not on the screen keeps its value.

    Places and jurisdiction are no such fields: the region picker writes them into the draft itself.
    An event that the new category does not list is given up, and the zip flag where it no longer applies.
    """
    taken = {
        name: _read(name, values[key])
        for name in FIELDS
        if (key := field_key(draft, name)) in values and _is_readable(name, values[key])
    }
    category = taken.get("category", draft.category)
    if category != draft.category and not is_listed(taken.get("event", draft.event), category):
        taken["event"] = ""
    absorbed = draft.model_copy(update=taken)
    if absorbed.zip_to_groups and not zip_flag_is_offered(absorbed):
        absorbed.zip_to_groups = False
    return absorbed


def same_content(one: AlertDraft, other: AlertDraft) -> bool:
    """Whether two drafts hold the same alert; where the person stands with it does not count."""
    return one.model_dump(exclude=set(_STANDING)) == other.model_dump(exclude=set(_STANDING))


def differs_beyond_its_text(one: AlertDraft, other: AlertDraft) -> bool:
    """Whether more differs than the text and the instructions, which are drawn apart from the rest of the page."""
    return one.model_dump(exclude={"sms", "instructions"}) != other.model_dump(exclude={"sms", "instructions"})


def is_untouched(draft: AlertDraft) -> bool:
    """Whether nothing has been given yet."""
    return same_content(draft, AlertDraft(uid=draft.uid))


def is_listed(event: str, category: str) -> bool:
    """Whether the event may be chosen under the category."""
    return event in EVENTS_BY_CATEGORY.get(category, ())


def categories_of(event: str) -> list[str]:
    """The categories that list an event, in the interface's order."""
    return [category for category, events in EVENTS_BY_CATEGORY.items() if event in events]


def _is_readable(name: str, value: Any) -> bool:
    # While the names of a list change, a browser may still send a name that stands for no id any more.
    if name in LISTS:
        return all(isinstance(item, int) for item in value or ())
    return name not in NUMBERS or value is None or isinstance(value, int)


def _read(name: str, value: Any) -> Any:
    if name in TEXTS or name in WORDS:
        return "" if value is None else str(value)
    if name in NUMBERS:
        return None if value is None or (name in IDS and value == NOTHING) else int(value)
    return list(value or []) if name in LISTS else bool(value)
