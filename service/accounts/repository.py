"""SQL of organizations, users, access, and what belongs to them."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, delete, exists, insert, select, update

from service.accounts.models import User
from service.accounts.schema import withheld_features
from service.epoch import now_ms
from service.schema import organization_access, organizations, users
from storage.dialects import advisory_lock, insert_if_absent

PUBLIC_ALERTS = "public alerts"

# Every request asks for its user: built once, the statement is not built and looked up again for each.
_USER = (
    select(users, organization_access.c.organization_id)
    .outerjoin(organization_access, organization_access.c.user_id == users.c.id)
    .where(users.c.username == bindparam("username"))
)


def lock_organization(connection: Connection, organization_id: int) -> None:
    """Take the advisory lock of an organization until the transaction ends, so that its writers come one by one.

    Two at once could store the same name twice. SQLite has one writer at a time anyway.
    """
    advisory_lock(connection, organization_id)


def find_user(connection: Connection, username: str) -> User | None:
    """The user of a name, with the organizations that are open to them."""
    rows = connection.execute(_USER, {"username": username}).all()
    if not rows:
        return None
    organization_ids = frozenset(row.organization_id for row in rows if row.organization_id is not None)
    return User(rows[0].id, rows[0].username, rows[0].password_hash, rows[0].display_name, organization_ids)


def organization_exists(connection: Connection, organization_id: int) -> bool:
    """Whether there is such an organization."""
    statement = select(exists().where(organizations.c.id == organization_id))
    return bool(connection.execute(statement).scalar_one())


def list_organizations(connection: Connection) -> list[tuple[int, str]]:
    """Id and name of every organization, by id."""
    rows = connection.execute(select(organizations.c.id, organizations.c.name).order_by(organizations.c.id))
    return [(row.id, row.name) for row in rows]


def add_organization(connection: Connection, organization_id: int, name: str) -> None:
    """Store a new organization."""
    connection.execute(insert(organizations).values(id=organization_id, name=name, created_at=now_ms()))


def add_user(connection: Connection, username: str, password_hash: str, display_name: str) -> int:
    """Store a new user; the id."""
    statement = insert(users).values(
        username=username, password_hash=password_hash, display_name=display_name, created_at=now_ms()
    )
    record_id: int = connection.execute(statement.returning(users.c.id)).scalar_one()
    return record_id


def set_password(connection: Connection, user_id: int, password_hash: str) -> None:
    """Replace a user's password."""
    connection.execute(update(users).where(users.c.id == user_id).values(password_hash=password_hash))


def give_access(connection: Connection, user_id: int, organization_id: int) -> None:
    """Let a user into an organization; nothing happens where they are in already."""
    insert_if_absent(connection, organization_access, [{"user_id": user_id, "organization_id": organization_id}])


def has_public_alerts(connection: Connection, user_id: int) -> bool:
    """Whether a user has public alerts: all have whom an operator does not withhold them from."""
    withheld = exists().where(withheld_features.c.user_id == user_id, withheld_features.c.feature == PUBLIC_ALERTS)
    return not connection.execute(select(withheld)).scalar_one()


def set_public_alerts(connection: Connection, user_id: int, *, allowed: bool) -> None:
    """Give public alerts to a user, or withhold them."""
    row = {"user_id": user_id, "feature": PUBLIC_ALERTS}
    if allowed:
        connection.execute(delete(withheld_features).filter_by(**row))
    else:
        insert_if_absent(connection, withheld_features, [row])
