"""Typical files from several programs, and hand-made ones like real files: the expected findings of each."""

from __future__ import annotations

import io
import json
import struct
import tempfile
import warnings
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyogrio.raw
import pytest
import shapely

from shapes.findings import Finding
from shapes.layers import read_layer, to_degrees
from shapes.preparing import Prepared, shape_files
from tests.generated_shapes import geojson_of, in_system, kml_of, neighbors, shapefile_of
from tests.service.shape_files import SQUARE, WGS84, kml, placemark, shapefile, zipped
from tests.shapes.conftest import LIMITS, Prepare

CASES = Path(__file__).parents[1] / "cases"
ENCODED = CASES / "shapefile-encodings"
LAND = neighbors(3, 2, 8)
BOX = np.array([shapely.box(10, 50, 11, 51)])
UTM = in_system(BOX, "EPSG:25832")
NOWHERE = ((1, 2), (float("nan"), 2), (2, 3), (1, 2))
BOWTIE = ((10, 50), (11, 51), (11, 50), (10, 51), (10, 50))
HOLED = np.array([shapely.box(10, 50, 12, 52).difference(shapely.box(10.5, 50.5, 11, 51))])
PARTED = np.array([shapely.MultiPolygon([shapely.box(10, 50, 11, 51), shapely.box(12, 50, 13, 51)])])
PLACES = shapely.points([[10.0, 50.0], [11.0, 51.0]])
ROADS = shapely.linestrings([[[10.0, 50.0], [11.0, 51.0], [12.0, 50.0]]])
PLAIN = kml(placemark("One"))
PIN = "<Placemark><Point><coordinates>10,50</coordinates></Point></Placemark>"
ROUND = shapely.Polygon([(179, -17), (-179, -17), (-179, -16), (179, -16)])

LINK = b"<NetworkLink><Link><href>http://127.0.0.1/x.kml</href></Link></NetworkLink>"
TOPOLOGY = {
    "type": "Topology",
    "transform": {"scale": [0.5, 0.5], "translate": [10, 50]},
    "arcs": [[[2, 0], [0, 2]], [[2, 2], [-2, 0], [0, -2], [2, 0]], [[2, 0], [2, 0], [0, 2], [-2, 0]]],
    "objects": {
        "zones": {
            "type": "GeometryCollection",
            "geometries": [
                {"type": "Polygon", "arcs": [[0, 1]], "properties": {"name": "West"}},
                {"type": "Polygon", "arcs": [[2, -1]], "properties": {"name": "East"}},
            ],
        }
    },
}
GPX = (
    '<gpx xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="50" lon="10"><name>Camp</name></wpt><trk><name>Way</name>'
    '<trkseg><trkpt lat="50" lon="10"><ele>5</ele></trkpt><trkpt lat="51" lon="11"/></trkseg></trk></gpx>'
)


@dataclass
class Case:
    """A file with its expected findings, repairs, and result."""

    name: str
    content: Callable[[], bytes]
    findings: tuple[str, ...] = ()
    is_blocked: bool = False
    repairs: tuple[str, ...] = ()
    crs: str = ""
    features: int = 1
    extent: tuple[float, float, float, float] | None = (10, 50, 11, 51)
    columns: tuple[str, ...] = ()
    kind: str = ""
    values: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name


def gpkg_of(*layers: tuple[str, Any, str | None]) -> bytes:
    """Return a GeoPackage written by GDAL."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Ignore the warning about a missing coordinate system.
        path = Path(folder) / "made.gpkg"
        for name, shapes, crs in layers:
            names = np.array([f"{name} {place}" for place in range(len(shapes))], dtype=object)
            pyogrio.raw.write(
                str(path),
                shapely.to_wkb(shapes),
                [names],
                ["name"],
                layer=name,
                driver="GPKG",
                geometry_type="Polygon",
                crs=crs,
                append=path.exists(),
            )
        return path.read_bytes()


def fgb_of(shapes: Any, crs: str) -> bytes:
    """Return a FlatGeobuf written by GDAL."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made.fgb"
        names = np.array(["Köln"] * len(shapes), dtype=object)
        pyogrio.raw.write(
            str(path),
            shapely.to_wkb(shapes),
            [names],
            ["name"],
            driver="FlatGeobuf",
            geometry_type="Polygon",
            crs=crs,
        )
        return path.read_bytes()


def doc(body: str, *, head: str = '<?xml version="1.0" encoding="UTF-8"?>', encoding: str = "utf-8") -> bytes:
    """Return a KML document with another XML declaration."""
    return (head + f'<kml xmlns="http://www.opengis.net/kml/2.2">{body}</kml>').encode(encoding)


def ring(positions: Any = SQUARE, between: str = " ", height: str = ",0") -> str:
    """Return a polygon in KML with coordinates in another notation."""
    at = between.join(f"{x},{y}{height}" for x, y in positions)
    outer = f"<LinearRing><coordinates>{at}</coordinates></LinearRing>"
    return f"<Polygon><outerBoundaryIs>{outer}</outerBoundaryIs></Polygon>"


def shapefile_without(*endings: str) -> bytes:
    """Return a hand-made shapefile without some of its parts."""
    return zipped({ending: part for ending, part in shapefile().items() if ending not in endings})


