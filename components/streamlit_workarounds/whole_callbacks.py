"""Callbacks that are carried out to their end, one run of a session after the other.

The framework ends a run where another press asks for the next, at its next look at the session: also in the middle of a
callback, of which half is done then and the rest never (streamlit/streamlit#10578). And the next run takes the session
over while that callback still reads it. So a callback that has begun is not ended, and the next run waits for it; nor
is a run ended while it waits so. What the page would have drawn after it is left to that run, as ever. Held by
`tests/browser/test_tables.py::
test_rows_are_picked_by_the_keyboard_alone_and_two_presses_at_once_are_both_taken`.
"""

from __future__ import annotations

from threading import Event, Lock
from typing import Any, Final
from weakref import WeakValueDictionary

from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequest, ScriptRequests, ScriptRequestType
from streamlit.runtime.scriptrunner_utils.script_run_context import RunLocation, ThreadState
from streamlit.runtime.state import SafeSessionState

_GUARD: Final = Lock()
_LAST: Final[WeakValueDictionary[str, Event]] = WeakValueDictionary()
"""Of each session whose callbacks are being carried out: the end of those that came last."""

_asked: Final = ScriptRequests.on_scriptrunner_yield


def carry_callbacks_out() -> None:
    """Have the framework do so in this process, from now on."""
    ScriptRequests.on_scriptrunner_yield = _asked_of  # type: ignore[method-assign]
    SafeSessionState.on_script_will_rerun = _in_turn  # type: ignore[method-assign]


def _asked_of(self: ScriptRequests) -> ScriptRequest | None:
    """What is asked of a run: nothing but what its callbacks ask themselves while they are carried out."""
    if self._state == ScriptRequestType.STOP and ThreadState.get().run_location == RunLocation.CALLBACK:
        return None
    return _asked(self)


def _in_turn(self: SafeSessionState, *args: Any, **kwargs: Any) -> None:
    look: Any = self._yield_callback
    session, ended = look.__self__._session_id, Event()
    with _GUARD:
        look()  # Who was overtaken before it came here holds older widgets than the one that waits already.
        before = _LAST.get(session)
        _LAST[session] = ended
    try:
        if before is not None:
            before.wait()
        # Without another look: what was pressed is not lost because something else was pressed while it waited.
        with self._lock:
            self._state.on_script_will_rerun(*args, **kwargs)
    finally:
        ended.set()
