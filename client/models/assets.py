"""Assets as they are sent in batches, and the results of the rows."""

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BeforeValidator, Field

from .base import AnswerModel, LenientCount, LenientText, Milliseconds, RequestModel, TextId

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
    """The address of an asset."""

    city: str | None = None
    country: str | None = None
    postal_code: str | None = None
    state: str | None = None
    street_address1: str | None = Field(default=None, alias="streetAddress1")
    street_address2: str | None = Field(default=None, alias="streetAddress2")


class AssetProperty(RequestModel):
    """A further attribute of an asset. `value` is any JSON value and is sent unchanged."""

    name: str | None = None
    property_id: str | None = None
    value: Any = None

    def to_wire(self) -> dict[str, Any]:
        """Return the payload of this property, without a blank name or ID. The value stays unchanged."""
        payload = {key: text for key, text in (("name", self.name), ("propertyId", self.property_id)) if text}
        return payload | {"value": self.value} if "value" in self.model_fields_set else payload


class Asset(RequestModel):
    """An asset to create (without `id`) or to replace (with `id`).

    `geometry` is GeoJSON as text, longitude before latitude. Timestamps are milliseconds since 1970. A
    `datetime` or a `Timestamp` of pandas with a zone becomes one.
    """

    id: str | None = None
    name: str | None = None
    asset_type_id: str | None = None
    category: str | None = None
    external_id: str | None = None
    icon_id: str | None = None
    notes: str | None = None
    geometry: str | None = None
    start_timestamp: Milliseconds = None
    end_timestamp: Milliseconds = None
    address: AssetAddress | None = None
    properties: list[AssetProperty] = Field(default_factory=list)

    def to_wire(self) -> dict[str, Any]:
        """Return the payload of this asset, without absent or blank fields. Property values stay unchanged."""
        payload = super().to_wire()
        if self.properties:
            payload["properties"] = [one.to_wire() for one in self.properties]
        else:
            payload.pop("properties")
        return payload


def parsed_geometry(text: str | None) -> Any:
    """Return a geometry as data, for comparison: services change the spacing of its text. None if it is absent or
    not JSON.
    """
    try:
        return json.loads(text or "null")
    except (ValueError, RecursionError):
        return None


@dataclass(frozen=True, slots=True)
class AssetSuccess:
    """A row that was done. `id` is None if the answer does not name it."""

    row: int
    id: str | None


@dataclass(frozen=True, slots=True)
class AssetFailure:
    """A row that was refused, with the reason and the fields. `sent` is False if the client refused it before
    sending.
    """

    row: int
    message: str
    field_errors: "list[FieldError]" = field(default_factory=list)
    sent: bool = True


@dataclass(frozen=True, slots=True)
class AssetBatchOutcome:
    """The result of each row of a batch, by its position in the input. Every row is in exactly one list.

    `unknown` holds rows that may or may not have been done, or that the answer does not mention. `not_attempted` holds
    rows that were not sent because the batch stopped before them; `stopped_by` says why.
    """

    succeeded: list[AssetSuccess] = field(default_factory=list)
    failed: list[AssetFailure] = field(default_factory=list)
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


def _errors(value: Any) -> Any:
    """Return a list of errors for one error, several, or none."""
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
    """The result of one row."""

    id: TextId | None = None
    errors: Annotated[list[AssetError], BeforeValidator(_errors)] = Field(default_factory=list)


class AssetBatchAnswer(AnswerModel):
    """The answer to a batch of assets."""

    status: LenientCount = None
    message: LenientText = None
    errors: Annotated[list[AssetError], BeforeValidator(_errors)] = Field(default_factory=list)
    individual_responses: list[IndividualResponse] | None = None
