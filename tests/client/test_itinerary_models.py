"""Itineraries are checked strictly when sent, and responses are read leniently."""

import json
from datetime import UTC, datetime
from typing import Any

import pandas as pd
import pytest
from pydantic import ValidationError

from client import ModificationResult
from client.models.assets import Asset
from client.models.itineraries import Address, ExpectedLocation, Itinerary, ItineraryReference, Passenger, Segment

PAYLOAD = {
    "pnr": "WSVM7K",
    "externalItineraryId": "T-1",
    "itineraryStatus": "Active",
    "segments": [
        {
            "type": "Air",
            "airRailNumber": "EY301",
            "fromDateTimeLocal": "2026-11-20T08:05:00",
            "fromIataCode": "AUH",
            "toAddress": {"city": "Kuwait", "latitude": 29.2, "longitude": 47.9},
        }
    ],
    "passengers": [
        {
            "contactId": 2**60 + 1,
            "employeeId": "E1",
            "emailAddresses": ["a@b.example"],
            "phoneNumbers": [{"phoneNumber": "1", "countryName": "KW"}],
        }
    ],
}


def location(**fields: Any) -> ExpectedLocation:
    return ExpectedLocation.model_validate_json(json.dumps(fields))


def test_an_itinerary_survives_a_round_trip() -> None:
    itinerary = Itinerary.model_validate(PAYLOAD)
    assert itinerary.to_wire() == PAYLOAD
    assert Itinerary.model_validate(itinerary.to_wire()) == itinerary


def test_missing_and_blank_fields_are_not_sent() -> None:
    itinerary = Itinerary(
        pnr=" WSVM7K ",
        itinerary_source="",
        segments=[Segment(type="Hotel", from_iata_code="  ", from_address=Address(city=""), to_address=None)],
        passengers=[Passenger(employee_id="E1", email_addresses=["", "a@b.example"])],
    )
    assert itinerary.to_wire() == {
        "pnr": "WSVM7K",
        "itineraryStatus": "Active",
        "segments": [{"type": "Hotel"}],
        "passengers": [{"employeeId": "E1", "emailAddresses": ["a@b.example"], "phoneNumbers": []}],
    }


def test_an_incomplete_trip_is_allowed() -> None:
    itinerary = Itinerary.model_validate({"pnr": None, "segments": [{"type": None}], "passengers": None})
    assert (itinerary.pnr, itinerary.segments[0].type, itinerary.passengers) == ("", "", [])


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises(ValidationError):
        Itinerary.model_validate({"pnr": "A", "recordLocator": "A"})


@pytest.mark.parametrize(
    ("status", "canceled"),
    [("canceled", True), ("CANCELED", True), (" Canceled ", True), ("Active", False), ("New", False), (None, False)],
)
def test_the_canceled_status_is_case_insensitive(status: str | None, canceled: bool) -> None:
    assert Itinerary(pnr="A", itinerary_status=status).is_canceled is canceled


@pytest.mark.parametrize("value", [1.0, 1e18, True, "1.0", "1e3", "", "x", None, [1]])
def test_an_id_that_may_have_lost_digits_is_refused(value: Any) -> None:
    with pytest.raises(ValidationError):
        ItineraryReference.model_validate_json(json.dumps({"id": value}))
    with pytest.raises(ValidationError):
        ModificationResult.model_validate({"id": value})


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        ("2026-11-20T08:05:00Z", datetime(2026, 11, 20, 8, 5, tzinfo=UTC)),
        ("2026-11-20T08:05:00.000Z", datetime(2026, 11, 20, 8, 5, tzinfo=UTC)),
        ("2026-11-20T08:05:00.250Z", datetime(2026, 11, 20, 8, 5, 0, 250_000, tzinfo=UTC)),
        ("2026-11-20T08:05:00", datetime(2026, 11, 20, 8, 5, tzinfo=UTC)),
        ("2026-11-20T10:05:00+02:00", datetime(2026, 11, 20, 8, 5, tzinfo=UTC)),
        ("2026-11-20T08:05:00.000+0000", datetime(2026, 11, 20, 8, 5, tzinfo=UTC)),
        (1795161900000, datetime(2026, 11, 20, 8, 5, tzinfo=UTC)),
        ("1795161900000", datetime(2026, 11, 20, 8, 5, tzinfo=UTC)),
        (1795161900, datetime(2026, 11, 20, 8, 5, tzinfo=UTC)),
        (0, None),
        ("", None),
        (None, None),
        ("some day", None),
        ("9999-12-31T23:59:59-05:00", None),
        ("0001-01-01T00:00:00+01:00", None),
        ("9999-12-31T23:59:59Z", None),
        ("0001-01-01T00:00:00Z", None),
        ({}, None),
    ],
)
def test_times_are_read_in_every_form_as_utc(value: Any, moment: datetime | None) -> None:
    read = location(address={"arriveDate": value}).address.arrive_date
    assert read == moment
    assert read is None or read.tzinfo is UTC