def with_null_shapes() -> bytes:
    """Return a shapefile whose second record is a null shape, as some editors write for deleted features."""
    parts = shapefile(SQUARE, names=["here", "gone"])
    table = shapefile(SQUARE, SQUARE, names=["here", "gone"])[".dbf"]
    record = struct.pack(">2i", 2, 2) + struct.pack("<i", 0)
    index = struct.pack(">2i", len(parts[".shp"]) // 2, 2)
    for ending, more in ((".shp", record), (".shx", index)):
        whole = parts[ending] + more
        parts[ending] = whole[:24] + struct.pack(">i", len(whole) // 2) + whole[28:]
    return zipped(parts | {".dbf": table})


def with_heights() -> bytes:
    """Return a shapefile of polygons with heights."""
    return shapefile_of(shapely.force_3d(BOX, 120.0))


def kmz() -> bytes:
    """Return a KMZ file: a KML and a picture."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("doc.kml", kml(placemark("One")))
        archive.writestr("files/icon.png", b"\x89PNG")
    return content.getvalue()


def zip_from_macos() -> bytes:
    """Return a zipped shapefile as macOS writes it."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for ending, part in shapefile().items():
            archive.writestr(f"Zones/zones{ending.upper()}", part)
            archive.writestr(f"__MACOSX/Zones/._zones{ending}", b"\0\5\x16\7")
        archive.writestr("Zones/.DS_Store", b"\0")
    return content.getvalue()


def schema_kml() -> bytes:
    """Return a KML with columns as GDAL's LIBKML writes them: a schema and typed data."""
    schema = (
        '<Schema name="z" id="z"><SimpleField name="risk" type="int"/><SimpleField name="who" type="string"/></Schema>'
    )
    data = (
        '<ExtendedData><SchemaData schemaUrl="#z"><SimpleData name="risk">3</SimpleData>'
        '<SimpleData name="who">Ana &amp; Bo</SimpleData></SchemaData></ExtendedData>'
    )
    return doc(f"<Document>{schema}<Placemark><name>One</name>{data}{ring()}</Placemark></Document>")


def styled_kml() -> bytes:
    """Return a KML as Google Earth writes it: styles, a style map, a view, and HTML descriptions."""
    style = (
        '<Style id="a"><LineStyle><color>ff0000ff</color></LineStyle></Style>'
        '<StyleMap id="m"><Pair><key>normal</key><styleUrl>#a</styleUrl></Pair></StyleMap>'
    )
    mark = (
        "<Placemark><name>One</name><description><![CDATA[<b>bold</b><script>alert(1)</script>]]></description>"
        "<LookAt><longitude>10</longitude><latitude>50</latitude><range>1000</range></LookAt>"
        f"<styleUrl>#m</styleUrl>{ring()}</Placemark>"
    )
    return doc(f"<Document><name>My places.kml</name>{style}<Folder><name>Zones</name>{mark}</Folder></Document>")


def gx_kml() -> bytes:
    """Return a KML with an area and a track of Google's extension."""
    track = (
        '<Placemark><name>Track</name><gx:Track xmlns:gx="http://www.google.com/kml/ext/2.2">'
        "<when>2026-01-01T00:00:00Z</when><when>2026-01-01T01:00:00Z</when>"
        "<gx:coord>10 50 0</gx:coord><gx:coord>11 51 0</gx:coord></gx:Track></Placemark>"
    )
    return doc(f"<Document>{track}<Placemark><name>One</name>{ring()}</Placemark></Document>")


def folders_kml() -> bytes:
    """Return a KML of two folders with a feature each."""
    return doc(
        f"<Document><Folder><name>North</name><Placemark><name>A</name>{ring()}</Placemark></Folder>"
        f"<Folder><name>South</name><Placemark><name>B</name>{ring()}</Placemark></Folder></Document>"
    )


def geojson(whole: Any) -> Callable[[], bytes]:
    """Return a function that returns this value as JSON."""
    return lambda: json.dumps(whole).encode()


def square(**more: Any) -> dict[str, Any]:
    """Return a GeoJSON feature."""
    return {
        "type": "Feature",
        "properties": {"name": "One"},
        "geometry": {"type": "Polygon", "coordinates": [SQUARE]},
        **more,
    }


PROJECTED = [
    Case(
        f"{crs.replace(':', '-').lower()}.zip",
        lambda crs=crs, at=at: shapefile_of(in_system(np.array([shapely.box(*at)]), crs), crs),
        ("system",),
        extent=at,
    )
    for crs, at in {
        "EPSG:25832": (10, 50, 11, 51),
        "EPSG:32633": (14, 50, 15, 51),
        "EPSG:3857": (10, 50, 11, 51),
        "EPSG:27700": (-2, 51, -1, 52),
        "EPSG:2154": (2, 46, 3, 47),
        "EPSG:2056": (7, 46, 8, 47),
        "EPSG:5070": (-100, 35, -99, 36),
        "EPSG:28992": (5, 52, 6, 53),
    }.items()
]
CORPUS = [
    *PROJECTED,
    # Shapefiles
    Case("gdal.zip", lambda: shapefile_of(LAND), features=6, extent=None, columns=("name",)),
    Case("hand-made.zip", lambda: zipped(shapefile()), columns=("name",)),
    Case("counter-clockwise.zip", lambda: zipped(shapefile(tuple(reversed(SQUARE))))),
    Case("holes.zip", lambda: shapefile_of(HOLED), extent=(10, 50, 12, 52)),
    Case("multipart.zip", lambda: shapefile_of(PARTED), extent=(10, 50, 13, 51)),
    Case("heights.zip", with_heights),
    Case("macos.zip", zip_from_macos, columns=("name",)),
    Case("null-shapes.zip", with_null_shapes, ("empty",), repairs=("empty",), features=2),
    Case("no-prj.zip", lambda: shapefile_without(".prj"), ("prj",)),
    Case("no-prj-said.zip", lambda: shapefile_without(".prj"), ("prj",), crs="EPSG:4326"),
    Case(
        "no-prj-metres.zip",
        lambda: shapefile_of(UTM, None, left_out=(".prj",)),
        ("prj",),
        True,
        crs="EPSG:25832",
    ),
    Case("no-shx.zip", lambda: shapefile_without(".shx"), ("parts",), True, ("parts",), columns=("name",)),
    Case("no-dbf.zip", lambda: shapefile_without(".dbf"), ("parts",), True, ("parts",)),
    Case("only-shp.zip", lambda: shapefile_without(".dbf", ".shx", ".prj"), ("parts", "prj"), True, ("parts",)),
    Case(
        "windows-1252.zip",
        lambda: shapefile_of(BOX, encoding="CP1252", left_out=(".cpg",), ort=np.array(["Köln"], dtype=object)),
        ("guessed_encoding",),
        columns=("ort",),
        values={"ort": "Köln"},
    ),
    Case(
        "utf-8.zip",
        lambda: shapefile_of(BOX, ort=np.array(["Łódź 東京"], dtype=object)),
        values={"ort": "Łódź 東京"},
    ),
    Case(
        "numbers.zip",
        lambda: shapefile_of(BOX, id=np.array([9007199254740993]), share=np.array([0.25])),
        values={"id": 9007199254740993, "share": 0.25},
    ),
    Case("bow-tie.zip", lambda: zipped(shapefile(BOWTIE)), ("invalid",), repairs=("invalid",)),
    Case(
        "swapped.zip",
        lambda: zipped(shapefile(tuple((-y, x + 90) for x, y in SQUARE))),
        ("swapped",),
        True,
        ("swapped",),
        extent=(100, -51, 101, -50),
    ),
    Case("points.zip", lambda: shapefile_of(PLACES), ("no_area",), features=2),
    Case("roads.zip", lambda: shapefile_of(ROADS), ("no_area",), extent=(10, 50, 12, 51)),
    Case(
        "antimeridian.zip",
        lambda: shapefile_of(np.array([ROUND])),
        ("antimeridian",),
        repairs=("antimeridian",),
        extent=(-180, -17, 180, -16),
    ),
    Case("esri.zip", lambda: zipped(shapefile(projection=WGS84.replace("WGS 84", "GCS_WGS_1984")))),
    # KML
    Case("plain.kml", lambda: kml(placemark("One")), columns=("name",)),
    Case("folders.kml", folders_kml, features=2, columns=("folder", "name"), values={"folder": "North"}),
    Case("styles.kml", styled_kml, columns=("name",)),
    Case("schema.kml", schema_kml, values={"risk": 3, "who": "Ana & Bo"}),
    Case("gx-track.kml", gx_kml, ("others",), repairs=("others",), features=2),
    Case("google-earth-2.1.kml", lambda: PLAIN.replace(b"www.opengis.net/kml/2.2", b"earth.google.com/kml/2.1")),
    Case("no-namespace.kml", lambda: PLAIN.replace(b' xmlns="http://www.opengis.net/kml/2.2"', b"")),
    Case("byte-order-mark.kml", lambda: b"\xef\xbb\xbf" + kml(placemark("Köln")), values={"name": "Köln"}),
    Case(
        "latin-1.kml",
        lambda: doc(
            f"<Placemark><name>Köln</name>{ring()}</Placemark>",
            head='<?xml version="1.0" encoding="ISO-8859-1"?>',
            encoding="latin-1",
        ),
        values={"name": "Köln"},
    ),
    Case("one-a-line.kml", lambda: doc(f"<Placemark>{ring(between=chr(10) + chr(9))}</Placemark>")),
    Case("no-heights.kml", lambda: doc(f"<Placemark>{ring(height='')}</Placemark>")),
    Case("unclosed-ring.kml", lambda: doc(f"<Placemark>{ring(SQUARE[:-1])}</Placemark>")),
    Case(
        "multi-geometry.kml",
        lambda: doc(f"<Placemark><MultiGeometry>{ring()}{ring()}</MultiGeometry></Placemark>"),
        ("invalid",),
        repairs=("invalid",),
    ),
    Case("mixed.kml", lambda: kml(placemark("One"), PIN), ("others",), features=2),
    Case(
        "mixed-as-shapefile.kml",
        lambda: kml(placemark("One"), PIN),
        ("others", "mixed"),
        True,
        ("others",),
        features=2,
        kind=".zip",
    ),
    Case(
        "no-geometry.kml",
        lambda: kml(placemark("One"), "<Placemark><name>Note</name></Placemark>"),
        ("empty",),
        repairs=("empty",),
        features=2,
    ),
    Case(
        "swapped.kml",
        lambda: kml(placemark("One", tuple((y, x + 90) for x, y in SQUARE))),
        ("swapped",),
        True,
        ("swapped",),
        extent=(100, 50, 101, 51),
    ),
    Case(
        "out-of-the-world.kml",
        lambda: kml(placemark("One"), placemark("Two", tuple((x + 500, y) for x, y in SQUARE))),
        ("beyond",),
        True,
        ("beyond", "loss"),
        features=2,
    ),
    Case(
        "not-a-number.kml",
        lambda: kml(placemark("One"), placemark("Two", NOWHERE)),
        ("broken",),
        True,
        ("broken", "loss"),
        features=2,
    ),
    Case("zones.kmz", kmz, columns=("name",)),
    # GeoJSON
    Case("collection.geojson", lambda: geojson_of(LAND), features=6, extent=None, columns=("name",)),
    Case(
        "beyond-180.geojson",
        geojson(shapely.box(170, -20, 190, -10).__geo_interface__),
        ("longitudes",),
        True,
        ("longitudes",),
        extent=(-180, -20, 180, -10),
    ),
    Case(
        "from-0-to-360.geojson",
        geojson(shapely.box(255, 38, 256, 39).__geo_interface__),
        ("longitudes",),
        True,
        ("longitudes",),
        extent=(-105, 38, -104, 39),
    ),
    Case(
        "over-greenwich.geojson",
        geojson(shapely.box(355, 50, 365, 51).__geo_interface__),
        ("longitudes",),
        True,
        ("longitudes",),
        extent=(-5, 50, 5, 51),
    ),
    Case(
        "two-sides-of-180.geojson",
        geojson(shapely.multipolygons([shapely.box(170, 0, 180, 5), shapely.box(180, 0, 190, 5)]).__geo_interface__),
        ("longitudes", "invalid"),
        True,
        ("longitudes",),
        extent=(-180, 0, 180, 5),
    ),
    Case(
        "wide-and-beyond-180.geojson",
        geojson(shapely.box(-10, 0, 190, 5).__geo_interface__),
        ("longitudes",),
        True,
        ("longitudes",),
        extent=(-180, 0, 180, 5),
    ),
    Case(
        "metres.geojson",
        geojson(shapely.box(500_000, 5_400_000, 510_000, 5_410_000).__geo_interface__),
        ("prj",),
        True,
        crs="EPSG:25832",
        extent=None,
    ),
    Case("feature.json", geojson(square()), columns=("name",)),
    Case("geometry.geojson", geojson(square()["geometry"])),
    Case(
        "null-geometry.geojson",
        geojson({"type": "FeatureCollection", "features": [square(), square(geometry=None)]}),
        ("empty",),
        repairs=("empty",),
        features=2,
    ),
    Case("heights.geojson", geojson({"type": "Polygon", "coordinates": [[[x, y, 5] for x, y in SQUARE]]})),
    Case(
        "old-crs.geojson",
        lambda: geojson_of(UTM, crs={"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::25832"}}),
        ("system",),
    ),
    Case(
        "nested-properties.geojson",
        geojson(square(properties={"name": "A\x07B", "tags": ["a", {"b": 1}], "open": True})),
        values={"name": "A B", "tags": '["a", {"b": 1}]', "open": "true"},
    ),
    Case(
        "collection-of-all.geojson",
        geojson(
            {
                "type": "GeometryCollection",
                "geometries": [square()["geometry"], {"type": "Point", "coordinates": [10, 50]}],
            }
        ),
        ("collections", "mixed"),
        True,
        ("collections",),
    ),
    *[
        Case(
            f"{name}.geojson",
            lambda name=name: geojson_of(UTM, crs={"type": "name", "properties": {"name": name}}),
            ("system",),
        )
        for name in (
            "EPSG:25832",
            "urn:ogc:def:crs:EPSG:9.6:25832",
            "http://www.opengis.net/def/crs/EPSG/0/25832",
            "http://www.opengis.net/gml/srs/epsg.xml#25832",
            "ETRS89 / UTM zone 32N",
        )
    ],
    Case(
        "epsg-code.geojson", lambda: geojson_of(UTM, crs={"type": "EPSG", "properties": {"code": 25832}}), ("system",)
    ),
    Case("crs84.geojson", lambda: geojson_of(BOX, crs={"type": "name", "properties": {"name": "OGC:CRS84"}})),
    Case(
        "unknown-crs.geojson",
        lambda: geojson_of(BOX, crs={"type": "name", "properties": {"name": "EPSG:9925832"}}),
        ("prj",),
        True,
        crs="EPSG 4326",
    ),
    Case("one-a-line.geojsonl", lambda: b"\x1e" + (json.dumps(square()).encode() + b"\n\x1e") * 2, features=2),
    Case("one-a-line.geojson", lambda: (json.dumps(square()).encode() + b"\r\n") * 2, features=2),
    Case("arcs.topojson", geojson(TOPOLOGY), features=2, columns=("name",), extent=(10, 50, 12, 51)),
    # GPX and FlatGeobuf
    Case("track.gpx", lambda: GPX.encode(), ("no_area",), features=2, columns=("folder", "name"), kind=".kml"),
    Case("projected.fgb", lambda: fgb_of(UTM, "EPSG:25832"), ("system",), values={"name": "Köln"}),
    # Archives
    Case("zip-in-a-zip.zip", lambda: zipped({"data/zones.zip": zipped(shapefile())}), columns=("name",)),
    Case("kml-in-a-zip.zip", lambda: zipped({"zones.kml": PLAIN}), columns=("name",)),
    Case("mac.kmz", lambda: zipped({"__MACOSX/._doc.kml": b"\0\5\x16\7", "doc.kml": PLAIN}), columns=("name",)),
    Case("linked.kml", lambda: PLAIN.replace(b"<Document>", b"<Document>" + LINK), ("link",), columns=("name",)),
    Case(
        "latin-1-undeclared.kml",
        lambda: PLAIN.replace(b"One", "Köln".encode("latin-1")),
        ("guessed_encoding",),
        values={"name": "Köln"},
    ),
    # GeoPackage
    Case("no-system.gpkg", lambda: gpkg_of(("zones", UTM, None)), ("prj",), True, crs="ETRS89 / UTM zone 32N"),
    Case("one-layer.gpkg", lambda: gpkg_of(("zones", BOX, "EPSG:4326")), values={"name": "zones 0"}),
    Case("projected.gpkg", lambda: gpkg_of(("zones", UTM, "EPSG:25832")), ("system",)),
    Case(
        "two-layers.gpkg",
        lambda: gpkg_of(("north", LAND[:2], "EPSG:4326"), ("south", in_system(LAND[2:], "EPSG:25832"), "EPSG:25832")),
        features=6,
        extent=None,
        columns=("folder",),
    ),
]


def test_the_corpus_has_at_least_40_files() -> None:
    assert len({case.name for case in CORPUS}) == len(CORPUS) >= 40


@pytest.mark.parametrize("case", CORPUS, ids=str)
def test_each_file_gives_its_expected_findings_and_result(case: Case, prepare_file: Prepare, tmp_path: Path) -> None:
    content = case.content()
    result = prepare_file(case.name, content, kind=case.kind)
    assert tuple(each.code for each in result.findings) == case.findings, result.findings
    assert any(each.blocks for each in result.findings) == case.is_blocked, result.findings
    assert bool(result.files) != case.is_blocked
    assert result.features == case.features
    assert set(case.columns) <= set(result.columns), list(result.columns)
    for column, value in case.values.items():
        assert result.columns[column][0] == value
    assert result.preview_before or case.is_blocked, "the file has a preview"
    repaired = (
        prepare_file(case.name, content, *case.repairs, kind=case.kind, crs=case.crs)
        if case.is_blocked or case.repairs
        else result
    )
    assert {each.code for each in repaired.findings if each.is_repaired} >= set(case.repairs)
    assert not any(each.blocks for each in repaired.findings)
    if case.extent is not None:
        assert repaired.extent == pytest.approx(case.extent, abs=2e-5)
    assert_reads_back(repaired, case, tmp_path)


def assert_reads_back(prepared: Prepared, case: Case, folder: Path) -> None:
    """Assert that the prepared file can be read, is in degrees, and is valid if it was repaired."""
    content = prepared.files[0].content
    kind = ".zip" if content.startswith(b"PK") else ".kml"
    assert len(content) <= LIMITS[kind]
    if kind == ".zip":
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = {Path(name).suffix.lower() for name in archive.namelist()}
            assert {".shp", ".shx", ".dbf"} <= parts
            for name in archive.namelist():
                if "__MACOSX" not in name and Path(name).suffix:
                    (folder / f"back{Path(name).suffix.lower()}").write_bytes(archive.read(name))
        file = folder / "back.shp"
    else:
        file = folder / "back.kml"
        file.write_bytes(content)
    back = to_degrees(read_layer(file, most_features=100, most_positions=100_000))
    assert len(back.shapes) == prepared.files[0].features
    if case.repairs and "invalid" in case.repairs:
        assert shapely.is_valid(back.shapes).all()
    if case.extent is not None:
        assert tuple(shapely.total_bounds(back.shapes)) == pytest.approx(case.extent, abs=2e-5)


@pytest.mark.parametrize("file", sorted(ENCODED.glob("*.zip")), ids=lambda file: file.stem)
def test_names_are_read_correctly_whatever_encoding_a_shapefile_declares(file: Path, prepare_file: Prepare) -> None:
    result = prepare_file(file.name, file.read_bytes())
    greek = file.stem.startswith("cp1253")
    names = ["Αθήνα"] if greek else ["Valle del Árrago", "Embalse de Tentudía", "Táliga"]
    assert result.columns["NAME"] == names
    notes = [each for each in result.findings if each.code.endswith("encoding")]
    is_declared = file.stem.partition("_")[2] in (
        "cpg_ANSI_1252",
        "cpg=ISO-8859-1n",
        "cpg=UTF-8",
        "greek_cpg_1253",
    )
    assert bool(notes) != is_declared, "a wrong or missing declaration is reported"
    for note in notes:
        assert note.choices[note.choice] == ", ".join(names)
        assert not result.is_unchanged, "the encoding is written into the file"


def test_another_encoding_can_be_chosen(prepare_file: Prepare) -> None:
    content = shapefile_of(BOX, encoding="CP1251", left_out=(".cpg",), name=np.array(["Київ"], dtype=object))
    [note] = prepare_file("zones.zip", content).findings
    assert note.choices["cp1251"] == "Київ"
    assert prepare_file("zones.zip", content, encoding="cp1251").columns["name"] == ["Київ"]


def test_each_shapefile_in_an_archive_is_a_separate_file() -> None:
    parts = shapefile()
    content = zipped({f"{stem}{ending}": part for stem in ("a", "sub/b") for ending, part in parts.items()})
    files, _ = shape_files([("both.zip", content)])
    assert [(file.name, file.stem) for file in files] == [("both.zip: a.shp", "a"), ("both.zip: b.shp", "b")]


def test_values_that_a_shapefile_would_shorten_are_reported_before_sending(prepare_file: Prepare) -> None:
    properties = {"population_density": 1, "remarks": "x" * 300, "id": 2**60, "short": "ok"}
    content = geojson(square(properties=properties))()
    [note] = prepare_file("zones.geojson", content).findings
    assert note.code == "shortened"
    assert "1 field name (population_density to population)" in note.message
    assert "values in 1 field (remarks)" in note.message
    assert not prepare_file("zones.geojson", content, kind=".kml").findings


def test_the_message_about_one_feature_is_singular(prepare_file: Prepare) -> None:
    both = {
        "type": "GeometryCollection",
        "geometries": [square()["geometry"], {"type": "Point", "coordinates": [1, 1]}],
    }
    messages = [each.message for each in prepare_file("both.geojson", geojson(both)()).findings]
    assert "1 feature has areas together with points or lines." in messages


def test_a_file_that_needs_no_changes_is_sent_unchanged(prepare_file: Prepare) -> None:
    content = shapefile_of(LAND)
    result = prepare_file("zones.zip", content)
    assert result.is_unchanged
    assert result.files[0].content == content


@pytest.mark.parametrize(
    ("crs", "at"),
    [
        ("EPSG:3857", (10, 50, 11, 51)),
        ("EPSG:2056", (7, 46, 8, 47)),
        ("EPSG:27700", (-2, 51, -1, 52)),
        ("EPSG:2193", (172, -42, 173, -41)),
    ],
)
@pytest.mark.parametrize("kind", [".zip", ".kml"])
def test_a_projected_file_is_converted_to_wgs_84_without_a_choice(
    prepare_file: Prepare, tmp_path: Path, crs: str, at: tuple[float, float, float, float], kind: str
) -> None:
    content = shapefile_of(in_system(np.array([shapely.box(*at)]), crs), crs)
    result = prepare_file("zones.zip", content, kind=kind)
    [finding] = result.findings
    assert (finding.code, finding.is_repaired) == ("system", True)
    assert crs in finding.message
    assert "will be sent in WGS 84" in finding.message
    assert_reads_back(result, Case("zones", lambda: content, extent=at), tmp_path)


@pytest.mark.parametrize(
    ("shapes", "repair"),
    [([], ""), ([shapely.box(599, 50, 601, 51)], "beyond")],
    ids=["without any", "too far round"],
)
def test_a_result_without_shapes_is_reported(prepare_file: Prepare, shapes: list[Any], repair: str) -> None:
    features = [{"type": "Feature", "geometry": each.__geo_interface__} for each in shapes]
    result = prepare_file("zones.geojson", geojson({"type": "FeatureCollection", "features": features})(), repair)
    assert [each.code for each in result.findings if each.blocks] == (["loss", "nothing"] if repair else ["nothing"])


def test_shapes_are_cut_at_the_180th_meridian_and_keep_their_area(prepare_file: Prepare) -> None:
    repaired = prepare_file("fiji.zip", shapefile_of(np.array([ROUND])), "antimeridian")
    assert repaired.preview_after is not None
    shape = shapely.from_geojson(json.dumps(repaired.preview_after[0][1]))
    assert shape.area == pytest.approx(2)
    assert len(shape.geoms) == 2


def ring_of(start: float, end: float) -> list[tuple[float, float]]:
    """Return the corners of a square along the diagonal."""
    return [(start, start), (end, start), (end, end), (start, end), (start, start)]


def find(result: Prepared, code: str) -> Finding:
    [finding] = [each for each in result.findings if each.code == code]
    return finding


OUTSIDE = (CASES / "hole-outside-its-shell.geojson").read_bytes()
TWICE_AROUND = shapely.Polygon([(0, 0), (4, 0), (4, 4), (2, 4), (2, -1), (3, -1), (3, 2), (0, 2)])


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("zones.geojson", lambda: OUTSIDE),
        ("zones.zip", lambda: shapefile_of(shapely.get_parts(shapely.from_geojson(OUTSIDE)))),
        ("zones.gpkg", lambda: gpkg_of(("zones", shapely.get_parts(shapely.from_geojson(OUTSIDE)), "EPSG:4326"))),
    ],
)
@pytest.mark.parametrize("kind", [".zip", ".kml"])
def test_a_hole_outside_its_area_is_never_sent_as_an_area(
    prepare_file: Prepare, tmp_path: Path, name: str, make: Callable[[], bytes], kind: str
) -> None:
    content = make()
    hole = find(prepare_file(name, content, kind=kind), "holes")
    assert hole.blocks
    assert list(hole.choices.values()) == ["Keep as a separate area: 43,125.3 km²", "Remove: 34,438.8 km²"]
    assert find(prepare_file(name, content, "invalid", kind=kind), "holes").blocks
    removed = prepare_file(name, content, "holes", kind=kind)
    assert find(removed, "holes").message.endswith(
        "8,686.5 km² at 45.500° N, 25.500° E. Holes: 1 before, 0 after. Area: 43,125.3 km² before, 34,438.8 km² after."
    )
    assert find(removed, "loss").blocks
    assert not removed.files
    accepted = prepare_file(name, content, "holes", "loss", kind=kind)
    assert_reads_back(accepted, Case(name, make, extent=(20, 45, 22, 47)), tmp_path)


