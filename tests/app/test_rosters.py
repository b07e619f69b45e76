"""The rosters screen: empty, created, rejected, renamed, refilled, and deleted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from components.file_import.steps import current_file
from components.trips.rosters import roster_list
from components.trips.rosters.roster_list import DRAFT
from domain.file_import import import_declaration
from domain.file_import.saved_matches import list_matches
from domain.runtime import screens
from domain.runtime.calls import Calls
from journal import Actor, Roster, RosterEntry, Traveler
from tests.app.following import follow
from tests.app.presses import press_twice
from tests.app.tables import select_rows, tables
from tests.app.test_journal import page_text
from tests.running_service import RunningService

PAGE = screens.ROSTERS.page


@pytest.fixture
def open_rosters(signed_in: Any, service: RunningService) -> Any:
    """Open an empty list of rosters, which the test fills before `run()`."""

    def open_page(**query: str) -> AppTest:
        return signed_in(service, PAGE, **query)

    return open_page


def create_roster(signed_in: Any, name: str = "Sales", *locators: str, actor: Actor | None = None) -> Roster:
    journal, me = signed_in.workspace.journal, signed_in.workspace.actor
    entries = [RosterEntry(locator, [Traveler("E1", "Ana", "Silva")]) for locator in locators or ("AAA111", "BBB222")]
    roster: Roster = journal.rosters.create(actor or me, name, entries)
    return roster


def list_locators(signed_in: Any) -> dict[str, list[str]]:
    """Return the record locators by roster name in the journal."""
    return {roster.name: [entry.record_locator for entry in roster.entries()] for roster in list_rosters(signed_in)}


def list_rosters(signed_in: Any) -> list[Roster]:
    workspace = signed_in.workspace
    rosters: list[Roster] = workspace.journal.rosters.list(workspace.actor.service, workspace.actor.organization_id)
    return rosters


def list_actions(signed_in: Any) -> list[tuple[str, str]]:
    workspace = signed_in.workspace
    entries = workspace.journal.audit.list(workspace.actor.service, workspace.actor.organization_id)
    return [(entry.action, entry.state) for entry in entries]


def test_an_empty_list_explains_rosters_and_offers_to_create_one(open_rosters: Any, signed_in: Any) -> None:
    app = open_rosters().run()
    assert not app.exception
    assert "A roster is a named list of trips" in page_text(app)
    app.button(key="rosters-empty").click().run()
    app.text_input(key="rosters-new-name").set_value("Sales").run()
    app.text_area(key="rosters-new-text-0").set_value("AAA111, BBB222 AAA111\n???").run()
    assert "2 trips · 1 repeat skipped" in page_text(app)
    assert "3 rows are ready · 1 with errors" in page_text(app)
    app.button(key="rosters-make").click().run()
    assert not app.exception
    assert list_locators(signed_in) == {"Sales": ["AAA111", "BBB222"]}
    assert app.header[0].value == "Sales"
    assert list_actions(signed_in) == [("roster.create", "succeeded")]


def test_a_double_click_opens_the_created_roster(open_rosters: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Calls, "repeat_seconds", 60.0)
    app = open_rosters(roster="new").run()
    app.text_input(key="rosters-new-name").set_value("Sales").run()
    app.text_area(key="rosters-new-text-0").set_value("AAA111").run()
    press_twice(app, app.button(key="rosters-make"))
    assert app.header[0].value == "Sales"
    assert list(app.query_params["roster"]) == ["1"]


def test_pasted_text_is_not_read_twice(open_rosters: Any, signed_in: Any) -> None:
    app = open_rosters(roster="new").run()
    app.text_input(key="rosters-new-name").set_value("Sales").run()
    app.text_area(key="rosters-new-text-0").set_value("AAA111").run()
    before = app.text_area[0]._widget_state
    app.button(key="rosters-make").click().run()
    # The second click sends the same field values as the first.
    states = app._tree.get_widget_states()
    states.widgets.append(before)
    app._run(states)
    assert not app.exception
    assert app.header[0].value == "Sales"
    assert current_file(DRAFT, signed_in.workspace) is None


def test_a_double_click_creates_and_deletes_once(
    open_rosters: Any, signed_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second click comes before the screen is redrawn. The result of the first click stays."""

    def repeat(original: Callable[..., None]) -> Callable[..., None]:
        def call_twice(*arguments: Any) -> None:
            typed = streamlit.session_state.get("rosters-new-name", "")
            original(*arguments)
            streamlit.session_state["rosters-new-name"] = typed
            original(*arguments)

        return call_twice

    monkeypatch.setattr(roster_list, "_create", repeat(roster_list._create))
    app = open_rosters(roster="new").run()
    app.text_input(key="rosters-new-name").set_value("Sales").run()
    app.text_area(key="rosters-new-text-0").set_value("AAA111").run()
    app.button(key="rosters-make").click().run()
    assert "Another roster has the name" not in page_text(app)
    assert app.header[0].value == "Sales"
    app.button(key="rosters-delete/1").click().run()
    press_twice(app, app.button(key="rosters-delete-dialog-confirm"))
    assert not app.error
    assert list_actions(signed_in) == [("roster.delete", "succeeded"), ("roster.create", "succeeded")]


