"""Predict the expected locations of a trip before it is sent, and reconstruct a trip from expected locations.

Travelers are expected at a place of departure from 24 hours before they leave, at a place of arrival until 24 hours
after they arrive, and at a hotel from check-in to check-out. There is one record per traveler and place. The places are
those of `domain.trips.resolved_segments`.

This module is independent of the service's code, so that the results can be compared.
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
from domain.trips.presences import ARRIVAL_CODE, WindowRow, pair_legs, windows_of_trip
from domain.trips.resolved_segments import End, ResolvedSegment, is_stay, resolve
from journal import Traveler

Role = Literal["Departure", "Arrival", "Stay"]

LEG_KINDS: Final = frozenset({"Air", "Rail", "Car"})
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
# Findings about a reconstructed trip that would be about missing data, not about the trip.
IGNORED_IN_RECONSTRUCTION = frozenset({"no-employee-id", "traveler-twice", "airport-unknown"})


@dataclass(frozen=True)
class PredictedLocation:
    """A predicted expected location of one traveler. Times are aware UTC.

    `known_as` are the texts by which the service may know the traveler: the employee ID, else email addresses and the
    name.
    """

    traveler: str
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
        """The name of the place. A hotel does not get the name of its airport."""
        port = self.place.airport
        return self.place.location_name or (port.name if port and self.role != "Stay" else "")

    @property
    def is_expected(self) -> bool:
        """False if the problem prevents the service from expecting anyone there."""
        return self.problem not in _FATAL


def predict(itinerary: Itinerary) -> list[PredictedLocation]:
    """Predict every expected location, by traveler, then by segment.

    A canceled trip has none, nor has a segment of unknown type. A traveler listed twice is expected once. Locations
    with `is_expected` False are included so that their problems can be fixed.
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
            who = (name_last_first(passenger), passenger.employee_id, known_as)
            found.append(PredictedLocation(*who, segment, role, place, *window, problem))
    return found


def name_last_first(passenger: Passenger) -> str:
    """Return a traveler's name as `Silva, Ana`; without a name, the employee ID or an email address."""
    name = ", ".join(part.strip() for part in (passenger.last_name, passenger.first_name) if part and part.strip())
    return (
        name or (passenger.employee_id or "").strip() or next(iter(passenger.email_addresses or []), "Unnamed traveler")
    )


def places_of_segment(segment: ResolvedSegment) -> list[_Place]:
    """Return where everyone on a segment is expected: segment, role, place, window, and a problem or None."""
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
    """Yield each person once, with the texts by which the service may know them."""
    seen: set[object] = set()
    names: dict[str, set[str]] = defaultdict(set)
    for passenger in passengers:
        for address in _addresses(passenger):
            names[address.casefold()].add(_full_name(passenger).casefold())
    for passenger in passengers:
        employee_id, name = (passenger.employee_id or "").strip(), _full_name(passenger)
        # An email address that people with other names share identifies no one.
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


def preview_summary(predicted: Sequence[PredictedLocation], travelers: int) -> str:
    """Summarize the preview in one line: how many expected locations, people, places, and places without
    coordinates.
    """
    places = len({(each.segment.index, each.role) for each in predicted})
    unplaced = sum(each.place.position is None for each in predicted)
    summary = (
        f"{count(len(predicted), 'expected location', 'expected locations')}: "
        f"{count(travelers, 'traveler', 'travelers')} at {count(places, 'place', 'places')}"
    )
    return summary + (f" · {unplaced:,} not on the map" if unplaced else "")


# ASSUMPTION A65: a record whose travelType is Departure ends at the departure from its place, one of Arrival begins at
# the arrival there, and a Stay runs from check-in to check-out. Where the words differ, nothing is worked out.


def reconstruct_itinerary(
    locations: Sequence[ExpectedLocation],
    people: Mapping[str, Traveler],
    *,
    locator: str | None,
    with_gaps: bool = False,
) -> Itinerary | None:
    """Reconstruct a trip from its expected locations; None if they are not enough.

    Legs come from `pair_legs`. Legs and stays that several people share are included once. `people` are names by
    external ID. `with_gaps` includes legs of which only one end is known, and stays without a beginning or an end.
    """
    by_person: dict[str, list[ExpectedLocation]] = defaultdict(list)
    for location in locations:
        by_person[_person(location)].append(location)
    segments: dict[str, Segment] = {}
    for of_person in by_person.values():
        for segment in [*_stays(of_person, with_gaps=with_gaps), *_legs(of_person, with_gaps=with_gaps)]:
            segments.setdefault(segment.model_dump_json(), segment)
    if not segments:
        return None
    return Itinerary(
        pnr=locator or "",
        itinerary_status=ACTIVE,
        segments=sorted(segments.values(), key=lambda segment: segment.from_date_time or segment.to_date_time or ""),
        passengers=[_passenger(of_person[0], people) for of_person in by_person.values()],
    )


def _stays(locations: Sequence[ExpectedLocation], *, with_gaps: bool) -> list[Segment]:
    return [
        Segment(
            type="Hotel",
            from_address=_address(location),
            from_date_time=utc_text(location.address.arrive_date),
            to_date_time=utc_text(location.address.expire_date),
        )
        for location in locations
        if location.kind == "Hotel" and (with_gaps or (location.address.arrive_date and location.address.expire_date))
    ]


def _legs(locations: Sequence[ExpectedLocation], *, with_gaps: bool) -> list[Segment]:
    windows = windows_of_trip([_window(each) for each in locations])
    pairs = [(int(departure), int(arrival)) for departure, arrival in zip(*pair_legs(windows), strict=True)]
    found = [
        _leg(locations[departure], locations[arrival])
        for departure, arrival in pairs
        if locations[departure].kind in LEG_KINDS
    ]
    if with_gaps:
        paired = {index for pair in pairs for index in pair}
        for index, location in enumerate(locations):
            if index not in paired and location.kind in LEG_KINDS:
                is_arrival = windows.role[index] == ARRIVAL_CODE
                found.append(_leg(None if is_arrival else location, location if is_arrival else None))
    return found


def _leg(left: ExpectedLocation | None, reached: ExpectedLocation | None) -> Segment:
    """Return a leg between two places, of which one may be unknown."""
    leg = Segment(type=next(each.kind or "" for each in (left, reached) if each is not None))
    if left is not None:
        leg = leg.model_copy(
            update={
                "from_iata_code": left.address.iata,
                "from_address": _address(left),
                "from_date_time": utc_text(left.address.expire_date),
            }
        )
    if reached is not None:
        leg = leg.model_copy(
            update={
                "to_iata_code": reached.address.iata,
                "to_address": _address(reached),
                "to_date_time": utc_text(reached.address.arrive_date),
            }
        )
    return leg


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


def _passenger(location: ExpectedLocation, people: Mapping[str, Traveler]) -> Passenger:
    external = (location.contact_external_id or "").strip()
    person = people.get(external, Traveler(external))
    return Passenger(
        contact_id=location.contact_id or None,
        employee_id=external or None,
        first_name=person.first_name or None,
        last_name=person.last_name or None,
    )


def _address(location: ExpectedLocation) -> Address:
    address = location.address.model_dump(include={*Address.model_fields})
    return Address(**address, latitude=location.latitude, longitude=location.longitude)
