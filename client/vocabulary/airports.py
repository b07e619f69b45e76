"""Corrections to the data package `airportsdata`: positions, missing and former codes, and codes of cities.

The table is in the vocabulary because the dashboard and the service both use it to place segments without an address,
and share no other package. It imports only the standard library: callers pass the rows of the package. `airports.csv`
is built by `scripts/build_airports.py` from OurAirports, which is in the public domain.

The package's time zones are not corrected and not used: the zone of an airport follows from its position.
"""

import csv
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, TypedDict, cast

CORRECTIONS: Final = Path(__file__).with_suffix(".csv")


class AirportRow(TypedDict):
    """An airport of `airportsdata`, with the columns that are used. Decimal degrees, WGS 84."""

    icao: str
    iata: str
    name: str
    city: str
    subd: str
    country: str
    lat: float
    lon: float


class CityCode(TypedDict):
    """A city with several airports: its center, and the codes of its airports, the largest first."""

    name: str
    country: str
    lat: float
    lon: float
    airports: tuple[str, ...]


def _city(name: str, country: str, lat: float, lon: float, airports: str) -> CityCode:
    return CityCode(name=name, country=country, lat=lat, lon=lon, airports=tuple(airports.split()))


# ASSUMPTION A202
CITY_CODES: Final[dict[str, CityCode]] = {
    "BHZ": _city("Belo Horizonte", "BR", -19.920, -43.938, "CNF PLU"),
    "BJS": _city("Beijing", "CN", 39.904, 116.407, "PEK PKX"),
    "BUE": _city("Buenos Aires", "AR", -34.604, -58.382, "EZE AEP"),
    "BUH": _city("Bucharest", "RO", 44.433, 26.104, "OTP BBU"),
    "CHI": _city("Chicago", "US", 41.878, -87.630, "ORD MDW"),
    "DTT": _city("Detroit", "US", 42.331, -83.046, "DTW YIP"),
    "EAP": _city("Basel", "CH", 47.558, 7.588, "BSL MLH"),
    "JKT": _city("Jakarta", "ID", -6.175, 106.827, "CGK HLP"),
    "LON": _city("London", "GB", 51.507, -0.128, "LHR LGW STN LTN LCY SEN"),
    "MIL": _city("Milan", "IT", 45.464, 9.190, "MXP LIN BGY"),
    "MOW": _city("Moscow", "RU", 55.756, 37.617, "SVO DME VKO ZIA"),
    "NYC": _city("New York", "US", 40.713, -74.006, "JFK EWR LGA"),
    "OSA": _city("Osaka", "JP", 34.694, 135.502, "KIX ITM UKB"),
    "PAR": _city("Paris", "FR", 48.857, 2.352, "CDG ORY BVA"),
    "QHO": _city("Houston", "US", 29.760, -95.370, "IAH HOU"),
    "QLA": _city("Los Angeles", "US", 34.052, -118.244, "LAX BUR LGB ONT SNA"),
    "QMI": _city("Miami", "US", 25.762, -80.192, "MIA FLL"),
    "QSF": _city("San Francisco", "US", 37.775, -122.419, "SFO OAK SJC"),
    "REK": _city("Reykjavik", "IS", 64.147, -21.943, "KEF RKV"),
    "RIO": _city("Rio de Janeiro", "BR", -22.907, -43.173, "GIG SDU"),
    "ROM": _city("Rome", "IT", 41.903, 12.496, "FCO CIA"),
    "SAO": _city("São Paulo", "BR", -23.551, -46.633, "GRU CGH VCP"),
    "SEL": _city("Seoul", "KR", 37.567, 126.978, "ICN GMP"),
    "SPK": _city("Sapporo", "JP", 43.062, 141.354, "CTS OKD"),
    "STO": _city("Stockholm", "SE", 59.329, 18.069, "ARN BMA NYO VST"),
    "TCI": _city("Tenerife", "ES", 28.291, -16.629, "TFS TFN"),
    "TYO": _city("Tokyo", "JP", 35.690, 139.692, "HND NRT"),
    "WAS": _city("Washington", "US", 38.907, -77.037, "IAD DCA BWI"),
    "YEA": _city("Edmonton", "CA", 53.546, -113.494, "YEG"),
    "YMQ": _city("Montreal", "CA", 45.502, -73.567, "YUL YMX YHU"),
    "YTO": _city("Toronto", "CA", 43.653, -79.383, "YYZ YTZ YHM"),
}
"""IATA codes of cities that are not airport codes. Bookings use them for any airport of the city."""

FORMER_CODES: Final = {"SDA": "BGW", "SXF": "BER", "TSE": "NQZ"}
"""Former codes of airports, with the current codes."""


def corrected(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, AirportRow]:
    """Return the package's airports by IATA code, with corrections, missing airports, and cities.

    A city has its code as `iata`, no name, and its own position.
    """
    found: dict[str, AirportRow] = {code: cast(AirportRow, dict(row)) for code, row in rows.items()}
    for code, row in _corrections().items():
        # A row with a name is a whole airport; any other corrects the position of an airport in the package.
        base = {**_EMPTY, **row} if row["name"] else found.get(code)
        if base is not None:
            found[code] = cast(AirportRow, {**base, "lat": float(row["lat"]), "lon": float(row["lon"])})
    for code, now in FORMER_CODES.items():
        if now in found:
            found.setdefault(code, cast(AirportRow, {**found[now], "iata": code}))
    for code, city in CITY_CODES.items():
        place = {"lat": city["lat"], "lon": city["lon"]}
        of_city = {"iata": code, "city": city["name"], "country": city["country"]}
        found[code] = cast(AirportRow, {**_EMPTY, **of_city, **place})
    return found


_EMPTY: Final = {"icao": "", "iata": "", "name": "", "city": "", "subd": "", "country": ""}


@cache
def _corrections() -> dict[str, dict[str, str]]:
    with CORRECTIONS.open(encoding="utf-8", newline="") as file:
        return {row["iata"]: row for row in csv.DictReader(file)}
