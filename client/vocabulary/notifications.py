"""The vocabulary of the base notification, as far as it is known."""

from typing import Final

NOTIFICATION_TYPES: Final = ("Standard", "Polling", "Conference")
SEND_NOW: Final = "SendNow"
LAUNCH_TYPES: Final = (SEND_NOW,)

IN_PROGRESS: Final = "Inprogress"
COMPLETED: Final = "Completed"
STOPPED: Final = "Stopped"
STATUSES: Final = (IN_PROGRESS, COMPLETED, STOPPED)

ALL_EVENTS: Final = -1
"""The `notificationEventId` in a list request that means every event."""
