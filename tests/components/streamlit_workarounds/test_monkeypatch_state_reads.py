"""A widget reads its own key, however many keys the session has."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.runtime.state import SafeSessionState, SessionState
from streamlit.testing.v1 import AppTest

from components.streamlit_workarounds.monkeypatch_state_reads import patch_state_reads, unpatch_state_reads


@pytest.fixture(autouse=True)
def copies(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Use Streamlit without the patch, restore it after the test, and count the copies of a session's state."""
    made: list[int] = []
    original = SessionState.filtered_state.fget
    assert original is not None

    def counted(state: SessionState) -> dict[str, Any]:
        made.append(1)
        return original(state)

    monkeypatch.setattr(SafeSessionState, "filtered_state", SafeSessionState.filtered_state)
    monkeypatch.setattr(SessionState, "filtered_state", property(counted))
    unpatch_state_reads()
    return made


def a_page() -> None:
    import streamlit as st

    st.session_state.setdefault("second", None)
    for key in ("first", "second", "third"):
        st.selectbox(key, ("A", "B"), key=key)
    st.markdown(", ".join(sorted(st.session_state)))


def draw() -> AppTest:
    app = AppTest.from_function(a_page).run()
    assert not app.exception
    assert [box.value for box in app.selectbox] == ["A", None, "A"]
    assert app.markdown[0].value == "first, second, third"
    return app


def test_streamlit_without_the_patch_copies_the_state_for_each_widget(copies: list[int]) -> None:
    """The patch avoids the copies of the three widgets."""
    draw()
    without_patch = len(copies)
    copies.clear()
    patch_state_reads()
    draw()
    assert len(copies) == without_patch - 3
