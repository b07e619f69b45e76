"""Find trips by the number of a flight or train, as far as they were sent from Muster.

The service returns no numbers: expected locations are places and times only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from itertools import count as count_from
from typing import TYPE_CHECKING, Any, Final

from domain.runtime.background import BackgroundRead
from domain.runtime.screens import FIND_TRIP, TRIP
from domain.runtime.server import server
from domain.search.search_results import MOST_SHOWN, ResultGroup, SearchLink, SearchResult
from domain.text.plain_text import count, names
from domain.text.time_text import format_date
from domain.trips.known_trip import CANCEL, DELETE, IMPORT, REMOVAL, SENDS
from journal import Entry, EntryFilters

if TYPE_CHECKING:
    from domain.runtime.workspace import Workspace

_NUMBER: Final = re.compile(r"([A-Z0-9]{0,12}?)0{0,5}(\d{1,5})([A-Z]?)")
_FLIGHT: Final = re.compile(r"([A-Z]{2}|[A-Z]\d|\d[A-Z])\d{1,4}[A-Z]?")
_READ: Final = "flight numbers"
_READ_EVERY: Final = timedelta(minutes=1)
_PAGE: Final = 1_000
_FEWEST_LETTERS: Final = 3
_NAMED: Final = 3
_RAIL: Final = "rail"


@dataclass
class Departure:
    """A flight or train on a day, with the trips and the travelers that are on it."""

    number: str
    kind: str
    begins: str
    """The local time of departure, "2026-11-27T14:05", or its day."""
    route: str
    locators: dict[str, None] = field(default_factory=dict)
    travelers: dict[str, None] = field(default_factory=dict)

    @property
    def day(self) -> date | None:
        """The day of departure; None if it is unknown."""
        try:
            return date.fromisoformat(self.begins[:10])
        except ValueError:
            return None


class FlightIndex:
    """The departures by normalized number."""

    def __init__(self, version: tuple[int, int] = (0, 0)) -> None:
        """Start empty. The version differs for other sent trips."""
        self.version = version
        self.departures: dict[str, dict[tuple[str, str], Departure]] = {}

    def add(self, locator: str, itinerary: Mapping[str, Any]) -> None:
        """Add the segments with a number of an itinerary, as it was sent."""
        travelers = [
            ", ".join(filter(None, (str(each.get("lastName") or ""), str(each.get("firstName") or ""))))
            for each in itinerary.get("passengers") or ()
        ]
        for segment in itinerary.get("segments") or ():
            number = str(segment.get("airRailNumber") or "").strip()
            if not number:
                continue
            carrier = str(segment.get("supplierCode") or "").strip().upper()
            shown = number.upper() if number.upper().startswith(carrier) else f"{carrier}{number.upper()}"
            begins = str(segment.get("fromDateTimeLocal") or segment.get("fromDateTime") or "")[:16]
            route = " → ".join(filter(None, (_end(segment, "from"), _end(segment, "to"))))
            by_departure = self.departures.setdefault(number_key(shown), {})
            kind = str(segment.get("type") or "").lower()
            departure = by_departure.setdefault((begins[:10], route), Departure(shown, kind, begins, route))
            departure.locators[locator] = None
            departure.travelers.update(dict.fromkeys(filter(None, travelers)))

    def find(self, text: str, today: date) -> list[Departure]:
        """Return the departures whose number is, or begins with, a text; those from yesterday on first, by time."""
        wanted = number_key(text)
        if len(wanted) < _FEWEST_LETTERS or not any(map(str.isdigit, wanted)):
            return []
        keys = [wanted] if wanted in self.departures else [key for key in self.departures if _matches(key, wanted)]
        found = [departure for key in keys for departure in self.departures[key].values()]
        since = today - timedelta(days=1)
        return sorted(found, key=lambda each: ((each.day or since) < since, each.begins, each.number))


def number_key(text: str) -> str:
    """Return the number of a flight or train without spaces, marks, and leading zeros: "sq 0682" is "SQ682"."""
    joined = "".join(letter for letter in text.upper() if letter.isalnum())
    found = _NUMBER.fullmatch(joined)
    return f"{found[1]}{found[2]}{found[3]}" if found else joined


def may_be_flight(text: str) -> bool:
    """Return whether a text has the form of a flight number, such as SQ682."""
    return bool(_FLIGHT.fullmatch("".join(text.upper().split())))


def flight_group(index: FlightIndex, text: str, now: datetime) -> ResultGroup | None:
    """Return the departures of a flight or train, each with a link to its trips; None without any."""
    found = index.find(text, now.astimezone(UTC).date())
    if not found:
        return None
    return ResultGroup("Flights and trains", tuple(_result(each, now) for each in found[:MOST_SHOWN]), len(found))


def _result(departure: Departure, now: datetime) -> SearchResult:
    locators = tuple(departure.locators)
    link = (
        SearchLink(TRIP, {"locator": locators[0]})
        if len(locators) == 1
        else SearchLink(FIND_TRIP, {"q": " ".join(locators)})
    )
    day = format_date(departure.day, with_year=departure.day.year != now.year) if departure.day else ""
    clock = departure.begins[11:16]
    when = f"{day}, {clock} local" if day and clock else day
    people = list(departure.travelers)
    who = f"{count(len(people), 'traveler', 'travelers')}: {names(people, at_most=_NAMED)}" if people else ""
    icon = "train" if departure.kind == _RAIL else "flight"
    title = " · ".join(filter(None, (departure.number, departure.route)))
    return SearchResult(title, link, " · ".join(filter(None, (when, who))), icon)


def read_flights(workspace: Workspace) -> BackgroundRead[FlightIndex]:
    """Return the background read of the flights of all trips that were sent and not removed since, and start it.

    It reads again if trips were sent or removed since, at most once in `_READ_EVERY`.
    """
    journal, actor = workspace.journal, workspace.actor
    sent = EntryFilters(subject_kind="itinerary", state="succeeded")

    def read(_: object) -> FlightIndex:
        version = (
            journal.ledger_history.count_done_writes(actor, [IMPORT, REMOVAL]),
            journal.audit.count(actor.service, actor.organization_id, filters=sent),
        )
        if data.value is not None and data.value.version == version:
            return data.value
        index = FlightIndex(version)
        for locator, itinerary in _current_trips(workspace, sent):
            index.add(locator, itinerary)
        return index

    data = server().reads.get_or_create(
        workspace, (_READ,), lambda: BackgroundRead[FlightIndex](_READ, read, _READ_EVERY), of_organization=True
    )
    data.read = read
    data.start()
    return data


def _current_trips(workspace: Workspace, sent: EntryFilters) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the record locator and the last version of each trip that was not removed."""
    journal, actor = workspace.journal, workspace.actor
    versions: list[tuple[datetime, str, Mapping[str, Any] | None]] = []
    for done in journal.ledger_history.list_done(actor, [IMPORT, REMOVAL]):
        trip_id = str(done.payload.get("id") if done.kind == REMOVAL else done.result_id)
        versions.append((done.at, trip_id, None if done.kind == REMOVAL else done.payload))
    for entry in _entries(workspace, sent):
        if entry.action in SENDS | {CANCEL, DELETE}:
            itinerary = (entry.request or {}).get("itinerary") if entry.action in SENDS else None
            versions.append((entry.at, str(entry.subject_id), itinerary if isinstance(itinerary, dict) else None))
    trips = {trip_id: itinerary for _, trip_id, itinerary in sorted(versions, key=lambda each: each[0])}
    for itinerary in trips.values():
        if itinerary is not None and str(itinerary.get("itineraryStatus") or "").casefold() != "canceled":
            yield str(itinerary.get("pnr") or ""), itinerary


def _entries(workspace: Workspace, filters: EntryFilters) -> Iterator[Entry]:
    audit, actor = workspace.journal.audit, workspace.actor
    for number in count_from(1):
        page = audit.list(actor.service, actor.organization_id, filters=filters, page=number, page_size=_PAGE)
        yield from page
        if len(page) < _PAGE:
            return


def _matches(key: str, wanted: str) -> bool:
    """Return whether a number begins with the text, or is it without the carrier."""
    return key.startswith(wanted) or (wanted.isdigit() and key.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == wanted)


def _end(segment: Mapping[str, Any], side: str) -> str:
    address = segment.get(f"{side}Address") or {}
    return str(segment.get(f"{side}IataCode") or address.get("city") or address.get("locationName") or "")
