"""Between the draft and the values of the fields on the screen, each known by a key made of its part and its path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Final

from pydantic import BaseModel

from components.geography.airports import airport
from components.trip_editor.draft import PhoneDraft, SegmentDraft, TravellerDraft, TripDraft
from components.trip_editor.editing import with_kind

PREFIX: Final = "trip_editor"
DAYS: Final = frozenset({"start.day", "finish.day"})
CODES: Final = frozenset({"start.iata", "finish.iata"})

_ADDRESS: Final = (
    "location_name",
    "country",
    "state",
    "city",
    "street_address",
    "postal_code",
    "latitude",
    "longitude",
)
TRIP_PATHS: Final = (
    "record_locator",
    "external_id",
    "source",
    "status",
    "auto_create_contact",
    "contact_record_type",
    "email_case_sensitive",
    "roster",
)
SEGMENT_PATHS: Final = (
    "supplier_code",
    "supplier_name",
    "number",
    *(f"{side}.{field}" for side in ("start", "finish") for field in ("iata", "zone", "day", "clock")),
    *(f"{side}.address.{field}" for side in ("start", "finish") for field in _ADDRESS),
    "kind",
)
TRAVELLER_PATHS: Final = ("employee_id", "first_name", "last_name", "middle_name", "emails", "contact_id")


def field_key(owner: str, path: str) -> str:
    """The key of a field's widget: of which part (its uid), and which field of it."""
    return f"{PREFIX}/{owner}/{path}"


def shown(part: BaseModel, path: str) -> Any:
    """What a field's widget shows for the draft's value."""
    value = _get(part, path)
    if path in DAYS:
        return _day(value)
    return value


def absorb(draft: TripDraft, values: Mapping[str, Any]) -> TripDraft:
    """The draft with everything that stands in the fields now; a field that is not on the screen keeps its value."""
    absorbed = draft.model_copy(deep=True)
    _take(absorbed, absorbed.uid, TRIP_PATHS, values)
    absorbed.segments = [_absorb_segment(segment, values) for segment in absorbed.segments]
    for traveller in (*absorbed.travellers, *([absorbed.arranger] if absorbed.arranger else [])):
        _take(traveller, traveller.uid, TRAVELLER_PATHS, values)
        _absorb_phone(traveller, values)
    return absorbed


def same_content(one: TripDraft, other: TripDraft) -> bool:
    """Whether two drafts hold the same trip; where the person stands with it does not count."""
    ignored = {"stage", "checked", "refused"}
    return one.model_dump(exclude=ignored) == other.model_dump(exclude=ignored)


def _absorb_segment(segment: SegmentDraft, values: Mapping[str, Any]) -> SegmentDraft:
    before = segment.kind
    _take(segment, segment.uid, SEGMENT_PATHS, values)
    for end in (segment.start, segment.finish):
        known = airport(end.iata)
        end.iata = known.iata if known is not None else end.iata
    chosen, segment.kind = segment.kind, before
    return segment if chosen == before or not chosen else with_kind(segment, chosen)


def _absorb_phone(traveller: TravellerDraft, values: Mapping[str, Any]) -> None:
    number = values.get(field_key(traveller.uid, "phone.number"))
    country = values.get(field_key(traveller.uid, "phone.country"))
    if number is None and country is None:
        return
    first = traveller.phones[0] if traveller.phones else PhoneDraft()
    first.number = str(number or "")
    first.country = str(country or "")
    rest = traveller.phones[1:]
    traveller.phones = [first, *rest] if first.number or rest else []


def _take(part: BaseModel, owner: str, paths: tuple[str, ...], values: Mapping[str, Any]) -> None:
    for path, key in _keys(owner, paths):
        if key in values:
            _set(part, path, values[key])


def _keys(owner: str, paths: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    return ((path, field_key(owner, path)) for path in paths)


def _get(part: BaseModel, path: str) -> Any:
    value: Any = part
    for name in path.split("."):
        value = getattr(value, name)
    return value


def _set(part: BaseModel, path: str, value: Any) -> None:
    *way, last = path.split(".")
    owner = _get(part, ".".join(way)) if way else part
    if isinstance(value, bool):
        setattr(owner, last, value)
    elif isinstance(value, date):
        setattr(owner, last, value.isoformat())
    else:
        setattr(owner, last, "" if value is None else str(value))


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
