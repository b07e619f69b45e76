"""*What looks wrong with a trip*: every check, run over one itinerary.

Pure: it asks nobody, and knows of the world what `components.geography` knows. The checks stand in the order of what
they look at: people, times, places, the way from one segment to the next, nights.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from itertools import combinations, groupby, pairwise, product
from typing import Final
from zoneinfo import ZoneInfo

from client.models.itineraries import Itinerary, Passenger
from client.vocabulary.itineraries import SEGMENT_TYPES
from domain.geography.airports import Airport, airport
from domain.geography.countries import country_name
from domain.geography.place_conflicts import Fix
from domain.geography.time_zones import zone_at, zone_named
from domain.text.plain_text import count
from domain.trips.plausible_times import is_impossible, is_long, is_too_fast, is_too_long
from domain.trips.resolved import (
    End,
    ResolvedSegment,
    distance_km,
    has_lost_code,
    in_time_order,
    is_stay,
    local_at,
    resolve,
)
from domain.trips.trip_words import clock, day, how_long, kilometres, nights

KINDS: Final[Mapping[str, str]] = {
    "no-segments": "No segments",
    "no-travellers": "No travellers",
    "ends-before-start": "Ends before it begins",
    "overlap": "Two at once",
    "segment-twice": "A segment twice",
    "time-missing": "No time",
    "time-unreadable": "A time that cannot be read",
    "local-time-skipped": "A time that clocks leave out",
    "place-missing": "No place",
    "kind": "An unknown kind of segment",
    "zone-unknown": "An unknown time zone",
    "zone-disagrees": "Clock and zone disagree",
    "zone-missing": "No time zone",
    "way-broken": "A gap on the way",
    "connection-short": "A short connection",
    "airport-unknown": "An unknown airport",
    "airport-elsewhere": "The airport is elsewhere",
    "coordinates-elsewhere": "The coordinates are elsewhere",
    "zone-elsewhere": "The time zone is another place's",
    "goes-nowhere": "Arrives where it left",
    "too-fast": "Faster than can be",
    "too-long": "Longer than can be",
    "no-duration": "Takes no time",
    "local-time-twice": "A time that clocks show twice",
    "traveller-twice": "A traveller twice",
    "no-employee-id": "A traveller whom nobody can match",
    "two-hotels": "Two hotels in one night",
    "hotel-far": "A hotel far from the way",
    "hotel-while-travelling": "A hotel while under way",
    "car-while-travelling": "A car while under way",
    "no-coordinates": "No coordinates",
    "no-hotel": "A night without a hotel",
    "no-return": "No way back",
    "in-the-past": "It is over",
}
"""What the findings of each rule are called together, those first that matter most."""
_WEIGHTS: Final = {rule: place for place, rule in enumerate(KINDS)}
FIX_HINTS: Final[Mapping[Fix | None, str]] = {
    "latitude": "They match with the other sign of the latitude.",
    "longitude": "They match with the other sign of the longitude.",
    "signs": "They match with both signs changed.",
    "swap": "They match with latitude and longitude swapped.",
}
"""What would put coordinates right, where they are only written wrongly."""
NOWHERE = " Nothing else says where it is, so it can not be on the map."
# The hours that make a night, by the clock at the place, and how much of them on the ground asks for a bed.
NIGHT_ENDS = time(6)
IN_BED = timedelta(hours=4)
# A hotel further than this from where the traveller is that night is another place's hotel.
HOTEL_WITHIN_KM = 150.0
# A stay is never looked at for longer than this many nights: a mistyped year must not cost a minute.
MOST_NIGHTS = 400
# A car kept longer than this is a rental that stands by while the person sleeps; shorter, it is a drive.
LONGEST_DRIVE = timedelta(hours=12)
# Nearer than this two places are one as far as getting from the one to the other goes (an airport and its city).
SAME_PLACE_KM = 50.0
# Nearer than this somebody is back where the trip began.
SAME_REGION_KM = 100.0
# The least time between arriving and leaving again, by kind of both.
LEAST_CONNECTION = {
    ("Air", "Air"): timedelta(minutes=40),
    ("Rail", "Rail"): timedelta(minutes=5),
    ("Rail", "Air"): timedelta(minutes=60),
    ("Car", "Air"): timedelta(minutes=45),
    ("Air", "Rail"): timedelta(minutes=25),
}
# Between two airports of one city.
LEAST_CHANGE_OF_AIRPORT = timedelta(hours=2)
# No way overland is quicker than this between two places (km/h): what is faster needs a flight of its own.
OVERLAND_KM_H = 150.0
# The widest and the smallest steps by which clocks anywhere differ from UTC.
EARLIEST_OFFSET, LATEST_OFFSET, OFFSET_STEP = timedelta(hours=-12), timedelta(hours=14), timedelta(minutes=15)


class Severity(StrEnum):
    """How much a finding matters."""

    WRONG = "wrong"  # it cannot be as it stands, or somebody will not be found
    LOOK = "look"  # it may be meant, but a person should look
    NOTE = "note"  # good to know; not counted as a thing that looks wrong


_ORDER = {Severity.WRONG: 0, Severity.LOOK: 1, Severity.NOTE: 2}


@dataclass(frozen=True)
class Finding:
    """One thing found by a check.

    `segment` is the index into `itinerary.segments`, None where the finding is about the whole trip.
    `rule` names the check, so that code and tests need not compare words.
    """

    severity: Severity
    title: str
    detail: str
    segment: int | None = None
    rule: str = ""

    @property
    def looks_wrong(self) -> bool:
        """True for what a person should look at, False for a mere note."""
        return self.severity is not Severity.NOTE


def by_weight(finding: Finding) -> tuple[int, int]:
    """What puts findings in order of how much they matter, whatever trip they are of."""
    return _ORDER[finding.severity], _WEIGHTS[finding.rule]


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Put the worst first, then by segment, the whole trip before its parts; otherwise as they came."""
    return sorted(findings, key=lambda found: (_ORDER[found.severity], -1 if found.segment is None else found.segment))


