"""Expected locations in responses: envelope, record, windows, coordinates, and true UTC."""

from __future__ import annotations

from typing import Any

import pytest

from tests.running_service import RunningService
from tests.service.trips import add, address, air, assert_refused, ground, hotel, list_expected, passenger, trip


def list_windows(locations: list[dict[str, Any]]) -> list[tuple[str, str, str, str]]:
    """Return kind, role, and window of each location."""
    return [
        (found["travelCategory"], found["travelType"], found["address"]["arriveDate"], found["address"]["expireDate"])
        for found in locations
    ]


def test_expected_locations_are_in_an_envelope(service: RunningService) -> None:
    """Beyond: message and URIs, and `page` {pageSize, start, data, totalCount, totalPageCount, currentPageNo}."""
    identity = add(service)
    answer = service.http.get(f"/itineraries/expectedLocations/8800/{identity}").json()
    data = answer["page"].pop("data")
    uri = f"{service.url}/rest/itineraries/expectedLocations/8800/{identity}?pageNumber=1"
    counts = {"pageSize": 1000, "start": 0, "totalCount": 2, "totalPageCount": 1, "currentPageNo": 1}
    assert answer == {"message": "OK", "firstPageUri": uri, "lastPageUri": uri, "page": counts}
    assert len(data) == 2


def test_a_record_has_the_documented_fields(service: RunningService) -> None:
    """Beyond: the fields of an expected-location record and of its address; absent ones are omitted."""
    identity = add(service, trip(segments=[hotel()]))
    [record] = list_expected(service, identity)
    stamp = record["createdDate"]
    assert stamp.startswith("20")
    assert stamp.endswith("Z")
    assert record == {
        "id": record["id"],
        "contactId": record["contactId"],
        "contactExternalId": "E1",
        "organizationId": 8800,
        "createdDate": stamp,
        "createdId": record["createdId"],
        "createdName": "Ana Silva",
        "lastModifiedDate": stamp,
        "lastModifiedId": record["createdId"],
        "lastModifiedName": "Ana Silva",
        "travelCategory": "Hotel",
        "travelType": "Stay",
        "isInternationalTravel": False,
        "isLocalTravel": True,
        "address": {
            "arriveDate": "2026-11-20T12:00:00Z",
            "expireDate": "2026-11-24T08:00:00Z",
            "locationName": "Grand Hotel",
            "streetAddress": "1 Gulf Road",
            "city": "Kuwait City",
            "state": "Al Asimah",
            "postalCode": "13001",
            "country": "KW",
            "gisLocation": {"lat": 29.3759, "lon": 47.9774},
            "locationSource": "ITINERARY",
            "locationSourceId": str(identity),
            "source": "AUTO",
        },
    }


def test_a_flight_gives_two_locations(service: RunningService) -> None:
    """Beyond: opens 24 h before the departure, closes 24 h after the arrival; local times by the airports' zones."""
    assert list_windows(list_expected(service, add(service))) == [
        ("Air", "Departure", "2026-11-19T06:00:00Z", "2026-11-20T06:00:00Z"),
        ("Air", "Arrival", "2026-11-20T08:00:00Z", "2026-11-21T08:00:00Z"),
    ]


@pytest.mark.parametrize("kind", ["Rail", "Car"])
def test_train_and_car_give_two_locations(service: RunningService, kind: str) -> None:
    """Beyond: Air and Rail give two each, Car two."""
    assert list_windows(list_expected(service, add(service, trip(segments=[ground(kind)])))) == [
        (kind, "Departure", "2026-11-19T10:00:00Z", "2026-11-20T10:00:00Z"),
        (kind, "Arrival", "2026-11-20T12:20:00Z", "2026-11-21T12:20:00Z"),
    ]


def test_a_hotel_gives_one_location(service: RunningService) -> None:
    """Beyond: Hotel one, from check-in to check-out."""
    assert list_windows(list_expected(service, add(service, trip(segments=[hotel()])))) == [
        ("Hotel", "Stay", "2026-11-20T12:00:00Z", "2026-11-24T08:00:00Z")
    ]


def test_a_car_returned_to_its_pickup_place_gives_one_location(service: RunningService) -> None:
    """Assumption A13."""
    car = ground("Car", toAddress=None, toTimeZone="Europe/London")
    found = list_expected(service, add(service, trip(segments=[car])))
    assert [location["address"]["city"] for location in found] == ["London", "London"]


