"""Lookup mappings as they arrive and as they are returned, and the errors of this area (interface: Lookup mapping
errors).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, StrictStr

from client.vocabulary.limits import LONG_MAX
from service.epoch import now_ms, to_iso_with_milliseconds
from service.field_types import PlainText, Whole
from service.pages import PageRequest
from service.refusals import RefusalError
from service.request_body import ErrorDetails, RequestModel, wire_path
from service.responses import Counts, ResponseModel
from service.schema import KEY_LENGTH

_OBJECT = "resourceObject"


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("it is blank")
    return text


def _number(value: Any) -> Any:
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else value


Key = Annotated[PlainText, Field(max_length=KEY_LENGTH)]


class TargetGroup(RequestModel):
    """A group that the attribute values lead to."""

    id: Annotated[Whole, BeforeValidator(_number), Field(ge=-LONG_MAX, le=LONG_MAX)]
    name: Annotated[PlainText | None, AfterValidator(lambda text: text or "")] = ""


class Attribute(RequestModel):
    """A name and its values. Several attributes may share the name."""

    name: Annotated[Key, AfterValidator(_not_blank)]
    values: list[Key]


class Mapping(RequestModel):
    """The content of a create or update. Read-only fields are dropped."""

    attributes: Annotated[list[Attribute], Field(min_length=1)]
    target_groups: Annotated[list[TargetGroup], Field(min_length=1)]

    @property
    def fingerprint(self) -> str:
        """Return a value that is equal for mappings with the same attributes, in any order."""
        # ASSUMPTION A132: a mapping exists already if another one of the organization has equal attributes.
        canonical = sorted([attribute.name, sorted(set(attribute.values))] for attribute in self.attributes)
        return hashlib.sha256(json.dumps(canonical).encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def pairs(self) -> set[tuple[str, str]]:
        """Return every name with each of its values."""
        return {(attribute.name, value) for attribute in self.attributes for value in attribute.values}


class MappingWrapper(RequestModel):
    """The body of a create or update."""

    # ASSUMPTION A134: the body is {"data": {"targetGroups": […], "attributes": […]}}; its read-only fields are dropped.
    data: Mapping

    @classmethod
    def refusal(cls, errors: Sequence[ErrorDetails]) -> RefusalError:
        """Return all errors in a body: 400 with one entry each (interface: Lookup mapping errors)."""
        entries = [_entry("data", "NotNull", "may not be null", None)]
        if len(errors[0]["loc"]) > 1:
            entries = [_field_entry(error) for error in errors]
        return RefusalError(400, "Validation failed", body={"errors": entries})


def _field_entry(error: ErrorDetails) -> dict[str, Any]:
    field, kind, rejected_value = wire_path(error["loc"]), error["type"], error["input"]
    if kind == "missing":
        rejected_value = None
    if (
        kind in ("missing", "too_short")
        or (kind == "value_error" and not rejected_value.strip())
        or (rejected_value is None and isinstance(error["loc"][-1], str))
    ):
        return _entry(field, "NotEmpty", "may not be empty", rejected_value)
    if kind in ("too_long", "string_too_long"):
        return _entry(field, "Size", f"size must be between 0 and {KEY_LENGTH}", rejected_value)
    return _entry(field, "typeMismatch", error["msg"], rejected_value, binding_failure=True)


def _entry(field: str, code: str, message: str, rejected: Any, *, binding_failure: bool = False) -> dict[str, Any]:
    last = field.rpartition(".")[2]
    return {
        "codes": [f"{code}.{_OBJECT}.{field}", f"{code}.{field}", f"{code}.{last}", code],
        "arguments": [
            {"codes": [f"{_OBJECT}.{field}", field], "arguments": None, "defaultMessage": field, "code": field}
        ],
        "defaultMessage": message,
        "objectName": _OBJECT,
        "field": field,
        "rejectedValue": rejected,
        "bindingFailure": binding_failure,
        "code": code,
    }


def unknown_mapping() -> RefusalError:
    """Return the refusal of an unknown mapping: 404 without a body."""
    return RefusalError(404, "Not found", body={})


def existing_mapping(path: str) -> RefusalError:
    """Return the refusal of an existing mapping: 500 with an object of its own."""
    # ASSUMPTION A133: the timestamp is in epoch milliseconds; an update that would make two equal gets the same
    # response.
    message = "A mapping with these attributes already exists."
    body = ExistingMapping(timestamp=now_ms(), message=message, path=path)
    return RefusalError(500, message, body=body.model_dump())


class FieldRefusal(ResponseModel):
    """One entry of the mapping validation envelope."""

    codes: list[str]
    arguments: list[Any]
    default_message: str
    object_name: str
    field: str
    rejected_value: Any
    binding_failure: bool
    code: str


class FieldRefusals(ResponseModel):
    """The mapping validation envelope."""

    errors: list[FieldRefusal]


class ExistingMapping(ResponseModel):
    """The response to creating an existing mapping."""

    timestamp: int
    status: int = 500
    error: str = "Internal Server Error"
    exception: str = "MappingAlreadyExistsException"
    message: str
    path: str


@dataclass(frozen=True)
class Search:
    """Search criteria: mappings with one of the groups, and for each name one of its values."""

    group_ids: frozenset[int] | None
    attributes: Sequence[tuple[str, frozenset[str]]]
    newest_first: bool
    page: PageRequest


class TargetGroupResponse(ResponseModel):
    """A target group."""

    id: int
    name: str


class AttributeResponse(ResponseModel):
    """An attribute."""

    name: str
    values: list[StrictStr]


class LookupMapping(ResponseModel):
    """A mapping. Deleted ones are never returned (interface: Status of a record)."""

    id: str
    organization_id: int
    deleted: bool = False
    target_groups: list[TargetGroupResponse]
    attributes: list[AttributeResponse]
    created_by: str
    last_updated_by: str = Field(validation_alias="modified_by")
    last_updated_on: Annotated[str, BeforeValidator(to_iso_with_milliseconds)] = Field(
        validation_alias="modified_at", pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"
    )


class MappingResponse(ResponseModel):
    """One mapping, wrapped."""

    data: LookupMapping


class SearchResponse(Counts):
    """A page of mappings."""

    page_size: int
    data: list[LookupMapping]


class Deleted(ResponseModel):
    """The confirmation."""

    data: str
