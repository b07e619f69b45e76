"""Looking up trips by record locator or external id: reading what was pasted, asking for each value, the outcomes.

Each value is looked up on its own: the service's answer to several values at once does not say which of them it found.
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
from domain.trips.known_trip import DeskChange, DeskNote, desk_changes, removed_words, settled
from journal import JournalError, locator_spellings, normalize_locator

if TYPE_CHECKING:
    from domain.file_import.row_sending import JournalContext

SearchField = Literal["pnr", "externalItineraryId"]

LOOK_UP: Final = "find a trip"
"""Under which name look-ups are held."""

# One request (two where both kinds are tried) a value; longer lists belong into a roster, which loads by itself.
MOST_AT_ONCE = 300
# What proxies take in one line, as it is written in an address.
LONGEST_IN_URL = 6_000

_VALUES = re.compile(r'"([^"\r\n]*)"|([^\s,;]+)')
_BLANKS = re.compile(r"\s+")
_HOPELESS = (ConnectionFailed, NotAllowed, NotAuthenticated)

COLUMNS = (
    *("looked up", "outcome", "itinerary id", "found as", "spelling", "record locator"),
    *("status here", "travellers", "sent", "problem"),
)


class By(StrEnum):
    """As what the values are looked up; the words stand in the URL."""

    LOCATOR = "locator"
    EXTERNAL_ID = "external-id"
    BOTH = "both"

    @property
    def fields(self) -> tuple[SearchField, ...]:
        """The interface's search fields to ask by."""
        if self is By.LOCATOR:
            return ("pnr",)
        return ("externalItineraryId",) if self is By.EXTERNAL_ID else ("pnr", "externalItineraryId")


@dataclass(frozen=True)
class Pasted:
    """What was pasted: the different values in their order, those that came again, and those beyond the limit."""

    values: tuple[str, ...]
    repeated: tuple[str, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True)
class Match:
    """One itinerary found, by which field; `spelling` is the value as it is compared."""

    itinerary_id: int
    field: SearchField
    spelling: str


@dataclass(frozen=True)
class LookedUp:
    """What became of one value. A value found as the one kind can have an error as the other."""

    value: str
    matches: tuple[Match, ...]
    error: ServiceError | None = None
    removed: DeskChange | None = None
    """How this desk canceled or deleted what is not found by its record locator now."""

    @property
    def found(self) -> bool:
        """True when at least one itinerary has it."""
        return bool(self.matches)

    @property
    def not_found(self) -> bool:
        """True when the service was asked everything and knows no such itinerary."""
        return not self.matches and self.error is None


def read_pasted(text: str, most: int = MOST_AT_ONCE, *, are_locators: bool = True) -> Pasted:
    """Read values separated by commas, semicolons, spaces or lines; one in double quotes may hold spaces.

    Two spellings of a record locator are one value, as it is written first; of an external id, whose case may matter,
    they are two.
    """
    values: dict[str, str] = {}
    repeated: dict[str, str] = {}
    for quoted, bare in _VALUES.findall(text):
        value = _BLANKS.sub(" ", quoted or bare).strip().strip('"')
        if not value:
            continue
        key = normalize_locator(value) if are_locators else value
        (repeated if key in values else values).setdefault(key, value)
    kept = tuple(values.values())
    return Pasted(kept[:most], tuple(repeated.values()), kept[most:])


def as_text(values: Sequence[str]) -> str:
    """Write values as they can be read again."""
    return ", ".join(f'"{value}"' if re.search(r"[\s,;]", value) else value for value in values)


def fits_in_url(text: str) -> bool:
    """True when a query is short enough to stand in an address that is shared."""
    return len(quote_plus(text)) <= LONGEST_IN_URL


def look_up_one(client: ServiceClient, value: str, by: By) -> LookedUp:
    """Ask for one value by each field; an error of one field does not lose what the other found."""
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
    return LookedUp(value, tuple(seen.values()), error)


def look_up_all(
    client: ServiceClient,
    values: Sequence[str],
    by: By,
    tell: Callable[[int, int | None], None] = lambda *_: None,
    *,
    width: int = 16,
) -> tuple[LookedUp, ...]:
    """Ask for every value, at most `width` at a time; the outcomes come in the order in which they were pasted.

    `tell` is told how many are there. Once the service can not be reached or refuses this user, the rest is not asked:
    it gets the same error. An error that is not the service's leaves at once.
    """
    hopeless: list[ServiceError] = []

    def one(value: str) -> LookedUp:
        if hopeless:
            return LookedUp(value, (), hopeless[0])
        looked_up = look_up_one(client, value, by)
        if isinstance(looked_up.error, _HOPELESS):
            hopeless.append(looked_up.error)
        return looked_up

    found: dict[str, LookedUp] = {}
    for outcome in fan_out(one, values, width=width):
        found[outcome.item] = outcome.result()
        tell(len(found), len(values))
    return tuple(found[value] for value in values if value in found)


def _matches(client: ServiceClient, value: str, field: SearchField) -> list[Match]:
    is_locator = field == "pnr"
    spellings = locator_spellings(value) if is_locator else (value,)
    references = client.itineraries.search(field_name=field, values=spellings)
    ids = dict.fromkeys(reference.id for reference in references)
    return [Match(itinerary_id, field, normalize_locator(value) if is_locator else value) for itinerary_id in ids]


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


def with_removals(desk: "JournalContext", looked_up: Sequence[LookedUp], by: By) -> tuple[LookedUp, ...]:
    """Say of each not found by its record locator how this desk removed it; nothing where no journal answers."""
    with suppress(JournalError):
        return tuple(
            replace(each, removed=_removal(desk, each.value)) if each.not_found and "pnr" in by.fields else each
            for each in looked_up
        )
    return tuple(looked_up)


def _removal(desk: "JournalContext", locator: str) -> DeskChange | None:
    return settled(desk_changes(desk, None, locator))[1]


def table_of(looked_up: Sequence[LookedUp], note: Callable[[FoundTrip], DeskNote]) -> pd.DataFrame:
    """One row an itinerary, and one for each value without any; ids are text."""
    rows = []
    for each in looked_up:
        problem = each.error.message if each.error else ""
        if not each.found:
            outcome = "not found" if each.not_found else "could not be looked up"
            status = removed_words(each.removed) if each.removed else ""
            rows.append((each.value, outcome, "", "", "", "", status, "", "", problem))
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
