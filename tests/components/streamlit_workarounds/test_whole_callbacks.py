"""What was pressed is carried out, whatever is pressed in the meantime."""

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

from components.streamlit_workarounds.whole_callbacks import carry_callbacks_out


@pytest.fixture(autouse=True)
def carried_out(monkeypatch: pytest.MonkeyPatch) -> None:
    for owner, name in ((ScriptRequests, "on_scriptrunner_yield"), (SafeSessionState, "on_script_will_rerun")):
        monkeypatch.setattr(owner, name, getattr(owner, name))
    carry_callbacks_out()


def a_page() -> None:
    import streamlit as st
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    def pressed() -> None:
        context = get_script_run_ctx()
        assert context is not None
        assert context.script_requests is not None
        context.script_requests.request_stop()  # as where something else is pressed
        st.session_state["first"] = True
        st.session_state["second"] = True

    st.button("Press", on_click=pressed)
    st.session_state["drawn"] = st.session_state.get("drawn", 0) + 1


def test_a_callback_is_carried_out_to_its_end_where_another_run_is_asked_for() -> None:
    """And the page is left to that run."""
    app = AppTest.from_function(a_page).run()
    app.button[0].click().run()
    assert not app.exception
    assert "second" in app.session_state
    assert app.session_state["drawn"] == 1


def test_a_run_waits_for_the_callbacks_of_the_one_before_it_and_for_no_other_session() -> None:
    began, ends, took = Event(), Event(), []

    class State:
        def __init__(self, name: str) -> None:
            self.name = name

        def on_script_will_rerun(self, *_: Any, **__: Any) -> None:
            took.append(f"{self.name} begins")
            if self.name == "first":
                began.set()
                assert ends.wait(60)
            took.append(f"{self.name} ends")

    def begin(name: str, session: str) -> Thread:
        class Runner(SimpleNamespace):
            def look(self) -> None:
                pass

        state = SafeSessionState(State(name), Runner(_session_id=session).look)  # type: ignore[arg-type]
        thread = Thread(target=state.on_script_will_rerun, args=(None,))
        thread.start()
        return thread

    first = begin("first", "a")
    assert began.wait(60)
    second, other = begin("second", "a"), begin("other", "b")
    other.join(60)
    ends.set()
    first.join(60)
    second.join(60)
    assert [each for each in took if not each.startswith("other")] == [
        "first begins",
        "first ends",
        "second begins",
        "second ends",
    ]
    assert took[1:3] == ["other begins", "other ends"]


def test_a_press_that_waits_for_its_turn_is_taken_before_the_one_that_overtakes_it() -> None:
    """One that was overtaken before it could ask for its turn is not: the later run has newer widgets."""
    began, ends, took = Event(), Event(), []

    class State:
        def __init__(self, name: str) -> None:
            self.name = name

        def on_script_will_rerun(self, *_: Any, **__: Any) -> None:
            took.append(self.name)
            if self.name == "first":
                began.set()
                assert ends.wait(60)

    class Runner:
        _session_id = "c"

        def __init__(self, name: str) -> None:
            self.is_overtaken, self.asked = False, Event()
            self.thread = Thread(target=self.run, args=(SafeSessionState(State(name), self.look),))  # type: ignore[arg-type]

        def run(self, state: SafeSessionState) -> None:
            with suppress(StopException):
                state.on_script_will_rerun(None)

        def look(self) -> None:
            is_overtaken = self.is_overtaken
            self.asked.set()
            if is_overtaken:
                raise StopException

    runs = [Runner(name) for name in ("first", "second", "late", "third")]
    runs[0].thread.start()
    assert began.wait(60)
    runs[2].is_overtaken = True
    for each in runs[1:]:
        each.thread.start()
        each.asked.wait(1)
        each.is_overtaken = True
    ends.set()
    for each in runs:
        each.thread.join(60)
    assert took == ["first", "second", "third"]
