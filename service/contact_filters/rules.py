"""Check the rules of a contact filter against the column table (interface: Contact filter; Contact filter rule)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from client.vocabulary.contact_filters import (
    COLUMN_RULE_TYPES,
    COLUMNS,
    CUSTOM_OPERATORS,
    CUSTOM_RULE_TYPES,
    LIST_VALUED,
    MULTIPLE_CHOICE_OPERATORS,
    PATTERN_BETWEEN,
    PATTERN_COLUMNS,
    PATTERN_NOW,
    SINGLE_SELECT_OPERATORS,
    VALUELESS,
    FilterColumn,
)
from service.contact_filters.models import Rule, Wrapper
from service.request_body import empty_field, invalid_field

_BY_KEY = {(column.rule_type, column.name, column.embedded): column for column in COLUMNS}
_KINDS = {
    "STRING": "text that is not blank",
    "NUMBER": "a number",
    "DATE": "a time in epoch milliseconds",
    "BOOLEAN": "true or false",
}


def accept(wrapper: Wrapper, stored_rules: Sequence[Mapping[str, Any]] = ()) -> Wrapper:
    """Return a filter with `contactFilterOption` filled in. A 400 names the first invalid field.

    `stored_rules` are the rules that the filter has so far, with their IDs.
    """
    documents = [{name: value for name, value in document.items() if name != "id"} for document in stored_rules]
    # ASSUMPTION A156: a rule that the filter already has is accepted, even if it could not be stored today.
    rules = [
        rule if rule.to_document() in documents else _accept_rule(f"contactFilterRules[{index}]", rule)
        for index, rule in enumerate(wrapper.contact_filter_rules)
    ]
    return wrapper.model_copy(update={"contact_filter_rules": rules})


def custom_operators(data_type: str) -> tuple[str, ...]:
    """Return the operators of a custom attribute: those of its data type, and those of both types of lists."""
    # ASSUMPTION A105: the rule does not say whether an attribute is a list, so each data type accepts the operators of
    # lists too.
    by_type = CUSTOM_OPERATORS[data_type]  # type: ignore[index]
    return tuple(dict.fromkeys((*by_type, *SINGLE_SELECT_OPERATORS, *MULTIPLE_CHOICE_OPERATORS)))


def _accept_rule(path: str, rule: Rule) -> Rule:
    if rule.type is None:
        raise empty_field(f"{path}.type")
    rule = _numbers_as_text(rule)
    if rule.type in CUSTOM_RULE_TYPES:
        _check_custom(path, rule)
    else:
        _check_column(path, rule)
    if rule.contact_filter_option is None:
        return rule.model_copy(update={"contact_filter_option": rule.operator})
    if rule.contact_filter_option != rule.operator:
        raise invalid_field(f"{path}.contactFilterOption", f"it is the same as operator, {rule.operator}")
    return rule


def _numbers_as_text(rule: Rule) -> Rule:
    # ASSUMPTION A232: numbers in place of texts, as real callers send them, are read as texts.
    changed: dict[str, Any] = {"attribute_values": _as_text(rule.attribute_values)}
    if rule.data_type == "STRING" and rule.type not in CUSTOM_RULE_TYPES:
        changed["column_value"] = _as_text(rule.column_value)
    return rule.model_copy(update=changed)


def _as_text(value: Any) -> Any:
    if isinstance(value, list):
        return [_as_text(element) for element in value]
    is_number = _is_whole(value) or (isinstance(value, float) and math.isfinite(value))
    return str(value) if is_number else value


def _check_custom(path: str, rule: Rule) -> None:
    if rule.attribute_id is None:
        raise empty_field(f"{path}.attributeId")
    if not rule.attribute_values:
        raise empty_field(f"{path}.attributeValues")
    for index, value in enumerate(rule.attribute_values):
        if not _fits("STRING", value):
            raise invalid_field(f"{path}.attributeValues[{index}]", f"it is {_KINDS['STRING']}")
    if rule.data_type is None:
        raise empty_field(f"{path}.dataType")
    if rule.data_type not in CUSTOM_OPERATORS:
        raise invalid_field(f"{path}.dataType", f"a custom attribute is one of {_listed(CUSTOM_OPERATORS)}")
    _check_operator(path, rule, custom_operators(rule.data_type), f"a custom {rule.data_type}")


def _check_column(path: str, rule: Rule) -> None:
    if rule.type in COLUMN_RULE_TYPES and rule.contact_field_id is None:
        raise empty_field(f"{path}.contactFieldId")
    # ASSUMPTION A106: columnName, dataType, operator, and a value are required in every rule over a column, also for
    # SYSTEM_SCHEDULING and SYSTEM_EXPECTED_OBJECT. Without them the rule could not be evaluated.
    if rule.column_name is None:
        raise empty_field(f"{path}.columnName")
    column = _column(path, rule)
    if rule.data_type is None:
        raise empty_field(f"{path}.dataType")
    if rule.data_type != column.data_type:
        raise invalid_field(f"{path}.dataType", f"{column.name} is {column.data_type}, not {_shown(rule.data_type)}")
    operator = _check_operator(path, rule, column.operators, column.name)
    _check_value(f"{path}.columnValue", column, operator, rule.column_value)


def _column(path: str, rule: Rule) -> FilterColumn:
    # ASSUMPTION A107: the embedded column is part of a column's name. It must match the table, also where the table has
    # none.
    column = _BY_KEY.get((rule.type, rule.column_name, rule.embedded_column_name))  # type: ignore[arg-type]
    if column is not None:
        return column
    shown = _shown(rule.column_name or "")
    named = [column for column in COLUMNS if column.name == rule.column_name]
    if not named:
        raise invalid_field(f"{path}.columnName", f"there is no column {shown}")
    typed = [column for column in named if column.rule_type == rule.type]
    if not typed:
        types = dict.fromkeys(column.rule_type for column in named)
        raise invalid_field(f"{path}.type", f"the type of {shown} is {_listed(types)}, not {rule.type}")
    where = dict.fromkeys(column.embedded or "absent" for column in typed)
    raise invalid_field(f"{path}.embeddedColumnName", f"for {shown} of type {rule.type} it is {_listed(where)}")


def _check_operator(path: str, rule: Rule, allowed: tuple[str, ...], what: str) -> str:
    if rule.operator is None:
        raise empty_field(f"{path}.operator")
    if rule.operator not in allowed:
        raise invalid_field(f"{path}.operator", f"{what} takes {_listed(allowed)}, not {_shown(rule.operator)}")
    return rule.operator


def _check_value(path: str, column: FilterColumn, operator: str, value: Any) -> None:
    if operator in VALUELESS:
        # ASSUMPTION A108: ISNULL and NOTNULL need no value. A value of the column's data type is accepted and ignored.
        if value is not None and not _fits(column.data_type, value):
            raise invalid_field(path, f"with {operator} it is absent, or {_KINDS[column.data_type]}")
    elif column.name in PATTERN_COLUMNS:
        # ASSUMPTION A109: expectedDate and shiftDate have the three-element pattern with each of their operators.
        _check_pattern(path, value)
    elif value in (None, "", []):
        raise empty_field(path)
    elif operator in LIST_VALUED:
        _check_list(path, column, operator, value)
    elif not _fits(column.data_type, value):
        raise invalid_field(path, f"for {column.name} with {operator} it is {_KINDS[column.data_type]}")


def _check_list(path: str, column: FilterColumn, operator: str, value: Any) -> None:
    if not isinstance(value, list):
        raise invalid_field(path, f"with {operator} it is an array")
    for index, element in enumerate(value):
        if not _fits(column.data_type, element):
            raise invalid_field(f"{path}[{index}]", f"it is {_KINDS[column.data_type]}")
    if operator == PATTERN_BETWEEN:
        # ASSUMPTION A110: BETWEEN has two times, from and to, in this order.
        if len(value) != 2:
            raise invalid_field(path, "with BETWEEN it is an array of two times, from and to")
        _check_order(path, value)


def _check_pattern(path: str, value: Any) -> None:
    if value in (None, "", []):
        raise empty_field(path)
    if not isinstance(value, list) or len(value) != 3 or value[0] not in (PATTERN_NOW, PATTERN_BETWEEN):
        raise invalid_field(path, 'it is ["NOW", null, null] or ["BETWEEN", from, to]')
    moments = value[1:]
    if value[0] == PATTERN_NOW:
        if moments != [None, None]:
            raise invalid_field(path, "NOW is followed by null and null")
        return
    # ASSUMPTION A111: the dates of the pattern are epoch milliseconds, as numbers.
    for index, moment in enumerate(moments, start=1):
        if not _fits("DATE", moment):
            raise invalid_field(f"{path}[{index}]", f"it is {_KINDS['DATE']}")
    _check_order(path, moments)


def _check_order(path: str, moments: list[int]) -> None:
    if moments[0] > moments[1]:
        raise invalid_field(path, "the span ends before it begins")


def _fits(data_type: str, value: Any) -> bool:
    match data_type:
        case "STRING":
            return isinstance(value, str) and bool(value.strip()) and "\0" not in value
        case "NUMBER":
            return _is_whole(value) or (isinstance(value, float) and math.isfinite(value))
        case "DATE":
            return _is_whole(value)
        case _:
            return isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    return (isinstance(value, int) and not isinstance(value, bool)) or (isinstance(value, float) and value.is_integer())


def _shown(text: str) -> str:
    return text if len(text) <= 50 else text[:50] + "…"


def _listed(words: Any) -> str:
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else str(last)