HOLES = {
    "an area next to it": (shapely.Polygon(ring_of(0, 2), [ring_of(4, 5)]), 5, 4, "Keep as a separate area"),
    "an area that touches it": (shapely.Polygon(ring_of(0, 2), [ring_of(2, 4)]), 8, 4, "Keep as a separate area"),
    "an island in a hole": (
        shapely.Polygon(ring_of(0, 6), [ring_of(1, 5), ring_of(2, 4)]),
        24,
        20,
        "Keep as a separate area",
    ),
    "the hole of another part": (
        shapely.MultiPolygon([(ring_of(0, 2), [ring_of(5, 6)]), (ring_of(4, 7), [])]),
        12,
        13,
        "Keep as a hole of the area around it",
    ),
}
OVERLAPS = {
    "inside": ([(0, 4), (1, 2)], 16, 15),
    "inside, along an edge": ([(0, 4), (0, 2)], 16, 12),
    "inside each other": ([(0, 6), (1, 5), (2, 4)], 36, 24),
    "across each other": ([(0, 2), (1, 3)], 7, 6),
}


def areas_after(result: Prepared) -> list[float]:
    """Return the area of each feature that would be sent, in square degrees; all must be valid."""
    shapes = shapely.from_geojson([json.dumps(geometry) for _, geometry in result.preview_after or ()])
    assert shapely.is_valid(shapes).all()
    return [float(each) for each in shapely.area(shapes)]


