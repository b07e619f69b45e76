"""The tables behind the preview: the legs and points on the map, and where who is expected, one row a place."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

import pandas as pd

from client.models.itineraries import Itinerary
from components.geography.countries import country_name
from components.geography.time_zones import zone_named
from components.trip_editor.difference import segment_words
from components.trips.prediction import PredictedLocation
from components.widgets.number_text import count
from components.widgets.time_text import day

LEG_COLUMNS: Final = ["from_lat", "from_lon", "to_lat", "to_lon", "kind", "label"]
POINT_COLUMNS: Final = ["lat", "lon", "label", "kind"]
TABLE_COLUMNS: Final = ["place", "why", "people", "from_here", "until_here", "from_utc", "until_utc", "problem"]
_WHY: Final = {"Departure": "leaves", "Arrival": "arrives", "Stay": "stays"}


def legs_frame(itinerary: Itinerary, predicted: Sequence[PredictedLocation]) -> pd.DataFrame:
    """One row a leg that has coordinates at both ends (degrees), with its kind and a label."""
    rows = []
    for index, segment in enumerate(itinerary.segments):
        ends = {each.role: each for each in predicted if each.segment == index}
        start, finish = ends.get("Departure"), ends.get("Arrival")
        if start is None or finish is None or start.latitude is None or finish.latitude is None:
            continue
        label = segment_words(segment.to_wire())
        rows.append((start.latitude, start.longitude, finish.latitude, finish.longitude, start.kind, label))
    return pd.DataFrame(rows, columns=LEG_COLUMNS)


def points_frame(predicted: Sequence[PredictedLocation]) -> pd.DataFrame:
    """One row a place that has coordinates (degrees), in the order of travel."""
    rows: dict[tuple[float, float], tuple[float, float, str, str]] = {}
    for each in sorted(predicted, key=lambda each: each.segment):
        if each.latitude is not None and each.longitude is not None:
            place = (each.latitude, each.longitude)
            rows.setdefault(place, (*place, place_name(each), each.kind))
    return pd.DataFrame(list(rows.values()), columns=POINT_COLUMNS)


def table_frame(predicted: Sequence[PredictedLocation]) -> pd.DataFrame:
    """One row a place of a segment, with how many people are expected there and from when until when."""
    rows: dict[tuple[int, str], list[PredictedLocation]] = {}
    for each in predicted:
        rows.setdefault((each.segment, each.role), []).append(each)
    in_order = sorted(rows.items(), key=lambda item: item[0][0])
    return pd.DataFrame([_row(same[0], len(same)) for _, same in in_order], columns=TABLE_COLUMNS)


def place_name(location: PredictedLocation) -> str:
    """A place as people read it: `AUH Abu Dhabi`, `Sheraton, Kuwait City`."""
    if location.iata and location.role != "Stay":
        return f"{location.iata} {location.city or location.location_name or ''}".strip()
    parts = [part for part in (location.location_name, location.city) if part]
    return ", ".join(parts) or country_name(location.country) or "No place given"


def answer_line(predicted: Sequence[PredictedLocation], travellers: int) -> str:
    """The preview in one line: how many expected locations, of how many people, and how many have no mark on a map."""
    places = len({(each.segment, each.role) for each in predicted})
    unplaced = sum(each.latitude is None for each in predicted)
    said = (
        f"{count(len(predicted), 'expected location', 'expected locations')}: "
        f"{count(travellers, 'traveller', 'travellers')} at {count(places, 'place', 'places')}"
    )
    return said + (f" · {unplaced:,} not on the map" if unplaced else "")


def _row(location: PredictedLocation, people: int) -> tuple[object, ...]:
    return (
        place_name(location),
        _WHY[location.role],
        people,
        _at_place(location.arrives, location.time_zone),
        _at_place(location.expires, location.time_zone),
        _utc(location.arrives),
        _utc(location.expires),
        location.problem or "",
    )


def _at_place(moment: datetime | None, zone: str | None) -> str:
    info = zone_named(zone) if zone else None
    return _words(moment.astimezone(info)) if moment is not None and info is not None else ""


def _utc(moment: datetime | None) -> str:
    return _words(moment.astimezone(UTC)) if moment is not None else ""


def _words(moment: datetime) -> str:
    return f"{day(moment)}, {moment:%H:%M}"
