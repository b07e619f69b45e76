"""Batch add and batch delete: codes, texts per item, limits."""

from __future__ import annotations

from typing import Any

import pytest

from tests.running_service import RunningService
from tests.service.trips import add, air, assert_refused, exists, hotel, list_expected, nobody, passenger, search, trip

Wire = dict[str, Any]


def add_batch(service: RunningService, trips: list[Any], **parameters: Any) -> Any:
    """Add a batch. Returns the body of the response."""
    answer = service.http.post("/itineraries/8800/batch", json=trips, params=parameters)
    assert answer.status_code == 200, answer.text
    return answer.json()


def delete_batch(service: RunningService, ids: Any) -> Any:
    """Delete a batch. Returns the response."""
    return service.http.request("DELETE", "/itineraries/8800/batch", json=ids)


def test_a_successful_batch_has_code_100(service: RunningService) -> None:
    """Batch results: code 100, and `data` holds the ids as strings, in the order sent."""
    answer = add_batch(service, [trip("AAA111"), trip("BBB222", segments=[hotel()])])
    assert (answer["message"], answer["code"]) == ("OK", 100)
    assert [search(service, "AAA111"), search(service, "BBB222")] == [[int(text)] for text in answer["data"]]
    assert len(list_expected(service, int(answer["data"][1]))) == 1


def test_a_partly_successful_batch_has_code_200(service: RunningService) -> None:
    """Batch results: code 200, and each failure gives its reason at its position."""
    answer = add_batch(
        service,
        [
            trip("AAA111"),
            trip(None),
            trip("CCC333", segments=[air(type=None)]),
            trip("DDD444", segments=[hotel(fromAddress=None)]),
            trip("EEE555", segments=[]),
            trip("FFF666", segments=[air(type="Ship")]),
            trip("GGG777", passengers=[nobody(employeeId=None)]),
            trip(5),
            "no itinerary",
            trip("BBB222"),
        ],
    )
    data = answer["data"]
    assert (answer["message"], answer["code"]) == ("OK", 200)
    assert data[1:7] == [
        "Field pnr is empty.",
        "Field segments.type is empty.",
        "Field segments.fromAddress is empty.",
        "The itinerary does not contain any segments",
        "All segments of the itinerary are invalid, PNR creation failed",
        "Travel matching error, no contact matching",
    ]
    assert data[7].startswith("Field pnr is invalid:")
    assert data[8] == "An itinerary is a JSON object."
    assert search(service, "AAA111", "BBB222") == [int(data[0]), int(data[9])]
    assert search(service, "CCC333", "DDD444", "EEE555", "FFF666", "GGG777") == []


def test_a_failed_batch_has_code_300(service: RunningService) -> None:
    """Batch results: code 300 within an HTTP 200 response."""
    answer = add_batch(service, [trip(None), trip("A", segments=[])])
    assert answer["code"] == 300
    assert answer["data"] == ["Field pnr is empty.", "The itinerary does not contain any segments"]


def test_a_match_failure_in_a_batch_omits_the_final_period(service: RunningService) -> None:
    """Itinerary errors: the batch variant omits the final period."""
    answer = add_batch(service, [trip()], autoCreateContact="false")
    assert answer == {"message": "OK", "code": 300, "data": ["Travel matching error, no contact matching"]}


def test_a_canceled_trip_in_a_batch_removes_the_existing_trip(service: RunningService) -> None:
    """States: add (batch), canceled: the existing itinerary is removed."""
    identity = add(service)
    answer = add_batch(service, [trip(itineraryStatus="canceled", segments=None), trip("OTHER1")])
    assert answer["code"] == 100
    assert answer["data"][0] == str(identity)
    assert not exists(service, identity)


def test_the_last_trip_with_a_pnr_wins_within_a_batch(service: RunningService) -> None:
    """Assumption A18: as if the trips had been added one after the other."""
    existing = add(service)
    answer = add_batch(service, [trip(), trip(segments=[hotel()]), trip("X"), trip("X", itineraryStatus="canceled")])
    first, second, third, fourth = answer["data"]
    assert answer["code"] == 100
    assert len({str(existing), first, second, third}) == 4
    assert third == fourth
    assert search(service, "WSVM7K") == [int(second)]
    assert search(service, "X") == []
    assert [location["travelCategory"] for location in list_expected(service, int(second))] == ["Hotel"]
    assert [exists(service, int(text)) for text in (first, third)] == [False, False]


def test_a_new_person_on_two_trips_of_a_batch_becomes_one_contact(service: RunningService) -> None:
    """A call creates a contact for an unmatched traveler once."""
    answer = add_batch(service, [trip("AAA111"), trip("BBB222")])
    found = {list_expected(service, int(text))[0]["contactId"] for text in answer["data"]}
    assert len(found) == 1


