"""Dynamic locations over HTTP: CSV uploads, statuses, counts, row errors, and the resulting locations."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from sqlalchemy import RowMapping, create_engine, text
from sqlalchemy.exc import DatabaseError, DBAPIError, InterfaceError, OperationalError

from client.vocabulary.dynamic_locations import COLUMNS, ENDED_STATUSES
from service import command_line
from service.accounts.models import Caller
from service.database import Database
from service.dynamic_locations import processing, repository
from service.dynamic_locations.rows import HEADERS_VARIABLE, KnownRecords, RowResult, check_row, read_moment, read_rows
from service.dynamic_locations.rows import Row as ReadRow
from tests.running_service import RunningService, prepared_database
from tests.service.test_service_assets import asset, create_assets
from tests.service.trips import add, passenger, trip

PATH = "/dynamicLocations/8800"
Row = dict[str, str]

NOW = datetime.now(UTC).replace(microsecond=0)
TOMORROW = (NOW + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
YESTERDAY = (NOW - timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ")


def row(external_id: str = "E1", **changes: str) -> Row:
    """Return a row with a place and an expiration time."""
    return {"externalId": external_id, "expireDate": TOMORROW, "lat": "47.37", "lon": "8.54", **changes}


def to_csv(*rows: Row, header: list[str] | None = None) -> bytes:
    """Return a CSV file of rows."""
    content = io.StringIO()
    writer = csv.DictWriter(content, header or list(COLUMNS), restval="")
    writer.writeheader()
    writer.writerows(rows)
    return content.getvalue().encode()


def send(service: RunningService, content: bytes, name: str = "people.csv", **parameters: str) -> httpx.Response:
    """Upload a file."""
    return service.http.post(PATH, files={"file": (name, content, "text/csv")}, params=parameters)


def read_batch(service: RunningService, batch_id: int) -> dict[str, Any]:
    """Return an upload batch."""
    answer = service.http.get(f"{PATH}/{batch_id}")
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert (set(body), body["message"]) == ({"message", "result"}, "OK")
    result: dict[str, Any] = body["result"]
    return result


def upload_and_wait(service: RunningService, *rows: Row, content: bytes | None = None) -> dict[str, Any]:
    """Upload a file, and wait for the end of its batch."""
    answer = send(service, to_csv(*rows) if content is None else content)
    assert answer.status_code == 200, answer.text
    return wait_for_batch(service, answer.json()["id"])


def wait_for_batch(service: RunningService, batch_id: int) -> dict[str, Any]:
    """Return the batch once it has ended."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        found = read_batch(service, batch_id)
        if found["uploadStatus"] in ENDED_STATUSES:
            return found
    raise AssertionError(f"Upload batch {batch_id} does not end: {found}")


def read_counts(found: dict[str, Any]) -> tuple[int, ...]:
    """Return the numbers of rows: done, with errors, critical, with coordinates, without coordinates."""
    names = ("successNum", "withErrorNum", "criticalNum", "geoSuccessNum", "geoFailNum")
    return tuple(found[name] for name in names)


def list_errors(found: dict[str, Any]) -> list[tuple[int, str, str, str]]:
    """Return row, column, value, and code of each row error."""
    names = ("rowNumber", "columnName", "columnValue", "uploadErrorCode")
    assert all(set(error) == set(names) for error in found["rowErrors"])
    return [tuple(error[name] for name in names) for error in found["rowErrors"]]


def read_locations(service: RunningService) -> dict[tuple[str, str], RowMapping]:
    """Return the current locations by external ID and source. No endpoint reads them."""
    engine = create_engine(service.database_url)
    query = "SELECT c.external_id, d.* FROM dynamic_locations d JOIN contacts c ON c.id = d.contact_id"
    with engine.connect() as connection:
        found = {(one["external_id"], one["source"]): one for one in connection.execute(text(query)).mappings()}
    engine.dispose()
    return found


@pytest.fixture
def people(any_service: RunningService) -> RunningService:
    """A service with the contacts E1 and E2, on each kind of database."""
    add(any_service, trip(passengers=[passenger("E1"), passenger("E2")]))
    return any_service


@pytest.fixture
def two_people(service: RunningService) -> RunningService:
    """A service with the contacts E1 and E2, on SQLite only."""
    add(service, trip(passengers=[passenger("E1"), passenger("E2")]))
    return service


