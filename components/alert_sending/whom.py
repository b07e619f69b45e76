"""Whom an alert reaches as far as the lookups at hand tell, and on whose clocks it is told."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from components.alert_reach.reach import Reach, reach_of
from components.alert_reach.reach_zones import reach_zones, told_in
from components.alert_reach.region_catalog import lookups_at_hand, region_lookups
from components.alert_reach.regions import RegionCatalog
from components.public_alerts.draft import AlertDraft
from components.shell.background import BackgroundReads
from components.shell.workspace import Workspace
from components.widgets.place_clock import desk_zone, on_clocks

PLACES_WRITTEN: Final = 100


class KnownReach(NamedTuple):
    """Whom a draft reaches as far as it is known; `names_follow` while names in it are still being read."""

    reach: Reach
    names_follow: bool


def known_reach(workspace: Workspace, draft: AlertDraft, patience: float | None = None) -> KnownReach:
    """Whom the draft reaches, with the names that are known after so many seconds at most."""
    at_hand = region_lookups(workspace)
    names_follow = False
    for wanted, reading in ((draft.regions, at_hand.regions), (draft.groups, at_hand.groups)):
        if wanted and reading.value is None:
            reading.wait(BackgroundReads.patience_for_names if patience is None else patience)
            now = reading.now
            names_follow |= now.value is None and now.is_running
    return KnownReach(reach_of(draft, at_hand.regions.value, at_hand.groups.value), names_follow)


def clock_of(workspace: Workspace, draft: AlertDraft) -> str | None:
    """The zone in which everything about an alert is told: that of the places it goes to, else the desk's."""
    return told_in(draft, region_lookups(workspace).regions.value, desk_zone(), datetime.now(UTC))


def told_at(workspace: Workspace, draft: AlertDraft, at: datetime) -> str:
    """A moment in the life of an alert, on the clocks of the places it goes to and on the desk's."""
    return on_clocks(at, clock_of(workspace, draft), desk=desk_zone())


def told_there(workspace: Workspace, draft: AlertDraft, at: datetime) -> str:
    """A moment on the clocks of the places alone, as what is no run of a screen tells it: it knows no desk's."""
    at_hand = lookups_at_hand(workspace)
    zones = reach_zones(draft, at_hand.regions.value if at_hand is not None else None, at)
    return on_clocks(at, zones[0] if zones else None)


def written_down(workspace: Workspace, draft: AlertDraft) -> dict[str, Any]:
    """Whom the draft reaches, in words for the journal: the request itself names places by their ids alone."""
    at_hand = lookups_at_hand(workspace)
    catalog = at_hand.regions.value if at_hand is not None else None
    groups = at_hand.groups.value if at_hand is not None else None
    regions = list(dict.fromkeys(draft.regions))
    left = len(regions) - PLACES_WRITTEN
    places = [] if catalog is None else [_with_town(catalog, each) for each in regions[:PLACES_WRITTEN]]
    places += [f"and {left:,} more"] if places and left > 0 else []
    zones = reach_zones(draft, catalog, datetime.now(UTC))
    return {
        "to": reach_of(draft, catalog, groups).whom,
        **({"places": places} if places else {}),
        **({"clock": zones[0]} if zones else {}),
    }


def _with_town(catalog: RegionCatalog, region: int) -> str:
    (called,) = catalog.names([region])
    towns = [town.name for place in catalog.chosen([region]).places if (town := catalog.town_of(place)) is not place]
    return " · ".join([called, *towns])
