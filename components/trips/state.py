"""What the trip screens keep in a browser session, each place declared once."""

from dataclasses import dataclass
from typing import Final

from components.shell.state import StateKey
from components.trips.lookup import By


@dataclass(frozen=True)
class Query:
    """What is looked up: the text as pasted, and as what."""

    text: str
    by: By


TEXT: Final = StateKey[str]("find_trip.text", str)
BY: Final = StateKey[By]("find_trip.by", lambda: By.LOCATOR)
LONG_QUERY: Final = StateKey[Query | None]("find_trip.long_query", lambda: None)
"""A query that is too long for the URL: it lives as long as the browser session."""
