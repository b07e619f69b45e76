"""Expected locations: places and time windows derived from the segments of an itinerary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import Row

from service.epoch import to_ms
from service.itineraries.rules import UsableSegment
from service.itineraries.segment_places import Place

# No location is expected outside these years, so that a margin stays within the calendar: 1000-01-01 and 9999-01-01.
_EARLIEST_MS = -30_610_224_000_000
_LATEST_MS = 253_370_764_800_000


@dataclass(frozen=True)
class Margins:
    """The margins before a departure and after an arrival within which a traveler is expected at a place."""

    before: timedelta = timedelta(hours=24)
    after: timedelta = timedelta(hours=24)


@dataclass(frozen=True)
class ExpectedPlace:
    """A place where every traveler of an itinerary is expected, with start and end (epoch milliseconds, UTC)."""

    travel_category: str
    travel_type: str
    arrive_at: int
    expire_at: int
    place: Place


def expected_places(segments: Sequence[UsableSegment], margins: Margins) -> list[ExpectedPlace]:
    """Return two places each for Air, Rail, and Car, and one for a Hotel, in the order of the segments."""
    # ASSUMPTION A14: the windows. Departure: from `before` ahead of it until the departure. Arrival: from the arrival
    # until `after` later. Hotel: check-in to check-out.
    places: list[ExpectedPlace] = []
    before, after = margins.before // timedelta(milliseconds=1), margins.after // timedelta(milliseconds=1)
    for segment in segments:
        begins, ends = to_ms(segment.begins), to_ms(segment.ends)
        if segment.type == "Hotel":
            places.append(_expected(segment.type, "Stay", begins, ends, segment.origin))
            continue
        places.append(_expected(segment.type, "Departure", begins - before, begins, segment.origin))
        if segment.destination is not None:
            places.append(_expected(segment.type, "Arrival", ends, ends + after, segment.destination))
    return places


def _expected(category: str, travel_type: str, arrive_at: int, expire_at: int, place: Place) -> ExpectedPlace:
    arrive_at, expire_at = max(arrive_at, _EARLIEST_MS), min(expire_at, _LATEST_MS)
    return ExpectedPlace(category, travel_type, arrive_at, expire_at, place)


def is_international(places: Sequence[ExpectedPlace]) -> bool:
    """Return whether a trip touches more than one country."""
    # ASSUMPTION A15: isInternationalTravel and isLocalTravel describe the whole trip.
    return len({expected.place.country for expected in places if expected.place.country}) > 1


def is_local(places: Sequence[ExpectedPlace]) -> bool:
    """Return whether a trip stays in one city."""
    towns = {(expected.place.country, expected.place.state, expected.place.city) for expected in places}
    return len(towns) == 1 and all(expected.place.city for expected in places)


def fields_of(row: Row[Any]) -> dict[str, Any]:
    """Return the fields of an `ExpectedLocation` from a stored one."""
    fields = row._asdict()
    has_coordinates = row.latitude is not None and row.longitude is not None
    gis_location = {"lat": row.latitude, "lon": row.longitude} if has_coordinates else None
    return {**fields, "address": {**fields, "gis_location": gis_location}}
