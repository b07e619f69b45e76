"""Store batches of assets in one transaction. Each row succeeds or fails by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection

from service.accounts.models import Caller
from service.accounts.repository import lock_organization
from service.assets import repository
from service.assets.models import Asset, AssetError, AssetUpdate, Code, IndividualResponse

Read = Sequence[Any]
"""A row of a batch: an asset, or the errors in it."""


def create_all(connection: Connection, caller: Caller, assets: Read) -> list[IndividualResponse]:
    """Add assets. An external ID that exists in the organization or earlier in the batch is refused."""
    # ASSUMPTION A139: an external ID is unique among an organization's assets.
    lock_organization(connection, caller.organization_id)
    external_ids = {asset.external_id for asset in assets if isinstance(asset, Asset)}
    used_ids = set(repository.find_by_external_id(connection, caller.organization_id, external_ids))
    accepted: list[Asset] = []
    results: list[IndividualResponse | None] = []
    for asset in assets:
        if not isinstance(asset, Asset):
            results.append(IndividualResponse(id="", errors=asset))
        elif asset.external_id in used_ids:
            results.append(IndividualResponse(id="", errors=[_duplicate(asset)]))
        else:
            used_ids.add(asset.external_id)
            accepted.append(asset)
            results.append(None)
    ids = iter(repository.add(connection, caller, accepted))
    return [IndividualResponse(id=next(ids)) if result is None else result for result in results]


def update_all(connection: Connection, caller: Caller, rows: Sequence[Any], assets: Read) -> list[IndividualResponse]:
    """Replace assets by ID, one after the other. `rows` are the rows as they were sent."""
    lock_organization(connection, caller.organization_id)
    organization_id = caller.organization_id
    accepted = [asset for asset in assets if isinstance(asset, AssetUpdate)]
    stored = repository.find_by_id(connection, organization_id, {asset.id for asset in accepted})
    wanted = {asset.external_id for asset in accepted}
    found = repository.find_by_external_id(connection, organization_id, wanted)
    owners = {external_id: record.id for external_id, record in found.items()}
    current = {record.id: record.external_id for record in stored.values()}
    changes: list[tuple[int, Asset]] = []
    results: list[IndividualResponse] = []
    for row, asset in zip(rows, assets, strict=True):
        if not isinstance(asset, AssetUpdate):
            identity = row.get("id") if isinstance(row, dict) else None
            results.append(IndividualResponse(id=identity if isinstance(identity, str) else "", errors=asset))
        elif asset.id not in stored:
            results.append(IndividualResponse(id=asset.id, errors=[_not_found(asset.id)]))
        elif owners.get(asset.external_id, asset.id) != asset.id:
            results.append(IndividualResponse(id=asset.id, errors=[_duplicate(asset)]))
        else:
            if owners.get(current[asset.id]) == asset.id:
                del owners[current[asset.id]]
            owners[asset.external_id] = asset.id
            current[asset.id] = asset.external_id
            changes.append((stored[asset.id].number, asset))
            results.append(IndividualResponse(id=asset.id))
    repository.change(connection, caller, changes)
    return results


def delete_all(connection: Connection, caller: Caller, ids: Sequence[str]) -> list[IndividualResponse]:
    """Delete assets by ID. An ID that is named twice is not found the second time."""
    lock_organization(connection, caller.organization_id)
    stored = repository.find_by_id(connection, caller.organization_id, set(ids))
    numbers: list[int] = []
    results: list[IndividualResponse] = []
    for asset_id in ids:
        record = stored.pop(asset_id, None)
        if record is None:
            results.append(IndividualResponse(id=asset_id, errors=[_not_found(asset_id)]))
        else:
            numbers.append(record.number)
            results.append(IndividualResponse(id=asset_id))
    repository.remove(connection, caller, numbers)
    return results


def _duplicate(asset: Asset) -> AssetError:
    message = f"An asset with externalId {asset.external_id} already exists."
    return AssetError(code=Code.DUPLICATE, field="externalId", message=message)


def _not_found(asset_id: str) -> AssetError:
    return AssetError(code=Code.NOT_FOUND, field="id", message=f"Asset {asset_id} is not found.")
