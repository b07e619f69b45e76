"""Lookup mappings: the groups that a set of attribute values leads to."""

import json
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, StringConstraints

from ..errors import FieldError
from ..vocabulary.limits import LONG_MAX
from .base import AnswerModel, Id, LenientBool, LenientId, LenientList, LenientText, Moment, RequestModel, TextId


class TargetGroup(RequestModel):
    """A group that a mapping leads to."""

    id: Id | None = None
    name: str | None = None


class MappingAttribute(RequestModel):
    """An attribute with the exact values that it may have. A mapping may have several attributes with the same name."""

    name: str | None = None
    values: list[Annotated[str, StringConstraints(strip_whitespace=False)]] = Field(default_factory=list)


class LookupMappingRequest(RequestModel):
    """A mapping to create, or to replace another with."""

    target_groups: list[TargetGroup] = Field(default_factory=list)
    attributes: list[MappingAttribute] = Field(default_factory=list)


class MappedGroup(AnswerModel):
    """A group as services return it."""

    id: LenientId = None
    name: LenientText = None


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


_Value = Annotated[str, BeforeValidator(_as_text)]


class MappedAttribute(AnswerModel):
    """An attribute as services return it."""

    name: LenientText = None
    values: LenientList[_Value] = Field(default_factory=list)


class LookupMapping(AnswerModel):
    """A stored mapping. Its ID is a string."""

    id: TextId
    organization_id: LenientId = None
    deleted: LenientBool = None
    target_groups: LenientList[MappedGroup] = Field(default_factory=list)
    attributes: LenientList[MappedAttribute] = Field(default_factory=list)
    created_by: LenientText = None
    last_updated_by: LenientText = None
    last_updated_on: Moment = None

    def as_request(self) -> LookupMappingRequest:
        """Return the same mapping as a request, to change and send back."""
        return LookupMappingRequest(
            target_groups=[TargetGroup(id=group.id, name=group.name) for group in self.target_groups],
            attributes=[
                MappingAttribute(name=attribute.name, values=attribute.values) for attribute in self.attributes
            ],
        )


def lookup_mapping_problems(mapping: LookupMappingRequest) -> list[FieldError]:
    """Return what keeps this mapping from being sent; empty if nothing does.

    Fields are paths such as `data.attributes[0].values` (interface: Lookup mapping, Lookup mapping errors).
    """
    return list(_problems(mapping))


def _problems(mapping: LookupMappingRequest) -> Iterator[FieldError]:
    if not mapping.target_groups:
        yield FieldError("data.targetGroups", "Enter at least one group.")
    for index, group in enumerate(mapping.target_groups):
        if group.id is None or not 0 < group.id <= LONG_MAX:
            yield FieldError(f"data.targetGroups[{index}].id", "Enter the ID of the group, a whole number above 0.")
    if not mapping.attributes:
        yield FieldError("data.attributes", "Add at least one attribute.")
    for index, attribute in enumerate(mapping.attributes):
        if not (attribute.name or "").strip():
            yield FieldError(f"data.attributes[{index}].name", "Enter the name of the attribute.")
        if not attribute.values or not all(value.strip() for value in attribute.values):
            yield FieldError(f"data.attributes[{index}].values", "Enter at least one value. Values cannot be blank.")
