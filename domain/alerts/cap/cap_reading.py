"""Read a CAP document as a draft, and list what the draft cannot hold.

No file is trusted: document types, entities, and external references are refused, and so are large files.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException, ElementTree

from client.vocabulary.public_alerts import (
    CATEGORIES,
    CERTAINTIES,
    EVENTS_BY_CATEGORY,
    EXPIRE_HOURS,
    JURISDICTION_SOME,
    JURISDICTIONS,
    SEVERITIES,
    TYPES,
    URGENCIES,
)
from domain.alerts.alert_events import events_by_code
from domain.alerts.cap.alert_state import (
    AlertState,
    format_moment,
    judge_message,
    judge_time,
    parse_moment,
    read_moment,
)
from domain.alerts.cap.cap_writing import COUNTY_KINDS, OWN, REGION, CapArea
from domain.alerts.cap.html_to_text import empty_if_nothing, html_to_text
from domain.alerts.draft import AlertDraft, CapSource
from domain.alerts.request import zip_flag_is_offered
from domain.alerts.wording.patterns import NOT_A_TEST, TEST_WORD
from domain.text.email_address import find_email_address
from domain.text.plain_text import count, id_in, names

MOST_BYTES: Final = 1_000_000
LONGEST_SMS: Final = 360
"""The most characters of a description that becomes the text message."""
_HOUR: Final = timedelta(hours=1)
_EVENTS: Final = {event.casefold(): event for events in EVENTS_BY_CATEGORY.values() for event in events}
_ENGLISH: Final = re.compile(r"en\b", re.I)
_PHONE: Final = re.compile(r"(?<!\w)(?:\+?1[ .-]?)?\(?\d{3}\)?[ ./-]?\d{3}[ .-]?\d{4}(?!\w)")
_ZIP: Final = re.compile(r"zip|postal", re.I)
_UNUSED: Final = ("responseType", "audience", "effective", "onset", "web")
_COUNTY_CODES: Final = {"same", "fips", "fips5", "fips6", "ugc"}
_OWN_CHOICES: Final = {
    "type": "type",
    "jurisdictionType": "jurisdiction",
    "notificationEventId": "notification event",
    "categoryId": "notification category",
    "eventGroup": "event group",
}
_WIRELESS: Final = ("cmamlongtext", "cmamtext")
_SHOWN: Final = 60


_SENT: Final = "sent"
_EVENT_ENDS: Final = "eventEndingTime"
"""The parameter in which weather offices give the end of the event."""
_OVER: Final = "To tell the public that your alert is over, open it in “Sent” and select “Give all clear”."


class NotCap(Exception):
    """The document cannot be opened as a draft. The message says why."""


class ExpiredCap(NotCap):
    """The alert has expired. Its areas give the time zone in which its end is shown."""

    def __init__(self, expires: datetime, areas: OpenedCap) -> None:
        """Keep the end and the areas, and write the end in UTC."""
        super().__init__(self.describe(format_moment(expires)))
        self.expires, self.areas = expires, areas

    @staticmethod
    def describe(when: str) -> str:
        """Say when it expired, and what to do."""
        return f"This CAP alert expired {when}. Ask its sender for a newer one, or write a new alert."


class CapPart(NamedTuple):
    """One `<info>` of a CAP alert, as the user selects it."""

    event: str
    urgency: str
    severity: str
    certainty: str
    language: str
    areas: tuple[str, ...]
    expires: datetime | None
    states: tuple[AlertState, ...] = ()
    begins: datetime | None = None
    ends: datetime | None = None
    """When the event ends, which can be later than the alert expires."""

    @property
    def is_ended(self) -> bool:
        """Whether the part says that the danger has ended."""
        return any(state.code == "ended" for state in self.states)

    @property
    def is_expired(self) -> bool:
        """Whether the end of the part is over."""
        return any(state.code == "expired" for state in self.states)

    @property
    def label(self) -> str:
        """Return a label: "Tornado Warning · Immediate, Extreme · Rutherford County, TN · en-CA"."""
        event, levels, *rest = self._words
        parts = (event, levels, names([*self.areas], at_most=3), *rest)
        return " · ".join(part for part in parts if part)

    @property
    def kind(self) -> str:
        """Return the label without the areas."""
        return " · ".join(word for word in self._words if word)

    @property
    def _words(self) -> tuple[str, str, str, str]:
        levels = ", ".join(level for level in (self.urgency, self.severity) if level)
        state = "expired" if self.is_expired else "ended" if self.is_ended else ""
        return _short(self.event) or "No event", levels, self.language, state

    @property
    def how_past(self) -> int:
        """Return 0 for a part in force, 1 for an expired one, and 2 for one that says that the danger has ended."""
        return 2 if self.is_ended else 1 if self.is_expired else 0

    @property
    def rank(self) -> tuple[bool, int, int, int, bool]:
        """Return a sort key: active parts first, then the most severe, then English."""
        levels = ((self.severity, SEVERITIES), (self.urgency, URGENCIES), (self.certainty, CERTAINTIES))
        ranks = [list(words).index(word) if word in words else len(words) for word, words in levels]
        is_over = self.is_ended or self.is_expired
        return is_over, ranks[0], ranks[1], ranks[2], not _ENGLISH.match(self.language or "en")


class CodedArea(NamedTuple):
    """The name of an area, and its SAME, FIPS, or UGC codes as written.

    If the area has ZIP codes (`goes_by_zip`), these locate it, and the other codes are only reported.
    """

    name: str
    codes: tuple[str, ...]
    goes_by_zip: bool = False


@dataclass(frozen=True)
class OpenedCap:
    """A draft made of a CAP alert.

    Its areas have yet to be matched to places of the service.
    """

    draft: AlertDraft
    omitted: list[str] = field(default_factory=list)
    """What the document says and the draft cannot hold."""
    places: list[str] = field(default_factory=list)
    """Areas to match by name or ZIP code."""
    coded: list[CodedArea] = field(default_factory=list)
    """Areas to match by code."""
    regions: dict[int, str] = field(default_factory=dict)
    """IDs that Muster wrote, with the names of their areas. They count only if the names still match."""

    @property
    def has_areas(self) -> bool:
        """Whether any area has to be matched."""
        return bool(self.places or self.coded or self.regions)


class JudgedArea(NamedTuple):
    """An area of a CAP alert, and whether its part counts."""

    area: CapArea
    kind: str
    """The event of its part, the levels, and the language."""
    is_over: bool
    """Whether its part has ended or expired, and a part that is more current has not."""
    begins: datetime | None
    ends: datetime | None


def read_cap_areas(data: bytes | str, *, now: datetime | None = None) -> tuple[list[JudgedArea], list[str]]:
    """List the areas of a CAP alert, and what the alert is if it is not a live one in force. Raises `NotCap`.

    An area that several languages repeat is listed once.
    """
    alert, now = _alert(data), now or datetime.now(UTC)
    infos = [(info, _part(alert, info, now)) for info in _infos(alert)]
    best = min(part.how_past for _, part in infos)
    areas: dict[object, JudgedArea] = {}
    for info, part in sorted(infos, key=lambda each: each[1].rank):
        for area in _children(info, "area"):
            drawn = tuple(_texts_in(area, "polygon")), tuple(_texts_in(area, "circle")), tuple(_pairs(area, "geocode"))
            name = _short(_text(area, "areaDesc")) or "Area without a name"
            is_over = part.how_past > best
            judged_area = JudgedArea(CapArea(name, *drawn), part.kind, is_over, part.begins, part.ends)
            areas.setdefault((drawn if any(drawn) else name, is_over), judged_area)
    states = _message_states(alert)
    if best:
        states += next(part.states for _, part in infos if part.how_past == best)
    return list(areas.values()), [state.message for state in states]


def _message_states(alert: Element) -> list[AlertState]:
    return judge_message(*(_text(alert, name) for name in ("status", "msgType", "scope")))


def cap_parts(data: bytes | str, *, now: datetime | None = None) -> list[CapPart]:
    """List the parts of a CAP alert in the order of the document. Raises `NotCap`."""
    alert = _alert(data)
    return [_part(alert, info, now or datetime.now(UTC)) for info in _infos(alert)]


def gravest_part(parts: Sequence[CapPart]) -> int:
    """Return the index of the part to preselect: active, then the most severe, then English."""
    return min(range(len(parts)), key=lambda index: parts[index].rank)


def read_cap(data: bytes | str, *, now: datetime | None = None, part: int | None = None) -> OpenedCap:
    """Read one part of a CAP 1.0, 1.1, or 1.2 alert anywhere in the document.

    `part` is its index, by default that of `gravest_part`. The hours are counted from `now`. Raises `NotCap`, also for
    a message that cancels another and for an expired part: neither is a new alert.
    """
    alert, now = _alert(data), now or datetime.now(UTC)
    omitted: list[str] = []
    infos = _infos(alert)
    parts = [_part(alert, each, now) for each in infos]
    chosen = gravest_part(parts) if part is None else part
    info, about = infos[chosen], parts[chosen]
    states = [*_message_states(alert), *about.states]
    if any(state.code == "cancel" for state in states):
        raise NotCap(f"This CAP alert cancels an earlier one, so Muster cannot import it as a new alert. {_OVER}")
    if about.is_expired and about.expires is not None:
        regions, coded, places = _areas(info, [])
        raise ExpiredCap(about.expires, OpenedCap(AlertDraft(), [], places, coded, regions))
    _of_message(alert, {state.code for state in states}, omitted)
    if len(infos) > 1:
        others = [each.label for index, each in enumerate(parts) if index != chosen]
        omitted.append(f"{count(len(others), 'other part', 'other parts')}: {names(others, at_most=4)}.")
    own = _pairs(info, "parameter", own=True)
    event, category = _event(info, omitted)
    values: dict[str, object] = {"event": event, "category": category}
    for name, allowed in (("urgency", URGENCIES), ("severity", SEVERITIES), ("certainty", CERTAINTIES)):
        # CAP 1.0 uses another word.
        word = _text(info, name).replace("Very Likely", "Likely")
        values[name] = word if word in allowed else ""
        if word and word not in allowed:
            omitted.append(f"The {name} “{_short(word)}” is not allowed.")
    values["hours"] = _hours(_text(info, "expires"), parse_moment(_text(alert, _SENT)), now, omitted)
    values |= _texts(info, is_own=bool(own), omitted=omitted)
    values |= _contact(info, own, omitted)
    values |= _own_values(own, omitted)
    regions, coded, places = _areas(info, omitted)
    is_all = values.get("jurisdiction") not in (None, "", JURISDICTION_SOME)
    if not own and (regions or coded or places):
        values["jurisdiction"] = JURISDICTION_SOME
    omitted += _unknown_parts(info, is_own=bool(own))
    sent = read_moment(_text(alert, _SENT))
    is_live = all(state.code not in ("status", "draft") for state in states)
    note = _short(_text(alert, "note"))
    source = CapSource(
        sender=_plain_text(info, "senderName"),
        sent=sent,
        is_over=about.is_ended,
        status="" if is_live else _short(_text(alert, "status")),
        note=note if TEST_WORD.search(note) and not NOT_A_TEST.search(note) else "",
    )
    draft = AlertDraft(**values, source=source)
    if draft.zip_to_groups and not zip_flag_is_offered(draft.model_copy(update={"regions": list(regions)})):
        draft.zip_to_groups = False
        omitted.append(
            "The setting “Apply ZIP codes to event groups”, because the alert has no places or no event groups."
        )
    if is_all:
        places, coded = [], []
    return OpenedCap(draft, omitted, places, coded, regions)


def _alert(data: bytes | str) -> Element:
    if len(data) > MOST_BYTES:
        raise NotCap(f"The file is larger than {MOST_BYTES // 1_000:,} KB. A CAP alert is usually only a few KB.")
    try:
        root: Element = ElementTree.fromstring(_without_blank_start(data), forbid_dtd=True)
    except DefusedXmlException:
        raise NotCap("The file declares a document type or entities. A CAP file has neither.") from None
    except (ParseError, ValueError, LookupError) as error:
        raise NotCap(f"The file is not valid XML: {error}.") from None
    found = [each for each in root.iter() if _name(each) == "alert" and _children(each, "identifier")]
    if not found:
        raise NotCap("The file has no CAP alert.")
    if len(found) > 1:
        raise NotCap(f"The file has {len(found)} CAP alerts. Import them one at a time.")
    return found[0]


def _without_blank_start(data: bytes | str) -> bytes | str:
    """Return the document without leading blank lines, which XML does not allow before its declaration."""
    return data.lstrip("\ufeff \t\r\n") if isinstance(data, str) else data.removeprefix(BOM_UTF8).lstrip()


def _of_message(alert: Element, states: Collection[str], omitted: list[str]) -> None:
    status, kind, scope = (_text(alert, name) for name in ("status", "msgType", "scope"))
    if "status" in states:
        omitted.append(f"The status “{_short(status)}”. In Muster, only the event makes an alert a test.")
    if kind not in ("", "Alert"):
        omitted.append(f"The message type “{_short(kind)}”. In Muster, this draft is a new alert.")
    if "scope" in states:
        omitted.append(f"The scope “{_short(scope)}”. Alerts from Muster are public.")
    parts = ("restriction", "addresses", "code", "note", "references", "incidents")
    omitted += [f"<{name}>: {_short(', '.join(values))}" for name in parts if (values := _texts_in(alert, name))]
    if any(_name(each) == "Signature" for each in alert):
        omitted.append("The signature. Muster did not check it.")


def _event(info: Element, omitted: list[str]) -> tuple[str, str]:
    written = _text(info, "event")
    event = _EVENTS.get(" ".join(written.split()).casefold(), "")
    codes = {value.upper() for name, value in _pairs(info, "eventCode") if "same" in name.casefold()}
    if not event and (by_code := [events_by_code()[code] for code in sorted(codes) if code in events_by_code()]):
        event = by_code[0]
        omitted.append(f"The event “{_short(written)}”. Based on the code, Muster selected {event}.")
    elif not event:
        omitted.append(f"The event “{_short(written)}”, which the service does not have. Select an event.")
    categories = _texts_in(info, "category")
    fits = [each for each in categories if event in EVENTS_BY_CATEGORY.get(each, ())] if event else []
    known = [each for each in categories if each in CATEGORIES]
    listed = [each for each, events in EVENTS_BY_CATEGORY.items() if event in events]
    category = next(iter([*fits, *listed, *known]), "")
    if rest := [each for each in categories if each != category]:
        omitted.append(
            f"The category {names([_short(each) for each in rest])}. "
            f"{f'Muster selected {category}.' if category else 'Select a category.'}"
        )
    return event, category


def _infos(alert: Element) -> list[Element]:
    infos = _children(alert, "info")
    if not infos:
        raise NotCap("The CAP message has no <info> element, so it has no alert.")
    return infos


def _part(alert: Element, info: Element, now: datetime) -> CapPart:
    sent, urgency = parse_moment(_text(alert, _SENT)), _text(info, "urgency")
    expires = read_moment(_text(info, "expires"), sent)
    begins = (read_moment(_text(info, name), sent) for name in ("onset", "effective"))
    event_ends = (read_moment(value, sent) for name, value in _pairs(info, "parameter") if name == _EVENT_ENDS)
    return CapPart(
        event=_text(info, "event"),
        urgency=urgency,
        severity=_text(info, "severity"),
        certainty=_text(info, "certainty").replace("Very Likely", "Likely"),
        language=_text(info, "language"),
        areas=tuple(_short(name) for area in _children(info, "area") if (name := _text(area, "areaDesc"))),
        expires=expires,
        states=tuple(judge_time(urgency, _texts_in(info, "responseType"), expires, now)),
        begins=next(filter(None, begins), read_moment(_text(alert, _SENT))),
        ends=next(filter(None, event_ends), expires),
    )


def _hours(expires: str, sent: datetime | None, now: datetime, omitted: list[str]) -> int | None:
    if not expires:
        omitted.append("The CAP alert has no end time. Select how many hours this alert lasts.")
        return None
    end = read_moment(expires, sent)
    if end is None:
        omitted.append(f"Muster cannot read the end “{_short(expires)}”. Select how many hours this alert lasts.")
        return None
    if (written := parse_moment(expires)) is not None and written.tzinfo is None:
        zone = "the UTC offset of the alert’s “sent” time" if sent is not None and sent.tzinfo is not None else "UTC"
        omitted.append(f"The end “{_short(expires)}” has no offset from UTC. Muster uses {zone}: {format_moment(end)}.")
    hours = -((now - end) // _HOUR)
    if hours > EXPIRE_HOURS[-1]:
        omitted.append(f"The CAP alert ends in {hours} hours. An alert can last at most {EXPIRE_HOURS[-1]} hours.")
    return min(hours, EXPIRE_HOURS[-1])


def _texts(info: Element, *, is_own: bool, omitted: list[str]) -> dict[str, object]:
    read = _text if is_own else _plain_text
    headline, description = read(info, "headline"), read(info, "description")
    texts: dict[str, object] = {"title": headline, "instructions": read(info, "instruction")}
    if is_own:
        return {**texts, "sms": description}
    pairs = _pairs(info, "parameter")
    wireless = {name.casefold(): empty_if_nothing(html_to_text(value)) for name, value in pairs}
    short = next((wireless[name] for name in _WIRELESS if wireless.get(name)), "")
    if not short:
        short = description if 0 < len(description) <= LONGEST_SMS else headline
        if description and short != description:
            omitted.append("The description is too long for a text message. Muster put it into the notification text.")
    return {**texts, "sms": short, "text": description if description != short else ""}


def _contact(info: Element, own: list[tuple[str, str]], omitted: list[str]) -> dict[str, object]:
    read = _text if own else _plain_text
    found: dict[str, object] = {"contact_division": read(info, "senderName")}
    contact = read(info, "contact")
    if own or not contact:
        return found
    email = find_email_address(contact)
    rest = contact.replace(email, " ") if email is not None else contact
    has_words = re.search(r"[^\W\d_]", rest) is not None
    # Between words, a few digits may be a room number.
    digits = re.sub(r"\D", "", "".join(_PHONE.findall(rest)[:1]) if has_words else rest)
    phone = digits[1:] if len(digits) == 11 and digits.startswith("1") else digits
    if email is not None:
        found["contact_email"] = email
    if len(phone) in (3, 10):
        found["contact_phone"] = phone
    if has_words or (len(phone) not in (3, 10) and rest.strip(" ,;·")):
        omitted.append(f"<contact>: {_short(contact)}")
    return found


def _own_values(own: list[tuple[str, str]], omitted: list[str]) -> dict[str, object]:
    """Return the parameters that Muster writes. Invalid values are added to `omitted`."""
    for name, value in own:
        allowed = JURISDICTIONS if name == "jurisdictionType" else map(str, TYPES) if name == "type" else None
        is_one = id_in(value) is not None if allowed is None else value in allowed
        if name in _OWN_CHOICES and not is_one:
            omitted.append(f"The {_OWN_CHOICES[name]} “{_short(value)}” is not allowed.")
    own_values = dict(own)
    kind, jurisdiction = id_in(own_values.get("type", "")), own_values.get("jurisdictionType", "")
    groups = [number for name, value in own if name == "eventGroup" and (number := id_in(value)) is not None]
    found: dict[str, object] = {
        "type": kind if kind in TYPES else None,
        "jurisdiction": jurisdiction if jurisdiction in JURISDICTIONS else "",
        "notification_event_id": id_in(own_values.get("notificationEventId", "")),
        "category_id": id_in(own_values.get("categoryId", "")),
        "groups": list(dict.fromkeys(groups)),
        "zip_to_groups": own_values.get("zipToGroups") == "true",
        "goes_on": own_values.get("goesOn") == "true",
    }
    texts = {
        "text": "text",
        "contactName": "contact_name",
        "contactEmail": "contact_email",
        "contactPhone": "contact_phone",
    }
    return found | {slot: own_values[name] for name, slot in texts.items() if name in own_values} if own else {}


def _areas(info: Element, omitted: list[str]) -> tuple[dict[int, str], list[CodedArea], list[str]]:
    """Return Muster's IDs with the names of their areas, areas with codes, and places by ZIP code or name."""
    regions: dict[int, str] = {}
    coded: list[CodedArea] = []
    places: list[str] = []
    shapes = 0
    for area in _children(info, "area"):
        name, codes = _text(area, "areaDesc"), _pairs(area, "geocode")
        own = [number for key, value in codes if key == REGION and (number := id_in(value)) is not None]
        zips = [value for key, value in codes if value and _ZIP.search(key)]
        used = set() if own else {key for key, value in codes if value and key.casefold() in _COUNTY_CODES}
        regions |= dict.fromkeys(own, name)
        if used:
            written = " ".join(value for key, value in codes if key in used).split()
            coded.append(CodedArea(name, tuple(dict.fromkeys(written)), goes_by_zip=bool(zips)))
        if not own:
            places += zips or ([] if used else parts_of(name))
        shapes += 0 if own else len(_children(area, "polygon")) + len(_children(area, "circle"))
        omitted += [f"<{each}>: {_short(value)}" for each in ("altitude", "ceiling") if (value := _text(area, each))]
        unused = {key for key, _ in codes} - {REGION, *used, *(COUNTY_KINDS if own else ())}
        if others := sorted(key for key in unused if not _ZIP.search(key)):
            omitted.append(f"Codes of “{_short(name)}”: {names(others, at_most=4)}.")
    if shapes:
        omitted.append(
            f"{count(shapes, 'polygon or circle', 'polygons and circles')}. An alert goes to places by name."
        )
    return regions, coded, [" ".join(place.split()) for place in dict.fromkeys(places)]


