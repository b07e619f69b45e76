"""The phone numbers of a traveler, from the trip that was sent from Muster."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from domain.trips.known_trip import load_trip_changes, summarize_changes
from journal.journal_errors import JournalError

if TYPE_CHECKING:
    from domain.runtime.workspace import Workspace


def traveler_phones(workspace: Workspace, itinerary_id: int, locator: str, external_id: str) -> list[str]:
    """Return the phone numbers of a traveler, each once; none if the trip was not sent from Muster."""
    try:
        last_sent, *_ = summarize_changes(load_trip_changes(workspace, itinerary_id, locator))
    except JournalError:
        # The list of people is more important than the numbers.
        return []
    if last_sent is None or last_sent.itinerary is None or not external_id:
        return []
    numbers = (
        (phone.phone_number or "").strip()
        for passenger in last_sent.itinerary.passengers
        if (passenger.employee_id or "").strip() == external_id
        for phone in passenger.phone_numbers
    )
    return list(dict.fromkeys(filter(None, numbers)))


def dialed_number(number: str) -> str:
    """Return a phone number as a `tel:` link has it: digits, after a plus if there is one."""
    digits = re.sub(r"\D", "", number)
    return f"+{digits}" if number.lstrip().startswith("+") else digits
