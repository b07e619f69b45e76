"""HTTP routes beside Streamlit's: ticket to cookie, sharing and deleting a cookie, the session script, readiness."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from pathlib import Path
from typing import Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from streamlit.runtime import get_instance

from components.shell.access_control import is_own_origin
from domain.runtime.readiness import READY, check_readiness
from domain.runtime.server import redraw_tab, server
from domain.runtime.session_store import COOKIE

_SCRIPT: Final = (Path(__file__).parent / "session_script.js").read_bytes()
_LARGEST_BODY: Final = 1024


def routes(base: str) -> list[Route]:
    """Return the routes under the base path of Muster, such as "" or "/muster"."""
    return [
        Route(f"{base}/session", partial(_open, base=base), methods=["POST"]),
        Route(f"{base}/session/end", partial(_end, base=base), methods=["POST"]),
        Route(f"{base}/session/tab", _go_on, methods=["POST"]),
        Route(f"{base}/session/script.js", _script, methods=["GET"]),
        Route(f"{base}/readyz", _ready, methods=["GET"]),
    ]


async def _open(request: Request, *, base: str) -> Response:
    """Redeem a ticket. The cookie contains only a random token, and no script can read it.

    A refused ticket is spent too: the page that waits for it continues at once, without a cookie.
    """
    ticket = await posted_text(request, "ticket")
    browser = request.headers.get("user-agent", "") if is_own_origin(request) else None
    token = ticket and server().sessions.redeem(ticket, bound_to=browser)
    if not token:
        return without_cache(Response(status_code=403))
    server().sessions.share_browser(token, request.cookies.get(COOKIE))
    answer = Response(status_code=204)
    answer.set_cookie(COOKIE, token, path=f"{base}/", httponly=True, samesite="strict", secure=_is_secure(request))
    return without_cache(answer)


async def _end(request: Request, *, base: str) -> Response:
    """Delete the cookie if its session has ended, but not if it has not, as that of a newer tab."""
    answer = Response(status_code=204)
    if is_own_origin(request) and server().sessions.peek(request.cookies.get(COOKIE)) is None:
        answer.delete_cookie(COOKIE, path=f"{base}/", httponly=True, samesite="strict", secure=_is_secure(request))
    return without_cache(answer)


async def _go_on(request: Request) -> Response:
    """Redraw a tab that shows the sign-in, for the session that another tab of its browser has started."""
    tab_id, token, here = await posted_text(request, "tab"), request.cookies.get(COOKIE), server()
    owners = here.sessions.tokens_of_browser(token) if is_own_origin(request) else set()
    if not tab_id or not token or not here.tabs.offer_token(tab_id, token, owners):
        return without_cache(Response(status_code=403))
    redraw_tab(get_instance(), tab_id)
    return without_cache(Response(status_code=204))


async def _script(request: Request) -> Response:  # noqa: ARG001
    return Response(_SCRIPT, media_type="text/javascript", headers={"Cache-Control": "no-cache"})


async def _ready(request: Request) -> Response:  # noqa: ARG001
    """Return whether people can work, and the state of each part."""
    state = await asyncio.to_thread(check_readiness, server())
    is_ready = all(value == READY for value in state.values())
    return without_cache(JSONResponse({"ready": is_ready, **state}, status_code=200 if is_ready else 503))


async def posted_text(request: Request, name: str) -> str | None:
    """Return a text of the JSON object that was posted, or None."""
    body = b""
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > _LARGEST_BODY:
                return None
        value = json.loads(body)
    except (ValueError, ClientDisconnect):
        return None
    posted = value.get(name) if isinstance(value, dict) else None
    return posted if isinstance(posted, str) else None


def _is_secure(request: Request) -> bool:
    """Return whether the browser uses https, by the Origin header of a page of Muster, whatever the proxies use."""
    return request.headers["origin"].startswith("https:")


def without_cache(answer: Response) -> Response:
    """Mark a response as one that no cache may store."""
    answer.headers["Cache-Control"] = "no-store"
    return answer
