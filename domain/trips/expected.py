"""A trip's expected locations: what the service answers, held against what the itinerary that was sent should give."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

import pandas as pd

from client.models.itineraries import ExpectedLocation, Itinerary
from domain.geography.airports import COORDINATES_WITHIN_KM
from domain.geography.countries import country_name
from domain.geography.distance import great_circle_km
from domain.geography.time_zones import zone_at
from domain.text.time_text import at_place
from domain.trips.prediction import PredictedLocation, predict
from domain.trips.presences import WindowRow, find_whereabouts, opening, windows_of_trip
from domain.trips.trip_words import how_long, kilometres

SAME_PLACE_KM = 2.0
# Further apart than this a location is another one, not this one moved.
RELATED_WITHIN_KM = 100.0
SAME_TIME = timedelta(minutes=1)
# A location with another name or code is paired after those that may be the same place.
_NAMED_OTHERWISE = 0.1

ROLES = {"departure": "before departure", "arrival": "after arrival", "stay": "stay"}


class Comparison(StrEnum):
    """How an expected location compares with what the itinerary gives by the rules."""

    MATCHES = "matches"
    DIFFERS = "differs"
    MISSING = "missing"
    EXTRA = "extra"
    NOT_COMPARED = "not compared"


SAID = {
    Comparison.MATCHES: ("✓ matches", "as sent"),
    Comparison.DIFFERS: ("≠ differs", "differ from what was sent"),
    Comparison.MISSING: ("✕ missing", "missing at the service"),
    Comparison.EXTRA: ("+ extra", "not in what was sent"),
    Comparison.NOT_COMPARED: ("", ""),
}
"""How a comparison is told of one location, and of many."""


@dataclass(frozen=True)
class ComparedLocation:
    """One place where one person is (or should be) expected; moments are aware UTC, the position decimal degrees.

    `person` is a name, which others may bear too; `person_id` tells the people of a trip apart.
    """

    person: str
    person_id: str
    place: str
    country: str
    kind: str
    role: str
    travel_type: str
    arrives: datetime | None
    expires: datetime | None
    zone: str | None
    position: tuple[float, float] | None
    comparison: Comparison
    words: str
    number: int = 0
    """Its position in the answer of the service."""
    follows: bool = True
    """False where the itinerary gives it, though not so that the service could expect anybody there."""


def compared(
    itinerary: Itinerary | None, locations: Sequence[ExpectedLocation], names: Mapping[str, str] | None = None
) -> list[ComparedLocation]:
    """Hold the service's locations against the prediction, in order of time; without an itinerary nothing is compared.

    `names` gives "Last, First" by the id by which the service knows a person.
    """
    names = names or {}
    if itinerary is None:
        not_compared = Comparison.NOT_COMPARED
        rows = [_of_service(location, names, not_compared, "", number) for number, location in enumerate(locations)]
        return sorted(rows, key=_when)
    predicted = predict(itinerary)
    known = {text: each.traveller for each in predicted for text in each.known_as}
    names = {**known, **names}
    pairs = _pairs(predicted, locations)
    ids = {_person_id(location) for location in locations}
    rows = []
    for number, location in enumerate(locations):
        match = pairs.get(number)
        if match is None:
            rows.append(_of_service(location, names, Comparison.EXTRA, "not in what was sent from Muster", number))
            continue
        differences = _differences(predicted[match], location)
        state = Comparison.DIFFERS if differences else Comparison.MATCHES
        rows.append(_of_service(location, names, state, "; ".join(differences) or "as sent from Muster", number))
    found = set(pairs.values())
    rows += [_of_prediction(each, ids) for number, each in enumerate(predicted) if number not in found]
    return sorted(rows, key=_when)


def count_matches(predicted: Sequence[PredictedLocation], locations: Sequence[ExpectedLocation]) -> int:
    """Count the predicted locations that the service has: person, kind, role, place, and window to the minute."""
    return sum(
        not _window_differences(predicted[match], locations[number])
        and not is_elsewhere(predicted[match], locations[number])
        for number, match in _pairs(predicted, locations).items()
    )


def are_as_predicted(predicted: Sequence[PredictedLocation], locations: Sequence[ExpectedLocation]) -> bool:
    """Return whether the service expects people exactly as predicted."""
    return len(predicted) == len(locations) == count_matches(predicted, locations)


def verdict(rows: Sequence[ComparedLocation]) -> str:
    """Say in one line how the service's locations compare with what was sent."""
    counts = Counter([row.comparison for row in rows])
    del counts[Comparison.NOT_COMPARED]
    if set(counts) == {Comparison.MATCHES}:
        return "all as in the itinerary sent from Muster"
    return ", ".join(f"{counts[state]:,} {text}" for state, (_, text) in SAID.items() if counts[state])


