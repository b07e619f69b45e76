"""The draft of a trip, the fields of its form, and the conversion to an itinerary and back without loss."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime
from functools import partial
from typing import Any, ClassVar, Final, Literal

import pydantic
from pydantic import BaseModel, field_validator

from client.models.itineraries import Itinerary, Segment
from client.vocabulary.itineraries import ACTIVE, CANCELED, SEGMENT_TYPES
from domain.edits.edit_draft import UI_STATE_FIELDS, Draft
from domain.forms.form import Choice, Day, Field, Form, Part, Parts, Switch, Text, TextSource, new_uid, text_for
from domain.geography.airports import is_known_code
from domain.geography.countries import country_choice
from domain.geography.country_order import order_countries
from domain.geography.place_text import read_place
from domain.geography.time_zones import LOCAL_FORM, all_zones, parse_clock, utc_text
from domain.maps.palette import KIND_ICONS
from domain.text.plain_text import id_in
from domain.trips.resolved_segments import SEGMENT_NOUNS, End, ResolvedSegment, resolve_segment, times_to_send

SOURCE: Final = "Muster"
Side = Literal["start", "finish"]

SEGMENTS: Final = "segments"
TRAVELERS: Final = "travelers"
_SIDE_PREFIX: Final[dict[Side, str]] = {"start": "from", "finish": "to"}
_ENDS: Final = {
    "Air": ("Departs", "Arrives"),
    "Rail": ("Departs", "Arrives"),
    "Car": ("Pick-up", "Drop-off"),
    "Hotel": ("Check-in", "Check-out"),
}
_SUPPLIER: Final = {
    "Air": ("Airline code", "Airline", "Flight number"),
    "Rail": ("Operator code", "Operator", "Train number"),
    "Car": ("Company code", "Rental company", "Number"),
    "Hotel": ("Chain code", "Hotel chain", "Number"),
}
_PLACE: Final = {"Rail": "Station", "Hotel": "Hotel"}
_CODE: Final = {"Air": "airport", "Rail": "station code", "Car": "airport"}
# ASSUMPTION A70: which fields belong to which type of segment. Other fields stay only if the trip had them.
_SOLD: Final = frozenset({"supplier_code", "supplier_name"})
_CODED: Final = frozenset({"start.iata", "finish.iata"})
_PLACED: Final = frozenset({"start.address", "finish.address"})
APPLIES: Final[dict[str, frozenset[str]]] = {
    "Air": _SOLD | _CODED | {"number"},
    "Rail": _SOLD | _CODED | _PLACED | {"number"},
    "Car": _SOLD | _CODED | _PLACED,
    "Hotel": _SOLD | {"start.address", "start.iata"},
}
_MAY_APPLY: Final = tuple(sorted(frozenset[str]().union(*APPLIES.values())))
_SPLIT_EMAILS: Final = re.compile(r"[,;\s]+")
_KNOWN_COORDINATE: Final = re.compile(r"[+-]?(\d+(?:\.\d*)?|\.\d+)(e-?\d{1,3})?")


class AddressDraft(BaseModel):
    """An address as typed. Coordinates are texts in decimal degrees."""

    location_name: str = ""
    country: str = ""
    state: str = ""
    city: str = ""
    street_address: str = ""
    postal_code: str = ""
    latitude: str = ""
    longitude: str = ""

    @property
    def is_empty(self) -> bool:
        """Return whether nothing is typed."""
        return not any(value.strip() for value in self.model_dump().values())


class EndDraft(BaseModel):
    """One end of a segment: place, local day (`YYYY-MM-DD`), and local time (`hh:mm`). An empty zone is that of the
    place.

    `utc` is the time in UTC that the trip had, in the format of the interface. It is cleared when day, time, or zone
    change.
    """

    iata: str = ""
    zone: str = ""
    day: str = ""
    clock: str = ""
    utc: str = ""
    address: AddressDraft = pydantic.Field(default_factory=AddressDraft)


class SegmentDraft(Part):
    """One segment. `extra` names fields that its type does not have, but that the trip had."""

    kind: str = "Air"
    supplier_code: str = ""
    supplier_name: str = ""
    number: str = ""
    start: EndDraft = pydantic.Field(default_factory=EndDraft)
    finish: EndDraft = pydantic.Field(default_factory=EndDraft)
    extra: list[str] = pydantic.Field(default_factory=list)

    def end(self, side: Side) -> EndDraft:
        """Return the end on that side."""
        return self.start if side == "start" else self.finish


class PhoneDraft(BaseModel):
    """A phone number and the two-letter code of its country."""

    number: str = ""
    country: str = ""


class TravelerDraft(Part):
    """A traveler, or the arranger. Email addresses are one text, separated by commas. The form shows the first phone
    number.
    """

    employee_id: str = ""
    first_name: str = ""
    last_name: str = ""
    middle_name: str = ""
    emails: str = ""
    phones: list[PhoneDraft] = pydantic.Field(default_factory=lambda: [PhoneDraft()])
    contact_id: str = ""

    @field_validator("phones")
    @classmethod
    def _one_to_type_in(cls, phones: list[PhoneDraft]) -> list[PhoneDraft]:
        return phones or [PhoneDraft()]

    @property
    def is_empty(self) -> bool:
        """Return whether nothing is typed."""
        texts = (self.employee_id, self.first_name, self.last_name, self.middle_name, self.emails, self.contact_id)
        return not any(text.strip() for text in texts) and not any(phone.number.strip() for phone in self.phones)


class TripDraft(Draft):
    """A trip being added (without `itinerary_id`) or changed.

    `base` is the payload that Muster last sent when the draft was opened, and `base_at` when it was sent. `seen_at` is
    the time of the latest change by others that was shown before sending.

    A trip made outside Muster is filled in from its expected locations. `unknown` has the fields that these do not
    contain, by UID and path, and `left_out` those that are in no segment: they are errors unless `is_sent_with_gaps`.
    """

    ui_state_fields: ClassVar[frozenset[str]] = UI_STATE_FIELDS | {"seen_at"}

    itinerary_id: int | None = None
    record_locator: str = ""
    external_id: str = ""
    source: str = SOURCE
    status: str = ACTIVE
    created: str = ""
    segments: list[SegmentDraft] = pydantic.Field(default_factory=list)
    travelers: list[TravelerDraft] = pydantic.Field(default_factory=list)
    arranger: TravelerDraft | None = None
    auto_create_contact: bool = True
    contact_record_type: str = ""
    email_case_sensitive: bool = True
    roster: str = ""
    base: dict[str, Any] | None = None
    base_at: datetime | None = None
    seen_at: datetime | None = None
    unknown: list[tuple[str, str]] = pydantic.Field(default_factory=list)
    left_out: list[str] = pydantic.Field(default_factory=list)
    is_sent_with_gaps: bool = False

    @property
    def subject_id(self) -> int | None:
        """Return the ID of the trip that is changed."""
        return self.itinerary_id

    @property
    def title(self) -> str:
        """Return the record locator, or that there is none yet."""
        return self.record_locator.strip() or "a trip without a record locator"

    @property
    def is_untouched(self) -> bool:
        """Return whether this is a new trip in which nothing is typed."""
        typed = (self.record_locator, self.external_id, self.contact_record_type)
        return (
            not self.is_change
            and not any(text.strip() for text in typed)
            and self.arranger is None
            and all(traveler.is_empty for traveler in self.travelers)
            and all(_is_untouched(segment) for segment in self.segments)
        )


def new_trip() -> TripDraft:
    """Return a new active trip with one flight and one traveler."""
    return TripDraft(segments=[SegmentDraft()], travelers=[TravelerDraft()])


def _is_untouched(segment: SegmentDraft) -> bool:
    texts = (segment.supplier_code, segment.supplier_name, segment.number)
    ends = (segment.start, segment.finish)
    return not any(texts) and all(
        end.address.is_empty and not (end.iata or end.zone or end.day or end.clock) for end in ends
    )


def applies(segment: SegmentDraft, part: str) -> bool:
    """Return whether a field of a segment is shown and sent: its type has the field, or the trip had it."""
    return part in APPLIES.get(segment.kind, frozenset()) or part in segment.extra


def emails_in(text: str) -> list[str]:
    """Return the email addresses in a text, separated by commas, semicolons, spaces, or lines."""
    return [part for part in _SPLIT_EMAILS.split(text.strip()) if part]


def coordinate(text: str) -> float | None:
    """Read a coordinate with a decimal point or comma; None if it is not a number."""
    plain = text.strip().replace("−", "-").replace(",", ".")
    return float(plain) if _KNOWN_COORDINATE.fullmatch(plain) else None


def local_of(end: EndDraft) -> str | None:
    """Return the local time of an end in the format of the interface; None unless day and time are valid."""
    clock = parse_clock(end.clock)
    try:
        return None if clock is None else datetime.combine(date.fromisoformat(end.day), clock).strftime(LOCAL_FORM)
    except ValueError:
        return None


def end_of(segment: SegmentDraft, side: Side) -> End:
    """Resolve one end of a segment."""
    resolved = resolve_draft(segment)
    return resolved.start if side == "start" else resolved.end


def resolve_draft(segment: SegmentDraft) -> ResolvedSegment:
    """Resolve a segment from what is typed."""
    return resolve_segment(0, Segment.model_validate(_local_payload(segment)))


def to_itinerary(draft: TripDraft, *, at: datetime | None = None) -> Itinerary:
    """Build the itinerary that is sent. Empty fields are left out; UTC follows from local times and zones unless
    stated.

    `at` is the time of sending: when a new trip was created, and when any trip was last changed.
    """
    stamp = utc_text(at) if at else None
    payload = TRIP_FORM.to_payload(draft)
    return Itinerary.model_validate(
        {
            **payload,
            "itineraryStatus": payload.get("itineraryStatus"),
            "createdDate": payload.get("createdDate") or (stamp if not draft.is_change else None),
            "lastModifiedDate": stamp,
            "segments": [to_segment(segment) for segment in draft.segments],
        }
    )


def to_segment(segment: SegmentDraft) -> Segment:
    """Build a segment as it is sent."""
    payload = _local_payload(segment)
    return Segment.model_validate({**payload, **times_to_send(resolve_segment(0, Segment.model_validate(payload)))})


def _local_payload(segment: SegmentDraft) -> dict[str, Any]:
    local = {f"{name}DateTimeLocal": local_of(segment.end(side)) for side, name in _SIDE_PREFIX.items()}
    stated = {f"{name}DateTime": segment.end(side).utc for side, name in _SIDE_PREFIX.items()}
    return {**_SEGMENTS.to_payload(segment), **local, **stated}


def from_itinerary(
    itinerary: Itinerary, *, itinerary_id: int | None = None, base_at: datetime | None = None
) -> TripDraft:
    """Build the draft of an itinerary. With an ID, the draft changes that trip."""
    payload = itinerary.to_wire()
    draft = TripDraft(
        itinerary_id=itinerary_id,
        source="",
        segments=[from_segment(segment) for segment in itinerary.segments],
        travelers=[_TRAVELERS.from_payload(each, TravelerDraft()) for each in payload.get("passengers") or []],
        arranger=_ARRANGER.from_payload(payload["travelArranger"], TravelerDraft())
        if "travelArranger" in payload
        else None,
        base=payload if itinerary_id is not None else None,
        base_at=base_at,
    )
    return TRIP_FORM.root.from_payload(payload, draft)


def copy_as_new(draft: TripDraft) -> TripDraft:
    """Copy a draft as a new trip that replaces nothing."""
    own: dict[str, Any] = {"itinerary_id": None, "base": None, "base_at": None, "seen_at": None, "refused": []}
    return draft.model_copy(update={"uid": new_uid(), **own}, deep=True)


def from_segment(segment: Segment) -> SegmentDraft:
    """Build the draft of a segment. Fields that its type does not have are named in `extra`."""
    read = resolve_segment(0, segment)
    draft = _SEGMENTS.from_payload(segment.to_wire(), SegmentDraft(kind=read.kind))
    draft.kind = read.kind
    for end, resolved in ((draft.start, read.start), (draft.finish, read.end)):
        wall = resolved.local
        if wall is None and resolved.moment is not None:
            # ASSUMPTION A71: a trip with only UTC, at a place whose zone is unknown, is edited in UTC.
            end.zone, wall = "UTC", resolved.moment
        if wall is not None:
            end.day, end.clock = f"{wall:%Y-%m-%d}", f"{wall:%H:%M:%S}" if wall.second else f"{wall:%H:%M}"
            end.utc = utc_text(resolved.stated_moment) or ""
    mine = APPLIES.get(draft.kind, frozenset())
    draft.extra = [part for part in _MAY_APPLY if part not in mine and _has_value(draft, part)]
    for side in _SIDE_PREFIX:
        end = draft.end(side)
        chosen, end.zone = end.zone, ""
        if chosen and end_of(draft, side).zone != chosen:
            end.zone = chosen
    return draft


def _has_value(draft: SegmentDraft, part: str) -> bool:
    side, _, rest = part.partition(".")
    value = getattr(draft.end("start" if side == "start" else "finish"), rest) if rest else getattr(draft, part)
    return not value.is_empty if isinstance(value, AddressDraft) else bool(value)


def _of_kind(part: str) -> Callable[[SegmentDraft], bool]:
    return partial(applies, part=part)


def end_label(segment: SegmentDraft, side: Side) -> str:
    """Return the name of this end of a segment: "Departs", "Check-out"."""
    return _ENDS.get(segment.kind, ("Begins", "Ends"))[side == "finish"]


def _end_label(side: Side, words: str) -> TextSource:
    return lambda segment: f"{end_label(segment, side)}: {words}"


def label_of(field: Field, part: Any) -> str:
    """Return the name of a field outside the form. A field of an end includes the end's name."""
    side, _, rest = field.path.partition(".")
    label = text_for(field.label, part)
    if side not in _SIDE_PREFIX or ":" in label or (part.kind == "Hotel" and rest.startswith("address")):
        return label
    return f"{end_label(part, 'start' if side == 'start' else 'finish')}: {label[:1].lower()}{label[1:]}"


