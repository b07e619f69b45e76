"""Both lookups of public alerts, read in the background once a connection and held in this server's memory.

    at_hand = region_lookups(workspace)      # starts reading what was not read yet; returns at once
    at_hand.regions.value                 -> RegionCatalog | None (None while it is read for the first time, or failed)
    at_hand.groups.value                  -> dict[int, str] | None: event groups by id, as the service orders them
    at_hand.offered()                     -> client's Offered | None, to check an alert by; None until both are there
    at_hand.is_reading / .reload() / .reload_failed() / .version / .wait(seconds)

What was read stays while it is read again, and stays where that fails.
"""

from __future__ import annotations

import hashlib
import threading
import weakref
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from client.models.public_alert_rules import Offered
from client.models.public_lookups import Regions
from domain.alerts.recipients.regions import RegionCatalog
from domain.alerts.recipients.us_places import us_places
from domain.runtime.background import BackgroundRead
from domain.runtime.server import server
from domain.runtime.workspace import Workspace
from domain.text.plain_text import told_apart

READ_AGAIN_AFTER: Final = timedelta(hours=6)
_GROUPS: Final = "event groups"
_REGIONS: Final = "regions"


@dataclass(frozen=True)
class RegionLookups:
    """The event groups and the regions of one connection."""

    groups: BackgroundRead[dict[int, str]]
    regions: BackgroundRead[RegionCatalog]

    @property
    def is_reading(self) -> bool:
        """Whether either is being read."""
        return self.groups.now.is_running or self.regions.now.is_running

    @property
    def version(self) -> tuple[object, ...]:
        """Changes with whatever a screen draws of both."""
        return tuple((now.read_at, now.is_running, id(now.error)) for now in (self.groups.now, self.regions.now))

    def offered(self) -> Offered | None:
        """The ids that may be named; None until both lookups were read."""
        groups, regions = self.groups.value, self.regions.value
        return None if groups is None or regions is None else Offered(groups.keys(), regions.ids)

    def reload(self) -> None:
        """Read both again."""
        for each in (self.groups, self.regions):
            if not each.now.is_running:
                each.again()

    def reload_failed(self) -> None:
        """Read again what could not be read."""
        for each in (self.groups, self.regions):
            if each.now.error is not None:
                each.again()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for what is under way to end; tell whether it has."""
        waited = [each.wait(seconds) for each in (self.groups, self.regions)]
        return all(waited)


def region_lookups(workspace: Workspace) -> RegionLookups:
    """The lookups of this person's connection; what was not read yet is read in the background from now on."""
    source, reads = workspace.client.public_lookups, server().reads

    def groups(_: object) -> dict[int, str]:
        found = source.list_event_groups()
        return told_apart({each.id: (each.group_name or "").strip() or f"group {each.id}" for each in found})

    return RegionLookups(
        reads.open(workspace, (_GROUPS,), groups, good_for=READ_AGAIN_AFTER),
        reads.open(workspace, (_REGIONS,), lambda _: _shared(source.list_regions()), good_for=READ_AGAIN_AFTER),
    )


def lookups_at_hand(workspace: Workspace) -> RegionLookups | None:
    """The lookups of this person's connection where they were asked for before; nothing is read for this."""
    reads = server().reads
    groups, regions = reads.held(workspace, _GROUPS), reads.held(workspace, _REGIONS)
    return None if groups is None or regions is None else RegionLookups(groups, regions)


_CATALOGS: Final[weakref.WeakValueDictionary[bytes, RegionCatalog]] = weakref.WeakValueDictionary()
_CATALOGS_LOCK: Final = threading.Lock()


def _shared(regions: Regions) -> RegionCatalog:
    """The catalog of these regions; whoever was answered the same shares one, for it takes 20 MB."""
    content = hashlib.blake2b(regions.model_dump_json().encode(), digest_size=32).digest()
    with _CATALOGS_LOCK:
        held = _CATALOGS.get(content)
        if held is None:
            held = _CATALOGS[content] = RegionCatalog(regions, us_places())
        return held
