"""Drawing assets: those that are known here, or a file of them to be added, changed or deleted."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Final

import streamlit as st

from components.assets.asset_list import ASSETS, INTAKES, LIST, TASK, draw_task, intake_key, template
from components.assets.asset_rows import wire_of
from components.intake.intake_screen import take_in
from components.intake.steps import taken
from components.maps.map_view import shapes_map
from components.maps.shapes_layer import MOST_SHAPES, Shape
from components.records.list_and_detail import records
from components.shell.address import in_address
from components.widgets.markdown_text import plain
from components.widgets.number_text import count

if TYPE_CHECKING:
    from components.intake.checking import Check
    from components.shell.workspace import Workspace

_TITLES: Final = {
    "add": "Add assets",
    "change": "Change assets",
    "delete": "Delete assets",
}


def assets_screen(workspace: Workspace) -> None:
    """Draw the screen, as the address says."""
    with in_address(TASK):
        task = TASK.get()
    if task == LIST:
        records(workspace, ASSETS)
        return
    intake = INTAKES[task]
    st.title(_TITLES[task], anchor=False)
    st.markdown(plain(intake.help))
    draw_task()
    key = intake_key(task)
    if taken(key, workspace) is None:
        template(intake, key)
    take_in(workspace, intake, key=key, preview=None if task == "delete" else partial(_map, key))


def _map(key: str, check: Check) -> None:
    # Drawn where it is looked at: one that begins folded away has no size to be drawn in.
    shown = st.expander(
        "Map of the rows that are ready", icon=":material/map:", key=f"{key}-map-shown", on_change="rerun"
    )
    if not shown.open:
        return
    with shown:
        shapes = []
        for record in check.ready.records():
            wire = wire_of(record)
            if "geometry" in wire:
                shapes.append(Shape(wire["name"], wire["externalId"], json.loads(wire["geometry"])))
            if len(shapes) > MOST_SHAPES:
                break
        if shapes:
            shapes_map(shapes, key=f"{key}-map", height=420)
            st.caption(f"{count(len(shapes), 'row has', 'rows have')} a place.")
        else:
            st.caption("No row that is ready has a place.")
