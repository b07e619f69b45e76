"""The service as an object: one connection, and one resource per area."""

from types import TracebackType
from typing import Any, Self

import httpx

from .clock import Clock
from .connection import Connection
from .credentials import Credentials
from .resources.assets import Assets
from .resources.contact_filters import ContactFilters
from .resources.crisis_templates import CrisisTemplates
from .resources.dynamic_locations import DynamicLocations
from .resources.itineraries import Itineraries
from .resources.lookup_mappings import LookupMappings
from .resources.notification_categories import NotificationCategories
from .resources.notification_events import NotificationEvents
from .resources.notifications import Notifications
from .resources.public_lookups import PublicLookups
from .resources.shape_library import ShapeLibrary
from .retry import RetryPolicy
from .transport import Timeouts, Transport


class ServiceClient:
    """A client of one service for one user and one organization. Safe to use from many threads.

    >>> with ServiceClient("https://service.example", 8800, "ana", password) as client:
    ...     page = client.itineraries.search(field_name="pnr", values=["WSVM7K"])

    `rate_limit` is in requests per second and shared by all clients of the same connection in this process. `timeout`
    is in seconds, or a `Timeouts`. `token` is the access token (JWT) that lookup mappings require. Assets use it if
    `assets_by_token` is true, or if there is no user.
    """

    connection: Connection
    itineraries: Itineraries
    contact_filters: ContactFilters
    notifications: Notifications
    public_lookups: PublicLookups
    lookup_mappings: LookupMappings
    notification_events: NotificationEvents
    notification_categories: NotificationCategories
    assets: Assets
    shape_library: ShapeLibrary
    crisis_templates: CrisisTemplates
    dynamic_locations: DynamicLocations

    def __init__(
        self,
        base_url: str,
        organization_id: int,
        username: str,
        password: str,
        *,
        token: str | None = None,
        assets_by_token: bool = False,
        rate_limit: float | None = None,
        max_connections: int = 16,
        timeout: Timeouts | float | None = None,
        retry: RetryPolicy | None = None,
        transport: httpx.BaseTransport | None = None,
        clock: Clock | None = None,
    ) -> None:
        if not isinstance(organization_id, int) or isinstance(organization_id, bool) or organization_id < 1:
            raise ValueError("An organization ID is a whole number above 0.")
        self.connection = Connection(base_url, organization_id, username, password, token)
        if not isinstance(timeout, Timeouts | None):
            usual = Timeouts()
            total = usual.total + max(0.0, timeout - usual.read)
            timeout = Timeouts(timeout, timeout, timeout, max(timeout, usual.pool), total)
        self._transport = Transport(
            self.connection,
            rate_limit=rate_limit,
            max_connections=max_connections,
            timeouts=timeout,
            retry=retry,
            transport=transport,
            clock=clock,
        )
        self.itineraries = Itineraries(self._transport, organization_id)
        self.contact_filters = ContactFilters(self._transport, organization_id)
        self.notifications = Notifications(self._transport, organization_id)
        self.public_lookups = PublicLookups(self._transport, organization_id)
        self.lookup_mappings = LookupMappings(self._transport, organization_id)
        self.notification_events = NotificationEvents(self._transport, organization_id)
        self.notification_categories = NotificationCategories(self._transport, organization_id)
        self.assets = Assets(
            self._transport, organization_id, Credentials.TOKEN if assets_by_token else Credentials.EITHER
        )
        self.shape_library = ShapeLibrary(self._transport, organization_id)
        self.crisis_templates = CrisisTemplates(self._transport, organization_id)
        self.dynamic_locations = DynamicLocations(self._transport, organization_id)

    @classmethod
    def connect(cls, connection: Connection, **options: Any) -> Self:
        """Return a client for a connection. The options are those of the constructor."""
        return cls(
            connection.base_url,
            connection.organization_id,
            connection.username,
            connection.password,
            token=connection.token,
            **options,
        )

    def check_access(self) -> None:
        """Check that the service can be reached and lets this user read trips of this organization.

        Makes one cheap read, repeated at most once, which must be answered with a page. Raises `NotAuthenticated` for a
        wrong user or password, `NotAllowed` for an organization without access, `TransportError` if the service cannot
        be reached, and another `ServiceError` if the address does not belong to the service.
        """
        self.itineraries.probe()

    def close(self) -> None:
        """Close all connections to the service."""
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exception_type: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        connection = self.connection
        return (
            f"{type(self).__name__}({connection.base_url!r}, organization {connection.organization_id}, "
            f"user {connection.username!r})"
        )
