"""The false alarms of this trade: drafts that must not go out as they stand, and what the person is told of each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from domain.alerts.draft import AlertDraft
from tests.unit.alert_sending.alerts_for_sending import TEXT, a_test, an_alert

BOULDER = [80301]
SEND = re.compile(r"^(campaign |science )?Send (this|the)")
"""How the button begins that sends an alert."""


@dataclass(frozen=True)
class Alarm:
    """A false alarm: the draft as it stands, what the person sees, and what their press makes of it.

    `is_sendable` is whether a button to send it is there, which sends nothing before the place is typed; `mend` is a
    button that fixes it, and `mended` what is no longer there then.
    """

    called: str
    draft: dict[str, Any]
    sees: tuple[str, ...]
    is_sendable: bool = True
    is_test: bool = False
    mend: str = ""
    mended: str = ""

    def __repr__(self) -> str:
        return self.called

    def begun(self) -> AlertDraft:
        """A new draft of it."""
        return (a_test if self.is_test else an_alert)(**({"regions": BOULDER} | self.draft))


ALARMS = [
    Alarm("a drill sent as live", {"sms": "This is a drill. Leave now."}, ("For a test choose a routine test",)),
    Alarm(
        "a live text sent as a test",
        {"sms": TEXT},
        ("LIVE BY ITS WORDS OR LEVELS", "This test is sent with the same care as a live alert"),
        is_test=True,
    ),
    Alarm(
        "levels of an emergency on a test",
        {"urgency": "Immediate", "severity": "Extreme"},
        ("may be passed on like a real warning",),
        is_test=True,
        mend="Choose Minor and Past",
        mended="may be passed on like a real warning",
    ),
    Alarm(
        "the wrong place",
        {"sms": "Boulder Fire: Tornado in Dallas, Texas. Take shelter now. Until 6 pm."},
        ("The text says “in Dallas, Texas”, and the alert goes to 80301, CO",),
    ),
    Alarm(
        "the whole jurisdiction by accident",
        {"jurisdiction": "all", "regions": []},
        ("to: ALL of the jurisdiction", "it goes to ALL of the jurisdiction", "To send this routine test, type ALL"),
        is_test=True,
    ),
    Alarm(
        "an empty area",
        {"regions": []},
        ("It cannot be sent like this", "Choose at least one place"),
        is_sendable=False,
    ),
    Alarm(
        "the wrong end",
        {"sms": "Boulder Fire: wildfire near Boulder. Leave now, for the next 2 hours.", "hours": 12},
        ("The text says “for the next 2 hours”, and the alert lasts 12 h",),
        mend="Choose 2 h",
        mended="“for the next 2 hours”, and",
    ),
    Alarm(
        "smart quotes",
        {"sms": "Boulder Fire: wildfire near Boulder. “Leave now” by Highway 36. Until 6 pm.", "stage": "edit"},
        ("costly characters",),
        is_sendable=False,
        mend="Straighten quotes and dashes",
        mended="costly characters",
    ),
    Alarm(
        "a poor text",
        {"sms": "Xyz"},
        ("The text lacks “says who”", "The text lacks “what to do”", "The text lacks “until when”"),
    ),
    Alarm(
        "a stale draft",
        {"written_at": datetime.now(UTC) - timedelta(days=2), "sms": f"{TEXT.partition(' Until')[0]} Until 6 pm."},
        ("Written 2 d ago", "The text says “Until 6 pm”, and that is past"),
    ),
]
