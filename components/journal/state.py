"""What the journal screen keeps in a session; the names of filters are their names in the URL."""

from __future__ import annotations

from datetime import date
from typing import Final

from components.journal.period import ALL_TIME
from components.shell.state import StateKey

TEXT: Final = StateKey[str]("journal-text", str)
PERSON: Final = StateKey[str | None]("journal-person", lambda: None)
ACTION: Final = StateKey[str | None]("journal-action", lambda: None)
OUTCOME: Final = StateKey[str | None]("journal-outcome", lambda: None)
PERIOD: Final = StateKey[str]("journal-period", lambda: ALL_TIME)
FIRST_DAY: Final = StateKey[date | None]("journal-from", lambda: None)
LAST_DAY: Final = StateKey[date | None]("journal-to", lambda: None)
PAGE: Final = StateKey[int]("journal-page", lambda: 1)

# The entry that other filters drove out of the list. It may stay in the URL: a run that changes the URL by itself
# would undo what the browser wrote there for the filter at the same moment.
LET_GO: Final = StateKey[str | None]("journal-let-go", lambda: None)

# The entry shown beside the list stands in the URL only.
ENTRY_IN_URL: Final = "entry"
