"""Storing batches of assets: each succeeds or fails by itself, all in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection

from service.accounts.authentication import Caller
from service.assets import repository
from service.assets.rules import AcceptedAsset, Code, FieldErrors, error_entry, read_asset
from service.turns import take_turns

Result = tuple[str, FieldErrors]
"""The id, empty where a new asset was refused, and what is wrong."""


def create_all(connection: Connection, caller: Caller, items: Sequence[Any]) -> list[Result]:
    """Add assets; an external id that is taken, in the organization or earlier in the batch, is refused."""
    # ASSUMPTION A139: an external id is unique among an organization's assets.
    take_turns(connection, caller.organization_id)
    read = [read_asset(item, with_id=False) for item in items]
    external_ids = {asset.external_id for asset in read if isinstance(asset, AcceptedAsset)}
    taken = set(repository.find_by_external_id(connection, caller.organization_id, external_ids))
    accepted: list[AcceptedAsset] = []
    results: list[Result | None] = []
    for asset in read:
        if not isinstance(asset, AcceptedAsset):
            results.append(("", asset))
        elif asset.external_id in taken:
            results.append(("", [_duplicate(asset)]))
        else:
            taken.add(asset.external_id)
            accepted.append(asset)
            results.append(None)
    ids = iter(repository.add(connection, caller, accepted))
    return [(next(ids), []) if result is None else result for result in results]


def update_all(connection: Connection, caller: Caller, items: Sequence[Any]) -> list[Result]:
    """Overwrite assets by id, one after the other."""
    take_turns(connection, caller.organization_id)
    read = [read_asset(item, with_id=True) for item in items]
    accepted = [asset for asset in read if isinstance(asset, AcceptedAsset)]
    organization_id = caller.organization_id
    known = repository.find_by_id(connection, organization_id, {asset.asset_id or "" for asset in accepted})
    wanted = {asset.external_id for asset in accepted}
    owners = {
        external_id: record.id
        for external_id, record in repository.find_by_external_id(connection, organization_id, wanted).items()
    }
    current = {record.id: record.external_id for record in known.values()}
    changes: list[tuple[int, AcceptedAsset]] = []
    results: list[Result] = []
    for item, asset in zip(items, read, strict=True):
        if not isinstance(asset, AcceptedAsset):
            results.append((_said_id(item), asset))
            continue
        asset_id = asset.asset_id or ""
        record = known.get(asset_id)
        if record is None:
            results.append((asset_id, [_not_found(asset_id)]))
        elif owners.get(asset.external_id, asset_id) != asset_id:
            results.append((asset_id, [_duplicate(asset)]))
        else:
            if owners.get(current[asset_id]) == asset_id:
                del owners[current[asset_id]]
            owners[asset.external_id] = asset_id
            current[asset_id] = asset.external_id
            changes.append((record.number, asset))
            results.append((asset_id, []))
    repository.change(connection, caller, changes)
    return results


def delete_all(connection: Connection, caller: Caller, ids: Sequence[str]) -> list[Result]:
    """Delete assets by id; one that is named twice is not found the second time."""
    take_turns(connection, caller.organization_id)
    known = repository.find_by_id(connection, caller.organization_id, set(ids))
    numbers: list[int] = []
    results: list[Result] = []
    for asset_id in ids:
        record = known.pop(asset_id, None)
        if record is None:
            results.append((asset_id, [_not_found(asset_id)]))
        else:
            numbers.append(record.number)
            results.append((asset_id, []))
    repository.remove(connection, caller, numbers)
    return results


def _duplicate(asset: AcceptedAsset) -> dict[str, Any]:
    return error_entry(Code.DUPLICATE, "externalId", f"An asset with externalId {asset.external_id} exists already.")


def _not_found(asset_id: str) -> dict[str, Any]:
    return error_entry(Code.NOT_FOUND, "id", f"Asset {asset_id} is not found.")


def _said_id(item: Any) -> str:
    said = item.get("id") if isinstance(item, dict) else None
    return said if isinstance(said, str) else ""
