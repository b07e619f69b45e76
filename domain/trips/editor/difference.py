"""Compare two versions of a trip field by field, and describe the differences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any, Final

from domain.forms.form import Choice, Field, Parts, get_value
from domain.trips.editor.form_state import TRIP_FORM, SegmentDraft, TripDraft, label_of, to_segment
from domain.trips.resolved_segments import SEGMENT_NOUNS, transport_number

NOTHING: Final = "nothing"


@dataclass(frozen=True)
class Difference:
    """One difference between two versions of a trip."""

    part_label: str
    field_label: str
    old: str
    new: str


def find_differences(old: TripDraft, new: TripDraft) -> list[Difference]:
    """Compare two versions of a trip by the fields of its form. Values that only follow from these fields are left
    out.
    """
    found = list(_fields("The trip", TRIP_FORM.root, old, new))
    for parts in TRIP_FORM.parts:
        olds, news = ([each for each in parts.list_in(draft) if parts.is_sent(each)] for draft in (old, new))
        old_texts, new_texts = ([each.model_dump_json(exclude={"uid"}) for each in some] for some in (olds, news))
        for operation, low, high, start, end in SequenceMatcher(
            None, old_texts, new_texts, autojunk=False
        ).get_opcodes():
            pairs = zip_longest(olds[low:high], news[start:end]) if operation != "equal" else ()
            for offset, (old_part, new_part) in enumerate(pairs):
                part_label = parts.title.format((low if new_part is None else start) + offset + 1)
                if old_part is None or new_part is None:
                    found.append(Difference(part_label, "", _part_text(parts, old_part), _part_text(parts, new_part)))
                else:
                    found += _fields(
                        f"{part_label} · {_part_text(parts, new_part, timed=False)}", parts, old_part, new_part
                    )
    return found


def describe_segment(segment: dict[str, Any], *, timed: bool = True) -> str:
    """Describe a segment of the payload: `Flight EY301 AUH → KWI, 2026-11-20 14:05`."""
    kind, carrier = segment.get("type") or "", segment.get("supplierCode") or ""
    noun = SEGMENT_NOUNS.get(kind.lower(), kind)
    named = transport_number(kind, carrier, segment.get("airRailNumber") or "") or carrier
    is_stay = kind == "Hotel"
    start = _place(segment.get("fromAddress")) if is_stay else ""
    start = start or segment.get("fromIataCode") or _place(segment.get("fromAddress"))
    end = "" if is_stay else segment.get("toIataCode") or _place(segment.get("toAddress"))
    way = f"{start} → {end}" if end else start
    when = str(segment.get("fromDateTimeLocal") or "").replace("T", " ")[:16] if timed else ""
    return ", ".join(part for part in (" ".join(x for x in (noun, named, way) if x), when) if part)


def describe_traveler(traveler: dict[str, Any]) -> str:
    """Describe a traveler of the payload: `Silva, Ana (E100)`."""
    name = ", ".join(part for part in (traveler.get("lastName"), traveler.get("firstName")) if part)
    number = traveler.get("employeeId") or next(iter(traveler.get("emailAddresses") or []), "")
    is_known = bool(name and traveler.get("employeeId"))
    return f"{name} ({number})" if is_known else name or number


def _fields(part_label: str, parts: Parts, one: Any, other: Any) -> Iterator[Difference]:
    for field in parts.fields:
        old, new, label = _field_text(field, one), _field_text(field, other), label_of(field, other)
        # Fields of the whole trip that are not in the payload, such as how contacts are created, belong to no
        # version.
        if old != new and label and (field.payload_path or parts is not TRIP_FORM.root):
            yield Difference(part_label, label, old or NOTHING, new or NOTHING)


def _field_text(field: Field, part: Any) -> str:
    value = get_value(part, field.path) if field.applies(part) else None
    return "" if not value else field.label_of(value) if isinstance(field, Choice) else str(value).strip()


def _part_text(parts: Parts, part: Any, *, timed: bool = True) -> str:
    if part is None:
        return NOTHING
    if isinstance(part, SegmentDraft):
        return describe_segment(to_segment(part).to_wire(), timed=timed) or NOTHING
    return describe_traveler(parts.to_payload(part)) or NOTHING


def _place(address: dict[str, Any] | None) -> str:
    return (address or {}).get("locationName") or (address or {}).get("city") or ""
