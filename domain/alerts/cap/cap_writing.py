"""Write an alert as a CAP 1.2 document. What has no CAP element is written as Muster's own parameters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from client.vocabulary.public_alerts import CERTAINTIES, EXPIRE_HOURS, JURISDICTION_ALL, SEVERITIES, URGENCIES
from domain.alerts.alert_events import same_code_of
from domain.alerts.draft import ALL_CLEAR, FALSE_ALARM, SECOND_LANGUAGE, AlertDraft
from domain.alerts.wording.orders_in_text import AVOID, BOIL, DO_NOT_USE, GET_READY, LEAVE, STAY, find_orders
from domain.alerts.wording.text_language import find_language

NAMESPACE: Final = "urn:oasis:names:tc:emergency:cap:1.2"
OWN: Final = "muster:"
"""The prefix of the parameters for what has no CAP element."""
REGION: Final = f"{OWN}regionId"
COUNTY_KINDS: Final = ("FIPS6", "SAME")
"""The kinds of codes of counties that Muster writes."""

# "Execute" stands for a measure that the instructions describe.
_RESPONSES: Final = {
    LEAVE: "Evacuate",
    GET_READY: "Prepare",
    STAY: "Shelter",
    AVOID: "Avoid",
    BOIL: "Execute",
    DO_NOT_USE: "Avoid",
}
# XML 1.0 cannot represent these.
_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NO_NAME: Final = re.compile(r"[\s,<&]+")


@dataclass(frozen=True)
class Issue:
    """The identity of a document: its identifier, who issues it, and when.

    `is_sent` is False for a draft. `references` names the alert that this one follows, in CAP's form: sender,
    identifier, time.
    """

    identifier: str
    sender: str
    sent: datetime
    is_sent: bool = True
    references: str = ""


class CapArea(NamedTuple):
    """One `<area>` of a CAP alert: polygons and circles as texts, and codes by their type."""

    name: str
    polygons: tuple[str, ...] = ()
    circles: tuple[str, ...] = ()
    codes: tuple[tuple[str, str], ...] = ()


def to_cap(draft: AlertDraft, issue: Issue, areas: Mapping[int, CapArea] | None = None) -> str:
    """Return the CAP 1.2 document of an alert.

    `areas` has the areas of its regions by ID. Missing required values are written as CAP's *Unknown*, or empty.
    """
    # ASSUMPTION A454: the interface knows nothing of CAP. The text message is its description, the title its headline,
    # the hours its expiry; type, groups, jurisdiction and filing stand in parameters that only Muster reads.
    root = Element("alert", {"xmlns": NAMESPACE})
    _add(root, "identifier", _NO_NAME.sub("-", issue.identifier))
    _add(root, "sender", _NO_NAME.sub("-", issue.sender))
    _add(root, "sent", cap_moment(issue.sent))
    _add(root, "status", "Draft" if not issue.is_sent else "Test" if draft.is_test else "Actual")
    goes_on = draft.follow_up not in ("", SECOND_LANGUAGE)
    _add(root, "msgType", "Cancel" if draft.follow_up == FALSE_ALARM else "Update" if goes_on else "Alert")
    _add(root, "source", "Muster")
    _add(root, "scope", "Public")
    if issue.references:
        _add(root, "references", issue.references)
    info = SubElement(root, "info")
    _add(info, "language", find_language(draft.sms))
    _add(info, "category", draft.category or "Other")
    _add(info, "event", draft.event)
    for response in _response_types(draft):
        _add(info, "responseType", response)
    for name, allowed in (("urgency", URGENCIES), ("severity", SEVERITIES), ("certainty", CERTAINTIES)):
        word = getattr(draft, name)
        _add(info, name, word if word in allowed else "Unknown")
    _pair(info, "eventCode", "SAME", same_code_of(draft.event))
    if draft.hours in EXPIRE_HOURS and draft.hours is not None:
        _add(info, "expires", cap_moment(issue.sent + timedelta(hours=draft.hours)))
    contact = (draft.contact_name, draft.contact_email, draft.contact_phone)
    for name, text in (
        ("senderName", draft.contact_division),
        ("headline", draft.title),
        ("description", draft.sms),
        ("instruction", draft.instructions),
        ("contact", " · ".join(part for part in contact if part)),
    ):
        if text:
            _add(info, name, text)
    for name, value in _own(draft):
        _pair(info, "parameter", f"{OWN}{name}", value)
    _areas(info, draft, areas or {})
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _response_types(draft: AlertDraft) -> list[str]:
    """Return CAP's words for what the texts tell people to do, each once."""
    if draft.is_test:
        return ["None"]
    if draft.follow_up in (ALL_CLEAR, FALSE_ALARM):
        return ["AllClear"]
    orders = [order for text in (draft.sms, draft.instructions) for order in find_orders(text)]
    return list(dict.fromkeys(_RESPONSES[order.kind] for order in orders if order.kind in _RESPONSES))


def _own(draft: AlertDraft) -> list[tuple[str, str]]:
    """Return the names and texts of the parameters that CAP has no element for, one per ID."""
    given = [
        ("type", draft.type),
        ("jurisdictionType", draft.jurisdiction),
        ("text", draft.text),
        ("notificationEventId", draft.notification_event_id),
        ("categoryId", draft.category_id),
        ("contactName", draft.contact_name),
        ("contactEmail", draft.contact_email),
        ("contactPhone", draft.contact_phone),
        *(("eventGroup", group) for group in draft.groups),
        ("zipToGroups", "true" if draft.zip_to_groups else ""),
        ("goesOn", "true" if draft.goes_on else ""),
    ]
    return [(name, str(value)) for name, value in given if value not in ("", None)]


def _areas(info: Element, draft: AlertDraft, known: Mapping[int, CapArea]) -> None:
    if draft.jurisdiction == JURISDICTION_ALL:
        _add(SubElement(info, "area"), "areaDesc", "Entire jurisdiction")
    for region in draft.regions:
        area, found = SubElement(info, "area"), known.get(region, CapArea(f"Region {region}"))
        _add(area, "areaDesc", found.name)
        for name, shapes in (("polygon", found.polygons), ("circle", found.circles)):
            for each in shapes:
                _add(area, name, each)
        for kind, code in (*found.codes, (REGION, str(region))):
            _pair(area, "geocode", kind, code)


def _pair(parent: Element, name: str, key: str, value: str) -> None:
    pair = SubElement(parent, name)
    _add(pair, "valueName", key)
    _add(pair, "value", value)


def _add(parent: Element, name: str, text: str) -> None:
    SubElement(parent, name).text = _NO_XML.sub("", text)


def cap_moment(at: datetime) -> str:
    """Format a time for CAP."""
    # CAP 1.2, 3.3.2: no fractions, and UTC is written as -00:00.
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%S}-00:00"
