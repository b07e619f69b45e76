"""What a run of a page has drawn is told to the browser to its end, before what is asked next begins.

A run ends in its thread; what it drew is told a little later, by the web framework's event loop, on a busy machine much
later. Where a part of the page is asked for in between, as by a timer, the framework gives it a run of its own at once
and tells nothing more of the one before: what was typed or pressed is carried out and never seen
(streamlit/streamlit#9921). So what is asked of a tab then waits for that. And what a person asks of a part that the
page no longer has, the framework throws away with all that was typed: it is asked of the whole page. Held by
`tests/components/streamlit_workarounds/test_whole_answers.py`; in a browser it takes a busy machine, and
`tests/browser/test_public_alert.py::test_the_text_is_followed_as_it_is_typed_and_survives_a_refresh` to tell.
"""

from __future__ import annotations

from threading import Lock
from typing import Any, Final
from weakref import WeakKeyDictionary

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunnerEvent
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType

_GUARD: Final = Lock()
_WAITING: Final[WeakKeyDictionary[AppSession, list[ClientState | None]]] = WeakKeyDictionary()
"""What was asked of tabs whose last run has ended and is not told yet, in order."""

_ask: Final = AppSession.request_rerun
_tell: Final = AppSession._handle_scriptrunner_event_on_event_loop


def tell_answers_out() -> None:
    """Have the framework do so in this process, from now on."""
    AppSession.request_rerun = _ask_in_turn  # type: ignore[method-assign]
    AppSession._handle_scriptrunner_event_on_event_loop = _tell_out  # type: ignore[method-assign]


def _ask_in_turn(self: AppSession, client_state: ClientState | None) -> None:
    with _GUARD:
        if self._scriptrunner is not None and self._scriptrunner._requests._state == ScriptRequestType.STOP:
            _WAITING.setdefault(self, []).append(client_state)
            return
    part = client_state.fragment_id if client_state is not None and not client_state.is_auto_rerun else ""
    if client_state is not None and part and not self.has_fragment(part):
        asked, client_state = client_state, ClientState()
        client_state.CopyFrom(asked)
        client_state.ClearField("fragment_id")
    _ask(self, client_state)


def _tell_out(self: AppSession, sender: Any, event: ScriptRunnerEvent, *args: Any, **kwargs: Any) -> None:
    _tell(self, sender, event, *args, **kwargs)
    if event == ScriptRunnerEvent.SHUTDOWN:
        with _GUARD:
            waiting = _WAITING.pop(self, []) if self._scriptrunner is None else []
        for each in waiting:
            self.request_rerun(each)
