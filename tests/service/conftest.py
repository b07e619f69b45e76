"""A fresh service on each supported database: a SQLite file, and the run's PostgreSQL server."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from psycopg import sql
from sqlalchemy.engine import URL

from service.demo import generator
from tests.running_service import RunningService, prepare

_numbers = itertools.count()


@contextmanager
def few_demo_trips() -> Iterator[None]:
    """The demo organization with a tenth of its trips, which is fast to create and to move to another day."""
    few = generator.blueprints()[:150]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(generator, "blueprints", lambda: few)
        yield


def create_database(server: URL, name: str, *, template: str | None = None) -> str:
    """Create a database on the server, empty or as a copy of another. Returns its URL."""
    statement = sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name))
    if template is not None:
        statement += sql.SQL(" TEMPLATE {}").format(sql.Identifier(template))
    _execute(server, statement)
    return server.set(database=name).render_as_string(hide_password=False)


def _execute(server: URL, statement: sql.Composable) -> None:
    host = str(server.query["host"])
    with psycopg.connect(host=host, user=server.username, dbname=server.database, autocommit=True) as connection:
        connection.execute(statement)


@pytest.fixture(scope="session")
def postgresql_template(postgresql_server: URL) -> str:
    """The name of a database with the tests' organizations and user, to copy."""
    name = "service_prepared"
    prepare(create_database(postgresql_server, name))
    return name


@pytest.fixture
def postgresql_service_url(postgresql_server: URL, postgresql_template: str) -> Iterator[str]:
    """The URL of a fresh database with the tests' organizations and user."""
    name = f"service_{next(_numbers)}"
    yield create_database(postgresql_server, name, template=postgresql_template)
    # There is no room for all of them in memory.
    _execute(postgresql_server, sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture(params=["sqlite", "postgresql"])
def any_service(request: pytest.FixtureRequest) -> Iterator[RunningService]:
    """A fresh service with an empty organization, on each kind of database."""
    url = request.getfixturevalue("postgresql_service_url") if request.param == "postgresql" else None
    with RunningService(database_url=url) as service:
        yield service
