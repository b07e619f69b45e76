"""Reads put to the driver itself: the same rows as through the engine, on each database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from fastapi import APIRouter, Request, Response
from psycopg import ProgrammingError
from sqlalchemy import bindparam, insert, select, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import OperationalError

from service.accounts.authentication import Caller
from service.area_routes import AreaRoute
from service.assets.schema import assets
from service.crisis_templates.models import template_row
from service.crisis_templates.schema import crisis_templates
from service.database import Database
from service.lookup_mappings.models import Search
from service.lookup_mappings.repository import search
from service.schema import facts
from service.statements import PreparedPage, PreparedSelect, numbered, one_of, stored_json
from tests.running_service import prepared_database


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A fresh database of each kind, with the tests' organization."""
    if request.param == "postgresql":
        url = request.getfixturevalue("postgresql_service_url")
    else:
        (tmp_path / "a.sqlite").write_bytes(prepared_database().read_bytes())
        url = f"sqlite:///{tmp_path / 'a.sqlite'}"
    with closing(Database(url)) as opened:
        yield opened


def test_rows_are_those_the_engine_gives(database: Database) -> None:
    """JSON, booleans, numbers with fractions, texts of all kinds, and what is absent."""
    caller = Caller(1, "ana", "Ana Silva", 8800)
    template: dict[str, Any] = template_row(
        caller,
        identity="t",
        name="Zoë 🌍 %s :a",
        title='"',
        description="",
        event_type="x",
        folder=("f", None),
        created_at=1,
        modified_at=2**53 + 1,
        file_ids=["é", 1, 0.1, None, {"a": [True]}],
        dashboard_template_ids=[],
    )
    site: dict[str, Any] = {"id": "s", "organization_id": 8800, "status": "A", "external_id": "x", "name": ""}
    site |= {"asset_type_id": "a", "document": {}, "latitude": 0.1 + 0.2, "longitude": -179.99999999999997}
    site |= dict.fromkeys(("created_at", "created_by", "modified_at", "modified_by"), 1)
    with database.transaction() as connection:
        connection.execute(insert(crisis_templates), [template])
        connection.execute(insert(assets), [site])
        for table in (crisis_templates, assets):
            for row, prepared in zip(
                connection.execute(select(table)).all(), PreparedSelect(select(table)).all(connection, {}), strict=True
            ):
                assert prepared == tuple(row)
                assert prepared._fields == tuple(row._fields)
                assert [type(value) for value in prepared] == [type(value) for value in row]


def test_pages_are_whole_and_counted_only_where_their_length_does_not_tell(database: Database) -> None:
    """The first, the last, one beyond the end."""
    with database.transaction() as connection:
        connection.execute(insert(facts), [{"name": f"fact {number}", "value": "x"} for number in range(5)])
        listed = PreparedPage(select(facts.c.name).where(facts.c.value == bindparam("value")).order_by(facts.c.name))
        slices = [(0, 2, "01"), (2, 2, "23"), (4, 2, "4"), (6, 2, ""), (0, 5, "01234"), (0, 9, "01234")]
        for start, size, names in slices:
            rows, total = listed.read(connection, {"value": "x"}, start=start, size=size)
            assert ([row.name for row in rows], total) == ([f"fact {number}" for number in names], 5)
        assert listed.read(connection, {"value": "y"}, start=0, size=2) == ([], 0)


@pytest.mark.parametrize("wanted", [[], ["a"], ["a", "c", "%"]])
def test_one_of_several_values(database: Database, wanted: list[str]) -> None:
    """As many as are given; none of them is found where none is given."""
    found = PreparedSelect(select(facts.c.value).where(one_of(facts.c.name, "name", len(wanted))))
    with database.transaction() as connection:
        connection.execute(insert(facts), [{"name": name, "value": name} for name in "abc"])
        rows = found.all(connection, numbered("name", wanted))
        assert {row.value for row in rows} == set(wanted) & set("abc")
        assert found.scalar(connection, numbered("name", wanted)) in {*wanted, None}


def test_a_search_for_no_group_and_no_value_finds_nothing(database: Database) -> None:
    """Such as `groups=,` makes."""
    nothing = Search(frozenset(), [("city", frozenset())], newest_first=True, page_number=1, page_size=20)
    with database.transaction() as connection:
        assert search(connection, 8800, nothing) == ([], 0)


def test_a_value_that_is_not_given_is_no_null(database: Database) -> None:
    """It is a mistake of whoever wrote the read."""
    found = PreparedSelect(select(facts.c.value).where(facts.c.name == bindparam("name")))
    with database.transaction() as connection, pytest.raises((KeyError, ProgrammingError), match="name"):
        found.all(connection, {})


def test_text_that_depends_on_values_is_refused(database: Database) -> None:
    """Such a read belongs to the engine, or is prepared for each number of values."""
    with database.transaction() as connection, pytest.raises(TypeError, match="text does not depend"):
        PreparedSelect(select(facts).where(facts.c.name.in_(["a", "b"]))).all(connection, {})


def test_an_error_of_the_driver_is_raised_as_the_engine_raises_it(tmp_path: Path) -> None:
    """So that a database that is busy or gone is answered with 503."""
    with closing(Database(f"sqlite:///{tmp_path / 'a.sqlite'}")) as database, database.transaction() as connection:
        connection.execute(text("DROP TABLE facts"))
        with pytest.raises(OperationalError, match="no such table"):
            PreparedSelect(select(facts)).all(connection, {})


@pytest.mark.parametrize(
    ("stored", "value"), [('{"a": [1]}', {"a": [1]}), ('"\\ud800"', "\ud800"), (b"[1.5]", [1.5]), ("null", None)]
)
def test_stored_json_is_read_whatever_it_holds(stored: str | bytes, value: Any) -> None:
    """Half of a surrogate pair too."""
    assert stored_json(stored) == value


def shown(url: URL) -> str:
    """A URL as a text."""
    return url.render_as_string(hide_password=False)


def test_an_endpoint_that_takes_more_than_request_and_caller_is_refused() -> None:
    """Its parameters would not be read."""
    router = APIRouter(route_class=AreaRoute)

    async def endpoint(request: Request, number: int) -> Response:
        raise NotImplementedError

    with pytest.raises(TypeError, match="endpoint takes more"):
        router.get("/a")(endpoint)
