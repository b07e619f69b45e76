"""What a map says of the mark under the pointer: constant templates, and values that can do no harm in them."""

from typing import Any

import pandas as pd

from components.maps.palette import GROUNDS, Theme

# deck.gl's JSON converter runs a text that begins like this, also within data.
_RUN_BY_DECK = "@@"
# Streamlit fills {name} into the template one after another, and fills again what an earlier value brought in.
_WORD_JOINER = "\u2060"

TEMPLATE = "<b>{n}</b><br>{d}"
"""Streamlit escapes the values as HTML; the template itself it does not, so it never holds anything but this."""


def tooltip(theme: Theme, *, is_narrow: bool = False) -> dict[str, Any]:
    """Return the tooltip of a layer whose rows have a name `n` and details `d`.

    Beside the pointer the map's edge would cut it where the map `is_narrow`: there it stands at the map's foot.
    """
    ground = GROUNDS[theme]
    style = {
        "backgroundColor": ground.tooltip_ground,
        "color": ground.tooltip_ink,
        "borderRadius": "6px",
        "padding": "6px 10px",
        "fontSize": "13px",
        "lineHeight": "1.4",
        "maxWidth": "320px",
        "margin": "8px",
    }
    if is_narrow:
        # deck.gl moves it to the pointer and then takes over what is given here.
        style |= {"transform": "none", "top": "auto", "bottom": "0", "left": "0", "maxWidth": "calc(100% - 40px)"}
    return {"html": TEMPLATE, "style": style}


def harmless(texts: "pd.Series[Any]") -> "pd.Series[str]":
    """Return texts that deck.gl draws as they are: none is taken for an expression."""
    plain = texts.fillna("").astype(str)
    return plain.where(~plain.str.startswith(_RUN_BY_DECK), _WORD_JOINER + plain)


def harmless_in_tooltip(texts: "pd.Series[Any]") -> "pd.Series[str]":
    """Return texts that a tooltip shows as they are: nor is a part of one taken for a value's name."""
    return harmless(texts).str.replace("{", "{" + _WORD_JOINER, regex=False)
