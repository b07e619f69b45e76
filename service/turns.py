"""Transactions of one organization taking turns, where two at once could store the same name twice."""

from __future__ import annotations

from sqlalchemy import Connection, func, select


def take_turns(connection: Connection, organization_id: int) -> None:
    """Let one writing transaction at a time go on for an organization. SQLite has one writer at a time anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(organization_id)))
