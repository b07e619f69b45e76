"""Automatic redraws do not lose clicks."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def a_page() -> None:
    import streamlit as st

    from components.shell.background_changes import redraw_when

    redraw_when(lambda: st.session_state.pop("ended", False))
    if st.button("Press"):
        st.session_state["pressed"] = True


def test_a_click_is_handled_in_the_run_that_detects_the_end_of_a_job() -> None:
    app = AppTest.from_function(a_page).run()
    app.session_state["ended"] = True
    app.button[0].click().run()
    assert "pressed" in app.session_state
