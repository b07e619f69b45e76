"""What authentication asks of the database, remembered for exactly as long as nothing in it has changed."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from sqlalchemy import Connection

from service.accounts.repository import UserRecord, find_user, token_secret
from service.database import Database

Result = TypeVar("Result")

_MOST = 10_000


class KnownUsers:
    """The users that were asked for since the last commit of anybody, in this process or another.

    Where the database does not tell of commits (PostgreSQL), nothing is remembered.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._edition: int | None = None
        self._found: dict[Hashable, Any] = {}

    async def find(self, username: str, organization_id: int | None) -> UserRecord | None:
        """The user of a name, with access to `organization_id` answered."""
        return await self._remembered(
            (username, organization_id), lambda connection: find_user(connection, username, organization_id)
        )

    async def token_secret(self) -> str | None:
        """What the database signs access tokens with, None while none was ever issued."""
        return await self._remembered(None, token_secret)

    async def _remembered(self, key: Hashable, work: Callable[[Connection], Result]) -> Result:
        # Asked before the read: what is read may be newer than that, never older.
        edition = self._database.edition()
        if edition is None or edition != self._edition or len(self._found) >= _MOST:
            self._found.clear()
            self._edition = edition
        if edition is not None and key in self._found:
            remembered: Result = self._found[key]
            return remembered
        result = await self._database.read(work)
        if edition is not None and edition == self._edition:
            self._found[key] = result
        return result
