"""The two lookups of public alerts."""

from __future__ import annotations

from typing import Any

import anyio.to_thread
from fastapi import APIRouter, Request, Response

from service.accounts.authentication import AnyCaller, require_public_alerts
from service.dependencies import DatabaseOfApplication
from service.public_lookups import repository
from service.public_lookups.us_regions import list_regions
from service.request_body import BodyRoute
from service.responses import ResponseModel

router = APIRouter(tags=["public lookups"], route_class=BodyRoute)


class EventGroup(ResponseModel):
    """An event group."""

    id: int
    group_name: str


class Region(ResponseModel):
    """A city, a ZIP code, or a county."""

    state: str
    id: int
    name: str


class Regions(ResponseModel):
    """Regions by type."""

    cities: list[Region]
    zipcodes: list[Region]
    counties: list[Region]


@router.get("/publicEventGroups/{organization_id}", response_model=list[EventGroup])
async def list_event_groups(caller: AnyCaller, database: DatabaseOfApplication) -> Any:
    """Return the event groups of the organization."""
    await require_public_alerts(database, caller)
    return await database.read(repository.list_groups, caller.organization_id)


@router.get("/publicRegionIds/{organization_id}", response_model=Regions)
async def list_region_ids(request: Request, caller: AnyCaller, database: DatabaseOfApplication) -> Response:
    """Return the cities, ZIP codes, and counties of the United States."""
    await require_public_alerts(database, caller)
    regions = await anyio.to_thread.run_sync(list_regions)
    headers = {"Vary": "Accept-Encoding"}
    if accepts_gzip(request.headers.get("accept-encoding", "")):
        headers["Content-Encoding"] = "gzip"
        return Response(regions.gzipped, headers=headers, media_type="application/json")
    return Response(regions.body, headers=headers, media_type="application/json")


def accepts_gzip(accept_encoding: str) -> bool:
    """Return whether an `Accept-Encoding` header accepts gzip: by name or `*`, and not with a weight of 0."""
    weights: dict[str, float] = {}
    for part in accept_encoding.lower().split(","):
        coding, _, parameters = part.partition(";")
        name, _, weight = parameters.strip().partition("=")
        try:
            weights[coding.strip()] = float(weight) if name.strip() == "q" else 1.0
        except ValueError:
            weights[coding.strip()] = 0.0
    return weights.get("gzip", weights.get("x-gzip", weights.get("*", 0.0))) > 0