@pytest.mark.parametrize(("shape", "kept", "removed", "label"), HOLES.values(), ids=HOLES)
def test_a_hole_outside_its_area_is_kept_or_removed_as_a_person_selects(
    prepare_file: Prepare, shape: Any, kept: float, removed: float, label: str
) -> None:
    content = geojson_of(np.array([shape, shapely.box(20, 0, 21, 1)]))
    blocked = prepare_file("zones.geojson", content)
    assert [each.code for each in blocked.findings] == ["holes"], "one defect is reported once"
    assert [each.partition(":")[0] for each in blocked.findings[0].choices.values()] == [label, "Remove"]
    for codes, area in ((("hole_areas",), kept), (("holes",), removed)):
        result = prepare_file("zones.geojson", content, *codes)
        assert any(each.code == "loss" and each.blocks for each in result.findings) == (area == min(kept, removed))
        assert "“Region 0”" in find(result, "holes").message
        assert areas_after(prepare_file("zones.geojson", content, *codes, "loss")) == pytest.approx([area, 1])


@pytest.mark.parametrize("kind", ["geojson", "zip", "gpkg"])
@pytest.mark.parametrize(("corners", "merged", "cut"), OVERLAPS.values(), ids=OVERLAPS)
def test_areas_in_each_other_are_merged_or_become_holes_as_a_person_selects(
    prepare_file: Prepare, corners: list[tuple[float, float]], merged: float, cut: float, kind: str
) -> None:
    shapes = np.array([shapely.MultiPolygon([(ring_of(*each), []) for each in corners])])
    write = {"geojson": geojson_of, "zip": shapefile_of, "gpkg": lambda each: gpkg_of(("zones", each, "EPSG:4326"))}
    name, content = f"zones.{kind}", write[kind](shapes)
    [overlap] = prepare_file(name, content).findings
    assert (overlap.code, overlap.blocks) == ("overlaps", True)
    result = prepare_file(name, content, "merge", kind=".zip")
    assert [each.code for each in result.findings] == ["overlaps"]
    assert result.findings[0].message.startswith("Merged areas that overlapped: ")
    assert areas_after(result) == pytest.approx([merged])
    assert not prepare_file(name, content, "cut", kind=".zip").files
    assert areas_after(prepare_file(name, content, "cut", "loss", kind=".zip")) == pytest.approx([cut])


