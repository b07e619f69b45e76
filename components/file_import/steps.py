"""Drawing the steps of an import: file, columns, and check."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, get_args

import streamlit as st

from components.file_import.cell_table import cell_table
from components.file_import.column_change_view import (
    draw_column_changes,
    draw_column_menu,
    draw_repeated_errors,
)
from components.file_import.file_questions import DATE_ORDERS, draw_questions
from components.file_import.row_focus import clear_focus, focused_rows, selected_view
from components.forms.save_under_name import draw_save_under_name
from components.record_list.record_table import pager, record_table
from components.shell.confirm import confirm_dialog
from components.shell.notices import field_problem
from components.shell.state import StateKey
from components.widgets.downloads import download_menu
from domain.file_import.background_check import check_in_background
from domain.file_import.cell_times import DateOrder
from domain.file_import.check_notes import count_warnings
from domain.file_import.checked_file import View
from domain.file_import.checking import Check
from domain.file_import.column_matching import Column, Group
from domain.file_import.column_types import Moment, WallClock
from domain.file_import.delimited import MAX_BYTES, MEGABYTE, RowProblems, Unreadable
from domain.file_import.import_declaration import ImportDeclaration
from domain.file_import.learned_matches import describe_profile
from domain.file_import.source_file import PASTED
from domain.geography.time_zones import all_zones
from domain.runtime.workspace import Workspace
from domain.tables.table_pages import numbers
from domain.text.plain_text import count, names, plain, plain_label
from domain.text.text_limits import MAX_LINE, MAX_PASTE

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

ENDINGS: Final = ["csv", "txt", "tsv", "xlsx", "xlsm", "json"]
OTHER_WORKBOOKS: Final = ["xls", "xlsb", "ods"]
"""Muster doesn’t read them, but says what to do. Otherwise the browser rejects them without advice."""
HEIGHT: Final = 220
MAX_TEXT_TO_FIX: Final = 100_000
LONG_FILE: Final = 5_000
"""Files of so many rows are checked in the background."""
PROGRESS_SECONDS: Final = 0.25
MAX_OPTION_COLUMNS: Final = 24
"""Above this number of columns, options are offered only for matched columns."""
MAX_UNREAD_NAMES: Final = 12
MAX_CONSTANT_COLUMNS: Final = 3
"""Above this number of missing columns, the file is probably a different one."""
ENTERED_ROWS: Final = "Entered rows"
_VIEWS: Final = {"all": "All", "errors": "Errors", "warnings": "Warnings"}

_FILES_BY_KEY: Final = StateKey[dict[str, Check | None]]("file-import.current", dict)
_READ_ERRORS: Final = StateKey[dict[str, str]]("file-import.read-errors", dict)
_WAITING_FILES: Final = StateKey[dict[str, Check]]("file-import.waiting", dict)
"""A new file that replaces the current one after confirmation."""
_TEXT_TO_FIX: Final = StateKey[dict[str, str]]("file-import.text-to-fix", dict)
"""The text of an unreadable file, to be corrected in the text field."""
_UPLOADER_VERSIONS: Final = StateKey[dict[str, int]]("file-import.uploader-versions", dict)
"""Grows with every file, so that the upload field is empty again."""
_TEXT_VERSIONS: Final = StateKey[dict[str, int]]("file-import.text-versions", dict)
"""Grows whenever a file is removed, so that the text field is empty again."""


def current_file(key: str, workspace: Workspace | None = None) -> Check | None:
    """Return the current file of a screen, also after a refresh of the tab, or None."""
    check = _FILES_BY_KEY.get().get(key)
    if check is None and workspace is not None and key not in _FILES_BY_KEY.get():
        check = workspace.unsaved_work.get(f"file-import.{key}")
    return check


def set_file(key: str, check: Check, workspace: Workspace | None = None) -> None:
    """Set the current file, and show its errors first, whichever rows of the last file were shown."""
    _FILES_BY_KEY.get()[key] = check
    selected_view(key).clear()
    _READ_ERRORS.get().pop(key, None)
    if workspace is not None:
        workspace.unsaved_work[f"file-import.{key}"] = check


def replace_file(
    key: str, check: Check, workspace: Workspace, *, on_replaced: Callable[[], None] = lambda: None
) -> bool:
    """Replace the current file, and return whether no confirmation was needed.

    If unsent rows would be lost, a dialog asks first, and `on_replaced` runs after it is confirmed.
    """
    current = current_file(key, workspace)
    if current is not None and current.is_open.any():
        is_same = current.decisions.origin == check.decisions.origin and current.source.cells.equals(check.source.cells)
        if is_same and current.is_open.all():
            return True
        rows = count(int(current.is_open.sum()), "row", "rows")

        def replace() -> None:
            set_file(key, check, workspace)
            on_replaced()

        confirm_dialog(
            "Discard unsent rows?",
            [f"**{plain(current.source.name)}**: {rows} not sent yet.", "Your corrections will be lost."],
            f"Discard {rows}",
            replace,
            key=f"{key}-instead",
        )
        return False
    set_file(key, check, workspace)
    return True


def remove_file(key: str, workspace: Workspace | None = None) -> None:
    """Remove the current file and the pasted text, but not the file of another tab."""
    current = current_file(key, workspace)
    _FILES_BY_KEY.get()[key] = None
    _READ_ERRORS.get().pop(key, None)
    # A new widget, because the browser may still send the text of the old one.
    _TEXT_VERSIONS.get()[key] = _TEXT_VERSIONS.get().get(key, 0) + 1
    if workspace is not None and workspace.unsaved_work.get(f"file-import.{key}") is current:
        workspace.unsaved_work.pop(f"file-import.{key}", None)


def draw_steps(
    workspace: Workspace, declaration: ImportDeclaration, *, key: str, is_folded: bool = False
) -> Check | None:
    """Draw the three steps, and return the current file or None."""
    check = draw_file_step(declaration, key=key, workspace=workspace, is_folded=is_folded)
    if check is None:
        return None
    check.set_declaration(declaration)
    _wait_for_check(check)
    draw_column_step(check, key=key, workspace=workspace)
    draw_questions(check, key=key)
    draw_check_step(check, key=key)
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


def draw_file_step(
    declaration: ImportDeclaration,
    *,
    key: str,
    workspace: Workspace | None = None,
    is_folded: bool = False,
) -> Check | None:
    """Draw the fields for a file or text, or the summary of the current file, and return it.

    `is_folded` puts the fields into a popover.
    """
    check = current_file(key, workspace)
    if check is None:
        if is_folded:
            _draw_replace_button(declaration, key, workspace)
        else:
            _draw_fields(declaration, key, workspace)
        field_problem(_READ_ERRORS.get().get(key))
        return current_file(key, workspace)
    source = check.source
    # Above the button, because its popover covers what is below.
    field_problem(_READ_ERRORS.get().get(key))
    with st.container(horizontal=True, vertical_alignment="center"):
        rows = count(source.rows, "row", "rows")
        columns = count(len(source.headers), "column", "columns")
        st.markdown(
            f":material/description: **{plain(source.name)}** · {plain(f'{rows} · {columns} · {source.format}')}",
            width="content",
        )
        st.space("stretch")
        _draw_replace_button(declaration, key, workspace)
        st.button(
            "Remove file", key=f"{key}-remove", icon=":material/delete:", on_click=partial(remove_file, key, workspace)
        )
    _draw_replace_question(check, key, workspace)
    for note in source.notes:
        st.caption(f":material/info: {plain(note)}")
    draw_row_problems(source.problems, key=f"{key}-problems")
    if source.headings_warning:
        st.warning(plain(source.headings_warning), icon=":material/help:")
    if len(source.sheets) > 1 and (content := check.content) is not None:
        # If a sheet cannot be read, the earlier one stays selected.
        sheet = StateKey[str](f"{key}-sheet-{source.sheets[0]}", lambda: source.sheets[0])
        sheet.set(source.sheets[0])
        st.selectbox(
            "Sheet",
            source.sheets,
            key=sheet.widget_key,
            on_change=lambda: read_file(declaration, key, source.name, content, workspace, sheet=sheet.get()),
        )
    if len(source.cells) > 1 and source.numbers[0]:
        # Another file resets the widget.
        sheet_field = StateKey[bool](f"{key}-headings", bool)
        sheet_field.set(source.has_headings)
        st.checkbox(
            f"Row {source.numbers[0]} has the headings", key=sheet_field.widget_key, on_change=check.toggle_headings
        )
    return check


def _draw_replace_question(current: Check, key: str, workspace: Workspace | None) -> None:
    """Ask before a new file replaces unsent rows with corrections."""
    waiting = _WAITING_FILES.get().get(key)
    if waiting is None:
        return

    def answer(*, replaces: bool) -> None:
        _WAITING_FILES.get().pop(key, None)
        if replaces:
            set_file(key, waiting, workspace)

    rows = count(int(current.is_open.sum()), "row", "rows")
    message = f"Replace {rows} of **{plain(current.source.name)}** with **{plain(waiting.source.name)}**?"
    st.warning(f"{message} The rows are not sent. Your corrections will be lost.", icon=":material/warning:")
    with st.container(horizontal=True):
        st.button("Replace rows", key=f"{key}-replace", on_click=partial(answer, replaces=True))
        st.button("Keep rows", key=f"{key}-keep-rows", on_click=partial(answer, replaces=False))


def _draw_replace_button(declaration: ImportDeclaration, key: str, workspace: Workspace | None) -> None:
    # A new popover for each file, so that it closes.
    number = _UPLOADER_VERSIONS.get().get(key, 0)
    with st.popover("Use another file", icon=":material/upload_file:", key=f"{key}-another-{number}"):
        _draw_fields(declaration, key, workspace)


def _draw_fields(declaration: ImportDeclaration, key: str, workspace: Workspace | None) -> None:
    number = _UPLOADER_VERSIONS.get().get(key, 0)
    kinds, endings = ("CSV, XLSX, or JSON", ENDINGS)
    if declaration.position:
        kinds, endings = ("CSV, XLSX, JSON, or GeoJSON", [*ENDINGS, "geojson"])
    upload: UploadedFile | None = st.file_uploader(
        "File",
        type=[*endings, *OTHER_WORKBOOKS],
        key=f"{key}-file-{number}",
        max_upload_size=min(MAX_BYTES // MEGABYTE, st.get_option("server.maxUploadSize")),
        help=f"{declaration.help} {kinds}, up to {declaration.most_rows:,} rows.".strip(),
    )
    text = StateKey[str](f"{key}-text-{_TEXT_VERSIONS.get().get(key, 0)}", str)
    unreadable_text = _TEXT_TO_FIX.get().pop(key, None)
    if unreadable_text is not None:
        text.set(unreadable_text)
    st.text_area(
        "Or paste text",
        key=text.widget_key,
        max_chars=MAX_PASTE,
        height=140,
        persist_state="session",
        placeholder=declaration.placeholder,
        on_change=lambda: read_file(declaration, key, PASTED, text.get(), workspace),
    )
    if declaration.sending is not None:
        st.button(
            "Enter rows",
            key=f"{key}-write",
            icon=":material/table_edit:",
            on_click=lambda: set_file(key, Check.of_rows(declaration, ENTERED_ROWS, [{}]), workspace),
        )
    if upload is not None:
        with st.spinner(f"Reading {plain(upload.name)} …"):
            read_file(declaration, key, upload.name, upload.getvalue(), workspace)
        st.rerun()


def read_file(
    declaration: ImportDeclaration,
    key: str,
    name: str,
    content: bytes | str,
    workspace: Workspace | None,
    *,
    sheet: str | None = None,
) -> None:
    """Read a file and set it. If it cannot be read, the earlier file stays and the error is shown."""
    _UPLOADER_VERSIONS.get()[key] = _UPLOADER_VERSIONS.get().get(key, 0) + 1
    if isinstance(content, str) and not content.strip():
        remove_file(key, workspace)
        return
    try:
        check, current = Check.of(declaration, name, content, workspace, sheet=sheet), current_file(key, workspace)
        if current is not None and current.has_unsent_work:
            _WAITING_FILES.get()[key] = check
        else:
            set_file(key, check, workspace)
    except Unreadable as error:
        _READ_ERRORS.get()[key] = (
            f"Muster can’t read the pasted text. {error}".replace("The file", "The text")
            if name == PASTED
            else f"Muster can’t read “{name}”. {error}"
        )
        if isinstance(content, bytes) and content.lstrip()[:1] in (b"{", b"[") and len(content) <= MAX_TEXT_TO_FIX:
            _TEXT_TO_FIX.get()[key] = content.decode("utf-8", "replace")


def draw_row_problems(problems: RowProblems, *, key: str) -> None:
    """Draw the rows that were skipped or read in part, with the reason."""
    if not problems.listed:
        return
    st.warning(f"{problems.summary}.", icon=":material/warning:")
    record_table(
        problems.frame(),
        {"row": numbers("Row"), "message": "Problem", "text": "Text"},
        key,
        selection=None,
        height=HEIGHT,
    )


def draw_column_step(check: Check, *, key: str, workspace: Workspace | None = None) -> None:
    """Draw the column matches, folded if all required columns are matched."""
    columns: Sequence[Column] = check.columns
    matches = check.matches
    unsure = [column for column in columns if not matches[column.name].is_sure]
    if unsure:
        labels = names([f"“{column.label}”" for column in unsure])
        st.info(f"Check the columns that were matched for {plain(labels)}.", icon=":material/view_column:")
    if workspace is not None:
        _draw_profile(workspace, check, key)
    headers = len(check.source.headers)
    with st.expander(
        f"Columns in the file: {headers - len(check.unmatched_headings):,} of {headers:,} read",
        expanded=bool(unsure or check.missing),
        icon=":material/view_column:",
        key=f"{key}-columns",
    ):
        by_hand = StateKey[list[str]](f"{key}-by-hand", list)
        selected = [] if check.decisions.match_name else [*check.decisions.selected_headings]
        is_open = {each.name for each in (*unsure, *check.missing)} | {*selected, *by_hand.get()}
        for column in columns:
            if column.name in is_open:
                _draw_column(check, column, key)
        matched = [each for each in columns if each.name not in is_open and matches[each.name].headers]
        if matched:
            table = [(plain(each.label), plain(names([*matches[each.name].headers]))) for each in matched]
            st.table(dict(zip(("Field", "Column in the file"), zip(*table, strict=True), strict=True)), hide_index=True)
        st.multiselect(
            "Match manually",
            [each.name for each in columns],
            format_func={each.name: each.label for each in columns}.__getitem__,
            key=by_hand.widget_key,
            placeholder="Select fields that are missing or matched incorrectly",
            persist_state="session",
        )
        if check.declaration.groups:
            with st.container(horizontal=True):
                for group in check.declaration.groups:
                    _draw_group_count(check, group, key)
        _draw_options(check, columns, key)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            if check.decisions.selected_headings:
                st.button(
                    "Match automatically",
                    key=f"{key}-columns-reset",
                    icon=":material/undo:",
                    on_click=partial(check.apply_match, None, {}),
                )
            if workspace is not None:
                _draw_save_match(workspace, check, key)
    if check.unmatched_headings:
        unread = names([f"“{header}”" for header in check.unmatched_headings], at_most=MAX_UNREAD_NAMES)
        st.caption(f"Columns not read: {plain(unread)}.")


def _draw_column(check: Check, column: Column, key: str) -> None:
    # A new match resets the widget.
    match = check.matches[column.name]
    field = StateKey[object](f"{key}-column-{column.name}", lambda: None)
    label = plain_label(column.label) + (" (required)" if column.required and not match.headers else "")
    if column.allows_many:
        field.set(list(match.headers))
        st.multiselect(
            label,
            check.source.headers,
            key=field.widget_key,
            placeholder="No column",
            help=column.help or None,
            on_change=lambda: check.match(column.name, st.session_state[field.widget_key]),
        )
    else:
        field.set(match.headers[0] if match.headers else None)
        st.selectbox(
            label,
            check.source.headers,
            index=None,
            key=field.widget_key,
            placeholder=column.nothing,
            help=column.help or None,
            on_change=lambda: check.match(column.name, [each for each in [st.session_state[field.widget_key]] if each]),
        )
    if not match.is_sure:
        misfits = f" {count(match.misfits, 'cell does', 'cells do')} not match." if match.misfits else ""
        st.caption(f":material/help: Matched by name or content. Check that it’s the right column.{misfits}")


def _draw_group_count(check: Check, group: Group, key: str) -> None:
    field = StateKey[int](f"{key}-repeats-{group.name}", lambda: 1)
    field.set(check.group_count(group))
    st.number_input(
        f"{group.label}s per row",
        1,
        group.most,
        key=field.widget_key,
        help=f"Enter 1 if a row has one {group.label.lower()}. Enter a higher number if its columns are numbered.",
        on_change=lambda: check.set_group_count(group, field.get()),
    )


def _draw_options(check: Check, columns: Sequence[Column], key: str) -> None:
    """Draw the options for what the cells leave open."""
    # Another file resets the widgets.
    zone, order = StateKey[str](f"{key}-zone", str), StateKey[DateOrder](f"{key}-order", lambda: "as the file shows")
    carries = StateKey[bool](f"{key}-carries", bool)
    zone.set(check.decisions.options.zone)
    order.set(check.decisions.options.date_order)
    carries.set(bool(check.options.carries))

    def set_options(**changes: Any) -> None:
        check.set_options(replace(check.decisions.options, **changes))

    kinds = [
        column.kind for column in columns if len(columns) <= MAX_OPTION_COLUMNS or check.matches[column.name].headers
    ]
    if any(isinstance(kind, Moment) for kind in kinds):
        zones = tuple(dict.fromkeys((check.decisions.options.zone, *all_zones())))
        st.selectbox("Default time zone", zones, key=zone.widget_key, on_change=lambda: set_options(zone=zone.get()))
    if any(isinstance(kind, Moment | WallClock) for kind in kinds):
        st.selectbox(
            "Dates such as 03/04/2026",
            get_args(DateOrder),
            format_func=lambda order: DATE_ORDERS[order],
            key=order.widget_key,
            on_change=lambda: set_options(date_order=order.get()),
        )
    if check.fillable_headings:
        labels = names([f"“{header}”" for header in check.fillable_headings])
        st.checkbox(
            f"Fill empty cells in {plain(labels)} from the row above",
            key=carries.widget_key,
            on_change=lambda: set_options(carries=carries.get()),
        )


def _draw_profile(workspace: Workspace, check: Check, key: str) -> None:
    """Say which profile the file is read with and what it sets, with a button that deletes it."""
    name = check.decisions.match_name or check.built_in_profile
    if not name:
        return
    settings = describe_profile(check)
    with st.container(horizontal=True, vertical_alignment="center"):
        message = f"Read with the {'' if check.decisions.match_name else 'built-in '}profile “{name}”"
        st.markdown(f":material/bookmark: {plain(' · '.join([message, *settings]))}", width="stretch")
        st.button(
            "Delete profile" if check.decisions.match_name else "Read without this profile",
            key=f"{key}-profile-forget",
            icon=":material/bookmark_remove:",
            on_click=partial(check.forget_profile, workspace),
        )


def _draw_save_match(workspace: Workspace, check: Check, key: str) -> None:
    draw_save_under_name(
        "Save profile as",
        partial(check.save_match, workspace),
        key=f"{key}-keep",
        placeholder="Agency A",
        help="Muster will read the next file with these headings the same way, for everyone in the organization.",
    )


def _draw_constant_column(check: Check, column: Column, key: str) -> None:
    """Draw a field for a value that applies to every row."""
    field = StateKey[str](f"{key}-same-{column.name}", str)

    def add() -> None:
        if text := " ".join(field.get().split()):
            check.add_column(column, text)

    st.text_input(
        f"{plain_label(column.label)} for every row",
        key=field.widget_key,
        max_chars=MAX_LINE,
        help=column.help or None,
        on_change=add,
    )


def draw_check_step(check: Check, *, key: str) -> None:
    """Draw the number of ready rows, and the others with their problems."""
    _, many = check.declaration.noun
    if check.missing:
        needed = names([f"“{column.label}”" for column in check.missing])
        st.warning(f"Select the column for {plain(needed)}. Rows can’t be imported without it.", icon=":material/help:")
        if len(check.missing) <= MAX_CONSTANT_COLUMNS and check.source.rows:
            for column in check.missing:
                _draw_constant_column(check, column, key)
        return
    if check.source.rows and (alternative := check.missing_alternative) is not None:
        _draw_constant_column(check, alternative, key)
    rows = {view: check.in_view(view) for view in get_args(View)}
    ready = int(check.is_ready.sum())
    warned = f" ({len(rows['warnings']):,} with warnings)" if len(rows["warnings"]) else ""
    parts = [f"{count(ready, 'row is', 'rows are')} ready{warned}"]
    parts += [f"{len(rows['errors']):,} with errors"] if len(rows["errors"]) else []
    parts += [f"{len(check.decisions.skipped_rows):,} skipped"] if check.decisions.skipped_rows else []
    st.markdown(f"**{' · '.join(parts)}**")
    for line in count_warnings(check):
        st.warning(plain(line), icon=":material/event_busy:")
    for line in check.column_problems:
        st.warning(plain(line), icon=":material/view_column:")
    draw_column_changes(check, key=key)
    draw_repeated_errors(check, key=key)
    selected = selected_view(key)
    view = selected.get()
    if view is None or not len(rows[view]):
        view = "errors" if len(rows["errors"]) else "warnings" if len(rows["warnings"]) else "all"
        selected.set(view)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.segmented_control(
            "Rows",
            get_args(View),
            format_func=lambda view: f"{_VIEWS[view]} {len(rows[view]):,}",
            key=selected.widget_key,
            label_visibility="collapsed",
            persist_state="session",
            width="content",
        )
        if len(rows["errors"]):
            st.button(
                f"Skip {count(len(rows['errors']), 'row', 'rows')} with errors",
                key=f"{key}-drop-errors",
                icon=":material/playlist_remove:",
                on_click=lambda: check.skip_rows(check.in_view("errors").tolist()),
            )
        if check.declaration.sending is not None and check.decisions.origin is None:
            st.button("Add row", key=f"{key}-add-row", icon=":material/add:", on_click=check.add_row)
        for number, (offer, offer_rows) in enumerate(check.offers()):
            what = offer.label.replace("{}", count(len(offer_rows), "row", "rows"))
            icon = ":material/build:" if offer.cells else ":material/playlist_remove:"
            st.button(what, key=f"{key}-offer-{number}", icon=icon, on_click=partial(check.accept, offer, offer_rows))
        draw_column_menu(check, key=key)
        st.button("Undo", key=f"{key}-undo", icon=":material/undo:", disabled=not check.can_undo, on_click=check.undo)
        if check.can_redo:
            st.button("Redo", key=f"{key}-redo", icon=":material/redo:", on_click=check.redo)
    shown_rows, focus = rows[view].tolist(), focused_rows(check, key)
    if focus is not None:
        summary, shown_rows = focus
        with st.container(horizontal=True, vertical_alignment="center"):
            st.info(plain(summary), icon=":material/filter_alt:")
            st.button("Show all rows", key=f"{key}-focus-clear", on_click=partial(clear_focus, key))
    if shown_rows:
        table = st.container()
        page_key = f"{key}-{'focus' if focus else view}-page"
        bounds = pager(len(shown_rows), key=page_key, noun=("row", "rows"))
        columns_with_problems = {problem.column for problem in check.problems}
        shown = [
            column
            for column in check.columns
            if column.required or column.name in columns_with_problems or check.matches[column.name].headers
        ]
        if view != "all":
            # Columns with problems come first, and stay there after a correction.
            shown_problems = [each for each in check.problems if each.is_error == (view == "errors")]
            problem_columns = {each.column for each in shown_problems if not each.is_note}
            first, *others = shown
            shown = [
                first,
                *sorted(others, key=lambda column: column.name not in problem_columns | {*check.decisions.corrections}),
            ]
        with table:
            cell_table(check, shown_rows[bounds.start : bounds.stop], shown, key=f"{key}-cells")
    else:
        st.caption(
            f"No rows have {view}."
            if view != "all"
            else f"No {many} are left. Select **Undo** to restore skipped rows."
        )
    if ready < check.source.rows:
        download_menu(check.unready_frame, "rows-not-imported", f"{key}-left", label="Download rows that aren’t ready")
