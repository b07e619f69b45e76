"""Assets as they arrive, and the batch asset response."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Annotated, Any

from pydantic import AfterValidator, Field, StrictStr, ValidationError, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from client.vocabulary.assets import LENGTHS
from service.assets.geometry import GeometryError, read_extent
from service.field_types import PlainText
from service.refusals import RefusalError
from service.request_body import Batch, ErrorDetails, RequestModel, wire_path
from service.responses import ResponseModel

MOST_ROWS = 1000
# The years 1 to 9999 in epoch milliseconds.
EARLIEST, LATEST = -62_135_596_800_000, 253_402_300_799_999


class Code(IntEnum):
    """What can be wrong with a field."""

    # ASSUMPTION A136: the numbers; the interface shows only that there are codes.
    REQUIRED = 1001
    TOO_LONG = 1002
    WRONG_TYPE = 1003
    INVALID_GEOMETRY = 1004
    OUT_OF_RANGE = 1005
    DUPLICATE = 1006
    NOT_FOUND = 1007


class AssetError(ResponseModel):
    """What is wrong with a field."""

    code: Code
    field: str
    message: str


class IndividualResponse(ResponseModel):
    """The result of one row: its ID, empty if a new asset was refused, and its errors."""

    id: str
    errors: Sequence[AssetError] = ()


class BatchResponse(ResponseModel):
    """The batch asset response: one individual response per row, in order."""

    status: int
    message: str
    errors: Sequence[AssetError] = ()
    individual_responses: list[IndividualResponse]

    @classmethod
    def of(cls, results: list[IndividualResponse]) -> BatchResponse:
        """Return the response for the results of the rows."""
        # ASSUMPTION A138: `status` is 200 when all rows succeeded, 207 when some did, 400 when none did.
        failures = sum(bool(result.errors) for result in results)
        status, message = (200, "OK") if not failures else (207, "Partially succeeded")
        if failures == len(results):
            status, message = 400, "Failed"
        return cls(status=status, message=message, individual_responses=results)


def _not_blank(text: str) -> str:
    if not text.strip():
        raise PydanticCustomError("missing", "is empty")
    return text


def _geometry(text: str | None) -> str | None:
    try:
        if text:
            read_extent(text)
    except GeometryError as error:
        raise PydanticCustomError("geometry", "{why}", {"why": str(error)}) from error
    return text


def _text(path: str) -> Any:
    return Field(default=None, max_length=LENGTHS[path])


Text = PlainText | None
RequiredText = Annotated[PlainText, AfterValidator(_not_blank)]
Moment = Annotated[int, Field(ge=EARLIEST, le=LATEST)] | None


class AssetAddress(RequestModel):
    """The address of an asset."""

    city: Text = _text("address.city")
    country: Text = None
    postal_code: Text = _text("address.postalCode")
    state: Text = _text("address.state")
    street_address1: Text = _text("address.streetAddress1")
    street_address2: Text = _text("address.streetAddress2")


class AssetProperty(RequestModel):
    """A property of an asset. Its value may be anything."""

    name: Text = None
    property_id: Text = None
    value: Any = None


class Asset(RequestModel):
    """An asset to create."""

    # ASSUMPTION A73: an ID in a create, where the interface has none, is ignored, as are unknown fields.
    asset_type_id: RequiredText
    external_id: Annotated[RequiredText, Field(max_length=LENGTHS["externalId"])]
    name: Annotated[RequiredText, Field(max_length=LENGTHS["name"])]
    category: Text = _text("category")
    icon_id: Text = None
    notes: Text = _text("notes")
    geometry: Annotated[Text, AfterValidator(_geometry)] = None
    # ASSUMPTION A137: epoch milliseconds; an end before the start is refused.
    start_timestamp: Moment = None
    end_timestamp: Moment = None
    address: AssetAddress | None = None
    properties: list[AssetProperty] | None = None

    @field_validator("end_timestamp")
    @classmethod
    def _not_before_start(cls, end: int | None, info: ValidationInfo) -> int | None:
        start: int | None = info.data.get("start_timestamp")
        if start is not None and end is not None and end < start:
            raise PydanticCustomError("out_of_range", "is before startTimestamp")
        return end

    @classmethod
    def read(cls, value: Any) -> Any:
        """Read an asset of a batch. Returns a list of `AssetError` if it is invalid."""
        try:
            return cls.model_validate(value)
        except ValidationError as error:
            return [_asset_error(details) for details in error.errors(include_url=False)]

    def to_document(self) -> dict[str, Any]:
        """Return the stored document of the asset."""
        return self.model_dump(by_alias=True, exclude_none=True, exclude={"id"})


class AssetUpdate(Asset):
    """An asset to replace."""

    id: RequiredText


class _AssetBatch(Batch):
    what = "assets"

    @classmethod
    def refusal(cls, errors: Sequence[ErrorDetails]) -> RefusalError:
        """Return a batch asset response without individual responses: no asset was processed."""
        code = {"too_short": Code.REQUIRED, "too_long": Code.OUT_OF_RANGE}.get(errors[0]["type"], Code.WRONG_TYPE)
        message = super().refusal(errors).message
        problem = AssetError(code=code, field="body", message=message)
        body = BatchResponse(status=400, message=message, errors=[problem], individual_responses=[])
        return RefusalError(400, message, body=body.model_dump(by_alias=True))


# ASSUMPTION A140: an empty batch, or one of more than 1,000 rows, is refused as a whole.
_LENGTH = Field(min_length=1, max_length=MOST_ROWS)


class AssetBatch(_AssetBatch):
    """Assets to create. Invalid rows are kept as they came, because each row succeeds or fails by itself."""

    root: Annotated[list[Annotated[Asset | Any, Field(union_mode="left_to_right")]], _LENGTH]


class AssetUpdateBatch(_AssetBatch):
    """Assets to replace."""

    root: Annotated[list[Annotated[AssetUpdate | Any, Field(union_mode="left_to_right")]], _LENGTH]


class AssetIdBatch(_AssetBatch):
    """IDs of assets to delete."""

    what = "string ids"
    root: Annotated[list[StrictStr], _LENGTH]


def _asset_error(details: ErrorDetails) -> AssetError:
    path, kind = wire_path(details["loc"]), details["type"]
    if not path:
        return AssetError(code=Code.WRONG_TYPE, field="", message="An asset is a JSON object.")
    if kind in ("missing", "string_too_short") or details["input"] is None:
        code, words = Code.REQUIRED, "is empty"
    elif kind == "too_long" or kind == "string_too_long":
        code, words = Code.TOO_LONG, f"is longer than {details['ctx']['max_length']} characters"
    elif kind == "geometry":
        code, words = Code.INVALID_GEOMETRY, details["msg"]
    elif kind == "out_of_range":
        code, words = Code.OUT_OF_RANGE, details["msg"]
    elif kind in ("greater_than_equal", "less_than_equal"):
        code, words = Code.OUT_OF_RANGE, "is not a time in epoch milliseconds"
    else:
        what = {"int_type": "a whole number", "list_type": "a list", "model_type": "an object"}.get(kind, "a string")
        code, words = Code.WRONG_TYPE, f"is not {what}"
    return AssetError(code=code, field=path, message=f"Field {path} {words}.")
