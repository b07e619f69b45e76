"""*What looks wrong with a trip*: every check, run over one itinerary.

Pure: it asks nobody, and knows of the world what `components.geography` knows. The checks stand in neighbours by what
they look at: times, places, the way from one segment to the next, nights, people.
"""

from collections.abc import Iterator
from datetime import UTC, datetime

from client.models.itineraries import Itinerary
from components.trips.checks_of_nights import night_findings
from components.trips.checks_of_people import people_findings
from components.trips.checks_of_places import place_findings
from components.trips.checks_of_times import time_findings
from components.trips.checks_of_travel import travel_findings
from components.trips.findings import Finding, Severity, in_order
from components.trips.resolved import resolve
from components.trips.trip_words import clock


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
        detail = "Without a flight, stay, train or car nobody is expected anywhere, and the service refuses it."
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
