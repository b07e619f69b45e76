"""After an import: undo, cancellation of many trips, a roster, and the comparison with the service."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from client import OutcomeUnknown
from client.models.itineraries import Itinerary
from domain.file_import import job as job_module
from domain.file_import.checking import Check
from domain.file_import.job import ALREADY_DELETED, JOBS
from domain.trips.editor.trip_change import change_verb, find_change_since, start_change
from domain.trips.known_trip import CANCEL, CREATE, TripStatus, build_note, load_known_trip, load_trip_changes
from domain.trips.prediction import predict
from domain.trips.trip_import.canceling import CANCELING, TRIPS_TO_CANCEL, find_trips
from domain.trips.trip_import.dry_run import load_send_history
from domain.trips.trip_import.imported_trips import compare_with_service, create_roster
from domain.trips.trip_import.trip_declaration import TRIPS
from domain.trips.trip_import.undoing import plan_undo
from tests.contract.test_trips_sent import items_of, job_of, list_stored_trips
from tests.contract.trip_runs import ACTOR, JobContext
from tests.contract.trips import CAR, trip
from tests.prepared_journal import new_journal
from tests.running_service import RunningService

HEADINGS = "Record locator,Employee id,First name,Last name,Flight,From,To,Departs,Arrives,Status"


@pytest.fixture(autouse=True)
def no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_module, "FIRST_WAIT", 0.001)
    monkeypatch.setattr(job_module, "LONGEST_WAIT", 0.001)


@pytest.fixture
def service() -> Iterator[RunningService]:
    with RunningService() as service:
        yield service


@pytest.fixture
def context(tmp_path: Path, service: RunningService) -> Iterator[Any]:
    with new_journal(tmp_path / "journal.sqlite3") as journal, service.client() as client:
        yield JobContext(journal, client)


def trips_csv(*locators: str) -> bytes:
    """Return a file of trips. A locator that starts with a minus sign is a canceled trip."""
    rows = [
        f"{each.lstrip('-')},E-{each},Ana,Silva,EY301,AUH,KWI,20 Mar 2027 08:25,20 Mar 2027 09:15,"
        f"{'canceled' if each.startswith('-') else ''}"
        for each in locators
    ]
    return "\n".join([HEADINGS, *rows]).encode()


def import_trips(context: Any, *locators: str) -> int:
    """Import trips, and wait for the end. Returns the ID of the job."""
    check = Check.of(TRIPS, "agency.csv", trips_csv(*locators), context)
    assert check.is_ready.all(), check.unready_frame()
    job_id = JOBS.begin(context, check)
    JOBS.wait(job_id)
    return job_id


def cancel_trips(context: Any, rows: list[dict[str, str]]) -> int:
    """Cancel trips, and wait for the end. Returns the ID of the job."""
    job_id = JOBS.begin(context, Check.of_rows(CANCELING, "Undo", rows))
    JOBS.wait(job_id)
    return job_id


def list_active_locators(service: RunningService) -> list[str]:
    return [locator for locator, status in list_stored_trips(service) if status == "A"]


def test_an_import_is_undone_where_proven_and_the_rest_is_reported(context: Any, service: RunningService) -> None:
    for locator in ("OLD1", "GONE1"):
        context.client.itineraries.create(trip(locator))
    job_id = import_trips(context, "A1", "B2", "OLD1", "-GONE1")
    undo = plan_undo(context, items_of(context, job_id))
    assert sorted(row["locator"] for row in undo.rows) == ["A1", "B2", "OLD1"]
    assert "A1 (Ana Silva)" in undo.record_names
    assert undo.not_undoable == [
        "1 trip that replaced earlier trips, which will not be restored.",
        "1 trip that this import canceled.",
    ]
    assert job_of(context, cancel_trips(context, undo.rows)).counts == {"done": 3}
    assert list_active_locators(service) == []
    again = plan_undo(context, items_of(context, job_id))
    assert (again.rows, again.not_undoable[0]) == ([], "3 trips already canceled from Muster.")


def test_trips_of_a_lost_response_are_undone_only_if_proven(context: Any, service: RunningService) -> None:
    create_batch = context.client.itineraries.create_batch
    context.client.itineraries.create_batch = lambda *_, **__: (_ for _ in ()).throw(OutcomeUnknown("lost"))
    job_id = import_trips(context, "A1")
    assert plan_undo(context, items_of(context, job_id)).not_undoable == [
        "1 trip with status Unknown. Check them first."
    ]
    context.client.itineraries.create_batch = create_batch
    [item] = items_of(context, job_id)
    create_batch([item.payload_text])
    JOBS.reconcile(context, TRIPS, job_id)
    assert [row["locator"] for row in plan_undo(context, items_of(context, job_id)).rows] == ["A1"]


def test_trips_are_canceled_in_batches_and_missing_trips_count_as_canceled(
    context: Any, service: RunningService
) -> None:
    ids = [context.client.itineraries.create(trip(f"L{number}")).id for number in range(3)]
    context.client.itineraries.delete(ids[1])
    job_id = cancel_trips(context, [{"id": str(each), "locator": f"L{place}"} for place, each in enumerate(ids)])
    assert [item.status.reasons.get("") for item in items_of(context, job_id)] == [None, ALREADY_DELETED, None]
    assert CANCELING.sending is not None
    assert CANCELING.sending.batch_size("") == 2_000
    assert list_active_locators(service) == []


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_lost_response_to_a_cancellation_is_checked_and_remaining_trips_are_canceled_again(
    tmp_path: Path, when: str
) -> None:
    fault = {"kind": "drop", "when": when, "methods": ["DELETE"], "times": 1}
    with (
        RunningService(faults={"fault": [fault]}) as service,
        new_journal(tmp_path / "journal.sqlite3") as journal,
        service.client() as client,
    ):
        context: Any = JobContext(journal, client)
        ids = [client.itineraries.create(trip(f"L{number}")).id for number in range(3)]
        job_id = cancel_trips(context, [{"id": str(each)} for each in ids])
        assert job_of(context, job_id).counts == {"unknown": 3}
        JOBS.reconcile(context, CANCELING, job_id)
        JOBS.resume(context, CANCELING, job_id, retry=True)
        JOBS.wait(job_id)
        assert (job_of(context, job_id).counts, list_active_locators(service)) == ({"done": 3}, [])


def parse_trips(text: str | bytes) -> list[dict[str, str]]:
    check = Check.of(TRIPS_TO_CANCEL, "pasted", text)
    assert check.is_ready.all(), check.unready_frame()
    return list(check.ready.records())


@pytest.mark.parametrize(
    ("text", "records"),
    [
        ("WSVM7K, QX2R9T wsvm7k", [{"locator": "WSVM7K"}, {"locator": "QX2R9T"}]),
        ("123456\n99999999999999999999", [{"id": "123456"}, {"id": "99999999999999999999"}]),
        ("PNR;External id;Itinerary id\nA1;;\n;X-1;\n;;77\n", [{"locator": "A1"}, {"external": "X-1"}, {"id": "77"}]),
    ],
)
def test_trips_to_cancel_are_read_from_a_list_or_a_table(text: str, records: list[dict[str, str]]) -> None:
    assert parse_trips(text) == records


def test_a_row_without_a_trip_or_with_an_invalid_number_is_reported(context: Any) -> None:
    check = Check.of(TRIPS_TO_CANCEL, "file.csv", b"Record locator,Itinerary id,Note\n,,nothing\n,12.5,odd\nA1,,fine\n")
    assert check.is_ready.tolist() == [False, False, True]


def test_trips_are_found_by_locator_external_id_or_id_with_the_sent_names(
    context: Any, service: RunningService
) -> None:
    import_trips(context, "A1")
    other = context.client.itineraries.create(trip("B2", external_itinerary_id="X-2")).id
    progress: list[tuple[int, int | None]] = []
    requested = parse_trips("PNR;External id;Itinerary id\na1;;\nA1;;\n;X-2;\nNONE;;\n;;77\n")
    found = find_trips(context, requested, lambda *n: progress.append(n), width=2)
    assert [(row["locator"], row["who"]) for row in found.rows] == [("", ""), ("A1", "Ana Silva"), ("", "")]
    assert [row["id"] for row in found.rows] == ["77", found.rows[1]["id"], str(other)]
    assert (found.missing, found.unread, progress[-1]) == (["NONE"], [], (1, 1))


def test_trips_that_could_not_be_checked_are_not_reported_as_missing(tmp_path: Path) -> None:
    fault = {"kind": "status", "status": 500, "path": "/itineraries/query/*"}
    with (
        RunningService(faults={"fault": [fault]}) as service,
        new_journal(tmp_path / "journal.sqlite3") as journal,
        service.client() as client,
    ):
        found = find_trips(JobContext(journal, client), parse_trips("A1"), lambda *_: None, width=1)  # type: ignore[arg-type]
        assert (found.rows, found.missing, found.unread) == ([], [], ["A1"])


def test_an_import_becomes_a_roster_with_the_known_ids_and_names(context: Any, service: RunningService) -> None:
    job_id = import_trips(context, "A1", "B2", "-C3")
    roster = create_roster(context, "Agency A", items_of(context, job_id))
    entries = roster.entries()
    ids = {item.label: int(item.status.result_id or 0) for item in items_of(context, job_id)}
    assert [(each.record_locator, each.itinerary_ids) for each in entries] == [("A1", [ids["A1"]]), ("B2", [ids["B2"]])]
    names = context.journal.travelers.names(ACTOR.service, ACTOR.organization_id)
    assert names == {"E-A1": "Silva, Ana", "E-B2": "Silva, Ana"}


def read_import_roster(context: Any) -> dict[str, list[int]]:
    """Return the trip IDs in the roster of imports, by record locator."""
    rosters = context.journal.rosters.list(context.actor.service, context.actor.organization_id)
    found = [roster for roster in rosters if roster.takes_imports]
    return {entry.record_locator: entry.itinerary_ids for roster in found for entry in roster.entries()}


def test_imported_trips_are_in_the_roster_of_imports_until_they_are_canceled(
    context: Any, service: RunningService
) -> None:
    first = {
        item.label: int(str(item.status.result_id))
        for item in context.journal.ledger.items(import_trips(context, "A1", "B2"))
    }
    assert read_import_roster(context) == {"A1": [first["A1"]], "B2": [first["B2"]]}
    [roster] = context.journal.rosters.list(context.actor.service, context.actor.organization_id)
    assert (roster.name, roster.entry_count) == ("Imported trips", 2)
    assert (
        "Silva, Ana" in context.journal.travelers.names(context.actor.service, context.actor.organization_id).values()
    )
    context.journal.rosters.rename(roster.id, "Agency trips", actor=context.actor)
    [again] = context.journal.ledger.items(import_trips(context, "a1"))
    assert read_import_roster(context) == {"A1": [int(str(again.status.result_id))], "B2": [first["B2"]]}
    # The second import replaced a trip of the first: undoing the first keeps the new trip.
    cancel_trips(context, [{"id": str(each), "locator": "", "who": ""} for each in first.values()])
    assert list(read_import_roster(context)) == ["A1"]
    undo = plan_undo(context, [again])
    cancel_trips(context, undo.rows)
    assert read_import_roster(context) == {}


def test_expected_locations_are_compared_with_the_sent_trips(context: Any, service: RunningService) -> None:
    job_id = import_trips(context, "A1", "B2", "C3", "D4")
    ids = {item.label: int(item.status.result_id or 0) for item in items_of(context, job_id)}
    context.client.itineraries.update(ids["B2"], trip("B2", segments=[CAR]))
    context.client.itineraries.delete(ids["C3"])
    progress: list[tuple[int, int | None]] = []
    found = compare_with_service(context.client, items_of(context, job_id), lambda *n: progress.append(n), width=2)
    assert (found.same, progress[-1]) == (2, (4, 4))
    assert found.others[["locator", "rows"]].to_numpy().tolist() == [["B2", "3"], ["C3", "4"]]
    assert "missing from the service" in found.others["what"].iloc[0]
    assert found.others["what"].iloc[1] == "no longer in the service"


def test_a_location_that_was_not_predicted_is_not_a_difference(context: Any, service: RunningService) -> None:
    text = trips_csv("A1", "B2") + b"\nB2,E-B2,Ana,Silva,EY302,AUH,,22 Mar 2027 08:25,22 Mar 2027 09:15,"
    job_id = JOBS.begin(context, Check.of(TRIPS, "agency.csv", text, context))
    JOBS.wait(job_id)
    items = items_of(context, job_id)
    assert not all(each.is_expected for each in predict(Itinerary.model_validate(items[1].payload)))
    found = compare_with_service(context.client, items, lambda *_: None, width=2)
    assert (found.same, len(found.others)) == (2, 0), found.others


def test_an_imported_trip_is_known_in_muster(context: Any, service: RunningService) -> None:
    job_id = import_trips(context, "A1", "B2")
    ids = {item.label: int(item.status.result_id or 0) for item in items_of(context, job_id)}
    for locator in ("A1", None):
        known = load_known_trip(context, itinerary_id=ids["A1"], locator=locator)
        assert known.itinerary is not None
        assert (known.itinerary.pnr, known.status) == ("A1", TripStatus.EXPECTED)
        assert [(change.by, change.action) for change in known.changes] == [("ana", CREATE)]
    assert "sent from Muster" in build_note(load_trip_changes(context, ids["A1"], "A1"), "A1", {}).sent_text
    draft = start_change(context, ids["A1"], "A1")
    assert [each.employee_id for each in draft.travelers] == ["E-A1"]
    assert find_change_since(context, draft) is None
    import_trips(context, "A1")
    assert load_known_trip(context, itinerary_id=ids["B2"], locator="A1").itinerary.pnr == "B2"  # type: ignore[union-attr]
    [a1] = [each.id for each in context.client.itineraries.search(field_name="pnr", values=["A1"])]
    since = find_change_since(context, start_change(context, ids["B2"], "B2"))
    assert since is None
    cancel_trips(context, [{"id": str(a1), "locator": "A1"}])
    assert load_known_trip(context, itinerary_id=a1, locator="A1").status is TripStatus.CANCELED
    assert load_send_history(context).locators == {"B2"}


def test_another_users_import_or_cancellation_of_an_edited_trip_is_reported(
    context: Any, service: RunningService
) -> None:
    [item] = items_of(context, import_trips(context, "A1"))
    itinerary_id = int(item.status.result_id or 0)
    draft = start_change(context, itinerary_id, "A1")
    cancel_trips(context, [{"id": str(itinerary_id)}])  # by its id alone
    since = find_change_since(context, draft)
    assert since is not None
    assert (since.by, since.action, change_verb(since)) == ("ana", CANCEL, "canceled")


def test_an_unproven_import_is_not_shown_as_done(context: Any, service: RunningService) -> None:
    create_batch = context.client.itineraries.create_batch
    context.client.itineraries.create_batch = lambda *_, **__: (_ for _ in ()).throw(OutcomeUnknown("lost"))
    import_trips(context, "A1")
    context.client.itineraries.create_batch = create_batch
    other = context.client.itineraries.create(trip("A1")).id
    known = load_known_trip(context, itinerary_id=other, locator="A1")
    assert (known.itinerary, len(known.unknown_changes)) == (None, 1)
