"""Monkey-patches Streamlit so that the browser gets everything a run has drawn before the next run starts.

A run ends in its thread, and the event loop sends its last messages a little later, on a busy machine much later. If a
fragment is requested in between, as by a timer, Streamlit starts a run for it at once and drops the messages of the run
before: the value that a person typed is stored and never shown. No upstream issue describes this; the nearest is
streamlit/streamlit#9188 (closed), whose cause is the same delay. With the patch, a request waits for those messages.

Streamlit also ignores a person's request for a fragment that is no longer on the page, with everything typed in it: its
fix for streamlit/streamlit#9921 only replaced an error with a line in the log. With the patch, the whole page runs.

`tests/components/streamlit_workarounds/test_monkeypatch_reruns.py` shows what Streamlit does without the patch. In a
browser it takes a busy machine, and
`tests/browser/test_public_alert.py::test_the_preview_follows_typing_and_the_text_survives_a_refresh`.
"""

from __future__ import annotations

from threading import Lock
from typing import Any, Final
from weakref import WeakKeyDictionary

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunnerEvent
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType

_LOCK: Final = Lock()
_WAITING: Final[WeakKeyDictionary[AppSession, list[ClientState | None]]] = WeakKeyDictionary()
"""Requests to sessions whose last run has ended but whose messages are not sent yet, in order."""

_original_request_rerun: Final = AppSession.request_rerun
_original_handle_event: Final = AppSession._handle_scriptrunner_event_on_event_loop


def patch_reruns() -> None:
    """Install the patch in this process."""
    AppSession.request_rerun = _request_rerun  # type: ignore[method-assign]
    AppSession._handle_scriptrunner_event_on_event_loop = _handle_event  # type: ignore[method-assign]


def unpatch_reruns() -> None:
    """Restore Streamlit's own methods."""
    AppSession.request_rerun = _original_request_rerun  # type: ignore[method-assign]
    AppSession._handle_scriptrunner_event_on_event_loop = _original_handle_event  # type: ignore[method-assign]


def _request_rerun(self: AppSession, client_state: ClientState | None) -> None:
    with _LOCK:
        if self._scriptrunner is not None and self._scriptrunner._requests._state == ScriptRequestType.STOP:
            _WAITING.setdefault(self, []).append(client_state)
            return
    fragment_id = client_state.fragment_id if client_state is not None and not client_state.is_auto_rerun else ""
    if client_state is not None and fragment_id and not self.has_fragment(fragment_id):
        fragment_state, client_state = client_state, ClientState()
        client_state.CopyFrom(fragment_state)
        client_state.ClearField("fragment_id")
    _original_request_rerun(self, client_state)


def _handle_event(self: AppSession, sender: Any, event: ScriptRunnerEvent, *args: Any, **kwargs: Any) -> None:
    _original_handle_event(self, sender, event, *args, **kwargs)
    if event == ScriptRunnerEvent.SHUTDOWN:
        with _LOCK:
            waiting = _WAITING.pop(self, []) if self._scriptrunner is None else []
        for client_state in waiting:
            self.request_rerun(client_state)
