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
# The handover that was to be turned down without a word.
UNSAID: Final = StateKey[str | None]("public_alert_approval.unsaid", lambda: None)


def note_on(handover_id: str) -> StateKey[str | None]:
    """What is to be changed in what was handed over: a note begun on one alert is not for another."""
    return StateKey(f"public_alert_approval.note/{handover_id}", lambda: None)