def test_areas_that_overlap_by_a_sliver_are_only_a_warning(prepare_file: Prepare) -> None:
    shape = shapely.MultiPolygon([shapely.box(0, 0, 2, 2), shapely.box(1.9999, 0, 4, 2)])
    [note] = prepare_file("zones.geojson", geojson_of(np.array([shape]))).findings
    assert (note.code, note.blocks) == ("invalid", False)


def test_an_area_drawn_the_long_way_around_encloses_no_other_area(prepare_file: Prepare) -> None:
    content = geojson_of(np.array([shapely.MultiPolygon([ROUND, shapely.box(10, -16.6, 11, -16.4)])]))
    assert [each.code for each in prepare_file("fiji.geojson", content).findings] == ["antimeridian"]
    assert sum(areas_after(prepare_file("fiji.geojson", content, "antimeridian"))) == pytest.approx(2.2)


def test_rings_in_the_wrong_order_are_exchanged(prepare_file: Prepare) -> None:
    result = prepare_file("zones.geojson", geojson_of(np.array([shapely.Polygon(ring_of(1, 2), [ring_of(0, 4)])])))
    assert [each.code for each in result.findings] == ["directions"]
    assert areas_after(result) == pytest.approx([15])


@pytest.mark.parametrize("holes", [1, 2])
def test_areas_and_holes_whose_rings_run_the_wrong_way_are_exchanged(prepare_file: Prepare, holes: int) -> None:
    shape = shapely.box(10, 50, 12, 52).difference(shapely.box(10.5, 50.5, 11, 51))
    if holes == 2:
        shape = shape.difference(shapely.box(11.2, 51.2, 11.5, 51.5))
    with zipfile.ZipFile(io.BytesIO(shapefile_of(np.array([shape])))) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    content = parts["made.shp"]
    # Each ring has five corners of 16 bytes.
    start = len(content) - 5 * 16 * (1 + holes)
    rings = [[content[at + 16 * corner :][:16] for corner in range(5)] for at in range(start, len(content), 5 * 16)]
    parts["made.shp"] = content[:start] + b"".join(corner for ring in rings for corner in reversed(ring))
    prepared = prepare_file("zones.zip", zipped(parts))
    assert [each.code for each in prepared.findings] == ["directions"]
    [(_, geometry)] = prepared.preview_after or ()
    assert shapely.from_geojson(json.dumps(geometry)).equals(shape)


