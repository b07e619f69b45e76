"""The people tables as they are shown on a page and written to a file."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

import numpy as np
import pandas as pd

from components.expected_locations.at_moment import Stretch
from components.expected_locations.expected_words import STATUS_WORDS
from components.widgets import time_text
from components.widgets.table_pages import Column

SHOWN_COLUMNS: Final = {
    "name": Column("Person"),
    "locator": Column("Record locator"),
    "place": Column("Place"),
    "country": Column("Country"),
    "kind": Column("Kind"),
    "status": Column("Status"),
    "until_text": Column("Until", order="until"),
    "from_text": Column("From", order="from"),
    "external_id": Column("Employee ID"),
}
USUAL_COLUMNS: Final = ("name", "locator", "place", "kind", "status", "until_text")
NOT_COVERED: Final = {
    "name": Column("Person"),
    "locator": Column("Record locator"),
    "last_place": Column("Last expected at"),
    "last_until": Column("Until", time_text.moment),
    "next_place": Column("Next expected at"),
    "next_from": Column("From", time_text.moment),
}
"""What is shown of people without an open window."""
_FILE_COLUMNS: Final = {
    "name": "Person",
    "external_id": "Employee ID",
    "locator": "Record locator",
    "itinerary": "Itinerary ID",
    "place": "Place",
    "country": "Country",
    "latitude": "Latitude",
    "longitude": "Longitude",
    "kind": "Kind",
    "status": "Status",
    "from": "From (UTC)",
    "until": "Until (UTC)",
    "from_local": "From (place-local)",
    "until_local": "Until (place-local)",
    "zone": "Time zone",
}


def shown(table: pd.DataFrame, now: datetime) -> pd.DataFrame:
    """The rows of a page in words; meant for a page, not for a million."""
    return table.assign(
        status=table["status"].map(STATUS_WORDS),
        from_text=_at_place(table, "from", now, "no beginning known"),
        until_text=_at_place(table, "until", now, "no end known"),
    )


def distinct_people(table: pd.DataFrame) -> int:
    """How many people a table of people at places has: each once, at however many places."""
    return int(table["person"].nunique())


def when_words(row: Mapping[Hashable, Any], stretch: Stretch, now: datetime) -> str:
    """When somebody comes, goes or is there: "◎ Arrives Fri 20 Nov, 14:05 at the place · 12:05 UTC"."""
    zone = str(row["zone"]) or None
    begins = pd.Timestamp(stretch.at_zone(zone)[0], unit="us", tz="UTC")
    status, at, words = row["status"], row["until"], "until"
    if status == "arriving":
        # Of those who reach the place later and leave it soon, only the window of their departure is open yet.
        comes_first = pd.notna(row["from"]) and row["from"] >= begins
        at, words = (row["from"], "arrives") if comes_first else (at, "arrives later, departs")
    elif status == "leaving":
        words = "departs"
    if pd.isna(at):
        return f"{STATUS_WORDS[status]}, no end known"
    when = time_text.at_place(at.to_pydatetime(warn=False), zone, now=now)
    if words == "until":
        return f"{STATUS_WORDS[status]} until {when}"
    return f"{STATUS_WORDS[status][0]} {words[:1].upper()}{words[1:]} {when}"


def file_of(table: pd.DataFrame) -> pd.DataFrame:
    """The table as it is written to a file: every row, times in UTC and as the wall clock at the place."""
    written = table.assign(
        status=table["status"].astype(object),
        from_local=_wall_clock(table, "from"),
        until_local=_wall_clock(table, "until"),
    )
    return written[list(_FILE_COLUMNS)].rename(columns=_FILE_COLUMNS)


def _at_place(table: pd.DataFrame, column: str, now: datetime, unknown: str) -> list[str]:
    return [
        unknown if at is pd.NaT else time_text.at_place(at.to_pydatetime(warn=False), zone or None, now=now)
        for at, zone in zip(table[column], table["zone"], strict=True)
    ]


def _wall_clock(table: pd.DataFrame, column: str) -> pd.Series:
    """The wall clock at each row's place, a zone at a time; missing where the time or the zone is."""
    clock = pd.Series(np.datetime64("NaT"), index=table.index, dtype="datetime64[us]")
    for zone, rows in table[table["zone"] != ""].groupby("zone").groups.items():
        local = table.loc[rows, column].dt.tz_convert(str(zone)).dt.tz_localize(None)
        clock.loc[rows] = local.astype("datetime64[us]")
    return clock


def stem(roster_name: str, at: datetime) -> str:
    """The name of a file with these people: roster and time, with nothing a file system minds."""
    plain = "".join(letter if letter.isalnum() else "-" for letter in roster_name.casefold()).strip("-")
    return f"expected-{plain or 'roster'}-{at.astimezone(UTC):%Y-%m-%d-%H%M}"
