"""The two lookups of public alerts."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from sqlalchemy import Connection

from service.accounts.authentication import AnyCaller
from service.accounts.features import require_public_alerts
from service.answers import Answer
from service.area_routes import AreaRoute
from service.openapi import AnswerModel, described
from service.public_lookups import repository
from service.public_lookups.regions import CATALOG

router = APIRouter(tags=["public lookups"], route_class=AreaRoute)


class EventGroupAnswer(AnswerModel):
    """An event group."""

    id: int
    group_name: str


class RegionAnswer(AnswerModel):
    """A city, a zip code or a county."""

    state: str
    id: int
    name: str


class RegionsAnswer(AnswerModel):
    """Regions by kind."""

    cities: list[RegionAnswer]
    zipcodes: list[RegionAnswer]
    counties: list[RegionAnswer]


@router.get("/publicEventGroups/{organization_id}", **described(answer=list[EventGroupAnswer]))
async def list_event_groups(request: Request, caller: AnyCaller) -> Answer:
    """The event groups of the organization."""

    def work(connection: Connection) -> list[dict[str, object]]:
        require_public_alerts(connection, caller)
        return repository.list_groups(connection, caller.organization_id)

    return Answer(await request.app.state.database.read(work))


@router.get("/publicRegionIds/{organization_id}", **described(answer=RegionsAnswer))
async def list_regions(request: Request, caller: AnyCaller) -> Response:
    """Cities, zip codes and counties of the United States."""
    await request.app.state.database.read(lambda connection: require_public_alerts(connection, caller))
    regions = await CATALOG.regions()
    headers = {"Vary": "Accept-Encoding"}
    if accepts_gzip(request.headers.get("accept-encoding", "")):
        headers["Content-Encoding"] = "gzip"
        return Response(regions.gzipped, headers=headers, media_type="application/json")
    return Response(regions.body, headers=headers, media_type="application/json")


def accepts_gzip(accept_encoding: str) -> bool:
    """Whether an `Accept-Encoding` header takes gzip: named, or by `*`, and not with a weight of 0."""
    weights: dict[str, float] = {}
    for part in accept_encoding.lower().split(","):
        coding, _, parameters = part.partition(";")
        name, _, weight = parameters.strip().partition("=")
        try:
            weights[coding.strip()] = float(weight) if name.strip() == "q" else 1.0
        except ValueError:
            weights[coding.strip()] = 0.0
    return weights.get("gzip", weights.get("x-gzip", weights.get("*", 0.0))) > 0
