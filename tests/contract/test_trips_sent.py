"""Trips sent from a file: the service has each exactly once, whatever ends the process, spoils an answer or refuses."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from client import Invalid, OutcomeUnknown, ServiceClient, TooManyRequests
from domain.file_import import job as job_module
from domain.file_import.checking import Check
from domain.file_import.job import JOBS
from domain.trips.trip_import import trip_sending
from domain.trips.trip_import.trip_declaration import TRIPS
from domain.trips.trip_import.trip_sending import DIFFERENT_TRIP, MATCH_NOT_PROVEN, NOT_THERE, PLAIN, is_proven
from journal import Item, Job, Journal
from journal.journal_database import utc_now
from journal.tables import ledger_jobs
from service.database import Database
from service.schema import itineraries
from tests.contract.trip_runs import DESK, STEPS, STRUCK, TRIPS_AT_HAND, Desk, begun, file_of, locators_of
from tests.contract.trips import CAR, trip
from tests.dying_process import DyingProcesses
from tests.prepared_journal import new_journal
from tests.running_service import RunningService

NUMBER = 60
"""Two batches: of fifty with contacts, and the rest."""
BATCH = "/itineraries/8800/batch"

# Each kind of fault that the service can be asked for, as it strikes the second batch.
FAULTS = {
    "latency": {"kind": "latency", "milliseconds": 200},
    "too many requests": {"kind": "status", "status": 429},
    "too many requests, for a second": {"kind": "status", "status": 429, "retry_after": 0.1},
    "an error of its own": {"kind": "status", "status": 500},
    "an outage": {"kind": "status", "status": 503},
    "dropped before": {"kind": "drop", "when": "before"},
    "dropped after": {"kind": "drop", "when": "after"},
    "cut short": {"kind": "truncate", "bytes": 20},
    "no JSON": {"kind": "truncate", "bytes": 20, "close": False},
    "a gateway's page before": {"kind": "html", "status": 502, "when": "before"},
    "a gateway's page after": {"kind": "html", "status": 504, "when": "after"},
    "a page that claims success": {"kind": "html", "status": 200, "when": "after"},
}


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_module, "FIRST_WAIT", 0.001)
    monkeypatch.setattr(job_module, "LONGEST_WAIT", 0.001)


@pytest.fixture(scope="module")
def dying_processes() -> Iterator[DyingProcesses]:
    with DyingProcesses("tests.contract.trip_runs") as begun:
        yield begun


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with new_journal(tmp_path / "journal.sqlite3") as opened:
        yield opened


@pytest.fixture
def service() -> Iterator[RunningService]:
    with RunningService() as running:
        yield running


@pytest.fixture
def desk(journal: Journal, service: RunningService) -> Iterator[Any]:
    with service.client() as client:
        yield Desk(journal, client)


def stored(service: RunningService) -> list[tuple[str, str]]:
    """Every trip that was ever made, as the service's database has it: one that was sent twice is there twice."""
    with closing(Database(service.database_url)) as database, database.transaction() as connection:
        columns = select(itineraries.c.pnr, itineraries.c.status).order_by(itineraries.c.pnr)
        return [(row[0], row[1]) for row in connection.execute(columns)]


def job_of(desk: Any, job_id: int) -> Job:
    job = desk.journal.ledger.job(DESK, job_id)
    assert job is not None
    return job


def items_of(desk: Any, job_id: int) -> list[Item]:
    found: list[Item] = desk.journal.ledger.items(job_id)
    return found


def brought_to_its_end(desk: Any, job_id: int) -> Job:
    """Go on, look for what is unknown, and send again what is offered, as a person does."""
    JOBS.resume(desk, TRIPS_AT_HAND, job_id)
    JOBS.wait(job_id)
    JOBS.reconcile(desk, TRIPS_AT_HAND, job_id)
    JOBS.resume(desk, TRIPS_AT_HAND, job_id, retry=True)
    JOBS.wait(job_id)
    return job_of(desk, job_id)


