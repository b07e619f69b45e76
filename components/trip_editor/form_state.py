"""Between the draft on the screen and the itinerary on the wire, both ways without losing anything."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any, Final

from client.models.itineraries import Address, Itinerary, Passenger, PhoneNumber, Segment
from client.vocabulary.itineraries import ACTIVE
from components.geography.time_zones import zone_named
from components.trip_editor.draft import (
    SOURCE,
    AddressDraft,
    EndDraft,
    PhoneDraft,
    SegmentDraft,
    Side,
    TravellerDraft,
    TripDraft,
)
from components.trip_editor.local_time import (
    LOCAL_FORM,
    TrueTime,
    parse_clock,
    parse_local,
    parse_utc,
    true_time,
    utc_text,
)
from components.trips.resolved import kind_of, known_zone
from components.widgets.ids import id_in

# ASSUMPTION A70: which fields belong to which kind of segment; others stay only where the trip came with them.
APPLIES: Final[dict[str, frozenset[str]]] = {
    "Air": frozenset({"supplier_code", "supplier_name", "number", "start.iata", "finish.iata"}),
    "Rail": frozenset(
        {
            "supplier_code",
            "supplier_name",
            "number",
            "start.iata",
            "finish.iata",
            "start.address",
            "finish.address",
        }
    ),
    "Car": frozenset(
        {"supplier_code", "supplier_name", "start.iata", "finish.iata", "start.address", "finish.address"}
    ),
    "Hotel": frozenset({"supplier_code", "supplier_name", "start.address", "start.iata"}),
}
_SPLIT_EMAILS: Final = re.compile(r"[,;\s]+")
_KNOWN_COORDINATE: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e-?\d{1,3})?")


def applies(segment: SegmentDraft, part: str) -> bool:
    """Whether a part of a segment is shown and sent: it belongs to the kind, or the trip came with it."""
    return part in APPLIES.get(segment.kind, frozenset()) or part in segment.extra


def place_zone(segment: SegmentDraft, side: Side) -> str | None:
    """The time zone of one end: the one chosen, else the one at its coordinates, else its airport's.

    A hotel is in one place: both of its times are in the zone of the first end, unless it came with another.
    """
    end = segment.end(side)
    if end.zone:
        return end.zone
    if side == "finish" and segment.kind == "Hotel":
        return place_zone(segment, "start")
    code = end.iata if applies(segment, f"{side}.iata") else None
    address = _address(end.address) if applies(segment, f"{side}.address") else None
    return known_zone(segment.kind, code, address)


def local_of(end: EndDraft) -> str | None:
    """The local date-time of one end in the wire's form; None until both a day and a readable time are there."""
    if not end.day or not end.clock.strip():
        return None
    clock = parse_clock(end.clock)
    moment = parse_local(f"{end.day}T{clock:%H:%M:%S}") if clock is not None else None
    return moment.strftime(LOCAL_FORM) if moment else None


def moment_of(segment: SegmentDraft, side: Side) -> TrueTime:
    """The true time of one end, with what is odd about it."""
    return true_time(local_of(segment.end(side)), place_zone(segment, side))


def to_itinerary(draft: TripDraft, *, at: datetime | None = None) -> Itinerary:
    """The itinerary that would be sent. What is empty is left out; UTC is derived from local times and zones.

    `at` is when it is sent: the creation time of a new trip and the last change of any.
    """
    stamp = utc_text(at) if at else None
    return Itinerary(
        pnr=draft.record_locator.strip(),
        external_itinerary_id=_or_none(draft.external_id),
        itinerary_status=_or_none(draft.status),
        itinerary_source=_or_none(draft.source),
        created_date=_or_none(draft.created) or (stamp if not draft.is_change else None),
        last_modified_date=stamp,
        segments=[to_segment(segment) for segment in draft.segments],
        passengers=[_passenger(traveller) for traveller in draft.travellers if not traveller.is_empty],
        travel_arranger=_passenger(draft.arranger) if draft.arranger and not draft.arranger.is_empty else None,
    )


