"""What a call that changes something answers: one modification, or a batch by rows."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .base import AnswerModel, AnyId, Id, LenientText, OptionalId

if TYPE_CHECKING:
    from ..errors import ServiceError


class ModificationResult(AnswerModel):
    """The answer to a single create, update or delete (interface: Modification result).

    The URIs are kept as they came, for display only: they are unreliable and never followed.
    """

    message: LenientText = None
    id: Id
    base_uri: LenientText = None
    instance_uri: LenientText = None


class CreationResult(AnswerModel):
    """The answer to a create that may not name the new record: `id` is None where it does not."""

    message: LenientText = None
    id: OptionalId = None
    base_uri: LenientText = None
    instance_uri: LenientText = None


class UploadReceipt(AnswerModel):
    """The answer to an upload, or to what takes one back: its id, a number or a text, None where it does not say."""

    message: LenientText = None
    id: AnyId | None = None
    base_uri: LenientText = None
    instance_uri: LenientText = None


@dataclass(frozen=True, slots=True)
class BatchSuccess:
    """A row that was done. `id` is None where the answer does not name it."""

    row: int
    id: int | None


@dataclass(frozen=True, slots=True)
class BatchFailure:
    """A row that was refused, and why. `sent` is False where this client refused it before sending."""

    row: int
    message: str
    sent: bool = True


@dataclass(frozen=True, slots=True)
class BatchOutcome:
    """What became of each row of a batch, by its position in what was handed in; every row is in exactly one list.

    `unknown` holds rows that may or may not have been done: look before sending them again.
    `not_attempted` holds rows that were never carried out because the batch stopped before; `stopped_by` says why.
    """

    succeeded: list[BatchSuccess] = field(default_factory=list)
    failed: list[BatchFailure] = field(default_factory=list)
    unknown: list[int] = field(default_factory=list)
    not_attempted: list[int] = field(default_factory=list)
    stopped_by: "ServiceError | None" = None

    @property
    def total(self) -> int:
        """How many rows were handed in."""
        return len(self.succeeded) + len(self.failed) + len(self.unknown) + len(self.not_attempted)

    @property
    def is_complete(self) -> bool:
        """Whether every row was done."""
        return len(self.succeeded) == self.total
