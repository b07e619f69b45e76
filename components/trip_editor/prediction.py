"""The expected locations a trip will give, worked out here before anything is sent.

An independent reading of the rules: a place left is expected from 24 hours before departure until departure, a place
reached from arrival until 24 hours after it, a hotel from check-in to check-out; one record a traveller a place. The
coordinates are the address's own, else the airport's. It knows nothing of the service's code, so that the two can be
held against each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

from client.models.itineraries import Address, Itinerary, Passenger, Segment
from client.vocabulary.itineraries import SEGMENT_TYPES
from components.geography.airports import Airport, airport
from components.geography.time_zones import zone_at
from components.trip_editor.local_time import parse_local, parse_utc, true_time, zone_named

Role = Literal["Departure", "Arrival", "Stay"]

BEFORE_DEPARTURE: Final = timedelta(hours=24)
AFTER_ARRIVAL: Final = timedelta(hours=24)

NO_TIME: Final = "no time"
NO_ZONE: Final = "no time zone"
ENDS_BEFORE_IT_BEGINS: Final = "ends before it begins"
CANNOT_BE_MATCHED: Final = "the traveller has no employee id and no contact id"
NO_COORDINATES: Final = "no coordinates"
_FATAL: Final = frozenset({NO_TIME, NO_ZONE, ENDS_BEFORE_IT_BEGINS, CANNOT_BE_MATCHED})


@dataclass(frozen=True)
class PredictedLocation:
    """One expected location of one traveller: where, from when until when (aware UTC), and what is wrong with it.

    `segment` is the index of the segment it follows from. `time_zone` is the place's, as far as it is known.
    """

    traveller: str
    kind: str
    role: Role
    location_name: str | None
    city: str | None
    country: str | None
    iata: str | None
    latitude: float | None
    longitude: float | None
    arrives: datetime | None
    expires: datetime | None
    time_zone: str | None
    problem: str | None = None
    employee_id: str | None = None
    segment: int = 0

    @property
    def follows(self) -> bool:
        """False where the problem is such that the service will expect nobody there."""
        return self.problem not in _FATAL


@dataclass(frozen=True)
class _End:
    """One end of a segment: its place, and its moment; `problem` says why there is no moment."""

    address: Address | None
    iata: str | None
    zone: str | None
    moment: datetime | None
    problem: str | None

    @property
    def is_nowhere(self) -> bool:
        return self.iata is None and (self.address is None or not self.address.to_wire())


def predict(itinerary: Itinerary) -> list[PredictedLocation]:
    """Every expected location the trip gives, by traveller, then by segment, in the order given.

    A canceled trip gives none, nor does a segment of a kind the service does not know. A traveller who is listed twice
    is expected once. Where `follows` is false the location is here to be mended: the service would leave it out.
    """
    if itinerary.is_canceled:
        return []
    places = [
        (index, kind, role, end, window, problem)
        for index, segment in enumerate(itinerary.segments or [])
        if (kind := kind_of(segment)) is not None
        for role, end, window, problem in _places(kind, segment)
    ]
    return [
        _located(passenger, index, kind, role, end, window, problem)
        for passenger in _persons(itinerary.passengers or [])
        for index, kind, role, end, window, problem in places
    ]


def kind_of(segment: Segment) -> str | None:
    """The kind of a segment as the interface spells it, whatever case it was typed in; None for an unknown one."""
    typed = (segment.type or "").strip().casefold()
    return next((kind for kind in SEGMENT_TYPES if kind.casefold() == typed), None)


def traveller_name(passenger: Passenger) -> str:
    """A traveller as people read it: `Silva, Ana`, else the employee id, else a first e-mail address."""
    name = ", ".join(part.strip() for part in (passenger.last_name, passenger.first_name) if part and part.strip())
    return name or (passenger.employee_id or "").strip() or next(iter(passenger.email_addresses or []), "Nobody named")


def zone_of(zone: str | None, iata: str | None, address: Address | None) -> str | None:
    """The time zone of a place: the one given if there is such a zone, else the airport's, else the coordinates'."""
    if zone and zone.strip() and zone_named(zone.strip()) is not None:
        return zone.strip()
    known = airport(iata) if iata else None
    if known is not None:
        return known.time_zone
    latitude, longitude = _coordinates(address, None)
    return zone_at(latitude, longitude) if latitude is not None and longitude is not None else None


_Window = tuple[datetime | None, datetime | None]
_Place = tuple[Role, _End, _Window, str | None]


def _places(kind: str, segment: Segment) -> list[_Place]:
    start, finish = _start(segment), _finish(kind, segment)
    if start.is_nowhere:
        return []
    if start.moment is not None and finish.moment is not None and finish.moment < start.moment:
        finish = _the_second_time(segment, finish)
    begins, ends = start.moment, finish.moment
    problem = start.problem or finish.problem
    if begins is not None and ends is not None and ends < begins:
        problem = ENDS_BEFORE_IT_BEGINS
    if kind == "Hotel":
        return [("Stay", start, (begins, ends), problem)]
    places: list[_Place] = [("Departure", start, (_moved(begins, -BEFORE_DEPARTURE), begins), problem)]
    if not finish.is_nowhere:
        places.append(("Arrival", finish, (ends, _moved(ends, AFTER_ARRIVAL)), problem))
    return places


def _start(segment: Segment) -> _End:
    return _end(
        segment.from_address,
        segment.from_iata_code,
        segment.from_time_zone,
        segment.from_date_time,
        segment.from_date_time_local,
    )


def _finish(kind: str, segment: Segment) -> _End:
    address, iata, zone = segment.to_address, segment.to_iata_code, segment.to_time_zone
    if kind == "Hotel":
        # A stay is in one place: both of its times are read there.
        address, iata, zone = segment.from_address, segment.from_iata_code, zone or segment.from_time_zone
    elif kind == "Car" and not iata and (address is None or not address.to_wire()):
        # A car without a place of return comes back to where it was picked up.
        address, iata = segment.from_address, segment.from_iata_code
    return _end(address, iata, zone, segment.to_date_time, segment.to_date_time_local)


def _end(address: Address | None, iata: str | None, zone: str | None, utc: str | None, local: str | None) -> _End:
    code = (iata or "").strip().upper() or None
    where = zone_of(zone, code, address)
    moment = parse_utc(utc) or true_time(local, where).utc
    problem = None if moment else NO_ZONE if parse_local(local) and where is None else NO_TIME
    return _End(address, code, where, moment, problem)


def _the_second_time(segment: Segment, finish: _End) -> _End:
    """An end in the hour that happens twice, and before the start the first time, is the second time's."""
    info = zone_named(finish.zone) if finish.zone else None
    wall = parse_local(segment.to_date_time_local)
    if parse_utc(segment.to_date_time) is not None or info is None or wall is None:
        return finish
    return replace(finish, moment=wall.replace(tzinfo=info, fold=1).astimezone(UTC))


