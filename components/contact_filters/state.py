"""What the contact filter screens keep in a browser session, each place declared once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from components.contact_filters.draft import FilterDraft
from components.shell.state import StateKey

if TYPE_CHECKING:
    from datetime import datetime

    from client.models.contact_filters import ContactFilter
    from components.contact_filters.listing import Listing
    from components.contact_filters.opening import Opened
    from components.contact_filters.removal import Outcome
    from components.contact_filters.saving import Candidate, Review

DRAFT: Final = StateKey[FilterDraft | None]("contact_filters.draft", lambda: None)
UNDO: Final = StateKey[list[tuple[str, FilterDraft]]]("contact_filters.undo", list)
REDO: Final = StateKey[list[tuple[str, FilterDraft]]]("contact_filters.redo", list)

# The list, and what became of what was deleted from it.
LISTING: Final[StateKey[Listing | None]] = StateKey("contact_filters.listing", lambda: None)
DETAIL: Final[StateKey[tuple[str, datetime, ContactFilter | Exception] | None]] = StateKey(
    "contact_filters.detail", lambda: None
)
FIND: Final = StateKey[str]("contact-filters-find", str)
SORT: Final = StateKey[str]("contact-filters-sort", lambda: "Name")
LAST_FIRST: Final = StateKey[bool]("contact-filters-last-first", bool)
PAGE: Final = StateKey[int]("contact-filters-page", lambda: 1)
SEARCH: Final = StateKey[str]("contact_filters.search", str)
SEARCH_PROBLEM: Final[StateKey[tuple[str, Exception] | None]] = StateKey("contact_filters.search_problem", lambda: None)
REMOVED: Final[StateKey[list[Outcome]]] = StateKey("contact_filters.removed", list)

# The filter on the builder's page: from where it came, as it is kept, and its way to the service.
OPENED: Final[StateKey[Opened | None]] = StateKey("contact_filters.opened", lambda: None)
SAVED: Final = StateKey[FilterDraft | None]("contact_filters.saved", lambda: None)
LINKED: Final = StateKey[str]("contact_filters.linked", str)
REVIEW: Final[StateKey[Review | None]] = StateKey("contact_filters.review", lambda: None)
SAVE_ERROR: Final[StateKey[tuple[str, Exception] | None]] = StateKey("contact_filters.save_error", lambda: None)
JUST_SAVED: Final = StateKey[str]("contact_filters.just_saved", str)
LOOKED: Final[StateKey[tuple[str, list[Candidate] | Exception] | None]] = StateKey(
    "contact_filters.looked", lambda: None
)

# What the builder drew last, so that a draft put in its place from elsewhere is told apart from one that was typed in.
SHOWN: Final[StateKey[FilterDraft | None]] = StateKey("contact_filters.shown", lambda: None)
# Whose filters the ids of contact fields were learnt from, and the ids by column.
FIELD_IDS: Final[StateKey[tuple[str, dict[str, int]] | None]] = StateKey("contact_filters.field_ids", lambda: None)
# What was wrong with JSON that was opened, for the draft of this name: why it could not be opened, or notes on rules.
JSON_NOTES: Final[StateKey[tuple[str, str | None, list[tuple[int, str]]] | None]] = StateKey(
    "contact_filters.json_notes", lambda: None
)
# Set once the filter on the screen is deleted: there is nothing left to show of it.
LEAVE: Final = StateKey[bool]("contact_filters.leave", bool)
# Counts what was done from something that opens: under another key it is drawn anew, and closed.
CLOSED: Final = StateKey[int]("contact_filters.closed", int)
# The time zone in which the builder drew its moments last.
SHOWN_IN: Final = StateKey[str]("contact_filters.shown_in", str)
