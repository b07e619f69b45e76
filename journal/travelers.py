"""Names of travelers by their external IDs at the service."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import select

from journal.journal_database import Database, of_organization, utc_now
from journal.payload import storable
from journal.tables import travelers
from journal.value_objects import Traveler
from storage.dialects import upsert


class Travelers:
    """Names by external ID and organization. The newest name counts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def learn(self, service: str, organization_id: int, people: Iterable[Traveler]) -> None:
        """Store the names of people who have an ID and a name."""
        now = utc_now()
        rows = {
            person.external_id: {
                "service": service,
                "organization_id": organization_id,
                "external_id": storable(person.external_id),
                "first_name": storable(person.first_name),
                "last_name": storable(person.last_name),
                "learnt_at": now,
            }
            for person in people
            if person.external_id and person.name
        }
        # One order for all writers: two that learn the same people at once then wait for each other, not on each other.
        ordered = [rows[external_id] for external_id in sorted(rows)]
        if ordered:
            with self._database.writing() as connection:
                upsert(connection, travelers, ordered)

    def names(self, service: str, organization_id: int) -> dict[str, str]:
        """Return all names of an organization as "Last, First", by external ID."""
        return {known: person.name for known, person in self.people(service, organization_id).items()}

    def people(self, service: str, organization_id: int) -> dict[str, Traveler]:
        """Return all travelers of an organization with a name, by external ID."""
        statement = select(travelers.c.external_id, travelers.c.first_name, travelers.c.last_name).where(
            of_organization(travelers, service, organization_id)
        )
        with self._database.reading() as connection:
            return {row[0]: Traveler(*row) for row in connection.execute(statement)}
