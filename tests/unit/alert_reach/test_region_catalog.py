"""Both lookups read in the background: once, kept over failures, told apart by connection, shared by content."""

from __future__ import annotations

import gc
import threading
import weakref
from datetime import UTC, datetime, timedelta

import pytest

from client import ServiceFailed
from client.models.public_lookups import EventGroup, Regions
from components.alert_reach import region_catalog
from components.alert_reach.region_catalog import BackgroundReading, LookupRegistry, RegionLookups
from tests.unit.alert_reach.regions_at_hand import CATALOG, REGIONS

PATIENCE = 30.0


class Source:
    """A client that answers when it is let, and fails when it is told to."""

    def __init__(self, *, held: bool = False, fails: bool = False) -> None:
        self.go = threading.Event()
        self.asked = 0
        self.fails = fails
        if not held:
            self.go.set()

    def list_event_groups(self) -> list[EventGroup]:
        self._answer()
        return [EventGroup(id=1, groupName="Schools"), EventGroup(id=2, groupName=None)]

    def list_regions(self) -> Regions:
        self._answer()
        return REGIONS

    def _answer(self) -> None:
        self.asked += 1
        assert self.go.wait(PATIENCE)
        if self.fails:
            raise ServiceFailed("The service has a fault of its own.")


def read(source: Source) -> RegionLookups:
    """Lookups that were started."""
    held = RegionLookups(source)
    held.start()
    return held


def test_both_are_read_in_the_background_while_the_caller_goes_on():
    source = Source(held=True)
    held = read(source)
    assert held.is_reading
    assert held.regions.value is None
    assert held.offered() is None
    before = held.version
    source.go.set()
    assert held.wait(PATIENCE)
    assert not held.is_reading
    assert held.version != before
    assert held.groups.value == {1: "Schools", 2: "group 2"}
    assert held.regions.value is not None
    assert held.regions.value.names([1]) == ["Boulder, CO"]
    offered = held.offered()
    assert offered is not None
    assert set(offered.event_group_ids) == {1, 2}
    assert set(offered.region_ids) == set(CATALOG.ids)


def test_what_is_under_way_is_not_begun_twice_and_what_is_there_not_read_again():
    source = Source(held=True)
    held = read(source)
    held.start()
    held.reload()
    source.go.set()
    assert held.wait(PATIENCE)
    held.start()
    assert source.asked == 2


def test_a_failure_keeps_what_was_read_and_waits_for_a_person():
    source = Source()
    held = read(source)
    assert held.wait(PATIENCE)
    source.fails = True
    held.reload()
    assert held.wait(PATIENCE)
    now = held.regions.now
    assert isinstance(now.error, ServiceFailed)
    assert now.value is not None
    assert now.read_at is not None
    held.start()
    assert source.asked == 4
    source.fails = False
    held.reload_failed()
    assert held.wait(PATIENCE)
    assert held.regions.now.error is None
    assert source.asked == 6


def test_what_nobody_expected_to_go_wrong_is_told_too():
    def fail() -> int:
        raise KeyError("surprise")

    reading: BackgroundReading[int] = BackgroundReading("anything", fail)
    reading.start()
    assert reading.wait(PATIENCE)
    assert isinstance(reading.now.error, KeyError)


def test_what_is_old_is_read_again_and_serves_meanwhile(monkeypatch: pytest.MonkeyPatch):
    source = Source()
    held = read(source)
    assert held.wait(PATIENCE)
    monkeypatch.setattr(region_catalog, "READ_AGAIN_AFTER", timedelta(0))
    source.go.clear()
    held.start()
    assert held.is_reading
    assert held.regions.value is not None
    source.go.set()
    assert held.wait(PATIENCE)
    assert held.regions.now.read_at is not None
    assert held.regions.now.read_at <= datetime.now(UTC)


def test_a_closed_client_is_replaced_by_the_one_of_the_next_session():
    registry = LookupRegistry()
    first, second = Source(fails=True), Source()
    held = registry.open("ana", first)
    held.start()
    assert held.wait(PATIENCE)
    assert registry.open("ana", second) is held
    held.reload_failed()
    assert held.wait(PATIENCE)
    assert held.offered() is not None


def test_connections_do_not_share_what_was_read_and_forget_it_with_their_session():
    registry = LookupRegistry()
    ana, ben = registry.open("ana", Source()), registry.open("ben", Source())
    assert ana is not ben
    assert registry.open("ana", Source()) is ana
    registry.forget("ana")
    assert registry.open("ana", Source()) is not ana
    assert len(registry) == 2


def test_what_nobody_looks_at_is_let_go():
    now = 0.0

    def clock() -> float:
        return now

    registry = LookupRegistry(most=2, clock=clock)
    first = registry.open("first", Source())
    now = 10.0
    registry.open("second", Source())
    now = 20.0
    registry.open("third", Source())
    assert len(registry) == 2
    assert registry.open("first", Source()) is not first
    now = 20.0 + 2 * 60 * 60
    registry.open("fourth", Source())
    assert len(registry) == 1


def test_who_is_answered_the_same_shares_one_catalog_and_it_goes_with_the_last():
    one, other = read(Source()), read(Source())
    assert one.wait(PATIENCE)
    assert other.wait(PATIENCE)
    assert one.regions.value is not None
    assert one.regions.value is other.regions.value
    shared = weakref.ref(one.regions.value)
    del one
    gc.collect()
    assert shared() is not None
    del other
    gc.collect()
    assert shared() is None
