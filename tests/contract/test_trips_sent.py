"""Trips sent from a file: the service has each exactly once, despite crashes, faults, and refusals."""

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
from tests.contract.trip_runs import (
    ACTOR,
    FAILING_BATCH,
    SIMPLE_TRIPS,
    STEPS,
    JobContext,
    file_of,
    locators_of,
    send_file,
)
from tests.contract.trips import CAR, trip
from tests.dying_process import DyingProcesses
from tests.prepared_journal import new_journal
from tests.running_service import RunningService

NUMBER = 60
"""Two batches: 50 trips with contacts, and the rest."""
BATCH = "/itineraries/8800/batch"

# Each kind of fault that the service can inject into the second batch.
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
def no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_module, "FIRST_WAIT", 0.001)
    monkeypatch.setattr(job_module, "LONGEST_WAIT", 0.001)


@pytest.fixture(scope="module")
def dying_processes() -> Iterator[DyingProcesses]:
    with DyingProcesses("tests.contract.trip_runs") as processes:
        yield processes


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with new_journal(tmp_path / "journal.sqlite3") as journal:
        yield journal


@pytest.fixture
def service() -> Iterator[RunningService]:
    with RunningService() as service:
        yield service


@pytest.fixture
def context(journal: Journal, service: RunningService) -> Iterator[Any]:
    with service.client() as client:
        yield JobContext(journal, client)


def list_stored_trips(service: RunningService) -> list[tuple[str, str]]:
    """Return every trip in the service's database. A trip that was sent twice is listed twice."""
    with closing(Database(service.database_url)) as database, database.transaction() as connection:
        columns = select(itineraries.c.pnr, itineraries.c.status).order_by(itineraries.c.pnr)
        return [(row[0], row[1]) for row in connection.execute(columns)]


def job_of(context: Any, job_id: int) -> Job:
    job = context.journal.ledger.job(ACTOR, job_id)
    assert job is not None
    return job


def items_of(context: Any, job_id: int) -> list[Item]:
    found: list[Item] = context.journal.ledger.items(job_id)
    return found


def finish_job(context: Any, job_id: int) -> Job:
    """Resume the job, check unknown trips, and retry failed ones, as a user does. Returns the job."""
    JOBS.resume(context, SIMPLE_TRIPS, job_id)
    JOBS.wait(job_id)
    JOBS.reconcile(context, SIMPLE_TRIPS, job_id)
    JOBS.resume(context, SIMPLE_TRIPS, job_id, retry=True)
    JOBS.wait(job_id)
    return job_of(context, job_id)


@pytest.mark.parametrize("step", STEPS)
def test_a_process_killed_at_any_step_stores_each_trip_exactly_once(
    context: Any, service: RunningService, dying_processes: DyingProcesses, tmp_path: Path, step: str
) -> None:
    url = f"sqlite:///{tmp_path / 'journal.sqlite3'}"
    assert dying_processes.run(step, url, service.url, NUMBER) == -9
    with context.journal._database.writing() as connection:
        connection.execute(ledger_jobs.update().values(lease_until=utc_now() - timedelta(minutes=1)))
    [job] = context.journal.ledger.jobs(ACTOR, SIMPLE_TRIPS.kind)
    assert job.state == "cut off"
    assert job.counts.get("unknown", 0) or step == "after the write"
    assert finish_job(context, job.id).counts == {"done": NUMBER}
    assert list_stored_trips(service) == [(locator, "A") for locator in locators_of(NUMBER)]
    assert all(is_proven(item) for item in items_of(context, job.id))


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_of_the_service_stores_each_trip_exactly_once(journal: Journal, fault: str) -> None:
    fault_of_batch = {**FAULTS[fault], "path": BATCH, "methods": ["POST"], "skip": FAILING_BATCH - 1, "times": 1}
    with RunningService(faults={"fault": [fault_of_batch]}) as service, service.client() as client:
        context: Any = JobContext(journal, client)
        job_id = send_file(context, file_of(locators_of(NUMBER)))
        assert job_of(context, job_id).counts.get("failed") is None
        assert finish_job(context, job_id).counts == {"done": NUMBER}
        assert list_stored_trips(service) == [(locator, "A") for locator in locators_of(NUMBER)]
        ids = {item.status.result_id: item.label for item in items_of(context, job_id)}
        for itinerary_id, locator in list(ids.items())[:NUMBER:17]:
            found = client.itineraries.search(field_name="pnr", values=[locator])
            assert [str(each.id) for each in found] == [itinerary_id]


