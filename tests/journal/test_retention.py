"""Old personal data is removed in steps. Open items stay, and the audit trail keeps who did what."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import select

from journal import ItemStatus, Journal, NewItem, Traveler
from journal.incidents import IncidentContent
from journal.retention import ACTION, AREA_KIND, LEFTOVER_KIND, REMOVED, UNUSED_AGE
from journal.tables import metadata
from tests.journal.conftest import ANA, STRANGER

NAME = "Cruz"
AREA, USED_AREA = "file:0123456789abcdef", "file:fedcba9876543210"


def after(days: float) -> datetime:
    """Return a time in the future, before which everything in the journal is old."""
    return datetime.now(UTC) + timedelta(days=days)


def make_incident(journal: Journal, area: str) -> Any:
    content = IncidentContent(f"{NAME} quake", {"parts": [area]}, after(-1), None, 25.0, [])
    return journal.incidents.create(ANA, content)


def fill(journal: Journal) -> None:
    """Store personal data in each part of the journal: once ended, and once still open."""
    for uid in ("ended", "open"):
        journal.drafts.save(ANA, "trip", uid, {"name": NAME})
        entry = journal.audit.begin(
            ANA, "trip.add", subject_kind="itinerary", subject_name=f"{NAME} {uid}", request={"draft": uid}
        )
        if uid == "ended":
            journal.audit.finish(entry, state="succeeded", answer={"name": NAME}, subject_id="WSVM7K")
        run = journal.ledger.begin(ANA, "trip_add", f"{NAME}.csv", [NewItem({"n": n}, label=NAME) for n in range(7)])
        if uid == "ended":
            for item in journal.ledger.claim(run, lambda _: 9):
                journal.ledger.write(run, {item.position: ItemStatus("done", "17")})
            journal.ledger.end(run)
    journal.travelers.learn(ANA.service, ANA.organization_id, [Traveler("17", "Ana", NAME)])
    journal.approval_requests.create(ANA, "alert", "a", {"text": NAME})
    closed = make_incident(journal, AREA)
    journal.incidents.close_incident(ANA, closed.id, over=closed.version)
    make_incident(journal, USED_AREA)
    for area in (AREA, USED_AREA):
        journal.versioned_records.save(ANA, AREA_KIND, area, {"name": NAME})
    journal.versioned_records.save(ANA, LEFTOVER_KIND, "digest", {"file": NAME})


def rows_with_the_name(journal: Journal) -> dict[str, int]:
    """Return how many rows of each table contain the name of the person."""
    with journal._database.reading() as connection:
        counts = {
            table.name: sum(NAME.casefold() in repr(tuple(row)).casefold() for row in connection.execute(select(table)))
            for table in metadata.sorted_tables
        }
    return {name: count for name, count in counts.items() if count}


def test_old_data_is_removed_in_steps_except_what_is_open_and_who_did_what(journal: Journal) -> None:
    fill(journal)
    before = rows_with_the_name(journal)
    assert journal.retention.find(after(-1)) == journal.retention.remove(after(-1)) == []
    assert rows_with_the_name(journal) == before

    expected = {
        "drafts": 1,
        "imported rows": 7,
        "imports": 1,
        "incidents": 1,
        "stored areas": 1,
        "files of watched folders": 1,
        "approval requests": 1,
        "names of travelers": 1,
        "entries": 1,
    }
    [found] = journal.retention.find(after(1))
    assert found.counts | {"stored areas": 1} == expected
    [removed] = journal.retention.remove(after(1), step=2)
    assert removed.counts == expected
    assert rows_with_the_name(journal) == {
        "audit_entries": 1,
        "drafts": 1,
        "incident_events": 1,
        "incidents": 1,
        "kept_by_name": 1,
        "ledger_items": 7,
        "ledger_jobs": 1,
    }
    record, open_entry, ended = journal.audit.list(ANA.service, ANA.organization_id)
    assert (record.action, record.actor.username, record.state) == (ACTION, "Muster", "succeeded")
    assert (record.request or {})["entries"] == 1
    assert (open_entry.subject_name, open_entry.state) == (f"{NAME} open", "started")
    assert (ended.actor.username, ended.action, ended.subject_kind, ended.state) == (
        *("ana", "trip.add", "itinerary", "succeeded"),
    )
    assert (ended.subject_id, ended.subject_name, ended.request, ended.message) == (None, None, None, REMOVED)
    assert journal.audit.list(STRANGER.service, STRANGER.organization_id) == []
    assert [each.counts for each in journal.retention.remove(after(1))] == [{"entries": 1}], "its own entry"


def test_areas_that_no_incident_uses_are_removed_once_links_to_them_are_old(journal: Journal) -> None:
    fill(journal)
    closed = journal.incidents.list(ANA, "closed")
    assert [each.content.area["parts"] for each in closed] == [[AREA]]
    unused = "file:0000000000000000"
    journal.versioned_records.save(ANA, AREA_KIND, unused, {})
    age = UNUSED_AGE / timedelta(days=1)
    assert journal.retention.remove_unused(after(age - 1)) == 0
    assert journal.retention.remove_unused(after(age + 1)) == 1
    assert [bool(journal.versioned_records.versions(ANA, AREA_KIND, each)) for each in (AREA, USED_AREA, unused)] == [
        *(True, True, False),
    ]


def test_prepared_drafts_that_nobody_edits_are_removed_once_links_to_them_are_old(journal: Journal) -> None:
    for key in ("copy", "edited", "sent"):
        assert journal.drafts.begin(ANA, "contact_filter", key, {"name": "Copy"}) is not None
    assert journal.drafts.begin(ANA, "contact_filter", "copy", {}) is None
    edited = journal.drafts.load(ANA, "contact_filter", "edited")
    assert edited is not None
    assert journal.drafts.replace(ANA, "contact_filter", "edited", {}, seen=edited.saved_at) is not None
    assert journal.drafts.replace(ANA, "contact_filter", "typed", {}, seen=None) is not None
    assert journal.drafts.claim(ANA, "contact_filter", "sent", {})
    age = UNUSED_AGE / timedelta(days=1)
    assert journal.retention.remove_unused(after(age - 1)) == 0
    assert journal.retention.remove_unused(after(age + 1)) == 1
    assert {each.key for each in journal.drafts.list(ANA, "contact_filter")} == {"edited", "sent", "typed"}
