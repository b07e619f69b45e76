"""The vocabulary of lookup mappings: sort orders, and parameters that cannot be attribute names.

Interface: Lookup mappings.
"""

from typing import Final

OLDEST_FIRST: Final = "+lastUpdatedOn"
"""The default sort order."""
NEWEST_FIRST: Final = "-lastUpdatedOn"
SORTS: Final = (OLDEST_FIRST, NEWEST_FIRST)

SEARCH_PARAMETERS: Final = ("currentPageNo", "pageSize", "sort", "groups")
"""Query parameters of a search that are not attributes."""
