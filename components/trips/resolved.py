"""Each end of each segment worked out: place, zone, local time and moment in UTC, and from where each is known."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from math import asin, cos, radians, sin, sqrt
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from client.models.itineraries import Address, Itinerary, Segment
from components.geography.airports import Airport, airport
from components.geography.countries import country_name
from components.geography.time_zones import zone_at

EARTH_RADIUS_KM = 6371.0

# A date outside these years is a slip of the hand, and taken as unreadable.
YEARS = range(1970, 2200)

WORDS = {"air": "Flight", "rail": "Train", "car": "Car", "hotel": "Hotel"}
"""What a segment of a kind is called."""

ZoneSource = Literal["stated", "airport", "coordinates"]


@dataclass(frozen=True)
class End:
    """One end of a segment.

    `local` is naive wall-clock time at the place and `moment` is aware UTC; each is None where it can neither be read
    nor worked out. `stated_local` and `stated_moment` are what was written. Coordinates are decimal degrees.
    """

    name: str
    location_name: str
    city: str
    country: str
    code: str
    airport: Airport | None
    latitude: float | None
    longitude: float | None
    placed_by: Literal["address", "airport"] | None
    zone: str | None
    zone_source: ZoneSource | None
    stated_zone: str
    stated_local: datetime | None
    stated_moment: datetime | None
    unreadable: tuple[str, ...]
    local: datetime | None
    moment: datetime | None

    @property
    def has_place(self) -> bool:
        """True when anything says where it is."""
        return bool(self.code or self.location_name or self.city or self.country or self.latitude is not None)

    @property
    def has_time(self) -> bool:
        """True when anything readable says when it is."""
        return self.stated_local is not None or self.stated_moment is not None


@dataclass(frozen=True)
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

    @property
    def duration(self) -> timedelta | None:
        """Time from start to end, where both moments are known."""
        if self.start.moment is None or self.end.moment is None:
            return None
        return self.end.moment - self.start.moment


def resolve(itinerary: Itinerary) -> list[ResolvedSegment]:
    """Work out every segment, in the order in which they were written."""
    return [resolve_segment(index, segment) for index, segment in enumerate(itinerary.segments or [])]


def resolve_segment(index: int, segment: Segment) -> ResolvedSegment:
    """Work out one segment."""
    kind = (segment.type or "").strip()
    start = _end(
        segment.from_iata_code,
        segment.from_address,
        segment.from_time_zone,
        segment.from_date_time_local,
        segment.from_date_time,
    )
    if is_stay(kind):
        end = _end(
            segment.from_iata_code,
            segment.from_address,
            segment.from_time_zone or segment.to_time_zone,
            segment.to_date_time_local,
            segment.to_date_time,
        )
    else:
        end = _end(
            segment.to_iata_code,
            segment.to_address,
            segment.to_time_zone,
            segment.to_date_time_local,
            segment.to_date_time,
        )
    word = WORDS.get(kind.casefold(), kind or "Segment")
    name = _name_of(kind, segment, start)
    way = "–".join(each.code or each.city or each.name for each in (start, end) if each.has_place)
    label = name or (word if is_stay(kind) else f"{word} {way}".strip())
    return ResolvedSegment(index=index, kind=kind, label=label, word=word, is_named=bool(name), start=start, end=end)


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
    if one.latitude is None or one.longitude is None or other.latitude is None or other.longitude is None:
        return None
    return great_circle_km(one.latitude, one.longitude, other.latitude, other.longitude)


def great_circle_km(lat: float, lon: float, other_lat: float, other_lon: float) -> float:
    """Distance over the surface of a sphere, in kilometres; coordinates in decimal degrees."""
    here, there = radians(lat), radians(other_lat)
    half = sin((there - here) / 2) ** 2 + cos(here) * cos(there) * sin(radians(other_lon - lon) / 2) ** 2
    return 2 * EARTH_RADIUS_KM * asin(min(1.0, sqrt(half)))


@lru_cache(maxsize=1024)
def zone_named(name: str) -> ZoneInfo | None:
    """The zone of this region name, None where there is none of that name."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def read_local(text: str | None) -> datetime | None:
    """Read a local date-time as naive; an offset or Z that should not be there is dropped. None where unreadable."""
    moment = _read(text)
    return moment.replace(tzinfo=None) if moment else None


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


