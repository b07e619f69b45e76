"""Each end of each segment worked out: place, zone, local time and moment in UTC, and from where each is known."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final, Literal
from zoneinfo import ZoneInfo

from client.models.itineraries import Address, Itinerary, Segment
from client.vocabulary.itineraries import SEGMENT_TYPES
from domain.geography.airports import Airport, airport_meant, is_known_code, zone_of_place
from domain.geography.countries import country_code, country_name
from domain.geography.distance import great_circle_km
from domain.geography.place_conflicts import Conflict, find_conflict
from domain.geography.time_zones import utc_text, zone_named

# A date outside these years is a slip of the hand, and taken as unreadable.
YEARS = range(1970, 2200)
_NO_ADDRESS = Address()

WORDS = {"air": "Flight", "rail": "Train", "car": "Car", "hotel": "Hotel"}
"""What a segment of a kind is called."""


@dataclass(frozen=True, slots=True)
class End:
    """One end of a segment.

    `airport` is the one its code stands for, None for a station's code and for an airport that lies elsewhere.
    `has_place` is False where nothing says where it is. `local` is naive wall-clock time at the place and `moment` is
    aware UTC; each is None where it can neither be read nor worked out. `stated_local` and `stated_moment` are what was
    written. The position is latitude and longitude in decimal degrees; `stated_position` is what was written, 0, 0 too,
    and `stated_airport` the one that the code stands for whatever the coordinates are.
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
    stated_local: datetime | None
    stated_moment: datetime | None
    unreadable: tuple[str, ...]
    local: datetime | None
    moment: datetime | None
    stated_position: tuple[float, float] | None = None
    stated_airport: Airport | None = None

    @property
    def conflict(self) -> Conflict | None:
        """What speaks against the coordinates as written, by country, city and airport; None for nothing."""
        if self.stated_position is None:
            return None
        latitude, longitude = self.stated_position
        country = country_code(self.country)
        return find_conflict(latitude, longitude, country=country, city=self.city, airport=self.stated_airport)

    @property
    def has_time(self) -> bool:
        """True when anything readable says when it is."""
        return self.stated_local is not None or self.stated_moment is not None


@dataclass(frozen=True, slots=True)
class ResolvedSegment:
    """One segment with both its ends worked out; a hotel stands at one place, so its end is there too.

    `label` names it (``EY301``, ``Harbour Hotel``, ``Flight AUH–KWI``), `word` says what it is; `is_named` is False
    where the label is no more than the word and the way.
    """

    index: int
    kind: str
    label: str
    word: str
    is_named: bool
    start: End
    end: End
    has_one_place: bool = False
    """It is a stay, or a car that comes back to where it was picked up."""

    @property
    def duration(self) -> timedelta | None:
        """Time from start to end, where both moments are known."""
        if self.start.moment is None or self.end.moment is None:
            return None
        return self.end.moment - self.start.moment

    @property
    def ends_before_start(self) -> bool:
        """True where the end is before the start in UTC or, where a time zone is unknown, on any clocks."""
        if self.duration is not None:
            return self.duration < timedelta(0)
        if self.start.local is None or self.end.local is None:
            return False
        # A stay is at one place and has one clock. Others may be a day apart and still in order.
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
    """Work out every segment, in the order in which they were written."""
    return [resolve_segment(index, segment) for index, segment in enumerate(itinerary.segments or [])]


