"""The one endpoint of crisis task list templates."""

from __future__ import annotations

from fastapi import APIRouter, Request
from sqlalchemy import Connection

from client.vocabulary.crisis_templates import DEFAULT_COLUMN, DESCENDING, DIRECTIONS
from client.vocabulary.limits import CRISIS_TEMPLATE_PAGE_SIZE
from service.accounts.callers import CrisisCaller
from service.answers import Answer
from service.area_routes import AreaRoute
from service.crisis_templates import description, repository
from service.crisis_templates.models import COLUMNS, ListRequest, system_template, to_wire
from service.errors import invalid
from service.parameters import boolean_parameter, number_parameter
from service.statements import Row

router = APIRouter(prefix="/cm/v1/crisisTaskListTemplates", tags=["crisis task list templates"], route_class=AreaRoute)

LARGEST_PAGE = 1000
ALL = CRISIS_TEMPLATE_PAGE_SIZE


@router.get("", **description.LIST)
async def list_templates(request: Request, caller: CrisisCaller) -> Answer:
    """A page of templates, or all of them."""
    asked = _list_request(request)
    # ASSUMPTION A147: `needInit` makes the system event template, once, where the organization has none yet.
    need_init = boolean_parameter(request, "needInit", default=True)

    def work(connection: Connection) -> tuple[list[Row], int]:
        return repository.page(connection, caller.organization_id, asked)

    database = request.app.state.database
    if need_init and not await database.read(
        lambda connection: repository.has_system_template(connection, caller.organization_id)
    ):
        await database.write(lambda connection: repository.add_if_absent(connection, [system_template(caller)]))
    rows, total = await database.read(work)
    pages = -(-total // asked.page_size) if asked.page_size is not None else min(total, 1)
    return Answer(
        {
            "pageSize": ALL if asked.page_size is None else asked.page_size,
            "start": asked.start,
            "data": [to_wire(row) for row in rows],
            "totalCount": total,
            "totalPageCount": pages,
            "currentPageNo": asked.page_number,
        }
    )


def _list_request(request: Request) -> ListRequest:
    # ASSUMPTION A145: `filtered` is looked for in name and title, whatever its case; `folderIds` comes repeated or
    # with commas.
    parameters = request.query_params
    column = parameters.get("columnName") or DEFAULT_COLUMN
    if column not in COLUMNS:
        raise invalid(f"Parameter columnName is no column to sort by: {column[:50]}")
    direction = (parameters.get("orderDirection") or DESCENDING).strip().upper()
    if direction not in DIRECTIONS:
        raise invalid(f"Parameter orderDirection is none of {' and '.join(DIRECTIONS)}: {direction[:50]}")
    page_size = number_parameter(request, "pageSize", default=ALL, low=ALL, high=LARGEST_PAGE)
    if page_size == 0:
        raise invalid("Parameter pageSize is 0.")
    folders = {part.strip() for text in parameters.getlist("folderIds") for part in text.split(",") if part.strip()}
    filtered = (parameters.get("filtered") or "").strip()
    if "\0" in filtered or any("\0" in folder for folder in folders):
        raise invalid("A parameter holds a NUL character.")
    return ListRequest(
        filtered=filtered or None,
        column=column,
        descending=direction == DESCENDING,
        page_number=number_parameter(request, "pageNumber", default=1, low=1, high=1_000_000_000),
        page_size=None if page_size == ALL else page_size,
        folder_ids=frozenset(folders),
        # ASSUMPTION A146: a template is used when a crisis incident has it; `containUsedNo` lets those in.
        with_used=boolean_parameter(request, "containUsedNo", default=False),
    )
