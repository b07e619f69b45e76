"""A journey in planning: segments added in order, at local times that follow from distances and time zones."""

from __future__ import annotations

import zlib
from datetime import UTC, date, datetime, time, timedelta
from random import Random
from typing import Any, Literal
from zoneinfo import ZoneInfo

from service.demo.world import Airline, City, Railway, Station, airline_between, hub_between, kilometres

Wire = dict[str, Any]
# How much a booking system provides: codes and local times only; also zones; everything.
Style = Literal["terse", "zoned", "full"]

_CRUISE_KMH = 830
_TAXI = timedelta(minutes=35)
_HOTELS = (
    "Grand Hotel {}",
    "{} Central Hotel",
    "Park Hotel {}",
    "{} Riverside Hotel",
    "Hotel Continental {}",
    "The Old Exchange, {}",
    "{} Business Inn",
    "Station Hotel {}",
)
_STREETS = ("Main Street", "Market Square", "Station Road", "Park Avenue", "Harbour Road", "University Street")
_CAR_FIRMS = (("ZT", "Tourist Car Rental"), ("ZM", "Motorway Cars"), ("ZC", "City Wheels"))
_CONFERENCE = -1
_SMALL_HOURS = 6


class Journey:
    """The segments of one trip. Days count from its first day."""

    def __init__(self, first_day: date, random: Random, style: Style) -> None:
        self.first_day = first_day
        self.random = random
        self.style = style
        self.segments: list[Wire] = []

    def fly(self, origin: City, destination: City, *, day: int, hour: int, direct: bool = False) -> datetime:
        """Fly on a day, with a connection on long routes. Returns the local arrival."""
        hub = None if direct else hub_between(origin, destination)
        if hub is None:
            return self.hop(origin, destination, self._local(origin.zone, day, hour))
        return self.fly_via(origin, hub, destination, day=day, hour=hour)

    def fly_via(self, origin: City, hub: City, destination: City, *, day: int, hour: int) -> datetime:
        """Fly with a connection. Returns the local arrival."""
        at_hub = self.hop(origin, hub, self._local(origin.zone, day, hour))
        layover = timedelta(minutes=self.random.randrange(80, 260, 5))
        onward = (at_hub.astimezone(UTC) + layover).astimezone(hub.zone)
        return self.hop(hub, destination, onward)

    def hop(self, origin: City, destination: City, departs: datetime) -> datetime:
        """Add one flight. Returns the local arrival."""
        duration = timedelta(hours=kilometres(origin, destination) / _CRUISE_KMH) + _TAXI
        duration -= duration % timedelta(minutes=5)
        arrives = (departs.astimezone(UTC) + duration).astimezone(destination.zone)
        airline = airline_between(origin, destination, self.random)
        segment = self._segment("Air", departs, arrives)
        segment |= {
            "supplierCode": airline.code,
            "supplierName": airline.name,
            "airRailNumber": str(_flight_number(airline, origin, destination)),
            "fromIataCode": origin.iata,
            "toIataCode": destination.iata,
        }
        if self.style == "full":
            segment |= {"fromAddress": _airport_address(origin), "toAddress": _airport_address(destination)}
        self.segments.append(segment)
        return arrives

    def stay(
        self,
        city: City,
        *,
        from_day: int,
        to_day: int,
        arrival: datetime | None = None,
        hotel: int | None = None,
        name: str | None = None,
    ) -> Wire:
        """Add nights in a hotel of a city, from 15:00 or an hour after a later `arrival`. Returns the segment.

        `hotel` selects one of eight hotels, and `name` names another one. A guest who arrives at night gets the room at
        once.
        """
        if to_day <= from_day:
            raise ValueError("A stay is at least a night")
        number = self.random.randrange(len(_HOTELS)) if hotel is None else hotel
        begins = self._local(city.zone, from_day, 15, 0)
        if arrival is not None:
            room = arrival.astimezone(city.zone) + timedelta(hours=1)
            begins = room if arrival.hour < _SMALL_HOURS or room > begins else begins
        segment = self._segment("Hotel", begins, self._local(city.zone, to_day, 11, 0), zoned=True)
        segment |= {
            "supplierName": name or _HOTELS[number].format(city.name),
            "fromAddress": _hotel_address(city, _CONFERENCE if name else number, name),
        }
        self.segments.append(segment)
        return segment

    def ride(self, line: Railway, *, day: int, hour: int, back: bool = False) -> datetime:
        """Add a train along a line, in either direction. Returns the local arrival."""
        origin, destination = (line.destination, line.origin) if back else (line.origin, line.destination)
        departs = self._local(_station_zone(origin), day, hour)
        arrives = (departs.astimezone(UTC) + timedelta(minutes=line.minutes)).astimezone(_station_zone(destination))
        segment = self._segment("Rail", departs, arrives, zoned=True)
        segment |= {
            "supplierCode": line.operator_code,
            "supplierName": line.operator,
            "airRailNumber": str(line.train * 100 + hour * 2 + back),
            "fromAddress": _station_address(origin),
            "toAddress": _station_address(destination),
        }
        self.segments.append(segment)
        return arrives

    def drive(self, city: City, *, from_day: int, to_day: int, return_city: City | None = None) -> None:
        """Add a car from a city's airport, returned there or in another city."""
        code, firm = self.random.choice(_CAR_FIRMS)
        end = return_city or city
        segment = self._segment(
            "Car", self._local(city.zone, from_day, 13, 0), self._local(end.zone, to_day, 9, 30), zoned=True
        )
        segment |= {
            "supplierCode": code,
            "supplierName": firm,
            "fromAddress": _airport_address(city) | {"locationName": f"{firm}, {city.airport['name']}"},
            "toAddress": _airport_address(end) | {"locationName": f"{firm}, {end.airport['name']}"},
        }
        self.segments.append(segment)

    def day_of(self, moment: datetime) -> int:
        """Return the day of the trip of a local time."""
        return (moment.date() - self.first_day).days

    def _local(self, zone: ZoneInfo, day: int, hour: int, minute: int | None = None) -> datetime:
        at = time(hour, self.random.randrange(0, 60, 5) if minute is None else minute)
        return datetime.combine(self.first_day + timedelta(days=day), at, tzinfo=zone)

    def _segment(self, kind: str, begins: datetime, ends: datetime, *, zoned: bool = False) -> Wire:
        segment: Wire = {
            "type": kind,
            "fromDateTimeLocal": begins.isoformat()[:19],
            "toDateTimeLocal": ends.isoformat()[:19],
        }
        if zoned or self.style != "terse":
            segment |= {"fromTimeZone": str(begins.tzinfo), "toTimeZone": str(ends.tzinfo)}
        if self.style == "full":
            segment |= {"fromDateTime": _utc_text(begins), "toDateTime": _utc_text(ends)}
        return segment


