"""The rules that a contact filter must follow, as messages for people."""

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, get_args

from ..errors import FieldError
from ..vocabulary.contact_filters import (
    COLUMN_RULE_TYPES,
    COLUMNS,
    CUSTOM_OPERATORS,
    CUSTOM_RULE_TYPES,
    FILTER_TYPE,
    LIST_VALUED,
    MULTIPLE_CHOICE_OPERATORS,
    NAME_LENGTH,
    PATTERN_BETWEEN,
    PATTERN_COLUMNS,
    PATTERN_NOW,
    SINGLE_SELECT_OPERATORS,
    VALUELESS,
    DataType,
    FilterColumn,
    RuleType,
)
from ..vocabulary.limits import LONG_MAX

if TYPE_CHECKING:
    from .contact_filters import ContactFilter, ContactFilterRule

_DATA_TYPES: tuple[str, ...] = get_args(DataType)
_RULE_TYPES: tuple[str, ...] = get_args(RuleType)
_KINDS = {
    "STRING": "text",
    "NUMBER": "a number",
    "DATE": "a time in milliseconds since 1970",
    "BOOLEAN": "yes or no",
}


def contact_filter_problems(
    contact_filter: "ContactFilter", *, stored: "ContactFilter | None" = None
) -> list[FieldError]:
    """Return what keeps this filter from being sent; empty if nothing does.

    Fields are paths in the interface's names, such as `contactFilterRules[2].operator`. Rules that are also in
    `stored`, the filter as the service sent it, are accepted unchanged: services store rules that they would not accept
    again.
    """
    return list(_problems(contact_filter, [rule.to_wire() for rule in stored.rules] if stored else []))


def column_of(rule: "ContactFilterRule") -> FilterColumn | None:
    """Return the column that a rule names by column, type, and embedded column; None if there is none."""
    return next(
        (
            column
            for column in COLUMNS
            if (column.name, column.rule_type, column.embedded) == (rule.column_name, rule.type, _embedded(rule))
        ),
        None,
    )


def _problems(contact_filter: "ContactFilter", stored: Sequence[dict[str, Any]]) -> Iterator[FieldError]:
    name = (contact_filter.name or "").strip()
    if not name:
        yield FieldError("name", "Enter a name for the filter.")
    elif len(name) > NAME_LENGTH:
        yield FieldError("name", f"The name has {len(name)} characters. At most {NAME_LENGTH} are allowed.")
    if contact_filter.contact_filter_type not in (None, FILTER_TYPE):
        yield FieldError("contactFilterType", f"The type of a contact filter must be “{FILTER_TYPE}”.")
    if not contact_filter.rules:
        yield FieldError("contactFilterRules", "Add at least one rule.")
    for index, rule in enumerate(contact_filter.rules):
        if rule.to_wire() not in stored:
            yield from _rule_problems(f"contactFilterRules[{index}]", rule)


def _rule_problems(path: str, rule: "ContactFilterRule") -> Iterator[FieldError]:
    if rule.type not in _RULE_TYPES:
        yield FieldError(f"{path}.type", "Select what the rule compares.")
    elif rule.type in CUSTOM_RULE_TYPES:
        yield from _custom_problems(path, rule)
    else:
        yield from _column_problems(path, rule)
    if rule.contact_filter_option is not None and rule.contact_filter_option != rule.operator:
        yield FieldError(f"{path}.contactFilterOption", "The option must be the same as the operator.")


def _column_problems(path: str, rule: "ContactFilterRule") -> Iterator[FieldError]:
    if rule.type in COLUMN_RULE_TYPES and not _is_id(rule.contact_field_id):
        yield FieldError(f"{path}.contactFieldId", "Enter the ID of the contact field.")
    elif rule.contact_field_id is not None and not _is_id(rule.contact_field_id):
        yield FieldError(f"{path}.contactFieldId", "The ID of a contact field is a whole number above 0.")
    if not (rule.column_name or "").strip():
        yield FieldError(f"{path}.columnName", "Select the field that the rule compares.")
        return
    column = column_of(rule)
    if column is None:
        yield from _unknown_column_problems(path, rule)
        return
    if rule.data_type != column.data_type:
        yield FieldError(f"{path}.dataType", f"“{column.name}” holds {_KINDS[column.data_type]} ({column.data_type}).")
    if rule.operator not in column.operators:
        yield FieldError(f"{path}.operator", f"“{column.name}” can be compared by {_one_of(column.operators)}.")
        return
    yield from _value_problems(f"{path}.columnValue", column, rule.operator, rule.column_value)


