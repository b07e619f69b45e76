"""Parameters of endpoints in several areas."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Query

from client.vocabulary.limits import LONG_MAX
from service.field_types import IdText, blank_is

LAST_PAGE = 1_000_000_000

OrganizationId = Annotated[IdText, Path(description="The organization.")]
# ASSUMPTION A4: a page number below 1 is refused; one beyond the end is an empty page.
PageNumber = Annotated[
    int, blank_is(1), Query(alias="pageNumber", ge=1, le=LAST_PAGE, description="The page to return.")
]
OptionalPageNumber = Annotated[Annotated[int, Query(ge=1, le=LAST_PAGE)] | None, blank_is(None)]
OptionalLong = Annotated[Annotated[int, Query(ge=-LONG_MAX - 1, le=LONG_MAX)] | None, blank_is(None)]