def test_traveler_names_are_learned_from_a_new_roster(open_rosters: Any, signed_in: Any) -> None:
    app = open_rosters(roster="new").run()
    app.text_input(key="rosters-new-name").set_value("Sales").run()
    app.text_area(key="rosters-new-text-0").set_value(
        "pnr\temployee_id\tfirst_name\tlast_name\nA1\tE7\tAna\tSilva"
    ).run()
    app.button(key="rosters-make").click().run()
    workspace = signed_in.workspace
    assert workspace.journal.travelers.names(workspace.actor.service, 8800) == {"E7": "Silva, Ana"}


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("", "A1", "Give the roster a name"),
        ("Sales", "", "at least one record locator"),
        ("sales ", "A1", "Another roster has the name"),
    ],
)
def test_an_error_is_shown_at_its_field_and_no_typed_value_is_lost(
    open_rosters: Any, signed_in: Any, name: str, text: str, problem: str
) -> None:
    app = open_rosters(roster="new")
    create_roster(signed_in, "Sales")
    app.run()
    app.text_input(key="rosters-new-name").set_value(name).run()
    app.text_area(key="rosters-new-text-0").set_value(text).run()
    app.button(key="rosters-make").click().run()
    assert not app.exception
    assert problem in page_text(app)
    assert app.text_input(key="rosters-new-name").value == name
    assert app.text_area(key="rosters-new-text-0").value == text
    assert list(list_locators(signed_in)) == ["Sales"]


def test_missing_fields_are_reported_until_they_are_filled(open_rosters: Any, signed_in: Any) -> None:
    app = open_rosters(roster="new")
    create_roster(signed_in, "Sales")
    app.run()
    app.button(key="rosters-make").click().run()
    assert "at least one record locator" in page_text(app)
    app.text_area(key="rosters-new-text-0").set_value("A1").run()
    assert "at least one record locator" not in page_text(app)


def test_rosters_are_listed_with_their_trips_and_only_those_of_the_organization(
    open_rosters: Any, signed_in: Any
) -> None:
    app = open_rosters()
    create_roster(signed_in, "Sales")
    create_roster(signed_in, "Theirs", actor=Actor(signed_in.workspace.actor.service, 9900, "eve"))
    app.run()
    assert not app.exception
    assert "1 roster · 2 trips" in page_text(app)
    [row] = tables(app)[0].to_dict("records")
    assert (row["name"], row["trips"], row["made_by"], row["last_load"]) == ("Sales", "2", "ana", "Never")


def test_a_roster_of_another_organization_cannot_be_opened_by_its_id(open_rosters: Any, signed_in: Any) -> None:
    app = open_rosters(roster="1")
    theirs = create_roster(signed_in, "Theirs", actor=Actor(signed_in.workspace.actor.service, 9900, "eve"))
    assert theirs.id == 1
    create_roster(signed_in, "Sales")
    app.run()
    assert "has no roster “1”" in page_text(app)
    assert "Theirs" not in page_text(app)


