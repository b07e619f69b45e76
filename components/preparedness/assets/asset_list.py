"""Drawing assets: those this desk knows, one of them on a map, or a file of them to be added, changed or deleted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

import streamlit as st

from components.file_import.intake_screen import draw_import
from components.file_import.steps import current_file, replace_file
from components.maps.map_view import shapes_map
from components.record_list.declaration import Action, AllRecords, NewAction, RecordColumn, RecordList, text, times
from components.record_list.list_and_detail import draw_record_list
from components.record_list.list_filters import select_record
from components.shell.address import choice_field, go_to, in_address
from components.shell.page_header import Crumb, draw_page_header
from components.shell.state import StateKey
from components.widgets.downloads import download_menu
from domain.file_import.checking import Check
from domain.file_import.import_declaration import Intake
from domain.maps.map_shape import MOST_SHAPES, Shape
from domain.preparedness.assets.asset_rows import (
    ADD,
    CHANGE,
    COLUMNS,
    DELETE,
    ID,
    KINDS,
    KnownAsset,
    at,
    read_known,
    row_of,
    wire_of,
)
from domain.runtime.screens import ASSETS as SCREEN
from domain.tables.loaded_records import LoadedRecords
from domain.text.plain_text import count, plain
from domain.text.time_text import moment

if TYPE_CHECKING:
    from components.record_list.declaration import ListResult
    from domain.runtime.workspace import Workspace
    from domain.tables.loaded_records import ReportProgress

LIST: Final = "list"
INTAKES: Final[dict[str, Intake]] = {"add": ADD, "change": CHANGE, "delete": DELETE}
_TASKS: Final = {LIST: "All assets", "add": "Add", "change": "Edit", "delete": "Delete"}
TASK: Final = choice_field("assets-task", tuple(_TASKS), LIST)
_HELD: Final = StateKey[tuple[object, LoadedRecords[KnownAsset]] | None]("assets.known", lambda: None)


def draw_task() -> str:
    """Draw the choice of what is to be done with assets; give back what it is."""
    with in_address(TASK):
        st.segmented_control(
            "What to do",
            list(_TASKS),
            format_func=lambda task: _TASKS[task],
            key=TASK.widget_key,
            label_visibility="collapsed",
            required=True,
        )
    return TASK.get()


def intake_key(task: str) -> str:
    """How the widgets of a task's intake are called."""
    return f"assets-{task}"


def shapes_of(assets: Sequence[KnownAsset]) -> Iterator[Shape]:
    """What can be drawn of assets."""
    for each in assets:
        if "geometry" in each.wire:
            yield Shape(each.name, str(each.wire.get("externalId", "")), json.loads(each.wire["geometry"]), id=each.id)


def _read(workspace: Workspace, tell: ReportProgress) -> LoadedRecords[KnownAsset]:
    """Read what is known, anew once something was done."""
    now = (workspace.actor, workspace.journal.ledger_history.count_done(workspace.actor, KINDS))
    held = _HELD.get()
    if held is None or held[0] != now:
        held = (now, read_known(workspace, tell))
        _HELD.set(held)
    return held[1]


def _begin(task: str, workspace: Workspace, picked: Sequence[KnownAsset]) -> None:
    """Take the picked ones as rows to be changed or deleted."""
    rows = [row_of(each.asset) for each in picked]
    check = Check.of_rows(INTAKES[task], count(len(rows), "asset", "assets"), rows)
    if replace_file(intake_key(task), check, workspace, on_replaced=partial(TASK.set, task)):
        go_to(SCREEN, **{TASK.name: task})


def _detail(_: Workspace, known: KnownAsset) -> None:
    cells = row_of(known.asset)
    for name in ("startTimestamp", "endTimestamp"):
        if name in known.wire:
            cells[name] = moment(at(known.wire[name]))
    shown = [column for column in COLUMNS if cells.get(column.name) and column.name not in ("geometry", "properties")]
    st.markdown("  \n".join(f"**{plain(column.label)}** {plain(cells[column.name])}" for column in shown))
    shapes = list(shapes_of([known]))
    if shapes:
        shapes_map(shapes, key=f"asset-map-{known.id}", height=260, width=420)
    for each in known.asset.properties:
        title = each.name or each.property_id or ""
        value = each.value if isinstance(each.value, str) else json.dumps(each.value, ensure_ascii=False)
        st.markdown(f"**{plain(title)}** {plain(value)}")
    st.caption(f"Last sent {moment(known.at)} by {plain(known.by)}. Muster cannot see changes made outside Muster.")


