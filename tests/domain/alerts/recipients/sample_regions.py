"""A small list of regions for tests with difficult names: namesakes, abbreviations, and accents."""

from __future__ import annotations

from client.models.public_lookups import Region, Regions
from domain.alerts.recipients.regions import RegionCatalog


def region(region_id: int, name: str | None, state: str | None) -> Region:
    """Return one region of the list."""
    return Region.model_validate({"id": region_id, "name": name, "state": state})


REGIONS = Regions(
    cities=[
        region(1, "Boulder", "CO"),
        region(2, "Boulder", "UT"),
        region(3, "Boulder City", "NV"),
        region(4, "Springfield", "IL"),
        region(5, "Springfield", "MA"),
        region(6, "West Springfield", "MA"),
        region(7, "Saint Louis", "MO"),
        region(8, "New York", "NY"),
        region(9, "Mayagüez", "PR"),
        region(10, "Carson City", "NV"),
        region(11, "Stamford", "CT"),
        region(12, "Denver", "CO"),
    ],
    zipcodes=[
        region(80301, "80301", "CO"),
        region(80302, "80302", "CO"),
        region(98030, "98030", "WA"),
        region(2134, "02134", "MA"),
    ],
    counties=[
        region(101, "Boulder County", "CO"),
        region(102, "Larimer County", "CO"),
        region(103, "Denver", "CO"),
        region(104, "St. Louis County", "MN"),
        region(105, "St Louis County", "MN"),
        region(106, "Carson City", "NV"),
    ],
)
CATALOG = RegionCatalog(REGIONS)
