"""What the tables of a screen show, as far as it can be told without a browser."""

from __future__ import annotations

import json

import pandas as pd
from streamlit.testing.v1 import AppTest


def tables(app: AppTest) -> list[pd.DataFrame]:
    """The pages that the tables show, in words, with the ids of their rows as the index."""
    given = [json.loads(each.proto.json) for each in app.get("bidi_component")]  # type: ignore[union-attr]
    return [
        pd.DataFrame(
            [row["cells"] for row in one["rows"]],
            index=[row["id"] for row in one["rows"]],
            columns=[column["name"] for column in one["columns"]],
        )
        for one in given
    ]


def press_rows(app: AppTest, key: str, *ids: str) -> AppTest:
    """Pick these rows of a table, as its part in the browser tells it."""
    app.session_state[f"{key}-pressed"] = list(ids)
    return app.run()
