"""The common columns of filters, events, categories, and notifications: owner, times, people, and status."""

from __future__ import annotations

from typing import Any

from pydantic import Field
from sqlalchemy import BigInteger, Column, ForeignKey, Identity, String, Text

from service.accounts.models import Caller
from service.epoch import now_ms
from service.responses import ResponseModel
from service.schema import ACTIVE, LongId

# ASSUMPTION A101: the interface describes neither accounts nor roles. A record's account is its organization; its role
# is 1.
RESOURCE_BUNDLE_ID = 1


class Record(ResponseModel):
    """The fields of every record. Times are epoch milliseconds."""

    id: int
    created_date: int = Field(validation_alias="created_at")
    created_id: int = Field(validation_alias="created_by")
    created_name: str
    last_modified_date: int = Field(validation_alias="modified_at")
    last_modified_id: int = Field(validation_alias="modified_by")
    last_modified_name: str = Field(validation_alias="modified_name")
    account_id: int = Field(validation_alias="organization_id")
    status: str
    resource_bundle_id: int = RESOURCE_BUNDLE_ID
    organization_id: int


def record_columns() -> list[Column[Any]]:
    """Return the columns for ID, owner, status, times, and people."""
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
    """Return the values of these columns for a record that the caller creates, now or at a time in epoch
    milliseconds.
    """
    at = now_ms() if at is None else at
    return {
        "organization_id": caller.organization_id,
        "status": ACTIVE,
        "created_at": at,
        "created_by": caller.user_id,
        "created_name": caller.display_name,
        **modified(caller, at=at),
    }


def modified(caller: Caller, *, at: int | None = None) -> dict[str, Any]:
    """Return the values of the columns that a change by the caller sets."""
    return {
        "modified_at": now_ms() if at is None else at,
        "modified_by": caller.user_id,
        "modified_name": caller.display_name,
    }
