"""Builders of trips for tests."""

from typing import Any

from client.models.itineraries import Address, ExpectedLocation, Itinerary, Passenger, Segment
from domain.trips.prediction import predict
from domain.trips.timeline import Row, SegmentRow

ANA = Passenger(employee_id="E100", first_name="Ana", last_name="Silva")
SINGAPORE = Address(location_name="Harbour Hotel", city="Singapore", country="SG", latitude=1.29, longitude=103.85)
TOKYO = Address(location_name="Garden Hotel", city="Tokyo", country="JP", latitude=35.68, longitude=139.76)


def flight(number: str, origin: str, destination: str, leaves: str, arrives: str, **more: Any) -> Segment:
    """A flight between airports, with local times as ``2026-10-24T14:05``."""
    return Segment(
        type="Air",
        supplier_code=number[:2],
        air_rail_number=number[2:],
        from_iata_code=origin,
        to_iata_code=destination,
        from_date_time_local=local_time(leaves),
        to_date_time_local=local_time(arrives),
        **more,
    )


def hotel(address: Address | None, arrives: str, leaves: str, **more: Any) -> Segment:
    """A stay, with local times."""
    return Segment(
        type="Hotel",
        from_address=address,
        from_date_time_local=local_time(arrives),
        to_date_time_local=local_time(leaves),
        **more,
    )


def car(origin: Address | None, destination: Address | None, leaves: str, arrives: str, **more: Any) -> Segment:
    """A car, with local times."""
    return Segment(
        type="Car",
        supplier_name="Wheels",
        from_address=origin,
        to_address=destination,
        from_date_time_local=local_time(leaves),
        to_date_time_local=local_time(arrives),
        **more,
    )


def train(number: str, origin: Address, destination: Address, leaves: str, arrives: str, **more: Any) -> Segment:
    """A train, with local times."""
    return Segment(
        type="Rail",
        air_rail_number=number,
        from_address=origin,
        to_address=destination,
        from_date_time_local=local_time(leaves),
        to_date_time_local=local_time(arrives),
        **more,
    )


def trip(*segments: Segment, passengers: list[Passenger] | None = None, **more: Any) -> Itinerary:
    """A trip, by default of Ana."""
    return Itinerary(
        pnr="WSVM7K", segments=list(segments), passengers=[ANA] if passengers is None else passengers, **more
    )


def local_time(text: str) -> str:
    """A local time with its seconds."""
    return text if len(text) != 16 else f"{text}:00"


def good_trip() -> Itinerary:
    """Frankfurt to Singapore and back by a night flight each way, with a hotel. The trip has no findings."""
    return trip(
        flight("SQ25", "FRA", "SIN", "2026-10-20T11:10", "2026-10-21T06:05"),
        hotel(SINGAPORE, "2026-10-21T15:00", "2026-10-24T11:00"),
        flight("SQ26", "SIN", "FRA", "2026-10-24T23:55", "2026-10-25T05:50"),
    )


def format_timeline(rows: list[Row]) -> str:
    """A timeline as plain lines."""
    lines = []
    for row in rows:
        if isinstance(row, SegmentRow):
            later = f" ({row.days_later:+} d)" if row.days_later else ""
            way = row.start_place if row.start_place == row.end_place else f"{row.start_place} → {row.end_place}"
            lines.append(f"{row.leaves}–{row.arrives}{later}  {row.kind} {row.label}: {way} ({row.lasts})")
        else:
            lines.append(row.text)
    return "\n".join(lines)


def build_expected_locations(itinerary: Itinerary, **address: Any) -> list[ExpectedLocation]:
    """The expected locations of a trip by the rules of the interface, in the form of a response."""
    return [
        ExpectedLocation.model_validate(
            {
                "id": number,
                "contactId": int("".join(filter(str.isdigit, each.employee_id or "")) or 0),
                "contactExternalId": each.known_as[0],
                "travelCategory": each.segment.kind,
                "travelType": each.role,
                "address": {
                    "arriveDate": each.arrives.isoformat() if each.arrives else None,
                    "expireDate": each.expires.isoformat() if each.expires else None,
                    "locationName": each.location_name or None,
                    "city": each.place.city or None,
                    "country": each.place.country.upper() or None,
                    "iata": each.place.code or None,
                    "gisLocation": dict(zip(("lat", "lon"), each.place.position or (None, None), strict=True)),
                }
                | address,
            }
        )
        for number, each in enumerate(predict(itinerary), start=1)
    ]
