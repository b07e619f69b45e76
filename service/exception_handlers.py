"""Turn exceptions into the interface's error envelopes."""

from __future__ import annotations

import logging
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import Match

from service.database import UNAVAILABLE
from service.refusals import RefusalError, invalid

logger = logging.getLogger("service")


def install_exception_handlers(application: FastAPI) -> None:
    """Install handlers for every error of the application."""
    application.exception_handler(RefusalError)(_refused)
    application.exception_handler(RequestValidationError)(_not_valid)
    application.exception_handler(HTTPException)(_not_served)
    application.exception_handler(ClientDisconnect)(_client_gone)
    for unavailable in UNAVAILABLE:
        application.exception_handler(unavailable)(_database_unavailable)
    application.exception_handler(Exception)(_unexpected)


def _parameter_refusal(error: dict[str, Any]) -> RefusalError:
    """Return the message for a parameter with a wrong type."""
    place, name = error["loc"][0], error["loc"][-1]
    value, context = str(error["input"])[:50], error.get("ctx", {})
    if place == "header" and (error["type"] == "missing" or not value.strip()):
        return invalid(f"Header {name} is empty.")
    match error["type"]:
        case "missing":
            why = "is empty."
        case "bool_parsing":
            why = f"is not a boolean: {value}"
        case "int_parsing" | "int_from_float" | "int_parsing_size":
            why = f"is not a whole number: {value}"
        case "greater_than_equal" | "less_than_equal":
            why = f"is out of range: {value}"
        case "one_of":
            why = f"is none of {context['listed']}: {value}"
        case "value_error":
            why = f"{context['error']}: {value}"
        case _:
            why = f"is invalid: {error['msg']}"
    return invalid(f"Parameter {name} {why}")


async def _refused(_request: Request, error: RefusalError) -> Response:
    if not error.body:
        return Response(status_code=error.status, headers=error.headers)
    return JSONResponse(error.body, error.status, error.headers)


async def _client_gone(_request: Request, _error: ClientDisconnect) -> Response:
    return Response(status_code=499)  # The status that nginx logs for a closed connection. No one receives it.


async def _not_valid(request: Request, error: RequestValidationError) -> Response:
    return await _refused(request, _parameter_refusal(error.errors()[0]))


async def _not_served(request: Request, error: HTTPException) -> Response:
    headers = dict(error.headers or {})
    if error.status_code == 405:
        # The framework names only the methods of the first matching route.
        headers["Allow"] = ", ".join(sorted(_methods(request)))
    return JSONResponse({"status": error.status_code, "message": error.detail}, error.status_code, headers)


def _methods(request: Request) -> set[str]:
    scopes = {method: {**request.scope, "method": method} for method in ("GET", "POST", "PUT", "DELETE")}
    routes = request.app.routes
    return {name for name, scope in scopes.items() if any(route.matches(scope)[0] is Match.FULL for route in routes)}


async def _database_unavailable(_request: Request, error: Exception) -> Response:
    # The first line only: the others may quote values.
    logger.error("The database did not answer: %s", str(getattr(error, "orig", error)).partition("\n")[0])
    message = "The database is busy or unavailable. Nothing was changed."
    return JSONResponse({"status": 503, "message": message}, 503, {"Retry-After": "1"})


async def _unexpected(_request: Request, _error: Exception) -> Response:
    return JSONResponse({"status": 500, "message": "Internal server error"}, 500)
