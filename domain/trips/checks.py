"""*What looks wrong with a trip*: every check, run over one itinerary.

Pure: it asks nobody, and knows of the world what `components.geography` knows. The checks stand in the order of what
they look at: people, times, places, the way from one segment to the next, nights.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Final

from client.models.itineraries import Itinerary, Passenger
from client.vocabulary.itineraries import SEGMENT_TYPES
from domain.geography.airports import Airport, airport
from domain.geography.countries import country_name
from domain.geography.place_conflicts import Fix
from domain.trips.resolved import (
    End,
    ResolvedSegment,
    has_lost_code,
    is_stay,
    resolve,
)
from domain.trips.trip_findings import Finding, Severity, in_order
from domain.trips.trip_night_checks import night_findings
from domain.trips.trip_time_checks import time_findings, words_for_ends
from domain.trips.trip_travel_checks import travel_findings
from domain.trips.trip_words import clock

FIX_HINTS: Final[Mapping[Fix | None, str]] = {
    "latitude": "They match with the other sign of the latitude.",
    "longitude": "They match with the other sign of the longitude.",
    "signs": "They match with both signs changed.",
    "swap": "They match with latitude and longitude swapped.",
}
"""What would put coordinates right, where they are only written wrongly."""
NOWHERE = " Nothing else says where it is, so it cannot be on the map."


def place_findings(segment: ResolvedSegment) -> Iterator[Finding]:
    """Check the kind of a segment and the places of its ends (a stay has one place)."""
    number, kind = segment.index + 1, segment.kind
    if kind not in SEGMENT_TYPES:
        title = f"Segment {number}: “{kind}” is not a kind" if kind else f"Segment {number} says nothing of its kind"
        yield Finding(Severity.WRONG, title, f"It is one of {', '.join(SEGMENT_TYPES)}.", segment.index, "kind")
    start_word, end_word = words_for_ends(kind)
    if is_stay(kind):
        yield from _place(segment, segment.start, "stay")
        return
    yield from _place(segment, segment.start, start_word)
    yield from _place(segment, segment.end, end_word)
    code = segment.start.code
    if kind.casefold() in {"air", "rail"} and code and code == segment.end.code:
        title = f"{segment.label} leaves from {code} and arrives there"
        yield Finding(Severity.LOOK, title, "One of the two places is not meant.", segment.index, "goes-nowhere")


def _place(segment: ResolvedSegment, end: End, word: str) -> Iterator[Finding]:
    at, label, is_placed = segment.index, segment.label, end.position is not None
    if not end.has_place:
        detail = "There is neither a code nor an address. No one is expected there."
        yield Finding(Severity.WRONG, f"{label}: no place of {word}", detail, at, "place-missing")
    elif segment.kind == "Air" and end.code and airport(end.code) is None:
        detail = f"It is the place of {word}.{'' if is_placed else NOWHERE}"
        severity = Severity.WRONG if has_lost_code(segment.kind, end) else Severity.LOOK
        yield Finding(severity, f"{label}: no airport or city has the code {end.code}", detail, at, "airport-unknown")
    elif is_placed and (conflict := end.conflict) is not None:
        title = f"{label}: the coordinates of {end.name} contradict the rest"
        detail = f"{conflict.message} {FIX_HINTS.get(conflict.fix, '')}".strip()
        yield Finding(Severity.WRONG, title, detail, at, "coordinates-elsewhere")
    elif end.airport is None and segment.kind != "Rail" and (port := airport(end.code)) is not None:
        yield _airport_elsewhere(segment, end, port)
    elif not is_placed:
        named = end.name if end.name.startswith(label) else f"{label}: {end.name}"
        detail = f"The place of {word} cannot be on the map or found when something happens nearby."
        yield Finding(Severity.LOOK, f"{named} has no coordinates", detail, at, "no-coordinates")


def _airport_elsewhere(segment: ResolvedSegment, end: End, port: Airport) -> Finding:
    title = f"{segment.label}: the airport {end.code} is not in {end.city or country_name(end.country)}"
    detail = f"It is {port.label.partition(' · ')[2]}: the code or the address is not meant."
    detail += "" if end.position is not None else NOWHERE
    return Finding(Severity.LOOK, title, detail, segment.index, "airport-elsewhere")


def people_findings(itinerary: Itinerary) -> Iterator[Finding]:
    """Check the travellers of a trip."""
    if not itinerary.passengers:
        detail = "The trip has no travelers. No one is expected anywhere."
        yield Finding(Severity.WRONG, "No one travels", detail, rule="no-travellers")
    seen: dict[str, str] = {}
    for number, traveller in enumerate(itinerary.passengers or [], start=1):
        name, keys = traveller_name(traveller) or f"Traveler {number}", _keys(traveller)
        if not (traveller.employee_id or "").strip() and traveller.contact_id is None:
            yield from _without_id(traveller, name)
        elif traveller.contact_id is None and not f"{traveller.first_name or ''}{traveller.last_name or ''}".strip():
            detail = (
                "The service creates contacts only for travelers with a name, and leaves out anyone without a contact."
            )
            yield Finding(Severity.NOTE, f"{name} has no name", detail, rule="no-employee-id")
        if (known := next((seen[key] for key in keys if key in seen), None)) is not None:
            same = f"{name} is in the trip twice" if name == known else f"{known} and {name} are the same traveler"
            detail = "They carry the same employee id, contact id or, without either, the same name."
            yield Finding(Severity.LOOK, same, detail, rule="traveller-twice")
        seen = dict.fromkeys(keys, name) | seen


def traveller_name(traveller: Passenger) -> str:
    """Write a traveller's name as ``First Last``, or the employee id where there is no name; empty where neither is."""
    parts = ((traveller.first_name or "").strip(), (traveller.last_name or "").strip())
    return " ".join(part for part in parts if part) or (traveller.employee_id or "").strip()


