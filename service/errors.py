"""Every error the service answers with: the exceptions, and the one place that turns them into bodies."""

from __future__ import annotations

import logging
from typing import Any

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException

from service.allowed_methods import allowed_methods
from service.answers import Answer
from service.database import UNAVAILABLE

logger = logging.getLogger("service")

BASIC_CHALLENGE = {"WWW-Authenticate": 'Basic realm="service", charset="UTF-8"'}
BEARER_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="service"'}


class RefusalError(Exception):
    """A request the service does not carry out; nothing of it has been stored."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        status_key: str = "status",
        challenge: bool = False,
        challenge_header: dict[str, str] = BASIC_CHALLENGE,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.status_key = status_key
        self.headers = challenge_header if challenge else None

    def body(self) -> dict[str, Any] | None:
        """`{status, message}`, or `{code, message}` for an unauthorized request (interface: Error bodies).

        None stands for an answer without a body.
        """
        return {self.status_key: self.status, "message": self.message}


class OrganizationRefusedError(RefusalError):
    """The organization is closed to the caller, or there is none."""


def invalid(message: str) -> RefusalError:
    """A request that breaks a rule: 400 `{status, message}`."""
    return RefusalError(400, message)


def bad_credentials(*, status: int = 401) -> RefusalError:
    """Wrong user or password: 401, but 404 to update or delete one itinerary (interface: Itinerary errors)."""
    # ASSUMPTION A1: the 401 has the unauthorized envelope `{code, message}`, the 404 the general `{status, message}`.
    key = "code" if status == 401 else "status"
    return RefusalError(status, "Invalid credentials: Get User failed", status_key=key, challenge=status == 401)


def bad_token() -> RefusalError:
    """An access token that is missing, forged or expired (interface: Lookup mapping errors)."""
    return RefusalError(401, "Unauthorized", status_key="code", challenge=True, challenge_header=BEARER_CHALLENGE)


def organization_not_accessible(organization_id: str) -> OrganizationRefusedError:
    """The user has no access to the organization, or there is none (interface: Lookup mapping errors)."""
    # ASSUMPTION A2: said of lookup mappings; the same answer everywhere an organization is named.
    return OrganizationRefusedError(401, f"Org {organization_id} not accessible to this user, or does not exist.")


def install_error_handlers(application: FastAPI) -> None:
    """Answer every error of the application in the interface's envelopes."""

    @application.exception_handler(RefusalError)
    async def refused(_request: Request, error: RefusalError) -> Response:
        body = error.body()
        if body is None:
            return Response(status_code=error.status, headers=error.headers)
        return Answer(body, error.status, error.headers)

    @application.exception_handler(HTTPException)
    async def http_error(request: Request, error: HTTPException) -> Answer:
        headers = dict(error.headers or {})
        if error.status_code == 405:
            headers["Allow"] = allowed_methods(application, request.scope["path"])
        return Answer({"status": error.status_code, "message": error.detail}, error.status_code, headers)

    async def database_unavailable(_request: Request, error: Exception) -> Answer:
        # Its first line: what follows may quote values.
        logger.error("The database did not answer: %s", str(getattr(error, "orig", error)).partition("\n")[0])
        message = "The database is busy or unavailable. Nothing was changed."
        return Answer({"status": 503, "message": message}, 503, {"Retry-After": "1"})

    for unavailable in UNAVAILABLE:
        application.add_exception_handler(unavailable, database_unavailable)

    @application.exception_handler(Exception)
    async def unexpected(_request: Request, _error: Exception) -> Answer:
        return Answer({"status": 500, "message": "Internal server error"}, 500)
