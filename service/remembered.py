"""Answers remembered between requests, for exactly as long as nothing in the database has changed.

For reads whose answer follows from the database and the request alone: not from the time of day, nor from a body. The
caller has been authenticated, and their access checked, before anything here is asked.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import Request, Response
from pydantic_core import to_json

from service.database import Database

MOST_BYTES = 32 * 2**20

_Key = tuple[str, bytes, str, str, int]


class RememberedAnswers:
    """Bodies that were sent since the last commit of anybody, in this process or another; the oldest go first.

    Where the database does not tell of commits (PostgreSQL), nothing is remembered.
    """

    def __init__(self, database: Database, *, most_bytes: int = MOST_BYTES) -> None:
        self._database = database
        self._most_bytes = most_bytes
        self._edition: int | None = None
        self._bodies: OrderedDict[_Key, bytes] = OrderedDict()
        self._bytes = 0

    async def answer(self, request: Request, organization_id: int, produce: Callable[[], Awaitable[Any]]) -> Response:
        """The answer to a GET in an organization: the one given before, or else what `produce` makes."""
        # Asked before the read: what is read may be newer than that, never older.
        edition = self._database.edition()
        if edition != self._edition:
            self._forget(edition)
        if edition is None:
            return _json(to_json(await produce()))
        scope = request.scope
        key = (scope["path"], scope["query_string"], request.headers.get("host", ""), scope["scheme"], organization_id)
        body = self._bodies.get(key)
        if body is None:
            body = to_json(await produce())
            self._keep(key, body, edition)
        return _json(body)

    def _keep(self, key: _Key, body: bytes, edition: int) -> None:
        if edition != self._edition or key in self._bodies:
            return
        self._bodies[key] = body
        self._bytes += len(body)
        while self._bytes > self._most_bytes:
            _key, oldest = self._bodies.popitem(last=False)
            self._bytes -= len(oldest)

    def _forget(self, edition: int | None) -> None:
        self._bodies.clear()
        self._bytes = 0
        self._edition = edition


def _json(body: bytes) -> Response:
    return Response(body, media_type="application/json")


async def remembered(request: Request, organization_id: int, produce: Callable[[], Awaitable[Any]]) -> Response:
    """The answer to a GET, remembered by the application (see `RememberedAnswers`)."""
    answers: RememberedAnswers = request.app.state.remembered_answers
    return await answers.answer(request, organization_id, produce)
