"""After an import, on its screen: a roster, a comparison with the service, an undo, and the history that names it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from client.models.results import BatchFailure, BatchOutcome
from client.resources.itineraries import Itineraries
from domain.file_import.checking import Check
from domain.file_import.job import JOBS
from domain.runtime.screens import IMPORTS, TRIP_IMPORT
from domain.trips.trip_import.canceling import CANCELING
from domain.trips.trip_import.leftover_files import save_leftover
from domain.trips.trip_import.trip_declaration import TRIPS
from journal import JournalUnavailable, Ledger
from tests.app.presses import page_text, press, press_twice, run, title
from tests.app.tables import tables
from tests.contract.test_trips_after_import import trips_csv
from tests.contract.trips import CAR, trip
from tests.running_service import RunningService


class SentImport:
    """A file of trips that was sent from the screen."""

    def __init__(self, signed_in: Any, service: RunningService, *locators: str) -> None:
        self.signed_in = signed_in
        app = run(signed_in(service, TRIP_IMPORT.page))
        app.file_uploader[0].set_value(("agency.csv", trips_csv(*locators), "text/csv"))
        self.app = press(run(app), "trip-import-send")
        self.workspace = signed_in.workspace
        [self.job] = self.workspace.journal.ledger.jobs(self.workspace.actor, TRIPS.kind)
        assert self.job.counts == {"done": len(locators)}, page_text(self.app)

    def key(self, name: str) -> str:
        return f"trip-import-{self.job.id}-{name}"

    def list_ids(self, *locators: str) -> list[int]:
        references = self.workspace.client.itineraries.search(field_name="pnr", values=list(locators))
        return [each.id for each in references]


def test_added_trips_are_saved_as_a_roster_and_opened_on_the_map(signed_in: Any, service: RunningService) -> None:
    sent = SentImport(signed_in, service, "A1", "B2")
    # The field is drawn when its section opens, several runs later. Each run must have its initial value.
    assert run(sent.app).text_input(key=sent.key("roster-name")).proto.default == "agency"
    app = press(sent.app, sent.key("roster-save"))
    rosters = sent.workspace.journal.rosters.list(sent.workspace.actor.service, 8800)
    assert [(each.name, each.entry_count) for each in rosters] == [("agency", 2), ("Imported trips", 2)]
    assert sent.key("roster-save") not in [button.key for button in app.button]
    again = run(sent.signed_in.open_tab(TRIP_IMPORT.page))
    app = press(again, sent.key("roster-save"))
    assert "The roster was not saved. Another roster has the name “agency”." in page_text(app)


def test_differences_from_the_service_are_shown_per_trip(signed_in: Any, service: RunningService) -> None:
    sent = SentImport(signed_in, service, "A1", "B2")
    app = press(sent.app, sent.key("compare"))
    assert "The expected locations of 2 trips match the prediction." in page_text(app)
    [b2] = sent.list_ids("B2")
    sent.workspace.client.itineraries.update(b2, trip("B2", segments=[CAR]))
    app = press(app, sent.key("compare"))
    assert "of 1 trip match the prediction. The expected locations of 1 trip differ from the prediction." in page_text(
        app
    )


def test_an_import_is_undone_after_a_confirmation_with_count_and_names(signed_in: Any, service: RunningService) -> None:
    sent = SentImport(signed_in, service, "A1", "B2")
    app = press(sent.app, sent.key("compare"))
    assert "The expected locations of 2 trips match the prediction." in page_text(app)
    app = press(app, sent.key("undo"))
    assert "The service will delete 2 trips of this import: A1 (Ana Silva) and B2 (Ana Silva)." in page_text(app)
    assert "Muster will remove 2 trips from the roster “Imported trips”." in page_text(app)
    assert len(sent.list_ids("A1", "B2")) == 2
    app = press_twice(app, app.button(key=sent.key("undo-dialog-confirm")))
    assert sent.list_ids("A1", "B2") == []
    jobs = sent.workspace.journal.ledger.jobs(sent.workspace.actor, "trip_cancel")
    assert [(job.name, job.digest, dict(job.counts)) for job in jobs] == [("Undo of agency.csv", "", {"done": 2})]


def test_an_undone_import_is_reported_and_offers_no_actions(signed_in: Any, service: RunningService) -> None:
    sent = SentImport(signed_in, service, "A1", "B2")
    press(press(sent.app, sent.key("undo")), sent.key("undo-dialog-confirm"))
    again = run(sent.signed_in.open_tab(TRIP_IMPORT.page))
    undone = rf"Undone by {sent.workspace.actor.username}, .*: 2 of 2 canceled"
    assert re.search(rf"\*\*{undone}\*\* · 2 added", page_text(again)), page_text(again)
    assert {sent.key(action) for action in ("undo", "compare", "roster-save")}.isdisjoint(b.key for b in again.button)
    assert re.search(undone, again.selectbox[0].options[0])
    again.file_uploader[0].set_value(("agency.csv", trips_csv("A1", "B2"), "text/csv"))
    text = page_text(run(again))
    assert re.search(rf"This file was sent before: .*{undone}", text)
    assert "2 trips · 2 new" in text
    history = page_text(run(sent.signed_in.open_tab(IMPORTS.page, **{"import": str(sent.job.id)})))
    assert "2 trips added · 2 undone" in history
    assert re.search(undone, history)


def test_a_partly_undone_import_shows_the_number_and_can_be_undone_further(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = SentImport(signed_in, service, "A1", "B2")
    original = Itineraries.delete_batch

    def refuse_last(self: Itineraries, ids: list[int]) -> BatchOutcome:
        outcome = original(self, ids[:-1])
        return replace(outcome, failed=[BatchFailure(row=len(ids) - 1, message="Locked.")])

    with monkeypatch.context() as patch:
        patch.setattr(Itineraries, "delete_batch", refuse_last)
        press(press(sent.app, sent.key("undo")), sent.key("undo-dialog-confirm"))
    again = run(sent.signed_in.open_tab(TRIP_IMPORT.page))
    assert re.search(r"Partly undone by .*: 1 of 2 canceled\*\* · 2 added", page_text(again)), page_text(again)
    again = press(again, sent.key("compare"))
    assert "The expected locations of 1 trip match the prediction." in page_text(again)
    press(press(again, sent.key("undo")), sent.key("undo-dialog-confirm"))
    assert re.search(
        r"Undone by .*: 2 of 2 canceled\*\* · 2 added", page_text(run(sent.signed_in.open_tab(TRIP_IMPORT.page)))
    )


def test_trips_canceled_by_a_file_are_neither_added_nor_undoable(signed_in: Any, service: RunningService) -> None:
    sent = SentImport(signed_in, service, "A1")
    sent.app.file_uploader[0].set_value(("mixed.csv", trips_csv("-A1", "B2", "C3"), "text/csv"))
    app = press(run(sent.app), "trip-import-send")
    mixed, _ = sent.workspace.journal.ledger.jobs(sent.workspace.actor, TRIPS.kind)
    assert "Sent] · 2 added · 1 canceled" in page_text(app)
    app = press(app, f"trip-import-{mixed.id}-undo")
    assert "1 trip that this import canceled." in page_text(app)
    press(app, f"trip-import-{mixed.id}-undo-dialog-confirm")
    undone = r"Undone by .*: 2 of 2 canceled"
    assert re.search(
        rf"\*\*{undone}\*\* · 2 added · 1 canceled", page_text(run(sent.signed_in.open_tab(TRIP_IMPORT.page)))
    )
    history = page_text(run(sent.signed_in.open_tab(IMPORTS.page, **{"import": str(mixed.id)})))
    assert "2 imports of 2 files · 3 trips added · 1 canceled · 2 undone" in history
    assert re.search(undone, history)


def test_the_history_shows_a_status_and_is_searchable_by_hash(signed_in: Any, service: RunningService) -> None:
    sent = SentImport(signed_in, service, "A1")
    press(press(sent.app, sent.key("undo")), sent.key("undo-dialog-confirm"))
    history = run(sent.signed_in.open_tab(IMPORTS.page, **{"imports-search": sent.job.digest[:20]}))
    [row] = tables(history)[0].to_dict("records")
    assert (row["file"], row["state"], "digest" in row) == ("agency.csv", "Undone", False)


def test_an_empty_history_links_to_the_import(signed_in: Any, service: RunningService) -> None:
    assert title(press(run(signed_in(service, IMPORTS.page)), "imports-empty")) == "Import trips"


def test_trips_canceled_manually_are_not_undone_again(signed_in: Any, service: RunningService) -> None:
    sent = SentImport(signed_in, service, "A1")
    rows = [{"id": str(each), "locator": "A1"} for each in sent.list_ids("A1")]
    JOBS.begin(sent.workspace, Check.of_rows(CANCELING, "By hand", rows))
    again = run(sent.signed_in.open_tab(TRIP_IMPORT.page))
    assert "Sent] · 1 added" in page_text(again)
    again = press(again, sent.key("undo"))
    assert "There is nothing left to undo. 1 trip already canceled from Muster." in page_text(again)
    again.file_uploader[0].set_value(("more.csv", trips_csv("B2"), "text/csv"))
    again = press(run(again), "trip-import-send")
    assert "nothing left to undo" not in page_text(again), "that message is about another import"


def test_if_the_journal_cannot_be_written_nothing_is_undone(
    signed_in: Any, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = SentImport(signed_in, service, "A1")
    app = press(sent.app, sent.key("undo"))

    def fail(*_: Any, **__: Any) -> Any:
        raise JournalUnavailable("The journal’s database has no room left.")

    monkeypatch.setattr(Ledger, "begin", fail)
    app = press(app, sent.key("undo-dialog-confirm"))
    assert "Nothing was undone. The journal’s database has no room left." in page_text(app)
    assert len(sent.list_ids("A1")) == 1


def test_the_history_names_the_import_with_the_hash_of_its_file(signed_in: Any, service: RunningService) -> None:
    sent = SentImport(signed_in, service, "A1")
    app = run(sent.signed_in.open_tab(IMPORTS.page, **{"import": str(sent.job.id)}))
    assert "1 import of 1 file · 1 trip added" in page_text(app)
    assert sent.job.digest in page_text(app)


def test_a_file_of_a_watched_folder_opens_on_the_import_screen_and_is_gone_once_it_is_sent(
    signed_in: Any, service: RunningService
) -> None:
    app = run(signed_in(service, IMPORTS.page))
    content = trips_csv("A1", "B2")
    save_leftover(signed_in.workspace, "agency.csv", content, "Columns are missing: Record locator.")
    save_leftover(signed_in.workspace, "empty.csv", b"", "The file cannot be read.")
    assert "2 files from a watched folder need attention" in page_text(run(app))
    assert "agency.csv" in page_text(app)
    downloads: Any = app.get("download_button")
    assert [each.label for each in downloads if "leftover" in str(each.proto.id)] == ["Download", "Download"]
    [_, key] = [each.key for each in app.button if each.label == "Fix rows"]
    app = press(app, str(key))
    assert title(app) == "Import trips"
    press(app, "trip-import-send")
    history = page_text(run(signed_in.open_tab(IMPORTS.page)))
    assert "1 file from a watched folder needs attention" in history