def presence_texts(rows: Sequence[ComparedLocation], now: datetime) -> list[str]:
    """Say of each location whether the person is there now, or when they will be or were.

    What is concluded from all locations of a trip together is what `domain.trips.presences` says.
    """
    at_service = [number for number, row in enumerate(rows) if row.comparison is not Comparison.MISSING]
    at_service.sort(key=lambda number: rows[number].number)
    where = find_whereabouts(windows_of_trip([_window(rows[number]) for number in at_service]))
    at = opening(now)
    legs = {
        rows[at_service[left]].person_id: (at_service[left], at_service[reached])
        for left, reached, departs, arrives in zip(where.left, where.reached, where.departs, where.arrives, strict=True)
        if departs <= at < arrives
    }
    presences: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for window, begins, ends in zip(where.row, where.begins, where.ends, strict=True):
        presences[at_service[window]].append((int(begins) - at, int(ends) - at))
    return [
        "not at the service" if number not in presences else _presence(number, row, presences[number], legs, now)
        for number, row in enumerate(rows)
    ]


def _presence(
    number: int,
    row: ComparedLocation,
    presences: Sequence[tuple[int, int]],
    legs: Mapping[str, tuple[int, int]],
    now: datetime,
) -> str:
    """Say it of one location; its presences begin and end so many microseconds after `now`."""
    if row.arrives is None or row.expires is None:
        return "no window"
    left, reached = legs.get(row.person_id, (None, None))
    if number == reached:
        return f"in transit, arrives in {how_long(row.arrives - now)}"
    is_open = next((ends for begins, ends in presences if begins <= 0 < ends), None)
    if is_open is not None:
        return "in transit" if left is not None else f"now, for {_how_long(is_open)} more"
    ahead = next((begins for begins, _ in presences if begins > 0), None)
    if ahead is not None:
        return f"{'in' if ahead == presences[0][0] else 'again in'} {_how_long(ahead)}"
    return f"{'left' if number == left or now < row.expires else 'ended'} {_how_long(presences[-1][1])} ago"


def _how_long(microseconds: int) -> str:
    return how_long(timedelta(microseconds=microseconds))


def _window(row: ComparedLocation) -> WindowRow:
    return WindowRow(row.person_id, row.kind, row.travel_type, row.arrives, row.expires, row.position)


def as_table(rows: Sequence[ComparedLocation], now: datetime, *, briefly: bool = False) -> pd.DataFrame:
    """The rows as a table to read and to download; `arrives` and `expires` are moments in UTC."""
    return pd.DataFrame(
        [
            {
                "person": row.person,
                "place": row.place,
                "country": country_name(row.country),
                "kind": row.kind,
                "role": row.role,
                "now": presence,
                "from": at_place(row.arrives, row.zone, now=now, briefly=briefly) if row.arrives else "",
                "until": at_place(row.expires, row.zone, now=now, briefly=briefly) if row.expires else "",
                "comparison": ": ".join(filter(None, (SAID[row.comparison][0], row.words))),
                "arrives": row.arrives,
                "expires": row.expires,
                "latitude": row.position and row.position[0],
                "longitude": row.position and row.position[1],
            }
            for row, presence in zip(rows, presence_texts(rows, now), strict=True)
        ]
    )


