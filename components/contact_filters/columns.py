"""The columns a rule may look at: grouped and worded for people, found by search, and told apart on the wire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from client.models.contact_filter_rules import custom_operators
from client.vocabulary.contact_filters import (
    COLUMN_RULE_TYPES,
    COLUMNS,
    CUSTOM_OPERATORS,
    CUSTOM_RULE_TYPES,
    LISTED,
    PATTERN_COLUMNS,
    TEXT,
    FilterColumn,
)
from components.contact_filters.column_words import WORDS, ColumnWords, column_key
from components.geography.folding import fold

CUSTOM_KEY: Final = "custom"
CUSTOM_ARRAY_KEY: Final = "custom_array"
CUSTOM_TYPES: Final[Mapping[str, str]] = {CUSTOM_KEY: "CUSTOM", CUSTOM_ARRAY_KEY: "CUSTOM_ARRAY"}
CUSTOM_DATA_TYPES: Final[tuple[str, ...]] = tuple(CUSTOM_OPERATORS)

SCHEDULE: Final = "Schedule"
_WORDS: Final[dict[str, ColumnWords]] = {words.key: words for words in WORDS}
_KEY_OF_TYPE: Final = {rule_type: key for key, rule_type in CUSTOM_TYPES.items()}
_COLUMNS: Final[dict[str, FilterColumn]] = {column_key(column): column for column in COLUMNS}

DATA_TYPE_LABELS: Final = {"STRING": "Text", "NUMBER": "Number", "DATE": "Date and time", "BOOLEAN": "Yes or no"}

_TEXT_WORDS: Final = {
    "STARTWITH": "starts with",
    "ENDWITH": "ends with",
    "E": "is",
    "NE": "is not",
    "LIKE": "contains",
    "NLIKE": "does not contain",
    "GT": "comes after",
    "LT": "comes before",
    "GTE": "is or comes after",
    "LTE": "is or comes before",
    "IN": "is one of",
    "NIN": "is none of",
    "BETWEEN": "is between",
    "ISNULL": "is not set",
    "NOTNULL": "is set",
}
_OPERATOR_WORDS: Final[dict[str, dict[str, str]]] = {
    "STRING": _TEXT_WORDS,
    "NUMBER": _TEXT_WORDS | {"LT": "is less than", "LTE": "is at most", "GT": "is more than", "GTE": "is at least"},
    "DATE": _TEXT_WORDS
    | {
        "LT": "is before",
        "LTE": "is at or before",
        "GT": "is after",
        "GTE": "is at or after",
        "E": "is at",
        "NE": "is not at",
    },
    "BOOLEAN": _TEXT_WORDS,
}
# ASSUMPTION A76: with the pattern, BETWEEN asks for what overlaps the time given; the others for what lies before or
# after it, or reaches into it.
_PATTERN_WORDS: Final = {
    "BETWEEN": "is",
    "LT": "is before",
    "LTE": "is before or during",
    "GT": "is after",
    "GTE": "is during or after",
}
_MANY_WORDS: Final = {"IN": "include any of", "NIN": "include none of"}
_ONE_OF_MANY_WORDS: Final = {"IN": "has any of", "NIN": "has none of"}
_MANY: Final = frozenset({"groups|SYSTEM_ARRAY|", "topics|SYSTEM|"})


def column_named(key: str) -> FilterColumn | None:
    """The row of the interface's table with this key; None for custom attributes and anything else."""
    return _COLUMNS.get(key)


def words_of(key: str) -> ColumnWords | None:
    """Everything that is said of a column; None for a key that is none."""
    return _WORDS.get(key)


def label(key: str) -> str:
    """What people call the column: "Country · address"."""
    words = _WORDS.get(key)
    return words.label if words else key


def search_columns(text: str) -> list[ColumnWords]:
    """Columns whose words hold every word typed, those whose label does first; all for no text."""
    wanted = fold(text).split()

    def holds(said: str) -> bool:
        return all(f" {word}" in f" {fold(said)}" for word in wanted)

    def nearness(words: ColumnWords) -> tuple[bool, bool]:
        return not holds(words.label), not fold(words.label).startswith(wanted[0] if wanted else "")

    found = [each for each in WORDS if holds(f"{each.label} {each.group} {each.search} {each.help}")]
    return sorted(found, key=nearness)


