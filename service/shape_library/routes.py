"""The two shape library endpoints."""

from __future__ import annotations

import logging
from typing import Annotated

import anyio.to_thread
from fastapi import APIRouter, Form, Query, Request, UploadFile
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from service.accounts.authentication import AnyCaller
from service.accounts.models import Caller
from service.dependencies import DatabaseOfApplication, Shared
from service.refusals import RefusalError, invalid
from service.request_body import BodyRoute, UploadedFile
from service.responses import NOT_FOUND, ModificationResult, modification_result
from service.shape_library import repository, rules
from shapes.archives import ArchiveError
from shapes.confined_process import ReaderNotStartedError, UnreadableShapeError
from shapes.reading import Shape, read_shape

logger = logging.getLogger("service")

AREA = "shapeLibrary"
router = APIRouter(prefix=f"/{AREA}", tags=["shape library"], route_class=BodyRoute)

_REGION = Query(alias="regionName", max_length=rules.LONGEST_NAME, description="The region; or, on delete, a folder.")
_FOLDER = Query(max_length=rules.LONGEST_NAME, description="The folder; without it, the root.")


@router.post("/{organization_id}")
async def create(
    request: Request,
    caller: AnyCaller,
    shared: Shared,
    file: UploadFile,
    region_name: Annotated[str | None, _REGION] = None,
    folder: Annotated[str | None, _FOLDER] = None,
    region_name_in_form: Annotated[str | None, Form(alias="regionName")] = None,
    folder_in_form: Annotated[str | None, Form(alias="folder")] = None,
) -> ModificationResult:
    """Store the region of a file, in a folder that is created if needed."""
    # ASSUMPTION A141: `regionName` and `folder` are in the query, or else in the form.
    name, in_folder = rules.region_name(region_name or region_name_in_form), rules.folder_name(folder or folder_in_form)
    upload = await UploadedFile.read(file)
    ending = rules.file_ending(upload.name, len(upload.content))
    if await shared.database.read(repository.find_region, caller.organization_id, name) is not None:
        raise rules.name_taken(name)
    try:
        shape = await anyio.to_thread.run_sync(read_shape, upload.content, ending, limiter=shared.shape_readers)
    except (ArchiveError, UnreadableShapeError) as error:
        raise invalid(f"Field file is invalid: {error}") from error
    except ReaderNotStartedError as error:
        logger.error("%s", error)  # noqa: TRY400 (where it was raised says nothing)
        raise RefusalError(500, "The service cannot read shapes at the moment. Nothing was stored.") from error
    try:
        region_id = await shared.database.write(_add, caller, name, in_folder, upload.name, shape)
    except IntegrityError as error:
        raise rules.name_taken(name) from error
    # ASSUMPTION A143: the response is a modification result with the ID of the new region.
    return modification_result(request, AREA, caller.organization_id, region_id)


@router.delete("/{organization_id}", responses=NOT_FOUND)
async def delete(
    request: Request,
    caller: AnyCaller,
    database: DatabaseOfApplication,
    region_name: Annotated[str, _REGION],
    folder: Annotated[str | None, _FOLDER] = None,
) -> ModificationResult:
    """Delete the region with a name, or else every region in the folder with that name."""
    name, in_folder = rules.region_name(region_name), rules.folder_name(folder)
    identity = await database.write(_remove, caller, name, in_folder)
    return modification_result(request, AREA, caller.organization_id, identity)


def _add(
    connection: Connection, caller: Caller, name: str, folder: str | None, said_file_name: str, shape: Shape
) -> int:
    folder_id = repository.ensure_folder(connection, caller, folder) if folder else None
    return repository.add_region(
        connection, caller, name=name, folder_id=folder_id, file_name=said_file_name, shape=shape
    )


def _remove(connection: Connection, caller: Caller, name: str, folder: str | None) -> int:
    # ASSUMPTION A144: a region takes precedence over a folder of the same name; a `folder` restricts the search to it.
    region_id = repository.find_region(connection, caller.organization_id, name)
    if folder is not None:
        folder_ids = repository.folders_from(connection, caller.organization_id, folder)
        if region_id not in repository.regions_in(connection, folder_ids):
            raise rules.name_unknown(name)
    if region_id is not None:
        repository.remove_region(connection, region_id)
        return region_id
    folder_ids = repository.folders_from(connection, caller.organization_id, rules.folder_name(name) or name)
    if not folder_ids:
        raise rules.name_unknown(name)
    repository.remove_folders(connection, folder_ids)
    return folder_ids[0]
