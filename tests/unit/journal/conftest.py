"""A journal on each database it supports."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from sqlalchemy import make_url

from client.redaction import redact
from journal import Actor, Journal, JournalUnavailable
from tests.prepared_journal import new_journal

ANA = Actor("Muster's own service", 8800, "ana")
BEN = Actor("Muster's own service", 8800, "ben")
STRANGER = Actor("Muster's own service", 9900, "eve")


@pytest.fixture
def journal(empty_database: str) -> Iterator[Journal]:
    """An empty journal."""
    url = make_url(empty_database)
    is_file = url.get_backend_name() == "sqlite"
    with new_journal(Path(url.database or "")) if is_file else Journal.open(empty_database, redact) as opened:
        yield opened


def unavailable() -> NoReturn:
    """What takes the place of a way to a database that is full."""
    raise JournalUnavailable("The journal's database has no room left on its disk.")
