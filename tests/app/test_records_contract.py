"""The behavior that all record lists share, tested on each declared list.

Add a line in `LISTS` for each new list.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
import pytest
from sqlalchemy import select
from streamlit.testing.v1 import AppTest

from client import ServiceFailed
from client.resources.contact_filters import ContactFilters
from client.resources.crisis_templates import CrisisTemplates
from client.resources.lookup_mappings import LookupMappings
from client.resources.notification_categories import NotificationCategories
from client.resources.notification_events import NotificationEvents
from client.resources.notifications import Notifications
from components.alerts.composer.alert_template_list import ALERT_TEMPLATE_LIST
from components.alerts.notifications.named_records_screen import CATEGORIES, EVENTS
from components.alerts.notifications.sent_list import SENT
from components.filters.list.contact_filter_list import CONTACT_FILTERS
from components.filters.list.name_list import ID_NAMES
from components.journal.entry_list import JOURNAL
from components.mappings.mapping_list import MAPPINGS
from components.preparedness.assets.asset_list import ASSETS
from components.preparedness.shape_library.region_list import REGIONS
from components.preparedness.task_lists.template_list import TEMPLATES
from components.record_list import list_and_detail, list_filters
from components.record_list.declaration import AllRecords, RecordList
from components.record_list.filter_controls import SearchFilter
from components.trips.rosters.roster_list import ROSTERS
from components.trips.trip_import.import_history import IMPORTS
from domain.alerts.recipients.region_catalog import region_lookups
from domain.filters.names.stored_names import change_names
from domain.preparedness.assets.asset_rows import ADD
from domain.preparedness.shape_library.sent_regions import SUBJECT, UPLOAD
from domain.runtime import screens
from domain.runtime.background import BackgroundReads
from domain.runtime.screens import Screen
from domain.runtime.workspace import Workspace
from domain.trips.trip_import.trip_declaration import TRIPS
from journal import AuditTrail, ItemStatus, JournalUnavailable, Ledger, LedgerHistory, NewItem, RosterEntry
from journal.rosters import Rosters
from journal.tables import ledger_items, ledger_jobs
from journal.versioned_records import VersionedRecords
from tests.app.badges import ACTIONS, ALL, BADGES, COLOR, DELETED_IDS, OUTAGES, QUERIES, UNREADABLE_IDS
from tests.app.presses import page_text, run
from tests.app.tables import select_rows, tables
from tests.declared import list_declared
from tests.running_service import RunningService


@dataclass(frozen=True)
class ListCase:
    """A list, its screen, and the method that reads it.

    `create_records` creates records where the demo organization has none. `load_names` waits for names that are loaded
    separately and redraw the page.
    """

    declaration: RecordList[Any]
    screen: Screen
    read_method: tuple[type, str]
    create_records: Callable[[Workspace], None] = field(default=lambda _: None)
    needs_token: bool = False
    load_names: Callable[[Workspace], object] = field(default=lambda _: None)

    @property
    def is_local(self) -> bool:
        """Whether the list is read from Muster's own journal."""
        return self.declaration.source.max_age is None

    def __str__(self) -> str:
        return self.declaration.key


def make_rosters(workspace: Workspace) -> None:
    for number in range(60):
        entries = [RosterEntry(f"A{number}B{each}") for each in range(number % 7)]
        workspace.journal.rosters.create(workspace.actor, f"Team {number:02}", entries)


def save_alert_templates(workspace: Workspace) -> None:
    for number in range(60):
        payload = {"category": "Infra", "event": "Gas Leak", "sms": f"Leave street {number}."}
        workspace.journal.versioned_records.save(workspace.actor, "ready_alert", f"Gas leak {number:02}", payload)


def write_entries(workspace: Workspace) -> None:
    for number in range(60):
        entry = workspace.journal.audit.begin(
            workspace.actor, "roster.create", subject_kind="roster", subject_name=f"Team {number:02}"
        )
        workspace.journal.audit.finish(entry, state="succeeded")


