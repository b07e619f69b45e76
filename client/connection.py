"""A connection: the service, organization, and credentials of a request."""

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field

_SALT = secrets.token_bytes(32)


@dataclass(frozen=True)
class Connection:
    """A service, an organization, and the credentials of a user.

    `token` is an access token (JWT) from another issuer, which some areas need instead of user and password. A
    connection is hashable and comparable over all fields. Its representation shows neither password nor token.
    """

    base_url: str
    organization_id: int
    username: str
    password: str = field(repr=False)
    token: str | None = field(default=None, repr=False)

    @property
    def fingerprint(self) -> str:
        """Return a cache key for data read with user and password.

        Within this process, the key is equal for connections that differ only in the access token. It reveals no
        secret.
        """
        return _digest([self.base_url, str(self.organization_id), self.username, self.password])

    @property
    def organization_fingerprint(self) -> str:
        """Return a cache key for data that every user of the organization may read, equal within this process."""
        return _digest([self.base_url, str(self.organization_id)])

    @property
    def fingerprint_with_token(self) -> str:
        """Return a cache key for data read with the access token, equal within this process for equal connections."""
        return _digest([self.fingerprint, "" if self.token is None else f"token {self.token}"])


def _digest(parts: Iterable[str]) -> str:
    digest = hashlib.sha256(_SALT)
    for part in parts:
        encoded = part.encode()
        digest.update(len(encoded).to_bytes(8, "big"))
        digest.update(encoded)
    return digest.hexdigest()
