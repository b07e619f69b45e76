"""The notification category endpoints: list, read, and create."""

from functools import partial

from ..models.notification_categories import NotificationCategory
from ..models.results import CreationResult
from ..paging import Page, call_page
from ..retry import Effect
from ..transport import Call, Transport
from ..unwrapping import read_acknowledgement, read_record
from .checks import id_problems, page_problems, refuse, text_problems


class NotificationCategories:
    """Notification categories of one organization: names that group notification templates (interface: Notification
    categories).
    """

    def __init__(self, transport: Transport, organization_id: int) -> None:
        self._transport = transport
        self._path = f"/notificationCategories/{organization_id}"

    def list(self, *, page_number: int = 1) -> Page[NotificationCategory]:
        """Return one page of the categories. The page number is sent under both names that services read."""
        refuse(page_problems(page_number), "The list cannot be loaded.")
        call = Call("GET", self._path, Effect.READS)
        names = ("launchPolicyId", "pageNumber")
        return call_page(self._transport, call, NotificationCategory, page_number, parameters=names)

    def retrieve(self, category_id: int) -> NotificationCategory:
        """Return the category with this ID."""
        refuse(id_problems("id", category_id), "The value is not the ID of a notification category.")
        call = Call("GET", f"{self._path}/{category_id}", Effect.READS)
        return self._transport.call(call, partial(read_record, NotificationCategory))

    def create(self, *, name: str) -> CreationResult:
        """Create a category. The interface's answer does not name its ID, which is then None. Never repeated."""
        refuse(text_problems("name", name, "Enter a name for the category."), "This category cannot be created yet.")
        call = Call("POST", self._path, Effect.CREATES, body={"name": name.strip()})
        return self._transport.call(call, read_acknowledgement)
