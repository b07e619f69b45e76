"""Assets as they are sent in batches, and what became of each row."""

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BeforeValidator, Field

from .base import AnswerModel, LenientCount, LenientText, RequestModel, TextId

if TYPE_CHECKING:
    from ..errors import FieldError, ServiceError

__all__ = [
    "Asset",
    "AssetAddress",
    "AssetBatchOutcome",
    "AssetFailure",
    "AssetProperty",
    "AssetSuccess",
    "parsed_geometry",
]


class AssetAddress(RequestModel):
    """Where an asset is, in words."""

    city: str | None = None
    country: str | None = None
    postal_code: str | None = None
    state: str | None = None
    street_address1: str | None = Field(default=None, alias="streetAddress1")
    street_address2: str | None = Field(default=None, alias="streetAddress2")


class AssetProperty(RequestModel):
    """A further fact of an asset; `value` is any JSON value and is sent as it is."""

    name: str | None = None
    property_id: str | None = None
    value: Any = None

    def to_wire(self) -> dict[str, Any]:
        """This property as it is sent, without a blank name or id; the value stays as it is."""
        wire = {key: text for key, text in (("name", self.name), ("propertyId", self.property_id)) if text}
        return wire | {"value": self.value} if "value" in self.model_fields_set else wire


class Asset(RequestModel):
    """An asset to be created (without `id`) or to take the place of one (with it).

    `geometry` is GeoJSON in a text, longitude before latitude; timestamps are milliseconds since 1970.
    """

    id: str | None = None
    name: str | None = None
    asset_type_id: str | None = None
    category: str | None = None
    external_id: str | None = None
    icon_id: str | None = None
    notes: str | None = None
    geometry: str | None = None
    start_timestamp: int | None = None
    end_timestamp: int | None = None
    address: AssetAddress | None = None
    properties: list[AssetProperty] = Field(default_factory=list)

    def to_wire(self) -> dict[str, Any]:
        """This asset as it is sent, without what is absent or blank; the values of properties stay as they are."""
        wire = super().to_wire()
        if self.properties:
            wire["properties"] = [one.to_wire() for one in self.properties]
        else:
            wire.pop("properties")
        return wire


def parsed_geometry(text: str | None) -> Any:
    """A geometry as data, to be compared: services space its text anew. None for none, or for what is no JSON."""
    try:
        return json.loads(text or "null")
    except (ValueError, RecursionError):
        return None


@dataclass(frozen=True, slots=True)
class AssetSuccess:
    """A row that was done. `id` is None where the answer does not name it."""

    row: int
    id: str | None


@dataclass(frozen=True, slots=True)
class AssetFailure:
    """A row that was refused, why, and by which field. `sent` is False where this client refused it before sending."""

    row: int
    message: str
    field_errors: "list[FieldError]" = field(default_factory=list)
    sent: bool = True


@dataclass(frozen=True, slots=True)
class AssetBatchOutcome:
    """What became of each row of a batch, by its position in what was handed in; every row is in exactly one list.

    `unknown` holds rows that may or may not have been done, or of which the answer does not tell.
    `not_attempted` holds rows that were never carried out because the batch stopped before; `stopped_by` says why.
    """

    succeeded: list[AssetSuccess] = field(default_factory=list)
    failed: list[AssetFailure] = field(default_factory=list)
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


def _errors(value: Any) -> Any:
    """A list of errors, whether one or none was given."""
    if value is None or value == "":
        return []
    entries = value if isinstance(value, list) else [value]
    return [entry if isinstance(entry, dict) else {"message": str(entry)} for entry in entries]


class AssetError(AnswerModel):
    """What is wrong with a request or a row."""

    code: LenientText = None
    field: LenientText = None
    message: LenientText = None


class IndividualResponse(AnswerModel):
    """What became of one row."""

    id: TextId | None = None
    errors: Annotated[list[AssetError], BeforeValidator(_errors)] = Field(default_factory=list)


class AssetBatchAnswer(AnswerModel):
    """The answer to a batch of assets."""

    status: LenientCount = None
    message: LenientText = None
    errors: Annotated[list[AssetError], BeforeValidator(_errors)] = Field(default_factory=list)
    individual_responses: list[IndividualResponse] | None = None