def summary(findings: Iterable[Finding]) -> str:
    """Say in one line how many things look wrong."""
    number = sum(found.looks_wrong for found in findings)
    if number == 0:
        return "Nothing looks wrong"
    return "1 thing looks wrong" if number == 1 else f"{number:,} things look wrong"


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
        detail = "There is neither a code nor an address, so nobody is expected there."
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
        detail = f"The place of {word} can not be on the map, nor be found when something happens nearby."
        yield Finding(Severity.LOOK, f"{named} has no coordinates", detail, at, "no-coordinates")


def _airport_elsewhere(segment: ResolvedSegment, end: End, port: Airport) -> Finding:
    title = f"{segment.label}: the airport {end.code} is not in {end.city or country_name(end.country)}"
    detail = f"It is {port.label.partition(' · ')[2]}: the code or the address is not meant."
    detail += "" if end.position is not None else NOWHERE
    return Finding(Severity.LOOK, title, detail, segment.index, "airport-elsewhere")


@dataclass(frozen=True)
class GroundTime:
    """The time between arriving and leaving again: where from, where to, and its nights (by their evening's date)."""

    arriving: ResolvedSegment
    leaving: ResolvedSegment
    nights: tuple[date, ...]


@dataclass(frozen=True)
class BarePeriod:
    """Nights in a row, away from home, that no hotel covers."""

    first: date
    number: int
    after: int
    before: int
    place: str


def night_findings(segments: Sequence[ResolvedSegment], *, travellers: int = 1) -> Iterator[Finding]:
    """Check every night of a trip."""
    ordered = in_time_order(segments)
    stays = [segment for segment in ordered if is_stay(segment.kind)]
    for period in nights_without_hotel(segments):
        title = f"No hotel {nights(period.first, period.number)}"
        after = f"after the arrival at {period.place}, with nothing that says where the traveller sleeps."
        yield Finding(
            Severity.LOOK, title, f"{count(period.number, 'night', 'nights')} {after}", period.after, "no-hotel"
        )
    for stay in stays:
        yield from _elsewhere(stay, ordered)
        yield from _while_travelling(stay, segments)
    for one, other in combinations(stays, 2):
        yield from _two_at_once(one, other, travellers)


