"""Areas in files: every feature is a part of the area, or a note says why not."""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.incidents import area_reading
from domain.incidents.area import AreaError
from domain.incidents.area_file import AreaFile
from domain.incidents.area_reading import read_area_file
from shapes.area_features import read_area_features
from shapes.preparing import ShapeFile
from shapes.reading import AreaFeature, AreaFeatures
from tests.domain.incidents.test_area import distances
from tests.domain.incidents.test_area_text import contains_cities
from tests.generated_shapes import geojson_of, in_system, kml_of, shapefile_of

CASES = Path(__file__).parents[2] / "cases"
NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)
BOX = np.array([shapely.box(85.0, 27.5, 85.6, 27.9)])
CAP = """<alert xmlns="urn:oasis:names:tc:emergency:cap:1.2"><identifier>1</identifier><sent>2026-11-26T14:00:00Z</sent>
{}</alert>"""
POLYGON = "<polygon>27.5,85.0 27.5,85.6 27.9,85.6 27.9,85.0 27.5,85.0</polygon>"


def read_case(name: str) -> AreaFile:
    return read_area_file(name, (CASES / name).read_bytes(), now=NOW)


def read_info(info: str, message: str = "") -> AreaFile:
    return read_area_file("alert.xml", CAP.format(message + info).encode(), now=NOW)


def read_features(*features: dict[str, Any]) -> AreaFile:
    collection = {"type": "FeatureCollection", "features": features}
    return read_area_file("file.geojson", json.dumps(collection).encode(), now=NOW)


def feature(geometry: Any, **properties: Any) -> dict[str, Any]:
    return {"type": "Feature", "properties": properties, "geometry": geometry}


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
    assert contains_cities(read_area_file(name, content).select()) == [True, False, False]


def test_geojson_longitudes_may_exceed_180_degrees() -> None:
    area = read_area_file("fiji.geojson", geojson_of(np.array([shapely.box(177, -20, 182, -15)]))).select()
    assert distances(area, (-17, 179), (-17, -179), (-17, -177), within_km=10) == [0, 0, np.inf]


def test_a_cap_alert_without_a_polygon_covers_its_counties() -> None:
    alert = Path(__file__).parents[2] / "cases" / "cap-ended-and-active.xml"
    area = read_area_file("alert.xml", alert.read_bytes()).select()
    murfreesboro, nashville = (35.846, -86.39), (36.16, -86.78)
    assert area.label == "Rutherford County, TN"
    assert [distance == 0 for distance in distances(area, murfreesboro, nashville)] == [True, False]


def test_unknown_codes_of_an_alert_are_listed() -> None:
    info = (
        "<info><event>Flood</event><area><areaDesc>Here</areaDesc><circle>27.7,85.3 30</circle></area>"
        "<area><areaDesc>Umbria</areaDesc><geocode><valueName>EMMA_ID</valueName><value>IT019</value></geocode></area></info>"
    )
    area = read_area_file("alert.cap", CAP.format(info).encode())
    assert area.notes == ("The area “Umbria” is not complete. Muster cannot place the codes IT019.",)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("points.geojson", geojson_of(np.array([shapely.Point(85, 27)])), "The file has no area."),
        ("broken.kml", b"<kml>", "“broken.kml” cannot be read."),
        ("alert.xml", b"<alert/>", "The CAP alert cannot be read."),
        ("area.docx", b"", "“area.docx” cannot be read. The format isn’t supported."),
        ("half.geojson", json.dumps({"type": "Polygon"}).encode(), "The file has no area."),
    ],
)
def test_a_file_without_an_area_is_rejected(name: str, content: bytes, message: str) -> None:
    with pytest.raises(AreaError) as error:
        read_area_file(name, content)
    assert str(error.value).startswith(message)


def test_a_file_in_an_unknown_coordinate_system_is_rejected() -> None:
    crs = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::99999"}}
    collection = {**json.loads(geojson_of(BOX)), "crs": crs}
    with pytest.raises(AreaError, match="The coordinate system in the file isn’t known"):
        read_area_file("area.geojson", json.dumps(collection).encode(), now=NOW)


def test_warnings_without_geometry_are_placed_by_their_counties() -> None:
    file = read_case("warnings-without-geometry.geojson")
    denver, golden, colorado_springs = (39.74, -104.99), (39.6, -105.1), (38.83, -104.82)
    assert distances(file.select(), denver, golden, colorado_springs) == [0, 0, 0]
    [note] = file.notes
    assert note == (
        "2 features of “warnings-without-geometry.geojson” have no geometry. Muster uses the counties of the codes: "
        "Winter Storm Warning (Denver; Boulder) and Red Flag Warning (El Paso)."
    )


