"""The expected locations a trip will give, worked out here before anything is sent; and the trip that gives some.

An independent reading of the rules: a place left is expected from 24 hours before departure until departure, a place
reached from arrival until 24 hours after it, a hotel from check-in to check-out; one record a traveller a place. The
place of each end is as `domain.trips.resolved` reads it. It knows nothing of the service's code, so that the two
can be held against each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from client.models.itineraries import Address, ExpectedLocation, Itinerary, Passenger, Segment
from client.vocabulary.itineraries import ACTIVE, SEGMENT_TYPES
from domain.geography.time_zones import utc_text
from domain.text.plain_text import count
from domain.trips.presences import WindowRow, pair_legs, windows_of_trip
from domain.trips.resolved import End, ResolvedSegment, is_stay, resolve
from journal import Traveller

Role = Literal["Departure", "Arrival", "Stay"]

BEFORE_DEPARTURE: Final = timedelta(hours=24)
AFTER_ARRIVAL: Final = timedelta(hours=24)

NO_TIME: Final = "no time"
NO_ZONE: Final = "no time zone"
ENDS_BEFORE_IT_BEGINS: Final = "ends before it begins"
CANNOT_BE_MATCHED: Final = "the traveler has no employee ID, no contact ID, and no name"
NO_COORDINATES: Final = "no coordinates"
_FATAL: Final = frozenset({NO_TIME, NO_ZONE, ENDS_BEFORE_IT_BEGINS, CANNOT_BE_MATCHED})

_Window = tuple[datetime | None, datetime | None]
_Place = tuple[ResolvedSegment, Role, End, _Window, str | None]
# Checks that would judge the working out, not the trip.
UNFIT_RULES = frozenset({"no-employee-id", "traveller-twice", "airport-unknown"})


@dataclass(frozen=True)
class PredictedLocation:
    """One expected location of one traveller: where, from when until when (aware UTC), and what is wrong with it.

    `known_as` is what the service may know the traveller by: the employee id, else addresses and name.
    """

    traveller: str
    employee_id: str | None
    known_as: tuple[str, ...]
    segment: ResolvedSegment
    role: Role
    place: End
    arrives: datetime | None
    expires: datetime | None
    problem: str | None = None

    @property
    def location_name(self) -> str:
        """What the place is called; a hotel near an airport is not called like it."""
        port = self.place.airport
        return self.place.location_name or (port.name if port and self.role != "Stay" else "")

    @property
    def follows(self) -> bool:
        """False where the problem is such that the service will expect nobody there."""
        return self.problem not in _FATAL


def predict(itinerary: Itinerary) -> list[PredictedLocation]:
    """Every expected location the trip gives, by traveller, then by segment, in the order given.

    A canceled trip gives none, nor does a segment of a kind the service does not know. A traveller who is listed twice
    is expected once. Where `follows` is false the location is here to be mended: the service would leave it out.
    """
    if itinerary.is_canceled:
        return []
    places = [
        each for segment in resolve(itinerary) if segment.kind in SEGMENT_TYPES for each in places_of_segment(segment)
    ]
    found = []
    for passenger, known_as in _persons(itinerary.passengers or []):
        can_be_matched = (passenger.employee_id or "").strip() or passenger.contact_id or _full_name(passenger)
        for segment, role, place, window, wrong in places:
            problem = wrong or (None if can_be_matched else CANNOT_BE_MATCHED)
            problem = problem or (NO_COORDINATES if place.position is None else None)
            who = (traveller_name(passenger), passenger.employee_id, known_as)
            found.append(PredictedLocation(*who, segment, role, place, *window, problem))
    return found


def traveller_name(passenger: Passenger) -> str:
    """A traveller as people read it: `Silva, Ana`, else the employee id, else a first e-mail address."""
    name = ", ".join(part.strip() for part in (passenger.last_name, passenger.first_name) if part and part.strip())
    return name or (passenger.employee_id or "").strip() or next(iter(passenger.email_addresses or []), "Nobody named")


def places_of_segment(segment: ResolvedSegment) -> list[_Place]:
    """Where everybody on a segment is expected: segment, role, place, window, and a problem with it or None."""
    start, finish = segment.start, segment.end
    if not start.has_place:
        return []
    begins, ends = start.moment, finish.moment
    problem = _problem(start) or _problem(finish)
    if segment.ends_before_start:
        problem = ENDS_BEFORE_IT_BEGINS
    if is_stay(segment.kind):
        return [(segment, "Stay", start, (begins, ends), problem)]
    places: list[_Place] = [(segment, "Departure", start, (_moved(begins, -BEFORE_DEPARTURE), begins), problem)]
    if finish.has_place:
        places.append((segment, "Arrival", finish, (ends, _moved(ends, AFTER_ARRIVAL)), problem))
    return places


def _problem(end: End) -> str | None:
    if end.moment is not None:
        return None
    return NO_TIME if end.stated_local is None else NO_ZONE


def _moved(moment: datetime | None, by: timedelta) -> datetime | None:
    try:
        return moment + by if moment is not None else None
    except OverflowError:
        return moment


def _persons(passengers: Sequence[Passenger]) -> Iterator[tuple[Passenger, tuple[str, ...]]]:
    """Everybody once, with what the service may know them by."""
    seen: set[object] = set()
    names: dict[str, set[str]] = defaultdict(set)
    for passenger in passengers:
        for address in _addresses(passenger):
            names[address.casefold()].add(_full_name(passenger).casefold())
    for passenger in passengers:
        employee_id, name = (passenger.employee_id or "").strip(), _full_name(passenger)
        # An address that people of other names have too tells nobody apart.
        own = [each for each in _addresses(passenger) if names[each.casefold()] <= {"", name.casefold()}]
        known_as = (employee_id,) if employee_id else (*own, *([name] if name else []))
        person = employee_id or passenger.contact_id
        marks = {person} if person else {text.casefold() for text in known_as}
        found_by = marks if person or not own else {address.casefold() for address in own}
        if not found_by & seen or not found_by:
            yield passenger, known_as
        seen |= marks


def _full_name(passenger: Passenger) -> str:
    parts = (passenger.first_name, passenger.middle_name, passenger.last_name)
    return " ".join(part.strip() for part in parts if part and part.strip())


def _addresses(passenger: Passenger) -> list[str]:
    return [address.strip() for address in passenger.email_addresses if address.strip()]


def answer_line(predicted: Sequence[PredictedLocation], travellers: int) -> str:
    """The preview in one line: how many expected locations, of how many people, and how many have no mark on a map."""
    places = len({(each.segment.index, each.role) for each in predicted})
    unplaced = sum(each.place.position is None for each in predicted)
    said = (
        f"{count(len(predicted), 'expected location', 'expected locations')}: "
        f"{count(travellers, 'traveler', 'travelers')} at {count(places, 'place', 'places')}"
    )
    return said + (f" · {unplaced:,} not on the map" if unplaced else "")


# ASSUMPTION A65: a record whose travelType is Departure ends at the departure from its place, one of Arrival begins at
# the arrival there, and a Stay runs from check-in to check-out. Where the words differ, nothing is worked out.


def reconstructed(
    locations: Sequence[ExpectedLocation], known: Mapping[str, Traveller], *, locator: str | None
) -> Itinerary | None:
    """Work out a trip from its expected locations; None where they say too little.

    Legs are those of `pair_legs`; legs and stays that several people share come once. `known` are people whose names
    are known, by the id by which the service knows them.
    """
    people: dict[str, list[ExpectedLocation]] = defaultdict(list)
    for location in locations:
        people[_person(location)].append(location)
    segments: dict[str, Segment] = {}
    for of_person in people.values():
        for segment in [*_stays(of_person), *_legs(of_person)]:
            segments.setdefault(segment.model_dump_json(), segment)
    if not segments:
        return None
    return Itinerary(
        pnr=locator or "",
        itinerary_status=ACTIVE,
        segments=sorted(segments.values(), key=lambda segment: segment.from_date_time or ""),
        passengers=[_passenger(of_person[0], known) for of_person in people.values()],
    )


def _stays(locations: Sequence[ExpectedLocation]) -> list[Segment]:
    return [
        Segment(
            type="Hotel",
            from_address=_address(location),
            from_date_time=utc_text(location.address.arrive_date),
            to_date_time=utc_text(location.address.expire_date),
        )
        for location in locations
        if location.kind == "Hotel" and location.address.arrive_date and location.address.expire_date
    ]


def _legs(locations: Sequence[ExpectedLocation]) -> list[Segment]:
    found = []
    for departure, arrival in zip(*pair_legs(windows_of_trip([_window(each) for each in locations])), strict=True):
        left, reached = locations[departure], locations[arrival]
        if left.kind in {"Air", "Rail", "Car"}:
            found.append(
                Segment(
                    type=left.kind,
                    from_iata_code=left.address.iata,
                    to_iata_code=reached.address.iata,
                    from_address=_address(left),
                    to_address=_address(reached),
                    from_date_time=utc_text(left.address.expire_date),
                    to_date_time=utc_text(reached.address.arrive_date),
                )
            )
    return found


def _window(location: ExpectedLocation) -> WindowRow:
    address = location.address
    return WindowRow(
        _person(location),
        location.kind,
        location.travel_type,
        address.arrive_date,
        address.expire_date,
        location.position,
    )


def _person(location: ExpectedLocation) -> str:
    return (location.contact_external_id or "").strip() or f"contact {location.contact_id}"


def _passenger(location: ExpectedLocation, known: Mapping[str, Traveller]) -> Passenger:
    external = (location.contact_external_id or "").strip()
    person = known.get(external, Traveller(external))
    return Passenger(
        contact_id=location.contact_id or None,
        employee_id=external or None,
        first_name=person.first_name or None,
        last_name=person.last_name or None,
    )


def _address(location: ExpectedLocation) -> Address:
    said = location.address.model_dump(include={*Address.model_fields})
    return Address(**said, latitude=location.latitude, longitude=location.longitude)
