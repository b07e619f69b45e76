"""The two shape library endpoints."""

from __future__ import annotations

import anyio.to_thread
from fastapi import APIRouter, Request
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from client.vocabulary.limits import SHAPE_FILE_BYTES
from service.accounts.authentication import AnyCaller
from service.answers import Answer
from service.area_routes import AreaRoute
from service.errors import invalid
from service.links import modification_result
from service.shape_library import description, repository, rules
from service.uploads import uploaded_file
from shapes.archives import ArchiveError
from shapes.reading import UnreadableShapeError, read_shape

router = APIRouter(prefix="/shapeLibrary", tags=["shape library"], route_class=AreaRoute)


@router.post("/{organization_id}", **description.UPLOAD)
async def upload(request: Request, caller: AnyCaller) -> Answer:
    """Store the region a file holds, in a folder that is made where there is none."""
    file = await uploaded_file(request, most_bytes=max(SHAPE_FILE_BYTES.values()))
    # ASSUMPTION A141: `regionName` and `folder` travel in the query; as parts of the form they are taken too.
    said = {**file.texts, **request.query_params}
    name, folder = rules.region_name(said.get("regionName")), rules.folder_name(said.get("folder"))
    ending = rules.file_ending(file.name, len(file.content))
    database = request.app.state.database
    if await database.read(lambda connection: repository.region_exists(connection, caller.organization_id, name)):
        raise rules.name_taken(name)
    try:
        shape = await anyio.to_thread.run_sync(
            read_shape, file.content, ending, limiter=request.app.state.shape_readers
        )
    except (ArchiveError, UnreadableShapeError) as error:
        raise invalid(f"Field file is invalid: {error}") from error

    def work(connection: Connection) -> int:
        folder_id = repository.ensure_folder(connection, caller, folder) if folder else None
        return repository.add_region(
            connection, caller, name=name, folder_id=folder_id, file_name=file.name, shape=shape
        )

    try:
        region_id = await database.write(work)
    except IntegrityError as error:
        raise rules.name_taken(name) from error
    # ASSUMPTION A143: the id of the new region comes in a modification result.
    return Answer(modification_result(request, "shapeLibrary", caller.organization_id, region_id))


@router.delete("/{organization_id}", **description.DELETE)
async def delete(request: Request, caller: AnyCaller) -> Answer:
    """Delete the region of a name, or else every region under the folder of that name."""
    # ASSUMPTION A144: a region goes before a folder of the same name; a `folder` beside it narrows the search to it.
    name = rules.region_name(request.query_params.get("regionName"))
    folder = rules.folder_name(request.query_params.get("folder"))

    def work(connection: Connection) -> int:
        region_id = repository.find_region(connection, caller.organization_id, name)
        if folder is not None:
            folder_ids = repository.folders_from(connection, caller.organization_id, folder)
            if region_id not in repository.regions_in(connection, folder_ids):
                raise rules.name_unknown(name)
        if region_id is not None:
            repository.remove_regions(connection, [region_id])
            return region_id
        folder_ids = repository.folders_from(connection, caller.organization_id, rules.folder_name(name) or name)
        if not folder_ids:
            raise rules.name_unknown(name)
        repository.remove_folders(connection, folder_ids)
        return folder_ids[0]

    identity = await request.app.state.database.write(work)
    return Answer(modification_result(request, "shapeLibrary", caller.organization_id, identity))
