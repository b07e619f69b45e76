"""On whose clocks an alert is told: those of the places it goes to.

    zones = reach_zones(draft, catalog, now)         # ("America/Chicago", "America/Denver"); () where not known
    told = told_in(draft, catalog, desk_zone, now)   # the zone to tell everything in: the reach's, else the desk's
    has_clock(draft, catalog)                        # whether that is known: the desk's may be hours off until then
    zone_title(told) / has_twelve_hours(told)        # of components.geography.time_zones: how it is called and read

Zones whose clocks show the same all the year are one. `catalog` is None while the lookup of regions is not there.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Final

from client.vocabulary.public_alerts import JURISDICTION_ALL
from components.alert_reach.regions import RegionCatalog
from components.geography.time_zones import clocks_of
from components.public_alerts.draft import AlertDraft

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


def told_in(draft: AlertDraft, catalog: RegionCatalog | None, desk: str | None, now: datetime) -> str | None:
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