def key_of_rule(wire: Mapping[str, Any]) -> str | None:
    """The key of the column that a rule names; None where no column is chosen or it is not in the table."""
    rule_type = text_of(wire, "type")
    if rule_type is None:
        return None
    if rule_type in CUSTOM_RULE_TYPES:
        return _KEY_OF_TYPE[rule_type]
    key = f"{wire.get('columnName')}|{rule_type}|{wire.get('embeddedColumnName') or ''}"
    return key if key in _COLUMNS else None


def text_of(wire: Mapping[str, Any], name: str) -> str | None:
    """A part of a rule that has to be a text; None where a stored rule holds anything else."""
    said = wire.get(name)
    return said if isinstance(said, str) else None


def said_operator(wire: Mapping[str, Any]) -> str | None:
    """How the rule compares; a stored rule without an operator may still tell it by its option."""
    return text_of(wire, "operator") or text_of(wire, "contactFilterOption")


def needs_field_id(wire: Mapping[str, Any]) -> bool:
    """Whether the interface asks for the id of the contact field beside the column."""
    return text_of(wire, "type") in COLUMN_RULE_TYPES


def is_custom(wire: Mapping[str, Any]) -> bool:
    """Whether the rule looks at a custom attribute."""
    return text_of(wire, "type") in CUSTOM_RULE_TYPES


def is_custom_array(wire: Mapping[str, Any]) -> bool:
    """Whether the rule looks at a custom attribute of which a person can have several values."""
    return key_of_rule(wire) == CUSTOM_ARRAY_KEY


def name_of(key: str | None) -> str:
    """The interface's name of the column, which several may share; "" for custom attributes and anything else."""
    column = _COLUMNS.get(key) if key else None
    return column.name if column is not None else ""


def is_pattern(key: str | None) -> bool:
    """Whether the column's value is the three-element pattern."""
    return name_of(key) in PATTERN_COLUMNS


def operators_of(wire: Mapping[str, Any]) -> tuple[str, ...]:
    """The operators that the rule may use, in the order they are offered; none where its column is not known."""
    if is_custom(wire):
        data_type = wire.get("dataType")
        return custom_operators(data_type) if data_type in CUSTOM_DATA_TYPES else ()
    key = key_of_rule(wire)
    if key is None:
        return ()
    operators = _COLUMNS[key].operators
    return ("E", "NE", "STARTWITH", "ENDWITH", "LIKE", "NLIKE") if operators == TEXT else operators


def first_operator(wire: Mapping[str, Any]) -> str | None:
    """The operator that a new rule over this column begins with."""
    operators = operators_of(wire)
    for liked in ("E", "IN", "BETWEEN", "NOTNULL") if not is_custom_array(wire) else LISTED:
        if liked in operators:
            return liked
    return operators[0] if operators else None


def operator_words(of: Mapping[str, Any] | str, operator: str | None) -> str:
    """How people say the operator of a column, given the rule or the column's key: "starts with", "is before"."""
    key = of if isinstance(of, str) else key_of_rule(of)
    data_type = data_type_of(of)
    if not operator:
        return "(no comparison given)"
    if is_pattern(key) and operator in _PATTERN_WORDS:
        return _PATTERN_WORDS[operator]
    if key in _MANY and operator in LISTED:
        return _MANY_WORDS[operator]
    if key == CUSTOM_ARRAY_KEY and operator in LISTED:
        return _ONE_OF_MANY_WORDS[operator]
    known = _OPERATOR_WORDS.get(data_type or "STRING", _TEXT_WORDS)
    return known.get(operator, f"“{operator}”")


def data_type_of(of: Mapping[str, Any] | str) -> str | None:
    """The data type that the table gives the column; what the rule itself says for any other."""
    key = of if isinstance(of, str) else key_of_rule(of)
    column = _COLUMNS.get(key) if key else None
    if column is not None:
        return column.data_type
    return None if isinstance(of, str) else text_of(of, "dataType")
