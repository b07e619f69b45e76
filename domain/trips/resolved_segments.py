"""Resolve both ends of each segment: place, time zone, local time, and UTC, and where each comes from."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple

from client.models.itineraries import Address, Itinerary, Segment, valid_position
from client.vocabulary.itineraries import SEGMENT_TYPES
from domain.geography.airports import Airport, airport_meant, is_known_code, zone_of_place
from domain.geography.countries import country_code, country_name
from domain.geography.distance import great_circle_km
from domain.geography.place_conflicts import Conflict, find_conflict
from domain.geography.time_zones import local_at, moment_of, utc_text, zone_named

# A date outside these years is a typing error, and counts as unreadable.
YEARS = range(1970, 2200)
_KINDS: Final = {kind.casefold(): kind for kind in SEGMENT_TYPES}

SEGMENT_NOUNS = {"air": "Flight", "rail": "Train", "car": "Car", "hotel": "Hotel"}
"""The noun for each type of segment."""


class End(NamedTuple):
    """One end of a segment.

    `airport` is the airport of its code; None for a station code, or if the address is elsewhere. `has_place` is False
    without a code and address. `local` is naive local time at the place and `moment` aware UTC; each is None if
    unknown. `stated_local` and `stated_moment` are the times as written. `position` is latitude and longitude in
    decimal degrees; `stated_position` is as written, including 0, 0. `stated_airport` is the airport of the code,
    whatever the coordinates.
    """

    name: str
    location_name: str
    city: str
    country: str
    code: str
    has_place: bool
    airport: Airport | None
    position: tuple[float, float] | None
    placed_by: Literal["address", "airport"] | None
    zone: str | None
    zone_is_stated: bool
    stated_zone: str
    stated_local: datetime | None = None
    stated_moment: datetime | None = None
    unreadable_times: tuple[str, ...] = ()
    local: datetime | None = None
    moment: datetime | None = None
    stated_position: tuple[float, float] | None = None
    stated_airport: Airport | None = None

    @property
    def conflict(self) -> Conflict | None:
        """How the coordinates contradict the country, city, or airport; None if they do not."""
        if self.stated_position is None:
            return None
        latitude, longitude = self.stated_position
        country = country_code(self.country)
        return find_conflict(latitude, longitude, country=country, city=self.city, airport=self.stated_airport)

    @property
    def has_time(self) -> bool:
        """Return whether a time can be read."""
        return self.stated_local is not None or self.stated_moment is not None


@dataclass(frozen=True, slots=True)
class ResolvedSegment:
    """One segment with both ends resolved. Both ends of a hotel stay have one place.

    `label` is a name (``EY301``, ``Harbour Hotel``, ``Flight AUH–KWI``), and `word` the noun for its type. `is_named`
    is False if the label only consists of the noun and the route.
    """

    index: int
    kind: str
    label: str
    word: str
    is_named: bool
    start: End
    end: End
    has_one_place: bool = False
    """True for a hotel stay, and for a car that is returned where it was picked up."""

    @property
    def duration(self) -> timedelta | None:
        """The time from start to end; None if either is unknown."""
        if self.start.moment is None or self.end.moment is None:
            return None
        return self.end.moment - self.start.moment

    @property
    def ends_before_start(self) -> bool:
        """Return whether the end is before the start, in UTC or, without time zones, in any time zones."""
        if self.duration is not None:
            return self.duration < timedelta(0)
        if self.start.local is None or self.end.local is None:
            return False
        # A stay has one time zone. Local times of other segments may differ by a day and still be in order.
        return self.end.local < self.start.local - (timedelta(0) if is_stay(self.kind) else timedelta(days=1))


ENDS_BEFORE_START: Final = "The end is before the start. Muster compares both in UTC."


def times_to_send(segment: ResolvedSegment) -> dict[str, str | None]:
    """Return local times, UTC, and time zones of both ends as the interface names and writes them, None for unknown."""
    found: dict[str, str | None] = {}
    for side, end in (("from", segment.start), ("to", segment.end)):
        found[f"{side}DateTimeLocal"] = None if end.local is None else end.local.isoformat(timespec="seconds")
        found[f"{side}DateTime"] = utc_text(end.moment)
        found[f"{side}TimeZone"] = end.stated_zone or end.zone
    return found


def resolve(itinerary: Itinerary) -> list[ResolvedSegment]:
    """Resolve every segment, in the order of the itinerary."""
    return [resolve_segment(index, segment) for index, segment in enumerate(itinerary.segments or [])]


def resolve_segment(index: int, segment: Segment) -> ResolvedSegment:
    """Resolve one segment."""
    kind, has_one_place = kind_of(segment) or (segment.type or "").strip(), False
    first_zone, last_zone = segment.from_time_zone, segment.to_time_zone
    place = segment.from_iata_code, segment.from_address
    last_place = segment.to_iata_code, segment.to_address
    if is_stay(kind):
        # A stay has one place, so the zone of one end is the zone of both.
        first_zone, last_zone = first_zone or last_zone, last_zone or first_zone
        last_place, has_one_place = place, True
    elif kind == "Car" and is_place_empty(*last_place):
        # A car without a place of return is returned where it was picked up.
        last_place, has_one_place = place, True
    start = _end(kind, *place, first_zone, segment.from_date_time_local, segment.from_date_time)
    end = _end(kind, *last_place, last_zone, segment.to_date_time_local, segment.to_date_time)
    if start.moment and end.moment and end.moment < start.moment and end.stated_moment is None and end.zone:
        # An end in the hour that happens twice is the second one if the first would be before the start.
        end = end._replace(moment=moment_of(end.local, zone_named(end.zone), fold=1))
    word = SEGMENT_NOUNS.get(kind.casefold(), kind or "Segment")
    name = label = _name_of(kind, segment, start)
    if not name:
        way = "–".join(each.code or each.city or each.name for each in (start, end) if each.has_place)
        label = word if is_stay(kind) else f"{word} {way}".strip()
    return ResolvedSegment(
        index=index,
        kind=kind,
        label=label,
        word=word,
        is_named=bool(name),
        start=start,
        end=end,
        has_one_place=has_one_place,
    )


def kind_of(segment: Segment) -> str | None:
    """Return the type of a segment in the spelling of the interface; None if it is unknown."""
    return _KINDS.get((segment.type or "").strip().casefold())


def is_place_empty(code: str | None, address: Address | None) -> bool:
    """Return whether both code and address are empty."""
    return not (code or "").strip() and (address is None or not address.to_wire())


@lru_cache(maxsize=10_000)
def is_unlocatable_code(kind: str, code: str, *, has_position: bool, has_address: bool) -> bool:
    """Return whether a code is unknown, and nothing else says where the segment starts or ends.

    A train's code is that of a station, which Muster does not know. For a flight, only coordinates are enough: a city
    can have several airports or none.
    """
    is_unknown = len(code) == 3 and not is_known_code(code)
    is_placed = has_position if kind.casefold() == "air" else has_position or has_address
    return is_unknown and kind.casefold() != "rail" and not is_placed


def has_unlocatable_code(kind: str, end: End) -> bool:
    """Return whether an end has such a code."""
    has_address = bool(end.location_name or end.city or end.country)
    return is_unlocatable_code(kind, end.code, has_position=end.position is not None, has_address=has_address)


def is_stay(kind: str) -> bool:
    """Return whether a segment stays at one place."""
    return kind.casefold() == "hotel"


def in_time_order(segments: Sequence[ResolvedSegment]) -> list[ResolvedSegment]:
    """Sort by start. Segments without a start stay after the one they follow."""
    last = datetime.min.replace(tzinfo=UTC)
    keyed = []
    for segment in segments:
        last = segment.start.moment or segment.end.moment or last
        keyed.append((last, segment.index, segment))
    return [segment for _, _, segment in sorted(keyed, key=lambda item: item[:2])]


def distance_km(one: End, other: End) -> float | None:
    """Return the distance between two ends; None without coordinates."""
    if one.position is None or other.position is None:
        return None
    return great_circle_km(*one.position, *other.position)


def read_local(text: str | None) -> datetime | None:
    """Read a naive local time; None if it is unreadable, or has an offset."""
    moment = _parse_time(text)
    return moment if moment and moment.tzinfo is None else None


def read_moment(text: str | None) -> datetime | None:
    """Read a UTC time as aware; a time without an offset is in UTC. None if it is unreadable."""
    moment = _parse_time(text)
    if moment is None:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _parse_time(text: str | None) -> datetime | None:
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return moment if moment.year in YEARS else None


@dataclass(frozen=True, slots=True)
class _PlaceFacts:
    """What Muster knows of a place, without a stated time zone."""

    airport: Airport | None
    position: tuple[float, float] | None
    placed_by: Literal["address", "airport"] | None
    zone: str | None


@lru_cache(maxsize=50_000)
def _place_facts_at(
    kind: str,
    code: str | None,
    city: str | None,
    state: str | None,
    country: str | None,
    position: tuple[float, float] | None,
) -> _PlaceFacts:
    latitude, longitude = position or (None, None)
    port = airport_meant(kind, code, city=city, country=country, latitude=latitude, longitude=longitude)
    zone = zone_of_place(port, position, city=city, state=state, country=country)
    if position is not None:
        return _PlaceFacts(port, position, "address", zone)
    if port is not None:
        return _PlaceFacts(port, (port.latitude, port.longitude), "airport", zone)
    return _PlaceFacts(None, None, None, zone)


def _end(
    kind: str,
    code: str | None,
    address: Address | None,
    stated_zone: str | None,
    local_text: str | None,
    moment_text: str | None,
) -> End:
    place = _end_without_times(kind, code, None if address is None else tuple(vars(address).items()), stated_zone)
    local, moment = read_local(local_text), read_moment(moment_text)
    where = zone_named(place.zone) if place.zone else None
    return place._replace(
        stated_local=local,
        stated_moment=moment,
        unreadable_times=_unreadable((local_text, local), (moment_text, moment)),
        local=local if local is not None else local_at(moment, where),
        moment=moment if moment is not None else moment_of(local, where),
    )


@lru_cache(maxsize=50_000)
def _end_without_times(
    kind: str, code: str | None, fields: tuple[tuple[str, Any], ...] | None, stated_zone: str | None
) -> End:
    """Return an end whose times are not read. Many segments share their places."""
    address = None if fields is None else Address.model_construct(**dict(fields))
    stated, has_place = address or Address(), not is_place_empty(code, address)
    position = valid_position(stated.latitude, stated.longitude)
    located = _place_facts_at(kind, code, stated.city, stated.state, stated.country, position)
    code, stated_zone = (code or "").strip().upper(), (stated_zone or "").strip()
    zone_is_stated = bool(stated_zone) and zone_named(stated_zone) is not None
    zone, port = stated_zone if zone_is_stated else located.zone, located.airport
    city = (stated.city or (port.city if port else "")).strip()
    location_name = (stated.location_name or "").strip()
    country = (stated.country or (port.country if port else "")).strip()
    return End(
        name=_name("" if is_stay(kind) else code, location_name, city, country, port),
        location_name=location_name,
        city=city,
        country=country,
        code=code,
        has_place=has_place,
        airport=port,
        position=located.position,
        placed_by=located.placed_by,
        zone=zone if zone and zone_named(zone) else None,
        zone_is_stated=zone_is_stated,
        stated_zone=stated_zone,
        stated_position=None
        if stated.latitude is None or stated.longitude is None
        else (stated.latitude, stated.longitude),
        stated_airport=_place_facts_at(kind, code, stated.city, None, stated.country, None).airport,
    )


def _unreadable(*times: tuple[str | None, datetime | None]) -> tuple[str, ...]:
    return tuple([text.strip() for text, value in times if value is None and text and text.strip()])


def _name(code: str, location_name: str, city: str, country: str, port: Airport | None) -> str:
    if code:
        return f"{code} {city or location_name}".strip() if port or city or location_name else code
    if location_name and city and city.casefold() not in location_name.casefold():
        return f"{location_name}, {city}"
    return location_name or city or (country_name(country) if country else "") or "unknown place"


@lru_cache(maxsize=50_000)
def transport_number(kind: str, carrier: str, number: str) -> str:
    """Return the number of a flight or train with its carrier's code: `EY301` for `301`, `ey301`, or `EY 301`."""
    carrier, number = carrier.strip(), number.strip()
    is_flight = kind.casefold() == "air"
    if is_flight:
        carrier, number = carrier.upper(), re.sub(r"\s", "", number).upper()
    if not number or not carrier or number.upper().startswith(carrier.upper()):
        return number
    return f"{carrier}{number}" if is_flight else f"{carrier} {number}"


def _name_of(kind: str, segment: Segment, start: End) -> str:
    supplier = (segment.supplier_name or "").strip()
    carrier = (segment.supplier_code or "").strip()
    if is_stay(kind):
        return start.location_name or supplier
    return transport_number(kind, carrier, segment.air_rail_number or "") or supplier or carrier
