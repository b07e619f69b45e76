"""SQL of itineraries and their expected locations."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeVar

from sqlalchemy import Column, Connection, bindparam, delete, insert, select, update

from service.clock import now_ms
from service.pages import Found, PageRequest, read_page
from service.schema import ACTIVE, DELETED, expected_locations, itineraries
from storage.dialects import chunks

Value = TypeVar("Value", int, str)


def is_active(connection: Connection, organization_id: int, itinerary_id: int) -> bool:
    """Whether an organization has such an itinerary, deleted ones set aside."""
    return bool(find_active(connection, organization_id, [itinerary_id]))


def find_by_pnr(connection: Connection, organization_id: int, pnrs: Collection[str]) -> dict[str, int]:
    """Ids of the active itineraries of these record locators."""
    found: dict[str, int] = {}
    for chunk in chunks(sorted(set(pnrs))):
        statement = select(itineraries.c.pnr, itineraries.c.id).where(
            itineraries.c.organization_id == organization_id,
            itineraries.c.status == ACTIVE,
            itineraries.c.pnr.in_(chunk),
        )
        found.update({row[0]: row[1] for row in connection.execute(statement)})
    return found


def find_active(connection: Connection, organization_id: int, ids: Collection[int]) -> set[int]:
    """Those of the ids that are active itineraries of the organization."""
    found: set[int] = set()
    for chunk in chunks(sorted(set(ids))):
        statement = select(itineraries.c.id).where(
            itineraries.c.organization_id == organization_id,
            itineraries.c.status == ACTIVE,
            itineraries.c.id.in_(chunk),
        )
        found.update(connection.execute(statement).scalars())
    return found


def search(connection: Connection, organization_id: int, field_name: str, values: Collection[str]) -> list[int]:
    """Ids of the active itineraries with one of these values of `pnr` or `externalItineraryId`, by id."""
    columns: dict[str, Column[Any]] = {
        "pnr": itineraries.c.pnr,
        "externalItineraryId": itineraries.c.external_itinerary_id,
    }
    column = columns[field_name]
    found: list[int] = []
    for chunk in chunks(sorted(set(values))):
        statement = select(itineraries.c.id).where(
            itineraries.c.organization_id == organization_id,
            itineraries.c.status == ACTIVE,
            column.in_(chunk),
        )
        found += connection.execute(statement).scalars()
    return sorted(found)


def add(connection: Connection, rows: Sequence[dict[str, Any]]) -> list[int]:
    """Store itineraries in one go; their ids in the order given."""
    if not rows:
        return []
    statement = insert(itineraries).returning(itineraries.c.id, sort_by_parameter_order=True)
    return list(connection.execute(statement, rows).scalars())


def change(connection: Connection, itinerary_id: int, values: Mapping[str, Any]) -> None:
    """Overwrite columns of one itinerary."""
    connection.execute(update(itineraries).where(itineraries.c.id == itinerary_id).values(**values))


def redate(connection: Connection, documents: Mapping[int, Any]) -> None:
    """Overwrite the documents of itineraries by id, and nothing else of them."""
    if documents:
        statement = update(itineraries).where(itineraries.c.id == bindparam("itinerary_id"))
        rows = [{"itinerary_id": itinerary_id, "new": document} for itinerary_id, document in documents.items()]
        connection.execute(statement.values(document=bindparam("new")), rows)


def remove(connection: Connection, user_id: int, ids: Collection[int]) -> None:
    """Make itineraries invisible and drop their expected locations."""
    for chunk in chunks(sorted(set(ids))):
        connection.execute(
            update(itineraries)
            .where(itineraries.c.id.in_(chunk))
            .values(status=DELETED, generated=False, modified_at=now_ms(), modified_by=user_id)
        )
    remove_expected_locations(connection, ids)


def remove_expected_locations(connection: Connection, itinerary_ids: Collection[int]) -> None:
    """Drop the expected locations of itineraries."""
    for chunk in chunks(sorted(set(itinerary_ids))):
        connection.execute(delete(expected_locations).where(expected_locations.c.itinerary_id.in_(chunk)))


def add_expected_locations(connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
    """Store expected locations in one go."""
    if rows:
        connection.execute(insert(expected_locations), rows)


def page_of_expected_locations(connection: Connection, itinerary_id: int, page: PageRequest) -> Found:
    """A page of the expected locations of an itinerary, by id, and how many there are in all."""
    statement = select(expected_locations).where(expected_locations.c.itinerary_id == itinerary_id)
    return read_page(connection, statement.order_by(expected_locations.c.id), page)
