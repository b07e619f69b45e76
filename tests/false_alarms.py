"""Typical false alarms: drafts that must not be sent as they are, and what the screen says about each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from domain.alerts.draft import AlertDraft
from tests.domain.alerts.sending.alerts_for_sending import TEXT, a_test, an_alert

BOULDER = [80301]
SEND = re.compile(r"^(campaign |science )?Send (this|the)")
"""The beginning of the label of the button that sends an alert."""


@dataclass(frozen=True)
class FalseAlarm:
    """A false alarm: the draft, what the screen says about it, and what the person can do.

    `is_sendable`: whether there is a button to send it, which asks to type the place first. `fix_label`: the label of a
    button that fixes it. `fixed_text`: the text that the fix removes.
    """

    name: str
    draft: dict[str, Any]
    texts: tuple[str, ...]
    is_sendable: bool = True
    is_test: bool = False
    fix_label: str = ""
    fixed_text: str = ""

    def __repr__(self) -> str:
        return self.name

    def new_draft(self) -> AlertDraft:
        """Return a new draft with these fields."""
        return (a_test if self.is_test else an_alert)(**({"regions": BOULDER} | self.draft))


ALARMS = [
    FalseAlarm("a drill sent as live", {"sms": "This is a drill. Leave now."}, ("For a test, select a routine test",)),
    FalseAlarm(
        "a live text sent as a test",
        {"sms": TEXT},
        ("This test reads like a live alert", "This test needs the same confirmation as a live alert"),
        is_test=True,
    ),
    FalseAlarm(
        "levels of an emergency on a test",
        {"urgency": "Immediate", "severity": "Extreme"},
        ("Other systems may treat a test",),
        is_test=True,
        fix_label="Change to Minor and Past",
        fixed_text="Other systems may treat a test",
    ),
    FalseAlarm(
        "the wrong place",
        {"sms": "Boulder Fire: Tornado in Dallas, Texas. Take shelter now. Until 6 pm."},
        ("The text says “in Dallas, Texas”, but the alert goes to 80301, CO",),
    ),
    FalseAlarm(
        "the whole jurisdiction by accident",
        {"jurisdiction": "all", "regions": []},
        ("To: Entire jurisdiction", "it goes to Entire jurisdiction", "To send this test, enter all"),
        is_test=True,
    ),
    FalseAlarm(
        "an empty area",
        {"regions": []},
        ("Fix these errors before you send", "Select at least one place"),
        is_sendable=False,
    ),
    FalseAlarm(
        "the wrong end",
        {"sms": "Boulder Fire: wildfire near Boulder. Leave now, for the next 2 hours.", "hours": 12},
        ("The text says “for the next 2 hours”, but the alert lasts 12 hours",),
        fix_label="Change to 2 h",
        fixed_text="“for the next 2 hours”, but",
    ),
    FalseAlarm(
        "smart quotes",
        {"sms": "Boulder Fire: wildfire near Boulder. “Leave now” by Highway 36. Until 6 pm.", "stage": "edit"},
        ("special characters",),
        is_sendable=False,
        fix_label="Replace quotes and dashes",
        fixed_text="special characters",
    ),
    FalseAlarm(
        "a poor text",
        {"sms": "Xyz"},
        ("Missing: sender", "Missing: what to do", "Missing: end time"),
    ),
    FalseAlarm(
        "a stale draft",
        {"written_at": datetime.now(UTC) - timedelta(days=2), "sms": f"{TEXT.partition(' Until')[0]} Until 6 pm."},
        ("Written 2 d ago", "The text says “Until 6 pm”, but that time has passed"),
    ),
]
