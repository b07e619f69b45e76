"""The regions that this desk sent into the shape library, a new one seen and mended before it is sent, and deleting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import pandas as pd
import streamlit as st

from client.vocabulary.limits import SHAPE_FILE_BYTES
from components.change.removed_view import ask_to_remove, draw_removed
from components.framework.own_scripts import new_stage
from components.maps.map_view import shapes_map
from components.records.declared import NEW, Action, Found, Listed, New, Records, Tell, Whole, numbers, text, times
from components.records.list_and_detail import pick
from components.records.record_table import record_table
from components.shape_library.desk_regions import (
    PICKED_IN,
    REGION_REMOVAL,
    UPLOAD,
    Region,
    Sent,
    ToSend,
    in_address,
    left_to_send,
    name_problem,
    regions_of,
    send_each,
    target_of,
)
from components.shape_library.shape_places import with_place_findings
from components.shape_library.shape_words import (
    KINDS,
    MENDS,
    drawn_of,
    extent_of,
    facts_of,
    first_wishes,
    loss_words,
    megabytes,
    region_names,
    what_is_sent,
)
from components.shell.address import link_to
from components.shell.changing import change, is_same_press, is_under_way
from components.shell.notices import done, failed, field_problem, show_problem
from components.shell.problems import explain, own_words
from components.shell.screens import JOURNAL
from components.shell.state import StateKey
from components.widgets.plain_text import count, names, plain
from components.widgets.time_text import moment
from shapes.apart import ReaderNotStartedError, UnreadableShapeError
from shapes.archives import ArchiveError
from shapes.preparing import MOST_BYTES, Prepared, ShapeFile, Wishes, prepare, shape_files

if TYPE_CHECKING:
    from components.shell.calls import End
    from components.shell.workspace import Workspace

STATES: Final = {"there": "Sent", "unknown": "Unknown", "deleted": "Deleted"}
_MEANINGS: Final = {
    "there": "The service took it. Whether somebody deleted it elsewhere since, nobody can look.",
    "unknown": "The answer was lost. Sending or deleting it again does no harm: a name can be used once.",
    "deleted": "It was deleted, from here or elsewhere: its name is free again.",
}
_TO_DELETE: Final = StateKey[str]("shape-library.delete-name", str)
_TO_DELETE_PROBLEM: Final = StateKey[str]("shape-library.delete-problem", str)


def _read(workspace: Workspace, _: Tell) -> Listed[Region]:
    return Listed(regions_of(workspace))


def _answer(_: Workspace, found: Found[Region]) -> str:
    there = [region for region in found.listed.records if region.state == "there"]
    folders = {region.folder for region in there if region.folder}
    return (
        f"{count(len(there), 'region', 'regions')} sent from this desk · {count(len(folders), 'folder', 'folders')}. "
        "What others put into the library, the service does not tell."
    )


def _detail(_: Workspace, region: Region) -> None:
    st.markdown(f"**{STATES[region.state]}** · {_MEANINGS[region.state]}")
    at = f"in the folder {plain(region.folder)}" if region.folder else "at the top of the library"
    st.markdown(
        f"Sent by {plain(region.sent_by)}, {moment(region.sent_at)}, {at}  \n"
        f"{plain(region.file_name)} · {megabytes(region.size)} · {count(region.features, 'feature', 'features')}"
    )
    link_to(JOURNAL, "See it in the journal", entry=region.entry_id)


def _delete(workspace: Workspace, chosen: Sequence[Region]) -> None:
    known = regions_of(workspace)
    ask_to_remove(workspace, REGION_REMOVAL, [target_of(region.name, known) for region in chosen])


def draw_delete_by_name(workspace: Workspace) -> None:
    """Draw deleting a region, or all regions below a folder, by its name: also of those that others sent."""
    draw_removed(workspace, REGION_REMOVAL)
    with st.expander("Delete a region or a folder by its name", icon=":material/delete:"):
        st.caption("The service deletes the region of this name, or else every region below the folder of this name.")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.text_input("Region or folder", key=_TO_DELETE.widget_key, on_change=_TO_DELETE_PROBLEM.clear)
            pressed = st.button("Delete", key="shape-library-delete-by-name", icon=":material/delete:")
        name = (_TO_DELETE.get() or "").strip()
        if pressed and not name:
            _TO_DELETE_PROBLEM.set("Name the region or the folder to delete.")
        field_problem(_TO_DELETE_PROBLEM.get())
    if pressed and name:
        ask_to_remove(workspace, REGION_REMOVAL, [target_of(name, regions_of(workspace))])


REGIONS: Final[Records[Region]] = Records(
    key="shape-library",
    title="Shape library",
    noun=("region", "regions"),
    read=Whole(_read, search=("name", "folder", "file"), hint="Part of a name, folder or file", good_for=None),
    identity=lambda region: in_address(region.name),
    name=lambda region: region.name,
    columns={
        "name": text("Region", lambda region: region.name),
        "folder": text("Folder", lambda region: region.folder or None),
        "features": numbers("Features", lambda region: region.features),
        "file": text("File", lambda region: region.file_name).in_files_only(),
        "sent": times("Sent", lambda region: region.sent_at),
        "by": text("By", lambda region: region.sent_by),
        "state": text("State", lambda region: STATES[region.state]),
    },
    by="sent descending",
    placeholder="Top of the library",
    picked_in=PICKED_IN,
    selection="many",
    detail=_detail,
    long_ids=False,
    shown_id=lambda _: None,
    missing="This desk has sent no region {id}.",
    pick="Pick a region to see when it was sent, or to delete it.",
    actions=(Action("Delete", _delete, icon=":material/delete:", danger=True, several=True, key="delete"),),
    new=New("Add a shape"),
    answer=_answer,
    empty="The service does not tell what is in the library: here stands what this desk has sent. Add the first shape: "
    "a zipped shapefile, KML, GeoJSON or GeoPackage is looked at, mended and made to fit before it is sent.",
)


ENDINGS: Final = ["zip", "kml", "kmz", "geojson", "json", "gpkg", "shp", "shx", "dbf", "prj", "cpg"]
NOTHING_SENT: Final = "Nothing was sent. Choose another file, or mend it where it was made."
_KEPT: Final = "shape_library.work"


@dataclass
class Dropped:
    """A file that was dropped, what is wished of it, and the name of the region that it is to become."""

    file: ShapeFile
    wish: Wishes
    name: str


@dataclass
class Work:
    """The files that were dropped, the folder they are to go to, and the last that was worked out of them."""

    files: list[Dropped]
    folder: str = ""
    shown: int = 0
    refused: list[Sent] = field(default_factory=list)
    _seen: dict[tuple[int, Wishes], Prepared | Exception] = field(default_factory=dict, repr=False)

    @property
    def here(self) -> Dropped:
        """The one on the screen."""
        return self.files[self.shown]

    @property
    def file(self) -> ShapeFile:
        """The file on the screen."""
        return self.here.file

    @property
    def wish(self) -> Wishes:
        """What is wished of it."""
        return self.here.wish

    def rest(self) -> Work | None:
        """The other files; None where there is none."""
        left = [each for each in self.files if each is not self.here]
        return Work(left, self.folder) if left else None

    def seen(self) -> Prepared | Exception:
        """The file on the screen as it is wished; worked out once."""
        key = (self.shown, self.wish)
        if key not in self._seen:
            try:
                prepared = prepare(self.file, self.wish, limit=SHAPE_FILE_BYTES[self.wish.kind])
                found: Prepared | Exception = with_place_findings(prepared, self.wish)
            except (UnreadableShapeError, ArchiveError, ReaderNotStartedError) as error:
                found = error
            self._seen = {**dict(list(self._seen.items())[-3:]), key: found}
        return self._seen[key]

    def is_known(self) -> bool:
        """Whether it is worked out already."""
        return (self.shown, self.wish) in self._seen

    def wish_for(self, **wishes: Any) -> None:
        """Change what is wished."""
        self.here.wish = replace(self.wish, **wishes)
        self.refused = []

    def toggle(self, code: str) -> None:
        """Mend something, or leave it as it is."""
        self.wish_for(mends=self.wish.mends ^ {code})


_WORK: Final = StateKey[Work | None]("shape-library.work", lambda: None)
_PROBLEM: Final = StateKey[str]("shape-library.problem", str)
_NUMBER: Final = StateKey[int]("shape-library.files", int)
_NAME: Final = StateKey[str]("shape-library.name", str)
_FOLDER: Final = StateKey[str]("shape-library.folder", str)
_NAME_PROBLEM: Final = StateKey[str]("shape-library.name-problem", str)


def draw_new_shape(workspace: Workspace) -> None:
    """Draw the whole screen of a shape before it is sent."""
    work = _WORK.get() or workspace.kept.get(_KEPT)
    new_stage("shape-library", NEW, "drop" if work is None else "look")
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.title("Add a shape", anchor=False, width="content")
        st.button(
            "Back to the list", key="shape-back", icon=":material/arrow_back:", on_click=pick, args=(REGIONS, None)
        )
    if work is None:
        st.markdown("Drop a shape file, and see what is in it before anything is sent.")
        _drop(workspace)
        return
    if _WORK.get() is None:
        _show(work)
    if not work.is_known():
        with st.spinner(f"Looking at {plain(work.file.name)} …"):
            work.seen()
    seen = work.seen()
    if isinstance(seen, Exception):
        st.error(
            f"**{plain(work.file.name)} cannot be taken.** {plain(str(seen))} {NOTHING_SENT}", icon=":material/error:"
        )
        if work.wish != first_wishes(work.file):
            st.button("Take back what was wished", key="shape-as-dropped", on_click=_as_dropped, args=(work,))
        _drop(workspace, again=True)
        _forget(workspace, work)
        return
    st.markdown(plain(f"{facts_of(work.file, seen)} → {what_is_sent(seen, work.wish)}"))
    _choose_file(work)
    picture, side = st.columns([3, 2], gap="medium")
    with picture:
        _draw_map(seen)
    with side:
        _draw_findings(work, seen)
        _draw_fit(work, seen)
        _draw_sending(workspace, work, seen)
    _draw_table(work, seen)
    _drop(workspace, again=True)
    _forget(workspace, work)


def _drop(workspace: Workspace, *, again: bool = False) -> None:
    key = f"shape-drop-{_NUMBER.get()}"
    with st.expander("Another file", icon=":material/upload_file:") if again else st.container():
        st.file_uploader(
            "Shape files",
            type=ENDINGS,
            accept_multiple_files=True,
            key=key,
            max_upload_size=min(MOST_BYTES // 2**20, st.get_option("server.maxUploadSize")),
            help="A zipped shapefile or all its parts, KML, KMZ, GeoJSON or GeoPackage; several at once, too.",
            on_change=partial(_dropped, workspace, key),
        )
    field_problem(_PROBLEM.get() or None)


def _forget(workspace: Workspace, work: Work) -> None:
    st.button(
        "Forget this file",
        key="shape-forget",
        icon=":material/delete:",
        on_click=lambda: _take(workspace, work.rest()),
    )


def _dropped(workspace: Workspace, key: str) -> None:
    dropped = st.session_state[key]
    if not dropped:
        return
    _NUMBER.set(_NUMBER.get() + 1)
    try:
        files = shape_files([(each.name, each.getvalue()) for each in dropped])
    except (UnreadableShapeError, ArchiveError) as error:
        _PROBLEM.set(f"{error} {NOTHING_SENT}")
        return
    _PROBLEM.set("")
    _take(workspace, Work([Dropped(file, first_wishes(file), file.stem) for file in files], _FOLDER.get() or ""))


def _take(workspace: Workspace, work: Work | None) -> None:
    if work is None:
        _WORK.set(None)
        workspace.kept.pop(_KEPT, None)
        return
    workspace.kept[_KEPT] = work
    _show(work)
    _NAME_PROBLEM.set("")


def _show(work: Work) -> None:
    _WORK.set(work)
    _NAME.set(work.here.name)
    _FOLDER.set(work.folder)


def _as_dropped(work: Work) -> None:
    work.here.wish = first_wishes(work.file)


def _choose_file(work: Work) -> None:
    if len(work.files) < 2:
        return
    number = st.selectbox(
        f"One of {len(work.files)} files",
        range(len(work.files)),
        index=work.shown,
        format_func=lambda place: work.files[place].file.name,
        key=f"shape-which-{_NUMBER.get()}",
    )
    if number != work.shown:
        work.shown, work.refused = number, []
        _NAME.set(work.here.name)
        st.rerun()


def _draw_map(seen: Prepared) -> None:
    if not seen.before and not seen.after:
        st.info("It cannot be put on the map as it is.", icon=":material/wrong_location:")
        return
    before, after = drawn_of(seen)
    shapes_map(after or before, outlines=before if after else (), key="shape-map", height=420, width=620)
    extent = extent_of(seen)
    st.caption(f"{extent}. Thin line: as it was. Filled: as it will be sent." if after else extent)


def _draw_findings(work: Work, seen: Prepared) -> None:
    for finding in seen.findings:
        # What is written anew is written in degrees, whether that was wished or not.
        is_moot = finding.code == "system" and seen.after is not None and not finding.is_mended
        colour, icon = ("green", "check_circle") if finding.is_mended or is_moot else ("orange", "warning")
        if finding.blocks:
            colour, icon = "red", "error"
        which = f" (number {names([f'{each:,}' for each in finding.features], at_most=5)})" if finding.features else ""
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f":{colour}[:material/{icon}:] {plain(finding.said + which)}", width="stretch")
            if finding.code in MENDS and not is_moot:
                st.button(
                    "Leave as it is" if finding.is_mended else MENDS[finding.code],
                    key=f"shape-mend-{finding.code}",
                    icon=":material/undo:" if finding.is_mended else ":material/build:",
                    on_click=work.toggle,
                    args=(finding.code,),
                )
        if finding.code == "prj":
            _draw_system(work)
    if not any(finding.code == "swapped" for finding in seen.findings):
        st.button(
            "Swap latitude and longitude",
            key="shape-swap",
            icon=":material/swap_horiz:",
            type="tertiary",
            on_click=work.toggle,
            args=("swapped",),
            help="Where the map shows it in the wrong part of the world.",
        )


def _draw_system(work: Work) -> None:
    key = f"shape-system-{work.shown}"

    def say() -> None:
        digits = "".join(each for each in str(st.session_state[key]) if each.isdigit())
        work.wish_for(crs=f"EPSG:{digits}" if digits else "")

    st.text_input(
        "Coordinate system, by its EPSG number",
        value=work.wish.crs.removeprefix("EPSG:"),
        placeholder="25832",
        key=key,
        on_change=say,
    )


def _draw_fit(work: Work, seen: Prepared) -> None:
    kind = st.segmented_control(
        "Send as",
        list(KINDS),
        default=work.wish.kind,
        format_func=lambda each: KINDS[each],
        required=True,
        key=f"shape-kind-{_NUMBER.get()}-{work.shown}",
    )
    if kind != work.wish.kind:
        work.wish_for(kind=kind)
        st.rerun()
    if seen.no_fit:
        st.warning(f"{plain(seen.no_fit)} Split it into several regions.", icon=":material/warning:")
    if seen.too_large or work.wish.fit:
        with st.container(horizontal=True):
            for fit, label, icon in (
                ("fit", "Fit to the limit", ":material/compress:"),
                ("split", "Split into several regions", ":material/call_split:"),
                ("", "Leave its size as it is", ":material/undo:"),
            ):
                if fit != work.wish.fit:
                    st.button(label, key=f"shape-fit-{fit}", icon=icon, on_click=partial(work.wish_for, fit=fit))
    if seen.loss is not None and (lost := loss_words(seen.loss)):
        st.markdown(f":material/compress: {plain(lost)}")


def _draw_sending(workspace: Workspace, work: Work, seen: Prepared) -> None:
    regions = regions_of(workspace)
    folders = sorted({region.folder for region in regions if region.folder and region.state == "there"})
    known = f" This desk used: {names(folders, at_most=6)}." if folders else ""
    st.text_input(
        "Folder",
        key=_FOLDER.widget_key,
        placeholder="The top of the library",
        help=f"Made where there is none; a slash leads into another one.{known}",
        on_change=lambda: setattr(work, "folder", _FOLDER.get() or ""),
        persist_state="session",
    )
    st.text_input("Region name", key=_NAME.widget_key, on_change=partial(_name_changed, work), persist_state="session")
    field_problem(
        _NAME_PROBLEM.get() or None, *[own_words(each.error) for each in work.refused if each.error and each.is_name]
    )
    if len(seen.files) > 1:
        st.caption(
            plain(f"Sent as {names([f'“{each}”' for each in region_names(_NAME.get() or '', len(seen.files))])}.")
        )
    for each in work.refused:
        if each.error is not None and not each.is_name:
            show_problem(each.error, doing=f"sending the region {each.name}", key=f"shape-refused-{each.name}")
            if each.became == "unknown":
                st.info(
                    "Sending it again does no harm: a name can be used once, and where it is there, it counts as sent.",
                    icon=":material/help:",
                )
    if is_under_way(workspace, UPLOAD):
        st.info(
            "It is being sent. You can go on elsewhere; you are told what became of it.",
            icon=":material/hourglass_top:",
        )
        return
    st.button(
        "Send to the library" if len(seen.files) < 2 else f"Send {len(seen.files)} regions to the library",
        key="shape-send",
        type="primary",
        icon=":material/send:",
        disabled=not seen.files or seen.too_large,
        on_click=partial(_send, workspace, work, seen, regions),
    )


def _name_changed(work: Work) -> None:
    work.here.name = _NAME.get() or ""
    _NAME_PROBLEM.set("")
    work.refused = []


def _send(workspace: Workspace, work: Work, seen: Prepared, regions: Sequence[Region]) -> None:
    name, folder = (_NAME.get() or "").strip(), (_FOLDER.get() or "").strip()
    if is_same_press(workspace, UPLOAD, name):
        return
    called = region_names(name, len(seen.files))
    made = [
        ToSend(region, folder, f"{work.file.stem}{work.wish.kind}", each.content, each.features)
        for region, each in zip(called, seen.files, strict=True)
    ]
    files = left_to_send(made, regions)
    asked = [each.region_name for each in files] if name else [name]
    problem = next(filter(None, (name_problem(each, regions) for each in asked)), None)
    _NAME_PROBLEM.set(problem or "")
    if problem:
        return
    work.refused = []
    then = partial(_ended, workspace, work, folder)
    change(workspace, UPLOAD, name, partial(send_each, workspace, files), doing=f"sending the region {name}", then=then)


def _ended(workspace: Workspace, work: Work, folder: str, end: End) -> None:
    told: list[Sent] = end.value or [Sent(_NAME.get() or "", "unknown", end.error)]
    sent = [each.name for each in told if each.became == "sent"]
    is_shown = workspace.kept.get(_KEPT) is work
    if sent:
        done(f"In the library{f', in the folder {folder}' if folder else ''}: {names(sent)}.")
    if len(sent) < len(told):
        work.refused = [each for each in told if each.became != "sent"]
        if end.error is None and not (end.is_here and is_shown):
            for each in work.refused:
                if each.error is not None:
                    failed(explain(each.error, f"sending the region {each.name}").text)
        return
    if not is_shown:
        return
    left = work.rest()
    _take(workspace, left)
    if left is None and end.is_here:
        pick(REGIONS, in_address(sent[-1]))


def _draw_table(work: Work, seen: Prepared) -> None:
    size = len(seen.vertices_of)
    table = pd.DataFrame({"feature": range(1, size + 1), "vertices": seen.vertices_of})
    columns: dict[str, str] = {"feature": "Feature", "vertices": "Vertices"}
    for number, (name, values) in enumerate(seen.columns.items()):
        table[f"column {number}"] = ["" if each is None else str(each) for each in values[:size]]
        columns[f"column {number}"] = name
    st.subheader(f"Attributes of {count(size, 'feature', 'features')}", anchor=False)
    record_table(
        table,
        columns,
        f"shape-attributes-{_NUMBER.get()}-{work.shown}",
        id_column="feature",
        selection=None,
        noun=("feature", "features"),
        page_size=20,
    )
