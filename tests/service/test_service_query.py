"""Querying itineraries by record locator and external id, and its pages."""

from __future__ import annotations

from typing import Any

import pytest

from tests.running_service import RunningService
from tests.service.trips import add, assert_refused, search, trip


def query(service: RunningService, body: Any, **parameters: Any) -> Any:
    """Send the criteria."""
    return service.http.post("/itineraries/query/8800", json=body, params=parameters)


def test_results_are_in_an_envelope(service: RunningService) -> None:
    """Query page: message, URIs, start and totals next to `page` {pageSize, data of items with id}."""
    identity = add(service)
    uri = f"{service.url}/rest/itineraries/query/8800?pageNumber=1"
    assert query(service, {"fieldName": "pnr", "fieldValues": ["WSVM7K"]}).json() == {
        "message": "OK",
        "firstPageUri": uri,
        "lastPageUri": uri,
        "start": 0,
        "totalCount": 1,
        "totalPageCount": 1,
        "currentPageNo": 1,
        "page": {"pageSize": 1000, "data": [{"id": identity}]},
    }


def test_an_empty_result_is_an_empty_page(service: RunningService) -> None:
    """Query page: no items."""
    answer = query(service, {"fieldName": "pnr", "fieldValues": ["NONE00"]}).json()
    assert (answer["totalCount"], answer["totalPageCount"], answer["page"]["data"]) == (0, 0, [])
    assert "nextPageUri" not in answer


def test_search_takes_several_pnrs(service: RunningService) -> None:
    """ItinerarySearchCriteria: several values can be sent; each trip is returned once."""
    first, second = add(service, trip("AAA111")), add(service, trip("BBB222"))
    add(service, trip("CCC333"))
    assert search(service, "BBB222", "AAA111", "NONE00", "AAA111", " BBB222 ") == [first, second]


def test_search_takes_external_itinerary_ids(service: RunningService) -> None:
    """ItinerarySearchCriteria: externalItineraryId; several itineraries may share one."""
    first = add(service, trip("AAA111", externalItineraryId="X-1"))
    second = add(service, trip("BBB222", externalItineraryId="X-1"))
    third = add(service, trip("CCC333", externalItineraryId="X-2"))
    add(service, trip("DDD444"))
    assert search(service, "X-1", field="externalItineraryId") == [first, second]
    assert search(service, "X-1", "X-2", field="externalItineraryId") == [first, second, third]
    assert search(service, "AAA111", field="externalItineraryId") == []


def test_search_takes_many_values(service: RunningService) -> None:
    """More values than one statement can have."""
    identity = add(service, trip("P39999"))
    assert search(service, *(f"P{number}" for number in range(40_000))) == [identity]


def test_results_are_in_pages_of_1000(service: RunningService) -> None:
    """Query page: page size 1000; nextPageUri is absent on the last page; a page beyond it is empty."""
    add(service)
    trips = [trip(f"P{number}", externalItineraryId="X") for number in range(1000)]
    assert service.http.post("/itineraries/8800/batch", json=trips).json()["code"] == 100
    add(service, trip("LAST00", externalItineraryId="X"))
    criteria = {"fieldName": "externalItineraryId", "fieldValues": ["X"]}
    pages = [query(service, criteria, pageNumber=number).json() for number in (1, 2, 3)]
    uri = f"{service.url}/rest/itineraries/query/8800?pageNumber="
    assert [len(page["page"]["data"]) for page in pages] == [1000, 1, 0]
    assert [page["start"] for page in pages] == [0, 1000, 2000]
    assert [page["currentPageNo"] for page in pages] == [1, 2, 3]
    assert {(page["totalCount"], page["totalPageCount"]) for page in pages} == {(1001, 2)}
    assert [page.get("nextPageUri") for page in pages] == [f"{uri}2", None, None]
    assert {(page["firstPageUri"], page["lastPageUri"]) for page in pages} == {(f"{uri}1", f"{uri}2")}
    ids = [item["id"] for page in pages for item in page["page"]["data"]]
    assert len(set(ids)) == 1001


@pytest.mark.parametrize("number", ["0", "-1", "abc", "1.5", "99999999999999999999"])
def test_invalid_page_numbers_are_refused(service: RunningService, number: str) -> None:
    """pageNumber: int; assumption A4."""
    answer = query(service, {"fieldName": "pnr", "fieldValues": ["A"]}, pageNumber=number)
    assert answer.status_code == 400
    assert "pageNumber" in answer.json()["message"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ([], "The search criteria are a JSON object."),
        ({"fieldValues": ["A"]}, "Field fieldName is empty."),
        ({"fieldName": "pnr"}, "Field fieldValues is empty."),
        ({"fieldName": "pnr", "fieldValues": []}, "Field fieldValues is empty."),
        (
            {"fieldName": "itinerarySource", "fieldValues": ["A"]},
            "Field fieldName is invalid: only pnr and externalItineraryId can be searched.",
        ),
        (
            {"fieldName": ["pnr"], "fieldValues": ["A"]},
            "Field fieldName is invalid: only pnr and externalItineraryId can be searched.",
        ),
        (
            {"fieldName": "pnr", "fieldValues": "A"},
            "Field fieldValues is invalid: an array of strings is needed.",
        ),
        (
            {"fieldName": "pnr", "fieldValues": [1]},
            "Field fieldValues is invalid: an array of strings is needed.",
        ),
    ],
)
def test_invalid_criteria_are_refused(service: RunningService, body: Any, message: str) -> None:
    """ItinerarySearchCriteria: fields and what is allowed; only pnr or externalItineraryId is supported."""
    assert_refused(query(service, body), 400, message)


def test_a_nul_character_matches_nothing(service: RunningService) -> None:
    """No stored text contains one, and PostgreSQL refuses it."""
    add(service)
    assert search(service, "WSVM7K\0") == []
