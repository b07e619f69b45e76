"""The results of calls that change something: single modifications, and batches by rows."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .base import AnswerModel, AnyId, Id, LenientText, OptionalId

if TYPE_CHECKING:
    from ..errors import ServiceError


class ModificationResult(AnswerModel):
    """The answer to a single create, update, or delete (interface: Modification result).

    The URIs are for display only: they are unreliable and never followed.
    """

    message: LenientText = None
    id: Id
    base_uri: LenientText = None
    instance_uri: LenientText = None


class CreationResult(AnswerModel):
    """The answer to a create that may not name the new record. `id` is None if it does not."""

    message: LenientText = None
    id: OptionalId = None
    base_uri: LenientText = None
    instance_uri: LenientText = None


class UploadReceipt(AnswerModel):
    """The answer to an upload, or to its removal: the ID, a number or a string; None if the answer has none."""

    message: LenientText = None
    id: AnyId | None = None
    base_uri: LenientText = None
    instance_uri: LenientText = None


@dataclass(frozen=True, slots=True)
class BatchSuccess:
    """A row that was done. `id` is None if the answer does not name it."""

    row: int
    id: int | None


@dataclass(frozen=True, slots=True)
class BatchFailure:
    """A row that was refused, with the reason. `sent` is False if the client refused it before sending."""

    row: int
    message: str
    sent: bool = True


@dataclass(frozen=True, slots=True)
class BatchOutcome:
    """The result of each row of a batch, by its position in the input. Every row is in exactly one list.

    `unknown` holds rows that may or may not have been done: check before sending them again. `not_attempted` holds rows
    that were not sent because the batch stopped before them; `stopped_by` says why.
    """

    succeeded: list[BatchSuccess] = field(default_factory=list)
    failed: list[BatchFailure] = field(default_factory=list)
    unknown: list[int] = field(default_factory=list)
    not_attempted: list[int] = field(default_factory=list)
    stopped_by: "ServiceError | None" = None

    @property
    def total(self) -> int:
        """The number of rows in the input."""
        return len(self.succeeded) + len(self.failed) + len(self.unknown) + len(self.not_attempted)

    @property
    def is_complete(self) -> bool:
        """Whether every row was done."""
        return len(self.succeeded) == self.total
