"""The three notification event endpoints."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from service import records_by_name
from service.accounts.authentication import AnyCaller
from service.dependencies import DatabaseOfApplication
from service.field_types import IdText
from service.notification_events.schema import notification_events
from service.pages import PageRequest
from service.records_by_name import NamedRecord, NameWrapper
from service.request_body import BodyRoute
from service.responses import NAME_TAKEN, NOT_FOUND, ModificationResult, PageResponse, Result, modification_result

AREA = "notificationEvents"
router = APIRouter(prefix=f"/{AREA}", tags=["notification events"], route_class=BodyRoute)

_EVENT = "notification event"


@router.get("/{organization_id}", response_model=PageResponse[NamedRecord])
async def list_events(caller: AnyCaller, database: DatabaseOfApplication) -> Any:
    """Return every event of the organization, on one page."""
    # ASSUMPTION A121: the list has no paging parameters, so all events are on one page of any size.
    page = PageRequest(1, None)
    return page.response(
        await database.look_up(records_by_name.page, notification_events, caller.organization_id, page)
    )


@router.get("/{organization_id}/{notification_event_id}", response_model=Result[NamedRecord], responses=NOT_FOUND)
async def retrieve(caller: AnyCaller, database: DatabaseOfApplication, notification_event_id: IdText) -> Any:
    """Return one event."""
    organization_id, event_id = caller.organization_id, notification_event_id
    return {
        "result": await database.look_up(
            records_by_name.require, notification_events, organization_id, event_id, _EVENT
        )
    }


@router.post("/{organization_id}", responses=NAME_TAKEN)
async def create(
    request: Request, caller: AnyCaller, database: DatabaseOfApplication, wrapper: NameWrapper
) -> ModificationResult:
    """Add an event."""
    event_id = await database.write(
        records_by_name.add_under_new_name, notification_events, caller, wrapper.name, _EVENT
    )
    return modification_result(request, AREA, caller.organization_id, event_id)
