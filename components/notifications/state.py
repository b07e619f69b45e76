"""What the screens of notifications, events and categories keep in a browser session, each place declared once."""

from __future__ import annotations

from typing import Final

from components.notifications.named_records import NamedRecords
from components.notifications.sent import LookedFor, SentPage
from components.shell.address import page_field
from components.shell.state import StateKey

# Which page of the sent notifications is shown; it stands in the URL under this name, parameters being app-wide.
PAGE: Final = page_field("notifications-page")
# The page of sent notifications that was read last.
SENT: Final = StateKey[SentPage | None]("notifications.sent", lambda: None)
# The one that an address named and that was looked for on other pages.
ELSEWHERE: Final = StateKey[LookedFor | None]("notifications.elsewhere", lambda: None)

# What stands in the URL of the sent notifications.
EVENT_IN_URL: Final = "event"
ACTIVE_IN_URL: Final = "active"
NOTIFICATION_IN_URL: Final = "notification"
# And of events and categories.
RECORD_IN_URL: Final = "record"


# Events and categories have places of their own, by the noun of what is filed under.


def known_key(noun: str) -> StateKey[NamedRecords | None]:
    """The records as they were read last; None where they are to be read."""
    return StateKey(f"notifications.known/{noun}", lambda: None)


def new_name_key(noun: str) -> StateKey[str | None]:
    """The name of a new one as it is typed."""
    return StateKey(f"notifications.new_name/{noun}", lambda: None)


def name_problem_key(noun: str) -> StateKey[str | None]:
    """What is wrong with the name that was to be created."""
    return StateKey(f"notifications.name_problem/{noun}", lambda: None)


def failure_key(noun: str) -> StateKey[Exception | None]:
    """What went wrong with the last creation, other than its name."""
    return StateKey(f"notifications.failure/{noun}", lambda: None)