def _unknown_column_problems(path: str, rule: "ContactFilterRule") -> Iterator[FieldError]:
    """Say which part of a column is wrong: its name, its type, or the column that it is embedded in."""
    named = [column for column in COLUMNS if column.name == rule.column_name]
    typed = [column for column in named if column.rule_type == rule.type]
    if not named:
        yield FieldError(f"{path}.columnName", f"“{rule.column_name}” is not a field that a filter can compare.")
    elif not typed:
        types = _one_of(list(dict.fromkeys(column.rule_type for column in named)))
        yield FieldError(f"{path}.type", f"“{rule.column_name}” belongs to {types}.")
    else:
        embedded = [column.embedded for column in typed if column.embedded]
        words = f"is embedded in {_one_of(embedded)}" if embedded else "is not embedded in anything"
        yield FieldError(f"{path}.embeddedColumnName", f"“{rule.column_name}” {words}.")


def _value_problems(path: str, column: FilterColumn, operator: str, value: Any) -> Iterator[FieldError]:
    if operator in VALUELESS:
        # ASSUMPTION A163
        if value is not None and not _fits(column.data_type, value):
            yield FieldError(path, "This operator takes no value.")
    elif column.name in PATTERN_COLUMNS:
        yield from _pattern_problems(path, value)
    elif value is None or value in ("", []):
        yield FieldError(path, "Enter the value to compare with.")
    elif operator in LIST_VALUED:
        yield from _list_problems(path, column.data_type, operator, value)
    elif not _fits(column.data_type, value):
        yield FieldError(path, f"Enter {_KINDS[column.data_type]}.")


def _list_problems(path: str, data_type: str, operator: str, value: Any) -> Iterator[FieldError]:
    if not isinstance(value, list):
        yield FieldError(path, "Enter a list of values.")
    elif not all(_fits(data_type, element) for element in value):
        yield FieldError(path, f"Each value in the list must be {_KINDS[data_type]}.")
    elif operator == PATTERN_BETWEEN:
        yield from _span_problems(path, value)


def _pattern_problems(path: str, value: Any) -> Iterator[FieldError]:
    if not isinstance(value, list) or len(value) != 3 or value[0] not in (PATTERN_NOW, PATTERN_BETWEEN):
        yield FieldError(path, "Select now, or a period with a start and an end.")
    elif value[0] == PATTERN_NOW:
        if value[1:] != [None, None]:
            yield FieldError(path, "“Now” takes no start and no end.")
    elif not all(_fits("DATE", moment) for moment in value[1:]):
        yield FieldError(path, "Enter the start and the end in milliseconds since 1970.")
    else:
        yield from _span_problems(path, value[1:])


def _span_problems(path: str, moments: list[Any]) -> Iterator[FieldError]:
    if len(moments) != 2:
        yield FieldError(path, "Enter a start and an end.")
    elif moments[0] > moments[1]:
        yield FieldError(path, "The end is before the start.")


def _custom_problems(path: str, rule: "ContactFilterRule") -> Iterator[FieldError]:
    if not _is_id(rule.attribute_id):
        yield FieldError(f"{path}.attributeId", "Enter the ID of the attribute.")
    values = rule.attribute_values
    if not values:
        yield FieldError(f"{path}.attributeValues", "Enter at least one value to search for.")
    elif not all(_fits("STRING", value) for value in values):
        yield FieldError(f"{path}.attributeValues", "Each value to search for must be text that is not blank.")
    if rule.data_type not in CUSTOM_OPERATORS:
        yield FieldError(f"{path}.dataType", f"The type of an attribute must be {_one_of(list(CUSTOM_OPERATORS))}.")
        return
    allowed = custom_operators(rule.data_type)
    if rule.operator not in allowed:
        yield FieldError(f"{path}.operator", f"An attribute of this type can be compared by {_one_of(allowed)}.")


def custom_operators(data_type: str) -> tuple[str, ...]:
    """Return the operators of a custom attribute: those of its data type, and those of lists."""
    by_type = CUSTOM_OPERATORS[data_type]  # type: ignore[index]
    return tuple(dict.fromkeys((*by_type, *SINGLE_SELECT_OPERATORS, *MULTIPLE_CHOICE_OPERATORS)))


def _embedded(rule: "ContactFilterRule") -> str | None:
    return rule.embedded_column_name or None


def _is_id(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= LONG_MAX


def _fits(data_type: str, value: Any) -> bool:
    match data_type:
        case "STRING":
            return isinstance(value, str) and bool(value.strip()) and "\0" not in value
        case "NUMBER":
            return type(value) is int or (type(value) is float and math.isfinite(value))
        case "DATE":
            return isinstance(value, int) and not isinstance(value, bool)
        case _:
            return isinstance(value, bool)


def _one_of(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]
