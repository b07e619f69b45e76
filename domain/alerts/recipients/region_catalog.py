"""Both lookups of public alerts, read in the background once per connection and cached in memory.

    lookups = region_lookups(workspace)      # returns immediately; starts to read in the background
    lookups.regions.value                 -> RegionCatalog | None (None during the first read, or if it failed)
    lookups.groups.value                  -> dict[int, str] | None: event groups by ID, in the service's order
    lookups.offered()                     -> client's Offered | None: the valid IDs, once both have loaded
    lookups.is_reading / .reload() / .reload_failed() / .version / .wait(seconds)

The earlier result stays while a lookup is read again, and if that fails.
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
from domain.text.plain_text import make_unique

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
        """A value that changes with the content of both."""
        return tuple((now.read_at, now.is_running, id(now.error)) for now in (self.groups.now, self.regions.now))

    def offered(self) -> Offered | None:
        """Return the available IDs, or None until both lookups are read."""
        groups, regions = self.groups.value, self.regions.value
        return None if groups is None or regions is None else Offered(groups.keys(), regions.ids)

    def reload(self) -> None:
        """Read both again."""
        for each in (self.groups, self.regions):
            if not each.now.is_running:
                each.restart()

    def reload_failed(self) -> None:
        """Read the lookups that failed again."""
        for each in (self.groups, self.regions):
            if each.now.error is not None:
                each.restart()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for running reads, and return whether they have ended."""
        waited = [each.wait(seconds) for each in (self.groups, self.regions)]
        return all(waited)


def region_lookups(workspace: Workspace) -> RegionLookups:
    """Return the lookups of a connection, and start reading them in the background."""
    source, reads = workspace.client.public_lookups, server().reads

    def groups(_: object) -> dict[int, str]:
        found = source.list_event_groups()
        return make_unique({each.id: (each.group_name or "").strip() or f"group {each.id}" for each in found})

    return RegionLookups(
        reads.open(workspace, (_GROUPS,), groups, max_age=READ_AGAIN_AFTER),
        reads.open(workspace, (_REGIONS,), lambda _: _share_catalog(source.list_regions()), max_age=READ_AGAIN_AFTER),
    )


def loaded_lookups(workspace: Workspace) -> RegionLookups | None:
    """Return the lookups of a connection if they were requested before, without reading."""
    reads = server().reads
    groups, regions = reads.find(workspace, _GROUPS), reads.find(workspace, _REGIONS)
    return None if groups is None or regions is None else RegionLookups(groups, regions)


_CATALOGS: Final[weakref.WeakValueDictionary[bytes, RegionCatalog]] = weakref.WeakValueDictionary()
_CATALOGS_LOCK: Final = threading.Lock()


def _share_catalog(regions: Regions) -> RegionCatalog:
    """Return the catalog of regions. Equal responses share one catalog, because it takes 20 MB."""
    content = hashlib.blake2b(regions.model_dump_json().encode(), digest_size=32).digest()
    with _CATALOGS_LOCK:
        catalog = _CATALOGS.get(content)
        if catalog is None:
            catalog = _CATALOGS[content] = RegionCatalog(regions, us_places())
        return catalog
