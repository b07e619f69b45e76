"""Who is calling where neither path nor header names an organization: the user's own one."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from client.vocabulary.assets import ORGANIZATION_HEADER
from service.accounts.authentication import Caller, basic_caller, signed_in
from service.accounts.repository import organizations_of
from service.database import Database
from service.errors import RefusalError, invalid
from service.openapi import Schema

ORGANIZATION_OF_SEVERAL: Schema = {
    "name": ORGANIZATION_HEADER,
    "in": "header",
    "required": False,
    "description": "The organization; needed of users with access to several.",
    "schema": {"type": "string"},
}


async def in_own_organization(request: Request) -> Caller:
    """The caller, in the one organization that is open to them, or in that of the header."""
    # ASSUMPTION A123: the organization of `/notifications` is the user's. A user with several names one in the header
    # of the assets, and is refused without it: what is sent to the public must not go out of the wrong one.
    # ASSUMPTION A231: a path that names the organization, as some callers send it, is the same endpoint.
    in_path = request.path_params.get("organization_id")
    in_header = request.headers.get(ORGANIZATION_HEADER, "").strip()
    if in_path and in_header and in_path != in_header:
        raise invalid(f"The path names another organization than header {ORGANIZATION_HEADER}.")
    text = in_path or in_header
    if text:
        return await basic_caller(request, text)
    user = await signed_in(request, None)
    database: Database = request.app.state.database
    found = await database.read(lambda connection: organizations_of(connection, user.id))
    if not found:
        raise RefusalError(401, "No organization is accessible to this user.")
    if len(found) > 1:
        raise invalid(f"The user has access to several organizations: header {ORGANIZATION_HEADER} names the one")
    return Caller(user.id, user.username, user.display_name, found[0])


OwnOrganizationCaller = Annotated[Caller, Depends(in_own_organization)]
