"""What endpoints are given beside their parameters: the one typed way from a request to what the application holds."""

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
    """What one application holds; each kind of long work has threads of its own, so that none waits for another."""

    database: Database
    passwords: Passwords
    margins: Margins
    upload_runner: UploadRunner
    shape_readers: anyio.CapacityLimiter


def resources_of(request: Request) -> Resources:
    """What the request's application holds."""
    resources: Resources = request.app.state.resources
    return resources


# Asynchronous: the framework would call them in a thread otherwise.
async def _shared(request: Request) -> Resources:
    return resources_of(request)


async def _database_of(request: Request) -> Database:
    return resources_of(request).database


Shared = Annotated[Resources, Depends(_shared)]


DatabaseOfApplication = Annotated[Database, Depends(_database_of)]
