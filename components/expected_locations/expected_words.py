"""What the screen says: the answer in one line, its freshness, how far a load is, and why there is nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

import pandas as pd

from components.expected_locations.at_moment import Status
from components.expected_locations.roster_load import Failure, LoadProgress
from components.expected_locations.roster_view import View, first_and_last
from components.expected_locations.time_choice import TimeChoice
from components.widgets import time_text
from components.widgets.number_text import count

STATUS_WORDS: Final[dict[Status, str]] = {
    "there": "● There",
    "arriving": "◎ Arriving",
    "leaving": "◐ Leaving",
    "possible": "○ Possible",
}
STATUS_HELP: Final = (
    "● there: expected at this place only · ◎ arriving: gets there later · ◐ leaving: is expected to depart from there"
    " · ○ possible: expected at more than one place at that time"
)


def answer(view: View, *, reading: bool) -> str:
    """The answer in one line of Markdown: "**1,612 people** at 214 places · 2,940 locations · 37 not covered".

    While the first answers are still being read, "0 people" would be a wrong one.
    """
    if reading and not view.people:
        return "Reading the roster"
    parts = [
        f"**{count(view.people, 'person', 'people')}** at {count(len(view.places), 'place', 'places')}",
        count(view.location_count, "location", "locations"),
        f"{view.not_covered_count:,} not covered",
    ]
    return " · ".join(parts)


def statuses_in_words(people: pd.DataFrame) -> str:
    """How the people of a table are there: "12 there, 5 leaving"; empty for nobody."""
    counted = people.drop_duplicates("person")["status"].value_counts()
    return ", ".join(f"{counted[status]:,} {status}" for status in STATUS_WORDS if counted.get(status, 0))


def freshness(as_of: datetime, now: datetime) -> str:
    """How old the data is: "as of 14:05 UTC · 3 min ago"; the day is named where it is another."""
    said = time_text.moment(as_of, now=now)
    if as_of.astimezone(UTC).date() == now.astimezone(UTC).date():
        said = said.split(", ", 1)[-1]
    return f"as of {said} · {time_text.ago(as_of, now)}"


def loading(progress: LoadProgress, roster_name: str) -> str:
    """How far a load is: "Reading Spring fair: 412 of 1,500 trips, 3 not found"."""
    words = f"Reading {roster_name}: {progress.done:,} of {count(progress.total, 'trip', 'trips')}"
    if progress.not_found:
        words += f", {progress.not_found:,} not found"
    return words + (f", {progress.failed:,} failed" if progress.failed else "")


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


def nobody(view: View, choice: TimeChoice, now: datetime) -> str:
    """Why there is nobody to show, for a view without people."""
    if view.locations.rows.empty:
        return "None of the trips read so far has an expected location."
    unfiltered = len(view.at.rows)
    when = choice.words(now)
    if unfiltered and view.filters.are_set:
        return (
            f"Nobody passes these filters {when}. Without them there are {count(unfiltered, 'location', 'locations')}."
        )
    words = f"Nobody of this roster is expected anywhere {when}."
    span = first_and_last(view.locations)
    if span is not None:
        first, last = (time_text.moment(each, now=now) for each in span)
        words += f" Its locations run from {first} to {last}."
    return words
