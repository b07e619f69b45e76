"""What the public alert screens keep in a browser session, each place declared once."""

from __future__ import annotations

from typing import Any, Final

from components.public_alerts.draft import AlertDraft
from components.shell.state import StateKey

# The editor's own place for it: what it shows is the draft that the region picker writes into.
DRAFT: Final = StateKey[AlertDraft | None]("public_alert.draft", lambda: None)
EVENT_NOTE: Final = StateKey[tuple[str, str] | None]("public_alerts.event_note", lambda: None)
STEPS: Final = StateKey[list[tuple[str, str, dict[str, Any]]]]("public_alerts.steps", list)
WORDING_ERROR: Final = StateKey[tuple[str, Exception] | None]("public_alerts.wording_error", lambda: None)
REVIEW_ASKED: Final = StateKey[list[str]]("public_alerts.review_asked", list)
READY_ASKED: Final = StateKey[list[tuple[str, int]]]("public_alerts.ready_asked", list)
READY_ERROR: Final = StateKey[tuple[str, Exception] | None]("public_alerts.ready_error", lambda: None)
