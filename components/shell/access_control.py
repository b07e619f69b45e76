"""Who may connect: pages of Muster's own origin only, and to a tab, its uploads and its files only with its cookie."""

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
_FILE_ID: Final = re.compile(FILES.encode() + rb"([0-9a-f]+)")
_PROTOCOLS: Final = "sec-websocket-protocol"
_OF_A_RUN: Final = {"delta", "script_finished"}
"""What follows the word that a run begins. What comes before it lacks what was lost on the way."""


@dataclass(frozen=True)
class Origin:
    """Where a page was served from; the port is never left out."""

    scheme: str
    host: str
    port: int


def parse_origin(address: str | None) -> Origin | None:
    """Return the origin an address of http or https belongs to; None for anything else, such as "null"."""
    try:
        parts = urlsplit(address or "")
        port = parts.port or {"http": 80, "https": 443}[parts.scheme]
    except (ValueError, KeyError):
        return None
    return Origin(parts.scheme, parts.hostname, port) if parts.hostname else None


def is_own_origin(connection: HTTPConnection) -> bool:
    """Whether the browser says that a page of the very address it calls makes this connection.

    Where a public address is set, the page must be of that one. Else it is the host and port the browser addressed,
    and https where that is known; a port that is left out is the one of the page's own scheme.
    """
    origin = parse_origin(connection.headers.get("origin"))
    if origin is None:
        return False
    if public := server().settings.public_url:
        return origin == parse_origin(public)
    if connection.scope["scheme"] in {"https", "wss"} and origin.scheme != "https":
        return False
    return origin == parse_origin(f"{origin.scheme}://{connection.headers.get('host', '')}")


def _is_of_a_page_that_was_left(said: ForwardMsg, shown: str) -> bool:
    """Whether a part of a page is drawn anew, as its timer asked, after another page came into its place.

    Told so, the browser would take that page away, and could not go on: "Bad delta path index".
    """
    is_of_part = said.HasField("new_session") and bool(said.metadata.run.fragment_ids)
    return is_of_part and said.new_session.page_script_hash != shown


class AccessControl:
    """Refuses connections of other origins, and of those who lack the cookie of what they ask for."""

    def __init__(self, app: ASGIApp, *, base: str = "") -> None:
        self._app = app
        self._base = base
        self._downloads: dict[str, tuple[float, MemoryFile]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        if not server().settings.trusted_proxies and "x-forwarded-for" in connection.headers:
            # Nobody was named, yet the web server believes whoever calls from this computer.
            scope = {**scope, "client": ("127.0.0.1", 0)}
        if scope["type"] == "websocket":
            await self._websocket(connection, scope, receive, send)
        else:
            await self._http(connection, scope, receive, send)

    async def _websocket(self, connection: HTTPConnection, scope: Scope, receive: Receive, send: Send) -> None:
        if not is_own_origin(connection):
            logger.warning(
                "Refused a websocket of a page at %r: this is %r. Behind a proxy, see docs/operations.md.",
                connection.headers.get("origin"),
                server().settings.public_url or connection.headers.get("host"),
            )
            await send({"type": "websocket.close", "code": 1008})
            return
        headers = MutableHeaders(raw=list(scope["headers"]))
        headers["host"] = urlsplit(headers["origin"]).netloc  # compared once, here, for the web framework too
        protocols = [part.strip() for part in headers.get(_PROTOCOLS, "").split(",")]
        wanted = protocols[2:]  # after the protocol and a token: the tab that is to be gone on with
        owners = server().sessions.together(connection.cookies.get(COOKIE))
        if wanted and not server().tabs.may_join(wanted[0], owners):
            headers[_PROTOCOLS] = ", ".join(protocols[:2])
        tab_id: str | None = None
        shown = ""

        async def send_on(message: Message) -> None:
            nonlocal tab_id, shown
            if payload := message.get("bytes"):
                said = ForwardMsg.FromString(payload)
                if said.HasField("navigation"):
                    shown = said.navigation.page_script_hash
                elif shown and _is_of_a_page_that_was_left(said, shown):
                    said.new_session.page_script_hash = shown
                    message = {**message, "bytes": said.SerializeToString()}
                if tab_id is None:
                    if said.WhichOneof("type") in _OF_A_RUN:  # one that ended with the connection before
                        return
                    if named := said.new_session.initialize.session_id:
                        tab_id = named
                        server().tabs.join(named)
                if tab_id and (found := [file_id.decode() for file_id in _FILE_ID.findall(payload)]):
                    server().tabs.tell(tab_id, found)
                    self._hold(found)
            await send(message)

        try:
            await self._app({**scope, "headers": headers.raw}, receive, send_on)
        finally:
            if tab_id:
                server().tabs.leave(tab_id)

    def _hold(self, file_ids: Iterable[str]) -> None:
        # The web framework forgets what was made at a press once other people's pages ran twice: often too soon.
        kept = get_instance().media_file_mgr
        for file_id in file_ids:
            if (file := kept.read_file(file_id)) and file.kind == MediaFileKind.DOWNLOADABLE:
                self._downloads[file_id] = (time.monotonic(), file)
        self._let_go()

    def _let_go(self) -> None:
        long_ago = time.monotonic() - DOWNLOAD_SECONDS
        self._downloads = {file_id: held for file_id, held in self._downloads.items() if held[0] > long_ago}

    async def _http(self, connection: HTTPConnection, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"].removeprefix(self._base)
        owners = server().sessions.together(connection.cookies.get(COOKIE))
        answer: Response | None = None
        self._let_go()
        if "origin" in connection.headers and not is_own_origin(connection):
            answer = PlainTextResponse("Only pages of Muster itself may ask for this.", 403)
        elif path.startswith(UPLOADS):
            tab_id = path.removeprefix(UPLOADS).partition("/")[0]
            if not server().tabs.is_of(tab_id, owners):
                answer = PlainTextResponse("You are not signed in here any more: reload the page.", 403)
        elif path.startswith(FILES):
            file_id = path.removeprefix(FILES).partition(".")[0]
            if not server().tabs.may_read(file_id, owners):
                answer = PlainTextResponse("There is no such file for you. Sign in and ask for it again.", 404)
            elif held := self._downloads.get(file_id):
                file = held[1]
                name = quote(file.filename or file_id, safe="")
                headers = {"Content-Disposition": f"attachment; filename*=utf-8''{name}"}
                answer = Response(file.content, media_type=file.mimetype, headers=headers)

        async def not_stored(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["Cache-Control"] = "private, no-store"
            await send(message)

        is_private = answer is not None or path.startswith((UPLOADS, FILES))
        await (answer or self._app)(scope, receive, not_stored if is_private else send)
