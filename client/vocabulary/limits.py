"""The limits the interface sets on one call, and the ranges of its number types."""

from typing import Final

BATCH_ADD: Final = 1000
"""Itineraries in one batch add, where no contact has to be created."""
BATCH_ADD_WITH_CONTACTS: Final = 50
"""Itineraries in one batch add, where contacts may have to be created."""
BATCH_DELETE: Final = 2000
"""Itinerary ids in one batch delete."""

ITINERARY_PAGE_SIZE: Final = 1000
"""Items on one page of an itinerary query."""

LONG_MAX: Final = 2**63 - 1
"""The largest value of the interface's `long`. Answers have been seen to exceed it; requests must not."""

MEGABYTE: Final = 2**20
# ASSUMPTION A160
SHAPE_FILE_BYTES: Final[dict[str, int]] = {".zip": 1 * MEGABYTE, ".kml": 3 * MEGABYTE}
"""The largest shape file of each ending, in bytes."""

CONTACT_FILTER_PAGE_SIZE: Final = 100
NOTIFICATION_PAGE_SIZE: Final = 10
CATEGORY_PAGE_SIZE: Final = 10
LOOKUP_MAPPING_PAGE_SIZE: Final = 20
"""Mappings on one page of a search, where nothing else is asked for."""
CRISIS_TEMPLATE_PAGE_SIZE: Final = -1
"""The default page size of crisis task list templates: all on one page."""

# ASSUMPTION A161
ASSET_BATCH: Final = 200
"""Assets in one batch call. The interface sets no limit; this one keeps a call short."""