@pytest.mark.parametrize("step", STEPS)
def test_a_process_killed_at_any_step_stores_each_trip_exactly_once(
    desk: Any, service: RunningService, dying_processes: DyingProcesses, tmp_path: Path, step: str
) -> None:
    url = f"sqlite:///{tmp_path / 'journal.sqlite3'}"
    assert dying_processes.run(step, url, service.url, NUMBER) == -9
    with desk.journal._database.writing() as connection:
        connection.execute(ledger_jobs.update().values(lease_until=utc_now() - timedelta(minutes=1)))
    [job] = desk.journal.ledger.jobs(DESK, TRIPS_AT_HAND.kind)
    assert job.state == "cut off"
    assert job.counts.get("unknown", 0) or step == "after the write"
    assert brought_to_its_end(desk, job.id).counts == {"done": NUMBER}
    assert stored(service) == [(locator, "A") for locator in locators_of(NUMBER)]
    assert all(is_proven(item) for item in items_of(desk, job.id))


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_of_the_service_stores_each_trip_exactly_once(journal: Journal, fault: str) -> None:
    struck = {**FAULTS[fault], "path": BATCH, "methods": ["POST"], "skip": STRUCK - 1, "times": 1}
    with RunningService(faults={"fault": [struck]}) as service, service.client() as client:
        desk: Any = Desk(journal, client)
        job_id = begun(desk, file_of(locators_of(NUMBER)))
        assert job_of(desk, job_id).counts.get("failed") is None
        assert brought_to_its_end(desk, job_id).counts == {"done": NUMBER}
        assert stored(service) == [(locator, "A") for locator in locators_of(NUMBER)]
        ids = {item.status.result_id: item.label for item in items_of(desk, job_id)}
        for itinerary_id, locator in list(ids.items())[:NUMBER:17]:
            found = client.itineraries.search(field_name="pnr", values=[locator])
            assert [str(each.id) for each in found] == [itinerary_id]


@pytest.mark.parametrize("fault", ["cut short", "no JSON", "a page that claims success"])
def test_an_error_in_the_search_before_a_batch_leaves_no_trip_unknown(journal: Journal, fault: str) -> None:
    struck = {**FAULTS[fault], "path": "/itineraries/query/*", "times": 3}
    with RunningService(faults={"fault": [struck]}) as service, quickly(service) as client:
        desk: Any = Desk(journal, client)
        job_id = begun(desk, file_of(locators_of(NUMBER)))
        assert job_of(desk, job_id).counts == {"done": NUMBER}
        assert stored(service) == [(locator, "A") for locator in locators_of(NUMBER)]


def test_a_busy_service_does_not_erase_the_result_of_an_earlier_attempt(desk: Any, service: RunningService) -> None:
    """A trip that was stored late is not sent again, and its result does not say that it replaced another."""
    create_batch, search = desk.client.itineraries.create_batch, desk.client.itineraries.search
    desk.client.itineraries.create_batch = lambda *_, **__: (_ for _ in ()).throw(OutcomeUnknown("lost"))
    job_id = begun(desk, file_of(locators_of(2)))
    JOBS.reconcile(desk, TRIPS_AT_HAND, job_id)
    desk.client.itineraries.create_batch = create_batch
    late = create_batch([trip("L00000")]).succeeded[0].id
    busy = iter([TooManyRequests("Busy.")])

    def once_busy(**asked: Any) -> Any:
        for error in busy:
            raise error
        return search(**asked)

    desk.client.itineraries.search = once_busy
    JOBS.resume(desk, TRIPS_AT_HAND, job_id, retry=True)
    JOBS.wait(job_id)
    first, _ = items_of(desk, job_id)
    assert (first.status.state, first.status.result_id, dict(first.status.reasons)) == ("done", str(late), {})


def refusing(desk: Any, is_bad: Callable[[list[str]], bool], *, makes_them: bool = False) -> list[int]:
    """Have the service refuse batches whole, without a word on which trip it is for; the sizes that it was asked."""
    once, sizes = desk.client.itineraries.create_batch, []

    def create_batch(trips: Any, **how: Any) -> Any:
        sizes.append(len(trips))
        if is_bad([json.loads(trip)["pnr"] for trip in trips]):
            if makes_them:
                once(trips, **how)
            raise Invalid("Bad request", service_message="Something is wrong with these.")
        return once(trips, **how)

    desk.client.itineraries.create_batch = create_batch
    return sizes


def test_a_refused_batch_is_halved_down_to_the_invalid_trip(desk: Any, service: RunningService) -> None:
    bad = {"L00007", "L00030"}
    sizes = refusing(desk, lambda locators: bool(bad & set(locators)))
    job_id = begun(desk, file_of(locators_of(40)))
    failed = {item.label: item.status.reasons for item in items_of(desk, job_id) if item.status.state == "failed"}
    assert failed == {key: {"": "Something is wrong with these."} for key in sorted(bad)}
    assert len(sizes) < 30
    assert stored(service) == [(each, "A") for each in locators_of(40) if each not in bad]


def test_a_batch_whose_trips_are_all_refused_is_halved_only_a_limited_number_of_times(desk: Any) -> None:
    sizes = refusing(desk, lambda _: True)
    content = file_of(locators_of(900), PLAIN)
    assert job_of(desk, begun(desk, content)).counts == {"failed": 900}
    assert len(sizes) <= 64


def test_a_batch_that_is_refused_but_stored_is_not_sent_again(desk: Any, service: RunningService) -> None:
    refusing(desk, lambda locators: len(locators) > 1, makes_them=True)
    job_id = begun(desk, file_of(locators_of(20)))
    assert job_of(desk, job_id).counts == {"done": 20}
    assert stored(service) == [(each, "A") for each in locators_of(20)]


