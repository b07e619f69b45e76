"""Safe values in tooltips and layers."""

import re

import pandas as pd

from components.maps.deck import TEMPLATE, harmless, harmless_in_tooltip, tooltip


def fill_like_streamlit(template: str, row: dict[str, str]) -> str:
    """Fill a template as the browser does: replace each name in turn, also in values that were filled in."""
    text = template
    for name in re.findall(r"{(.*?)}", template):
        text = text.replace("{" + name + "}", row[name], 1)
    return text


def test_a_placeholder_in_a_value_is_not_replaced() -> None:
    row = {"n": harmless_in_tooltip(pd.Series(["Hotel {d}"]))[0], "d": "secret"}
    assert fill_like_streamlit("{n} {d}", {"n": "Hotel {d}", "d": "secret"}) == "Hotel secret {d}"
    html = fill_like_streamlit(TEMPLATE, row)
    assert html.count("secret") == 1
    assert html.replace("\u2060", "") == "<b>Hotel {d}</b><br>secret"


def test_a_text_that_deck_gl_would_evaluate_stays_text() -> None:
    escaped = harmless(pd.Series(["@@=x+1", "@@#GL.ONE", "a@@=b", None]))
    assert not escaped.str.startswith("@@").any()
    assert escaped.str.replace("\u2060", "").tolist() == ["@@=x+1", "@@#GL.ONE", "a@@=b", ""]


def test_the_template_is_the_same_in_both_themes() -> None:
    assert tooltip("light")["html"] == tooltip("dark")["html"] == TEMPLATE
    assert tooltip("light")["style"] != tooltip("dark")["style"]
