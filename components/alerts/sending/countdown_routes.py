"""The HTTP routes where a browser reports that the page of a countdown is open, or that the countdown was stopped."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from components.shell.access_control import is_own_origin
from components.shell.session_routes import posted_text, without_cache
from domain.alerts.sending.countdown import Countdown, find_countdown


def countdown_routes(base: str) -> list[Route]:
    """Return the routes under the base path of Muster. They respond with 404 once the countdown has ended."""
    return [
        Route(f"{base}/countdown/open", _report, methods=["POST"]),
        Route(f"{base}/countdown/stop", _stop, methods=["POST"]),
    ]


async def _report(request: Request) -> Response:
    counting = await _countdown(request)
    if counting is not None:
        # In a thread, because sending waits a moment for the response of the service.
        await asyncio.to_thread(counting.report)
    return _response(counting)


async def _stop(request: Request) -> Response:
    counting = await _countdown(request)
    if counting is not None:
        counting.stop()
    return _response(counting)


async def _countdown(request: Request) -> Countdown | None:
    countdown_id = await posted_text(request, "countdown")
    found = find_countdown(countdown_id or "") if is_own_origin(request) else None
    return found if found is not None and found.state == "counting" else None


def _response(counting: Countdown | None) -> Response:
    return without_cache(Response(status_code=404 if counting is None else 204))
