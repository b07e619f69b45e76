"""The assets screen: the list of sent assets with a map, and files of assets to add, edit, or delete."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

import streamlit as st

from components.file_import.import_view import draw_import
from components.file_import.steps import current_file, replace_file
from components.maps.map_view import shapes_map
from components.record_list.declaration import Action, AllRecords, NewAction, RecordColumn, RecordList, text, times
from components.record_list.list_and_detail import draw_record_list
from components.record_list.list_filters import select_record
from components.shell.address import choice_field, go_to, in_address, link_to
from components.shell.page_header import Crumb, draw_page_header
from components.shell.state import StateKey
from components.widgets.downloads import download_menu
from domain.file_import.checking import Check
from domain.file_import.import_declaration import ImportDeclaration
from domain.maps.map_shape import MOST_SHAPES, Shape
from domain.preparedness.assets.asset_rows import (
    ADD,
    CHANGE,
    COLUMNS,
    DELETE,
    ID,
    KINDS,
    SentAsset,
    build_payload,
    build_row,
    find_deleted_assets,
    read_sent_assets,
    to_utc,
)
from domain.runtime.screens import ASSETS as SCREEN
from domain.tables.loaded_records import LoadedRecords
from domain.text.plain_text import count, id_in, plain
from domain.text.time_text import moment

if TYPE_CHECKING:
    from components.record_list.declaration import ListResult
    from domain.runtime.workspace import Workspace
    from domain.tables.loaded_records import ReportProgress
    from journal import Job

LIST: Final = "list"
INTAKES: Final[dict[str, ImportDeclaration]] = {"add": ADD, "change": CHANGE, "delete": DELETE}
_TASKS: Final = {LIST: "All assets", "add": "Add", "change": "Edit", "delete": "Delete"}
TASK: Final = choice_field("assets-task", tuple(_TASKS), LIST)
AGAIN: Final = "assets-again"
"""The query parameter with the deletion whose assets are to be added again."""
_CACHE: Final = StateKey[tuple[object, LoadedRecords[SentAsset]] | None]("assets.known", lambda: None)


def draw_task() -> str:
    """Draw the choice of a task, and return it."""
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
    """Return the prefix of the widget keys of a task's import."""
    return f"assets-{task}"


def build_shapes(assets: Sequence[SentAsset]) -> Iterator[Shape]:
    """Yield the shapes of assets for the map."""
    for each in assets:
        if "geometry" in each.payload:
            yield Shape(
                each.name, str(each.payload.get("externalId", "")), json.loads(each.payload["geometry"]), id=each.id
            )


def _read(workspace: Workspace, report: ReportProgress) -> LoadedRecords[SentAsset]:
    """Return the sent assets, and read them again after a change."""
    version = (workspace.actor, workspace.journal.ledger_history.count_done_writes(workspace.actor, KINDS))
    cached = _CACHE.get()
    if cached is None or cached[0] != version:
        cached = (version, read_sent_assets(workspace, report))
        _CACHE.set(cached)
    return cached[1]


def _begin(task: str, workspace: Workspace, selected: Sequence[SentAsset]) -> None:
    """Open the selected assets as rows to edit, delete, or add again."""
    rows = [build_row(each.asset) for each in selected]
    check = Check.of_rows(INTAKES[task], count(len(rows), "asset", "assets"), rows)
    if replace_file(intake_key(task), check, workspace, on_replaced=partial(TASK.set, task)):
        go_to(SCREEN, **{TASK.name: task})


def _draw_detail(_: Workspace, sent: SentAsset) -> None:
    cells = build_row(sent.asset)
    for name in ("startTimestamp", "endTimestamp"):
        if name in sent.payload:
            cells[name] = moment(to_utc(sent.payload[name]))
    shown = [column for column in COLUMNS if cells.get(column.name) and column.name not in ("geometry", "properties")]
    st.markdown("  \n".join(f"**{plain(column.label)}** {plain(cells[column.name])}" for column in shown))
    shapes = list(build_shapes([sent]))
    if shapes:
        shapes_map(shapes, key=f"asset-map-{sent.id}", height=260, width=420)
    for each in sent.asset.properties:
        title = each.name or each.property_id or ""
        value = each.value if isinstance(each.value, str) else json.dumps(each.value, ensure_ascii=False)
        st.markdown(f"**{plain(title)}** {plain(value)}")
    st.caption(f"Last sent {moment(sent.at)} by {plain(sent.by)}. Muster cannot see changes made outside Muster.")


