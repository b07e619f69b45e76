"""What was pressed is carried out, whatever is pressed in the meantime."""

from __future__ import annotations

from contextlib import suppress
from threading import Event, Thread
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests
from streamlit.runtime.state import SafeSessionState
from streamlit.testing.v1 import AppTest

from components.framework.whole_callbacks import carry_callbacks_out


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


class Overtaken(Exception):
    pass


def test_what_was_pressed_while_another_was_carried_out_is_carried_out_though_a_third_overtakes_it() -> None:
    """In the order of the presses; who is overtaken before it has come takes nothing back by older values."""
    began, ends, took, overtaken = Event(), Event(), [], set()
    looked = {name: Event() for name in ("first", "second", "third", "late")}

    class Runner:
        def __init__(self, name: str) -> None:
            self.name, self._session_id = name, "c"

        def look(self) -> None:
            is_overtaken = self.name in overtaken
            looked[self.name].set()
            if is_overtaken:
                raise Overtaken

        def on_script_will_rerun(self, *_: Any, **__: Any) -> None:
            took.append(self.name)
            if self.name == "first":
                began.set()
                assert ends.wait(60)

    def begin(name: str) -> Thread:
        runner = Runner(name)
        state = SafeSessionState(runner, runner.look)  # type: ignore[arg-type]

        def run() -> None:
            with suppress(Overtaken):
                state.on_script_will_rerun(None)

        thread = Thread(target=run)
        thread.start()
        return thread

    threads = [begin("first")]
    assert began.wait(60)
    for name, before in (("second", "first"), ("third", "second")):
        overtaken.add(before)
        threads.append(begin(name))
        looked[name].wait(1)
    overtaken.add("late")
    threads.append(begin("late"))
    looked["late"].wait(1)
    ends.set()
    for thread in threads:
        thread.join(60)
    assert took == ["first", "second", "third"]
