"""The list of regions that were sent from Muster to the shape library, and their deletion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import streamlit as st

from components.edits.removal_view import ask_to_remove, draw_removed
from components.maps.map_view import shapes_map
from components.record_list.declaration import (
    Action,
    AllRecords,
    ListResult,
    NewAction,
    RecordList,
    numbers,
    statuses,
    text,
    times,
)
from components.record_list.used_in import Use, draw_uses
from components.shell.address import go_to, link_to
from components.shell.notices import field_problem
from components.shell.state import StateKey
from components.widgets.status_badge import draw_status
from domain.maps.map_shape import Shape
from domain.preparedness.shape_library.region_outlines import load_outline
from domain.preparedness.shape_library.sent_regions import (
    REGION_REMOVAL,
    SUBJECT,
    URL_PARAMETER,
    Region,
    build_target,
    incidents_with,
    list_sent_regions,
    url_name,
)
from domain.preparedness.shape_library.shape_texts import (
    megabytes,
)
from domain.runtime.screens import JOURNAL, SHAPE_LIBRARY, WHO_IS_AFFECTED
from domain.tables.loaded_records import NEW, LoadedRecords, ReportProgress
from domain.tables.status import DELETED, SENT, UNKNOWN
from domain.text.plain_text import count, plain
from domain.text.text_limits import MAX_LINE
from domain.text.time_text import moment

if TYPE_CHECKING:
    from domain.runtime.workspace import Workspace

STATUSES: Final = {"there": SENT, "unknown": UNKNOWN, "deleted": DELETED}
_MEANINGS: Final = {
    "there": "The service accepted the shape. Muster cannot check whether it was deleted outside Muster.",
    "unknown": "The response was lost. Sending or deleting the shape again is safe, because each name can be used "
    "only once.",
    "deleted": "The shape was deleted. Its name can be used again, so you can send the shape again.",
}
_TO_DELETE: Final = StateKey[str]("shape-library.delete-name", str)
_TO_DELETE_PROBLEM: Final = StateKey[str]("shape-library.delete-problem", str)


def _read(workspace: Workspace, _: ReportProgress) -> LoadedRecords[Region]:
    return LoadedRecords(list_sent_regions(workspace))


def _summarize(_: Workspace, result: ListResult[Region]) -> str:
    there = [region for region in result.loaded.records if region.state == "there"]
    folders = {region.folder for region in there if region.folder}
    return (
        f"{count(len(there), 'region', 'regions')} sent from Muster · {count(len(folders), 'folder', 'folders')}. "
        "The service does not list shapes that were added outside Muster."
    )


def _draw_outline(workspace: Workspace, region: Region) -> None:
    outline = load_outline(workspace.journal, workspace.actor, region.digest)
    shapes = [
        Shape(region.name, "", feature["geometry"])
        for feature in (outline or {}).get("features", [])
        if feature.get("geometry")
    ]
    if shapes:
        shapes_map(shapes, key=f"region-map-{region.entry_id}", height=260, width=420, has_surroundings=True)


def _draw_detail(workspace: Workspace, region: Region) -> None:
    draw_status(STATUSES[region.state])
    st.caption(_MEANINGS[region.state])
    _draw_outline(workspace, region)
    at = f"in the folder {plain(region.folder)}" if region.folder else "at the top level of the library"
    st.markdown(
        f"Sent by {plain(region.sent_by)}, {moment(region.sent_at)}, {at}  \n"
        f"{plain(region.file_name)} · {megabytes(region.size)} · {count(region.features, 'feature', 'features')}"
    )
    draw_uses(
        [
            Use(f"Incident: {each.content.name}", WHO_IS_AFFECTED, {"incident": each.id})
            for each in incidents_with(workspace, region)
        ]
    )


def _delete(workspace: Workspace, selected: Sequence[Region]) -> None:
    known = list_sent_regions(workspace)
    ask_to_remove(workspace, REGION_REMOVAL, [build_target(region.name, known) for region in selected])


def draw_delete_by_name(workspace: Workspace) -> None:
    """Draw the form that deletes a region or folder by name, also one that was sent outside Muster."""
    draw_removed(workspace, REGION_REMOVAL)
    with st.expander("Delete a region or folder by name", icon=":material/delete:"):
        st.caption(
            "The service deletes the region with this name. If there is none, it deletes every region in the folder."
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.text_input(
                "Region or folder", key=_TO_DELETE.widget_key, max_chars=MAX_LINE, on_change=_TO_DELETE_PROBLEM.clear
            )
            pressed = st.button("Delete by name", key="shape-library-delete-by-name", icon=":material/delete:")
        name = (_TO_DELETE.get() or "").strip()
        if pressed and not name:
            _TO_DELETE_PROBLEM.set("Enter the name of a region or folder.")
        field_problem(_TO_DELETE_PROBLEM.get())
    if pressed and name:
        ask_to_remove(workspace, REGION_REMOVAL, [build_target(name, list_sent_regions(workspace))])


REGIONS: Final[RecordList[Region]] = RecordList(
    key="shape-library",
    noun=("region", "regions"),
    source=AllRecords(_read, search=("name", "folder", "file"), search_hint="Name, folder, or file", max_age=None),
    identity=lambda region: url_name(region.name),
    name=lambda region: region.name,
    columns={
        "name": text("Region", lambda region: region.name),
        "folder": text("Folder", lambda region: region.folder or None),
        "features": numbers("Features", lambda region: region.features),
        "file": text("File", lambda region: region.file_name).in_files_only(),
        "sent": times("Sent", lambda region: region.sent_at),
        "by": text("By", lambda region: region.sent_by),
        "state": statuses("Status", lambda region: STATUSES[region.state]),
    },
    default_order="sent descending",
    placeholder="Top level",
    url_parameter=URL_PARAMETER,
    subject_kind=SUBJECT,
    selection="many",
    draw_detail=_draw_detail,
    has_numeric_ids=False,
    displayed_id=lambda _: None,
    missing_message="Muster has not sent a region {id}.",
    icon="polyline",
    draw_buttons=lambda _, region: link_to(JOURNAL, "Open in Journal", entry=region.entry_id),
    actions=(
        Action(
            "Send again",
            lambda _, selected: go_to(SHAPE_LIBRARY, region=NEW, entry=selected[0].entry_id),
            icon=":material/restore:",
            key="send-again",
            is_offered=lambda _, region: region.state == "deleted",
        ),
        Action("Delete", _delete, icon=":material/delete:", is_destructive=True, allows_several=True, key="delete"),
    ),
    new=NewAction("Add a shape"),
    summarize=_summarize,
    empty_message="A shape is the outline of an area. Add one from a shapefile, KML, GeoJSON, or GeoPackage.",
)
