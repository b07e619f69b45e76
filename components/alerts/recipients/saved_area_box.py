"""Draw the saved areas of an organization: use one, save the selected places as one, delete one."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components.alerts.alert_session import on_press
from components.alerts.recipients import region_actions
from components.forms.save_under_name import draw_save_under_name
from components.shell.confirm import confirm_dialog
from components.shell.notices import show_success
from components.streamlit_workarounds.icon_name import icon_name
from domain.alerts.draft import AlertDraft
from domain.alerts.recipients.place_names import estimate_people, name_places
from domain.alerts.recipients.regions import RegionCatalog
from domain.alerts.recipients.saved_areas import (
    SavedArea,
    area_notes,
    delete_area,
    save_area,
    saved_areas,
    templates_with_area,
)
from domain.runtime.workspace import Workspace
from domain.text.plain_text import count, names, plain
from domain.text.time_text import moment


def saved_area_box(workspace: Workspace, draft: AlertDraft, catalog: RegionCatalog | None) -> None:
    """Draw the areas in a popover. An area adds its places to the selected ones."""
    with st.popover("Saved areas", icon=":material/bookmarks:", key="public_alerts.areas"):
        areas = saved_areas(workspace)
        if not areas:
            st.caption("No saved areas yet. Select places, and save them for the next alert to the same area.")
        for area in areas:
            _area(workspace, draft, area, catalog)
        if draft.regions:
            _draw_save(workspace, draft, areas)


def _area(workspace: Workspace, draft: AlertDraft, area: SavedArea, catalog: RegionCatalog | None) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.button(
            f"{plain(area.name)} · {count(len(area.regions), 'place', 'places')}",
            key=f"public_alerts.areas/{area.name}/take",
            icon=":material/add_location_alt:",
            help=f"Version {area.version}, saved {moment(area.saved_at)} by {plain(area.saved_by)}",
            on_click=on_press(draft, region_actions.add_area, area),
        )
        if st.button(
            icon_name(f"Delete the saved area {area.name}"),
            key=f"public_alerts.areas/{area.name}/delete",
            icon=":material/delete:",
            type="tertiary",
            help=f"Delete the saved area {plain(area.name)}",
        ):
            _ask_to_delete(workspace, area)
    if catalog is not None:
        st.caption(
            plain(f"{name_places(area.regions, catalog).in_text}. {estimate_people(area.regions, catalog).words}")
        )


def area_lines(workspace: Workspace, draft: AlertDraft, *, is_changed_here: bool = False) -> None:
    """Draw the saved areas of an alert's places, and what has changed in them since.

    If the alert `is_changed_here`, a button updates its places.
    """
    for note in area_notes(workspace, draft):
        if not note.is_amiss:
            st.caption(f":material/bookmarks: {plain(note.words)}")
            continue
        st.markdown(f":orange[:material/bookmarks: {plain(note.words)}]")
        if note.newer is not None and is_changed_here:
            st.button(
                f"Use version {note.newer.version}",
                key=f"public_alerts.areas/{note.newer.name}/newer",
                icon=":material/update:",
                on_click=on_press(draft, region_actions.add_area, note.newer),
            )


def _draw_save(workspace: Workspace, draft: AlertDraft, areas: list[SavedArea]) -> None:
    versions = {each.name.casefold(): each.version for each in areas}

    def keep(name: str) -> None:
        regions = list(dict.fromkeys(draft.regions))
        area = save_area(workspace, name, regions, over=versions.get(name.casefold(), 0))
        on_press(draft, region_actions.link_to_area, area)()
        show_success(f"Saved the area “{name}”.")

    places = count(len(dict.fromkeys(draft.regions)), "selected place", "selected places")
    draw_save_under_name(
        f"Save the {places} as",
        keep,
        key="public_alerts.areas.keep",
        button=lambda name: "Replace saved area" if name.casefold() in versions else "Save area",
        placeholder="North side",
    )


def _ask_to_delete(workspace: Workspace, area: SavedArea) -> None:
    used_by = templates_with_area(workspace, area.name)
    them = f" These alert templates use the area: {names(used_by)}." if used_by else ""
    confirm_dialog(
        "Delete this saved area?",
        [
            f"**{plain(area.name)}**",
            plain(f"The area will be deleted for everyone in your organization. Alerts do not change.{them}"),
            "This cannot be undone.",
        ],
        "Delete saved area",
        partial(_delete, workspace, area),
        key="saved_area-delete",
    )


def _delete(workspace: Workspace, area: SavedArea) -> None:
    delete_area(workspace, area)
    show_success(f"Deleted the saved area “{area.name}”.")