def test_renamed_counties_of_an_alert_are_placed() -> None:
    file = read_case("cap-new-county-codes.xml")
    pine_ridge, emmonak = (43.03, -102.55), (62.5, -164.3)
    assert distances(file.select(), pine_ridge, emmonak) == [0, 0]
    assert file.notes == ()


@pytest.mark.parametrize(
    ("codes", "notes"),
    [
        ({"SAME": ["008041"], "UGC": ["COZ238"]}, []),
        (
            {"UGC": ["COZ238", "COC041"]},
            ["The area “A” is not complete. Muster cannot place the codes COZ238."],
        ),
        ({"SAME": ["548201"]}, ["The code 548201 stands for part of Harris County, TX. Muster uses the whole area."]),
        ({"SAME": ["015000"]}, []),
    ],
)
def test_codes_that_are_placed_roughly_or_not_at_all_are_named(codes: dict[str, list[str]], notes: list[str]) -> None:
    file = read_features(feature(None, name="A", geocode=codes))
    assert list(file.notes[1:]) == notes
    assert file.parts[0].square_kilometers > 1_000


def test_codes_in_many_spellings_are_read() -> None:
    hundred = " ".join(f"{48001 + 2 * at:06}" for at in range(250))
    file = read_features(
        feature(None, name="long", SAME=hundred),
        feature(None, name="number", FIPS=1001),
        feature(None, name="zone URL", affectedZones=["https://example.org/zones/county/COC013"]),
    )
    assert [round(part.square_kilometers, -3) for part in file.parts] == [678_000, 2_000, 2_000]


def test_the_parts_of_a_file_are_listed_and_chosen() -> None:
    file = read_case("storm-zones-and-cone.geojson")
    assert [(part.label, part.kind, round(part.square_kilometers, -2)) for part in file.parts] == [
        ("120 km/h", "Poly_Red", 11_900),
        ("Uncertainty Cones", "Poly_Cones", 689_000),
    ]
    assert (file.find("poly_red"), file.find("Uncertainty Cones"), file.find("Red")) == ([1], [2], [])
    only_red = file.select([1])
    in_both, in_cone = distances(only_red, (15.0, 121.0), (16.0, 116.0))
    assert in_both == 0
    assert in_cone > 400
    assert only_red.notes[1:] == (
        "1 of 2 parts of “storm-zones-and-cone.geojson” counts: 120 km/h (Poly_Red).",
        "Not counted: Uncertainty Cones (Poly_Cones).",
    )
    stored = AreaFile.from_geojson(json.loads(json.dumps(file.to_geojson())))
    assert stored.select([1]).notes == only_red.notes


def test_descriptions_with_markup_and_empty_names_give_no_names() -> None:
    box = json.loads(shapely.to_geojson(BOX[0]))
    (described,) = read_features(feature(box, name="Zone 1", description="<table><tr><td>1</td></tr></table>")).parts
    (nameless,) = read_features(feature(box, name="", description="")).parts
    assert (described.title, nameless.title) == ("Zone 1", "file")


def test_a_link_beside_a_polygon_is_named() -> None:
    file = read_case("kml-link-and-area.kml")
    assert contains_cities(file.select())[0]
    [note] = file.notes
    assert note.startswith("“kml-link-and-area.kml”: 1 link to another file is not followed: “Updates”. What")


def test_a_hole_outside_its_shell_is_named_and_left_out() -> None:
    file = read_case("hole-outside-its-shell.geojson")
    assert file.select().geometry.area == pytest.approx(4)
    assert "Removed a hole outside its area: “Zone”, 8,686.5 km² at 45.500° N, 25.500° E." in file.notes[0]


def box_ring(west: float, south: float, east: float, north: float) -> list[list[float]]:
    return [[west, south], [east, south], [east, north], [west, north], [west, south]]


FIJI = 352_498
HOLES = [box_ring(175, 45, -175, 55), box_ring(165, 45, 170, 55)]


@pytest.mark.parametrize(
    ("rings", "square_kilometers"),
    [
        ([box_ring(176, -20, -178, -15)], FIJI),
        ([box_ring(176, -20, 182, -15)], FIJI),
        ([box_ring(-184, -20, -178, -15)], FIJI),
        ([box_ring(160, 40, -170, 60), *HOLES], 3_565_049),
        ([box_ring(160, 40, 190, 60), box_ring(175, 45, 185, 55), HOLES[1]], 3_565_049),
        ([[[166, 77], [180, 78], [-180, 81], [162, 81], [166, 77]]], 131_965),
        ([[[45, -80], [-45, -80], [-135, -80], [135, -80], [45, -80]]], 3_908_571),
        ([box_ring(-180, 40, 180, 50)], 31_503_513),
    ],
)
def test_an_area_across_the_180th_meridian_or_around_a_pole_is_complete(
    rings: list[list[list[float]]], square_kilometers: float
) -> None:
    (part,) = (file := read_features(feature({"type": "Polygon", "coordinates": rings}))).parts
    assert part.square_kilometers == pytest.approx(square_kilometers, rel=1e-3)
    assert "hole" not in "".join(file.notes)


