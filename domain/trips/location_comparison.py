"""Compare the expected locations of a trip at the service with those that the sent itinerary should give."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum

import numpy as np
import pandas as pd

from client.models.itineraries import ExpectedLocation, Itinerary
from domain.geography.airports import COORDINATES_WITHIN_KM
from domain.geography.countries import country_name
from domain.geography.distance import great_circle_km
from domain.geography.time_zones import zone_at
from domain.text.time_text import at_place, utc_time
from domain.trips.likely_places import LEAVING, THERE, find_likely_places
from domain.trips.prediction import PredictedLocation, predict
from domain.trips.presences import WindowRow, find_whereabouts, opening, windows_of_trip
from domain.trips.trip_format import format_duration, format_kilometers

SAME_PLACE_KM = 2.0
# Locations farther apart than this are different locations, not one that moved.
RELATED_WITHIN_KM = 100.0
SAME_TIME = timedelta(minutes=1)
# Locations with another name or code are matched last.
_OTHER_NAME_COST = 0.1

ROLES = {"departure": "before departure", "arrival": "after arrival", "stay": "stay"}


class Comparison(StrEnum):
    """How an expected location compares with the prediction."""

    MATCHES = "matches"
    DIFFERS = "differs"
    MISSING = "missing"
    EXTRA = "extra"
    NOT_COMPARED = "not compared"


COMPARISON_TEXTS = {
    Comparison.MATCHES: ("✓ matches", "as sent"),
    Comparison.DIFFERS: ("≠ differs", "differ from the trip sent"),
    Comparison.MISSING: ("✕ missing", "missing from the service"),
    Comparison.EXTRA: ("+ extra", "not in the trip sent"),
    Comparison.NOT_COMPARED: ("", ""),
}
"""The text about one location, and about many."""


@dataclass(frozen=True)
class ComparedLocation:
    """A place where a person is, or should be, expected. Times are aware UTC.

    `person` is a name, which several people may have; `person_id` is unique in the trip.
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
    note: str
    number: int = 0
    """Its position in the service's response."""
    is_expected: bool = True
    """False if the itinerary has the location, but an error prevents the service from expecting anyone there."""


def compare_locations(
    itinerary: Itinerary | None, locations: Sequence[ExpectedLocation], names: Mapping[str, str] | None = None
) -> list[ComparedLocation]:
    """Compare the service's locations with the prediction, sorted by time. Without an itinerary, nothing is compared.

    `names` are "Last, First" by external ID.
    """
    names = names or {}
    if itinerary is None:
        not_compared = Comparison.NOT_COMPARED
        rows = [_service_row(location, names, not_compared, "", number) for number, location in enumerate(locations)]
        return sorted(rows, key=_sort_key)
    predicted = predict(itinerary)
    names_by_id = {text: each.traveler for each in predicted for text in each.known_as}
    names = {**names_by_id, **names}
    pairs = _match_predictions(predicted, locations)
    ids = {_person_id(location) for location in locations}
    rows = []
    for number, location in enumerate(locations):
        match = pairs.get(number)
        if match is None:
            rows.append(_service_row(location, names, Comparison.EXTRA, "not in the trip sent from Muster", number))
            continue
        differences = _differences(predicted[match], location)
        state = Comparison.DIFFERS if differences else Comparison.MATCHES
        rows.append(_service_row(location, names, state, "; ".join(differences) or "as sent from Muster", number))
    found = set(pairs.values())
    rows += [_predicted_row(each, ids) for number, each in enumerate(predicted) if number not in found]
    return sorted(rows, key=_sort_key)


def count_matches(predicted: Sequence[PredictedLocation], locations: Sequence[ExpectedLocation]) -> int:
    """Count the predicted locations that the service has: same person, type, role, place, and window to the minute."""
    return sum(
        not _window_differences(predicted[match], locations[number])
        and not is_other_place(predicted[match], locations[number])
        for number, match in _match_predictions(predicted, locations).items()
    )


def are_as_predicted(predicted: Sequence[PredictedLocation], locations: Sequence[ExpectedLocation]) -> bool:
    """Return whether the service expects people exactly as predicted."""
    return len(predicted) == len(locations) == count_matches(predicted, locations)


def comparison_summary(rows: Sequence[ComparedLocation]) -> str:
    """Summarize the comparison in one line."""
    counts = Counter([row.comparison for row in rows])
    del counts[Comparison.NOT_COMPARED]
    if set(counts) == {Comparison.MATCHES}:
        return "all match the trip sent from Muster"
    return ", ".join(f"{counts[state]:,} {text}" for state, (_, text) in COMPARISON_TEXTS.items() if counts[state])


