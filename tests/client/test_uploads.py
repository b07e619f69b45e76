"""Uploads: files are measured before they are sent, streamed, and never sent twice."""

from __future__ import annotations

import io
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, BinaryIO

import httpx
import pytest

from client import Invalid, NotFound, OutcomeUnknown, ServiceClient, UndecodableAnswer
from client.models.shape_library import shape_problems
from client.uploads import name_of, opened
from client.vocabulary.limits import MEGABYTE
from tests.client.conftest import Clients

OK = {"message": "OK", "id": 5}


def ok(body: Any = OK) -> httpx.Response:
    return httpx.Response(200, json=body)


def parts_of(request: httpx.Request) -> bytes:
    content_type = request.headers["Content-Type"]
    assert content_type.startswith("multipart/form-data; boundary=")
    body = request.read()
    boundary = b"--" + content_type.partition("boundary=")[2].encode()
    assert body.count(boundary) == 2
    return body.split(boundary)[1]


@pytest.mark.parametrize("kind", ["path", "bytes", "file"])
def test_a_shape_is_sent_as_the_only_part_of_a_multipart_request(clients: Clients, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "Depot.ZIP"
    path.write_bytes(b"PK and the rest")
    client, exchange = clients(ok())
    sources: dict[str, Any] = {"path": path, "bytes": path.read_bytes(), "file": path.open("rb")}
    result = client.shape_library.upload(
        sources[kind], region_name="Depot & yard", folder="North/1", file_name=None if kind != "bytes" else "Depot.ZIP"
    )
    sources["file"].close()
    assert result.id == 5
    request = exchange.requests[0]
    assert (request.method, request.url.path) == ("POST", "/shapeLibrary/8800")
    assert dict(request.url.params) == {"regionName": "Depot & yard", "folder": "North/1"}
    head, _, content = parts_of(request).partition(b"\r\n\r\n")
    assert b'name="file"; filename="Depot.ZIP"' in head
    assert b"Content-Type: application/zip" in head
    assert content == b"PK and the rest\r\n"
    assert int(request.headers["Content-Length"]) == len(request.content)


def test_the_root_folder_is_not_named(clients: Clients) -> None:
    client, exchange = clients(ok())
    client.shape_library.upload(b"<kml/>", region_name="R", file_name="r.kml")
    assert dict(exchange.requests[0].url.params) == {"regionName": "R"}


@pytest.mark.parametrize(("file_name", "size", "most"), [("a.zip", MEGABYTE, "1 MB"), ("a.KML", 3 * MEGABYTE, "3 MB")])
def test_a_shape_file_above_its_limit_is_refused(
    clients: Clients, tmp_path: Path, file_name: str, size: int, most: str
) -> None:
    client, exchange = clients(lambda request: ok())
    path = tmp_path / file_name
    path.write_bytes(bytes(size))
    client.shape_library.upload(path, region_name="R")
    assert len(exchange.requests) == 1
    path.write_bytes(bytes(size + 1))
    with pytest.raises(Invalid, match=most) as caught:
        client.shape_library.upload(path, region_name="R")
    assert caught.value.sent is False
    assert [error.field for error in caught.value.field_errors] == ["file"]
    assert len(exchange.requests) == 1


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"file_name": "a.shp"}, "file"),
        ({"file_name": ""}, "file"),
        ({"size": 0}, "file"),
        ({"region_name": " "}, "regionName"),
        ({"folder": " "}, "folder"),
    ],
)
def test_each_rule_of_a_shape_is_checked(changed: dict[str, Any], field: str) -> None:
    valid: dict[str, Any] = {"file_name": "a.zip", "size": 5, "region_name": "R", "folder": None}
    assert shape_problems(**valid) == []
    assert [problem.field for problem in shape_problems(**(valid | changed))] == [field]


@pytest.mark.parametrize(
    "body", [b"5", b'"5"', b'{"id": 5}', b'{"id": "5", "message": "OK"}', b'{"message": "OK", "result": {"id": 5}}']
)
def test_the_id_of_a_new_region_is_read_in_several_shapes(clients: Clients, body: bytes) -> None:
    client, _ = clients(httpx.Response(200, content=body))
    assert str(client.shape_library.upload(b"PK", region_name="R", file_name="r.zip").id) == "5"


