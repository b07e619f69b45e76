"""Callbacks that are carried out to their end, one run of a session after the other.

The framework ends a run where another press asks for the next, at its next look at the session: also in the middle of a
callback, of which half is done then and the rest never (streamlit/streamlit#10578). And the next run takes the session
over while that callback still reads it. So a callback that has begun is not ended, and the next run waits for it; what
the page would have drawn after it is left to that run, as ever. Held by
`tests/browser/test_tables.py::test_two_presses_at_once_are_both_taken`.
"""

from __future__ import annotations

from threading import Lock
from typing import Any, Final
from weakref import WeakValueDictionary

from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequest, ScriptRequests, ScriptRequestType
from streamlit.runtime.scriptrunner_utils.script_run_context import RunLocation, ThreadState
from streamlit.runtime.state import SafeSessionState

_GUARD: Final = Lock()
_TURNS: Final[WeakValueDictionary[str, Lock]] = WeakValueDictionary()
"""Of each session whose callbacks are being carried out."""

_asked: Final = ScriptRequests.on_scriptrunner_yield
_will_rerun: Final = SafeSessionState.on_script_will_rerun


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
    with _GUARD:
        turn = _TURNS.setdefault(look.__self__._session_id, Lock())
    with turn:
        _will_rerun(self, *args, **kwargs)  # It begins with a look whether it was overtaken while it waited.
