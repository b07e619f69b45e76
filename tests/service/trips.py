"""Payloads of itineraries for tests of the service, and functions to send them."""

from __future__ import annotations

from typing import Any

import httpx

from tests.running_service import RunningService

Payload = dict[str, Any]


def passenger(employee_id: str | None = "E1", **changes: Any) -> Payload:
    """Return a traveler who can become a contact."""
    person = {"employeeId": employee_id, "firstName": "Ana", "lastName": "Silva"} | changes
    return {key: value for key, value in person.items() if value is not None}


def nobody(**changes: Any) -> Payload:
    """Return a traveler without a name, who cannot become a contact."""
    return passenger(firstName=None, lastName=" ", **changes)


def air(**changes: Any) -> Payload:
    """Return a flight with only codes and local times."""
    segment = {
        "type": "Air",
        "supplierCode": "EY",
        "airRailNumber": "301",
        "fromIataCode": "AUH",
        "toIataCode": "KWI",
        "fromDateTimeLocal": "2026-11-20T10:00:00",
        "toDateTimeLocal": "2026-11-20T11:00:00",
    } | changes
    return {key: value for key, value in segment.items() if value is not None}


def hotel(**changes: Any) -> Payload:
    """Return a stay in Kuwait City."""
    segment = {
        "type": "Hotel",
        "fromTimeZone": "Asia/Kuwait",
        "toTimeZone": "Asia/Kuwait",
        "fromDateTimeLocal": "2026-11-20T15:00:00",
        "toDateTimeLocal": "2026-11-24T11:00:00",
        "fromAddress": address(),
    } | changes
    return {key: value for key, value in segment.items() if value is not None}


def ground(kind: str, **changes: Any) -> Payload:
    """Return a train or a car from London to Paris."""
    segment = {
        "type": kind,
        "fromTimeZone": "Europe/London",
        "toTimeZone": "Europe/Paris",
        "fromDateTimeLocal": "2026-11-20T10:00:00",
        "toDateTimeLocal": "2026-11-20T13:20:00",
        "fromAddress": {"city": "London", "country": "GB", "latitude": 51.53, "longitude": -0.12},
        "toAddress": {"city": "Paris", "country": "FR", "latitude": 48.88, "longitude": 2.35},
    } | changes
    return {key: value for key, value in segment.items() if value is not None}


def address(**changes: Any) -> Payload:
    """Return a hotel's address with all its fields."""
    return {
        "locationName": "Grand Hotel",
        "country": "KW",
        "state": "Al Asimah",
        "city": "Kuwait City",
        "streetAddress": "1 Gulf Road",
        "postalCode": "13001",
        "latitude": 29.3759,
        "longitude": 47.9774,
    } | changes


def trip(pnr: str | None = "WSVM7K", **changes: Any) -> Payload:
    """Return an active trip of one traveler and one flight. None removes a field."""
    payload = {"pnr": pnr, "itineraryStatus": "Active", "segments": [air()], "passengers": [passenger()]} | changes
    return {key: value for key, value in payload.items() if value is not None}


def add(service: RunningService, payload: Payload | None = None, **parameters: Any) -> int:
    """Add an itinerary. Returns its ID."""
    answer = service.http.post("/itineraries/8800", json=payload or trip(), params=parameters)
    assert answer.status_code == 200, answer.text
    return int(answer.json()["id"])


def list_expected(service: RunningService, itinerary_id: int) -> list[Payload]:
    """Return the expected locations of an itinerary."""
    answer = service.http.get(f"/itineraries/expectedLocations/8800/{itinerary_id}")
    assert answer.status_code == 200, answer.text
    found: list[Payload] = answer.json()["page"]["data"]
    return found


def search(service: RunningService, *values: str, field: str = "pnr") -> list[int]:
    """Return the IDs of the itineraries with this value of a field."""
    criteria = {"fieldName": field, "fieldValues": list(values)}
    answer = service.http.post("/itineraries/query/8800", json=criteria)
    assert answer.status_code == 200, answer.text
    return [item["id"] for item in answer.json()["page"]["data"]]


def exists(service: RunningService, itinerary_id: int) -> bool:
    """Return whether an itinerary is visible."""
    return service.http.get(f"/itineraries/expectedLocations/8800/{itinerary_id}").status_code == 200


def assert_refused(answer: httpx.Response, status: int, message: str) -> None:
    """Assert a response in the error envelope with exactly this text."""
    assert (answer.status_code, answer.json()) == (status, {"status": status, "message": message})
