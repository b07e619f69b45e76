"""What makes an asset acceptable, field by field, and the error entries of a batch answer (Asset)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from client.vocabulary.assets import LENGTHS, REQUIRED
from service.assets.geometry import GeometryError, read_extent
from service.errors import RefusalError


class Code(IntEnum):
    """What can be wrong with a field."""

    # ASSUMPTION A136: the numbers; the interface shows only that there is one.
    REQUIRED = 1001
    TOO_LONG = 1002
    WRONG_TYPE = 1003
    INVALID_GEOMETRY = 1004
    OUT_OF_RANGE = 1005
    DUPLICATE = 1006
    NOT_FOUND = 1007


FieldErrors = list[dict[str, Any]]

# The years 1 to 9999 in epoch milliseconds.
EARLIEST, LATEST = -62_135_596_800_000, 253_402_300_799_999

_TEXTS = ("name", "assetTypeId", "category", "externalId", "iconId", "notes")
_ADDRESS_TEXTS = ("city", "country", "postalCode", "state", "streetAddress1", "streetAddress2")


class BatchRefusedError(RefusalError):
    """A request no asset of which was looked at: 400 in the shape of a batch asset response."""

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(400, message)
        self.code = code

    def body(self) -> dict[str, Any]:
        """A batch asset response without individual responses."""
        errors = [error_entry(self.code, "body", self.message)]
        return {"status": 400, "message": self.message, "errors": errors, "individualResponses": []}


@dataclass(frozen=True)
class AcceptedAsset:
    """An asset that may be stored. `latitude` and `longitude` are the middle of its geometry."""

    document: dict[str, Any]
    asset_id: str | None = None
    latitude: float | None = None
    longitude: float | None = None

    @property
    def external_id(self) -> str:
        """The id it has elsewhere, unique in the organization."""
        return str(self.document["externalId"])


@dataclass
class _Reading:
    """The fields read so far of one asset, and what is wrong with it."""

    document: dict[str, Any] = field(default_factory=dict)
    errors: FieldErrors = field(default_factory=list)
    latitude: float | None = None
    longitude: float | None = None

    def refuse(self, code: Code, path: str, words: str) -> None:
        """Note an error of a field."""
        self.errors.append(error_entry(code, path, f"Field {path} {words}."))


def error_entry(code: Code, path: str, message: str) -> dict[str, Any]:
    """`{code, field, message}`."""
    return {"code": int(code), "field": path, "message": message}


def read_asset(value: Any, *, with_id: bool) -> AcceptedAsset | FieldErrors:
    """Read one asset of a batch, or tell everything that is wrong with it."""
    if not isinstance(value, dict):
        return [error_entry(Code.WRONG_TYPE, "", "An asset is a JSON object.")]
    reading = _Reading()
    for name in (*(("id",) if with_id else ()), *REQUIRED):
        text = value.get(name)
        if text is None or (isinstance(text, str) and not text.strip()):
            reading.refuse(Code.REQUIRED, name, "is empty")
    for name in _TEXTS:
        _read_text(reading, reading.document, value.get(name), name, name)
    asset_id: dict[str, Any] = {}
    # ASSUMPTION A73: an id in a create, which has none by the interface, is passed over, as are unknown fields.
    if with_id:
        _read_text(reading, asset_id, value.get("id"), "id", "id")
    _read_geometry(reading, value.get("geometry"))
    _read_timestamps(reading, value)
    _read_address(reading, value.get("address"))
    _read_properties(reading, value.get("properties"))
    if reading.errors:
        return reading.errors
    return AcceptedAsset(reading.document, asset_id.get("id"), reading.latitude, reading.longitude)


def _read_text(reading: _Reading, target: dict[str, Any], value: Any, name: str, path: str) -> None:
    if value is None:
        return
    if not isinstance(value, str) or "\0" in value:
        reading.refuse(Code.WRONG_TYPE, path, "is not a text")
        return
    longest = LENGTHS.get(path)
    if longest is not None and len(value) > longest:
        reading.refuse(Code.TOO_LONG, path, f"is longer than {longest} characters")
        return
    target[name] = value


def _read_geometry(reading: _Reading, value: Any) -> None:
    before = len(reading.errors)
    _read_text(reading, reading.document, value, "geometry", "geometry")
    if len(reading.errors) > before or not value:
        return
    try:
        extent = read_extent(value)
    except GeometryError as error:
        reading.refuse(Code.INVALID_GEOMETRY, "geometry", str(error))
        return
    reading.latitude, reading.longitude = extent.middle


def _read_timestamps(reading: _Reading, value: dict[str, Any]) -> None:
    # ASSUMPTION A137: epoch milliseconds; an end before the start is refused.
    for name in ("startTimestamp", "endTimestamp"):
        moment = value.get(name)
        if moment is None:
            continue
        if not isinstance(moment, int) or isinstance(moment, bool):
            reading.refuse(Code.WRONG_TYPE, name, "is not a whole number")
        elif not EARLIEST <= moment <= LATEST:
            reading.refuse(Code.OUT_OF_RANGE, name, "is no time in epoch milliseconds")
        else:
            reading.document[name] = moment
    start, end = reading.document.get("startTimestamp"), reading.document.get("endTimestamp")
    if start is not None and end is not None and end < start:
        reading.refuse(Code.OUT_OF_RANGE, "endTimestamp", "is before startTimestamp")


def _read_address(reading: _Reading, value: Any) -> None:
    if value is None:
        return
    if not isinstance(value, dict):
        reading.refuse(Code.WRONG_TYPE, "address", "is not an object")
        return
    address: dict[str, Any] = {}
    for name in _ADDRESS_TEXTS:
        _read_text(reading, address, value.get(name), name, f"address.{name}")
    reading.document["address"] = address


def _read_properties(reading: _Reading, value: Any) -> None:
    if value is None:
        return
    if not isinstance(value, list):
        reading.refuse(Code.WRONG_TYPE, "properties", "is not a list")
        return
    properties: list[dict[str, Any]] = []
    for position, item in enumerate(value):
        path = f"properties[{position}]"
        if not isinstance(item, dict):
            reading.refuse(Code.WRONG_TYPE, path, "is not an object")
            continue
        kept: dict[str, Any] = {"value": item["value"]} if "value" in item else {}
        for name in ("name", "propertyId"):
            _read_text(reading, kept, item.get(name), name, f"{path}.{name}")
        properties.append(kept)
    reading.document["properties"] = properties


def batch_answer(results: Sequence[tuple[str, FieldErrors]]) -> dict[str, Any]:
    """The batch asset response: one individual response a row, in the order of the rows."""
    # ASSUMPTION A138: `status` is 200 when all rows succeeded, 207 when some did, 400 when none did.
    failures = sum(bool(errors) for _id, errors in results)
    status, message = (200, "OK") if not failures else (207, "Partially succeeded")
    if failures == len(results):
        status, message = 400, "Failed"
    return {
        "status": status,
        "message": message,
        "errors": [],
        "individualResponses": [{"id": asset_id, "errors": errors} for asset_id, errors in results],
    }
