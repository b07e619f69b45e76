"""The seven itinerary endpoints."""

from __future__ import annotations

from typing import Annotated, Any

import anyio.to_thread
from fastapi import APIRouter, Depends, Query, Request
from sqlalchemy import Connection

from client.vocabulary.itineraries import ALL_FAILED, ALL_SUCCEEDED, PARTLY_SUCCEEDED
from client.vocabulary.limits import ITINERARY_PAGE_SIZE
from service.accounts.authentication import AnyCaller, AnyCallerOr404
from service.accounts.models import Caller
from service.dependencies import DatabaseOfApplication, Shared
from service.field_types import IdText, as_long, blank_is
from service.itineraries import repository, storing
from service.itineraries.expected_locations import fields_of
from service.itineraries.models import (
    BatchResult,
    ExpectedLocation,
    IdBatch,
    ItineraryBatch,
    QueryPage,
    SearchCriteria,
    TripItinerary,
)
from service.itineraries.rules import NO_MATCH_IN_BATCH, AcceptedItinerary, Spelling, accept
from service.itineraries.storing import MatchingOptions
from service.pages import Found, PageRequest
from service.parameters import OptionalLong, PageNumber
from service.refusals import RefusalError
from service.request_body import BodyRoute
from service.responses import NOT_FOUND, ModificationResult, PageResponse, collection_uri, modification_result

AREA = "itineraries"
router = APIRouter(prefix=f"/{AREA}", tags=["itineraries"], route_class=BodyRoute)

# ASSUMPTION A3: these parameters are in the query string.
AutoCreate = Annotated[
    bool,
    blank_is(True),
    Query(alias="autoCreateContact", description="Create contacts for travelers that match none."),
]
RecordType = Annotated[
    OptionalLong, Query(alias="contactRecordTypeId", description="The record type of created contacts.")
]
EmailCase = Annotated[
    bool,
    blank_is(True),
    Query(alias="emailCaseSensitiveInExternalId", description="Whether the case of email addresses matters."),
]


async def _matching(
    auto_create: AutoCreate = True, record_type: RecordType = None, email_case: EmailCase = True
) -> MatchingOptions:
    return MatchingOptions(auto_create, record_type, email_case)


async def _matching_on_update(auto_create: AutoCreate = True, record_type: RecordType = None) -> MatchingOptions:
    # emailCaseSensitiveInExternalId exists for add and batch add only.
    return MatchingOptions(auto_create, record_type)


Matching = Annotated[MatchingOptions, Depends(_matching)]
MatchingOnUpdate = Annotated[MatchingOptions, Depends(_matching_on_update)]


@router.post("/query/{organization_id}", response_model=QueryPage)
async def query(
    request: Request,
    caller: AnyCaller,
    database: DatabaseOfApplication,
    criteria: SearchCriteria,
    page_number: PageNumber = 1,
) -> Any:
    """Return IDs of the itineraries with one of several record locators or external IDs."""
    page = PageRequest(page_number, ITINERARY_PAGE_SIZE)
    # PostgreSQL accepts no NUL in a text, so no stored text contains one.
    values = [value.strip() for value in criteria.field_values if "\0" not in value]
    ids = await database.look_up(repository.search, caller.organization_id, criteria.field_name, values)
    items = [{"id": itinerary_id} for itinerary_id in ids[page.start : page.start + ITINERARY_PAGE_SIZE]]
    response = page.response((items, len(ids)), collection_uri(request, AREA, "query", caller.organization_id))
    return {**response, **response["page"]}


@router.get(
    "/expectedLocations/{organization_id}/{itinerary_id}",
    response_model=PageResponse[ExpectedLocation],
    responses=NOT_FOUND,
)
async def list_expected_locations(
    request: Request,
    caller: AnyCaller,
    database: DatabaseOfApplication,
    itinerary_id: IdText,
    page_number: PageNumber = 1,
) -> Any:
    """Return a page of the expected locations of an itinerary."""
    page = PageRequest(page_number, ITINERARY_PAGE_SIZE)
    found = await database.look_up(_expected_locations, caller, itinerary_id, page)
    uri = collection_uri(request, AREA, "expectedLocations", caller.organization_id, as_long(itinerary_id))
    return page.response(found, uri)


