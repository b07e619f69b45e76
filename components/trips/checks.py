"""*What looks wrong with a trip*: every check, run over one itinerary.

Pure: it asks nobody, and knows of the world what `components.geography` knows. The checks stand in neighbours by what
they look at: times, places, the way from one segment to the next, nights, people.
"""

from datetime import UTC, datetime

from client.models.itineraries import Itinerary
from components.trips.checks_of_nights import night_findings
from components.trips.checks_of_people import people_findings
from components.trips.checks_of_places import place_findings
from components.trips.checks_of_times import time_findings
from components.trips.checks_of_travel import travel_findings
from components.trips.findings import Finding, Severity, in_order, summary
from components.trips.resolved import ResolvedSegment, resolve
from components.trips.words import clock

__all__ = ["Finding", "Severity", "summary", "trip_checks"]


def trip_checks(itinerary: Itinerary, *, now: datetime | None = None) -> list[Finding]:
    """Say what looks wrong with a trip, the worst first.

    A canceled trip has nothing to be wrong. `now` (aware) decides what is in the past; the clock's time where left out.
    """
    if itinerary.is_canceled:
        return []
    segments = resolve(itinerary)
    found = people_findings(itinerary)
    if segments:
        for segment in segments:
            found += time_findings(segment)
            found += place_findings(segment)
        found += travel_findings(segments)
        found += night_findings(segments, travellers=len(itinerary.passengers or []))
        found += _past(segments, now or datetime.now(UTC))
    else:
        found.append(
            Finding(
                Severity.WRONG,
                "The trip has no segments",
                "Without a flight, stay, train or car nobody is expected anywhere, and the service refuses it.",
                rule="no-segments",
            )
        )
    return in_order(found)


def _past(segments: list[ResolvedSegment], now: datetime) -> list[Finding]:
    ends = [end for segment in segments for end in (segment.end, segment.start) if end.moment is not None]
    last = max(ends, key=lambda end: end.moment or now, default=None)
    if last is None or last.moment is None or last.moment >= now:
        return []
    when = f"{clock(last.local)} at the place" if last.local else f"{clock(last.moment)} UTC"
    return [Finding(Severity.NOTE, "The trip is over", f"Its last segment ended {when}.", rule="in-the-past")]
