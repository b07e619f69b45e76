"""The contact filter as it arrives (contactFilterWrapper), and as it is returned."""

from __future__ import annotations

from typing import Annotated, Any, get_args

from pydantic import Field

from client.vocabulary.contact_filters import COLUMNS, CUSTOM_RULE_TYPES, FILTER_TYPE, NAME_LENGTH, RuleType
from service.field_types import LongId, OneOf, RequiredName, Word
from service.records import Record
from service.request_body import RequestModel
from service.responses import ResponseModel

_COLUMN_NAMES = [*dict.fromkeys(column.name for column in COLUMNS)]


class Rule(RequestModel):
    """One rule. Its type decides which fields are required. A read-only ID is ignored."""

    contact_field_id: LongId | None = None
    column_name: Annotated[Word, Field(examples=_COLUMN_NAMES)] = None
    embedded_column_name: Word = None
    column_value: Any = None
    attribute_id: LongId | None = None
    attribute_values: list[Any] | None = None
    type: Annotated[Word, OneOf(get_args(RuleType))] = None
    data_type: Word = None
    operator: Word = None
    contact_filter_option: Word = None

    def to_document(self) -> dict[str, Any]:
        """Return the stored document of the rule: the fields of its type that were sent."""
        # ASSUMPTION A115: the value in a rule of a custom attribute, and attributes in a rule of a column, are ignored.
        others = {"column_value"} if self.type in CUSTOM_RULE_TYPES else {"attribute_id", "attribute_values"}
        return self.model_dump(by_alias=True, exclude_none=True, exclude=others)


class Wrapper(RequestModel):
    """A filter. Read-only fields are ignored."""

    name: Annotated[RequiredName, Field(max_length=NAME_LENGTH)]
    # ASSUMPTION A104: a filter with an empty list of rules is refused, like one without the field.
    contact_filter_type: Annotated[Word, OneOf((FILTER_TYPE,))] = None
    contact_filter_rules: Annotated[list[Rule], Field(min_length=1)]

    @property
    def documents(self) -> list[dict[str, Any]]:
        """Return the stored documents of the rules."""
        return [rule.to_document() for rule in self.contact_filter_rules]


class RuleResponse(ResponseModel):
    """A stored rule. Some are older than the current rules and lack required fields."""

    id: int
    contact_field_id: int | None = None
    column_name: str | None = None
    embedded_column_name: str | None = None
    column_value: Any = None
    attribute_id: int | None = None
    attribute_values: list[str | int | float] | None = None
    type: str | None = None
    data_type: str | None = None
    operator: str | None = None
    contact_filter_option: str | None = None


class ContactFilter(Record):
    """A filter with every field of the interface."""

    # ASSUMPTION A114: contacts are looked up when a filter is used, so it is synchronized when it is stored, and
    # never dirty.
    name: Annotated[str, Field(max_length=NAME_LENGTH)]
    contact_filter_type: str = FILTER_TYPE
    contact_filter_rules: list[RuleResponse]
    last_modified_time: int = Field(validation_alias="modified_at")
    last_synchronized_time: int = Field(validation_alias="modified_at")
    dirty: bool = False
