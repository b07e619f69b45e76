"""The rules for every declared import, and for the screen of every import that sends rows."""

from __future__ import annotations

import importlib
import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import streamlit
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from client import OutcomeUnknown
from domain.file_import import job as job_module
from domain.file_import.checked_file import CheckedFile
from domain.file_import.checking import Check
from domain.file_import.column_matching import match_columns
from domain.file_import.column_types import squash
from domain.file_import.delimited import Unreadable
from domain.file_import.import_declaration import ImportDeclaration
from domain.runtime.calls import Calls
from domain.runtime.server import server
from domain.tables.spreadsheet import to_csv, to_xlsx
from journal.journal_database import utc_now
from journal.tables import ledger_items, ledger_jobs
from tests.app.presses import page_text, press
from tests.app.tables import tables
from tests.domain.file_import import note_import
from tests.domain.file_import.note_import import ANA, NOTES, JobWorkspace, NoteService, csv_of
from tests.prepared_journal import new_journal

PROJECT = Path(__file__).resolve().parents[2]


def list_declarations() -> Iterator[ImportDeclaration]:
    """Every declared import, and one for tests."""
    yield NOTES
    for path in sorted([*(PROJECT / "components").rglob("*.py"), *(PROJECT / "domain").rglob("*.py")]):
        for name in re.findall(
            r"^(\w+)(?:: Final)? = ImportDeclaration\(", path.read_text(encoding="utf-8"), re.MULTILINE
        ):
            module = ".".join(path.relative_to(PROJECT).with_suffix("").parts)
            yield getattr(importlib.import_module(module), name)


DECLARATIONS = list(list_declarations())
every_declaration = pytest.mark.parametrize("declaration", DECLARATIONS, ids=lambda declaration: declaration.kind)

# Valid and invalid values of every type, as spreadsheets and CSV files write them.
CELLS = [
    "", "A1", "7", "-3.5", "1e3", "12345678901234567890", "2026-11-20", "20.11.2026 14:05", "31.02.2027", "03/04/2026",
    "Open", "open", "{}", "[1, 2]", "two words", "a;b", 'say "so"', "=1+1", "'tis", "Łódź", "日本", "x" * 200, "1\n2",
]  # fmt: skip
cells = st.sampled_from(CELLS) | st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=8)


@st.composite
def draw_files(draw: st.DrawFn, declaration: ImportDeclaration) -> pd.DataFrame:
    columns = draw(
        st.lists(st.sampled_from(declaration.columns), min_size=1, max_size=6, unique_by=lambda column: column.label)
    )
    rows = draw(st.lists(st.tuples(*(cells for _ in columns)), min_size=1, max_size=8))
    table = pd.DataFrame(rows, columns=[column.label for column in columns], dtype="str")
    table.insert(0, "Note", [f"row {number}" for number in range(len(rows))])
    return table


def check_file(declaration: ImportDeclaration, content: bytes, name: str = "file.csv") -> Check:
    return Check.of(declaration, name, content)


def list_rows(check: Check) -> list[list[str]]:
    table = check.file_frame(np.arange(check.source.rows))
    return [[str(cell) for cell in row] for row in table.to_numpy().tolist()]


def test_every_import_has_its_own_kind() -> None:
    kinds = [declaration.kind for declaration in DECLARATIONS]
    assert len(set(kinds)) == len(kinds) >= 3


@every_declaration
def test_every_column_is_matched_by_each_of_its_unique_names(declaration: ImportDeclaration) -> None:
    for column in declaration.columns:
        for name in (column.label, column.label.upper(), column.name, *column.aliases):
            match = match_columns([name], declaration.columns)[column.name]
            assert (match.headers, match.is_sure) == ((name,), True), name
    names = [name for column in declaration.columns for name in {squash(column.name), squash(column.label)}]
    assert sorted({name for name in names if names.count(name) > 1}) == []


