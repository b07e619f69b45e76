"""The words of the base notification, as far as they are known beside the public channel."""

from typing import Final

NOTIFICATION_TYPES: Final = ("Standard", "Polling", "Conference")
SEND_NOW: Final = "SendNow"
LAUNCH_TYPES: Final = (SEND_NOW,)

IN_PROGRESS: Final = "Inprogress"
COMPLETED: Final = "Completed"
STOPPED: Final = "Stopped"
STATUSES: Final = (IN_PROGRESS, COMPLETED, STOPPED)

ALL_EVENTS: Final = -1
"""The value of `notificationEventId` in a list request that stands for every event."""
