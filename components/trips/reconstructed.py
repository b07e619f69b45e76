"""A trip made elsewhere, as far as its expected locations tell: legs, stays, travellers; no flight numbers or carriers.

# ASSUMPTION A65: a record whose travelType is Departure ends at the departure from its place, one of Arrival begins at
# the arrival there, and a Stay runs from check-in to check-out. Where the words differ, nothing is worked out.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from client.models.itineraries import Address, ExpectedLocation, Itinerary, Passenger, Segment
from client.vocabulary.itineraries import ACTIVE
from components.geography.local_time import utc_text

Pair = tuple[ExpectedLocation, ExpectedLocation]

# Checks that would judge the working out, not the trip.
UNFIT_RULES = frozenset({"no-employee-id", "traveller-twice", "airport-unknown"})


def reconstructed(
    locations: Sequence[ExpectedLocation], names: Mapping[str, str], *, locator: str | None
) -> Itinerary | None:
    """Work out a trip from its expected locations; None where they say too little.

    A leg is a departure and the arrival that follows it, of the same person and kind; legs and stays that several
    people share come once. `names` gives "Last, First" by the id by which the service knows a person.
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
        passengers=[_passenger(of_person[0], names) for of_person in people.values()],
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
    for kind in ("Air", "Rail", "Car"):
        of_kind = [location for location in locations if location.kind == kind]
        for left, reached in _pairs(of_kind):
            found.append(
                Segment(
                    type=kind,
                    from_iata_code=left.address.iata,
                    to_iata_code=reached.address.iata,
                    from_address=_address(left),
                    to_address=_address(reached),
                    from_date_time=utc_text(left.address.expire_date),
                    to_date_time=utc_text(reached.address.arrive_date),
                )
            )
    return found


def _pairs(locations: Sequence[ExpectedLocation]) -> list[Pair]:
    """Which departure goes with which arrival: as the service lists them where that can be, else the first next."""
    departures = [each for each in locations if _role(each) == "departure" and each.address.expire_date]
    arrivals = [each for each in locations if _role(each) == "arrival" and each.address.arrive_date]
    listed = list(zip(departures, arrivals, strict=False))
    if len(departures) == len(arrivals) and all(_follows(pair) for pair in listed):
        return listed
    pairs: list[Pair] = []
    left_over = sorted(arrivals, key=lambda each: str(utc_text(each.address.arrive_date)))
    for departure in sorted(departures, key=lambda each: str(utc_text(each.address.expire_date))):
        following = next((arrival for arrival in left_over if _follows((departure, arrival))), None)
        if following is not None:
            left_over.remove(following)
            pairs.append((departure, following))
    return pairs


def _follows(pair: Pair) -> bool:
    left, reached = pair[0].address.expire_date, pair[1].address.arrive_date
    return left is not None and reached is not None and left <= reached


def _role(location: ExpectedLocation) -> str:
    return (location.travel_type or "").strip().casefold()


def _person(location: ExpectedLocation) -> str:
    return (location.contact_external_id or "").strip() or f"contact {location.contact_id}"


def _passenger(location: ExpectedLocation, names: Mapping[str, str]) -> Passenger:
    external = (location.contact_external_id or "").strip()
    last, _, first = names.get(external, "").partition(", ")
    return Passenger(
        contact_id=location.contact_id or None,
        employee_id=external or None,
        first_name=first or None,
        last_name=last or None,
    )


def _address(location: ExpectedLocation) -> Address:
    said = location.address.model_dump(include={*Address.model_fields})
    return Address(**said, latitude=location.latitude, longitude=location.longitude)
