"""SQL of organizations, users and access."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, and_, bindparam, exists, insert, select, update

from service.clock import now_ms
from service.schema import facts, organization_access, organizations, users
from service.statements import PreparedSelect
from service.upserts import insert_if_absent


@dataclass(frozen=True)
class UserRecord:
    """A user, with whether the organization asked about is open to them."""

    id: int
    username: str
    password_hash: str
    display_name: str
    has_access: bool


_FIND_USER = PreparedSelect(
    select(
        users.c.id,
        users.c.username,
        users.c.password_hash,
        users.c.display_name,
        organization_access.c.organization_id.is_not(None).label("has_access"),
    )
    .select_from(
        users.outerjoin(
            organization_access,
            and_(
                organization_access.c.user_id == users.c.id,
                organization_access.c.organization_id == bindparam("organization_id"),
            ),
        )
    )
    .where(users.c.username == bindparam("username"))
)

_TOKEN_SECRET_NAME = "token secret"  # noqa: S105 (the name of a row)
_TOKEN_SECRET = PreparedSelect(select(facts.c.value).where(facts.c.name == _TOKEN_SECRET_NAME))
_ORGANIZATIONS_OF = PreparedSelect(
    select(organization_access.c.organization_id).where(organization_access.c.user_id == bindparam("user_id"))
)


def find_user(connection: Connection, username: str, organization_id: int | None) -> UserRecord | None:
    """The user of a name, with access to `organization_id` answered."""
    row = _FIND_USER.first(connection, {"username": username, "organization_id": organization_id})
    return UserRecord(*row) if row is not None else None


def organization_exists(connection: Connection, organization_id: int) -> bool:
    """Whether there is such an organization."""
    statement = select(exists().where(organizations.c.id == organization_id))
    return bool(connection.execute(statement).scalar_one())


def list_organizations(connection: Connection) -> list[tuple[int, str]]:
    """Id and name of every organization, by id."""
    rows = connection.execute(select(organizations.c.id, organizations.c.name).order_by(organizations.c.id))
    return [(row[0], row[1]) for row in rows]


def add_organization(connection: Connection, organization_id: int, name: str) -> None:
    """Store a new organization."""
    connection.execute(insert(organizations).values(id=organization_id, name=name, created_at=now_ms()))


def add_user(connection: Connection, username: str, password_hash: str, display_name: str) -> int:
    """Store a new user; answers with the id."""
    values = {
        "username": username,
        "password_hash": password_hash,
        "display_name": display_name,
        "created_at": now_ms(),
    }
    return int(connection.execute(insert(users).values(values).returning(users.c.id)).scalar_one())


def set_password(connection: Connection, user_id: int, password_hash: str) -> None:
    """Replace a user's password."""
    connection.execute(update(users).where(users.c.id == user_id).values(password_hash=password_hash))


def give_access(connection: Connection, user_id: int, organization_id: int) -> None:
    """Let a user into an organization; nothing happens where they are in already."""
    insert_if_absent(connection, organization_access, [{"user_id": user_id, "organization_id": organization_id}])


def organizations_of(connection: Connection, user_id: int) -> list[int]:
    """Ids of the organizations open to a user."""
    return sorted(row.organization_id for row in _ORGANIZATIONS_OF.all(connection, {"user_id": user_id}))


def token_secret(connection: Connection) -> str | None:
    """What access tokens are signed with, None while none was ever issued."""
    secret: str | None = _TOKEN_SECRET.scalar(connection, {})
    return secret


def add_token_secret_if_absent(connection: Connection, secret: str) -> None:
    """Keep a secret to sign access tokens with, unless there is one."""
    insert_if_absent(connection, facts, [{"name": _TOKEN_SECRET_NAME, "value": secret}])
