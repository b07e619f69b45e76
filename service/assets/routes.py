"""The three asset endpoints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Request
from sqlalchemy import Connection

from service.accounts.callers import AssetCaller
from service.answers import Answer
from service.area_routes import AreaRoute
from service.assets import description, storing
from service.assets.rules import BatchRefusedError, Code, batch_answer
from service.errors import RefusalError
from service.parameters import json_body

router = APIRouter(prefix="/v2/asset-management/assets", tags=["assets"], route_class=AreaRoute)

MOST_ROWS = 1000


@router.post("/batch", **description.CREATE)
async def create_batch(request: Request, caller: AssetCaller) -> Answer:
    """Add assets; each succeeds or fails by itself."""
    items = await _rows(request)
    return await _answered(request, lambda connection: storing.create_all(connection, caller, items))


@router.put("/batch", **description.UPDATE)
async def update_batch(request: Request, caller: AssetCaller) -> Answer:
    """Overwrite assets by id; each succeeds or fails by itself."""
    items = await _rows(request)
    return await _answered(request, lambda connection: storing.update_all(connection, caller, items))


@router.delete("/batch", **description.DELETE)
async def delete_batch(request: Request, caller: AssetCaller) -> Answer:
    """Delete assets by id; each succeeds or fails by itself."""
    ids = await _rows(request)
    if not all(isinstance(value, str) for value in ids):
        raise BatchRefusedError(Code.WRONG_TYPE, "The request body is an array of string ids.")
    return await _answered(request, lambda connection: storing.delete_all(connection, caller, ids))


async def _answered(request: Request, work: Callable[[Connection], list[storing.Result]]) -> Answer:
    return Answer(batch_answer(await request.app.state.database.write(work)))


async def _rows(request: Request) -> list[Any]:
    # ASSUMPTION A140: an empty batch, or one of more than 1,000 rows, is refused as a whole.
    try:
        body = await json_body(request)
    except RefusalError as error:
        if error.status != 400:
            raise
        raise BatchRefusedError(Code.WRONG_TYPE, error.message) from error
    if not isinstance(body, list):
        raise BatchRefusedError(Code.WRONG_TYPE, "The request body is an array.")
    if not body:
        raise BatchRefusedError(Code.REQUIRED, "The request contains no assets.")
    if len(body) > MOST_ROWS:
        raise BatchRefusedError(
            Code.OUT_OF_RANGE, f"The request contains {len(body)} assets; the limit is {MOST_ROWS}."
        )
    return body
