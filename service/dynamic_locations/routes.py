"""The two dynamic location endpoints."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, UploadFile
from pydantic import BeforeValidator
from sqlalchemy import Connection

from client.vocabulary.dynamic_locations import UPDATE
from service.accounts.authentication import AnyCaller
from service.accounts.models import Caller
from service.dependencies import DatabaseOfApplication, Shared
from service.dynamic_locations import repository
from service.dynamic_locations.models import UploadBatch
from service.field_types import IdText, OneOf, as_long
from service.refusals import invalid, not_found
from service.request_body import BodyRoute, UploadedFile
from service.responses import NOT_FOUND, ModificationResult, Result, modification_result

AREA = "dynamicLocations"
router = APIRouter(prefix=f"/{AREA}", tags=["dynamic locations"], route_class=BodyRoute)

# ASSUMPTION A154: `Update` is the only type; a file has at most 20 MB; the response is a modification result with the
# ID of the upload batch.
BatchType = Annotated[
    str,
    OneOf((UPDATE,)),
    BeforeValidator(lambda text: text.title() or UPDATE),
    Query(alias="uploadBatchType", description="What to do."),
]


@router.post("/{organization_id}")
async def create(
    request: Request, caller: AnyCaller, shared: Shared, file: UploadFile, upload_batch_type: BatchType = UPDATE
) -> ModificationResult:
    """Store a CSV file, which is processed in the background."""
    upload = await UploadedFile.read(file)
    if not upload.content:
        raise invalid("Field file is empty.")
    batch_id = await shared.database.write(repository.add_batch, caller, upload_batch_type, upload.name, upload.content)
    shared.upload_runner.wake()
    return modification_result(request, AREA, caller.organization_id, batch_id)


@router.get("/{organization_id}/{upload_batch_id}", response_model=Result[UploadBatch], responses=NOT_FOUND)
async def retrieve(caller: AnyCaller, database: DatabaseOfApplication, upload_batch_id: IdText) -> Any:
    """Return an upload batch with its status, counts, and row errors."""
    return {"result": await database.look_up(_whole, caller, upload_batch_id)}


def _whole(connection: Connection, caller: Caller, batch_id_text: str) -> dict[str, Any]:
    batch = repository.find_batch(connection, caller.organization_id, as_long(batch_id_text))
    if batch is None:
        # ASSUMPTION A155: 404 `{status, message}`.
        raise not_found(f"Upload batch {batch_id_text} is not found.")
    return {**batch._mapping, "row_errors": repository.errors_of(connection, batch.id)}