def nights_without_hotel(segments: Sequence[ResolvedSegment]) -> list[BarePeriod]:
    """Find the nights between an arrival and the next departure that no hotel covers, those at home left out.

    Home is where the first journey leaves from. A night spent on a flight, a train or a drive asks for no hotel; a
    rented car does not give a bed.
    """
    journeys = [segment for segment in in_time_order(segments) if is_journey(segment)]
    stays = [segment for segment in segments if is_stay(segment.kind)]
    periods = []
    for ground in ground_times(journeys):
        if are_same_place(journeys[0].start, ground.arriving.end, SAME_REGION_KM):
            continue
        clock = ground.arriving.end.zone or ground.leaving.start.zone or "UTC"
        covered = {night for stay in stays for night in nights_of(stay, clock)}
        bare = [night for night in ground.nights if night not in covered]
        # Nights in a row are as far from the first as their number says.
        for _, row in groupby(enumerate(bare), key=lambda each: each[1] - timedelta(days=each[0])):
            run = [night for _, night in row]
            periods.append(
                BarePeriod(run[0], len(run), ground.arriving.index, ground.leaving.index, ground.arriving.end.name)
            )
    return periods


def ground_times(journeys: Sequence[ResolvedSegment]) -> list[GroundTime]:
    """The times on the ground between journeys that stand in order of time."""
    found = []
    for arriving, leaving in pairwise(journeys):
        if arriving.end.local is not None and leaving.start.local is not None:
            found.append(GroundTime(arriving, leaving, _nights_between(arriving.end.local, leaving.start.local)))
    return found


def nights_of(stay: ResolvedSegment, zone: str | None = None) -> tuple[date, ...]:
    """The nights that a stay covers, by their evening's date: whatever the hours of check-in and check-out.

    Checking in after midnight covers the night that is going on. `zone` is where UTC is read at a place whose own zone
    nobody knows, as at a hotel without coordinates.
    """
    start, end = (
        each.local or local_at(each.moment, zone_named(zone) if zone else None) for each in (stay.start, stay.end)
    )
    if start is None or end is None or end <= start:
        return ()
    first = start.date() - timedelta(days=1) if start.time() < NIGHT_ENDS and start.time() != time(0) else start.date()
    number = min((end.date() - first).days, MOST_NIGHTS)
    return tuple(first + timedelta(days=step) for step in range(number))


def _nights_between(arrival: datetime, departure: datetime) -> tuple[date, ...]:
    found = []
    evening = arrival.date() - timedelta(days=1)
    for _ in range(MOST_NIGHTS):
        if evening > departure.date():
            break
        midnight = datetime.combine(evening + timedelta(days=1), time(0))
        morning = datetime.combine(midnight.date(), NIGHT_ENDS)
        if min(departure, morning) - max(arrival, midnight) >= IN_BED:
            found.append(evening)
        evening += timedelta(days=1)
    return tuple(found)


def _elsewhere(stay: ResolvedSegment, ordered: Sequence[ResolvedSegment]) -> Iterator[Finding]:
    journeys = [segment for segment in ordered if is_journey(segment)]
    rentals = [segment for segment in ordered if segment.kind == "Car" and not is_journey(segment)]
    far: list[tuple[date, End, float]] = []
    for night in nights_of(stay):
        if any(_holds(rental, night) for rental in rentals):
            continue  # with a car at hand a traveller may sleep far from where they arrived
        places = _whereabouts(night, journeys)
        known = [(apart, place) for place in places if (apart := distance_km(stay.start, place)) is not None]
        if known and len(known) == len(places):
            apart, place = min(known, key=lambda pair: pair[0])
            if apart > HOTEL_WITHIN_KM:
                far.append((night, place, apart))
    if far:
        night, place, apart = far[0]
        more = f" and {len(far) - 1:,} more" if len(far) > 1 else ""
        title = f"{stay.label} is {kilometres(apart)} from {place.name}"
        detail = f"The traveller is at {place.name} on the night of {day(night)}{more}, by the rest of the trip."
        yield Finding(Severity.LOOK, title, detail, stay.index, "hotel-far")


