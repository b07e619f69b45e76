"""The recipients of an alert as far as the lookups have loaded, and the time zone of the alert."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from client.models.notifications import Notification
from client.vocabulary.public_alerts import JURISDICTION_ALL, JURISDICTION_SOME
from domain.alerts.draft import AlertDraft
from domain.alerts.recipients.reach import Reach, reach_of
from domain.alerts.recipients.region_catalog import loaded_lookups, region_lookups
from domain.alerts.recipients.regions import RegionCatalog
from domain.alerts.recipients.saved_areas import usual_places
from domain.alerts.request import draft_from_sent
from domain.alerts.sending.alert_chain import sendings
from domain.geography.time_zones import clocks_of
from domain.runtime.background import BackgroundReads
from domain.runtime.workspace import Workspace

# Preferred names of time zones: most states have several zones with the same time.
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
    """Return the time zones of the recipients' places, those with the most ZIP codes first; empty if none is known.

    For the entire jurisdiction, the zones of all available places.
    """
    if catalog is None:
        return ()
    is_all = draft.jurisdiction == JURISDICTION_ALL
    counted: Counter[str] = Counter()
    for zone, number in catalog.zones(None if is_all else draft.regions).items():
        counted[_well_known(zone, now.year)] += number
    return tuple(zone for zone, _ in counted.most_common())


def zone_for_alert(draft: AlertDraft, catalog: RegionCatalog | None, desk: str | None, now: datetime) -> str | None:
    """Return the time zone in which an alert is shown: that of most of its places, or the user's (`desk`).

    If the entire jurisdiction has several zones, it is the user's: no zone is that of most people there.
    """
    # ASSUMPTION A431: an alert to places in several zones is told in that of most zip codes.
    zones = reach_zones(draft, catalog, now)
    if not zones or (draft.jurisdiction == JURISDICTION_ALL and len(zones) > 1):
        return desk
    return zones[0]


def zone_in_text(draft: AlertDraft, catalog: RegionCatalog | None, desk: str | None, now: datetime) -> str | None:
    """Return the time zone of times in the text, or None as long as it is not known.

    Before a place is selected, or while places load, no time may be written: it would be the user's, or UTC.
    """
    is_undecided = not draft.regions and draft.jurisdiction in (None, JURISDICTION_SOME)
    if is_undecided or not has_known_zone(draft, catalog):
        return None
    return zone_for_alert(draft, catalog, desk, now)


def has_known_zone(draft: AlertDraft, catalog: RegionCatalog | None) -> bool:
    """Return whether the places that the alert goes to have loaded, which give its time zone."""
    return catalog is not None or not (draft.regions or draft.jurisdiction == JURISDICTION_ALL)


def _well_known(zone: str, year: int) -> str:
    clocks = clocks_of(zone, year)
    return next((each for each in _WELL_KNOWN if clocks_of(each, year) == clocks), zone)


class KnownReach(NamedTuple):
    """The recipients as far as they are known. `names_loading` if names are still loading."""

    reach: Reach
    names_loading: bool


def known_reach(workspace: Workspace, draft: AlertDraft, patience: float | None = None) -> KnownReach:
    """Return the recipients, with the names that load within this many seconds."""
    at_hand = region_lookups(workspace)
    names_loading = False
    for wanted, reading in ((draft.regions, at_hand.regions), (draft.groups, at_hand.groups)):
        if wanted and reading.value is None:
            reading.wait(BackgroundReads.patience_for_names if patience is None else patience)
            now = reading.now
            names_loading |= now.value is None and now.is_running
    return KnownReach(reach_of(draft, at_hand.regions.value, at_hand.groups.value), names_loading)


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


def used_places(workspace: Workspace) -> frozenset[int]:
    """Return the places that the organization used: in its areas, its alert templates, and its latest alerts."""
    requests = (entry.request or {} for entry in sendings(workspace))
    notifications = (request["notification"] for request in requests if "notification" in request)
    sent = (draft_from_sent(Notification.from_wire(each)).regions for each in notifications)
    return frozenset(usual_places(workspace)).union(*sent)


def _with_town(catalog: RegionCatalog, region: int) -> str:
    (name,) = catalog.names([region])
    towns = [town.name for place in catalog.places_of([region]).places if (town := catalog.town_of(place)) is not place]
    return " · ".join([name, *towns])