def predicted_table(predicted: Sequence[PredictedLocation], now: datetime) -> pd.DataFrame:
    """One row a place of a segment, as in `as_table`, with how many `people` are expected there and any `problem`.

    Times are told on the clocks of the place.
    """
    places: dict[tuple[int, str], list[PredictedLocation]] = {}
    for each in predicted:
        places.setdefault((each.segment.index, each.role), []).append(each)
    in_order = [some for _, some in sorted(places.items(), key=lambda item: item[0][0])]
    table = as_table([_of_prediction(some[0]) for some in in_order], now, briefly=True)
    return table.assign(people=[len(some) for some in in_order], problem=[some[0].problem or "" for some in in_order])


def _pairs(predicted: Sequence[PredictedLocation], locations: Sequence[ExpectedLocation]) -> dict[int, int]:
    """Which prediction each location (by number) is: the nearest ones first, each once.

    Of those equally near, a person's own come first. Not every two are weighed: all predictions of one place of a
    segment are as far from all locations that tell of one place and window.
    """
    places: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    open_to: defaultdict[object, list[int]] = defaultdict(list)
    for other, each in reversed([*enumerate(predicted)]):
        spot = (each.segment.index, each.role)
        places[spot].append(other)
        employee = (each.employee_id or "").strip().casefold()
        for name in {("all",), ("employee", employee), *(("known", text) for text in each.known_as)}:
            open_to[spot, name].append(other)
    alike: defaultdict[object, list[int]] = defaultdict(list)
    for number, location in enumerate(locations):
        address = location.address
        where = (location.kind, _role(location), location.position, address.iata, address.city, address.location_name)
        alike[where, address.arrive_date, address.expire_date].append(number)
    near: defaultdict[float, list[tuple[list[int], tuple[int, str]]]] = defaultdict(list)
    for numbers in alike.values():
        for place, others in places.items():
            cost = _cost(predicted[others[0]], locations[numbers[0]])
            if cost is not None:
                near[cost].append((numbers, place))
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, reached in sorted(near.items()):
        reach: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)
        for numbers, place in reached:
            numbers[:] = [number for number in numbers if number not in pairs]
            for number in numbers:
                reach[number].append(place)
        for is_somebody_else in (False, True):
            for number, at in sorted(reach.items()):
                free = [open_to[place, name] for place in at for name in _names(locations[number], is_somebody_else)]
                for others in free:
                    while others and others[-1] in taken:
                        others.pop()
                if number not in pairs and any(free):
                    pairs[number] = min(others[-1] for others in free if others)
                    taken.add(pairs[number])
    return pairs


def _names(location: ExpectedLocation, is_somebody_else: bool) -> list[tuple[str, ...]]:
    """Under what the predictions stand that may be of the location's person."""
    external = (location.contact_external_id or "").strip()
    if not is_somebody_else:
        return [("known", external)]
    return [("employee", ""), ("employee", external.casefold())] if external else [("all",)]


def _cost(each: PredictedLocation, location: ExpectedLocation) -> float | None:
    """How far a location is from a prediction of whoever, in hours and kilometres added up; None for another place."""
    if location.kind and location.kind != each.segment.kind:
        return None
    role = _role(location)
    if role and role != each.role.casefold():
        return None
    apart = _apart(each, location)
    if apart is not None and apart > RELATED_WITHIN_KM:
        return None
    return (
        (apart or 0.0)
        + _NAMED_OTHERWISE * is_elsewhere(each, location)
        + _hours(each.arrives, location.address.arrive_date)
        + _hours(each.expires, location.address.expire_date)
    )


def _differences(each: PredictedLocation, location: ExpectedLocation) -> list[str]:
    found = []
    apart = _apart(each, location)
    if location.is_impossible:
        found.append("the service's coordinates are of no place on earth")
    elif apart is not None and apart > SAME_PLACE_KM:
        found.append(f"the place is {kilometres(apart)} off")
    elif (each.place.position is None) != (location.position is None):
        found.append("the service has no coordinates" if location.position is None else "the service has coordinates")
    return [*found, *_window_differences(each, location)]


