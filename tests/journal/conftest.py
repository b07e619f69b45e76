"""A journal on each supported database."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from sqlalchemy import Engine, create_engine, text
from sqlalchemy.engine import URL

from client.redaction import redact
from journal import Actor, Journal, JournalUnavailable
from journal.tables import metadata
from tests.conftest import empty_schema
from tests.prepared_journal import prepared_journal

ANA = Actor("Muster's own service", 8800, "ana")
BEN = Actor("Muster's own service", 8800, "ben")
STRANGER = Actor("Muster's own service", 9900, "eve")


@pytest.fixture(scope="session")
def journal_on_postgresql(postgresql_server: URL) -> Iterator[Engine]:
    """A journal that is created once and emptied for each test, because its migrations take longer than most of
    these tests.
    """
    url = empty_schema(postgresql_server)
    Journal.open(url, redact).close()
    engine = create_engine(url)
    yield engine
    engine.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def journal_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty journal on each kind of database."""
    if request.param == "sqlite":
        copy = tmp_path / "journal.sqlite"
        shutil.copyfile(prepared_journal(), copy)
        return f"sqlite:///{copy}"
    engine: Engine = request.getfixturevalue("journal_on_postgresql")
    with engine.begin() as connection:
        names = ", ".join(table.name for table in metadata.sorted_tables)
        connection.execute(text(f"TRUNCATE {names} RESTART IDENTITY CASCADE"))
    return engine.url.render_as_string(hide_password=False)


@pytest.fixture
def journal(journal_url: str) -> Iterator[Journal]:
    """An empty journal."""
    with Journal.open(journal_url, redact) as journal:
        yield journal


def raise_unavailable() -> NoReturn:
    """Raise the error of a full database, in place of a connection."""
    raise JournalUnavailable("The journal’s database has no room left on its disk.")
