"""The six contact filter endpoints."""

from __future__ import annotations

from typing import Annotated, Any

import anyio.to_thread
from fastapi import APIRouter, Path, Query, Request
from pydantic import BeforeValidator
from sqlalchemy import Connection, Row

from client.vocabulary.limits import CONTACT_FILTER_PAGE_SIZE
from service import records_by_name
from service.accounts.authentication import AnyCaller
from service.accounts.models import Caller
from service.accounts.repository import lock_organization
from service.contact_filters import repository
from service.contact_filters.models import ContactFilter, Wrapper
from service.contact_filters.rules import accept
from service.contact_filters.schema import contact_filters
from service.dependencies import DatabaseOfApplication
from service.field_types import OneOf, as_long
from service.pages import Found, PageRequest
from service.parameters import PageNumber
from service.refusals import not_found
from service.request_body import BodyRoute
from service.responses import (
    NAME_TAKEN,
    NOT_FOUND,
    ModificationResult,
    PageResponse,
    collection_uri,
    modification_result,
)

AREA = "contactFilters"
router = APIRouter(prefix=f"/{AREA}", tags=["contact filters"], route_class=BodyRoute)

IdOrName = Annotated[str, Path(description="The filter's id, or its name.", min_length=1)]
# ASSUMPTION A103: queryType is id (the default) or name; contactFilter.id and contactFilter.Name mean the same, and
# case does not matter.
_QUERY_TYPES = {"": "id", "contactfilter.id": "id", "contactfilter.name": "name"}
QueryType = Annotated[
    str,
    OneOf(("id", "name")),
    BeforeValidator(lambda text: _QUERY_TYPES.get(text.casefold(), text.casefold())),
    Query(alias="queryType", description="What the query value is."),
]


@router.get("/{organization_id}", response_model=PageResponse[ContactFilter])
async def list_filters(
    request: Request, caller: AnyCaller, database: DatabaseOfApplication, page_number: PageNumber = 1
) -> Any:
    """Return a page of the filters of the organization, by ID."""
    page = PageRequest(page_number, CONTACT_FILTER_PAGE_SIZE)
    found = await database.read(_page, caller, page)
    return page.response(found, collection_uri(request, AREA, caller.organization_id))


@router.post("/{organization_id}", responses=NAME_TAKEN)
async def create(
    request: Request, caller: AnyCaller, database: DatabaseOfApplication, wrapper: Wrapper
) -> ModificationResult:
    """Add a filter with an unused name."""
    accepted = await anyio.to_thread.run_sync(accept, wrapper)
    filter_id = await database.write(_add, caller, accepted)
    return modification_result(request, AREA, caller.organization_id, filter_id)


@router.get("/{organization_id}/{contact_filter_id:path}", response_model=ContactFilter, responses=NOT_FOUND)
async def retrieve(
    caller: AnyCaller, database: DatabaseOfApplication, contact_filter_id: IdOrName, query_type: QueryType = "id"
) -> Any:
    """Return a filter by ID or by name."""
    return await database.look_up(_whole, caller, contact_filter_id, by_name=query_type == "name")


@router.post("/{organization_id}/{contact_filter_id:path}", response_model=ContactFilter, responses=NOT_FOUND)
async def retrieve_by_post(caller: AnyCaller, database: DatabaseOfApplication, contact_filter_id: IdOrName) -> Any:
    """Return a filter. This POST is a read without a body."""
    return await database.look_up(_whole, caller, contact_filter_id)


@router.put("/{organization_id}/{contact_filter_id:path}", responses=NOT_FOUND | NAME_TAKEN)
async def update(
    request: Request,
    caller: AnyCaller,
    database: DatabaseOfApplication,
    contact_filter_id: IdOrName,
    wrapper: Wrapper,
) -> ModificationResult:
    """Replace the name and the rules of a filter."""
    filter_id = await database.write(_overwrite, caller, contact_filter_id, wrapper)
    return modification_result(request, AREA, caller.organization_id, filter_id)


@router.delete("/{organization_id}/{contact_filter_id:path}", responses=NOT_FOUND)
async def delete(
    request: Request, caller: AnyCaller, database: DatabaseOfApplication, contact_filter_id: IdOrName
) -> ModificationResult:
    """Delete a filter by ID or by name."""
    filter_id = await database.write(_remove, caller, contact_filter_id)
    return modification_result(request, AREA, caller.organization_id, filter_id)


def _page(connection: Connection, caller: Caller, page: PageRequest) -> Found:
    rows, total = records_by_name.page(connection, contact_filters, caller.organization_id, page)
    rules = repository.rules_of(connection, [row.id for row in rows])
    return [{**row._mapping, "contact_filter_rules": rules[row.id]} for row in rows], total


def _whole(connection: Connection, caller: Caller, id_or_name: str, *, by_name: bool | None = None) -> dict[str, Any]:
    row = _require(connection, caller, id_or_name, by_name=by_name)
    return {**row._mapping, "contact_filter_rules": repository.rules_of(connection, [row.id])[row.id]}


def _add(connection: Connection, caller: Caller, wrapper: Wrapper) -> int:
    lock_organization(connection, caller.organization_id)
    _require_free_name(connection, caller, wrapper)
    return repository.add(connection, caller, wrapper.name, wrapper.documents)


def _overwrite(connection: Connection, caller: Caller, id_or_name: str, wrapper: Wrapper) -> int:
    lock_organization(connection, caller.organization_id)
    filter_id: int = _require(connection, caller, id_or_name).id
    wrapper = accept(wrapper, repository.rules_of(connection, [filter_id])[filter_id])
    _require_free_name(connection, caller, wrapper, of_filter=filter_id)
    repository.overwrite(connection, caller, filter_id, wrapper.name, wrapper.documents)
    return filter_id


def _remove(connection: Connection, caller: Caller, id_or_name: str) -> int:
    lock_organization(connection, caller.organization_id)
    filter_id: int = _require(connection, caller, id_or_name).id
    repository.remove(connection, caller, filter_id)
    return filter_id


def _require(connection: Connection, caller: Caller, id_or_name: str, *, by_name: bool | None = None) -> Row[Any]:
    # ASSUMPTION A112: where an ID or a name is accepted, a whole number is an ID and never a name. Otherwise the ID of
    # a deleted filter could match another filter's name.
    filter_id, row = as_long(id_or_name), None
    if by_name or (by_name is None and filter_id is None):
        # PostgreSQL accepts no NUL in a text, so no stored name contains one.
        if "\0" not in id_or_name:
            row = records_by_name.find_by_name(connection, contact_filters, caller.organization_id, id_or_name.strip())
    elif filter_id is not None:
        row = records_by_name.find(connection, contact_filters, caller.organization_id, filter_id)
    if row is None:
        raise not_found(f"The contact filter {id_or_name[:100]} is not found.")
    return row


def _require_free_name(
    connection: Connection, caller: Caller, wrapper: Wrapper, *, of_filter: int | None = None
) -> None:
    # ASSUMPTION A113: names of filters are unique in an organization, and case-sensitive.
    records_by_name.require_free_name(
        connection, contact_filters, caller.organization_id, wrapper.name, "contact filter", of_record=of_filter
    )
