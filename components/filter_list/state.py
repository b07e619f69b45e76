"""What the list of contact filters keeps in a browser session."""

from __future__ import annotations

from typing import Final

from components.shell.address import text_field
from components.shell.state import StateKey

FIND: Final = text_field("contact-filters-find")
PAGE: Final = StateKey[int]("contact-filters-page", lambda: 1)
SEARCH: Final = StateKey[str]("contact_filters.search", str)
SEARCH_PROBLEM: Final[StateKey[tuple[str, Exception] | None]] = StateKey("contact_filters.search_problem", lambda: None)
