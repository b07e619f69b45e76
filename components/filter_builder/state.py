"""What the rule builder keeps in a browser session beside the draft: what it learnt and told."""

from __future__ import annotations

from typing import Final

from components.shell.state import StateKey

# Whose filters the ids of contact fields were learnt from, and the ids by column.
FIELD_IDS: Final[StateKey[tuple[str, dict[str, int]] | None]] = StateKey("contact_filters.field_ids", lambda: None)
# What was wrong with JSON that was opened, for the draft of this name: why it could not be opened, or notes on rules.
JSON_NOTES: Final[StateKey[tuple[str, str | None, list[tuple[int, str]]] | None]] = StateKey(
    "contact_filters.json_notes", lambda: None
)
# Counts what was done from something that opens: under another key it is drawn anew, and closed.
CLOSED: Final = StateKey[int]("contact_filters.closed", int)
