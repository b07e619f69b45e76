"""What the builder's pick lists offer, with the words for each choice; made once, since a filter has many rules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from client.vocabulary.contact_filters import PATTERN_BETWEEN, PATTERN_NOW
from components.contact_filters import columns
from components.contact_filters.column_words import WORDS
from components.contact_filters.values import shown_text
from components.filter_builder.form_values import OTHER_COLUMN, said_operator
from components.geography.countries import all_countries

COLUMNS: Final[dict[str, str]] = {words.key: words.label for words in WORDS}
"""The columns in the order of their groups, words by key."""
DATA_TYPES: Final[dict[str, str]] = {each: columns.DATA_TYPE_LABELS[each] for each in columns.CUSTOM_DATA_TYPES}
PATTERNS: Final[dict[str, str]] = {PATTERN_NOW: "now", PATTERN_BETWEEN: "between"}


def column_choices(wire: Mapping[str, Any]) -> Mapping[str, str]:
    """The columns a rule may look at; one that is not in the table stands first, by its name."""
    if not wire or columns.key_of_rule(wire) is not None:
        return COLUMNS
    name = shown_text(wire.get("columnName")) or "No column"
    return {OTHER_COLUMN: f"{name} (not in the table)", **COLUMNS}


def operator_choices(wire: Mapping[str, Any]) -> Mapping[str, str]:
    """How a rule may compare; what it says now stands first where the column does not allow it."""
    key = columns.key_of_rule(wire)
    known = _operators(key, columns.data_type_of(wire)) if key is not None else {}
    said = said_operator(wire)
    return known if said is None or said in known else {said: columns.operator_words(wire, said), **known}


@cache
def country_choices() -> dict[str, str]:
    """All countries, words by code. Shared: do not change it."""
    return {code: f"{name} ({code})" for code, name in all_countries().items()}


def countries_with(held: str | None) -> Mapping[str, str]:
    """All countries, and before them the value that a rule holds where it is none of their codes."""
    known = country_choices()
    return known if not held or held in known else {held: f"{held} (not a code of a country)", **known}


@cache
def _operators(key: str, data_type: str | None) -> dict[str, str]:
    column = columns.column_named(key)
    wire: dict[str, Any] = {"type": columns.CUSTOM_TYPES.get(key), "dataType": data_type}
    if column is not None:
        wire = {"columnName": column.name, "type": column.rule_type, "embeddedColumnName": column.embedded}
        wire["dataType"] = column.data_type
    return {operator: columns.operator_words(wire, operator) for operator in columns.operators_of(wire)}
