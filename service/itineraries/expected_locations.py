"""Expected locations: the places and windows that follow from an itinerary's segments, and their form on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from service.clock import to_iso, to_ms
from service.itineraries.places import Place
from service.itineraries.rules import UsableSegment
from service.statements import Row

# Nothing is expected outside these years, so that a margin never leaves the calendar: 1000-01-01 and 9999-01-01.
_EARLIEST_MS = -30_610_224_000_000
_LATEST_MS = 253_370_764_800_000


@dataclass(frozen=True)
class Margins:
    """How long before a departure and after an arrival someone is expected at a place."""

    before: timedelta = timedelta(hours=24)
    after: timedelta = timedelta(hours=24)


@dataclass(frozen=True)
class ExpectedPlace:
    """Where every traveller of an itinerary is expected, from and until when (epoch milliseconds, UTC)."""

    travel_category: str
    travel_type: str
    arrive_at: int
    expire_at: int
    place: Place


def expected_places(segments: Sequence[UsableSegment], margins: Margins) -> list[ExpectedPlace]:
    """Two places each for Air, Rail and Car, one for a Hotel, in the order of the segments."""
    # ASSUMPTION A14: the windows. Departure: from `before` ahead of it to the departure; arrival: from it to `after`
    # later; hotel: check-in to check-out.
    places: list[ExpectedPlace] = []
    before, after = margins.before // timedelta(milliseconds=1), margins.after // timedelta(milliseconds=1)
    for segment in segments:
        begins, ends = to_ms(segment.begins), to_ms(segment.ends)
        if segment.type == "Hotel":
            places.append(_expected(segment.type, "Stay", begins, ends, segment.origin))
            continue
        places.append(_expected(segment.type, "Departure", begins - before, begins, segment.origin))
        if segment.destination is not None:
            places.append(_expected(segment.type, "Arrival", ends, ends + after, segment.destination))
    return places


def _expected(category: str, travel_type: str, arrive_at: int, expire_at: int, place: Place) -> ExpectedPlace:
    arrive_at, expire_at = max(arrive_at, _EARLIEST_MS), min(expire_at, _LATEST_MS)
    return ExpectedPlace(category, travel_type, arrive_at, expire_at, place)


def is_international(places: Sequence[ExpectedPlace]) -> bool:
    """Whether a trip touches more than one country."""
    # ASSUMPTION A15: isInternationalTravel and isLocalTravel are of the whole trip.
    return len({expected.place.country for expected in places if expected.place.country}) > 1


def is_local(places: Sequence[ExpectedPlace]) -> bool:
    """Whether a trip stays in one town."""
    towns = {(expected.place.country, expected.place.state, expected.place.city) for expected in places}
    return len(towns) == 1 and all(expected.place.city for expected in places)


def to_wire(row: Row) -> dict[str, Any]:
    """One stored expected location as the interface's record; absent fields are left out."""
    address: dict[str, Any] = {"arriveDate": to_iso(row.arrive_at), "expireDate": to_iso(row.expire_at)}
    for key, column in _ADDRESS_TEXTS:
        value = getattr(row, column)
        if value is not None:
            address[key] = value
    if row.latitude is not None and row.longitude is not None:
        address["gisLocation"] = {"lat": row.latitude, "lon": row.longitude}
    address["locationSource"] = "ITINERARY"
    address["locationSourceId"] = str(row.itinerary_id)
    address["source"] = "AUTO"
    return {
        "id": row.id,
        "contactId": row.contact_id,
        "contactExternalId": row.contact_external_id,
        "organizationId": row.organization_id,
        "createdDate": to_iso(row.created_at),
        "createdId": row.created_by,
        "createdName": row.created_name,
        "lastModifiedDate": to_iso(row.modified_at),
        "lastModifiedId": row.modified_by,
        "lastModifiedName": row.modified_name,
        "travelCategory": row.travel_category,
        "travelType": row.travel_type,
        "isInternationalTravel": row.is_international_travel,
        "isLocalTravel": row.is_local_travel,
        "address": address,
    }


_ADDRESS_TEXTS = (
    ("locationName", "location_name"),
    ("streetAddress", "street_address"),
    ("city", "city"),
    ("state", "state"),
    ("postalCode", "postal_code"),
    ("country", "country"),
    ("iata", "iata"),
)
