"""A new shape: seen, repaired, made to fit, named and sent, alone or with the others that were added with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

import pandas as pd
import streamlit as st

from components.maps.map_view import shapes_map
from components.preparedness.shape_library.dropped_shapes import Dropped, Work
from components.preparedness.shape_library.region_list import REGIONS
from components.record_list.list_filters import select_record
from components.record_list.record_table import record_table
from components.shell.background_changes import is_under_way, start_change
from components.shell.notices import field_problem, show_failure, show_problem, show_success
from components.shell.page_header import draw_page_header
from components.shell.state import StateKey
from components.streamlit_workarounds.own_scripts import new_stage
from domain.preparedness.shape_library.desk_regions import (
    UPLOAD,
    Sent,
    ToSend,
    in_address,
    name_problem,
    regions_of,
    send_each,
)
from domain.preparedness.shape_library.shape_words import (
    KINDS,
    MENDS,
    drawn_of,
    extent_of,
    facts_of,
    first_wishes,
    loss_words,
    region_names,
    what_is_sent,
)
from domain.runtime.problems import explain, quote_service
from domain.tables.loaded_records import NEW
from domain.text.plain_text import count, names, plain
from shapes.archives import NESTED, PARTS
from shapes.encodings import ENCODINGS
from shapes.findings import Finding
from shapes.preparing import FORMATS, MOST_BYTES, OTHER_ENDINGS, Prepared, shape_files

if TYPE_CHECKING:
    from domain.runtime.calls import End
    from domain.runtime.workspace import Workspace

ENDINGS: Final = sorted({each.removeprefix(".") for each in (*FORMATS, *OTHER_ENDINGS, *PARTS, *NESTED)})
NOTHING_SENT: Final = "Nothing was sent. Select another file, or fix this one in the program that made it."
_KEPT: Final = "shape_library.work"
_NAMED: Final = 8
"""So many files are named with what is wrong with them."""
_WORK: Final = StateKey[Work | None]("shape-library.work", lambda: None)
_PROBLEM: Final = StateKey[str]("shape-library.problem", str)
_NUMBER: Final = StateKey[int]("shape-library.files", int)
_NAME: Final = StateKey[str]("shape-library.name", str)
_FOLDER: Final = StateKey[str]("shape-library.folder", str)
_TURN_TO: Final = StateKey[str]("shape-library.turn-to", str)
"""The feature whose page the table turns to in this run."""


def draw_new_shape(workspace: Workspace) -> None:
    """Draw the whole screen of a shape before it is sent."""
    work = _WORK.get() or workspace.unsaved_work.get(_KEPT)
    new_stage("shape-library", NEW, "drop" if work is None else "look")
    with draw_page_header("Add a shape").actions:
        st.button(
            "Back to the list",
            key="shape-back",
            icon=":material/arrow_back:",
            on_click=select_record,
            args=(REGIONS, None),
        )
    if work is None:
        st.markdown("Drop a shape file. Muster shows its contents before anything is sent.")
        _drop(workspace)
        return
    if _WORK.get() is None:
        _show(work)
    for text in work.unreadable:
        st.error(plain(text), icon=":material/error:")
    unknown = [each for each in work.files if not each.is_known()]
    if unknown:
        with st.spinner(f"Checking {count(len(unknown), 'file', 'files')} …"):
            for each in unknown:
                each.result()
    _choose_file(workspace, work)
    seen = work.here.result()
    if isinstance(seen, Exception):
        st.error(
            f"**{plain(work.here.file.name)} cannot be read.** {plain(str(seen))} {NOTHING_SENT}",
            icon=":material/error:",
        )
        if work.wish != first_wishes(work.here.file):
            st.button("Undo all changes", key="shape-as-dropped", on_click=_as_dropped, args=(work,))
        _drop(workspace, again=True)
        _forget(workspace, work)
        return
    st.markdown(plain(f"{facts_of(work.here.file, seen)} → {what_is_sent(seen, work.wish)}"))
    picture, side = st.columns([3, 2], gap="medium")
    with picture:
        _draw_map(work, seen)
    with side:
        _draw_findings(work.here, seen)
        _draw_fit(work.here, seen)
        _draw_sending(workspace, work, seen)
    _draw_table(work, seen)
    _drop(workspace, again=True)
    _forget(workspace, work)


def _drop(workspace: Workspace, *, again: bool = False) -> None:
    number = _NUMBER.get()
    with st.expander("Another file", icon=":material/upload_file:") if again else st.container():
        st.file_uploader(
            "Shape files",
            type=ENDINGS,
            accept_multiple_files=True,
            key=_drop_key(number),
            max_upload_size=min(MOST_BYTES // 2**20, st.get_option("server.maxUploadSize")),
            help="Zipped shapefiles or all their parts, KML, KMZ, GeoJSON, TopoJSON, GeoPackage, GPX, or FlatGeobuf.",
            on_change=partial(_dropped, workspace, number),
        )
    field_problem(_PROBLEM.get() or None)


def _forget(workspace: Workspace, work: Work) -> None:
    st.button(
        "Remove file",
        key="shape-forget",
        icon=":material/delete:",
        on_click=lambda: _take(workspace, work.without([work.here])),
    )


def _drop_key(number: int) -> str:
    return f"shape-drop-{number}"


def _dropped(workspace: Workspace, number: int) -> None:
    dropped = st.session_state[_drop_key(number)]
    # A part of the page that runs by itself during a long check reports the same files once more.
    if not dropped or number != _NUMBER.get():
        return
    _NUMBER.set(number + 1)
    files, problems = shape_files([(each.name, each.getvalue()) for each in dropped])
    if not files:
        _PROBLEM.set(f"{' '.join(problems)} {NOTHING_SENT}")
        return
    _PROBLEM.set("")
    _take(workspace, Work([Dropped(file, first_wishes(file), file.stem) for file in files], unreadable=problems))


def _take(workspace: Workspace, work: Work | None) -> None:
    if work is None:
        _WORK.set(None)
        workspace.unsaved_work.pop(_KEPT, None)
        return
    workspace.unsaved_work[_KEPT] = work
    _show(work)


def _show(work: Work) -> None:
    _WORK.set(work)
    _NAME.set(work.here.name)
    _FOLDER.set(work.folder)


def _as_dropped(work: Work) -> None:
    work.here.wish = first_wishes(work.here.file)


def _choose_file(workspace: Workspace, work: Work) -> None:
    """Draw which of several files is on the screen, what is wrong with the others, and what is done with all."""
    if len(work.files) < 2:
        return
    problems = [each.problem() for each in work.files]
    ready = [each for each, problem in zip(work.files, problems, strict=True) if not problem]
    states = [
        "error" if problem else each.status() or "ready" for each, problem in zip(work.files, problems, strict=True)
    ]
    number = st.selectbox(
        f"One of {len(work.files)} files",
        range(len(work.files)),
        index=work.shown,
        format_func=lambda place: f"{work.files[place].file.name} ({states[place]})",
        key=f"shape-which-{'-'.join(str(each.serial) for each in work.files)}",
    )
    if number != work.shown:
        work.shown = number
        _NAME.set(work.here.name)
        st.rerun()
    others = [place for place, problem in enumerate(problems) if problem and place != number]
    lines = [f"- **{plain(work.files[place].file.name)}** {plain(problems[place])}" for place in others[:_NAMED]]
    if len(others) > _NAMED:
        lines.append(f"- {len(others) - _NAMED:,} more files have errors.")
    if lines:
        st.markdown("\n".join(lines))
    if unknown := [each.file.name for each, state in zip(work.files, states, strict=True) if state == "Unknown"]:
        st.info(
            plain(f"Status Unknown: {names(unknown, at_most=_NAMED)}. Sending again is safe: a name can be used once."),
            icon=":material/help:",
        )
    if not_sent := states.count("Not sent"):
        st.info(f"Not sent: {count(not_sent, 'file', 'files')}. An error stopped the sending.", icon=":material/info:")
    with st.container(horizontal=True):
        repairable = [each for each in work.files if each.repairs()]
        if repairable:
            st.button(
                f"Repair {count(len(repairable), 'file', 'files')}",
                key="shape-repair-all",
                icon=":material/build:",
                on_click=_repair_all,
                args=(repairable,),
                help="Repairs everything that can be repaired without leaving features out.",
            )
        if len(ready) > 1 and not is_under_way(workspace, UPLOAD):
            st.button(
                f"Send {len(ready)} ready files",
                key="shape-send-all",
                icon=":material/send:",
                on_click=partial(_send, workspace, work, ready),
            )


def _repair_all(files: Iterable[Dropped]) -> None:
    for each in files:
        each.wish_for(repairs=each.wish.repairs | each.repairs())


def _draw_map(work: Work, seen: Prepared) -> None:
    if not seen.preview_before and not seen.preview_after:
        st.info("The shapes can't be shown on the map.", icon=":material/wrong_location:")
        return
    before, after = drawn_of(seen)
    shapes_map(
        after or before,
        outlines=before if after else (),
        key=f"shape-map-{work.here.serial}",
        height=420,
        width=620,
        has_surroundings=True,
        selected=next(iter(_picked(work).get()), ""),
        on_select=partial(_select, work),
    )
    extent = extent_of(seen)
    st.caption(f"{extent}. The thin line is the original. The filled area will be sent." if after else extent)


def _select(work: Work, feature: str) -> None:
    """Select the row of a feature that was selected on the map; clear it if it was selected before."""
    is_new = _picked(work).get() != [feature]
    _picked(work).set([feature] if is_new else [])
    _TURN_TO.set(feature if is_new else "")


def _picked(work: Work) -> StateKey[list[str]]:
    """The feature that is selected in the table of a file, by its number from 1."""
    return StateKey(f"shape-library.feature-{work.here.serial}", list)


def _draw_findings(work: Dropped, seen: Prepared) -> None:
    for finding in seen.findings:
        # What is written anew is written in degrees, whether that was wished or not.
        is_moot = finding.code == "system" and seen.preview_after is not None and not finding.is_repaired
        colour, icon = ("green", "check_circle") if finding.is_repaired or is_moot else ("orange", "warning")
        if finding.code == "guessed_encoding":
            colour, icon = "orange", "warning"
        if finding.blocks:
            colour, icon = "red", "error"
        which = f" (number {names([f'{each:,}' for each in finding.features], at_most=5)})" if finding.features else ""
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f":{colour}[:material/{icon}:] {plain(finding.message + which)}", width="stretch")
            if finding.code in MENDS and not is_moot:
                st.button(
                    "Leave as it is" if finding.is_repaired else MENDS[finding.code],
                    key=f"shape-mend-{finding.code}",
                    icon=":material/undo:" if finding.is_repaired else ":material/build:",
                    on_click=work.toggle,
                    args=(finding.code,),
                )
        if finding.code == "prj":
            _draw_system(work)
        if finding.choices:
            _draw_encoding(work, finding)
        if finding.code == "shortened":
            st.button("Send as KML", key="shape-as-kml", on_click=partial(work.wish_for, kind=".kml"))
    if not any(finding.code == "swapped" for finding in seen.findings):
        st.button(
            "Swap latitude and longitude",
            key="shape-swap",
            icon=":material/swap_horiz:",
            type="tertiary",
            on_click=work.toggle,
            args=("swapped",),
            help="Use this if the map shows the shape in the wrong part of the world.",
        )


def _draw_system(work: Dropped) -> None:
    key = f"shape-system-{work.serial}"
    st.text_input(
        "Coordinate system",
        value=work.wish.crs,
        placeholder="EPSG:25832",
        help="An EPSG number, such as 25832, or the full name, such as ETRS89 / UTM zone 32N.",
        key=key,
        on_change=lambda: work.wish_for(crs=str(st.session_state[key]).strip()),
    )


def _draw_encoding(work: Dropped, finding: Finding) -> None:
    key = f"shape-encoding-{work.serial}"
    names_of = list(finding.choices)
    st.selectbox(
        "Text encoding",
        names_of,
        index=names_of.index(finding.choice) if finding.choice in names_of else None,
        format_func=lambda name: f"{finding.choices[name]} – {ENCODINGS[name]}",
        key=key,
        on_change=lambda: work.wish_for(encoding=st.session_state[key] or ""),
    )


def _draw_fit(work: Dropped, seen: Prepared) -> None:
    kind = st.segmented_control(
        "Send as",
        list(KINDS),
        default=work.wish.kind,
        format_func=lambda each: KINDS[each],
        required=True,
        key=f"shape-kind-{work.serial}-{work.wish.kind}",
    )
    if kind != work.wish.kind:
        work.wish_for(kind=kind)
        st.rerun()
    if seen.fit_problem:
        st.warning(f"{plain(seen.fit_problem)} Split it into several regions.", icon=":material/warning:")
    if seen.is_too_large or work.wish.fit:
        with st.container(horizontal=True):
            for fit, label, icon in (
                ("fit", "Fit to the limit", ":material/compress:"),
                ("split", "Split into several regions", ":material/call_split:"),
                ("", "Keep its size", ":material/undo:"),
            ):
                if fit != work.wish.fit:
                    st.button(label, key=f"shape-fit-{fit}", icon=icon, on_click=partial(work.wish_for, fit=fit))
    if seen.loss is not None and (lost := loss_words(seen.loss)):
        st.markdown(f":material/compress: {plain(lost)}")


def _draw_sending(workspace: Workspace, work: Work, seen: Prepared) -> None:
    regions = regions_of(workspace)
    folders = sorted({region.folder for region in regions if region.folder and region.state == "there"})
    known = f" Folders in use: {names(folders, at_most=6)}." if folders else ""
    st.text_input(
        "Folder" if len(work.files) == 1 else f"Folder for all {len(work.files)} files",
        key=_FOLDER.widget_key,
        placeholder="The top of the library",
        help=f"Muster creates the folder if needed. A slash separates folders, as in “Colorado/Floods”.{known}",
        on_change=lambda: setattr(work, "folder", _FOLDER.get() or ""),
        persist_state="session",
    )
    st.text_input("Region name", key=_NAME.widget_key, on_change=partial(_name_changed, work), persist_state="session")
    field_problem(
        work.here.name_problem or None,
        *[quote_service(each.error) for each in work.here.refused if each.error and each.is_name],
    )
    if len(seen.files) > 1:
        st.caption(
            plain(f"Sent as {names([f'“{each}”' for each in region_names(_NAME.get() or '', len(seen.files))])}.")
        )
    for each in work.here.refused:
        if each.error is not None and not each.is_name and each.became != "not tried":
            show_problem(each.error, key=f"shape-refused-{each.name}")
            if each.became == "unknown":
                st.info(
                    "Sending the shape again is safe: a name can be used once.",
                    icon=":material/help:",
                )
    if is_under_way(workspace, UPLOAD):
        st.info(
            "The shape is being sent. You can leave this page. The result will be in the Journal.",
            icon=":material/hourglass_top:",
        )
        return
    st.button(
        "Send to the library" if len(seen.files) < 2 else f"Send {len(seen.files)} regions to the library",
        key="shape-send",
        type="primary",
        icon=":material/send:",
        disabled=not seen.files or seen.is_too_large,
        on_click=partial(_send, workspace, work, [work.here]),
    )


def _name_changed(work: Work) -> None:
    work.here.name = _NAME.get() or ""
    work.here.name_problem = ""
    work.here.refused = []


def _send(workspace: Workspace, work: Work, files: Sequence[Dropped]) -> None:
    """Send these files one after the other; one whose name can't be used stays with the reason at it."""
    work.here.name, folder = (_NAME.get() or "").strip(), (_FOLDER.get() or "").strip()
    regions = regions_of(workspace)
    taken: set[str] = set()
    sending: list[tuple[Dropped, list[ToSend]]] = []
    for each in files:
        made = each.to_send(folder, regions)
        asked = [one.region_name for one in made] if each.name.strip() else [""]
        twice = next((name for name in asked if name in taken), None)
        each.name_problem = (
            f"Another file is named “{twice}”. Give each region a different name."
            if twice is not None
            else next(filter(None, (name_problem(name, regions) for name in asked)), None) or ""
        )
        if not each.name_problem:
            taken.update(asked)
            sending.append((each, made))
    if not sending:
        return
    title = names([each.name for each, _ in sending], at_most=3)
    for each, _ in sending:
        each.refused = []
    call = partial(send_each, workspace, [one for _, made in sending for one in made])
    start_change(workspace, UPLOAD, title, call, label=title, then=partial(_ended, workspace, work, folder, sending))


