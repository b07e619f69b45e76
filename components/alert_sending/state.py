"""What sending an alert keeps in a browser session. Nothing of it is needed to know what became of one."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from components.alert_sending.countdown import Countdown
from components.alert_sending.lost_answer import Looked
from components.shell.state import StateKey

COUNTDOWN: Final = StateKey[Countdown | None]("public_alerts.countdown", lambda: None)
SEND_ERROR: Final = StateKey[tuple[str, Exception] | None]("public_alerts.send_error", lambda: None)
CHANGED: Final = StateKey[tuple[str, str] | None]("public_alerts.changed", lambda: None)
STOPPED: Final = StateKey[tuple[str, datetime] | None]("public_alerts.stopped", lambda: None)
FOUND: Final = StateKey[tuple[str, Looked | Exception] | None]("public_alerts.found", lambda: None)
DECISION: Final = StateKey[tuple[str, Exception] | None]("public_alerts.decision", lambda: None)
NOTE: Final = StateKey[str | None]("public_alert_approval.note", lambda: None)
UNSAID: Final = StateKey[bool]("public_alert_approval.unsaid", bool)
