"""SQL of dynamic locations and their uploads."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, and_, delete, exists, func, insert, or_, select, update

from client.vocabulary.dynamic_locations import ENDED_STATUSES
from service.accounts.models import Caller
from service.dynamic_locations.rows import RowError
from service.dynamic_locations.schema import dynamic_locations, upload_batches, upload_errors
from service.epoch import now_ms
from storage.dialects import upsert

MOST_ERRORS_SHOWN = 1000

_batches = upload_batches.c
_WITHOUT_CONTENT = [column for column in upload_batches.c if column.name != "content"]


def add_batch(connection: Connection, caller: Caller, upload_batch_type: str, file_name: str, content: bytes) -> int:
    """Store a new upload."""
    now = now_ms()
    values = {
        "organization_id": caller.organization_id,
        "upload_batch_type": upload_batch_type,
        "file_name": file_name,
        "file_size": len(content),
        "content": content,
        "upload_status": "UPLOADED",
        **dict.fromkeys(("rows_done", "row_count", "success_num", "with_error_num", "critical_num"), 0),
        **dict.fromkeys(("geo_success_num", "geo_fail_num"), 0),
        "created_at": now,
        "created_by": caller.user_id,
        "created_name": caller.display_name,
        "modified_at": now,
    }
    return int(connection.execute(insert(upload_batches).values(values).returning(_batches.id)).scalar_one())


def find_batch(connection: Connection, organization_id: int, batch_id: int | None) -> Row[Any] | None:
    """Return an upload of an organization without its content."""
    statement = select(*_WITHOUT_CONTENT).where(_batches.id == batch_id, _batches.organization_id == organization_id)
    return connection.execute(statement).first()


def errors_of(connection: Connection, batch_id: int) -> Sequence[Row[Any]]:
    """Return the first row errors of an upload."""
    statement = select(upload_errors).where(upload_errors.c.batch_id == batch_id)
    return connection.execute(statement.order_by(upload_errors.c.id).limit(MOST_ERRORS_SHOWN)).all()


def claim(connection: Connection, worker: str, now: int, claimed_until: int) -> int | None:
    """Claim the oldest unfinished upload that no process works on, one at a time per organization."""
    earlier = upload_batches.alias("earlier")
    in_line = exists().where(
        earlier.c.organization_id == _batches.organization_id,
        earlier.c.id < _batches.id,
        earlier.c.upload_status.not_in(ENDED_STATUSES),
    )
    is_free = or_(_batches.claimed_until.is_(None), _batches.claimed_until <= now, _batches.claimed_by == worker)
    candidates = select(_batches.id).where(_batches.upload_status.not_in(ENDED_STATUSES), is_free, ~in_line)
    for batch_id in connection.execute(candidates.order_by(_batches.id).limit(20)).scalars().all():
        statement = update(upload_batches).where(_batches.id == batch_id, is_free)
        if connection.execute(statement.values(claimed_by=worker, claimed_until=claimed_until)).rowcount == 1:
            return int(batch_id)
    return None


def hold(connection: Connection, batch_id: int, worker: str, held_until: int) -> Row[Any] | None:
    """Extend a claim. Returns the upload without its content, or None if another process has claimed it."""
    statement = update(upload_batches).where(_batches.id == batch_id, _batches.claimed_by == worker)
    if connection.execute(statement.values(claimed_until=held_until)).rowcount != 1:
        return None
    return connection.execute(select(*_WITHOUT_CONTENT).where(_batches.id == batch_id)).one()


def release(connection: Connection, batch_id: int, worker: str) -> None:
    """Release an upload for other processes."""
    statement = update(upload_batches).where(_batches.id == batch_id, _batches.claimed_by == worker)
    connection.execute(statement.values(claimed_by=None, claimed_until=None))


def content_of(connection: Connection, batch_id: int) -> bytes:
    """Return the file of an upload; empty after it has ended."""
    return bytes(connection.execute(select(_batches.content).where(_batches.id == batch_id)).scalar_one() or b"")


def change_batch(connection: Connection, batch_id: int, values: Mapping[str, Any]) -> None:
    """Update columns of an upload."""
    statement = update(upload_batches).where(_batches.id == batch_id)
    connection.execute(statement.values(modified_at=now_ms(), **values))


def add_errors(connection: Connection, batch_id: int, errors: Sequence[RowError]) -> None:
    """Store row errors."""
    rows = [
        {
            "batch_id": batch_id,
            "row_number": error.row_number,
            "column_name": error.column_name,
            "column_value": error.column_value,
            "code": error.code.value,
        }
        for error in errors
    ]
    if rows:
        connection.execute(insert(upload_errors), rows)


def store_locations(
    connection: Connection, organization_id: int, batch_id: int, current: Mapping[tuple[int, str], Mapping[str, Any]]
) -> None:
    """Store the current locations, by person and source."""
    now = now_ms()
    rows = [
        {
            "organization_id": organization_id,
            "contact_id": contact_id,
            "source": source,
            **location,
            "batch_id": batch_id,
            "modified_at": now,
        }
        for (contact_id, source), location in current.items()
    ]
    upsert(connection, dynamic_locations, rows, ("organization_id", "contact_id", "source"))


def remove_locations(connection: Connection, organization_id: int, keys: Collection[tuple[int, str]]) -> None:
    """Delete the current locations of these people and sources."""
    table = dynamic_locations.c
    for contact_id, source in keys:
        wanted = and_(table.contact_id == contact_id, table.source == source)
        connection.execute(delete(dynamic_locations).where(table.organization_id == organization_id, wanted))


def count_locations(connection: Connection, organization_id: int) -> int:
    """Return the number of current locations of an organization."""
    statement = select(func.count()).select_from(dynamic_locations)
    return int(connection.execute(statement.where(dynamic_locations.c.organization_id == organization_id)).scalar_one())
