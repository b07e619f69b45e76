"""Monkey-patches Streamlit so that a page takes time in proportion to its widgets, not to their square.

Each select box, text field, and date field copies the state of the whole session to look up its own key
(streamlit/streamlit#9415, closed; still so in 1.67). In a filter of 40 rules, that is a third of the time of a run.
With the patch, a widget looks up its key.

Held by `tests/components/streamlit_workarounds/test_monkeypatch_state_reads.py::
test_streamlit_without_the_patch_copies_the_state_for_each_widget`, and measured by `bench/filter_keystroke.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from streamlit.runtime.state import SafeSessionState

_original: Final = SafeSessionState.filtered_state


class _StateReads(Mapping[str, Any]):
    """The state of a session, which is copied only to list it."""

    def __init__(self, state: SafeSessionState) -> None:
        self._state = state

    def __getitem__(self, key: str) -> Any:
        with self._state._lock:
            return self._state._state[key]

    def __iter__(self) -> Iterator[str]:
        return iter(_original.__get__(self._state))

    def __len__(self) -> int:
        return len(_original.__get__(self._state))


def patch_state_reads() -> None:
    """Install the patch in this process."""
    SafeSessionState.filtered_state = property(_StateReads)  # type: ignore[assignment, method-assign]


def unpatch_state_reads() -> None:
    """Restore Streamlit's own property."""
    SafeSessionState.filtered_state = _original  # type: ignore[method-assign]
