"""The six contact filter endpoints."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from sqlalchemy import Connection

from client.vocabulary.contact_filters import FILTER_TYPE
from client.vocabulary.limits import CONTACT_FILTER_PAGE_SIZE
from service.accounts.authentication import AnyCaller, Caller
from service.answers import Answer
from service.area_routes import AreaRoute
from service.bodies import name_taken
from service.contact_filters import repository
from service.contact_filters.description import wrapper_schema
from service.contact_filters.models import ContactFilterAnswer, Wrapper
from service.contact_filters.rules import accept
from service.errors import RefusalError, invalid
from service.links import collection_uri, modification_result
from service.openapi import (
    ORGANIZATION,
    PAGE_NUMBER,
    LinkedPageAnswer,
    ModificationResult,
    described,
    path_parameter,
    query_parameter,
)
from service.pages import page_with_counts_inside
from service.parameters import as_long, json_body, page_parameter
from service.records import modified, new_record, record_to_wire
from service.statements import Row
from service.turns import take_turns

router = APIRouter(prefix="/contactFilters", tags=["contact filters"], route_class=AreaRoute)

_TEXT = {"type": "string", "minLength": 1}
_ID_OR_NAME = (ORGANIZATION, path_parameter("contact_filter_id", "The filter's id, or its name.", _TEXT))
# ASSUMPTION A103: queryType is id (the default) or name; contactFilter.id and contactFilter.Name mean the same, and
# case does not matter.
_BY_NAME = {"id": False, "name": True, "contactfilter.id": False, "contactfilter.name": True}
_QUERY_TYPE = query_parameter(
    "queryType",
    "What the query value is.",
    {"enum": ["id", "name", "contactFilter.id", "contactFilter.Name"], "default": "id"},
)


@router.get(
    "/{organization_id}",
    **described(answer=LinkedPageAnswer[ContactFilterAnswer], parameters=(ORGANIZATION, PAGE_NUMBER)),
)
async def list_filters(request: Request, caller: AnyCaller) -> Answer:
    """A page of the filters of the organization, by id."""
    page = page_parameter(request, size=CONTACT_FILTER_PAGE_SIZE)

    def work(connection: Connection) -> tuple[list[dict[str, Any]], int]:
        rows, total = repository.page(connection, caller.organization_id, start=page.start, size=page.size)
        rules = repository.rules_of(connection, caller.organization_id, [row.id for row in rows])
        return [_to_wire(row, rules[row.id]) for row in rows], total

    items, total = await request.app.state.database.read(work)
    uri = collection_uri(request, "contactFilters", caller.organization_id)
    return Answer(page_with_counts_inside(page, uri, items, total))


@router.post("/{organization_id}", **described(answer=ModificationResult, body=wrapper_schema(), unique=True))
async def create(request: Request, caller: AnyCaller) -> Answer:
    """Add a filter under a name that is not taken."""
    wrapper = accept(await json_body(request))

    def work(connection: Connection) -> int:
        take_turns(connection, caller.organization_id)
        _require_free_name(connection, caller, wrapper, of_filter=None)
        return repository.add(connection, {**new_record(caller), "name": wrapper.name}, _documents(wrapper))

    filter_id = await request.app.state.database.write(work)
    return Answer(modification_result(request, "contactFilters", caller.organization_id, filter_id))


@router.get(
    "/{organization_id}/{contact_filter_id:path}",
    **described(
        answer=ContactFilterAnswer,
        parameters=(ORGANIZATION, path_parameter("contact_filter_id", "An id or a name.", _TEXT), _QUERY_TYPE),
        not_found=True,
    ),
)
async def retrieve(request: Request, caller: AnyCaller) -> Answer:
    """One filter by its id, or by its name."""
    said = request.path_params["contact_filter_id"]
    query_type = request.query_params.get("queryType") or "id"
    by_name = _BY_NAME.get(query_type.casefold())
    if by_name is None:
        raise invalid(f"Parameter queryType is neither id nor name: {query_type[:50]}")

    def work(connection: Connection) -> dict[str, Any]:
        find = _find_by_name if by_name else _find_by_id
        return _with_rules(connection, _found(find(connection, caller, said), said))

    return Answer(await request.app.state.database.read(work))


@router.post(
    "/{organization_id}/{contact_filter_id:path}",
    **described(answer=ContactFilterAnswer, parameters=_ID_OR_NAME, not_found=True),
)
async def retrieve_by_post(request: Request, caller: AnyCaller) -> Answer:
    """One filter; this POST is a read, and takes no body."""
    said = request.path_params["contact_filter_id"]
    return Answer(
        await request.app.state.database.read(
            lambda connection: _with_rules(connection, _require(connection, caller, said))
        )
    )


@router.put(
    "/{organization_id}/{contact_filter_id:path}",
    **described(answer=ModificationResult, body=wrapper_schema(), unique=True, parameters=_ID_OR_NAME, not_found=True),
)
async def update(request: Request, caller: AnyCaller) -> Answer:
    """Overwrite the name and the rules of a filter."""
    said = request.path_params["contact_filter_id"]
    body = await json_body(request)

    def work(connection: Connection) -> int:
        take_turns(connection, caller.organization_id)
        filter_id: int = _require(connection, caller, said).id
        wrapper = accept(body, repository.rules_of(connection, caller.organization_id, [filter_id])[filter_id])
        _require_free_name(connection, caller, wrapper, of_filter=filter_id)
        values = {**modified(caller), "name": wrapper.name}
        repository.overwrite(connection, filter_id, values, _documents(wrapper))
        return filter_id

    filter_id = await request.app.state.database.write(work)
    return Answer(modification_result(request, "contactFilters", caller.organization_id, filter_id))


@router.delete(
    "/{organization_id}/{contact_filter_id:path}",
    **described(answer=ModificationResult, parameters=_ID_OR_NAME, not_found=True),
)
async def delete(request: Request, caller: AnyCaller) -> Answer:
    """Delete a filter by its id, or by its name."""
    said = request.path_params["contact_filter_id"]

    def work(connection: Connection) -> int:
        take_turns(connection, caller.organization_id)
        filter_id: int = _require(connection, caller, said).id
        repository.remove(connection, filter_id, modified(caller))
        return filter_id

    filter_id = await request.app.state.database.write(work)
    return Answer(modification_result(request, "contactFilters", caller.organization_id, filter_id))


def _require(connection: Connection, caller: Caller, said: str) -> Row:
    # ASSUMPTION A112: where an id or a name is taken, a whole number is an id and never a name: an id that is gone
    # must not hit a filter that happens to be named like it.
    find = _find_by_name if as_long(said) is None else _find_by_id
    return _found(find(connection, caller, said), said)


def _find_by_id(connection: Connection, caller: Caller, said: str) -> Row | None:
    filter_id = as_long(said)
    return None if filter_id is None else repository.find_by_id(connection, caller.organization_id, filter_id)


def _find_by_name(connection: Connection, caller: Caller, said: str) -> Row | None:
    # No stored name holds a NUL, and PostgreSQL takes none in a comparison either.
    return None if "\0" in said else repository.find_by_name(connection, caller.organization_id, said.strip())


def _found(row: Row | None, said: str) -> Row:
    if row is None:
        raise RefusalError(404, f"The contact filter {said[:100]} is not found.")
    return row


def _require_free_name(connection: Connection, caller: Caller, wrapper: Wrapper, *, of_filter: int | None) -> None:
    # ASSUMPTION A113: names of filters are unique in an organization, compared to the letter.
    name = wrapper.name or ""
    if repository.name_is_taken(connection, caller.organization_id, name, by_other_than=of_filter):
        raise name_taken("contact filter", name)


def _documents(wrapper: Wrapper) -> list[dict[str, Any]]:
    return [rule.to_document() for rule in wrapper.contact_filter_rules or ()]


def _with_rules(connection: Connection, row: Row) -> dict[str, Any]:
    rules = repository.rules_of(connection, row.organization_id, [row.id])
    return _to_wire(row, rules[row.id])


def _to_wire(row: Row, rules: list[dict[str, Any]]) -> dict[str, Any]:
    # ASSUMPTION A114: contacts are looked up when a filter is used, so it is synchronized when it is stored, and
    # never dirty.
    wire = record_to_wire(row)
    wire["name"] = row.name
    wire["contactFilterType"] = FILTER_TYPE
    wire["contactFilterRules"] = rules
    wire["lastModifiedTime"] = row.modified_at
    wire["lastSynchronizedTime"] = row.modified_at
    wire["dirty"] = False
    return wire
