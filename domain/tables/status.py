"""The statuses of records and changes: the labels, icons, and colors of their badges."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from domain.text.time_text import span


class Status(str):
    """A status as text, with the icon and the color of its badge.

    A cell of a table that holds a status is drawn as a badge; everywhere else it is its text.
    """

    icon: str
    """The name of a Material icon; "" for a status whose label begins with its mark on the map."""
    color: str
    """One of Streamlit's names of colors."""

    def __new__(cls, label: str, icon: str, color: str) -> Status:
        """Make a status of its label, icon, and color."""
        status = super().__new__(cls, label)
        status.icon, status.color = icon, color
        return status

    def with_follow_up(self, follow_up: str) -> Status:
        """Return this status with a follow-up in front: "All clear given · In force"."""
        return Status(f"{follow_up} · {self}", self.icon, self.color)

    def with_time_left(self, remaining: timedelta) -> Status:
        """Return this status with the remaining time: "In force · 3 h left"."""
        return Status(f"{self} · {span(remaining)} left", self.icon, self.color)


DRAFT: Final = Status("Draft", "edit_note", "gray")
SENDING: Final = Status("Sending", "hourglass_top", "blue")
SENT: Final = Status("Sent", "check_circle", "green")
SAVED: Final = Status("Saved", "check_circle", "green")
PARTLY_SENT: Final = Status("Partly sent", "rule", "yellow")
NOT_SENT: Final = Status("Not sent", "cloud_off", "gray")
FAILED: Final = Status("Failed", "error", "red")
UNKNOWN: Final = Status("Unknown", "help", "orange")
RESOLVED: Final = Status("Resolved", "fact_check", "gray")
PAUSING: Final = Status("Pausing", "pause_circle", "orange")
STOPPING: Final = Status("Stopping", "stop_circle", "orange")
PAUSED: Final = Status("Paused", "pause_circle", "orange")
INTERRUPTED: Final = Status("Interrupted", "power_off", "orange")
STOPPED: Final = Status("Stopped", "stop_circle", "gray")
IN_FORCE: Final = Status("In force", "campaign", "red")
TEST: Final = Status("Test", "science", "blue")
ENDED: Final = Status("Ended", "event_available", "gray")
DELETED: Final = Status("Deleted", "delete", "gray")
