"""What sending an alert keeps in a browser session. Nothing of it is needed to know what became of one."""

from __future__ import annotations

from typing import Final

from components.alert_sending.countdown import Countdown
from components.shell.state import StateKey

COUNTDOWN: Final = StateKey[Countdown | None]("public_alerts.countdown", lambda: None)
DECISION: Final = StateKey[tuple[str, Exception] | None]("public_alerts.decision", lambda: None)
# The handover that was to be turned down without a word.
UNSAID: Final = StateKey[str | None]("public_alert_approval.unsaid", lambda: None)


def note_on(handover_id: str) -> StateKey[str | None]:
    """What is to be changed in what was handed over: a note begun on one alert is not for another."""
    return StateKey(f"public_alert_approval.note/{handover_id}", lambda: None)
