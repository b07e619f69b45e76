"""What the rosters screen keeps in a session: a draft that survives refusals, and what went wrong last."""

from __future__ import annotations

from typing import Final

from components.rosters.roster_file import RosterFile
from components.shell.state import StateKey

# The draft of a new roster.
NAME: Final = StateKey[str]("rosters-new-name", str)
TEXT: Final = StateKey[str]("rosters-new-text", str)
NAME_PROBLEM: Final = StateKey[str | None]("rosters-new-name-problem", lambda: None)
TEXT_PROBLEM: Final = StateKey[str | None]("rosters-new-text-problem", lambda: None)
# Grows with every roster made, so that the next draft starts with an empty file field.
DRAFT: Final = StateKey[int]("rosters-draft", int)
# What was read of the "text" and of the "file", each with the field it stands in and its content or id.
READ: Final = StateKey[dict[str, tuple[tuple[str, str], RosterFile]]]("rosters-read", dict)

# Changes to a roster that exists.
RENAME_PROBLEM: Final = StateKey[str | None]("rosters-rename-problem", lambda: None)
REPLACE_PROBLEM: Final = StateKey[str | None]("rosters-replace-problem", lambda: None)
FAILURE: Final = StateKey[tuple[str, Exception] | None]("rosters-failure", lambda: None)

# The roster shown beside the list stands in the URL, under the name that the map uses too.
ROSTER_IN_URL: Final = "roster"
