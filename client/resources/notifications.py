"""The notification endpoints: send a notification with a public alert, and list sent ones."""

from ..models.notifications import Notification, NotificationRequest
from ..models.public_alert_rules import Offered, notification_problems
from ..models.results import ModificationResult
from ..paging import Page, call_page
from ..retry import Effect
from ..transport import Call, Transport
from ..unwrapping import read_creation
from ..vocabulary.assets import ORGANIZATION_HEADER
from ..vocabulary.notifications import ALL_EVENTS
from .checks import flag, id_problems, page_problems, refuse

_PATH = "/notifications"


class Notifications:
    """Notifications of one organization (interface: Notifications)."""

    def __init__(self, transport: Transport, organization_id: int) -> None:
        self._transport = transport
        # ASSUMPTION A167
        self._headers = {ORGANIZATION_HEADER: str(organization_id)}

    def create(self, notification: NotificationRequest, *, offered: Offered | None = None) -> ModificationResult:
        """Send a notification. If `offered` is given, groups and regions must be in it.

        Raises `Invalid` before sending if a rule is broken. Never repeated: a second call would reach the public again.
        """
        refuse(notification_problems(notification, offered=offered), "This notification cannot be sent yet.")
        call = Call("POST", _PATH, Effect.CREATES, body=notification.to_wire(), headers=self._headers)
        return self._transport.call(call, read_creation)

    def list(
        self, *, notification_event_id: int | None = None, only_active: bool | None = None, page_number: int = 1
    ) -> Page[Notification]:
        """Return one page of the notifications, of one event (-1 or None: of all), and only those in progress if
        requested.
        """
        problems = page_problems(page_number)
        query = {}
        if notification_event_id is not None:
            if notification_event_id != ALL_EVENTS:
                problems += id_problems("notificationEventId", notification_event_id)
            query["notificationEventId"] = str(notification_event_id)
        if only_active is not None:
            query["onlyActive"] = flag(only_active)
        refuse(problems, "The list cannot be loaded.")
        call = Call("GET", _PATH, Effect.READS, query=query, headers=self._headers)
        return call_page(self._transport, call, Notification, page_number)
