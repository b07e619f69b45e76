"""The three asset endpoints."""

from __future__ import annotations

import anyio.to_thread
from fastapi import APIRouter

from service.accounts.authentication import AssetCaller
from service.assets import asset_storing
from service.assets.models import Asset, AssetBatch, AssetIdBatch, AssetUpdate, AssetUpdateBatch, BatchResponse
from service.dependencies import DatabaseOfApplication
from service.request_body import BodyRoute
from service.responses import Refusal

router = APIRouter(
    prefix="/v2/asset-management/assets",
    tags=["assets"],
    route_class=BodyRoute,
    responses={400: {"model": BatchResponse | Refusal, "description": "No asset was processed."}},
)


@router.post("/batch")
async def create_batch(caller: AssetCaller, database: DatabaseOfApplication, batch: AssetBatch) -> BatchResponse:
    """Add assets. Each row succeeds or fails by itself."""
    read = await anyio.to_thread.run_sync(_read_all, Asset, batch)
    return BatchResponse.of(await database.write(asset_storing.create_all, caller, read))


@router.put("/batch")
async def update_batch(caller: AssetCaller, database: DatabaseOfApplication, batch: AssetUpdateBatch) -> BatchResponse:
    """Replace assets by ID. Each row succeeds or fails by itself."""
    read = await anyio.to_thread.run_sync(_read_all, AssetUpdate, batch)
    return BatchResponse.of(await database.write(asset_storing.update_all, caller, batch.root, read))


@router.delete("/batch")
async def delete_batch(caller: AssetCaller, database: DatabaseOfApplication, batch: AssetIdBatch) -> BatchResponse:
    """Delete assets by ID. Each row succeeds or fails by itself."""
    return BatchResponse.of(await database.write(asset_storing.delete_all, caller, batch.root))


def _read_all(model: type[Asset], batch: AssetBatch | AssetUpdateBatch) -> asset_storing.Read:
    return [row if isinstance(row, Asset) else model.read(row) for row in batch.root]
