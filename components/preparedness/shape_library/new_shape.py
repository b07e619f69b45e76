"""The screen for new shapes: check, repair, reduce to the size limit, name, and send one file or several."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

import pandas as pd
import streamlit as st

from components.maps.map_view import shapes_map
from components.preparedness.shape_library.region_list import REGIONS
from components.preparedness.shape_library.shape_uploads import ShapeUpload, UploadBatch
from components.record_list.list_filters import select_record
from components.record_list.record_table import record_table
from components.shell.background_changes import is_under_way, start_change
from components.shell.notices import field_problem, show_failure, show_problem, show_success
from components.shell.page_header import draw_page_header
from components.shell.state import StateKey
from components.streamlit_workarounds.own_scripts import new_stage
from domain.preparedness.shape_library.region_outlines import load_file
from domain.preparedness.shape_library.sent_regions import (
    UPLOAD,
    RegionFile,
    SendResult,
    find_name_problem,
    list_sent_regions,
    send_files,
    url_name,
)
from domain.preparedness.shape_library.shape_texts import (
    CHOICE_LABELS,
    CONSENT_LABELS,
    FORMAT_LABELS,
    MAX_NAMED,
    REPAIR_LABELS,
    build_map_shapes,
    default_options,
    describe_conversions,
    describe_extent,
    describe_file,
    describe_loss,
    describe_sending,
    region_names,
)
from domain.runtime.problems import explain, quote_service
from domain.tables.loaded_records import NEW
from domain.text.plain_text import count, id_in, names, plain
from domain.text.text_limits import MAX_LINE
from shapes.archives import NESTED, PARTS
from shapes.encodings import ENCODINGS
from shapes.findings import Finding
from shapes.preparing import FORMATS, MOST_BYTES, OTHER_ENDINGS, Prepared, shape_files

if TYPE_CHECKING:
    from domain.runtime.calls import End
    from domain.runtime.workspace import Workspace

ENDINGS: Final = sorted({each.removeprefix(".") for each in (*FORMATS, *OTHER_ENDINGS, *PARTS, *NESTED)})
NOTHING_SENT: Final = "Nothing was sent. Select another file, or correct it in the program that created it."
_KEPT: Final = "shape_library.work"
_WORK: Final = StateKey[UploadBatch | None]("shape-library.work", lambda: None)
_PROBLEM: Final = StateKey[str]("shape-library.problem", str)
_NUMBER: Final = StateKey[int]("shape-library.files", int)
_NAME: Final = StateKey[str]("shape-library.name", str)
_FOLDER: Final = StateKey[str]("shape-library.folder", str)
_REVEAL: Final = StateKey[str]("shape-library.reveal", str)
"""The feature whose page the table shows in this run."""


def draw_new_shape(workspace: Workspace) -> None:
    """Draw the screen."""
    if (entry_id := id_in(st.query_params.pop("entry", ""))) is not None:
        _open_again(workspace, entry_id)
    batch = _WORK.get() or workspace.unsaved_work.get(_KEPT)
    new_stage("shape-library", NEW, "drop" if batch is None else "look")
    with draw_page_header("Add a shape").actions:
        st.button(
            "Back to the list",
            key="shape-back",
            icon=":material/arrow_back:",
            on_click=select_record,
            args=(REGIONS, None),
        )
    if batch is None:
        st.markdown("Drop a shape file. Muster shows its contents before anything is sent.")
        _draw_uploader(workspace)
        return
    if _WORK.get() is None:
        _show(batch)
    for text in batch.unreadable:
        st.error(plain(text), icon=":material/error:")
    unknown = [each for each in batch.files if not each.is_prepared()]
    if unknown:
        with st.spinner(f"Checking {count(len(unknown), 'file', 'files')} …"):
            for each in unknown:
                each.prepare()
    _choose_file(workspace, batch)
    prepared = batch.current.prepare()
    if isinstance(prepared, Exception):
        st.error(
            f"**{plain(batch.current.file.name)} cannot be read.** {plain(str(prepared))} {NOTHING_SENT}",
            icon=":material/error:",
        )
        if batch.options != default_options(batch.current.file):
            st.button("Undo all changes", key="shape-as-dropped", on_click=_reset_options, args=(batch,))
        _draw_uploader(workspace, is_another=True)
        _draw_remove_button(workspace, batch)
        return
    st.markdown(plain(f"{describe_file(batch.current.file, prepared)} → {describe_sending(prepared, batch.options)}"))
    picture, side = st.columns([3, 2], gap="medium")
    with picture:
        _draw_map(batch, prepared)
    with side:
        _draw_findings(batch.current, prepared)
        _draw_fit(batch.current, prepared)
        _draw_sending(workspace, batch, prepared)
    _draw_table(batch, prepared)
    _draw_uploader(workspace, is_another=True)
    _draw_remove_button(workspace, batch)


def _open_again(workspace: Workspace, entry_id: int) -> None:
    """Open the file of a region that was sent before, with its name and folder. `entry_id` is that of its upload."""
    region = next((each for each in list_sent_regions(workspace) if each.entry_id == entry_id), None)
    stored = None
    if region is not None:
        stored = load_file(workspace.journal, workspace.actor, region.digest, region.file_name)
    files, _ = shape_files([stored]) if stored is not None else ([], [])
    if region is None or not files:
        _PROBLEM.set("Muster does not have the file of this shape. Add the file again.")
        return
    uploads = [ShapeUpload(each, default_options(each), region.name) for each in files]
    _set_batch(workspace, UploadBatch(uploads, region.folder))


def _draw_uploader(workspace: Workspace, *, is_another: bool = False) -> None:
    number = _NUMBER.get()
    with st.expander("Another file", icon=":material/upload_file:") if is_another else st.container():
        st.file_uploader(
            "Shape files",
            type=ENDINGS,
            accept_multiple_files=True,
            key=_uploader_key(number),
            max_upload_size=min(MOST_BYTES // 2**20, st.get_option("server.maxUploadSize")),
            help="Zipped shapefiles or all their parts, KML, KMZ, GeoJSON, TopoJSON, GeoPackage, GPX, or FlatGeobuf.",
            on_change=partial(_add_files, workspace, number),
        )
    field_problem(_PROBLEM.get() or None)


def _draw_remove_button(workspace: Workspace, batch: UploadBatch) -> None:
    st.button(
        "Remove file",
        key="shape-remove",
        icon=":material/delete:",
        on_click=lambda: _set_batch(workspace, batch.remove_files([batch.current])),
    )


def _uploader_key(number: int) -> str:
    return f"shape-drop-{number}"


def _add_files(workspace: Workspace, number: int) -> None:
    dropped = st.session_state[_uploader_key(number)]
    # A fragment that runs during a long check reports the same files again.
    if not dropped or number != _NUMBER.get():
        return
    _NUMBER.set(number + 1)
    files, problems = shape_files([(each.name, each.getvalue()) for each in dropped])
    if not files:
        _PROBLEM.set(f"{' '.join(problems)} {NOTHING_SENT}")
        return
    _PROBLEM.set("")
    _set_batch(
        workspace,
        UploadBatch([ShapeUpload(file, default_options(file), file.stem) for file in files], unreadable=problems),
    )


def _set_batch(workspace: Workspace, batch: UploadBatch | None) -> None:
    if batch is None:
        _WORK.set(None)
        workspace.unsaved_work.pop(_KEPT, None)
        return
    workspace.unsaved_work[_KEPT] = batch
    _show(batch)


def _show(batch: UploadBatch) -> None:
    _WORK.set(batch)
    _NAME.set(batch.current.name)
    _FOLDER.set(batch.folder)


def _reset_options(batch: UploadBatch) -> None:
    batch.current.options = default_options(batch.current.file)


def _choose_file(workspace: Workspace, batch: UploadBatch) -> None:
    """Draw the choice of the file on the screen, the errors of the others, and the actions on all files."""
    if len(batch.files) < 2:
        return
    problems = [each.problem() for each in batch.files]
    ready = [each for each, problem in zip(batch.files, problems, strict=True) if not problem]
    states = [
        "error" if problem else each.status() or "ready" for each, problem in zip(batch.files, problems, strict=True)
    ]
    number = st.selectbox(
        f"One of {len(batch.files)} files",
        range(len(batch.files)),
        index=batch.current_index,
        format_func=lambda place: f"{batch.files[place].file.name} ({states[place]})",
        key=f"shape-which-{'-'.join(str(each.serial) for each in batch.files)}",
    )
    if number != batch.current_index:
        batch.current_index = number
        _NAME.set(batch.current.name)
        st.rerun()
    others = [place for place, problem in enumerate(problems) if problem and place != number]
    lines = [f"- **{plain(batch.files[place].file.name)}** {plain(problems[place])}" for place in others[:MAX_NAMED]]
    if len(others) > MAX_NAMED:
        lines.append(f"- {len(others) - MAX_NAMED:,} more files have errors.")
    if lines:
        st.markdown("\n".join(lines))
    results = [(each.file.name, result) for each in ready if isinstance(result := each.prepare(), Prepared)]
    if len(ready) > 1 and (converted := describe_conversions(results)):
        st.info(plain(converted), icon=":material/public:")
    if unknown := [each.file.name for each, state in zip(batch.files, states, strict=True) if state == "Unknown"]:
        st.info(
            plain(
                f"Status Unknown: {names(unknown, at_most=MAX_NAMED)}. Sending again is safe, because each name can "
                f"be used only once."
            ),
            icon=":material/help:",
        )
    if not_sent := states.count("Not sent"):
        st.info(
            f"Not sent: {count(not_sent, 'file', 'files')}. Sending stopped because of an error.",
            icon=":material/info:",
        )
    with st.container(horizontal=True):
        repairable = [each for each in batch.files if each.repairs()]
        if repairable:
            st.button(
                f"Repair {count(len(repairable), 'file', 'files')}",
                key="shape-repair-all",
                icon=":material/build:",
                on_click=_repair_all,
                args=(repairable,),
                help="Repairs everything that can be repaired without removing features.",
            )
        if len(ready) > 1 and not is_under_way(workspace, UPLOAD):
            st.button(
                f"Send {len(ready)} ready files",
                key="shape-send-all",
                icon=":material/send:",
                on_click=partial(_send, workspace, batch, ready),
            )


def _repair_all(files: Iterable[ShapeUpload]) -> None:
    for each in files:
        each.set_repairs(each.options.repairs | each.repairs())


def _draw_map(batch: UploadBatch, prepared: Prepared) -> None:
    if not prepared.preview_before and not prepared.preview_after:
        st.info("The shapes can’t be shown on the map.", icon=":material/wrong_location:")
        return
    before, after = build_map_shapes(prepared)
    shapes_map(
        after or before,
        outlines=before if after else (),
        key=f"shape-map-{batch.current.serial}",
        height=420,
        width=620,
        has_surroundings=True,
        selected=next(iter(_selected_feature(batch).get()), ""),
        on_select=partial(_select, batch),
    )
    extent = describe_extent(prepared)
    st.caption(f"{extent}. The thin line is the original. The filled area will be sent." if after else extent)


def _select(batch: UploadBatch, feature: str) -> None:
    """Select the row of a feature that was selected on the map; clear it if it was selected before."""
    is_new = _selected_feature(batch).get() != [feature]
    _selected_feature(batch).set([feature] if is_new else [])
    _REVEAL.set(feature if is_new else "")


def _selected_feature(batch: UploadBatch) -> StateKey[list[str]]:
    """Return the state of the selected feature of a file, by its number from 1."""
    return StateKey(f"shape-library.feature-{batch.current.serial}", list)


def _draw_findings(upload: ShapeUpload, prepared: Prepared) -> None:
    has_system_field = False
    for finding in prepared.findings:
        color, icon = ("green", "check_circle") if finding.is_repaired else ("orange", "warning")
        if finding.code == "guessed_encoding" or (finding.is_repaired and finding.code in CONSENT_LABELS):
            color, icon = "orange", "warning"
        if finding.blocks:
            color, icon = "red", "error"
        numbers = names([f"{each:,}" for each in finding.features], at_most=5)
        which = f" See feature{'s' if len(finding.features) > 1 else ''} {numbers}." if finding.features else ""
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f":{color}[:material/{icon}:] {plain(finding.message + which)}", width="stretch")
            if finding.code in REPAIR_LABELS:
                st.button(
                    "Leave as it is" if finding.is_repaired else REPAIR_LABELS[finding.code],
                    key=f"shape-fix-{finding.code}",
                    icon=":material/undo:" if finding.is_repaired else ":material/build:",
                    on_click=upload.toggle,
                    args=(finding.code,),
                )
        if finding.code in CONSENT_LABELS and (finding.blocks or finding.is_repaired):
            st.checkbox(
                CONSENT_LABELS[finding.code],
                value=finding.is_repaired,
                key=f"shape-consent-{upload.serial}-{finding.code}-{finding.is_repaired}",
                on_change=upload.toggle,
                args=(finding.code,),
            )
        if finding.code in ("prj", "elsewhere") and not has_system_field:
            _draw_system(upload, finding)
            has_system_field = True
        elif finding.code in CHOICE_LABELS:
            _draw_repair_choice(upload, finding)
        elif finding.choices:
            _draw_encoding(upload, finding)
        if finding.code == "shortened":
            st.button("Send as KML", key="shape-as-kml", on_click=partial(upload.set_options, kind=".kml"))
    if not any(finding.code == "swapped" for finding in prepared.findings):
        st.button(
            "Swap latitude and longitude",
            key="shape-swap",
            icon=":material/swap_horiz:",
            type="tertiary",
            on_click=upload.toggle,
            args=("swapped",),
            help="Use this if the map shows the shape in the wrong part of the world.",
        )


def _draw_repair_choice(upload: ShapeUpload, finding: Finding) -> None:
    choices, others = list(finding.choices), upload.options.repairs - set(finding.choices)
    key = f"shape-choice-{upload.serial}-{finding.code}-{finding.choice}"
    st.radio(
        CHOICE_LABELS[finding.code],
        choices,
        index=choices.index(finding.choice) if finding.choice else None,
        format_func=lambda choice: plain(finding.choices[choice]),
        key=key,
        on_change=lambda: upload.set_repairs(others | {st.session_state[key]}),
    )
    if finding.choice:
        st.button(
            "Leave as it is",
            key=f"shape-fix-{finding.code}",
            icon=":material/undo:",
            on_click=upload.set_repairs,
            args=(others,),
        )


def _draw_system(upload: ShapeUpload, finding: Finding) -> None:
    choices, crs = list(finding.choices), upload.options.crs
    is_choice = crs in choices
    # A widget whose value another one replaced starts again.
    select_key, enter_key = (f"shape-system-{upload.serial}-{part}" for part in (f"of-{crs}", f"named-{is_choice}"))
    if choices:
        st.radio(
            "Coordinate system",
            choices,
            index=choices.index(crs) if is_choice else None,
            format_func=lambda choice: plain(finding.choices[choice]),
            key=select_key,
            on_change=lambda: upload.set_options(crs=st.session_state[select_key] or ""),
        )
    st.text_input(
        "Another coordinate system" if choices else "Coordinate system",
        value="" if is_choice else crs,
        placeholder="EPSG:25832",
        help="An EPSG number, such as 25832, or the full name, such as ETRS89 / UTM zone 32N.",
        key=enter_key,
        max_chars=MAX_LINE,
        on_change=lambda: upload.set_options(crs=str(st.session_state[enter_key]).strip()),
    )


def _draw_encoding(upload: ShapeUpload, finding: Finding) -> None:
    key = f"shape-encoding-{upload.serial}"
    names_of = list(finding.choices)
    st.selectbox(
        "Text encoding",
        names_of,
        index=names_of.index(finding.choice) if finding.choice in names_of else None,
        format_func=lambda name: f"{finding.choices[name]} – {ENCODINGS[name]}",
        key=key,
        on_change=lambda: upload.set_options(encoding=st.session_state[key] or ""),
    )


def _draw_fit(upload: ShapeUpload, prepared: Prepared) -> None:
    kind = st.segmented_control(
        "Send as",
        list(FORMAT_LABELS),
        default=upload.options.kind,
        format_func=lambda each: FORMAT_LABELS[each],
        required=True,
        key=f"shape-kind-{upload.serial}-{upload.options.kind}",
    )
    if kind != upload.options.kind:
        upload.set_options(kind=kind)
        st.rerun()
    if prepared.fit_problem:
        st.warning(f"{plain(prepared.fit_problem)} Split it into several regions.", icon=":material/warning:")
    if prepared.is_too_large or upload.options.fit:
        with st.container(horizontal=True):
            for fit, label, icon in (
                ("fit", "Fit to the limit", ":material/compress:"),
                ("split", "Split into several regions", ":material/call_split:"),
                ("", "Keep original size", ":material/undo:"),
            ):
                if fit != upload.options.fit:
                    st.button(label, key=f"shape-fit-{fit}", icon=icon, on_click=partial(upload.set_options, fit=fit))
    if prepared.loss is not None and (lost := describe_loss(prepared.loss)):
        st.markdown(f":material/compress: {plain(lost)}")


def _draw_sending(workspace: Workspace, batch: UploadBatch, prepared: Prepared) -> None:
    regions = list_sent_regions(workspace)
    folders = sorted({region.folder for region in regions if region.folder and region.state == "there"})
    known = f" Folders in use: {names(folders, at_most=6)}." if folders else ""
    st.text_input(
        "Folder" if len(batch.files) == 1 else f"Folder for all {len(batch.files)} files",
        key=_FOLDER.widget_key,
        max_chars=MAX_LINE,
        placeholder="Top level",
        help=f"Muster creates the folder if needed. A slash separates folders, as in “Colorado/Floods”.{known}",
        on_change=lambda: setattr(batch, "folder", _FOLDER.get() or ""),
        persist_state="session",
    )
    st.text_input(
        "Region name",
        key=_NAME.widget_key,
        max_chars=MAX_LINE,
        on_change=partial(_name_changed, batch),
        persist_state="session",
    )
    field_problem(
        batch.current.name_problem or None,
        *[quote_service(each.error) for each in batch.current.failures if each.error and each.is_name_rejected],
    )
    if len(prepared.files) > 1:
        st.caption(
            plain(f"Sent as {names([f'“{each}”' for each in region_names(_NAME.get() or '', len(prepared.files))])}.")
        )
    for each in batch.current.failures:
        if each.error is not None and not each.is_name_rejected and each.status != "not tried":
            show_problem(each.error, key=f"shape-refused-{each.name}")
            if each.status == "unknown":
                st.info(
                    "Sending the shape again is safe, because each name can be used only once.",
                    icon=":material/help:",
                )
    if is_under_way(workspace, UPLOAD):
        st.info(
            "Sending to the library. You can leave this page. The result will be in the Journal.",
            icon=":material/hourglass_top:",
        )
        return
    st.button(
        "Send to the library" if len(prepared.files) < 2 else f"Send {len(prepared.files)} regions to the library",
        key="shape-send",
        type="primary",
        icon=":material/send:",
        disabled=not prepared.files or prepared.is_too_large,
        on_click=partial(_send, workspace, batch, [batch.current]),
    )


def _name_changed(batch: UploadBatch) -> None:
    batch.current.name = _NAME.get() or ""
    batch.current.name_problem = ""
    batch.current.failures = []


def _send(workspace: Workspace, batch: UploadBatch, files: Sequence[ShapeUpload]) -> None:
    """Send these files one by one. A file whose name cannot be used stays, with the reason at its name."""
    batch.current.name, folder = (_NAME.get() or "").strip(), (_FOLDER.get() or "").strip()
    regions = list_sent_regions(workspace)
    taken: set[str] = set()
    sending: list[tuple[ShapeUpload, list[RegionFile]]] = []
    for each in files:
        region_files = each.build_files(folder, regions)
        wanted = [one.region_name for one in region_files] if each.name.strip() else [""]
        twice = next((name for name in wanted if name in taken), None)
        each.name_problem = (
            f"Another file is named “{twice}”. Give each region a different name."
            if twice is not None
            else next(filter(None, (find_name_problem(name, regions) for name in wanted)), None) or ""
        )
        if not each.name_problem:
            taken.update(wanted)
            sending.append((each, region_files))
    if not sending:
        return
    title = names([each.name for each, _ in sending], at_most=3)
    for each, _ in sending:
        each.failures = []
    call = partial(send_files, workspace, [one for _, region_files in sending for one in region_files])
    start_change(
        workspace, UPLOAD, title, call, label=title, then=partial(_end_sending, workspace, batch, folder, sending)
    )


def _end_sending(
    workspace: Workspace,
    batch: UploadBatch,
    folder: str,
    sending: Sequence[tuple[ShapeUpload, list[RegionFile]]],
    end: End,
) -> None:
    sent_names = [one.region_name for _, region_files in sending for one in region_files]
    results: list[SendResult] = end.value or [SendResult(name, "unknown", end.error) for name in sent_names]
    sent = [each.name for each in results if each.status == "sent"]
    is_shown = workspace.unsaved_work.get(_KEPT) is batch
    if sent:
        show_success(f"In the library{f', in the folder {folder}' if folder else ''}: {names(sent)}.")
    for each, region_files in sending:
        regions = {one.region_name for one in region_files}
        each.failures = [one for one in results if one.name in regions and one.status != "sent"]
    failures = [one for each, _ in sending for one in each.failures]
    if end.error is None and not (end.is_here and is_shown):
        for one in failures:
            if one.error is not None and one.status != "not tried":
                show_failure(f"{one.name}: {explain(one.error).text}")
    completed = [each for each, _ in sending if not each.failures]
    if not is_shown or not completed:
        return
    remaining = batch.remove_files(completed)
    _set_batch(workspace, remaining)
    if remaining is None and end.is_here:
        select_record(REGIONS, url_name(sent[-1]))


def _draw_table(batch: UploadBatch, prepared: Prepared) -> None:
    size = len(prepared.vertices_of)
    table = pd.DataFrame({"feature": range(1, size + 1), "vertices": prepared.vertices_of})
    columns: dict[str, str] = {"feature": "Feature", "vertices": "Vertices"}
    for number, (name, values) in enumerate(prepared.columns.items()):
        table[f"column {number}"] = ["" if each is None else str(each) for each in values[:size]]
        columns[f"column {number}"] = name
    st.header(f"Attributes of {count(size, 'feature', 'features')}", anchor=False)
    record_table(
        table,
        columns,
        f"shape-attributes-{batch.current.serial}",
        id_column="feature",
        selection="one",
        selection_state=_selected_feature(batch),
        reveal_id=_REVEAL.get(),
        noun=("feature", "features"),
        page_size=20,
    )
    _REVEAL.set("")