def test_a_repair_that_adds_territory_needs_its_own_consent(prepare_file: Prepare) -> None:
    content = geojson_of(np.array([TWICE_AROUND, shapely.box(6, 0, 7, 1)]))
    repaired = prepare_file("zones.geojson", content, "invalid")
    assert find(repaired, "invalid").message.startswith("Repaired 1 feature (crosses itself): “Region 0”. Area: ")
    growth = find(repaired, "growth")
    assert growth.blocks
    assert list(growth.features) == [1]
    assert "“Region 0” by 24," in growth.message
    assert not repaired.files
    accepted = prepare_file("zones.geojson", content, "invalid", "growth")
    assert accepted.files
    assert not find(accepted, "growth").blocks


def test_a_repair_names_the_areas_that_it_adds_or_drops(prepare_file: Prepare) -> None:
    twice = [shapely.box(10, 50, 11, 51)] * 2
    message = find(
        prepare_file("zones.geojson", geojson_of(np.array([shapely.MultiPolygon(twice)])), "invalid"), "invalid"
    ).message
    assert "Areas: 2 before, 1 after." in message
    assert "growth" not in message


@pytest.mark.parametrize(
    ("shapes", "stated", "chosen", "extent"),
    [
        (BOX, "EPSG:25832", "EPSG:4326", (10, 50, 11, 51)),
        (UTM, "EPSG:4326", "EPSG:25832", (10, 50, 11, 51)),
        (UTM, "EPSG:4258", "25832", (10, 50, 11, 51)),
    ],
    ids=["degrees in a projection", "meters in WGS 84", "meters in ETRS89"],
)
def test_coordinates_that_contradict_the_stated_system_block_until_a_system_is_chosen(
    prepare_file: Prepare, shapes: Any, stated: str, chosen: str, extent: tuple[float, ...]
) -> None:
    content = shapefile_of(shapes, stated)
    lie = find(prepare_file("zones.zip", content), "prj")
    assert lie.blocks
    assert stated in lie.message
    result = prepare_file("zones.zip", content, crs=chosen)
    assert find(result, "prj").is_repaired
    assert result.files
    assert not result.is_unchanged
    assert result.extent == pytest.approx(extent, abs=2e-5)


