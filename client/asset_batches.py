"""Match the answer to a batch of assets to the rows that were sent, without guessing."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from .batches import Tally
from .errors import FieldError
from .models.assets import (
    AssetBatchAnswer,
    AssetBatchOutcome,
    AssetError,
    AssetFailure,
    AssetSuccess,
    IndividualResponse,
)
from .models.results import BatchFailure, BatchSuccess


def read_asset_answer(content: bytes) -> AssetBatchAnswer:
    """Read the answer to a batch of assets. Raises ValueError if it is not one, such as a bare error."""
    data = json.loads(content)
    if isinstance(data, list):
        data = {"individualResponses": data}
    answer = AssetBatchAnswer.model_validate(data)
    if answer.individual_responses is None and not _is_done(answer):
        raise ValueError("the response says nothing about its rows")
    return answer


@dataclass(slots=True)
class AssetTally(Tally):
    """The rows of a batch of assets, by result."""

    ids: dict[int, str] = field(default_factory=dict)
    reasons: dict[int, list[FieldError]] = field(default_factory=dict)

    def assets_outcome(self, originals: dict[int, int] | None = None) -> AssetBatchOutcome:
        """Return all rows in order, by result. `originals` maps each row that repeats another to the row that was
        sent.
        """
        if originals is not None:
            self.repeat_for(originals)
        whole = self.outcome()
        first = originals or {}
        return AssetBatchOutcome(
            succeeded=[
                AssetSuccess(success.row, self.ids.get(first.get(success.row, success.row)))
                for success in whole.succeeded
            ],
            failed=[
                AssetFailure(
                    failure.row,
                    failure.message,
                    self.reasons.get(first.get(failure.row, failure.row), []),
                    failure.sent,
                )
                for failure in whole.failed
            ],
            unknown=whole.unknown,
            not_attempted=whole.not_attempted,
            stopped_by=whole.stopped_by,
        )


def match_assets(
    tally: AssetTally, rows: Sequence[int], answer: AssetBatchAnswer, ids: Sequence[str | None] | None = None
) -> None:
    """Match an answer to its rows. `ids` has one entry per row, and is None for creates, whose rows have no ID yet.

    If every ID in the answer is one that was sent, responses are matched by ID. Otherwise they are matched by position
    if there are as many as rows. Rows that cannot be matched are unknown. If the answer as a whole reports an error,
    rows without an error of their own are unknown too.
    """
    responses = answer.individual_responses or []
    if not responses:
        if _is_done(answer):
            tally.succeeded.extend(BatchSuccess(row, None) for row in rows)
            if ids is not None:
                tally.ids |= {row: str(ids[row]) for row in rows}
        else:
            tally.unknown.extend(rows)
        return
    by_row = _by_row(rows, responses, ids)
    for row in rows:
        response = by_row.get(row)
        if response is not None and response.errors:
            tally.failed.append(BatchFailure(row, join_messages(response.errors)))
            tally.reasons[row] = field_errors(response.errors)
        elif response is None or answer.errors or (answer.status or 0) >= 400:
            tally.unknown.append(row)
        else:
            tally.succeeded.append(BatchSuccess(row, None))
            known = response.id or (None if ids is None else ids[row])
            if known is not None:
                tally.ids[row] = known


def _by_row(
    rows: Sequence[int], responses: Sequence[IndividualResponse], ids: Sequence[str | None] | None
) -> dict[int, IndividualResponse]:
    named = [response.id or None for response in responses]
    if ids is not None and all(named):
        row_of = {ids[row]: row for row in rows}
        if len(set(named)) == len(named) and all(name in row_of for name in named):
            return {row_of[response.id]: response for response in responses}
        return {}
    if len(responses) != len(rows):
        return {}
    if ids is not None and any(
        response.id and response.id != ids[row] for row, response in zip(rows, responses, strict=True)
    ):
        return {}
    return dict(zip(rows, responses, strict=True))


def join_messages(errors: Sequence[AssetError]) -> str:
    """Return what is wrong with a row, in one line."""
    words = []
    for error in errors:
        text = error.message or (f"error {error.code}" if error.code else "rejected without a reason")
        words.append(f"{error.field}: {text}" if error.field and error.field not in text else text)
    return "; ".join(words)


def field_errors(errors: Sequence[AssetError]) -> list[FieldError]:
    """Return the errors that name a field."""
    return [
        FieldError(error.field, error.message or (f"error {error.code}" if error.code else "is not valid"))
        for error in errors
        if error.field
    ]


def _is_done(answer: AssetBatchAnswer) -> bool:
    """Return whether an answer without individual responses says that all rows were done."""
    says_so = answer.status in (200, 201) or (answer.message or "").strip().casefold() in ("ok", "success")
    return says_so and not answer.errors
