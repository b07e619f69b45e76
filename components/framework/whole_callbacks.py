"""Callbacks that are carried out to their end, one run of a session after the other.

The framework ends a run where another press asks for the next, at its next look at the session: also in the middle of a
callback, of which half is done then and the rest never (streamlit/streamlit#10578). And the next run takes the session
over while that callback still reads it. So a callback that has begun is not ended, and the next run waits for it; nor
is a run ended while it waits so. What the page would have drawn after it is left to that run, as ever. Held by
`tests/browser/test_tables.py::test_two_presses_at_once_are_both_taken`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition, Lock
from typing import Any, Final
from weakref import WeakValueDictionary

from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequest, ScriptRequests, ScriptRequestType
from streamlit.runtime.scriptrunner_utils.script_run_context import RunLocation, ThreadState
from streamlit.runtime.state import SafeSessionState


class _Turns:
    """Of one session whose callbacks are being carried out, in the order in which their runs came."""

    def __init__(self) -> None:
        self._runs: deque[object] = deque()
        self._changed = Condition()

    @contextmanager
    def taken(self, look: Callable[[], None]) -> Iterator[None]:
        run = object()
        with self._changed:
            look()  # Whoever is overtaken already would come after who overtook it, with older values.
            self._runs.append(run)
            self._changed.wait_for(lambda: self._runs[0] is run)
        try:
            yield
        finally:
            with self._changed:
                self._runs.popleft()
                self._changed.notify_all()


_GUARD: Final = Lock()
_TURNS: Final[WeakValueDictionary[str, _Turns]] = WeakValueDictionary()

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
    with _GUARD:
        turns = _TURNS.setdefault(look.__self__._session_id, _Turns())
    with turns.taken(look), self._lock:
        self._state.on_script_will_rerun(*args, **kwargs)