def _supplier_label(index: int) -> TextSource:
    return lambda segment: _SUPPLIER.get(segment.kind, ("Supplier code", "Supplier", "Number"))[index]


def _example(of_a_flight: str) -> TextSource:
    return lambda segment: of_a_flight if segment.kind == "Air" else ""


def _code_label(side: Side) -> TextSource:
    def words(segment: SegmentDraft) -> str:
        if segment.kind == "Hotel":
            return "Nearest airport"
        return f"{end_label(segment, side)}: {_CODE.get(segment.kind, 'code')}"

    return words


def _code(typed: str) -> str:
    code = read_place(typed).code
    return code if is_known_code(code) else typed


def _zone_hint(side: Side) -> TextSource:
    return lambda segment: end_of(segment, side).zone or "Select a zone"


def _country(path: str, label: str, payload_path: str = "", **more: Any) -> Choice:
    return Choice(
        path,
        label,
        payload_path=payload_path,
        options=lambda _: order_countries(),
        labels=country_choice,
        placeholder="Country",
        empty_label="No country",
        encode=lambda code: code.strip().upper(),
        **more,
    )


def _end(side: Side) -> tuple[Field, ...]:
    """Return the fields of one end of a segment."""
    end, at = f"{_SIDE_PREFIX[side]}Address", f"{side}.address"
    condition: dict[str, Any] = {"applies": _of_kind(at)}
    degrees: dict[str, Any] = {**condition, "encode": coordinate, "decode": lambda number: repr(float(number))}
    return (
        Text(
            f"{side}.iata",
            _code_label(side),
            payload_path=f"{_SIDE_PREFIX[side]}IataCode",
            applies=_of_kind(f"{side}.iata"),
            placeholder=lambda segment: "" if segment.kind == "Rail" else "Code or city",
            clean=_code,
            encode=lambda code: code.strip().upper() or None,
            decode=lambda code: code.strip().upper(),
        ),
        Text(
            f"{at}.location_name",
            lambda segment: _PLACE.get(segment.kind, "Place"),
            payload_path=f"{end}.locationName",
            placeholder="Name",
            **condition,
        ),
        Text(f"{at}.city", "City", payload_path=f"{end}.city", **condition),
        _country(f"{at}.country", "Country", f"{end}.country", **condition),
        Text(f"{at}.street_address", "Street", payload_path=f"{end}.streetAddress", **condition),
        Text(f"{at}.postal_code", "Postal code", payload_path=f"{end}.postalCode", **condition),
        Text(f"{at}.state", "State or region", payload_path=f"{end}.state", **condition),
        Text(f"{at}.latitude", "Latitude", payload_path=f"{end}.latitude", placeholder="24.45", **degrees),
        Text(f"{at}.longitude", "Longitude", payload_path=f"{end}.longitude", placeholder="54.37", **degrees),
        Day(f"{side}.day", _end_label(side, "day")),
        Text(f"{side}.clock", "Local time", placeholder="hh:mm"),
        Choice(
            f"{side}.zone",
            "Time zone",
            payload_path=f"{_SIDE_PREFIX[side]}TimeZone",
            decode=str.strip,
            options=lambda _: all_zones(),
            placeholder=_zone_hint(side),
            empty_label="Zone of the place",
            help="If empty, Muster uses the zone of the coordinates, airport, country, or city.",
        ),
    )


