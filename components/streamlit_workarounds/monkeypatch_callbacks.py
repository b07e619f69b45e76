"""Monkey-patches Streamlit so that a callback runs to its end, and the callbacks of a session run one after the other.

Streamlit ends a run when the next one is requested, at its next access to the session: also in the middle of a
callback, which is then half done (streamlit/streamlit#10578, open). The next run reads the session while that callback
still writes to it. With the patch, a callback that has begun is not ended, the next run waits for it, and a run that
waits is not ended either. The rest of a run, which only draws, can still be ended.

`tests/components/streamlit_workarounds/test_monkeypatch_callbacks.py` shows what Streamlit does without the patch. Held
in a browser by `tests/browser/test_tables.py::
test_rows_are_selected_by_keyboard_and_two_simultaneous_clicks_both_count`.
"""

from __future__ import annotations

from threading import Event, Lock
from typing import Any, Final
from weakref import WeakValueDictionary

from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequest, ScriptRequests, ScriptRequestType
from streamlit.runtime.scriptrunner_utils.script_run_context import RunLocation, ThreadState
from streamlit.runtime.state import SafeSessionState

_LOCK: Final = Lock()
_LAST_END: Final[WeakValueDictionary[str, Event]] = WeakValueDictionary()
"""By session: set when the callbacks that began last have ended."""

_original_yield: Final = ScriptRequests.on_scriptrunner_yield
_original_will_rerun: Final = SafeSessionState.on_script_will_rerun


def patch_callbacks() -> None:
    """Install the patch in this process."""
    ScriptRequests.on_scriptrunner_yield = _on_scriptrunner_yield  # type: ignore[method-assign]
    SafeSessionState.on_script_will_rerun = _on_script_will_rerun  # type: ignore[method-assign]


def unpatch_callbacks() -> None:
    """Restore Streamlit's own methods."""
    ScriptRequests.on_scriptrunner_yield = _original_yield  # type: ignore[method-assign]
    SafeSessionState.on_script_will_rerun = _original_will_rerun  # type: ignore[method-assign]


def _on_scriptrunner_yield(self: ScriptRequests) -> ScriptRequest | None:
    """Ignore a request to stop while a callback runs."""
    if self._state == ScriptRequestType.STOP and ThreadState.get().run_location == RunLocation.CALLBACK:
        return None
    return _original_yield(self)


def _on_script_will_rerun(self: SafeSessionState, *args: Any, **kwargs: Any) -> None:
    """Run the callbacks once those of the run before have ended."""
    raise_if_stopped: Any = self._yield_callback
    session_id, end = raise_if_stopped.__self__._session_id, Event()
    with _LOCK:
        raise_if_stopped()  # A run that was overtaken before it came here has older widget values than the next one.
        previous_end = _LAST_END.get(session_id)
        _LAST_END[session_id] = end
    try:
        if previous_end is not None:
            previous_end.wait()
        # Without checking for a stop again: a press is not lost because another one came while it waited.
        with self._lock:
            self._state.on_script_will_rerun(*args, **kwargs)
    finally:
        end.set()
