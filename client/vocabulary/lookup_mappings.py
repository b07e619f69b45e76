"""The words of lookup mappings: how a search is sorted, and the parameters that no attribute can be looked up under.

Interface: Lookup mappings.
"""

from typing import Final

OLDEST_FIRST: Final = "+lastUpdatedOn"
"""The default."""
NEWEST_FIRST: Final = "-lastUpdatedOn"
SORTS: Final = (OLDEST_FIRST, NEWEST_FIRST)

SEARCH_PARAMETERS: Final = ("currentPageNo", "pageSize", "sort", "groups")
"""Names in the query of a search that mean something else than an attribute."""
