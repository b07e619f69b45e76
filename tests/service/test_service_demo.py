"""The demo organization: its data at any time, and how the data changes from day to day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, text

from service.database import Database
from service.demo import generator, seeding
from tests.running_service import RunningService, prepared_demo_database
from tests.service.conftest import few_demo_trips

TODAY = date(2026, 11, 20)
CONTINENTS = {
    "Europe": {"GB", "FR", "DE", "ES", "IT"},
    "North America": {"US", "CA", "MX"},
    "South America": {"BR", "AR", "CL", "CO", "PE"},
    "Africa": {"ZA", "KE", "NG", "EG", "MA", "ET"},
    "Asia": {"SG", "IN", "JP", "CN", "AE"},
    "Oceania": {"AU", "NZ", "FJ"},
}


def find_people(connection: Connection, moment: datetime) -> list[Any]:
    """Return contact, coordinates, and country of everyone expected somewhere at a moment."""
    statement = text(
        "SELECT contact_id, round(latitude, 3) AS lat, round(longitude, 3) AS lon, country, location_name"
        " FROM expected_locations WHERE arrive_at <= :now AND expire_at >= :now"
    )
    return list(connection.execute(statement, {"now": int(moment.timestamp() * 1000)}))


def test_the_demo_expects_people_worldwide_at_any_hour(demo_service: RunningService) -> None:
    """Several hundred people in over 100 places on every continent; some places have many."""
    today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    with closing(Database(f"sqlite:///{prepared_demo_database()}")) as database, database.transaction() as connection:
        for hour in (0, 6, 12, 18, 23):
            rows = find_people(connection, today + timedelta(hours=hour))
            assert len({row.contact_id for row in rows}) > 600
            assert len({(row.lat, row.lon) for row in rows}) > 100
            countries = {row.country for row in rows}
            assert all(countries & members for members in CONTINENTS.values())
            crowd = Counter(row.location_name for row in rows)
            assert crowd["Marina Convention Hotel"] >= 60


def test_the_demo_is_served_over_http(demo_service: RunningService) -> None:
    """Search finds the record locators of the roster except canceled trips."""
    locators = sorted({row["record_locator"] for row in generator.roster()})
    found = 0
    criteria = {"fieldName": "pnr", "fieldValues": locators}
    for number in (1, 2):
        url = f"/itineraries/query/8800001?pageNumber={number}"
        found += len(demo_service.http.post(url, json=criteria).json()["page"]["data"])
    canceled = sum(blueprint.canceled for blueprint in generator.blueprints())
    assert 0 < canceled < 100
    assert found == len(locators) - canceled


@pytest.fixture(scope="module")
def demo_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with the demo of one day."""
    path = tmp_path_factory.mktemp("demo") / "service.sqlite"
    with few_demo_trips(), closing(Database(f"sqlite:///{path}")) as database:
        assert seeding.ensure_demo(database, today=TODAY).added == len(generator.blueprints())
    return path


@pytest.fixture
def url(demo_file: Path, tmp_path: Path) -> Iterator[str]:
    """The URL of a copy of this database."""
    copy = tmp_path / "service.sqlite"
    copy.write_bytes(demo_file.read_bytes())
    with few_demo_trips():
        yield f"sqlite:///{copy}"


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    """The opened copy."""
    with closing(Database(url)) as database:
        yield database


def read_contents(database: Database) -> list[Any]:
    """Return all itineraries, expected locations, and contacts."""
    statements = (
        "SELECT id, pnr, status, generated, document FROM itineraries ORDER BY id",
        "SELECT id, itinerary_id, contact_id, arrive_at, expire_at FROM expected_locations ORDER BY id",
        "SELECT id, external_id FROM contacts ORDER BY id",
    )
    with database.transaction() as connection:
        return [[tuple(row) for row in connection.execute(text(statement))] for statement in statements]


