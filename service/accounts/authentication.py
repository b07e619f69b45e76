"""Authenticate callers and check their access to the organization in a path or header."""

from __future__ import annotations

import base64
import binascii
from typing import Annotated

from fastapi import Depends, Header, Request
from fastapi.security import HTTPBasic, HTTPBearer
from fastapi.security.utils import get_authorization_scheme_param
from pydantic import WithJsonSchema
from sqlalchemy import Connection

from client.vocabulary.assets import ORGANIZATION_HEADER as ASSETS_HEADER
from client.vocabulary.crisis_templates import ORGANIZATION_HEADER as CRISIS_HEADER
from service.accounts import repository, tokens
from service.accounts.models import Caller, User
from service.database import Database
from service.dependencies import resources_of
from service.field_types import IdText, as_long
from service.parameters import OrganizationId
from service.refusals import (
    RefusalError,
    bad_credentials,
    bad_token,
    invalid,
    organization_not_accessible,
    unauthorized,
)


class PasswordUser(HTTPBasic):
    """Reads the user of Basic credentials in UTF-8; None if they are missing or wrong."""

    async def __call__(self, request: Request) -> User | None:  # type: ignore[override]
        """Find the user and verify the password."""
        scheme, encoded = get_authorization_scheme_param(request.headers.get("Authorization"))
        try:
            text = base64.b64decode(encoded.strip(), validate=True).decode() if scheme.lower() == "basic" else ""
        except (binascii.Error, ValueError):
            return None
        username, colon, password = text.partition(":")
        if not colon or "\0" in text:
            return None
        resources = resources_of(request)
        user = await resources.database.look_up(repository.find_user, username)
        is_right = await resources.passwords.is_right(password, user.password_hash if user else None)
        return user if is_right else None


class TokenUser(HTTPBearer):
    """Reads the user of an access token; None if it is missing or invalid."""

    async def __call__(self, request: Request) -> User | None:  # type: ignore[override]
        """Verify the token and find its user."""
        scheme, token = get_authorization_scheme_param(request.headers.get("Authorization"))
        if scheme.lower() != "bearer" or not token:
            return None
        return await resources_of(request).database.look_up(_user_of_token, token)


def _user_of_token(connection: Connection, token: str) -> User | None:
    secret = tokens.secret_of(connection)
    username = tokens.username_of(secret, token.strip()) if secret else None
    return repository.find_user(connection, username) if username is not None else None


Verified = Annotated[User | None, Depends(PasswordUser(scheme_name="basic"))]
OfToken = Annotated[User | None, Depends(TokenUser(scheme_name="bearer", bearerFormat="JWT", auto_error=False))]


async def by_password(user: Verified, organization_id: OrganizationId) -> Caller:
    """Return the caller. Wrong credentials are 401 (interface: Itinerary errors)."""
    if user is None:
        raise bad_credentials()
    return _in_organization(user, organization_id)


async def by_password_or_404(user: Verified, organization_id: OrganizationId) -> Caller:
    """Return the caller. Wrong credentials are 404 for updating or deleting an itinerary (interface: Itinerary
    errors).
    """
    if user is None:
        raise bad_credentials(status=404)
    return _in_organization(user, organization_id)


async def by_token(user: OfToken, organization_id: OrganizationId) -> Caller:
    """Return the caller by access token, in the organization of the path (interface: Lookup mapping errors)."""
    if user is None:
        raise bad_token()
    return _in_organization(user, organization_id)


async def of_assets(
    request: Request,
    user: Verified,
    user_of_token: OfToken,
    organization_id: Annotated[
        str, Header(alias=ASSETS_HEADER, description="The organization."), WithJsonSchema({"pattern": r"^\d{1,18}$"})
    ] = "",
) -> Caller:
    """Return the caller of an asset endpoint, with the organization of a header (interface: Authentication)."""
    # ASSUMPTION A131: assets take Basic credentials or an access token; a missing organization header is 400.
    found = user or user_of_token
    if found is None:
        has_token = request.headers.get("authorization", "").lower().startswith("bearer ")
        raise bad_token() if has_token else bad_credentials()
    return _in_organization_of_header(found, organization_id, ASSETS_HEADER)


async def of_crisis_templates(
    user: Verified,
    organization_id: Annotated[IdText, Header(alias=CRISIS_HEADER, description="The organization.")] = "",
) -> Caller:
    """Return the caller of the crisis task list templates: Basic credentials, and the organization of a header."""
    if user is None:
        raise bad_credentials()
    return _in_organization_of_header(user, organization_id, CRISIS_HEADER)


async def in_own_organization(
    request: Request,
    user: Verified,
    in_header: Annotated[
        str, Header(alias=ASSETS_HEADER, description="The organization. Required for users with access to several.")
    ] = "",
) -> Caller:
    """Return the caller in their only organization, or in that of the header."""
    # ASSUMPTION A123: the organization of `/notifications` is the user's. A user with several names one in the header
    # of the assets, and is refused without it: an alert must never be sent for the wrong organization.
    # ASSUMPTION A231: a path that names the organization, as some callers send it, is the same endpoint.
    if user is None:
        raise bad_credentials()
    in_path, in_header = request.path_params.get("organization_id"), in_header.strip()
    if in_path and in_header and in_path != in_header:
        raise invalid(f"The path names another organization than header {ASSETS_HEADER}.")
    if in_path or in_header:
        return _in_organization(user, in_path or in_header)
    if not user.organization_ids:
        raise RefusalError(401, "No organization is accessible to this user.")
    if len(user.organization_ids) > 1:
        raise invalid(f"The user has access to several organizations: header {ASSETS_HEADER} names the one")
    return _in_organization(user, str(*user.organization_ids))


async def require_public_alerts(database: Database, caller: Caller) -> None:
    """Refuse a user without access to public alerts."""
    # ASSUMPTION A116: users have public alerts unless an administrator disallows them. The lookups, and notifications
    # with a public message, are then refused in the unauthorized envelope.
    if not await database.look_up(repository.has_public_alerts, caller.user_id):
        raise unauthorized("User does not have API permissions for this method")


AnyCaller = Annotated[Caller, Depends(by_password)]
AnyCallerOr404 = Annotated[Caller, Depends(by_password_or_404)]
TokenCaller = Annotated[Caller, Depends(by_token)]
AssetCaller = Annotated[Caller, Depends(of_assets)]
CrisisCaller = Annotated[Caller, Depends(of_crisis_templates)]
OwnOrganizationCaller = Annotated[Caller, Depends(in_own_organization)]


def _in_organization(user: User, organization_text: str) -> Caller:
    organization_id = as_long(organization_text)
    if organization_id is None or organization_id not in user.organization_ids:
        raise organization_not_accessible(organization_text)
    return Caller(user.id, user.username, user.display_name, organization_id)


def _in_organization_of_header(user: User, organization_text: str, header: str) -> Caller:
    if not organization_text.strip():
        raise invalid(f"Header {header} is empty.")
    return _in_organization(user, organization_text.strip())