def test_an_upload_returns_its_batch(people: RunningService) -> None:
    """POST: an update result; GET: the uploadBatch record with every field."""
    content = to_csv(row("E1"), row("E2"))
    answer = send(people, content)
    result = answer.json()
    assert (answer.status_code, set(result)) == (200, {"message", "id", "baseUri", "instanceUri"})
    assert result["instanceUri"] == f"{people.url}/rest/dynamicLocations/8800/{result['id']}"
    found = wait_for_batch(people, result["id"])
    assert set(found) == {
        *("id", "organizationId", "uploadBatchType", "fileName", "fileSize", "uploadStatus", "successNum"),
        *("withErrorNum", "criticalNum", "geoSuccessNum", "geoFailNum", "geocodingType", "chunking", "source"),
        *("createdDate", "createdId", "createdName", "lastModifiedDate", "lastModifiedId", "lastModifiedName"),
        "rowErrors",
    }
    assert (found["id"], found["organizationId"], found["uploadBatchType"]) == (result["id"], 8800, "Update")
    assert (found["fileName"], found["fileSize"]) == ("people.csv", len(content))
    assert (found["uploadStatus"], read_counts(found), found["rowErrors"]) == ("DONE", (2, 0, 0, 2, 0), [])
    assert 10**12 < found["createdDate"] <= found["lastModifiedDate"] < 10**13
    assert found["createdName"] == "Ana Silva"


def test_every_column_is_stored(people: RunningService) -> None:
    """Columns by the row model; dates are read as UTC."""
    [office] = create_assets(people, asset("OFFICE-1"))
    full = {
        "externalId": "E1",
        "arriveDate": "2026-01-02T03:04:05",
        "expireDate": "2099-01-01",
        "locationId": office,
        "source": "Badge",
        "lat": "-33.9",
        "lon": "18.4",
        **{name: f"the {name}" for name in ("street", "suite", "city", "state", "postalCode", "country")},
        **{name: f"the {name}" for name in ("floorNo", "roomNo", "referenceId")},
    }
    assert set(full) == set(COLUMNS)
    assert read_counts(upload_and_wait(people, full)) == (1, 0, 0, 1, 0)
    [location] = read_locations(people).values()
    assert (location["source"], location["location_id"]) == ("Badge", office)
    assert (location["latitude"], location["longitude"]) == (-33.9, 18.4)
    assert datetime.fromtimestamp(location["arrive_at"] / 1000, UTC) == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert datetime.fromtimestamp(location["expire_at"] / 1000, UTC) == datetime(2099, 1, 1, tzinfo=UTC)
    for column in ("street", "suite", "city", "state", "country"):
        assert location[column] == f"the {column}"
    assert (location["postal_code"], location["floor_no"]) == ("the postalCode", "the floorNo")
    assert (location["room_no"], location["reference_id"]) == ("the roomNo", "the referenceId")


