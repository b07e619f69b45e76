"""What of a rule's value can stay when its column or its operator becomes another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from client.vocabulary.contact_filters import PATTERN_BETWEEN, PATTERN_NOW
from components.contact_filters import columns
from components.contact_filters.values import editor_kind, read_value, shown_text

_TEXTS = ("text", "country", "airport")


def fitting_value(before: Mapping[str, Any], after: Mapping[str, Any]) -> Any:
    """The old value in the form that the new kind of value has; None where nothing of it fits."""
    value = before.get("columnValue")
    if value is None and columns.is_custom(before):
        given = before.get("attributeValues")
        value = given if isinstance(given, list) else None
    kind = editor_kind(after)
    if value is None or kind == "none":
        return None
    if kind == "unknown":
        return value
    if kind in ("pattern", "moment range", "moment") and columns.data_type_of(before) != "DATE":
        return None
    if kind == "pattern":
        return _as_pattern(value)
    values = [each for each in _as_list(value) if _is_scalar(each)]
    if not values:
        return None
    if kind == "moment range":
        moments = [each for each in values if _is_whole(each)]
        return [*moments, None][:2] if moments else None
    if kind == "moment":
        return values[0] if _is_whole(values[0]) else None
    if kind in ("text list", "number list"):
        fitted = [_as_scalar("whole number" if kind == "number list" else "text", each) for each in values]
        return [each for each in fitted if each is not None] or None
    return _as_scalar(kind, values[0])


def fitting_attribute_values(before: Mapping[str, Any]) -> list[str] | None:
    """The old value of a column as values of a custom attribute, which are texts; moments are not taken over."""
    if columns.data_type_of(before) not in ("STRING", "NUMBER") or columns.is_pattern(columns.key_of_rule(before)):
        return None
    return [shown_text(each) for each in _as_list(before.get("columnValue")) if _is_scalar(each)] or None


def _as_pattern(value: Any) -> list[Any] | None:
    if isinstance(value, list) and len(value) == 3 and value[0] in (PATTERN_NOW, PATTERN_BETWEEN):
        return value
    moments = [each for each in _as_list(value) if _is_whole(each)]
    return [PATTERN_BETWEEN, *[*moments, None][:2]] if moments else None


def _as_scalar(kind: str, value: Any) -> Any:
    if kind in _TEXTS:
        return value if isinstance(value, str) else None
    if isinstance(value, str):
        return read_value(kind, value).value
    if _is_whole(value) or (kind == "number" and isinstance(value, float)):
        return value
    return read_value(kind, shown_text(value)).value


def _as_list(value: Any) -> list[Any]:
    if isinstance(value, list):
        return value[1:] if value[:1] in ([PATTERN_NOW], [PATTERN_BETWEEN]) and len(value) == 3 else value
    return [value]


def _is_scalar(value: Any) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
