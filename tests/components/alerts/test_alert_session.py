"""Callbacks of the buttons of a public alert."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def page() -> None:
    import streamlit as st

    from components.alerts.alert_session import DRAFT, IS_PAGE_OUTDATED, on_press
    from domain.alerts.draft import AlertDraft

    def begin(name: str, draft: AlertDraft) -> None:
        st.session_state.setdefault("calls", []).append((name, draft.uid))
        DRAFT.set(AlertDraft())

    DRAFT.set(AlertDraft(uid="first"))
    press = on_press(AlertDraft(uid="first"), begin, "Gas leak")
    press()
    press()
    st.session_state["is outdated"] = IS_PAGE_OUTDATED.get()


def test_a_button_acts_only_on_the_draft_it_was_drawn_for() -> None:
    """The second click of a double click must not act on the draft that the first one started."""
    state = AppTest.from_function(page).run().session_state
    assert state["calls"] == [("Gas leak", "first")]
    assert state["is outdated"]