def _utc_text(moment: datetime) -> str:
    return f"{moment.astimezone(UTC).isoformat()[:19]}Z"


def _flight_number(airline: Airline, origin: City, destination: City) -> int:
    return zlib.crc32(f"{airline.code}{origin.iata}{destination.iata}".encode()) % 890 + 10


def _airport_address(city: City) -> Wire:
    known = city.airport
    return {
        "locationName": known["name"],
        "city": city.name,
        "country": known["country"],
        "latitude": known["lat"],
        "longitude": known["lon"],
    }


def _hotel_address(city: City, number: int, name: str | None) -> Wire:
    # The hotels of a city are apart from each other, each always at the same place.
    spot = Random(f"{city.iata} {number}")
    return {
        "locationName": name or _HOTELS[number].format(city.name),
        "streetAddress": f"{spot.randrange(1, 180)} {spot.choice(_STREETS)}",
        "city": city.name,
        "country": city.country,
        "latitude": round(city.latitude + spot.uniform(-0.012, 0.012), 5),
        "longitude": round(city.longitude + spot.uniform(-0.012, 0.012), 5),
    }


def _station_address(station: Station) -> Wire:
    return {
        "locationName": station.name,
        "city": station.city,
        "country": station.country,
        "latitude": station.latitude,
        "longitude": station.longitude,
    }


def _station_zone(station: Station) -> ZoneInfo:
    return ZoneInfo(_STATION_ZONES[station.country])


_STATION_ZONES = {
    "GB": "Europe/London",
    "FR": "Europe/Paris",
    "BE": "Europe/Brussels",
    "CH": "Europe/Zurich",
    "DE": "Europe/Berlin",
    "NL": "Europe/Amsterdam",
    "ES": "Europe/Madrid",
    "IT": "Europe/Rome",
    "SE": "Europe/Stockholm",
    "DK": "Europe/Copenhagen",
    "US": "America/New_York",
    "CA": "America/Toronto",
    "JP": "Asia/Tokyo",
    "KR": "Asia/Seoul",
    "CN": "Asia/Shanghai",
    "IN": "Asia/Kolkata",
    "MA": "Africa/Casablanca",
    "KE": "Africa/Nairobi",
}
