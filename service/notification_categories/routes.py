"""The three notification category endpoints."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from client.vocabulary.limits import CATEGORY_PAGE_SIZE
from service import named_records
from service.accounts.authentication import AnyCaller
from service.answers import Answer
from service.area_routes import AreaRoute
from service.named_records import NAME_BODY, NamedRecordAnswer
from service.notification_categories.schema import notification_categories
from service.openapi import ORGANIZATION, PAGE_NUMBER, Done, PageAnswer, described, path_parameter, query_parameter
from service.pages import PageRequest
from service.parameters import as_long, json_body, page_parameter

router = APIRouter(prefix="/notificationCategories", tags=["notification categories"], route_class=AreaRoute)

_CATEGORY = "notification category"
_LAUNCH_POLICY_ID = query_parameter("launchPolicyId", "The page number to return.", PAGE_NUMBER["schema"])


@router.get(
    "/{organization_id}",
    **described(answer=PageAnswer[NamedRecordAnswer], parameters=(ORGANIZATION, _LAUNCH_POLICY_ID, PAGE_NUMBER)),
)
async def list_categories(request: Request, caller: AnyCaller) -> Answer:
    """A page of the categories of the organization."""
    page = _page(request)
    rows, total = await request.app.state.database.read(
        lambda connection: named_records.page(
            connection, notification_categories, caller.organization_id, start=page.start, size=page.size
        )
    )
    return _answer(page, [named_records.to_wire(row) for row in rows], total)


@router.get(
    "/{organization_id}/{category_id}",
    **described(
        answer=PageAnswer[NamedRecordAnswer],
        parameters=(ORGANIZATION, path_parameter("category_id", "The category.")),
        not_found=True,
    ),
)
async def retrieve(request: Request, caller: AnyCaller) -> Answer:
    """One category, in the envelope of a page."""
    said = request.path_params["category_id"]
    row = await request.app.state.database.read(
        lambda connection: named_records.require(
            connection, notification_categories, caller.organization_id, as_long(said), said, what=_CATEGORY
        )
    )
    return _answer(PageRequest(1, CATEGORY_PAGE_SIZE), [named_records.to_wire(row)], 1)


@router.post("/{organization_id}", **described(answer=Done, body=NAME_BODY, unique=True))
async def create(request: Request, caller: AnyCaller) -> Answer:
    """Add a category; the answer does not tell its id."""
    name = named_records.read_name(await json_body(request))
    await request.app.state.database.write(
        lambda connection: named_records.add(connection, notification_categories, caller, name, what=_CATEGORY)
    )
    return Answer({"message": "OK"})


def _page(request: Request) -> PageRequest:
    # ASSUMPTION A122: the page number is read from launchPolicyId, else from pageNumber, and is 1 without either.
    by_page_number = page_parameter(request, size=CATEGORY_PAGE_SIZE)
    if not request.query_params.get("launchPolicyId"):
        return by_page_number
    return page_parameter(request, name="launchPolicyId", size=CATEGORY_PAGE_SIZE)


def _answer(page: PageRequest, data: list[Any], total: int) -> Answer:
    return Answer({"message": "OK", "page": {"pageSize": page.size, "data": data, **page.counts(total)}})
