"""Write static/map/names.json: the names of countries, seas and cities on the map, each with the zoom that shows it.

    .venv/bin/python scripts/build_map_names.py

Countries are named at the middle of their largest part in static/basemap/countries.geojson, cities are those of
domain/geography, the largest first. Positions of seas are our own.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from shapely import maximum_inscribed_circle
from shapely.geometry import Polygon, shape

from domain.geography.city_names import city_names_by_size
from domain.geography.city_positions import city_position

PROJECT: Final = Path(__file__).resolve().parent.parent
SOURCE: Final = PROJECT / "static" / "basemap" / "countries.geojson"
OUTPUT: Final = PROJECT / "static" / "map" / "names.json"
CITIES: Final = 4_000
CITY_ZOOMS: Final = ((60, 3.2), (200, 4.2), (600, 5.2), (1_500, 6.2), (CITIES, 7.0))
"""Cities up to this rank are shown from this zoom."""
LARGEST_COUNTRY_ZOOM: Final = 0.1
SEAS: Final = (
    ("North Pacific Ocean", -150.0, 30.0, 0.1),
    ("South Pacific Ocean", -130.0, -28.0, 0.1),
    ("North Atlantic Ocean", -42.0, 30.0, 0.1),
    ("South Atlantic Ocean", -15.0, -25.0, 0.1),
    ("Indian Ocean", 78.0, -20.0, 0.1),
    ("Southern Ocean", 60.0, -60.0, 1.2),
    ("Arctic Ocean", -150.0, 76.0, 1.5),
    ("Mediterranean Sea", 18.5, 34.6, 2.5),
    ("Black Sea", 34.5, 43.3, 3.5),
    ("Caspian Sea", 50.8, 41.8, 3.5),
    ("Red Sea", 38.0, 20.5, 3.2),
    ("Persian Gulf", 51.5, 27.0, 4.2),
    ("Arabian Sea", 64.0, 15.0, 2.5),
    ("Bay of Bengal", 88.5, 14.5, 2.5),
    ("Andaman Sea", 96.0, 10.5, 4.0),
    ("South China Sea", 114.0, 13.5, 2.6),
    ("East China Sea", 125.0, 29.0, 3.5),
    ("Yellow Sea", 123.5, 36.0, 4.2),
    ("Sea of Japan", 135.0, 40.0, 3.5),
    ("Sea of Okhotsk", 149.0, 54.0, 2.8),
    ("Bering Sea", -178.0, 58.5, 2.6),
    ("Philippine Sea", 133.0, 18.0, 2.6),
    ("Java Sea", 111.0, -5.0, 4.2),
    ("Banda Sea", 127.5, -5.5, 4.2),
    ("Arafura Sea", 135.0, -9.3, 4.0),
    ("Timor Sea", 126.5, -11.0, 4.2),
    ("Coral Sea", 155.0, -17.0, 2.6),
    ("Tasman Sea", 160.0, -38.0, 2.6),
    ("Great Australian Bight", 130.0, -34.0, 3.2),
    ("Gulf of Guinea", 3.0, 2.0, 3.0),
    ("Mozambique Channel", 40.5, -19.0, 3.6),
    ("Gulf of Aden", 48.0, 12.3, 4.2),
    ("North Sea", 3.5, 56.3, 3.2),
    ("Baltic Sea", 19.5, 57.3, 3.8),
    ("Norwegian Sea", 2.0, 67.5, 2.6),
    ("Barents Sea", 40.0, 73.5, 2.6),
    ("Kara Sea", 70.0, 75.0, 3.0),
    ("Greenland Sea", -8.0, 76.0, 3.0),
    ("Bay of Biscay", -5.0, 45.4, 4.2),
    ("Irish Sea", -5.0, 53.7, 5.8),
    ("English Channel", -2.6, 49.9, 5.2),
    ("Adriatic Sea", 15.6, 43.0, 5.0),
    ("Aegean Sea", 25.0, 38.7, 5.0),
    ("Tyrrhenian Sea", 12.0, 40.0, 5.0),
    ("Hudson Bay", -85.5, 60.0, 2.6),
    ("Labrador Sea", -54.0, 58.0, 2.8),
    ("Baffin Bay", -67.0, 73.5, 3.0),
    ("Beaufort Sea", -140.0, 72.0, 3.0),
    ("Gulf of Alaska", -146.0, 57.0, 3.0),
    ("Gulf of Mexico", -91.0, 25.0, 2.6),
    ("Caribbean Sea", -75.0, 15.0, 2.6),
    ("Sargasso Sea", -62.0, 28.0, 3.6),
    ("Weddell Sea", -45.0, -72.0, 3.0),
    ("Ross Sea", -175.0, -75.0, 3.0),
)


def main() -> None:
    """Write the file."""
    entries = sorted([*countries(), *cities(), *seas()], key=lambda entry: entry[4])
    text = ",\n".join(json.dumps(entry, ensure_ascii=False, separators=(",", ":")) for entry in entries)
    OUTPUT.write_text(f"[\n{text}\n]\n", encoding="utf-8")
    print(f"{OUTPUT}: {len(entries)} names, {OUTPUT.stat().st_size / 1e3:.0f} KB")


def countries() -> Iterator[tuple[str, str, float, float, float]]:
    """Yield each country with the zoom at which its largest part has room for its name."""
    features: list[dict[str, Any]] = json.loads(SOURCE.read_text(encoding="utf-8"))["features"]
    for feature in features:
        if feature["properties"]["name"] == "Borders":
            continue
        largest: Polygon = max(shape(feature["geometry"]).geoms, key=lambda part: part.area)
        circle = maximum_inscribed_circle(largest)
        longitude, latitude = circle.coords[0]
        name: str = feature["properties"]["name"]
        west, south, east, north = largest.bounds
        degrees = max(east - west, (north - south) * 1.2, 0.02)
        # A letter of the name takes some 9 pixels; at zoom 0 a degree takes 512 / 360.
        zoom = max(LARGEST_COUNTRY_ZOOM, math.log2(0.75 * 9 * max(len(name), 6) / (degrees * 512 / 360)))
        yield "country", name, round(longitude, 2), round(latitude, 2), round(min(zoom, 9.0), 1)


def cities() -> Iterator[tuple[str, str, float, float, float]]:
    """Yield the larger cities."""
    positions = ((name, city_position(name, country)) for country, name in city_names_by_size())
    known = [(name, position) for name, position in positions if position is not None][:CITIES]
    for rank, (name, (latitude, longitude)) in enumerate(known):
        zoom = next(zoom for limit, zoom in CITY_ZOOMS if rank < limit)
        yield "city", name.title(), round(longitude, 2), round(latitude, 2), zoom


def seas() -> Iterator[tuple[str, str, float, float, float]]:
    """Yield oceans and seas."""
    for name, longitude, latitude, zoom in SEAS:
        yield "sea", name, longitude, latitude, zoom


if __name__ == "__main__":
    main()