def add_assets(workspace: Workspace) -> None:
    ledger = workspace.journal.ledger
    assets = [{"name": f"Depot {number:02}", "externalId": f"D-{number}"} for number in range(60)]
    run_ = ledger.begin(workspace.actor, ADD.kind, "assets.csv", [NewItem(asset) for asset in assets])
    ledger.claim(run_, lambda _: 60)
    ledger.write(run_, {place: ItemStatus("done", f"id-{place}") for place in range(60)})
    ledger.end(run_)


def send_regions(workspace: Workspace) -> None:
    for number in range(60):
        request = {"folder": "Zones", "fileName": "zones.zip", "bytes": 2**19, "features": number}
        name = f"Zone {number:02}"
        entry = workspace.journal.audit.begin(
            workspace.actor, UPLOAD, subject_kind=SUBJECT, subject_name=name, request=request
        )
        workspace.journal.audit.finish(entry, state="succeeded")


def send_imports(workspace: Workspace) -> None:
    ledger = workspace.journal.ledger
    run_ = ledger.begin(workspace.actor, TRIPS.kind, "agency-00.csv", [NewItem({"pnr": "A1"})], digest="0" * 64)
    ledger.claim(run_, lambda _: 1)
    ledger.write(run_, {0: ItemStatus("done", "0")})
    ledger.end(run_)
    # The others are copies of the first. Other tests cover how imports are recorded.
    with ledger._database.writing() as connection:
        [job] = connection.execute(select(ledger_jobs)).mappings()
        [item] = connection.execute(select(ledger_items)).mappings()
        own = [{"id": job["id"] + n, "name": f"agency-{n:02}.csv", "digest": f"{n:064}"} for n in range(1, 60)]
        connection.execute(ledger_jobs.insert(), [{**job, **each} for each in own])
        connection.execute(ledger_items.insert(), [{**item, "job_id": each["id"]} for each in own])


def name_groups(workspace: Workspace) -> None:
    change_names(workspace, {"group": {number: f"Team {number:03}" for number in range(1, 61)}})


LISTS = [
    ListCase(ID_NAMES, screens.ID_NAMES, (VersionedRecords, "list"), name_groups),
    ListCase(CONTACT_FILTERS, screens.CONTACT_FILTERS, (ContactFilters, "list")),
    ListCase(EVENTS, screens.NOTIFICATION_EVENTS, (NotificationEvents, "list")),
    ListCase(CATEGORIES, screens.NOTIFICATION_CATEGORIES, (NotificationCategories, "list")),
    ListCase(
        SENT,
        screens.NOTIFICATIONS,
        (Notifications, "list"),
        load_names=lambda workspace: region_lookups(workspace).wait(),
    ),
    ListCase(JOURNAL, screens.JOURNAL, (AuditTrail, "list"), write_entries),
    ListCase(MAPPINGS, screens.LOOKUP_MAPPINGS, (LookupMappings, "search"), needs_token=True),
    ListCase(ASSETS, screens.ASSETS, (LedgerHistory, "count_done_writes"), add_assets),
    ListCase(TEMPLATES, screens.CRISIS_TEMPLATES, (CrisisTemplates, "list")),
    ListCase(ROSTERS, screens.ROSTERS, (Rosters, "list"), make_rosters),
    ListCase(ALERT_TEMPLATE_LIST, screens.ALERT_TEMPLATES, (VersionedRecords, "list"), save_alert_templates),
    ListCase(IMPORTS, screens.IMPORTS, (Ledger, "jobs"), send_imports),
    ListCase(REGIONS, screens.SHAPE_LIBRARY, (AuditTrail, "list"), send_regions),
]
every_list = pytest.mark.parametrize("case", LISTS, ids=str)
lists_of_the_service = pytest.mark.parametrize("case", [each for each in LISTS if not each.is_local], ids=str)

OpenList = Callable[..., AppTest]


def test_every_record_list_is_tested() -> None:
    assert {case.declaration.key for case in LISTS} == {records.key for records in list_declared(RecordList)}


