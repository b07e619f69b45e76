"""Phone numbers of travelers, from the trips sent from Muster."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pandas as pd

from client.models.itineraries import PhoneNumber
from domain.trips.traveler_phones import load_phones
from tests.domain.trips.test_known_trip import ANA, entry
from tests.domain.trips.test_known_trip import CREATE as CREATED
from tests.domain.trips.trip_builders import ANA as TRAVELER
from tests.domain.trips.trip_builders import good_trip


def workspace_with(*entries: Any) -> Any:
    audit = SimpleNamespace(history=lambda *_, **__: list(entries))
    ledger = SimpleNamespace(list_sent=lambda *_, **__: [])
    return SimpleNamespace(actor=ANA, journal=SimpleNamespace(audit=audit, ledger_history=ledger))


def test_the_numbers_of_a_traveler_are_those_of_the_trip_that_was_sent() -> None:
    numbers = [PhoneNumber(phone_number=text) for text in ("+49 (69) 123-456", "+49 (69) 123-456", " ")]
    traveler = TRAVELER.model_copy(update={"phone_numbers": numbers})
    sent = entry(1, CREATED, trip=good_trip().model_copy(update={"passengers": [traveler]}))
    people = pd.DataFrame(
        {"person": ["A", "B"], "external_id": ["E100", "E200"], "itinerary": ["7", "7"], "locator": ["WSVM7K"] * 2}
    )
    assert load_phones(workspace_with(sent), people) == {"A": ["+49 (69) 123-456"]}
    assert load_phones(workspace_with(), people) == {}
    assert load_phones(workspace_with(sent), people[:0]) == {}
