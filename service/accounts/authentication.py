"""Who is calling: HTTP Basic credentials checked, and access to the organization in the path."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from service.accounts.passwords import VerifiedPairs
from service.accounts.repository import UserRecord, find_user
from service.database import Database
from service.errors import bad_credentials, organization_not_accessible
from service.parameters import as_long


@dataclass(frozen=True)
class Caller:
    """The user behind a request and the organization they act in."""

    user_id: int
    username: str
    display_name: str
    organization_id: int


async def authenticated(request: Request) -> Caller:
    """The caller; wrong credentials are 401 (interface: Itinerary errors)."""
    return await _caller(request, failure_status=401)


async def authenticated_or_404(request: Request) -> Caller:
    """The caller; wrong credentials are 404, to update or delete an itinerary (interface: Itinerary errors)."""
    return await _caller(request, failure_status=404)


AnyCaller = Annotated[Caller, Depends(authenticated)]
AnyCallerOr404 = Annotated[Caller, Depends(authenticated_or_404)]


async def _caller(request: Request, *, failure_status: int) -> Caller:
    return await basic_caller(request, request.path_params["organization_id"], failure_status=failure_status)


async def basic_caller(request: Request, organization_text: str, *, failure_status: int = 401) -> Caller:
    """Who calls with Basic credentials, in the organization that a text names."""
    organization_id = as_long(organization_text)
    user = await signed_in(request, organization_id, failure_status=failure_status)
    if not user.has_access or organization_id is None:
        raise organization_not_accessible(organization_text)
    return Caller(user.id, user.username, user.display_name, organization_id)


async def signed_in(request: Request, organization_id: int | None, *, failure_status: int = 401) -> UserRecord:
    """The user whose Basic credentials came with a request, with access to the organization answered."""
    state = request.app.state
    verified: VerifiedPairs = state.verified_pairs
    authorization = request.headers.get("authorization", "")
    pair = _basic_pair(authorization)
    if pair is None:
        raise bad_credentials(status=failure_status)
    username, password = pair
    database: Database = state.database
    user = await database.read(lambda connection: find_user(connection, username, organization_id))
    stored = user.password_hash if user is not None else None
    if not await verified.is_right(authorization, password, stored) or user is None:
        raise bad_credentials(status=failure_status)
    return user


def _basic_pair(authorization: str) -> tuple[str, str] | None:
    scheme, _, encoded = authorization.partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        text = base64.b64decode(encoded.strip(), validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return None
    username, colon, password = text.partition(":")
    if not colon or "\0" in text:
        return None
    return username, password