def resolve_segment(index: int, segment: Segment) -> ResolvedSegment:
    """Work out one segment."""
    kind, has_one_place = kind_of(segment) or (segment.type or "").strip(), False
    first_zone, last_zone = segment.from_time_zone, segment.to_time_zone
    place = segment.from_iata_code, segment.from_address
    last_place = segment.to_iata_code, segment.to_address
    if is_stay(kind):
        # A stay is at one place: where only one end names a zone, it is the zone of both.
        first_zone, last_zone = first_zone or last_zone, last_zone or first_zone
        last_place, has_one_place = place, True
    elif kind == "Car" and says_nothing(*last_place):
        # A car without a place of return comes back to where it was picked up.
        last_place, has_one_place = place, True
    start = _end(kind, *place, first_zone, segment.from_date_time_local, segment.from_date_time)
    end = _end(kind, *last_place, last_zone, segment.to_date_time_local, segment.to_date_time)
    if start.moment and end.moment and end.moment < start.moment and end.stated_moment is None and end.zone:
        # An end in the hour that happens twice, and before the start the first time, is the second time's.
        end = replace(end, moment=moment_of(end.local, zone_named(end.zone), fold=1))
    word = WORDS.get(kind.casefold(), kind or "Segment")
    name = _name_of(kind, segment, start)
    way = "–".join(each.code or each.city or each.name for each in (start, end) if each.has_place)
    label = name or (word if is_stay(kind) else f"{word} {way}".strip())
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
    """The kind of a segment as the interface spells it, whatever case it was typed in; None for an unknown one."""
    typed = (segment.type or "").strip().casefold()
    return next((kind for kind in SEGMENT_TYPES if kind.casefold() == typed), None)


def says_nothing(code: str | None, address: Address | None) -> bool:
    """True where neither a code nor an address says anything of a place."""
    return not (code or "").strip() and (address is None or not address.to_wire())


@lru_cache(maxsize=10_000)
def is_lost_code(kind: str, code: str, *, has_position: bool, has_address: bool) -> bool:
    """True for a code that no airport or city has, where nobody could say without it where a segment begins or ends.

    A train's code is a station's. Of a flight, only coordinates say it as well: a town has several airports, or none.
    """
    is_unknown = len(code) == 3 and not is_known_code(code)
    is_placed = has_position if kind.casefold() == "air" else has_position or has_address
    return is_unknown and kind.casefold() != "rail" and not is_placed


def has_lost_code(kind: str, end: End) -> bool:
    """True for an end with such a code."""
    has_address = bool(end.location_name or end.city or end.country)
    return is_lost_code(kind, end.code, has_position=end.position is not None, has_address=has_address)


def known_zone(kind: str, code: str | None, address: Address | None) -> str | None:
    """The time zone that is known of a place: by coordinates, else airport, else country, else city."""
    return _located(kind, code, address).zone


def is_stay(kind: str) -> bool:
    """True for a segment that stays at one place."""
    return kind.casefold() == "hotel"


def in_time_order(segments: Sequence[ResolvedSegment]) -> list[ResolvedSegment]:
    """Order by the moment of the start; those whose moment is unknown stay after the one they were written after."""
    last = datetime.min.replace(tzinfo=UTC)
    keyed = []
    for segment in segments:
        last = segment.start.moment or segment.end.moment or last
        keyed.append((last, segment.index, segment))
    return [segment for _, _, segment in sorted(keyed, key=lambda item: item[:2])]


def distance_km(one: End, other: End) -> float | None:
    """Great-circle distance between two ends, None where either has no coordinates."""
    if one.position is None or other.position is None:
        return None
    return great_circle_km(*one.position, *other.position)


def read_local(text: str | None) -> datetime | None:
    """Read a local date-time as naive; None where unreadable, or contradicted by an offset or Z of its own."""
    moment = _read(text)
    return moment if moment and moment.tzinfo is None else None


def read_moment(text: str | None) -> datetime | None:
    """Read a UTC date-time as aware; one without Z is taken as UTC. None where unreadable."""
    moment = _read(text)
    if moment is None:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _read(text: str | None) -> datetime | None:
    try:
        read = datetime.fromisoformat((text or "").strip())
    except ValueError:
        return None
    return read if read.year in YEARS else None


@dataclass(frozen=True, slots=True)
class _Located:
    """What is known of a place without anybody stating its zone."""

    airport: Airport | None
    position: tuple[float, float] | None
    placed_by: Literal["address", "airport"] | None
    zone: str | None


def _located(kind: str, code: str | None, address: Address | None) -> _Located:
    if address is None:
        return _located_at(kind, code, None, None, None, None)
    return _located_at(kind, code, address.city, address.state, address.country, _given(address))