def _whereabouts(night: date, journeys: Sequence[ResolvedSegment]) -> list[End]:
    """The places where a traveller may be on a night: none while travelling."""
    if not journeys:
        return []
    midnight = datetime.combine(night + timedelta(days=1), time(0))
    for ground in ground_times(journeys):
        if night in ground.nights:
            return [ground.arriving.end, ground.leaving.start]
    first, last = journeys[0].start, journeys[-1].end
    if first.local is not None and midnight + IN_BED <= first.local:
        return [first]
    if last.local is not None and last.local <= midnight + timedelta(hours=NIGHT_ENDS.hour) - IN_BED:
        return [last]
    return []


def _holds(rental: ResolvedSegment, night: date) -> bool:
    start, end = rental.start.local, rental.end.local
    return bool(start and end and start.date() <= night and end.date() > night)


def _while_travelling(stay: ResolvedSegment, segments: Sequence[ResolvedSegment]) -> Iterator[Finding]:
    if stay.start.zone is None:
        return
    zone, booked = ZoneInfo(stay.start.zone), nights_of(stay)
    for night, journey in product(booked, segments):
        midnight, morning = (
            datetime.combine(night + timedelta(days=1), at, tzinfo=zone).astimezone(UTC) for at in (time(0), NIGHT_ENDS)
        )
        if not is_journey(journey) or journey.start.moment is None or journey.end.moment is None:
            continue
        if min(journey.end.moment, morning) - max(journey.start.moment, midnight) < IN_BED:
            continue
        early = night == booked[0] and are_same_place(stay.start, journey.end, HOTEL_WITHIN_KM)
        title = f"{stay.label} is booked for a night spent on {journey.label}"
        more = " It may be so that the room is ready in the morning." if early else ""
        severity = Severity.NOTE if early else Severity.LOOK
        yield Finding(severity, title, f"The night of {day(night)}.{more}", stay.index, "hotel-while-travelling")


def _two_at_once(one: ResolvedSegment, other: ResolvedSegment, travellers: int) -> Iterator[Finding]:
    shared = sorted(set(nights_of(one)) & set(nights_of(other)))
    apart = distance_km(one.start, other.start)
    if not shared or (one.label.casefold() == other.label.casefold() and not apart and travellers > 1):
        return  # a room each
    number = "the night" if len(shared) == 1 else f"{len(shared):,} nights from"
    detail = f"Both are booked for {number} {day(shared[0])}"
    if apart is not None and apart > HOTEL_WITHIN_KM:
        title = f"{one.label} and {other.label} at the same time"
        detail = f"{detail}, and are {kilometres(apart)} apart: nobody can be at both."
        yield Finding(Severity.WRONG, title, detail, other.index, "overlap")
    else:
        title = f"Two hotels at once: {one.label} and {other.label}"
        yield Finding(Severity.LOOK, title, f"{detail}.", other.index, "two-hotels")


def travel_findings(segments: Sequence[ResolvedSegment]) -> Iterator[Finding]:
    """Check overlaps and connections of everything that moves, and whether the trip comes back."""
    journeys = [segment for segment in in_time_order(segments) if is_journey(segment)]
    legs = [segment for segment in in_time_order(segments) if is_journey(segment) or segment.kind == "Car"]
    overlapping = set()
    for one, other in combinations(journeys, 2):
        if finding := _overlap(one, other):
            overlapping.add((one.index, other.index))
            yield finding
    for one, other in pairwise(legs):
        if (one.index, other.index) not in overlapping:
            yield from _connection(one, other)
    for journey in journeys:
        for rental in legs:
            if not is_journey(rental):
                yield from _rental(journey, rental)
    if legs:
        yield from _return(legs)


def is_journey(segment: ResolvedSegment) -> bool:
    """True for a flight, a train and a drive: what takes the whole person from here to there."""
    if segment.kind == "Car":
        return segment.duration is not None and segment.duration <= LONGEST_DRIVE
    return segment.kind in {"Air", "Rail"}