def test_a_roster_is_renamed_and_a_used_name_is_rejected_at_the_field(open_rosters: Any, signed_in: Any) -> None:
    app = open_rosters(roster="1")
    create_roster(signed_in, "Sales")
    create_roster(signed_in, "Taken")
    app.run()
    app.text_input(key="rosters-rename-1").set_value("taken").run()
    app.button(key="rosters-rename-1-save").click().run()
    assert "Another roster has the name" in page_text(app)
    assert app.text_input(key="rosters-rename-1").value == "taken"
    assert sorted(list_locators(signed_in)) == ["Sales", "Taken"]
    app.text_input(key="rosters-rename-1").set_value("Market").run()
    app.button(key="rosters-rename-1-save").click().run()
    assert not app.exception
    assert sorted(list_locators(signed_in)) == ["Market", "Taken"]
    assert app.header[0].value == "Market"
    assert "Another roster has the name" not in page_text(app)


def test_a_roster_is_deleted_after_a_confirmation_that_names_it(open_rosters: Any, signed_in: Any) -> None:
    app = open_rosters(roster="1")
    create_roster(signed_in, "Sales *team*")
    create_roster(signed_in, "Other")
    app.run()
    app.button(key="rosters-delete/1").click().run()
    assert list_locators(signed_in).keys() == {"Sales *team*", "Other"}
    assert r"Sales \*team\*" in app.button(key="rosters-delete-dialog-confirm").label
    assert "AAA111 and BBB222" in page_text(app)
    app.button(key="rosters-delete-dialog-confirm").click().run()
    assert not app.exception
    assert list_locators(signed_in).keys() == {"Other"}
    assert list_actions(signed_in) == [("roster.delete", "succeeded")]
    assert "roster" not in app.query_params


def test_a_deleted_roster_is_restored_with_its_travelers_under_a_new_name_if_needed(
    open_rosters: Any, signed_in: Any
) -> None:
    app = open_rosters(roster="1")
    create_roster(signed_in, "Sales")
    app.run()
    app.button(key="rosters-delete/1").click().run()
    app.button(key="rosters-delete-dialog-confirm").click().run()
    create_roster(signed_in, "Sales", "OTHER1")
    app.query_params["entry"] = "1"
    app.switch_page(screens.JOURNAL.page).run()
    app = follow(app, "Restore the roster")
    app.button(key="rosters-restore-1-save").click().run()
    assert "Another roster has the name" in page_text(app)
    app.text_input(key="rosters-restore-1").set_value("Sales 2").run()
    app.button(key="rosters-restore-1-save").click().run()
    assert list_locators(signed_in) == {"Sales": ["OTHER1"], "Sales 2": ["AAA111", "BBB222"]}
    [roster] = [each for each in list_rosters(signed_in) if each.name == "Sales 2"]
    assert roster.entries()[0].travelers == [Traveler("E1", "Ana", "Silva")]
    assert app.header[0].value == "Sales 2"


def test_trips_are_added_to_a_roster_from_a_list_and_from_another_roster(open_rosters: Any, signed_in: Any) -> None:
    app = open_rosters(roster="1")
    create_roster(signed_in, "Sales")
    create_roster(signed_in, "Legal", "BBB222", "DDD444")
    app.run()
    app.text_area(key="rosters-replace-1-text-0").set_value("CCC333 aaa111").run()
    app.button(key="rosters-replace-1-add").click().run()
    app.selectbox(key="rosters-merge-1").set_value(2).run()
    app.button(key="rosters-merge-1-add").click().run()
    assert not app.exception
    assert list_locators(signed_in) == {
        "Sales": ["AAA111", "BBB222", "CCC333", "DDD444"],
        "Legal": ["BBB222", "DDD444"],
    }


def test_several_rosters_are_deleted_after_one_confirmation(open_rosters: Any, signed_in: Any) -> None:
    app = open_rosters()
    for name in ("Sales", "Legal", "Stays"):
        create_roster(signed_in, name)
    app.run()
    select_rows(app, "rosters", "1", "2")
    app.button(key="rosters-delete-several").click().run()
    app.button(key="rosters-delete-dialog-confirm").click().run()
    assert list_locators(signed_in).keys() == {"Stays"}


def test_a_roster_stays_if_the_dialog_is_closed(open_rosters: Any, signed_in: Any) -> None:
    app = open_rosters(roster="1")
    create_roster(signed_in)
    app.run()
    app.button(key="rosters-delete/1").click().run()
    app.button(key="rosters-delete-dialog-keep").click().run()
    assert list_locators(signed_in).keys() == {"Sales"}
    assert list_actions(signed_in) == []