def to_segment(segment: SegmentDraft) -> Segment:
    """One segment as it would be sent."""
    start, finish = segment.start, segment.finish
    return Segment(
        type=segment.kind.strip(),
        supplier_code=_if_applies(segment, "supplier_code", segment.supplier_code),
        supplier_name=_if_applies(segment, "supplier_name", segment.supplier_name),
        air_rail_number=_if_applies(segment, "number", segment.number),
        from_date_time_local=local_of(start),
        to_date_time_local=local_of(finish),
        from_date_time=utc_text(moment_of(segment, "start").utc),
        to_date_time=utc_text(moment_of(segment, "finish").utc),
        from_time_zone=place_zone(segment, "start"),
        to_time_zone=place_zone(segment, "finish"),
        from_iata_code=_if_applies(segment, "start.iata", start.iata.upper()),
        to_iata_code=_if_applies(segment, "finish.iata", finish.iata.upper()),
        from_address=_address(start.address) if applies(segment, "start.address") else None,
        to_address=_address(finish.address) if applies(segment, "finish.address") else None,
    )


def from_itinerary(
    itinerary: Itinerary, *, itinerary_id: int | None = None, base_entry: int | None = None
) -> TripDraft:
    """A draft that shows the itinerary; with an id, one that changes that trip."""
    return TripDraft(
        itinerary_id=itinerary_id,
        record_locator=itinerary.pnr or "",
        external_id=itinerary.external_itinerary_id or "",
        source=itinerary.itinerary_source or "",
        status=itinerary.itinerary_status or ACTIVE,
        created=itinerary.created_date or "",
        segments=[from_segment(segment) for segment in itinerary.segments or []],
        travellers=[_traveller(passenger) for passenger in itinerary.passengers or []],
        arranger=_traveller(itinerary.travel_arranger) if itinerary.travel_arranger else None,
        base=itinerary.to_wire() if itinerary_id is not None else None,
        base_entry=base_entry,
    )


def changed_elsewhere(itinerary_id: int, record_locator: str) -> TripDraft:
    """An empty draft that replaces a trip this desk knows only by its id and locator."""
    return TripDraft(
        itinerary_id=itinerary_id,
        record_locator=record_locator,
        source=SOURCE,
        segments=[SegmentDraft()],
        travellers=[TravellerDraft()],
    )


def from_segment(segment: Segment) -> SegmentDraft:
    """A segment as the form shows it; what its kind has no field for is kept as extra."""
    kind = kind_of(segment) or (segment.type or "")
    draft = SegmentDraft(
        kind=kind,
        supplier_code=segment.supplier_code or "",
        supplier_name=segment.supplier_name or "",
        number=segment.air_rail_number or "",
        start=_end(
            kind,
            segment.from_address,
            segment.from_iata_code,
            segment.from_time_zone,
            segment.from_date_time_local,
            segment.from_date_time,
        ),
        finish=_end(
            kind,
            segment.to_address,
            segment.to_iata_code,
            segment.to_time_zone or (segment.from_time_zone if kind == "Hotel" else None),
            segment.to_date_time_local,
            segment.to_date_time,
        ),
    )
    mine = APPLIES.get(kind, frozenset())
    held = {
        "supplier_code": draft.supplier_code,
        "supplier_name": draft.supplier_name,
        "number": draft.number,
        "start.iata": draft.start.iata,
        "finish.iata": draft.finish.iata,
        "start.address": not draft.start.address.is_empty,
        "finish.address": not draft.finish.address.is_empty,
    }
    draft.extra = sorted(part for part, value in held.items() if value and part not in mine)
    for side in ("start", "finish"):
        _forget_default_zone(draft, side)
    return draft


def emails_in(text: str) -> list[str]:
    """The e-mail addresses in a text that separates them by commas, semicolons, spaces or lines."""
    return [part for part in _SPLIT_EMAILS.split(text.strip()) if part]


