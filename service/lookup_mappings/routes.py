"""The five lookup mapping endpoints."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from pydantic import BeforeValidator
from sqlalchemy import Connection, Row

from client.vocabulary.limits import LOOKUP_MAPPING_PAGE_SIZE
from client.vocabulary.lookup_mappings import NEWEST_FIRST, OLDEST_FIRST, SEARCH_PARAMETERS, SORTS
from service.accounts.authentication import TokenCaller
from service.accounts.models import Caller
from service.dependencies import DatabaseOfApplication
from service.field_types import OneOf, as_long, blank_is
from service.lookup_mappings import repository
from service.lookup_mappings.models import (
    Deleted,
    ExistingMapping,
    FieldRefusals,
    Mapping,
    MappingResponse,
    MappingWrapper,
    Search,
    SearchResponse,
    existing_mapping,
    unknown_mapping,
)
from service.lookup_mappings.repository import DuplicateMappingError
from service.pages import PageRequest
from service.parameters import LAST_PAGE
from service.request_body import BodyRoute
from service.responses import Refusal

router = APIRouter(
    prefix="/lookup",
    tags=["lookup mappings"],
    route_class=BodyRoute,
    responses={400: {"model": FieldRefusals | Refusal, "description": "Every field that breaks a rule."}},
)

LARGEST_PAGE = 1000
_UNKNOWN: dict[int | str, dict[str, Any]] = {404: {"description": "There is no such mapping."}}
_EXISTING: dict[int | str, dict[str, Any]] = {
    500: {"model": ExistingMapping, "description": "An identical mapping exists."}
}


def _sort(sort_text: str) -> str:
    # A plus sign that was not percent-encoded arrives as a space.
    sort_text = sort_text.strip() or OLDEST_FIRST
    return sort_text if sort_text.startswith(("+", "-")) else f"+{sort_text}"


def _ids(ids_text: str) -> str | None:
    parts = [part.strip() for part in ids_text.split(",") if part.strip()]
    if any(as_long(part) is None for part in parts):
        raise ValueError("is not a list of group IDs")
    return ids_text.strip() or None


MappingId = Annotated[str, Path(description="The mapping.", min_length=1)]
PageNumber = Annotated[
    int, blank_is(1), Query(alias="currentPageNo", ge=1, le=LAST_PAGE, description="The page to return.")
]
PageSize = Annotated[
    int, blank_is(LOOKUP_MAPPING_PAGE_SIZE), Query(alias="pageSize", ge=1, le=LARGEST_PAGE, description="Mappings.")
]
Sort = Annotated[str, OneOf(SORTS), BeforeValidator(_sort), Query(description="By the last update.")]
Groups = Annotated[str | None, BeforeValidator(_ids), Query(description="Group ids, separated by commas.")]


@router.get("/{organization_id}/mappings/search", response_model=SearchResponse)
async def search(
    request: Request,
    caller: TokenCaller,
    database: DatabaseOfApplication,
    page_number: PageNumber = 1,
    page_size: PageSize = LOOKUP_MAPPING_PAGE_SIZE,
    sort: Sort = OLDEST_FIRST,
    groups: Groups = None,
) -> Any:
    """Return a page of the mappings with one of the groups and, for each named attribute, one of its values."""
    # ASSUMPTION A135: several values or groups are alternatives, several names must all match; texts are
    # case-sensitive.
    attributes: dict[str, set[str]] = {}
    for name, text in request.query_params.multi_items():
        if name not in SEARCH_PARAMETERS and "\0" not in name:
            values = {value.strip() for value in text.split(",") if "\0" not in value}
            attributes.setdefault(name, set()).update(values)
    criteria = Search(
        group_ids=None if groups is None else frozenset(int(part) for part in groups.split(",") if part.strip()),
        attributes=[(name, frozenset(values)) for name, values in attributes.items()],
        newest_first=sort == NEWEST_FIRST,
        page=PageRequest(page_number, page_size),
    )
    found = await database.read(repository.search, caller.organization_id, criteria)
    return criteria.page.page(found)


@router.post("/{organization_id}/mappings", response_model=MappingResponse, responses=_EXISTING)
async def create(
    request: Request, caller: TokenCaller, database: DatabaseOfApplication, wrapper: MappingWrapper
) -> Any:
    """Store a mapping. An existing one is a 500 with an object of its own."""
    try:
        return {"data": await database.write(_add, caller, wrapper.data)}
    except DuplicateMappingError as error:
        raise existing_mapping(request.url.path) from error


@router.get("/{organization_id}/mappings/{mapping_id}", response_model=MappingResponse, responses=_UNKNOWN)
async def retrieve(caller: TokenCaller, database: DatabaseOfApplication, mapping_id: MappingId) -> Any:
    """Return one mapping."""
    return {"data": await database.look_up(_require, caller, mapping_id)}


@router.put("/{organization_id}/mappings/{mapping_id}", response_model=MappingResponse, responses=_UNKNOWN | _EXISTING)
async def update(
    request: Request,
    caller: TokenCaller,
    database: DatabaseOfApplication,
    mapping_id: MappingId,
    wrapper: MappingWrapper,
) -> Any:
    """Replace the groups and attributes of a mapping."""
    try:
        return {"data": await database.write(_change, caller, mapping_id, wrapper.data)}
    except DuplicateMappingError as error:
        raise existing_mapping(request.url.path) from error


@router.delete("/{organization_id}/mappings/{mapping_id}", responses=_UNKNOWN)
async def delete(caller: TokenCaller, database: DatabaseOfApplication, mapping_id: MappingId) -> Deleted:
    """Delete a mapping."""
    await database.write(_remove, caller, mapping_id)
    return Deleted(data=f"Mapping {mapping_id} was deleted successfully.")


def _add(connection: Connection, caller: Caller, mapping: Mapping) -> Row[Any]:
    mapping_id = repository.add(connection, caller.organization_id, mapping, caller.username)
    return _require(connection, caller, mapping_id)


def _change(connection: Connection, caller: Caller, mapping_id: str, mapping: Mapping) -> Row[Any]:
    repository.change(connection, _require(connection, caller, mapping_id).number, mapping, caller.username)
    return _require(connection, caller, mapping_id)


def _remove(connection: Connection, caller: Caller, mapping_id: str) -> None:
    repository.remove(connection, _require(connection, caller, mapping_id).number, caller.username)


def _require(connection: Connection, caller: Caller, mapping_id: str) -> Row[Any]:
    row = repository.find(connection, caller.organization_id, mapping_id) if "\0" not in mapping_id else None
    if row is None:
        raise unknown_mapping()
    return row
