"""What the trip screens keep in a browser session, each place declared once."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from components.shell.state import StateKey
from components.trips.lookup import By, LookedUp


@dataclass(frozen=True)
class Query:
    """What is looked up: the text as pasted, and as what."""

    text: str
    by: By


@dataclass(frozen=True)
class Outcome:
    """What a look-up gave, for which query on which connection, and when."""

    query: Query
    connection: str
    looked_up: tuple[LookedUp, ...]
    at: datetime


TEXT: Final = StateKey[str]("find_trip.text", str)
BY: Final = StateKey[By]("find_trip.by", lambda: By.LOCATOR)
LONG_QUERY: Final = StateKey[Query | None]("find_trip.long_query", lambda: None)
"""A query that is too long for the URL: it lives as long as the browser session."""
OUTCOME: Final = StateKey[Outcome | None]("find_trip.outcome", lambda: None)