def parts_of(name: str) -> list[str]:
    """Split the name of an area into the names of places."""
    return [part.strip() for part in re.split(r"[;\n]", name) if part.strip()]


def _unknown_parts(info: Element, *, is_own: bool) -> Iterator[str]:
    # Muster derives some parts of its own documents from the others.
    for name in _UNUSED[is_own:]:
        if values := _texts_in(info, name):
            yield f"<{name}>: {_short(', '.join(values))}"
    if resources := _children(info, "resource"):
        labels = [_short(_text(each, "resourceDesc")) or "No name" for each in resources]
        yield f"{count(len(resources), 'resource', 'resources')}: {names(labels, at_most=4)}."
    pairs = [*([] if is_own else _pairs(info, "eventCode")), *_pairs(info, "parameter", own=False)]
    others = [f"{name} {_short(value)}".strip() for name, value in pairs if name.casefold() not in _WIRELESS]
    if others:
        yield f"{count(len(others), 'code or parameter', 'codes and parameters')}: {names(others, at_most=6)}."


def _pairs(parent: Element, name: str, *, own: bool | None = None) -> list[tuple[str, str]]:
    """Yield the names and values of these children: with `own`, those that Muster writes, without their prefix, else
    others.
    """
    found = []
    for each in _children(parent, name):
        key, value = _text(each, "valueName"), _text(each, "value")
        # CAP 1.0 has them in one text, "name=value".
        if not key and each.text and "=" in each.text:
            key, _, value = each.text.strip().partition("=")
        if own is None or own == key.startswith(OWN):
            found.append((key.removeprefix(OWN) if own else key, value))
    return found


def _children(parent: Element, name: str) -> list[Element]:
    return [each for each in parent if _name(each) == name]


def _texts_in(parent: Element, name: str) -> list[str]:
    return [text for each in _children(parent, name) if (text := empty_if_nothing(_all_text(each).strip()))]


def _text(parent: Element, name: str) -> str:
    return next((_all_text(each) for each in _children(parent, name)), "").strip()


def _plain_text(parent: Element, name: str) -> str:
    """Return the text of an element without markup, or "" for words such as "None"."""
    return empty_if_nothing(html_to_text(_text(parent, name)))


def _all_text(element: Element) -> str:
    # Some senders do not escape markup, so the text contains elements.
    return " ".join(" ".join(element.itertext()).split()) if len(element) else element.text or ""


def _name(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"