@pytest.fixture
def far_from_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Use a local time zone that is half a day from UTC."""
    monkeypatch.setenv("TZ", "Pacific/Auckland")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("spelling", "expected"),
    [
        ("2026-11-20T12:05:00Z", datetime(2026, 11, 20, 12, 5, tzinfo=UTC)),
        ("2026-11-20 12:05", datetime(2026, 11, 20, 12, 5, tzinfo=UTC)),
        ("2026-11-20T12:05:00.5", datetime(2026, 11, 20, 12, 5, 0, 500_000, tzinfo=UTC)),
        ("2026-11-20T14:05:00+02:00", datetime(2026, 11, 20, 12, 5, tzinfo=UTC)),
        ("2026-11-20", datetime(2026, 11, 20, tzinfo=UTC)),
        ("1795176300000", datetime(2026, 11, 20, 12, 5, tzinfo=UTC)),
    ],
)
@pytest.mark.usefixtures("far_from_utc")
def test_dates_are_utc_by_default(spelling: str, expected: datetime) -> None:
    """Unless a zone is given, and whatever the time zone of the service."""
    moment = read_moment(spelling)
    assert moment is not None
    assert datetime.fromtimestamp(moment / 1000, UTC) == expected


@pytest.mark.parametrize(
    "spelling", ["", "tomorrow", "20/11/2026", "2026-13-01", "2026-11-20T25:00", "12:05", "٢٠٢٦-11-20"]
)
def test_invalid_dates_are_refused(spelling: str) -> None:
    """No date is guessed."""
    assert read_moment(spelling) is None


@pytest.mark.parametrize(
    ("lat", "lon", "codes"),
    [
        ("90", "180", []),
        ("-90", "-180", []),
        ("90.01", "180", ["LAT_RANGE_INVALID"]),
        ("-90", "-180.01", ["LON_RANGE_INVALID"]),
        ("91", "181", ["LAT_RANGE_INVALID", "LON_RANGE_INVALID"]),
    ],
)
def test_coordinates_end_at_the_edges_of_the_map(lat: str, lon: str, codes: list[str]) -> None:
    """90 degrees north or south and 180 east or west are valid, and nothing beyond."""
    result = check_row(ReadRow(2, row(lat=lat, lon=lon)), KnownRecords({"E1": 7}, {}), now=0)
    assert [error.code for error in result.errors] == codes
    assert result.is_critical == bool(codes)


def test_a_row_expires_at_its_expiration_time() -> None:
    """At that time the row is ignored, and the person's current location from that source is removed."""
    known = KnownRecords({"E1": 7}, {})
    ends = ReadRow(2, row(expireDate="1970-01-01T00:00:01Z", arriveDate="1970-01-01", source="S"))
    assert check_row(ends, known, now=999).location is not None
    assert check_row(ends, known, now=1000) == RowResult([], (7, "S"), None)


def test_row_errors_and_counts_are_correct(people: RunningService) -> None:
    """Row errors carry `columnName`, `columnValue`, `uploadErrorCode`; rows are done, done with errors, or critical."""
    create_assets(people, asset("OFFICE-1"), asset("OFFICE-2", geometry=None))
    found = upload_and_wait(
        people,
        row("E1", source="1"),
        row("E9"),
        row("", city="Zurich"),
        row("E1", source="2", lat="95"),
        row("E1", source="3", lon="x", city="Zurich"),
        row("E1", source="4", lat="", lon="", locationId="OFFICE-1"),
        row("E1", source="5", lat="", lon="", locationId="OFFICE-9"),
        row("E1", source="6", locationId="OFFICE-9"),
        row("E1", source="7", lat="", lon=""),
        row("E1", source="8", arriveDate="soon"),
        row("E1", source="9", expireDate=""),
        row("E1", source="10", arriveDate="2098-01-01", expireDate="2097-01-01"),
        row("E1", source="11", lat="", lon="", city="Zurich"),
        row("E1", source="12", lat="", lon="", locationId="OFFICE-2"),
    )
    assert found["uploadStatus"] == "DONE"
    assert list_errors(found) == [
        (3, "externalId", "E9", "EXTERNAL_ID_NOT_EXIST"),
        (4, "externalId", "", "EXTERNAL_ID_NOT_EXIST"),
        (5, "lat", "95", "LAT_RANGE_INVALID"),
        (6, "lon", "x", "LON_RANGE_INVALID"),
        (8, "locationId", "OFFICE-9", "DYN_LOC_LOCATIONID_NOT_EXIST"),
        (9, "locationId", "OFFICE-9", "DYN_LOC_LOCATIONID_NOT_EXIST"),
        (10, "locationId", "", "DYN_LOC_LOCATION_EMPTY"),
        (11, "arriveDate", "soon", "ARRIVE_DATE_INVALID"),
        (12, "expireDate", "", "EXPIRE_DATE_INVALID"),
        (13, "expireDate", "2097-01-01", "EXPIRE_DATE_BEFORE_ARRIVE_DATE"),
    ]
    assert {source for _person, source in read_locations(people)} == {"1", "3", "4", "6", "11", "12"}
    # Stored: 1, 4, 11, and 12 unchanged, 3 and 6 without the invalid value. With coordinates: 1, 4, and 6.
    assert read_counts(found) == (4, 2, 8, 3, 3)
    by_site = read_locations(people)["E1", "4"]
    assert (by_site["latitude"], by_site["longitude"]) == (47.37, 8.54)


