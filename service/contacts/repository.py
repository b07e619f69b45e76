"""SQL of contacts."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, Connection, insert, select

from service.schema import ACTIVE, contact_keys, contacts
from storage.dialects import insert_if_absent, rows_with


@dataclass(frozen=True)
class ContactRecord:
    """The fields of a contact that matching uses."""

    id: int
    external_id: str


def find_by_id(connection: Connection, organization_id: int, ids: Collection[int]) -> list[ContactRecord]:
    """Return active contacts by ID."""
    return _find(connection, organization_id, contacts.c.id, ids)


def find_by_external_id(connection: Connection, organization_id: int, values: Collection[str]) -> list[ContactRecord]:
    """Return active contacts by exact external ID."""
    return _find(connection, organization_id, contacts.c.external_id, values)


def find_by_folded_external_id(
    connection: Connection, organization_id: int, values: Collection[str]
) -> list[ContactRecord]:
    """Return active contacts by external ID in any case."""
    return _find(connection, organization_id, contacts.c.external_id_folded, values)


def find_by_key(connection: Connection, organization_id: int, keys: Collection[str]) -> dict[str, ContactRecord]:
    """Return active contacts by the keys of their creation."""
    statement = (
        select(contact_keys.c.key, contacts.c.id, contacts.c.external_id)
        .join(contacts, contacts.c.id == contact_keys.c.contact_id)
        .where(contact_keys.c.organization_id == organization_id, contacts.c.status == ACTIVE)
    )
    found = rows_with(connection, statement, contact_keys.c.key, keys)
    return {row.key: ContactRecord(row.id, row.external_id) for row in found}


def add_keys(connection: Connection, organization_id: int, keys: Mapping[str, ContactRecord]) -> None:
    """Store keys for contacts. A key that finds a contact already keeps it."""
    rows = [{"organization_id": organization_id, "key": key, "contact_id": contact.id} for key, contact in keys.items()]
    insert_if_absent(connection, contact_keys, rows)


def add_contacts(connection: Connection, rows: Sequence[dict[str, Any]]) -> list[ContactRecord]:
    """Store new contacts at once, in order."""
    if not rows:
        return []
    statement = insert(contacts).returning(contacts.c.id, contacts.c.external_id, sort_by_parameter_order=True)
    return [ContactRecord(row[0], row[1]) for row in connection.execute(statement, rows)]


def _find(
    connection: Connection, organization_id: int, column: Column[Any], values: Collection[Any]
) -> list[ContactRecord]:
    statement = select(contacts.c.id, contacts.c.external_id).where(
        contacts.c.organization_id == organization_id, contacts.c.status == ACTIVE
    )
    return [ContactRecord(row.id, row.external_id) for row in rows_with(connection, statement, column, values)]
