"""What the rosters screen keeps in a session: a draft that survives refusals, and what went wrong last."""

from __future__ import annotations

from typing import Final

from components.shell.state import StateKey

# The draft of a new roster.
NAME: Final = StateKey[str]("rosters-new-name", str)
NAME_PROBLEM: Final = StateKey[str | None]("rosters-new-name-problem", lambda: None)
TEXT_PROBLEM: Final = StateKey[str | None]("rosters-new-text-problem", lambda: None)

# Changes to a roster that exists.
RENAME_PROBLEM: Final = StateKey[str | None]("rosters-rename-problem", lambda: None)
REPLACE_PROBLEM: Final = StateKey[str | None]("rosters-replace-problem", lambda: None)
FAILURE: Final = StateKey[tuple[str, Exception] | None]("rosters-failure", lambda: None)

# The roster shown beside the list stands in the URL, under the name that the map uses too.
ROSTER_IN_URL: Final = "roster"
