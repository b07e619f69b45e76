"""Assets on their screen: add from a file or a table, edit, and delete."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from client import NotAllowed, OutcomeUnknown
from client.models.assets import AssetBatchOutcome, AssetSuccess
from client.resources.assets import Assets
from components.preparedness.assets.asset_list import TASK
from domain.file_import.job import ALREADY_DELETED
from domain.preparedness.assets.asset_rows import find_deleted_assets, read_sent_assets
from domain.runtime.screens import ASSETS, JOURNAL
from journal import EntryFilters
from tests.app.following import follow
from tests.app.presses import page_text, press, run
from tests.app.tables import select_rows, tables
from tests.running_service import RunningService

OpenScreen = Callable[..., AppTest]
HEADINGS = "Name,External id,Asset type,Latitude,Longitude,City"


@pytest.fixture
def open_screen(signed_in: Any, service: RunningService) -> Iterator[OpenScreen]:
    """Open the screen: `app = opened("add")`."""

    def open_page(task: str = "list", **query: str) -> AppTest:
        parameters = query if task == "list" else {TASK.name: task, **query}
        first = not hasattr(signed_in, "workspace")
        return run(
            signed_in(service, ASSETS.page, **parameters) if first else signed_in.open_tab(ASSETS.page, **parameters)
        )

    return open_page


def make_rows(numbers: range) -> list[str]:
    return [f"Depot {number},D-{number},depot,47.{number},8.5,Zurich" for number in numbers]


def with_file(app: AppTest, *rows: str, headings: str = HEADINGS) -> AppTest:
    app.file_uploader[0].set_value(("assets.csv", "\n".join((headings, *rows)).encode(), "text/csv"))
    return run(app)


def add_assets(open_screen: OpenScreen, number: int) -> list[str]:
    """Add this number of assets from a file; return their IDs."""
    app = press(with_file(open_screen("add"), *make_rows(range(number))), "assets-add-send")
    assert f"{number} added" in page_text(app)
    ids: list[str] = tables(app)[-1]["id"].tolist()
    assert all(ids)
    return ids


def job_key(signed_in: Any, task: str, name: str) -> str:
    [job, *_] = signed_in.workspace.journal.ledger.jobs(signed_in.workspace.actor, f"asset_{task}")
    return f"assets-{task}-job-{job.id}-{name}"


def fix_cell(app: AppTest, task: str, row: int, column: str, text: str) -> AppTest:
    app.session_state["file-import.current"][f"assets-{task}"].fix_cell(row, column, text)
    return run(app)


def test_an_empty_asset_list_explains_assets_and_offers_to_add_them(open_screen: OpenScreen) -> None:
    app = open_screen()
    assert "An asset is a site, a vehicle" in page_text(app)
    app = press(app, "assets-empty")
    assert "Add assets" in [title.value for title in app.title]
    assert [button.label for button in app.get("download_button")][:1]  # type: ignore[attr-defined]


def test_assets_from_a_file_are_added_and_listed(open_screen: OpenScreen) -> None:
    ids = add_assets(open_screen, 3)
    app = open_screen()
    assert "3 assets added or edited in Muster" in page_text(app)
    assert tables(app)[0]["name"].tolist() == ["Depot 0", "Depot 1", "Depot 2"]
    assert len(app.get("deck_gl_json_chart")) == 1, "a map of all assets next to the list"
    app = open_screen(asset=ids[1])
    for text in ("Depot 1", "D-1", "Zurich", ids[1], "Muster cannot see changes made outside Muster"):
        assert text in page_text(app)
    assert len(app.get("deck_gl_json_chart")) == 1, "a map of the selected asset"


def test_assets_without_an_id_are_counted_but_not_listed(
    open_screen: OpenScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = AssetBatchOutcome(succeeded=[AssetSuccess(0, None), AssetSuccess(1, None)])
    monkeypatch.setattr(Assets, "create_batch", lambda *_: answer)
    press(with_file(open_screen("add"), *make_rows(range(2))), "assets-add-send")
    text = page_text(open_screen())
    assert "0 assets added or edited in Muster. 2 more assets have no ID from the service and cannot be" in text
    assert "first ones" not in text


@pytest.mark.parametrize("headings", ["Name,External id\n", ""], ids=["with headings", "without"])
def test_a_value_missing_from_the_file_can_be_entered_for_every_row(open_screen: OpenScreen, headings: str) -> None:
    app = open_screen("add")
    app.file_uploader[0].set_value(("sites.csv", f"{headings}Depot,D-1\nYard,D-2\n".encode(), "text/csv"))
    app = run(app)
    check = app.session_state["file-import.current"]["assets-add"]
    if not headings:
        check.toggle_headings()
    for place, name in enumerate(("name", "externalId")):
        check.match(name, [check.source.headers[place]])
    app = run(app)
    assert "Select the column for “Asset type”" in page_text(app)
    [same] = [each for each in app.text_input if "every row" in each.label]
    same.set_value("depot")
    app = run(app)
    assert "2 rows are ready" in page_text(app)
    assert check.rows.texts["assetTypeId"].tolist() == ["depot", "depot"]
    assert "Select the column for" in page_text(press(app, "assets-add-undo"))


def test_the_asset_sent_last_is_first_and_shows_its_properties(open_screen: OpenScreen) -> None:
    add_assets(open_screen, 1)
    row = 'Yard,Y-1,yard,47.5,8.5,Zurich,"{""Airport"": ""ZRH"", ""Floors"": 3}"'
    press(with_file(open_screen("add"), row, headings=f"{HEADINGS},Properties"), "assets-add-send")
    table = tables(open_screen())[0]
    assert table["name"].tolist() == ["Yard", "Depot 0"]
    assert "**Airport** ZRH" in (text := page_text(open_screen(asset=table.index[0])))
    assert "**Floors** 3" in text


def test_assets_can_be_typed_into_a_table_and_added(open_screen: OpenScreen) -> None:
    app = press(open_screen("add"), "assets-add-write")
    assert "0 rows are ready · 1 with errors" in page_text(app)
    press(app, "assets-add-add-row")
    for row in range(2):
        for column, text in (("name", f"Hut {row}"), ("externalId", f"H-{row}"), ("assetTypeId", "hut")):
            fix_cell(app, "add", row, column, text)
    app = press(app, "assets-add-send")
    assert "2 added" in page_text(app)


def test_a_rejected_asset_can_be_fixed_and_resent_alone(open_screen: OpenScreen, signed_in: Any) -> None:
    add_assets(open_screen, 2)
    app = press(with_file(open_screen("add"), *make_rows(range(1, 4))), "assets-add-send")
    assert "2 added · 1 failed" in page_text(app)
    results = tables(app)[-1]
    assert "External ID: An asset with externalId D-1 already exists." in results["reason"].tolist()
    app = press(app, job_key(signed_in, "add", "fix"))
    [shown] = [table for table in tables(app) if "externalId" in table and "reason" not in table]
    assert shown["name"].tolist() == ["Depot 1"]
    app = press(fix_cell(app, "add", 0, "externalId", "D-99"), "assets-add-send")
    assert "1 added" in page_text(app)
    assert "5 assets" in page_text(open_screen())


def test_selected_assets_are_edited_in_rows_with_all_their_values(open_screen: OpenScreen) -> None:
    ids = add_assets(open_screen, 3)
    app = select_rows(open_screen(), "assets", ids[0], ids[2])
    app = press(app, "assets-change-several")
    assert "Edit assets" in [title.value for title in app.title]
    assert "2 rows are ready" in page_text(app)
    app = press(fix_cell(app, "change", 1, "name", "Depot 2, renamed"), "assets-change-send")
    assert "Name from “Depot 2” to “Depot 2, renamed”" in page_text(app)
    assert "1 asset does not change." in page_text(app)
    app = press(app, "assets-change-send-dialog-confirm")
    assert "2 edited" in page_text(app)
    app = open_screen(asset=ids[2])
    assert "Depot 2, renamed" in page_text(app)
    assert "Zurich" in page_text(app), "an edit clears the fields that it leaves out"


def test_the_dialog_counts_values_that_an_edit_clears(open_screen: OpenScreen) -> None:
    ids = add_assets(open_screen, 9)
    without_city = [f"{asset},{row.rpartition(',')[0]}" for asset, row in zip(ids, make_rows(range(9)), strict=True)]
    headings = f"Asset id,{HEADINGS.rpartition(',')[0]}"
    app = press(with_file(open_screen("change"), *without_city, headings=headings), "assets-change-send")
    assert "City is cleared in 9 assets." in page_text(app)
    assert "“Depot 0”: City “Zurich” is cleared." in page_text(app)


def test_selected_assets_replace_unsent_rows_only_after_confirmation(open_screen: OpenScreen) -> None:
    """Selecting the same assets again keeps their corrections."""
    ids = add_assets(open_screen, 2)
    app = press(open_screen(asset=ids[0]), f"assets-change/{ids[0]}")
    fix_cell(app, "change", 0, "name", "Renamed")
    app = press(open_screen(asset=ids[0]), f"assets-change/{ids[0]}")
    assert "Renamed" in tables(app)[0]["name"].tolist()
    app = press(select_rows(open_screen(), "assets", ids[0], ids[1]), "assets-change-several")
    assert "1 row not sent yet" in page_text(app)
    app = press(app, "assets-change-instead-confirm")
    assert "Edit assets" in [title.value for title in app.title]
    assert tables(app)[0]["name"].tolist() == ["Depot 0", "Depot 1"]


def test_editing_a_missing_asset_fails_with_an_error_for_its_id(open_screen: OpenScreen) -> None:
    headings = f"Asset id,{HEADINGS}"
    app = press(
        with_file(open_screen("change"), f"none,{make_rows(range(1))[0]}", headings=headings), "assets-change-send"
    )
    assert "Muster has not sent these assets before. All their values will be overwritten: “Depot 0”." in page_text(app)
    app = press(app, "assets-change-send-dialog-confirm")
    assert "Asset ID: Asset none is not found." in tables(app)[-1]["reason"].tolist()


def test_selected_assets_are_deleted_after_a_dialog_names_them(open_screen: OpenScreen) -> None:
    ids = add_assets(open_screen, 3)
    app = press(select_rows(open_screen(), "assets", *ids[:2]), "assets-delete-several")
    press(app, "assets-delete-send")
    text = page_text(app)
    assert "Depot 0 and Depot 1." in text
    assert "so you can add the assets again" in text
    assert "cannot be undone" not in text
    app = press(app, "assets-delete-send-dialog-confirm")
    assert "2 deleted" in page_text(app)
    app = open_screen(asset=ids[0])
    assert "1 asset added or edited in Muster" in page_text(app)
    assert "or the asset was deleted" in page_text(app)


def test_deleted_assets_are_added_again_from_the_journal_with_all_their_values(
    open_screen: OpenScreen, signed_in: Any
) -> None:
    ids = add_assets(open_screen, 3)
    press(select_rows(open_screen(), "assets", *ids[:2]), "assets-delete-several")
    press(press(open_screen("delete"), "assets-delete-send"), "assets-delete-send-dialog-confirm")
    audit, actor = signed_in.workspace.journal.audit, signed_in.workspace.actor
    (deletion,) = audit.list(
        actor.service, actor.organization_id, filters=EntryFilters(subject_kind="asset_delete"), page_size=1
    )
    before = {each.name: each.payload for each in find_deleted_assets(signed_in.workspace, deletion.request["job"])}
    app = follow(run(signed_in.open_tab(JOURNAL.page, entry=str(deletion.id))), "Add the assets again")
    assert "Add assets" in [title.value for title in app.title]
    app = press(app, "assets-add-send")
    assert "2 added" in page_text(app)
    after = {each.name: each for each in read_sent_assets(signed_in.workspace, lambda *_: None).records}
    assert before.keys() == {"Depot 0", "Depot 1"}
    assert {name: after[name].payload for name in before} == before
    assert not {after[name].id for name in before} & set(ids)


def test_assets_that_muster_has_not_sent_cannot_be_added_again(open_screen: OpenScreen) -> None:
    app = press(with_file(open_screen("delete"), "other", headings="Asset id"), "assets-delete-send")
    assert "Muster has not sent these assets and cannot add them again. This cannot be undone." in page_text(app)


def test_an_asset_already_deleted_outside_muster_is_removed_from_the_list_when_deleted_again(
    open_screen: OpenScreen, signed_in: Any
) -> None:
    ids = add_assets(open_screen, 2)
    signed_in.workspace.client.assets.delete_batch(ids[:1])
    press(select_rows(open_screen(), "assets", *ids), "assets-delete-several")
    app = press(press(open_screen("delete"), "assets-delete-send"), "assets-delete-send-dialog-confirm")
    assert "2 deleted" in page_text(app)
    assert ALREADY_DELETED in tables(app)[-1]["reason"].tolist()
    assert read_sent_assets(signed_in.workspace, lambda *_: None).records == []


def test_a_job_waits_if_the_service_denies_access_to_the_organization(
    open_screen: OpenScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> None:
        raise NotAllowed("You have no access to this organization.", status=403)

    with monkeypatch.context() as patch:
        patch.setattr(Assets, "create_batch", refuse)
        app = press(with_file(open_screen("add"), *make_rows(range(2))), "assets-add-send")
    assert "You have no access to this organization. This batch was not sent." in page_text(app)
    assert "2 waiting" in page_text(app)


def test_assets_with_status_unknown_can_be_marked_as_not_added_and_resent(
    open_screen: OpenScreen, signed_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose_response(*_: Any) -> None:
        raise OutcomeUnknown("The answer was lost.")

    with monkeypatch.context() as patch:
        patch.setattr(Assets, "create_batch", lose_response)
        app = press(with_file(open_screen("add"), *make_rows(range(2))), "assets-add-send")
    assert "2 unknown" in page_text(app)
    audit, actor, unknown = signed_in.workspace.journal.audit, signed_in.workspace.actor, EntryFilters(state="unknown")
    assert audit.count(actor.service, actor.organization_id, filters=unknown) == 1
    app = press(app, job_key(signed_in, "add", "say-False"))
    assert audit.count(actor.service, actor.organization_id, filters=unknown) == 0
    app = press(app, job_key(signed_in, "add", "retry"))
    assert "2 added" in page_text(app)


def test_the_deletion_dialog_names_assets_from_a_file_of_ids(open_screen: OpenScreen, signed_in: Any) -> None:
    press(with_file(open_screen("add"), *make_rows(range(2))), "assets-add-send")
    history, actor = signed_in.workspace.journal.ledger_history, signed_in.workspace.actor
    assets = [(each.result_id, each.payload["name"]) for each in history.list_done(actor, ["asset_add"])]
    app = with_file(open_screen("delete"), *(str(asset_id) for asset_id, _ in assets), headings="Asset id")
    press(app, "assets-delete-send")
    assert all(name in page_text(app) for _, name in assets)
