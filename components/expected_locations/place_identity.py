"""What makes two addresses one place: an IATA code, else the same name at the same spot."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from components.geography.airports import airport, airport_meant
from components.geography.countries import country_name
from components.geography.time_zones import zone_at


@dataclass(frozen=True, slots=True)
class Place:
    """A place people are expected at; coordinates in decimal degrees, None where nothing says them."""

    place_id: str
    label: str
    name: str
    address: str
    city: str
    country: str
    iata: str
    latitude: float | None
    longitude: float | None
    zone: str | None


def place_of(
    iata: str | None,
    latitude: float | None,
    longitude: float | None,
    name: str | None,
    city: str | None,
    country: str | None,
    *,
    street_address: str | None = None,
    kind: str = "Air",
) -> Place:
    """Return the place that these words and coordinates (decimal degrees) name, of travel of a kind.

    Places with one airport's code are one place, whatever else is said of them; others are one where the name agrees
    and the coordinates do to three decimals (100 m); those without coordinates, where name, city and country agree. An
    airport's missing coordinates come from its code.
    """
    # ASSUMPTION A62
    code = given = (iata or "").strip().upper()
    spot = _spot(latitude, longitude)
    at = spot or (None, None)
    known = airport_meant(kind, code, city=city, country=country, latitude=at[0], longitude=at[1])
    if kind == "Rail" or (known is None and airport(code) is not None):
        # The code of a station, or of an airport elsewhere, is a name at best.
        code = ""
    if spot is None and known is not None:
        spot = (known.latitude, known.longitude)
    said = (name or "").strip()
    town = (city or "").strip() or (known.city if known else "")
    land = (country or "").strip().upper() or (known.country if known else "")
    called = said or (known.name if known else "") or (street_address or "").strip()
    if not called and given and not code:
        called = f"{'Station' if kind == 'Rail' else 'Code'} {given}"
    if code:
        place_id = code
    elif spot is not None:
        place_id = f"{called.casefold()}@{spot[0]:.3f},{spot[1]:.3f}"
    else:
        place_id = f"{called.casefold()}@{town.casefold()},{land}"
    zone = zone_at(*spot) if spot is not None else None
    return Place(
        place_id=place_id,
        label=_label(called, code, town, land, spot),
        name=called,
        address=", ".join(part for part in ((street_address or "").strip(), town, country_name(land)) if part),
        city=town,
        country=land,
        iata=code,
        latitude=spot[0] if spot else None,
        longitude=spot[1] if spot else None,
        zone=(known.time_zone if known and zone is None else zone),
    )


def _spot(latitude: float | None, longitude: float | None) -> tuple[float, float] | None:
    if latitude is None or longitude is None or not (isfinite(latitude) and isfinite(longitude)):
        return None
    if abs(latitude) > 90 or abs(longitude) > 360:
        return None
    return latitude, longitude if abs(longitude) <= 180 else (longitude + 180.0) % 360.0 - 180.0


def _label(name: str, iata: str, city: str, country: str, spot: tuple[float, float] | None) -> str:
    words = name
    if not iata and city and city.casefold() not in name.casefold():
        words = f"{name}, {city}" if name else city
    if not words:
        words = country_name(country) or (f"{spot[0]:.3f}, {spot[1]:.3f}" if spot else "A place without a name")
    return f"{words} ({iata})" if iata and iata not in words.split() else words
