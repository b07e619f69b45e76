"""The tables that several areas share. The tables of one area are in its own `schema.py`; migrations are in
`migrations`.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Identity,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    column,
)

ACTIVE = "A"
DELETED = "D"
ACTIVE_ONLY: dict[str, Any] = dict.fromkeys(("sqlite_where", "postgresql_where"), column("status", String(1)) == ACTIVE)
"""Options of an index over active records only."""

# ASSUMPTION A230: the interface gives no length for the fields that records are found by; this one fits the indexes of
# both databases.
KEY_LENGTH = 255
USERNAME_LENGTH = 200

metadata = MetaData()

# SQLite assigns IDs only to a column of type INTEGER. On other databases IDs are 64-bit.
LongId = BigInteger().with_variant(Integer, "sqlite")

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
    Index("contacts_external_id", "organization_id", "external_id", unique=True, **ACTIVE_ONLY),
    Index("contacts_external_id_folded", "organization_id", "external_id_folded"),
    sqlite_autoincrement=True,
)

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
    # True while the row is unchanged since the demo generator wrote it. Only such rows get new dates.
    Column("generated", Boolean, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("created_by", BigInteger, nullable=False),
    Column("modified_at", BigInteger, nullable=False),
    Column("modified_by", BigInteger, nullable=False),
    # The form in which record locators are compared. Older trips may share one.
    Column("pnr_key", Text, nullable=False, server_default=""),
    Index("itineraries_pnr_key", "organization_id", "pnr_key", **ACTIVE_ONLY),
    Index("itineraries_pnr", "organization_id", "pnr", unique=True, **ACTIVE_ONLY),
    Index("itineraries_external_itinerary_id", "organization_id", "external_itinerary_id", **ACTIVE_ONLY),
    sqlite_autoincrement=True,
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
