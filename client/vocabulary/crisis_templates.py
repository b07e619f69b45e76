"""The vocabulary of crisis task list templates: sort orders and defaults (interface: Crisis task list templates)."""

from typing import Final

ASCENDING: Final = "ASC"
DESCENDING: Final = "DESC"
DIRECTIONS: Final = (ASCENDING, DESCENDING)
DEFAULT_COLUMN: Final = "lastModifiedDate"

ORGANIZATION_HEADER: Final = "organizationId"