def _moved(moment: datetime | None, by: timedelta) -> datetime | None:
    try:
        return moment + by if moment is not None else None
    except OverflowError:
        return moment


def _persons(passengers: Iterable[Passenger]) -> Iterator[Passenger]:
    seen = set()
    for passenger in passengers:
        person = (passenger.employee_id or "").strip() or passenger.contact_id
        if person and person in seen:
            continue
        seen.add(person)
        yield passenger


def _located(
    passenger: Passenger, index: int, kind: str, role: Role, end: _End, window: _Window, problem: str | None
) -> PredictedLocation:
    known = airport(end.iata) if end.iata else None
    latitude, longitude = _coordinates(end.address, known)
    if not (passenger.employee_id or "").strip() and passenger.contact_id is None:
        problem = problem or CANNOT_BE_MATCHED
    address = end.address
    return PredictedLocation(
        traveller=traveller_name(passenger),
        kind=kind,
        role=role,
        location_name=(address and address.location_name) or (known and known.name) or None,
        city=(address and address.city) or (known and known.city) or None,
        country=(address and address.country and address.country.upper()) or (known and known.country) or None,
        iata=end.iata,
        latitude=latitude,
        longitude=longitude,
        arrives=window[0],
        expires=window[1],
        time_zone=end.zone,
        problem=problem or (NO_COORDINATES if latitude is None else None),
        employee_id=passenger.employee_id,
        segment=index,
    )


def _coordinates(address: Address | None, known: Airport | None) -> tuple[float | None, float | None]:
    # Both 0 stand for none: nobody stays in the sea off Ghana.
    given = address is not None and address.latitude is not None and address.longitude is not None
    if address is not None and given and (address.latitude or address.longitude):
        return address.latitude, address.longitude
    return (known.latitude, known.longitude) if known is not None else (None, None)
