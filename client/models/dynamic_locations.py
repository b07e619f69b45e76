"""Dynamic locations: the status and results of an uploaded file."""

from typing import Annotated, Any

from pydantic import AliasChoices, BeforeValidator, Field

from ..vocabulary.dynamic_locations import ENDED_STATUSES, FAILED_STATUSES, RUNNING_STATUSES
from .base import AnswerModel, AnyId, LenientBool, LenientCount, LenientText, RecordModel


def _rows(value: Any) -> Any:
    if value is None:
        return []
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else value


class RowError(AnswerModel):
    """An error in one row of the file. Rows are counted as the service counts them."""

    row: LenientCount = Field(
        default=None, validation_alias=AliasChoices("row", "rowNumber", "rowNo", "lineNumber", "rowNum", "line")
    )
    column_name: LenientText = None
    column_value: LenientText = None
    upload_error_code: LenientText = None


class UploadBatch(RecordModel):
    """An uploaded file with its status at the service."""

    id: AnyId | None = None
    file_name: LenientText = None
    file_size: LenientCount = None
    upload_status: LenientText = None
    success_num: LenientCount = None
    with_error_num: LenientCount = None
    critical_num: LenientCount = None
    geo_success_num: LenientCount = None
    geo_fail_num: LenientCount = None
    geocoding_type: LenientText = None
    chunking: LenientBool = None
    source: LenientText = None
    row_errors: Annotated[list[RowError], BeforeValidator(_rows)] = Field(
        default_factory=list,
        validation_alias=AliasChoices("rowErrors", "uploadErrors", "errorRows", "errors", "uploadBatchErrors"),
    )

    @property
    def counts(self) -> tuple[int, ...]:
        """The counts that change while the service processes the file; 0 if absent."""
        numbers = (
            self.success_num,
            self.with_error_num,
            self.critical_num,
            self.geo_success_num,
            self.geo_fail_num,
        )
        return tuple(number or 0 for number in numbers)

    @property
    def has_ended(self) -> bool:
        """Whether the status is final."""
        return _word(self) in _lowered(ENDED_STATUSES)

    @property
    def has_failed(self) -> bool:
        """Whether processing ended early."""
        return _word(self) in _lowered(FAILED_STATUSES)


def is_running(batch: UploadBatch, previous: UploadBatch | None = None) -> bool:
    """Return whether the service is still processing a batch, by this reading and the previous one.

    Statuses are compared without regard to case. An unknown or missing status means running only while the counts
    change. A first reading without a known status counts as running.
    """
    if batch.has_ended:
        return False
    if _word(batch) in _lowered(RUNNING_STATUSES):
        return True
    return previous is None or previous.counts != batch.counts


def _word(batch: UploadBatch) -> str:
    return (batch.upload_status or "").strip().casefold()


def _lowered(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word.casefold() for word in words)