@pytest.mark.parametrize("fault", ["cut short", "no JSON", "a page that claims success"])
def test_an_error_in_the_search_before_a_batch_leaves_no_trip_unknown(journal: Journal, fault: str) -> None:
    fault_of_batch = {**FAULTS[fault], "path": "/itineraries/query/*", "times": 3}
    with RunningService(faults={"fault": [fault_of_batch]}) as service, connect_with_few_retries(service) as client:
        context: Any = JobContext(journal, client)
        job_id = send_file(context, file_of(locators_of(NUMBER)))
        assert job_of(context, job_id).counts == {"done": NUMBER}
        assert list_stored_trips(service) == [(locator, "A") for locator in locators_of(NUMBER)]


def test_a_check_after_a_lost_response_is_reported(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    messages: list[str] = []
    monkeypatch.setattr(job_module._Runner, "_report", lambda _, message: messages.append(message))
    fault = {**FAULTS["dropped after"], "path": BATCH}
    with RunningService(faults={"fault": [fault]}) as service, connect_with_few_retries(service) as client:
        context: Any = JobContext(journal, client)
        send_file(context, file_of(locators_of(2)))
    assert messages == ["Muster is checking which trips of the last batch the service has."]


def test_a_busy_service_does_not_erase_the_result_of_an_earlier_attempt(context: Any, service: RunningService) -> None:
    """A trip that was stored late is not sent again, and its result does not say that it replaced another."""
    create_batch, search = context.client.itineraries.create_batch, context.client.itineraries.search
    context.client.itineraries.create_batch = lambda *_, **__: (_ for _ in ()).throw(OutcomeUnknown("lost"))
    job_id = send_file(context, file_of(locators_of(2)))
    JOBS.reconcile(context, SIMPLE_TRIPS, job_id)
    context.client.itineraries.create_batch = create_batch
    late_id = create_batch([trip("L00000")]).succeeded[0].id
    busy = iter([TooManyRequests("Busy.")])

    def search_when_busy(**arguments: Any) -> Any:
        for error in busy:
            raise error
        return search(**arguments)

    context.client.itineraries.search = search_when_busy
    JOBS.resume(context, SIMPLE_TRIPS, job_id, retry=True)
    JOBS.wait(job_id)
    first, _ = items_of(context, job_id)
    assert (first.status.state, first.status.result_id, dict(first.status.reasons)) == ("done", str(late_id), {})


def refuse_batches(context: Any, is_bad: Callable[[list[str]], bool], *, is_stored: bool = False) -> list[int]:
    """Let the service refuse whole batches without naming a trip. Returns the sizes of the batches."""
    original, sizes = context.client.itineraries.create_batch, []

    def create_batch(trips: Any, **options: Any) -> Any:
        sizes.append(len(trips))
        if is_bad([json.loads(trip)["pnr"] for trip in trips]):
            if is_stored:
                original(trips, **options)
            raise Invalid("Bad request", service_message="Something is wrong with these.")
        return original(trips, **options)

    context.client.itineraries.create_batch = create_batch
    return sizes


def test_a_refused_batch_is_halved_down_to_the_invalid_trip(context: Any, service: RunningService) -> None:
    bad = {"L00007", "L00030"}
    sizes = refuse_batches(context, lambda locators: bool(bad & set(locators)))
    job_id = send_file(context, file_of(locators_of(40)))
    failed = {item.label: item.status.reasons for item in items_of(context, job_id) if item.status.state == "failed"}
    assert failed == {key: {"": "Something is wrong with these."} for key in sorted(bad)}
    assert len(sizes) < 30
    assert list_stored_trips(service) == [(each, "A") for each in locators_of(40) if each not in bad]


def test_a_batch_whose_trips_are_all_refused_is_halved_only_a_limited_number_of_times(context: Any) -> None:
    sizes = refuse_batches(context, lambda _: True)
    content = file_of(locators_of(900), PLAIN)
    assert job_of(context, send_file(context, content)).counts == {"failed": 900}
    assert len(sizes) <= 64


def test_a_batch_that_is_refused_but_stored_is_not_sent_again(context: Any, service: RunningService) -> None:
    refuse_batches(context, lambda locators: len(locators) > 1, is_stored=True)
    job_id = send_file(context, file_of(locators_of(20)))
    assert job_of(context, job_id).counts == {"done": 20}
    assert list_stored_trips(service) == [(each, "A") for each in locators_of(20)]


def test_after_a_lost_response_an_earlier_trip_counts_as_sent_only_if_its_locations_match(
    context: Any, service: RunningService
) -> None:
    context.client.itineraries.create(trip("L00000"))
    context.client.itineraries.create(trip("L00001", segments=[CAR]))
    context.client.itineraries.create_batch = lambda *_, **__: (_ for _ in ()).throw(OutcomeUnknown("lost"))
    job_id = send_file(context, file_of(locators_of(3)))
    assert job_of(context, job_id).counts == {"unknown": 3}
    JOBS.reconcile(context, SIMPLE_TRIPS, job_id)
    items = items_of(context, job_id)
    assert [(item.status.state, item.status.reasons[""]) for item in items] == [
        ("done", MATCH_NOT_PROVEN),
        ("failed", DIFFERENT_TRIP),
        ("failed", NOT_THERE),
    ]
    assert [is_proven(item) for item in items] == [False, False, False]


def test_trips_with_one_locator_are_distinguished_by_external_id(context: Any, service: RunningService) -> None:
    original = context.client.itineraries.search
    ids = [context.client.itineraries.create(trip(each, external_itinerary_id=f"X-{each}")).id for each in ("A1", "B2")]

    def search(*, field_name: str, values: list[str], **_: Any) -> Any:
        # A service with two trips for one locator.
        return (
            original(field_name="pnr", values=["A1", "B2"])
            if field_name == "pnr"
            else original(field_name=field_name, values=values)
        )

    context.client.itineraries.search = search
    items = [replace(item, status=item.status) for item in create_unknown_items(context, ["A1", "B2"])]
    found = trip_sending.reconcile(context.client, items)
    assert [status.result_id for status in found.values()] == [str(each) for each in ids]


def create_unknown_items(context: Any, locators: list[str]) -> list[Item]:
    """Return the items of a job, all with status Unknown."""
    check = Check.of(SIMPLE_TRIPS, "trips.csv", file_of(locators), context)
    run = context.journal.ledger.begin(ACTOR, SIMPLE_TRIPS.kind, "trips.csv", list(check.build_items()))
    context.journal.ledger.claim(run, lambda _: 1000)
    return items_of(context, run.job_id)


def test_a_trip_stored_after_the_check_is_not_sent_again(context: Any, service: RunningService) -> None:
    create_batch = context.client.itineraries.create_batch
    context.client.itineraries.create_batch = lambda *_, **__: (_ for _ in ()).throw(OutcomeUnknown("lost"))
    job_id = send_file(context, file_of(locators_of(4)))
    JOBS.reconcile(context, SIMPLE_TRIPS, job_id)
    context.client.itineraries.create_batch = create_batch
    late_id = create_batch([trip("L00002")]).succeeded[0].id
    JOBS.resume(context, SIMPLE_TRIPS, job_id, retry=True)
    JOBS.wait(job_id)
    assert job_of(context, job_id).counts == {"done": 4}
    assert list_stored_trips(service) == [(each, "A") for each in locators_of(4)]
    assert items_of(context, job_id)[2].status.result_id == str(late_id)


def test_a_missing_trip_confirms_a_cancellation_but_proves_no_creation(context: Any, service: RunningService) -> None:
    for locator in ("L00000", "L00001"):
        context.client.itineraries.create(trip(locator))
    job_id = send_file(context, file_of(["L00000"], "canceled"))
    [item] = items_of(context, job_id)
    assert (item.status.state, is_proven(item)) == ("done", False)
    unknown_items = create_unknown_items(context, ["L00000", "L00001"])
    texts = [json.dumps({**item.payload, "itineraryStatus": "canceled"}) for item in unknown_items]
    canceled = [replace(item, payload_text=text) for item, text in zip(unknown_items, texts, strict=True)]
    assert [status.state for status in trip_sending.reconcile(context.client, canceled).values()] == ["done", "failed"]


def test_each_batch_has_one_kind_of_trip_and_at_most_the_limit_of_that_kind(
    context: Any, service: RunningService
) -> None:
    context.client.itineraries.create(trip("FIRST"))  # creates the contact
    sizes = refuse_batches(context, lambda _: False)
    plain = [f"{each},plain,\n" for each in locators_of(1100)]
    others = [f"C{each:05},contacts,\n" for each in range(60)]
    mixed = [line for pair in zip(plain, others, strict=False) for line in pair] + plain[60:]
    job_id = send_file(context, ("Record locator,Lot,External id\n" + "".join(mixed)).encode())
    assert job_of(context, job_id).counts == {"done": 1160}
    assert sorted(sizes) == [10, 50, 100, 1000]


def test_trips_that_unexpectedly_need_a_contact_are_sent_again_in_smaller_batches(
    context: Any, service: RunningService
) -> None:
    sizes = refuse_batches(context, lambda _: False)
    job_id = send_file(context, file_of(locators_of(120), PLAIN))
    assert job_of(context, job_id).counts == {"done": 120}
    assert sizes == [120, 50, 50, 20]
    assert list_stored_trips(service) == [(each, "A") for each in locators_of(120)]


def test_if_the_service_refuses_large_searches_every_trip_counts_as_possibly_existing(
    context: Any, service: RunningService
) -> None:
    original = context.client.itineraries.search

    def search(*, field_name: str, values: list[str], **_: Any) -> Any:
        if len(values) > 50:
            raise Invalid("Too many values.")
        return original(field_name=field_name, values=values)

    context.client.itineraries.search = search
    context.client.itineraries.create(trip("FIRST"))
    job_id = send_file(context, file_of(locators_of(80), PLAIN))
    assert job_of(context, job_id).counts == {"done": 80}


def test_during_an_outage_nothing_is_sent_until_the_service_responds_again(journal: Journal) -> None:
    down = {"kind": "status", "status": 503, "times": 40}
    with RunningService(faults={"fault": [down]}) as service, connect_with_few_retries(service) as client:
        context: Any = JobContext(journal, client)
        job_id = send_file(context, file_of(locators_of(NUMBER)))
        paused = job_of(context, job_id)
        assert (paused.state, paused.counts) == ("paused", {"waiting": NUMBER})
        while job_of(context, job_id).state == "paused":
            JOBS.resume(context, SIMPLE_TRIPS, job_id)
            JOBS.wait(job_id)
        assert job_of(context, job_id).counts == {"done": NUMBER}


def test_a_service_that_loses_several_responses_does_not_get_the_rest_of_the_file(journal: Journal) -> None:
    down = {"kind": "status", "status": 503, "path": BATCH}
    with RunningService(faults={"fault": [down]}) as service, connect_with_few_retries(service) as client:
        context: Any = JobContext(journal, client)
        job = job_of(context, send_file(context, file_of(locators_of(1000))))
        assert (job.state, job.counts["waiting"] > 0, list_stored_trips(service)) == ("paused", True, [])


def connect_with_few_retries(service: RunningService) -> ServiceClient:
    from client import RetryPolicy

    return service.client(retry=RetryPolicy(attempts=2, first_wait=0.001))


def test_a_paused_job_has_no_trip_in_progress_and_resumes_at_its_position(
    context: Any, service: RunningService
) -> None:
    create_batch, at_call, go_on = context.client.itineraries.create_batch, threading.Event(), threading.Event()

    def create_when_released(*arguments: Any, **options: Any) -> Any:
        at_call.set()
        assert go_on.wait(30)
        return create_batch(*arguments, **options)

    context.client.itineraries.create_batch = create_when_released
    check = Check.of(SIMPLE_TRIPS, "trips.csv", file_of(locators_of(400)), context)
    job_id = JOBS.begin(context, check)
    assert at_call.wait(30)
    JOBS.request_state(context, job_id, "paused")
    go_on.set()
    JOBS.wait(job_id)
    job = job_of(context, job_id)
    assert job.state == "paused"
    assert set(job.counts) == {"done", "waiting"}
    JOBS.resume(context, SIMPLE_TRIPS, job_id)
    JOBS.wait(job_id)
    assert list_stored_trips(service) == [(each, "A") for each in locators_of(400)]


def test_several_batches_are_sent_at_once(context: Any, service: RunningService) -> None:
    create_batch, both = context.client.itineraries.create_batch, threading.Barrier(2)

    def create_at_once(*arguments: Any, **options: Any) -> Any:
        both.wait(30)
        return create_batch(*arguments, **options)

    context.client.itineraries.create_batch = create_at_once
    assert job_of(context, send_file(context, file_of(locators_of(100)))).counts == {"done": 100}


def test_an_error_is_reported_at_its_column(context: Any) -> None:
    headings = "PNR,Traveller,Hotel,Hotel city,Hotel country,Check-in,Check-out"
    rows = [
        "AAA111,Silva/Ana,Ritz,Lisbon,PT,2027-04-03,2027-04-05",
        "BBB222,Silva/Ana,Inn,Nowhere,US,2027-04-06,2027-04-07",
    ]
    unchecked = replace(TRIPS, rules=())
    job_id = JOBS.begin(context, Check.of(unchecked, "hotels.csv", "\n".join((headings, *rows)).encode(), context))
    JOBS.wait(job_id)
    done, failed = items_of(context, job_id)
    assert (done.status.state, failed.status.state) == ("done", "failed")
    assert list(failed.status.reasons) == ["hotelCountry"]
