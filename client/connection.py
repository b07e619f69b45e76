"""Who asks which service for which organization: the facts every request needs."""

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field

_SALT = secrets.token_bytes(32)


@dataclass(frozen=True)
class Connection:
    """A service, an organization and a user's credentials.

    `token` is the access token (a JWT, issued elsewhere) that some areas ask for in place of user and password.
    Hashable and comparable over all fields; its representation shows neither password nor token.
    """

    base_url: str
    organization_id: int
    username: str
    password: str = field(repr=False)
    token: str | None = field(default=None, repr=False)

    @property
    def fingerprint(self) -> str:
        """A key for caches of what is read with user and password.

        Equal within this process for connections that differ in nothing but the access token, and it reveals no secret.
        """
        return _digest([self.base_url, str(self.organization_id), self.username, self.password])

    @property
    def fingerprint_with_token(self) -> str:
        """A key for caches of what is read with the access token: equal within this process for equal connections."""
        return _digest([self.fingerprint, "" if self.token is None else f"token {self.token}"])


def _digest(parts: Iterable[str]) -> str:
    digest = hashlib.sha256(_SALT)
    for part in parts:
        encoded = part.encode()
        digest.update(len(encoded).to_bytes(8, "big"))
        digest.update(encoded)
    return digest.hexdigest()