def _lacks(segment: SegmentDraft, path: str) -> bool:
    if path == "kind":
        return not segment.kind
    return path in ("start.address", "finish.address") and not _has_value(segment, path)


def _normalized(old: SegmentDraft, new: SegmentDraft) -> SegmentDraft:
    if new.kind != old.kind:
        # Values of fields that the new type does not have stay in the draft, but are neither shown nor sent.
        new.extra = []
    for side in _SIDE_PREFIX:
        if new.end(side).utc and _time_and_zone(old, side) != _time_and_zone(new, side):
            new.end(side).utc = ""
    return new


def _time_and_zone(segment: SegmentDraft, side: Side) -> tuple[str | None, str | None]:
    return local_of(segment.end(side)), end_of(segment, side).zone


_SEGMENTS: Final = Parts(
    SEGMENTS,
    "Segment {}",
    (
        Choice(
            "kind",
            "Type",
            payload_path="type",
            options=SEGMENT_TYPES,
            labels=lambda kind: f"{KIND_ICONS[kind]} {SEGMENT_NOUNS[kind.lower()]}" if kind in SEGMENT_TYPES else kind,
            required=lambda segment: segment.kind in SEGMENT_TYPES,
            style="segments",
            encode=str.strip,
        ),
        *_end("start"),
        *_end("finish"),
        Text(
            "supplier_code",
            _supplier_label(0),
            payload_path="supplierCode",
            applies=_of_kind("supplier_code"),
            placeholder=_example("EY"),
        ),
        Text("supplier_name", _supplier_label(1), payload_path="supplierName", applies=_of_kind("supplier_name")),
        Text(
            "number",
            _supplier_label(2),
            payload_path="airRailNumber",
            applies=_of_kind("number"),
            placeholder=_example("EY301"),
        ),
    ),
    payload_path="segments",
    error_places={
        "fromDateTimeLocal": "start.clock",
        "fromDateTime": "start.clock",
        "toDateTimeLocal": "finish.clock",
        "toDateTime": "finish.clock",
        "fromAddress": "start.address",
        "toAddress": "finish.address",
    },
    after_change=_normalized,
    is_missing=_lacks,
)
_PERSON: Final = (
    Text("employee_id", "Employee ID", payload_path="employeeId"),
    Text("first_name", "First name", payload_path="firstName"),
    Text("last_name", "Last name", payload_path="lastName"),
    Text(
        "emails",
        "Email addresses",
        payload_path="emailAddresses",
        placeholder="Separate with commas",
        encode=lambda typed: emails_in(typed) or None,
        decode=", ".join,
    ),
    Text("middle_name", "Middle name", payload_path="middleName"),
    Text("phones.0.number", "Phone number", placeholder="+971 50 123 4567"),
    _country("phones.0.country", "Country of the phone number"),
    Field(
        "phones",
        payload_path="phoneNumbers",
        encode=lambda phones: (
            [
                {"phoneNumber": phone.number.strip(), "countryName": phone.country.strip() or None}
                for phone in phones
                if phone.number.strip()
            ]
            or None
        ),
        decode=lambda phones: (
            [PhoneDraft(number=each.get("phoneNumber") or "", country=each.get("countryName") or "") for each in phones]
            or [PhoneDraft()]
        ),
    ),
    Text(
        "contact_id",
        "Contact ID",
        payload_path="contactId",
        help="The ID of an existing contact in the service. The employee ID is usually enough.",
        encode=id_in,
    ),
)
_TRAVELERS: Final = Parts(
    TRAVELERS, "Traveler {}", _PERSON, payload_path="passengers", is_sent=lambda traveler: not traveler.is_empty
)
_ARRANGER: Final = Parts(
    "arranger", "Arranger", _PERSON, payload_path="travelArranger", is_sent=lambda arranger: not arranger.is_empty
)
TRIP_FORM: Final = Form[TripDraft](
    "trip_editor",
    Text(
        "record_locator",
        "Record locator",
        payload_path="pnr",
        placeholder="WSVM7K",
        help="The code of the airline or agency that identifies the trip.",
    ),
    Text("external_id", "External trip ID", payload_path="externalItineraryId", placeholder="Optional"),
    Text(
        "source",
        "Source",
        payload_path="itinerarySource",
        help="Where the trip comes from, such as an agency.",
    ),
    Choice(
        "status",
        "Status",
        payload_path="itineraryStatus",
        options=(ACTIVE, CANCELED),
        labels={CANCELED: f"{CANCELED} (removes the trip)"},
        placeholder="No status",
        decode=lambda status: status or ACTIVE,
    ),
    Text("created", payload_path="createdDate"),
    Switch(
        "auto_create_contact",
        "Create contacts for travelers without one",
        help="Travelers are matched by employee ID, then by email or name. Travelers without a contact have no "
        "expected locations.",
    ),
    Switch(
        "email_case_sensitive",
        "Employee IDs that are email addresses are case-sensitive",
        help="Applies only when a trip is added.",
        applies=lambda draft: not draft.is_change,
    ),
    Text("contact_record_type", "Record type of new contacts", placeholder="Default of the service"),
    Switch("is_sent_with_gaps", "Send this trip without the values that Muster does not know", is_checkbox=True),
    Choice(
        "roster",
        "Add to roster",
        placeholder="No roster",
        empty_label="No roster",
        help="The map of expected locations shows the trips of a roster.",
    ),
    parts=(_SEGMENTS, _TRAVELERS, _ARRANGER),
    error_places={"contactRecordTypeId": "contact_record_type"},
)
