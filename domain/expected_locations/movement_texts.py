"""The texts about arrivals and departures, on the screen and in files."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from datetime import datetime
from typing import Any, Final

import pandas as pd

from domain.expected_locations.expected_words import STATUSES, distinct_people
from domain.expected_locations.movements import IN_TRANSIT, NOT_DEPARTED, Direction
from domain.tables.status import Status
from domain.tables.table_pages import Column
from domain.text import time_text
from domain.text.plain_text import count

STATES: Final[dict[str, Status]] = {
    IN_TRANSIT: STATUSES["in transit"],
    NOT_DEPARTED: Status("◷ Not departed", "", "gray"),
}
_VERBS: Final[dict[Direction, str]] = {"Arriving": "Arrives", "Leaving": "Leaves"}
_PAST: Final[dict[Direction, str]] = {"Arriving": "Arrived", "Leaving": "Left"}
_OTHER_ENDS: Final[dict[Direction, tuple[str, str]]] = {
    "Arriving": ("From", "Departs (local)"),
    "Leaving": ("To", "Arrives (local)"),
}


def movement_columns(direction: Direction) -> dict[str, Column]:
    """Return the columns of the table."""
    other_place, other_time = _OTHER_ENDS[direction]
    verb = _VERBS[direction]
    return {
        "name": Column("Person"),
        "locator": Column("Record locator"),
        "state": Column("Status"),
        "time_local": Column(f"{verb} (local)", sort_column="time", is_one_line=True),
        "time_utc": Column(f"{verb} (UTC)", sort_column="time", is_one_line=True, is_secondary=True),
        "other_place": Column(other_place),
        "other_local": Column(other_time, sort_column="other_time", is_one_line=True, is_secondary=True),
        "place": Column("Place", is_secondary=True),
        "kind": Column("Type", is_secondary=True),
    }


def movements_heading(table: pd.DataFrame, direction: Direction, hours: int) -> str:
    """Return the number of people: "12 people arriving within 6 hours"."""
    return f"{count(distinct_people(table), 'person', 'people')} {direction.lower()} within {hours} hours"


def shown_movements(page: pd.DataFrame, now: datetime) -> pd.DataFrame:
    """Return the rows of one page as text."""
    return page.assign(
        state=pd.Series([STATES.get(each, "") for each in page["state"]], index=page.index, dtype=object),
        time_local=_local_times(page, "time", "zone", now),
        time_utc=[time_text.utc_time(at, now=now) for at in page["time"]],
        other_local=_local_times(page, "other_time", "other_zone", now),
    )


def movement_text(row: Mapping[Hashable, Any], direction: Direction, now: datetime) -> str:
    """Return when a person arrives or leaves, and from or to where: "Arrives Fri, Nov 20, 14:05 local (12:05 UTC)"."""
    at = time_text.at_place(row["time"].to_pydatetime(warn=False), str(row["zone"]) or None, now=now)
    other = f", {_OTHER_ENDS[direction][0].lower()} {row['other_place']}" if row["other_place"] else ""
    verb = _PAST[direction] if row["time"] < now else _VERBS[direction]
    return f"{verb} {at}{other}"


def movements_file(table: pd.DataFrame, direction: Direction) -> pd.DataFrame:
    """Return the whole table for a file, with times in UTC."""
    other_place, other_time = _OTHER_ENDS[direction]
    columns = {
        "name": "Person",
        "external_id": "Employee ID",
        "locator": "Record locator",
        "itinerary": "Trip ID",
        "state": "Status",
        "place": "Place",
        "time": f"{_VERBS[direction]} (UTC)",
        "other_place": other_place,
        "other_time": other_time.replace("local", "UTC"),
        "kind": "Type",
    }
    return table[list(columns)].rename(columns=columns)


def _local_times(page: pd.DataFrame, column: str, zone_column: str, now: datetime) -> list[str]:
    return [
        "" if pd.isna(at) else time_text.at_place(at.to_pydatetime(warn=False), zone or None, now=now, briefly=True)
        for at, zone in zip(page[column], page[zone_column], strict=True)
    ]