def test_corners_on_one_line_are_no_area() -> None:
    line = feature({"type": "Polygon", "coordinates": [[[10, 10], [12, 10], [11, 10], [10, 10]]]}, name="Line")
    file = read_features(line, feature(json.loads(shapely.to_geojson(BOX[0])), name="Box"))
    assert [part.label for part in file.parts] == ["Box"]
    assert file.notes[0] == "1 feature of “file.geojson” has no area and is skipped: Line."


def test_an_alert_that_is_not_in_force_says_so() -> None:
    info = f"<info><event>Flood</event><area><areaDesc>Valley</areaDesc>{POLYGON}</area></info>"
    assert read_case("cap-cancel-as-area.xml").notes == ("This CAP alert cancels an earlier one.",)
    assert read_info(info, "<status>Exercise</status>").notes == ("This CAP alert is an exercise.",)
    assert read_info(info, "<status>Test</status><scope>Private</scope>").notes == (
        "This CAP alert is a test.",
        "This CAP alert is not public. Its scope is “Private”.",
    )
    expired = info.replace("</event>", "</event><expires>2026-11-27T12:00:00Z</expires>")
    assert read_info(expired).notes == ("This CAP alert expired 2026-11-27 12:00 UTC.",)


def test_the_ended_part_of_an_alert_does_not_count_unless_someone_chooses_it() -> None:
    file = read_case("cap-ended-and-active.xml")
    assert [(part.label, part.is_preselected) for part in file.parts] == [
        ("Rutherford County, TN", True),
        ("Davidson County, TN", False),
    ]
    assert file.select().label == "Rutherford County, TN"


def test_a_circle_without_a_radius_is_named() -> None:
    area = "<info><event>Quake</event><area><areaDesc>Valley</areaDesc><circle>27.7,85.3 {}</circle></area></info>"
    assert read_info(area.format("30")).notes == ()
    assert read_info(area.format("0.0")).notes == (
        "1 circle has no radius in the area “Valley”. Only the center counts. Add the area around it.",
    )


def test_the_same_area_in_two_languages_is_one_part() -> None:
    info = f"<info><language>{{}}</language><event>{{}}</event><area><areaDesc>{{}}</areaDesc>{POLYGON}</area></info>"
    file = read_info(info.format("fr-CA", "Inondation", "Vallée") + info.format("en-CA", "Flood", "Valley"))
    assert [part.label for part in file.parts] == ["Valley"]


def test_coordinates_on_land_only_when_swapped_are_doubtful() -> None:
    valley = shapely.box(27.5, 85.0, 27.9, 85.6)
    file = read_features(feature(json.loads(shapely.to_geojson(valley)), name="Valley"))
    assert file.notes == ("“Valley” is on land only if latitude and longitude are swapped. Check their order.",)
    assert file.looks_swapped
    swapped = file.swap()
    assert contains_cities(swapped.select())[0]
    assert swapped.notes == ("Latitude and longitude are swapped in Valley.",)
    assert not swapped.looks_swapped


def test_latitudes_beyond_90_degrees_are_swapped_and_named() -> None:
    file = read_features(feature({"type": "Polygon", "coordinates": [[[1, 95], [1, 96], [2, 96], [2, 95], [1, 95]]]}))
    assert distances(file.select(), (1.5, 95.5)) == [0]
    [note] = file.notes
    assert note.endswith("latitude and longitude are swapped. Muster swapped them back. Check the area on the map.")


GEOMETRIES = st.sampled_from(
    [
        None,
        {},
        {"type": "Polygon", "coordinates": []},
        {"type": "Polygon", "coordinates": None},
        {"type": "Polygon", "coordinates": [[None, [0, 1], [1, 1], None]]},
        {"type": "Polygon", "coordinates": [[[10, 10], [11, 10]]]},
        {"type": "Polygon", "coordinates": [[[10, 10], [12, 12], [12, 10], [10, 12], [10, 10]]]},
        {"type": "Polygon", "coordinates": [[[10, 10, 5], [12, 10, 5], [12, 12, 5], [10, 10, 5]]]},
        {"type": "Polygon", "coordinates": [[[9e6, 4e6], [9e6, 5e6], [9.5e6, 5e6], [9e6, 4e6]]]},
        {"type": "Polygon", "coordinates": [[[float("nan"), 1], [2, 2], [3, 1], [float("nan"), 1]]]},
        {"type": "Polygon", "coordinates": [[[179, 10], [-179, 10], [-179, 12], [179, 12], [179, 10]]]},
        {"type": "Polygon", "coordinates": [[[10, 10], [12, 10], [11, 10], [10, 10]]]},
        {"type": "Polygon", "coordinates": [[[45, 40], [135, 40], [-135, 40], [-45, 40], [45, 40]]]},
        {"type": "MultiPolygon", "coordinates": [[[[10, 10], [11, 10], [11, 11], [10, 10]]], []]},
        {"type": "GeometryCollection", "geometries": []},
        {"type": "GeometryCollection", "geometries": [{"type": "Polygon", "coordinates": []}, {"type": "Point"}]},
        {
            "type": "GeometryCollection",
            "geometries": [
                {"type": "Polygon", "coordinates": [[[20, 20], [21, 20], [21, 21], [20, 20]]]},
                {"type": "Point", "coordinates": [20, 20]},
            ],
        },
        {"type": "Point", "coordinates": [20, 20]},
        {"type": "LineString", "coordinates": [[20, 20], [21, 21]]},
        {"type": "Circle", "coordinates": [20, 20], "radius": 5},
        "POLYGON ((0 0, 1 0, 1 1, 0 0))",
        7,
    ]
)


