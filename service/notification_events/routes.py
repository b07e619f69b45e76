"""The three notification event endpoints."""

from __future__ import annotations

from fastapi import APIRouter, Request

from service import named_records
from service.accounts.authentication import AnyCaller
from service.answers import Answer
from service.area_routes import AreaRoute
from service.links import modification_result
from service.named_records import NAME_BODY, NamedRecordAnswer
from service.notification_events.schema import notification_events
from service.openapi import ORGANIZATION, ModificationResult, PageAnswer, ResultAnswer, described, path_parameter
from service.parameters import as_long, json_body

router = APIRouter(prefix="/notificationEvents", tags=["notification events"], route_class=AreaRoute)

_EVENT = "notification event"


@router.get("/{organization_id}", **described(answer=PageAnswer[NamedRecordAnswer]))
async def list_events(request: Request, caller: AnyCaller) -> Answer:
    """Every event of the organization, on one page."""
    rows, total = await request.app.state.database.read(
        lambda connection: named_records.page(connection, notification_events, caller.organization_id)
    )
    # ASSUMPTION A121: the list takes no paging parameters, so all events are on one page, as large as it needs to be.
    counts = {"start": 0, "totalCount": total, "totalPageCount": min(total, 1), "currentPageNo": 1}
    data = [named_records.to_wire(row) for row in rows]
    return Answer({"message": "OK", "page": {"pageSize": total, "data": data, **counts}})


@router.get(
    "/{organization_id}/{notification_event_id}",
    **described(
        answer=ResultAnswer[NamedRecordAnswer],
        parameters=(ORGANIZATION, path_parameter("notification_event_id", "The event.")),
        not_found=True,
    ),
)
async def retrieve(request: Request, caller: AnyCaller) -> Answer:
    """One event."""
    said = request.path_params["notification_event_id"]
    row = await request.app.state.database.read(
        lambda connection: named_records.require(
            connection, notification_events, caller.organization_id, as_long(said), said, what=_EVENT
        )
    )
    return Answer({"message": "OK", "result": named_records.to_wire(row)})


@router.post("/{organization_id}", **described(answer=ModificationResult, body=NAME_BODY, unique=True))
async def create(request: Request, caller: AnyCaller) -> Answer:
    """Add an event."""
    name = named_records.read_name(await json_body(request))
    event_id = await request.app.state.database.write(
        lambda connection: named_records.add(connection, notification_events, caller, name, what=_EVENT)
    )
    return Answer(modification_result(request, "notificationEvents", caller.organization_id, event_id))
