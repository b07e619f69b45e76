"""What the screen keeps in a session; what was asked for stands in the address under the same names."""

from __future__ import annotations

from datetime import date
from typing import Final

from client.vocabulary.itineraries import SEGMENT_TYPES
from components.expected_locations.time_choice import CLOCKS, MODES
from components.geography.countries import all_countries
from components.shell.address import (
    choice_field,
    choices_field,
    day_field,
    moment_field,
    optional_field,
    text_field,
)
from components.shell.state import StateKey

# The id of a roster, under the name that the screen of rosters uses too.
ROSTER: Final = optional_field("roster")
MODE: Final = choice_field("expected_time", MODES, MODES[0])
DAY: Final = day_field("expected_day")
AT: Final = moment_field("expected_at")
CLOCK: Final = choice_field("expected_clock", CLOCKS, "UTC")
KINDS: Final = choices_field("expected_kind", SEGMENT_TYPES)
COUNTRIES: Final = choices_field("expected_country", all_countries().values())
TEXT: Final = text_field("expected_find")
# Ids of places: their labels depend on which others are known.
PLACES: Final = choices_field("expected_place")
ASKED: Final = (ROSTER, MODE, DAY, AT, CLOCK, KINDS, COUNTRIES, TEXT, PLACES)

DAYS: Final = StateKey[tuple[date, date] | None]("expected.days", lambda: None)
PICKED_ON_MAP: Final = StateKey[list[str]]("expected.picked_on_map", list)
COLUMNS: Final = StateKey[list[str]]("expected.columns", list)
MAP_ROUND: Final = StateKey[int]("expected.map_round", int)
