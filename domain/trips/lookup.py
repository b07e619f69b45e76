"""Look up trips by record locator or external ID: parse the pasted values, search for each one, and list the results.

Each value is a separate search, because the service's response to several values does not say which value it found.
"""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import quote_plus

import pandas as pd

from client import ConnectionFailed, NotAllowed, NotAuthenticated, ServiceClient, ServiceError
from client.fan_out import fan_out
from client.vocabulary.itineraries import FIELD_LABELS
from domain.text.plain_text import count
from domain.trips.known_trip import TripChange, TripNote, load_trip_changes, removal_status, summarize_changes
from journal import JournalError, locator_spellings, normalize_locator

if TYPE_CHECKING:
    from domain.file_import.row_sending import JournalContext

SearchField = Literal["pnr", "externalItineraryId"]

LOOKUP_CACHE: Final = "find a trip"
"""The name under which results are cached."""

# One request per value, two if both kinds are tried. For longer lists, a roster loads in the background.
MAX_VALUES = 300
# Proxies accept at least this much in one line.
MAX_URL_LENGTH = 6_000

_VALUES = re.compile(r'"([^"\r\n]*)"|([^\s,;]+)')
_BLANKS = re.compile(r"\s+")
_HOPELESS = (ConnectionFailed, NotAllowed, NotAuthenticated)

COLUMNS = (
    *("value", "result", "trip ID", "found by", "spelling", "record locator"),
    *("status in Muster", "travelers", "sent", "problem"),
)


class LookupBy(StrEnum):
    """By which field values are looked up. The values of this enum are in the URL."""

    LOCATOR = "locator"
    EXTERNAL_ID = "external-id"
    BOTH = "both"

    @property
    def fields(self) -> tuple[SearchField, ...]:
        """The search fields of the interface."""
        if self is LookupBy.LOCATOR:
            return ("pnr",)
        return ("externalItineraryId",) if self is LookupBy.EXTERNAL_ID else ("pnr", "externalItineraryId")


@dataclass(frozen=True)
class PastedValues:
    """The values in pasted text: the distinct ones in order, the repeated ones, and those beyond the limit."""

    values: tuple[str, ...]
    repeated: tuple[str, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True)
class Match:
    """An itinerary that was found. `spelling` is the normalized value."""

    itinerary_id: int
    field: SearchField
    spelling: str


@dataclass(frozen=True)
class LookupResult:
    """The result for one value. With two fields, one can find trips while the other fails."""

    value: str
    matches: tuple[Match, ...]
    error: ServiceError | None = None
    removal: TripChange | None = None
    """How Muster removed the trip, if its record locator was not found."""

    @property
    def is_found(self) -> bool:
        """Return whether at least one itinerary was found."""
        return bool(self.matches)

    @property
    def is_not_found(self) -> bool:
        """Return whether every search succeeded and found nothing."""
        return not self.matches and self.error is None


def parse_values(text: str, limit: int = MAX_VALUES, *, are_locators: bool = True) -> PastedValues:
    """Parse values separated by commas, semicolons, spaces, or lines. A value in double quotes may contain spaces.

    Record locators that differ only in spelling are one value. External IDs are compared exactly.
    """
    values: dict[str, str] = {}
    repeated: dict[str, str] = {}
    for quoted, bare in _VALUES.findall(text):
        value = _BLANKS.sub(" ", quoted or bare).strip().strip('"')
        if not value:
            continue
        key = normalize_locator(value) if are_locators else value
        (repeated if key in values else values).setdefault(key, value)
    parsed = tuple(values.values())
    return PastedValues(parsed[:limit], tuple(repeated.values()), parsed[limit:])


def join_values(values: Sequence[str]) -> str:
    """Join values so that `parse_values` reads them again."""
    return ", ".join(f'"{value}"' if re.search(r"[\s,;]", value) else value for value in values)


def fits_in_url(text: str) -> bool:
    """Return whether a query is short enough for a link that is shared."""
    return len(quote_plus(text)) <= MAX_URL_LENGTH


def look_up_one(client: ServiceClient, value: str, by: LookupBy) -> LookupResult:
    """Search for one value in each field. An error in one field does not discard what the other found."""
    matches: list[Match] = []
    error: ServiceError | None = None
    for field in by.fields:
        try:
            matches += _matches(client, value, field)
        except ServiceError as problem:
            error = problem
            if isinstance(problem, _HOPELESS):
                break
    seen: dict[int, Match] = {}
    for match in matches:
        seen.setdefault(match.itinerary_id, match)
    return LookupResult(value, tuple(seen.values()), error)


