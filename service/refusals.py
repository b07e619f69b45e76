"""The refusals of the service, in the interface's words."""

from __future__ import annotations

from typing import Any

BASIC_CHALLENGE = {"WWW-Authenticate": 'Basic realm="service", charset="UTF-8"'}
BEARER_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="service"'}


class RefusalError(Exception):
    """A request that the service does not carry out. Nothing has been stored.

    `body` is the response, by default `{status, message}`. An empty body is not sent.
    """

    def __init__(
        self,
        status: int,
        message: str,
        *,
        body: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.body = {"status": status, "message": message} if body is None else body
        self.headers = headers


def invalid(message: str) -> RefusalError:
    """Return the refusal of a request that breaks a rule: 400 `{status, message}`."""
    return RefusalError(400, message)


def not_found(message: str) -> RefusalError:
    """Return the refusal for a record that does not exist."""
    # ASSUMPTION A102: a record that does not exist is 404 in the general envelope.
    return RefusalError(404, message)


def name_taken(noun: str, name: str) -> RefusalError:
    """Return the refusal of a name that another record of the organization has: 409."""
    return RefusalError(409, f"A {noun} with this name already exists: {name}")


def unauthorized(message: str, headers: dict[str, str] | None = None) -> RefusalError:
    """Return the refusal of an unauthorized caller: 401 `{code, message}` (interface: Error bodies)."""
    return RefusalError(401, message, body={"code": 401, "message": message}, headers=headers)


def bad_credentials(*, status: int = 401) -> RefusalError:
    """Return the refusal of a wrong user or password: 401, but 404 to update or delete an itinerary (interface:
    Itinerary errors).
    """
    # ASSUMPTION A1: the 401 has the unauthorized envelope `{code, message}`, the 404 the general `{status, message}`.
    message = "Invalid credentials: Get User failed"
    return unauthorized(message, BASIC_CHALLENGE) if status == 401 else RefusalError(status, message)


def bad_token() -> RefusalError:
    """Return the refusal of an access token that is missing, forged, or expired (interface: Lookup mapping errors)."""
    return unauthorized("Unauthorized", BEARER_CHALLENGE)


def organization_not_accessible(organization_id: str) -> RefusalError:
    """Return the refusal of an organization that does not exist or that the user cannot access (interface: Lookup
    mapping errors).
    """
    # ASSUMPTION A2: described for lookup mappings only; the same response for every organization.
    return RefusalError(401, f"Org {organization_id} not accessible to this user, or does not exist.")
