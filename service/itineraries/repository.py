"""SQL of itineraries and their expected locations."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import BindParameter, Connection, Select, bindparam, delete, insert, select, update

from service.epoch import now_ms
from service.pages import Found, PageRequest, read_page
from service.schema import ACTIVE, DELETED, expected_locations, itineraries
from storage.dialects import chunks, rows_with

_table = itineraries.c
_SEARCHABLE = {"pnr": _table.pnr_key, "externalItineraryId": _table.external_itinerary_id}


def pnr_key(pnr: str) -> str:
    """Return the form in which record locators are compared."""
    # ASSUMPTION A18
    return pnr.upper()


def find_by_pnr(connection: Connection, organization_id: int, pnrs: Collection[str]) -> dict[str, list[int]]:
    """Return IDs of active itineraries with these record locators (as `pnr_key`), lowest first."""
    found: dict[str, list[int]] = {}
    for row in rows_with(connection, _active(organization_id), _table.pnr_key, {pnr_key(pnr) for pnr in pnrs}):
        found.setdefault(row.pnr_key, []).append(row.id)
    return {key: sorted(ids) for key, ids in found.items()}


def find_active(connection: Connection, organization_id: int, ids: Collection[int]) -> set[int]:
    """Return those of the IDs that are active itineraries of the organization."""
    return {row.id for row in rows_with(connection, _active(organization_id), _table.id, ids)}


def is_active(connection: Connection, organization_id: int, itinerary_id: int) -> bool:
    """Return whether an itinerary is active and belongs to the organization."""
    parameters = {"organization_id": organization_id, "itinerary_id": itinerary_id}
    return connection.execute(_BY_ID, parameters).first() is not None


def search(connection: Connection, organization_id: int, field_name: str, values: Collection[str]) -> list[int]:
    """Return IDs of active itineraries with one of these values of `pnr` or `externalItineraryId`, by ID."""
    if field_name == "pnr":
        values = {pnr_key(value) for value in values}
    found = rows_with(connection, _active(organization_id), _SEARCHABLE[field_name], values)
    return sorted(row.id for row in found)


def pnrs_ever(connection: Connection, organization_id: int) -> set[str]:
    """Return every record locator that an organization has or had."""
    statement = select(_table.pnr).where(_table.organization_id == organization_id)
    return set(connection.execute(statement).scalars())


def find_generated(connection: Connection, organization_id: int) -> dict[str, int]:
    """Return IDs of active itineraries that the demo generator made and no one changed, by record locator."""
    rows = connection.execute(_active(organization_id).where(_table.generated))
    return {row.pnr: row.id for row in rows}


def add(connection: Connection, rows: Sequence[dict[str, Any]]) -> list[int]:
    """Store itineraries at once. Returns their IDs in order."""
    if not rows:
        return []
    statement = insert(itineraries).returning(_table.id, sort_by_parameter_order=True)
    return list(connection.execute(statement, rows).scalars())


def change(connection: Connection, itinerary_id: int, values: Mapping[str, Any]) -> None:
    """Update columns of one itinerary."""
    connection.execute(update(itineraries).where(_table.id == itinerary_id).values(**values))


def redate(connection: Connection, documents: Mapping[int, Any]) -> None:
    """Replace only the documents of itineraries, by ID."""
    if documents:
        statement = update(itineraries).where(_table.id == bindparam("itinerary_id"))
        rows = [{"itinerary_id": itinerary_id, "new": document} for itinerary_id, document in documents.items()]
        connection.execute(statement.values(document=bindparam("new")), rows)


def remove(connection: Connection, user_id: int, ids: Collection[int]) -> None:
    """Mark itineraries as deleted, and delete their expected locations."""
    for chunk in chunks(sorted(set(ids))):
        connection.execute(
            update(itineraries)
            .where(_table.id.in_(chunk))
            .values(status=DELETED, generated=False, modified_at=now_ms(), modified_by=user_id)
        )
    remove_expected_locations(connection, ids)


def remove_expected_locations(connection: Connection, itinerary_ids: Collection[int]) -> None:
    """Delete the expected locations of itineraries."""
    for chunk in chunks(sorted(set(itinerary_ids))):
        connection.execute(delete(expected_locations).where(expected_locations.c.itinerary_id.in_(chunk)))


def add_expected_locations(connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
    """Store expected locations at once."""
    if rows:
        connection.execute(insert(expected_locations), rows)


def page_of_expected_locations(connection: Connection, itinerary_id: int, page: PageRequest) -> Found:
    """Return a page of the expected locations of an itinerary, by ID, and their total."""
    statement = select(expected_locations).where(expected_locations.c.itinerary_id == itinerary_id)
    return read_page(connection, statement.order_by(expected_locations.c.id), page)


def _active(organization_id: int | BindParameter[int]) -> Select[Any]:
    statement = select(_table.id, _table.pnr, _table.pnr_key)
    return statement.where(_table.organization_id == organization_id, _table.status == ACTIVE)


# Built once: building a statement takes as long as executing it.
_BY_ID = _active(bindparam("organization_id")).where(_table.id == bindparam("itinerary_id"))
