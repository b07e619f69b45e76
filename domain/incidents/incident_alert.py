"""A draft public alert for the area and time of an incident."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from client.vocabulary.public_alerts import EXPIRE_HOURS
from domain.alerts.draft import AlertDraft
from domain.alerts.recipients.regions import RegionCatalog
from domain.geography.time_zones import zone_at
from domain.incidents.area import Area
from domain.text.place_clock import on_clocks

_HOUR: Final = timedelta(hours=1)


def draft_alert(
    name: str, area: Area, begins: datetime, ends: datetime | None, now: datetime, catalog: RegionCatalog | None
) -> AlertDraft:
    """Return a draft for the counties that the area touches. Its instructions contain the place and the time.

    An alert ends after 24 hours at most. A longer incident gets the longest time.
    """
    point = area.geometry.representative_point()
    zone = zone_at(point.y, point.x)
    since = on_clocks(begins, zone, now=now)
    time = f"From {since}." if ends is None else f"From {since} until {on_clocks(ends, zone, now=now)}."
    left = EXPIRE_HOURS[-1] if ends is None else -((now - ends) // _HOUR)
    counties = catalog.counties_touched_by(area.geometry) if catalog is not None else []
    return AlertDraft(
        title=name,
        instructions=f"Area: {area.label}. {time}",
        hours=min(max(left, EXPIRE_HOURS[0]), EXPIRE_HOURS[-1]),
        regions=[place.id for place in counties],
        not_imported=list(dict.fromkeys(area.notes)),
    )
