"""Dynamic locations: check a file, fix its rows, upload it once, and follow the upload to its end."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select
from streamlit.testing.v1 import AppTest

from client import ConnectionFailed, Invalid, OutcomeUnknown
from client.models.dynamic_locations import UploadBatch
from client.resources.dynamic_locations import DynamicLocations
from domain.file_import.job import JOBS
from domain.preparedness.dynamic_locations import location_rows, location_upload
from domain.preparedness.dynamic_locations.location_rows import KIND, REFUSED, now_ms
from domain.runtime.screens import DYNAMIC_LOCATIONS
from journal import Job
from journal.journal_database import utc_now
from journal.tables import ledger_jobs
from service.database import Database
from service.dynamic_locations.schema import dynamic_locations, upload_batches
from service.schema import contacts
from tests.app.presses import page_text, press, run
from tests.app.tables import tables
from tests.running_service import RunningService

OpenScreen = Callable[[], AppTest]
ListUploads = Callable[[], list[str]]
HEADINGS = "External id,Arrives,Expires,Latitude,Longitude,City"
FUTURE = "2099-11-21T18:00:00Z"


@pytest.fixture(autouse=True)
def shorten_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Poll an upload without long waits."""
    monkeypatch.setattr(location_upload, "FIRST_WAIT", 0.02)
    monkeypatch.setattr(location_upload, "LONGEST_WAIT", 0.02)


@pytest.fixture
def open_screen(signed_in: Any, demo_service: RunningService) -> OpenScreen:
    """Open the screen, at first or after a refresh."""

    def open_page() -> AppTest:
        first = not hasattr(signed_in, "workspace")
        page = DYNAMIC_LOCATIONS.page
        return run(signed_in(demo_service, page) if first else signed_in.open_tab(page))

    return open_page


def row(number: int, *, expires: str = FUTURE, lat: str = "47.38") -> str:
    return f"E1{number:04},2026-11-20T08:00:00Z,{expires},{lat},8.5{number % 10},Zurich"


def with_file(app: AppTest, *rows: str, headings: str = HEADINGS) -> AppTest:
    assert ".geojson" in app.file_uploader[0].allowed_type
    app.file_uploader[0].set_value(("people.csv", "\n".join((headings, *rows)).encode(), "text/csv"))
    return run(app)


def list_jobs(signed_in: Any) -> list[Job]:
    jobs: list[Job] = signed_in.workspace.journal.ledger.jobs(signed_in.workspace.actor, KIND)
    return jobs


def read_table(service: RunningService, table: Any, *columns: str) -> list[tuple[Any, ...]]:
    with closing(Database(service.database_url)) as database, database.transaction() as connection:
        return [tuple(each) for each in connection.execute(select(*(table.c[name] for name in columns)))]


@pytest.fixture
def list_uploads(demo_service: RunningService) -> ListUploads:
    """The files that this test uploaded."""

    def list_files() -> list[str]:
        return [name for (name,) in read_table(demo_service, upload_batches, "file_name")]

    before = len(list_files())
    return lambda: list_files()[before:]


def test_a_file_is_uploaded_once_and_row_errors_set_the_status_of_each_row(
    open_screen: OpenScreen, list_uploads: ListUploads, signed_in: Any
) -> None:
    app = with_file(open_screen(), row(1), row(2), row(9999), row(4, lat="95"))
    assert "3 rows are ready · 1 with errors" in page_text(app)
    app = press(app, "locations-send")
    assert len(list_uploads()) == 1
    assert "2 stored · 1 failed" in page_text(app)
    assert list(tables(app)[0]) == ["rows", "label", "state", "id", "reason"]
    [job] = list_jobs(signed_in)
    assert f"people.csv · SHA-256 {job.digest}" in page_text(app)
    results = tables(app)[0]
    assert results["state"].tolist() == ["Sent", "Sent", "Failed"]
    assert results["reason"].tolist()[2] == "External ID: The service has no contact with this ID."
    assert results["id"].tolist()[0].isdecimal(), "the ID of the upload in the service"
    refreshed = open_screen()
    assert "2 stored · 1 failed" in page_text(refreshed)
    again = press(refreshed, f"locations-job-{job.id}-fix")
    assert "2 with errors" in page_text(again), "the failed row is added to the row with errors"
    text = [
        each for each, _ in signed_in.workspace.unsaved_work["file-import.locations"].cell_messages(2)["externalId"]
    ]
    assert text == [REFUSED, "The service has no contact with this ID."]


