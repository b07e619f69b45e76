"""What the screen says: the answer in one line, its freshness, how far a load is; people as shown and in files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import numpy as np
import pandas as pd

from domain.expected_locations.at_moment import IN_TRANSIT, TimeChoice
from domain.expected_locations.roster_load import Became, Failure
from domain.expected_locations.roster_view import View, first_and_last
from domain.geography.countries import country_name
from domain.tables.table_pages import Column
from domain.text import time_text
from domain.text.plain_text import count, names, plain

STATUS_WORDS: Final[dict[str, str]] = {
    "there": "● There",
    "arriving": "◎ Arriving",
    "leaving": "◐ Leaving",
    "possible": "○ Possible",
    IN_TRANSIT: "➤ In transit",
}
_TOLD: Final[tuple[Became, ...]] = ("not found", "failed")
STATUS_HELP: Final = (
    "● There: this is the likely place. ◎ Arriving: gets there later. ◐ Leaving: is expected to depart from there. "
    "○ Possible: another place is as likely. ➤ In transit: has departed and not yet arrived."
)

SHOWN_COLUMNS: Final = {
    "name": Column("Person"),
    "locator": Column("Record locator"),
    "status": Column("Status"),
    "place": Column("Place"),
    "country": Column("Country"),
    "kind": Column("Type"),
    "from_text": Column("From", order="from"),
    "until_text": Column("Until", order="until"),
    "external_id": Column("Employee ID"),
}
USUAL_COLUMNS: Final = ("name", "locator", "status", "place", "kind", "from_text", "until_text")
NOT_COVERED: Final = {
    "name": Column("Person"),
    "locator": Column("Record locator"),
    "last_place": Column("Last expected at"),
    "last_until": Column("Until", time_text.moment),
    "next_place": Column("Next expected at"),
    "next_from": Column("From", time_text.moment),
}
"""What is shown of people who are not covered."""
_FILE_COLUMNS: Final = {
    "name": "Person",
    "external_id": "Employee ID",
    "locator": "Record locator",
    "itinerary": "Itinerary ID",
    "status": "Status",
    "origin": "In transit from",
    "place": "Place",
    "country": "Country",
    "latitude": "Latitude",
    "longitude": "Longitude",
    "kind": "Kind",
    "from": "From (UTC)",
    "until": "Until (UTC)",
    "from_local": "From (place-local)",
    "until_local": "Until (place-local)",
    "from_zone": "Time zone of From",
    "zone": "Time zone",
}


def answer(view: View, *, reading: bool, failures: Sequence[Failure] = ()) -> str:
    """The answer in one line of Markdown: "**1,612 people** at 214 places · 2,940 locations · 123 in transit · 37 not
    covered, of 1,772 travelers".

    While the first answers are still being read, and where none came, "0 people" would be a wrong one.
    """
    if reading and view.is_empty:
        return "Reading the roster"
    missing = unread(failures)
    if missing and view.locations.rows.empty:
        return f"**Not known:** {count(missing, 'trip', 'trips')} could not be read"
    statuses = view.filters.statuses
    at_places = [
        f"**{count(view.people, 'person', 'people')}** at {count(len(view.places), 'place', 'places')}",
        count(view.location_count, "location", "locations"),
        # Whom the status filter hides is not counted as 0.
        *([f"{view.in_transit:,} in transit"] if not statuses or IN_TRANSIT in statuses else []),
    ]
    are_all_in_transit = view.in_transit and not view.people
    parts = [
        *([f"**{count(view.in_transit, 'person', 'people')}** in transit"] if are_all_in_transit else at_places),
        f"{view.not_covered_count:,} not covered, of {travelers(view)}",
        *([f"**{count(missing, 'trip', 'trips')} not read**"] if missing else []),
    ]
    return " · ".join(parts)


def travelers(view: View) -> str:
    """Whom *not covered* is counted among: "64 travelers in Singapore"; everybody whom the filters let through."""
    people, filters = count(view.narrowed.people, "traveler", "travelers"), view.filters
    if filters.kinds or filters.text.strip():
        return f"{people} who {'matches' if view.narrowed.people == 1 else 'match'} the filters"
    countries = [country_name(code) for code in sorted(filters.countries)]
    return f"{people} in {plain(names(countries, at_most=3))}" if countries else people


def unread(failures: Sequence[Failure]) -> int:
    """How many trips of the roster there may be that were not read."""
    return sum(each.reason != "not found" for each in failures)


def statuses_in_words(people: pd.DataFrame) -> str:
    """How the people of a table are there: "12 there, 5 leaving, 3 in transit"; empty for nobody."""
    counted = people.drop_duplicates("person")["status"].value_counts()
    return ", ".join(f"{counted[status]:,} {status}" for status in STATUS_WORDS if counted.get(status, 0))


def freshness(as_of: datetime, now: datetime) -> str:
    """How old the data is: "as of 14:05 UTC · 3 min ago"; the day is named where it is another."""
    said = time_text.moment(as_of, now=now)
    if as_of.astimezone(UTC).date() == now.astimezone(UTC).date():
        said = said.rsplit(", ", 1)[-1]
    return f"as of {said} · {time_text.ago(as_of, now)}"


def loading(done: int, total: int, counts: Mapping[Became, int], roster_name: str) -> str:
    """How far a load is: "Reading Spring fair: 412 of 1,500 trips, 3 not found"."""
    told = [f"{number:,} {became}" for became in _TOLD if (number := counts.get(became, 0))]
    return ", ".join([f"Reading {roster_name}: {done:,} of {count(total, 'trip', 'trips')}", *told])


def failing(failures: Sequence[Failure]) -> str:
    """What a load did not bring: "12 trips could not be read, 3 were not asked for"; empty where there is nothing."""
    reasons = Counter(each.reason for each in failures)
    parts = []
    if reasons["failed"]:
        parts.append(f"{count(reasons['failed'], 'trip', 'trips')} could not be read")
    if reasons["not asked"]:
        parts.append(f"{count(reasons['not asked'], 'trip', 'trips')} not asked for")
    if reasons["not found"]:
        parts.append(f"{count(reasons['not found'], 'trip', 'trips')} not found by the service")
    return ", ".join(parts)


def nobody(view: View, choice: TimeChoice, now: datetime, failures: Sequence[Failure] = ()) -> str:
    """Why there is nobody to show, for a view without people; of trips that were not read it claims nothing."""
    missing, unfiltered = unread(failures), view.unfiltered_people
    among = " in the trips that were read" if missing else ""
    when = choice.words(now)
    span = first_and_last(view.locations)
    if view.locations.rows.empty:
        words = "None of the trips that were read has an expected location."
    elif unfiltered and view.filters.are_set:
        words = f"No one{among} matches the filters {when}. Without filters: {count(unfiltered, 'person', 'people')}."
    else:
        words = f"No one{among or ' in this roster'} is expected anywhere {when}."
        if span is not None:
            first, last = (time_text.moment(each, now=now) for each in span)
            words += f" Its locations run from {first} to {last}."
    if missing:
        words += f" {count(missing, 'trip', 'trips')} not read. Select **Retry** to read them."
    return words


def only_in_transit(view: View) -> str:
    """Why there is no map, for a view in which everybody is in transit."""
    people = "1 person is" if view.in_transit == 1 else f"{view.in_transit:,} people are"
    # Whom filters hide may well be at a place.
    others = "The filters show no one at a place" if view.filters.are_set else "No one is at a place"
    return f"{people} in transit. {others}. The table below says where and when they arrive."


def shown(table: pd.DataFrame, now: datetime) -> pd.DataFrame:
    """The rows of a page in words; meant for a page, not for a million."""
    return table.assign(
        status=table["status"].map(STATUS_WORDS),
        place=table["place"].where(table["route"] == "", table["route"]),
        from_text=_local_times(table, "from", "from_zone", now, "no beginning known"),
        until_text=_local_times(table, "until", "zone", now, "no end known"),
    )


def heading(table: pd.DataFrame, picked: int) -> str:
    """What the table of people holds: "66 people at 1 selected place · 8 people in transit to 1 selected place"."""
    is_on_leg = table["status"] == IN_TRANSIT
    people, on_leg = (
        count(distinct_people(each), "person", "people") for each in (table[~is_on_leg], table[is_on_leg])
    )
    where = f"at {count(picked, 'selected place', 'selected places')}" if picked else "at all places"
    on_leg += f" in transit to {count(picked, 'selected place', 'selected places')}" if picked else " in transit"
    parts = [f"{people} {where}"] if not is_on_leg.all() or table.empty else []
    return " · ".join([*parts, *([on_leg] if is_on_leg.any() else [])])


def distinct_people(table: pd.DataFrame) -> int:
    """How many people a table of people at places has: each once, at however many places."""
    return int(table["person"].nunique())


def when_words(row: Mapping[Hashable, Any], now: datetime) -> str:
    """When somebody comes, goes or is there: "◎ Arrives Fri, Nov 20, 14:05 local (12:05 UTC)"."""
    status = row["status"]
    at = row["from"] if status == "arriving" else row["until"]
    if pd.isna(at):
        return f"{STATUS_WORDS[status]}, no end known"
    when = time_text.at_place(at.to_pydatetime(warn=False), str(row["zone"]) or None, now=now)
    words = {"arriving": "◎ Arrives", "leaving": "◐ Departs"}.get(status, f"{STATUS_WORDS[status]} until")
    if status == IN_TRANSIT:
        words = f"{STATUS_WORDS[status]} from {row['origin']}, arrives"
    return f"{words} {when}"


def file_of(table: pd.DataFrame) -> pd.DataFrame:
    """The table as it is written to a file: every row, times in UTC and as the wall clock at the place."""
    written = table.assign(
        status=table["status"].astype(object),
        from_local=_wall_clock(table, "from", "from_zone"),
        until_local=_wall_clock(table, "until", "zone"),
    )
    return written[list(_FILE_COLUMNS)].rename(columns=_FILE_COLUMNS)


def _local_times(table: pd.DataFrame, column: str, zones: str, now: datetime, unknown: str) -> list[str]:
    return [
        unknown if at is pd.NaT else time_text.at_place(at.to_pydatetime(warn=False), zone or None, now=now)
        for at, zone in zip(table[column], table[zones], strict=True)
    ]


def _wall_clock(table: pd.DataFrame, column: str, zones: str) -> pd.Series:
    """The wall clock at each row's place, a zone at a time; missing where the time or the zone is."""
    clock = pd.Series(np.datetime64("NaT"), index=table.index, dtype="datetime64[us]")
    for zone, rows in table[table[zones] != ""].groupby(zones).groups.items():
        local = table.loc[rows, column].dt.tz_convert(str(zone)).dt.tz_localize(None)
        clock.loc[rows] = local.astype("datetime64[us]")
    return clock


def stem(roster_name: str, at: datetime) -> str:
    """The name of a file with these people: roster and time, with nothing a file system minds."""
    plain = "".join(letter if letter.isalnum() else "-" for letter in roster_name.casefold()).strip("-")
    return f"expected-{plain or 'roster'}-{at.astimezone(UTC):%Y-%m-%d-%H%M}"
