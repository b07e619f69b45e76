"""The widgets that draw, in a script of their own."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def test_a_job_under_way_shows_how_far_it_is_and_can_be_stopped() -> None:
    def script() -> None:
        import streamlit as st

        from components.widgets.job_progress import Progress, job_progress

        def read() -> Progress:
            stopped = st.session_state.get("stopped", False)
            return Progress(10, 4, "Stopped" if stopped else "4 of 10 trips", finished=stopped)

        job_progress(read, key="job", on_stop=lambda: st.session_state.update(stopped=True))

    app = AppTest.from_function(script, default_timeout=30).run()
    assert app.get("progress")[0].proto.value == 40  # type: ignore[union-attr]
    assert app.get("progress")[0].proto.text == "4 of 10 trips"  # type: ignore[union-attr]
    app.button(key="job-stop").click().run()
    assert not app.exception
    assert not app.get("progress")
    assert app.caption[0].value == "Stopped"


def test_a_job_that_ends_while_it_is_drawn_runs_the_app_once_more() -> None:
    def script() -> None:
        import streamlit as st

        from components.widgets.job_progress import Progress, job_progress

        st.session_state["runs"] = st.session_state.get("runs", 0) + 1

        def read() -> Progress:
            st.session_state["reads"] = st.session_state.get("reads", 0) + 1
            return Progress(1, 1, "All there", finished=st.session_state["reads"] > 1)

        job_progress(read, key="job")

    app = AppTest.from_function(script, default_timeout=30).run()
    assert not app.exception
    assert app.session_state["runs"] == 2
    assert app.caption[0].value == "All there"


def test_what_must_be_typed_holds_the_dangerous_button_back() -> None:
    def script() -> None:
        import streamlit as st

        from components.widgets.confirm import confirm_dialog

        def ask() -> None:
            confirm_dialog(
                "Send?",
                ["To 12 places."],
                "Send it",
                lambda: st.session_state.update(sent=True),
                key="ask",
                typed="Oslo",
            )

        if st.session_state.get("open", True):
            ask()

    app = AppTest.from_function(script, default_timeout=30).run()
    assert app.button(key="ask-confirm").disabled
    app.text_input(key="ask-typed").set_value("Olso").run()
    assert app.button(key="ask-confirm").disabled
    app.text_input(key="ask-typed").set_value("Oslo").run()
    assert not app.button(key="ask-confirm").disabled
    assert app.button(key="ask-confirm").label == ":red[**Send it**]"
    app.session_state["open"] = False
    app.button(key="ask-confirm").click().run()
    assert not app.exception
    assert app.session_state["sent"]


def test_a_file_is_made_when_its_button_is_pressed_and_not_before() -> None:
    def script() -> None:
        import pandas as pd
        import streamlit as st

        from components.widgets.downloads import download_row

        def table() -> pd.DataFrame:
            st.session_state["made"] = st.session_state.get("made", 0) + 1
            return pd.DataFrame({"n": [1]})

        download_row(table, "things", "t")

    app = AppTest.from_function(script, default_timeout=30).run()
    assert not app.exception
    assert "made" not in app.session_state
    for button in app.get("download_button"):
        assert button.proto.HasField("deferred_file_id")  # type: ignore[union-attr]
        assert not button.proto.url  # type: ignore[union-attr]


def test_a_long_table_is_sorted_over_all_its_pages() -> None:
    def script() -> None:
        import pandas as pd

        from components.widgets.record_table import record_table

        table = pd.DataFrame({"id": [str(n) for n in range(120)], "n": [(n * 7) % 120 for n in range(120)]})
        record_table(table, {"n": "Number"}, "t", id_column="id", noun=("thing", "things"))

    app = AppTest.from_function(script, default_timeout=30).run()
    assert app.caption[0].value == "1–50 of 120 things"
    app.selectbox(key="t-sort").set_value("n").run()
    app.toggle(key="t-descending").set_value(True).run()
    assert list(app.dataframe[0].value["n"]) == list(range(119, 69, -1))
    app.session_state["t-page"] = 3
    app.run()
    assert list(app.dataframe[0].value["n"]) == list(range(19, -1, -1))
    assert not app.exception
