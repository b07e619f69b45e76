"""The contact filter as it arrives (contactFilterWrapper), and as it is answered."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from client.vocabulary.contact_filters import CUSTOM_RULE_TYPES, FILTER_TYPE, NAME_LENGTH
from service.bodies import LongId, Name, RequestModel, Word
from service.openapi import AnswerModel
from service.records import RecordAnswer


class Rule(RequestModel):
    """One rule; what is required of it depends on its type. Its read-only id is passed over."""

    contact_field_id: LongId | None = None
    column_name: Word = None
    embedded_column_name: Word = None
    column_value: Any = None
    attribute_id: LongId | None = None
    attribute_values: list[Any] | None = None
    type: Word = None
    data_type: Word = None
    operator: Word = None
    contact_filter_option: Word = None

    def to_document(self) -> dict[str, Any]:
        """What is kept of the rule: what is of its kind, and was said."""
        # ASSUMPTION A115: a value of a custom attribute's rule, and attributes of a column's rule, are passed over.
        others = {"column_value"} if self.type in CUSTOM_RULE_TYPES else {"attribute_id", "attribute_values"}
        return self.model_dump(by_alias=True, exclude_none=True, exclude=others)


class Wrapper(RequestModel):
    """A filter; its read-only fields are passed over."""

    name: Name = None
    contact_filter_type: Word = None
    contact_filter_rules: list[Rule] | None = None


class RuleAnswer(AnswerModel):
    """A stored rule; some are kept from before a rule was a rule, and lack what would be required today."""

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


class ContactFilterAnswer(RecordAnswer):
    """A filter with every field of the interface."""

    name: str = Field(max_length=NAME_LENGTH)
    contact_filter_type: str = FILTER_TYPE
    contact_filter_rules: list[RuleAnswer]
    last_modified_time: int
    last_synchronized_time: int
    dirty: bool
