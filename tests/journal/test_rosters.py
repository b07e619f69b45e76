"""Rosters, names of travelers, and roster loads."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select

from journal import (
    ImportedTrip,
    Journal,
    JournalError,
    JournalUnavailable,
    Roster,
    RosterEntry,
    RosterNameTaken,
    RosterNotFound,
    Traveler,
)
from journal.roster_loads import INTERRUPTED_MESSAGE
from journal.tables import roster_entries, roster_loads, rosters
from tests.journal.conftest import ANA, BEN, STRANGER, raise_unavailable
from tests.waiting_writers import wait_until_another_waits

NOW = datetime(2026, 11, 20, 12, 5, 30, 123456, tzinfo=UTC)
SILVA = Traveler("E1", "Ana", "Silva")
NUNEZ = Traveler("E2", "José", "Núñez")


def create_roster(journal: Journal, name: str = "Sales", *locators: str) -> Roster:
    return journal.rosters.create(ANA, name, [RosterEntry(locator) for locator in locators or ("AAA111", "BBB222")])


def test_a_roster_is_read_as_it_was_created(journal: Journal) -> None:
    roster = journal.rosters.create(ANA, " Sales  team ", [RosterEntry("ZZZ", [SILVA, NUNEZ]), RosterEntry("AAA")])
    read = journal.rosters.retrieve(roster.id)
    assert read == roster
    assert (read.name, read.created_by, read.entry_count) == ("Sales team", "ana", 2)
    assert [(e.record_locator, e.travelers) for e in read.entries()] == [("ZZZ", [SILVA, NUNEZ]), ("AAA", [])]
    assert [e.looked_up_at for e in read.entries()] == [None, None]


def test_repeated_locators_are_merged_with_their_travelers(journal: Journal) -> None:
    entries = [RosterEntry("A", [SILVA]), RosterEntry("B"), RosterEntry("A", [SILVA, NUNEZ])]
    roster = journal.rosters.create(ANA, "x", entries)
    assert roster.entry_count == 2
    assert roster.entries()[0].travelers == [SILVA, NUNEZ]


def test_a_record_locator_in_any_case_is_one_trip_in_its_first_spelling(journal: Journal) -> None:
    roster = journal.rosters.create(ANA, "x", [RosterEntry("u7d7lj", [SILVA]), RosterEntry("U7D7LJ", [NUNEZ])])
    assert [(e.record_locator, e.travelers) for e in roster.entries()] == [("u7d7lj", [SILVA, NUNEZ])]
    journal.rosters.put_entry(roster.id, RosterEntry("U7D7LJ"), itinerary_id=7)
    assert [(e.record_locator, e.itinerary_ids) for e in roster.entries()] == [("u7d7lj", [7])]
    replaced = journal.rosters.replace_entries(roster.id, [RosterEntry("U7d7lj")])
    assert [(e.record_locator, e.itinerary_ids) for e in replaced.entries()] == [("U7d7lj", [7])]
    assert replaced.entry_count == 1


def test_past_trips_are_removed_from_the_roster_of_imports(journal: Journal) -> None:
    def add(locator: str, days: int, *people: Traveler) -> None:
        until = datetime.now(UTC) + timedelta(days=days)
        journal.rosters.add_imported(ANA, [ImportedTrip(RosterEntry(locator, [*people]), 7, until)])

    add("OLD1", -1, SILVA)
    [roster] = journal.rosters.list(ANA.service, ANA.organization_id)
    journal.rosters.put_entry(roster.id, RosterEntry("MINE"))
    add("NEW1", 1, NUNEZ)
    assert [entry.record_locator for entry in roster.entries()] == ["MINE", "NEW1"]
    add("new1", 9)
    assert [(entry.record_locator, entry.travelers) for entry in roster.entries()][1:] == [("NEW1", [NUNEZ])]
    assert journal.rosters.retrieve(roster.id).entry_count == 2
    journal.rosters.remove_imported(STRANGER, [7], ["MINE"])
    journal.rosters.remove_imported(BEN, [], ["mine"])
    assert [entry.record_locator for entry in roster.entries()] == ["NEW1"]


def test_the_last_map_selection_is_stored_per_person_and_organization(journal: Journal) -> None:
    assert journal.rosters.last_choice(ANA) is None
    for choice in ("4", "all"):
        journal.rosters.remember_choice(ANA, choice)
    journal.rosters.remember_choice(BEN, "5")
    assert [journal.rosters.last_choice(each) for each in (ANA, BEN, STRANGER)] == ["all", "5", None]


@pytest.mark.parametrize("name", ["Sales", " sales ", "SALES", "ｓａｌｅｓ"])
def test_a_name_is_unique_in_an_organization_ignoring_case(journal: Journal, name: str) -> None:
    create_roster(journal, "Sales")
    with pytest.raises(RosterNameTaken) as refusal:
        journal.rosters.create(BEN, name, [])
    assert "Another roster has the name" in str(refusal.value)
    assert journal.rosters.create(STRANGER, name, []).entry_count == 0
    other = create_roster(journal, "Other")
    with pytest.raises(RosterNameTaken):
        journal.rosters.rename(other.id, name)
    assert journal.rosters.retrieve(other.id).name == "Other"


def test_a_roster_may_keep_its_name_in_another_case(journal: Journal) -> None:
    roster = create_roster(journal, "sales")
    assert journal.rosters.rename(roster.id, "Sales").name == "Sales"


@pytest.mark.parametrize("name", ["", "   ", "x" * 101])
def test_an_empty_or_too_long_name_is_rejected_with_a_message(journal: Journal, name: str) -> None:
    with pytest.raises(JournalError, match="name"):
        create_roster(journal, name)
    assert journal.rosters.list(ANA.service, ANA.organization_id) == []


def test_rosters_are_listed_by_name_and_only_for_their_organization(journal: Journal) -> None:
    for name in ("b", "A", "c"):
        create_roster(journal, name)
    assert [r.name for r in journal.rosters.list(ANA.service, ANA.organization_id)] == ["A", "b", "c"]
    assert journal.rosters.list(STRANGER.service, STRANGER.organization_id) == []


def test_another_organization_cannot_touch_a_roster(journal: Journal) -> None:
    roster = create_roster(journal)
    for attempt in (
        lambda: journal.rosters.retrieve(roster.id, actor=STRANGER),
        lambda: journal.rosters.rename(roster.id, "mine", actor=STRANGER),
        lambda: journal.rosters.replace_entries(roster.id, [], actor=STRANGER),
        lambda: journal.rosters.delete(roster.id, actor=STRANGER),
    ):
        with pytest.raises(RosterNotFound):
            attempt()
    assert journal.rosters.retrieve(roster.id, actor=BEN) == roster


def test_known_ids_of_remaining_trips_are_preserved(journal: Journal) -> None:
    roster = create_roster(journal, "x", "A", "B", "C")
    journal.rosters.learn(roster.id, {"A": [2**70, 7], "B": [], "nobody": [1]}, NOW)
    changed = journal.rosters.replace_entries(roster.id, [RosterEntry("D"), RosterEntry("A"), RosterEntry("B")])
    assert changed.entry_count == 3
    ids_by_locator = {e.record_locator: (e.itinerary_ids, e.looked_up_at) for e in changed.entries()}
    assert ids_by_locator == {"D": ([], None), "A": ([2**70, 7], NOW), "B": ([], NOW)}


def test_an_earlier_lookup_does_not_replace_the_result_of_a_later_one(journal: Journal) -> None:
    roster = create_roster(journal, "x", "A", "B")
    journal.rosters.learn(roster.id, {"A": [1, 2]}, NOW)
    journal.rosters.learn(roster.id, {"A": [1], "B": [3]}, NOW - timedelta(seconds=1))
    assert [entry.itinerary_ids for entry in roster.entries()] == [[1, 2], [3]]


def test_a_roster_changed_by_someone_else_is_not_replaced(journal: Journal) -> None:
    roster = create_roster(journal, "x", "A")
    journal.rosters.replace_entries(roster.id, [RosterEntry("B")], over=roster.changed_at)
    with pytest.raises(JournalError, match="has changed since"):
        journal.rosters.replace_entries(roster.id, [RosterEntry("C")], over=roster.changed_at)
    assert [entry.record_locator for entry in journal.rosters.entries(roster.id)] == ["B"]


def test_deleting_a_roster_deletes_its_entries_and_loads(journal: Journal) -> None:
    roster = create_roster(journal)
    journal.roster_loads.start(roster.id, ANA, 2)
    journal.rosters.delete(roster.id)
    with pytest.raises(RosterNotFound):
        journal.rosters.retrieve(roster.id)
    with pytest.raises(RosterNotFound):
        journal.rosters.delete(roster.id)
    with journal._database.reading() as connection:
        for table in (roster_entries, roster_loads):
            assert connection.execute(select(func.count()).select_from(table)).scalar_one() == 0


def test_ensure_creates_a_roster_once_even_with_simultaneous_calls(journal: Journal) -> None:
    start, created_rosters = threading.Barrier(6), []

    def work() -> None:
        start.wait(60)
        created_rosters.append(journal.rosters.ensure(ANA, "Demo", [RosterEntry("A")]))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len({roster.id for roster in created_rosters}) == 1
    assert len(created_rosters) == 6


def test_the_later_of_two_simultaneous_replacements_of_a_roster_is_saved(journal: Journal) -> None:
    roster = create_roster(journal, "Sales", "AAA111")
    new = {"roster_id": roster.id, "record_locator": "CCC333", "position": 0, "travelers": "[]", "itinerary_ids": "[]"}
    with ThreadPoolExecutor(1) as threads:
        with journal._database.writing() as connection:
            connection.execute(rosters.update().where(rosters.c.id == roster.id).values(changed_at=NOW))
            connection.execute(roster_entries.delete())
            connection.execute(roster_entries.insert().values(new))
            later = [RosterEntry("CCC333"), RosterEntry("DDD444")]
            second = threads.submit(journal.rosters.replace_entries, roster.id, later)
            wait_until_another_waits(connection)
        assert second.result(20).entry_count == 2
    assert [entry.record_locator for entry in roster.entries()] == ["CCC333", "DDD444"]


def test_ensure_does_not_change_an_existing_roster(journal: Journal) -> None:
    roster = create_roster(journal, "Demo", "A")
    assert journal.rosters.ensure(ANA, "demo", [RosterEntry("B")]) == roster


def test_a_roster_of_10000_trips_keeps_its_order(journal: Journal) -> None:
    locators = [f"L{number:05}" for number in range(10_000)]
    roster = journal.rosters.create(ANA, "Everybody", [RosterEntry(locator) for locator in reversed(locators)])
    assert [e.record_locator for e in roster.entries()] == locators[::-1]


def test_the_newest_name_of_a_traveler_is_used(journal: Journal) -> None:
    journal.travelers.learn(
        "s", 1, [Traveler("1", "Ana", "Silva"), Traveler("2", "", "Núñez"), Traveler("", "No", "Id")]
    )
    journal.travelers.learn("s", 1, [Traveler("1", "Ana", "Souza"), Traveler("2"), Traveler("3", "Bo", "")])
    journal.travelers.learn("s", 2, [Traveler("1", "Other", "Org")])
    assert journal.travelers.names("s", 1) == {"1": "Souza, Ana", "2": "Núñez", "3": "Bo"}


def test_many_names_are_saved_at_once(journal: Journal) -> None:
    journal.travelers.learn("s", 1, [Traveler(str(number), "Ana", "Silva") for number in range(12_000)])
    assert len(journal.travelers.names("s", 1)) == 12_000


def test_a_load_shows_its_progress_and_its_outcome(journal: Journal) -> None:
    roster = create_roster(journal)
    assert journal.roster_loads.latest(roster.id) is None
    load_id = journal.roster_loads.start(roster.id, BEN, 2)
    journal.roster_loads.progress(load_id, 1, 1, 0, 0)
    running = journal.roster_loads.latest(roster.id)
    assert running is not None
    assert (running.state, running.total, running.done, running.found, running.started_by) == (
        "running",
        2,
        1,
        1,
        "ben",
    )
    journal.roster_loads.progress(load_id, 2, 1, 1, 0)
    journal.roster_loads.finish(load_id, "done", "1 not found")
    journal.roster_loads.progress(load_id, 0, 0, 0, 0)
    journal.roster_loads.finish(load_id, "failed", "too late")
    ended = journal.roster_loads.retrieve(load_id)
    assert ended is not None
    assert (ended.state, ended.done, ended.not_found, ended.message) == ("done", 2, 1, "1 not found")
    assert ended.finished_at is not None


def test_a_load_of_a_dead_process_is_interrupted(journal: Journal) -> None:
    roster = create_roster(journal)
    load_id = journal.roster_loads.start(roster.id, ANA, 2)
    journal._leases.release(roster_loads, load_id)
    with journal._database.writing() as connection:
        connection.execute(roster_loads.update().values(lease_until=datetime.now(UTC) - timedelta(seconds=1)))
    load = journal.roster_loads.latest(roster.id)
    assert load is not None
    assert (load.state, load.message) == ("interrupted", INTERRUPTED_MESSAGE)


def test_the_newest_load_of_each_roster_is_found_at_once(journal: Journal) -> None:
    first, second, never = create_roster(journal, "1"), create_roster(journal, "2"), create_roster(journal, "3")
    journal.roster_loads.start(first.id, ANA, 1)
    newest = journal.roster_loads.start(first.id, ANA, 2)
    other = journal.roster_loads.start(second.id, ANA, 3)
    loads = journal.roster_loads.latest_of(ANA.service, ANA.organization_id)
    assert {roster_id: load.id for roster_id, load in loads.items()} == {first.id: newest, second.id: other}
    assert never.id not in loads
    assert journal.roster_loads.latest_of(STRANGER.service, STRANGER.organization_id) == {}


def test_the_lease_of_a_load_whose_end_cannot_be_written_is_not_renewed(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_id = journal.roster_loads.start(create_roster(journal).id, ANA, 1)
    with monkeypatch.context() as patch:
        patch.setattr(journal._database, "writing", raise_unavailable)
        with pytest.raises(JournalUnavailable):
            journal.roster_loads.finish(load_id, "done")
    assert not journal._leases.renew()


def test_trips_added_to_a_roster_at_once_are_all_saved(journal: Journal) -> None:
    """Existing trips keep their order, and their travelers if the added trip has none."""
    roster = journal.rosters.create(ANA, "Fair", [RosterEntry("A", [SILVA])])
    locators = [f"T{number}" for number in range(12)]
    threads = [
        threading.Thread(target=journal.rosters.put_entry, args=(roster.id, RosterEntry(each))) for each in locators
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    journal.rosters.put_entry(roster.id, RosterEntry("A"), actor=ANA)
    entries = journal.rosters.entries(roster.id)
    assert (entries[0].record_locator, entries[0].travelers) == ("A", [SILVA])
    assert {entry.record_locator for entry in entries} == {"A", *locators}
    assert journal.rosters.retrieve(roster.id).entry_count == 13
    with pytest.raises(RosterNotFound):
        journal.rosters.put_entry(roster.id, RosterEntry("X"), actor=STRANGER)
