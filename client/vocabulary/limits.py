"""The interface's limits on one call, and the ranges of its number types."""

from typing import Final

BATCH_ADD: Final = 1000
"""Itineraries per batch add without contact creation."""
BATCH_ADD_WITH_CONTACTS: Final = 50
"""Itineraries per batch add with contact creation."""
BATCH_DELETE: Final = 2000
"""Itinerary IDs per batch delete."""

ITINERARY_PAGE_SIZE: Final = 1000
"""Items per page of an itinerary query."""

LONG_MAX: Final = 2**63 - 1
"""The largest value of the interface's `long`. Answers have exceeded it; requests must not."""

MEGABYTE: Final = 2**20
# ASSUMPTION A160
SHAPE_FILE_BYTES: Final[dict[str, int]] = {".zip": 1 * MEGABYTE, ".kml": 3 * MEGABYTE}
"""The largest shape file by ending, in bytes."""

CONTACT_FILTER_PAGE_SIZE: Final = 100
NOTIFICATION_PAGE_SIZE: Final = 10
CATEGORY_PAGE_SIZE: Final = 10
LOOKUP_MAPPING_PAGE_SIZE: Final = 20
"""The default page size of a search for mappings."""
CRISIS_TEMPLATE_PAGE_SIZE: Final = -1
"""The default page size of crisis task list templates: all on one page."""

# ASSUMPTION A161
ASSET_BATCH: Final = 200
"""Assets per batch call. The interface sets no limit; this one keeps calls short."""
