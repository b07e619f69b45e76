"""What is kept in a browser session of a filter's way to the service, beside the draft: whence it came, its review."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from components.shell.state import StateKey

if TYPE_CHECKING:
    from components.filter_saving.opening import Opened
    from components.filter_saving.saving import Review

OPENED: Final[StateKey[Opened | None]] = StateKey("contact_filters.opened", lambda: None)
REVIEW: Final[StateKey[Review | None]] = StateKey("contact_filters.review", lambda: None)
