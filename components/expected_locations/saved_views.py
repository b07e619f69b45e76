"""Draws the saved views of the map: select, save and delete."""

from __future__ import annotations

from functools import partial
from typing import Final

import streamlit as st

from components.expected_locations.controls import FILTERS, PERSON, PLACES, ROSTERS_SHOWN
from components.forms.save_under_name import draw_save_under_name
from components.shell.confirm import confirm_dialog
from components.shell.notices import show_success
from components.shell.state import StateKey
from domain.expected_locations.bounds import Bounds
from domain.expected_locations.saved_view import SavedView, delete_view, save_view, saved_views
from domain.runtime.workspace import Workspace
from domain.text.plain_text import plain

_FIELDS: Final = (ROSTERS_SHOWN, *FILTERS)
AREA: Final[StateKey[Bounds | None]] = StateKey("expected.area", lambda: None)
"""The part of the world that the map shows, as the browser last reported."""
WANTED_AREA: Final[StateKey[Bounds | None]] = StateKey("expected.wanted_area", lambda: None)
"""The part of the world that the map is to show; None leaves it where it is."""


def draw_saved_views(workspace: Workspace) -> None:
    """Draw the views behind one button."""
    with st.popover("Views", icon=":material/bookmarks:", key="expected-views"):
        views = saved_views(workspace)
        if not views:
            st.caption("No saved views. A view stores rosters, filters, and the area of the map for your organization.")
        for view in views:
            _draw_view(workspace, view)
        versions = {view.name.casefold(): view.version for view in views}
        draw_save_under_name(
            "Save this view as",
            partial(_save, workspace, versions),
            key="expected-save-view",
            button=lambda name: "Replace view" if name.casefold() in versions else "Save view",
            placeholder="Name of the view",
        )


def _draw_view(workspace: Workspace, view: SavedView) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            plain(view.name),
            key=f"expected-view-{view.name}",
            type="tertiary",
            width="stretch",
            on_click=_open,
            args=(view,),
        )
        if st.button("", key=f"expected-delete-view-{view.name}", icon=":material/delete:", help="Delete view"):
            confirm_dialog(
                "Delete this view?",
                [f"**{plain(view.name)}** will be deleted for everyone in your organization. This cannot be undone."],
                "Delete view",
                partial(_delete, workspace, view),
                key="expected-view-delete",
            )


def _open(view: SavedView) -> None:
    for field in _FIELDS:
        field.set_from_url(view.fields.get(field.name, []))
    PLACES.set([])
    PERSON.set(None)
    WANTED_AREA.set(view.area)


def _save(workspace: Workspace, versions: dict[str, int], name: str) -> None:
    fields = {field.name: given for field in _FIELDS if (given := field.url_values())}
    save_view(workspace, name, fields, AREA.get(), over=versions.get(name.casefold(), 0))
    show_success(f"The view “{name}” is saved for your organization.")


def _delete(workspace: Workspace, view: SavedView) -> None:
    delete_view(workspace, view)
    show_success(f"The view “{view.name}” is deleted.")
