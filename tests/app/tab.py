"""A browser tab without a browser: the websocket messages that it exchanges with the dashboard."""

from __future__ import annotations

import re
from types import TracebackType
from typing import Any

import httpx
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

TICKET = re.compile(r'data-ticket="([^"]+)"')
AGENT = "a browser"
SECONDS = 60.0


class Tab:
    """A websocket as the dashboard's page opens it. `answers` are the messages of the last run, and `texts` is their
    text.
    """

    id: str

    def __init__(
        self,
        url: str,
        *,
        origin: str | None = "",
        cookie: str = "",
        resumes: str = "",
        headers: dict[str, str] | None = None,
    ) -> None:
        """Connect from a page of the dashboard, of another origin, or (None) of no page at all."""
        self.url = url
        self.cookie = self.browsers_cookie = cookie
        self.answers: list[ForwardMsg] = []
        self._widgets: dict[str, Any] = {}
        self._connection = connect(
            url.replace("http", "ws", 1) + "/_stcore/stream",
            origin=url if origin == "" else origin,  # type: ignore[arg-type]
            subprotocols=["streamlit", "token", *([resumes] if resumes else [])],  # type: ignore[list-item]
            additional_headers={"Cookie": f"muster_session={cookie}", **(headers or {})},
            user_agent_header=AGENT,
            max_size=None,
            proxy=None,
            open_timeout=SECONDS,
        )
        self._socket = self._connection.__enter__()

    def __enter__(self) -> Tab:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.__exit__(kind, error, trace)

    def run(self, page: str = "", **values: Any) -> Tab:
        """Run the page with these values of widgets, by label, and wait for the end of the run."""
        message = BackMsg()
        message.rerun_script.page_name = page
        for label, value in values.items():
            widget = self._widgets[label]
            state = message.rerun_script.widget_states.widgets.add(id=widget.id)
            setattr(state, "trigger_value" if isinstance(value, bool) else "string_value", value)
        self.answers = []
        self._socket.send(message.SerializeToString())
        self._wait_for(lambda answer: answer.WhichOneof("type") == "script_finished")
        return self

    @property
    def page(self) -> str:
        """The hash of the page that was drawn last."""
        return [each.navigation.page_script_hash for each in self.answers if each.HasField("navigation")][-1]

    def leave_for(self, page: str) -> ForwardMsg:
        """Open another page, and request the automatic rerun of a fragment of the previous one. Returns the start of
        that run.
        """
        page_before, timer = (
            self.page,
            next(each.auto_rerun.fragment_id for each in self.answers if each.HasField("auto_rerun")),
        )
        open_message, rerun_message = BackMsg(), BackMsg()
        open_message.rerun_script.page_name = page
        rerun_message.rerun_script.page_script_hash, rerun_message.rerun_script.fragment_id = page_before, timer
        rerun_message.rerun_script.is_auto_rerun = True
        self.answers = []
        for message in (open_message, rerun_message):
            self._socket.send(message.SerializeToString())
        for _ in range(2):
            self._wait_for(lambda answer: answer.WhichOneof("type") == "script_finished")
        return [each for each in self.answers if each.HasField("new_session")][-1]

    def try_password(self, organization: int, username: str, password: str) -> str:
        """Fill in the form and send it. Returns the texts on the page afterwards."""
        fields = {"Organization": str(organization), "User": username, "Password": password}
        self.run("connection").run("connection", **fields, **{"Sign in": True})
        self._wait_for(lambda answer: answer.WhichOneof("type") == "script_finished")  # again, with the answer
        return self.texts

    def sign_in(self, organization: int, username: str, password: str) -> Tab:
        """Fill in the form, and wait until the person is signed in."""
        self.cookie = ""
        self.try_password(organization, username, password)
        while not self.cookie:  # The run starts again once the person is signed in.
            self._wait_for(lambda answer: answer.WhichOneof("type") == "script_finished")
        return self

    def _redeem(self, ticket: str) -> None:
        """Exchange the ticket for the cookie at once, as the page's script does."""
        headers = {"Origin": self.url, "User-Agent": AGENT, "Cookie": f"muster_session={self.browsers_cookie}"}
        answer = httpx.post(f"{self.url}/session", json={"ticket": ticket}, headers=headers)
        self.cookie = answer.cookies["muster_session"]

    def press_download(self, label: str) -> str:
        """Request a file that is created when its button is pressed. Returns its URL."""
        message = BackMsg()
        request = message.backend_operation_request
        request.request_id, request.session_id = "download", self.id
        request.deferred_file.file_id = self._widgets[label].deferred_file_id
        self._socket.send(message.SerializeToString())
        self._wait_for(lambda answer: answer.WhichOneof("type") == "backend_operation_response")
        return str(self.answers[-1].backend_operation_response.deferred_file.url)

    @property
    def texts(self) -> str:
        """All messages since the start of the last run, as text."""
        return "\n".join(str(answer) for answer in self.answers).replace('\\"', '"')

    def _wait_for(self, is_last: Any) -> None:
        while True:
            answer = ForwardMsg.FromString(self._socket.recv(SECONDS))  # type: ignore[arg-type]
            self.answers.append(answer)
            if answer.WhichOneof("type") == "new_session":
                self.id = answer.new_session.initialize.session_id
            if answer.WhichOneof("type") == "delta" and answer.delta.WhichOneof("type") == "new_element":
                element = answer.delta.new_element
                if ticket := TICKET.search(element.html.body):
                    self._redeem(ticket[1])
                widget = getattr(element, element.WhichOneof("type"))
                if hasattr(widget, "label") and hasattr(widget, "id"):
                    self._widgets[widget.label] = widget
            if is_last(answer):
                return
