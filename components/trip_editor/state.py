"""What the trip editor keeps in a browser session, each place declared once."""

from __future__ import annotations

from typing import Final

from components.shell.state import StateKey
from components.trip_editor.draft import TripDraft
from components.trip_editor.removal_words import Way
from components.trip_editor.sending import Candidate

DRAFT: Final = StateKey[TripDraft | None]("trip_editor.draft", lambda: None)
NOTE: Final = StateKey[str]("trip_editor.note", str)
SAVED: Final = StateKey[TripDraft | None]("trip_editor.saved", lambda: None)
UNDO: Final = StateKey[list[tuple[str, TripDraft]]]("trip_editor.undo", list)
SEND_ERROR: Final = StateKey[tuple[str, Exception] | None]("trip_editor.send_error", lambda: None)
JUST_SENT: Final = StateKey[str]("trip_editor.just_sent", str)
LINKED: Final = StateKey[str]("trip_editor.linked", str)
HELD: Final = StateKey[tuple[str, list[int] | Exception] | None]("trip_editor.held", lambda: None)
FOUND: Final = StateKey[tuple[str, list[Candidate] | Exception] | None]("trip_editor.found", lambda: None)
# The trip, how it was to be removed, and why that failed.
REMOVAL_ERROR: Final = StateKey[tuple[int, Way, Exception] | None]("trip_editor.removal_error", lambda: None)