def test_options_apply_to_the_whole_batch(service: RunningService) -> None:
    """Shared parameters on batch add: the email case rule."""
    add(service, trip(passengers=[passenger("ana@example.com")]))
    other = [trip("AAA111", passengers=[passenger("ANA@example.com")])]
    assert add_batch(service, other, autoCreateContact="false")["code"] == 300
    options = {"autoCreateContact": "false", "emailCaseSensitiveInExternalId": "false"}
    assert add_batch(service, other, **options)["code"] == 100


def test_a_batch_without_new_contacts_takes_1000_trips(service: RunningService) -> None:
    """Limits: 1,000 per call without contact creation."""
    add(service)
    answer = add_batch(service, [trip(f"P{number}") for number in range(1000)])
    assert (answer["code"], len(set(answer["data"]))) == (100, 1000)
    assert service.http.post("/itineraries/8800/batch", json=[trip()] * 1001).status_code == 400


def test_a_batch_over_the_limit_is_refused_as_a_whole(service: RunningService) -> None:
    """Limits: batch add, 1,000 per call."""
    add(service)
    answer = service.http.post("/itineraries/8800/batch", json=[trip(f"P{number}") for number in range(1001)])
    assert_refused(answer, 400, "The request contains 1001 itineraries; the limit is 1000.")
    assert search(service, "P0") == []


def test_a_batch_with_new_contacts_takes_50_trips(service: RunningService) -> None:
    """Limits: 50 per call when contact creation is needed."""
    many = [trip(f"P{number}", passengers=[passenger(f"E{number}")]) for number in range(51)]
    answer = service.http.post("/itineraries/8800/batch", json=many)
    assert_refused(answer, 400, "A call that needs contacts to be created can hold at most 50 itineraries.")
    assert search(service, "P0") == []
    assert add_batch(service, many[:50])["code"] == 100
    assert add_batch(service, many, autoCreateContact="false")["code"] == 200


def test_one_new_contact_applies_the_limit_for_new_contacts(service: RunningService) -> None:
    """Assumption A17."""
    add(service)
    many = [trip(f"P{number}") for number in range(50)] + [trip("NEW", passengers=[passenger("E2")])]
    assert service.http.post("/itineraries/8800/batch", json=many).status_code == 400


@pytest.mark.parametrize("body", [{}, [], "text", None, 5])
@pytest.mark.parametrize("method", ["POST", "DELETE"])
def test_bodies_that_are_not_a_batch_are_refused(service: RunningService, method: str, body: Any) -> None:
    """Endpoints: an array (required); assumption A21 for an empty one."""
    answer = service.http.request(method, "/itineraries/8800/batch", json=body)
    assert answer.status_code == 400
    assert answer.json()["status"] == 400


def test_a_successful_batch_delete_has_code_100(service: RunningService) -> None:
    """Batch delete: code 100, and `data` is absent; IDs may be numbers and strings."""
    ids = [add(service, trip(f"P{number}")) for number in range(3)]
    answer = delete_batch(service, [ids[0], str(ids[1]), ids[2]])
    assert (answer.status_code, answer.json()) == (200, {"message": "OK", "code": 100})
    assert search(service, "P0", "P1", "P2") == []
    assert not any(exists(service, identity) for identity in ids)


def test_a_partly_successful_batch_delete_has_code_200(service: RunningService) -> None:
    """Batch delete: code 200, `<id>: Not found.` for each id that failed."""
    identity = add(service)
    answer = delete_batch(service, [4711, identity, "abc", 2**70]).json()
    assert answer["code"] == 200
    assert answer["data"] == ["4711: Not found.", "abc: Not found.", f"{2**70}: Not found."]
    assert not exists(service, identity)


def test_a_failed_batch_delete_has_code_300(service: RunningService) -> None:
    """Batch delete: code 300."""
    answer = delete_batch(service, [4711])
    assert (answer.status_code, answer.json()["code"]) == (200, 300)
    assert answer.json()["data"] == ["4711: Not found."]


def test_batch_delete_keeps_trips_of_another_organization(service: RunningService) -> None:
    """Records belong to one organization."""
    identity = add(service)
    from_other = service.http.request("DELETE", "/itineraries/9900/batch", json=[identity])
    assert from_other.status_code == 401
    assert exists(service, identity)


@pytest.mark.parametrize("value", [1.5, True, None, [1], {"id": 1}])
def test_batch_delete_refuses_values_that_are_not_ids(service: RunningService, value: Any) -> None:
    """Endpoints: an array of long ids."""
    assert_refused(delete_batch(service, [value]), 400, "The request body is an array of ids.")


def test_batch_delete_is_limited_to_2000_ids(service: RunningService) -> None:
    """Limits: batch delete, 2,000 per call."""
    assert delete_batch(service, list(range(2000))).status_code == 200
    assert_refused(delete_batch(service, list(range(2001))), 400, "The request contains 2001 ids; the limit is 2000.")