def presence_texts(rows: Sequence[ComparedLocation], now: datetime) -> list[str]:
    """Return for each location whether the person is there now, or when they will be or were.

    All locations of the trip are read together. The person is at the likely place that the map shows.
    """
    at_service = [number for number, row in enumerate(rows) if row.comparison is not Comparison.MISSING]
    at_service.sort(key=lambda number: rows[number].number)
    windows = windows_of_trip([_window(rows[number]) for number in at_service])
    spots = [(rows[number].place, rows[number].position) for number in at_service]
    # The first location of each place stands for it.
    windows = replace(windows, place=np.array([spots.index(spot) for spot in spots], dtype=np.int64))
    where, at = find_whereabouts(windows), opening(now)
    likely = find_likely_places(where, np.arange(len(at_service)))
    intervals = likely.intervals_at(at)
    intervals = intervals[np.isin(likely.status[intervals], (THERE, LEAVING))]
    present = where.row[likely.entry_presence[np.isin(likely.entry_interval, intervals)]]
    likely_numbers = {at_service[window] for window in present}
    legs = {
        rows[at_service[left]].person_id: (at_service[left], at_service[reached])
        for left, reached, departs, arrives in zip(where.left, where.reached, where.departs, where.arrives, strict=True)
        if departs <= at < arrives
    }
    presences: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for window, begins, ends in zip(where.row, where.begins, where.ends, strict=True):
        presences[at_service[window]].append((int(begins) - at, int(ends) - at))
    return [
        "not in the service"
        if number not in presences
        else _presence(number, row, presences[number], legs, now, is_likely=number in likely_numbers)
        for number, row in enumerate(rows)
    ]


def _presence(
    number: int,
    row: ComparedLocation,
    presences: Sequence[tuple[int, int]],
    legs: Mapping[str, tuple[int, int]],
    now: datetime,
    *,
    is_likely: bool,
) -> str:
    """Return the text for one location. Presences begin and end this many microseconds after `now`."""
    if row.arrives is None or row.expires is None:
        return "no window"
    left, reached = legs.get(row.person_id, (None, None))
    if number == reached:
        return f"in transit, arrives in {format_duration(row.arrives - now)}"
    is_open = next((ends for begins, ends in presences if begins <= 0 < ends), None)
    if is_open is not None:
        if left is not None:
            return "in transit"
        return f"{'now' if is_likely else 'possible'}, for another {_how_long(is_open)}"
    ahead = next((begins for begins, _ in presences if begins > 0), None)
    if ahead is not None:
        return f"{'in' if ahead == presences[0][0] else 'again in'} {_how_long(ahead)}"
    return f"{'left' if number == left or now < row.expires else 'ended'} {_how_long(presences[-1][1])} ago"


def _how_long(microseconds: int) -> str:
    return format_duration(timedelta(microseconds=microseconds))


def _window(row: ComparedLocation) -> WindowRow:
    return WindowRow(row.person_id, row.kind, row.travel_type, row.arrives, row.expires, row.position)


def locations_table(rows: Sequence[ComparedLocation], now: datetime) -> pd.DataFrame:
    """Build the table for the screen and the download. `arrives` and `expires` are in UTC."""
    return pd.DataFrame(
        [
            {
                "person": row.person,
                "place": row.place,
                "country": country_name(row.country),
                "kind": row.kind,
                "role": row.role,
                "now": presence,
                "from": at_place(row.arrives, row.zone, now=now, briefly=True) if row.arrives else "",
                "until": at_place(row.expires, row.zone, now=now, briefly=True) if row.expires else "",
                "until_utc": utc_time(row.expires, now=now) if row.expires else "",
                "comparison": ": ".join(filter(None, (COMPARISON_TEXTS[row.comparison][0], row.note))),
                "arrives": row.arrives,
                "expires": row.expires,
                "latitude": row.position and row.position[0],
                "longitude": row.position and row.position[1],
            }
            for row, presence in zip(rows, presence_texts(rows, now), strict=True)
        ]
    )


def predicted_table(predicted: Sequence[PredictedLocation], now: datetime) -> pd.DataFrame:
    """Build the preview: one row per place of a segment, with columns as in `locations_table`, `people`, and `problem`.

    Times are local.
    """
    places: dict[tuple[int, str], list[PredictedLocation]] = {}
    for each in predicted:
        places.setdefault((each.segment.index, each.role), []).append(each)
    in_order = [some for _, some in sorted(places.items(), key=lambda item: item[0][0])]
    table = locations_table([_predicted_row(some[0]) for some in in_order], now)
    return table.assign(people=[len(some) for some in in_order], problem=[some[0].problem or "" for some in in_order])