def _window_differences(each: PredictedLocation, location: ExpectedLocation) -> list[str]:
    found = []
    for word, predicted, actual in (
        ("begins", each.arrives, location.address.arrive_date),
        ("ends", each.expires, location.address.expire_date),
    ):
        if predicted is None or actual is None:
            if predicted is not actual:
                found.append(f"no time when it {word}" if actual is None else f"{word} at a time that was not given")
        elif abs(actual - predicted) > SAME_TIME:
            found.append(f"{word} {how_long(actual - predicted)} {'later' if actual > predicted else 'earlier'}")
    return found


def is_elsewhere(each: PredictedLocation, location: ExpectedLocation) -> bool:
    """Whether a location surely is not the predicted place, by what both tell of where it is."""
    apart, place, address = _apart(each, location), each.place, location.address
    if apart is not None and apart > SAME_PLACE_KM:
        return True
    if apart is not None and each.role != "Stay":
        return False
    # Two hotels of one street, or near one airport, are told apart by their names.
    told = ((place.code, address.iata), (place.city, address.city), (place.location_name, address.location_name))
    return any(one and other and one.strip().casefold() != other.strip().casefold() for one, other in told)


def _apart(each: PredictedLocation, location: ExpectedLocation) -> float | None:
    apart = None
    place, code = each.place, location.address.iata
    if place.position is not None and location.position is not None:
        apart = great_circle_km(*place.position, *location.position)
    same_code = code and place.code and place.code.casefold() == code.casefold()
    return 0.0 if same_code and (apart is None or apart <= COORDINATES_WITHIN_KM) else apart


def _hours(one: datetime | None, other: datetime | None) -> float:
    return abs((one - other) / timedelta(hours=1)) if one and other else 24.0 * (one is not other)


def _role(location: ExpectedLocation) -> str:
    word = (location.travel_type or "").strip().casefold()
    return word if word in ROLES else ""


def _of_service(
    location: ExpectedLocation, names: Mapping[str, str], state: Comparison, words: str, number: int
) -> ComparedLocation:
    address = location.address
    external = (location.contact_external_id or "").strip()
    nobody = f"Contact {location.contact_id}" if location.contact_id else "Somebody"
    return ComparedLocation(
        person=names.get(external) or external or nobody,
        person_id=_person_id(location),
        place=place_name(address.iata, address.location_name, address.city),
        country=address.country or "",
        kind=location.kind or (location.travel_category or ""),
        role=ROLES.get(_role(location), location.travel_type or ""),
        travel_type=location.travel_type or "",
        arrives=address.arrive_date,
        expires=address.expire_date,
        zone=zone_at(location.latitude, location.longitude),
        position=location.position,
        comparison=state,
        words=words,
        number=number,
    )


def _person_id(location: ExpectedLocation) -> str:
    return (location.contact_external_id or "").strip().casefold() or str(location.contact_id or "")


def _of_prediction(each: PredictedLocation, ids: Collection[str] = ()) -> ComparedLocation:
    """`ids` are those by which the service knows the people of the trip."""
    known_as = [text.casefold() for text in each.known_as] or [each.traveller]
    return ComparedLocation(
        person=each.traveller,
        person_id=next((text for text in known_as if text in ids), known_as[0]),
        place=place_name(each.place.code, each.location_name, each.place.city),
        country=each.place.country.upper(),
        kind=each.segment.kind,
        role=ROLES[each.role.casefold()],
        travel_type=each.role,
        arrives=each.arrives,
        expires=each.expires,
        zone=each.place.zone,
        position=each.place.position,
        comparison=Comparison.MISSING,
        follows=each.follows,
        words=f"the service does not expect it ({each.problem})" if each.problem else "the service does not expect it",
    )


def place_name(code: str | None, name: str | None, city: str | None) -> str:
    """Write a place as ``SIN Singapore Changi International Airport`` or ``Harbour Hotel, Singapore``."""
    if code:
        return f"{code} {name or city or ''}".strip()
    if name and city and city.casefold() not in name.casefold():
        return f"{name}, {city}"
    return name or city or "no place given"


def _when(row: ComparedLocation) -> tuple[datetime, str, str]:
    return (row.arrives or row.expires or datetime.max.replace(tzinfo=UTC), row.person, row.place)
