"""Check credentials with the service, and explain what is wrong with them, by field."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from client import (
    Invalid,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    Rejected,
    ServiceClient,
    ServiceError,
    ServiceFailed,
    TooManyRequests,
    TransportError,
    UndecodableAnswer,
)
from domain.runtime import access_token
from domain.runtime.attempts import Attempt
from domain.runtime.problems import explain
from domain.runtime.server import Server
from domain.runtime.workspace import Workspace
from domain.text.plain_text import count, id_in
from journal import JournalError

Place = Literal["service", "organization", "username", "password", "token"]


@dataclass(frozen=True)
class Refusal:
    """Why the user is not signed in: messages by field; "service" is shown above the fields."""

    words: dict[Place, str]


def check_sign_in(
    server: Server, *, organization: str, username: str, password: str, address: str, token: str = ""
) -> Workspace | Refusal:
    """Return the workspace for these credentials, or why there is none. It reads once or twice from the service."""
    organization, username = "".join(organization.split()), username.strip()
    organization_id = id_in(organization)
    missing: dict[Place, str] = {}
    if not organization:
        missing["organization"] = "Enter the number of your organization."
    elif organization_id is None:
        missing["organization"] = "The organization must be a whole number, such as 8800."
    if not username:
        missing["username"] = "Enter your user name."
    elif ":" in username:
        missing["username"] = "A user name cannot contain a colon."
    if not password:
        missing["password"] = "Enter your password."  # noqa: S105 - words, not a password
    if token.strip() and (wrong := access_token.problem(token, datetime.now(UTC))):
        missing["token"] = wrong
    if missing or organization_id is None:
        return Refusal(missing)

    try:
        connection = server.connection(
            organization_id=organization_id,
            username=username,
            password=password,
            token=access_token.strip_bearer(token) or None,
        )
    except LookupError:
        return Refusal({"service": "Muster’s own service is starting. Try again in a moment."})
    attempt = Attempt(address, username)
    if wait := server.attempts.begin(attempt):
        minutes = count(max(1, math.ceil(wait / 60)), "minute", "minutes")
        return Refusal({"password": f"Too many wrong passwords. Try again in {minutes}, or ask for a new password."})
    result = _try(server, server.client(connection))
    if isinstance(result, Workspace):
        server.attempts.succeeded(attempt)
    elif "password" not in result.words:
        server.attempts.take_back(attempt)
    return result


def open_demo(server: Server) -> Workspace | Refusal:
    """Return the workspace of the demo organization, or why it cannot be opened."""
    try:
        connection = server.demo_connection()
    except LookupError:
        return Refusal({"service": "Muster’s own service is starting. Try again in a moment."})
    result = _try(server, server.client(connection))
    if isinstance(result, Refusal) and "service" not in result.words:
        return Refusal(
            {
                "service": "The demo organization rejected the password that Muster uses. "
                "Set MUSTER_SERVICE_DEMO_PASSWORD to the password that the organization was created with."
            }
        )
    return result


def _try(server: Server, client: ServiceClient) -> Workspace | Refusal:
    try:
        client.check_access()
        if client.connection.token and (words := token_refused(client)):
            client.close()
            return Refusal({"token": words})
        return server.workspace(client)
    except (ServiceError, JournalError) as error:
        client.close()
        return refusal(error, server)


def token_refused(client: ServiceClient) -> str | None:
    """Return why the service refuses the access token; None if it does not, or if the check failed."""
    try:
        client.lookup_mappings.search(page_size=1)
    except NotAuthenticated:
        return "The service does not accept this access token. The token may have been revoked. Ask for a new one."
    except NotAllowed:
        return f"The user of this access token has no access to organization {client.connection.organization_id}."
    except ServiceError:
        return None  # nothing that is wrong with the token
    return None


def refusal(error: Exception, server: Server) -> Refusal:
    """Return the messages for the error of the first call."""
    name = server.service_name
    match error:
        case NotAuthenticated():
            return Refusal({"password": "The user name or password is wrong."})
        case NotAllowed() | NotFound() | Invalid():
            return Refusal({"organization": "The organization does not exist, or this user has no access to it."})
        case TransportError():
            return Refusal(
                {
                    "service": f"The service cannot be reached ({name}). Try again in a moment. If this happens again, "
                    "tell the administrator of Muster."
                }
            )
        case TooManyRequests():
            return Refusal({"service": "The service is busy. Try again in a minute."})
        case ServiceFailed():
            return Refusal({"service": f"The service failed ({name}). Try again in a moment."})
        case UndecodableAnswer() | Rejected():
            return Refusal(
                {
                    "service": f"The response from {name} is not from the service. "
                    "The administrator of Muster should check MUSTER_SERVICE_URL."
                }
            )
        case _:
            return Refusal({"service": explain(error).text})
