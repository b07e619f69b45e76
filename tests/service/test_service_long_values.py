"""Searchable values: both databases have one limit for their length, and longer ones are refused by row."""

from __future__ import annotations

import random
import string

import pytest

from service.schema import KEY_LENGTH
from tests.running_service import RunningService
from tests.service.test_service_dynamic_locations import (
    list_errors,
    read_counts,
    read_locations,
    row,
    to_csv,
    upload_and_wait,
)
from tests.service.test_service_lookup_mappings import Api, mapping
from tests.service.trips import add, passenger, search, trip

# A text that cannot be compressed, and is too long for an index of PostgreSQL.
LONG = "".join(random.Random(1).choices(string.ascii_letters + string.digits, k=2_800))
LONGEST = "😀" * KEY_LENGTH

TOO_LONG = [
    (trip(LONG), "pnr"),
    (trip(externalItineraryId=LONG), "externalItineraryId"),
    (trip(passengers=[passenger(LONG)]), "passengers.employeeId"),
]


def test_a_batch_reports_rows_that_are_too_long_and_stores_the_others(any_service: RunningService) -> None:
    """Each row succeeds or fails by itself."""
    rows = [trip("FIRST1"), *(payload for payload, _field in TOO_LONG), trip("LAST01")]
    answer = any_service.http.post("/itineraries/8800/batch", json=rows)
    assert (answer.status_code, answer.json()["code"]) == (200, 200)
    found = answer.json()["data"]
    assert search(any_service, "FIRST1", "LAST01") == [int(found[0]), int(found[-1])]
    reason = f"it has 2800 characters, and {KEY_LENGTH} are allowed"
    for message, (_wire, field) in zip(found[1:-1], TOO_LONG, strict=True):
        assert message.startswith(f"Field {field} is invalid")
        assert reason in message


@pytest.mark.parametrize("method", ["POST", "PUT"])
def test_a_value_that_is_too_long_is_400(any_service: RunningService, method: str) -> None:
    """Add and update."""
    path = "/itineraries/8800" + (f"/{add(any_service)}" if method == "PUT" else "")
    for payload, field in TOO_LONG:
        answer = any_service.http.request(method, path, json=payload)
        assert answer.status_code == 400
        assert field in answer.json()["message"]


def test_the_longest_value_fits_whatever_its_characters(any_service: RunningService) -> None:
    """Four bytes each."""
    identity = add(any_service, trip(LONGEST, externalItineraryId=LONGEST, passengers=[passenger(LONGEST)]))
    assert search(any_service, LONGEST) == [identity]
    found = upload_and_wait(any_service, content=to_csv(row(LONGEST, source=LONGEST)))
    assert read_counts(found)[:3] == (1, 0, 0)
    assert Api(any_service)("POST", json=mapping((LONGEST, [LONGEST]))).status_code == 200


def test_a_row_of_an_upload_with_a_source_that_is_too_long_is_reported(any_service: RunningService) -> None:
    """The other rows are stored."""
    add(any_service, trip(passengers=[passenger("E1")]))
    found = upload_and_wait(any_service, content=to_csv(row("E1", source=LONG), row("E1", source="Phone")))
    assert (found["uploadStatus"], read_counts(found)[:3]) == ("DONE", (1, 0, 1))
    assert list_errors(found) == [(2, "source", LONG[:500], "SOURCE_TOO_LONG")]
    assert set(read_locations(any_service)) == {("E1", "Phone")}


def test_a_mapping_that_is_too_long_is_reported_by_field(any_service: RunningService) -> None:
    """Name and value together."""
    answer = Api(any_service)("POST", json=mapping((LONG, ["A", LONG])))
    assert answer.status_code == 400
    fields = [(entry["field"], entry["code"]) for entry in answer.json()["errors"]]
    assert fields == [("data.attributes[0].name", "Size"), ("data.attributes[0].values[1]", "Size")]