@pytest.fixture
def open_list(signed_in: Any, demo_service: RunningService) -> OpenList:
    """Open a list of the demo organization, with something to show."""

    def open_page(case: ListCase, **query: Any) -> AppTest:
        token = demo_service.token() if case.needs_token else None
        app: AppTest = signed_in(demo_service, case.screen.page, token=token, **query)
        case.create_records(signed_in.workspace)
        case.load_names(signed_in.workspace)
        return run(app)

    return open_page


def press(app: AppTest, label: str) -> AppTest:
    """Click the button with this label."""
    next(each for each in app.button if each.label.replace("\\", "") == label).click()
    return run(app)


def read_parameter(app: AppTest, name: str) -> list[str]:
    """Return the values of a URL parameter."""
    value = app.query_params.get(name, [])
    return [value] if isinstance(value, str) else list(value)


def list_columns(case: ListCase) -> list[str]:
    """Return the columns of a list. Next to a side panel, secondary columns are hidden."""
    has_side_panel = case.declaration.draw_side_panel is not None
    columns = case.declaration.columns.items()
    return [name for name, column in columns if not (column.is_hidden or (has_side_panel and column.is_secondary))]


def list_ids(app: AppTest) -> list[str]:
    return [str(each) for each in tables(app)[0].index]


@every_list
def test_a_list_shows_its_first_page_and_the_number_of_records(case: ListCase, open_list: OpenList) -> None:
    app = open_list(case)
    assert app.title[0].value == case.screen.heading
    assert any(noun in page_text(app) for noun in case.declaration.noun)
    [table] = tables(app)
    assert list(table.columns) == list_columns(case)
    assert len(table) > 1
    buttons: Any = app.get("download_button")
    formats = ["CSV", "XLSX"] if case.declaration.make_json is None else ["CSV", "XLSX", "JSON"]
    assert [each.label for each in buttons] == formats
    one, many = case.declaration.noun
    assert one != many
    if isinstance(case.declaration.source, AllRecords) and case.declaration.source.search:
        names = list(table[case.declaration.source.search[0]])
        own = next(name for name in names if sum(name in each for each in names) == 1)
        app.text_input(key=f"{case.declaration.key}-find").set_value(own)
        assert any(re.fullmatch(rf"1 of \d+ {many}", each.value) for each in run(app).caption)


@every_list
def test_an_empty_list_explains_itself(case: ListCase, signed_in: Any, service: RunningService) -> None:
    app = run(signed_in(service, case.screen.page, token=service.token() if case.needs_token else None))
    assert case.declaration.empty_message in page_text(app)
    assert not [each for each in tables(app) if len(each)]
    assert not app.error


@every_list
def test_a_selected_record_is_shown_next_to_the_list_and_is_in_the_url(
    case: ListCase, open_list: OpenList, signed_in: Any
) -> None:
    app = open_list(case)
    wanted = list_ids(app)[1]
    select_rows(app, case.declaration.key, wanted)
    assert not app.exception
    assert read_parameter(app, case.declaration.url_parameter) == [wanted]
    assert app.header
    headings = [each.value for each in app.header]
    again = run(signed_in.open_tab(case.screen.page, **{case.declaration.url_parameter: wanted}))
    assert [each.value for each in again.header] == headings


@pytest.mark.parametrize("case", [each for each in LISTS if each.declaration.subject_kind], ids=str)
def test_a_change_with_status_unknown_is_listed_first_with_a_link_to_check_it(
    case: ListCase, open_list: OpenList, signed_in: Any
) -> None:
    app = open_list(case)
    audit, actor = signed_in.workspace.journal.audit, signed_in.workspace.actor
    kind = case.declaration.subject_kind
    audit.begin(actor, f"{kind}.create", subject_kind=kind, subject_name="Under way")
    entry = audit.begin(actor, f"{kind}.create", subject_kind=kind, subject_name="Lost response")
    audit.finish(entry, state="unknown")
    app = run(app)
    first = next(each.proto for each in app.main.get("page_link") if each.proto.label.startswith("Check "))
    assert (first.label, first.query_string) == ("Check Lost response", f"entry={entry}")
    assert ":orange-badge[:material/help: Unknown]" in page_text(app)
    assert "**Lost response**" in page_text(app)
    assert "Check Under way" not in [each.proto.label for each in app.get("page_link")]