def _answer(_: Workspace, found: ListResult[KnownAsset]) -> str:
    known, total = len(found.loaded.records), found.loaded.total or 0
    said = f"{count(known, 'asset', 'assets')} added or edited in Muster"
    if total == known:
        return said
    without_id = count(total - known, "more asset has", "more assets have")
    return f"{said}. {without_id} no ID from the service and cannot be listed, changed, or deleted."


def _above(*_: object) -> None:
    draw_task()


def _draw_map(_: Workspace, found: ListResult[KnownAsset]) -> None:
    """Draw the assets of the list on a map; selecting one opens it."""
    shapes = list(shapes_of(found.records))
    if shapes:
        shapes_map(shapes, key="assets-map", height=520, width=420, on_select=partial(select_record, ASSETS))
    else:
        st.caption("None of these assets has a location on the map.")


def template(intake: Intake, key: str) -> None:
    """Draw an empty file to be filled in, with all headings and a row."""
    st.caption("An empty file with every column:")
    download_menu(lambda: Check.of_rows(intake, "", [_EXAMPLE]).source.frame, f"{intake.kind}-template", f"{key}-empty")


_EXAMPLE: Final = {
    ID.name: "",
    "name": "Zurich depot",
    "externalId": "D-1",
    "assetTypeId": "depot",
    "city": "Zurich",
    "country": "CH",
    "latitude": "47.38",
    "longitude": "8.54",
    "startTimestamp": "2026-11-20 08:00",
    "properties": '{"Floors": 3}',
}


def _in_files(name: str, label: str) -> RecordColumn[KnownAsset]:
    return text(label, lambda known: row_of(known.asset)[name]).in_files_only()


ASSETS: Final = RecordList[KnownAsset](
    key="assets",
    noun=("asset", "assets"),
    source=AllRecords(
        _read, search=("name", "externalId", "type", "place"), search_hint="Name, external ID, or place", max_age=None
    ),
    identity=lambda known: known.id,
    name=lambda known: known.name,
    columns={
        "name": text("Name", lambda known: known.wire.get("name")),
        "externalId": text("External ID", lambda known: known.wire.get("externalId")),
        "type": text("Asset type", lambda known: known.wire.get("assetTypeId")).secondary(),
        "place": text("Place", lambda known: known.place or None),
        "changed": times("Sent", lambda known: known.at),
        "by": text("By", lambda known: known.by).secondary(),
        **{
            column.name: _in_files(column.name, column.label)
            for column in (ID, *COLUMNS)
            if column.name not in ("name", "externalId", "assetTypeId", "latitude", "longitude")
        },
    },
    default_order="changed descending",
    selection="many",
    url_parameter="asset",
    draw_detail=_detail,
    has_numeric_ids=False,
    missing_message="Muster has not added or edited an asset {id}, or the asset was deleted.",
    actions=[
        Action("Edit", partial(_begin, "change"), icon=":material/edit:", allows_several=True, key="change"),
        Action(
            "Delete",
            partial(_begin, "delete"),
            icon=":material/delete:",
            is_destructive=True,
            allows_several=True,
            key="delete",
        ),
    ],
    new=NewAction("Add assets", open=lambda _: go_to(SCREEN, **{TASK.name: "add"})),
    summarize=_answer,
    draw_above_list=_above,
    draw_side_panel=_draw_map,
    icon="warehouse",
    empty_message=(
        "An asset is a site, such as an office or a depot. Muster lists the assets that were added in Muster."
    ),
)


_TITLES: Final = {
    "add": "Add assets",
    "change": "Edit assets",
    "delete": "Delete assets",
}


def assets_screen(workspace: Workspace) -> None:
    """Draw the screen, as the address says."""
    with in_address(TASK):
        task = TASK.get()
    if task == LIST:
        draw_record_list(workspace, ASSETS)
        return
    intake = INTAKES[task]
    draw_page_header(_TITLES[task], trail=[Crumb(SCREEN.heading, SCREEN, {TASK.name: LIST})])
    st.markdown(plain(intake.help))
    draw_task()
    key = intake_key(task)
    if current_file(key, workspace) is None:
        template(intake, key)
    draw_import(workspace, intake, key=key, preview=None if task == "delete" else partial(_map, key))


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
            st.caption(f"{count(len(shapes), 'row has', 'rows have')} a location.")
        else:
            st.caption("No row that is ready has a location.")