@pytest.mark.parametrize("body", [b'"5f1c-9"', b'{"id": "5f1c-9"}', b'{"message": "OK", "result": {"id": "5f1c-9"}}'])
def test_the_id_of_a_region_may_be_text(clients: Clients, body: bytes) -> None:
    client, _ = clients(httpx.Response(200, content=body), httpx.Response(200, content=body))
    assert client.shape_library.upload(b"PK", region_name="R", file_name="r.zip").id == "5f1c-9"
    assert client.shape_library.delete(region_name="R").id == "5f1c-9"


@pytest.mark.parametrize("body", [b'"Failed"', b'"No room for 5 more"', b'{"id": ""}', b'{"id": 0}', b'{"id": 5.5}'])
def test_an_upload_response_without_an_id_or_a_success_is_undecodable(clients: Clients, body: bytes) -> None:
    client, _ = clients(httpx.Response(200, content=body), httpx.Response(200, content=body))
    with pytest.raises(UndecodableAnswer):
        client.shape_library.upload(b"PK", region_name="R", file_name="r.zip")
    with pytest.raises(UndecodableAnswer):
        client.dynamic_locations.upload(b"x", file_name="p.csv")


def test_regions_are_deleted_by_name(clients: Clients) -> None:
    not_found = httpx.Response(404, json={"status": 404, "message": "Region name: R is not found"})
    client, exchange = clients(ok(), ok(), httpx.Response(200), not_found)
    assert client.shape_library.delete(region_name="R & S").id == 5
    client.shape_library.delete(region_name="R", folder="F")
    assert client.shape_library.delete(region_name="R").id is None
    with pytest.raises(NotFound, match="Region name: R"):
        client.shape_library.delete(region_name="R")
    assert [(request.method, dict(request.url.params)) for request in exchange.requests[:2]] == [
        ("DELETE", {"regionName": "R & S"}),
        ("DELETE", {"regionName": "R", "folder": "F"}),
    ]
    with pytest.raises(Invalid):
        client.shape_library.delete(region_name=" ")


def test_locations_are_uploaded_with_their_type(clients: Clients) -> None:
    client, exchange = clients(ok(), ok({"message": "OK", "result": {"id": "b-7"}}))
    assert client.dynamic_locations.upload(b"externalId\nE-1\n", file_name="C:\\here\\people.csv").id == 5
    assert client.dynamic_locations.upload(b"x", file_name="p.csv", upload_batch_type="Replace").id == "b-7"
    first, second = exchange.requests
    assert (first.method, first.url.path) == ("POST", "/dynamicLocations/8800")
    assert (dict(first.url.params), dict(second.url.params)) == (
        {"uploadBatchType": "Update"},
        {"uploadBatchType": "Replace"},
    )
    head, _, content = parts_of(first).partition(b"\r\n\r\n")
    assert b'filename="people.csv"' in head
    assert b"Content-Type: text/csv" in head
    assert content == b"externalId\nE-1\n\r\n"


@pytest.mark.parametrize(
    ("source", "options"),
    [
        (b"", {"file_name": "a.csv"}),
        (b"x", {}),
        (b"x", {"file_name": "folder/"}),
        (Path("/nowhere/at/all.csv"), {}),
        (b"x", {"file_name": "a.csv", "upload_batch_type": ""}),
        (io.StringIO("text"), {"file_name": "a.csv"}),
    ],
)
def test_an_invalid_file_is_refused(clients: Clients, source: Any, options: dict[str, str]) -> None:
    client, exchange = clients()
    with pytest.raises(Invalid) as caught:
        client.dynamic_locations.upload(source, **options)
    assert caught.value.sent is False
    assert exchange.requests == []


class Unmeasured(io.RawIOBase):
    """A stream that cannot be measured beforehand."""

    def readable(self) -> bool:
        return True


