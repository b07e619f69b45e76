"""The asset endpoints in the OpenAPI document."""

from __future__ import annotations

from typing import Any

from client.vocabulary.assets import LENGTHS, ORGANIZATION_HEADER, REQUIRED
from service.assets.rules import EARLIEST, LATEST
from service.openapi import BASIC, BEARER, AnswerModel, described, header_parameter

_TEXTS = ("name", "assetTypeId", "category", "externalId", "iconId", "notes", "geometry")
_ADDRESS_TEXTS = ("city", "country", "postalCode", "state", "streetAddress1", "streetAddress2")


class AssetError(AnswerModel):
    """What is wrong with a field."""

    code: int
    field: str
    message: str


class IndividualResponse(AnswerModel):
    """What became of one row."""

    id: str
    errors: list[AssetError]


class BatchAnswer(AnswerModel):
    """The batch asset response."""

    status: int
    message: str
    errors: list[AssetError]
    individual_responses: list[IndividualResponse]


class OrganizationMissing(AnswerModel):
    """The general envelope."""

    status: int
    message: str


def _text(path: str) -> dict[str, Any]:
    return {"type": "string"} | ({"maxLength": LENGTHS[path]} if path in LENGTHS else {})


def _asset(*, with_id: bool) -> dict[str, Any]:
    required = [*REQUIRED, *(["id"] if with_id else [])]
    properties: dict[str, Any] = {name: _text(name) for name in _TEXTS}
    for name in REQUIRED:
        properties[name]["minLength"] = 1
    if with_id:
        properties["id"] = {"type": "string", "minLength": 1}
    for name in ("startTimestamp", "endTimestamp"):
        properties[name] = {"type": "integer", "minimum": EARLIEST, "maximum": LATEST}
    properties["address"] = {
        "type": "object",
        "properties": {name: _text(f"address.{name}") for name in _ADDRESS_TEXTS},
    }
    properties["properties"] = {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "propertyId": {"type": "string"}, "value": {}},
        },
    }
    return {"type": "object", "required": required, "properties": properties}


def _batch(items: dict[str, Any]) -> dict[str, Any]:
    return described(
        answer=BatchAnswer,
        body={"type": "array", "minItems": 1, "items": items},
        parameters=[
            header_parameter(ORGANIZATION_HEADER, "The organization.", {"type": "string", "pattern": r"^\d{1,18}$"})
        ],
        security=(BASIC, BEARER),
        others={400: BatchAnswer | OrganizationMissing},
    )


CREATE = _batch(_asset(with_id=False))
UPDATE = _batch(_asset(with_id=True))
DELETE = _batch({"type": "string"})
