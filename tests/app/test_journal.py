"""The journal screen: empty, filled, filtered, the details of an entry, and changes with status Unknown."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.journal.entry_list import CUSTOM, period_bounds
from components.journal.unknown_reminder import draw_unknown_reminder
from components.shell import sidebar
from components.trips.editor.trip_form import EDITOR
from domain.edits.edit import Edit
from domain.edits.journal_texts import ACTIONS, SUBJECTS
from domain.edits.journaled_calls import resolve_entry
from domain.edits.removals import Removal
from domain.edits.stored_drafts import save
from domain.file_import.import_declaration import ImportDeclaration
from domain.runtime import screens
from domain.trips.editor.form_state import TripDraft
from domain.trips.editor.trip_change import TRIP_EDIT
from journal import Actor, NewItem, RosterEntry
from tests.app.following import follow
from tests.app.presses import press_twice
from tests.app.tables import tables
from tests.declared import list_declared
from tests.running_service import RunningService

PAGE = screens.JOURNAL.page


def page_text(app: AppTest) -> str:
    """Return all text on the screen."""
    kinds = ("title", "header", "markdown", "caption", "info", "warning", "error", "code")
    return "\n".join(str(element.value) for kind in kinds for element in app.get(kind))


def write_entry(
    signed_in: Any,
    *,
    name: str = "WSVM7K",
    action: str = "itinerary.create",
    state: str | None = "succeeded",
    **options: Any,
) -> int:
    workspace = signed_in.workspace
    audit = workspace.journal.audit
    entry_id: int = audit.begin(
        options.pop("actor", workspace.actor),
        action,
        subject_kind="itinerary",
        subject_name=name,
        request={"itinerary": {"pnr": name, "password": "hunter2"}},
    )
    if state is not None:
        audit.finish(entry_id, state=state, **options)
    return entry_id


def list_rows(app: AppTest) -> list[dict[str, Any]]:
    return tables(app)[0].to_dict("records")


@pytest.fixture
def open_journal(signed_in: Any, service: RunningService) -> Any:
    """Open an empty journal, which the test fills before `run()`."""

    def open_page(**query: str) -> AppTest:
        return signed_in(service, PAGE, **query)

    return open_page


def test_an_empty_journal_explains_itself(open_journal: Any) -> None:
    app = open_journal().run()
    assert not app.exception
    assert "lists every change that was made in Muster" in page_text(app)
    assert not tables(app)


def test_entries_are_listed_newest_first_in_plain_words(open_journal: Any, signed_in: Any) -> None:
    app = open_journal()
    write_entry(signed_in)
    write_entry(signed_in, name="QX2R9T", action="itinerary.cancel", state="refused")
    app.run()
    assert not app.exception
    assert "2 entries · 0 with status Unknown" in page_text(app)
    shown = [(row["what"], row["subject"], row["outcome"], row["who"]) for row in list_rows(app)]
    assert shown == [
        ("Cancel a trip", "QX2R9T", "Failed", "ana"),
        ("Add a trip", "WSVM7K", "Sent", "ana"),
    ]


def test_every_journaled_subject_and_action_has_a_label() -> None:
    sent = [each for each in list_declared(ImportDeclaration) if each.sending is not None]
    journaled = {(each.kind, f"{each.kind}.import") for each in sent}
    journaled |= {(each.kind, each.action) for each in list_declared(Removal)}
    for change in list_declared(Edit):
        new = change.draft_model()
        changed = new.model_copy(update=dict.fromkeys(("itinerary_id", "filter_id", "mapping_id"), 7))
        journaled |= {(change.kind, change.action(draft)) for draft in (new, changed)}
    assert {kind for kind, _ in journaled} - set(SUBJECTS) == set()
    assert {action for _, action in journaled} - set(ACTIONS) == set()


@pytest.mark.parametrize("kind", [each.kind for each in list_declared(ImportDeclaration) if each.sending is not None])
def test_the_entry_of_a_file_links_to_its_results(service: RunningService, signed_in: Any, kind: str) -> None:
    app = signed_in(service, PAGE, token=service.token())
    workspace, rows = signed_in.workspace, [NewItem({}, [(1, ["x"])], "one")]
    settings = {"headers": ["x"], "columns": {}, "reading": {}}
    for name in ("first", "second"):
        run = workspace.journal.ledger.begin(workspace.actor, kind, name, rows, settings=settings)
        workspace.journal.ledger.ask(workspace.actor, run.job_id, "stopped")
        workspace.journal.ledger.end(run)
        entry = workspace.journal.audit.begin(
            workspace.actor, f"{kind}.import", subject_kind=kind, subject_name=name, request={"job": run.job_id}
        )
        workspace.journal.audit.finish(entry, state="succeeded")
    app.query_params["entry"] = str(entry - 1)
    app = follow(app.run(), "Show the status of each row")
    (shown,) = (each for each in app.selectbox if each.label == "Sent files")
    assert shown.value == str(run.job_id - 1)


def test_changes_with_status_unknown_are_reported_once(open_journal: Any, signed_in: Any) -> None:
    app = open_journal()
    write_entry(signed_in)
    write_entry(signed_in, name="LOST01", state="unknown", message="The response was lost.")
    app.run()
    assert "2 entries · 1 with status Unknown" in page_text(app)
    assert not app.warning, "the frame shows the notice, on every screen"
    app.selectbox(key="journal-outcome").set_value("Unknown").run()
    assert [row["subject"] for row in list_rows(app)] == ["LOST01"]


def test_a_link_to_a_roster_opens_that_roster(open_journal: Any, signed_in: Any) -> None:
    app = open_journal(entry="1")
    workspace = signed_in.workspace
    first, second = (
        workspace.journal.rosters.create(workspace.actor, name, [RosterEntry("NOBODY")]) for name in ("A", "B")
    )
    entry_id = workspace.journal.audit.begin(
        workspace.actor, "roster.rename", subject_kind="roster", subject_id=str(second.id), subject_name="B"
    )
    workspace.journal.audit.finish(entry_id, state="succeeded")
    app.run()
    follow(app, "Open the roster on the map")
    assert app.query_params["roster"] == str(second.id) != str(first.id)


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"journal-text": "lost01"}, ["LOST01"]),
        ({"journal-person": "ben"}, ["LOST01"]),
        ({"journal-action": "Add a trip"}, ["WSVM7K"]),
        ({"journal-outcome": "Sent"}, ["WSVM7K"]),
        ({"journal-period": "Today"}, ["LOST01", "WSVM7K"]),
        ({"journal-person": "ana", "journal-outcome": "Unknown"}, []),
        ({"journal-person": "somebody who left"}, []),
        ({"journal-action": "Paint a trip"}, []),
    ],
)
def test_url_parameters_filter_the_list(
    open_journal: Any, signed_in: Any, query: dict[str, str], names: list[str]
) -> None:
    app = open_journal(**query)
    ben = Actor(signed_in.workspace.actor.service, signed_in.workspace.actor.organization_id, "ben")
    write_entry(signed_in)
    write_entry(signed_in, name="LOST01", action="itinerary.update", state="unknown", actor=ben)
    app.run()
    assert not app.exception
    assert ([row["subject"] for row in list_rows(app)] if names else []) == names
    if not names:
        assert "No entry matches" in page_text(app)
        app.button(key="journal-clear").click().run()
        assert len(list_rows(app)) == 2


def test_an_entry_shows_its_request_and_response(open_journal: Any, signed_in: Any) -> None:
    app = open_journal(entry="1")
    entry_id = write_entry(signed_in, answer={"id": 2**60, "token": "hunter2"}, message="OK", subject_id=str(2**60))
    assert entry_id == 1
    app.run()
    assert not app.exception
    assert app.header[0].value == r"Add a trip\: WSVM7K"
    request, response = (block.value for block in app.code)
    assert '"pnr": "WSVM7K"' in request
    assert str(2**60) in response
    assert "hunter2" not in request + response
    assert list(app.query_params["entry"]) == ["1"]


def test_changing_the_filters_closes_the_open_entry(open_journal: Any, signed_in: Any) -> None:
    app = open_journal(entry="1")
    write_entry(signed_in)
    write_entry(signed_in, name="QX2R9T")
    app.run()
    assert app.header[0].value == r"Add a trip\: WSVM7K"
    app.text_input(key="journal-text").set_value("qx2").run()
    assert not app.exception
    assert not app.header


def test_an_entry_with_status_unknown_says_to_check_before_retrying(open_journal: Any, signed_in: Any) -> None:
    app = open_journal(entry="1")
    write_entry(signed_in, state="unknown")
    app.run()
    assert any("may or may not have been made" in warning.value for warning in app.warning)


@pytest.mark.parametrize(("state", "label"), [("succeeded", "Mark as sent"), ("not sent", "Mark as not sent")])
def test_a_user_who_checked_can_record_the_result(open_journal: Any, signed_in: Any, state: str, label: str) -> None:
    app = open_journal(entry="1")
    write_entry(signed_in, state="unknown")
    app.run()
    (decide,) = (button for button in app.button if button.label == label)
    press_twice(app, decide)
    audit, actor = signed_in.workspace.journal.audit, signed_in.workspace.actor
    assert [entry.state for entry in audit.list(actor.service, actor.organization_id)] == [state, "unknown"]
    assert "0 with status Unknown" in page_text(app)
    assert "A later entry has the result" in page_text(app)
    assert not [button for button in app.button if button.label == label]


@pytest.mark.parametrize("is_own", [True, False])
def test_a_change_from_a_draft_is_resolved_by_its_sender_in_the_editor(
    open_journal: Any, signed_in: Any, service: RunningService, is_own: bool
) -> None:
    """A colleague cannot open the draft and resolves the entry in the journal."""
    app = open_journal(entry="1")
    workspace = signed_in.workspace
    draft = TripDraft(record_locator="WSVM7K")
    save(workspace, TRIP_EDIT, draft, seen=None)
    actor = workspace.actor if is_own else Actor(workspace.actor.service, workspace.actor.organization_id, "ben")
    audit = workspace.journal.audit
    entry = audit.begin(actor, "itinerary.create", subject_kind="itinerary", request={"draft": draft.uid})
    audit.finish(entry, state="unknown")
    assert is_own is not bool([button for button in app.run().button if button.label == "Mark as sent"])
    if is_own:
        app = follow(app, "Show status")
        assert app.session_state[EDITOR.draft.name].record_locator == "WSVM7K"


@pytest.mark.parametrize("entry", ["99", "x", "-1", "9" * 30])
def test_a_missing_entry_is_reported(open_journal: Any, signed_in: Any, entry: str) -> None:
    app = open_journal(entry=entry)
    write_entry(signed_in)
    app.run()
    assert not app.exception
    assert "has no entry" in page_text(app) or "is not the ID of an entry" in page_text(app)


def test_entries_of_another_organization_cannot_be_listed_or_opened(open_journal: Any, signed_in: Any) -> None:
    app = open_journal(entry="1")
    stranger = Actor(signed_in.workspace.actor.service, 9900, "eve")
    write_entry(signed_in, name="SECRET", actor=stranger)
    write_entry(signed_in)
    app.run()
    assert [row["subject"] for row in list_rows(app)] == ["WSVM7K"]
    assert "has no entry" in page_text(app)
    assert "SECRET" not in page_text(app)


def test_a_long_journal_is_paginated(open_journal: Any, signed_in: Any) -> None:
    app = open_journal()
    for number in range(53):
        write_entry(signed_in, name=f"TRIP{number:02}")
    app.run()
    assert "1–50 of 53 entries" in page_text(app)
    assert len(list_rows(app)) == 50
    app.session_state["journal-page"] = 2
    app.run()
    assert not app.exception
    assert "51–53 of 53 entries" in page_text(app)
    assert [row["subject"] for row in list_rows(app)] == ["TRIP02", "TRIP01", "TRIP00"]
    app.text_input(key="journal-text").set_value("trip01").run()
    assert not app.exception
    assert [row["subject"] for row in list_rows(app)] == ["TRIP01"]


def test_markdown_in_names_is_escaped(open_journal: Any, signed_in: Any) -> None:
    app = open_journal(entry="1")
    write_entry(signed_in, name="**x** :red[y]", message="<b>no</b>", state="refused")
    app.run()
    assert app.header[0].value == r"Add a trip\: \*\*x\*\* \:red\[y\]"


def test_a_period_that_ends_on_the_last_calendar_day_has_no_end() -> None:
    now = datetime(2026, 11, 20, tzinfo=UTC)
    assert period_bounds(CUSTOM, now, date(2026, 1, 1), date.max) == (datetime(2026, 1, 1, tzinfo=UTC), None)
    assert period_bounds(CUSTOM, now, date.max, date(2026, 1, 1)) == (datetime(2026, 1, 1, tzinfo=UTC), None)


def test_changes_with_status_unknown_are_reported_on_every_screen_until_resolved(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sidebar, "REMINDERS", [draw_unknown_reminder])
    app: AppTest = signed_in(service, screens.CONNECTION.page)
    audit, actor = signed_in.workspace.journal.audit, signed_in.workspace.actor
    entry = audit.begin(actor, "itinerary.create", subject_kind="itinerary", subject_name="WSVM7K")
    audit.finish(entry, state="unknown")
    app.run()
    assert "**1 change has status Unknown.**" in str([each.value for each in app.main.warning])
    resolve_entry(signed_in.workspace, audit.retrieve(entry), "succeeded")
    app.run()
    assert "status Unknown" not in str([each.value for each in app.main.warning])
