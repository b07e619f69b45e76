"""A user of the dashboard without a browser, with the websocket messages that a browser sends and reads.

A real browser draws. This one only remembers what a page offers (fields by label, and fragments that rerun by
themselves), and sends what a browser sends: the values of all fields with each run, and the hashes of messages that it
has cached.
"""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import suppress
from types import TracebackType
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

AGENT: Final = "Mozilla/5.0 (muster bench)"
ANSWER_SECONDS: Final = 60.0
_TICKET: Final = re.compile(r'data-ticket="([^"]+)"')
_COUNTDOWN: Final = re.compile(r'data-countdown="([^"]+)"')
_PERSON: Final = re.compile(r":material/person: (\S+) ·")
_VALUES: Final = {
    "button_group": "string_array_value",
    "multiselect": "string_array_value",
    "selectbox": "string_value",
    "text_input": "string_value",
    "text_area": "string_value",
    "checkbox": "bool_value",
    "pagination": "int_value",
    "button": "trigger_value",
}


class PageError(Exception):
    """A page returned an error, or nothing."""


class BrowserSession:
    """A signed-in tab. `errors` are the errors that its pages showed."""

    def __init__(self, base: str, *, red_is_error: bool = True) -> None:
        """Create a tab. `base` is the dashboard's URL without a final slash.

        Messages in red are errors, except on screens where `red_is_error` is False.
        """
        self.errors: list[str] = []
        self._red_is_error = red_is_error
        self.placeholders: dict[str, str] = {}
        """The placeholders of the text fields on the page, by label."""
        self.countdown = ""
        """The ID of the countdown on the page, or ""."""
        self._base = base
        self._http = httpx.AsyncClient(base_url=base, headers={"User-Agent": AGENT}, trust_env=False)
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._again: dict[str, asyncio.Task[None]] = {}
        self._fields: dict[str, tuple[str, str]] = {}
        self._states: dict[str, WidgetState] = {}
        self._hashes: set[str] = set()
        self._query = ""
        self._page = self._page_hash = ""
        self._username = ""
        self._ticket: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._ended = asyncio.Event()
        self._why = ""

    @property
    def labels(self) -> set[str]:
        """Return the labels of the fields and buttons on the page."""
        return set(self._fields)

    async def __aenter__(self) -> BrowserSession:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
        await self._http.aclose()

    async def sign_in(self, organization: int, username: str, password: str) -> None:
        """Sign in with the form as a browser does, and keep the cookie."""
        self._username = username
        await self.open("")
        for label, value in (("Organization", str(organization)), ("User", username), ("Password", password)):
            self._put(label, value)
        await asyncio.gather(self.press("Sign in"), self._redeem())

    async def _redeem(self) -> None:
        # After the sign-in, the page runs again, and draws only the ticket until the ticket is redeemed.
        ticket = await asyncio.wait_for(self._ticket, ANSWER_SECONDS)
        (await self.post("/session", ticket=ticket)).raise_for_status()

    async def post(self, route: str, **values: str) -> httpx.Response:
        """Send values as a script of the page does."""
        return await self._http.post(
            route, json=values, headers={"Origin": self._base, "Sec-Fetch-Site": "same-origin"}
        )

    async def open(self, page: str, query: str = "") -> float:
        """Open another page, as by its URL in the browser. Returns the seconds it took."""
        await self.close()
        self._page, self._page_hash, self._query = page, "", query
        (await self._http.get(f"/{page}")).raise_for_status()
        (await self._http.get("/_stcore/health")).raise_for_status()
        began = time.perf_counter()
        self._socket = await connect(
            f"ws://{urlsplit(self._base).netloc}/_stcore/stream",
            origin=self._base,  # type: ignore[arg-type]
            subprotocols=["streamlit", self._http.cookies.get("_streamlit_xsrf") or "none"],  # type: ignore[list-item]
            additional_headers={"Cookie": "; ".join(f"{name}={value}" for name, value in self._http.cookies.items())},
            user_agent_header=AGENT,
            max_size=None,
            compression=None,
            ping_interval=None,
            proxy=None,
        )
        self._reader = asyncio.create_task(self._read(self._socket))
        await self._run()
        return time.perf_counter() - began

    async def choose(self, label: str, value: Any) -> float:
        """Change the value of a field. Returns the seconds until the page has finished."""
        self._put(label, value)
        began = time.perf_counter()
        await self._run()
        return time.perf_counter() - began

    async def press(self, label: str) -> None:
        """Select a button, and wait until the page has finished."""
        self._put(label, True)
        identity, _ = self._fields[label]
        await self._request()
        del self._states[identity]  # A fragment that runs meanwhile would press it again.
        await self._wait_for_end()

    async def sign_out(self) -> None:
        """Select the button on the Connection screen that ends the session, and close the tab."""
        await self.open("connection")
        await self.press("Sign out")
        await self.close()

    async def close(self) -> None:
        """Close the tab."""
        self._forget_fragments()
        if self._reader is not None:
            self._reader.cancel()
            with suppress(asyncio.CancelledError):
                await self._reader
        if self._socket is not None:
            await self._socket.close()
        self._socket = self._reader = None
        self._fields, self._states, self._hashes = {}, {}, set()

    def _put(self, label: str, value: Any) -> None:
        try:
            identity, kind = self._fields[label]
        except KeyError:
            self.errors.append(f"the page has no field “{label}”")
            raise PageError(self.errors[-1]) from None
        state = WidgetState(id=identity)
        match kind:
            case "string_array_value":
                state.string_array_value.data.extend(value)
            case _:
                setattr(state, kind, value)
        self._states[identity] = state

    async def _run(self) -> None:
        await self._request()
        await self._wait_for_end()

    async def _request(self, fragment: str = "") -> None:
        """Request a run of the page, or of a fragment."""
        assert self._socket is not None
        message = BackMsg()
        rerun = message.rerun_script
        rerun.query_string, rerun.fragment_id = self._query, fragment
        # The name is that of the URL. Afterwards, the page is known by its hash.
        rerun.page_script_hash, rerun.page_name = self._page_hash, "" if self._page_hash else self._page
        rerun.widget_states.widgets.extend(self._states.values())
        rerun.cached_message_hashes.extend(self._hashes)
        rerun.context_info.timezone, rerun.context_info.locale = "UTC", "en-US"
        rerun.context_info.color_scheme = "light"
        rerun.context_info.url = f"{self._base}/{self._page}"
        rerun.is_auto_rerun = bool(fragment)
        if not fragment:
            self._ended.clear()
        try:
            await self._socket.send(message.SerializeToString())
        except WebSocketException as error:
            self._fail(f"the connection broke: {error}")

    async def _wait_for_end(self) -> None:
        """Wait until the page has finished. Raises PageError if it showed an error."""
        try:
            await asyncio.wait_for(self._ended.wait(), ANSWER_SECONDS)
        except TimeoutError:
            self._fail(f"no answer within {ANSWER_SECONDS:.0f} s")
        if self._why:
            why, self._why = self._why, ""
            raise PageError(why)

    async def _read(self, socket: ClientConnection) -> None:
        try:
            async for data in socket:
                message = ForwardMsg()
                message.ParseFromString(data if isinstance(data, bytes) else data.encode())
                self._take(message)
        except WebSocketException as error:
            self._fail(f"the connection broke: {error}")
            self._ended.set()

    def _take(self, message: ForwardMsg) -> None:
        match message.WhichOneof("type"):
            case "delta":
                if message.metadata.cacheable:
                    self._hashes.add(message.hash)
                if message.delta.WhichOneof("type") == "new_element":
                    self._take_element(message.delta.new_element)
            case "new_session" if not message.metadata.run.fragment_ids:
                self._forget_fragments()
                self._fields.clear()
            case "navigation":
                self._page_hash = message.navigation.page_script_hash
            case "page_info_changed":
                self._query = message.page_info_changed.query_string
            case "auto_rerun":
                again = message.auto_rerun
                if (before := self._again.pop(again.fragment_id, None)) is not None:
                    before.cancel()
                self._again[again.fragment_id] = asyncio.create_task(self._run_again(again.fragment_id, again.interval))
            case "script_finished":
                ending = ForwardMsg.ScriptFinishedStatus.Name(message.script_finished)
                if ending == "FINISHED_SUCCESSFULLY":
                    self._ended.set()
                elif ending == "FINISHED_WITH_COMPILE_ERROR":
                    self._fail("the page does not compile")
                    self._ended.set()
            case "session_event":
                if message.session_event.WhichOneof("type") == "script_compilation_exception":
                    self._fail("the page does not compile")

    def _take_element(self, element: Any) -> None:
        kind = element.WhichOneof("type")
        drawn = getattr(element, kind) if kind else None
        if kind in _VALUES and drawn is not None:
            label = getattr(drawn, "label", "") or kind
            self._fields[label] = (drawn.id, _VALUES[kind])
            self.placeholders[label] = getattr(drawn, "placeholder", "")
        elif kind == "markdown" and drawn is not None and (shown_to := _PERSON.search(drawn.body)):
            if shown_to.group(1) != self._username:
                self._fail(f"a page of {shown_to.group(1)} was shown to {self._username}")
        elif kind == "exception" and drawn is not None:
            self._fail(f"{drawn.type}: {drawn.message}")
        elif kind == "alert" and drawn is not None and drawn.format == drawn.ERROR and self._red_is_error:
            self._fail(drawn.body)
        elif kind == "html" and drawn is not None:
            if (found := _TICKET.search(drawn.body)) and not self._ticket.done():
                self._ticket.set_result(found.group(1))
            elif found := _COUNTDOWN.search(drawn.body):
                self.countdown = found.group(1)

    async def _run_again(self, fragment: str, seconds: float) -> None:
        while True:
            await asyncio.sleep(seconds)
            await self._request(fragment)

    def _forget_fragments(self) -> None:
        for task in self._again.values():
            task.cancel()
        self._again = {}

    def _fail(self, why: str) -> None:
        self._why = why
        self.errors.append(why)
