"""Request bodies: what is told of them and when, and that a large one holds up nobody else."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest

from service import request_body
from service.database import Database
from tests.running_service import RunningService
from tests.service.filters import body
from tests.service.trips import trip


@pytest.mark.parametrize("content", [b"{", b"", b"[]", json.dumps(trip()).encode()])
def test_who_is_not_let_in_is_not_told_what_is_wrong_with_a_body(service: RunningService, content: bytes) -> None:
    """Credentials go first."""
    answer = service.http.post("/itineraries/8800", content=content, auth=("ana", "wrong"))
    assert (answer.status_code, answer.json()["message"]) == (401, "Invalid credentials: Get User failed")


@pytest.mark.parametrize("content_type", [None, "application/json", "text/plain", "application/x-www-form-urlencoded"])
def test_a_body_is_json_whatever_it_is_called(service: RunningService, content_type: str | None) -> None:
    """As curl sends it, for one."""
    headers = {} if content_type is None else {"Content-Type": content_type}
    answer = service.http.post("/itineraries/8800", content=json.dumps(trip()), headers=headers)
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("fits", [True, False])
def test_a_large_body_is_read_while_others_are_served(
    service: RunningService, monkeypatch: pytest.MonkeyPatch, fits: bool
) -> None:
    """Be it right or wrong; so are its rules held against the table."""
    reading, end = threading.Event(), threading.Event()
    parsed = request_body._parsed

    def slowly(content: bytes) -> Any:
        reading.set()
        assert end.wait(60)
        return parsed(content)

    rules = body()["contactFilterRules"] * 500
    wrapper = body(contactFilterRules=rules if fits else [*rules, "x"])
    monkeypatch.setattr(request_body, "_parsed", slowly)
    with ThreadPoolExecutor(1) as threads:
        sent = threads.submit(service.http.post, "/contactFilters/8800", json=wrapper)
        assert reading.wait(30)
        assert service.http.get("/contactFilters/8800").status_code == 200
        end.set()
        assert sent.result(60).status_code == (200 if fits else 400)


def test_writes_that_wait_for_their_turn_hold_up_no_read(service: RunningService) -> None:
    """Writers and readers have threads of their own, however many wait."""
    path = "/notificationEvents/8800"
    with closing(Database(service.database_url)) as database, ThreadPoolExecutor(50) as threads:
        with database.transaction():
            waiting = [threads.submit(service.http.post, path, json={"name": f"E{number}"}) for number in range(50)]
            for _ in range(3):
                assert service.http.get(path).json()["page"]["totalCount"] == 0
        assert {one.result(60).status_code for one in waiting} == {200}
