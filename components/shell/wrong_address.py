"""The page for an address that leads to no screen, where the web framework would show the first screen."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from components.shell.brand import NAME


class WrongAddress:
    """Responds 404 where the framework responds with its page to a path that is no screen's."""

    def __init__(self, app: ASGIApp, *, screens: Iterable[str], base: str = "") -> None:
        self._app = app
        self._known = {f"{base}/{path}".rstrip("/") for path in screens}
        self._response = HTMLResponse(
            '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>No such screen · {NAME}</title>"
            "<style>:root{color-scheme:light dark;font-family:sans-serif}body{max-width:40rem;margin:4rem auto;"
            "padding:0 1rem;line-height:1.5}</style></head><body><main><h1>No such screen</h1>"
            f"<p>{NAME} has no screen at this address. Check the address for typing errors.</p>"
            f'<p><a href="{escape(base)}/">Open {NAME}</a></p></main></body></html>',
            404,
            {"Cache-Control": "no-store"},
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http" or scope["path"].rstrip("/") in self._known:
            await self._app(scope, receive, send)
            return
        is_replaced = False

        async def replace_page(message: Message) -> None:
            nonlocal is_replaced
            if message["type"] == "http.response.start":
                kind = Headers(raw=message["headers"]).get("content-type", "")
                is_replaced = message["status"] == 200 and kind.startswith("text/html")
                if is_replaced:
                    await self._response(scope, receive, send)
            if not is_replaced:
                await send(message)

        await self._app(scope, receive, replace_page)
