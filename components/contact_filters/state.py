"""What the contact filter screens share in a browser session: the filter in hand, and what was read of the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from components.contact_filters.draft import FilterDraft
from components.shell.state import StateKey

if TYPE_CHECKING:
    from datetime import datetime

    from client.models.contact_filters import ContactFilter
    from components.contact_filters.listing import Listing

DRAFT: Final = StateKey[FilterDraft | None]("contact_filters.draft", lambda: None)
LISTING: Final[StateKey[Listing | None]] = StateKey("contact_filters.listing", lambda: None)
DETAIL: Final[StateKey[tuple[str, datetime, ContactFilter | Exception] | None]] = StateKey(
    "contact_filters.detail", lambda: None
)