def test_the_system_of_the_file_can_be_kept_although_its_coordinates_look_like_degrees(prepare_file: Prepare) -> None:
    content = shapefile_of(BOX, "EPSG:25832")
    choices = find(prepare_file("zones.zip", content), "prj").choices
    named = next(each for each in choices if each != "EPSG:4326")
    kept = prepare_file("zones.zip", content, crs=named)
    assert kept.files
    assert kept.extent is not None
    assert kept.extent[3] < 1


def test_separate_parts_of_a_shapefile_are_combined() -> None:
    parts = shapefile()
    files, problems = shape_files(
        [(f"zones{ending}", part) for ending, part in parts.items()] + [("a.kml", kml(placemark("One")))]
    )
    assert not problems
    assert [(file.name, file.ending) for file in files] == [("a.kml", ".kml"), ("zones.shp", ".zip")]


def test_an_unreadable_file_is_reported_and_the_others_stay() -> None:
    dropped = [("zones.dbf", shapefile()[".dbf"]), ("a.pdf", b"%PDF"), ("b.zip", b"PK"), ("c.kml", PLAIN)]
    files, problems = shape_files(dropped)
    assert [file.name for file in files] == ["c.kml"]
    assert [problem.partition("”")[0] for problem in problems] == ["“a.pdf", "“b.zip", "“zones"]


def test_a_file_that_is_too_large_is_simplified_or_split_and_reports_the_loss(prepare_file: Prepare) -> None:
    content, limit = kml_of(neighbors(6, 6, 200)), 400 * 1024
    result = prepare_file("land.kml", content, limit=limit)
    assert result.is_too_large
    assert result.loss is None, "nothing is lost yet"
    fitted = prepare_file("land.kml", content, fit="fit", limit=limit)
    assert not fitted.is_too_large
    assert fitted.loss is not None
    assert fitted.loss.vertices_after < fitted.loss.vertices_before == result.vertices
    assert 0 < fitted.loss.shift < 1000
    parts = prepare_file("land.kml", content, fit="split", limit=limit)
    assert len(parts.files) > 1
    assert sum(part.features for part in parts.files) == 36
    assert not parts.is_too_large
