"""The rules for itineraries and their messages (interface: Itinerary errors, Batch results)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum

from client.vocabulary.itineraries import SEGMENT_TYPES
from service.contacts.matching import Traveler, shared_addresses
from service.itineraries.models import Passenger, Segment, TripItinerary
from service.itineraries.segment_places import Place, locate, says_nothing
from service.itineraries.true_moments import span_of, zone_of
from service.refusals import invalid

NO_SEGMENTS = "The itinerary does not contain any segments"
ALL_SEGMENTS_INVALID = "All segments of the itinerary are invalid, PNR creation failed"
NO_MATCH = "Travel matching error, no contact matching."
NO_MATCH_IN_BATCH = "Travel matching error, no contact matching"

_TYPES = {name.casefold(): name for name in SEGMENT_TYPES}


class Spelling(Enum):
    """The two wordings of a missing field: that of batch results and that of updates."""

    # ASSUMPTION A10: a single add has the wording of the batch result.
    ADD = "Field {} is empty."
    UPDATE = 'Field ["{}"] is empty.'


@dataclass(frozen=True)
class UsableSegment:
    """A valid segment with true UTC times and places. A `destination` of None means that no place is known."""

    type: str
    begins: datetime
    ends: datetime
    origin: Place
    destination: Place | None


@dataclass(frozen=True)
class AcceptedItinerary:
    """A valid itinerary: its text as sent, and what follows from it."""

    itinerary: TripItinerary
    pnr: str
    segments: tuple[UsableSegment, ...]
    travelers: tuple[Traveler, ...]

    @property
    def is_canceled(self) -> bool:
        """Return whether it removes a trip instead of storing one."""
        return self.itinerary.is_canceled


def accept(itinerary: TripItinerary, spelling: Spelling) -> AcceptedItinerary:
    """Check the rules that need no database. A 400 names the first broken rule."""
    if itinerary.pnr is None and not (itinerary.is_canceled and spelling is Spelling.UPDATE):
        raise invalid(spelling.value.format("pnr"))
    named = [_traveler(passenger) for passenger in itinerary.passengers or ()]
    shared = shared_addresses(named)
    travelers = tuple(replace(traveler, shared_addresses=shared) for traveler in named)
    if itinerary.is_canceled:
        return AcceptedItinerary(itinerary, itinerary.pnr or "", (), travelers)
    if not itinerary.segments:
        raise invalid(NO_SEGMENTS)
    if any(segment.type is None for segment in itinerary.segments):
        raise invalid(spelling.value.format("segments.type"))
    if any(says_nothing(segment.from_address, segment.from_iata_code) for segment in itinerary.segments):
        raise invalid(spelling.value.format("segments.fromAddress"))
    usable = tuple(found for found in map(_resolve, itinerary.segments) if found is not None)
    if not usable:
        raise invalid(ALL_SEGMENTS_INVALID)
    return AcceptedItinerary(itinerary, itinerary.pnr or "", usable, travelers)


def _resolve(segment: Segment) -> UsableSegment | None:
    # ASSUMPTION A12: a segment is invalid if its type is none of the four, if its start or end is unknown, or if the
    # end is before the start. It is stored with the itinerary, and has no expected locations.
    kind = _TYPES.get((segment.type or "").casefold())
    origin = locate(kind, segment.from_address, segment.from_iata_code)
    if kind is None or origin is None:
        return None
    destination = locate(kind, segment.to_address, segment.to_iata_code)
    if kind == "Hotel" or (kind == "Car" and destination is None):
        # ASSUMPTION A13: a car is returned where it was picked up, and a stay ends where it began.
        destination = origin
    # A stay is at one place: a zone at one end applies to both.
    begin_zone, end_zone = segment.from_time_zone, segment.to_time_zone
    if kind == "Hotel":
        begin_zone, end_zone = begin_zone or end_zone, end_zone or begin_zone
    span = span_of(
        (segment.from_date_time, segment.to_date_time),
        (segment.from_date_time_local, segment.to_date_time_local),
        (zone_of(begin_zone, origin), zone_of(end_zone, destination)),
    )
    if span is None:
        return None
    return UsableSegment(kind, span[0], span[1], origin.place, destination.place if destination else None)


def _traveler(passenger: Passenger) -> Traveler:
    return Traveler(
        contact_id=passenger.contact_id,
        employee_id=passenger.employee_id,
        first_name=passenger.first_name,
        middle_name=passenger.middle_name,
        last_name=passenger.last_name,
        email_addresses=tuple(text for text in passenger.email_addresses or () if text),
        phone_numbers=tuple((phone.phone_number, phone.country_name) for phone in passenger.phone_numbers or ()),
    )
