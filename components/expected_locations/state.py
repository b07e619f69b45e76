"""What the screen keeps in a session. Those bound to a widget stand in the address under the same name."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

from components.shell.state import StateKey

ROSTER: Final = StateKey[str | None]("expected_roster", lambda: None)
MODE: Final = StateKey[str]("expected_time", lambda: "Now")
DAY: Final = StateKey[date | None]("expected_day", lambda: None)
AT: Final = StateKey[datetime | None]("expected_at", lambda: None)
CLOCK: Final = StateKey[str]("expected_clock", lambda: "UTC")
KINDS: Final = StateKey[list[str]]("expected_kind", list)
COUNTRIES: Final = StateKey[list[str]]("expected_country", list)
TEXT: Final = StateKey[str]("expected_find", str)
PLACES: Final = StateKey[list[str]]("expected_place", list)

DAYS: Final = StateKey[tuple[date, date] | None]("expected.days", lambda: None)
PICKED_ON_MAP: Final = StateKey[list[str]]("expected.picked_on_map", list)
COLUMNS: Final = StateKey[list[str]]("expected.columns", list)
MAP_ROUND: Final = StateKey[int]("expected.map_round", int)