@pytest.mark.parametrize(
    ("address", "position"),
    [
        ({"gisLocation": {"lat": 25.5, "lon": 55.25}}, (25.5, 55.25)),
        ({"gisLocation": {"lat": "25.5", "lon": "55.25"}}, (25.5, 55.25)),
        ({"gislocation": {"lat": 25.5, "lon": 55.25}}, (25.5, 55.25)),
        ({"location": [55.25, 25.5]}, (25.5, 55.25)),
        ({"location": ["55.25", "25.5"]}, (25.5, 55.25)),
        ({"gisLocation": {"lat": 0, "lon": 0}}, None),
        ({"gisLocation": {"lat": 0.0, "lon": 12.5}}, (0.0, 12.5)),
        ({"gisLocation": {"lat": 25.5}}, None),
        ({"gisLocation": {"lat": "north", "lon": 1}}, None),
        ({"gisLocation": None}, None),
        ({"gisLocation": []}, None),
        ({"gisLocation": "", "location": [55.25, 25.5]}, (25.5, 55.25)),
        ({"gisLocation": {"lat": 125.5, "lon": 5}}, None),
        ({"location": [1]}, None),
        ({"location": "Kuwait"}, None),
        ({}, None),
    ],
)
def test_coordinates_are_read_in_every_form(address: dict[str, Any], position: tuple[float, float] | None) -> None:
    record = location(address=address)
    assert record.position == position
    assert (record.latitude, record.longitude) == (position or (None, None))


@pytest.mark.parametrize(
    ("category", "kind_of_travel", "kind"),
    [
        ("Air", "Departure", "Air"),
        ("HOTEL", "Stay", "Hotel"),
        ("Travel", "rail", "Rail"),
        (None, "CAR", "Car"),
        ("AIR_SEGMENT", None, "Air"),
        ("Business", "Departure", None),
        ("Carrier", "Fair", None),
        (None, None, None),
    ],
)
def test_the_segment_type_is_read_from_category_then_type(
    category: str | None, kind_of_travel: str | None, kind: str | None
) -> None:
    assert location(travelCategory=category, travelType=kind_of_travel).kind == kind


def test_a_record_is_read_with_missing_extra_or_irregular_fields() -> None:
    record = location(
        id="9007199254740993",
        contactId=0,
        contactExternalId=4711,
        organizationId=8800,
        isInternationalTravel="perhaps",
        isLocalTravel="true",
        createdDate=1795161900000,
        unheardOf={"of": 1},
        address={"postalCode": 12345, "locationId": 77, "locationName": ["odd"], "country": "KW"},
    )
    assert record.id == 9007199254740993
    assert record.contact_id is None
    assert record.contact_external_id == "4711"
    assert record.is_international_travel is None
    assert record.is_local_travel is True
    assert record.address.postal_code == "12345"
    assert record.address.location_id == "77"
    assert record.address.location_name is None
    assert record.model_extra == {"unheardOf": {"of": 1}}
    assert location().address.city is None


@pytest.mark.parametrize("at", [datetime(2026, 12, 3, 11, 5, tzinfo=UTC), pd.Timestamp("2026-12-03 12:05+01:00")])
def test_times_of_responses_and_tables_can_be_sent(at: datetime) -> None:
    segment = Segment.model_validate({"from_date_time": at, "from_date_time_local": at, "to_date_time": pd.NaT})
    local = at.replace(tzinfo=None).isoformat()
    assert segment.to_wire() == {"fromDateTime": "2026-12-03T11:05:00Z", "fromDateTimeLocal": local}
    assert Asset.model_validate({"start_timestamp": at}).to_wire() == {"startTimestamp": 1_796_295_900_000}
    with pytest.raises(ValidationError, match="needs a zone"):
        Asset.model_validate({"start_timestamp": datetime(2026, 12, 3)})  # noqa: DTZ001 - a time without a zone
