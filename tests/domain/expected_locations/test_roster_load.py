"""Loads of a roster: requests to the service, stored data, and behavior after failures."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from client.errors import ConnectionFailed, NotAuthenticated, NotFound
from client.models.itineraries import ExpectedLocation, ItineraryReference
from domain.expected_locations import roster_load
from domain.expected_locations.roster_load import RosterLoad
from journal import Actor, Journal, RosterEntry, Traveler
from tests.domain.expected_locations.records import Row
from tests.prepared_journal import new_journal

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
ACTOR = Actor("http://service", 8800, "ana")


class FakeItineraries:
    """A service in memory: itinerary IDs by record locator, travelers by itinerary ID, and errors to raise."""

    def __init__(self, **trips: dict[int, list[str]]) -> None:
        self.trips = trips
        self.failing: dict[str | int, Exception] = {}
        self.searched: list[str] = []
        self.reports_missing = True
        self.read_ids: list[int] = []
        self.events: dict[str | int, threading.Event] = {}
        self.reached = threading.Event()

    def search(self, *, field_name: str, values: Sequence[str]) -> Iterator[ItineraryReference]:
        assert field_name == "pnr"
        self.searched.append(values[0])
        self._wait_or_fail(values[0])
        return iter([ItineraryReference(id=each) for value in values for each in self.trips.get(value, {})])

    def list_expected_locations(self, itinerary_id: int) -> list[ExpectedLocation]:
        self.read_ids.append(itinerary_id)
        self._wait_or_fail(itinerary_id)
        for locator, itineraries in self.trips.items():
            if itinerary_id in itineraries:
                return [
                    Row(person, locator, "SIN", "Arrival", NOON, NOON + timedelta(days=1)).record()
                    for person in itineraries[itinerary_id]
                ]
        if self.reports_missing:
            raise NotFound("gone")
        return []

    def _wait_or_fail(self, key: str | int) -> None:
        if key in self.events:
            self.reached.set()
            assert self.events[key].wait(60)
        if key in self.failing:
            raise self.failing[key]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with new_journal(tmp_path / "journal.sqlite") as journal:
        yield journal


def create_load(journal: Journal, itineraries: FakeItineraries, *locators: str, width: int = 4) -> RosterLoad:
    roster = journal.rosters.create(ACTOR, "Fair", [RosterEntry(locator) for locator in locators])
    return RosterLoad([roster], itineraries, journal, ACTOR, width=width)


def get_roster_id(load: RosterLoad) -> int:
    (roster,) = load._journal.rosters.list(ACTOR.service, ACTOR.organization_id)
    return roster.id


def read_outcome(load: RosterLoad) -> tuple[str, int, int, int, int]:
    latest_load = load._journal.roster_loads.latest(get_roster_id(load))
    state = latest_load.state if latest_load is not None else "never"
    return state, load.now.total or 0, load.counts["found"], load.counts["not found"], load.counts["failed"]


def run_load(load: RosterLoad, **which: bool) -> bool:
    """Load to the end. Return False if no load started."""
    return load.load(**which) and load.wait(60)


def test_a_load_finds_and_reads_the_trips_of_a_roster_and_stores_their_ids(journal: Journal) -> None:
    service = FakeItineraries(AAA111={1: ["E1", "E2"]}, BBB222={2: ["E3"], 3: ["E4"]})
    journal.travelers.learn(ACTOR.service, ACTOR.organization_id, [Traveler("E1", "Ana", "Silva")])
    load = create_load(journal, service, "AAA111", "BBB222", "ZZZ999")
    assert run_load(load)
    assert read_outcome(load) == ("done", 3, 2, 1, 0)
    rows = load.locations().rows
    assert sorted(zip(rows["person"], rows["locator"], rows["itinerary"], strict=True)) == [
        ("E1", "AAA111", "1"),
        ("E2", "AAA111", "1"),
        ("E3", "BBB222", "2"),
        ("E4", "BBB222", "3"),
    ]
    assert "Silva, Ana" in set(load.locations().people["name"])
    assert [(each.locator, each.reason) for each in load.failures()] == [("ZZZ999", "not found")]
    ids_by_locator = {each.record_locator: each.itinerary_ids for each in journal.rosters.entries(get_roster_id(load))}
    assert ids_by_locator == {"AAA111": [1], "BBB222": [2, 3], "ZZZ999": []}
    latest_load = journal.roster_loads.latest(get_roster_id(load))
    assert latest_load is not None
    assert (latest_load.state, latest_load.done, latest_load.found, latest_load.not_found) == ("done", 3, 2, 1)


def test_a_record_locator_is_found_in_any_case(journal: Journal) -> None:
    service = FakeItineraries(U7D7LJ={1: ["E1"]}, wsvm7k={2: ["E2"]})
    load = create_load(journal, service, "u7d7lj", "WSVM7K")
    run_load(load)
    assert set(load.locations().rows["person"]) == {"E1", "E2"}
    service.trips["U7D7LJ"] = {3: ["E3"]}
    entry = journal.audit.begin(ACTOR, "itinerary.update", subject_kind="itinerary", subject_name="U7D7LJ")
    journal.audit.finish(entry, state="succeeded")
    load.follow_changes()
    assert load.wait(60)
    assert set(load.locations().rows["person"]) == {"E3", "E2"}


def test_a_refresh_reads_known_trips_without_a_new_lookup(journal: Journal) -> None:
    service = FakeItineraries(AAA111={1: ["E1"]}, BBB222={2: ["E3"]})
    load = create_load(journal, service, "AAA111", "BBB222")
    run_load(load)
    first = load.as_of
    service.trips["AAA111"] = {1: ["E1", "E9"]}
    service.searched.clear()
    run_load(load)
    assert service.searched == []
    assert set(load.locations().rows["person"]) == {"E1", "E9", "E3"}
    assert load.as_of is not None
    assert first is not None
    assert load.as_of > first


def test_a_second_itinerary_of_a_locator_is_found_later_or_at_once_if_muster_added_it(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = FakeItineraries(AAA111={1: ["E1"]}, BBB222={2: ["E3"]})
    load = create_load(journal, service, "AAA111", "BBB222")
    run_load(load)
    service.trips["AAA111"] = {1: ["E1"], 7: ["E7"]}
    service.trips["BBB222"] = {2: ["E3"], 8: ["E8"]}
    entry = journal.audit.begin(ACTOR, "itinerary.create", subject_kind="itinerary", subject_name="AAA111")
    journal.audit.finish(entry, state="succeeded")
    load.follow_changes()
    assert load.wait(60)
    assert set(load.locations().rows["person"]) == {"E1", "E7", "E3"}
    run_load(load)
    assert set(load.locations().rows["person"]) == {"E1", "E7", "E3"}
    monkeypatch.setattr(roster_load, "LEARNT_GOOD_FOR", timedelta())
    run_load(load)
    assert set(load.locations().rows["person"]) == {"E1", "E7", "E3", "E8"}


def record_added_trip(journal: Journal, locator: str) -> None:
    """Record that Muster added a trip."""
    entry = journal.audit.begin(ACTOR, "itinerary.create", subject_kind="itinerary", subject_name=locator)
    journal.audit.finish(entry, state="succeeded")


def test_a_change_is_read_even_after_many_later_journal_entries(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(roster_load, "_MOST_ENTRIES", 1)
    service = FakeItineraries(AAA111={1: ["E1"]})
    load = create_load(journal, service, "AAA111")
    run_load(load)
    service.trips["AAA111"] = {1: ["E1"], 7: ["E7"]}
    record_added_trip(journal, "AAA111")
    entry = journal.audit.begin(ACTOR, "region.create", subject_kind="region", subject_name="Somewhere")
    journal.audit.finish(entry, state="succeeded")
    load.follow_changes()
    assert load.wait(60)
    assert set(load.locations().rows["person"]) == {"E1", "E7"}


def test_a_change_found_during_the_load_of_another_tab_is_read_afterwards(journal: Journal) -> None:
    service = FakeItineraries(AAA111={1: ["E1"]}, BBB222={2: ["E3"]})
    load = create_load(journal, service, "AAA111", "BBB222")
    run_load(load)
    service.trips["AAA111"] = {1: ["E1"], 7: ["E7"]}
    record_added_trip(journal, "AAA111")
    service.events[2] = threading.Event()
    load.load(only=["BBB222"])
    load.follow_changes()
    service.events[2].set()
    assert load.wait(60)
    load.follow_changes()
    assert load.wait(60)
    assert set(load.locations().rows["person"]) == {"E1", "E7", "E3"}


@pytest.mark.parametrize("reports_missing", [True, False])
def test_a_stored_id_without_data_is_looked_up_again(journal: Journal, reports_missing: bool) -> None:
    service = FakeItineraries(AAA111={1: ["E1"]}, BBB222={2: ["E2"]})
    service.reports_missing = reports_missing
    load = create_load(journal, service, "AAA111", "BBB222")
    run_load(load)
    service.trips = {"AAA111": {7: ["E5"]}}
    service.searched.clear()
    run_load(load)
    assert sorted(service.searched) == ["AAA111", "BBB222"]
    assert load.locations().rows["person"].tolist() == ["E5"]
    ids_by_locator = {each.record_locator: each.itinerary_ids for each in journal.rosters.entries(get_roster_id(load))}
    assert ids_by_locator == {"AAA111": [7], "BBB222": []}
    assert [each.locator for each in load.failures()] == ["BBB222"]


def test_ids_stored_during_a_lookup_stay(journal: Journal) -> None:
    """For example if someone else added a trip with the same record locator."""
    service = FakeItineraries(AAA111={1: ["E1"]})
    service.events[1] = threading.Event()
    load = create_load(journal, service, "AAA111")
    load.load()
    assert service.reached.wait(60)
    journal.rosters.learn(get_roster_id(load), {"AAA111": [1, 7]}, datetime.now(UTC))
    service.events[1].set()
    assert load.wait(60)
    assert journal.rosters.entries(get_roster_id(load))[0].itinerary_ids == [1, 7]


def test_a_failed_trip_does_not_affect_others_and_can_be_retried_alone(journal: Journal) -> None:
    service = FakeItineraries(AAA111={1: ["E1"]}, BBB222={2: ["E2"]})
    service.failing["BBB222"] = ConnectionFailed("The service cannot be reached.")
    load = create_load(journal, service, "AAA111", "BBB222", "ZZZ999")
    run_load(load)
    assert read_outcome(load) == ("done", 3, 1, 1, 1)
    assert [(each.locator, each.reason, each.words) for each in load.failures()][:1] == [
        ("BBB222", "failed", "The service cannot be reached.")
    ]
    assert isinstance(load.problem, ConnectionFailed)
    service.failing.clear()
    service.searched.clear()
    run_load(load, only_failed=True)
    assert service.searched == ["BBB222"]
    assert set(load.locations().rows["person"]) == {"E1", "E2"}
    assert [each.locator for each in load.failures()] == ["ZZZ999"]
    assert load.problem is None


def test_no_record_locator_is_in_the_log(journal: Journal, caplog: pytest.LogCaptureFixture) -> None:
    service = FakeItineraries(AAA111={1: ["E1"]})
    service.failing["AAA111"] = ValueError("not a number")
    run_load(create_load(journal, service, "AAA111"))
    assert "Loading a trip of a roster failed" in caplog.text
    assert "AAA111" not in caplog.text


def test_trips_stay_if_a_refresh_fails(journal: Journal) -> None:
    service = FakeItineraries(AAA111={1: ["E1"]}, BBB222={2: ["E2"]})
    load = create_load(journal, service, "AAA111", "BBB222", width=1)
    run_load(load)
    as_of = load.as_of
    service.failing = {1: ConnectionFailed("gone"), 2: ConnectionFailed("gone")}
    run_load(load)
    assert read_outcome(load)[0] == "failed"
    assert set(load.locations().rows["person"]) == {"E1", "E2"}
    assert load.as_of == as_of


def test_a_rejected_sign_in_ends_the_load_immediately(journal: Journal) -> None:
    locators = [f"AAA{number:03}" for number in range(50)]
    service = FakeItineraries()
    service.failing = dict.fromkeys(locators, NotAuthenticated("The service does not accept the password."))
    load = create_load(journal, service, *locators, width=2)
    run_load(load)
    assert read_outcome(load)[0] == "failed"
    assert len(service.searched) < 20
    reasons = [each.reason for each in load.failures()]
    assert len(reasons) == 50
    assert reasons.count("not asked") == 50 - len(service.searched)
    assert isinstance(load.problem, NotAuthenticated)


def test_a_load_stops_when_the_service_is_unreachable(journal: Journal) -> None:
    locators = [f"AAA{number:03}" for number in range(200)]
    service = FakeItineraries()
    service.failing = dict.fromkeys(locators, ConnectionFailed("The service cannot be reached."))
    load = create_load(journal, service, *locators, width=2)
    run_load(load)
    assert read_outcome(load)[0] == "failed"
    assert len(service.searched) < 50
    assert [each.locator for each in load.failures()] == locators


def test_stop_keeps_the_trips_read_and_lists_the_others(journal: Journal) -> None:
    service = FakeItineraries(AAA111={1: ["E1"]}, BBB222={2: ["E2"]}, CCC333={3: ["E3"]})
    service.events["BBB222"] = threading.Event()
    load = create_load(journal, service, "AAA111", "BBB222", "CCC333", width=1)
    assert load.load()
    assert service.reached.wait(60)
    assert not load.load(), "one load at a time"
    load.stop()
    service.events["BBB222"].set()
    assert load.wait(60)
    assert read_outcome(load) == ("stopped", 3, 2, 0, 0)
    assert set(load.locations().rows["person"]) == {"E1", "E2"}
    assert [(each.locator, each.reason) for each in load.failures()] == [("CCC333", "not asked")]
    latest_load = journal.roster_loads.latest(get_roster_id(load))
    assert latest_load is not None
    assert latest_load.state == "stopped"


def test_trips_are_available_before_the_load_ends(journal: Journal) -> None:
    service = FakeItineraries(AAA111={1: ["E1"]}, BBB222={2: ["E2"]})
    service.events["BBB222"] = threading.Event()
    load = create_load(journal, service, "AAA111", "BBB222", width=1)
    load.load()
    assert service.reached.wait(60)
    for _ in range(2000):
        if load.counts["found"]:
            break
        threading.Event().wait(0.005)
    assert load.now.is_running
    assert load.locations().rows["person"].tolist() == ["E1"]
    service.events["BBB222"].set()
    assert load.wait(60)


def test_a_trip_of_several_rosters_is_read_once_and_stored_in_each_roster(journal: Journal) -> None:
    service = FakeItineraries(AAA111={1: ["E1", "E2"]}, BBB222={2: ["E2"]}, CCC333={3: ["E3"]})
    rosters = [
        journal.rosters.create(ACTOR, name, map(RosterEntry, locators))
        for name, locators in {"Fair": ["AAA111", "BBB222"], "Team": ["CCC333", "aaa111", "ZZZ999"]}.items()
    ]
    load = RosterLoad(rosters, service, journal, ACTOR)
    run_load(load)
    assert sorted(service.searched) == ["AAA111", "BBB222", "CCC333", "ZZZ999"]
    assert sorted(load.locations().rows["person"]) == ["E1", "E2", "E2", "E3"]
    assert sorted(load.locations().people["person"]) == ["E1", "E2", "E3"]
    latest_loads = [journal.roster_loads.latest(roster.id) for roster in rosters]
    assert [(each.total, each.done, each.not_found) for each in latest_loads if each is not None] == [
        (2, 2, 0),
        (3, 3, 1),
    ]
    assert [each.itinerary_ids for each in journal.rosters.entries(rosters[1].id)] == [[3], [1], []]


def test_only_the_changed_trips_of_a_roster_are_read(journal: Journal) -> None:
    service = FakeItineraries(AAA111={1: ["E1"]}, BBB222={2: ["E2"]}, CCC333={3: ["E3"]})
    load = create_load(journal, service, "AAA111", "BBB222")
    run_load(load)
    service.read_ids.clear()
    changed = journal.rosters.replace_entries(get_roster_id(load), [RosterEntry("BBB222"), RosterEntry("CCC333")])
    load.follow_rosters([changed])
    assert load.wait(60)
    assert service.read_ids == [3]
    assert sorted(load.locations().rows["person"]) == ["E2", "E3"]
    load.follow_rosters([changed])
    assert not load.now.is_running


def test_trips_removed_from_the_roster_are_removed_from_the_load(journal: Journal) -> None:
    service = FakeItineraries(AAA111={1: ["E1"]}, BBB222={2: ["E2"]})
    load = create_load(journal, service, "AAA111", "BBB222", "ZZZ999")
    run_load(load)
    journal.rosters.replace_entries(get_roster_id(load), [RosterEntry("BBB222")])
    run_load(load)
    assert load.locations().rows["person"].tolist() == ["E2"]
    assert load.failures() == []


def test_a_journal_that_cannot_be_written_does_not_end_the_load(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = FakeItineraries(AAA111={1: ["E1"]})
    load = create_load(journal, service, "AAA111")

    def fail(*_: object, **__: object) -> None:
        raise OSError("disk full")

    for area, name in ((journal.roster_loads, "start"), (journal.rosters, "learn"), (journal.travelers, "names")):
        monkeypatch.setattr(area, name, fail)
    run_load(load)
    assert load.now.error is None
    assert (load.now.done, load.counts["found"]) == (1, 1)
