"""The filter test on the screen: the file, the result, matching columns, muting, and why a person does not match."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from client import ServiceClient
from components.filters.builder.rule_actions import EDITOR
from components.filters.estimate import filter_test_view
from components.filters.estimate.filter_test_view import ABSENT_IS_OTHER, AT_MOMENT, CASE_MATTERS, CURRENT_ESTIMATE
from components.shell.session import TOKEN
from domain.filters.filter_draft import FilterDraft, RuleDraft
from domain.runtime import screens
from domain.runtime.server import server
from tests.app.presses import page_text
from tests.app.tables import tables
from tests.running_service import RunningService

KEY = "bench"
CONTACTS = b"""Given name;Surname;Employee ID;Home;Record type
Ana;Silva;9007199254740993;FR;1
Ben;Sommer;E2;FR;9
Cleo;smith;E3;ES;1
Dan;Okafor;E4;FR;
"""


def rule(column: str, operator: str, value: Any, data_type: str = "STRING", kind: str = "SYSTEM") -> RuleDraft:
    payload = {"type": kind, "columnName": column, "dataType": data_type, "operator": operator, "columnValue": value}
    return RuleDraft(payload=payload)


def script() -> None:
    from components.filters.builder.rule_actions import EDITOR
    from components.filters.estimate import filter_test_view
    from domain.filters.filter_draft import FilterDraft

    filter_test_view.draw_filter_test(EDITOR.draft.get() or FilterDraft(), key="bench")


@pytest.fixture
def app() -> AppTest:
    """The filter test for a filter of three rules, with a user signed in."""
    app = AppTest.from_function(script, default_timeout=60)
    client = ServiceClient("http://127.0.0.1:9", 1, "desk", "unused")
    app.session_state[TOKEN.name] = server().sessions.open(server().workspace(client))
    rules = [rule("lastName", "STARTWITH", "S"), rule("country", "E", "FR"), rule("recordTypeId", "NE", 9, "NUMBER")]
    app.session_state[EDITOR.draft.name] = FilterDraft(name="S in France", rules=rules)
    return app


def upload(app: AppTest, content: bytes, name: str = "contacts.csv") -> AppTest:
    return app.file_uploader[0].set_value((name, content, "text/csv")).run()


def read_table(app: AppTest, number: int = 0) -> Any:
    return tables(app)[number]


def test_the_filter_test_explains_its_estimate_and_says_that_the_file_is_not_stored(app: AppTest) -> None:
    app.run()
    assert not app.exception
    text = page_text(app)
    assert "This is Muster’s estimate for the contacts in your file." in text
    assert "A person must match all rules." in text
    assert "Muster does not store the file" in text
    upload(app, CONTACTS)
    app.button(key=f"{KEY}-remove").click().run()
    assert app.session_state[CURRENT_ESTIMATE.name] is None
    assert "of 4" not in page_text(app)


def test_the_columns_to_match_are_those_of_the_current_rules(app: AppTest) -> None:
    upload(app.run(), CONTACTS)
    app.session_state[EDITOR.draft.name] = FilterDraft(name="A", rules=[rule("middleInitial", "E", "A")])
    app.run()
    offered = [field.key for field in app.selectbox if str(field.key).startswith(f"{KEY}-column-")]
    assert offered == [f"{KEY}-column-middleInitial|SYSTEM|"]


def test_contacts_can_be_pasted_from_a_spreadsheet(app: AppTest) -> None:
    app.run().text_area(key=f"{KEY}-text-0").set_value("Surname\tCountry\nSilva\tFR\nKim\tES\n").run()
    assert "At most 1 of 2 contacts matches" in page_text(app)


def test_a_file_is_matched_and_evaluated_and_a_person_explained(app: AppTest) -> None:
    upload(app.run(), CONTACTS)
    assert not app.exception
    text = page_text(app)
    assert "4 rows · 5 columns · UTF-8, semicolons" in text
    # "Home" is not a known name of the country column: the rule is not evaluated until the user selects the column.
    assert "At most 1 of 4 contacts matches" in text
    assert "rule 2: no column of the file matches “Country · person”" in text
    assert "If the file has a column for" in text

    app.selectbox(key=f"{KEY}-column-country|SYSTEM|").select("Home").run()
    assert "1 of 4 contacts matches" in page_text(app)
    assert "At most" not in page_text(app)
    assert "rule 1 keeps 2 · rule 2 keeps 2 · rule 3 keeps 1" in page_text(app)
    assert read_table(app, 1)["Employee ID"].tolist() == ["9007199254740993"]

    app.radio(key=f"{KEY}-who").set_value("nearly").run()
    assert read_table(app, 1)["Rules not matched"].tolist() == ["3", "1"]
    app.radio(key=f"{KEY}-who").set_value("out").run()
    assert read_table(app, 1)["Rules not matched"].tolist() == ["3", "1, 2", "1"]

    app.text_input(key=f"{KEY}-find").set_value("ben").run()
    text = page_text(app)
    assert "Ben · Sommer · E2** · No match: rule 3 does not match." in text
    assert "3. :red[:material/cancel:] **Record type is not 9** does not match. The file has “9”." in text
    app.text_input(key=f"{KEY}-find").set_value("E").run()
    assert app.selectbox(key=f"{KEY}-person").options == ["Ben · Sommer · E2", "Cleo · smith · E3", "Dan · Okafor · E4"]
    app.selectbox(key=f"{KEY}-person").select_index(2).run()
    assert "There is no value, which counts as different." in page_text(app)
    app.text_input(key=f"{KEY}-find").set_value("nobody of this name").run()
    assert "No row of the file contains all of these words" in page_text(app)

    app.button(key=f"{KEY}-columns-reset").click().run()
    assert "At most 1 of 4" in page_text(app)


def test_options_explain_and_change_the_evaluation(app: AppTest) -> None:
    upload(app.run(), CONTACTS.replace(b"Home", b"Country"))
    assert "1 of 4 contacts matches" in page_text(app)
    assert "Text comparisons are case-sensitive." in page_text(app)
    app.toggle(key=CASE_MATTERS.name).set_value(False).run()
    assert "Text comparisons ignore case." in page_text(app)
    assert read_table(app)["alone"].tolist() == ["3", "3", "3"]
    app.toggle(key=ABSENT_IS_OTHER.name).set_value(False).run()
    assert read_table(app)["alone"].tolist() == ["3", "3", "2"]
    assert "Rule 3: 1 contact has no value and does not match." in page_text(app)


def test_a_muted_rule_shows_how_it_would_change_the_result(app: AppTest) -> None:
    draft = app.session_state[EDITOR.draft.name]
    rules = [*draft.rules[:2], draft.rules[2].model_copy(update={"muted": True})]
    app.session_state[EDITOR.draft.name] = draft.model_copy(update={"rules": rules})
    upload(app.run(), CONTACTS.replace(b"Home", b"Country"))
    assert "2 of 4 contacts match" in page_text(app)
    assert read_table(app)["rule"].tolist()[2] == "Record type is not 9 (muted)"
    assert read_table(app)["change"].tolist()[2] == "−1 if unmuted"


def test_now_is_the_current_time_or_a_selected_time(app: AppTest) -> None:
    now = rule("expectedDate", "BETWEEN", ["NOW", None, None], "DATE", "SYSTEM_EXPECTED_OBJECT")
    app.session_state[EDITOR.draft.name] = FilterDraft(rules=[now])
    upload(app.run(), b"name,Expected from,Expected until\nAna,2020-01-01,2020-01-31\n")
    assert "0 of 1 contact matches" in page_text(app)
    assert "“Now” is " in page_text(app)
    app.toggle(key=AT_MOMENT.name).set_value(True).run()
    assert "Enter a time. Until then, Muster uses the current time." in page_text(app)
    (field,) = app.datetime_input
    field.set_value(datetime(2020, 1, 15, 12)).run()  # noqa: DTZ001 - a wall clock, as the field gives it
    assert not app.exception
    assert "1 of 1 contact matches" in page_text(app)
    assert "“Now” is Wed, Jan 15, 2020, 12:00 UTC." in page_text(app)


def test_an_unreadable_file_has_an_error_and_the_previous_file_stays(app: AppTest) -> None:
    upload(app.run(), b"PK\x03\x04", "sheet.csv")
    assert "Muster can’t read “sheet.csv”." in page_text(app)
    assert app.session_state[CURRENT_ESTIMATE.name] is None
    upload(app, CONTACTS)
    assert "can’t read" not in page_text(app)
    upload(app, b"", "empty.csv")
    assert "Muster can’t read “empty.csv”. The file is empty" in page_text(app)
    assert "contacts.csv" in page_text(app)
    # The popover "Use another file" covers what is below it.
    assert page_text(app).index("Muster can’t read “empty.csv”") < page_text(app).index("contacts.csv")
    upload(app, b"Surname,City\nSilva,Rio\nA,B,C\n", "other.csv")
    assert "1 row was skipped." in page_text(app)
    assert read_table(app)["row"].tolist() == ["3"]


def test_a_file_without_headings_includes_the_first_row(app: AppTest) -> None:
    upload(app.run(), b"Ana,Silva,ana@example.com\nBen,Sommer,ben@example.com\n")
    assert "2 rows · 3 columns" in page_text(app)
    assert "Muster read row 1 as a record" in page_text(app)
    upload(app, b"Vorgang;Ablage\nSilva;Rio\n")
    assert "1 row · 2 columns" in page_text(app)
    assert "Muster read row 1 as headings, but recognized none of them: “Vorgang” and “Ablage”." in page_text(app)
    (box,) = [box for box in app.checkbox if box.label == "Row 1 has the headings"]
    box.uncheck().run()
    assert not app.exception
    assert "2 rows · 2 columns" in page_text(app)
    upload(app, b"Vorgang;Ablage\nSilva;Rio\n")
    assert "1 row · 2 columns" in page_text(app)


def test_times_without_a_zone_are_read_in_the_time_zone_of_the_browser(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filter_test_view, "viewers_zone", lambda: "Asia/Singapore")
    first_of_may = 1_777_564_800_000  # 2026-05-01 00:00 in Singapore, 30 April in UTC
    app.session_state[EDITOR.draft.name] = FilterDraft(rules=[rule("createdDate", "GTE", first_of_may, "DATE")])
    upload(app.run(), b"name,Created\nAna,2026-05-01 00:00\nBen,2026-04-30 23:59\n")
    assert "1 of 2 contacts matches" in page_text(app)
    assert "Times without a time zone are in Asia/Singapore." in page_text(app)


def test_the_file_field_shows_the_size_limit_of_the_server(app: AppTest) -> None:
    [field] = app.run().file_uploader
    assert field.proto.max_upload_size_mb == streamlit.get_option("server.maxUploadSize")


def test_a_filter_without_rules_asks_for_one_and_without_matches_says_what_to_do(app: AppTest) -> None:
    app.session_state[EDITOR.draft.name] = FilterDraft()
    upload(app.run(), CONTACTS)
    assert not app.exception
    assert "4 contacts loaded. Add a rule to see who matches." in page_text(app)
    app.session_state[EDITOR.draft.name] = FilterDraft(rules=[rule("lastName", "E", "Nobody")])
    app.run()
    assert "0 of 4 contacts match" in page_text(app)
    assert "No one in the file matches." in page_text(app)
    assert "The most frequent values in the file are" in page_text(app)


def test_nothing_of_the_file_reaches_the_journal_the_disk_or_the_service(
    signed_in: Any, service: RunningService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    page = signed_in(service, screens.CONTACT_FILTER.page).run()
    assert not page.exception
    upload(page, b"Surname,External id\nVerySecretSurname,VerySecretId\n", "people.csv")
    assert not page.exception
    assert page.session_state[CURRENT_ESTIMATE.name].file.rows == 1
    page.run()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(path.suffix.startswith((".sqlite", ".db")) for path in files)
    assert [path for path in files if b"VerySecret" in path.read_bytes()] == []
    with sqlite3.connect(service.database_url.removeprefix("sqlite:///")) as database:
        assert "VerySecret" not in "\n".join(database.iterdump())
    database.close()