def test_each_row_of_a_large_file_has_the_status_that_the_service_gave_it(
    open_screen: OpenScreen, list_uploads: ListUploads, signed_in: Any
) -> None:
    rows = [row(1), *(row(number) for number in range(900_000, 902_100)), row(2)]
    app = press(with_file(open_screen(), *rows), "locations-send")
    [job] = list_jobs(signed_in)
    JOBS.wait(job.id)
    [job] = list_jobs(signed_in)
    assert job.counts == {"done": 2, "failed": 2_100}
    assert len(list_uploads()) == 3
    assert not app.exception


def test_the_uploaded_file_uses_the_configured_column_headings(
    open_screen: OpenScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUSTER_LOCATION_HEADERS", "Badge number=externalId, Valid until=expireDate")
    sent: list[bytes] = []

    def upload(_: Any, content: bytes, **__: Any) -> Any:
        sent.append(content)
        raise Invalid("No.")

    monkeypatch.setattr(DynamicLocations, "upload", upload)
    press(with_file(open_screen(), row(1)), "locations-send")
    assert sent[0].decode().splitlines()[0].startswith("Badge number,arriveDate,Valid until,locationId,")


def test_a_file_sent_before_has_a_warning_with_its_sender(open_screen: OpenScreen) -> None:
    sent = press(with_file(open_screen(), row(1)), "locations-send")
    assert list(tables(sent)[-1]) == ["rows", "label", "state", "id"], "without reasons, there is no reason column"
    text = page_text(with_file(open_screen(), row(1)))
    assert "This file was sent before: people.csv" in text
    assert "demo" in text


def test_expired_rows_are_sent_only_after_confirmation_of_the_locations_they_remove(
    open_screen: OpenScreen, demo_service: RunningService, list_uploads: ListUploads
) -> None:
    headings, source = f"{HEADINGS},Source", "Badge reader"
    locations = read_table(demo_service, dynamic_locations, "contact_id", "source")
    people = dict(read_table(demo_service, contacts, "id", "external_id"))
    rows = [f"{people[contact]},,2026-01-01,,,,{source}" for contact, of in locations if of == source][:2]
    app = press(with_file(open_screen(), *rows, headings=headings), "locations-send")
    assert list_uploads() == []
    assert "2 rows have expired and will remove the current location of 2 people:" in page_text(app)
    assert "This cannot be undone." in page_text(app)
    app = press(app, "locations-send-dialog-confirm")
    assert "2 stored" in page_text(app)
    assert len(read_table(demo_service, dynamic_locations, "id")) == len(locations) - 2


def test_a_row_that_expires_before_sending_is_not_sent(
    open_screen: OpenScreen, list_uploads: ListUploads, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = with_file(open_screen(), row(1), row(2, expires="2098-01-01T00:00:00Z"))
    monkeypatch.setattr(
        location_upload, "has_expired_unconfirmed", lambda payload: "2098" in payload["row"]["expireDate"]
    )
    app = press(app, "locations-send")
    assert "1 stored · 1 failed" in page_text(app)
    assert (
        "so Muster did not send it: it would have removed the person’s current location"
        in tables(app)[-1]["reason"].tolist()[1]
    )
    assert len(list_uploads()) == 1


@pytest.mark.parametrize("is_redrawn", [True, False], ids=["page redrawn", "page not redrawn"])
def test_a_row_that_expires_while_the_page_is_open_needs_confirmation_or_is_not_sent(
    open_screen: OpenScreen, list_uploads: ListUploads, monkeypatch: pytest.MonkeyPatch, is_redrawn: bool
) -> None:
    soon = f"{utc_now() + timedelta(minutes=20):%Y-%m-%dT%H:%M:%SZ}"
    app = with_file(open_screen(), row(1), row(2, expires=soon))
    later = now_ms() + 22 * 60 * 1000
    monkeypatch.setattr(location_rows, "now_ms", lambda: later)
    if is_redrawn:
        app = press(run(app), "locations-send")
        assert "1 row has expired and will remove the current location of 1 person: " in page_text(app)
        assert list_uploads() == []
    else:
        assert "1 stored · 1 failed" in page_text(press(app, "locations-send"))


@pytest.mark.parametrize("change", ["a row expires", "a row is edited"])
def test_a_confirmation_is_void_if_rows_change_while_the_dialog_is_open(
    open_screen: OpenScreen, list_uploads: ListUploads, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    soon = f"{utc_now() + timedelta(minutes=20):%Y-%m-%dT%H:%M:%SZ}"
    app = press(with_file(open_screen(), "E10001,,2026-01-01", f"E10002,,{soon},47.38,8.52"), "locations-send")
    assert "1 row has expired and will remove the current location of 1 person: " in page_text(app)
    if change == "a row expires":
        later = now_ms() + 22 * 60 * 1000
        monkeypatch.setattr(location_rows, "now_ms", lambda: later)
    open_screen()
    if change == "a row is edited":
        app.session_state["file-import.current"]["locations"].fix_cell(1, "expireDate", "2026-01-01")
    app = press(app, "locations-send-dialog-confirm")
    assert list_uploads() == []
    assert "Nothing was sent. The rows changed while the dialog was open" in page_text(app)
    app = press(app, "locations-send")
    assert "2 rows have expired and will remove the current location of 2 people: " in page_text(app)
    app = press(app, "locations-send-dialog-confirm")
    assert len(list_uploads()) == 1


def lose_responses(monkeypatch: pytest.MonkeyPatch, method: str, error: Exception) -> None:
    """Let the service process the request, and lose its response."""
    original = getattr(DynamicLocations, method)

    def lose_response(*arguments: Any, **options: Any) -> Any:
        original(*arguments, **options)
        raise error

    monkeypatch.setattr(DynamicLocations, method, lose_response)


def test_an_upload_with_a_lost_response_is_found_by_name_and_not_resent(
    open_screen: OpenScreen, list_uploads: ListUploads, signed_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = with_file(open_screen(), row(1), row(9999))
    with monkeypatch.context() as patch:
        lose_responses(patch, "upload", OutcomeUnknown("The answer was lost."))
        app = press(app, "locations-send")
    assert "2 unknown" in page_text(app)
    [job] = list_jobs(signed_in)
    keys = [button.key for button in app.button]
    assert f"locations-job-{job.id}-retry" not in keys
    assert f"locations-job-{job.id}-say-True" not in keys, "the rows must be checked first"
    app = press(app, f"locations-job-{job.id}-look")
    assert "1 stored · 1 failed" in page_text(app)
    assert len(list_uploads()) == 1


def test_rows_can_be_marked_as_not_sent_if_no_upload_is_found(
    open_screen: OpenScreen, signed_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose_response(*_: Any, **__: Any) -> Any:
        raise OutcomeUnknown("The answer was lost.")

    monkeypatch.setattr(DynamicLocations, "upload", lose_response)
    app = press(with_file(open_screen(), row(1)), "locations-send")
    [job] = list_jobs(signed_in)
    app = press(app, f"locations-job-{job.id}-look")
    assert "The service does not show the status of 1 location." in page_text(app)
    app = press(app, f"locations-job-{job.id}-say-False")
    assert "1 failed" in page_text(app)
    assert f"locations-job-{job.id}-retry" in [button.key for button in app.button]


def test_opening_the_screen_resumes_an_upload_after_the_process_was_killed(
    open_screen: OpenScreen, list_uploads: ListUploads, signed_in: Any
) -> None:
    app = with_file(open_screen(), row(1), row(9999))
    check, workspace = app.session_state["file-import.current"]["locations"], signed_in.workspace
    ledger = workspace.journal.ledger
    new = list(check.build_items())
    job_run = ledger.begin(workspace.actor, KIND, "people.csv", new, settings={"headers": check.headers})
    ledger.claim(job_run, lambda _: 9)
    payloads = [item.payload for item in new]
    content = location_upload.build_csv(payloads)
    receipt = workspace.client.dynamic_locations.upload(content, file_name="locations-1.csv")
    ledger.note(job_run, {n: str(location_upload.Note("locations-1.csv", n + 2, str(receipt.id))) for n in range(2)})
    with workspace.journal._database.writing() as connection:
        connection.execute(ledger_jobs.update().values(lease_until=utc_now() - timedelta(minutes=1), owner="dead"))
    assert "1 stored · 1 failed" in page_text(open_screen())
    assert list_uploads() == ["locations-1.csv"]


def test_an_upload_is_followed_despite_temporary_connection_failures(
    open_screen: OpenScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    original, left = DynamicLocations.retrieve, [ConnectionFailed("No route.", sent=False)] * 3

    def fail_at_first(*arguments: Any) -> UploadBatch:
        if left:
            raise left.pop()
        return original(*arguments)

    monkeypatch.setattr(DynamicLocations, "retrieve", fail_at_first)
    app = press(with_file(open_screen(), row(1)), "locations-send")
    assert (left, "1 stored" in page_text(app)) == ([], True)


def return_records(monkeypatch: pytest.MonkeyPatch, *records: dict[str, Any]) -> None:
    """Let the service return these records of an upload, one after the other."""
    left = list(records)
    monkeypatch.setattr(
        DynamicLocations,
        "retrieve",
        lambda *_: UploadBatch.model_validate({"id": 7, **(left.pop(0) if len(left) > 1 else left[0])}),
    )


def test_rows_without_a_reported_status_stay_unknown_after_repeated_checks(
    open_screen: OpenScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = {"rowNumber": 3, "columnName": "externalId", "columnValue": "E10002"}
    code = {"uploadErrorCode": "EXTERNAL_ID_NOT_EXIST"}
    return_records(
        monkeypatch,
        {"uploadStatus": "Processing"},
        {"uploadStatus": "DONE", "criticalNum": 2, "rowErrors": [error | code]},
    )
    app = press(with_file(open_screen(), row(1), row(2), row(3), row(4)), "locations-send")
    for _ in range(2):
        assert tables(app)[-1]["state"].tolist() == ["Sent", "Failed", "Unknown", "Unknown"]
        press(app, next(button.key for button in app.button if button.label == "Check 2 locations"))


def test_times_without_a_zone_have_a_note_and_can_be_read_as_local_times(open_screen: OpenScreen) -> None:
    app = with_file(open_screen(), "E10001,2099-11-20 08:00,2099-11-21 18:00,47.38,8.54,Zurich")
    assert "2 times have no time zone. Muster reads these times as UTC." in page_text(app)
    app = press(app, "locations-zone-Europe/Zurich")
    assert "as local times in Europe/Zurich" in page_text(app)
    [item] = app.session_state["file-import.current"]["locations"].build_items()
    assert item.payload["row"]["arriveDate"] == "2099-11-20T07:00:00Z"


def test_swapped_latitude_and_longitude_can_be_fixed_and_the_map_shows_the_rows(open_screen: OpenScreen) -> None:
    app = with_file(open_screen(), row(1), "E10002,,2099-11-21,-122.4,37.8,San Francisco")
    assert "1 row is ready · 1 with errors" in page_text(app)
    assert app.button(key="locations-offer-0").label == "Swap latitude and longitude in 1 row"
    app = press(app, "locations-offer-0")
    assert "2 rows are ready" in page_text(app)
    assert "Each mark is a place with its number of rows." in page_text(app)


def test_the_screen_shows_how_many_columns_of_the_file_are_read(open_screen: OpenScreen) -> None:
    app = open_screen()
    app.file_uploader[0].set_value(("badges.csv", f"{HEADINGS},Mood\n{row(1)},good".encode(), "text/csv"))
    labels = [each.label for each in run(app).expander]
    assert "Columns in the file: 6 of 7 read" in labels


def test_the_screen_says_which_contacts_it_cannot_check(open_screen: OpenScreen) -> None:
    text = page_text(with_file(open_screen(), row(1)))
    assert "0 people already appear in trips or earlier uploads. The service checks 1 other person when" in text
