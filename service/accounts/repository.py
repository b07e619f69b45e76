"""SQL of organizations, users, and access."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, delete, exists, insert, select, update

from service.accounts.models import User
from service.accounts.schema import withheld_features
from service.epoch import now_ms
from service.schema import organization_access, organizations, users
from storage.dialects import advisory_lock, insert_if_absent

PUBLIC_ALERTS = "public alerts"

# Every request looks up its user, so the statement is built once.
_USER = (
    select(users, organization_access.c.organization_id)
    .outerjoin(organization_access, organization_access.c.user_id == users.c.id)
    .where(users.c.username == bindparam("username"))
)


def lock_organization(connection: Connection, organization_id: int) -> None:
    """Take the advisory lock of an organization until the transaction ends, so that only one transaction writes at a
    time.

    Two at once could store the same name twice. SQLite allows one writer at a time anyway.
    """
    advisory_lock(connection, organization_id)


def find_user(connection: Connection, username: str) -> User | None:
    """Return the user with this name and their organizations."""
    rows = connection.execute(_USER, {"username": username}).all()
    if not rows:
        return None
    organization_ids = frozenset(row.organization_id for row in rows if row.organization_id is not None)
    return User(rows[0].id, rows[0].username, rows[0].password_hash, rows[0].display_name, organization_ids)


def organization_exists(connection: Connection, organization_id: int) -> bool:
    """Return whether the organization exists."""
    statement = select(exists().where(organizations.c.id == organization_id))
    return bool(connection.execute(statement).scalar_one())


def list_organizations(connection: Connection) -> list[tuple[int, str]]:
    """Return ID and name of every organization, by ID."""
    rows = connection.execute(select(organizations.c.id, organizations.c.name).order_by(organizations.c.id))
    return [(row.id, row.name) for row in rows]


def add_organization(connection: Connection, organization_id: int, name: str) -> None:
    """Store a new organization."""
    connection.execute(insert(organizations).values(id=organization_id, name=name, created_at=now_ms()))


def add_user(connection: Connection, username: str, password_hash: str, display_name: str) -> int:
    """Store a new user. Returns the ID."""
    statement = insert(users).values(
        username=username, password_hash=password_hash, display_name=display_name, created_at=now_ms()
    )
    record_id: int = connection.execute(statement.returning(users.c.id)).scalar_one()
    return record_id


def set_password(connection: Connection, user_id: int, password_hash: str) -> None:
    """Replace a user's password."""
    connection.execute(update(users).where(users.c.id == user_id).values(password_hash=password_hash))


def give_access(connection: Connection, user_id: int, organization_id: int) -> None:
    """Give a user access to an organization, if they do not have it."""
    insert_if_absent(connection, organization_access, [{"user_id": user_id, "organization_id": organization_id}])


def has_public_alerts(connection: Connection, user_id: int) -> bool:
    """Return whether a user may use public alerts. All may unless an administrator disallows them."""
    withheld = exists().where(withheld_features.c.user_id == user_id, withheld_features.c.feature == PUBLIC_ALERTS)
    return not connection.execute(select(withheld)).scalar_one()


def set_public_alerts(connection: Connection, user_id: int, *, allowed: bool) -> None:
    """Allow or disallow public alerts for a user."""
    row = {"user_id": user_id, "feature": PUBLIC_ALERTS}
    if allowed:
        connection.execute(delete(withheld_features).filter_by(**row))
    else:
        insert_if_absent(connection, withheld_features, [row])
