"""Writes where a person is and where they will be next, the same on the card of a person and the page of a trip."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from components.widgets.status_badge import status_markdown
from domain.expected_locations.expected_words import STATUSES, whereabout_text
from domain.expected_locations.person_days import NOT_COVERED, Whereabout
from domain.text.plain_text import plain

if TYPE_CHECKING:
    from collections.abc import Iterator


def whereabout_lines(current: Whereabout | None, following: Whereabout | None, shown_at: datetime) -> Iterator[str]:
    """Write the lines as Markdown: the first about now, and the second, if there is one, about the next place."""
    if current is None:
        yield "Not traveling at this time."
    elif current.status == NOT_COVERED:
        yield ":orange[:material/warning: Not covered at this time]"
    else:
        yield f"{status_markdown(STATUSES[current.status])} {plain(whereabout_text(current, shown_at))}"
    if following is not None:
        yield f"**Next** · {plain(whereabout_text(following, shown_at, is_next=True))}"
