"""The three notification category endpoints."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query

from client.vocabulary.limits import CATEGORY_PAGE_SIZE
from service import records_by_name
from service.accounts.authentication import AnyCaller
from service.dependencies import DatabaseOfApplication
from service.field_types import IdText
from service.notification_categories.schema import notification_categories
from service.pages import PageRequest
from service.parameters import OptionalPageNumber, PageNumber
from service.records_by_name import NamedRecord, NameWrapper
from service.request_body import BodyRoute
from service.responses import NAME_TAKEN, NOT_FOUND, Done, PageResponse

router = APIRouter(prefix="/notificationCategories", tags=["notification categories"], route_class=BodyRoute)

_CATEGORY = "notification category"
LaunchPolicyId = Annotated[OptionalPageNumber, Query(alias="launchPolicyId", description="The page number to return.")]


@router.get("/{organization_id}", response_model=PageResponse[NamedRecord])
async def list_categories(
    caller: AnyCaller,
    database: DatabaseOfApplication,
    launch_policy_id: LaunchPolicyId = None,
    page_number: PageNumber = 1,
) -> Any:
    """Return a page of the categories of the organization."""
    # ASSUMPTION A122: the page number is launchPolicyId, else pageNumber, else 1.
    page = PageRequest(launch_policy_id or page_number, CATEGORY_PAGE_SIZE)
    return page.response(
        await database.look_up(records_by_name.page, notification_categories, caller.organization_id, page)
    )


@router.get("/{organization_id}/{category_id}", response_model=PageResponse[NamedRecord], responses=NOT_FOUND)
async def retrieve(caller: AnyCaller, database: DatabaseOfApplication, category_id: IdText) -> Any:
    """Return one category, in the envelope of a page."""
    organization_id = caller.organization_id
    row = await database.look_up(
        records_by_name.require, notification_categories, organization_id, category_id, _CATEGORY
    )
    return PageRequest(1, CATEGORY_PAGE_SIZE).response(([row], 1))


@router.post("/{organization_id}", responses=NAME_TAKEN)
async def create(caller: AnyCaller, database: DatabaseOfApplication, wrapper: NameWrapper) -> Done:
    """Create a category. The response does not contain its ID."""
    await database.write(records_by_name.add_under_new_name, notification_categories, caller, wrapper.name, _CATEGORY)
    return Done()