def coordinate(text: str) -> float | None:
    """A coordinate as typed, with a point or a comma for the decimals; None where it is not a number."""
    plain = text.strip().replace("−", "-").replace(",", ".")
    return float(plain) if _KNOWN_COORDINATE.fullmatch(plain) else None


def _forget_default_zone(draft: SegmentDraft, side: Side) -> None:
    end = draft.end(side)
    chosen, end.zone = end.zone, ""
    if chosen and place_zone(draft, side) != chosen:
        end.zone = chosen


def _end(
    kind: str, address: Address | None, iata: str | None, zone: str | None, local: str | None, utc: str | None
) -> EndDraft:
    named = (zone or "").strip()
    where = named if named and zone_named(named) else known_zone(kind, iata, address)
    wall = parse_local(local)
    if wall is None and (moment := parse_utc(utc)) is not None:
        # ASSUMPTION A71: a trip that gives only UTC, at a place whose zone nobody knows, is edited in UTC.
        zone = where = where or "UTC"
        wall = moment.astimezone(zone_named(where) or UTC).replace(tzinfo=None)
    return EndDraft(
        iata=(iata or "").strip().upper(),
        zone=(zone or "").strip(),
        day=f"{wall:%Y-%m-%d}" if wall else "",
        clock=(f"{wall:%H:%M:%S}" if wall.second else f"{wall:%H:%M}") if wall else "",
        address=_typed_address(address),
    )


def _typed_address(address: Address | None) -> AddressDraft:
    if address is None:
        return AddressDraft()
    return AddressDraft(
        location_name=address.location_name or "",
        country=address.country or "",
        state=address.state or "",
        city=address.city or "",
        street_address=address.street_address or "",
        postal_code=address.postal_code or "",
        latitude=_number_text(address.latitude),
        longitude=_number_text(address.longitude),
    )


def _address(typed: AddressDraft) -> Address | None:
    if typed.is_empty:
        return None
    return Address(
        location_name=_or_none(typed.location_name),
        country=_or_none(typed.country.upper()),
        state=_or_none(typed.state),
        city=_or_none(typed.city),
        street_address=_or_none(typed.street_address),
        postal_code=_or_none(typed.postal_code),
        latitude=coordinate(typed.latitude),
        longitude=coordinate(typed.longitude),
    )


def _passenger(typed: TravellerDraft) -> Passenger:
    phones = [phone for phone in typed.phones if phone.number.strip()]
    return Passenger(
        contact_id=id_in(typed.contact_id),
        employee_id=_or_none(typed.employee_id),
        first_name=_or_none(typed.first_name),
        last_name=_or_none(typed.last_name),
        middle_name=_or_none(typed.middle_name),
        **_present(
            email_addresses=emails_in(typed.emails),
            phone_numbers=[
                PhoneNumber(phone_number=phone.number.strip(), country_name=_or_none(phone.country)) for phone in phones
            ],
        ),
    )


def _traveller(passenger: Passenger) -> TravellerDraft:
    return TravellerDraft(
        employee_id=passenger.employee_id or "",
        first_name=passenger.first_name or "",
        last_name=passenger.last_name or "",
        middle_name=passenger.middle_name or "",
        emails=", ".join(passenger.email_addresses or []),
        phones=[
            PhoneDraft(number=phone.phone_number or "", country=phone.country_name or "")
            for phone in passenger.phone_numbers or []
        ],
        contact_id="" if passenger.contact_id is None else str(passenger.contact_id),
    )


def _present(**values: list[Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value}


def _if_applies(segment: SegmentDraft, part: str, value: str) -> str | None:
    return _or_none(value) if applies(segment, part) else None


def _or_none(text: str) -> str | None:
    return text.strip() or None


def _number_text(number: float | None) -> str:
    # repr keeps every digit.
    return "" if number is None else repr(float(number))
