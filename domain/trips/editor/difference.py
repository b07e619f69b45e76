"""What is different between the trip as it was last sent and as it would be sent now, field by field, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any, Final

from domain.forms.form import Choice, Field, Parts, get_value
from domain.trips.editor.form_state import TRIP_FORM, SegmentDraft, TripDraft, label_of, to_segment
from domain.trips.resolved import number_of

NOTHING: Final = "nothing"


@dataclass(frozen=True)
class Difference:
    """One thing that is different: of what, which of its fields (empty for the whole), before and now."""

    where: str
    what: str
    before: str
    now: str


def differences(before: TripDraft, now: TripDraft) -> list[Difference]:
    """Compare two versions of a trip by the fields of its form; what only follows from them is not told."""
    found = list(_fields("The trip", TRIP_FORM.root, before, now))
    for parts in TRIP_FORM.parts:
        olds, news = ([each for each in parts.list_in(draft) if parts.is_sent(each)] for draft in (before, now))
        was, become = ([each.model_dump_json(exclude={"uid"}) for each in some] for some in (olds, news))
        for operation, low, high, start, end in SequenceMatcher(None, was, become, autojunk=False).get_opcodes():
            pairs = zip_longest(olds[low:high], news[start:end]) if operation != "equal" else ()
            for offset, (old, new) in enumerate(pairs):
                where = parts.title.format((low if new is None else start) + offset + 1)
                if old is None or new is None:
                    found.append(Difference(where, "", _words(parts, old), _words(parts, new)))
                else:
                    found += _fields(f"{where} · {_words(parts, new, timed=False)}", parts, old, new)
    return found


def segment_words(segment: dict[str, Any], *, timed: bool = True) -> str:
    """A segment of the wire in a few words: `Air EY301 AUH → KWI, 2026-11-20 14:05`."""
    kind, carrier = segment.get("type") or "", segment.get("supplierCode") or ""
    named = number_of(kind, carrier, segment.get("airRailNumber") or "") or carrier
    is_stay = kind == "Hotel"
    start = _place(segment.get("fromAddress")) if is_stay else ""
    start = start or segment.get("fromIataCode") or _place(segment.get("fromAddress"))
    end = "" if is_stay else segment.get("toIataCode") or _place(segment.get("toAddress"))
    way = f"{start} → {end}" if end else start
    when = str(segment.get("fromDateTimeLocal") or "").replace("T", " ")[:16] if timed else ""
    return ", ".join(part for part in (" ".join(x for x in (kind, named, way) if x), when) if part)


def traveller_words(traveller: dict[str, Any]) -> str:
    """A traveller of the wire in a few words: `Silva, Ana (E100)`."""
    name = ", ".join(part for part in (traveller.get("lastName"), traveller.get("firstName")) if part)
    number = traveller.get("employeeId") or next(iter(traveller.get("emailAddresses") or []), "")
    is_known = bool(name and traveller.get("employeeId"))
    return f"{name} ({number})" if is_known else name or number


def _fields(where: str, parts: Parts, one: Any, other: Any) -> Iterator[Difference]:
    for field in parts.fields:
        before, now, label = _shown(field, one), _shown(field, other), label_of(field, other)
        # What is told of the trip as a whole beside its fields, such as how contacts are made, is of no version.
        if before != now and label and (field.payload_path or parts is not TRIP_FORM.root):
            yield Difference(where, label, before or NOTHING, now or NOTHING)


def _shown(field: Field, part: Any) -> str:
    value = get_value(part, field.path) if field.applies(part) else None
    return "" if not value else field.label_of(value) if isinstance(field, Choice) else str(value).strip()


def _words(parts: Parts, part: Any, *, timed: bool = True) -> str:
    if part is None:
        return NOTHING
    if isinstance(part, SegmentDraft):
        return segment_words(to_segment(part).to_wire(), timed=timed) or NOTHING
    return traveller_words(parts.to_payload(part)) or NOTHING


def _place(address: dict[str, Any] | None) -> str:
    return (address or {}).get("locationName") or (address or {}).get("city") or ""