def are_same_place(one: End, other: End, within_km: float = SAME_PLACE_KM) -> bool | None:
    """Tell whether two ends are one place; None where nothing tells."""
    # A station and an airport of one code are two places.
    if one.code and one.code == other.code and one.airport == other.airport:
        return True
    if any(
        each.airport and against.code in each.airport.city_airports for each, against in ((one, other), (other, one))
    ):
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
    title = f"{one.label} and {other.label} overlap by {how_long(shared)}"
    detail = f"{other.label} leaves {other.start.name} before {one.label} is at {one.end.name}: nobody can be on both."
    return Finding(Severity.WRONG, title, detail, other.index, "overlap")


def _connection(one: ResolvedSegment, other: ResolvedSegment) -> Iterator[Finding]:
    same, both_move = are_same_place(one.end, other.start), is_journey(one) and is_journey(other)
    between = other.start.moment - one.end.moment if other.start.moment and one.end.moment else None
    if same is False:
        yield _broken_way(one, other, between, both_move)
    if not same or between is None or not both_move:
        return
    changes_airport = one.kind == other.kind == "Air" and bool(one.end.code) and one.end.code != other.start.code
    least = LEAST_CHANGE_OF_AIRPORT if changes_airport else LEAST_CONNECTION.get((one.kind, other.kind), timedelta(0))
    if between < least:
        where = f"from {one.end.name} to {other.start.name}" if changes_airport else f"at {other.start.name}"
        title = f"Only {how_long(between)} {where}" if between else f"No time at all {where}"
        detail = f"Between {one.label} and {other.label}; {how_long(least)} is the least that usually works."
        yield Finding(Severity.LOOK, title, detail, other.index, "connection-short")


def _broken_way(one: ResolvedSegment, other: ResolvedSegment, between: timedelta | None, both_move: bool) -> Finding:
    apart, severity = distance_km(one.end, other.start), Severity.LOOK
    detail = f"{one.label} arrives at the one, {other.label} leaves from the other"
    if apart is not None:
        detail += f", {kilometres(apart)} apart"
    if between is not None:
        is_before = between < timedelta(0)
        detail += f", {how_long(between)} {'before the arrival' if is_before else 'later'}"
        too_soon = not between or is_before or (apart or 0.0) / (between / timedelta(hours=1)) > OVERLAND_KM_H
        severity = Severity.WRONG if too_soon and both_move else severity
    title = f"Nothing brings the traveller from {one.end.name} to {other.start.name}"
    return Finding(severity, title, f"{detail}.", other.index, "way-broken")


def _rental(journey: ResolvedSegment, rental: ResolvedSegment) -> Iterator[Finding]:
    leaves, arrives = journey.start.moment, journey.end.moment
    for end, word in ((rental.start, "picked up"), (rental.end, "handed back")):
        if end.moment and leaves and arrives and leaves < end.moment < arrives:
            title = f"{rental.label} is {word} at {end.name} while the traveller is on {journey.label}"
            detail = f"{how_long(arrives - end.moment)} before it arrives at {journey.end.name}."
            yield Finding(Severity.LOOK, title, detail, rental.index, "car-while-travelling")


def _return(legs: Sequence[ResolvedSegment]) -> Iterator[Finding]:
    home, last = legs[0].start, legs[-1].end
    if home.has_place and last.has_place and are_same_place(home, last, SAME_REGION_KM) is False:
        title = "One way" if len(legs) == 1 else "No return"
        detail = f"The trip begins at {home.name} and ends at {last.name}; nothing in it brings the traveller back."
        yield Finding(Severity.NOTE, title, detail, legs[-1].index, "no-return")


def time_findings(segment: ResolvedSegment) -> Iterator[Finding]:
    """Check both ends of a segment and the time between them."""
    start_word, end_word = words_for_ends(segment.kind)
    yield from _end(segment, segment.start, start_word)
    yield from _end(segment, segment.end, end_word)
    yield from _between(segment, start_word, end_word)


def words_for_ends(kind: str) -> tuple[str, str]:
    """What the start and the end of a segment of this kind are called."""
    return {"hotel": ("check-in", "check-out"), "car": ("pick-up", "drop-off")}.get(
        kind.casefold(), ("departure", "arrival")
    )


