"""A journal on each database it supports: a SQLite file, and a real PostgreSQL server started for the run."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import psycopg
import pytest
from psycopg import sql
from sqlalchemy.engine import URL

from journal import Actor, Journal, JournalUnavailable

ANA = Actor("Muster's own service", 8800, "ana")
BEN = Actor("Muster's own service", 8800, "ben")
STRANGER = Actor("Muster's own service", 9900, "eve")


_numbers = itertools.count()


@pytest.fixture(params=["sqlite", "postgresql"])
def journal_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an empty database."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'desk' / 'journal.sqlite3'}"
        return
    # A schema of its own is as empty as a database of its own, and is there at once.
    server: URL = request.getfixturevalue("postgresql_server")
    name = f"journal_{next(_numbers)}"
    host = str(server.query["host"])
    with psycopg.connect(host=host, user=server.username, dbname=server.database, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(name)))
    yield server.update_query_dict({"options": f"-csearch_path={name}"}).render_as_string(hide_password=False)


@pytest.fixture
def journal(journal_url: str) -> Iterator[Journal]:
    """An empty journal."""
    with Journal.open(journal_url) as opened:
        yield opened


def unavailable() -> NoReturn:
    """What takes the place of a way to a database that is full."""
    raise JournalUnavailable("The journal's database has no room left on its disk.")