def test_a_flight_without_a_destination_gives_only_the_departure(service: RunningService) -> None:
    """A missing destination does not affect the place of departure."""
    flight = air(toIataCode=None, toTimeZone="Asia/Kuwait")
    found = list_expected(service, add(service, trip(segments=[flight])))
    assert [location["travelType"] for location in found] == ["Departure"]


def test_each_traveler_has_one_record_per_place(service: RunningService) -> None:
    """Several travelers on a trip."""
    people = [passenger("E1"), passenger("E2"), passenger("E3")]
    found = list_expected(service, add(service, trip(segments=[air(), hotel()], passengers=people)))
    assert len(found) == 9
    assert [location["contactExternalId"] for location in found[:3]] == ["E1", "E2", "E3"]


def test_an_airport_code_gives_coordinates(service: RunningService) -> None:
    """Beyond: coordinates come from the airport code if there is no address."""
    where = list_expected(service, add(service))[0]["address"]
    assert where["iata"] == "AUH"
    assert (where["country"], where["city"]) == ("AE", "Abu Dhabi")
    assert where["gisLocation"] == {"lat": pytest.approx(24.43, abs=0.01), "lon": pytest.approx(54.65, abs=0.01)}


def test_coordinates_of_the_address_win_over_the_airport_code(service: RunningService) -> None:
    """The address is more exact than the code."""
    place = {"locationName": "Terminal A", "city": "Abu Dhabi", "country": "ae", "latitude": 24.5, "longitude": 54.6}
    where = list_expected(service, add(service, trip(segments=[air(fromAddress=place)])))[0]["address"]
    assert where["gisLocation"] == {"lat": 24.5, "lon": 54.6}
    assert (where["locationName"], where["iata"], where["country"]) == ("Terminal A", "AUH", "AE")


@pytest.mark.parametrize(
    "missing", [{"latitude": None, "longitude": None}, {"latitude": None}, {"latitude": 0, "longitude": 0}]
)
def test_a_place_without_coordinates_has_no_gis_location(service: RunningService, missing: dict[str, Any]) -> None:
    """Absent fields are omitted; half a pair, or both 0, is no coordinates (assumption A9)."""
    [found] = list_expected(service, add(service, trip(segments=[hotel(fromAddress=address(**missing))])))
    assert "gisLocation" not in found["address"]


def test_an_unknown_code_is_stored_without_coordinates(service: RunningService) -> None:
    """The code of no airport."""
    flight = air(fromIataCode="qqq", fromTimeZone="Asia/Dubai")
    where = list_expected(service, add(service, trip(segments=[flight])))[0]["address"]
    assert where["iata"] == "QQQ"
    assert "gisLocation" not in where


def test_codes_of_trains_are_not_airport_codes(service: RunningService) -> None:
    """EDB is an airport in Sudan and LDS one in China: people are listed by city and not shown on the map."""
    train = ground(
        "Rail",
        fromIataCode="EDB",
        toIataCode="LDS",
        toTimeZone="Europe/London",
        fromAddress={"city": "Edinburgh", "country": "GB"},
        toAddress={"city": "Leeds", "country": "GB"},
    )
    found = [location["address"] for location in list_expected(service, add(service, trip(segments=[train])))]
    assert [(where["city"], where["country"], where["iata"]) for where in found] == [
        ("Edinburgh", "GB", "EDB"),
        ("Leeds", "GB", "LDS"),
    ]
    assert not any(key in where for where in found for key in ("gisLocation", "locationName", "state"))


def test_the_time_zone_of_a_train_comes_from_its_coordinates(service: RunningService) -> None:
    """Not from airports in Alaska or China that have the codes of its stations."""
    train = ground(
        "Rail",
        fromIataCode="KGX",
        toIataCode="LDS",
        fromTimeZone=None,
        toTimeZone=None,
        toAddress={"city": "Leeds", "country": "GB", "latitude": 53.795, "longitude": -1.547},
    )
    assert list_windows(list_expected(service, add(service, trip(segments=[train])))) == [
        ("Rail", "Departure", "2026-11-19T10:00:00Z", "2026-11-20T10:00:00Z"),
        ("Rail", "Arrival", "2026-11-20T13:20:00Z", "2026-11-21T13:20:00Z"),
    ]


