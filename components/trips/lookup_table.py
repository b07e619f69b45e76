"""The outcome of a look-up in words and as a table: what was found, as what, and what this desk knows of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from client.vocabulary.itineraries import FIELD_LABELS
from components.trips.desk_notes import DeskNote
from components.trips.lookup import By, LookedUp, Match
from components.widgets.number_text import count

COLUMNS = (
    *("looked up", "outcome", "itinerary id", "found as", "spelling", "record locator"),
    *("status here", "travellers", "sent", "problem"),
)


@dataclass(frozen=True)
class FoundTrip:
    """One itinerary that was found: for which value, and the how-manieth of how many that have this value.

    `also` says what else of what was looked up is this trip's.
    """

    value: str
    match: Match
    number: int
    of: int
    also: tuple[Match, ...] = ()

    @property
    def locator(self) -> str | None:
        """The record locator, where the trip was found by it."""
        return next((each.spelling for each in (self.match, *self.also) if each.field == "pnr"), None)


def found_trips(looked_up: Sequence[LookedUp]) -> list[FoundTrip]:
    """Every itinerary found, once each, in the order of the values."""
    found: dict[int, FoundTrip] = {}
    for each in looked_up:
        for number, match in enumerate(each.matches, start=1):
            known = found.get(match.itinerary_id)
            if known is None:
                found[match.itinerary_id] = FoundTrip(each.value, match, number, len(each.matches))
            else:
                found[match.itinerary_id] = replace(known, also=(*known.also, match))
    return list(found.values())


def answer(looked_up: Sequence[LookedUp], by: By) -> str:
    """Say in one line what was found and what not."""
    trips = len(found_trips(looked_up))
    missing = sum(each.not_found for each in looked_up)
    failed = sum(each.error is not None and not each.found for each in looked_up)
    partly = sum(each.error is not None and each.found for each in looked_up)
    having = sum(each.found for each in looked_up)
    parts = [f"{count(trips, 'trip', 'trips')} found for {having:,} of {values(len(looked_up), by)}"]
    if missing:
        parts.append(f"{missing:,} not found")
    if failed:
        parts.append(f"{failed:,} could not be looked up")
    if partly:
        parts.append(f"{partly:,} looked up in part")
    return " · ".join(parts)


def values(number: int, by: By) -> str:
    """Write how many values of a kind: ``3 record locators``."""
    word = {By.LOCATOR: "record locator", By.EXTERNAL_ID: "external id", By.BOTH: "value"}[by]
    return count(number, word, f"{word}s")


def table_of(looked_up: Sequence[LookedUp], note: Callable[[FoundTrip], DeskNote]) -> pd.DataFrame:
    """One row an itinerary, and one for each value without any; ids are text."""
    rows = []
    for each in looked_up:
        problem = each.error.message if each.error else ""
        if not each.found:
            outcome = "not found" if each.not_found else "could not be looked up"
            rows.append((each.value, outcome, "", "", "", "", "", "", "", problem))
        for trip in found_trips([each]):
            known = note(trip)
            rows.append(
                (
                    each.value,
                    "found",
                    str(trip.match.itinerary_id),
                    FIELD_LABELS[trip.match.field],
                    trip.match.spelling,
                    known.locator,
                    known.status,
                    "; ".join(known.travellers),
                    known.sent,
                    problem,
                )
            )
    return pd.DataFrame(rows, columns=list(COLUMNS), dtype="str")
