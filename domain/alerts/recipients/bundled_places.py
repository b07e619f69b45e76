"""The cities, ZIP codes, and counties of the United States as a catalog, without a service.

For checks outside the dashboard. The IDs are not those of a service and change with the data.
"""

from __future__ import annotations

from functools import lru_cache

from client.models.public_lookups import Region, Regions
from domain.alerts.recipients.regions import RegionCatalog
from domain.alerts.recipients.us_places import us_places, zip_code_records

_FIRST_CITY = 1_000_000
_FIRST_COUNTY = 2_000_000


@lru_cache(maxsize=1)
def bundled_catalog() -> RegionCatalog:
    """Return the catalog of all places. The first call takes two seconds."""
    records = list(zip_code_records())
    cities = sorted({(record["state"], record["city"]) for record in records})
    counties = sorted({(record["state"], record["county"]) for record in records if record["county"]})
    regions = Regions(
        cities=[Region(id=_FIRST_CITY + at, name=name, state=state) for at, (state, name) in enumerate(cities)],
        counties=[Region(id=_FIRST_COUNTY + at, name=name, state=state) for at, (state, name) in enumerate(counties)],
        zipcodes=[
            Region(id=int(record["zip_code"]), name=record["zip_code"], state=record["state"]) for record in records
        ],
    )
    return RegionCatalog(regions, us_places())
