"""The routes of the areas: endpoints that take the request, and who is calling.

FastAPI lets a route class of one's own say how its endpoints are called. Its usual way makes ready for bodies, forms,
validated parameters and dependencies that are closed later; for endpoints that read their requests by hand, that is
most of what a read costs beside the database.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.routing import Match

from service.faults import Receive, Scope, Send


class AreaRoute(APIRoute):
    """Calls `endpoint(request)`, or `endpoint(request, caller)` with what the caller's dependency answers.

    Errors go up to the application, which answers them (service/errors.py).
    """

    def __init__(self, path: str, endpoint: Callable[..., Awaitable[Response]], **options: Any) -> None:
        super().__init__(path, endpoint, **options)
        taken = [self.dependant, *self.dependant.dependencies]
        if self.body_field or any(one.request_param_name != "request" or one.query_params for one in taken):
            raise TypeError(f"{endpoint.__name__} takes more than the request and who is calling.")
        self._said = path.partition("{")[0]
        # The endpoint's one dependency is its caller.
        self._dependencies: list[Any] = [(one.name, one.call) for one in self.dependant.dependencies]
        self.app = self._answer

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether the route is meant; most are told apart by how their paths begin, without a pattern."""
        if not scope["path"].startswith(self._said):
            return Match.NONE, {}
        return super().matches(scope)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive, send)
        given = {name: await call(request) for name, call in self._dependencies}
        response = await self.endpoint(request, **given)
        await response(scope, receive, send)
