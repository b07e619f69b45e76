"""Read and select table rows under AppTest, as far as possible without a browser."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pandas as pd
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.testing.v1 import AppTest


def tables(app: AppTest) -> list[pd.DataFrame]:
    """Return the visible pages of the tables as texts, with the row IDs as the index."""
    parts = [data for each in app.get("bidi_component") if "rows" in (data := json.loads(each.proto.json or "{}"))]  # type: ignore[union-attr]
    return [
        pd.DataFrame(
            [row["cells"] for row in one["rows"]],
            index=[row["id"] for row in one["rows"]],
            columns=[column["name"] for column in one["columns"]],
        )
        for one in parts
    ]


EVENT_TIMES = itertools.count(1)


def select_rows(app: AppTest, key: str, *ids: str) -> AppTest:
    """Select these rows of a table, as its component in the browser reports it."""
    return send_events(app, key, [next(EVENT_TIMES), "pick", list(ids)])


def send_events(app: AppTest, key: str, *presses: list[Any]) -> AppTest:
    """Run the page with events of a component, as its script reports them."""
    tree = app._tree
    (part,) = (each.proto.id for each in app.get("bidi_component") if each.proto.id.endswith(f"-{key}"))  # type: ignore[union-attr]
    event = json.dumps([{"event": "presses", "value": list(presses)}])
    states = WidgetStates()
    states.CopyFrom(tree.get_widget_states())
    states.widgets.append(WidgetState(id=f"$$STREAMLIT_INTERNAL_KEY_{part}__events", json_trigger_value=event))
    return app._run(states)