@every_list
def test_a_missing_id_in_the_url_is_reported_and_opens_no_other_record(case: ListCase, open_list: OpenList) -> None:
    app = open_list(case)
    for record_id in ("987654321", "9" * 5000, "*x*"):
        app.query_params[case.declaration.url_parameter] = record_id
        run(app)
        assert not app.header
        assert not app.error
        (message,) = [
            each.value for each in app.info if record_id[:9].replace("*", "\\*") in each.value.replace("\\-", "-")
        ]
        assert len(message) < 400
        assert tables(app)


@every_list
def test_sorting_applies_to_all_records_not_only_to_the_page(
    case: ListCase, open_list: OpenList, signed_in: Any
) -> None:
    if not isinstance(case.declaration.source, AllRecords):
        return
    open_list(case)
    records = case.declaration.source.read(signed_in.workspace, lambda *_: None).records
    for name, column in case.declaration.columns.items():
        if column.is_hidden:
            continue
        app = run(signed_in.open_tab(case.screen.page, **{f"{case.declaration.key}-sort": f"{name} descending"}))
        sort_values = {case.declaration.identity(each): (column.sort_value or column.value)(each) for each in records}
        ids = list_ids(app)
        values = [sort_values[each] for each in ids]
        assert [value is None for value in values] == sorted(value is None for value in values)
        sorted_values = [sort_key(value) for value in values if value is not None]
        assert sorted_values == sorted(sorted_values, reverse=True)
        all_values = [sort_key(value) for value in sort_values.values() if value is not None]
        assert sorted_values[:1] == sorted(all_values, reverse=True)[:1]


def sort_key(value: Any) -> Any:
    """Return a sort key that ignores case and sorts IDs as numbers."""
    if not isinstance(value, str):
        return value
    return (len(value), value) if value.isdecimal() else (0, value.casefold())


