"""The drawing widgets, each in its own script."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from components.shell import page_redraw
from tests.app.tables import select_rows, send_events, tables


def test_a_running_job_shows_its_progress_and_can_be_stopped() -> None:
    def script() -> None:
        import streamlit as st

        from components.shell.job_progress import Progress, job_progress

        if st.session_state.get("stopped", False):
            st.caption("Stopped")
        else:
            job_progress(
                lambda: Progress(10, 4, "4 of 10 trips", is_finished=False),
                key="job",
                on_stop=lambda: st.session_state.update(stopped=True),
            )

    app = AppTest.from_function(script, default_timeout=30).run()
    assert app.get("progress")[0].proto.value == 40  # type: ignore[union-attr]
    assert app.get("progress")[0].proto.text == "4 of 10 trips"  # type: ignore[union-attr]
    app.button(key="job-stop").click().run()
    assert not app.exception
    assert not app.get("progress")
    assert app.caption[0].value == "Stopped"


def test_a_job_that_ends_before_its_fragment_redraws_reruns_the_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(page_redraw, "get_script_run_ctx", lambda: SimpleNamespace(fragment_ids_this_run=["a part"]))

    def script() -> None:
        import streamlit as st

        from components.shell.job_progress import Progress, job_progress

        runs = st.session_state["runs"] = st.session_state.get("runs", 0) + 1
        if runs == 1:
            job_progress(lambda: Progress(1, 1, "1 of 1", is_finished=True), key="job")
        else:
            st.caption("All there")

    app = AppTest.from_function(script, default_timeout=30).run()
    assert not app.exception
    assert app.session_state["runs"] == 2
    assert app.caption[0].value == "All there"


def test_an_incomplete_confirmation_disables_the_destructive_button(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("components.shell.session.is_signed_in", lambda: True)

    def script() -> None:
        import streamlit as st

        from components.shell.confirm import confirm_dialog

        def ask() -> None:
            confirm_dialog(
                "Send?",
                ["To 12 places."],
                "Send it",
                lambda: st.session_state.update(sent=True),
                key="ask",
                also=lambda: st.text_input("Where", key="ask-typed") == "Oslo",
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


def test_a_file_is_created_only_when_its_button_is_selected() -> None:
    def script() -> None:
        import pandas as pd
        import streamlit as st

        from components.widgets.downloads import download_menu

        def table() -> pd.DataFrame:
            st.session_state["made"] = st.session_state.get("made", 0) + 1
            return pd.DataFrame({"n": [1]})

        download_menu(table, "things", "t")

    app = AppTest.from_function(script, default_timeout=30).run()
    assert not app.exception
    assert "made" not in app.session_state
    for button in app.get("download_button"):
        assert button.proto.HasField("deferred_file_id")  # type: ignore[union-attr]
        assert not button.proto.url  # type: ignore[union-attr]


def long_table() -> None:
    import pandas as pd
    import streamlit as st

    from components.record_list.record_table import record_table
    from components.shell.address import choices_field, in_address

    table = pd.DataFrame({"id": [str(n) for n in range(120)], "n": [(n * 7) % 120 for n in range(120)]})
    st.session_state["taken"] = []
    things = choices_field("thing")
    with in_address(things):
        picked = record_table(
            table,
            {"n": "Number"},
            "t",
            id_column="id",
            selection="many",
            selection_state=things,
            noun=("thing", "things"),
            has_url_state=True,
            build_file=lambda whole: st.session_state["taken"].append(whole) or whole,
            stem="things",
        )
    st.session_state["picked"] = (list(picked.ids), list(picked.rows["n"]))


@pytest.fixture
def table() -> AppTest:
    return AppTest.from_function(long_table, default_timeout=30)


def read_numbers(app: AppTest) -> list[int]:
    assert not app.exception
    return [int(n) for n in tables(app)[0]["n"]]


def test_a_table_is_sorted_across_all_pages_as_the_url_says(table: AppTest) -> None:
    assert read_numbers(table.run()) == [(n * 7) % 120 for n in range(50)]
    assert table.caption[0].value == "1–50 of 120 things"
    table.query_params["t-sort"] = "n descending"
    assert read_numbers(table.run()) == list(range(119, 69, -1))
    table.query_params["t-page"] = "3"
    again = AppTest.from_function(long_table, default_timeout=30)
    again.query_params.update({"t-sort": "n descending", "t-page": "3"})
    assert read_numbers(again.run()) == list(range(19, -1, -1))


def test_rows_selected_on_several_pages_are_in_the_url_and_found_in_the_whole_table(table: AppTest) -> None:
    table.query_params["thing"] = ["119", "3"]
    table.run()
    assert table.session_state["picked"] == (["119", "3"], [21])
    select_rows(table, "t", "1", "2")
    assert table.session_state["picked"] == (["119", "1", "2"], [7, 14])
    assert table.query_params["thing"] == ["119", "1", "2"]
    table.run()
    assert table.session_state["picked"] == (["119", "1", "2"], [7, 14])


def test_clicks_that_arrive_together_are_handled_in_order_and_once_each(table: AppTest) -> None:
    """The browser repeats earlier clicks, because Streamlit keeps only the last message."""
    table.run()
    pick, up, down = [1.5, "pick", ["2"]], [2.5, "sort", "n"], [3.5, "sort", "n"]
    send_events(table, "t", pick, up)
    assert table.session_state["picked"] == (["2"], [14])
    assert read_numbers(table) == list(range(50))
    send_events(table, "t", pick, up, down, [4.5, "pick", ["2", "0"]])
    assert table.session_state["picked"] == (["2", "0"], [])
    assert read_numbers(table) == list(range(119, 69, -1))


def test_drawing_a_table_creates_no_file(table: AppTest) -> None:
    assert table.run().session_state["taken"] == []
    assert [button.label for button in table.get("download_button")] == ["CSV", "XLSX"]  # type: ignore[union-attr]


def test_a_page_of_a_longer_list_offers_only_the_sort_orders_of_its_source() -> None:
    def script() -> None:
        import pandas as pd

        from components.record_list.record_table import page_table
        from domain.tables.table_pages import normalize_columns

        page_table(
            pd.DataFrame({"n": range(10), "at": range(10)}),
            normalize_columns({"n": "Number", "at": "When"}),
            "t",
            sortable=("at",),
            default_order="at descending",
            id_column="n",
            selection="one",
            noun=("row", "rows"),
        )

    app = AppTest.from_function(script, default_timeout=30).run()
    assert not app.exception
    (payload,) = [json.loads(each.proto.json) for each in app.get("bidi_component")]  # type: ignore[union-attr]
    assert [column["sort"] for column in payload["columns"]] == [None, "descending"]
