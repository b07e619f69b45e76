"""Request bodies: when their errors are reported, and that a large body does not delay other requests."""

from __future__ import annotations

import base64
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import pytest

from service import request_body
from service.database import Database
from tests.running_service import PASSWORD, USERNAME, RunningService
from tests.service.filters import body
from tests.service.trips import trip


@pytest.mark.parametrize("content", [b"{", b"", b"[]", json.dumps(trip()).encode()])
def test_wrong_credentials_are_reported_before_errors_of_the_body(service: RunningService, content: bytes) -> None:
    """Credentials are checked first."""
    answer = service.http.post("/itineraries/8800", content=content, auth=("ana", "wrong"))
    assert (answer.status_code, answer.json()["message"]) == (401, "Invalid credentials: Get User failed")


@pytest.mark.parametrize(
    "path", ["/itineraries/8800", "/rest/v2/asset-management/assets/batch", "/shapeLibrary/8800?regionName=A"]
)
@pytest.mark.parametrize("password", ["wrong", PASSWORD])
def test_wrong_credentials_are_reported_before_the_body_is_received(
    service: RunningService, path: str, password: str
) -> None:
    """Also for a foreign organization; the connection stays usable for the next request."""
    credentials = base64.b64encode(f"{USERNAME}:{password}".encode()).decode()
    size = 2**20
    with closing(HTTPConnection(urlsplit(service.url).netloc, timeout=30)) as connection:
        connection.putrequest("POST", path.replace("8800", "9900"))
        connection.putheader("Authorization", f"Basic {credentials}")
        connection.putheader("X-SVC-Organization-Id", "9900")
        connection.putheader("Content-Type", "multipart/form-data; boundary=b")
        connection.putheader("Content-Length", str(size))
        connection.endheaders()
        answer = connection.getresponse()
        assert (answer.status, bool(answer.read())) == (401, True)
        connection.send(b"x" * size)
        connection.request("GET", "/healthz")
        assert connection.getresponse().read() == b"ok"


@pytest.mark.parametrize("content_type", [None, "application/json", "text/plain", "application/x-www-form-urlencoded"])
def test_a_json_body_is_read_whatever_its_content_type(service: RunningService, content_type: str | None) -> None:
    """curl sends another content type, for example."""
    headers = {} if content_type is None else {"Content-Type": content_type}
    answer = service.http.post("/itineraries/8800", content=json.dumps(trip()), headers=headers)
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("fits", [True, False])
def test_a_large_body_is_read_while_other_requests_are_served(
    service: RunningService, monkeypatch: pytest.MonkeyPatch, fits: bool
) -> None:
    """Valid or invalid; checking its rules does not block either."""
    reading, end = threading.Event(), threading.Event()
    parsed = request_body._parsed

    def parse_slowly(content: bytes) -> Any:
        reading.set()
        assert end.wait(60)
        return parsed(content)

    rules = body()["contactFilterRules"] * 500
    wrapper = body(contactFilterRules=rules if fits else [*rules, "x"])
    monkeypatch.setattr(request_body, "_parsed", parse_slowly)
    with ThreadPoolExecutor(1) as threads:
        upload = threads.submit(service.http.post, "/contactFilters/8800", json=wrapper)
        assert reading.wait(30)
        assert service.http.get("/contactFilters/8800").status_code == 200
        end.set()
        assert upload.result(60).status_code == (200 if fits else 400)


def test_waiting_writes_do_not_delay_reads(service: RunningService) -> None:
    """Writers and readers have separate threads, however many wait."""
    path = "/notificationEvents/8800"
    with closing(Database(service.database_url)) as database, ThreadPoolExecutor(50) as threads:
        with database.transaction():
            waiting = [threads.submit(service.http.post, path, json={"name": f"E{number}"}) for number in range(50)]
            for _ in range(3):
                assert service.http.get(path).json()["page"]["totalCount"] == 0
        assert {one.result(60).status_code for one in waiting} == {200}
