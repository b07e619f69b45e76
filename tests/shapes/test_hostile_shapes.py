"""Hostile files: refused or read in bounded memory and time, without reading other files or contacting hosts.

Each file is read in a separate process, like an upload. Memory and time of the process are measured.
"""

from __future__ import annotations

import io
import os
import random
import resource
import sqlite3
import struct
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import shapely

from shapes import confined_process
from shapes.archives import ArchiveError
from shapes.confined_process import UnreadableShapeError
from shapes.preparing import Prepared, PrepareOptions, prepare, shape_files
from tests.service.shape_files import kml, placemark, shapefile, zipped
from tests.shapes.conftest import SilentHost

MEGABYTE = 2**20
MOST_MEMORY = 900 * MEGABYTE
MOST_PROCESSOR_SECONDS = 45.0
SECRET = "not-for-your-eyes"


class MeasuredProcesses:
    """Runs the confined processes, and records their memory, time, and output."""

    def __init__(self) -> None:
        self.runs: list[tuple[int, resource.struct_rusage]] = []
        self.output = b""

    def run(
        self,
        command: list[str],
        *,
        timeout: float,
        check: bool,
        capture_output: bool,
        env: dict[str, str],
        **options: Any,
    ) -> Any:
        assert capture_output
        assert not check
        assert set(env) <= {*confined_process._PASSED_VARIABLES, *confined_process._ONE_THREAD}
        with subprocess.Popen(
            command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **options
        ) as process:
            assert process.stdout is not None
            output = process.stdout
            with ThreadPoolExecutor(1) as reader:
                read = reader.submit(output.read)
                ended_id = most = 0
                while not ended_id:
                    # The memory that `wait4` reports includes the test process, of which this one is a fork.
                    most = max(most, _most_memory(process.pid))
                    wait([read], 0.002)
                    ended_id, status, usage = os.wait4(process.pid, os.WNOHANG)
                self.output = read.result()
            process.returncode = os.waitstatus_to_exitcode(status)
        self.runs.append((most, usage))
        return subprocess.CompletedProcess(command, process.returncode, self.output, b"")


