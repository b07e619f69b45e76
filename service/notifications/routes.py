"""The two notification endpoints, of which the public-alert channel is a part."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from sqlalchemy import Connection

from client.vocabulary.limits import NOTIFICATION_PAGE_SIZE
from client.vocabulary.notifications import ALL_EVENTS
from service import named_records
from service.accounts.features import require_public_alerts
from service.accounts.own_organization import ORGANIZATION_OF_SEVERAL, OwnOrganizationCaller
from service.answers import Answer
from service.area_routes import AreaRoute
from service.clock import now_ms
from service.links import collection_uri, modification_result
from service.notification_categories.schema import notification_categories
from service.notification_events.schema import notification_events
from service.notifications import repository
from service.notifications.description import notification_schema
from service.notifications.models import Notification, NotificationAnswer, status_of
from service.notifications.rules import accept, check_ids, ends_at, to_document
from service.openapi import LONG, PAGE_NUMBER, LinkedPageAnswer, ModificationResult, described, query_parameter
from service.pages import page_with_counts_inside
from service.parameters import boolean_parameter, json_body, long_parameter, page_parameter
from service.public_lookups import repository as public_lookups
from service.public_lookups.regions import CATALOG
from service.records import new_record, record_to_wire
from service.statements import Row

router = APIRouter(prefix="/notifications", tags=["notifications"], route_class=AreaRoute)

_LIST_PARAMETERS = (
    ORGANIZATION_OF_SEVERAL,
    query_parameter("onlyActive", "Only those in progress.", {"type": "boolean", "default": False}),
    query_parameter("notificationEventId", "Only those of an event; -1 stands for all.", {**LONG, "default": -1}),
    PAGE_NUMBER,
)


@router.get("/{organization_id}", include_in_schema=False)
@router.get("", **described(answer=LinkedPageAnswer[NotificationAnswer], parameters=_LIST_PARAMETERS))
async def list_notifications(request: Request, caller: OwnOrganizationCaller) -> Answer:
    """A page of what was sent, the newest first."""
    # ASSUMPTION A127: the list has the envelope of contact filters, ten a page, the newest first; without onlyActive it
    # tells all, and onlyActive tells those in progress.
    page = page_parameter(request, size=NOTIFICATION_PAGE_SIZE)
    event_id = long_parameter(request, "notificationEventId")
    only_active = boolean_parameter(request, "onlyActive", default=False)
    now = now_ms()
    rows, total = await request.app.state.database.read(
        lambda connection: repository.page(
            connection,
            caller.organization_id,
            running_at=now if only_active else None,
            notification_event_id=None if event_id == ALL_EVENTS else event_id,
            start=page.start,
            size=page.size,
        )
    )
    items = [_to_wire(row, now) for row in rows]
    filters = {name: request.query_params.get(name) for name in ("onlyActive", "notificationEventId")}
    said = urlencode({name: value for name, value in filters.items() if value})
    uri = collection_uri(request, "notifications", *request.path_params.values()) + (f"?{said}" if said else "")
    return Answer(page_with_counts_inside(page, uri, items, total))


@router.post("/{organization_id}", include_in_schema=False)
@router.post(
    "", **described(answer=ModificationResult, body=notification_schema(), parameters=(ORGANIZATION_OF_SEVERAL,))
)
async def create(request: Request, caller: OwnOrganizationCaller) -> Answer:
    """Send a notification; sent twice, it goes out twice."""
    body = await json_body(request)
    database = request.app.state.database
    if _has_public_message(body):
        await database.read(lambda connection: require_public_alerts(connection, caller))
    notification = accept(body)
    names_regions = notification.public_alert is not None and notification.public_alert.region_ids
    regions = (await CATALOG.regions()).ids if names_regions else frozenset()

    def work(connection: Connection) -> int:
        _check_ids(connection, caller.organization_id, notification, regions)
        record = new_record(caller)
        return repository.add(
            connection,
            {
                **record,
                "document": to_document(notification),
                "notification_event_id": notification.notification_event_id,
                "ends_at": ends_at(notification, record["created_at"]),
                "stopped": False,
            },
        )

    notification_id = await database.write(work)
    return Answer(modification_result(request, "notifications", caller.organization_id, notification_id))


def _has_public_message(body: Any) -> bool:
    return isinstance(body, dict) and body.get("publicMessages") is not None


def _check_ids(
    connection: Connection, organization_id: int, notification: Notification, regions: frozenset[int]
) -> None:
    check_ids(
        notification,
        event_groups={group["id"] for group in public_lookups.list_groups(connection, organization_id)},
        regions=regions,
        is_event=lambda number: (
            named_records.find(connection, notification_events, organization_id, number) is not None
        ),
        is_category=lambda number: (
            named_records.find(connection, notification_categories, organization_id, number) is not None
        ),
    )


def _to_wire(row: Row, now: int) -> dict[str, Any]:
    status = status_of(ends_at=row.ends_at, stopped=row.stopped, now=now)
    return {**record_to_wire(row), "notificationStatus": status, **row.document}
