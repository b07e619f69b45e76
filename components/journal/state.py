"""What the journal screen keeps in a session; the names of filters are their names in the URL."""

from __future__ import annotations

from typing import Final

from components.journal.period import ALL_TIME, PERIODS
from components.shell.address import choice_field, day_field, optional_field, page_field, text_field

TEXT: Final = text_field("journal-text")
PERSON: Final = optional_field("journal-person")
ACTION: Final = optional_field("journal-action")
OUTCOME: Final = optional_field("journal-outcome")
PERIOD: Final = choice_field("journal-period", PERIODS, ALL_TIME)
FIRST_DAY: Final = day_field("journal-from")
LAST_DAY: Final = day_field("journal-to")
PAGE: Final = page_field("journal-page")
NARROWED_BY: Final = (TEXT, PERSON, ACTION, OUTCOME, PERIOD, FIRST_DAY, LAST_DAY, PAGE)

# The entry shown beside the list stands in the URL only.
ENTRY_IN_URL: Final = "entry"
