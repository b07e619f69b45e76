"""Adding one itinerary: parameters, models, states, and the error rows listed for add."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from tests.running_service import RunningService
from tests.service.trips import (
    add,
    address,
    air,
    assert_refused,
    exists,
    ground,
    hotel,
    list_expected,
    nobody,
    passenger,
    search,
    trip,
)


def query_rows(service: RunningService, statement: str) -> list[Any]:
    """Return the rows of a query in the database."""
    engine = create_engine(service.database_url)
    with engine.connect() as connection:
        found = [tuple(row) for row in connection.execute(text(statement))]
    engine.dispose()
    return found


def list_contact_ids(service: RunningService) -> list[Any]:
    """Return the external IDs of all contacts."""
    return [row[0] for row in query_rows(service, "SELECT external_id FROM contacts ORDER BY id")]


def test_add_returns_a_modification_result(service: RunningService) -> None:
    """Modification result, and the links with the extra `/rest/` segment."""
    answer = service.http.post("/itineraries/8800", json=trip())
    base = f"{service.url}/rest/itineraries/8800/"
    identity = answer.json()["id"]
    assert isinstance(identity, int)
    assert answer.json() == {"message": "OK", "id": identity, "baseUri": base, "instanceUri": f"{base}{identity}"}


def test_a_trip_is_stored_with_its_expected_locations(service: RunningService) -> None:
    """States: add, not canceled and has segments: stored, expected locations generated."""
    identity = add(service)
    assert search(service, "WSVM7K") == [identity]
    assert len(list_expected(service, identity)) == 2


def test_adding_a_canceled_trip_removes_the_existing_trip(service: RunningService) -> None:
    """States: add, canceled: the existing itinerary and its expected locations are removed."""
    identity = add(service)
    assert add(service, trip(itineraryStatus="canceled", segments=None)) == identity
    assert not exists(service, identity)
    assert search(service, "WSVM7K") == []
    assert query_rows(service, "SELECT count(*) FROM expected_locations") == [(0,)]


@pytest.mark.parametrize("status", ["canceled", "CANCELED", "Canceled"])
def test_the_canceled_status_is_case_insensitive(service: RunningService, status: str) -> None:
    """Beyond: the canceled status is compared case-insensitively."""
    add(service)
    add(service, trip(itineraryStatus=status))
    assert search(service, "WSVM7K") == []


@pytest.mark.parametrize("status", ["Active", "active", "New", None])
def test_every_other_status_is_active(service: RunningService, status: str | None) -> None:
    """Beyond: seen on active trips."""
    assert exists(service, add(service, trip(itineraryStatus=status)))


def test_canceling_a_missing_trip_returns_an_id(service: RunningService) -> None:
    """Assumption A19: nothing to remove is not an error, and the response is a modification result."""
    identity = add(service, trip(itineraryStatus="canceled", segments=None))
    assert identity > 0
    assert not exists(service, identity)


def test_a_trip_replaces_the_trip_with_the_same_pnr(service: RunningService) -> None:
    """Assumption A18: one active itinerary per record locator; the new one has a new ID."""
    first = add(service)
    second = add(service, trip(segments=[hotel()]))
    assert first != second
    assert search(service, "WSVM7K") == [second]
    assert not exists(service, first)
    assert [location["travelCategory"] for location in list_expected(service, second)] == ["Hotel"]


def test_pnrs_are_case_insensitive(service: RunningService) -> None:
    """Assumptions A16 and A18, for single adds and in a batch."""
    first, other = add(service, trip("abc123")), add(service, trip("XYZ789"))
    assert search(service, "ABC123") == [first]
    refusal = service.http.put(f"/itineraries/8800/{other}", json=trip("Abc123"))
    assert_refused(refusal, 400, "The PNR Abc123 belongs to another itinerary of the organization.")
    second = add(service, trip("ABC123"))
    assert search(service, "abc123") == [second]
    batch = [trip("xyz789"), trip("aBC123", itineraryStatus="canceled", segments=None)]
    added, removed = map(int, service.http.post("/itineraries/8800/batch", json=batch).json()["data"])
    assert removed == second
    assert search(service, "ABC123", "XYZ789") == [added]


@pytest.mark.parametrize("pnr", [None, "", "   "])
def test_a_missing_pnr_is_refused(service: RunningService, pnr: str | None) -> None:
    """Itinerary fields: `pnr` reported as `Field pnr is empty.` when missing."""
    assert_refused(service.http.post("/itineraries/8800", json=trip(pnr)), 400, "Field pnr is empty.")


@pytest.mark.parametrize("segments", [None, []])
def test_a_trip_without_segments_is_refused(service: RunningService, segments: list[Any] | None) -> None:
    """Itinerary errors: 400 for a non-canceled itinerary without segments."""
    answer = service.http.post("/itineraries/8800", json=trip(segments=segments))
    assert_refused(answer, 400, "The itinerary does not contain any segments")


def test_a_missing_segment_type_is_refused(service: RunningService) -> None:
    """Segment fields: `type` reported as empty when missing."""
    answer = service.http.post("/itineraries/8800", json=trip(segments=[air(type=None)]))
    assert_refused(answer, 400, "Field segments.type is empty.")


@pytest.mark.parametrize(
    "segment",
    [hotel(fromAddress=None), hotel(fromAddress={}), ground("Car", fromAddress=None), air(fromIataCode=None)],
)
def test_a_missing_from_address_is_refused(service: RunningService, segment: dict[str, Any]) -> None:
    """Segment fields: `fromAddress` reported as empty when missing (assumption A11: a code does not replace it)."""
    answer = service.http.post("/itineraries/8800", json=trip(segments=[segment]))
    assert_refused(answer, 400, "Field segments.fromAddress is empty.")


@pytest.mark.parametrize(
    "segment",
    [
        air(type="Ship"),
        air(fromDateTimeLocal=None),
        air(toDateTimeLocal=None),
        air(toDateTimeLocal="2026-11-20T08:59:59"),
        air(fromDateTimeLocal="tomorrow"),
        air(fromDateTimeLocal="2026-02-30T10:00:00"),
        air(fromDateTimeLocal="2026-11-20T10:00:00+04:00"),
        hotel(toDateTimeLocal="2026-11-19T11:00:00"),
        hotel(fromTimeZone=None, toTimeZone=None, fromAddress={"city": "Nowhere"}),
    ],
)
def test_a_trip_with_only_invalid_segments_is_refused(service: RunningService, segment: dict[str, Any]) -> None:
    """Itinerary errors: 400 when all segments of a non-canceled itinerary are invalid (assumption A12 says which)."""
    answer = service.http.post("/itineraries/8800", json=trip(segments=[segment]))
    assert_refused(answer, 400, "All segments of the itinerary are invalid, PNR creation failed")
    assert search(service, "WSVM7K") == []


def test_one_valid_segment_is_enough(service: RunningService) -> None:
    """Itinerary fields: a non-canceled itinerary needs at least one valid segment."""
    identity = add(service, trip(segments=[air(type="Ship"), hotel()]))
    assert [location["travelCategory"] for location in list_expected(service, identity)] == ["Hotel"]


@pytest.mark.parametrize("spelling", ["air", "AIR", " Air "])
def test_segment_types_are_case_insensitive(service: RunningService, spelling: str) -> None:
    """Segment types are read case-insensitively and written as the interface shows them."""
    assert list_expected(service, add(service, trip(segments=[air(type=spelling)])))[0]["travelCategory"] == "Air"


def test_unmatched_travelers_become_contacts(service: RunningService) -> None:
    """autoCreateContact: default true."""
    add(service)
    found = query_rows(service, "SELECT external_id, first_name, last_name, record_type_id, status FROM contacts")
    assert found == [("E1", "Ana", "Silva", 1, "A")]


def test_contacts_get_the_email_addresses_and_phone_numbers(service: RunningService) -> None:
    """Passenger fields: emailAddresses and phoneNumbers."""
    phone = {"phoneNumber": "+971501234567", "countryName": "AE"}
    person = passenger(middleName="M", emailAddresses=["ana@example.com"], phoneNumbers=[phone])
    add(service, trip(passengers=[person]))
    found = query_rows(service, "SELECT middle_name, email_addresses, phone_numbers FROM contacts")
    assert found[0][0] == "M"
    assert "ana@example.com" in found[0][1]
    assert "+971501234567" in found[0][2]


@pytest.mark.parametrize("spelling", ["false", "False", "No", "0"])
def test_unmatched_travelers_are_refused_without_auto_create_contact(service: RunningService, spelling: str) -> None:
    """Itinerary errors: 400 when all travelers fail to match existing contacts."""
    answer = service.http.post("/itineraries/8800", json=trip(), params={"autoCreateContact": spelling})
    assert_refused(answer, 400, "Travel matching error, no contact matching.")
    assert list_contact_ids(service) == []
    assert search(service, "WSVM7K") == []


@pytest.mark.parametrize("person", [nobody(), nobody(employeeId=None, emailAddresses=["ana@example.com"])])
def test_a_trip_is_refused_if_no_contact_can_be_created(service: RunningService, person: dict[str, Any]) -> None:
    """Itinerary errors: 400 when contact creation failed for all (assumption A6 says when it fails)."""
    answer = service.http.post("/itineraries/8800", json=trip(passengers=[person]))
    assert_refused(answer, 400, "Travel matching error, no contact matching.")


@pytest.mark.parametrize("passengers", [None, []])
def test_a_trip_without_travelers_is_refused(service: RunningService, passengers: list[Any] | None) -> None:
    """Without travelers, no contact matches."""
    answer = service.http.post("/itineraries/8800", json=trip(passengers=passengers))
    assert_refused(answer, 400, "Travel matching error, no contact matching.")


def test_one_matching_traveler_is_enough(service: RunningService) -> None:
    """Expected locations are created for matching travelers only."""
    identity = add(service, trip(passengers=[passenger(), nobody(employeeId="E2")]))
    assert {location["contactExternalId"] for location in list_expected(service, identity)} == {"E1"}


def test_travelers_match_by_employee_id(service: RunningService) -> None:
    """Passenger fields: `employeeId` is used to match the traveler to a contact."""
    first = list_expected(service, add(service))[0]["contactId"]
    identity = add(service, trip("OTHER1", passengers=[passenger(firstName="Other")]), autoCreateContact="false")
    assert list_expected(service, identity)[0]["contactId"] == first
    assert list_contact_ids(service) == ["E1"]


def test_travelers_match_by_contact_id(service: RunningService) -> None:
    """Passenger fields: `contactId` is the id of an existing contact."""
    contact_id = list_expected(service, add(service))[0]["contactId"]
    identity = add(service, trip("OTHER1", passengers=[{"contactId": contact_id}]), autoCreateContact="false")
    assert list_expected(service, identity)[0]["contactExternalId"] == "E1"


def test_an_unknown_contact_id_falls_back_to_the_employee_id(service: RunningService) -> None:
    """Assumption A7."""
    assert exists(service, add(service, trip(passengers=[passenger(contactId=2**62)])))


def test_a_repeated_traveler_counts_once(service: RunningService) -> None:
    """One record per traveler and place."""
    identity = add(service, trip(passengers=[passenger(), passenger()]))
    assert len(list_expected(service, identity)) == 2
    assert list_contact_ids(service) == ["E1"]


def test_created_contacts_get_the_contact_record_type_id(service: RunningService) -> None:
    """contactRecordTypeId: record type of the contacts created for unmatched travelers."""
    add(service, contactRecordTypeId=2**40)
    assert query_rows(service, "SELECT record_type_id FROM contacts") == [(2**40,)]


@pytest.mark.parametrize(
    ("employee_id", "rule", "same"),
    [
        ("ANA@example.com", None, False),
        ("ANA@example.com", "true", False),
        ("ANA@example.com", "Yes", False),
        ("ANA@example.com", "false", True),
        ("ANA@example.com", "No", True),
        ("ana@example.com", "true", True),
    ],
)
def test_email_case_sensitive_in_external_id_decides_whether_case_counts(
    service: RunningService, employee_id: str, rule: str | None, same: bool
) -> None:
    """emailCaseSensitiveInExternalId: default Yes; false ignores case if employeeId is a valid email address."""
    add(service, trip(passengers=[passenger("ana@example.com")]))
    parameters = {} if rule is None else {"emailCaseSensitiveInExternalId": rule}
    add(service, trip("OTHER1", passengers=[passenger(employee_id)]), **parameters)
    assert (len(list_contact_ids(service)) == 1) is same


def test_case_always_counts_if_the_employee_id_is_not_an_email_address(service: RunningService) -> None:
    """emailCaseSensitiveInExternalId applies to valid email addresses only."""
    add(service, trip(passengers=[passenger("emp1")]))
    add(service, trip("OTHER1", passengers=[passenger("EMP1")]), emailCaseSensitiveInExternalId="false")
    assert list_contact_ids(service) == ["emp1", "EMP1"]


def test_one_email_in_two_cases_creates_one_contact_if_case_is_ignored(service: RunningService) -> None:
    """Two such travelers of one call are one person."""
    two = [passenger("ana@example.com"), passenger("ANA@EXAMPLE.COM")]
    add(service, trip(passengers=two), emailCaseSensitiveInExternalId="false")
    assert list_contact_ids(service) == ["ana@example.com"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("autoCreateContact", "maybe"),
        ("emailCaseSensitiveInExternalId", "2"),
        ("contactRecordTypeId", "abc"),
        ("contactRecordTypeId", "1.5"),
        ("contactRecordTypeId", str(2**63)),
    ],
)
def test_parameters_of_the_wrong_type_are_refused(service: RunningService, name: str, value: str) -> None:
    """Shared parameters: their types."""
    answer = service.http.post("/itineraries/8800", json=trip(), params={name: value})
    assert answer.status_code == 400
    assert name in answer.json()["message"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"pnr": 5}, "pnr"),
        ({"segments": {}}, "segments"),
        ({"segments": [air(fromAddress=address(latitude=91))]}, "segments.fromAddress.latitude"),
        ({"segments": [air(toAddress=address(longitude="east"))]}, "segments.toAddress.longitude"),
        ({"segments": [air(fromIataCode=["AUH"])]}, "segments.fromIataCode"),
        ({"passengers": [passenger(contactId="abc")]}, "passengers.contactId"),
        ({"passengers": [passenger(contactId=2**63)]}, "passengers.contactId"),
        ({"passengers": [passenger(emailAddresses="ana@example.com")]}, "passengers.emailAddresses"),
        ({"passengers": [passenger(firstName="A\0na")]}, "passengers.firstName"),
        ({"travelArranger": []}, "travelArranger"),
    ],
)
def test_fields_of_the_wrong_type_are_named(service: RunningService, change: dict[str, Any], field: str) -> None:
    """Fields and their types."""
    answer = service.http.post("/itineraries/8800", json=trip() | change)
    assert answer.status_code == 400
    assert answer.json()["message"].startswith(f"Field {field} is invalid:")


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b'"text"', b"\xff\xfe", b'{"pnr": NaN}', b"[" * 100_000, b'{"pnr": "\\ud800"}']
)
def test_bodies_that_are_not_an_itinerary_are_refused(service: RunningService, body: bytes) -> None:
    """TripItineraryWrapper (required)."""
    answer = service.http.post("/itineraries/8800", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["status"] == 400


def test_an_endless_body_is_refused_early(service: RunningService) -> None:
    """No itinerary is that large."""
    answer = service.http.post("/itineraries/8800", content=b" " * (64 * 2**20 + 1))
    assert answer.status_code == 413


def test_characters_beyond_the_basic_plane_are_stored(service: RunningService) -> None:
    """Sent as characters or as two escapes."""
    content = b'{"fieldName": "pnr", "fieldValues": ["\\ud83d\\ude80"]}'
    identity = add(service, trip("\N{ROCKET}"))
    answer = service.http.post("/itineraries/query/8800", content=content)
    assert answer.json()["page"]["data"] == [{"id": identity}]


def test_every_field_of_the_model_is_stored(service: RunningService) -> None:
    """Resources: the fields of itinerary, segment, address and passenger; unknown ones are dropped."""
    phone = {"phoneNumber": "5551234", "countryName": "AE"}
    person = passenger(middleName="M", contactId=7, emailAddresses=["ana@example.com"], phoneNumbers=[phone])
    segment = {
        "type": "Air",
        "supplierCode": "EY",
        "supplierName": "Etihad Airways",
        "airRailNumber": "301",
        "fromDateTimeLocal": "2026-11-20T10:00:00",
        "toDateTimeLocal": "2026-11-20T11:00:00",
        "fromDateTime": "2026-11-20T06:00:00Z",
        "toDateTime": "2026-11-20T08:00:00Z",
        "fromTimeZone": "Asia/Dubai",
        "toTimeZone": "Asia/Kuwait",
        "fromIataCode": "AUH",
        "toIataCode": "KWI",
        "fromAddress": address(),
        "toAddress": address(city="Kuwait"),
    }
    payload = {
        "pnr": "WSVM7K",
        "externalItineraryId": "X-1",
        "itineraryStatus": "Active",
        "itinerarySource": "agency",
        "createdDate": "2026-11-01T00:00:00Z",
        "lastModifiedDate": "2026-11-02T00:00:00Z",
        "segments": [segment],
        "passengers": [person],
        "travelArranger": passenger("E2"),
    }
    add(service, payload | {"somethingElse": 1})
    assert json.loads(query_rows(service, "SELECT document FROM itineraries")[0][0]) == payload
