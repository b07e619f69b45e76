"""Check a trip for problems. Each check yields findings; `trip_checks` runs all of them.

The checks read nothing from the service. Their order is: people, times, places, connections, and nights.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Final

from client.models.itineraries import Itinerary, Passenger
from client.vocabulary.itineraries import SEGMENT_TYPES
from domain.geography.airports import Airport, airport
from domain.geography.countries import country_name
from domain.geography.place_conflicts import Fix
from domain.trips.resolved_segments import (
    End,
    ResolvedSegment,
    has_unlocatable_code,
    is_stay,
    resolve,
)
from domain.trips.trip_findings import Finding, Severity, sort_findings
from domain.trips.trip_format import clock
from domain.trips.trip_night_checks import night_findings
from domain.trips.trip_time_checks import time_findings, words_for_ends
from domain.trips.trip_travel_checks import travel_findings

FIX_HINTS: Final[Mapping[Fix | None, str]] = {
    "latitude": "They match if you change the sign of the latitude.",
    "longitude": "They match if you change the sign of the longitude.",
    "signs": "They match with both signs changed.",
    "swap": "They match with latitude and longitude swapped.",
}
"""What would correct coordinates that are only written wrongly."""
NOWHERE = " Without coordinates or a known airport, the place is not on the map."


def place_findings(segment: ResolvedSegment) -> Iterator[Finding]:
    """Check the kind of a segment and the places of its ends (a stay has one place)."""
    number, kind = segment.index + 1, segment.kind
    if kind not in SEGMENT_TYPES:
        title = f"Segment {number}: “{kind}” is not a segment type" if kind else f"Segment {number} has no type"
        yield Finding(Severity.ERROR, title, f"The types are {', '.join(SEGMENT_TYPES)}.", segment.index, "kind")
    start_word, end_word = words_for_ends(kind)
    yield from _place(segment, segment.start, start_word)
    if is_stay(kind):
        return
    yield from _place(segment, segment.end, end_word)
    code = segment.start.code
    if kind.casefold() in {"air", "rail"} and code and code == segment.end.code:
        title = f"{segment.label}: departure and arrival are both {code}"
        yield Finding(Severity.WARNING, title, "Check both places.", segment.index, "goes-nowhere")


def _place(segment: ResolvedSegment, end: End, word: str) -> Iterator[Finding]:
    at, label, is_placed = segment.index, segment.label, end.position is not None
    if not end.has_place:
        detail = "Without a code or an address, the place has no expected location."
        yield Finding(Severity.ERROR, f"{label}: the {word} place is missing", detail, at, "place-missing")
    elif segment.kind == "Air" and end.code and airport(end.code) is None:
        detail = f"{end.code} is the {word} code.{'' if is_placed else NOWHERE}"
        severity = Severity.ERROR if has_unlocatable_code(segment.kind, end) else Severity.WARNING
        yield Finding(severity, f"{label}: no airport or city has the code {end.code}", detail, at, "airport-unknown")
    elif is_placed and (conflict := end.conflict) is not None:
        title = f"{label}: the coordinates of {end.name} don’t match the place"
        detail = f"{conflict.message} {FIX_HINTS.get(conflict.fix, '')}".strip()
        yield Finding(Severity.ERROR, title, detail, at, "coordinates-elsewhere")
    elif end.airport is None and segment.kind != "Rail" and (port := airport(end.code)) is not None:
        yield _airport_elsewhere(segment, end, port)
    elif not is_placed:
        named = end.name if end.name.startswith(label) else f"{label}: {end.name}"
        detail = (
            f"Without coordinates, the {word} place is not on the map, and *Who is affected* cannot tell whether it "
            "is in an area."
        )
        yield Finding(Severity.WARNING, f"{named} has no coordinates", detail, at, "no-coordinates")


def _airport_elsewhere(segment: ResolvedSegment, end: End, port: Airport) -> Finding:
    title = f"{segment.label}: the airport {end.code} is not in {end.city or country_name(end.country)}"
    detail = f"{end.code} is {port.label.partition(' · ')[2]}. Check the code and the address."
    detail += "" if end.position is not None else NOWHERE
    return Finding(Severity.WARNING, title, detail, segment.index, "airport-elsewhere")


def people_findings(itinerary: Itinerary) -> Iterator[Finding]:
    """Check the travelers of a trip."""
    if not itinerary.passengers:
        detail = "Without travelers, the trip has no expected locations."
        yield Finding(Severity.ERROR, "No travelers", detail, rule="no-travelers")
    seen: dict[str, str] = {}
    for number, traveler in enumerate(itinerary.passengers or [], start=1):
        name, keys = traveler_name(traveler) or f"Traveler {number}", _keys(traveler)
        if not (traveler.employee_id or "").strip() and traveler.contact_id is None:
            yield from _without_id(traveler, name)
        elif traveler.contact_id is None and not f"{traveler.first_name or ''}{traveler.last_name or ''}".strip():
            detail = "The service creates contacts only for travelers with a name, and skips anyone without a contact."
            yield Finding(Severity.NOTE, f"{name} has no name", detail, rule="no-employee-id")
        if (earlier_name := next((seen[key] for key in keys if key in seen), None)) is not None:
            same = (
                f"{name} is in the trip twice"
                if name == earlier_name
                else f"{earlier_name} and {name} are the same traveler"
            )
            detail = "They have the same employee ID or contact ID or, without these, the same name."
            yield Finding(Severity.WARNING, same, detail, rule="traveler-twice")
        seen = dict.fromkeys(keys, name) | seen


def traveler_name(traveler: Passenger) -> str:
    """Return a traveler's name as ``First Last``; without a name, the employee ID or an empty text."""
    parts = ((traveler.first_name or "").strip(), (traveler.last_name or "").strip())
    return " ".join(part for part in parts if part) or (traveler.employee_id or "").strip()


