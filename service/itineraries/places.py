"""Where a segment begins and ends: from its address, and from its code where the address says less."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import airportsdata

from service.itineraries.models import Address


@dataclass(frozen=True)
class Airport:
    """What is known of an airport by its three-letter code."""

    iata: str
    name: str
    city: str
    state: str
    country: str
    latitude: float
    longitude: float
    time_zone: str


@dataclass(frozen=True)
class Place:
    """A place people are expected at; latitude and longitude in decimal degrees, both or neither."""

    location_name: str | None = None
    street_address: str | None = None
    city: str | None = None
    state: str | None = None
    postal_code: str | None = None
    country: str | None = None
    iata: str | None = None
    latitude: float | None = None
    longitude: float | None = None


@lru_cache(maxsize=1)
def _airports() -> dict[str, airportsdata.Airport]:
    return airportsdata.load("IATA")


def airport(code: str | None) -> Airport | None:
    """The airport of a three-letter code, None when there is none."""
    return _airport(code.upper()) if code else None


@lru_cache(maxsize=2048)
def _airport(code: str) -> Airport | None:
    record = _airports().get(code)
    if record is None:
        return None
    return Airport(
        iata=record["iata"],
        name=record["name"],
        city=record["city"],
        state=record["subd"],
        country=record["country"],
        latitude=record["lat"],
        longitude=record["lon"],
        time_zone=record["tz"],
    )


def place_of(address: Address | None, iata_code: str | None) -> Place | None:
    """The place an address and a code stand for; None when neither says anything.

    Coordinates come from the address, else from the airport code. Both 0 in an address stand for none.
    """
    if (address is None or address.is_empty) and not iata_code:
        return None
    said = address or Address()
    known = airport(iata_code)
    latitude, longitude = _coordinates(said)
    if latitude is None and known is not None:
        latitude, longitude = known.latitude, known.longitude
    # The airport's own words stand in only where the address names no town, lest two towns be mixed in one address.
    stand_in = known if known is not None and said.city is None else None
    return Place(
        location_name=said.location_name or (known.name if known else None),
        street_address=said.street_address,
        city=said.city or (stand_in.city if stand_in else None),
        state=said.state or (stand_in.state if stand_in else None),
        postal_code=said.postal_code,
        country=(said.country.upper() if said.country else None) or (known.country if known else None),
        iata=iata_code.upper() if iata_code else None,
        latitude=latitude,
        longitude=longitude,
    )


def _coordinates(address: Address) -> tuple[float | None, float | None]:
    # ASSUMPTION A9: half a pair, or both 0, is no coordinates.
    if address.latitude is None or address.longitude is None:
        return None, None
    if address.latitude == 0 and address.longitude == 0:
        return None, None
    return address.latitude, address.longitude