def test_a_second_start_on_the_same_day_changes_nothing(database: Database) -> None:
    """The demo is idempotent."""
    before = read_contents(database)
    assert seeding.ensure_demo(database, today=TODAY) == seeding.Seeded()
    assert read_contents(database) == before


def test_a_later_day_moves_the_dates_and_keeps_the_ids(database: Database) -> None:
    """The same itineraries, contacts and places, a day later."""
    before = read_contents(database)
    result = seeding.ensure_demo(database, today=TODAY + timedelta(days=1))
    canceled = sum(blueprint.canceled for blueprint in generator.blueprints())
    assert (result.added, result.redated, result.removed) == (0, len(generator.blueprints()) - canceled, 0)
    after = read_contents(database)
    assert [row[:4] for row in after[0]] == [row[:4] for row in before[0]]
    assert after[2] == before[2]
    shifts = Counter(new[3] - old[3] for old, new in zip(before[1], after[1], strict=True))
    assert shifts.most_common(1)[0][0] == 86_400_000


def test_changes_and_additions_of_users_are_preserved(database: Database, url: str) -> None:
    """Moving the dates does not change what a user updated, deleted, replaced or added."""
    with RunningService(demo=True, database_url=url) as service:
        http, base = service.http, "/itineraries/8800001"

        def ids(*locators: str) -> list[int]:
            criteria = {"fieldName": "pnr", "fieldValues": list(locators)}
            data = http.post("/itineraries/query/8800001", json=criteria).json()["page"]["data"]
            return [item["id"] for item in data]

        names = [blueprint.record_locator for blueprint in generator.blueprints() if not blueprint.canceled]
        updated, deleted, replaced, untouched = names[:4]
        mine = next(trip for trip in generator.trips(date(2027, 3, 1)) if trip["pnr"] == updated)
        [updated_id], [deleted_id], [replaced_id] = ids(updated), ids(deleted), ids(replaced)
        assert http.put(f"{base}/{updated_id}", json=mine).status_code == 200
        assert http.delete(f"{base}/{deleted_id}").status_code == 200
        new_id = http.post(base, json=mine | {"pnr": replaced}).json()["id"]
        added_id = http.post(base, json=mine | {"pnr": "MINE00"}).json()["id"]

        def list_locations(itinerary_id: int) -> Any:
            return http.get(f"/itineraries/expectedLocations/8800001/{itinerary_id}").json()["page"]["data"]

        before = [list_locations(identity) for identity in (updated_id, new_id, added_id)]
        old = list_locations(ids(untouched)[0])
        seeding.ensure_demo(database, today=TODAY + timedelta(days=3))
        assert [list_locations(identity) for identity in (updated_id, new_id, added_id)] == before
        assert ids(deleted) == []
        assert ids(replaced) == [new_id] != [replaced_id]
        assert list_locations(ids(untouched)[0]) != old


def test_trips_of_an_earlier_edition_are_removed(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """A later edition has other trips: unchanged old ones are removed, new ones added."""
    blueprints = generator.blueprints()
    monkeypatch.setattr(generator, "EDITION", generator.EDITION + 1)
    monkeypatch.setattr(generator, "blueprints", lambda: blueprints[10:])
    result = seeding.ensure_demo(database, today=TODAY)
    removed_count = sum(not blueprint.canceled for blueprint in blueprints[:10])
    assert (result.added, result.removed) == (0, removed_count)


def test_the_demo_password_comes_from_the_environment(
    database: Database, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MUSTER_SERVICE_DEMO_PASSWORD."""
    monkeypatch.setenv(seeding.PASSWORD_VARIABLE, "another")
    seeding.ensure_demo(database, today=TODAY)
    with RunningService(demo=True, database_url=url) as service:
        criteria = {"fieldName": "pnr", "fieldValues": ["WSVM7K"]}
        path = "/itineraries/query/8800001"
        assert service.http.post(path, json=criteria).status_code == 401
        assert service.http.post(path, json=criteria, auth=("demo", "another")).status_code == 200
