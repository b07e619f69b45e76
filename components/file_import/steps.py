"""Drawing the steps from a file to rows that are ready: file, columns, check."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, get_args

import streamlit as st

from components.file_import.cell_table import cell_table
from components.file_import.file_questions import DATE_ORDERS, draw_questions
from components.forms.keep_under import keep_under
from components.record_list.record_table import pager, record_table
from components.shell.confirm import confirm_dialog
from components.shell.notices import field_problem
from components.shell.state import StateKey
from components.widgets.downloads import download_menu
from domain.file_import.background_check import check_in_background
from domain.file_import.cell_times import DateOrder
from domain.file_import.checked_file import View
from domain.file_import.checking import Check
from domain.file_import.column_matching import Column, Group
from domain.file_import.column_types import Moment, WallClock
from domain.file_import.delimited import MAX_BYTES, MEGABYTE, RowProblems, Unreadable
from domain.file_import.import_declaration import Intake
from domain.file_import.source_file import PASTED
from domain.geography.time_zones import all_zones
from domain.runtime.workspace import Workspace
from domain.tables.table_pages import numbers
from domain.text.plain_text import count, names, plain

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

ENDINGS: Final = ["csv", "txt", "tsv", "xlsx", "json"]
HEIGHT: Final = 220
MOST_LEFT: Final = 100_000
LONG_FILE: Final = 5_000
"""Files of so many rows are checked in the background."""
PROGRESS_SECONDS: Final = 0.25
MOST_AT_ONCE: Final = 24
"""Where more columns than this are looked for, what can be said of their cells is asked of those that were found."""
NAMED_UNREAD: Final = 12
MOST_SAID: Final = 3
"""Where more columns than this are missing, it is another file."""
WRITTEN: Final = "Entered rows"
_VIEWS: Final = {"all": "All", "errors": "Errors", "warnings": "Warnings"}

_TAKEN: Final = StateKey[dict[str, Check | None]]("intake.taken", dict)
_REFUSED: Final = StateKey[dict[str, str]]("intake.refused", dict)
_WAITING: Final = StateKey[dict[str, Check]]("intake.waiting", dict)
"""Another file that is taken once a person agrees to lose the corrections in the one that is held."""
_LEFT: Final = StateKey[dict[str, str]]("intake.left", dict)
"""What was in a file that was not taken, to be mended where texts are pasted."""
_FILES: Final = StateKey[dict[str, int]]("intake.files", dict)
"""Grows with every file, so that the next one finds an empty field."""
_LET_GO: Final = StateKey[dict[str, int]]("intake.let-go", dict)
"""Grows whenever a file is let go of, so that the next text finds an empty field."""


def taken(key: str, workspace: Workspace | None = None) -> Check | None:
    """The file that was taken under this key, in this tab or before it was refreshed; None before there is one."""
    check = _TAKEN.get().get(key)
    if check is None and workspace is not None and key not in _TAKEN.get():
        check = workspace.kept.get(f"intake.{key}")
    return check


def take(key: str, check: Check, workspace: Workspace | None = None) -> None:
    """Put a file in the place of the one that was taken."""
    _TAKEN.get()[key] = check
    _REFUSED.get().pop(key, None)
    if workspace is not None:
        workspace.kept[f"intake.{key}"] = check


def take_instead(key: str, check: Check, workspace: Workspace, *, then: Callable[[], None] = lambda: None) -> bool:
    """Take rows in the place of those that are held, the same ones aside; give back whether there was nothing to ask.

    Where rows that were not sent would be lost, a dialog asks first, and `then` runs once they were let go.
    """
    held = taken(key, workspace)
    if held is not None and held.in_play.any():
        is_same = held.decisions.origin == check.decisions.origin and held.source.cells.equals(check.source.cells)
        if is_same and held.in_play.all():
            return True
        rows = count(int(held.in_play.sum()), "row", "rows")

        def let_go() -> None:
            take(key, check, workspace)
            then()

        confirm_dialog(
            "Discard unsent rows?",
            [f"**{plain(held.source.name)}**: {rows} not sent yet.", "Your corrections will be lost."],
            f"Discard {rows}",
            let_go,
            key=f"{key}-instead",
        )
        return False
    take(key, check, workspace)
    return True


def forget(key: str, workspace: Workspace | None = None) -> None:
    """Let go of the file, of what was pasted and of everything worked out of it; not of what another tab took."""
    held = taken(key, workspace)
    _TAKEN.get()[key] = None
    _REFUSED.get().pop(key, None)
    # Another widget: a browser that has not heard of it yet would paste the same once more.
    _LET_GO.get()[key] = _LET_GO.get().get(key, 0) + 1
    if workspace is not None and workspace.kept.get(f"intake.{key}") is held:
        workspace.kept.pop(f"intake.{key}", None)


def take_rows(workspace: Workspace, intake: Intake, *, key: str, is_folded: bool = False) -> Check | None:
    """Draw the three steps; give back the file, None before there is one."""
    check = file_step(intake, key=key, workspace=workspace, is_folded=is_folded)
    if check is None:
        return None
    check.hold_against(intake)
    _wait_for_check(check)
    column_step(check, key=key, workspace=workspace)
    draw_questions(check, key=key)
    check_step(check, key=key)
    return check


def _wait_for_check(check: Check) -> None:
    """Draw the progress of checking a long file. The check goes on if the page is left or drawn again."""
    if check.source.rows < LONG_FILE:
        return
    checking = check_in_background(check)
    if checking.wait(0):
        return
    text = f"Checking {check.source.rows:,} rows …"
    bar = st.progress(checking.progress, text)
    while not checking.wait(PROGRESS_SECONDS):
        bar.progress(checking.progress, text)
    bar.empty()


def file_step(
    intake: Intake,
    *,
    key: str,
    workspace: Workspace | None = None,
    is_folded: bool = False,
) -> Check | None:
    """Draw the field for a file or a text or, once one is taken, what was read of it; give back what was taken.

    Where something else matters more, the field is folded away.
    """
    check = taken(key, workspace)
    if check is None:
        if is_folded:
            _another(intake, key, workspace)
        else:
            _fields(intake, key, workspace)
        field_problem(_REFUSED.get().get(key))
        return taken(key, workspace)
    source = check.source
    # Above the button: what it opens lies over what stands below.
    field_problem(_REFUSED.get().get(key))
    with st.container(horizontal=True, vertical_alignment="center"):
        rows = count(source.rows, "row", "rows")
        columns = count(len(source.headers), "column", "columns")
        st.markdown(
            f":material/description: **{plain(source.name)}** · {plain(f'{rows} · {columns} · {source.format}')}",
            width="content",
        )
        st.space("stretch")
        _another(intake, key, workspace)
        st.button(
            "Remove file", key=f"{key}-forget", icon=":material/delete:", on_click=partial(forget, key, workspace)
        )
    _ask_to_replace(check, key, workspace)
    for note in source.notes:
        st.caption(f":material/info: {plain(note)}")
    row_problems(source.problems, key=f"{key}-problems")
    if source.doubt:
        st.warning(plain(source.doubt), icon=":material/help:")
    if len(source.sheets) > 1 and (content := check.content) is not None:
        # What is shown is what is used: a sheet that was refused leaves the one before.
        sheet = StateKey[str](f"{key}-sheet-{source.sheets[0]}", lambda: source.sheets[0])
        sheet.set(source.sheets[0])
        st.selectbox(
            "Sheet",
            source.sheets,
            key=sheet.widget_key,
            on_change=lambda: _read(intake, key, source.name, content, workspace, sheet=sheet.get()),
        )
    if len(source.cells) > 1 and source.numbers[0]:
        # What is shown is what is used: another file replaces what the widget held.
        held = StateKey[bool](f"{key}-headings", bool)
        held.set(source.has_headings)
        st.checkbox(f"Row {source.numbers[0]} has the headings", key=held.widget_key, on_change=check.turn_headings)
    return check


def _ask_to_replace(held: Check, key: str, workspace: Workspace | None) -> None:
    """Ask before another file takes the place of rows that were corrected and not sent."""
    waiting = _WAITING.get().get(key)
    if waiting is None:
        return

    def answer(*, replaces: bool) -> None:
        _WAITING.get().pop(key, None)
        if replaces:
            take(key, waiting, workspace)

    rows = count(int(held.in_play.sum()), "row", "rows")
    words = f"Replace {rows} of **{plain(held.source.name)}** with **{plain(waiting.source.name)}**?"
    st.warning(f"{words} The rows are not sent. Your corrections will be lost.", icon=":material/warning:")
    with st.container(horizontal=True):
        st.button("Replace rows", key=f"{key}-replace", on_click=partial(answer, replaces=True))
        st.button("Keep rows", key=f"{key}-keep-rows", on_click=partial(answer, replaces=False))


def _another(intake: Intake, key: str, workspace: Workspace | None) -> None:
    # A new one for each file: what was opened closes once it was used.
    number = _FILES.get().get(key, 0)
    with st.popover("Use another file", icon=":material/upload_file:", key=f"{key}-another-{number}"):
        _fields(intake, key, workspace)


def _fields(intake: Intake, key: str, workspace: Workspace | None) -> None:
    number = _FILES.get().get(key, 0)
    kinds, endings = ("CSV, XLSX, or JSON", ENDINGS)
    if intake.position:
        kinds, endings = ("CSV, XLSX, JSON, or GeoJSON", [*ENDINGS, "geojson"])
    upload: UploadedFile | None = st.file_uploader(
        "File",
        type=endings,
        key=f"{key}-file-{number}",
        max_upload_size=min(MAX_BYTES // MEGABYTE, st.get_option("server.maxUploadSize")),
        help=f"{intake.help} {kinds}, up to {intake.most_rows:,} rows.".strip(),
    )
    text = StateKey[str](f"{key}-text-{_LET_GO.get().get(key, 0)}", str)
    left = _LEFT.get().pop(key, None)
    if left is not None:
        text.set(left)
    st.text_area(
        "Or paste text",
        key=text.widget_key,
        height=140,
        persist_state="session",
        placeholder=intake.placeholder,
        on_change=lambda: _read(intake, key, PASTED, text.get(), workspace),
    )
    if intake.sending is not None:
        st.button(
            "Enter rows",
            key=f"{key}-write",
            icon=":material/table_edit:",
            on_click=lambda: take(key, Check.of_rows(intake, WRITTEN, [{}]), workspace),
        )
    if upload is not None:
        with st.spinner(f"Reading {plain(upload.name)} …"):
            _read(intake, key, upload.name, upload.getvalue(), workspace)
        st.rerun()


def _read(
    intake: Intake,
    key: str,
    name: str,
    content: bytes | str,
    workspace: Workspace | None,
    *,
    sheet: str | None = None,
) -> None:
    """Keep the file; one that cannot be read leaves the one before as it is, and says why."""
    _FILES.get()[key] = _FILES.get().get(key, 0) + 1
    if isinstance(content, str) and not content.strip():
        forget(key, workspace)
        return
    try:
        check, held = Check.of(intake, name, content, workspace, sheet=sheet), taken(key, workspace)
        if held is not None and held.has_unsent_work:
            _WAITING.get()[key] = check
        else:
            take(key, check, workspace)
    except Unreadable as error:
        _REFUSED.get()[key] = f"Muster can’t read “{name}”. {error}"
        if isinstance(content, bytes) and content.lstrip()[:1] in (b"{", b"[") and len(content) <= MOST_LEFT:
            _LEFT.get()[key] = content.decode("utf-8", "replace")


def row_problems(problems: RowProblems, *, key: str) -> None:
    """Draw how many rows of a file could not be read as they stand and, row by row, why; nothing when all could."""
    if not problems.listed:
        return
    st.warning(f"{problems.words}.", icon=":material/warning:")
    record_table(
        problems.frame(),
        {"row": numbers("Row"), "words": "Problem", "text": "Text"},
        key,
        selection=None,
        height=HEIGHT,
    )


def column_step(check: Check, *, key: str, workspace: Workspace | None = None) -> None:
    """Draw which columns of the file stand for what: folded away while all that is needed was found."""
    columns: Sequence[Column] = check.columns
    matches = check.matches
    doubtful = [column for column in columns if not matches[column.name].is_sure]
    if doubtful:
        labels = names([f"“{column.label}”" for column in doubtful])
        st.info(f"Check the columns that were matched for {plain(labels)}.", icon=":material/view_column:")
    kept = f" · saved as “{plain(check.decisions.kept_as)}”" if check.decisions.kept_as else ""
    headers = len(check.source.headers)
    with st.expander(
        f"Columns in the file: {headers - len(check.unread):,} of {headers:,} read{kept}",
        expanded=bool(doubtful or check.missing),
        icon=":material/view_column:",
        key=f"{key}-columns",
    ):
        by_hand = StateKey[list[str]](f"{key}-by-hand", list)
        said = [] if check.decisions.kept_as else [*check.decisions.chosen]
        is_open = {each.name for each in (*doubtful, *check.missing)} | {*said, *by_hand.get()}
        for column in columns:
            if column.name in is_open:
                _column(check, column, key)
        found = [each for each in columns if each.name not in is_open and matches[each.name].headers]
        if found:
            table = [(plain(each.label), plain(names([*matches[each.name].headers]))) for each in found]
            st.table(dict(zip(("Field", "Column in the file"), zip(*table, strict=True), strict=True)), hide_index=True)
        st.multiselect(
            "Match manually",
            [each.name for each in columns],
            format_func={each.name: each.label for each in columns}.__getitem__,
            key=by_hand.widget_key,
            placeholder="Select fields that are missing or matched wrongly",
            persist_state="session",
        )
        if check.intake.groups:
            with st.container(horizontal=True):
                for group in check.intake.groups:
                    _repeats(check, group, key)
        _reading(check, columns, key)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            if check.decisions.chosen:
                st.button(
                    "Match automatically",
                    key=f"{key}-columns-reset",
                    icon=":material/undo:",
                    on_click=partial(check.match_as, None, {}),
                )
            if workspace is not None:
                _keep(workspace, check, key)
    if check.unread:
        told = names([f"“{header}”" for header in check.unread], at_most=NAMED_UNREAD)
        st.caption(f"Columns not read: {plain(told)}.")


def _column(check: Check, column: Column, key: str) -> None:
    # What is shown is what is used: found anew, it replaces what the widget held.
    match = check.matches[column.name]
    held = StateKey[object](f"{key}-column-{column.name}", lambda: None)
    label = plain(column.label) + (" :red[(required)]" if column.required and not match.headers else "")
    if column.several:
        held.set(list(match.headers))
        st.multiselect(
            label,
            check.source.headers,
            key=held.widget_key,
            placeholder="No column",
            help=column.help or None,
            on_change=lambda: check.match(column.name, st.session_state[held.widget_key]),
        )
    else:
        held.set(match.headers[0] if match.headers else None)
        st.selectbox(
            label,
            check.source.headers,
            index=None,
            key=held.widget_key,
            placeholder=column.nothing,
            help=column.help or None,
            on_change=lambda: check.match(column.name, [each for each in [st.session_state[held.widget_key]] if each]),
        )
    if not match.is_sure:
        looked = f" {count(match.misfits, 'cell does', 'cells do')} not match." if match.misfits else ""
        st.caption(f":material/help: Matched by name or content. Check that it’s the right column.{looked}")


def _repeats(check: Check, group: Group, key: str) -> None:
    held = StateKey[int](f"{key}-repeats-{group.name}", lambda: 1)
    held.set(check.times(group))
    st.number_input(
        f"{group.label}s per row",
        1,
        group.most,
        key=held.widget_key,
        help=f"Enter 1 if a row has one {group.label.lower()}. Enter more if its columns are numbered.",
        on_change=lambda: check.repeat(group, held.get()),
    )


def _reading(check: Check, columns: Sequence[Column], key: str) -> None:
    """Draw what a person can say of a file whose cells do not tell it."""
    # What is shown is what is used: another file is read in its own way.
    zone, order = StateKey[str](f"{key}-zone", str), StateKey[DateOrder](f"{key}-order", lambda: "as the file shows")
    carries = StateKey[bool](f"{key}-carries", bool)
    zone.set(check.decisions.reading.zone)
    order.set(check.decisions.reading.date_order)
    carries.set(bool(check.settled.carries))

    def read(**said: Any) -> None:
        check.read_as(replace(check.decisions.reading, **said))

    kinds = [column.kind for column in columns if len(columns) <= MOST_AT_ONCE or check.matches[column.name].headers]
    if any(isinstance(kind, Moment) for kind in kinds):
        zones = tuple(dict.fromkeys((check.decisions.reading.zone, *all_zones())))
        st.selectbox(
            "Time zone of times without one", zones, key=zone.widget_key, on_change=lambda: read(zone=zone.get())
        )
    if any(isinstance(kind, Moment | WallClock) for kind in kinds):
        st.selectbox(
            "Dates such as 03/04/2026",
            get_args(DateOrder),
            format_func=lambda order: DATE_ORDERS[order],
            key=order.widget_key,
            on_change=lambda: read(date_order=order.get()),
        )
    if check.carried:
        labels = names([f"“{header}”" for header in check.carried])
        st.checkbox(
            f"Fill empty cells in {plain(labels)} from the row above",
            key=carries.widget_key,
            on_change=lambda: read(carries=carries.get()),
        )


def _keep(workspace: Workspace, check: Check, key: str) -> None:
    keep_under(
        "Save column match as",
        partial(check.keep_as, workspace),
        key=f"{key}-keep",
        placeholder="Agency A",
        help="Muster will match the next file with these headings the same way, for everyone in the organization.",
    )
    if check.decisions.kept_as is not None:
        st.button(
            f"Delete column match “{plain(check.decisions.kept_as)}”",
            key=f"{key}-keep-forget",
            icon=":material/bookmark_remove:",
            on_click=partial(check.forget_kept, workspace),
        )


def _same_in_every_row(check: Check, column: Column, key: str) -> None:
    """Have a person say what the file says nowhere, since it is the same for all of it."""
    said = StateKey[str](f"{key}-same-{column.name}", str)

    def add() -> None:
        if text := " ".join(said.get().split()):
            check.add_column(column, text)

    st.text_input(
        f"{plain(column.label)} for every row",
        key=said.widget_key,
        help=column.help or None,
        on_change=add,
    )


def check_step(check: Check, *, key: str) -> None:
    """Draw how many rows are ready and what is wrong with the others, at its cells, to be mended or dropped."""
    _, many = check.intake.noun
    if check.missing:
        needed = names([f"“{column.label}”" for column in check.missing])
        st.warning(f"Select the column for {plain(needed)}. Rows can’t be imported without it.", icon=":material/help:")
        if len(check.missing) <= MOST_SAID and check.source.rows:
            for column in check.missing:
                _same_in_every_row(check, column, key)
        return
    if check.source.rows and (wanted := check.wanted) is not None:
        _same_in_every_row(check, wanted, key)
    rows = {view: check.in_view(view) for view in get_args(View)}
    ready = int(check.is_ready.sum())
    parts = [f"{count(ready, 'row is', 'rows are')} ready"]
    parts += [f"{len(rows['errors']):,} with errors"] if len(rows["errors"]) else []
    parts += [f"{len(rows['warnings']):,} with warnings"] if len(rows["warnings"]) else []
    parts += [f"{len(check.decisions.dropped):,} skipped"] if check.decisions.dropped else []
    st.markdown(f"**{' · '.join(parts)}**")
    for line in check.column_problems:
        st.warning(plain(line), icon=":material/view_column:")
    with st.container(horizontal=True, vertical_alignment="center"):
        view: View | None = st.segmented_control(
            "Rows",
            get_args(View),
            format_func=lambda view: f"{_VIEWS[view]} {len(rows[view]):,}",
            key=f"{key}-view",
            label_visibility="collapsed",
            persist_state="session",
            width="content",
        )
        if len(rows["errors"]):
            st.button(
                f"Skip {count(len(rows['errors']), 'row', 'rows')} with errors",
                key=f"{key}-drop-errors",
                icon=":material/playlist_remove:",
                on_click=lambda: check.drop(check.in_view("errors").tolist()),
            )
        if check.intake.sending is not None and check.decisions.origin is None:
            st.button("Add row", key=f"{key}-add-row", icon=":material/add:", on_click=check.add_row)
        for number, (offer, its) in enumerate(check.offers()):
            what = offer.words.replace("{}", count(len(its), "row", "rows"))
            icon = ":material/build:" if offer.cells else ":material/playlist_remove:"
            st.button(what, key=f"{key}-offer-{number}", icon=icon, on_click=partial(check.accept, offer, its))
        st.button("Undo", key=f"{key}-undo", icon=":material/undo:", disabled=not check.can_undo, on_click=check.undo)
    view = view or ("errors" if len(rows["errors"]) else "warnings" if len(rows["warnings"]) else "all")
    if len(rows[view]):
        place = st.container()
        bounds = pager(len(rows[view]), key=f"{key}-{view}-page", noun=("row", "rows"))
        wrong = {problem.column for problem in check.problems}
        shown = [
            column
            for column in check.columns
            if column.required or column.name in wrong or check.matches[column.name].headers
        ]
        if view != "all":
            # What is to be mended is in sight however wide the file is, and stays where it is once it is mended.
            asked = {problem.column for problem in check.problems if problem.is_error == (view == "errors")}
            first, *others = shown
            shown = [first, *sorted(others, key=lambda column: column.name not in asked | {*check.decisions.corrected})]
        with place:
            cell_table(check, rows[view][bounds.start : bounds.stop].tolist(), shown, key=f"{key}-cells")
    else:
        st.caption(
            f"No rows have {view}."
            if view != "all"
            else f"No {many} are left. Select **Undo** to restore skipped rows."
        )
    if ready < check.source.rows:
        download_menu(check.left_behind, "rows-not-imported", f"{key}-left", label="Download rows that aren’t ready")
