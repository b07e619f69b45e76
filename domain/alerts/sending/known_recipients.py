"""The recipients of an alert as far as the lookups have loaded, and the time zone of the alert."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from client.vocabulary.public_alerts import JURISDICTION_ALL
from domain.alerts.draft import AlertDraft
from domain.alerts.recipients.reach import Reach, reach_of
from domain.alerts.recipients.region_catalog import loaded_lookups, region_lookups
from domain.alerts.recipients.regions import RegionCatalog
from domain.geography.time_zones import clocks_of
from domain.runtime.background import BackgroundReads
from domain.runtime.workspace import Workspace

# By these, clocks are called what people call them: most states have several zones of one clock.
_WELL_KNOWN: Final = (
    "America/New_York",
    "America/Chicago",
    "America/Denver",
    "America/Phoenix",
    "America/Los_Angeles",
    "America/Anchorage",
    "Pacific/Honolulu",
    "America/Puerto_Rico",
    "Pacific/Guam",
)
PLACES_WRITTEN: Final = 100


def reach_zones(draft: AlertDraft, catalog: RegionCatalog | None, now: datetime) -> tuple[str, ...]:
    """The zones of the places an alert goes to, that of most zip codes first; none where no place is known.

    With all of the jurisdiction, those of every place that the service offers.
    """
    if catalog is None:
        return ()
    is_all = draft.jurisdiction == JURISDICTION_ALL
    counted: Counter[str] = Counter()
    for zone, number in catalog.zones(None if is_all else draft.regions).items():
        counted[_well_known(zone, now.year)] += number
    return tuple(zone for zone, _ in counted.most_common())


def zone_for_alert(draft: AlertDraft, catalog: RegionCatalog | None, desk: str | None, now: datetime) -> str | None:
    """The zone in which everything about an alert is told: that of most of its places, else the desk's.

    Where all of the jurisdiction lies in several zones, it is the desk's: none of them is that of most people there.
    """
    # ASSUMPTION A431: an alert to places in several zones is told in that of most zip codes.
    zones = reach_zones(draft, catalog, now)
    if not zones or (draft.jurisdiction == JURISDICTION_ALL and len(zones) > 1):
        return desk
    return zones[0]


def has_clock(draft: AlertDraft, catalog: RegionCatalog | None) -> bool:
    """Whether it is known on whose clocks an alert is told: not before the places are known that it goes to.

    Nothing that hangs on a clock may be written or advised before.
    """
    return catalog is not None or not (draft.regions or draft.jurisdiction == JURISDICTION_ALL)


def _well_known(zone: str, year: int) -> str:
    clocks = clocks_of(zone, year)
    return next((each for each in _WELL_KNOWN if clocks_of(each, year) == clocks), zone)


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


def describe_recipients(workspace: Workspace, draft: AlertDraft) -> dict[str, Any]:
    """Describe the recipients for the journal: the request has only the IDs of places."""
    at_hand = loaded_lookups(workspace)
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
    (name,) = catalog.names([region])
    towns = [town.name for place in catalog.chosen([region]).places if (town := catalog.town_of(place)) is not place]
    return " · ".join([name, *towns])
