"""The dependencies of endpoints: typed access from a request to the resources of the application."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import anyio
from fastapi import Depends, Request

from service.accounts.passwords import Passwords
from service.database import Database
from service.dynamic_locations.runner import UploadRunner
from service.itineraries.expected_locations import Margins


@dataclass(frozen=True)
class Resources:
    """The resources of one application. Each kind of long work has its own threads, so that none waits for another."""

    database: Database
    passwords: Passwords
    margins: Margins
    upload_runner: UploadRunner
    shape_readers: anyio.CapacityLimiter


def resources_of(request: Request) -> Resources:
    """Return the resources of the request's application."""
    resources: Resources = request.app.state.resources
    return resources


# Asynchronous: otherwise the framework calls them in a thread.
async def _shared(request: Request) -> Resources:
    return resources_of(request)


async def _database_of(request: Request) -> Database:
    return resources_of(request).database


Shared = Annotated[Resources, Depends(_shared)]


DatabaseOfApplication = Annotated[Database, Depends(_database_of)]
