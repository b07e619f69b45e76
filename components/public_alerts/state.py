"""What the public alert screens keep in a browser session, each place declared once."""

from __future__ import annotations

from typing import Any, Final

from components.public_alerts.draft import AlertDraft
from components.shell.state import StateKey

DRAFT: Final = StateKey[AlertDraft | None]("public_alerts.draft", lambda: None)
SAVED: Final = StateKey[AlertDraft | None]("public_alerts.saved", lambda: None)
LINKED: Final = StateKey[str]("public_alerts.linked", str)
NOTE: Final = StateKey[str]("public_alerts.note", str)
EVENT_NOTE: Final = StateKey[tuple[str, str] | None]("public_alerts.event_note", lambda: None)
STEPS: Final = StateKey[list[tuple[str, str, dict[str, Any]]]]("public_alerts.steps", list)
WORDING_ERROR: Final = StateKey[tuple[str, Exception] | None]("public_alerts.wording_error", lambda: None)
SENT: Final = StateKey[frozenset[str]]("public_alerts.sent", frozenset)
REVIEW_ASKED: Final = StateKey[list[str]]("public_alerts.review_asked", list)
READY_ASKED: Final = StateKey[list[tuple[str, int]]]("public_alerts.ready_asked", list)
READY_ERROR: Final = StateKey[tuple[str, Exception] | None]("public_alerts.ready_error", lambda: None)