@pytest.mark.parametrize(
    ("change", "leaves"),
    [
        ({"fromDateTime": "2026-11-20T05:30:00Z"}, "2026-11-20T05:30:00Z"),
        ({"fromDateTime": "2026-11-20T05:30:00"}, "2026-11-20T05:30:00Z"),
        ({"fromDateTime": "2026-11-20T05:30:00.250Z"}, "2026-11-20T05:30:00.250Z"),
        ({"fromDateTime": "2026-11-20T10:30:00+05:00"}, "2026-11-20T05:30:00Z"),
        ({"fromDateTime": "garbage"}, "2026-11-20T06:00:00Z"),
        ({"fromTimeZone": "Asia/Kolkata"}, "2026-11-20T04:30:00Z"),
        ({"fromTimeZone": "Not/AZone"}, "2026-11-20T06:00:00Z"),
        ({"fromTimeZone": "../../etc/passwd"}, "2026-11-20T06:00:00Z"),
        ({"fromIataCode": "LHR"}, None),
        ({"fromIataCode": None, "fromAddress": {"latitude": 24.43, "longitude": 54.65}}, "2026-11-20T06:00:00Z"),
    ],
)
def test_times_are_true_utc(service: RunningService, change: dict[str, Any], leaves: str | None) -> None:
    """UTC as given; else local time in the given zone, else the one at the coordinates, else the airport's."""
    answer = service.http.post("/itineraries/8800", json=trip(segments=[air(**change)]))
    if leaves is None:
        # In London time the flight would land before it departs.
        assert answer.status_code == 400
    else:
        assert list_expected(service, answer.json()["id"])[0]["address"]["expireDate"] == leaves


def test_a_flight_can_cross_the_date_line(service: RunningService) -> None:
    """A flight that lands on an earlier date than it departs."""
    flight = air(
        fromIataCode="AKL",
        toIataCode="HNL",
        fromDateTimeLocal="2026-11-20T23:55:00",
        toDateTimeLocal="2026-11-20T09:40:00",
    )
    assert list_windows(list_expected(service, add(service, trip(segments=[flight])))) == [
        ("Air", "Departure", "2026-11-19T10:55:00Z", "2026-11-20T10:55:00Z"),
        ("Air", "Arrival", "2026-11-20T19:40:00Z", "2026-11-21T19:40:00Z"),
    ]


@pytest.mark.parametrize(
    ("segments", "international", "local"),
    [([air()], True, False), ([hotel()], False, True), ([ground("Rail")], True, False)],
)
def test_international_and_local_travel_apply_to_the_whole_trip(
    service: RunningService, segments: list[Any], international: bool, local: bool
) -> None:
    """Assumption A15."""
    for found in list_expected(service, add(service, trip(segments=segments))):
        assert (found["isInternationalTravel"], found["isLocalTravel"]) == (international, local)


def test_expected_locations_are_listed_in_pages_of_1000(service: RunningService) -> None:
    """pageNumber: default 1; pages of 1000 records."""
    people = [passenger(f"E{number}") for number in range(501)]
    identity = add(service, trip(passengers=people))
    url = f"/itineraries/expectedLocations/8800/{identity}"
    pages = [service.http.get(url, params={"pageNumber": number}).json() for number in (1, 2, 3)]
    assert [len(page["page"]["data"]) for page in pages] == [1000, 2, 0]
    assert {page["page"]["totalCount"] for page in pages} == {1002}
    assert [page.get("nextPageUri", "")[-2:] for page in pages] == ["=2", "", ""]
    ids = [record["id"] for page in pages for record in page["page"]["data"]]
    assert len(set(ids)) == 1002
    assert service.http.get(url, params={"pageNumber": 0}).status_code == 400


@pytest.mark.parametrize("identity", ["4711", "abc", "99999999999999999999"])
def test_an_unknown_itinerary_is_404(service: RunningService, identity: str) -> None:
    """Assumption A20: a read is not among the swapped statuses."""
    answer = service.http.get(f"/itineraries/expectedLocations/8800/{identity}")
    assert_refused(answer, 404, f"Can not find the trip itinerary with ID. {identity} within the organization 8800.")
