"""The tables of the service and the version they are at."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Connection,
    Float,
    ForeignKey,
    Identity,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    insert,
    inspect,
    select,
    text,
    update,
)

SCHEMA_VERSION = 5

ACTIVE = "A"
DELETED = "D"

# ASSUMPTION A230: no length is given for what records are found by; this one fits the index of either database.
KEY_LENGTH = 255
USERNAME_LENGTH = 200

metadata = MetaData()

# SQLite gives ids by itself only to a column of type INTEGER; everywhere else ids are 64-bit.
LongId = BigInteger().with_variant(Integer, "sqlite")

schema_version = Table("schema_version", metadata, Column("version", Integer, nullable=False))

facts = Table(
    "facts",
    metadata,
    Column("name", String(100), primary_key=True),
    Column("value", Text, nullable=False),
)

organizations = Table(
    "organizations",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
)

users = Table(
    "users",
    metadata,
    Column("id", LongId, Identity(), primary_key=True),
    Column("username", String(USERNAME_LENGTH), nullable=False, unique=True),
    Column("password_hash", Text, nullable=False),
    Column("display_name", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    sqlite_autoincrement=True,
)

organization_access = Table(
    "organization_access",
    metadata,
    Column("user_id", BigInteger, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("organization_id", BigInteger, ForeignKey("organizations.id", ondelete="CASCADE"), primary_key=True),
)

contacts = Table(
    "contacts",
    metadata,
    Column("id", LongId, Identity(), primary_key=True),
    Column("organization_id", BigInteger, ForeignKey("organizations.id"), nullable=False),
    Column("external_id", Text, nullable=False),
    Column("external_id_folded", Text, nullable=False),
    Column("record_type_id", BigInteger, nullable=False),
    Column("first_name", Text, nullable=False),
    Column("middle_name", Text),
    Column("last_name", Text, nullable=False),
    Column("email_addresses", JSON, nullable=False),
    Column("phone_numbers", JSON, nullable=False),
    Column("status", String(1), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("created_by", BigInteger, nullable=False),
    sqlite_autoincrement=True,
)
Index(
    "contacts_external_id",
    contacts.c.organization_id,
    contacts.c.external_id,
    unique=True,
    sqlite_where=contacts.c.status == ACTIVE,
    postgresql_where=contacts.c.status == ACTIVE,
)
Index("contacts_external_id_folded", contacts.c.organization_id, contacts.c.external_id_folded)

contact_keys = Table(
    "contact_keys",
    metadata,
    Column("organization_id", BigInteger, ForeignKey("organizations.id"), primary_key=True, autoincrement=False),
    Column("key", String(64), primary_key=True),
    Column("contact_id", BigInteger, ForeignKey("contacts.id"), nullable=False),
)

itineraries = Table(
    "itineraries",
    metadata,
    Column("id", LongId, Identity(), primary_key=True),
    Column("organization_id", BigInteger, ForeignKey("organizations.id"), nullable=False),
    Column("pnr", Text, nullable=False),
    Column("external_itinerary_id", Text),
    Column("document", JSON, nullable=False),
    Column("status", String(1), nullable=False),
    # True while the row is as the demo generator left it: such rows, and no others, are re-dated.
    Column("generated", Boolean, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("created_by", BigInteger, nullable=False),
    Column("modified_at", BigInteger, nullable=False),
    Column("modified_by", BigInteger, nullable=False),
    sqlite_autoincrement=True,
)
Index(
    "itineraries_pnr",
    itineraries.c.organization_id,
    itineraries.c.pnr,
    unique=True,
    sqlite_where=itineraries.c.status == ACTIVE,
    postgresql_where=itineraries.c.status == ACTIVE,
)
Index(
    "itineraries_external_itinerary_id",
    itineraries.c.organization_id,
    itineraries.c.external_itinerary_id,
    sqlite_where=itineraries.c.status == ACTIVE,
    postgresql_where=itineraries.c.status == ACTIVE,
)

expected_locations = Table(
    "expected_locations",
    metadata,
    Column("id", LongId, Identity(), primary_key=True),
    Column("organization_id", BigInteger, nullable=False),
    Column("itinerary_id", BigInteger, ForeignKey("itineraries.id"), nullable=False),
    Column("contact_id", BigInteger, ForeignKey("contacts.id"), nullable=False),
    Column("contact_external_id", Text, nullable=False),
    Column("travel_category", String(10), nullable=False),
    Column("travel_type", String(10), nullable=False),
    Column("is_international_travel", Boolean, nullable=False),
    Column("is_local_travel", Boolean, nullable=False),
    Column("arrive_at", BigInteger, nullable=False),
    Column("expire_at", BigInteger, nullable=False),
    Column("location_name", Text),
    Column("street_address", Text),
    Column("city", Text),
    Column("state", Text),
    Column("postal_code", Text),
    Column("country", Text),
    Column("iata", Text),
    Column("latitude", Float(53)),
    Column("longitude", Float(53)),
    Column("created_at", BigInteger, nullable=False),
    Column("created_by", BigInteger, nullable=False),
    Column("created_name", Text, nullable=False),
    Column("modified_at", BigInteger, nullable=False),
    Column("modified_by", BigInteger, nullable=False),
    Column("modified_name", Text, nullable=False),
    Index("expected_locations_itinerary", "itinerary_id"),
    sqlite_autoincrement=True,
)


class NewerSchemaError(Exception):
    """The database was written by a later version of the service than this one."""


def _add_indexes(connection: Connection) -> None:
    for table in metadata.sorted_tables:
        for index in table.indexes:
            index.create(connection, checkfirst=True)


# From each version to the next; the last key is SCHEMA_VERSION - 1.
MIGRATIONS: dict[int, Callable[[Connection], None]] = {
    # Version 2 has the tables of all areas; create_all passes over those that are there.
    1: metadata.create_all,
    # Version 3 has indexes for lists in the order of ids; those that are there are passed over.
    2: _add_indexes,
    # Version 4 has the tables that a command could leave out before, and no others.
    3: metadata.create_all,
    # Version 5 has the keys of contacts without an employee id.
    4: metadata.create_all,
}

# Any one number: two services that start on one PostgreSQL database at once take turns by it.
_START_LOCK = 7_302_201


def ensure_schema(connection: Connection) -> None:
    """Create the tables, or bring them to SCHEMA_VERSION; refuse those of a later version with `NewerSchemaError`."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _START_LOCK})
    if not inspect(connection).has_table(schema_version.name):
        metadata.create_all(connection)
        connection.execute(insert(schema_version).values(version=SCHEMA_VERSION))
        return
    found = connection.execute(select(schema_version.c.version)).scalar_one()
    if found > SCHEMA_VERSION:
        raise NewerSchemaError(
            f"This database has schema version {found}; this version of the service knows up to {SCHEMA_VERSION}. "
            "Start a newer version of the service, or give it another database."
        )
    for version in range(found, SCHEMA_VERSION):
        MIGRATIONS[version](connection)
        connection.execute(update(schema_version).values(version=version + 1))
