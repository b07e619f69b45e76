"""Areas as typed text and in files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import shapely

from domain.incidents.area import Area, AreaError
from domain.incidents.area_text import parse_area, parse_distance_km, read_area_file
from tests.domain.incidents.test_area import distances
from tests.generated_shapes import geojson_of, in_system, kml_of, shapefile_of

KATHMANDU, POKHARA, DELHI = (27.7172, 85.324), (28.209, 83.959), (28.61, 77.21)
BOX = np.array([shapely.box(85.0, 27.5, 85.6, 27.9)])
CAP = """<alert xmlns="urn:oasis:names:tc:emergency:cap:1.2"><identifier>1</identifier><sent>2026-11-26T14:00:00Z</sent>
{}</alert>"""


def contains_cities(area: Area) -> list[bool]:
    return [distance == 0 for distance in distances(area, KATHMANDU, POKHARA, DELHI)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("40 km around Kathmandu", [True, False, False]),
        ("25mi around Kathmandu, Nepal", [True, False, False]),
        ("40 km around 27.7172, 85.3240", [True, False, False]),
        ("40km around KTM", [True, False, False]),
        ("circle:27.7172,85.3240,40km", [True, False, False]),
        ("airport:ktm,40km", [True, False, False]),
        ("country:NP", [True, True, False]),
        ("country:NP,India", [True, True, True]),
        ("Nepal", [True, True, False]),
        ("rectangle:27,83,29,86", [True, True, False]),
        ("polygon:27,85 27,86 28,86 28,85", [True, False, False]),
        ("circle:28.6,77.2,10km; airport:KTM,10km", [True, False, True]),
    ],
)
def test_written_areas_are_read(text: str, expected: list[bool]) -> None:
    assert contains_cities(parse_area(text)) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "The area is empty."),
        ("somewhere", "“somewhere” isn't an area. Write an area such as"),
        ("40 km around Nowhereville", "Muster does not know where “Nowhereville” is."),
        ("40 km around Springfield", "Several places are called “Springfield”."),
        ("40 km around Kathmandu, Xyz", "“Xyz” isn't a country."),
        ("far around Kathmandu", "“far” isn't a distance."),
        ("circle:27.7,85.3", "Write a circle as circle:LATITUDE,LONGITUDE,RADIUS"),
        ("airport:KTM", "Write an airport with a radius"),
        ("rectangle:1,2,3", "Write a rectangle as"),
        ("rectangle:30,80,20,90", "The south of the rectangle is north of its north."),
        ("polygon:27,85 here", "Write each corner of a polygon as"),
    ],
)
def test_an_unreadable_area_has_a_message_with_advice(text: str, message: str) -> None:
    with pytest.raises(AreaError) as error:
        parse_area(text)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("text", "kilometers"), [("40 km", 40), ("25mi", 40.2336), ("10 nm", 18.52), ("500 m", 0.5), ("7", 7)]
)
def test_a_distance_has_a_unit_or_is_in_kilometers(text: str, kilometers: float) -> None:
    assert parse_distance_km(text) == pytest.approx(kilometers)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("area.geojson", geojson_of(BOX)),
        ("area.kml", kml_of(BOX)),
        ("area.zip", shapefile_of(in_system(BOX, "EPSG:32645"), "EPSG:32645")),
        (
            "area.cap",
            CAP.format(
                "<info><event>Flood</event><area><areaDesc>Valley</areaDesc>"
                "<polygon>27.5,85.0 27.5,85.6 27.9,85.6 27.9,85.0 27.5,85.0</polygon></area></info>"
            ).encode(),
        ),
        (
            "area.xml",
            CAP.format(
                "<info><event>Quake</event><area><areaDesc>Valley</areaDesc><circle>27.7,85.3 30</circle></area></info>"
            ).encode(),
        ),
    ],
)
def test_an_area_is_read_from_a_file(name: str, content: bytes) -> None:
    assert contains_cities(read_area_file(name, content)) == [True, False, False]


def test_geojson_longitudes_may_exceed_180_degrees() -> None:
    area = read_area_file("fiji.geojson", geojson_of(np.array([shapely.box(177, -20, 182, -15)])))
    assert distances(area, (-17, 179), (-17, -179), (-17, -177), within_km=10) == [0, 0, np.inf]


def test_a_cap_alert_without_a_polygon_covers_its_counties() -> None:
    alert = Path(__file__).parents[2] / "cases" / "cap-ended-and-active.xml"
    area = read_area_file("alert.xml", alert.read_bytes())
    murfreesboro, nashville = (35.846, -86.39), (36.16, -86.78)
    assert area.label == "Rutherford County, TN"
    assert [distance == 0 for distance in distances(area, murfreesboro, nashville)] == [True, False]


def test_unknown_codes_of_an_alert_are_listed() -> None:
    info = (
        "<info><event>Flood</event><area><areaDesc>Here</areaDesc><circle>27.7,85.3 30</circle></area>"
        "<area><areaDesc>Umbria</areaDesc><geocode><valueName>EMMA_ID</valueName><value>IT019</value></geocode></area></info>"
    )
    area = read_area_file("alert.cap", CAP.format(info).encode())
    assert area.notes == ("The alert's area “Umbria” is not complete: Muster cannot place the codes IT019.",)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("points.geojson", geojson_of(np.array([shapely.Point(85, 27)])), "The file has no area."),
        ("broken.kml", b"<kml>", "“broken.kml” cannot be read."),
        ("alert.xml", b"<alert/>", "The CAP alert cannot be read."),
        ("area.docx", b"", "“area.docx” cannot be read. The format isn't supported."),
        ("half.geojson", json.dumps({"type": "Polygon"}).encode(), "“half.geojson” cannot be read."),
    ],
)
def test_a_file_without_an_area_is_rejected(name: str, content: bytes, message: str) -> None:
    with pytest.raises(AreaError) as error:
        read_area_file(name, content)
    assert str(error.value).startswith(message)