def test_after_a_lost_response_an_earlier_trip_counts_as_sent_only_if_its_locations_match(
    desk: Any, service: RunningService
) -> None:
    desk.client.itineraries.create(trip("L00000"))
    desk.client.itineraries.create(trip("L00001", segments=[CAR]))
    desk.client.itineraries.create_batch = lambda *_, **__: (_ for _ in ()).throw(OutcomeUnknown("lost"))
    job_id = begun(desk, file_of(locators_of(3)))
    assert job_of(desk, job_id).counts == {"unknown": 3}
    JOBS.reconcile(desk, TRIPS_AT_HAND, job_id)
    items = items_of(desk, job_id)
    assert [(item.status.state, item.status.reasons[""]) for item in items] == [
        ("done", MATCH_NOT_PROVEN),
        ("failed", DIFFERENT_TRIP),
        ("failed", NOT_THERE),
    ]
    assert [is_proven(item) for item in items] == [False, False, False]


def test_trips_with_one_locator_are_distinguished_by_external_id(desk: Any, service: RunningService) -> None:
    once = desk.client.itineraries.search
    ids = [desk.client.itineraries.create(trip(each, external_itinerary_id=f"X-{each}")).id for each in ("A1", "B2")]

    def search(*, field_name: str, values: list[str], **_: Any) -> Any:
        # A service that keeps two trips under one locator.
        return (
            once(field_name="pnr", values=["A1", "B2"])
            if field_name == "pnr"
            else once(field_name=field_name, values=values)
        )

    desk.client.itineraries.search = search
    items = [replace(item, status=item.status) for item in sent_to_nobody(desk, ["A1", "B2"])]
    found = trip_sending.reconcile(desk.client, items)
    assert [fate.result_id for fate in found.values()] == [str(each) for each in ids]


def sent_to_nobody(desk: Any, locators: list[str]) -> list[Item]:
    """A job's items, unknown all of them."""
    check = Check.of(TRIPS_AT_HAND, "trips.csv", file_of(locators), desk)
    run = desk.journal.ledger.begin(DESK, TRIPS_AT_HAND.kind, "trips.csv", list(check.build_items()))
    desk.journal.ledger.claim(run, lambda _: 1000)
    return items_of(desk, run.job_id)


def test_a_trip_stored_after_the_check_is_not_sent_again(desk: Any, service: RunningService) -> None:
    create_batch = desk.client.itineraries.create_batch
    desk.client.itineraries.create_batch = lambda *_, **__: (_ for _ in ()).throw(OutcomeUnknown("lost"))
    job_id = begun(desk, file_of(locators_of(4)))
    JOBS.reconcile(desk, TRIPS_AT_HAND, job_id)
    desk.client.itineraries.create_batch = create_batch
    late = create_batch([trip("L00002")]).succeeded[0].id
    JOBS.resume(desk, TRIPS_AT_HAND, job_id, retry=True)
    JOBS.wait(job_id)
    assert job_of(desk, job_id).counts == {"done": 4}
    assert stored(service) == [(each, "A") for each in locators_of(4)]
    assert items_of(desk, job_id)[2].status.result_id == str(late)


def test_a_missing_trip_confirms_a_cancellation_but_proves_no_creation(desk: Any, service: RunningService) -> None:
    for locator in ("L00000", "L00001"):
        desk.client.itineraries.create(trip(locator))
    job_id = begun(desk, file_of(["L00000"], "canceled"))
    [item] = items_of(desk, job_id)
    assert (item.status.state, is_proven(item)) == ("done", False)
    lost = sent_to_nobody(desk, ["L00000", "L00001"])
    texts = [json.dumps({**item.payload, "itineraryStatus": "canceled"}) for item in lost]
    canceled = [replace(item, payload_text=text) for item, text in zip(lost, texts, strict=True)]
    assert [fate.state for fate in trip_sending.reconcile(desk.client, canceled).values()] == ["done", "failed"]


def test_each_batch_has_one_kind_of_trip_and_at_most_the_limit_of_that_kind(desk: Any, service: RunningService) -> None:
    desk.client.itineraries.create(trip("FIRST"))  # from now on its traveler is a contact
    sizes = refusing(desk, lambda _: False)
    plain = [f"{each},plain,\n" for each in locators_of(1100)]
    others = [f"C{each:05},contacts,\n" for each in range(60)]
    mixed = [line for pair in zip(plain, others, strict=False) for line in pair] + plain[60:]
    job_id = begun(desk, ("Record locator,Lot,External id\n" + "".join(mixed)).encode())
    assert job_of(desk, job_id).counts == {"done": 1160}
    assert sorted(sizes) == [10, 50, 100, 1000]


