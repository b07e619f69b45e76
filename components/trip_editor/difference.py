"""What is different between the trip as it was last sent and as it would be sent now, in words."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any, Final

from components.geography.countries import country_name

NOTHING: Final = "nothing"
_LEFT_OUT: Final = frozenset({"lastModifiedDate", "createdDate"})
_WORDS: Final = {
    "pnr": "Record locator",
    "externalItineraryId": "External trip id",
    "itineraryStatus": "Status",
    "itinerarySource": "Source",
    "type": "Kind",
    "supplierCode": "Supplier code",
    "supplierName": "Supplier",
    "airRailNumber": "Number",
    "fromDateTimeLocal": "Start, local",
    "toDateTimeLocal": "End, local",
    "fromDateTime": "Start, UTC",
    "toDateTime": "End, UTC",
    "fromTimeZone": "Time zone at the start",
    "toTimeZone": "Time zone at the end",
    "fromIataCode": "From",
    "toIataCode": "To",
    "fromAddress": "Address at the start",
    "toAddress": "Address at the end",
    "contactId": "Contact id",
    "employeeId": "Employee id",
    "firstName": "First name",
    "lastName": "Last name",
    "middleName": "Middle name",
    "emailAddresses": "E-mail addresses",
    "phoneNumbers": "Phone numbers",
}


@dataclass(frozen=True)
class Difference:
    """One thing that is different: of what, which of its fields (empty for the whole), before and now."""

    where: str
    what: str
    before: str
    now: str


def differences(before: dict[str, Any], now: dict[str, Any]) -> list[Difference]:
    """Compare two itineraries in the wire's form; when each was made or changed does not count."""
    found = list(_fields("The trip", _plain_fields(before), _plain_fields(now)))
    found += _lists(before.get("segments") or [], now.get("segments") or [], "Segment", segment_words)
    found += _lists(before.get("passengers") or [], now.get("passengers") or [], "Traveller", traveller_words)
    one, other = before.get("travelArranger") or {}, now.get("travelArranger") or {}
    if one and other:
        found += _fields("Arranger", one, other)
    elif one != other:
        found.append(Difference("Arranger", "", _or_nothing(traveller_words(one)), _or_nothing(traveller_words(other))))
    return found


def segment_words(segment: dict[str, Any], *, timed: bool = True) -> str:
    """A segment of the wire in a few words: `Air EY301 AUH → KWI, 2026-11-20 14:05`."""
    if not segment:
        return ""
    number = segment.get("airRailNumber") or ""
    carrier = segment.get("supplierCode") or ""
    named = number if carrier and number.startswith(carrier) else f"{carrier}{number}"
    is_stay = segment.get("type") == "Hotel"
    start = _place(segment.get("fromAddress")) if is_stay else ""
    start = start or segment.get("fromIataCode") or _place(segment.get("fromAddress"))
    end = "" if is_stay else segment.get("toIataCode") or _place(segment.get("toAddress"))
    way = f"{start} → {end}" if end else start
    when = str(segment.get("fromDateTimeLocal") or "").replace("T", " ")[:16] if timed else ""
    return ", ".join(part for part in (" ".join(x for x in (segment.get("type"), named, way) if x), when) if part)


def traveller_words(traveller: dict[str, Any]) -> str:
    """A traveller of the wire in a few words: `Silva, Ana (E100)`."""
    name = ", ".join(part for part in (traveller.get("lastName"), traveller.get("firstName")) if part)
    number = traveller.get("employeeId") or next(iter(traveller.get("emailAddresses") or []), "")
    is_known = bool(name and traveller.get("employeeId"))
    return f"{name} ({number})" if is_known else name or number


def _plain_fields(itinerary: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value for name, value in itinerary.items() if name not in _LEFT_OUT and not isinstance(value, list | dict)
    }


def _fields(where: str, before: dict[str, Any], now: dict[str, Any]) -> Iterator[Difference]:
    for name in {**before, **now}:
        one, other = before.get(name), now.get(name)
        if one != other and not (_is_blank(one) and _is_blank(other)):
            yield Difference(where, _WORDS.get(name, name), _value(one), _value(other))


def _lists(before: list[Any], now: list[Any], noun: str, words: Callable[[dict[str, Any]], str]) -> list[Difference]:
    matcher = SequenceMatcher(None, [_text(item) for item in before], [_text(item) for item in now], autojunk=False)
    found: list[Difference] = []
    for operation, low, high, start, end in matcher.get_opcodes():
        if operation == "equal":
            continue
        for offset, (old, new) in enumerate(zip_longest(before[low:high], now[start:end])):
            where = f"{noun} {(low if new is None else start) + offset + 1}"
            if old is None or new is None:
                found.append(Difference(where, "", _or_nothing(words(old or {})), _or_nothing(words(new or {}))))
            else:
                found += _fields(f"{where} · {_short(words, new)}", old, new)
    return found


def _text(item: Any) -> str:
    return json.dumps(item, sort_keys=True, ensure_ascii=False)


def _value(value: Any) -> str:
    if _is_blank(value):
        return NOTHING
    if isinstance(value, dict):
        return _address(value)
    if isinstance(value, list):
        return ", ".join(_phone(item) if isinstance(item, dict) else str(item) for item in value)
    return _time(str(value)) if _is_time(str(value)) else str(value)


def _is_time(text: str) -> bool:
    return len(text) >= 19 and text[4:5] == "-" and text[10:11] == "T"


def _time(text: str) -> str:
    return text.replace("T", " ").removesuffix("Z").removesuffix(":00")


def _short(words: Callable[[dict[str, Any]], str], item: dict[str, Any]) -> str:
    """Without its time, which may be what is different."""
    return segment_words(item, timed=False) if words is segment_words else words(item)


def _phone(phone: dict[str, Any]) -> str:
    return " ".join(part for part in (phone.get("countryName"), phone.get("phoneNumber")) if part)


def _address(address: dict[str, Any]) -> str:
    parts = [address.get(name) for name in ("locationName", "streetAddress", "postalCode", "city", "state")]
    parts.append(country_name(address.get("country")))
    if address.get("latitude") is not None and address.get("longitude") is not None:
        parts.append(f"{address['latitude']}, {address['longitude']}")
    return ", ".join(str(part) for part in parts if part)


def _place(address: dict[str, Any] | None) -> str:
    return (address or {}).get("locationName") or (address or {}).get("city") or ""


def _is_blank(value: Any) -> bool:
    return value is None or value in ("", [], {})


def _or_nothing(words: str) -> str:
    return words or NOTHING
