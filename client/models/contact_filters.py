"""Contact filters: saved rules over contact fields. Unchanged parts are sent back exactly as they came."""

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, ModelWrapValidatorHandler, PrivateAttr, model_validator

from ..vocabulary.contact_filters import FILTER_TYPE, FilterColumn
from .base import AnswerModel, LenientBool, LenientId, LenientList, LenientText, Moment, RecordModel

__all__ = ["ContactFilter", "ContactFilterRule"]

_ABSENT = object()


def _list_or_none(value: Any) -> Any:
    return value if value is None or isinstance(value, list) else [value]


class ContactFilterRule(AnswerModel):
    """One rule. All rules of a filter must match.

    A stored rule keeps all its content: `to_wire` returns everything that has not been changed exactly as it came.
    """

    id: LenientId = None
    contact_field_id: LenientId = None
    column_name: LenientText = None
    column_value: Any = None
    attribute_id: LenientId = None
    attribute_values: Annotated[list[Any] | None, BeforeValidator(_list_or_none)] = None
    type: LenientText = None
    data_type: LenientText = None
    operator: LenientText = None
    contact_filter_option: LenientText = None
    embedded_column_name: LenientText = None

    _stored: dict[str, Any] = PrivateAttr(default_factory=dict)
    """The fields as they came, by the interface's names."""
    _understood: dict[str, Any] = PrivateAttr(default_factory=dict)
    """The values read from them, to detect later changes."""

    @model_validator(mode="wrap")
    @classmethod
    def _keep_what_came(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        rule = handler(data)
        if isinstance(data, Mapping):
            rule._stored = {
                key: value
                for key, value in data.items()
                if (key in _WIRE_NAMES or key not in cls.model_fields) and (key != "id" or value is not None)
            }
            rule._understood = rule._fields()
        return rule

    @classmethod
    def for_column(
        cls, column: FilterColumn, operator: str, value: Any = None, *, contact_field_id: int | None = None
    ) -> Self:
        """Return a rule over a column of the interface's table. `contact_filter_problems` says whether it may be
        sent.
        """
        return cls(
            contact_field_id=contact_field_id,
            column_name=column.name,
            column_value=value,
            type=column.rule_type,
            data_type=column.data_type,
            operator=operator,
            contact_filter_option=operator,
            embedded_column_name=column.embedded,
        )

    def to_wire(self) -> dict[str, Any]:
        """Return the payload of this rule: unchanged fields as they came, in their order, and the others as they are
        now.
        """
        now = self._fields()
        payload: dict[str, Any] = {}
        for key in dict.fromkeys((*self._stored, *now)):
            value = now.get(key)
            if key in self._stored and (key not in now or value == self._understood.get(key, _ABSENT)):
                payload[key] = self._stored[key]
            elif value is not None:
                payload[key] = value
        return payload

    def _fields(self) -> dict[str, Any]:
        """Return the declared fields by the interface's names. Lists are copied, so that changes inside them are
        detected.
        """
        return {
            field.alias or name: list(value) if isinstance(value := getattr(self, name), list) else value
            for name, field in type(self).model_fields.items()
        }


_WIRE_NAMES = frozenset(field.alias or name for name, field in ContactFilterRule.model_fields.items())


class ContactFilter(RecordModel):
    """A saved set of rules. Records of a list have fewer fields than single ones: IDs 0, no dates, no status."""

    id: LenientId = None
    name: LenientText = None
    contact_filter_type: LenientText = None
    contact_filter_rules: LenientList[ContactFilterRule] = Field(default_factory=list)
    last_modified_time: Moment = None
    last_synchronized_time: Moment = None
    account_id: LenientId = None
    resource_bundle_id: LenientId = None
    dirty: LenientBool = None

    @property
    def rules(self) -> list[ContactFilterRule]:
        """The rules; empty if there are none."""
        return self.contact_filter_rules

    def to_wire(self) -> dict[str, Any]:
        """Return the payload: name, type, and rules, without read-only fields (interface: Contact filter)."""
        return {
            "name": (self.name or "").strip(),
            "contactFilterType": self.contact_filter_type or FILTER_TYPE,
            "contactFilterRules": [rule.to_wire() for rule in self.rules],
        }
