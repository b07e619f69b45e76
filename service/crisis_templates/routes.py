"""The endpoint of crisis task list templates."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import AfterValidator, BeforeValidator
from sqlalchemy import Connection

from client.vocabulary.crisis_templates import DEFAULT_COLUMN, DESCENDING, DIRECTIONS
from client.vocabulary.limits import CRISIS_TEMPLATE_PAGE_SIZE
from service.accounts.authentication import CrisisCaller
from service.accounts.models import Caller
from service.crisis_templates import repository
from service.crisis_templates.models import CrisisTaskListTemplate, system_template
from service.dependencies import DatabaseOfApplication
from service.field_types import OneOf, PlainText, blank_is
from service.pages import Found, PageRequest
from service.parameters import PageNumber
from service.request_body import BodyRoute
from service.responses import Page

router = APIRouter(prefix="/cm/v1/crisisTaskListTemplates", tags=["crisis task list templates"], route_class=BodyRoute)

LARGEST_PAGE = 1000
ALL = CRISIS_TEMPLATE_PAGE_SIZE


def _a_page_or_all(size: int) -> int:
    if size == 0:
        raise ValueError("is neither -1, for all, nor a number of templates")
    return size


Filtered = Annotated[PlainText, Query(description="A text in the name or title, in any case.")]
SortedBy = Annotated[
    str,
    OneOf([*repository.SORTABLE]),
    blank_is(DEFAULT_COLUMN),
    Query(alias="columnName", description="The column to sort by."),
]
Direction = Annotated[
    str,
    OneOf(DIRECTIONS),
    BeforeValidator(lambda text: text.strip().upper() or DESCENDING),
    Query(alias="orderDirection", description="Which way."),
]
PageSize = Annotated[
    int,
    blank_is(ALL),
    AfterValidator(_a_page_or_all),
    Query(alias="pageSize", ge=ALL, le=LARGEST_PAGE, description="-1 for all."),
]
FolderIds = Annotated[list[PlainText], Query(alias="folderIds", description="Folders, repeated or with commas.")]
WithUsed = Annotated[
    bool, blank_is(False), Query(alias="containUsedNo", description="Whether used templates are included.")
]
NeedInit = Annotated[
    bool, blank_is(True), Query(alias="needInit", description="Whether the system template is created.")
]


@router.get("", response_model=Page[CrisisTaskListTemplate])
async def list_templates(
    caller: CrisisCaller,
    database: DatabaseOfApplication,
    filtered: Filtered = "",
    sort_by: SortedBy = DEFAULT_COLUMN,
    direction: Direction = DESCENDING,
    page_number: PageNumber = 1,
    page_size: PageSize = ALL,
    folder_ids: FolderIds = [],  # noqa: B006 (a parameter's default, which nobody changes)
    with_used: WithUsed = False,
    need_init: NeedInit = True,
) -> Any:
    """Return a page of templates, or all of them."""
    # ASSUMPTION A145: `filtered` is searched in name and title, without regard to case. `folderIds` is repeated or has
    # commas.
    # ASSUMPTION A146: a template is in use if a crisis incident has it; `containUsedNo` includes those.
    page = PageRequest(page_number, None if page_size == ALL else page_size)
    filters = {
        "filtered": filtered.strip(),
        "sort_by": sort_by,
        "descending": direction == DESCENDING,
        "folder_ids": {part.strip() for text in folder_ids for part in text.split(",") if part.strip()},
        "with_used": with_used,
    }
    # ASSUMPTION A147: `needInit` creates the system event template once, if the organization has none yet.
    found = await database.look_up(_page, caller, page, filters, needs_system_template=need_init)
    if found is None:
        found = await database.write(_add_system_template, caller, page, filters)
    return {**page.page(found), "page_size": page_size}


def _page(
    connection: Connection, caller: Caller, page: PageRequest, filters: dict[str, Any], *, needs_system_template: bool
) -> Found | None:
    """Return a page of templates; None if the system template is needed and does not exist."""
    if needs_system_template and not repository.has_system_template(connection, caller.organization_id):
        return None
    return repository.page(connection, caller.organization_id, page, **filters)


def _add_system_template(connection: Connection, caller: Caller, page: PageRequest, filters: dict[str, Any]) -> Found:
    """Add the system template, and return a page of templates."""
    repository.add_if_absent(connection, [system_template(caller)])
    return repository.page(connection, caller.organization_id, page, **filters)
