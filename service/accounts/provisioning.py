"""Create organizations and users for an administrator, with clear errors."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from client.vocabulary.limits import LONG_MAX
from service.accounts import repository
from service.public_lookups import repository as public_lookups
from service.public_lookups.schema import GROUP_NAME_LENGTH
from service.schema import USERNAME_LENGTH


class ProvisioningError(Exception):
    """The request of the administrator cannot be done; the message says why."""


def add_organization(connection: Connection, organization_id: int, name: str) -> None:
    """Create an organization. Its ID must be unused."""
    if not 1 <= organization_id <= LONG_MAX:
        raise ProvisioningError(f"An organization ID is a whole number from 1 to {LONG_MAX}.")
    if not name.strip():
        raise ProvisioningError("An organization needs a name.")
    if repository.organization_exists(connection, organization_id):
        raise ProvisioningError(f"Organization {organization_id} already exists.")
    repository.add_organization(connection, organization_id, name.strip())


def add_user(
    connection: Connection,
    username: str,
    password_hash: str,
    organization_ids: Sequence[int],
    *,
    display_name: str | None,
) -> None:
    """Create a user with access to organizations. The name must be unused and valid in Basic credentials."""
    if not username or ":" in username or not username.isprintable() or len(username) > USERNAME_LENGTH:
        raise ProvisioningError(
            f"A user name has 1 to {USERNAME_LENGTH} characters, without colons and control characters."
        )
    if repository.find_user(connection, username) is not None:
        raise ProvisioningError(f"User {username} already exists. `user allow` gives access to another organization.")
    _require_organizations(connection, organization_ids)
    user_id = repository.add_user(connection, username, password_hash, display_name or username)
    for organization_id in organization_ids:
        repository.give_access(connection, user_id, organization_id)


def allow_user(connection: Connection, username: str, organization_ids: Sequence[int]) -> None:
    """Give a user access to organizations."""
    user_id = _require_user(connection, username)
    _require_organizations(connection, organization_ids)
    for organization_id in organization_ids:
        repository.give_access(connection, user_id, organization_id)


def change_password(connection: Connection, username: str, password_hash: str) -> None:
    """Replace the password of a user. The old one stops working at once."""
    repository.set_password(connection, _require_user(connection, username), password_hash)


def set_public_alerts(connection: Connection, username: str, *, allowed: bool) -> None:
    """Allow or disallow public alerts for a user."""
    repository.set_public_alerts(connection, _require_user(connection, username), allowed=allowed)


def add_event_group(connection: Connection, organization_id: int, name: str) -> None:
    """Create a group that public alerts can be sent to. Its name must be unused."""
    _require_organizations(connection, [organization_id])
    name = name.strip()
    if not name or not name.isprintable() or len(name) > GROUP_NAME_LENGTH:
        raise ProvisioningError(f"An event group needs a name of at most {GROUP_NAME_LENGTH} printable characters.")
    if name in {group.group_name for group in public_lookups.list_groups(connection, organization_id)}:
        raise ProvisioningError(f"Event group {name} already exists.")
    public_lookups.add_groups(connection, organization_id, [name])


def _require_user(connection: Connection, username: str) -> int:
    user = repository.find_user(connection, username)
    if user is None:
        raise ProvisioningError(f"There is no user {username}.")
    return user.id


def _require_organizations(connection: Connection, organization_ids: Sequence[int]) -> None:
    for organization_id in organization_ids:
        if not repository.organization_exists(connection, organization_id):
            raise ProvisioningError(f"There is no organization {organization_id}. `organization add` creates one.")
