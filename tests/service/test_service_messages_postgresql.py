"""Filters, notifications, events, categories, and event groups on PostgreSQL: SQL and concurrency."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import date
from typing import Any

import psycopg
import pytest
from sqlalchemy.engine import URL

from service.database import Database
from service.demo import generator, seeding
from tests.running_service import RunningService
from tests.service.conftest import few_demo_trips
from tests.service.filters import body, custom, first_name

ORGANIZATION = 8800001


@pytest.fixture(scope="module")
def postgresql(postgresql_server: URL) -> Iterator[RunningService]:
    """The demo organization in a separate database, created on one day and moved to the next."""
    host = str(postgresql_server.query["host"])
    with psycopg.connect(
        host=host, user=postgresql_server.username, dbname=postgresql_server.database, autocommit=True
    ) as connection:
        connection.execute("CREATE DATABASE messages")
    url = postgresql_server.set(database="messages").render_as_string(hide_password=False)
    with few_demo_trips(), closing(Database(url)) as database:
        first = seeding.ensure_demo(database, today=date(2026, 11, 20))
        second = seeding.ensure_demo(database, today=date(2026, 11, 21))
        assert first.added == len(generator.blueprints())
        assert (second.added, second.removed) == (0, 0)
        assert second.redated == sum(not blueprint.canceled for blueprint in generator.blueprints())
    with RunningService(database_url=url, demo=True) as service:
        yield service


def test_the_demo_exists_once_and_has_the_later_day(postgresql: RunningService) -> None:
    """No duplicates; the newest notification is of midnight of the later day."""
    page = postgresql.http.get("/notifications").json()["page"]
    assert (page["totalCount"], page["data"][0]["createdDate"]) == (22, 1_795_219_200_000)
    assert postgresql.http.get(f"/contactFilters/{ORGANIZATION}").json()["page"]["totalCount"] == 28
    assert len(postgresql.http.get(f"/publicEventGroups/{ORGANIZATION}").json()) == 7


def test_a_filter_is_stored_exactly(postgresql: RunningService) -> None:
    """With any text and any number."""
    rules = [first_name(columnValue="😀 \\u0041 \"'%_"), custom(dataType="NUMBER", attributeValues=["1" * 50])]
    identity = postgresql.http.post(f"/contactFilters/{ORGANIZATION}", json=body(*rules)).json()["id"]
    found = postgresql.http.get(f"/contactFilters/{ORGANIZATION}/{identity}").json()["contactFilterRules"]
    assert [rule.items() <= stored.items() for rule, stored in zip(rules, found, strict=True)] == [True, True]
    assert postgresql.http.put(f"/contactFilters/{ORGANIZATION}/{identity}", json=body()).status_code == 200
    assert postgresql.http.delete(f"/contactFilters/{ORGANIZATION}/{identity}").status_code == 200
    assert postgresql.http.get(f"/contactFilters/{ORGANIZATION}/{identity}").status_code == 404
    assert postgresql.http.get(f"/contactFilters/{ORGANIZATION}/a%00b?queryType=name").status_code == 404


@pytest.mark.parametrize("area", ["contactFilters", "notificationEvents", "notificationCategories"])
def test_concurrent_requests_create_a_name_once(postgresql: RunningService, area: str) -> None:
    """One of many concurrent requests succeeds, and none gets a service error."""
    record: dict[str, Any] = body(name="Raced for")
    with ThreadPoolExecutor(8) as threads:
        answers = list(
            threads.map(
                lambda _: postgresql.http.post(f"/{area}/{ORGANIZATION}", json=record).status_code,
                range(24),
            )
        )
    assert sorted(answers) == [200] + [409] * 23


def test_concurrent_notifications_are_all_stored(postgresql: RunningService) -> None:
    """Concurrent writers lose nothing."""
    payload = {"message": {"title": "At once"}}
    with ThreadPoolExecutor(8) as threads:
        ids = list(threads.map(lambda _: postgresql.http.post("/notifications", json=payload).json()["id"], range(24)))
    assert len(set(ids)) == 24
    assert postgresql.http.get("/notifications").json()["page"]["totalCount"] == 22 + 24
    assert postgresql.http.get("/notifications?onlyActive=true").status_code == 200