def test_the_trips_of_a_roster_are_replaced_after_a_confirmation(open_rosters: Any, signed_in: Any) -> None:
    app = open_rosters(roster="1")
    roster = create_roster(signed_in, "Sales", "AAA111", "BBB222", "CCC333")
    app.run()
    app.text_area(key="rosters-replace-1-text-0").set_value("BBB222 DDD444").run()
    app.button(key="rosters-replace").click().run()
    assert "3 trips" in page_text(app)
    app.button(key="rosters-replace-dialog-confirm").click().run()
    assert not app.exception
    assert list_locators(signed_in) == {"Sales": ["BBB222", "DDD444"]}
    assert list_actions(signed_in) == [("roster.replace", "succeeded")]
    audit = signed_in.workspace.journal.audit
    (entry,) = audit.history(roster.service, roster.organization_id, subject_kind="roster", subject_id="1")
    assert entry.request["record_locators_before"] == ["AAA111", "BBB222", "CCC333"]


def test_trips_added_while_the_dialog_was_open_are_not_replaced(open_rosters: Any, signed_in: Any) -> None:
    app = open_rosters(roster="1")
    roster = create_roster(signed_in, "Sales", "AAA111")
    app.run()
    app.text_area(key="rosters-replace-1-text-0").set_value("BBB222").run()
    app.button(key="rosters-replace").click().run()
    signed_in.workspace.journal.rosters.replace_entries(roster.id, [RosterEntry("EEE555"), RosterEntry("FFF666")])
    app.button(key="rosters-replace-dialog-confirm").click().run()
    assert "“Sales” has changed since you opened it" in page_text(app)
    assert list_locators(signed_in) == {"Sales": ["EEE555", "FFF666"]}
    assert app.button(key="rosters-replace").label == ":red[Replace 2 trips with 1 trip]"
    app.button(key="rosters-replace").click().run()
    app.button(key="rosters-replace-dialog-confirm").click().run()
    assert "has changed since" not in page_text(app)
    assert list_locators(signed_in) == {"Sales": ["BBB222"]}


def test_a_roster_is_created_from_the_rows_at_the_time_of_the_click(open_rosters: Any, signed_in: Any) -> None:
    app = open_rosters(roster="new").run()
    app.text_input(key="rosters-new-name").set_value("Sales").run()
    app.text_area(key="rosters-new-text-0").set_value("AAA111 BBB222").run()
    check = current_file(DRAFT, signed_in.workspace)
    check.skip_rows([1])
    app.button(key="rosters-make").click().run()
    assert list_locators(signed_in) == {"Sales": ["AAA111"]}


def test_a_roster_deleted_by_someone_else_is_reported_as_missing(open_rosters: Any, signed_in: Any) -> None:
    app = open_rosters(roster="1")
    roster = create_roster(signed_in)
    create_roster(signed_in, "Other")
    app.run()
    app.button(key="rosters-delete/1").click().run()
    signed_in.workspace.journal.rosters.delete(roster.id)
    app.button(key="rosters-delete-dialog-confirm").click().run()
    assert not app.exception
    assert [str(toast.value).replace("\\", "") for toast in app.toast] == ["Already gone: Sales."]
    assert list_locators(signed_in).keys() == {"Other"}


def test_an_organization_has_at_most_one_default_roster(open_rosters: Any, signed_in: Any) -> None:
    app = open_rosters(roster="1")
    create_roster(signed_in, "A")
    create_roster(signed_in, "B")
    rosters, actor = signed_in.workspace.journal.rosters, signed_in.workspace.actor

    def list_defaults() -> list[str]:
        return [each.name for each in rosters.list(actor.service, actor.organization_id) if each.is_default]

    rosters.set_default(actor, 2)
    app.run()
    app.button(key="rosters-default-1").click().run()
    assert list_defaults() == ["A"]
    assert app.button(key="rosters-default-1").label == "Remove default"
    app.button(key="rosters-default-1").click().run()
    assert list_defaults() == []


