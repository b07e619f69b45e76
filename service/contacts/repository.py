"""SQL of contacts."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Column, Connection, insert, select

from service.schema import ACTIVE, contact_keys, contacts
from storage.dialects import chunks, insert_if_absent

Value = TypeVar("Value", int, str)


@dataclass(frozen=True)
class ContactRecord:
    """What matching needs of a contact."""

    id: int
    external_id: str


def find_by_id(connection: Connection, organization_id: int, ids: Collection[int]) -> list[ContactRecord]:
    """Active contacts of these ids."""
    return _find(connection, organization_id, contacts.c.id, ids)


def find_by_external_id(connection: Connection, organization_id: int, values: Collection[str]) -> list[ContactRecord]:
    """Active contacts of exactly these external ids."""
    return _find(connection, organization_id, contacts.c.external_id, values)


def find_by_folded_external_id(
    connection: Connection, organization_id: int, values: Collection[str]
) -> list[ContactRecord]:
    """Active contacts whose external id, case set aside, is one of these."""
    return _find(connection, organization_id, contacts.c.external_id_folded, values)


def find_by_key(connection: Connection, organization_id: int, keys: Collection[str]) -> dict[str, ContactRecord]:
    """Active contacts by the keys they were made under."""
    found: dict[str, ContactRecord] = {}
    for chunk in chunks(sorted(set(keys))):
        statement = (
            select(contact_keys.c.key, contacts.c.id, contacts.c.external_id)
            .join(contacts, contacts.c.id == contact_keys.c.contact_id)
            .where(contact_keys.c.organization_id == organization_id, contacts.c.status == ACTIVE)
            .where(contact_keys.c.key.in_(chunk))
        )
        found |= {row[0]: ContactRecord(row[1], row[2]) for row in connection.execute(statement)}
    return found


def add_keys(connection: Connection, organization_id: int, keys: Mapping[str, ContactRecord]) -> None:
    """Let contacts be found by keys; one that finds a contact already is left to it."""
    rows = [{"organization_id": organization_id, "key": key, "contact_id": contact.id} for key, contact in keys.items()]
    insert_if_absent(connection, contact_keys, rows)


def add_contacts(connection: Connection, rows: Sequence[dict[str, Any]]) -> list[ContactRecord]:
    """Store new contacts, in one go, in the order given."""
    if not rows:
        return []
    statement = insert(contacts).returning(contacts.c.id, contacts.c.external_id, sort_by_parameter_order=True)
    return [ContactRecord(row[0], row[1]) for row in connection.execute(statement, rows)]


def _find(
    connection: Connection, organization_id: int, column: Column[Any], values: Collection[Value]
) -> list[ContactRecord]:
    found: list[ContactRecord] = []
    for chunk in chunks(sorted(set(values))):
        statement = (
            select(contacts.c.id, contacts.c.external_id)
            .where(contacts.c.organization_id == organization_id, contacts.c.status == ACTIVE, column.in_(chunk))
            .order_by(contacts.c.id)
        )
        found += [ContactRecord(row[0], row[1]) for row in connection.execute(statement)]
    return found
