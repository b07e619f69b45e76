"""Answers and users that are remembered: never longer than until the next commit, whoever makes it."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine, event, text

from service.database import Database
from service.remembered import RememberedAnswers
from tests.running_service import RunningService
from tests.service.test_service_lookup_mappings import Api, mapping
from tests.service.trips import add, expected, trip


def execute(service: RunningService, statement: str) -> None:
    """Change the database behind the service's back, as another process would."""
    engine = create_engine(service.database_url)
    with engine.begin() as connection:
        connection.execute(text(statement))
    engine.dispose()


def test_a_change_is_seen_by_the_next_read(any_service: RunningService) -> None:
    """Through the service itself: create, update, delete."""
    api = Api(any_service)
    created = api.add()
    path = f"/{created['id']}"
    for city in ("Porto", "Faro", "Evora"):
        assert api.search(f"?city={city}")["totalCount"] == 0
        assert api("PUT", path, json=mapping(("city", [city]))).status_code == 200
        assert api("GET", path).json()["data"]["attributes"][0]["values"] == [city]
        assert api.search(f"?city={city}")["totalCount"] == 1
    assert api("DELETE", path).status_code == 200
    assert api("GET", path).status_code == 404


def test_a_change_by_another_process_is_seen_by_the_next_read(any_service: RunningService) -> None:
    """Nobody tells the service of it."""
    itinerary = add(any_service, trip())
    before = expected(any_service, itinerary)
    assert expected(any_service, itinerary) == before
    execute(any_service, "UPDATE expected_locations SET location_name = 'Elsewhere'")
    assert {one["address"]["locationName"] for one in expected(any_service, itinerary)} == {"Elsewhere"}
    execute(any_service, "DELETE FROM expected_locations")
    assert expected(any_service, itinerary) == []


def test_what_is_remembered_is_told_only_to_whom_may_hear_it(any_service: RunningService) -> None:
    """Credentials and access are asked for each time, before anything is remembered."""
    itinerary = add(any_service, trip())
    path = f"/itineraries/expectedLocations/8800/{itinerary}"
    assert any_service.http.get(path).status_code == 200
    assert any_service.http.get(path, auth=("ana", "wrong")).status_code == 401
    assert any_service.http.get(path.replace("8800", "9900")).status_code == 401
    execute(any_service, "DELETE FROM organization_access")
    assert any_service.http.get(path).status_code == 401


@pytest.fixture
def traced_service() -> Iterator[tuple[RunningService, list[str]]]:
    """A service, and what SQLite is told by any of its connections."""
    statements: list[str] = []

    def trace(driver: sqlite3.Connection, _record: Any) -> None:
        driver.set_trace_callback(statements.append)

    event.listen(Engine, "connect", trace)
    try:
        with RunningService() as running:
            yield running, statements
    finally:
        event.remove(Engine, "connect", trace)


def test_a_second_read_asks_the_database_nothing(traced_service: tuple[RunningService, list[str]]) -> None:
    """The same body, without a read; another host gets its own links, from one transaction."""
    service, statements = traced_service
    for number in range(3):
        body = {"name": f"Filter {number}", "contactFilterRules": [RULE]}
        assert service.http.post("/contactFilters/8800", json=body).status_code == 200
    first = service.http.get("/contactFilters/8800")
    statements.clear()
    assert service.http.get("/contactFilters/8800").content == first.content
    assert {statement.split()[0] for statement in statements} == {"PRAGMA"}
    statements.clear()
    other = service.http.get("/contactFilters/8800", headers={"Host": "service.example.org"})
    assert "http://service.example.org/rest/" in other.json()["firstPageUri"]
    read = [statement.split()[0] for statement in statements if not statement.startswith("PRAGMA")]
    assert read == ["BEGIN", "SELECT", "SELECT", "COMMIT"]


RULE = {
    "contactFieldId": 1,
    "columnName": "country",
    "columnValue": "FR",
    "type": "SYSTEM",
    "dataType": "STRING",
    "operator": "E",
    "contactFilterOption": "E",
}


class AnyRequest:
    """As much of a request as remembering looks at."""

    def __init__(self, path: str) -> None:
        self.scope = {"path": path, "query_string": b"", "scheme": "http"}
        self.headers = {"host": "x"}


@pytest.mark.parametrize(("most_bytes", "made"), [(1000, ["a", "b", "c"]), (250, ["a", "b", "c", "a"])])
def test_no_more_is_kept_than_allowed(tmp_path: Any, most_bytes: int, made: list[str]) -> None:
    """The oldest goes first."""
    calls: list[str] = []

    async def run() -> None:
        with closing(Database(f"sqlite:///{tmp_path / 'a.sqlite'}")) as database:
            answers = RememberedAnswers(database, most_bytes=most_bytes)
            for path in ("a", "b", "c", "a", "a"):

                async def produce(path: str = path) -> str:
                    calls.append(path)
                    return path * 100

                answer = await answers.answer(AnyRequest(path), 1, produce)  # type: ignore[arg-type]
                assert answer.body == b'"' + path.encode() * 100 + b'"'

    asyncio.run(run())
    assert calls == made