def _without_id(traveller: Passenger, name: str) -> Iterator[Finding]:
    if not traveller_name(traveller):
        detail = "The service matches travelers by ID, and creates contacts only for travelers with a name."
        title = f"{name} has neither an employee id nor a name"
        yield Finding(Severity.LOOK, title, detail, rule="no-employee-id")
    elif not any(address.strip() for address in traveller.email_addresses):
        detail = "Without an employee ID or email address, people with the same name count as one person."
        yield Finding(Severity.NOTE, f"{name} is known by name alone", detail, rule="no-employee-id")


def _keys(traveller: Passenger) -> list[str]:
    # An e-mail address as employee id may be matched without regard to case; other ids are compared as written.
    employee_id = (traveller.employee_id or "").strip()
    keys = []
    if employee_id:
        keys.append(f"employee {employee_id.casefold() if '@' in employee_id else employee_id}")
    if traveller.contact_id:
        keys.append(f"contact {traveller.contact_id}")
    if not keys and traveller_name(traveller):
        keys.append(f"name {traveller_name(traveller).casefold()}")
    return keys


def trip_checks(itinerary: Itinerary, *, now: datetime | None = None) -> list[Finding]:
    """Say what looks wrong with a trip, the worst first.

    A canceled trip has nothing to be wrong. `now` (aware) decides what is in the past; the clock's time where left out.
    """
    if itinerary.is_canceled:
        return []
    return in_order([*people_findings(itinerary), *_of_segments(itinerary, now or datetime.now(UTC))])


def _of_segments(itinerary: Itinerary, now: datetime) -> Iterator[Finding]:
    segments = resolve(itinerary)
    if not segments:
        detail = "Without a flight, stay, train, or car, no one is expected anywhere, and the service refuses the trip."
        yield Finding(Severity.WRONG, "The trip has no segments", detail, rule="no-segments")
    for segment in segments:
        yield from time_findings(segment)
        yield from place_findings(segment)
    yield from travel_findings(segments)
    yield from night_findings(segments, travellers=len(itinerary.passengers or []))
    ends = [(end.moment, end.local) for segment in segments for end in (segment.end, segment.start) if end.moment]
    last, local = max(ends, key=lambda end: end[0], default=(now, None))
    if last < now:
        when = f"{clock(local)} at the place" if local else f"{clock(last)} UTC"
        yield Finding(Severity.NOTE, "The trip is over", f"Its last segment ended {when}.", rule="in-the-past")
