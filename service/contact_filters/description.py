"""The contact filter's request body as a JSON schema: one alternative for each row and operator of the column table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from client.vocabulary.contact_filters import (
    COLUMN_RULE_TYPES,
    COLUMNS,
    CUSTOM_OPERATORS,
    CUSTOM_RULE_TYPES,
    FILTER_TYPE,
    LIST_VALUED,
    NAME_LENGTH,
    PATTERN_BETWEEN,
    PATTERN_COLUMNS,
    PATTERN_NOW,
    VALUELESS,
    FilterColumn,
)
from service.contact_filters.rules import custom_operators
from service.openapi import LONG, Schema, nullable

_ID: Schema = {**LONG, "minimum": 1}
_TEXT: Schema = {"type": "string", "pattern": r"^[^\x00]*[^\s\x00][^\x00]*$"}
_TEXT_OR_NUMBER: Schema = {"anyOf": [_TEXT, {"type": "number"}]}
_ANY_WORD: Schema = nullable({"type": "string", "pattern": r"^[^\x00]*$"})
_VALUES: dict[str, Schema] = {
    "STRING": _TEXT_OR_NUMBER,
    "NUMBER": {"type": "number"},
    "DATE": {"type": "integer"},
    "BOOLEAN": {"type": "boolean"},
}


def wrapper_schema() -> Schema:
    """The schema of contactFilterWrapper."""
    return {
        "type": "object",
        "required": ["name", "contactFilterRules"],
        "properties": {
            "name": {**_TEXT, "minLength": 1, "maxLength": NAME_LENGTH},
            "contactFilterType": {"enum": [FILTER_TYPE, "", None]},
            "contactFilterRules": {"type": "array", "minItems": 1, "items": {"anyOf": [*_column_rules(), *_custom()]}},
        },
    }


def _column_rules() -> Iterator[Schema]:
    for _key, group in groupby(COLUMNS, key=_row):
        columns = list(group)
        for operator in columns[0].operators:
            yield _column_rule(columns[0], [column.name for column in columns], operator)


def _row(column: FilterColumn) -> tuple[Any, ...]:
    return column.rule_type, column.data_type, column.operators, column.embedded, column.name in PATTERN_COLUMNS


def _column_rule(column: FilterColumn, names: list[str], operator: str) -> Schema:
    required = ["type", "dataType", "columnName", "operator"]
    properties: dict[str, Schema] = {
        "type": {"enum": [column.rule_type]},
        "dataType": {"enum": [column.data_type]},
        "columnName": {"enum": names},
        "contactFieldId": _ID if column.rule_type in COLUMN_RULE_TYPES else nullable(_ID),
        "attributeId": nullable(_ID),
        "attributeValues": nullable({"type": "array"}),
        **_operator(operator),
        "columnValue": _value(column, operator),
        "embeddedColumnName": {"enum": [column.embedded] if column.embedded else ["", None]},
    }
    if column.rule_type in COLUMN_RULE_TYPES:
        required.append("contactFieldId")
    if column.embedded:
        required.append("embeddedColumnName")
    if operator not in VALUELESS:
        required.append("columnValue")
    return {"type": "object", "required": required, "properties": properties}


def _operator(operator: str) -> dict[str, Schema]:
    return {"operator": {"enum": [operator]}, "contactFilterOption": {"enum": [operator, "", None]}}


def _value(column: FilterColumn, operator: str) -> Schema:
    value = _VALUES[column.data_type]
    if operator in VALUELESS:
        return {"anyOf": [{"type": "null"}, value]}
    if column.name in PATTERN_COLUMNS:
        return {
            "description": f'["{PATTERN_NOW}", null, null] or ["{PATTERN_BETWEEN}", from, to] in epoch milliseconds',
            "enum": [[PATTERN_NOW, None, None], [PATTERN_BETWEEN, 1767225600000, 1798761599999]],
        }
    if operator == PATTERN_BETWEEN:
        return {"type": "array", "minItems": 2, "maxItems": 2, "items": value, "description": "From and to, in order."}
    if operator in LIST_VALUED:
        return {"type": "array", "minItems": 1, "items": value}
    return value


def _custom() -> Iterable[Schema]:
    for data_type in CUSTOM_OPERATORS:
        for operator in custom_operators(data_type):
            yield {
                "type": "object",
                "required": ["type", "dataType", "operator", "attributeId", "attributeValues"],
                "properties": {
                    "type": {"enum": sorted(CUSTOM_RULE_TYPES)},
                    "dataType": {"enum": [data_type]},
                    "attributeId": _ID,
                    "contactFieldId": nullable(_ID),
                    "columnName": _ANY_WORD,
                    "embeddedColumnName": _ANY_WORD,
                    "attributeValues": {"type": "array", "minItems": 1, "items": _TEXT_OR_NUMBER},
                    **_operator(operator),
                },
            }
