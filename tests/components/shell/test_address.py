"""Fields and the URL: which one takes precedence after a selection, a link, *Back*, or two quick selections."""

from __future__ import annotations

import math

import pytest
from streamlit.testing.v1 import AppTest

from components.shell import address


def screen() -> None:
    import streamlit as st

    from components.shell.address import choices_field, in_address, page_field, text_field

    find, kinds, page = text_field("find"), choices_field("kind", ("Air", "Rail")), page_field("page")
    with in_address(find, kinds, page):
        st.text_input("Find", key=find.widget_key)
        if find.get() != "hide":
            st.multiselect("Kind", ["Air", "Rail"], key=kinds.widget_key)
    st.button("Go on", key="on", on_click=lambda: page.set_with_url(2))


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> AppTest:
    monkeypatch.setattr(address, "URL_DELAY_SECONDS", math.inf)
    return AppTest.from_function(screen, default_timeout=30).run()


def read_url(app: AppTest) -> dict[str, list[str]]:
    assert not app.exception
    return {name: [value] if isinstance(value, str) else list(value) for name, value in app.query_params.items()}


def read_fields(app: AppTest) -> tuple[str | None, list[str]]:
    return app.text_input(key="find").value, app.multiselect(key="kind").value


def test_a_selection_is_in_the_url_and_a_default_is_not(app: AppTest) -> None:
    app.multiselect(key="kind").set_value(["Rail", "Air"]).run()
    assert read_url(app) == {"kind": ["Rail", "Air"]}
    app.multiselect(key="kind").set_value([]).run()
    assert read_url(app) == {}


def test_a_url_from_outside_sets_every_field(app: AppTest) -> None:
    app.text_input(key="find").set_value("silva").run()
    app.run()
    app.query_params.clear()
    app.query_params["kind"] = ["Air", "Sea"]
    app.query_params["page"] = "many"
    assert read_fields(app.run()) == ("", ["Air"])
    assert read_url(app) == {"kind": ["Air"]}


def test_an_invalid_value_of_a_link_is_listed_until_another_one_is_selected(app: AppTest) -> None:
    assert not app.warning
    app.query_params["kind"] = ["Air", "Sea"]
    app.query_params["page"] = "many"
    [warning] = app.run().warning
    assert "contains “Sea” and “many”, which Muster does not know" in warning.value
    assert app.run().warning
    app.multiselect(key="kind").set_value(["Rail"]).run()
    assert "“Sea”" not in app.warning[0].value
    app.query_params["page"] = "3"
    assert not app.run().warning


def test_two_quick_selections_both_count(app: AppTest) -> None:
    """The second is sent with the URL from before the first."""
    app.text_input(key="find").set_value("silva").run()
    app.query_params.clear()
    app.multiselect(key="kind").set_value(["Air"]).run()
    assert read_fields(app) == ("silva", ["Air"])
    assert read_url(app) == {"find": ["silva"], "kind": ["Air"]}


def test_a_second_click_on_a_link_does_not_open_another_page(app: AppTest) -> None:
    """The second click is also sent with the URL from before the first."""
    app.query_params["page"] = "3"
    app.run()
    app.button(key="on").click().run()
    app.query_params["page"] = "3"
    app.run()
    assert read_url(app) == {"page": ["2"]}


def test_an_earlier_url_counts_once_the_browser_has_the_last_one(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The browser has it after it sent the URL back, or after the delay."""
    for has_waited in (False, True):
        monkeypatch.setattr(address, "URL_DELAY_SECONDS", -1 if has_waited else math.inf)
        app.text_input(key="find").set_value("silva").run()
        if not has_waited:
            app.run()
        app.query_params.clear()
        app.run()
        assert read_url(app) == {}


def test_back_restores_the_url_before_the_last_selection(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    app.text_input(key="find").set_value("silva").run()
    monkeypatch.setattr(address, "_is_history", lambda: True)
    app.query_params.clear()
    assert read_fields(app.run()) == ("", [])
    assert read_url(app) == {}


def test_a_field_that_is_hidden_for_a_while_keeps_its_value(app: AppTest) -> None:
    app.multiselect(key="kind").set_value(["Air"]).run()
    app.text_input(key="find").set_value("hide").run()
    app.run()
    assert read_url(app) == {"find": ["hide"], "kind": ["Air"]}
    app.text_input(key="find").set_value("").run()
    assert read_fields(app) == ("", ["Air"])
