"""The phone numbers of travelers, from the trips that were sent from Muster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from client.models.itineraries import Itinerary
from domain.trips.known_trip import load_changes_of_trips, summarize_changes
from journal.journal_errors import JournalError

if TYPE_CHECKING:
    from domain.runtime.workspace import Workspace


def load_phones(workspace: Workspace, people: pd.DataFrame) -> dict[str, list[str]]:
    """Return the phone numbers of people by their key, each once. Trips that were not sent from Muster have none.

    The columns of `people` are person (key), external_id, itinerary (ID as text), and locator.
    """
    trips = dict(zip(people["itinerary"].astype(int), people["locator"].astype(str), strict=True))
    try:
        changes = load_changes_of_trips(workspace, trips) if trips else {}
    except JournalError:
        # The list of people is more important than the numbers.
        return {}
    last_sent = {itinerary_id: summarize_changes(each)[0] for itinerary_id, each in changes.items()}
    phones = {}
    for person, external_id, itinerary_id in people[["person", "external_id", "itinerary"]].itertuples(index=False):
        sent = last_sent[int(itinerary_id)]
        numbers = [] if sent is None or sent.itinerary is None else _numbers_of(sent.itinerary, str(external_id or ""))
        if numbers:
            phones[str(person)] = numbers
    return phones


def _numbers_of(itinerary: Itinerary, external_id: str) -> list[str]:
    numbers = (
        (phone.phone_number or "").strip()
        for passenger in itinerary.passengers
        if external_id and (passenger.employee_id or "").strip() == external_id
        for phone in passenger.phone_numbers
    )
    return list(dict.fromkeys(filter(None, numbers)))
