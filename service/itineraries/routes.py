"""The seven itinerary endpoints."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from sqlalchemy import Connection

from client.vocabulary.itineraries import ALL_FAILED, ALL_SUCCEEDED, PARTLY_SUCCEEDED, SEARCH_FIELDS
from client.vocabulary.limits import BATCH_ADD, BATCH_DELETE
from service.accounts.authentication import AnyCaller, AnyCallerOr404
from service.answers import Answer
from service.area_routes import AreaRoute
from service.errors import invalid
from service.itineraries import description, repository, storing
from service.itineraries.expected_locations import Margins, to_wire
from service.itineraries.models import UnreadableItineraryError, read_itinerary
from service.itineraries.rules import (
    NO_MATCH,
    NO_MATCH_IN_BATCH,
    AcceptedItinerary,
    ItineraryRefusedError,
    Spelling,
    accept,
)
from service.itineraries.storing import MatchingOptions
from service.links import collection_uri, modification_result
from service.pages import page_with_counts_beside, page_with_counts_inside
from service.parameters import as_long, boolean_parameter, json_body, long_parameter, page_parameter

router = APIRouter(prefix="/itineraries", tags=["itineraries"], route_class=AreaRoute)

# ASSUMPTION A20: only update and delete swap their statuses; a read of an unknown itinerary is a plain 404.
NOT_FOUND_ON_READ = 404


@router.post("/query/{organization_id}", **description.QUERY)
async def query(request: Request, caller: AnyCaller) -> Answer:
    """Ids of the itineraries with one of several record locators or external ids."""
    page = page_parameter(request)
    field_name, values = _criteria(await json_body(request))
    ids = await request.app.state.database.read(
        lambda connection: repository.search(connection, caller.organization_id, field_name, values)
    )
    items = [{"id": itinerary_id} for itinerary_id in ids[page.start : page.start + page.size]]
    uri = collection_uri(request, "itineraries", "query", caller.organization_id)
    return Answer(page_with_counts_beside(page, uri, items, len(ids)))


@router.get("/expectedLocations/{organization_id}/{itinerary_id}", **description.EXPECTED_LOCATIONS)
async def list_expected_locations(request: Request, caller: AnyCaller) -> Answer:
    """A page of where the travellers of an itinerary are expected."""
    page = page_parameter(request)
    said = request.path_params["itinerary_id"]

    def work(connection: Connection) -> tuple[int, list[Any], int]:
        itinerary_id = storing.require(connection, caller, as_long(said), said, status=NOT_FOUND_ON_READ)
        rows, total = repository.page_of_expected_locations(
            connection, itinerary_id, start=page.start, page_size=page.size
        )
        return itinerary_id, [to_wire(row) for row in rows], total

    itinerary_id, items, total = await request.app.state.database.read(work)
    uri = collection_uri(request, "itineraries", "expectedLocations", caller.organization_id, itinerary_id)
    return Answer(page_with_counts_inside(page, uri, items, total))


@router.post("/{organization_id}/batch", **description.CREATE_BATCH)
async def create_batch(request: Request, caller: AnyCaller) -> Answer:
    """Add up to 1,000 itineraries; each succeeds or fails by itself (interface: Batch results)."""
    options = _matching_options(request)
    items = _batch(await json_body(request), BATCH_ADD, "itineraries")
    results: list[str] = [""] * len(items)
    accepted: dict[int, AcceptedItinerary] = {}
    for position, item in enumerate(items):
        try:
            accepted[position] = accept(read_itinerary(item), Spelling.ADD)
        except (UnreadableItineraryError, ItineraryRefusedError) as error:
            results[position] = str(error)

    ids = await request.app.state.database.write(
        lambda connection: storing.add_all(connection, caller, list(accepted.values()), options, _margins(request))
    )
    failures = len(items) - len(accepted)
    for position, itinerary_id in zip(accepted, ids, strict=True):
        failures += itinerary_id is None
        results[position] = NO_MATCH_IN_BATCH if itinerary_id is None else str(itinerary_id)
    return Answer({"message": "OK", "code": _batch_code(len(items), failures), "data": results})


@router.delete("/{organization_id}/batch", **description.DELETE_BATCH)
async def delete_batch(request: Request, caller: AnyCaller) -> Answer:
    """Delete up to 2,000 itineraries by id; those not found are named (interface: Batch results)."""
    said = [_id_as_text(value) for value in _batch(await json_body(request), BATCH_DELETE, "ids")]
    ids = {text: as_long(text) for text in said}

    wanted = {value for value in ids.values() if value is not None}
    found = await request.app.state.database.write(lambda connection: storing.remove_all(connection, caller, wanted))
    missing = [f"{text}: Not found." for text in said if ids[text] not in found]
    answer: dict[str, Any] = {"message": "OK", "code": _batch_code(len(said), len(missing))}
    if missing:
        answer["data"] = missing
    return Answer(answer)


@router.post("/{organization_id}", **description.CREATE)
async def create(request: Request, caller: AnyCaller) -> Answer:
    """Add an itinerary; a canceled one removes the existing one of its record locator."""
    options = _matching_options(request)
    accepted = _accept(await json_body(request), Spelling.ADD)

    def work(connection: Connection) -> int:
        [itinerary_id] = storing.add_all(connection, caller, [accepted], options, _margins(request))
        if itinerary_id is None:
            raise invalid(NO_MATCH)
        return itinerary_id

    itinerary_id = await request.app.state.database.write(work)
    return Answer(modification_result(request, "itineraries", caller.organization_id, itinerary_id))


@router.put("/{organization_id}/{itinerary_id}", **description.UPDATE)
async def update(request: Request, caller: AnyCallerOr404) -> Answer:
    """Overwrite an itinerary; a canceled one removes it."""
    # emailCaseSensitiveInExternalId is of add and batch add only.
    options = _matching_options(request, with_email_rule=False)
    body = await json_body(request)
    said = request.path_params["itinerary_id"]

    def work(connection: Connection) -> int:
        itinerary_id = storing.require_for_change(connection, caller, as_long(said), said)
        accepted = _accept(body, Spelling.UPDATE)
        storing.update_one(connection, caller, itinerary_id, accepted, options, _margins(request))
        return itinerary_id

    itinerary_id = await request.app.state.database.write(work)
    return Answer(modification_result(request, "itineraries", caller.organization_id, itinerary_id))


@router.delete("/{organization_id}/{itinerary_id}", **description.DELETE)
async def delete(request: Request, caller: AnyCallerOr404) -> Answer:
    """Delete an itinerary and its expected locations; takes no body."""
    said = request.path_params["itinerary_id"]
    itinerary_id = await request.app.state.database.write(
        lambda connection: storing.remove_one(connection, caller, as_long(said), said)
    )
    return Answer(modification_result(request, "itineraries", caller.organization_id, itinerary_id))


def _margins(request: Request) -> Margins:
    margins: Margins = request.app.state.margins
    return margins


def _matching_options(request: Request, *, with_email_rule: bool = True) -> MatchingOptions:
    sensitive = "emailCaseSensitiveInExternalId"
    return MatchingOptions(
        auto_create_contact=boolean_parameter(request, "autoCreateContact", default=True),
        contact_record_type_id=long_parameter(request, "contactRecordTypeId"),
        email_case_sensitive=boolean_parameter(request, sensitive, default=True) if with_email_rule else True,
    )


def _accept(body: Any, spelling: Spelling) -> AcceptedItinerary:
    try:
        return accept(read_itinerary(body), spelling)
    except (UnreadableItineraryError, ItineraryRefusedError) as error:
        raise invalid(str(error)) from error


def _criteria(body: Any) -> tuple[str, list[str]]:
    if not isinstance(body, dict):
        raise invalid("The search criteria are a JSON object.")
    field_name, values = body.get("fieldName"), body.get("fieldValues")
    if field_name in (None, ""):
        raise invalid("Field fieldName is empty.")
    if field_name not in SEARCH_FIELDS:
        raise invalid(f"Field fieldName is invalid: only {' and '.join(SEARCH_FIELDS)} can be searched.")
    if values in (None, []):
        raise invalid("Field fieldValues is empty.")
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise invalid("Field fieldValues is invalid: an array of strings is needed.")
    # PostgreSQL takes no NUL in a text, and no stored one has any.
    return field_name, [value.strip() for value in values if "\0" not in value]


def _batch(body: Any, limit: int, what: str) -> list[Any]:
    # ASSUMPTION A21: an empty batch, or one over the limit, is refused as a whole.
    if not isinstance(body, list):
        raise invalid(f"The request body is an array of {what}.")
    if not body:
        raise invalid(f"The request contains no {what}.")
    if len(body) > limit:
        raise invalid(f"The request contains {len(body)} {what}; the limit is {limit}.")
    return body


def _id_as_text(value: Any) -> str:
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise invalid("The request body is an array of ids.")


def _batch_code(total: int, failures: int) -> int:
    if failures == 0:
        return ALL_SUCCEEDED
    return ALL_FAILED if failures == total else PARTLY_SUCCEEDED
