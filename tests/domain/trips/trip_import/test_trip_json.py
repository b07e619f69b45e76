"""Trips in the JSON of the interface are sent unchanged, and other JSON is not read as a trip."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.file_import.delimited import Unreadable
from domain.trips.trip_import.trip_json import read_trips
from tests.domain.trips.trip_import.outcomes import check_of

WORD = st.text("abcdefghij", min_size=1, max_size=6).map(str.title)
PLACES = st.sampled_from([("LIS", "Europe/Lisbon"), ("GVA", "Europe/Zurich"), ("SIN", "Asia/Singapore")])


@st.composite
def segments(draw: st.DrawFn) -> dict[str, Any]:
    (start, start_zone), (end, end_zone) = draw(PLACES), draw(PLACES)
    day = draw(st.integers(1, 27))
    return {
        "type": draw(st.sampled_from(["Air", "Rail", "Car"])),
        "airRailNumber": f"ZZ{draw(st.integers(1, 999))}",
        "fromIataCode": start,
        "toIataCode": end,
        "fromDateTimeLocal": f"2027-01-{day:02}T08:15:30",
        "toDateTimeLocal": f"2027-01-{day + 1:02}T20:00:00",
        "fromTimeZone": start_zone,
        "toTimeZone": end_zone,
        "fromAddress": {"locationName": draw(WORD), "city": draw(WORD), "latitude": draw(st.integers(-89, 89)) / 1.0,
                        "longitude": 8.5},
    }  # fmt: skip


@st.composite
def trips(draw: st.DrawFn) -> dict[str, Any]:
    people = draw(st.lists(st.tuples(st.integers(1, 99), WORD, WORD), max_size=4, unique_by=lambda each: each[0]))
    return {
        "pnr": f"P{draw(st.integers(0, 99_999)):05}",
        "externalItineraryId": draw(WORD),
        "itineraryStatus": "Active",
        "createdDate": "2026-01-02T03:04:05Z",
        "segments": draw(st.lists(segments(), min_size=1, max_size=3, unique_by=lambda each: each["airRailNumber"])),
        "passengers": [
            {"employeeId": f"E{number}", "firstName": first, "lastName": last, "emailAddresses": [f"{first}@x.org"],
             "phoneNumbers": [{"phoneNumber": f"+3519123456{number:02}", "countryName": "PT"}]}
            for number, first, last in people
        ],
    }  # fmt: skip


@given(st.lists(trips(), min_size=1, max_size=3, unique_by=lambda trip: trip["pnr"]))
@settings(max_examples=12, deadline=None)
def test_an_itinerary_in_json_is_sent_unchanged(itineraries: list[dict[str, Any]]):
    check = check_of(json.dumps(itineraries), "trips.json")
    sent = [each.payload for each in check.declaration.sending.build_items(check.rows)]
    for trip, payload in zip(itineraries, sent, strict=True):
        for segment, sent_segment in zip(trip["segments"], payload["segments"], strict=True):
            assert sent_segment.pop("fromDateTime").endswith("Z")
            assert sent_segment.pop("toDateTime").endswith("Z")
            assert sent_segment == segment
        assert {**payload, "segments": []} == {**trip, "segments": []}


@pytest.mark.parametrize("text", ["", "[", '{"name": "x"}', '[{"pnr": "A"}, {"name": "x"}]', "pnr\nA"])
def test_text_that_is_not_json_is_read_as_a_table(text: str):
    assert read_trips(text) is None


@pytest.mark.parametrize("name", ["itineraries", "trips", "data"])
def test_trips_are_found_in_a_list_inside_an_object(name: str):
    table = read_trips(
        json.dumps({name: [{"pnr": "AAA111"}, {"pnr": "BBB222", "passengers": None, "segments": [None]}]})
    )
    assert table is not None
    assert (table.rows, table.numbers) == ([["pnr"], ["AAA111"], ["BBB222"]], [0, 1, 2])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"bookings": {"ref": "X1", "legs": [1]}}', "Record 1 has only “bookings”"),
        ('[{"pnr": "A1", "segments": []}, {"ref": "X1", "legs": [{}]}]', "Record 2 has only “ref” and “legs”"),
        ('[[1, 2], [3, 4]]', "Record 1 isn’t an object"),
        ("[]", "The JSON has no trips."),
        ("{}", "The JSON has no trips."),
        ("[{}, {}]", "The JSON has no trips."),
        ("[null]", "The JSON has no trips."),
        ('{"meta": {"pages": 3}, "rows": 2}', "Record 1 has only “meta” and “rows”"),
    ],
)  # fmt: skip
def test_json_that_is_not_an_itinerary_is_reported_with_an_example(text: str, words: str):
    with pytest.raises(Unreadable) as error:
        check_of(text)
    assert words in str(error.value)
    example = re.search(r"such as (\{.*\}), or", str(error.value))
    assert example is not None
    check = check_of(example[1])
    assert check.is_ready.all(), check.unready_frame()


def test_flat_json_records_are_a_table_and_trips_are_found_under_any_name():
    row = '{"PNR": "K7QWZP", "Traveller": "Silva/Ana", "From": "LIS", "To": "GVA", "Departs": "2026-05-11 07:20",'
    assert check_of(f'[{row} "Arrives": "2026-05-11 11:00"}}]').is_ready.all()
    assert check_of('{"page": 1, "bookings": [{"pnr": "K7QWZP", "itineraryStatus": "canceled"}]}').is_ready.all()


def test_incomplete_json_is_reported_with_its_position():
    with pytest.raises(Unreadable, match=r"Line 2, character \d+"):
        check_of('[{"pnr": "A1"},\n{"pnr": ')