def _without_id(traveler: Passenger, name: str) -> Iterator[Finding]:
    if not traveler_name(traveler):
        detail = "The service matches travelers by ID, and creates contacts only for travelers with a name."
        title = f"{name} has no employee ID and no name"
        yield Finding(Severity.WARNING, title, detail, rule="no-employee-id")
    elif not any(address.strip() for address in traveler.email_addresses):
        detail = "Without an employee ID or email address, people with the same name count as one person."
        yield Finding(Severity.NOTE, f"{name} has no employee ID or email address", detail, rule="no-employee-id")


def _keys(traveler: Passenger) -> list[str]:
    # The service may ignore case in an employee ID that is an email address. It compares other IDs exactly.
    employee_id = (traveler.employee_id or "").strip()
    keys = []
    if employee_id:
        keys.append(f"employee {employee_id.casefold() if '@' in employee_id else employee_id}")
    if traveler.contact_id:
        keys.append(f"contact {traveler.contact_id}")
    if not keys and traveler_name(traveler):
        keys.append(f"name {traveler_name(traveler).casefold()}")
    return keys


def trip_checks(itinerary: Itinerary, *, now: datetime | None = None) -> list[Finding]:
    """Return the findings of a trip, the most severe first. A canceled trip has none.

    `now` (aware) decides whether the trip is over. It is the current time by default.
    """
    if itinerary.is_canceled:
        return []
    return sort_findings([*people_findings(itinerary), *_of_segments(itinerary, now or datetime.now(UTC))])


def _of_segments(itinerary: Itinerary, now: datetime) -> Iterator[Finding]:
    segments = resolve(itinerary)
    if not segments:
        detail = "Add a flight, hotel, train, or car. The service rejects a trip without segments."
        yield Finding(Severity.ERROR, "The trip has no segments", detail, rule="no-segments")
    for segment in segments:
        yield from time_findings(segment)
        yield from place_findings(segment)
    yield from travel_findings(segments)
    yield from night_findings(segments, travelers=len(itinerary.passengers or []))
    ends = [(end.moment, end.local) for segment in segments for end in (segment.end, segment.start) if end.moment]
    last, local = max(ends, key=lambda end: end[0], default=(now, None))
    if last < now:
        when = f"{clock(local)} local" if local else f"{clock(last)} UTC"
        yield Finding(Severity.NOTE, "The trip is over", f"Its last segment ended {when}.", rule="in-the-past")
