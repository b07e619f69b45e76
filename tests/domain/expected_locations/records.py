"""Expected locations for tests, written as short rows and parsed by the client like a response."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from client.models.itineraries import ExpectedLocation
from domain.expected_locations.location_frame import Locations, LocationStore


@dataclass(frozen=True)
class KnownPlace:
    """A place of the tests."""

    address: dict[str, Any]
    place_id: str
    zone: str | None
    kind: str = "Air"


def _airport(code: str, lat: float, lon: float, country: str, zone: str) -> KnownPlace:
    address = {"iata": code, "country": country, "gisLocation": {"lat": lat, "lon": lon}}
    return KnownPlace(address, code, zone)


PLACES = {
    "LHR": _airport("LHR", 51.47, -0.45, "GB", "Europe/London"),
    "CDG": _airport("CDG", 49.01, 2.55, "FR", "Europe/Paris"),
    "SIN": _airport("SIN", 1.36, 103.99, "SG", "Asia/Singapore"),
    "AKL": _airport("AKL", -37.01, 174.78, "NZ", "Pacific/Auckland"),
    "HNL": _airport("HNL", 21.32, -157.92, "US", "Pacific/Honolulu"),
    "hotel": KnownPlace(
        {
            "locationName": "Lion Hotel",
            "city": "Singapore",
            "country": "SG",
            "iata": "SIN",
            "gisLocation": {"lat": 1.3, "lon": 103.8},
        },
        "lion hotel@1.300,103.800",
        "Asia/Singapore",
        kind="Hotel",
    ),
    "rental": KnownPlace(
        {
            "locationName": "City Cars",
            "city": "Singapore",
            "country": "SG",
            "gisLocation": {"lat": 1.31, "lon": 103.81},
        },
        "city cars@1.310,103.810",
        "Asia/Singapore",
        kind="Car",
    ),
    "nowhere": KnownPlace(
        {"locationName": "Guest house", "city": "Somewhere"}, "guest house@somewhere,", None, kind="Hotel"
    ),
}


@dataclass(frozen=True)
class Row:
    """One record: a person's external id (or `contact <id>`), a key of `PLACES`, a role, and a window."""

    person: str
    locator: str
    place: str
    role: str
    arrives: datetime | None
    expires: datetime | None

    def record(self) -> ExpectedLocation:
        """The record as the client parses it."""
        place = PLACES[self.place]
        address = dict(place.address)
        for name, at in (("arriveDate", self.arrives), ("expireDate", self.expires)):
            if at is not None:
                address[name] = at.isoformat()
        who = (
            {"contactId": int(self.person.removeprefix("contact "))}
            if self.person.startswith("contact ")
            else {"contactExternalId": self.person, "contactId": 1}
        )
        return ExpectedLocation.model_validate(
            {**who, "travelCategory": place.kind, "travelType": self.role, "address": address}
        )


def build_locations(rows: Iterable[Row], names: dict[str, str] | None = None) -> Locations:
    """The locations that a load of a roster with these rows has."""
    trips: dict[str, list[ExpectedLocation]] = {}
    for row in rows:
        trips.setdefault(row.locator, []).append(row.record())
    store = LocationStore()
    for number, (locator, records) in enumerate(trips.items()):
        store.put(locator, [(9_000_000_000 + number, records)])
    return store.snapshot(names or {})
