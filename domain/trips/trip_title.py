"""The title of a trip: who travels, and the route."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from client.models.itineraries import Itinerary
from domain.trips.known_trip import traveler_names
from domain.trips.resolved_segments import End, ResolvedSegment, in_time_order, resolve
from domain.trips.trip_travel_checks import is_journey

_MOST_PLACES: Final = 4


def trip_title(itinerary: Itinerary) -> str:
    """Write who travels and the route: "Ana Silva +1: Abu Dhabi → Singapore". Empty if neither is known."""
    return ": ".join(filter(None, [first_traveler(itinerary), _route(in_time_order(resolve(itinerary)))]))


def first_traveler(itinerary: Itinerary) -> str:
    """Write the first traveler and the number of the others: "Ana Silva +1"."""
    names = traveler_names(itinerary)
    return " ".join([*names[:1], *([f"+{len(names) - 1}"] if len(names) > 1 else [])])


def _route(segments: Sequence[ResolvedSegment]) -> str:
    journeys = [each for each in segments if is_journey(each)]
    ends = [end for each in journeys for end in (each.start, each.end)] or [each.start for each in segments]
    places = [place for place, _ in groupby(filter(None, map(_city, ends)))]
    if len(places) > 2 and places[-1] == places[0]:
        places.pop()  # The way back is left out.
    if len(places) > _MOST_PLACES:
        places = [*places[:2], "…", places[-1]]
    return " → ".join(places)


def _city(end: End) -> str:
    city = end.city or (end.airport.city if end.airport is not None else "")
    return city.split(",")[0].strip() or end.name