def _end(segment: ResolvedSegment, end: End, word: str) -> Iterator[Finding]:
    at, label = segment.index, segment.label
    for text in end.unreadable:
        detail = f"“{text}” is not a date and time of the form 2026-10-24T14:05:00."
        yield Finding(Severity.WRONG, f"{label}: the time of {word} can not be read", detail, at, "time-unreadable")
    if end.has_time:
        yield from _zone_itself(segment, end, word)
        if end.stated_local is not None and end.stated_moment is not None:
            yield from _local_against_moment(segment, end, end.stated_local, end.stated_moment, word)
        elif end.stated_local is not None:
            yield from _local_alone(segment, end, end.stated_local, word)
    elif not end.unreadable:
        detail = "Without it nobody knows from when until when somebody is expected there."
        yield Finding(Severity.WRONG, f"{label}: no time of {word}", detail, at, "time-missing")


def _zone_itself(segment: ResolvedSegment, end: End, word: str) -> Iterator[Finding]:
    if end.stated_zone and zone_named(end.stated_zone) is None:
        title = f"{segment.label}: there is no time zone “{end.stated_zone}”"
        detail = f"The {word} names it. Zones are written like Asia/Dubai."
        yield Finding(Severity.WRONG, title, detail, segment.index, "zone-unknown")
        return
    place_zone = _zone_of_place(end)
    if not end.zone_is_stated or not end.zone or not place_zone or end.moment is None:
        return
    stated, there = _offset(end.moment, end.zone), _offset(end.moment, place_zone)
    if stated != there:
        title = f"{segment.label}: {end.zone} is not the time zone of {end.name}"
        detail = f"Clocks there follow {place_zone}, {how_long(stated - there)} apart at the {word}."
        yield Finding(Severity.LOOK, title, detail, segment.index, "zone-elsewhere")


def _local_against_moment(
    segment: ResolvedSegment, end: End, local: datetime, moment: datetime, word: str
) -> Iterator[Finding]:
    apart = local - moment.replace(tzinfo=None)
    if end.zone is None:
        if EARLIEST_OFFSET <= apart <= LATEST_OFFSET and apart % OFFSET_STEP == timedelta(0):
            return
        why = "no time zone is that far from UTC" if abs(apart) > LATEST_OFFSET else "no time zone has such an offset"
    else:
        place_zone = _zone_of_place(end)
        # Where the zone is what is wrong, that was said already.
        if _agrees(local, moment, end.zone) or (
            end.zone_is_stated and place_zone and _agrees(local, moment, place_zone)
        ):
            return
        why = f"in {end.zone} it is {clock(moment.astimezone(ZoneInfo(end.zone)))} then"
    title = f"{segment.label}: local time and UTC of the {word} disagree"
    detail = f"{clock(local)} at the place and {clock(moment)} UTC are {how_long(apart)} apart; {why}."
    yield Finding(Severity.WRONG, title, detail, segment.index, "zone-disagrees")


def _local_alone(segment: ResolvedSegment, end: End, local: datetime, word: str) -> Iterator[Finding]:
    if end.zone is None:
        title = f"{segment.label}: nothing says in which time zone the {word} is"
        detail = f"{clock(local)} at the place can not be told in UTC: there is neither a zone nor a known place."
        yield Finding(Severity.LOOK, title, detail, segment.index, "zone-missing")
        return
    zone = ZoneInfo(end.zone)
    early, late = (local.replace(tzinfo=zone, fold=fold).utcoffset() or timedelta() for fold in (0, 1))
    shift = how_long(early - late)
    # In a gap the offset before the change is the smaller one, in a fold the larger: the zone database's own rule.
    if early < late:
        title = f"{segment.label}: the time of {word} does not exist"
        detail = f"Clocks in {end.zone} go forward by {shift} then, and skip {clock(local)}."
        yield Finding(Severity.WRONG, title, detail, segment.index, "local-time-skipped")
    elif early > late:
        title = f"{segment.label}: the time of {word} happens twice"
        detail = f"Clocks in {end.zone} go back by {shift} then; {clock(local)} is read as the first. UTC would tell."
        yield Finding(Severity.LOOK, title, detail, segment.index, "local-time-twice")