def test_a_roster_can_be_opened_on_the_map(open_rosters: Any, signed_in: Any) -> None:
    app = open_rosters(roster="2")
    first, second = create_roster(signed_in, "A"), create_roster(signed_in, "B", "CCC333")
    app.run()
    follow(app, "Open on the map")
    assert app.query_params["roster"] == str(second.id) != str(first.id)


def test_unreadable_rows_are_shown_before_a_roster_is_created(open_rosters: Any, signed_in: Any) -> None:
    app = open_rosters(roster="new").run()
    app.text_input(key="rosters-new-name").set_value("Sales").run()
    rows = [f"L{number},E{number},Ana {number}" for number in range(202)]
    rows[2] = 'L2,E2,"Ana 2'
    content = "\n".join(["locator,employee_id,name", *rows]).encode()
    app.file_uploader[0].set_value(("people.csv", content, "text/csv")).run()
    assert not app.exception
    assert "201 trips" in page_text(app)
    assert "1 row was skipped." in [warning.value for warning in app.warning]
    [problem] = tables(app)[0].to_dict("records")
    assert problem["row"] == "4"
    assert "quotation mark" in problem["message"]
    app.button(key="rosters-make").click().run()
    assert len(list_locators(signed_in)["Sales"]) == 201


def test_the_file_field_shows_the_size_limit_of_the_server(open_rosters: Any) -> None:
    [field] = open_rosters(roster="new").run().file_uploader
    assert field.proto.max_upload_size_mb == streamlit.get_option("server.maxUploadSize")


def test_no_roster_is_created_until_a_column_is_selected_for_the_record_locators(
    open_rosters: Any, signed_in: Any
) -> None:
    app = open_rosters(roster="new").run()
    app.text_input(key="rosters-new-name").set_value("Sales").run()
    app.file_uploader[0].set_value(("people.csv", b"name,Reise\nAna,AAA111\n", "text/csv")).run()
    assert "Select the column for “Record locator”" in page_text(app)
    app.button(key="rosters-make").click().run()
    assert list_locators(signed_in) == {}
    app.selectbox(key="rosters-new-column-record_locator").select("Reise").run()
    app.button(key="rosters-make").click().run()
    assert list_locators(signed_in) == {"Sales": ["AAA111"]}


def test_column_matches_are_reused_for_the_next_file(open_rosters: Any, signed_in: Any) -> None:
    app = open_rosters(roster="new").run()
    app.file_uploader[0].set_value(("march.csv", b"Abteilung,Reise\nAna,AAA111\n", "text/csv")).run()
    app.selectbox(key="rosters-new-column-record_locator").select("Reise").run()
    app.button(key="rosters-new-keep").click().run()
    assert "Enter a name" in page_text(app)
    app.text_input(key="rosters-new-keep-name").set_value("Agency A").run()
    app.button(key="rosters-new-keep").click().run()
    assert "Enter a name" not in page_text(app)
    app.button(key="rosters-new-remove").click().run()
    app.file_uploader[0].set_value(("april.csv", b"Abteilung,Reise\nBo,BBB222\n", "text/csv")).run()
    assert not app.exception
    assert app.table[0].value.to_numpy().tolist() == [["Record locator", "Reise"]]
    assert "Read with the profile “Agency A”" in page_text(app)
    app.button(key="rosters-new-profile-forget").click().run()
    assert app.selectbox(key="rosters-new-column-record_locator").value is None
    assert list_matches(signed_in.workspace, "roster") == {}


def test_a_file_and_a_pasted_text_are_parsed_once_and_not_in_every_run(
    open_rosters: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    contents = []
    read_source = import_declaration.read_source

    def count_and_read(name: str, content: str | bytes, **options: Any) -> Any:
        contents.append(content)
        return read_source(name, content, **options)

    monkeypatch.setattr(import_declaration, "read_source", count_and_read)
    app = open_rosters(roster="new").run()
    app.file_uploader[0].set_value(("people.csv", b"pnr\nAAA111\n", "text/csv")).run()
    app.text_area(key="rosters-new-text-0").set_value("BBB222").run()
    app.text_input(key="rosters-new-name").set_value("Sales").run()
    app.run()
    assert contents == [b"pnr\nAAA111\n", "BBB222"]
    app.text_area(key="rosters-new-text-0").set_value("CCC333").run()
    assert contents[2:] == ["CCC333"]
