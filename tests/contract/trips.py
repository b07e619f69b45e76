"""Small valid trips for contract tests."""

from __future__ import annotations

from typing import Any

from client.models.itineraries import Address, Itinerary, Passenger, Segment

FLIGHT = Segment(
    type="Air",
    supplier_code="EY",
    air_rail_number="EY301",
    from_date_time="2026-11-20T04:05:00Z",
    to_date_time="2026-11-20T05:40:00Z",
    from_iata_code="AUH",
    to_iata_code="KWI",
)
STAY = Segment(
    type="Hotel",
    from_date_time="2026-11-20T10:00:00Z",
    to_date_time="2026-11-23T07:00:00Z",
    from_time_zone="Asia/Kuwait",
    from_address=Address(location_name="Sheraton", city="Kuwait", country="KW", latitude=29.3697, longitude=47.9783),
)
TRAIN = Segment(
    type="Rail",
    from_date_time_local="2026-11-24T09:00:00",
    to_date_time_local="2026-11-24T11:30:00",
    from_time_zone="Europe/Paris",
    to_time_zone="Europe/London",
    from_address=Address(location_name="Gare du Nord", city="Paris", country="FR", latitude=48.88, longitude=2.355),
    to_address=Address(location_name="St Pancras", city="London", country="GB", latitude=51.53, longitude=-0.126),
)
CAR = Segment(
    type="Car",
    from_date_time="2026-11-25T08:00:00Z",
    to_date_time="2026-11-26T08:00:00Z",
    from_address=Address(city="London", country="GB", latitude=51.5, longitude=-0.1),
    to_address=Address(city="Oxford", country="GB", latitude=51.75, longitude=-1.26),
)
ANA = Passenger(employee_id="E-ana", first_name="Ana", last_name="Silva", email_addresses=["ana@travel.example"])
BEN = Passenger(employee_id="E-ben", first_name="Ben", last_name="Okoro")


def trip(pnr: str = "WSVM7K", **fields: Any) -> Itinerary:
    """Return a trip of one traveler with a flight and a stay by default."""
    return Itinerary(**{"pnr": pnr, "segments": [FLIGHT, STAY], "passengers": [ANA], **fields})


def canceled(pnr: str = "WSVM7K") -> Itinerary:
    """Return the trip that cancels a record locator."""
    return Itinerary(pnr=pnr, itinerary_status="Canceled")
