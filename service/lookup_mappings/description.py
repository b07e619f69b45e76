"""The lookup mapping endpoints in the OpenAPI document."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from client.vocabulary.limits import LOOKUP_MAPPING_PAGE_SIZE
from client.vocabulary.lookup_mappings import OLDEST_FIRST, SORTS
from service.openapi import BEARER, LONG, ORGANIZATION, AnswerModel, described, path_parameter, query_parameter

_TEXT = {"type": "string"}
_REQUEST: dict[str, Any] = {
    "type": "object",
    "required": ["data"],
    "properties": {
        "data": {
            "type": "object",
            "required": ["targetGroups", "attributes"],
            "properties": {
                "targetGroups": {
                    "type": "array",
                    "minItems": 1,
                    "items": {"type": "object", "required": ["id"], "properties": {"id": LONG, "name": _TEXT}},
                },
                "attributes": {
                    "type": "array",
                    "minItems": 1,
                    "items": {
                        "type": "object",
                        "required": ["name", "values"],
                        "properties": {
                            "name": {"type": "string", "minLength": 1},
                            "values": {"type": "array", "items": _TEXT},
                        },
                    },
                },
            },
        }
    },
}


class TargetGroupAnswer(AnswerModel):
    """A target group."""

    id: int
    name: str


class AttributeAnswer(AnswerModel):
    """An attribute."""

    name: str
    values: list[str]


class LookupMapping(AnswerModel):
    """A mapping."""

    id: str
    organization_id: int
    deleted: bool
    target_groups: list[TargetGroupAnswer]
    attributes: list[AttributeAnswer]
    created_by: str
    last_updated_by: str
    last_updated_on: str = Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")


class MappingAnswer(AnswerModel):
    """One mapping, wrapped."""

    data: LookupMapping


class SearchAnswer(AnswerModel):
    """A page of mappings."""

    current_page_no: int
    total_page_count: int
    total_count: int
    page_size: int
    data: list[LookupMapping]


class DeletedAnswer(AnswerModel):
    """The confirmation."""

    data: str


class FieldRefusal(AnswerModel):
    """One entry of the mapping validation envelope."""

    codes: list[str]
    arguments: list[Any]
    default_message: str
    object_name: str
    field: str
    rejected_value: Any
    binding_failure: bool
    code: str


class FieldRefusals(AnswerModel):
    """The mapping validation envelope."""

    errors: list[FieldRefusal]


class PlainRefusal(AnswerModel):
    """The general envelope."""

    status: int
    message: str


class ExistingMapping(AnswerModel):
    """What creating an existing mapping is answered with."""

    timestamp: int
    status: int
    error: str
    exception: str
    message: str
    path: str


_MAPPING = path_parameter("mapping_id", "The mapping.", {"type": "string", "minLength": 1})
_REFUSALS = FieldRefusals | PlainRefusal

SEARCH = described(
    answer=SearchAnswer,
    security=BEARER,
    parameters=[
        ORGANIZATION,
        query_parameter("currentPageNo", "The page to return.", {"type": "integer", "minimum": 1, "default": 1}),
        query_parameter(
            "pageSize",
            "Mappings a page.",
            {"type": "integer", "minimum": 1, "maximum": 1000, "default": LOOKUP_MAPPING_PAGE_SIZE},
        ),
        query_parameter("sort", "By the last update.", {"type": "string", "enum": SORTS, "default": OLDEST_FIRST}),
        query_parameter(
            "groups", "Group ids, separated by commas.", {"type": "string", "pattern": r"^\d{1,18}(,\d{1,18})*$"}
        ),
        # Any other name is that of an attribute; one stands for them all.
        query_parameter("attribute", "Values of an attribute of this name, separated by commas.", _TEXT),
    ],
)
CREATE = described(answer=MappingAnswer, body=_REQUEST, security=BEARER, others={400: _REFUSALS, 500: ExistingMapping})
RETRIEVE = described(answer=MappingAnswer, security=BEARER, parameters=[ORGANIZATION, _MAPPING], others={404: None})
UPDATE = described(
    answer=MappingAnswer,
    body=_REQUEST,
    security=BEARER,
    parameters=[ORGANIZATION, _MAPPING],
    others={400: _REFUSALS, 404: None, 500: ExistingMapping},
)
DELETE = described(answer=DeletedAnswer, security=BEARER, parameters=[ORGANIZATION, _MAPPING], others={404: None})
