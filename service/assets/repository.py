"""SQL of assets."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any
from uuid import uuid4

from sqlalchemy import Column, Connection, Row, bindparam, insert, select, update

from service.accounts.models import Caller
from service.assets.geometry import read_extent
from service.assets.models import Asset
from service.assets.schema import assets
from service.epoch import now_ms
from service.schema import ACTIVE, DELETED
from storage.dialects import chunks, rows_with


def find_by_id(connection: Connection, organization_id: int, ids: Collection[str]) -> dict[str, Row[Any]]:
    """Return active assets by ID."""
    return {record.id: record for record in _find(connection, organization_id, assets.c.id, ids)}


def find_by_external_id(connection: Connection, organization_id: int, values: Collection[str]) -> dict[str, Row[Any]]:
    """Return active assets by external ID."""
    found = _find(connection, organization_id, assets.c.external_id, values)
    return {record.external_id: record for record in found}


def add(
    connection: Connection, caller: Caller, accepted: Sequence[Asset], ids: Iterable[str] | None = None
) -> list[str]:
    """Store new assets at once. Returns their IDs in order."""
    now = now_ms()
    rows = [
        {
            **_values(asset, caller, now),
            "id": asset_id,
            "organization_id": caller.organization_id,
            "status": ACTIVE,
            "created_at": now,
            "created_by": caller.user_id,
        }
        for asset, asset_id in zip(accepted, ids or [uuid4().hex for _ in accepted], strict=True)
    ]
    if rows:
        connection.execute(insert(assets), rows)
    return [row["id"] for row in rows]


def change(connection: Connection, caller: Caller, changes: Sequence[tuple[int, Asset]]) -> None:
    """Replace stored assets by number, in order."""
    now = now_ms()
    rows = [{"which": number, **_values(asset, caller, now)} for number, asset in changes]
    if rows:
        statement = update(assets).where(assets.c.number == bindparam("which"))
        columns: dict[str, Any] = {name: bindparam(name) for name in rows[0] if name != "which"}
        connection.execute(statement.values(columns), rows)


def remove(connection: Connection, caller: Caller, numbers: Collection[int]) -> None:
    """Mark assets as deleted."""
    for chunk in chunks(sorted(numbers)):
        statement = update(assets).where(assets.c.number.in_(chunk))
        connection.execute(statement.values(status=DELETED, modified_at=now_ms(), modified_by=caller.user_id))


def _values(asset: Asset, caller: Caller, now: int) -> dict[str, Any]:
    latitude, longitude = read_extent(asset.geometry).middle if asset.geometry else (None, None)
    return {
        "external_id": asset.external_id,
        "name": asset.name,
        "asset_type_id": asset.asset_type_id,
        "document": asset.to_document(),
        "latitude": latitude,
        "longitude": longitude,
        "modified_at": now,
        "modified_by": caller.user_id,
    }


def _find(connection: Connection, organization_id: int, column: Column[Any], values: Collection[str]) -> list[Row[Any]]:
    statement = select(assets).where(assets.c.organization_id == organization_id, assets.c.status == ACTIVE)
    # PostgreSQL accepts no NUL in a text, so no stored text contains one.
    return rows_with(connection, statement, column, (value for value in values if "\0" not in value))
