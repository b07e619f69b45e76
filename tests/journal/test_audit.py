"""The audit trail: written before and after each call, append-only, and clear about unknown outcomes."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from client.redaction import redact
from journal import (
    Actor,
    AlreadyFinished,
    EntryFilters,
    EntryNotFound,
    Journal,
    JournalError,
    JournalUnavailable,
    NewItem,
)
from journal.audit import ABANDONED_MESSAGE
from journal.leases import LEASE, RENEW_EVERY, LeaseKeeper
from journal.tables import audit_entries
from tests.journal.conftest import ANA, BEN, STRANGER, raise_unavailable

SCOPE = (ANA.service, ANA.organization_id)


def begin(journal: Journal, actor: Actor = ANA, action: str = "itinerary.create", **more: object) -> int:
    details = {"subject_kind": "itinerary", "subject_name": "WSVM7K", "request": {"itinerary": {"pnr": "WSVM7K"}}}
    return journal.audit.begin(actor, action, **{**details, **more})  # type: ignore[arg-type]


def abandon(journal: Journal, entry_id: int) -> None:
    """Leave an entry like a process that ended without its outcome."""
    journal._leases.release(audit_entries, entry_id)
    with journal._database.writing() as connection:
        past = datetime.now(UTC) - timedelta(seconds=1)
        connection.execute(audit_entries.update().where(audit_entries.c.id == entry_id).values(lease_until=past))


def test_an_entry_can_be_read_before_its_outcome_is_known(journal: Journal) -> None:
    entry = journal.audit.retrieve(begin(journal))
    assert (entry.state, entry.finished_at, entry.answer) == ("started", None, None)
    assert entry.actor == ANA
    assert entry.request == {"itinerary": {"pnr": "WSVM7K"}}
    assert entry.at.tzinfo == UTC
    assert abs(datetime.now(UTC) - entry.at) < timedelta(minutes=1)


@pytest.mark.parametrize("state", ["succeeded", "refused", "not sent", "unknown"])
def test_an_outcome_is_recorded_with_the_response_and_the_new_id(journal: Journal, state: str) -> None:
    entry_id = begin(journal)
    journal.audit.finish(entry_id, state=state, answer={"id": 2**60}, message="So it was.", subject_id=str(2**60))  # type: ignore[arg-type]
    entry = journal.audit.retrieve(entry_id)
    assert (entry.state, entry.answer, entry.message) == (state, {"id": 2**60}, "So it was.")
    assert entry.subject_id == str(2**60)
    assert entry.finished_at is not None
    assert entry.finished_at >= entry.at
    assert not entry.abandoned


def test_an_outcome_is_recorded_only_once(journal: Journal) -> None:
    entry_id = begin(journal)
    journal.audit.finish(entry_id, state="succeeded", message="first")
    with pytest.raises(AlreadyFinished):
        journal.audit.finish(entry_id, state="refused", message="second")
    assert journal.audit.retrieve(entry_id).message == "first"


def test_an_entry_cannot_end_as_started_and_an_unknown_id_is_rejected(journal: Journal) -> None:
    with pytest.raises(JournalError):
        journal.audit.finish(begin(journal), state="started")
    with pytest.raises(EntryNotFound):
        journal.audit.finish(12345, state="succeeded")


def test_the_audit_trail_has_no_method_to_change_or_remove_entries(journal: Journal) -> None:
    public = {name for name in dir(journal.audit) if not name.startswith("_")}
    reads = {"list", "count", "usernames", "actions", "retrieve", "history", "succeeded"}
    assert public == {"begin", "finish", *reads}


def test_an_entry_of_a_dead_process_is_unknown_and_found_by_that_status(journal: Journal) -> None:
    dead, living = begin(journal), begin(journal)
    abandon(journal, dead)
    entry = journal.audit.retrieve(dead)
    assert (entry.state, entry.abandoned, entry.message) == ("unknown", True, ABANDONED_MESSAGE)
    assert [e.id for e in journal.audit.list(*SCOPE, filters=EntryFilters(state="unknown"))] == [dead]
    assert [e.id for e in journal.audit.list(*SCOPE, filters=EntryFilters(state="started"))] == [living]


def test_an_entry_in_progress_in_another_process_is_not_unknown(journal: Journal, journal_url: str) -> None:
    entry_id = begin(journal)
    with Journal.open(journal_url, redact) as replica:
        assert replica.audit.retrieve(entry_id).state == "started"


def test_a_late_outcome_replaces_the_unknown_status(journal: Journal) -> None:
    entry_id = begin(journal)
    abandon(journal, entry_id)
    journal.audit.finish(entry_id, state="succeeded")
    assert journal.audit.retrieve(entry_id).state == "succeeded"


def test_the_lease_of_a_long_call_is_renewed_while_its_process_runs(journal: Journal) -> None:
    keeper = LeaseKeeper(journal._database, renew_every=timedelta(milliseconds=1))
    entry_id = begin(journal)
    abandon(journal, entry_id)
    assert journal.audit.retrieve(entry_id).state == "unknown"
    renewed = threading.Event()
    renew = keeper.renew

    def renew_and_signal() -> bool:
        is_renewed = renew()
        renewed.set()
        return is_renewed

    keeper.renew = renew_and_signal  # type: ignore[method-assign]
    keeper.hold(audit_entries, entry_id)
    assert renewed.wait(60)
    keeper.close()
    assert journal.audit.retrieve(entry_id).state == "started"


def test_the_renewal_thread_ends_when_no_lease_is_open(journal: Journal) -> None:
    keeper = LeaseKeeper(journal._database, renew_every=timedelta(milliseconds=1))
    entry_id = begin(journal)
    keeper.hold(audit_entries, entry_id)
    thread = keeper._thread
    assert thread is not None
    keeper.release(audit_entries, entry_id)
    thread.join(60)
    assert not thread.is_alive()
    keeper.hold(audit_entries, entry_id)
    assert keeper._thread is not None
    assert keeper._thread is not thread
    keeper.close()


def test_a_lease_survives_failed_renewals_and_ends_within_10_seconds_of_a_crash() -> None:
    assert 3 * RENEW_EVERY <= LEASE < timedelta(seconds=10)


def test_entries_are_listed_newest_first_in_pages(journal: Journal) -> None:
    ids = [begin(journal) for _ in range(5)]
    pages = [[e.id for e in journal.audit.list(*SCOPE, page=page, page_size=2)] for page in (1, 2, 3, 4)]
    assert pages == [[ids[4], ids[3]], [ids[2], ids[1]], [ids[0]], []]
    assert journal.audit.count(*SCOPE) == 5


def test_a_list_reads_only_payloads_of_the_requested_kinds(journal: Journal) -> None:
    """Some payloads are whole files, so a list reads only what it shows."""
    begin(journal)
    journal.audit.begin(ANA, "public_alert.send", subject_kind="public_alert", request={"clock": "America/Denver"})
    alert, trip = journal.audit.list(*SCOPE, payloads_of=["public_alert"])
    assert (alert.request, trip.request) == ({"clock": "America/Denver"}, None)
    assert [each.request for each in journal.audit.list(*SCOPE, payloads_of=())] == [None, None]
    assert all(each.request for each in journal.audit.list(*SCOPE))


def test_another_organization_and_another_service_see_nothing(journal: Journal) -> None:
    entry_id = begin(journal)
    other_service = Actor("https://other.example", ANA.organization_id, "ana")
    for actor in (STRANGER, other_service):
        assert journal.audit.list(actor.service, actor.organization_id) == []
        assert journal.audit.history(actor.service, actor.organization_id, subject_names=["WSVM7K"]) == []
        with pytest.raises(EntryNotFound):
            journal.audit.retrieve(entry_id, actor=actor)
    assert journal.audit.retrieve(entry_id, actor=BEN).id == entry_id


def test_the_history_of_a_record_matches_its_id_or_name_newest_first(journal: Journal) -> None:
    first = begin(journal)
    journal.audit.finish(first, state="succeeded", subject_id="77")
    other = begin(journal, subject_name="OTHER1")
    by_id = begin(journal, action="itinerary.delete", subject_id="77", subject_name=None)
    roster = begin(journal, subject_kind="roster", subject_id="77", subject_name="WSVM7K")
    found = [e.id for e in journal.audit.history(*SCOPE, subject_id="77", subject_names=["WSVM7K"])]
    assert found == [by_id, first]
    assert other not in found
    assert roster not in found
    assert [e.id for e in journal.audit.history(*SCOPE, subject_names=["WSVM7K"])] == [first]
    assert journal.audit.history(*SCOPE) == []


def test_entries_are_filtered_by_person_action_time_and_text(journal: Journal) -> None:
    mine = begin(journal, subject_name="Größe_100%", request={"itinerary": {"passengers": [{"lastName": "Núñez"}]}})
    theirs = begin(journal, BEN, "itinerary.cancel", subject_id="9007199254740993")
    journal.audit.finish(theirs, state="refused", message="Field PNR is empty.")

    def list_ids(**filters: object) -> list[int]:
        entry_filters = EntryFilters(**filters)  # type: ignore[arg-type]
        ids = [entry.id for entry in journal.audit.list(*SCOPE, filters=entry_filters)]
        assert journal.audit.count(*SCOPE, filters=entry_filters) == len(ids)
        return ids

    assert list_ids(username="ben") == [theirs]
    assert list_ids(action="itinerary.create") == [mine]
    assert list_ids(state="refused") == [theirs]
    assert list_ids(text="GRÖSSE") == [mine]
    assert list_ids(text="núñez") == [mine]
    assert list_ids(text="100%") == [mine]
    assert list_ids(text="1%0") == []
    assert list_ids(text="e_1") == [mine]
    assert list_ids(text="pnr EMPTY") == [theirs]
    assert list_ids(text="9007199254740993") == [theirs]
    at = journal.audit.retrieve(mine).at
    assert list_ids(since=at) == [theirs, mine]
    assert list_ids(until=at) == []
    assert list_ids(since=at + timedelta(hours=1)) == []
    assert list_ids(username="ana", text="nobody") == []


@pytest.mark.parametrize("name", ["username", "action", "state"])
def test_a_filter_with_characters_that_no_database_can_store_finds_nothing(journal: Journal, name: str) -> None:
    """Anyone can put such text into a URL."""
    filters = EntryFilters(**{name: "a\x00"})
    assert journal.audit.list(ANA.service, ANA.organization_id, filters=filters) == []


def test_people_and_actions_are_listed_once(journal: Journal) -> None:
    for actor in (BEN, ANA, BEN):
        begin(journal, actor)
    assert journal.audit.usernames(*SCOPE) == ["ana", "ben"]
    assert journal.audit.actions(*SCOPE) == ["itinerary.create"]


def test_secrets_never_reach_the_database(journal: Journal) -> None:
    entry_id = begin(
        journal,
        subject_name="X",
        request={"headers": {"Authorization": "Basic YW5hOmh1bnRlcjI="}, "deep": [{"apiToken": "hunter2"}]},
    )
    journal.audit.finish(
        entry_id, state="refused", answer={"password": "hunter2"}, message="at https://ana:hunter2@host/x"
    )
    with journal._database.reading() as connection:
        row = repr(connection.execute(text("SELECT * FROM audit_entries")).all())
    assert "hunter2" not in row
    assert "YW5hOmh1bnRlcjI" not in row


def test_threads_write_concurrently(journal: Journal) -> None:
    errors: list[Exception] = []

    def work() -> None:
        try:
            for _ in range(10):
                journal.audit.finish(begin(journal), state="succeeded")
        except Exception as error:  # noqa: BLE001
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert errors == []
    assert journal.audit.count(*SCOPE, filters=EntryFilters(state="succeeded")) == 80


def test_an_entry_whose_outcome_cannot_be_written_becomes_unknown_when_its_lease_ends(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry_id = begin(journal)
    with monkeypatch.context() as patch:
        patch.setattr(journal._database, "writing", raise_unavailable)
        with pytest.raises(JournalUnavailable):
            journal.audit.finish(entry_id, state="succeeded")
    assert not journal._leases.renew()
    with journal._database.writing() as connection:
        connection.execute(audit_entries.update().values(lease_until=datetime.now(UTC) - timedelta(seconds=1)))
    assert journal.audit.retrieve(entry_id).abandoned


def test_an_unknown_file_outcome_is_resolved_only_by_its_own_job(journal: Journal) -> None:
    job_fields = {"action": "asset_add.import", "subject_kind": "asset_add", "subject_name": "A table"}
    for job, state in (("1", "unknown"), ("2", "succeeded"), ("1", "unknown")):
        journal.audit.finish(begin(journal, **job_fields, subject_id=job), state=state)
    unknown = EntryFilters(state="unknown")
    assert journal.audit.count(*SCOPE, filters=unknown) == 2
    journal.audit.finish(begin(journal, **job_fields, subject_id="1"), state="refused")
    assert journal.audit.count(*SCOPE, filters=unknown) == 0


def test_a_resolved_outcome_is_no_longer_counted_as_unknown(journal: Journal) -> None:
    unknown = EntryFilters(state="unknown")
    for more in (
        {"subject_name": "AAA111"},
        {"subject_name": "BBB222"},
        {"action": "public_alert.send", "subject_kind": "public_alert", "subject_name": "Tornado"},
    ):
        journal.audit.finish(begin(journal, **more), state="unknown")
    assert journal.audit.count(*SCOPE, filters=unknown) == 3
    journal.audit.finish(begin(journal, subject_name="AAA111"), state="succeeded")
    journal.audit.finish(begin(journal, subject_name="BBB222"), state="refused")
    journal.audit.finish(begin(journal, STRANGER, subject_name="BBB222"), state="succeeded")
    alert = {"action": "public_alert.send", "subject_kind": "public_alert", "subject_name": "Tornado"}
    (unknown_id,) = (each.id for each in journal.audit.list(*SCOPE, filters=unknown) if each.subject_name == "Tornado")
    for state, request in (
        ("succeeded", {"draft": "another"}),
        ("not sent", {"settles": 10 * unknown_id}),
        ("refused", {}),
    ):
        journal.audit.finish(begin(journal, **alert, request=request), state=state)
    assert journal.audit.count(*SCOPE, filters=unknown) == 2, "another alert with the same name does not resolve it"
    journal.audit.finish(begin(journal, **alert, request={"draft": "it", "settles": unknown_id}), state="not sent")
    assert journal.audit.count(*SCOPE, filters=unknown) == 1
    assert [each.subject_name for each in journal.audit.list(*SCOPE, filters=unknown)] == ["BBB222"]
    resolved = EntryFilters(state="unknown", is_resolved=True)
    resolved_names = [
        each.subject_name for each in journal.audit.list(*SCOPE) if each.state == "unknown" and each.is_resolved
    ]
    assert (
        resolved_names
        == [each.subject_name for each in journal.audit.list(*SCOPE, filters=resolved)]
        == ["Tornado", "AAA111"]
    )
    assert journal.audit.count(*SCOPE, filters=resolved) == 2


def test_a_job_is_found_by_the_names_and_values_of_its_rows(journal: Journal) -> None:
    run = journal.ledger.begin(ANA, "trip_cancel", "list.csv", [NewItem({"locator": "QX9ZZT"}, label="Größe")])
    job_fields = {"action": "trip_cancel.import", "subject_kind": "trip_cancel", "subject_name": "list.csv"}
    entry_id = begin(journal, **job_fields, subject_id=str(run.job_id))
    begin(journal, **{**job_fields, "subject_kind": "trip", "action": "trip.import"}, subject_id=str(run.job_id + 1))
    for words in ("qx9zzt", "Größe", "list qx9zzt"):
        assert [each.id for each in journal.audit.list(*SCOPE, filters=EntryFilters(text=words))] == [entry_id]
    assert journal.audit.list(*SCOPE, filters=EntryFilters(text="nobody")) == []
