"""The statuses of the rows of an upload, with no more certainty than the response of the service supports."""

from __future__ import annotations

import json
from typing import Any

import pytest

from client.models.dynamic_locations import UploadBatch
from domain.preparedness.dynamic_locations.location_upload import AMBIGUOUS_ROW, FIRST_LINE, read_statuses
from journal import Item, ItemStatus

E10002 = {"columnName": "externalId", "columnValue": "E10002", "uploadErrorCode": "EXTERNAL_ID_NOT_EXIST"}
BARE = {"columnName": "externalId", "uploadErrorCode": "EXTERNAL_ID_NOT_EXIST"}
ENDED = "The service ended the upload as"


def fates(record: dict[str, Any], *, rows: int = 3) -> list[ItemStatus]:
    """What became of rows E10001, E10002 … that were sent with positions in Zurich."""
    sent = {}
    for place in range(rows):
        row = {"externalId": f"E1{place + 1:04}", "lat": "47.38", "lon": "8.5", "city": "Zurich"}
        payload = json.dumps({"row": row, "removes": False})
        sent[place + FIRST_LINE] = Item(place, "", row["externalId"], payload, "[]", ItemStatus("under way"))
    found = read_statuses(UploadBatch.model_validate({"id": 7, **record}), sent)
    return [found[place] for place in range(rows)]


def states(told: list[ItemStatus]) -> list[str]:
    return [fate.state for fate in told]


@pytest.mark.parametrize("first", [0, 1, 2], ids=["the first row is 0", "the first row is 1", "the headings are 1"])
def test_row_errors_match_their_rows_in_any_row_numbering(first: int) -> None:
    record = {"uploadStatus": "completed", "criticalNum": 1, "rowErrors": [{**E10002, "rowNo": first + 1}]}
    assert states(fates(record)) == ["done", "failed", "done"]


@pytest.mark.parametrize(
    ("numbers", "became"),
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
    numbers: tuple[int, ...], became: list[str]
) -> None:
    errors = [{**BARE, "row": number} for number in numbers]
    told = fates({"uploadStatus": "DONE", "criticalNum": len(errors), "rowErrors": errors})
    assert states(told) == became
    for fate in told:
        if fate.state != "done":
            assert fate.reasons["externalId"] == "The service has no contact with this ID."
            assert (fate.reasons.get("") == AMBIGUOUS_ROW) == (fate.state == "unknown")


def test_an_error_with_a_text_of_several_rows_leaves_them_unknown() -> None:
    error = {"row": 3, "columnName": "city", "columnValue": "Zurich", "uploadErrorCode": "CITY_UNKNOWN"}
    assert states(fates({"uploadStatus": "DONE", "rowErrors": [error]})) == ["done", "unknown", "unknown"]


def test_rows_after_the_last_listed_error_are_unknown_if_some_errors_are_not_listed() -> None:
    told = fates({"uploadStatus": "DONE", "criticalNum": 2, "rowErrors": [{**E10002, "rowNumber": 3}]}, rows=4)
    assert states(told) == ["done", "failed", "unknown", "unknown"]
    assert "The service lists only the first rows with errors" in told[2].reasons[""]


def test_rows_after_the_last_listed_error_failed_if_the_error_count_includes_all() -> None:
    told = fates({"uploadStatus": "DONE", "criticalNum": 2, "rowErrors": [{**E10002, "rowNumber": 3}]})
    assert states(told) == ["done", "failed", "failed"]
    assert "explains only the first errors" in told[2].reasons[""]


def test_a_completely_failed_upload_has_its_reason_at_each_row() -> None:
    error = {"rowNumber": 1, "columnName": "expireDate", "columnValue": "", "uploadErrorCode": "BATCH_HEADER_NOT_FOUND"}
    told = fates({"uploadStatus": "FAILED", "rowErrors": [error]})
    assert states(told) == ["failed"] * 3
    assert all(f"{ENDED} failed. The service does not recognize the heading" in fate.reasons[""] for fate in told)


@pytest.mark.parametrize(
    ("record", "became"),
    [
        ({"uploadStatus": "CANCELLED", "successNum": 2}, ["unknown"] * 3),
        (
            {"uploadStatus": "FAILED", "withErrorNum": 1, "rowErrors": [{**E10002, "rowNumber": 3}]},
            ["unknown", "failed", "unknown"],
        ),
        ({"uploadStatus": "FAILED", "successNum": 0, "criticalNum": 1}, ["failed"] * 3),
        ({"uploadStatus": "DONE", "successNum": 0, "withErrorNum": 0, "criticalNum": 0}, ["unknown"] * 3),
        ({"uploadStatus": "DONE", "successNum": 3}, ["done"] * 3),
        ({"uploadStatus": "DONE", "criticalNum": 1, "rowErrors": [{**BARE, "row": 9}]}, ["unknown"] * 3),
        ({"uploadStatus": "DONE", "rowErrors": [BARE]}, ["unknown"] * 3),
    ],
    ids=[
        "cut off after some",
        "cut off with a row of its own error",
        "nothing of it",
        "counts that know no row",
        "counts that know all",
        "an error of no row",
        "an error without a row",
    ],
)
def test_rows_without_evidence_from_the_service_are_unknown(record: dict[str, Any], became: list[str]) -> None:
    told = fates(record)
    assert states(told) == became
    if became[0] == "unknown":
        assert f"{ENDED} {record['uploadStatus'].lower()}" in told[0].reasons[""]
        assert ("counts 2 rows as stored" in told[0].reasons[""]) == (record.get("successNum") == 2)


def test_a_row_stored_without_its_invalid_coordinate_is_done_with_a_note() -> None:
    error = {"rowNumber": 2, "columnName": "lat", "columnValue": "47.38", "uploadErrorCode": "LAT_RANGE_INVALID"}
    [told] = fates({"uploadStatus": "DONE", "withErrorNum": 1, "rowErrors": [error]}, rows=1)
    assert told.state == "done"
    assert "Stored without the invalid values." in told.reasons[""]