def test_a_stream_of_unknown_size_is_refused() -> None:
    stream: Any = Unmeasured()
    with pytest.raises(Invalid, match="size"), opened(stream, "a.csv", "text/csv"):
        pass


def test_an_open_file_is_sent_completely_and_stays_open(clients: Clients, tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_bytes(b"whole")
    client, exchange = clients(ok())
    with path.open("rb") as file:
        file.read(2)
        client.dynamic_locations.upload(file)
        assert not file.closed
    assert b"\r\n\r\nwhole\r\n" in exchange.requests[0].content
    assert b'filename="p.csv"' in exchange.requests[0].content


@pytest.mark.parametrize(
    ("source", "given_name", "name"),
    [
        (Path("/a/b.csv"), None, "b.csv"),
        (Path("/a/b.csv"), "c.csv", "c.csv"),
        (b"", "../../c.csv", "c.csv"),
        (b"", None, ""),
        (io.BytesIO(), None, ""),
    ],
)
def test_file_names_are_sent_without_folders(
    source: Path | bytes | BinaryIO, given_name: str | None, name: str
) -> None:
    assert name_of(source, given_name) == name


def test_the_displayed_upload_has_only_its_name_and_size(clients: Clients) -> None:
    client, _ = clients(httpx.Response(400, json={"status": 400, "message": "no"}))
    with pytest.raises(Invalid) as caught:
        client.dynamic_locations.upload(b"secret rows", file_name="p.csv")
    assert caught.value.request is not None
    assert caught.value.request.body == {"file": {"fileName": "p.csv", "bytes": 11}}


def test_an_upload_whose_response_is_lost_is_unknown_and_not_repeated(clients: Clients) -> None:
    client, exchange = clients(httpx.ReadTimeout("slow"))
    with pytest.raises(OutcomeUnknown):
        client.dynamic_locations.upload(b"x", file_name="p.csv")
    assert len(exchange.requests) == 1


class Pieces(io.RawIOBase):
    """A large virtual file that records the largest read and can fail midway."""

    def __init__(self, size: int, *, breaks_at: int | None = None) -> None:
        self.size, self.position, self.largest, self.breaks_at = size, 0, 0, breaks_at

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        self.position = self.size + offset if whence == io.SEEK_END else offset
        return self.position

    def tell(self) -> int:
        return self.position

    def read(self, size: int = -1) -> bytes:
        if self.breaks_at is not None and self.position >= self.breaks_at:
            raise OSError("the disk is gone")
        count = min(self.size - self.position, self.size if size < 0 else size)
        self.largest = max(self.largest, count)
        self.position += count
        return bytes(count)


class Receiver(BaseHTTPRequestHandler):
    """Reads a complete request and records its length."""

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        received = 0
        while received < length and (piece := self.rfile.read(min(65536, length - received))):
            received += len(piece)
        self.server.received = received  # type: ignore[attr-defined]
        body = b'{"message": "OK", "id": 5}'
        if received == length:
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@pytest.fixture
def receiver() -> Any:
    with HTTPServer(("127.0.0.1", 0), Receiver) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_a_large_file_is_never_entirely_in_memory(receiver: HTTPServer) -> None:
    source: Any = Pieces(20 * MEGABYTE)
    url = f"http://127.0.0.1:{receiver.server_port}"
    with ServiceClient(url, 8800, "ana", "pw") as client:
        client.dynamic_locations.upload(source, file_name="p.csv")
    assert source.largest <= 65536
    assert receiver.received > source.size  # type: ignore[attr-defined]


def test_an_upload_whose_file_fails_midway_was_not_sent(receiver: HTTPServer) -> None:
    source: Any = Pieces(20 * MEGABYTE, breaks_at=MEGABYTE)
    url = f"http://127.0.0.1:{receiver.server_port}"
    with ServiceClient(url, 8800, "ana", "pw") as client:
        with pytest.raises(Invalid, match="could not be read") as caught:
            client.dynamic_locations.upload(source, file_name="p.csv")
        assert caught.value.sent is False