def test_trips_that_unexpectedly_need_a_contact_are_sent_again_in_smaller_batches(
    desk: Any, service: RunningService
) -> None:
    sizes = refusing(desk, lambda _: False)
    job_id = begun(desk, file_of(locators_of(120), PLAIN))
    assert job_of(desk, job_id).counts == {"done": 120}
    assert sizes == [120, 50, 50, 20]
    assert stored(service) == [(each, "A") for each in locators_of(120)]


def test_if_the_service_refuses_large_searches_every_trip_counts_as_possibly_existing(
    desk: Any, service: RunningService
) -> None:
    once = desk.client.itineraries.search

    def search(*, field_name: str, values: list[str], **_: Any) -> Any:
        if len(values) > 50:
            raise Invalid("Too many values.")
        return once(field_name=field_name, values=values)

    desk.client.itineraries.search = search
    desk.client.itineraries.create(trip("FIRST"))
    job_id = begun(desk, file_of(locators_of(80), PLAIN))
    assert job_of(desk, job_id).counts == {"done": 80}


def test_during_an_outage_nothing_is_sent_until_the_service_responds_again(journal: Journal) -> None:
    down = {"kind": "status", "status": 503, "times": 40}
    with RunningService(faults={"fault": [down]}) as service, quickly(service) as client:
        desk: Any = Desk(journal, client)
        job_id = begun(desk, file_of(locators_of(NUMBER)))
        paused = job_of(desk, job_id)
        assert (paused.state, paused.counts) == ("paused", {"waiting": NUMBER})
        while job_of(desk, job_id).state == "paused":
            JOBS.resume(desk, TRIPS_AT_HAND, job_id)
            JOBS.wait(job_id)
        assert job_of(desk, job_id).counts == {"done": NUMBER}


def test_a_service_that_loses_several_responses_does_not_get_the_rest_of_the_file(journal: Journal) -> None:
    down = {"kind": "status", "status": 503, "path": BATCH}
    with RunningService(faults={"fault": [down]}) as service, quickly(service) as client:
        desk: Any = Desk(journal, client)
        job = job_of(desk, begun(desk, file_of(locators_of(1000))))
        assert (job.state, job.counts["waiting"] > 0, stored(service)) == ("paused", True, [])


def quickly(service: RunningService) -> ServiceClient:
    from client import RetryPolicy

    return service.client(retry=RetryPolicy(attempts=2, first_wait=0.001))


def test_a_paused_job_has_no_trip_in_progress_and_resumes_at_its_position(desk: Any, service: RunningService) -> None:
    create_batch, at_call, go_on = desk.client.itineraries.create_batch, threading.Event(), threading.Event()

    def held(*arguments: Any, **how: Any) -> Any:
        at_call.set()
        assert go_on.wait(30)
        return create_batch(*arguments, **how)

    desk.client.itineraries.create_batch = held
    check = Check.of(TRIPS_AT_HAND, "trips.csv", file_of(locators_of(400)), desk)
    job_id = JOBS.begin(desk, check)
    assert at_call.wait(30)
    JOBS.request_state(desk, job_id, "paused")
    go_on.set()
    JOBS.wait(job_id)
    job = job_of(desk, job_id)
    assert job.state == "paused"
    assert set(job.counts) == {"done", "waiting"}
    JOBS.resume(desk, TRIPS_AT_HAND, job_id)
    JOBS.wait(job_id)
    assert stored(service) == [(each, "A") for each in locators_of(400)]


def test_several_batches_are_sent_at_once(desk: Any, service: RunningService) -> None:
    create_batch, both = desk.client.itineraries.create_batch, threading.Barrier(2)

    def together(*arguments: Any, **how: Any) -> Any:
        both.wait(30)
        return create_batch(*arguments, **how)

    desk.client.itineraries.create_batch = together
    assert job_of(desk, begun(desk, file_of(locators_of(100)))).counts == {"done": 100}


def test_an_error_is_reported_at_its_column(desk: Any) -> None:
    headings = "PNR,Traveller,Hotel,Hotel city,Hotel country,Check-in,Check-out"
    rows = [
        "AAA111,Silva/Ana,Ritz,Lisbon,PT,2027-04-03,2027-04-05",
        "BBB222,Silva/Ana,Inn,Nowhere,US,2027-04-06,2027-04-07",
    ]
    unchecked = replace(TRIPS, rules=())
    job_id = JOBS.begin(desk, Check.of(unchecked, "hotels.csv", "\n".join((headings, *rows)).encode(), desk))
    JOBS.wait(job_id)
    done, failed = items_of(desk, job_id)
    assert (done.status.state, failed.status.state) == ("done", "failed")
    assert list(failed.status.reasons) == ["hotelCountry"]
