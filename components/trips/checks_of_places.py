"""Checks of one segment's places: is there one, is its airport known, can it be put on a map."""

from client.vocabulary.itineraries import SEGMENT_TYPES
from components.geography.airports import COORDINATES_WITHIN_KM, Airport, airport
from components.geography.countries import country_name
from components.geography.distance import great_circle_km
from components.trips.checks_of_times import words_for_ends
from components.trips.findings import Finding, Severity
from components.trips.resolved import End, ResolvedSegment, is_stay
from components.trips.words import kilometres


def place_findings(segment: ResolvedSegment) -> list[Finding]:
    """Check the kind of a segment and the places of its ends (a stay has one place)."""
    start_word, end_word = words_for_ends(segment.kind)
    found = _kind(segment) + _end(segment, segment.start, "stay" if is_stay(segment.kind) else start_word)
    if not is_stay(segment.kind):
        found += _end(segment, segment.end, end_word)
        found += _goes_nowhere(segment)
    return found


def _kind(segment: ResolvedSegment) -> list[Finding]:
    if segment.kind.casefold() in {kind.casefold() for kind in SEGMENT_TYPES}:
        return []
    title = f"Segment {segment.index + 1}: “{segment.kind}” is not a kind" if segment.kind else ""
    return [
        Finding(
            Severity.WRONG,
            title or f"Segment {segment.index + 1} says nothing of its kind",
            f"It is one of {', '.join(SEGMENT_TYPES)}.",
            segment.index,
            "kind",
        )
    ]


def _end(segment: ResolvedSegment, end: End, word: str) -> list[Finding]:
    if not end.has_place:
        return [
            Finding(
                Severity.WRONG,
                f"{segment.label}: no place of {word}",
                "There is neither a code nor an address, so nobody is expected there.",
                segment.index,
                "place-missing",
            )
        ]
    if segment.kind == "Air" and end.code and airport(end.code) is None:
        consequence = "" if end.latitude is not None else " Nothing else says where it is, so it can not be on the map."
        return [
            Finding(
                Severity.LOOK,
                f"{segment.label}: no airport is known as {end.code}",
                f"It is the place of {word}.{consequence}",
                segment.index,
                "airport-unknown",
            )
        ]
    if end.airport is None and segment.kind != "Rail" and (port := airport(end.code)) is not None:
        return [_airport_elsewhere(segment, end, port)]
    if end.latitude is None:
        return [
            Finding(
                Severity.LOOK,
                f"{_named(segment, end)} has no coordinates",
                f"The place of {word} can not be on the map, nor be found when something happens nearby.",
                segment.index,
                "no-coordinates",
            )
        ]
    return []


def _airport_elsewhere(segment: ResolvedSegment, end: End, port: Airport) -> Finding:
    apart = None
    if end.latitude is not None and end.longitude is not None:
        apart = great_circle_km(end.latitude, end.longitude, port.latitude, port.longitude)
    if apart is not None and apart > COORDINATES_WITHIN_KM:
        return Finding(
            Severity.LOOK,
            f"{segment.label}: the coordinates given for {end.code} are {kilometres(apart)} from it",
            "The map goes by the coordinates. Look whether latitude and longitude are right, and not swapped.",
            segment.index,
            "coordinates-elsewhere",
        )
    consequence = "" if apart is not None else " Nothing else says where it is, so it can not be on the map."
    return Finding(
        Severity.LOOK,
        f"{segment.label}: the airport {end.code} is not in {end.city or country_name(end.country)}",
        f"It is {port.label.partition(' · ')[2]}: the code or the address is not meant.{consequence}",
        segment.index,
        "airport-elsewhere",
    )


def _named(segment: ResolvedSegment, end: End) -> str:
    return end.name if end.name.startswith(segment.label) else f"{segment.label}: {end.name}"


def _goes_nowhere(segment: ResolvedSegment) -> list[Finding]:
    same = segment.start.code and segment.start.code == segment.end.code
    if segment.kind.casefold() not in {"air", "rail"} or not same:
        return []
    title = f"{segment.label} leaves from {segment.start.code} and arrives there"
    return [Finding(Severity.LOOK, title, "One of the two places is not meant.", segment.index, "goes-nowhere")]