@every_list
def test_a_download_has_all_rows_of_the_list_and_a_page_beyond_the_end_is_the_last(
    case: ListCase, open_list: OpenList, signed_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_builders: list[Callable[[], pd.DataFrame]] = []
    for name in ("download_menu", "download_items"):
        monkeypatch.setattr(list_and_detail, name, lambda table, *_, **__: table_builders.append(table))
    app = open_list(case)
    beyond = run(signed_in.open_tab(case.screen.page, **{f"{case.declaration.key}-page": "999"}))
    assert list_ids(beyond)
    assert not beyond.error
    [table] = tables(app)
    file = table_builders[0]()
    assert len(file) >= len(table)
    for name, column in case.declaration.columns.items():
        assert column.heading in file.columns or column.heading is None
        if name in list_columns(case) and column.heading is not None:
            in_file = [
                case.declaration.placeholder if pd.isna(value) else column.format_value(value)
                for value in file[column.heading]
            ]
            assert in_file[: len(table)] == list(table[name])


@every_list
def test_a_list_that_cannot_be_read_is_reported_and_can_be_retried(
    case: ListCase, open_list: OpenList, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = JournalUnavailable("gone") if case.is_local else ServiceFailed("gone")
    with monkeypatch.context() as patch:
        patch.setattr(*case.read_method, raise_always(error))
        app = open_list(case)
        assert ("journal is not available" if case.is_local else "The service failed.") in page_text(app)
        assert not [each for each in tables(app) if len(each)]
    app = press(app, "Retry")
    assert not app.error
    assert len(tables(app)[0]) > 1


def raise_always(error: Exception) -> Callable[..., Any]:
    def fail(*_: Any, **__: Any) -> Any:
        raise error

    return fail


@lists_of_the_service
def test_loaded_records_stay_if_a_refresh_fails(
    case: ListCase, open_list: OpenList, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_list(case)
    before = list_ids(app)
    monkeypatch.setattr(*case.read_method, raise_always(ServiceFailed("gone")))
    press(app, "Refresh")
    assert list_ids(app) == before
    assert "Muster shows what was loaded" in page_text(app)
    assert app.error


@lists_of_the_service
def test_a_slow_list_shows_progress_and_blocks_nothing(
    case: ListCase, open_list: OpenList, monkeypatch: pytest.MonkeyPatch
) -> None:
    go = threading.Event()
    kind, name = case.read_method
    original = getattr(kind, name)

    def wait_and_read(*arguments: Any, **query: Any) -> Any:
        assert go.wait(60)
        return original(*arguments, **query)

    monkeypatch.setattr(kind, name, wait_and_read)
    monkeypatch.setattr(BackgroundReads, "patience", 0.0)
    app = open_list(case)
    try:
        assert not tables(app)
        assert f"Loading the {case.declaration.noun[1]}" in app.get("progress")[0].proto.text  # type: ignore[union-attr]
    finally:
        go.set()
    monkeypatch.setattr(BackgroundReads, "patience", 60.0)
    assert len(tables(run(app))[0]) > 1


@every_list
def test_a_search_is_in_the_url_and_can_be_cleared(case: ListCase, open_list: OpenList) -> None:
    find = next((each for each in list_filters.filters_of(case.declaration) if isinstance(each, SearchFilter)), None)
    if find is None:
        return
    app = open_list(case)
    before = list_ids(app)
    app.text_input(key=find.field.widget_key).set_value("nothing is called so")
    run(app)
    assert read_parameter(app, find.field.name) == ["nothing is called so"]
    assert not [each for each in tables(app) if len(each)]
    press(app, "Clear filters")
    assert find.field.name not in app.query_params
    assert list_ids(app) == before


@pytest.fixture
def open_badges() -> Iterator[Callable[..., AppTest]]:
    """Open a list that the service searches, sorts, and paginates."""

    def script() -> None:
        from tests.app.badges import draw_list

        draw_list()

    def open_page(**query: Any) -> AppTest:
        app = AppTest.from_function(script, default_timeout=30)
        for name, value in query.items():
            app.query_params[name.replace("_", "-")] = value
        return run(app)

    yield open_page
    for state in (QUERIES, OUTAGES, ACTIONS, DELETED_IDS, UNREADABLE_IDS):
        state.clear()


def list_numbers(app: AppTest) -> list[int]:
    return [int(number) for number in tables(app)[0]["number"]]


def test_the_url_sets_the_page_size_and_the_order_that_the_service_returns(open_badges: OpenList) -> None:
    assert list_numbers(open_badges()) == list(range(119, 99, -1))
    app = open_badges(badges_size="50", badges_sort="number ascending", badges_page="2")
    assert list_numbers(app) == list(range(50, 100))
    app.selectbox(key="badges-size").set_value("20")
    assert list_numbers(run(app)) == list(range(20)), "another size shows the first page"
    assert "badges-size" not in app.query_params
    assert list_numbers(open_badges(badges_size="1000000")) == list(range(119, 99, -1)), (
        "a size that is not offered is ignored"
    )


def test_changing_the_filters_shows_the_first_page_and_preserves_the_page_size(open_badges: OpenList) -> None:
    app = open_badges(badges_size="50", badges_page="2")
    app.selectbox(key=COLOR.widget_key).set_value("green")
    run(app)
    assert list_numbers(app)[:2] == [119, 117]
    assert (
        read_parameter(app, "badge-color"),
        read_parameter(app, "badges-size"),
        read_parameter(app, "badges-page"),
    ) == (["green"], ["50"], [])


def test_recently_loaded_records_are_not_loaded_again(open_badges: OpenList) -> None:
    app = open_badges()
    count = len(QUERIES)
    select_rows(app, "badges", "b-119")
    run(app)
    assert len(QUERIES) == count
    press(app, "Refresh")
    assert len(QUERIES) == count + 1


def test_a_selection_survives_a_run_with_the_previous_url(open_badges: OpenList) -> None:
    """Such as a run of another widget or fragment before the browser has the new URL."""
    app = open_badges()
    wanted = list_ids(app)[1]
    select_rows(app, "badges", wanted)
    headings = [each.value for each in app.header]
    assert headings
    for _ in range(2):
        del app.query_params["badge"]
        run(app)
        assert read_parameter(app, "badge") == [wanted]
        assert [each.value for each in app.header] == headings
    run(app)  # now the browser has the URL: without the parameter, nothing is selected
    del app.query_params["badge"]
    assert not run(app).header
    assert read_parameter(app, "badge") == []


def test_a_selection_spans_pages_and_has_actions_for_all_its_records(open_badges: OpenList) -> None:
    app = open_badges()
    select_rows(app, "badges", "b-119", "b-118")
    app.session_state["badges-page"] = 2
    run(app)
    select_rows(app, "badges", "b-99")
    assert read_parameter(app, "badge") == ["b-119", "b-118", "b-99"]
    assert app.header[0].value == "3 badges selected"
    press(app, ":red[Delete 3 badges]")
    assert ACTIONS == [("delete", ["b-119", "b-118", "b-99"])]
    assert not [each for each in app.button if each.label == "Change"]


def test_records_selected_by_the_url_are_loaded_if_they_are_on_other_pages(open_badges: OpenList) -> None:
    app = open_badges(badge=["b-1", "b-2", "b-777"])
    assert app.header[0].value == "3 badges selected"
    assert "1 badge no longer in the list" in page_text(app)
    press(app, ":red[Delete 2 badges]")
    assert ACTIONS == [("delete", ["b-1", "b-2"])]


def test_selected_records_that_cannot_be_read_are_not_reported_as_missing(open_badges: OpenList) -> None:
    UNREADABLE_IDS.add("b-2")
    app = open_badges(badge=["b-1", "b-2", "b-777"])
    assert "The service failed." in page_text(app)
    assert "no longer" not in page_text(app)


def test_a_single_selection_has_every_action_and_a_deleted_record_is_reported(open_badges: OpenList) -> None:
    app = open_badges(badge="b-7")
    assert app.header[0].value.replace("\\", "") == "Badge *7*"
    press(app, "Change")
    assert ACTIONS == [("change", ["b-7"])]
    DELETED_IDS.add("b-7")
    assert "no badge “b-7”" in page_text(press(app, "Refresh"))


def test_a_list_that_became_shorter_shows_its_last_page(open_badges: OpenList) -> None:
    app = open_badges(badges_page="6")
    assert len(list_numbers(app)) == 20
    DELETED_IDS.update(each.id for each in ALL if each.number >= 10)
    press(app, "Refresh")
    assert list_numbers(app) == list(range(9, -1, -1))


def test_a_download_of_many_pages_is_loaded_in_the_background_and_shows_its_age(open_badges: OpenList) -> None:
    """Loading page by page in a run would block the screen."""
    app = open_badges()
    assert not app.get("download_button")
    press(app, "Prepare file")
    assert {query.page_number for query in QUERIES} == set(range(1, 7))
    run(app)
    assert [each.label for each in app.get("download_button")] == ["CSV", "XLSX"]  # type: ignore[union-attr]
    count = len(QUERIES)
    DELETED_IDS.add("b-119")
    run(app)
    assert len(QUERIES) == count
    press(app, "Prepare again")
    assert len(QUERIES) == count + 6
    app = open_badges(badge_color="green", badges_size="50")
    assert [each.label for each in app.get("download_button")] == ["CSV", "XLSX"]  # type: ignore[union-attr]


def test_notices_above_a_list_appear_even_if_the_list_cannot_be_read(open_badges: OpenList) -> None:
    """Such as unfinished drafts and the results of deletions."""
    OUTAGES.add("the service")
    app = open_badges()
    assert "Unfinished drafts are above the list." in page_text(app)
    assert "The service failed." in page_text(app)
    assert BADGES.empty_message not in page_text(app)
    OUTAGES.clear()
    assert len(list_numbers(press(app, "Retry"))) == 20
