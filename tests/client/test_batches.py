"""Batches by row: nothing lost, nothing repeated, nothing guessed."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client import BatchOutcome, ConnectionFailed, Invalid, NotAuthenticated, OutcomeUnknown, ServiceError
from client.batches import (
    BatchAnswer,
    Tally,
    chunks,
    match_created,
    match_deleted,
    read_batch_answer,
    send_in_chunks,
)

EMPTY = "Field pnr is empty."


@given(rows=st.lists(st.integers()), size=st.integers(1, 10))
def test_splitting_into_chunks_neither_loses_repeats_nor_reorders(rows: list[int], size: int) -> None:
    pieces = chunks(rows, size)
    assert [row for piece in pieces for row in piece] == rows
    assert all(1 <= len(piece) <= size for piece in pieces)
    assert all(len(piece) == size for piece in pieces[:-1])


def match_response(body: Any, rows: int) -> BatchOutcome:
    tally = Tally()
    match_created(tally, range(rows), read_batch_answer(json.dumps(body).encode()))
    return tally.outcome()


def summarize(outcome: BatchOutcome) -> dict[str, Any]:
    return {
        "succeeded": {success.row: success.id for success in outcome.succeeded},
        "failed": {failure.row: failure.message for failure in outcome.failed},
        "unknown": outcome.unknown,
    }


@pytest.mark.parametrize(
    ("body", "rows", "succeeded", "failed", "unknown"),
    [
        ({"message": "OK", "code": 100, "data": ["7", "8"]}, 2, {0: 7, 1: 8}, {}, []),
        ({"message": "OK", "code": "100", "data": [7, 2**63]}, 2, {0: 7, 1: 2**63}, {}, []),
        ({"message": "OK", "code": 200, "data": ["7", EMPTY, "9"]}, 3, {0: 7, 2: 9}, {1: EMPTY}, []),
        ({"message": "OK", "code": 300, "data": [EMPTY, EMPTY]}, 2, {}, {0: EMPTY, 1: EMPTY}, []),
        # All succeeded, although the IDs are missing.
        ({"message": "OK", "code": 100}, 2, {0: None, 1: None}, {}, []),
        ({"message": "OK", "code": 100, "data": ["7"]}, 2, {0: None, 1: None}, {}, []),
        # All failed, with one reason for all.
        ({"message": "OK", "code": 300, "data": [EMPTY]}, 2, {}, {0: EMPTY, 1: EMPTY}, []),
        ({"message": "No permission", "code": 300}, 2, {}, {0: "No permission", 1: "No permission"}, []),
        # Some failed, but the response does not say which.
        ({"message": "OK", "code": 200, "data": ["7"]}, 2, {}, {}, [0, 1]),
        ({"message": "OK", "code": 200, "data": [EMPTY]}, 3, {}, {}, [0, 1, 2]),
        ({"message": "OK", "code": 200, "data": ["7", "8", "9"]}, 2, {}, {}, [0, 1]),
        ({"message": "OK", "code": 200}, 1, {}, {}, [0]),
        # The code and the data contradict each other.
        ({"message": "OK", "code": 300, "data": ["7", EMPTY]}, 2, {}, {1: EMPTY}, [0]),
        ({"message": "OK", "code": 100, "data": ["7", ""]}, 2, {}, {}, [0, 1]),
        ({"message": "OK", "code": 100, "data": ["7", EMPTY]}, 2, {0: 7}, {1: EMPTY}, []),
        # One modification result for the whole batch.
        ({"message": "OK", "id": "7", "baseUri": "x", "instanceUri": "y"}, 1, {0: 7}, {}, []),
        ({"message": "OK", "id": 7}, 3, {}, {}, [0, 1, 2]),
        # Bare data.
        (["7", EMPTY], 2, {0: 7}, {1: EMPTY}, []),
    ],
)
def test_the_response_to_a_batch_add_is_matched_to_rows(
    body: Any, rows: int, succeeded: dict[int, int], failed: dict[int, str], unknown: list[int]
) -> None:
    assert summarize(match_response(body, rows)) == {"succeeded": succeeded, "failed": failed, "unknown": unknown}


@pytest.mark.parametrize(
    ("body", "succeeded", "failed", "unknown"),
    [
        ({"message": "OK", "code": 100}, [0, 1], {}, []),
        ({"message": "OK", "code": 200, "data": ["12: Not found."]}, [0], {1: "Not found."}, []),
        ({"message": "OK", "code": "200", "data": [" 12 : Not found. "]}, [0], {1: "Not found."}, []),
        (
            {"message": "OK", "code": 300, "data": ["11: Not found.", "12: Not found."]},
            [],
            {0: "Not found.", 1: "Not found."},
            [],
        ),
        ({"message": "Failed", "code": 300}, [], {0: "Failed", 1: "Failed"}, []),
        ({"message": "Failed", "code": 300, "data": ["11: Not found."]}, [], {0: "Not found.", 1: "Failed"}, []),
        ({"message": "OK", "code": 200}, [], {}, [0, 1]),
        ({"message": "OK", "code": 200, "data": ["one was not found"]}, [], {}, [0, 1]),
        ({"message": "OK", "code": 200, "data": ["11: Not found.", "99: Not found."]}, [], {0: "Not found."}, [1]),
        ({"message": "OK", "code": 100, "data": ["12: Not found."]}, [0], {1: "Not found."}, []),
        ({"message": "OK", "id": 11}, [], {}, [0, 1]),
    ],
)
def test_the_response_to_a_batch_delete_is_matched_to_ids(
    body: Any, succeeded: list[int], failed: dict[int, str], unknown: list[int]
) -> None:
    tally = Tally()
    match_deleted(tally, [0, 1], read_batch_answer(json.dumps(body).encode()), ids=[11, 12])
    assert summarize(tally.outcome()) == {
        "succeeded": {row: [11, 12][row] for row in succeeded},
        "failed": failed,
        "unknown": unknown,
    }


@pytest.mark.parametrize("body", [{"code": 401, "message": "Unauthorized"}, {"message": "no"}, {}, "OK", {"code": 150}])
def test_a_response_that_is_not_a_batch_result_is_refused(body: Any) -> None:
    with pytest.raises(ValueError):
        read_batch_answer(json.dumps(body).encode())


def send_rows(rows: int, size: int, answers: Sequence[ServiceError | None]) -> tuple[BatchOutcome, list[list[int]]]:
    """Send rows in chunks to a service that returns these errors, with None for a success."""
    pieces: list[list[int]] = []

    def send(piece: Sequence[int]) -> BatchAnswer:
        pieces.append(list(piece))
        error = answers[len(pieces) - 1]
        if error is not None:
            raise error
        return BatchAnswer(code=100, data=[str(row + 1000) for row in piece])

    tally = Tally()
    send_in_chunks(range(rows), size, send=send, match=match_created, tally=tally)
    return tally.outcome(), pieces


def test_a_lost_response_leaves_its_rows_unknown_and_stops_the_batch() -> None:
    unknown = OutcomeUnknown("lost")
    outcome, pieces = send_rows(7, 2, [None, unknown])
    assert pieces == [[0, 1], [2, 3]]
    assert [success.row for success in outcome.succeeded] == [0, 1]
    assert outcome.unknown == [2, 3]
    assert outcome.not_attempted == [4, 5, 6]
    assert outcome.stopped_by is unknown
    assert not outcome.is_complete


def test_a_lost_first_response_is_also_an_outcome() -> None:
    outcome, _ = send_rows(3, 2, [OutcomeUnknown("lost")])
    assert (outcome.unknown, outcome.not_attempted) == ([0, 1], [2])


@pytest.mark.parametrize("error", [ConnectionFailed("", sent=False), NotAuthenticated("")])
def test_an_error_before_any_change_is_raised(error: ServiceError) -> None:
    with pytest.raises(type(error)):
        send_rows(3, 2, [error])


@pytest.mark.parametrize("error", [ConnectionFailed("", sent=False), NotAuthenticated("")])
def test_a_later_error_leaves_the_rest_not_attempted(error: ServiceError) -> None:
    outcome, _ = send_rows(5, 2, [None, error])
    assert [success.row for success in outcome.succeeded] == [0, 1]
    assert outcome.not_attempted == [2, 3, 4]
    assert outcome.stopped_by is error


def test_a_refused_chunk_has_failed() -> None:
    outcome, _ = send_rows(5, 2, [None, Invalid("too big")])
    assert [(failure.row, failure.message) for failure in outcome.failed] == [(2, "too big"), (3, "too big")]
    assert outcome.not_attempted == [4]


@given(rows=st.integers(0, 40), size=st.integers(1, 9), failing=st.integers(1, 10))
def test_every_row_is_in_exactly_one_list(rows: int, size: int, failing: int) -> None:
    answers: list[ServiceError | None] = [None] * 50
    answers[failing] = OutcomeUnknown("lost")
    outcome, pieces = send_rows(rows, size, answers)
    everywhere = [success.row for success in outcome.succeeded] + outcome.unknown + outcome.not_attempted
    assert sorted(everywhere) == list(range(rows))
    assert outcome.total == rows
    sent_rows = [row for piece in pieces for row in piece]
    assert sent_rows == list(range(len(sent_rows)))
    assert all(success.id == success.row + 1000 for success in outcome.succeeded)
