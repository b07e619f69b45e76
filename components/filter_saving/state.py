"""What is kept in a browser session of a filter's way to the service: whence it came, how it is kept, how it went."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from components.contact_filters.draft import FilterDraft
from components.shell.state import StateKey

if TYPE_CHECKING:
    from components.filter_saving.opening import Opened
    from components.filter_saving.removal import Outcome
    from components.filter_saving.saving import Candidate, Review

OPENED: Final[StateKey[Opened | None]] = StateKey("contact_filters.opened", lambda: None)
SAVED: Final = StateKey[FilterDraft | None]("contact_filters.saved", lambda: None)
LINKED: Final = StateKey[str]("contact_filters.linked", str)
REVIEW: Final[StateKey[Review | None]] = StateKey("contact_filters.review", lambda: None)
SAVE_ERROR: Final[StateKey[tuple[str, Exception] | None]] = StateKey("contact_filters.save_error", lambda: None)
JUST_SAVED: Final = StateKey[str]("contact_filters.just_saved", str)
LOOKED: Final[StateKey[tuple[str, list[Candidate] | Exception] | None]] = StateKey(
    "contact_filters.looked", lambda: None
)
# What became of the filters that were deleted, told once.
REMOVED: Final[StateKey[list[Outcome]]] = StateKey("contact_filters.removed", list)
# Set once the filter on the screen is deleted: there is nothing left to show of it.
LEAVE: Final = StateKey[bool]("contact_filters.leave", bool)