def _ended(
    workspace: Workspace, work: Work, folder: str, sending: Sequence[tuple[Dropped, list[ToSend]]], end: End
) -> None:
    asked = [one.region_name for _, made in sending for one in made]
    results: list[Sent] = end.value or [Sent(name, "unknown", end.error) for name in asked]
    sent = [each.name for each in results if each.became == "sent"]
    is_shown = workspace.unsaved_work.get(_KEPT) is work
    if sent:
        show_success(f"In the library{f', in the folder {folder}' if folder else ''}: {names(sent)}.")
    for each, made in sending:
        regions = {one.region_name for one in made}
        each.refused = [one for one in results if one.name in regions and one.became != "sent"]
    left = [one for each, _ in sending for one in each.refused]
    if end.error is None and not (end.is_here and is_shown):
        for one in left:
            if one.error is not None and one.became != "not tried":
                show_failure(f"{one.name}: {explain(one.error).text}")
    gone = [each for each, _ in sending if not each.refused]
    if not is_shown or not gone:
        return
    rest = work.without(gone)
    _take(workspace, rest)
    if rest is None and end.is_here:
        select_record(REGIONS, in_address(sent[-1]))


def _draw_table(work: Work, seen: Prepared) -> None:
    size = len(seen.vertices_of)
    table = pd.DataFrame({"feature": range(1, size + 1), "vertices": seen.vertices_of})
    columns: dict[str, str] = {"feature": "Feature", "vertices": "Vertices"}
    for number, (name, values) in enumerate(seen.columns.items()):
        table[f"column {number}"] = ["" if each is None else str(each) for each in values[:size]]
        columns[f"column {number}"] = name
    st.header(f"Attributes of {count(size, 'feature', 'features')}", anchor=False)
    record_table(
        table,
        columns,
        f"shape-attributes-{work.here.serial}",
        id_column="feature",
        selection="one",
        selection_state=_picked(work),
        reveal_id=_TURN_TO.get(),
        noun=("feature", "features"),
        page_size=20,
    )
    _TURN_TO.set("")
