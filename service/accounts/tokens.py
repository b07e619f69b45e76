"""Access tokens (JWT): issued by an administrator, signed with the secret of the service."""

from __future__ import annotations

import os
import secrets
import time

import jwt
from sqlalchemy import Connection

from service import named_values
from service.accounts import repository
from service.accounts.provisioning import ProvisioningError

# ASSUMPTION A130: HS256, the user's name as `sub`, 28,800 s, sent as `Authorization: Bearer <token>`.
LIFETIME_SECONDS = 28_800
LEEWAY_SECONDS = 60
"""The seconds by which the clock of a token's issuer may be ahead."""
SECRET_VARIABLE = "MUSTER_SERVICE_TOKEN_SECRET"  # noqa: S105 (the name of a variable)
SHORTEST_SECRET = 32

_ALGORITHM = "HS256"
_ISSUER = "service"
_SECRET = "token secret"  # noqa: S105 (the name of a value)
_CLAIMS = ["sub", "iat", "exp", "iss"]


def secret_from_environment() -> str | None:
    """Return the secret from the environment. Raises an error if it is too short to sign with."""
    given = os.environ.get(SECRET_VARIABLE)
    if given and len(given.encode()) < SHORTEST_SECRET:
        raise ProvisioningError(f"{SECRET_VARIABLE} needs at least {SHORTEST_SECRET} bytes.")
    return given or None


def secret_of(connection: Connection) -> str | None:
    """Return the secret of the environment, or else of the database; None if no token was ever issued."""
    return secret_from_environment() or named_values.read(connection, _SECRET)


def issue(connection: Connection, username: str, *, now: float | None = None) -> str:
    """Issue a token for an existing user."""
    if repository.find_user(connection, username) is None:
        raise ProvisioningError(f"There is no user {username}.")
    secret = secret_from_environment() or named_values.store_if_absent(connection, _SECRET, secrets.token_urlsafe(48))
    return sign(secret, username, now=now)


def sign(secret: str, username: str, *, now: float | None = None) -> str:
    """Sign a token for a name, valid for `LIFETIME_SECONDS`."""
    issued = int(time.time() if now is None else now)
    claims = {"sub": username, "iat": issued, "exp": issued + LIFETIME_SECONDS, "iss": _ISSUER}
    return jwt.encode(claims, secret, algorithm=_ALGORITHM)


def username_of(secret: str, token: str) -> str | None:
    """Return the user name of a token; None if it is invalid or expired."""
    # The expiry is exact; the leeway applies only to the start.
    options: jwt.types.Options = {"require": _CLAIMS, "verify_exp": False}
    try:
        claims = jwt.decode(
            token, secret, algorithms=[_ALGORITHM], issuer=_ISSUER, options=options, leeway=LEEWAY_SECONDS
        )
    except (jwt.InvalidTokenError, ValueError):
        return None
    subject, expiry = claims["sub"], claims["exp"]
    if not isinstance(subject, str) or not isinstance(expiry, int) or isinstance(expiry, bool):
        return None
    return subject if expiry > time.time() else None