def test_a_later_row_replaces_an_earlier_row(people: RunningService) -> None:
    """One current location per person and source, within a file and between files."""
    upload_and_wait(people, row("E1", city="Bern"), row("E1", city="Basel"), row("E1", source="Badge", city="Chur"))
    assert {key: one["city"] for key, one in read_locations(people).items()} == {
        ("E1", "UPLOAD"): "Basel",
        ("E1", "Badge"): "Chur",
    }
    upload_and_wait(people, row("E1", city="Zug"))
    assert read_locations(people)["E1", "UPLOAD"]["city"] == "Zug"
    assert read_locations(people)["E1", "Badge"]["city"] == "Chur"


def test_an_expired_row_removes_the_current_location_from_that_source(people: RunningService) -> None:
    """An expired row is ignored and removes the person's current location from that source."""
    upload_and_wait(people, row("E1", source="Badge"), row("E1", source="Phone"), row("E2", source="Badge"))
    found = upload_and_wait(people, row("E1", source="Badge", expireDate=YESTERDAY, lat="95"))
    assert (found["uploadStatus"], read_counts(found), found["rowErrors"]) == ("DONE", (1, 0, 0, 0, 0), [])
    assert set(read_locations(people)) == {("E1", "Phone"), ("E2", "Badge")}
    upload_and_wait(people, row("E2", source="Badge", expireDate=YESTERDAY), row("E2", source="Badge", city="Back"))
    assert read_locations(people)["E2", "Badge"]["city"] == "Back"
    upload_and_wait(people, row("E2", source="Badge"), row("E2", source="Badge", expireDate=YESTERDAY))
    assert set(read_locations(people)) == {("E1", "Phone")}


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"\n", (1, "externalId", "", "BATCH_HEADER_NOT_FOUND")),
        (
            to_csv(row(), header=list(COLUMNS)).replace(b"externalId", b"person"),
            (1, "externalId", "", "BATCH_HEADER_NOT_FOUND"),
        ),
        (b"externalId,lat,lon\nE1,1,2\n", (1, "expireDate", "", "BATCH_HEADER_NOT_FOUND")),
        (b"externalId,expireDate\n\xff\xfe,2099-01-01\n", (1, "", "", "FILE_NOT_READABLE")),
        (b"externalId,expireDate\nE1\0,2099-01-01\n", (1, "", "", "FILE_NOT_READABLE")),
    ],
)
def test_unreadable_files_fail_with_a_reason(
    two_people: RunningService, content: bytes, error: tuple[int, str, str, str]
) -> None:
    """FAILED, with the reason, for example BATCH_HEADER_NOT_FOUND."""
    found = upload_and_wait(two_people, content=content)
    assert (found["uploadStatus"], read_counts(found), list_errors(found)) == ("FAILED", (0, 0, 0, 0, 0), [error])


def test_headers_are_read_in_other_spellings(two_people: RunningService) -> None:
    """Case, blanks, underscores, order, a byte order mark and unknown columns do not matter."""
    content = "\ufeffLON,Shoe size,EXPIRE_DATE,External ID,Lat\n8.5,42,2099-01-01,E1,47.3\n\n".encode()
    assert read_counts(upload_and_wait(two_people, content=content)) == (1, 0, 0, 1, 0)
    malformed = upload_and_wait(two_people, content=b"externalId,expireDate,city\nE1,2099-01-01,Bern,more\n")
    assert list_errors(malformed) == [(2, "", "", "ROW_MALFORMED")]


def test_an_operator_can_add_header_spellings(two_people: RunningService, monkeypatch: pytest.MonkeyPatch) -> None:
    """Header spellings differ between deployments; the documented ones stay valid."""
    content = b"Badge number,Valid until,lat,lon\nE1,2099-01-01,47.3,8.5\n"
    assert upload_and_wait(two_people, content=content)["uploadStatus"] == "FAILED"
    monkeypatch.setenv(HEADERS_VARIABLE, "badge_number = externalId, Valid until=expire date,")
    assert read_counts(upload_and_wait(two_people, content=content)) == (1, 0, 0, 1, 0)
    assert read_counts(upload_and_wait(two_people, row())) == (1, 0, 0, 1, 0)


