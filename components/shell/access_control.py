"""Access control: only pages of Muster's own origin connect, and a tab, its uploads, and its files need its cookie."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import get_instance
from streamlit.runtime.media_file_storage import MediaFileKind
from streamlit.runtime.memory_media_file_storage import MemoryFile

from domain.runtime.server import server
from domain.runtime.session_store import COOKIE

logger = logging.getLogger(__name__)

UPLOADS: Final = "/_stcore/upload_file/"
FILES: Final = "/media/"
DOWNLOAD_SECONDS: Final = 60.0
MOST_SIGN_IN_TABS: Final = 500
"""The maximum number of WebSockets without a session. One more closes the oldest of them, whose page connects again."""
_FILE_ID: Final = re.compile(FILES.encode() + rb"([0-9a-f]+)")
_PROTOCOLS: Final = "sec-websocket-protocol"
_OF_A_RUN: Final = {"delta", "script_finished"}
"""The messages that follow `new_session` in a run. Without it they belong to a run that a lost connection cut off."""
_TYPES: Final = ForwardMsg.DESCRIPTOR.oneofs_by_name["type"]
_TYPE_BY_NUMBER: Final[dict[int, str]] = {field.number: field.name for field in _TYPES.fields}


@dataclass(eq=False)
class _SignInTab:
    """A WebSocket that was opened without a session, as for the sign-in."""

    send: Send
    tab_id: str | None = None


@dataclass(frozen=True)
class Origin:
    """Scheme, host, and port that a page was served from."""

    scheme: str
    host: str
    port: int


def parse_origin(address: str | None) -> Origin | None:
    """Return the origin of an http or https URL; None for anything else, such as "null"."""
    try:
        parts = urlsplit(address or "")
        port = parts.port or {"http": 80, "https": 443}[parts.scheme]
    except (ValueError, KeyError):
        return None
    return Origin(parts.scheme, parts.hostname, port) if parts.hostname else None


def is_own_origin(connection: HTTPConnection) -> bool:
    """Return whether the request comes from a page of Muster, by its Origin header.

    With the setting `public_url`, the page must have that origin. Otherwise it must have the host and port of the
    request, and https if the request is known to use it. A missing port is the default of the page's scheme.
    """
    origin = parse_origin(connection.headers.get("origin"))
    if origin is None:
        return False
    if public := server().settings.public_url:
        return origin == parse_origin(public)
    if connection.scope["scheme"] in {"https", "wss"} and origin.scheme != "https":
        return False
    return origin == parse_origin(f"{origin.scheme}://{connection.headers.get('host', '')}")


def message_type(payload: bytes) -> str | None:
    """Return the type of a serialized `ForwardMsg` from its field numbers, without parsing its content.

    Before the type stand only `hash` and `metadata`, each with its length.
    """
    position = 0
    while position < len(payload):
        tag, position = _read_varint(payload, position)
        if name := _TYPE_BY_NUMBER.get(tag >> 3):
            return name
        length, position = _read_varint(payload, position)
        position += length
    return None


def _read_varint(payload: bytes, position: int) -> tuple[int, int]:
    value = shift = 0
    while payload[position] & 0x80:
        value |= (payload[position] & 0x7F) << shift
        shift += 7
        position += 1
    return value | payload[position] << shift, position + 1


def _is_fragment_of_other_page(message: ForwardMsg, shown_page: str) -> bool:
    """Return whether a fragment's timer starts a run for a page that another page has replaced.

    The browser would remove the page it shows, and fail with "Bad delta path index".
    """
    is_fragment = message.HasField("new_session") and bool(message.metadata.run.fragment_ids)
    return is_fragment and message.new_session.page_script_hash != shown_page


class AccessControl:
    """Refuses connections from other origins and connections without the cookie of what they request."""

    def __init__(self, app: ASGIApp, *, base: str = "") -> None:
        self._app = app
        self._base = base
        self._downloads: dict[str, tuple[float, MemoryFile]] = {}
        self._sign_in_tabs: list[_SignInTab] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        if not server().settings.trusted_proxies and "x-forwarded-for" in connection.headers:
            # uvicorn trusts forwarded addresses from this computer even though no proxy is set.
            scope = {**scope, "client": ("127.0.0.1", 0)}
        if scope["type"] == "websocket":
            await self._websocket(connection, scope, receive, send)
        else:
            await self._http(connection, scope, receive, send)

    async def _websocket(self, connection: HTTPConnection, scope: Scope, receive: Receive, send: Send) -> None:
        if not is_own_origin(connection):
            logger.warning(
                "Rejected a WebSocket from a page at %r. Muster’s address is %r. See docs/operations.md on proxies.",
                connection.headers.get("origin"),
                server().settings.public_url or connection.headers.get("host"),
            )
            await send({"type": "websocket.close", "code": 1008})
            return
        headers = MutableHeaders(raw=list(scope["headers"]))
        headers["host"] = urlsplit(headers["origin"]).netloc  # Streamlit compares the two again
        protocols = [part.strip() for part in headers.get(_PROTOCOLS, "").split(",")]
        resumed_tab = protocols[2:]  # after the protocol and a token
        owners = server().sessions.tokens_of_browser(connection.cookies.get(COOKIE))
        if resumed_tab and not server().tabs.may_join(resumed_tab[0], owners):
            headers[_PROTOCOLS] = ", ".join(protocols[:2])
        tab_id: str | None = None
        shown_page = ""
        sign_in_tab = _SignInTab(send)
        if not owners:
            await self._add_sign_in_tab(sign_in_tab)

        async def send_on(message: Message) -> None:
            nonlocal tab_id, shown_page
            if payload := message.get("bytes"):
                kind = message_type(payload)
                if tab_id is None and kind in _OF_A_RUN:
                    return
                if kind == "navigation":
                    shown_page = ForwardMsg.FromString(payload).navigation.page_script_hash
                elif kind == "new_session":
                    parsed = ForwardMsg.FromString(payload)
                    if shown_page and _is_fragment_of_other_page(parsed, shown_page):
                        parsed.new_session.page_script_hash = shown_page
                        message = {**message, "bytes": parsed.SerializeToString()}
                    if tab_id is None and (session_id := parsed.new_session.initialize.session_id):
                        tab_id = sign_in_tab.tab_id = session_id
                        server().tabs.join(session_id)
                if tab_id and (file_ids := [file_id.decode() for file_id in _FILE_ID.findall(payload)]):
                    server().tabs.note_files(tab_id, file_ids)
                    self._hold_downloads(file_ids)
            await send(message)

        try:
            await self._app({**scope, "headers": headers.raw}, receive, send_on)
        finally:
            if sign_in_tab in self._sign_in_tabs:
                self._sign_in_tabs.remove(sign_in_tab)
            if tab_id:
                server().tabs.leave(tab_id)

    async def _add_sign_in_tab(self, tab: _SignInTab) -> None:
        tabs = server().tabs
        self._sign_in_tabs = [*(each for each in self._sign_in_tabs if not tabs.has_session(each.tab_id)), tab]
        if len(self._sign_in_tabs) > MOST_SIGN_IN_TABS:
            await self._sign_in_tabs.pop(0).send({"type": "websocket.close", "code": 1013})

    def _hold_downloads(self, file_ids: Iterable[str]) -> None:
        # Streamlit deletes a deferred download after two runs of any sessions, often before the browser fetches it.
        media_files = get_instance().media_file_mgr
        for file_id in file_ids:
            if (file := media_files.read_file(file_id)) and file.kind == MediaFileKind.DOWNLOADABLE:
                self._downloads[file_id] = (time.monotonic(), file)
        self._drop_old_downloads()

    def _drop_old_downloads(self) -> None:
        oldest = time.monotonic() - DOWNLOAD_SECONDS
        self._downloads = {file_id: entry for file_id, entry in self._downloads.items() if entry[0] > oldest}

    async def _http(self, connection: HTTPConnection, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"].removeprefix(self._base)
        owners = server().sessions.tokens_of_browser(connection.cookies.get(COOKIE))
        response: Response | None = None
        self._drop_old_downloads()
        if "origin" in connection.headers and not is_own_origin(connection):
            response = PlainTextResponse("Only pages of Muster can request this.", 403)
        elif path.startswith(UPLOADS):
            tab_id = path.removeprefix(UPLOADS).partition("/")[0]
            if not server().tabs.is_of(tab_id, owners):
                response = PlainTextResponse("You are signed out. Reload the page.", 403)
        elif path.startswith(FILES):
            file_id = path.removeprefix(FILES).partition(".")[0]
            if not server().tabs.may_read(file_id, owners):
                response = PlainTextResponse("This file is not available to you. Sign in and download it again.", 404)
            elif entry := self._downloads.get(file_id):
                file = entry[1]
                name = quote(file.filename or file_id, safe="")
                headers = {"Content-Disposition": f"attachment; filename*=utf-8''{name}"}
                response = Response(file.content, media_type=file.mimetype, headers=headers)

        async def send_private(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["Cache-Control"] = "private, no-store"
            await send(message)

        is_private = response is not None or path.startswith((UPLOADS, FILES))
        await (response or self._app)(scope, receive, send_private if is_private else send)
