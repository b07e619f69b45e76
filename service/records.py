"""What stored records of filters, events, categories and notifications have in common: owner, times, people, status."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import BigInteger, Column, ForeignKey, Identity, String, Text

from service.clock import now_ms
from service.openapi import AnswerModel
from service.schema import ACTIVE, LongId
from service.statements import Row

if TYPE_CHECKING:
    from service.accounts.authentication import Caller

# ASSUMPTION A101: accounts and roles are not described: the account of a record is its organization, its role is 1.
RESOURCE_BUNDLE_ID = 1


class RecordAnswer(AnswerModel):
    """The fields every record is answered with; times are epoch milliseconds."""

    id: int
    created_date: int
    created_id: int
    created_name: str
    last_modified_date: int
    last_modified_id: int
    last_modified_name: str
    account_id: int
    status: str
    resource_bundle_id: int
    organization_id: int


def record_columns() -> list[Column[Any]]:
    """Columns of a record's id, owner, status, times and people."""
    return [
        Column("id", LongId, Identity(), primary_key=True),
        Column("organization_id", BigInteger, ForeignKey("organizations.id"), nullable=False),
        Column("status", String(1), nullable=False),
        Column("created_at", BigInteger, nullable=False),
        Column("created_by", BigInteger, nullable=False),
        Column("created_name", Text, nullable=False),
        Column("modified_at", BigInteger, nullable=False),
        Column("modified_by", BigInteger, nullable=False),
        Column("modified_name", Text, nullable=False),
    ]


def new_record(caller: Caller, *, at: int | None = None) -> dict[str, Any]:
    """Values of those columns for a record made by the caller, now or at epoch milliseconds."""
    return {
        "organization_id": caller.organization_id,
        "status": ACTIVE,
        "created_at": now_ms() if at is None else at,
        "created_by": caller.user_id,
        "created_name": caller.display_name,
        **modified(caller, at=at),
    }


def modified(caller: Caller, *, at: int | None = None) -> dict[str, Any]:
    """Values of the columns that a change by the caller sets."""
    return {
        "modified_at": now_ms() if at is None else at,
        "modified_by": caller.user_id,
        "modified_name": caller.display_name,
    }


def record_to_wire(row: Row) -> dict[str, Any]:
    """The fields of `RecordAnswer` out of a row."""
    return {
        "id": row.id,
        "createdDate": row.created_at,
        "createdId": row.created_by,
        "createdName": row.created_name,
        "lastModifiedDate": row.modified_at,
        "lastModifiedId": row.modified_by,
        "lastModifiedName": row.modified_name,
        "accountId": row.organization_id,
        "status": row.status,
        "resourceBundleId": RESOURCE_BUNDLE_ID,
        "organizationId": row.organization_id,
    }
