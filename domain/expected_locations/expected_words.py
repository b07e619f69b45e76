"""The texts of the map: counts, age, and progress of the data, and people as shown and in files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import numpy as np
import pandas as pd

from domain.expected_locations.at_moment import IN_TRANSIT
from domain.expected_locations.person_days import Whereabout
from domain.expected_locations.roster_changes import Change
from domain.expected_locations.roster_load import Became, Failure
from domain.expected_locations.roster_view import View, first_and_last
from domain.expected_locations.time_choice import TimeChoice
from domain.geography.countries import country_name
from domain.tables.status import Status
from domain.tables.table_pages import Column, numbers
from domain.text import time_text
from domain.text.plain_text import count, names, plain

STATUSES: Final[dict[str, Status]] = {
    "there": Status("● There", "", "blue"),
    "arriving": Status("◎ Arriving", "", "green"),
    "leaving": Status("◉ Leaving", "", "violet"),
    "possible": Status("○ Possible", "", "gray"),
    IN_TRANSIT: Status("➤ In transit", "", "green"),
}
"""The badges of people's statuses, with the marks and colors of the map."""
OUTDATED_AFTER: Final = timedelta(minutes=10)
"""From this age on, the age of data that is shown as "now" stands out."""
_VERBS: Final = {"arriving": "Arrives", "leaving": "Departs"}
_REPORTED: Final[tuple[Became, ...]] = ("not found", "failed")
STATUS_HELP: Final = (
    "● There: this is the most likely place. ◎ Arriving: gets there later. ◉ Leaving: is expected to depart from "
    "there. ○ Possible: another place is equally likely. ➤ In transit: has departed and not yet arrived."
)

SHOWN_COLUMNS: Final = {
    "name": Column("Person"),
    "locator": Column("Record locator"),
    "status": Column("Status"),
    "place": Column("Place"),
    "country": Column("Country"),
    "kind": Column("Type", is_secondary=True),
    "from_local": Column("From (local)", sort_column="from", is_one_line=True, is_secondary=True),
    "until_local": Column("Until (local)", sort_column="until", is_one_line=True),
    "until_utc": Column("Until (UTC)", sort_column="until", is_one_line=True, is_secondary=True),
    "external_id": Column("Employee ID"),
}
USUAL_COLUMNS: Final = ("name", "locator", "status", "place", "kind", "from_local", "until_local", "until_utc")
NOT_COVERED: Final = {
    "name": Column("Person"),
    "locator": Column("Record locator"),
    "last_place": Column("Last expected at"),
    "last_until": Column("Until (UTC)", time_text.utc_time, is_one_line=True),
    "next_place": Column("Next expected at"),
    "next_from": Column("From (UTC)", time_text.utc_time, is_one_line=True),
}
"""The columns of people who are not covered."""
PLACE_COLUMNS: Final = {
    "label": Column("Place"),
    "country": Column("Country"),
    "kind": Column("Type"),
    "people": numbers("People"),
}
CHANGE_WORDS: Final[dict[Change, str]] = {
    "arrived": "Arrived",
    "left": "Left",
    "new": "New trip",
    "canceled": "Canceled trip",
}
CHANGE_COLUMNS: Final = {
    "name": Column("Person"),
    "change": Column("Change"),
    "place": Column("Place"),
    "before": Column("Before"),
    "locator": Column("Record locator"),
}
_NOT_COVERED_FILE: Final = {
    "name": "Person",
    "external_id": "Employee ID",
    "locator": "Record locator",
    "itinerary": "Trip ID",
    "last_place": "Last expected at",
    "last_until": "Until (UTC)",
    "next_place": "Next expected at",
    "next_from": "From (UTC)",
}
_FILE_COLUMNS: Final = {
    "name": "Person",
    "external_id": "Employee ID",
    "locator": "Record locator",
    "itinerary": "Trip ID",
    "status": "Status",
    "origin": "In transit from",
    "place": "Place",
    "country": "Country",
    "latitude": "Latitude",
    "longitude": "Longitude",
    "kind": "Type",
    "from": "From (UTC)",
    "until": "Until (UTC)",
    "from_local": "From (local)",
    "until_local": "Until (local)",
    "from_zone": "From: time zone",
    "zone": "Time zone",
}


def figures(view: View, failures: Sequence[Failure] = ()) -> dict[str, str]:
    """Return the figures at the top of the screen, in Markdown, by their values in the URL.

    The four large ones have their number in bold.
    """
    statuses = view.filters.statuses
    not_covered = f"**{view.not_covered_count:,}**"
    not_found = sum(each.reason == "not found" for each in failures)
    shown = {
        "people": _figure(view.people, "person at a place", "people at places"),
        "places": _figure(len(view.places), "place", "places"),
        "not-covered": f":orange[{not_covered} :material/warning: not covered]"
        if view.not_covered_count
        else f"{not_covered} not covered",
        "not-found": _figure(not_found, "trip not found", "trips not found"),
    }
    # People hidden by the status filter are not counted as 0.
    if not statuses or IN_TRANSIT in statuses:
        shown["transit"] = f":material/flight: {view.in_transit:,} in transit"
    shown["changes"] = ":material/history: What changed"
    return shown


