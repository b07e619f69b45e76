"""Who asks which service for which organization: the four facts every request needs."""

import hashlib
import secrets
from dataclasses import dataclass, field

_SALT = secrets.token_bytes(32)


@dataclass(frozen=True)
class Connection:
    """A service, an organization and a user's credentials.

    Hashable and comparable over all four fields; its representation never shows the password.
    """

    base_url: str
    organization_id: int
    username: str
    password: str = field(repr=False)

    @property
    def fingerprint(self) -> str:
        """A key for caches: equal within this process exactly for equal connections, and it reveals no secret."""
        digest = hashlib.sha256(_SALT)
        for part in (self.base_url, str(self.organization_id), self.username, self.password):
            encoded = part.encode()
            digest.update(len(encoded).to_bytes(8, "big"))
            digest.update(encoded)
        return digest.hexdigest()
