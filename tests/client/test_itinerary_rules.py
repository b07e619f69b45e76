"""The interface's rules for an itinerary, checked before anything is sent."""

import math
from typing import Any

import pytest

from client.models.itineraries import Address, Itinerary, Passenger, PhoneNumber, Segment
from client.models.itinerary_rules import itinerary_problems

SEGMENT = Segment(type="Hotel", from_address=Address(city="Kuwait"))


def segment_with(fields: dict[str, Any]) -> Segment:
    return SEGMENT.model_copy(update=fields)


def trip(**fields: Any) -> Itinerary:
    return Itinerary(**{"pnr": "WSVM7K", "segments": [SEGMENT], "passengers": [Passenger(employee_id="E1")], **fields})


def fields_at_fault(itinerary: Itinerary) -> list[str]:
    return [problem.field for problem in itinerary_problems(itinerary)]


def test_a_valid_trip_has_no_problems() -> None:
    flight = Segment(
        type="Air",
        from_iata_code="AUH",
        to_iata_code="KWI",
        from_date_time_local="2026-11-20T08:05:00",
        from_date_time="2026-11-20T04:05:00Z",
        to_date_time="2026-11-20T05:05:00.000Z",
        from_time_zone="Asia/Dubai",
        to_time_zone="Asia/Kuwait",
        to_address=Address(country="KW", latitude=-90, longitude=180),
    )
    arranger = Passenger(phone_numbers=[PhoneNumber(phone_number="1", country_name="KW")])
    assert (
        fields_at_fault(trip(segments=[flight, SEGMENT], travel_arranger=arranger, created_date="2026-11-20T04:05:00Z"))
        == []
    )


@pytest.mark.parametrize("pnr", ["", "   "])
def test_a_record_locator_is_required(pnr: str) -> None:
    assert fields_at_fault(trip(pnr=pnr)) == ["pnr"]


def test_a_trip_needs_a_segment_unless_it_is_canceled() -> None:
    assert fields_at_fault(trip(segments=[])) == ["segments"]
    assert fields_at_fault(trip(segments=[], itinerary_status="CANCELED")) == []
    assert fields_at_fault(trip(segments=[Segment()], itinerary_status="canceled")) == []
    nobody = trip(passengers=[Passenger()], created_date="long ago", itinerary_status="canceled")
    assert fields_at_fault(nobody) == []
    assert fields_at_fault(trip(pnr="", segments=[], itinerary_status="canceled")) == ["pnr"]


def test_the_british_spelling_of_canceled_is_refused() -> None:
    assert fields_at_fault(trip(itinerary_status="Cancelled")) == ["itineraryStatus"]


def test_all_problems_are_reported_at_once_with_their_position() -> None:
    assert fields_at_fault(trip(pnr="", segments=[SEGMENT, Segment(), Segment(type="Boat")])) == [
        "pnr",
        "segments[1].type",
        "segments[1].fromAddress",
        "segments[2].type",
        "segments[2].fromAddress",
    ]


@pytest.mark.parametrize(
    ("segment", "field"),
    [
        (Segment(type="Hotel"), "segments[0].fromAddress"),
        (Segment(type="Hotel", from_address=Address(city=" ")), "segments[0].fromAddress"),
        (Segment(type="Air"), "segments[0].fromAddress"),
        (Segment(type="Air", from_iata_code="AUHX"), "segments[0].fromIataCode"),
        (segment_with({"to_iata_code": "K1"}), "segments[0].toIataCode"),
        (segment_with({"type": "hotel"}), "segments[0].type"),
        (segment_with({"from_date_time_local": "2026-11-20T08:05:00Z"}), "segments[0].fromDateTimeLocal"),
        (segment_with({"from_date_time_local": "2026-02-30T08:05:00"}), "segments[0].fromDateTimeLocal"),
        (segment_with({"to_date_time_local": "20 Nov"}), "segments[0].toDateTimeLocal"),
        (segment_with({"from_date_time": "2026-11-20T08:05:00"}), "segments[0].fromDateTime"),
        (segment_with({"to_date_time": "2026-11-20T25:05:00Z"}), "segments[0].toDateTime"),
        (segment_with({"from_time_zone": "Gulf time"}), "segments[0].fromTimeZone"),
        (segment_with({"to_time_zone": "../etc/passwd"}), "segments[0].toTimeZone"),
        (segment_with({"to_address": Address(country="KWT")}), "segments[0].toAddress.country"),
        (segment_with({"to_address": Address(latitude=91, longitude=0)}), "segments[0].toAddress.latitude"),
        (segment_with({"to_address": Address(latitude=1, longitude=math.nan)}), "segments[0].toAddress.longitude"),
        (segment_with({"to_address": Address(latitude=1)}), "segments[0].toAddress.longitude"),
    ],
)  # fmt: skip
def test_each_rule_of_a_segment_is_checked(segment: Segment, field: str) -> None:
    assert fields_at_fault(trip(segments=[segment])) == [field]


@pytest.mark.parametrize("kind", ["Air", "Rail", "Car", "Hotel"])
def test_a_code_replaces_the_address(kind: str) -> None:
    assert fields_at_fault(trip(segments=[Segment(type=kind, from_iata_code="AUH")])) == []


@pytest.mark.parametrize(
    ("passenger", "field"),
    [
        (Passenger(), "passengers[0]"),
        (Passenger(first_name=" "), "passengers[0]"),
        (Passenger(contact_id=0), "passengers[0].contactId"),
        (Passenger(contact_id=2**63), "passengers[0].contactId"),
        (
            Passenger(employee_id="E", phone_numbers=[PhoneNumber(), PhoneNumber(country_name="KWT")]),
            "passengers[0].phoneNumbers[1].countryName",
        ),
    ],
)
def test_each_rule_of_a_traveler_is_checked(passenger: Passenger, field: str) -> None:
    assert fields_at_fault(trip(passengers=[passenger])) == [field]


def test_messages_are_in_plain_language() -> None:
    problems = itinerary_problems(trip(pnr="", segments=[Segment()], itinerary_status="cancelled"))
    assert all(problem.message.endswith(".") and "Field" not in problem.message for problem in problems)