def _summarize(_: Workspace, result: ListResult[SentAsset]) -> str:
    known, total = len(result.loaded.records), result.loaded.total or 0
    summary = f"{count(known, 'asset', 'assets')} added or edited in Muster"
    if total == known:
        return summary
    without_id = count(total - known, "more asset has", "more assets have")
    return f"{summary}. {without_id} no ID from the service and cannot be listed, changed, or deleted."


def _draw_above_list(*_: object) -> None:
    draw_task()


def _draw_map(_: Workspace, result: ListResult[SentAsset]) -> None:
    """Draw the assets of the list on a map. Selecting an asset opens it."""
    shapes = list(build_shapes(result.records))
    if shapes:
        shapes_map(shapes, key="assets-map", height=520, width=420, on_select=partial(select_record, ASSETS))
    else:
        st.caption("None of these assets has a location on the map.")


def draw_template(declaration: ImportDeclaration, key: str) -> None:
    """Draw the download of a template with all headings and an example row."""
    st.caption("An empty file with every column:")
    download_menu(
        lambda: Check.of_rows(declaration, "", [_EXAMPLE]).source.frame, f"{declaration.kind}-template", f"{key}-empty"
    )


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


def _in_files(name: str, label: str) -> RecordColumn[SentAsset]:
    return text(label, lambda known: build_row(known.asset)[name]).in_files_only()


ASSETS: Final = RecordList[SentAsset](
    key="assets",
    noun=("asset", "assets"),
    source=AllRecords(
        _read, search=("name", "externalId", "type", "place"), search_hint="Name, external ID, or place", max_age=None
    ),
    identity=lambda known: known.id,
    name=lambda known: known.name,
    columns={
        "name": text("Name", lambda known: known.payload.get("name")),
        "externalId": text("External ID", lambda known: known.payload.get("externalId")),
        "type": text("Asset type", lambda known: known.payload.get("assetTypeId")).secondary(),
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
    draw_detail=_draw_detail,
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
    summarize=_summarize,
    draw_above_list=_draw_above_list,
    draw_side_panel=_draw_map,
    icon="warehouse",
    empty_message=(
        "An asset is a site, a vehicle, or a piece of equipment. Muster lists the assets that were added in Muster."
    ),
)


_TITLES: Final = {
    "add": "Add assets",
    "change": "Edit assets",
    "delete": "Delete assets",
}


def assets_screen(workspace: Workspace) -> None:
    """Draw the screen for the task in the URL."""
    with in_address(TASK):
        task = TASK.get()
    if task == LIST:
        draw_record_list(workspace, ASSETS)
        return
    declaration = INTAKES[task]
    _add_again(workspace)
    draw_page_header(_TITLES[task], trail=[Crumb(SCREEN.heading, SCREEN, {TASK.name: LIST})])
    st.markdown(plain(declaration.help))
    draw_task()
    key = intake_key(task)
    if current_file(key, workspace) is None:
        draw_template(declaration, key)
    draw_import(
        workspace,
        declaration,
        key=key,
        preview=None if task == "delete" else partial(_draw_preview_map, key),
        draw_actions=_draw_deleted if task == "delete" else None,
    )


def _draw_deleted(job: Job) -> None:
    """Draw the link that opens the assets of a deletion as rows to add."""
    if job.counts.get("done") and not job.is_owned:
        link_to(SCREEN, "Add the assets again", **{TASK.name: "add", AGAIN: str(job.id)})


def _add_again(workspace: Workspace) -> None:
    """Open the assets of the deletion in the URL as rows to add."""
    job_id = id_in(st.query_params.get(AGAIN, ""))
    if job_id is None:
        return
    deleted = find_deleted_assets(workspace, job_id)
    del st.query_params[AGAIN]
    if deleted:
        _begin("add", workspace, deleted)
    else:
        st.info("Muster did not send these assets, so it cannot add them again.", icon=":material/search_off:")


def _draw_preview_map(key: str, check: Check) -> None:
    # Drawn only when it is open, since a collapsed map has no size.
    panel = st.expander(
        "Map of the rows that are ready", icon=":material/map:", key=f"{key}-map-shown", on_change="rerun"
    )
    if not panel.open:
        return
    with panel:
        shapes = []
        for record in check.ready.records():
            payload = build_payload(record)
            if "geometry" in payload:
                shapes.append(Shape(payload["name"], payload["externalId"], json.loads(payload["geometry"])))
            if len(shapes) > MOST_SHAPES:
                break
        if shapes:
            shapes_map(shapes, key=f"{key}-map", height=420)
            st.caption(f"{count(len(shapes), 'row has', 'rows have')} a location.")
        else:
            st.caption("No row that is ready has a location.")