def _between(segment: ResolvedSegment, start_word: str, end_word: str) -> Iterator[Finding]:
    at, label, kind, lasts = segment.index, segment.label, segment.kind.casefold(), segment.duration
    if lasts is None and is_stay(kind) and segment.start.local and segment.end.local:
        lasts = segment.end.local - segment.start.local  # one place, one clock
    if lasts is None:
        return
    way, hours = distance_km(segment.start, segment.end), lasts / timedelta(hours=1)
    if lasts < timedelta(0):
        title = f"{label}: the {end_word} is before the {start_word}"
        yield Finding(Severity.WRONG, title, f"By {how_long(lasts)}.", at, "ends-before-start")
    elif lasts == timedelta(0):
        title = f"{label}: {start_word} and {end_word} are the same moment"
        severity = Severity.WRONG if way and is_impossible(way, hours) else Severity.LOOK
        yield Finding(severity, title, "It takes no time at all.", at, "no-duration")
    elif is_long(kind, hours):
        severity = Severity.WRONG if is_too_long(kind, hours) else Severity.LOOK
        detail = "No flight without a stop takes that long. Check the dates and the time zones."
        yield Finding(severity, f"{label}: a flight of {how_long(lasts)}", detail, at, "too-long")
    elif way and is_too_fast(kind, way, hours):
        severity = Severity.WRONG if is_impossible(way, hours) else Severity.LOOK
        title = f"{label}: {kilometres(way)} in {how_long(lasts)} is too fast"
        yield Finding(severity, title, "Check the times and the time zones of both ends.", at, "too-fast")


def _zone_of_place(end: End) -> str | None:
    name = zone_at(*end.position) if end.position is not None else None
    return name if name and zone_named(name) else None


def _agrees(local: datetime, moment: datetime, zone: str) -> bool:
    return moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None, fold=0) == local.replace(fold=0)


def _offset(moment: datetime, zone: str) -> timedelta:
    return moment.astimezone(ZoneInfo(zone)).utcoffset() or timedelta(0)


def people_findings(itinerary: Itinerary) -> Iterator[Finding]:
    """Check the travellers of a trip."""
    if not itinerary.passengers:
        detail = "The trip names no travellers, so nobody is expected anywhere."
        yield Finding(Severity.WRONG, "Nobody travels", detail, rule="no-travellers")
    seen: dict[str, str] = {}
    for number, traveller in enumerate(itinerary.passengers or [], start=1):
        name, keys = traveller_name(traveller) or f"Traveller {number}", _keys(traveller)
        if not (traveller.employee_id or "").strip() and traveller.contact_id is None:
            yield from _without_id(traveller, name)
        elif traveller.contact_id is None and not f"{traveller.first_name or ''}{traveller.last_name or ''}".strip():
            detail = (
                "The service creates contacts only for travelers with a name, and leaves out anyone without a contact."
            )
            yield Finding(Severity.NOTE, f"{name} has no name", detail, rule="no-employee-id")
        if (known := next((seen[key] for key in keys if key in seen), None)) is not None:
            same = f"{name} is in the trip twice" if name == known else f"{known} and {name} are the same traveller"
            detail = "They carry the same employee id, contact id or, without either, the same name."
            yield Finding(Severity.LOOK, same, detail, rule="traveller-twice")
        seen = dict.fromkeys(keys, name) | seen


def traveller_name(traveller: Passenger) -> str:
    """Write a traveller's name as ``First Last``, or the employee id where there is no name; empty where neither is."""
    parts = ((traveller.first_name or "").strip(), (traveller.last_name or "").strip())
    return " ".join(part for part in parts if part) or (traveller.employee_id or "").strip()


def _without_id(traveller: Passenger, name: str) -> Iterator[Finding]:
    if not traveller_name(traveller):
        detail = "The service matches travellers by the id, and makes a contact of whoever has a name; else of nobody."
        title = f"{name} has neither an employee id nor a name"
        yield Finding(Severity.LOOK, title, detail, rule="no-employee-id")
    elif not any(address.strip() for address in traveller.email_addresses):
        detail = "Without an employee id or e-mail address, others of the same name are taken for one person."
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
