"""Split rows into batch calls, and match the answers to the rows without guessing."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator

from .errors import Invalid, OutcomeUnknown, ServiceError, UndecodableAnswer
from .models.base import AnswerModel, LenientCount, LenientText, OptionalId
from .models.results import BatchFailure, BatchOutcome, BatchSuccess
from .unwrapping import answered, is_fine
from .vocabulary.itineraries import ALL_FAILED, ALL_SUCCEEDED, BATCH_CODES, PARTLY_SUCCEEDED

T = TypeVar("T")
A = TypeVar("A")

_ID = re.compile(r"\d+")
_FAILED_ID = re.compile(r"\s*(\d+)\s*:\s*(.*\S)\s*", re.DOTALL)


def _texts(value: Any) -> list[str] | None:
    """Return the elements of `data` as strings. Services also send IDs as numbers."""
    if value is None:
        return None
    return [_text(entry) for entry in (value if isinstance(value, list) else [value])]


def _text(entry: Any) -> str:
    if isinstance(entry, str):
        return entry.strip()
    if isinstance(entry, dict):
        entry = entry.get("id") or entry.get("message") or entry
    return entry if isinstance(entry, str) else json.dumps(entry)


class BatchAnswer(AnswerModel):
    """The answer to a batch add or delete. A single modification result has an ID and no code."""

    message: LenientText = None
    code: LenientCount = None
    data: Annotated[list[str] | None, BeforeValidator(_texts)] = None
    id: OptionalId = None


def read_batch_answer(content: bytes) -> BatchAnswer:
    """Read the answer to a batch. Raises ValueError if it is not one, such as an error under HTTP 200."""
    if content.lstrip()[:1] == b"[":
        return BatchAnswer.model_validate({"data": json.loads(content)})
    answer = BatchAnswer.model_validate_json(content)
    if answer.code in BATCH_CODES:
        return answer
    answered(content)
    if answer.code is not None or not (is_fine(answer.message) or answer.id is not None):
        raise ValueError("the response is not a batch result")
    return answer


@dataclass(slots=True)
class Tally:
    """The rows of a batch, by result."""

    succeeded: list[BatchSuccess] = field(default_factory=list)
    failed: list[BatchFailure] = field(default_factory=list)
    unknown: list[int] = field(default_factory=list)
    not_attempted: list[int] = field(default_factory=list)
    stopped_by: ServiceError | None = None

    def repeat_for(self, originals: Mapping[int, int]) -> None:
        """Give each repeated row the result of the row that was sent. `originals` maps every row to the row that was
        sent.
        """
        copies: dict[int, list[int]] = {}
        for row, original in originals.items():
            if row != original:
                copies.setdefault(original, []).append(row)
        for success in list(self.succeeded):
            self.succeeded.extend(replace(success, row=row) for row in copies.get(success.row, []))
        for failure in list(self.failed):
            self.failed.extend(replace(failure, row=row) for row in copies.get(failure.row, []))
        for rows in (self.unknown, self.not_attempted):
            rows.extend(row for original in list(rows) for row in copies.get(original, []))

    def outcome(self) -> BatchOutcome:
        """Return all rows in order, by result."""
        return BatchOutcome(
            succeeded=sorted(self.succeeded, key=lambda success: success.row),
            failed=sorted(self.failed, key=lambda failure: failure.row),
            unknown=sorted(self.unknown),
            not_attempted=sorted(self.not_attempted),
            stopped_by=self.stopped_by,
        )


def chunks(rows: Sequence[T], size: int) -> list[Sequence[T]]:
    """Yield the rows in order, in chunks of at most `size`."""
    if size < 1:
        raise ValueError("a chunk holds at least 1 row")
    return [rows[start : start + size] for start in range(0, len(rows), size)]


Y = TypeVar("Y", bound=Tally)


def send_in_chunks(
    rows: Sequence[int],
    size: int,
    *,
    send: Callable[[Sequence[int]], A],
    match: Callable[[Y, Sequence[int], A], None],
    tally: Y,
) -> None:
    """Send the rows chunk by chunk and collect the results.

    The first chunk without a usable answer ends the batch; the rows after it are not attempted. An error before
    anything was done is raised. A lost answer or a later error is part of the outcome.
    """
    pieces = chunks(rows, size)
    for position, piece in enumerate(pieces):
        try:
            answer = send(piece)
        except (OutcomeUnknown, UndecodableAnswer) as error:
            tally.unknown.extend(piece)
            tally.stopped_by = error
        except ServiceError as error:
            if position == 0:
                raise
            if isinstance(error, Invalid):
                tally.failed.extend(BatchFailure(row, error.message) for row in piece)
            else:
                tally.not_attempted.extend(piece)
            tally.stopped_by = error
        else:
            match(tally, piece, answer)
            continue
        for later in pieces[position + 1 :]:
            tally.not_attempted.extend(later)
        return


def match_created(tally: Tally, rows: Sequence[int], answer: BatchAnswer) -> None:
    """Match the answer to a batch add. `data` holds one ID or failure message per row, in order.

    If `data` does not fit the rows, only what the code says about all rows counts, and the remaining rows are unknown.
    """
    data = answer.data
    if data is not None and len(data) == len(rows) and not _contradicts(answer):
        for row, text in zip(rows, data, strict=True):
            if _ID.fullmatch(text) and answer.code == ALL_FAILED:
                tally.unknown.append(row)
            elif _ID.fullmatch(text):
                tally.succeeded.append(BatchSuccess(row, int(text)))
            else:
                tally.failed.append(BatchFailure(row, text or answer.message or "The service gave no reason."))
    elif answer.code == ALL_SUCCEEDED and not any(not _ID.fullmatch(text) for text in data or []):
        tally.succeeded.extend(BatchSuccess(row, None) for row in rows)
    elif answer.code == ALL_FAILED and not any(_ID.fullmatch(text) for text in data or []):
        reason = "; ".join(dict.fromkeys(data or [])) or answer.message or "The service gave no reason."
        tally.failed.extend(BatchFailure(row, reason) for row in rows)
    elif answer.code is None and data is None and len(rows) == 1:
        tally.succeeded.append(BatchSuccess(rows[0], answer.id))
    else:
        # ASSUMPTION A45
        tally.unknown.extend(rows)


def match_deleted(tally: Tally, rows: Sequence[int], answer: BatchAnswer, ids: Sequence[int]) -> None:
    """Match the answer to a batch delete. `data` names the IDs that failed: `<id>: Not found.` `ids` has one entry
    per row.
    """
    reasons: dict[int, str] = {}
    unmatched = False
    for text in answer.data or []:
        found = _FAILED_ID.fullmatch(text)
        if found and any(ids[row] == int(found[1]) for row in rows):
            reasons[int(found[1])] = found[2]
        else:
            unmatched = True
    nothing_said = not reasons and not unmatched
    tells_apart = not unmatched and not (
        nothing_said and (answer.code == PARTLY_SUCCEEDED or (answer.code is None and len(rows) > 1))
    )
    for row in rows:
        if ids[row] in reasons:
            tally.failed.append(BatchFailure(row, reasons[ids[row]]))
        elif answer.code == ALL_FAILED:
            tally.failed.append(BatchFailure(row, answer.message or "The service gave no reason."))
        elif tells_apart:
            tally.succeeded.append(BatchSuccess(row, ids[row]))
        else:
            tally.unknown.append(row)


def _contradicts(answer: BatchAnswer) -> bool:
    """Return whether `data` has an empty text although the code says that all rows were done. Then rows cannot be
    told apart.
    """
    return answer.code == ALL_SUCCEEDED and any(not text for text in answer.data or [])