def _most_memory(process_id: int) -> int:
    """Return the peak memory of a process in bytes since its start; 0 if it has ended."""
    status = Path(f"/proc/{process_id}/status").read_text(encoding="utf-8")
    return next((int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM")), 0)


@pytest.fixture
def measured_processes(monkeypatch: pytest.MonkeyPatch) -> Iterator[MeasuredProcesses]:
    """The confined processes of a test. They must stay within the limits and not reveal the secret file."""
    measured_processes = MeasuredProcesses()
    monkeypatch.setattr(confined_process.subprocess, "run", measured_processes.run)
    yield measured_processes
    for most, usage in measured_processes.runs:
        assert 0 < most < MOST_MEMORY
        assert usage.ru_utime + usage.ru_stime < MOST_PROCESSOR_SECONDS
    assert SECRET.encode() not in measured_processes.output


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    """A folder with a shapefile and a text that no uploaded file may read."""
    for ending, part in shapefile(names=[SECRET]).items():
        (tmp_path / f"victim{ending}").write_bytes(part)
    (tmp_path / "secret.txt").write_text(SECRET)
    return tmp_path


def prepare_file(name: str, content: bytes, *repairs: str) -> Prepared:
    """Prepare one file."""
    files, problems = shape_files([(name, content)])
    if problems:
        raise ArchiveError(*problems)
    [file] = files
    return prepare(
        file, PrepareOptions(file.ending if file.ending == ".kml" else ".zip", frozenset(repairs)), limit=MEGABYTE
    )


def reveals_nothing(name: str, content: bytes) -> bool:
    """Return whether a file is refused, or read without the content of the secret file."""
    try:
        result = prepare_file(name, content)
    except UnreadableShapeError:
        return True
    return SECRET not in str(result.columns) and (not result.files or result.extent == (10, 50, 11, 51))


def zip_bomb(size: int, name: str = "area.shp") -> bytes:
    """Return a zip with a part of this many zeros."""
    content = io.BytesIO()
    with (
        zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open(name, "w", force_zip64=True) as part,
    ):
        for _ in range(size // MEGABYTE):
            part.write(b"\0" * MEGABYTE)
    return content.getvalue()


def zip_with_false_size() -> bytes:
    """Return a zip with a part that claims to be small, and unpacks to 50 MB."""
    whole = bytearray(zipped(shapefile() | {".shp": b"\0" * (50 * MEGABYTE)}))
    size = struct.pack("<I", 50 * MEGABYTE)
    while (at := whole.find(size)) >= 0:
        whole[at : at + 4] = struct.pack("<I", 5000)
    return bytes(whole)


def zip_with_link() -> bytes:
    """Return a zip with a symbolic link in place of a table."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for ending, part in shapefile().items():
            entry = zipfile.ZipInfo(f"area{ending}")
            if ending == ".dbf":
                entry.external_attr, part = 0o120777 << 16, b"/etc/passwd"
            archive.writestr(entry, part)
    return content.getvalue()


def zip_marked_as_encrypted() -> bytes:
    """Return a zip that is marked as encrypted."""
    whole = bytearray(zipped(shapefile()))
    for head, at in ((b"PK\1\2", 8), (b"PK\3\4", 6)):
        place = whole.find(head)
        while place >= 0:
            whole[place + at] |= 1
            place = whole.find(head, place + 4)
    return bytes(whole)


ARCHIVES = {
    "a bomb": lambda: zip_bomb(210 * MEGABYTE),
    "a bomb within the sizes": lambda: zip_bomb(60 * MEGABYTE),
    "a bomb that lies about its size": zip_with_false_size,
    "a name that climbs out": lambda: zipped(shapefile() | {"../../area.cpg": b"UTF-8"}),
    "an absolute name": lambda: zipped(shapefile() | {"/etc/cron.d/area.cpg": b"UTF-8"}),
    "a name with a drive": lambda: zipped(shapefile() | {"C:\\area.cpg": b"UTF-8"}),
    "a member without a name": lambda: zipped(shapefile() | {"nameless": b""}).replace(b"nameless", b"\0ameless"),
    "a symbolic link": zip_with_link,
    "a zip in a zip in a zip": lambda: zipped({"a.zip": zipped({"b.zip": zipped(shapefile())})}),
    "a bomb in a zip": lambda: zipped({"area.zip": zip_bomb(60 * MEGABYTE)}),
    "ten thousand members": lambda: zipped({f"part{number}.txt": b"" for number in range(10_000)}),
    "an encrypted one": zip_marked_as_encrypted,
    "half of one": lambda: zipped(shapefile())[: len(zipped(shapefile())) // 2],
    "a shapefile without its shapes": lambda: zipped({"area.dbf": shapefile()[".dbf"]}),
}


@pytest.mark.parametrize("make", ARCHIVES.values(), ids=ARCHIVES)
def test_a_dangerous_archive_is_refused_before_it_is_read(
    make: Callable[[], bytes], measured_processes: MeasuredProcesses
) -> None:
    with pytest.raises(ArchiveError):
        prepare_file("area.zip", make())
    assert measured_processes.runs == []


def test_a_kmz_bomb_is_refused() -> None:
    files, problems = shape_files([("area.kmz", zip_bomb(210 * MEGABYTE, "doc.kml"))])
    assert (files, len(problems)) == ([], 1)


LAUGHS = "".join(f'<!ENTITY l{level} "{f"&l{level - 1};" * 10}">' for level in range(1, 10))
VRT = (
    '<OGRVRTDataSource><OGRVRTLayer name="victim"><SrcDataSource>{victim}/victim.shp</SrcDataSource></OGRVRTLayer>'
    "</OGRVRTDataSource>"
)
DOCUMENTS: dict[str, tuple[str, str]] = {
    "an XML entity bomb": ("area.kml", f'<!DOCTYPE kml [<!ENTITY l0 "lol">{LAUGHS}]><kml><name>&l9;</name></kml>'),
    "an external entity": (
        "area.kml",
        '<!DOCTYPE kml [<!ENTITY x SYSTEM "file://{victim}/secret.txt">]><kml>&x;</kml>',
    ),
    "an external document type": ("area.kml", '<!DOCTYPE kml SYSTEM "{server}/kml.dtd"><kml/>'),
    "a link to a file": (
        "area.kml",
        "<kml><NetworkLink><Link><href>{victim}/victim.shp</href></Link></NetworkLink></kml>",
    ),
    "a VRT named .kml": (
        "area.kml",
        (
            '<OGRVRTDataSource><OGRVRTLayer name="victim"><SrcDataSource>{victim}/victim.shp</SrcDataSource>'
            "</OGRVRTLayer></OGRVRTDataSource>"
        ),
    ),
    "a VRT in a KML's clothes": ("area.kml", f"<kml>{VRT}</kml>"),
    "a WFS named .kml": ("area.kml", "<OGRWFSDataSource><URL>{server}/wfs</URL></OGRWFSDataSource>"),
    "elements in elements": ("area.kml", "<kml>" + "<Folder>" * 50_000 + "</Folder>" * 50_000 + "</kml>"),
    "a page of the web": ("area.kml", "<html><img src='{server}/x.png'></html>"),
    "a VRT named .geojson": (
        "area.geojson",
        (
            '<OGRVRTDataSource><OGRVRTLayer name="victim"><SrcDataSource>{victim}/victim.shp</SrcDataSource>'
            "</OGRVRTLayer></OGRVRTDataSource>"
        ),
    ),
    "a feature service": (
        "area.geojson",
        '{{"type":"FeatureCollection","links":[{{"href":"{server}"}}],"features":1}}',
    ),
    "lists in lists": ("area.geojson", "[" * 200_000 + "]" * 200_000),
    "a GPX with an external entity": (
        "area.gpx",
        '<!DOCTYPE gpx [<!ENTITY x SYSTEM "file://{victim}/secret.txt">]><gpx><wpt lat="1" lon="2">&x;</wpt></gpx>',
    ),
    "a VRT named .fgb": ("area.fgb", VRT),
    "a topology without its arcs": (
        "area.topojson",
        '{"type":"Topology","arcs":[],"objects":{"a":{"type":"LineString","arcs":[5]}}}',
    ),
    "a text named .gpkg": ("area.gpkg", "SELECT load_extension('{victim}')"),
}


@pytest.mark.parametrize(("name", "text"), DOCUMENTS.values(), ids=DOCUMENTS)
def test_a_document_with_external_references_is_refused_and_no_host_is_contacted(
    name: str, text: str, measured_processes: MeasuredProcesses, victim: Path, silent_host: SilentHost
) -> None:
    text = text.replace("{victim}", str(victim)).replace("{server}", silent_host.url)
    with pytest.raises(UnreadableShapeError):
        prepare_file(name, text.encode())
    assert len(measured_processes.runs) == 1
    assert silent_host.count_calls() == 0


def test_a_link_to_another_file_is_left_out_and_no_host_is_contacted(
    measured_processes: MeasuredProcesses, silent_host: SilentHost
) -> None:
    link = f"<NetworkLink><Link><href>{silent_host.url}/x.kml</href></Link></NetworkLink>"
    result = prepare_file("area.kml", kml(link, placemark("One")))
    assert [finding.code for finding in result.findings] == ["link"]
    assert silent_host.url.encode() not in result.files[0].content
    assert silent_host.count_calls() == 0


def test_repeated_arcs_are_counted_before_they_are_joined(measured_processes: MeasuredProcesses) -> None:
    arc = ",".join(["[1,2],[3,4]"] * 5_000)
    lines = ",".join(["[0]"] * 100_000)
    topology = f'{{"type":"Topology","arcs":[[{arc}]],"objects":{{"a":{{"type":"MultiLineString","arcs":[{lines}]}}}}}}'
    with pytest.raises(UnreadableShapeError, match="too many vertices"):
        prepare_file("area.topojson", topology.encode())


def test_a_geojson_coordinate_system_that_names_a_file_is_ignored(
    measured_processes: MeasuredProcesses, victim: Path
) -> None:
    for system in (
        f"+init={victim}/secret.txt:1",
        f"+proj=longlat +nadgrids={victim}/secret.txt",
        f"{victim}/secret.txt",
    ):
        text = f'{{"type":"Point","coordinates":[1,2],"crs":{{"type":"name","properties":{{"name":"{system}"}}}}}}'
        result = prepare_file("area.geojson", text.encode())
        assert [finding.code for finding in result.findings if finding.blocks] == ["prj"]


def test_a_vrt_in_place_of_a_shapefile_or_its_table_reveals_nothing(
    measured_processes: MeasuredProcesses, victim: Path
) -> None:
    vrt = VRT.replace("{victim}", str(victim))
    with pytest.raises(UnreadableShapeError):
        prepare_file("area.zip", zipped(shapefile() | {".shp": vrt.encode()}))
    with pytest.raises(UnreadableShapeError):
        prepare_file("area.zip", zipped(shapefile() | {".dbf": vrt.encode(), ".shx": vrt.encode()}))
    assert len(measured_processes.runs) == 2


def test_a_coordinate_system_that_names_a_file_or_a_host_is_ignored(
    measured_processes: MeasuredProcesses, victim: Path, silent_host: SilentHost
) -> None:
    for system in (
        f"+init={victim}/secret.txt:1 +proj=longlat",
        f'PROJCS["{silent_host.url}"',
        "+proj=pipeline " * 5000,
    ):
        content = zipped(shapefile(projection=system))
        assert reveals_nothing("area.zip", content)
    assert silent_host.count_calls() == 0


def geopackage(folder: Path, *statements: str) -> bytes:
    """Return a GeoPackage. The statements create its layer `zones` with geometries in `geom`."""
    path = folder / f"{random.random()}.gpkg"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            "CREATE TABLE gpkg_spatial_ref_sys (srs_id, organization, organization_coordsys_id, definition);"
            "CREATE TABLE gpkg_geometry_columns (table_name, column_name, srs_id);"
            "INSERT INTO gpkg_spatial_ref_sys VALUES (1, 'EPSG', 4326, '');"
            "INSERT INTO gpkg_geometry_columns VALUES ('zones', 'geom', 1);" + ";".join(statements)
        )
    return path.read_bytes()


def test_a_geopackage_that_contains_sql_is_refused(
    measured_processes: MeasuredProcesses, tmp_path: Path, victim: Path
) -> None:
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS geom FROM n"
    for statement in (
        f"CREATE VIEW zones AS {endless}",
        f"CREATE VIEW zones AS SELECT readfile('{victim}/secret.txt') AS geom",
        f"CREATE VIEW zones AS SELECT x'4750000100000000{shapely.box(1, 2, 3, 4).wkb_hex}' AS geom",
        "CREATE VIRTUAL TABLE zones USING fts5(geom)",
        "CREATE TABLE zones (geom); INSERT INTO zones VALUES ('text')",
        "CREATE TABLE zones (geom); INSERT INTO zones VALUES (x'475000ff00000000ff')",
    ):
        with pytest.raises(UnreadableShapeError):
            prepare_file("area.gpkg", geopackage(tmp_path, statement))


def test_a_geopackage_with_curves_is_reported(measured_processes: MeasuredProcesses, tmp_path: Path) -> None:
    curve_polygon = f"010a00000001000000{shapely.box(1, 2, 3, 4).exterior.wkb_hex}"
    rows = f"CREATE TABLE zones (geom); INSERT INTO zones VALUES (x'4750000100000000{curve_polygon}')"
    with pytest.raises(UnreadableShapeError, match="curves"):
        prepare_file("area.gpkg", geopackage(tmp_path, rows))


def test_many_vertices_are_read_and_more_than_2_million_are_refused_with_bounded_memory(
    measured_processes: MeasuredProcesses,
) -> None:
    def line(count: int) -> bytes:
        at = ",".join(["[10.5,50.5],[11,51]"] * (count // 2))
        return f'{{"type":"LineString","coordinates":[{at}]}}'.encode()

    assert prepare_file("area.geojson", line(20_000)).vertices == 20_000
    with pytest.raises(UnreadableShapeError, match="too many vertices"):
        prepare_file("area.geojson", line(2_000_002))


def test_a_shapefile_that_claims_a_billion_vertices_reveals_nothing(measured_processes: MeasuredProcesses) -> None:
    parts = shapefile()
    record = bytearray(parts[".shp"])
    record[100 + 8 + 40 : 100 + 8 + 44] = struct.pack("<i", 2**30)
    assert reveals_nothing("area.zip", zipped(parts | {".shp": bytes(record)}))


@pytest.mark.parametrize("number", ["nan", "-inf", "1e308"])
def test_invalid_coordinates_are_reported_and_can_be_left_out(
    number: str, measured_processes: MeasuredProcesses
) -> None:
    bad = placemark("Bad").replace("11,51", f"{number},51")
    content = kml(placemark("Good"), bad)
    result = prepare_file("area.kml", content)
    assert any(each.blocks for each in result.findings)
    assert result.files == []
    codes = [each.code for each in result.findings]
    repaired = prepare_file("area.kml", content, *codes, "loss")
    assert repaired.files[0].features == 1
    assert number.encode() not in repaired.files[0].content


def test_names_with_control_characters_become_plain_text(measured_processes: MeasuredProcesses) -> None:
    parts = shapefile(names=["a\x1b[31m\x07\r\nb\x00c"])
    result = prepare_file("area.zip", zipped(parts))
    assert result.columns["name"] == ["a [31m   b"] or "\x1b" not in str(result.columns)
    other = prepare_file(
        "area.geojson",
        b'{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"n\\u0000a\\ud800":"x\\u0007y\\ud800"}}',
    )
    assert other.columns == {"n a": ["x y"]}
    assert other.files


def test_uploaded_files_are_limited_to_the_size_that_can_be_read() -> None:
    assert "40 MB" in shape_files([("area.kml", b" " * (41 * MEGABYTE))])[1][0]
