"""Security headers on every response, and routes of Streamlit that are closed."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SHUT: Final = (
    "/_stcore/metrics",
    "/_stcore/agent",
    "/_stcore/script-health-check",
    "/auth",
    "/oauth2callback",
)
# What the web framework asks before it connects: no other page has a say in this one, and static/connection.js tells
# what its dialogs would.
HOST_CONFIG: Final = "/_stcore/host-config"
_HOST_CONFIG_ANSWER: Final = JSONResponse(
    {
        "allowedOrigins": [],
        "useExternalAuthToken": False,
        "enableCustomParentMessages": False,
        "blockErrorDialogs": True,
    },
    headers={"Cache-Control": "no-cache"},
)
_INLINE_SCRIPT: Final = re.compile(r'<script(?: type="importmap")?>(.*?)</script>', re.DOTALL)


def inline_script_hashes(page: str) -> list[str]:
    """Return the hash of each inline script of an HTML page for the policy."""
    digests = (hashlib.sha256(script.encode()).digest() for script in _INLINE_SCRIPT.findall(page))
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]


def content_security_policy(script_hashes: Iterable[str] = ()) -> str:
    """Return the policy: everything from this host, and no inline script except those with these hashes.

    Inline styles are allowed because Streamlit uses them. For maps, images may be data or blobs, workers may be blobs,
    and WebAssembly may run, which does not allow text to run as a script. No other host is allowed.
    """
    directives = {
        "default-src": "'self'",
        "script-src": " ".join(["'self'", "'wasm-unsafe-eval'", *script_hashes]),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self'",
        "worker-src": "'self' blob:",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in directives.items())


class SecurityHeaders:
    """Adds the headers to each HTTP response, and refuses closed routes. WebSockets pass unchanged."""

    def __init__(self, app: ASGIApp, *, policy: str, base: str = "") -> None:
        self._app = app
        self._base = base
        self._headers = {
            "Content-Security-Policy": policy,
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Referrer-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers[name] = value
            await send(message)

        if self._is_shut(scope["path"]):
            await with_headers({"type": "http.response.start", "status": 404, "headers": [(b"content-length", b"0")]})
            await with_headers({"type": "http.response.body", "body": b""})
            return
        is_config = scope["path"].removeprefix(self._base) == HOST_CONFIG
        # Who closes a tab while it sends a file is no error: no one is there to answer.
        with suppress(ClientDisconnect):
            await (_HOST_CONFIG_ANSWER if is_config else self._app)(scope, receive, with_headers)

    def _is_shut(self, path: str) -> bool:
        inside = path.removeprefix(self._base)
        return any(inside == door or inside.startswith(f"{door}/") for door in SHUT)