def _figure(number: int, one: str, many: str) -> str:
    return f"**{number:,}** {one if number == 1 else many}"


def figures_of(view: View, failures: Sequence[Failure] = ()) -> str:
    """Return what the figures count, in Markdown: "1,772 travelers in Singapore · 2,940 expected locations"."""
    parts = [travelers(view), count(view.location_count, "expected location", "expected locations")]
    missing = unread(failures)
    return " · ".join([*parts, *([f"**{count(missing, 'trip', 'trips')} not loaded**"] if missing else [])])


def no_figures(*, reading: bool, failures: Sequence[Failure]) -> str:
    """Say why no people are counted, in Markdown."""
    missing = count(unread(failures), "trip", "trips")
    return "Loading the roster" if reading else f"**Unknown:** {missing} could not be loaded"


def has_figures(view: View, *, reading: bool, failures: Sequence[Failure] = ()) -> bool:
    """Return whether enough is read to count people. Before that, 0 would be wrong."""
    return not (view.is_empty and reading) and not (unread(failures) and view.locations.rows.empty)


def travelers(view: View) -> str:
    """Return the people that the figures count, as filtered: "64 travelers in Singapore"."""
    people, filters = count(view.narrowed.people, "traveler", "travelers"), view.filters
    if filters.kinds or filters.text.strip():
        return f"{people} who {'matches' if view.narrowed.people == 1 else 'match'} the filters"
    countries = [country_name(code) for code in sorted(filters.countries)]
    return f"{people} in {plain(names(countries, at_most=3))}" if countries else people


def unread(failures: Sequence[Failure]) -> int:
    """Return how many trips of the roster were not read."""
    return sum(each.reason != "not found" for each in failures)


def statuses_in_words(people: pd.DataFrame) -> str:
    """Return the statuses of the people in a table: "12 there, 5 leaving, 3 in transit"; empty for an empty table."""
    counted = people.drop_duplicates("person")["status"].value_counts()
    return ", ".join(f"{counted[status]:,} {status}" for status in STATUSES if counted.get(status, 0))


def freshness(as_of: datetime, now: datetime) -> str:
    """Return the age of the data: "as of 14:05 UTC · 3 min ago", with the day if it is not today."""
    time = time_text.moment(as_of, now=now)
    if as_of.astimezone(UTC).date() == now.astimezone(UTC).date():
        time = time.rsplit(", ", 1)[-1]
    return f"as of {time} · {time_text.ago(as_of, now)}"


def loading(done: int, total: int, counts: Mapping[Became, int], roster_name: str) -> str:
    """Return the progress of a load: "Reading Spring fair: 412 of 1,500 trips, 3 not found"."""
    counts_text = [f"{number:,} {became}" for became in _REPORTED if (number := counts.get(became, 0))]
    return ", ".join([f"Loading {roster_name}: {done:,} of {count(total, 'trip', 'trips')}", *counts_text])


def failing(failures: Sequence[Failure]) -> str:
    """Return the trips that can be read by retrying: "12 trips could not be read, 3 trips not requested"."""
    reasons = Counter(each.reason for each in failures)
    texts: dict[Became, str] = {"failed": "could not be loaded", "not asked": "not requested"}
    return ", ".join(
        f"{count(reasons[reason], 'trip', 'trips')} {text}" for reason, text in texts.items() if reasons[reason]
    )


def nobody(view: View, choice: TimeChoice, now: datetime, failures: Sequence[Failure] = ()) -> str:
    """Say why a view has no people. Says nothing about trips that were not read."""
    missing, unfiltered = unread(failures), view.unfiltered_people
    among = " on the loaded trips" if missing else ""
    when = "now" if choice.mode == "Now" else f"on {choice.text(now)}"
    span = first_and_last(view.locations)
    if view.locations.rows.empty:
        words = "None of the loaded trips has an expected location."
    elif unfiltered and view.filters.are_set:
        words = f"No one{among} matches the filters {when}. Without filters: {count(unfiltered, 'person', 'people')}."
    else:
        words = f"No one{among or ' on the selected rosters'} is expected anywhere {when}."
        if span is not None:
            first, last = (time_text.moment(each, now=now) for each in span)
            words += f" Expected locations run from {first} to {last}."
    if missing:
        words += f" {count(missing, 'trip', 'trips')} not loaded. Select **Retry** to load them."
    return words


def shown(table: pd.DataFrame, now: datetime) -> pd.DataFrame:
    """Return the rows of one page as shown. Too slow for a whole table."""
    return table.assign(
        status=pd.Series([STATUSES[each] for each in table["status"]], index=table.index, dtype=object),
        place=table["place"].where(table["route"] == "", table["route"]),
        from_local=_local_times(table, "from", "from_zone", now, "Unknown"),
        until_local=_local_times(table, "until", "zone", now, "Unknown"),
        until_utc=["" if at is pd.NaT else time_text.utc_time(at, now=now) for at in table["until"]],
    )


