"""The shape library over HTTP: files are parsed and stored safely; names, folders, limits, and each status."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import create_engine, text

from shapes import process, reading
from tests.contract.covering import covers
from tests.running_service import RunningService
from tests.service.shape_files import MERCATOR, SQUARE, kml, placemark, shapefile, zipped

PATH = "/shapeLibrary/8800"
MEGABYTE = 2**20


def upload(
    service: RunningService, content: bytes, name: str = "area.kml", region: str | None = "Area", **parameters: str
) -> httpx.Response:
    """Upload a file."""
    query = parameters | ({"regionName": region} if region is not None else {})
    return service.http.post(PATH, params=query, files={"file": (name, content)})


def delete(service: RunningService, region: str, **parameters: str) -> httpx.Response:
    """Delete by name."""
    return service.http.delete(PATH, params={"regionName": region} | parameters)


def read_regions(service: RunningService) -> dict[str, Any]:
    """Return folder, geometry, and extent of each stored region. No endpoint reads shapes."""
    query = (
        "SELECT r.name, f.name AS folder, geometry, west, south, east, north FROM shape_regions r"
        " LEFT JOIN shape_folders f ON f.id = r.folder_id"
    )
    engine = create_engine(service.database_url)
    with engine.connect() as connection:
        found = {row.name: row for row in connection.execute(text(query))}
    engine.dispose()
    return found


def read_features(service: RunningService, region: str = "Area") -> list[Any]:
    """Return the stored features of a region."""
    collection = json.loads(read_regions(service)[region].geometry)
    assert collection["type"] == "FeatureCollection"
    return list(collection["features"])


def assert_invalid(answer: httpx.Response, word: str = "") -> None:
    """Assert a 400 in the envelope of validation errors."""
    assert answer.status_code == 400, answer.text
    assert set(answer.json()) == {"status", "message"}
    assert answer.json()["status"] == 400
    assert word in answer.json()["message"]


def test_kml_is_parsed_and_stored(any_service: RunningService) -> None:
    """POST: 200 with the id of the newly created region; without a folder it is saved in the root."""
    answer = upload(any_service, kml(placemark("One"), "<Folder>", placemark("Two"), "</Folder>"))
    assert answer.status_code == 200, answer.text
    result = answer.json()
    assert result["message"] == "OK"
    assert isinstance(result["id"], int)
    assert result["instanceUri"] == f"{any_service.url}/rest/shapeLibrary/8800/{result['id']}"
    stored_region = read_regions(any_service)["Area"]
    assert stored_region.folder is None
    assert (stored_region.west, stored_region.south, stored_region.east, stored_region.north) == (10, 50, 11, 51)
    found = read_features(any_service)
    assert {feature["properties"]["name"] for feature in found} == {"One", "Two"}
    for feature in found:
        assert feature["geometry"]["type"] == "Polygon"
        assert {tuple(position) for position in feature["geometry"]["coordinates"][0]} == set(SQUARE)


def test_a_zipped_shapefile_is_parsed_and_stored(service: RunningService) -> None:
    """`.zip`: the shapefile in it, in a folder of the archive, too."""
    parts = shapefile(SQUARE, tuple((x + 5, y) for x, y in SQUARE), names=("One", "Two"))
    assert upload(service, zipped(parts, stem="folder/area"), "AREA.ZIP").status_code == 200
    found = read_features(service)
    assert [feature["properties"]["name"] for feature in found] == ["One", "Two"]
    assert (read_regions(service)["Area"].west, read_regions(service)["Area"].east) == (10, 16)


def test_other_files_next_to_a_shapefile_are_ignored(service: RunningService) -> None:
    """Metadata, licenses, indexes, other data: not unpacked or read, but counted towards the limits."""
    files_of_the_shapefile = (
        ".README.html",
        ".VERSION.txt",
        ".shp.iso.xml",
        ".shp.ea.iso.xml",
        ".shp.xml",
        ".sbn",
        ".qix",
        ".gpkg",
    )
    other_files = ("LICENSE", "Licence.pdf", "docs/terms.txt", "metadata.json")
    content = zipped(
        shapefile() | dict.fromkeys(files_of_the_shapefile, READS_A_FILE) | dict.fromkeys(other_files, b"words"),
        stem="ne_10m",
    )
    answer = upload(service, content, "ne_10m.zip")
    assert answer.status_code == 200, answer.text
    assert len(read_features(service)) == 1


def test_other_projections_are_converted_to_degrees(service: RunningService) -> None:
    """Stored in WGS 84, whatever the `.prj` says."""
    ring = tuple((x * 111_319.490793, y) for x, y in ((10, 6_446_275.84), (11, 6_446_275.84), (11, 6_621_293.72)))
    assert upload(service, zipped(shapefile((*ring, ring[0]), projection=MERCATOR)), "a.zip").status_code == 200
    stored_region = read_regions(service)["Area"]
    assert (stored_region.west, stored_region.south, stored_region.east, stored_region.north) == pytest.approx(
        (10, 50, 11, 51), abs=1e-5
    )


def test_meters_without_a_projection_are_refused(service: RunningService) -> None:
    """Degrees need no projection."""
    assert upload(service, zipped(shapefile(projection=None)), "a.zip").status_code == 200
    metres = tuple((x * 100_000, y * 100_000) for x, y in SQUARE)
    assert_invalid(upload(service, zipped(shapefile(metres, projection=None)), "a.zip", "Other"), ".prj")


def test_folders_are_created_on_demand(any_service: RunningService) -> None:
    """`folder`: one that does not exist is created, one that does is used."""
    for region in ("One", "Two"):
        assert upload(any_service, kml(placemark(region)), region=region, folder="Europe/West").status_code == 200
    assert {row.folder for row in read_regions(any_service).values()} == {"Europe/West"}


def test_region_names_are_unique(any_service: RunningService) -> None:
    """`regionName` must differ from every existing region name, whatever the folder: 400."""
    assert upload(any_service, kml(placemark("One"))).status_code == 200
    assert_invalid(upload(any_service, kml(placemark("One")), folder="Elsewhere"), "Area")
    assert len(read_regions(any_service)) == 1
    with ThreadPoolExecutor(3) as threads:
        answers = list(threads.map(lambda _: upload(any_service, kml(placemark("x")), region="Race"), range(3)))
    assert sorted(answer.status_code for answer in answers) == [200, 400, 400]


def test_a_region_can_be_deleted(any_service: RunningService) -> None:
    """DELETE `regionName`: 200, modification result."""
    identity = upload(any_service, kml(placemark("One"))).json()["id"]
    upload(any_service, kml(placemark("Two")), region="Other")
    answer = delete(any_service, "Area")
    assert (answer.status_code, answer.json()["id"]) == (200, identity)
    assert set(answer.json()) == {"message", "id", "baseUri", "instanceUri"}
    assert set(read_regions(any_service)) == {"Other"}
    assert upload(any_service, kml(placemark("One"))).status_code == 200


def test_a_folder_can_be_deleted_with_its_regions(any_service: RunningService) -> None:
    """DELETE: deletes the regions under the folder and its subfolders, and no other."""
    for region, folder in (("One", "Europe"), ("Two", "Europe/West"), ("Three", "Europe West"), ("Four", "")):
        assert upload(any_service, kml(placemark(region)), region=region, folder=folder).status_code == 200
    assert delete(any_service, "Europe").status_code == 200
    assert set(read_regions(any_service)) == {"Three", "Four"}
    assert delete(any_service, "Europe").status_code == 404


def test_a_folder_limits_the_deletion_of_a_region(service: RunningService) -> None:
    """A region is deleted only in the given folder."""
    upload(service, kml(placemark("One")), folder="Europe")
    assert delete(service, "Area", folder="Asia").status_code == 404
    assert delete(service, "Area", folder="Europe").status_code == 200


@covers("Errors: Shape library 404 Region name: <name> is not found")
@pytest.mark.parametrize("name", ["Unknown", "50%", "A/B"])
def test_deleting_a_missing_region_is_404(service: RunningService, name: str) -> None:
    """404 `{status, message}`: `Region name: <name> is not found`."""
    upload(service, kml(placemark("One")), folder="500")
    answer = delete(service, name)
    assert (answer.status_code, answer.json()) == (404, {"status": 404, "message": f"Region name: {name} is not found"})


@covers("Errors: Shape library 400 not specified")
def test_missing_input_is_refused(service: RunningService) -> None:
    """400: missing or invalid input."""
    assert_invalid(upload(service, kml(placemark("One")), region=None), "regionName")
    assert_invalid(upload(service, kml(placemark("One")), region="  "), "regionName")
    assert_invalid(upload(service, kml(placemark("One")), region="x" * 256), "regionName")
    assert_invalid(service.http.delete(PATH), "regionName")
    assert_invalid(service.http.post(PATH, params={"regionName": "A"}), "multipart")
    assert_invalid(service.http.post(PATH, params={"regionName": "A"}, files={"other": ("a.kml", b"x")}), "file")
    assert_invalid(
        service.http.post(
            PATH, params={"regionName": "A"}, content=b"nonsense", headers={"content-type": "multipart/form-data"}
        )
    )
    assert read_regions(service) == {}


@covers("Errors: Shape library 401 not specified")
def test_credentials_are_required(service: RunningService) -> None:
    """401: missing or invalid credentials, on both operations; also without access to the organization."""
    for options in ({"auth": ("ana", "wrong")}, {"auth": None}):
        for method in ("POST", "DELETE"):
            answer = service.http.request(method, PATH, params={"regionName": "A"}, **options)
            assert (answer.status_code, answer.json()["message"]) == (401, "Invalid credentials: Get User failed")
    other = service.http.delete("/shapeLibrary/9900", params={"regionName": "A"})
    assert other.json()["message"] == "Org 9900 not accessible to this user, or does not exist."


@pytest.mark.parametrize("name", ["area.geojson", "area.kmz", "area", "area.kml.vrt", ".zip"])
def test_other_file_extensions_are_refused(service: RunningService, name: str) -> None:
    """`file` is a zipped shapefile (`.zip`) or KML (`.kml`)."""
    assert_invalid(upload(service, kml(placemark("One")), name))


@pytest.mark.parametrize(("ending", "limit"), [(".zip", MEGABYTE), (".kml", 3 * MEGABYTE)])
def test_file_sizes_are_limited(service: RunningService, ending: str, limit: int) -> None:
    """Limits: `.zip` at most 1 MB; `.kml` at most 3 MB."""
    content = kml(placemark("One"))
    if ending == ".kml":
        exact = content + b"\n" * (limit - len(content))
    else:
        noise = os.urandom(limit)
        size = len(zipped(shapefile() | {".cpg": noise}))
        exact = zipped(shapefile() | {".cpg": noise[: limit - (size - limit)]})
        exact = zipped(shapefile() | {".cpg": noise[: limit - (size - limit) - (len(exact) - limit)]})
    assert len(exact) == limit
    assert upload(service, exact, f"a{ending}").status_code == 200
    assert_invalid(upload(service, exact + b"\n", f"a{ending}", "Larger"), "MB")
    assert_invalid(upload(service, b"\n" * (4 * MEGABYTE), f"a{ending}", "Enormous"), "MB")


READS_A_FILE = (
    b'<OGRVRTDataSource><OGRVRTLayer name="a"><SrcDataSource>/etc/passwd</SrcDataSource></OGRVRTLayer>'
    b"</OGRVRTDataSource>"
)
CALLS_OUT = b"<OGRWFSDataSource><URL>http://127.0.0.1:9/wfs</URL></OGRWFSDataSource>"
GEOJSON = b'{"type":"Point","coordinates":[1,2]}'


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"nonsense", b"<kml", b"<html></html>", GEOJSON, READS_A_FILE, CALLS_OUT, kml()),
        b'<!DOCTYPE kml [<!ENTITY a "b">]>' + kml(placemark("&a;"))[38:],
        b'<!DOCTYPE kml [<!ENTITY x SYSTEM "file:///etc/passwd">]><kml>&x;</kml>',
        kml("<NetworkLink><Link><href>http://127.0.0.1:9/x.kml</href></Link></NetworkLink>", placemark("One")),
        kml("<Folder>" * 2000 + "</Folder>" * 2000),
        kml(placemark("One", ((500, 2), (501, 2), (501, 3), (500, 2)))),
        kml(placemark("One", ((float("inf"), 2), (1, 2), (2, 3), (float("inf"), 2)))),
        kml("<Placemark><Polygon/></Placemark>"),
        b'PK\x03\x04<?xml version="1.0"?>',
    ],
)
def test_invalid_or_unsafe_kml_is_refused(
    service: RunningService, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """400, and nothing is stored, read from another file or requested."""
    # A refused file does not end its process, so these are read in this process. Other tests use a separate one.
    monkeypatch.setattr(reading, "run_confined", lambda _, file, *, seconds: json.dumps(process._read(file)).encode())
    assert_invalid(upload(service, content), "file")
    assert read_regions(service) == {}


def test_invalid_or_unsafe_zip_files_are_refused(service: RunningService) -> None:
    """400: sizes, names, one stem, compression ratio, and contents."""
    whole = shapefile()
    incomplete = {ending: {key: value for key, value in whole.items() if key != ending} for ending in whole}
    invalid_files = {
        "nonsense": b"nonsense",
        "cut off": zipped(whole)[:-30],
        "no .shp": zipped(incomplete[".shp"]),
        "no .dbf": zipped(incomplete[".dbf"]),
        "no .shx": zipped(incomplete[".shx"]),
        "two shapefiles": zipped(whole | {"b.shp": whole[".shp"]}),
        "two stems": zipped(incomplete[".prj"] | {"other.prj": whole[".prj"]}),
        "climbs out": zipped(whole | {"../area.cpg": b"UTF-8"}),
        "absolute": zipped(whole | {"/tmp/area.cpg": b"UTF-8"}),
        "unpacks to far more": zipped(whole | {".cpg": b"\0" * (20 * MEGABYTE)}),
        "unpacks to too much": zipped(whole | {".cpg": os.urandom(1000) + b"\0" * (40 * MEGABYTE)}),
        "a VRT by another name": zipped(whole | {".shp": READS_A_FILE}),
        "a broken .shp": zipped(whole | {".shp": whole[".shp"][:120]}),
        "too many files": zipped(whole | {f"d{number}/": b"" for number in range(50)}),
        "a zip in a zip": zipped({"area.zip": zipped(whole)}),
    }
    for why, content in invalid_files.items():
        assert len(content) < MEGABYTE
        answer = upload(service, content, "a.zip")
        assert answer.status_code == 400, why
        assert answer.json()["message"].startswith("Field file is invalid"), why
    assert read_regions(service) == {}


def test_names_are_taken_with_rest_and_as_form_fields(service: RunningService) -> None:
    """The names may be parts of the form."""
    form = {"regionName": "Area", "folder": "Europe"}
    answer = service.http.post(f"/rest{PATH}", data=form, files={"file": ("a.kml", kml(placemark("One")))})
    assert answer.status_code == 200
    assert read_regions(service)["Area"].folder == "Europe"


def test_a_reader_that_does_not_start_is_logged(
    service: RunningService, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The file is not at fault."""
    monkeypatch.setattr("shapes.confined_process._PROJECT", tmp_path)
    answer = upload(service, kml(placemark("Read by no other test")))
    assert (answer.status_code, answer.json()["status"]) == (500, 500)
    assert "Nothing was stored" in answer.json()["message"]
    [message] = [record.getMessage() for record in caplog.records if record.name == "service"]
    assert "did not start" in message
    assert "shapes" in message
    assert read_regions(service) == {}
