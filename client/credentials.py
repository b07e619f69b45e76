"""How a request authenticates: by user and password, or by access token; and which parts are secret."""

import base64
import enum
import re
from collections.abc import Mapping

from .connection import Connection
from .errors import FieldError, Invalid, NotAuthenticated, ServiceError, TokenNotAccepted

_TOKEN = re.compile(r"[A-Za-z0-9\-._~+/]+=*")


class Credentials(enum.Enum):
    """The credentials that an area of the interface requires (interface: Authentication)."""

    BASIC = "basic"
    """User and password."""
    TOKEN = "token"  # noqa: S105 - the name of a scheme
    """Access token."""
    EITHER = "either"
    """User and password, or, without them, the access token."""


def authorizations(connection: Connection) -> Mapping[Credentials, str]:
    """Return the `Authorization` header for each scheme that this connection supports.

    Raises `Invalid` for a user name or token that a header cannot carry.
    """
    if ":" in connection.username:
        words = "A user name cannot contain a colon."
        raise Invalid(words, field_errors=[FieldError("username", words)], sent=False)
    found: dict[Credentials, str] = {}
    token = bare_token(connection)
    if token is not None:
        if not _TOKEN.fullmatch(token):
            words = "The access token contains characters that are not allowed."
            raise Invalid(words, field_errors=[FieldError("token", words)], sent=False)
        found[Credentials.TOKEN] = found[Credentials.EITHER] = f"Bearer {token}"
    if connection.username:
        # ASSUMPTION A162
        found[Credentials.BASIC] = found[Credentials.EITHER] = f"Basic {_basic(connection)}"
    return found


def bare_token(connection: Connection) -> str | None:
    """Return the access token without spaces and without a copied "Bearer"; None if it is empty."""
    return re.sub(r"(?i)^bearer\s+", "", (connection.token or "").strip()) or None


def missing_credentials(credentials: Credentials) -> Invalid:
    """Return the message for a connection without the credentials that an area requires. Nothing has been sent."""
    if credentials is Credentials.BASIC:
        words = "This call needs a user name and a password. The connection has none."
        return Invalid(words, field_errors=[FieldError("username", words)], sent=False)
    words = "This call needs an access token (JWT). The connection has none."
    return Invalid(words, field_errors=[FieldError("token", words)], sent=False)


def with_token_message(error: ServiceError, authorization: str) -> ServiceError:
    """Return the same error with a message about the token if the token was rejected."""
    if isinstance(error, NotAuthenticated) and authorization.startswith("Bearer "):
        return TokenNotAccepted(
            "The service does not accept this access token. It may have expired.",
            status=error.status,
            answer_text=error.answer_text,
            service_message=error.service_message,
            sent=error.sent,
        )
    return error


def secret_pattern(connection: Connection) -> re.Pattern[str]:
    """Return a pattern that matches this connection's secrets in a text: credentials, token, and the password as a
    word.
    """
    secrets = [re.escape(_basic(connection))]
    token = bare_token(connection)
    if token is not None:
        secrets.append(re.escape(token))
    if connection.password and connection.password != connection.username:
        secrets.append(rf"(?<!\w){re.escape(connection.password)}(?!\w)")
    return re.compile("|".join(secrets))


def _basic(connection: Connection) -> str:
    return base64.b64encode(f"{connection.username}:{connection.password}".encode()).decode("ascii")
