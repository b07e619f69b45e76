"""Checks of one segment's places: is there one, is its airport known, can it be put on a map."""

from collections.abc import Iterator

from client.vocabulary.itineraries import SEGMENT_TYPES
from components.geography.airports import COORDINATES_WITHIN_KM, Airport, airport
from components.geography.countries import country_name
from components.geography.distance import great_circle_km
from components.trips.checks_of_times import words_for_ends
from components.trips.findings import Finding, Severity
from components.trips.resolved import End, ResolvedSegment, is_stay
from components.trips.trip_words import kilometres

NOWHERE = " Nothing else says where it is, so it can not be on the map."


def place_findings(segment: ResolvedSegment) -> Iterator[Finding]:
    """Check the kind of a segment and the places of its ends (a stay has one place)."""
    number, kind = segment.index + 1, segment.kind
    if kind not in SEGMENT_TYPES:
        title = f"Segment {number}: “{kind}” is not a kind" if kind else f"Segment {number} says nothing of its kind"
        yield Finding(Severity.WRONG, title, f"It is one of {', '.join(SEGMENT_TYPES)}.", segment.index, "kind")
    start_word, end_word = words_for_ends(kind)
    if is_stay(kind):
        yield from _end(segment, segment.start, "stay")
        return
    yield from _end(segment, segment.start, start_word)
    yield from _end(segment, segment.end, end_word)
    code = segment.start.code
    if kind.casefold() in {"air", "rail"} and code and code == segment.end.code:
        title = f"{segment.label} leaves from {code} and arrives there"
        yield Finding(Severity.LOOK, title, "One of the two places is not meant.", segment.index, "goes-nowhere")


def _end(segment: ResolvedSegment, end: End, word: str) -> Iterator[Finding]:
    at, label, is_placed = segment.index, segment.label, end.latitude is not None
    if not end.has_place:
        detail = "There is neither a code nor an address, so nobody is expected there."
        yield Finding(Severity.WRONG, f"{label}: no place of {word}", detail, at, "place-missing")
    elif segment.kind == "Air" and end.code and airport(end.code) is None:
        detail = f"It is the place of {word}.{'' if is_placed else NOWHERE}"
        yield Finding(Severity.LOOK, f"{label}: no airport is known as {end.code}", detail, at, "airport-unknown")
    elif end.airport is None and segment.kind != "Rail" and (port := airport(end.code)) is not None:
        yield _airport_elsewhere(segment, end, port)
    elif not is_placed:
        named = end.name if end.name.startswith(label) else f"{label}: {end.name}"
        detail = f"The place of {word} can not be on the map, nor be found when something happens nearby."
        yield Finding(Severity.LOOK, f"{named} has no coordinates", detail, at, "no-coordinates")


def _airport_elsewhere(segment: ResolvedSegment, end: End, port: Airport) -> Finding:
    apart = None
    if end.latitude is not None and end.longitude is not None:
        apart = great_circle_km(end.latitude, end.longitude, port.latitude, port.longitude)
    if apart is not None and apart > COORDINATES_WITHIN_KM:
        title = f"{segment.label}: the coordinates given for {end.code} are {kilometres(apart)} from it"
        detail = "The map goes by the coordinates. Look whether latitude and longitude are right, and not swapped."
        return Finding(Severity.LOOK, title, detail, segment.index, "coordinates-elsewhere")
    title = f"{segment.label}: the airport {end.code} is not in {end.city or country_name(end.country)}"
    detail = f"It is {port.label.partition(' · ')[2]}: the code or the address is not meant."
    return Finding(
        Severity.LOOK, title, detail + ("" if apart is not None else NOWHERE), segment.index, "airport-elsewhere"
    )