def _end(
    code: str | None, address: Address | None, stated_zone: str | None, local_text: str | None, moment_text: str | None
) -> End:
    code = (code or "").strip().upper()
    port = airport(code) if code else None
    latitude, longitude, placed_by = _position(address, port)
    zone, source = _zone((stated_zone or "").strip(), port, latitude, longitude)
    local, moment = read_local(local_text), read_moment(moment_text)
    unreadable = tuple(
        text.strip()
        for text, value in ((local_text, local), (moment_text, moment))
        if text and text.strip() and value is None
    )
    where = zone_named(zone) if zone else None
    city = ((address.city if address else None) or (port.city if port else "") or "").strip()
    location_name = ((address.location_name if address else None) or "").strip()
    country = ((address.country if address else None) or (port.country if port else "") or "").strip()
    return End(
        name=_name(code, location_name, city, country, port),
        location_name=location_name,
        city=city,
        country=country,
        code=code,
        airport=port,
        latitude=latitude,
        longitude=longitude,
        placed_by=placed_by,
        zone=zone,
        zone_source=source,
        stated_zone=(stated_zone or "").strip(),
        stated_local=local,
        stated_moment=moment,
        unreadable=unreadable,
        local=local if local is not None else _at(moment, where),
        moment=moment if moment is not None else _moment_of(local, where),
    )


def _at(moment: datetime | None, zone: ZoneInfo | None) -> datetime | None:
    if moment is None or zone is None:
        return None
    return moment.astimezone(zone).replace(tzinfo=None)


def _moment_of(local: datetime | None, zone: ZoneInfo | None) -> datetime | None:
    if local is None or zone is None:
        return None
    return local.replace(tzinfo=zone).astimezone(UTC)


def _position(
    address: Address | None, port: Airport | None
) -> tuple[float | None, float | None, Literal["address", "airport"] | None]:
    # Both 0 is how absent coordinates are seen to be written; no airport, hotel or station stands there.
    if address and address.latitude is not None and address.longitude is not None:
        on_the_globe = -90 <= address.latitude <= 90 and -180 <= address.longitude <= 180
        if on_the_globe and (address.latitude or address.longitude):
            return address.latitude, address.longitude, "address"
    if port:
        return port.latitude, port.longitude, "airport"
    return None, None, None


def _zone(
    stated: str, port: Airport | None, latitude: float | None, longitude: float | None
) -> tuple[str | None, ZoneSource | None]:
    if stated and zone_named(stated):
        return stated, "stated"
    if port and port.time_zone and zone_named(port.time_zone):
        return port.time_zone, "airport"
    if latitude is not None and longitude is not None:
        found = zone_at(latitude, longitude)
        if found and zone_named(found):
            return found, "coordinates"
    return None, None


def _name(code: str, location_name: str, city: str, country: str, port: Airport | None) -> str:
    if code:
        return f"{code} {city or location_name}".strip() if port or city or location_name else code
    if location_name and city and city.casefold() not in location_name.casefold():
        return f"{location_name}, {city}"
    return location_name or city or (country_name(country) if country else "") or "no place given"


def _name_of(kind: str, segment: Segment, start: End) -> str:
    supplier = (segment.supplier_name or "").strip()
    number = (segment.air_rail_number or "").strip()
    carrier = (segment.supplier_code or "").strip()
    if is_stay(kind):
        return start.location_name or supplier
    if number and carrier and not number.upper().startswith(carrier.upper()):
        return f"{carrier}{number}" if kind.casefold() == "air" else f"{carrier} {number}"
    return number or supplier or carrier