def look_up_all(
    client: ServiceClient,
    values: Sequence[str],
    by: LookupBy,
    report_progress: Callable[[int, int | None], None] = lambda *_: None,
    *,
    width: int = 16,
) -> tuple[LookupResult, ...]:
    """Search for every value, at most `width` at a time. Results are in the order of the values.

    `report_progress` receives how many are done, of how many. Once the service cannot be reached or denies access, the
    remaining values get the same error. Other exceptions are raised.
    """
    hopeless: list[ServiceError] = []

    def one(value: str) -> LookupResult:
        if hopeless:
            return LookupResult(value, (), hopeless[0])
        looked_up = look_up_one(client, value, by)
        if isinstance(looked_up.error, _HOPELESS):
            hopeless.append(looked_up.error)
        return looked_up

    found: dict[str, LookupResult] = {}
    for outcome in fan_out(one, values, width=width):
        found[outcome.item] = outcome.result()
        report_progress(len(found), len(values))
    return tuple(found[value] for value in values if value in found)


def _matches(client: ServiceClient, value: str, field: SearchField) -> list[Match]:
    is_locator = field == "pnr"
    spellings = locator_spellings(value) if is_locator else (value,)
    references = client.itineraries.search(field_name=field, values=spellings)
    ids = dict.fromkeys(reference.id for reference in references)
    return [Match(itinerary_id, field, normalize_locator(value) if is_locator else value) for itinerary_id in ids]


@dataclass(frozen=True)
class FoundTrip:
    """An itinerary that was found by a value; `number` of `total` that have this value.

    `other_matches` are further values that found the same trip.
    """

    value: str
    match: Match
    number: int
    total: int
    other_matches: tuple[Match, ...] = ()

    @property
    def locator(self) -> str | None:
        """The record locator, if the trip was found by it."""
        return next((each.spelling for each in (self.match, *self.other_matches) if each.field == "pnr"), None)


def list_found_trips(looked_up: Sequence[LookupResult]) -> list[FoundTrip]:
    """Return every itinerary found, once each, in the order of the values."""
    found: dict[int, FoundTrip] = {}
    for each in looked_up:
        for number, match in enumerate(each.matches, start=1):
            known = found.get(match.itinerary_id)
            if known is None:
                found[match.itinerary_id] = FoundTrip(each.value, match, number, len(each.matches))
            else:
                found[match.itinerary_id] = replace(known, other_matches=(*known.other_matches, match))
    return list(found.values())


def lookup_summary(looked_up: Sequence[LookupResult], by: LookupBy) -> str:
    """Summarize what was found in one line."""
    trips = len(list_found_trips(looked_up))
    missing = sum(each.is_not_found for each in looked_up)
    failed = sum(each.error is not None and not each.is_found for each in looked_up)
    partly = sum(each.error is not None and each.is_found for each in looked_up)
    having = sum(each.is_found for each in looked_up)
    parts = [f"{count(trips, 'trip', 'trips')} found for {having:,} of {values(len(looked_up), by)}"]
    if missing:
        parts.append(f"{missing:,} not found")
    if failed:
        parts.append(f"{failed:,} could not be looked up")
    if partly:
        parts.append(f"{partly:,} partly looked up")
    return " · ".join(parts)


def values(number: int, by: LookupBy) -> str:
    """Return the number of values with their kind: ``3 record locators``."""
    word = {LookupBy.LOCATOR: "record locator", LookupBy.EXTERNAL_ID: "external ID", LookupBy.BOTH: "value"}[by]
    return count(number, word, f"{word}s")


def add_removals(
    context: "JournalContext", looked_up: Sequence[LookupResult], by: LookupBy
) -> tuple[LookupResult, ...]:
    """Add how Muster removed trips that were not found by record locator. Without a journal, add nothing."""
    with suppress(JournalError):
        return tuple(
            replace(each, removal=_removal(context, each.value)) if each.is_not_found and "pnr" in by.fields else each
            for each in looked_up
        )
    return tuple(looked_up)


def _removal(context: "JournalContext", locator: str) -> TripChange | None:
    return summarize_changes(load_trip_changes(context, None, locator))[1]


def results_table(looked_up: Sequence[LookupResult], note: Callable[[FoundTrip], TripNote]) -> pd.DataFrame:
    """Build the table: one row per itinerary, and one per value without any. IDs are text."""
    rows = []
    for each in looked_up:
        problem = each.error.message if each.error else ""
        if not each.is_found:
            outcome = "not found" if each.is_not_found else "could not be looked up"
            status = removal_status(each.removal) if each.removal else ""
            rows.append((each.value, outcome, "", "", "", "", status, "", "", problem))
        for trip in list_found_trips([each]):
            known = note(trip)
            rows.append(
                (
                    each.value,
                    "found",
                    str(trip.match.itinerary_id),
                    FIELD_LABELS[trip.match.field],
                    trip.match.spelling,
                    known.locator,
                    known.status or "",
                    "; ".join(known.travelers),
                    known.sent_text,
                    problem,
                )
            )
    return pd.DataFrame(rows, columns=list(COLUMNS), dtype="str")
