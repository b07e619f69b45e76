"""The ASGI application: all areas, every path with and without the leading /rest, and faults around them."""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import anyio.to_thread
from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import PlainTextResponse

from client.vocabulary.assets import ORGANIZATION_HEADER as ASSETS_HEADER
from client.vocabulary.crisis_templates import ORGANIZATION_HEADER as CRISIS_HEADER
from service.accounts import tokens
from service.accounts.passwords import Passwords
from service.areas import modules_of_areas
from service.database import Database
from service.dependencies import DatabaseOfApplication, Resources
from service.dynamic_locations.runner import UploadRunner
from service.exception_handlers import install_exception_handlers
from service.faults import Application, Fault, FaultInjection, Receive, Scope, Send, read_faults_file
from service.itineraries.expected_locations import Margins
from service.logs import set_up_logs
from service.options import ServiceOptions

REST = "/rest"
SHAPES_READ_AT_ONCE = 2


class OnePath:
    """ASGI middleware that removes a leading `/rest` and a trailing slash from the path, so that a route is declared
    once.
    """

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope = dict(scope)
            if scope["path"].startswith(REST + "/"):
                scope["path"] = scope["path"][len(REST) :]
                scope["raw_path"] = scope["raw_path"].removeprefix(REST.encode())
            # Not a slash that is part of a name and was sent as %2F.
            if scope["path"] != "/" and scope["raw_path"].endswith(b"/"):
                scope["path"] = scope["path"][:-1]
                scope["raw_path"] = scope["raw_path"][:-1]
        await self._application(scope, receive, send)


class Service(FastAPI):
    """The application. Its OpenAPI document omits the framework's schemas of validation errors."""

    def openapi(self) -> dict[str, Any]:
        """Return the OpenAPI document. Invalid requests are 400 in the interface's envelope."""
        document = super().openapi()
        for operations in document["paths"].values():
            for operation in operations.values():
                operation["responses"].pop("422", None)
        return document


def create_service() -> Service:
    """Return the application with every endpoint. `state.resources` must be set before the first request."""
    service = Service(
        title="Travel, contact and notification management",
        lifespan=_lifespan,
        redirect_slashes=False,
        docs_url=None,
        redoc_url=None,
        telemetry={"tracing": False, "metrics": False, "logs": False},
    )
    install_exception_handlers(service)
    for area in modules_of_areas("routes"):
        # Not `include_router`: the framework matches the routes of an included router twice, each with its own context.
        service.router.routes.extend(area.router.routes)

    @service.get("/healthz", include_in_schema=False)
    async def healthz(database: DatabaseOfApplication) -> PlainTextResponse:
        """Return whether the service and its database respond."""
        await database.read(lambda connection: connection.exec_driver_sql("SELECT 1").scalar_one())
        return PlainTextResponse("ok")

    return service


@asynccontextmanager
async def _lifespan(service: FastAPI) -> AsyncIterator[None]:
    resources: Resources = service.state.resources
    resources.upload_runner.start()
    yield
    await anyio.to_thread.run_sync(resources.upload_runner.stop)
    resources.database.close()


def create_application(
    options: ServiceOptions, *, service: Service | None = None, faults: list[Fault] | None = None
) -> Application:
    """Return a service over one database, by default a new one. `faults` replaces a faults file."""
    if faults is None and options.faults_file is not None:
        faults = read_faults_file(Path(options.faults_file))
    tokens.secret_from_environment()
    service, database = service or create_service(), Database(options.database_url)
    service.state.resources = Resources(
        database=database,
        passwords=Passwords(),
        margins=Margins(timedelta(hours=options.hours_before), timedelta(hours=options.hours_after)),
        upload_runner=UploadRunner(database),
        shape_readers=anyio.CapacityLimiter(SHAPES_READ_AT_ONCE),
    )
    application: Application = OnePath(FaultInjection(service, faults) if faults else service)
    if options.allowed_origins:
        # Outermost, so that pages of these origins can read refusals and faults too.
        application = CORSMiddleware(
            application,
            allow_origins=options.allowed_origins,
            allow_methods=("GET", "POST", "PUT", "DELETE"),
            allow_headers=("Authorization", "Content-Type", ASSETS_HEADER, CRISIS_HEADER),
            expose_headers=("Retry-After",),
        )
    return application


def application_from_environment() -> Application:
    """Return the application of a worker process."""
    set_up_logs()
    application = create_application(ServiceOptions.from_environment())
    # Existing objects live until the process ends. Freezing them saves time in every garbage collection.
    gc.collect()
    gc.freeze()
    return application
