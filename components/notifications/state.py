"""What the screens of notifications, events and categories keep in a browser session, each place declared once."""

from __future__ import annotations

from typing import Final

from components.notifications.named_records import NamedRecords
from components.notifications.sent import SentPage
from components.shell.state import StateKey

# Events and categories, by the noun of what is filed under.
KNOWN: Final = StateKey[dict[str, NamedRecords]]("notifications.named_records", dict)
NAME_PROBLEMS: Final = StateKey[dict[str, str]]("notifications.name_problems", dict)
FAILURES: Final = StateKey[dict[str, Exception]]("notifications.failures", dict)

# Which page of the sent notifications is shown; it stands in the URL under this name, parameters being app-wide.
PAGE: Final = StateKey[int]("notifications-page", lambda: 1)
# The page of sent notifications that was read last.
SENT: Final = StateKey[SentPage | None]("notifications.sent", lambda: None)

# What stands in the URL of the sent notifications.
EVENT_IN_URL: Final = "event"
ACTIVE_IN_URL: Final = "active"
NOTIFICATION_IN_URL: Final = "notification"
# And of events and categories.
RECORD_IN_URL: Final = "record"


def new_name_key(noun: str) -> str:
    """The key of the field a new name is typed in."""
    return f"notifications.new_name/{noun}"
