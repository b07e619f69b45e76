"""What the preview says: its answer in a line, and where who is expected, one row a place."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import pandas as pd

from components.geography.countries import country_name
from components.geography.time_zones import zone_named
from components.trips.prediction import PredictedLocation
from components.trips.resolved import local_at
from components.widgets.number_text import count
from components.widgets.time_text import day

TABLE_COLUMNS: Final = ["place", "why", "people", "from_here", "until_here", "from_utc", "until_utc", "problem"]
_WHY: Final = {"Departure": "leaves", "Arrival": "arrives", "Stay": "stays"}


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
        _at(location.arrives, location.time_zone),
        _at(location.expires, location.time_zone),
        _at(location.arrives, "UTC"),
        _at(location.expires, "UTC"),
        location.problem or "",
    )


def _at(moment: datetime | None, zone: str | None) -> str:
    local = local_at(moment, zone_named(zone) if zone else None)
    return f"{day(local)}, {local:%H:%M}" if local is not None else ""
