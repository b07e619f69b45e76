"""The statuses of the rows of an upload, with no more certainty than the response of the service supports."""

from __future__ import annotations

import json
from typing import Any

import pytest

from client.models.dynamic_locations import UploadBatch
from domain.preparedness.dynamic_locations.location_upload import AMBIGUOUS_ROW, FIRST_LINE, read_statuses
from journal import Item, ItemStatus

E10002 = {"columnName": "externalId", "columnValue": "E10002", "uploadErrorCode": "EXTERNAL_ID_NOT_EXIST"}
ERROR_WITHOUT_VALUE = {"columnName": "externalId", "uploadErrorCode": "EXTERNAL_ID_NOT_EXIST"}
ENDED = "The upload ended with the status"


def read_row_statuses(record: dict[str, Any], *, rows: int = 3) -> list[ItemStatus]:
    """The statuses of rows E10001, E10002 …, which were sent with positions in Zurich."""
    items = {}
    for place in range(rows):
        row = {"externalId": f"E1{place + 1:04}", "lat": "47.38", "lon": "8.5", "city": "Zurich"}
        payload = json.dumps({"row": row, "removes": False})
        items[place + FIRST_LINE] = Item(place, "", row["externalId"], payload, "[]", ItemStatus("under way"))
    statuses = read_statuses(UploadBatch.model_validate({"id": 7, **record}), items)
    return [statuses[place] for place in range(rows)]


def list_states(statuses: list[ItemStatus]) -> list[str]:
    return [status.state for status in statuses]


@pytest.mark.parametrize("first", [0, 1, 2], ids=["the first row is 0", "the first row is 1", "the headings are 1"])
def test_row_errors_match_their_rows_in_any_row_numbering(first: int) -> None:
    record = {"uploadStatus": "completed", "criticalNum": 1, "rowErrors": [{**E10002, "rowNo": first + 1}]}
    assert list_states(read_row_statuses(record)) == ["done", "failed", "done"]


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ((2,), ["unknown", "unknown", "unknown"]),
        ((3,), ["done", "unknown", "unknown"]),
        ((2, 3), ["unknown", "failed", "unknown"]),
        ((4,), ["done", "done", "failed"]),
        ((1, 3), ["failed", "done", "failed"]),
    ],
    ids=["any row", "the second or the third", "two in a row", "the third", "the first and the third"],
)
def test_an_error_without_a_text_is_ambiguous_if_the_row_numbering_is_unknown(
    numbers: tuple[int, ...], expected: list[str]
) -> None:
    errors = [{**ERROR_WITHOUT_VALUE, "row": number} for number in numbers]
    statuses = read_row_statuses({"uploadStatus": "DONE", "criticalNum": len(errors), "rowErrors": errors})
    assert list_states(statuses) == expected
    for status in statuses:
        if status.state != "done":
            assert status.reasons["externalId"] == "The service has no contact with this ID."
            assert (status.reasons.get("") == AMBIGUOUS_ROW) == (status.state == "unknown")


def test_an_error_with_a_text_of_several_rows_leaves_them_unknown() -> None:
    error = {"row": 3, "columnName": "city", "columnValue": "Zurich", "uploadErrorCode": "CITY_UNKNOWN"}
    assert list_states(read_row_statuses({"uploadStatus": "DONE", "rowErrors": [error]})) == [
        "done",
        "unknown",
        "unknown",
    ]


def test_rows_after_the_last_listed_error_are_unknown_if_some_errors_are_not_listed() -> None:
    statuses = read_row_statuses(
        {"uploadStatus": "DONE", "criticalNum": 2, "rowErrors": [{**E10002, "rowNumber": 3}]}, rows=4
    )
    assert list_states(statuses) == ["done", "failed", "unknown", "unknown"]
    assert (
        "The service stored 0 rows of this upload, rejected 2, and explains only the first 1."
        in statuses[2].reasons[""]
    )


def test_rows_after_the_last_listed_error_failed_if_the_error_count_includes_all() -> None:
    statuses = read_row_statuses({"uploadStatus": "DONE", "criticalNum": 2, "rowErrors": [{**E10002, "rowNumber": 3}]})
    assert list_states(statuses) == ["done", "failed", "failed"]
    assert "explains only the first errors" in statuses[2].reasons[""]


def test_a_completely_failed_upload_has_its_reason_at_each_row() -> None:
    error = {"rowNumber": 1, "columnName": "expireDate", "columnValue": "", "uploadErrorCode": "BATCH_HEADER_NOT_FOUND"}
    statuses = read_row_statuses({"uploadStatus": "FAILED", "rowErrors": [error]})
    assert list_states(statuses) == ["failed"] * 3
    assert all(
        f"{ENDED} “failed”. The service does not recognize the heading" in status.reasons[""] for status in statuses
    )


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"uploadStatus": "CANCELLED", "successNum": 2}, ["unknown"] * 3),
        (
            {"uploadStatus": "FAILED", "withErrorNum": 1, "rowErrors": [{**E10002, "rowNumber": 3}]},
            ["unknown", "failed", "unknown"],
        ),
        ({"uploadStatus": "FAILED", "successNum": 0, "criticalNum": 1}, ["failed"] * 3),
        ({"uploadStatus": "DONE", "successNum": 0, "withErrorNum": 0, "criticalNum": 0}, ["unknown"] * 3),
        ({"uploadStatus": "DONE", "successNum": 3}, ["done"] * 3),
        ({"uploadStatus": "DONE", "criticalNum": 1, "rowErrors": [{**ERROR_WITHOUT_VALUE, "row": 9}]}, ["unknown"] * 3),
        ({"uploadStatus": "DONE", "rowErrors": [ERROR_WITHOUT_VALUE]}, ["unknown"] * 3),
    ],
    ids=[
        "interrupted after some rows",
        "interrupted with one row error",
        "failed without stored rows",
        "counts of 0",
        "counts of all rows",
        "an error of an unknown row",
        "an error without a row",
    ],
)
def test_rows_without_evidence_from_the_service_are_unknown(record: dict[str, Any], expected: list[str]) -> None:
    statuses = read_row_statuses(record)
    assert list_states(statuses) == expected
    if expected[0] == "unknown":
        assert f"{ENDED} “{record['uploadStatus'].lower()}”." in statuses[0].reasons[""]
        assert ("The service reports 2 rows stored." in statuses[0].reasons[""]) == (record.get("successNum") == 2)


def test_a_row_stored_without_its_invalid_coordinate_is_done_with_a_note() -> None:
    error = {"rowNumber": 2, "columnName": "lat", "columnValue": "47.38", "uploadErrorCode": "LAT_RANGE_INVALID"}
    [status] = read_row_statuses({"uploadStatus": "DONE", "withErrorNum": 1, "rowErrors": [error]}, rows=1)
    assert status.state == "done"
    assert "Stored, but invalid values were dropped." in status.reasons[""]
