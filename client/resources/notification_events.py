"""The notification event endpoints: list, read, and create."""

from functools import partial

from ..models.notification_events import NotificationEvent
from ..models.results import CreationResult
from ..paging import Page, read_page
from ..retry import Effect
from ..transport import Call, Transport
from ..unwrapping import read_acknowledgement, read_record
from .checks import id_problems, refuse, text_problems


class NotificationEvents:
    """Notification events of one organization: names that group notifications (interface: Notification events)."""

    def __init__(self, transport: Transport, organization_id: int) -> None:
        self._transport = transport
        self._path = f"/notificationEvents/{organization_id}"

    def list(self) -> Page[NotificationEvent]:
        """Return the events. The interface offers no other page."""
        call = Call("GET", self._path, Effect.READS)
        return self._transport.call(call, partial(read_page, NotificationEvent, number=1))

    def retrieve(self, notification_event_id: int) -> NotificationEvent:
        """Return the event with this ID."""
        refuse(id_problems("id", notification_event_id), "The value is not the ID of a notification event.")
        call = Call("GET", f"{self._path}/{notification_event_id}", Effect.READS)
        return self._transport.call(call, partial(read_record, NotificationEvent))

    def create(self, *, name: str) -> CreationResult:
        """Create an event. Its ID is None if the answer does not name it. Never repeated."""
        refuse(text_problems("name", name, "Enter a name for the event."), "This event cannot be created yet.")
        call = Call("POST", self._path, Effect.CREATES, body={"name": name.strip()})
        return self._transport.call(call, read_acknowledgement)
