"""The lists of regions and event groups, read in the background once per connection and shared if they are equal."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest

from client import ServiceFailed
from client.models.public_lookups import EventGroup, Regions
from domain.alerts.recipients.region_catalog import RegionLookups, loaded_lookups, region_lookups
from domain.runtime.server import server, use_server
from tests.domain.alerts.recipients.sample_regions import CATALOG, REGIONS

PATIENCE = 30.0


class Source:
    """A client that waits for an event before it answers, and fails on request."""

    def __init__(self, *, is_blocked: bool = False, fails: bool = False) -> None:
        self.go = threading.Event()
        self.request_count = 0
        self.fails = fails
        if not is_blocked:
            self.go.set()

    def list_event_groups(self) -> list[EventGroup]:
        self._answer()
        return [EventGroup(id=1, groupName="Schools"), EventGroup(id=2, groupName=None)]

    def list_regions(self) -> Regions:
        self._answer()
        return REGIONS

    def _answer(self) -> None:
        self.request_count += 1
        assert self.go.wait(PATIENCE)
        if self.fails:
            raise ServiceFailed("The service has a fault of its own.")


def build_workspace(source: Source, name: str = "ana") -> Any:
    """Return the parts of a workspace that the code uses."""
    return SimpleNamespace(
        client=SimpleNamespace(public_lookups=source),
        connection=SimpleNamespace(fingerprint=name, fingerprint_with_token=name),
        has_ended=Event(),
    )


@pytest.fixture(autouse=True)
def _fresh_server() -> Iterator[None]:
    """Start without the data that other tests have read."""
    use_server(None)
    yield
    use_server(None)


def open_lookups(source: Source, name: str = "ana") -> RegionLookups:
    """Return lists that are being read."""
    return region_lookups(build_workspace(source, name))


def test_event_groups_with_the_same_name_show_their_ids(monkeypatch: pytest.MonkeyPatch):
    """A field identifies options by name, so the second of two equal names could not be selected."""
    groups = [EventGroup(id=number, groupName=name) for number, name in ((2, "Schools"), (1, "Schools "), (3, "Fire"))]
    monkeypatch.setattr(Source, "list_event_groups", lambda _: groups)
    lookups = open_lookups(Source())
    assert lookups.wait(PATIENCE)
    assert lookups.groups.value == {2: "Schools (ID 2)", 1: "Schools (ID 1)", 3: "Fire"}


def test_regions_and_groups_are_read_in_the_background():
    source = Source(is_blocked=True)
    lookups = open_lookups(source)
    assert lookups.is_reading
    assert lookups.regions.value is None
    assert lookups.offered() is None
    before = lookups.version
    source.go.set()
    assert lookups.wait(PATIENCE)
    assert not lookups.is_reading
    assert lookups.version != before
    assert lookups.groups.value == {1: "Schools", 2: "group 2"}
    assert lookups.regions.value is not None
    assert lookups.regions.value.names([1]) == ["Boulder, CO"]
    offered = lookups.offered()
    assert offered is not None
    assert set(offered.event_group_ids) == {1, 2}
    assert set(offered.region_ids) == set(CATALOG.ids)


def test_regions_and_groups_are_not_read_twice():
    source = Source(is_blocked=True)
    lookups = open_lookups(source)
    open_lookups(source)
    lookups.reload()
    source.go.set()
    assert lookups.wait(PATIENCE)
    assert open_lookups(source).wait(PATIENCE)
    assert source.request_count == 2


def test_a_failed_reload_keeps_the_loaded_data_and_is_not_retried_automatically():
    source = Source()
    lookups = open_lookups(source)
    assert lookups.wait(PATIENCE)
    source.fails = True
    lookups.reload()
    assert lookups.wait(PATIENCE)
    now = lookups.regions.now
    assert isinstance(now.error, ServiceFailed)
    assert now.value is not None
    assert now.read_at is not None
    assert open_lookups(source).wait(PATIENCE)
    assert source.request_count == 4
    source.fails = False
    lookups.reload_failed()
    assert lookups.wait(PATIENCE)
    assert lookups.regions.now.error is None
    assert source.request_count == 6


def test_asking_for_loaded_regions_does_not_start_reading():
    source = Source()
    assert loaded_lookups(build_workspace(source)) is None
    assert source.request_count == 0
    assert open_lookups(source).wait(PATIENCE)
    lookups = loaded_lookups(build_workspace(source))
    assert lookups is not None
    assert lookups.offered() is not None
    assert loaded_lookups(build_workspace(source, "ben")) is None


def test_connections_with_equal_regions_share_one_catalog_until_the_last_one_ends():
    one, other = open_lookups(Source(), "ana"), open_lookups(Source(), "ben")
    assert one.wait(PATIENCE)
    assert other.wait(PATIENCE)
    assert one.regions.value is not None
    assert one.regions.value is other.regions.value
    shared = weakref.ref(one.regions.value)
    del one
    server().reads.remove("ana")
    gc.collect()
    assert shared() is not None
    del other
    server().reads.remove("ben")
    gc.collect()
    assert shared() is None
