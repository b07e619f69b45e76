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
