"""Updating and deleting one itinerary: states, and the error rows listed for update and delete."""

from __future__ import annotations

from typing import Any

import pytest

from tests.running_service import RunningService
from tests.service.trips import add, air, assert_refused, exists, hotel, list_expected, nobody, passenger, search, trip


def update(service: RunningService, itinerary_id: object, body: Any, **parameters: Any) -> Any:
    """Update an itinerary."""
    return service.http.put(f"/itineraries/8800/{itinerary_id}", json=body, params=parameters)


def test_update_regenerates_expected_locations(service: RunningService) -> None:
    """States: update, not canceled and non-empty: updated, expected locations regenerated; a modification result."""
    identity = add(service)
    before = {location["id"] for location in list_expected(service, identity)}
    answer = update(service, identity, trip(segments=[hotel()], externalItineraryId="X-2"))
    base = f"{service.url}/rest/itineraries/8800/"
    assert answer.json() == {"message": "OK", "id": identity, "baseUri": base, "instanceUri": f"{base}{identity}"}
    after = list_expected(service, identity)
    assert [location["travelCategory"] for location in after] == ["Hotel"]
    assert not before & {location["id"] for location in after}
    assert search(service, "X-2", field="externalItineraryId") == [identity]


def test_update_can_change_the_pnr(service: RunningService) -> None:
    """The ID identifies the itinerary."""
    identity = add(service)
    assert update(service, identity, trip("NEWPNR")).status_code == 200
    assert search(service, "WSVM7K", "NEWPNR") == [identity]
    assert search(service, "WSVM7K") == []


def test_update_does_not_take_the_pnr_of_another_trip(service: RunningService) -> None:
    """Assumption A16."""
    identity, other = add(service), add(service, trip("OTHER1"))
    answer = update(service, identity, trip("OTHER1"))
    assert_refused(answer, 400, "The PNR OTHER1 belongs to another itinerary of the organization.")
    assert search(service, "WSVM7K", "OTHER1") == sorted([identity, other])


@pytest.mark.parametrize("body", [trip(itineraryStatus="canceled"), {"itineraryStatus": "CANCELED"}])
def test_updating_to_canceled_removes_the_trip(service: RunningService, body: dict[str, Any]) -> None:
    """States: update, canceled: itinerary and expected locations removed; such a trip may have no segments."""
    identity = add(service)
    assert update(service, identity, body).json()["id"] == identity
    assert not exists(service, identity)
    assert search(service, "WSVM7K") == []


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (trip(None), 'Field ["pnr"] is empty.'),
        (trip(segments=[air(type=None)]), 'Field ["segments.type"] is empty.'),
        (trip(segments=[hotel(fromAddress=None)]), 'Field ["segments.fromAddress"] is empty.'),
        (trip(segments=[]), "The itinerary does not contain any segments"),
        (trip(segments=[air(type="Ship")]), "All segments of the itinerary are invalid, PNR creation failed"),
        (trip(passengers=[nobody(employeeId=None)]), "Travel matching error, no contact matching."),
    ],
)
def test_an_invalid_update_is_refused(service: RunningService, body: dict[str, Any], message: str) -> None:
    """Itinerary errors listed for update, verbatim; nothing is changed."""
    identity = add(service)
    before = list_expected(service, identity)
    assert_refused(update(service, identity, body), 400, message)
    assert list_expected(service, identity) == before


def test_update_follows_auto_create_contact(service: RunningService) -> None:
    """autoCreateContact on update."""
    identity = add(service)
    body = trip(passengers=[passenger("E2")])
    refusal = update(service, identity, body, autoCreateContact="false")
    assert_refused(refusal, 400, "Travel matching error, no contact matching.")
    assert update(service, identity, body).status_code == 200
    assert {location["contactExternalId"] for location in list_expected(service, identity)} == {"E2"}


def test_update_ignores_the_email_case_rule(service: RunningService) -> None:
    """emailCaseSensitiveInExternalId: add and batch add only."""
    identity = add(service, trip(passengers=[passenger("ana@example.com")]))
    body = trip(passengers=[passenger("ANA@example.com")])
    options = {"emailCaseSensitiveInExternalId": "false", "autoCreateContact": "false"}
    assert_refused(update(service, identity, body, **options), 400, "Travel matching error, no contact matching.")


@pytest.mark.parametrize("identity", ["4711", "abc", "0", "-1", "99999999999999999999"])
@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_a_missing_trip_is_401(service: RunningService, method: str, identity: str) -> None:
    """Itinerary errors: 401 `Can not find the trip itinerary …`, as listed for update and delete."""
    body = trip() if method == "PUT" else None
    answer = service.http.request(method, f"/itineraries/8800/{identity}", json=body)
    assert_refused(answer, 401, f"Can not find the trip itinerary with ID. {identity} within the organization 8800.")


def test_delete_removes_the_trip(service: RunningService) -> None:
    """States: delete, id exists: canceled/deleted; a modification result; deleted records are invisible."""
    identity = add(service)
    answer = service.http.delete(f"/itineraries/8800/{identity}")
    base = f"{service.url}/rest/itineraries/8800/"
    assert answer.json() == {"message": "OK", "id": identity, "baseUri": base, "instanceUri": f"{base}{identity}"}
    assert search(service, "WSVM7K") == []
    assert not exists(service, identity)


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_a_deleted_trip_is_not_found(service: RunningService, method: str) -> None:
    """Status of a record: deleted records are invisible."""
    identity = add(service)
    service.http.delete(f"/itineraries/8800/{identity}")
    answer = service.http.request(method, f"/itineraries/8800/{identity}", json=trip() if method == "PUT" else None)
    assert_refused(answer, 401, f"Can not find the trip itinerary with ID. {identity} within the organization 8800.")


def test_a_removed_pnr_can_be_added_again(service: RunningService) -> None:
    """The record locator is free again; the ID is not reused."""
    first = add(service)
    service.http.delete(f"/itineraries/8800/{first}")
    second = add(service)
    assert second != first
    assert search(service, "WSVM7K") == [second]
