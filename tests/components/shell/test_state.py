"""Typed keys of session state, and messages that survive a rerun."""

import pytest
from streamlit.testing.v1 import AppTest


def test_a_state_key_starts_with_its_default_and_keeps_its_value():
    def page() -> None:
        import streamlit as st

        from components.shell.state import StateKey

        seen = StateKey[list[str]]("test.seen", list)
        seen.get().append("run")
        st.text(len(seen.get()))
        if st.button("clear"):
            seen.clear()
            st.text(f"after {seen.get()}")
        if st.button("set"):
            seen.set(["a", "b"])
            st.text(f"after {seen.get()}")

    app = AppTest.from_function(page).run()
    assert app.text[0].value == "1"
    app.run()
    assert app.text[0].value == "2"
    app.button[0].click().run()
    assert app.text[1].value == "after []"
    app.button[1].click().run()
    assert app.text[1].value == "after ['a', 'b']"


def test_a_state_key_can_store_the_value_of_a_widget():
    def page() -> None:
        import streamlit as st

        from components.shell.state import StateKey

        text = StateKey[str]("test.text", str)
        st.text_input("Text", key=text.widget_key)
        st.text(text.get().upper())

    app = AppTest.from_function(page).run()
    app.text_input[0].input("ana").run()
    assert app.text[0].value == "ANA"


@pytest.mark.parametrize("ends", ["by itself", "early"])
def test_a_success_message_survives_a_rerun_and_is_shown_once(ends: str):
    def page(ends: str) -> None:
        import streamlit as st

        from components.shell import notices

        with notices.draw_messages():
            # A click may start another run at once, and then the browser shows nothing of this one.
            pressed = st.button("do it", on_click=notices.show_success, args=("Trip WSVM7K is *canceled*",))
            if pressed:
                st.rerun()
            if ends == "early":
                st.stop()

    app = AppTest.from_function(page, args=(ends,)).run()
    app.button[0].click().run()
    assert [toast.value for toast in app.toast] == ["Trip WSVM7K is \\*canceled\\*"]
    app.run()
    assert not app.toast


def test_a_problem_is_drawn_with_its_request():
    def page() -> None:
        from client import Duplicate, RequestSummary
        from components.shell.notices import show_problem

        request = RequestSummary("GET", "/itineraries/8800/9223372036854775807")
        error = Duplicate("x", service_message="[trip](x)", request=request, status=404, answer_text="{}")
        show_problem(error, key="test")

    app = AppTest.from_function(page).run()
    assert "“\\[trip\\]\\(x\\)”" in app.error[0].value
    assert app.expander[0].label == "Show request"
    assert "/itineraries/8800/9223372036854775807" in app.code[0].value
