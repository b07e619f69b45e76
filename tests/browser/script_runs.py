"""Track which script run a page waits for, by the messages on its websocket."""

from __future__ import annotations

import time
from collections import deque
from weakref import WeakKeyDictionary

from playwright.sync_api import Page, Request, WebSocket
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

# The run of a fragment says nothing about a requested run of the whole page.
_ENDS = {
    "page": {ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_WITH_COMPILE_ERROR},
    "part": {
        ForwardMsg.FINISHED_SUCCESSFULLY,
        ForwardMsg.FINISHED_WITH_COMPILE_ERROR,
        ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY,
    },
}
_TRACED = {"script_finished", "page_info_changed"}
# A click sends its message after the page has been painted, a little after the click itself returns.
NEXT_PAINT = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"


class ScriptRuns:
    """The runs of one page, from the request for a run until the server reports its end.

    Without this, a page looks finished between a click and the server's message that the script is running.
    """

    def __init__(self) -> None:
        """Start without a websocket or a requested run."""
        self._socket: WebSocket | None = None
        self._waiting_for: str | None = None
        self.page_runs = 0
        """The number of times the whole page was drawn, without fragments."""
        self.messages: deque[str] = deque(maxlen=80)
        """The latest messages on the websocket: requested runs with the changed widgets, and ended runs."""
        self._states: dict[str, str] = {}

    def follow(self, socket: WebSocket) -> None:
        """Listen to a websocket that the page has opened. A later one replaces it."""
        self._socket = socket
        self._waiting_for = None
        socket.on("framesent", lambda frame: self._sent(socket, frame))
        socket.on("framereceived", lambda frame: self._received(socket, frame))

    def stop_waiting(self, request: Request) -> None:
        """Stop waiting when the browser requests another document: the old websocket may never report the end of its
        run.
        """
        if request.is_navigation_request() and request.frame.parent_frame is None:
            self._socket = self._waiting_for = None

    def wait(self, timeout: float) -> None:
        """Wait for the end of the run that was requested last. `timeout` is in ms, for each message of the server."""
        while self._waiting_for and self._socket is not None and not self._socket.is_closed():
            self._socket.wait_for_event("framereceived", timeout=timeout)

    def _sent(self, socket: WebSocket, frame: str | bytes) -> None:
        if socket is not self._socket or not isinstance(frame, bytes):
            return
        message = BackMsg.FromString(frame)
        if message.WhichOneof("type") != "rerun_script":
            return
        request = message.rerun_script
        states = {each.id: " ".join(str(each).split()) for each in request.widget_states.widgets}
        changed = [states[name] for name in states if self._states.get(name) != states[name] and "password" not in name]
        self._states = states
        self._record(f"requests {request.fragment_id or 'the page'} of ?{request.query_string}: {'; '.join(changed)}")
        if not request.is_auto_rerun:
            is_part = bool(message.rerun_script.fragment_id) and self._waiting_for != "page"
            self._waiting_for = "part" if is_part else "page"

    def _received(self, socket: WebSocket, frame: str | bytes) -> None:
        if socket is not self._socket or not isinstance(frame, bytes):
            return
        message = ForwardMsg.FromString(frame)
        kind = message.WhichOneof("type")
        if kind in _TRACED:
            self._record(" ".join(f"{kind} {getattr(message, kind)}".split())[:300])
        if kind != "script_finished":
            return
        self.page_runs += message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
        if self._waiting_for is not None and message.script_finished in _ENDS[self._waiting_for]:
            self._waiting_for = None

    def _record(self, text: str) -> None:
        self.messages.append(f"{time.monotonic():.3f} {text}")


_RUNS: WeakKeyDictionary[Page, ScriptRuns] = WeakKeyDictionary()


def follow(page: Page) -> None:
    """Track the runs of a page, starting with its first URL."""
    runs = _RUNS[page] = ScriptRuns()
    page.on("request", runs.stop_waiting)
    page.on("websocket", runs.follow)


def count_page_runs(page: Page) -> int:
    """Return how many times the whole of a tracked page has been drawn."""
    return _RUNS[page].page_runs


def wait_for_run(page: Page, timeout: float) -> None:
    """Wait for the end of the run that the page requested last, if any. Returns at once for a page that isn't
    tracked.
    """
    page.evaluate(NEXT_PAINT)
    if (runs := _RUNS.get(page)) is not None:
        runs.wait(timeout)


def trace(page: Page) -> str:
    """Return the latest messages on the websocket of a page, one per line."""
    return "\n".join(_RUNS[page].messages) if page in _RUNS else ""