SYSTEMS = st.sampled_from([None, "EPSG:4326", "EPSG:3857", "EPSG:32645"])


def read_here(file: ShapeFile) -> AreaFeatures:
    """Read a GeoJSON like `read_features` does, without a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"region{file.ending}"
        path.write_bytes(file.parts[file.ending])
        answer = read_area_features(path, most_features=5_000, most_positions=500_000, missing=[])
    return AreaFeatures([AreaFeature(**each) for each in answer["features"]], answer["findings"])


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(GEOMETRIES, st.sampled_from([None, {"SAME": ["008041"]}, {"UGC": ["COZ238"]}])), max_size=8),
    SYSTEMS,
)
def test_every_feature_is_used_or_named(described: list[tuple[Any, Any]], system: str | None) -> None:
    features = [feature(shape, name=f"F{at}", geocode=codes) for at, (shape, codes) in enumerate(described)]
    whole = feature(json.loads(shapely.to_geojson(in_system(BOX, system or "EPSG:4326")[0])), name="whole")
    collection = {"type": "FeatureCollection", "features": [whole, *features]}
    if system:
        collection["crs"] = {"type": "name", "properties": {"name": f"urn:ogc:def:crs:{system.replace(':', '::')}"}}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(area_reading, "read_features", read_here)
        file = read_area_file("file.geojson", json.dumps(collection).encode(), now=NOW)
    used = {part.label for part in file.parts}
    counted = sum(int(note.split()[0]) for note in file.notes if "skipped:" in note)
    assert len(used) + counted == len(features) + 1
    for at in range(len(features)):
        assert f"F{at}" in used or any(f"F{at}" in note or " more" in note for note in file.notes)


@pytest.mark.parametrize(
    ("features", "differ"),
    [
        ([{"name": "Red", "type": "zone"}, {"name": "Track", "type": "forecast"}], True),
        ([{"name": "Red zone"}, {"name": "Forecast cone"}], True),
        ([{"name": "North", "type": "district"}, {"name": "South", "type": "district"}], False),
        ([{"event": "Flood", "areaDesc": "A"}, {"event": "Wind", "areaDesc": "B", "severity": "Severe"}], False),
        ([{"name": "Red zone"}, {"name": "Red zone"}], False),
    ],
)
def test_parts_of_different_kinds_are_told_from_parts_of_one_kind(features: list[dict[str, str]], differ: bool) -> None:
    file = read_features(*(feature(json.loads(shapely.to_geojson(BOX[0])), **each) for each in features))
    assert file.has_different_kinds is differ
    assert AreaFile.from_geojson(json.loads(json.dumps(file.to_geojson()))).has_different_kinds is differ
    assert len(file.select().parts) == len(features)


def test_neighbors_with_names_alone_are_of_one_kind() -> None:
    boxes = [shapely.box(10 + at, 45, 11 + at, 46) for at in range(3)]
    file = read_features(*(feature(json.loads(shapely.to_geojson(each)), name=f"{each.bounds[0]}") for each in boxes))
    assert not file.has_different_kinds


def test_files_in_an_archive_that_are_no_shapes_are_named() -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as members, zipfile.ZipFile(io.BytesIO(shapefile_of(BOX))) as shapefile:
        for each in shapefile.namelist():
            members.writestr(each, shapefile.read(each))
        members.writestr(f"{Path(shapefile.namelist()[0]).stem}.sbn", b"")
        members.writestr("zone.gml", b"<gml/>")
        members.writestr("half.dbf", b"")
        members.writestr("icon.png", b"")
    notes = read_area_file("area.zip", archive.getvalue(), now=NOW).notes
    assert "2 files in “area.zip” are not shapes and are skipped: zone.gml and half.dbf." in notes
