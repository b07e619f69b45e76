"""The rosters that a search uses: those in memory, and from the journal those that are not."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from cachetools import LRUCache, cached

from domain.expected_locations.expected_words import OUTDATED_AFTER, loading, unread
from domain.expected_locations.location_frame import Locations
from domain.expected_locations.roster_choice import ALL, RosterChoice, chosen_rosters
from domain.expected_locations.roster_load import RosterLoad, find_load
from domain.geography.folding import fold
from domain.search.roster_index import index_of, person_text
from domain.search.search import LoadedRosters, Nameable, UnloadedRosters
from domain.trips.rosters.traveler_search import FoundTraveler, LoadedTravelers
from journal import Roster, normalize_locator

if TYPE_CHECKING:
    from domain.runtime.workspace import Workspace

_NEW_SNAPSHOT_SECONDS: Final = 5.0
"""How long a search uses a snapshot of rosters that are being loaded: a new one takes time for many people."""
_MOST_SELECTIONS: Final = 8

_snapshots: WeakKeyDictionary[RosterLoad, tuple[float, Locations]] = WeakKeyDictionary()


def find_newest_load(workspace: Workspace, now: datetime) -> tuple[RosterChoice, RosterLoad] | None:
    """Return the rosters that are in memory, and their load; None if none is.

    Of several, the one whose data is not old, then the one with the most rosters, then what the person had on the map.
    """
    rosters = workspace.journal.rosters.list(workspace.actor.service, workspace.actor.organization_id)
    last = workspace.journal.rosters.last_choice(workspace.actor) or ""
    found: list[tuple[tuple[bool, int, bool], RosterChoice, RosterLoad]] = []
    for values in dict.fromkeys([last, ALL, *(str(roster.id) for roster in rosters)]):
        choice = chosen_rosters(values.split(","), rosters)
        load = find_load(workspace, choice) if choice is not None else None
        if choice is not None and load is not None and load.as_of is not None:
            key = (now - load.as_of < OUTDATED_AFTER, len(choice.rosters), values == last)
            found.append((key, choice, load))
    _, choice, load = max(found, key=lambda each: each[0], default=(None, None, None))
    return (choice, load) if choice is not None and load is not None else None


def loaded_rosters(choice: RosterChoice, load: RosterLoad, now: datetime) -> LoadedRosters:
    """Return what a load has in memory."""
    state = load.now
    return LoadedRosters(
        locations=_snapshot(load),
        link_values=tuple(choice.value.split(",")),
        as_of=load.as_of,
        is_outdated=load.as_of is not None and now - load.as_of >= OUTDATED_AFTER,
        unread=0 if state.is_running else unread(load.failures()),
        not_found=sum(failure.reason == "not found" for failure in load.failures()),
        reading=loading(state.done, state.total or 0, load.counts, choice.name) if state.is_running else "",
    )


def loaded_travelers(workspace: Workspace, text: str, now: datetime) -> LoadedTravelers:
    """Return the travelers of the loaded rosters whose name contains each word of a text."""
    found = find_newest_load(workspace, now)
    if found is None:
        return LoadedTravelers()
    choice, load = found
    locations = _snapshot(load)
    index = index_of(locations)
    roster_ids = [roster.id for roster in choice.rosters]
    travelers = [
        FoundTraveler(
            index.external_ids[code],
            index.names[code],
            index.locators_of(code),
            dict.fromkeys(roster_ids),
        )
        for code in index.find_people(fold(text).split())
        if index.external_ids[code]
    ]
    return LoadedTravelers(index.external_ids, travelers, [] if load.now.is_running else roster_ids)


def unloaded_rosters(workspace: Workspace, loaded: Collection[int]) -> UnloadedRosters:
    """Return the rosters of the organization without those that are loaded, with their people by name."""
    rosters = workspace.journal.rosters.list(workspace.actor.service, workspace.actor.organization_id)
    return _unloaded([roster for roster in rosters if roster.id not in loaded])


@cached(
    LRUCache(_MOST_SELECTIONS),
    key=lambda rosters: tuple((each.service, each.id, each.name, each.changed_at) for each in rosters),
    lock=threading.Lock(),
)
def _unloaded(rosters: Sequence[Roster]) -> UnloadedRosters:
    """Read the people and record locators of rosters, once for each of their versions."""
    people: dict[str, tuple[str, str, dict[str, None], dict[str, None]]] = {}
    locators: dict[str, str] = {}
    for roster in rosters:
        for entry in roster.entries():
            locators[normalize_locator(entry.record_locator)] = entry.record_locator
            for traveler in entry.travelers:
                if key := traveler.external_id or traveler.name:
                    person = people.setdefault(key, (traveler.external_id, traveler.name, {}, {}))
                    person[2][entry.record_locator] = person[3][str(roster.id)] = None
    by_name = sorted(
        (Nameable(external_id, name, tuple(own), tuple(of)) for external_id, name, own, of in people.values()),
        key=lambda each: fold(each.name),
    )
    texts = [person_text(fold(each.name), each.external_id) for each in by_name]
    return UnloadedRosters(rosters, by_name, texts, locators)


def _snapshot(load: RosterLoad) -> Locations:
    """Return the locations of a load, while it runs those of some seconds ago."""
    taken, snapshot = _snapshots.get(load, (0.0, None))
    if snapshot is None or not load.now.is_running or time.monotonic() - taken > _NEW_SNAPSHOT_SECONDS:
        snapshot = load.locations()
        _snapshots[load] = time.monotonic(), snapshot
    return snapshot
