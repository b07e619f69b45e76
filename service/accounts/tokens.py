"""Access tokens (JWT): issued by the operator, checked by areas that take them, signed with the service's secret."""

from __future__ import annotations

import os
import secrets
import time

import jwt
from sqlalchemy import Connection

from service import named_values
from service.accounts import repository
from service.accounts.provisioning import ProvisioningError

# ASSUMPTION A130: HS256, the user's name as `sub`, 28,800 s; carried as `Authorization: Bearer <token>`.
LIFETIME_SECONDS = 28_800
LEEWAY_SECONDS = 60
"""How far ahead the clock of whoever issues tokens may be."""
SECRET_VARIABLE = "MUSTER_SERVICE_TOKEN_SECRET"  # noqa: S105 (the name of a variable)
SHORTEST_SECRET = 32

_ALGORITHM = "HS256"
_ISSUER = "service"
_SECRET = "token secret"  # noqa: S105 (the name of a value)
_CLAIMS = ["sub", "iat", "exp", "iss"]


def given_secret() -> str | None:
    """The secret that the environment names, refused in words where it is too short to sign with."""
    given = os.environ.get(SECRET_VARIABLE)
    if given and len(given.encode()) < SHORTEST_SECRET:
        raise ProvisioningError(f"{SECRET_VARIABLE} needs at least {SHORTEST_SECRET} bytes.")
    return given or None


def secret_of(connection: Connection) -> str | None:
    """The environment's secret, else the database's, None while no token was ever issued."""
    return given_secret() or named_values.read(connection, _SECRET)


def issue(connection: Connection, username: str, *, now: float | None = None) -> str:
    """A token for an existing user."""
    if repository.find_user(connection, username) is None:
        raise ProvisioningError(f"There is no user {username}.")
    secret = given_secret() or named_values.keep_if_absent(connection, _SECRET, secrets.token_urlsafe(48))
    return sign(secret, username, now=now)


def sign(secret: str, username: str, *, now: float | None = None) -> str:
    """A token over a name, good for `LIFETIME_SECONDS` from now."""
    issued = int(time.time() if now is None else now)
    claims = {"sub": username, "iat": issued, "exp": issued + LIFETIME_SECONDS, "iss": _ISSUER}
    return jwt.encode(claims, secret, algorithm=_ALGORITHM)


def username_of(secret: str, token: str) -> str | None:
    """Whom a token was issued for; None for one that is forged, expired or no token at all."""
    # The life of a token is told to the second, so the leeway is for its beginning alone.
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
