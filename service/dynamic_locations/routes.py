"""The two dynamic location endpoints."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from sqlalchemy import Connection

from client.vocabulary.dynamic_locations import UPDATE
from service.accounts.authentication import AnyCaller
from service.answers import Answer
from service.area_routes import AreaRoute
from service.dynamic_locations import description, repository
from service.dynamic_locations.models import to_wire
from service.dynamic_locations.runner import UploadRunner
from service.errors import RefusalError, invalid
from service.links import modification_result
from service.parameters import as_long
from service.uploads import uploaded_file

router = APIRouter(prefix="/dynamicLocations", tags=["dynamic locations"], route_class=AreaRoute)

MOST_BYTES = 20 * 2**20


@router.post("/{organization_id}", **description.UPLOAD)
async def upload(request: Request, caller: AnyCaller) -> Answer:
    """Take a CSV in; it is worked off in the background."""
    # ASSUMPTION A154: `Update` is the only type; a file has at most 20 MB; the answer is a modification result whose id
    # is that of the upload batch.
    kind = request.query_params.get("uploadBatchType") or UPDATE
    if kind.casefold() != UPDATE.casefold():
        raise invalid(f"Parameter uploadBatchType is not {UPDATE}: {kind[:50]}")
    file = await uploaded_file(request, most_bytes=MOST_BYTES)
    if not file.content:
        raise invalid("Field file is empty.")

    def work(connection: Connection) -> int:
        return repository.add_batch(
            connection, caller, upload_batch_type=UPDATE, file_name=file.name, content=file.content
        )

    batch_id = await request.app.state.database.write(work)
    runner: UploadRunner = request.app.state.upload_runner
    runner.wake()
    return Answer(modification_result(request, "dynamicLocations", caller.organization_id, batch_id))


@router.get("/{organization_id}/{upload_batch_id}", **description.RETRIEVE)
async def retrieve(request: Request, caller: AnyCaller) -> Answer:
    """An upload batch with its status, counts and row errors."""
    said = request.path_params["upload_batch_id"]
    batch_id = as_long(said)

    def work(connection: Connection) -> dict[str, Any]:
        batch = repository.find_batch(connection, caller.organization_id, batch_id) if batch_id is not None else None
        if batch is None:
            # ASSUMPTION A155: 404 `{status, message}`.
            raise RefusalError(404, f"Upload batch {said} is not found.")
        return to_wire(batch, repository.errors_of(connection, batch.id))

    return Answer({"message": "OK", "result": await request.app.state.database.read(work)})
