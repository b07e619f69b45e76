"""The two notification endpoints, which include public alerts."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import urlencode

import anyio.to_thread
from fastapi import APIRouter, Query, Request
from sqlalchemy import Connection

from client.vocabulary.limits import NOTIFICATION_PAGE_SIZE
from client.vocabulary.notifications import ALL_EVENTS
from service import records_by_name
from service.accounts.authentication import OwnOrganizationCaller, require_public_alerts
from service.accounts.models import Caller
from service.dependencies import DatabaseOfApplication
from service.epoch import now_ms
from service.field_types import blank_is
from service.notification_categories.schema import notification_categories
from service.notification_events.schema import notification_events
from service.notifications import repository
from service.notifications.models import Notification, NotificationResponse
from service.notifications.rules import check_offered, new_notification, status_of
from service.pages import PageRequest
from service.parameters import OptionalLong, PageNumber
from service.public_lookups import repository as public_lookups
from service.public_lookups.us_regions import list_regions
from service.request_body import BodyRoute, invalid_field
from service.responses import ModificationResult, PageResponse, collection_uri, modification_result

AREA = "notifications"
router = APIRouter(prefix=f"/{AREA}", tags=["notifications"], route_class=BodyRoute)

OnlyActive = Annotated[bool, blank_is(False), Query(alias="onlyActive", description="Only those in progress.")]
OfEvent = Annotated[
    OptionalLong, Query(alias="notificationEventId", description="Only those of an event; -1 stands for all.")
]


@router.get("/{organization_id}", include_in_schema=False, response_model=PageResponse[NotificationResponse])
@router.get("", response_model=PageResponse[NotificationResponse])
async def list_notifications(
    request: Request,
    caller: OwnOrganizationCaller,
    database: DatabaseOfApplication,
    only_active: OnlyActive = False,
    event_id: OfEvent = None,
    page_number: PageNumber = 1,
) -> Any:
    """Return a page of sent notifications, the newest first."""
    # ASSUMPTION A127: the list has the envelope of contact filters, ten per page, the newest first; all notifications,
    # or with onlyActive those in progress.
    page = PageRequest(page_number, NOTIFICATION_PAGE_SIZE)
    now = now_ms()
    rows, total = await database.look_up(
        repository.page,
        caller.organization_id,
        page,
        running_at=now if only_active else None,
        notification_event_id=None if event_id == ALL_EVENTS else event_id,
    )
    items = [{**row._mapping, **row.document, "notification_status": _status(row, now)} for row in rows]
    filters = {name: request.query_params.get(name) for name in ("onlyActive", "notificationEventId")}
    query_text = urlencode({name: value for name, value in filters.items() if value})
    uri = collection_uri(request, AREA, *request.path_params.values()) + (f"?{query_text}" if query_text else "")
    return page.response((items, total), uri)


@router.post("/{organization_id}", include_in_schema=False)
@router.post("")
async def create(
    request: Request, caller: OwnOrganizationCaller, database: DatabaseOfApplication, notification: Notification
) -> ModificationResult:
    """Send a notification. Two calls send two notifications."""
    if notification.public_messages is not None:
        await require_public_alerts(database, caller)
    names_regions = notification.public_alert is not None and notification.public_alert.region_ids
    regions = (await anyio.to_thread.run_sync(list_regions)).ids if names_regions else frozenset()
    notification_id = await database.write(_add, caller, notification, regions)
    return modification_result(request, AREA, caller.organization_id, notification_id)


def _add(connection: Connection, caller: Caller, notification: Notification, regions: frozenset[int]) -> int:
    organization_id, event_id = caller.organization_id, notification.notification_event_id
    for field, what, table, number in (
        ("notificationEventId", "notification event", notification_events, event_id),
        ("categoryId", "notification category", notification_categories, notification.category_id),
    ):
        if number is not None and records_by_name.find(connection, table, organization_id, number) is None:
            raise invalid_field(field, f"there is no such {what}")
    event_groups = {group.id for group in public_lookups.list_groups(connection, organization_id)}
    check_offered(notification, event_groups=event_groups, regions=regions)
    return repository.add(connection, new_notification(caller, notification, at=now_ms()))


def _status(row: Any, now: int) -> str:
    return status_of(ends_at=row.ends_at, stopped=row.stopped, now=now)