@router.post("/{organization_id}/batch")
async def create_batch(shared: Shared, caller: AnyCaller, matching: Matching, batch: ItineraryBatch) -> BatchResult:
    """Add up to 1,000 itineraries. Each succeeds or fails by itself (interface: Batch results)."""
    accepted, results = await anyio.to_thread.run_sync(_accept_all, batch)
    trips = list(accepted.values())
    ids = await shared.database.write(storing.add_all, caller, trips, matching, shared.margins)
    for position, itinerary_id in zip(accepted, ids, strict=True):
        results[position] = NO_MATCH_IN_BATCH if itinerary_id is None else str(itinerary_id)
    failures = len(results) - len(ids) + ids.count(None)
    return BatchResult(code=_batch_code(len(results), failures), data=results)


@router.delete("/{organization_id}/batch")
async def delete_batch(caller: AnyCaller, database: DatabaseOfApplication, batch: IdBatch) -> BatchResult:
    """Delete up to 2,000 itineraries by ID. The response names those not found (interface: Batch results)."""
    id_texts = [str(value).strip() for value in batch.root]
    ids = {text: as_long(text) for text in id_texts}
    wanted = {value for value in ids.values() if value is not None}
    found = await database.write(storing.remove_all, caller, wanted)
    missing = [f"{text}: Not found." for text in id_texts if ids[text] not in found]
    return BatchResult(code=_batch_code(len(id_texts), len(missing)), data=missing or None)


@router.post("/{organization_id}")
async def create(
    request: Request, shared: Shared, caller: AnyCaller, matching: Matching, itinerary: TripItinerary
) -> ModificationResult:
    """Add an itinerary. A canceled one removes the existing one with its record locator."""
    accepted = await anyio.to_thread.run_sync(accept, itinerary, Spelling.ADD)
    itinerary_id = await shared.database.write(storing.add_one, caller, accepted, matching, shared.margins)
    return modification_result(request, AREA, caller.organization_id, itinerary_id)


@router.put("/{organization_id}/{itinerary_id}", responses=NOT_FOUND)
async def update(
    request: Request,
    shared: Shared,
    caller: AnyCallerOr404,
    itinerary_id: IdText,
    matching: MatchingOnUpdate,
    itinerary: TripItinerary,
) -> ModificationResult:
    """Replace an itinerary. A canceled one is removed."""
    changed = await shared.database.write(storing.update_one, caller, itinerary_id, itinerary, matching, shared.margins)
    return modification_result(request, AREA, caller.organization_id, changed)


@router.delete("/{organization_id}/{itinerary_id}", responses=NOT_FOUND)
async def delete(
    request: Request, caller: AnyCallerOr404, database: DatabaseOfApplication, itinerary_id: IdText
) -> ModificationResult:
    """Delete an itinerary and its expected locations, without a body."""
    deleted = await database.write(storing.remove_one, caller, itinerary_id)
    return modification_result(request, AREA, caller.organization_id, deleted)


def _expected_locations(connection: Connection, caller: Caller, id_text: str, page: PageRequest) -> Found:
    itinerary_id = storing.require(connection, caller, id_text)
    rows, total = repository.page_of_expected_locations(connection, itinerary_id, page)
    return [fields_of(row) for row in rows], total


def _accept_all(batch: ItineraryBatch) -> tuple[dict[int, AcceptedItinerary], list[str]]:
    """Return the valid itineraries of a batch by position, and the messages for the others."""
    accepted: dict[int, AcceptedItinerary] = {}
    results = [""] * len(batch.root)
    for position, item in enumerate(batch.root):
        try:
            itinerary = item if isinstance(item, TripItinerary) else TripItinerary.read(item)
            accepted[position] = accept(itinerary, Spelling.ADD)
        except RefusalError as refusal:
            results[position] = refusal.message
    return accepted, results


def _batch_code(total: int, failures: int) -> Any:
    if failures == 0:
        return ALL_SUCCEEDED
    return ALL_FAILED if failures == total else PARTLY_SUCCEEDED
