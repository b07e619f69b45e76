"""The five lookup mapping endpoints."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from sqlalchemy import Connection

from client.vocabulary.limits import LOOKUP_MAPPING_PAGE_SIZE
from client.vocabulary.lookup_mappings import NEWEST_FIRST, SEARCH_PARAMETERS, SORTS
from service.accounts.authentication import Caller
from service.accounts.callers import TokenCaller
from service.answers import Answer
from service.area_routes import AreaRoute
from service.errors import invalid
from service.lookup_mappings import description, repository
from service.lookup_mappings.models import Search, to_wire
from service.lookup_mappings.repository import DuplicateMappingError
from service.lookup_mappings.rules import ExistingMappingError, UnknownMappingError, read_mapping
from service.parameters import as_long, json_body, number_parameter
from service.statements import Row

router = APIRouter(prefix="/lookup", tags=["lookup mappings"], route_class=AreaRoute)

LARGEST_PAGE = 1000


@router.get("/{organization_id}/mappings/search", **description.SEARCH)
async def search(request: Request, caller: TokenCaller) -> Answer:
    """A page of the mappings that have one of the groups and, for each attribute named, one of its values."""
    criteria = _criteria(request)
    rows, total = await request.app.state.database.read(
        lambda connection: repository.search(connection, caller.organization_id, criteria)
    )
    return Answer(
        {
            "currentPageNo": criteria.page_number,
            "totalPageCount": -(-total // criteria.page_size),
            "totalCount": total,
            "pageSize": criteria.page_size,
            "data": [to_wire(row) for row in rows],
        }
    )


@router.post("/{organization_id}/mappings", **description.CREATE)
async def create(request: Request, caller: TokenCaller) -> Answer:
    """Store a mapping; one that exists already is a 500 with an object of its own."""
    mapping = read_mapping(await json_body(request))

    def work(connection: Connection) -> dict[str, Any]:
        mapping_id = repository.add(connection, caller.organization_id, mapping, caller.username)
        return to_wire(_require(connection, caller, mapping_id))

    return await _stored(request, work)


@router.get("/{organization_id}/mappings/{mapping_id}", **description.RETRIEVE)
async def retrieve(request: Request, caller: TokenCaller) -> Answer:
    """One mapping."""
    mapping_id = request.path_params["mapping_id"]

    def work(connection: Connection) -> dict[str, Any]:
        return {"data": to_wire(_require(connection, caller, mapping_id))}

    return Answer(await request.app.state.database.read(work))


@router.put("/{organization_id}/mappings/{mapping_id}", **description.UPDATE)
async def update(request: Request, caller: TokenCaller) -> Answer:
    """Overwrite the groups and attributes of a mapping."""
    body = await json_body(request)
    mapping_id = request.path_params["mapping_id"]

    def work(connection: Connection) -> dict[str, Any]:
        number = _require(connection, caller, mapping_id).number
        repository.change(connection, number, read_mapping(body), caller.username)
        return to_wire(_require(connection, caller, mapping_id))

    return await _stored(request, work)


@router.delete("/{organization_id}/mappings/{mapping_id}", **description.DELETE)
async def delete(request: Request, caller: TokenCaller) -> Answer:
    """Delete a mapping."""
    mapping_id = request.path_params["mapping_id"]

    def work(connection: Connection) -> None:
        repository.remove(connection, _require(connection, caller, mapping_id).number, caller.username)

    await request.app.state.database.write(work)
    return Answer({"data": f"Mapping {mapping_id} was deleted successfully."})


async def _stored(request: Request, work: Any) -> Answer:
    try:
        return Answer({"data": await request.app.state.database.write(work)})
    except DuplicateMappingError as error:
        raise ExistingMappingError(request.scope["path"]) from error


def _require(connection: Connection, caller: Caller, mapping_id: str) -> Row:
    row = repository.find(connection, caller.organization_id, mapping_id) if "\0" not in mapping_id else None
    if row is None:
        raise UnknownMappingError
    return row


def _criteria(request: Request) -> Search:
    # ASSUMPTION A135: several values or groups are alternatives, several names all hold; texts match to the letter.
    attributes: dict[str, set[str]] = {}
    for name, text in request.query_params.multi_items():
        if name not in SEARCH_PARAMETERS and "\0" not in name:
            values = {value.strip() for value in text.split(",") if "\0" not in value}
            attributes.setdefault(name, set()).update(values)
    # A plus that was not percent-encoded arrives as a blank.
    sort = request.query_params.get("sort", "").strip()
    if sort and not sort.startswith(("+", "-")):
        sort = f"+{sort}"
    if sort and sort not in SORTS:
        raise invalid(f"Parameter sort is none of {' and '.join(SORTS)}: {sort[:50]}")
    return Search(
        group_ids=_group_ids(request.query_params.get("groups")),
        attributes=[(name, frozenset(values)) for name, values in attributes.items()],
        newest_first=sort == NEWEST_FIRST,
        page_number=number_parameter(request, "currentPageNo", default=1, low=1, high=1_000_000_000),
        page_size=number_parameter(request, "pageSize", default=LOOKUP_MAPPING_PAGE_SIZE, low=1, high=LARGEST_PAGE),
    )


def _group_ids(text: str | None) -> frozenset[int] | None:
    if not text or not text.strip():
        return None
    ids = [as_long(part.strip()) for part in text.split(",") if part.strip()]
    if None in ids:
        raise invalid(f"Parameter groups is no list of group ids: {text[:50]}")
    return frozenset(value for value in ids if value is not None)