def _match_predictions(predicted: Sequence[PredictedLocation], locations: Sequence[ExpectedLocation]) -> dict[int, int]:
    """Match locations with predictions, as location number → prediction number. The nearest pairs come first.

    Among equally near predictions, those of the same person come first. All predictions at one end of a segment are
    equally far from locations with the same place and window, so groups are compared instead of single pairs.
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
            cost = _matching_cost(predicted[others[0]], locations[numbers[0]])
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
        for is_other_person in (False, True):
            for number, at in sorted(reach.items()):
                free = [
                    open_to[place, name]
                    for place in at
                    for name in _prediction_groups(locations[number], is_other_person)
                ]
                for others in free:
                    while others and others[-1] in taken:
                        others.pop()
                if number not in pairs and any(free):
                    pairs[number] = min(others[-1] for others in free if others)
                    taken.add(pairs[number])
    return pairs


def _prediction_groups(location: ExpectedLocation, is_other_person: bool) -> list[tuple[str, ...]]:
    """Return the groups of predictions that may be of the person of a location."""
    external = (location.contact_external_id or "").strip()
    if not is_other_person:
        return [("known", external)]
    return [("employee", ""), ("employee", external.casefold())] if external else [("all",)]


def _matching_cost(each: PredictedLocation, location: ExpectedLocation) -> float | None:
    """Return the distance between a prediction and a location, as kilometers plus hours; None for different places."""
    if location.kind and location.kind != each.segment.kind:
        return None
    role = _role(location)
    if role and role != each.role.casefold():
        return None
    distance = _distance_km(each, location)
    if distance is not None and distance > RELATED_WITHIN_KM:
        return None
    return (
        (distance or 0.0)
        + _OTHER_NAME_COST * is_other_place(each, location)
        + _hours(each.arrives, location.address.arrive_date)
        + _hours(each.expires, location.address.expire_date)
    )


def _differences(each: PredictedLocation, location: ExpectedLocation) -> list[str]:
    found = []
    distance = _distance_km(each, location)
    if location.is_impossible:
        found.append("the service’s coordinates are not valid")
    elif distance is not None and distance > SAME_PLACE_KM:
        found.append(f"the service’s place is {format_kilometers(distance)} from the predicted place")
    elif (each.place.position is None) != (location.position is None):
        found.append("the service has no coordinates" if location.position is None else "the service has coordinates")
    return [*found, *_window_differences(each, location)]


def _window_differences(each: PredictedLocation, location: ExpectedLocation) -> list[str]:
    found = []
    for word, noun, predicted, actual in (
        ("starts", "a start time", each.arrives, location.address.arrive_date),
        ("ends", "an end time", each.expires, location.address.expire_date),
    ):
        if predicted is None or actual is None:
            if predicted is not actual:
                found.append(f"without {noun}" if actual is None else f"with {noun} that was not sent")
        elif abs(actual - predicted) > SAME_TIME:
            found.append(f"{word} {format_duration(actual - predicted)} {'later' if actual > predicted else 'earlier'}")
    return found


def is_other_place(each: PredictedLocation, location: ExpectedLocation) -> bool:
    """Return whether a location is certainly not at the predicted place."""
    distance, place, address = _distance_km(each, location), each.place, location.address
    if distance is not None and distance > SAME_PLACE_KM:
        return True
    if distance is not None and each.role != "Stay":
        return False
    # Hotels in one street, or near one airport, differ by name.
    texts = ((place.code, address.iata), (place.city, address.city), (place.location_name, address.location_name))
    return any(one and other and one.strip().casefold() != other.strip().casefold() for one, other in texts)


def _distance_km(each: PredictedLocation, location: ExpectedLocation) -> float | None:
    distance = None
    place, code = each.place, location.address.iata
    if place.position is not None and location.position is not None:
        distance = great_circle_km(*place.position, *location.position)
    same_code = code and place.code and place.code.casefold() == code.casefold()
    return 0.0 if same_code and (distance is None or distance <= COORDINATES_WITHIN_KM) else distance


def _hours(one: datetime | None, other: datetime | None) -> float:
    return abs((one - other) / timedelta(hours=1)) if one and other else 24.0 * (one is not other)


def _role(location: ExpectedLocation) -> str:
    word = (location.travel_type or "").strip().casefold()
    return word if word in ROLES else ""


def _service_row(
    location: ExpectedLocation, names: Mapping[str, str], state: Comparison, note: str, number: int
) -> ComparedLocation:
    address = location.address
    external = (location.contact_external_id or "").strip()
    unknown = f"Contact {location.contact_id}" if location.contact_id else "Unknown person"
    return ComparedLocation(
        person=names.get(external) or external or unknown,
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
        note=note,
        number=number,
    )


def _person_id(location: ExpectedLocation) -> str:
    return (location.contact_external_id or "").strip().casefold() or str(location.contact_id or "")


def _predicted_row(each: PredictedLocation, ids: Collection[str] = ()) -> ComparedLocation:
    """`ids` are the IDs by which the service knows the people of the trip."""
    known_as = [text.casefold() for text in each.known_as] or [each.traveler]
    return ComparedLocation(
        person=each.traveler,
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
        is_expected=each.is_expected,
        note=f"the service has no expected locations ({each.problem})"
        if each.problem
        else "the service has no expected locations",
    )


def place_name(code: str | None, name: str | None, city: str | None) -> str:
    """Write a place as ``SIN Singapore Changi International Airport`` or ``Harbour Hotel, Singapore``."""
    if code:
        return f"{code} {name or city or ''}".strip()
    if name and city and city.casefold() not in name.casefold():
        return f"{name}, {city}"
    return name or city or "unknown place"


def _sort_key(row: ComparedLocation) -> tuple[datetime, str, str]:
    return (row.arrives or row.expires or datetime.max.replace(tzinfo=UTC), row.person, row.place)
