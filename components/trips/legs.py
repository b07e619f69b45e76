"""A trip's legs and places as tables for the map."""

from collections.abc import Sequence

import pandas as pd

from client.models.itineraries import ExpectedLocation, Itinerary
from components.trips.checks_of_travel import is_journey
from components.trips.resolved import in_time_order, is_stay, resolve

LEG_COLUMNS = ["from_lat", "from_lon", "to_lat", "to_lon", "kind", "label"]
POINT_COLUMNS = ["lat", "lon", "label", "kind"]


def legs_of(itinerary: Itinerary) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The legs and the places of a trip: decimal degrees; what has no coordinates is left out, a place comes once."""
    legs: list[tuple[object, ...]] = []
    points: dict[tuple[float, float], tuple[float, float, str, str]] = {}
    for segment in in_time_order(resolve(itinerary)):
        ends = [segment.start] if is_stay(segment.kind) else [segment.start, segment.end]
        for end in ends:
            if end.latitude is None or end.longitude is None:
                continue
            # A hotel's name says more than that of the airport beside it; elsewhere the first word stands.
            key = (round(end.latitude, 3), round(end.longitude, 3))
            points.setdefault(key, (end.latitude, end.longitude, end.name, segment.kind))
        if is_stay(segment.kind) or None in (
            segment.start.latitude,
            segment.start.longitude,
            segment.end.latitude,
            segment.end.longitude,
        ):
            continue
        if not is_journey(segment) and segment.start.name == segment.end.name:
            continue  # a rental that is brought back is no leg
        legs.append(
            (
                segment.start.latitude,
                segment.start.longitude,
                segment.end.latitude,
                segment.end.longitude,
                segment.kind,
                f"{segment.label}: {segment.start.name} → {segment.end.name}",
            )
        )
    return pd.DataFrame(legs, columns=LEG_COLUMNS), pd.DataFrame(list(points.values()), columns=POINT_COLUMNS)


def places_of(locations: Sequence[ExpectedLocation]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The places of expected locations, without legs: nothing says which of them a journey joins."""
    points: dict[tuple[float, float], tuple[float, float, str, str]] = {}
    for location in locations:
        if location.latitude is None or location.longitude is None:
            continue
        address = location.address
        name = " ".join(part for part in (address.iata, address.location_name or address.city) if part)
        key = (round(location.latitude, 3), round(location.longitude, 3))
        points.setdefault(key, (location.latitude, location.longitude, name, location.kind or ""))
    return pd.DataFrame([], columns=LEG_COLUMNS), pd.DataFrame(list(points.values()), columns=POINT_COLUMNS)
