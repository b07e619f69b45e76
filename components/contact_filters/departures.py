"""How a rule departs from what the interface allows, in words: services keep rules that no one could save today."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from client.vocabulary.contact_filters import COLUMNS
from components.contact_filters import columns
from components.contact_filters.column_words import column_key
from components.contact_filters.draft import RuleDraft
from components.contact_filters.values import editor_kind, shown_text


def marks(rule: RuleDraft) -> list[str]:
    """What is odd about the rule; empty for one that could be saved as it stands, apart from what is still typed."""
    wire = rule.wire
    if not wire.get("type") and not wire.get("columnName") and rule.stored is None:
        return []
    return [*_column_marks(wire), *_operator_marks(wire), *_value_marks(wire), *_id_marks(wire)]


def same_named(wire: Mapping[str, Any]) -> list[str]:
    """Labels of the table's columns that have the name which the rule gives."""
    return [columns.label(column_key(column)) for column in COLUMNS if column.name == wire.get("columnName")]


def _column_marks(wire: Mapping[str, Any]) -> Iterator[str]:
    key = columns.key_of_rule(wire)
    name = wire.get("columnName")
    if columns.is_custom(wire):
        if wire.get("dataType") not in columns.CUSTOM_DATA_TYPES:
            yield f"It does not say whether the attribute holds texts, numbers or dates{_quoted(wire.get('dataType'))}."
        return
    if key is None:
        if not name:
            yield "It names no column."
        elif alike := same_named(wire):
            yield f"No column “{name}” goes with what else it says. There are {_either(alike)}."
        else:
            yield f"The column “{name}” is not one that filters can use."
        return
    expected = columns.data_type_of(key)
    if wire.get("dataType") != expected:
        said = wire.get("dataType")
        words = f"calls the value {said}" if said else "does not say what kind of value it holds"
        yield f"It {words}; the column holds {columns.DATA_TYPE_LABELS.get(expected or '', '').lower()}."


def _operator_marks(wire: Mapping[str, Any]) -> Iterator[str]:
    operator, option = wire.get("operator"), wire.get("contactFilterOption")
    allowed = columns.operators_of(wire)
    if not operator:
        said = f" Its option says “{columns.operator_words(wire, option)}”." if isinstance(option, str) else ""
        yield f"It does not say how to compare.{said}"
    elif allowed and operator not in allowed:
        words = columns.operator_words(wire, operator if isinstance(operator, str) else shown_text(operator))
        yield f"This column cannot be compared by {_in_quotes(words)}."
    if operator and option is not None and option != operator:
        one, other = (columns.operator_words(wire, shown_text(word)) for word in (operator, option))
        yield f"It says two things: {_in_quotes(one)} as operator and {_in_quotes(other)} as option."


def _value_marks(wire: Mapping[str, Any]) -> Iterator[str]:
    if columns.is_custom(wire):
        given = wire.get("attributeValues")
        if not given:
            yield "It has no values to look for."
        elif isinstance(given, list) and any(not isinstance(each, str) for each in given):
            yield "Some of its values are not texts, as values of attributes have to be."
        elif not isinstance(given, list):
            yield "Its value is not a list, as values of attributes have to be."
        return
    if editor_kind(wire) not in ("none", "unknown") and wire.get("columnValue") is None:
        yield "It has no value to compare with."


def _id_marks(wire: Mapping[str, Any]) -> Iterator[str]:
    if columns.is_custom(wire) and not wire.get("attributeId"):
        yield "It does not say which attribute."
    if columns.needs_field_id(wire) and not wire.get("contactFieldId"):
        yield "It lacks the id of the contact field."


def _quoted(word: Any) -> str:
    return f" (it says “{shown_text(word)}”)" if word else ""


def _in_quotes(words: str) -> str:
    return words if words.startswith("“") else f"“{words}”"


def _either(labels: list[str]) -> str:
    return " and ".join(part for part in (", ".join(labels[:-1]), *labels[-1:]) if part)
