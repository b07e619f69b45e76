"""Which run of the script a page waits for, told by what it sends over its socket and what comes back."""

from __future__ import annotations

import time
from collections import deque
from weakref import WeakKeyDictionary

from playwright.sync_api import Page, Request, WebSocket
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

# A part of the page that ran by itself says nothing about the run of the whole page that was asked for.
_ENDS = {
    "page": {ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_WITH_COMPILE_ERROR},
    "part": {
        ForwardMsg.FINISHED_SUCCESSFULLY,
        ForwardMsg.FINISHED_WITH_COMPILE_ERROR,
        ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY,
    },
}
_TOLD = {"script_finished", "page_info_changed"}
# What a press sends leaves the page when it has been painted, a little after the press itself has returned.
PAINTED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"


class ScriptRuns:
    """One page's runs: it waits from the moment it asks for one until the server says that a run has ended.

    Without this a page looks settled in the time between a press and the server's word that the script is running.
    """

    def __init__(self) -> None:
        """No socket yet, and nothing asked for."""
        self._socket: WebSocket | None = None
        self._waiting_for: str | None = None
        self.whole = 0
        """How often the whole page was drawn; a part of it that is drawn by itself does not count."""
        self.told: deque[str] = deque(maxlen=80)
        """What went over the socket of late: what was asked for, with the widgets that changed, and what ended."""
        self._held: dict[str, str] = {}

    def follow(self, socket: WebSocket) -> None:
        """Listen to a socket that the page has opened; a later one takes its place."""
        self._socket = socket
        self._waiting_for = None
        socket.on("framesent", lambda frame: self._sent(socket, frame))
        socket.on("framereceived", lambda frame: self._received(socket, frame))

    def leave(self, request: Request) -> None:
        """Stop waiting for the page before once another document is requested: its socket may never report its end."""
        if request.is_navigation_request() and request.frame.parent_frame is None:
            self._socket = self._waiting_for = None

    def wait(self, timeout: float) -> None:
        """Wait until the run that was asked for last has ended; `timeout` in ms, for each message of the server."""
        while self._waiting_for and self._socket is not None and not self._socket.is_closed():
            self._socket.wait_for_event("framereceived", timeout=timeout)

    def _sent(self, socket: WebSocket, frame: str | bytes) -> None:
        if socket is not self._socket or not isinstance(frame, bytes):
            return
        message = BackMsg.FromString(frame)
        if message.WhichOneof("type") != "rerun_script":
            return
        asked = message.rerun_script
        held = {each.id: " ".join(str(each).split()) for each in asked.widget_states.widgets}
        changed = [held[name] for name in held if self._held.get(name) != held[name] and "password" not in name]
        self._held = held
        self._tell(f"asks for {asked.fragment_id or 'the page'} of ?{asked.query_string}: {'; '.join(changed)}")
        if not asked.is_auto_rerun:
            is_part = bool(message.rerun_script.fragment_id) and self._waiting_for != "page"
            self._waiting_for = "part" if is_part else "page"

    def _received(self, socket: WebSocket, frame: str | bytes) -> None:
        if socket is not self._socket or not isinstance(frame, bytes):
            return
        message = ForwardMsg.FromString(frame)
        kind = message.WhichOneof("type")
        if kind in _TOLD:
            self._tell(" ".join(f"{kind} {getattr(message, kind)}".split())[:300])
        if kind != "script_finished":
            return
        self.whole += message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
        if self._waiting_for is not None and message.script_finished in _ENDS[self._waiting_for]:
            self._waiting_for = None

    def _tell(self, words: str) -> None:
        self.told.append(f"{time.monotonic():.3f} {words}")


_RUNS: WeakKeyDictionary[Page, ScriptRuns] = WeakKeyDictionary()


def follow(page: Page) -> None:
    """Follow the runs of a page from its first address on."""
    runs = _RUNS[page] = ScriptRuns()
    page.on("request", runs.leave)
    page.on("websocket", runs.follow)


def whole_runs(page: Page) -> int:
    """How often the whole of a page that is followed has been drawn."""
    return _RUNS[page].whole


def wait_for_run(page: Page, timeout: float) -> None:
    """Wait until the run that the page asked for last, if it did, has ended; a page nobody follows waits for none."""
    page.evaluate(PAINTED)
    if (runs := _RUNS.get(page)) is not None:
        runs.wait(timeout)


def trace(page: Page) -> str:
    """What went over the socket of a page of late, a message a line."""
    return "\n".join(_RUNS[page].told) if page in _RUNS else ""
