"""Checks of the way from one segment to the next: overlaps, connections, unbroken way, return."""

from collections.abc import Sequence
from datetime import timedelta
from itertools import combinations, pairwise

from components.trips.findings import Finding, Severity
from components.trips.resolved import End, ResolvedSegment, distance_km, in_time_order
from components.trips.words import how_long, kilometres

# A car kept longer than this is a rental that stands by while the person sleeps; shorter, it is a drive.
LONGEST_DRIVE = timedelta(hours=12)

# Nearer than this two places are one as far as getting from the one to the other goes (an airport and its city).
SAME_PLACE_KM = 50.0
# Nearer than this somebody is back where the trip began.
SAME_REGION_KM = 100.0

# The least time between arriving and leaving again, by kind of both; in minutes.
LEAST_CONNECTION = {
    ("air", "air"): 40,
    ("rail", "rail"): 5,
    ("rail", "air"): 60,
    ("car", "air"): 45,
    ("air", "rail"): 25,
}
# Between two airports of one city.
LEAST_CHANGE_OF_AIRPORT = timedelta(hours=2)
# No way overland is quicker than this between two places (km/h): what is faster needs a flight of its own.
OVERLAND_KM_H = 150.0


def travel_findings(segments: Sequence[ResolvedSegment]) -> list[Finding]:
    """Check overlaps and connections of everything that moves, and whether the trip comes back."""
    journeys = [segment for segment in in_time_order(segments) if is_journey(segment)]
    legs = [segment for segment in in_time_order(segments) if is_journey(segment) or segment.kind.casefold() == "car"]
    overlapping, found = set(), []
    for one, other in combinations(journeys, 2):
        finding = _overlap(one, other)
        if finding:
            overlapping.add((one.index, other.index))
            found.append(finding)
    for one, other in pairwise(legs):
        if (one.index, other.index) not in overlapping:
            found += _connection(one, other)
    for journey in journeys:
        for rental in legs:
            if not is_journey(rental):
                found += _rental(journey, rental)
    return [*found, *_return(legs)]


def is_journey(segment: ResolvedSegment) -> bool:
    """True for a flight, a train and a drive: what takes the whole person from here to there."""
    kind = segment.kind.casefold()
    if kind == "car":
        return segment.duration is not None and segment.duration <= LONGEST_DRIVE
    return kind in {"air", "rail"}


def are_same_place(one: End, other: End, within_km: float = SAME_PLACE_KM) -> bool | None:
    """Tell whether two ends are one place; None where nothing tells."""
    # A station and an airport of one code are two places.
    if one.code and one.code == other.code and one.airport == other.airport:
        return True
    apart = distance_km(one, other)
    if apart is not None:
        return apart <= within_km
    if one.country and other.country and one.country.upper() != other.country.upper():
        return False
    if one.city and other.city:
        return one.city.casefold() == other.city.casefold() or None
    return None


def _overlap(one: ResolvedSegment, other: ResolvedSegment) -> Finding | None:
    if one.start.moment is None or one.end.moment is None or other.start.moment is None or other.end.moment is None:
        return None
    shared = min(one.end.moment, other.end.moment) - max(one.start.moment, other.start.moment)
    if shared <= timedelta(0):
        return None
    if one.label == other.label and one.start.moment == other.start.moment and one.start.name == other.start.name:
        title, detail = f"{one.label} is in the trip twice", f"Both leave from {one.start.name} at the same moment."
        return Finding(Severity.WRONG, title, detail, other.index, "segment-twice")
    return Finding(
        Severity.WRONG,
        f"{one.label} and {other.label} overlap by {how_long(shared)}",
        f"{other.label} leaves {other.start.name} before {one.label} is at {one.end.name}: nobody can be on both.",
        other.index,
        "overlap",
    )


def _connection(one: ResolvedSegment, other: ResolvedSegment) -> list[Finding]:
    same, apart = are_same_place(one.end, other.start), distance_km(one.end, other.start)
    between = other.start.moment - one.end.moment if other.start.moment and one.end.moment else None
    if same is False:
        return [_broken_way(one, other, apart, between)]
    if same is None or between is None or not (is_journey(one) and is_journey(other)):
        return []
    kinds = one.kind.casefold(), other.kind.casefold()
    changes_airport = kinds == ("air", "air") and bool(one.end.code) and one.end.code != other.start.code
    least = LEAST_CHANGE_OF_AIRPORT if changes_airport else timedelta(minutes=LEAST_CONNECTION.get(kinds, 0))
    if between >= least:
        return []
    where = f"from {one.end.name} to {other.start.name}" if changes_airport else f"at {other.start.name}"
    return [
        Finding(
            Severity.LOOK,
            f"Only {how_long(between)} {where}" if between else f"No time at all {where}",
            f"Between {one.label} and {other.label}; {how_long(least)} is the least that usually works.",
            other.index,
            "connection-short",
        )
    ]


def _broken_way(
    one: ResolvedSegment, other: ResolvedSegment, apart: float | None, between: timedelta | None
) -> Finding:
    title = f"Nothing brings the traveller from {one.end.name} to {other.start.name}"
    far = f", {kilometres(apart)} apart" if apart is not None else ""
    detail = f"{one.label} arrives at the one, {other.label} leaves from the other{far}"
    if between is None:
        return Finding(Severity.LOOK, title, f"{detail}.", other.index, "way-broken")
    if between < timedelta(0):
        detail = f"{detail}, {how_long(between)} before the arrival"
    else:
        detail = f"{detail}, {how_long(between)} later"
    too_soon = between <= timedelta(0) or (apart is not None and apart / (between / timedelta(hours=1)) > OVERLAND_KM_H)
    severity = Severity.WRONG if too_soon and is_journey(one) and is_journey(other) else Severity.LOOK
    return Finding(severity, title, f"{detail}.", other.index, "way-broken")


def _rental(journey: ResolvedSegment, rental: ResolvedSegment) -> list[Finding]:
    found = []
    for end, word in ((rental.start, "picked up"), (rental.end, "handed back")):
        if end.moment is None or journey.start.moment is None or journey.end.moment is None:
            continue
        if journey.start.moment < end.moment < journey.end.moment:
            title = f"{rental.label} is {word} at {end.name} while the traveller is on {journey.label}"
            detail = f"{how_long(journey.end.moment - end.moment)} before it arrives at {journey.end.name}."
            found.append(Finding(Severity.LOOK, title, detail, rental.index, "car-while-travelling"))
    return found


def _return(legs: Sequence[ResolvedSegment]) -> list[Finding]:
    if not legs:
        return []
    home, last = legs[0].start, legs[-1].end
    if not home.has_place or not last.has_place or are_same_place(home, last, SAME_REGION_KM) is not False:
        return []
    title = "One way" if len(legs) == 1 else "No return"
    detail = f"The trip begins at {home.name} and ends at {last.name}; nothing in it brings the traveller back."
    return [Finding(Severity.NOTE, title, detail, legs[-1].index, "no-return")]