@pytest.mark.parametrize("setting", ["Badge number", "Badge number=person", "=externalId"])
def test_header_spellings_for_unknown_columns_stop_the_start(
    setting: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The error appears at the start, not at the first upload."""
    monkeypatch.setenv(HEADERS_VARIABLE, f"Site=locationId,{setting}")
    monkeypatch.setattr(command_line, "stop_cleanly_on_sigterm", lambda: None)
    monkeypatch.setattr(command_line, "listening_socket", lambda *_: pytest.fail("It began to serve"))
    assert command_line.main(["serve", "--port", "0"]) == 2
    assert f"“{setting}” is not a pair spelling=column" in capsys.readouterr().err


def test_a_large_file_is_processed_in_steps(people: RunningService) -> None:
    """More rows than one step processes."""
    rows = [row("E1" if number % 2 else "E9", source=f"S{number}") for number in range(1200)]
    found = upload_and_wait(people, *rows)
    assert (found["uploadStatus"], read_counts(found), found["chunking"]) == ("DONE", (600, 0, 600, 600, 0), True)
    assert len(found["rowErrors"]) == 600
    assert len(read_locations(people)) == 600


def test_invalid_requests_are_refused(two_people: RunningService) -> None:
    """400 for a body that is not an upload, 404 for an unknown batch, 401 for an unknown user."""
    assert send(two_people, to_csv(row()), uploadBatchType="Update").status_code == 200
    for answer in (
        send(two_people, to_csv(row()), uploadBatchType="Replace"),
        send(two_people, b""),
        two_people.http.post(PATH),
        two_people.http.post(PATH, files={"other": ("a.csv", b"x")}),
    ):
        assert (answer.status_code, answer.json()["status"]) == (400, 400)
    for unknown in ("999", "abc", "99999999999999999999"):
        answer = two_people.http.get(f"{PATH}/{unknown}")
        message = f"Upload batch {unknown} is not found."
        assert (answer.status_code, answer.json()) == (404, {"status": 404, "message": message})
    for method, path in (("GET", f"{PATH}/1"), ("POST", PATH)):
        assert two_people.http.request(method, path, auth=("ana", "wrong")).status_code == 401
        other = two_people.http.request(method, path.replace("8800", "9900"))
        assert other.json()["message"] == "Org 9900 not accessible to this user, or does not exist."


def test_a_file_above_the_size_limit_is_refused(two_people: RunningService, monkeypatch: pytest.MonkeyPatch) -> None:
    """400 for one byte more, and for so many more that the service stops reading."""
    content = to_csv(row())
    monkeypatch.setattr("service.request_body.MAX_FILE_BYTES", len(content))
    assert send(two_people, content).status_code == 200
    for more in (1, 2**17):
        answer = send(two_people, content + b"\n" * more)
        assert (answer.status_code, answer.json()["status"]) == (400, 400)
        assert "larger than" in answer.json()["message"]


def test_a_batch_goes_through_its_statuses_in_order(tmp_path: Any) -> None:
    """UPLOADED, QUEUING, PROCESSING, GEOCODING, DONE: each a transaction, and the file is deleted at the end."""
    copy = tmp_path / "service.sqlite"
    copy.write_bytes(prepared_database().read_bytes())
    with closing(Database(f"sqlite:///{copy}")) as database:
        with database.transaction() as connection:
            caller = Caller(1, "ana", "Ana Silva", 8800)
            content = to_csv(*(row("E9") for _ in range(processing.ROWS_A_STEP + 1)))
            batch_id = repository.add_batch(
                connection, caller, upload_batch_type="Update", file_name="a.csv", content=content
            )
        statuses = ["UPLOADED"]
        while statuses[-1] not in ENDED_STATUSES:
            with database.transaction() as connection:
                found = repository.find_batch(connection, 8800, batch_id)
                assert found is not None
                assert found.upload_status == statuses[-1]
                assert repository.content_of(connection, batch_id) == content
                statuses.append(processing.advance(connection, found, read_rows(content)))
        assert statuses == ["UPLOADED", "QUEUING", "PROCESSING", "PROCESSING", "PROCESSING", "GEOCODING", "DONE"]
        with database.transaction() as connection:
            assert repository.content_of(connection, batch_id) == b""
            found = repository.find_batch(connection, 8800, batch_id)
            assert found is not None
            assert found.critical_num == processing.ROWS_A_STEP + 1


@pytest.mark.parametrize("steps", [0, 1, 2, 3, 4])
def test_a_restart_continues_unfinished_batches(tmp_path: Any, steps: int) -> None:
    """No row counts twice, at whatever step the process was killed."""
    copy = tmp_path / "service.sqlite"
    copy.write_bytes(prepared_database().read_bytes())
    url = f"sqlite:///{copy}"
    rows = processing.ROWS_A_STEP + 7
    with closing(Database(url)) as database:
        with database.transaction() as connection:
            caller = Caller(1, "ana", "Ana Silva", 8800)
            content = to_csv(*(row("E9") for _ in range(rows)))
            batch_id = repository.add_batch(
                connection, caller, upload_batch_type="Update", file_name="a.csv", content=content
            )
            # The state after a process was killed: its claim has expired.
            assert repository.claim(connection, "killed", 1, 2) == batch_id
        for _step in range(steps):
            with database.transaction() as connection:
                claimed = repository.hold(connection, batch_id, "killed", 3)
                assert claimed is not None
                processing.advance(connection, claimed, read_rows(content))
    with RunningService(database_url=url) as service:
        found = wait_for_batch(service, batch_id)
    assert (found["uploadStatus"], read_counts(found)) == ("DONE", (0, 0, rows, 0, 0))


def test_uploads_lock_their_organization(tmp_path: Any) -> None:
    """An upload in progress delays later ones of its organization only."""
    copy = tmp_path / "service.sqlite"
    copy.write_bytes(prepared_database().read_bytes())
    with closing(Database(f"sqlite:///{copy}")) as database, database.transaction() as connection:
        ids = [
            repository.add_batch(
                connection,
                Caller(1, "ana", "Ana", organization),
                upload_batch_type="Update",
                file_name="a",
                content=b"x",
            )
            for organization in (8800, 8800, 9900)
        ]
        assert repository.claim(connection, "first", 1, 10) == ids[0]
        assert repository.claim(connection, "second", 1, 10) == ids[2]
        assert repository.claim(connection, "third", 1, 10) is None
        # The owner of a claim gets it again, for example after a database error.
        assert repository.claim(connection, "first", 1, 10) == ids[0]
        # A claim that is not renewed expires, and its process loses it.
        assert repository.claim(connection, "third", 11, 20) == ids[0]
        assert repository.hold(connection, ids[0], "first", 30) is None
        assert repository.hold(connection, ids[0], "third", 30) is not None
        repository.release(connection, ids[0], "third")
        assert repository.claim(connection, "fourth", 11, 20) == ids[0]


def test_a_file_is_read_without_blocking_writes(service: RunningService, monkeypatch: pytest.MonkeyPatch) -> None:
    """The seconds of reading a large file are outside the transaction."""

    def read_after_a_write(content: bytes) -> list[ReadRow]:
        answer = service.http.post("/notificationEvents/8800", json={"name": "Written meanwhile"}, timeout=10)
        assert answer.status_code == 200
        return read_rows(content)

    monkeypatch.setattr("service.dynamic_locations.runner.read_rows", read_after_a_write)
    assert upload_and_wait(service, row("E9"))["uploadStatus"] == "DONE"


@pytest.mark.parametrize("kind", [DatabaseError, InterfaceError, OperationalError, RuntimeError])
def test_uploads_continue_after_any_database_error(
    service: RunningService, monkeypatch: pytest.MonkeyPatch, kind: type[Exception]
) -> None:
    """Errors when an upload starts, while it is processed, and when its failure is stored: it is processed later."""
    monkeypatch.setattr("service.dynamic_locations.runner.LOOK_SECONDS", 0.01)
    error = kind("SELECT 1", None, Exception("gone")) if issubclass(kind, DBAPIError) else kind("gone")

    def failing_once(work: Callable[..., Any]) -> Callable[..., Any]:
        failures = [error]

        def fails_once(*arguments: Any) -> Any:
            if failures:
                raise failures.pop()
            return work(*arguments)

        return fails_once

    for module, name in ((repository, "claim"), (repository, "hold"), (processing, "advance"), (processing, "fail")):
        monkeypatch.setattr(module, name, failing_once(getattr(module, name)))
    found = upload_and_wait(service, row("E9"))
    assert found["uploadStatus"] in ENDED_STATUSES
    assert upload_and_wait(service, row("E9"))["uploadStatus"] == "DONE"
