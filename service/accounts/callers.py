"""Who is calling in the areas that take an access token, or that name the organization in a header."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import Depends, Request
from sqlalchemy import Connection

from client.vocabulary.assets import ORGANIZATION_HEADER as ASSETS_HEADER
from client.vocabulary.crisis_templates import ORGANIZATION_HEADER as CRISIS_HEADER
from service.accounts import tokens
from service.accounts.authentication import Caller, basic_caller
from service.accounts.repository import UserRecord, find_user, token_secret
from service.database import Database
from service.errors import OrganizationRefusedError, bad_token, invalid, organization_not_accessible
from service.parameters import as_long

_BEARER = "bearer"


async def with_token(request: Request) -> Caller:
    """The caller by access token, in the organization of the path (interface: Lookup mapping errors)."""
    return await _bearer_caller(request, request.path_params["organization_id"])


async def of_assets(request: Request) -> Caller:
    """The caller of an asset endpoint: the organization in a header (interface: Authentication)."""
    # ASSUMPTION A131: assets take Basic credentials or an access token; a missing organization header is 400.
    scheme = request.headers.get("authorization", "").partition(" ")[0].lower()
    caller = _bearer_caller if scheme == _BEARER else basic_caller
    return await _in_organization_of_header(request, ASSETS_HEADER, caller)


async def of_crisis_templates(request: Request) -> Caller:
    """The caller of the crisis task list templates: Basic credentials, the organization in a header."""
    return await _in_organization_of_header(request, CRISIS_HEADER, basic_caller)


TokenCaller = Annotated[Caller, Depends(with_token)]
AssetCaller = Annotated[Caller, Depends(of_assets)]
CrisisCaller = Annotated[Caller, Depends(of_crisis_templates)]


async def _in_organization_of_header(
    request: Request, header: str, caller: Callable[[Request, str], Awaitable[Caller]]
) -> Caller:
    organization_text = request.headers.get(header, "").strip()
    try:
        return await caller(request, organization_text)
    except OrganizationRefusedError as error:
        # Told only to whom the credentials are right.
        raise (error if organization_text else invalid(f"Header {header} is empty.")) from None


async def _bearer_caller(request: Request, organization_text: str) -> Caller:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    organization_id = as_long(organization_text)

    def work(connection: Connection) -> UserRecord | None:
        secret = tokens.given_secret() or token_secret(connection)
        username = tokens.username_of(secret, token.strip()) if secret else None
        return find_user(connection, username, organization_id) if username is not None else None

    database: Database = request.app.state.database
    user = await database.read(work) if scheme.lower() == _BEARER else None
    if user is None:
        raise bad_token()
    if not user.has_access or organization_id is None:
        raise organization_not_accessible(organization_text)
    return Caller(user.id, user.username, user.display_name, organization_id)