@lru_cache(maxsize=50_000)
def _located_at(
    kind: str,
    code: str | None,
    city: str | None,
    state: str | None,
    country: str | None,
    given: tuple[float, float] | None,
) -> _Located:
    latitude, longitude = given or (None, None)
    port = airport_meant(kind, code, city=city, country=country, latitude=latitude, longitude=longitude)
    zone = zone_of_place(port, given, city=city, state=state, country=country)
    if given is not None:
        return _Located(port, given, "address", zone)
    if port is not None:
        return _Located(port, (port.latitude, port.longitude), "airport", zone)
    return _Located(None, None, None, zone)


def _given(address: Address) -> tuple[float, float] | None:
    # Both 0 is how absent coordinates are seen to be written; no airport, hotel or station stands there.
    latitude, longitude = address.latitude, address.longitude
    if latitude is None or longitude is None or not (latitude or longitude):
        return None
    return (latitude, longitude) if abs(latitude) <= 90 and abs(longitude) <= 180 else None


def _end(
    kind: str,
    code: str | None,
    address: Address | None,
    stated_zone: str | None,
    local_text: str | None,
    moment_text: str | None,
) -> End:
    code, stated_zone = (code or "").strip().upper(), (stated_zone or "").strip()
    located = _located(kind, code, address)
    zone_is_stated = bool(stated_zone) and zone_named(stated_zone) is not None
    zone = stated_zone if zone_is_stated else located.zone
    local, moment = read_local(local_text), read_moment(moment_text)
    unreadable = () if local and moment else _unreadable((local_text, local), (moment_text, moment))
    where = zone_named(zone) if zone else None
    said, port = address or _NO_ADDRESS, located.airport
    city = (said.city or (port.city if port else "")).strip()
    location_name = (said.location_name or "").strip()
    country = (said.country or (port.country if port else "")).strip()
    return End(
        name=_name("" if is_stay(kind) else code, location_name, city, country, port),
        location_name=location_name,
        city=city,
        country=country,
        code=code,
        has_place=not says_nothing(code, address),
        airport=port,
        position=located.position,
        placed_by=located.placed_by,
        zone=zone if where else None,
        zone_is_stated=zone_is_stated,
        stated_zone=stated_zone,
        stated_local=local,
        stated_moment=moment,
        unreadable=unreadable,
        local=local if local is not None else local_at(moment, where),
        moment=moment if moment is not None else moment_of(local, where),
        stated_position=None if said.latitude is None or said.longitude is None else (said.latitude, said.longitude),
        stated_airport=_located_at(kind, code, said.city, None, said.country, None).airport,
    )


def _unreadable(*times: tuple[str | None, datetime | None]) -> tuple[str, ...]:
    return tuple([text.strip() for text, value in times if value is None and text and text.strip()])


def local_at(moment: datetime | None, zone: ZoneInfo | None) -> datetime | None:
    """The wall-clock time (naive) of a moment in a zone; None where either is unknown."""
    if moment is None or zone is None:
        return None
    return moment.astimezone(zone).replace(tzinfo=None)


def moment_of(local: datetime | None, where: ZoneInfo | None, *, fold: Literal[0, 1] = 0) -> datetime | None:
    """Return the moment of a naive local time in a zone; in the hour that happens twice, the first."""
    if local is None or where is None:
        return None
    return local.replace(tzinfo=where, fold=fold).astimezone(UTC)


def _name(code: str, location_name: str, city: str, country: str, port: Airport | None) -> str:
    if code:
        return f"{code} {city or location_name}".strip() if port or city or location_name else code
    if location_name and city and city.casefold() not in location_name.casefold():
        return f"{location_name}, {city}"
    return location_name or city or (country_name(country) if country else "") or "no place given"


def number_of(kind: str, carrier: str, number: str) -> str:
    """The number of a flight or train with its carrier's code, written one way: `EY301` of `301`, `ey301`, `EY 301`."""
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
    return number_of(kind, carrier, segment.air_rail_number or "") or supplier or carrier