@every_declaration
def test_no_row_is_ready_until_required_columns_are_matched_and_filled(declaration: ImportDeclaration) -> None:
    required = [column for column in declaration.columns if column.required]
    assert not check_file(declaration, b"Nothing,Known\n1,2\n").is_ready.any() or not required
    if required:
        check = check_file(
            declaration, f"Note,{','.join(each.label for each in required)}\nrow{',' * len(required)}\n".encode()
        )
        assert {each.name for each in required} <= set(check.cell_messages(0))
        assert not check.is_ready.any()


@every_declaration
@given(data=st.data())
@settings(max_examples=5, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_every_row_is_ready_or_has_a_reason_after_any_corrections(declaration: ImportDeclaration, data: Any) -> None:
    table = data.draw(draw_files(declaration))
    check = check_file(declaration, to_csv(table))
    assert check.source.rows + check.source.problems.skipped == len(table)
    for _ in range(data.draw(st.integers(0, 4))):
        if data.draw(st.booleans()):
            check.skip_rows([data.draw(st.integers(0, check.source.rows - 1))])
        elif data.draw(st.booleans()):
            check.undo()
        else:
            column = data.draw(st.sampled_from(declaration.columns))
            check.fix_cell(data.draw(st.integers(0, check.source.rows - 1)), column.name, data.draw(cells))
    left = check.unready_frame()
    assert len(check.ready) + len(left) == check.source.rows
    assert (left[left.columns[-1]] != "").all()
    ready, errors, warned = check.is_ready, check.with_errors, check.with_warnings
    assert not (ready & errors).any()
    assert not (errors & warned).any()
    assert set(check.in_view("errors")) == set(np.flatnonzero(errors))
    fresh = CheckedFile(declaration, check.source, check.decisions)
    assert fresh.is_ready.tolist() == ready.tolist(), "a partial check has the result of a full check"


@every_declaration
@given(data=st.data())
@settings(max_examples=3, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_downloaded_rows_can_be_imported_again(declaration: ImportDeclaration, data: Any) -> None:
    check = check_file(declaration, to_csv(data.draw(draw_files(declaration))))
    left = check.unready_frame()
    rows = [row for row, is_ready in zip(list_rows(check), check.is_ready, strict=True) if not is_ready]
    if left.empty:
        return
    width = len(check.source.headers)
    for content, name in ((to_csv(left), "left.csv"), (to_xlsx(left, "left"), "left.xlsx")):
        again = check_file(declaration, content, name)
        assert [row[:width] for row in list_rows(again)] == rows


@every_declaration
@given(content=st.binary() | st.text().map(str.encode))
@settings(max_examples=12, deadline=None)
def test_any_file_is_read_or_refused_with_a_message(declaration: ImportDeclaration, content: bytes) -> None:
    for name in ("file.csv", "file.xlsx", "file.geojson"):
        try:
            check = check_file(declaration, content, name)
        except Unreadable as error:
            assert str(error).endswith((".", ":")) or error.args  # noqa: PT017
        else:
            assert len(check.ready) + len(check.unready_frame()) == check.source.rows


@every_declaration
def test_rows_can_be_entered_and_adding_one_can_be_undone(declaration: ImportDeclaration) -> None:
    column = declaration.columns[0]
    check = Check.of_rows(declaration, "A table", [{}])
    assert check.missing == []
    check.fix_cell(0, column.name, "A1")
    check.add_row()
    check.fix_cell(1, column.name, "B2")
    assert check.rows.texts[column.name].tolist() == ["A1", "B2"]
    check.undo()
    check.undo()
    assert check.rows.texts[column.name].tolist() == ["A1"]


# The screen of an import that sends rows


def script() -> None:
    from tests.domain.file_import import note_import

    note_import.draw_screen()


@pytest.fixture
def service(tmp_path: Path) -> NoteService:
    return NoteService(tmp_path / "notes.txt")


@pytest.fixture
def workspace(tmp_path: Path, service: NoteService, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The workspace of the screen, where each job runs to its end."""
    with new_journal(tmp_path / "journal.sqlite3") as journal:
        monkeypatch.setattr(note_import, "screen_arguments", (JobWorkspace(journal), service.declaration()))
        monkeypatch.setattr(note_import, "token", server().sessions.open(note_import.screen_arguments[0]))
        yield note_import.screen_arguments[0]
        server().sessions.end(note_import.token)


def open_screen() -> AppTest:
    app = AppTest.from_function(script, default_timeout=60).run()
    assert not app.exception
    return app


def with_file(content: bytes) -> AppTest:
    app = open_screen()
    app.file_uploader[0].set_value(("notes.csv", content, "text/csv")).run()
    assert not app.exception
    return app


def test_an_empty_sheet_is_refused_once_and_the_earlier_sheet_stays(workspace: Any) -> None:
    book = BytesIO()
    with pd.ExcelWriter(book, engine="xlsxwriter") as writer:
        pd.DataFrame({"name": ["a"], "number": [1]}).to_excel(writer, sheet_name="Notes", index=False)
        pd.DataFrame().to_excel(writer, sheet_name="Empty", index=False)
        pd.DataFrame({"name": ["b", "c"], "number": [1, 2]}).to_excel(writer, sheet_name="More", index=False)
    app = open_screen()
    app.file_uploader[0].set_value(("notes.xlsx", book.getvalue(), "")).run()
    [sheet] = [box for box in app.selectbox if box.label == "Sheet"]
    sheet.set_value("Empty").run()
    assert "Muster can’t read “notes.xlsx”." in page_text(app)
    assert app.button(key="notes-send").label == "Add 1 note"
    [sheet] = [box for box in app.selectbox if box.label == "Sheet"]
    assert sheet.value == "Notes"
    sheet.set_value("More").run()
    assert "can’t read" not in page_text(app)
    assert app.button(key="notes-send").label == "Add 2 notes"


def test_removing_a_file_in_one_tab_keeps_the_file_of_another(workspace: Any) -> None:
    app, other = with_file(csv_of(["a"])), with_file(csv_of(["b", "c"]))
    press(app, "notes-remove")
    assert open_screen().button(key="notes-send").label == "Add 2 notes"
    press(other, "notes-remove")
    assert "notes-send" not in [button.key for button in open_screen().button]


def list_counts(workspace: Any) -> list[dict[str, int]]:
    return [dict(job.counts) for job in workspace.journal.ledger.jobs(ANA, "note")]


def test_a_file_is_sent_once_despite_repeated_clicks_and_refreshes(workspace: Any, service: NoteService) -> None:
    app = with_file(csv_of([f"note {n}" for n in range(23)]) + b"\nodd,x")
    button = app.button(key="notes-send")
    assert button.label == "Add 23 notes"
    press(app, "notes-send")
    # At the second click, the browser still shows the button as enabled.
    app.button(key="notes-send").proto.disabled = False
    press(app, "notes-send")
    assert (list_counts(workspace), len(service.stored_names())) == ([{"done": 23}], 23)
    assert "23 added" in page_text(app)
    assert "1 with errors" in page_text(app)
    refreshed = open_screen()
    assert "23 added" in page_text(refreshed)
    assert tables(refreshed)[0]["id"].tolist()[:2] == ["id note 0", "id note 1"]


def list_elements(app: AppTest, *kinds: str) -> list[str]:
    """Return the labels or values of elements of these types, from top to bottom."""

    def walk(block: Any) -> Iterator[Any]:
        for child in block.children.values():
            yield from walk(child) if hasattr(child, "children") else (child,)

    return [str(getattr(each, "label", each.value)) for each in walk(app.main) if each.type in kinds]


def is_file_field_closed(app: AppTest) -> bool:
    """Return whether the file field is in a closed popover."""
    return "Use another file" in [box.proto.popover.label for box in app.get("popover")]


def begin_other_job(workspace: Any, service: NoteService, names: list[str]) -> int:
    """Begin a job that another process is working on; return its ID."""
    rows = Check.of(service.declaration(), "n", csv_of(names), workspace).build_items()
    run = workspace.journal.ledger.begin(ANA, "note", "notes.csv", list(rows))
    workspace.journal.ledger.claim(run, lambda _: 1)
    return int(run.job_id)


def test_a_job_is_above_its_unsent_rows_and_a_new_file_is_above_both(workspace: Any) -> None:
    app = press(with_file(csv_of(["a", "b"]) + b"\nodd,x"), "notes-send")
    for each in (app, open_screen()):
        assert list_elements(each, "header", "selectbox")[:2] == ["Sent files", "Unsent rows"]
    app.file_uploader[0].set_value(("more.csv", csv_of(["c"]), "text/csv")).run()
    press(app, "notes-replace")
    assert list_elements(app, "button", "selectbox")[-2:] == ["Add 1 note", "Sent files"]
    press(app, "notes-send")
    # No rows are left. The field for another file is in the popover.
    assert is_file_field_closed(app)
    assert list_elements(app, "header", "selectbox") == ["Sent files"]


def test_a_tab_whose_session_ended_starts_nothing(workspace: Any, service: NoteService) -> None:
    app = with_file(csv_of(["fine", "bad one"]))
    sending = app.button(key="notes-send").click()
    server().sessions.end(note_import.token)
    sending.run()
    assert workspace.journal.ledger.jobs(ANA, "note") == []
    note_import.token = server().sessions.open(workspace)
    press(app.run(), "notes-send")
    [job] = workspace.journal.ledger.jobs(ANA, "note")
    for todo in ("retry", "resume"):
        if todo == "resume":
            with workspace.journal._database.writing() as connection:
                connection.execute(ledger_jobs.update().values(owner=None, state="paused"))
                left = ledger_items.c.state == "failed"
                connection.execute(ledger_items.update().where(left).values(state="waiting"))
            app.run()
        pressed = app.button(key=f"notes-job-{job.id}-{todo}").click()
        server().sessions.end(note_import.token)
        pressed.run()
        note_import.token = server().sessions.open(workspace)
        app.run()
    assert list_counts(workspace) == [{"done": 1, "waiting": 1}]
    assert service.stored_names() == ["fine"]


def test_a_running_job_or_a_job_in_the_url_is_above_the_file_field(workspace: Any, service: NoteService) -> None:
    assert not is_file_field_closed(open_screen())
    job_id = begin_other_job(workspace, service, ["a", "b"])
    assert is_file_field_closed(open_screen())
    workspace.journal.ledger.ask(ANA, job_id, "stopped")
    with workspace.journal._database.writing() as connection:
        connection.execute(ledger_jobs.update().values(owner=None))
    assert not is_file_field_closed(open_screen())
    app = AppTest.from_function(script, default_timeout=60)
    app.query_params["notes-sent"] = str(job_id)
    assert is_file_field_closed(app.run())


def test_the_label_of_a_job_changes_in_the_browser_when_the_job_stops(workspace: Any, service: NoteService) -> None:
    job_id = begin_other_job(workspace, service, ["a", "b", "c"])
    app = open_screen()
    assert app.selectbox[0].options[0].endswith(f"· no. {job_id} · sending")
    assert "Sending" in app.markdown[0].value
    assert not tables(app)
    workspace.journal.ledger.ask(ANA, job_id, "stopped")
    with workspace.journal._database.writing() as connection:
        connection.execute(ledger_jobs.update().values(owner=None))
    app.run()
    # The browser gets the new label of the option and stops showing the old one.
    [label] = app.selectbox[0].options
    assert label.endswith(f"· no. {job_id} · 2 not sent")
    assert (app.selectbox[0].proto.set_value, app.selectbox[0].proto.raw_value) == (True, label)


def test_columns_with_problems_come_first_and_stay_there(workspace: Any) -> None:
    file = b"name,number,start,end,latitude\na,1,2027-01-01,2027-01-02,95\nb,2,2027-01-01,2027-01-02,x"
    app = with_file(file)
    assert app.session_state["notes-view"] == "errors"
    assert list(tables(app)[0])[:2] == ["name", "latitude"]
    note_import.fix_cell(app, 0, "latitude", "9.5")
    note_import.fix_cell(app, 1, "end", "2026-01-01")
    note_import.fix_cell(app, 1, "latitude", "9.5")
    assert list(tables(app.run())[0])[:3] == ["name", "end", "latitude"]
    app.session_state["notes-view"] = "all"
    assert list(tables(app.run())[0]) == ["name", "number", "start", "end", "latitude"]


def test_an_outdated_browser_selection_does_not_replace_a_new_job(workspace: Any) -> None:
    app = press(with_file(csv_of(["a"])), "notes-send")
    app.file_uploader[0].set_value(("more.csv", csv_of(["b", "c"]), "text/csv")).run()
    before = app.selectbox[-1]._widget_state
    press(app, "notes-send")
    # A fragment that redraws itself sends the values that the browser shows at that moment.
    states = app._tree.get_widget_states()
    states.widgets.append(before)
    app._run(states)
    assert "more.csv · SHA-256" in page_text(app)
    [sent] = [box for box in app.selectbox if box.label == "Sent files"]
    sent.set_value(sent.options[1]).run()
    assert "notes.csv · SHA-256" in page_text(app)
    assert app.query_params["notes-sent"] == "1"


def test_an_outdated_label_in_the_browser_selects_nothing_else(workspace: Any, service: NoteService) -> None:
    job_id = begin_other_job(workspace, service, ["a", "b"])
    app = open_screen()
    before = app.selectbox[0]._widget_state
    workspace.journal.ledger.ask(ANA, job_id, "stopped")
    with workspace.journal._database.writing() as connection:
        connection.execute(ledger_jobs.update().values(owner=None))
    app.run()
    # The second click sends the values that the browser showed at the first.
    states = app._tree.get_widget_states()
    [shown] = [each for each in states.widgets if each.id == before.id]
    shown.CopyFrom(before)
    app._run(states)
    assert not app.exception
    assert not app.warning
    assert (app.selectbox[0].value, app.query_params["notes-sent"]) == (str(job_id), str(job_id))


def test_an_older_job_in_the_url_is_shown_and_a_missing_one_is_reported(workspace: Any, service: NoteService) -> None:
    app = AppTest.from_function(script, default_timeout=60)
    app.query_params["notes-sent"] = "9999"
    assert "There is no sent file with the ID “9999”." in page_text(app.run())
    first = begin_other_job(workspace, service, ["a"])
    rows = list(Check.of(NOTES, "n", csv_of(["b"]), workspace).build_items())
    for number in range(52):
        workspace.journal.ledger.begin(ANA, "note", f"{number}.csv", rows)
    app = AppTest.from_function(script, default_timeout=60)
    app.query_params["notes-sent"] = str(first)
    app.run()
    assert app.selectbox[0].value == str(first)
    assert app.query_params["notes-sent"] == str(first)
    app.query_params["notes-sent"] = "9999"
    assert "There is no sent file with the ID “9999”." in page_text(app.run())


def test_the_url_names_no_job_while_a_job_starts(workspace: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    app = press(with_file(csv_of(["a"])), "notes-send")
    assert "notes-sent" in app.query_params
    begin, has_job_in_url = job_module.JOBS.begin, []

    def record_and_begin(*arguments: Any, **options: Any) -> int:
        has_job_in_url.append("notes-sent" in streamlit.query_params)
        return begin(*arguments, **options)

    monkeypatch.setattr(job_module.JOBS, "begin", record_and_begin)
    app.file_uploader[0].set_value(("more.csv", csv_of(["b"]), "text/csv")).run()
    press(app, "notes-send")
    assert has_job_in_url == [False]
    assert app.query_params["notes-sent"] == str(workspace.journal.ledger.jobs(ANA, "note")[0].id)


def test_corrections_and_skipped_rows_survive_a_refresh_until_removed(workspace: Any) -> None:
    app = with_file(csv_of(["a", "b", "c"]) + b"\nodd,x")
    note_import.fix_cell(app, 3, "number", "7")
    press(app.run(), "notes-undo")
    note_import.fix_cell(app, 3, "number", "8")
    workspace.unsaved_work["file-import.notes"].skip_rows([0])
    refreshed = open_screen()
    assert "3 rows are ready · 1 skipped" in page_text(refreshed)
    press(refreshed, "notes-remove")
    assert [field.label for field in refreshed.file_uploader] == ["File"]
    assert ".geojson" not in refreshed.file_uploader[0].allowed_type, "locations only"
    assert not open_screen().get("bidi_component")


def button_labeled(app: AppTest, label: str) -> str:
    [key] = [button.key for button in app.button if button.label == label]
    return str(key)


def test_a_repeated_error_is_replaced_in_all_rows_and_listed_after_a_refresh(workspace: Any) -> None:
    app = with_file(b"name,number,state\n" + b"".join(b"n%d,1,Opn\n" % number for number in range(39)))
    press(app, button_labeled(app, "Replace in all 39 rows"))
    assert "Enter the new value." in page_text(app)
    [field] = [each for each in app.text_input if each.placeholder == "New value"]
    field.set_value("Open").run()
    press(app, button_labeled(app, "Replace in all 39 rows"))
    press(app, "notes-undo")
    assert "39 with errors" in page_text(app)
    press(app, "notes-redo")
    refreshed = open_screen()
    assert "39 rows are ready" in page_text(refreshed)
    assert "State: “Opn” → “Open” · 39 rows" in page_text(refreshed).replace("**", "")
    press(refreshed, "notes-change-remove-0")
    assert "39 with errors" in page_text(refreshed)


def test_a_column_is_changed_from_its_menu_with_values_before_and_after(workspace: Any) -> None:
    app = with_file(b"name,number,start\na,1,02DEC\nb,2,02DEC\nc,3,2026-01-05")

    def select(label: str, value: str) -> None:
        [box] = [each for each in app.selectbox if each.label == label]
        box.set_value(value).run()

    select("Column", "Starts")
    select("Change", "year")
    assert "2026-12-02" not in page_text(app)
    [year] = [each for each in app.number_input if each.label == "Year"]
    year.set_value(2026).run()
    [preview] = [[str(cell).replace("\\", "") for cell in row] for row in app.table[-1].value.to_numpy()]
    assert preview == ["02DEC", "2026-12-02", "2"]
    press(app, "notes-change-apply")
    assert tables(app)[-1]["start"].tolist() == ["2026-12-02", "2026-12-02", "2026-01-05"]


def test_an_irreversible_import_asks_first_with_count_and_names(
    workspace: Any, service: NoteService, monkeypatch: pytest.MonkeyPatch
) -> None:
    declaration = service.declaration()
    assert declaration.sending is not None
    sending = replace(
        declaration.sending, verb="Delete", confirmation_lines=lambda rows, _: [", ".join(rows.texts["name"]) + "."]
    )
    final = replace(declaration, sending=sending)
    monkeypatch.setattr(note_import, "screen_arguments", (workspace, final))
    app = with_file(csv_of([f"note {n}" for n in range(8)]))
    press(app, "notes-send")
    assert service.stored_names() == []
    assert "note 0, note 1, note 2, note 3, note 4, note 5, note 6, note 7." in page_text(app)
    assert "Delete 8 notes" in app.button(key="notes-send-dialog-confirm").label
    press(app, "notes-send-dialog-confirm")
    assert len(service.stored_names()) == 8


def test_a_second_tab_with_the_same_file_shows_that_the_file_was_sent(workspace: Any, service: NoteService) -> None:
    first, second = with_file(csv_of(["a", "b"])), with_file(csv_of(["a", "b"]))
    press(first, "notes-send")
    # The second tab was drawn before the first one sent the file.
    press(second, "notes-send")
    assert service.stored_names() == ["a", "b"]
    assert "This file has been sent" in page_text(second)
    assert "This file was sent before" in page_text(second)
    press(second, "notes-send")
    assert len(service.stored_names()) == 4


@pytest.mark.parametrize("left", ["", "\nodd,x"], ids=["whole", "in part"])
def test_a_file_sent_in_another_tab_shows_its_result(workspace: Any, left: str) -> None:
    """And not the earlier job in its URL."""
    first = press(with_file(csv_of(["a"])), "notes-send")
    first.file_uploader[0].set_value(("more.csv", csv_of(["b"]) + left.encode(), "text/csv")).run()
    second = open_screen()
    press(first, "notes-send")
    press(second, "notes-send")
    latest, earlier = workspace.journal.ledger.jobs(ANA, "note")
    assert latest.counts == earlier.counts == {"done": 1}
    assert second.query_params["notes-sent"] == str(latest.id)


def test_rejected_rows_are_fixed_in_their_cells_and_resent(workspace: Any, service: NoteService) -> None:
    app = press(with_file(csv_of(["fine", "bad one", "bad two"])), "notes-send")
    [job] = workspace.journal.ledger.jobs(ANA, "note")
    press(app, f"notes-job-{job.id}-fix")
    shown = [row for row in tables(app)[0]["name"].tolist() if row]
    assert shown == ["bad one", "bad two"]
    note_import.fix_cell(app, 0, "name", "good one")
    app.run()
    assert app.button(key="notes-send").label == "Add 1 note"
    press(app, f"notes-job-{job.id}-fix")
    assert app.button(key="notes-send").label == "Add 1 note", "a second click keeps the corrections"
    press(app, "notes-send")
    assert service.stored_names() == ["fine", "good one"]
    assert list_counts(workspace) == [{"done": 1}, {"done": 1, "failed": 1, "replaced": 1}]


def test_corrections_survive_the_fixing_of_failed_rows(workspace: Any, service: NoteService) -> None:
    app = press(with_file(csv_of(["fine", "bad one"]) + b"\nodd,x"), "notes-send")
    note_import.fix_cell(app, 2, "name", "odd one")
    [job] = workspace.journal.ledger.jobs(ANA, "note")
    press(app.run(), f"notes-job-{job.id}-fix")
    assert [row for row in tables(app)[-1]["name"].tolist() if row] == ["bad one", "odd one"]
    app.file_uploader[0].set_value(("more.csv", csv_of(["b"]), "text/csv")).run()
    assert "Your corrections will be lost." in page_text(app)
    press(app, "notes-keep-rows")
    note_import.fix_cell(app, 1, "name", "good one")
    note_import.fix_cell(app, 2, "number", "2")
    press(app.run(), "notes-send")
    assert service.stored_names() == ["fine", "good one", "odd one"]
    assert list_counts(workspace) == [{"done": 2}, {"done": 1, "replaced": 1}]


def test_unknown_rows_can_be_checked_but_not_resent(workspace: Any, service: NoteService) -> None:
    def lose_response(_: Any) -> None:
        raise OutcomeUnknown("The answer was lost.")

    service.after = lose_response
    app = press(with_file(csv_of(["a", "b"])), "notes-send")
    [job] = workspace.journal.ledger.jobs(ANA, "note")
    assert "2 notes have status Unknown" in page_text(app)
    assert ": Unknown]" in page_text(app)
    assert f"notes-job-{job.id}-retry" not in [button.key for button in app.button]
    press(app, f"notes-job-{job.id}-look")
    assert (list_counts(workspace), service.stored_names()) == ([{"done": 2}], ["a", "b"])
    assert "2 added" in page_text(app)


def test_a_slow_check_is_reported_and_not_started_twice(
    workspace: Any, service: NoteService, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose_response(_: Any) -> None:
        raise OutcomeUnknown("The answer was lost.")

    service.after = lose_response
    app = press(with_file(csv_of(["a", "b"])), "notes-send")
    [job] = workspace.journal.ledger.jobs(ANA, "note")
    go, stored_names = threading.Event(), service.stored_names
    monkeypatch.setattr(service, "stored_names", lambda: go.wait(30) and stored_names())
    monkeypatch.setattr(Calls, "patience", 0.0)
    try:
        app = press(app, f"notes-job-{job.id}-look")
        assert r"Checked 0 of 2\." in [each.proto.text for each in app.get("progress")]  # type: ignore[union-attr]
        assert app.button(key=f"notes-job-{job.id}-look").disabled
    finally:
        go.set()
        server().calls.wait_for_all()
    assert list_counts(workspace) == [{"done": 2}]


def test_an_interrupted_job_is_reported_and_can_be_resumed(workspace: Any, service: NoteService) -> None:
    ledger = workspace.journal.ledger
    run = ledger.begin(
        ANA,
        "note",
        "notes.csv",
        list(Check.of(service.declaration(), "n", csv_of(["a", "b"]), workspace).build_items()),
    )
    ledger.claim(run, lambda _: 1)
    with workspace.journal._database.writing() as connection:
        connection.execute(ledger_jobs.update().values(lease_until=utc_now() - timedelta(minutes=1)))
    app = open_screen()
    assert "Interrupted" in page_text(app)
    assert "1 unknown · 1 waiting" in page_text(app)
    press(app, f"notes-job-{run.job_id}-resume")
    press(app, f"notes-job-{run.job_id}-retry")
    assert (list_counts(workspace), sorted(service.stored_names())) == ([{"done": 2}], ["a", "b"])


def test_if_the_journal_cannot_be_written_nothing_is_sent(
    workspace: Any, service: NoteService, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.journal.conftest import raise_unavailable

    app = with_file(csv_of(["a", "b"]))
    with monkeypatch.context() as patch:
        patch.setattr(workspace.journal.ledger, "begin", lambda *_, **__: raise_unavailable())
        press(app, "notes-send")
    assert "Nothing was sent. The journal’s database has no room left" in page_text(app)
    assert service.stored_names() == []
    app.file_uploader[0].set_value(("more.csv", csv_of(["c"]), "text/csv")).run()
    assert "1 row is ready" in page_text(app)
    assert "Nothing was sent" not in page_text(app)


def test_hidden_rows_and_columns_of_a_workbook_wait_for_a_choice(workspace: Any) -> None:
    book = BytesIO()
    with pd.ExcelWriter(book, engine="xlsxwriter") as writer:
        pd.DataFrame({"name": ["a", "b", "c"], "number": [1, 2, 3]}).to_excel(writer, sheet_name="Notes", index=False)
        writer.sheets["Notes"].set_row(2, None, None, {"hidden": True})
        writer.sheets["Notes"].set_column(1, 1, None, None, {"hidden": True})
    app = open_screen()
    app.file_uploader[0].set_value(("notes.xlsx", book.getvalue(), "")).run()
    assert "1 row is hidden in the sheet" in page_text(app)
    assert "Muster reads 1 column that is hidden in the sheet: “number”." in page_text(app)
    assert app.button(key="notes-send").label == "Add 2 notes"
    press(app, "notes-hidden-include")
    assert app.button(key="notes-send").label == "Add 3 notes"
    press(app, "notes-hidden-skip")
    assert app.button(key="notes-send").label == "Add 2 notes"
    press(app, "notes-hidden-ignore")
    assert "Columns not read: “number”." in page_text(app)
