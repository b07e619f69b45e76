"""The service on PostgreSQL: its SQL, generated IDs, and concurrent transactions."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import psycopg
import pytest
from sqlalchemy.engine import URL

from service.accounts import provisioning
from service.accounts.passwords import hash_password
from service.accounts.repository import lock_organization
from service.database import Database
from service.itineraries import repository
from service.schema import ACTIVE
from tests.running_service import PASSWORD, USERNAME, RunningService
from tests.service.trips import add, exists, hotel, list_expected, passenger, search, trip
from tests.waiting_writers import wait_until_another_waits


@pytest.fixture(scope="module")
def postgresql(postgresql_server: URL) -> Iterator[RunningService]:
    """A service with a separate database."""
    host = str(postgresql_server.query["host"])
    with psycopg.connect(
        host=host, user=postgresql_server.username, dbname=postgresql_server.database, autocommit=True
    ) as connection:
        connection.execute("CREATE DATABASE service")
    url = postgresql_server.set(database="service").render_as_string(hide_password=False)
    with closing(Database(url)) as database, database.transaction() as transaction:
        provisioning.add_organization(transaction, 8800, "Test")
        provisioning.add_user(transaction, USERNAME, hash_password(PASSWORD), [8800], display_name="Ana Silva")
    with RunningService(database_url=url) as service:
        yield service


def test_an_itinerary_is_added_updated_searched_and_deleted(postgresql: RunningService) -> None:
    """The life of an itinerary."""
    identity = add(postgresql)
    assert search(postgresql, "WSVM7K") == [identity]
    update = postgresql.http.put(f"/itineraries/8800/{identity}", json=trip(segments=[hotel()]))
    assert update.status_code == 200
    [found] = list_expected(postgresql, identity)
    assert found["address"]["gisLocation"] == {"lat": 29.3759, "lon": 47.9774}
    assert found["address"]["arriveDate"] == "2026-11-20T12:00:00Z"
    replacement = add(postgresql)
    assert not exists(postgresql, identity)
    assert postgresql.http.delete(f"/itineraries/8800/{replacement}").status_code == 200
    assert search(postgresql, "WSVM7K") == []


def test_ids_of_a_batch_are_in_its_order(postgresql: RunningService) -> None:
    """Generated IDs have the order of the rows."""
    add(postgresql, trip("FIRST1"))
    trips = [trip(f"P{number}") for number in range(300)]
    answer = postgresql.http.post("/itineraries/8800/batch", json=trips).json()
    assert answer["code"] == 100
    for number in (0, 1, 150, 299):
        assert search(postgresql, f"P{number}") == [int(answer["data"][number])]
    deletion = postgresql.http.request("DELETE", "/itineraries/8800/batch", json=answer["data"])
    assert deletion.json() == {"message": "OK", "code": 100}


def test_concurrent_adds_store_a_trip_once(postgresql: RunningService) -> None:
    """Transactions of one organization are serialized: no two store the same record locator or contact."""
    payload = trip("RACE01", passengers=[passenger("RACER")])
    with ThreadPoolExecutor(8) as threads:
        ids = list(threads.map(lambda _: add(postgresql, payload), range(24)))
    [alive] = search(postgresql, "RACE01")
    assert alive in ids
    assert len(set(ids)) == 24


def test_an_update_during_a_removal_does_not_restore_the_trip(postgresql: RunningService) -> None:
    """The update checks inside its transaction that the trip exists."""
    identity = add(postgresql, trip("GONE01"))
    with closing(Database(postgresql.database_url)) as database, ThreadPoolExecutor(1) as threads:
        with database.transaction() as connection:
            lock_organization(connection, 8800)
            update = threads.submit(postgresql.http.put, f"/itineraries/8800/{identity}", json=trip("GONE01"))
            wait_until_another_waits(connection)
            repository.remove(connection, 1, [identity])
        assert update.result(20).status_code == 401
    assert not exists(postgresql, identity)
    assert search(postgresql, "GONE01") == []


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("DELETE", "/{id}", None),
        ("DELETE", "/batch", ["{id}"]),
        ("PUT", "/{id}", {"itineraryStatus": "canceled"}),
        ("POST", "", trip("GONE02", itineraryStatus="canceled")),
    ],
    ids=["delete", "batch delete", "cancel", "add canceled"],
)
def test_a_removal_waits_for_a_concurrent_update(
    postgresql: RunningService, method: str, path: str, body: object
) -> None:
    """It removes what the update wrote."""
    identity = add(postgresql, trip("GONE02"))
    path, body = path.format(id=identity), [identity] if isinstance(body, list) else body
    with closing(Database(postgresql.database_url)) as database, ThreadPoolExecutor(1) as threads:
        with database.transaction() as connection:
            lock_organization(connection, 8800)
            removal = threads.submit(postgresql.http.request, method, f"/itineraries/8800{path}", json=body)
            wait_until_another_waits(connection)
            repository.change(connection, identity, {"status": ACTIVE})
        assert removal.result(20).status_code == 200
    assert not exists(postgresql, identity)
    assert search(postgresql, "GONE02") == []