def heading(table: pd.DataFrame, selected_count: int) -> str:
    """Return the heading of the table of people: "66 people at 1 selected place · 8 people in transit to 1 selected
    place".
    """
    is_on_leg = table["status"] == IN_TRANSIT
    people, on_leg = (
        count(distinct_people(each), "person", "people") for each in (table[~is_on_leg], table[is_on_leg])
    )
    where = f"at {count(selected_count, 'selected place', 'selected places')}" if selected_count else "at places"
    on_leg += (
        f" in transit to {count(selected_count, 'selected place', 'selected places')}"
        if selected_count
        else " in transit"
    )
    parts = [f"{people} {where}"] if not is_on_leg.all() or table.empty else []
    return " · ".join([*parts, *([on_leg] if is_on_leg.any() else [])])


def distinct_people(table: pd.DataFrame) -> int:
    """Return how many people a table has, each once."""
    return int(table["person"].nunique())


def when_text(row: Mapping[Hashable, Any], now: datetime) -> str:
    """Return when a person arrives, leaves, or was to leave: "Arrives Fri, Nov 20, 14:05 local (12:05 UTC)"."""
    status = row["status"]
    at = row["from"] if status == "arriving" else row["until"]
    if pd.isna(at):
        return "Unknown end"
    when = time_text.at_place(at.to_pydatetime(warn=False), str(row["zone"]) or None, now=now)
    if status == IN_TRANSIT:
        return f"From {row['origin']}, arrives {when}"
    return f"{_VERBS.get(status, 'Until')} {when}"


def leg_times(group: Mapping[Hashable, Any], now: datetime) -> str:
    """Return when a flight or train of `find_concentrations` departs and arrives, in local times; empty for places."""
    if pd.isna(group["departs"]):
        return ""
    ends = ((group["departs"], group["from_zone"]), (group["arrives"], group["zone"]))
    departs, arrives = (
        time_text.at_place(at.to_pydatetime(warn=False), zone or None, now=now, briefly=True) for at, zone in ends
    )
    return f"Departs {departs}, arrives {arrives} local"


def changes_text(changes: pd.DataFrame, since: str) -> str:
    """Return how much changed since a time, in Markdown: "Since Fri, Nov 20, 12:05 UTC: **3** arrived, **1** new
    trip".
    """
    counted = changes["change"].value_counts()
    parts = [
        f"**{counted[change]:,}** {text.lower()}" for change, text in CHANGE_WORDS.items() if counted.get(change, 0)
    ]
    return f"Since {plain(since)}: {', '.join(parts) or 'no changes'}"


def shown_changes(changes: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of one page of changes as shown."""
    return changes.assign(change=changes["change"].map(CHANGE_WORDS))


def changes_file(changes: pd.DataFrame) -> pd.DataFrame:
    """The changes as they are written to a file."""
    headings = {name: column.label for name, column in CHANGE_COLUMNS.items()}
    return shown_changes(changes)[list(headings)].rename(columns=headings)


def places_file(places: pd.DataFrame) -> pd.DataFrame:
    """The places as they are written to a file."""
    columns = {**{name: column.label for name, column in PLACE_COLUMNS.items()}, "lat": "Latitude", "lon": "Longitude"}
    return places[list(columns)].rename(columns=columns)


def not_covered_file(people: pd.DataFrame) -> pd.DataFrame:
    """People who are not covered, as they are written to a file."""
    return people[list(_NOT_COVERED_FILE)].rename(columns=_NOT_COVERED_FILE)


def whereabout_text(whereabout: Whereabout, now: datetime, *, is_next: bool = False) -> str:
    """Where and until when a person is, or from when they will be there."""
    at = whereabout.begins if is_next else whereabout.ends
    zone = None if is_next and whereabout.origin else whereabout.zone
    when = time_text.at_place(at, zone, now=now) if at is not None else "an unknown time"
    if whereabout.origin:
        route = f"From {whereabout.origin} to {whereabout.label}"
        return f"{route}, departs {when}" if is_next else f"{route}, arrives {when}"
    return f"{whereabout.label}, {'from' if is_next else 'until'} {when}"


def trip_text(trip: Mapping[Hashable, Any], at: datetime) -> str:
    """A trip of a person in Markdown, with its days and whether it is under way: "AAA111 · Nov 20 to Nov 27 · now"."""
    ends = [each for each in (trip["begins"], trip["ends"]) if not pd.isna(each)]
    days = [time_text.day(each.to_pydatetime(warn=False), now=at) for each in ends]
    is_now = len(ends) == 2 and ends[0] <= at < ends[1]
    return " · ".join([plain(str(trip["locator"])), " to ".join(days), *(["under way"] if is_now else [])])


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
        unknown
        if at is pd.NaT
        else time_text.at_place(at.to_pydatetime(warn=False), zone or None, now=now, briefly=True)
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
