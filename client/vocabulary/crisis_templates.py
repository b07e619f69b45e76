"""The words of the crisis task list templates: sorting and its defaults (interface: Crisis task list templates)."""

from typing import Final

ASCENDING: Final = "ASC"
DESCENDING: Final = "DESC"
DIRECTIONS: Final = (ASCENDING, DESCENDING)
DEFAULT_COLUMN: Final = "lastModifiedDate"

ORGANIZATION_HEADER: Final = "organizationId"
