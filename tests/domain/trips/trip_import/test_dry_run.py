"""The summary of an import before anything is sent."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from client.models.itineraries import Itinerary
from domain import trips
from domain.file_import.checking import Check
from domain.file_import.row_sending import Outgoing
from domain.trips.prediction import predict
from domain.trips.trip_findings import KINDS
from domain.trips.trip_import.dry_run import SendHistory, dry_run, load_send_history
from domain.trips.trip_import.trip_declaration import TRIPS, declare_trips
from domain.trips.trip_import.trip_rows import build_trips
from journal import ItemStatus, NewItem
from tests.domain.file_import.note_import import JobWorkspace
from tests.domain.trips.trip_import.outcomes import check_of
from tests.prepared_journal import new_journal

FILES = Path(__file__).parent / "agency_files"


def outgoing(name: str) -> list[Outgoing]:
    path = next(FILES.glob(f"{name}-*[!e]"))
    return list(check_of(path.read_bytes(), path.name).outgoing())


def trip(locator: str, *employee_ids: str, status: str = "Active") -> str:
    return "\n".join(f"{locator},{each},Silva/Ana {each},LIS,GVA,2027-05-11 07:20,2027-05-11 11:00,{status}"
                     for each in employee_ids)  # fmt: skip


def build_outgoing(*trips: str, known_ids: frozenset[str] = frozenset()) -> list[Outgoing]:
    check = check_of("\n".join(("PNR,Employee id,Traveller,From,To,Departure,Arrival,Status", *trips)))
    assert check.is_ready.all()
    return list(build_trips(check.ready, known_employee_ids=known_ids))


def test_the_expected_locations_are_those_of_each_trip():
    outgoing_trips = [each for name in ("03", "10", "14", "16", "26") for each in outgoing(name)]
    run = dry_run(outgoing_trips, SendHistory())
    predicted = [
        each for one in outgoing_trips for each in predict(Itinerary.model_validate(one.payload)) if each.is_expected
    ]  # fmt: skip
    assert run.is_complete
    assert run.locations == len(predicted) == run.trips["locations"].sum()
    with_position = [each for each in predicted if each.place.position is not None]
    assert run.places["locations"].sum() == len(with_position) == run.placed_count < run.locations
    shapes = run.place_shapes
    assert [shape.geometry["coordinates"] for shape in shapes] == [
        [row.lon, row.lat] for row in run.places.sort_values("people").itertuples()
    ]
    assert shapes[-1].about.startswith(f"{run.places['people'].max()} ")


def test_trips_are_counted_as_new_sent_before_or_canceled():
    run = dry_run(
        build_outgoing(trip("AAA111", "E1"), trip("bbb222", "E2"), trip("CCC333", "E3", status="canceled")),
        SendHistory(locators=frozenset({"BBB222", "CCC333"})),
    )
    assert run.trips.set_index("locator")["effect"].to_dict() == {
        "AAA111": "new",
        "bbb222": "sent before",
        "CCC333": "canceled",
    }


def test_trips_without_expected_people_are_counted_and_cancellations_are_not():
    empty = Outgoing([0], {"pnr": "NONE01", "passengers": [{"employeeId": "E1"}], "segments": []}, "NONE01")
    run = dry_run(
        [*build_outgoing(trip("AAA111", "E1"), trip("BBB222", "E2", status="canceled")), empty], SendHistory()
    )
    assert run.trips.set_index("locator")["locations"].to_dict() == {"AAA111": 2, "BBB222": 0, "NONE01": 0}
    assert run.unreached_count == 1


def test_contacts_are_counted_per_person_and_need_small_batches():
    known_ids = frozenset({"E1"})
    trips = [trip(f"A{number:05}", "E1") for number in range(1_001)]
    trips += [trip(f"B{number:05}", "E1", "E2") for number in range(51)] + [trip("C00001", "E3")]
    run = dry_run(build_outgoing(*trips, known_ids=known_ids), SendHistory(employee_ids=known_ids), at_most=10)
    assert (run.contacts, run.batches, run.batches_with_contacts) == (2, 2, 2)


def test_many_trips_are_checked_in_part_and_the_number_is_reported():
    trips = build_outgoing(*(trip(f"A{number:05}", f"E{number}") for number in range(100)))
    run = dry_run(trips, SendHistory(), at_most=20)
    assert (run.checked_count, len(run.trips), run.is_complete) == (20, 100, False)
    assert run.trips["locations"].notna().sum() == 20
    assert dry_run(trips, SendHistory(), at_most=100).is_complete


def test_trips_with_problems_come_first():
    one = trip("AAA111", "E1")
    other = trip("BBB222", "E2") + "\n" + trip("BBB222", "E2").replace("LIS,GVA", "JFK,LAX")
    run = dry_run(build_outgoing(one, other), SendHistory())
    assert run.with_kind(None)["locator"].tolist() == ["BBB222", "AAA111"]
    assert run.with_kind(None)["problems"].tolist()[1] == ""


def trip_of_flights(locator: str, *flights: str) -> str:
    return "\n".join(f"{locator},E-{locator},Silva/Ana {locator},{flight},Active" for flight in flights)


def test_findings_are_counted_and_filtered_by_rule_the_most_severe_first():
    out, back = "LIS,GVA,2027-05-11 07:20,2027-05-11 11:00", "GVA,LIS,2027-05-14 18:30,2027-05-14 20:10"
    without_hotel = [trip_of_flights(f"BARE0{number}", out, back) for number in range(5)]
    overlapping = trip_of_flights("TWICE1", out, back, "CDG,MAD,2027-05-11 08:00,2027-05-11 10:00")
    run = dry_run(build_outgoing(*without_hotel, overlapping), SendHistory())
    assert next(iter(run.kinds)) == "overlap"
    assert list(run.kinds)[-1] == "no-hotel"
    assert (run.kinds["overlap"], run.kinds["no-hotel"], run.error_count) == (1, 6, 1)
    assert run.with_kind(None)["locator"].tolist()[0] == "TWICE1"
    assert run.with_kind(None)["problems"][0].index("overlap") < run.with_kind(None)["problems"][0].index("No hotel")
    assert run.with_kind("overlap")["locator"].tolist() == ["TWICE1"]
    assert "No hotel" not in run.with_kind("overlap")["problems"][0]
    assert len(run.with_kind("no-hotel")) == 6


def test_every_check_of_a_trip_has_a_label():
    checks = Path(trips.__file__).parent.glob("*checks.py")
    rules = {
        constant.value
        for path in checks
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Finding"
        for constant in [*call.args[4:5], *(each.value for each in call.keywords if each.arg == "rule")]
        if isinstance(constant, ast.Constant)
    }
    assert len(rules) > 20
    assert rules == set(KINDS)


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[JobWorkspace]:
    with new_journal(tmp_path / "journal.sqlite3") as journal:
        yield JobWorkspace(journal)


def test_the_send_history_includes_imports_and_single_trips(workspace):
    people = [{"employeeId": "E1"}, {"firstName": "Ana"}]
    payloads = [{"pnr": "AAA111", "passengers": people}, {"pnr": "BBB222", "itineraryStatus": "canceled"}]
    payloads[1]["passengers"] = [{"employeeId": "E2"}]
    run = workspace.journal.ledger.begin(
        workspace.actor, "trip", "a.csv", [NewItem(each, [], each["pnr"]) for each in payloads]
    )
    assert load_send_history(workspace) == SendHistory(), "only sent items are in the history"
    claimed = workspace.journal.ledger.claim(run, lambda _: 10)
    workspace.journal.ledger.write(run, {item.position: ItemStatus("done", "1") for item in claimed})
    for action, locator in (("create", "CCC333"), ("create", "DDD444"), ("cancel", "DDD444")):
        entry = workspace.journal.audit.begin(
            workspace.actor,
            f"itinerary.{action}",
            subject_kind="itinerary",
            subject_id="7",
            subject_name=locator,
            request={"at": datetime.now(UTC).isoformat()},
        )
        workspace.journal.audit.finish(entry, state="succeeded")
    assert load_send_history(workspace) == SendHistory(frozenset({"AAA111", "CCC333"}), frozenset({"E1"}))


def test_trips_of_known_contacts_are_sent_in_large_batches():
    cells = "AAA111,E1,Silva/Ana,LIS,GVA,2027-05-11 07:20,2027-05-11 11:00"
    text = f"PNR,Employee id,Traveller,From,To,Departure,Arrival\n{cells}"
    batch_groups = [
        Check.of(declaration, "trips.csv", text).outgoing()[0].batch_group
        for declaration in (TRIPS, declare_trips({"E1"}))
    ]
    assert batch_groups == ["contacts", "plain"]
