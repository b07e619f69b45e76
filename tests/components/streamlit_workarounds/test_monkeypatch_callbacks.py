"""Callbacks finish and run in order, whatever the user selects meanwhile."""

from __future__ import annotations

from contextlib import suppress
from threading import Event, Thread
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.runtime.scriptrunner_utils.exceptions import StopException
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests
from streamlit.runtime.state import SafeSessionState
from streamlit.testing.v1 import AppTest

from components.streamlit_workarounds.monkeypatch_callbacks import patch_callbacks, unpatch_callbacks


@pytest.fixture(autouse=True)
def unpatched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use Streamlit without patches, and restore its methods after the test."""
    for owner, name in ((ScriptRequests, "on_scriptrunner_yield"), (SafeSessionState, "on_script_will_rerun")):
        monkeypatch.setattr(owner, name, getattr(owner, name))
    unpatch_callbacks()


@pytest.fixture
def patched(unpatched: None) -> None:
    patch_callbacks()


def a_page() -> None:
    import streamlit as st
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    def on_click() -> None:
        context = get_script_run_ctx()
        assert context is not None
        assert context.script_requests is not None
        context.script_requests.request_stop()  # as after another click
        st.session_state["first"] = True
        st.session_state["second"] = True

    st.button("Press", on_click=on_click)
    st.session_state["drawn"] = st.session_state.get("drawn", 0) + 1


@pytest.mark.usefixtures("patched")
def test_a_callback_finishes_even_if_another_run_is_requested() -> None:
    """The other run draws the page."""
    app = AppTest.from_function(a_page).run()
    app.button[0].click().run()
    assert not app.exception
    assert "second" in app.session_state
    assert app.session_state["drawn"] == 1


def test_streamlit_without_the_patch_interrupts_a_callback() -> None:
    app = AppTest.from_function(a_page).run()
    app.button[0].click().run()
    assert "second" not in app.session_state


class CallbackOrder:
    """The order in which callbacks of several runs begin and end. Those of the first run wait for an event."""

    def __init__(self) -> None:
        self.began, self.ends, self.events = Event(), Event(), list[str]()

    def begin(self, name: str, session: str) -> Thread:
        order = self

        class State:
            def on_script_will_rerun(self, *_: Any, **__: Any) -> None:
                order.events.append(f"{name} begins")
                if name == "first":
                    order.began.set()
                    assert order.ends.wait(60)
                order.events.append(f"{name} ends")

        class Runner(SimpleNamespace):
            def on_yield(self) -> None:
                pass

        state = SafeSessionState(State(), Runner(_session_id=session).on_yield)  # type: ignore[arg-type]
        thread = Thread(target=state.on_script_will_rerun, args=(None,))
        thread.start()
        return thread


@pytest.mark.usefixtures("patched")
def test_a_run_waits_for_the_callbacks_of_the_previous_run_of_its_session_only() -> None:
    order = CallbackOrder()
    first = order.begin("first", "a")
    assert order.began.wait(60)
    second, other = order.begin("second", "a"), order.begin("other", "b")
    other.join(60)
    order.ends.set()
    first.join(60)
    second.join(60)
    assert order.events == [
        *("first begins", "other begins", "other ends", "first ends"),
        *("second begins", "second ends"),
    ]


def test_streamlit_without_the_patch_starts_callbacks_before_those_of_the_previous_run_end() -> None:
    order = CallbackOrder()
    first = order.begin("first", "a")
    assert order.began.wait(60)
    order.begin("second", "a").join(60)
    order.ends.set()
    first.join(60)
    assert order.events == ["first begins", "second begins", "second ends", "first ends"]


@pytest.mark.usefixtures("patched")
def test_a_waiting_click_is_handled_before_a_later_one() -> None:
    """A run that is replaced before it waits is not handled: the later run has newer widget values."""
    began, ends, handled = Event(), Event(), []

    class State:
        def __init__(self, name: str) -> None:
            self.name = name

        def on_script_will_rerun(self, *_: Any, **__: Any) -> None:
            handled.append(self.name)
            if self.name == "first":
                began.set()
                assert ends.wait(60)

    class Runner:
        _session_id = "c"

        def __init__(self, name: str) -> None:
            self.is_replaced, self.was_checked = False, Event()
            self.thread = Thread(target=self.run, args=(SafeSessionState(State(name), self.on_yield),))  # type: ignore[arg-type]

        def run(self, state: SafeSessionState) -> None:
            with suppress(StopException):
                state.on_script_will_rerun(None)

        def on_yield(self) -> None:
            is_replaced = self.is_replaced
            self.was_checked.set()
            if is_replaced:
                raise StopException

    runs = [Runner(name) for name in ("first", "second", "late", "third")]
    runs[0].thread.start()
    assert began.wait(60)
    runs[2].is_replaced = True
    for each in runs[1:]:
        each.thread.start()
        each.was_checked.wait(1)
        each.is_replaced = True
    ends.set()
    for each in runs:
        each.thread.join(60)
    assert handled == ["first", "second", "third"]
