"""Values of one rule that are legal and yet pointless: a list of one, a double, an empty range, no such country."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from client.vocabulary.contact_filters import LISTED, PATTERN_BETWEEN
from client.vocabulary.limits import LONG_MAX
from components.contact_filters import columns
from components.contact_filters.value_words import listed
from components.contact_filters.values import custom_kind, editor_kind, read_value, shown_text, span_of
from components.geography.airports import airport
from components.geography.countries import all_countries


@dataclass(frozen=True, slots=True)
class Pointless:
    """A warning, and the rules that it is about."""

    uids: tuple[str, ...]
    words: str


def pointless_value(wire: Mapping[str, Any]) -> Iterator[str]:
    """What is pointless about the value of one rule, whatever the others ask."""
    kind = editor_kind(wire)
    value = wire.get("attributeValues") if kind == "custom" else wire.get("columnValue")
    if isinstance(value, list) and (kind == "custom" or wire.get("operator") in LISTED):
        yield from _list_words(wire, value)
    yield from _id_words(wire, value)
    yield from _blank_words(value if isinstance(value, list) else [value])
    match kind:
        case "moment range" | "pattern":
            first, last = span_of(wire)
            if first is not None and first == last:
                yield "The span is empty: it ends at the moment it begins."
        case "country" if isinstance(value, str) and value.strip() and value not in all_countries():
            yield f"“{value}” is not the code of a country. Choose one from the list, unless your data holds it so."
        case "airport" if isinstance(value, str) and value.strip() and airport(value) is None:
            yield f"“{value}” is not the code of an airport. Choose one from the list, unless your data holds it so."
        case "number":
            yield from _coordinate_words(wire, value)
        case "custom" if isinstance(value, list):
            yield from _attribute_words(wire, value)


def _list_words(wire: Mapping[str, Any], value: list[Any]) -> Iterator[str]:
    shown = [shown_text(each) for each in value]
    doubles = [text for text, times in Counter(shown).items() if times > 1]
    if doubles:
        yield f"{listed(doubles)} {'stands' if len(doubles) == 1 else 'stand'} more than once in the list."
    if wire.get("operator") in LISTED and len(set(shown)) == 1 and not columns.is_custom_array(wire):
        if "E" in columns.operators_of(wire):
            other = columns.operator_words(wire, "E" if wire["operator"] == "IN" else "NE")
            yield f"The list holds one value only: “{other}” says the same, more plainly."
        else:
            yield "The list holds one value only. Add the others, if more are meant."


def _blank_words(values: list[Any]) -> Iterator[str]:
    padded = [f"“{text}”" for text in values if isinstance(text, str) and text.strip() and text != text.strip()]
    if padded:
        one = len(padded) == 1
        have = "begins or ends with a blank, which counts" if one else "begin or end with blanks, which count"
        yield f"{listed(padded)} {have}. Take {'it' if one else 'them'} off, unless meant."


def _id_words(wire: Mapping[str, Any], value: Any) -> Iterator[str]:
    words = columns.words_of(columns.key_of_rule(wire) or "")
    if words is None or not words.whole:
        return
    ids = value if isinstance(value, list) else [value]
    beyond = [shown_text(each) for each in ids if isinstance(each, int | float) and abs(each) > LONG_MAX]
    if beyond:
        yield f"{listed(beyond)} {'is' if len(beyond) == 1 else 'are'} larger than any id: nobody has it."


def _coordinate_words(wire: Mapping[str, Any], value: Any) -> Iterator[str]:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return
    latitude = str(wire.get("columnName", "")).endswith(".lat")
    limit = 90 if latitude else 180
    if abs(value) > limit:
        yield f"No {'latitude' if latitude else 'longitude'} is beyond {limit}: either everybody matches, or nobody."


def _attribute_words(wire: Mapping[str, Any], value: list[Any]) -> Iterator[str]:
    kind = custom_kind(wire)
    if kind != "text":
        odd = [shown_text(each) for each in value if not _reads_as(kind, each)]
        if odd:
            what = "a number" if kind == "number" else "a date"
            yield f"{listed([f'“{text}”' for text in odd])} cannot be compared as {what}."
    if wire.get("operator") == PATTERN_BETWEEN:
        if len(value) != 2:
            yield "A span has two values, the beginning and the end."
        elif value[0] == value[1]:
            yield "The span is empty: it ends at the moment it begins."
        elif kind == "moment" and all(_reads_as(kind, each) for each in value) and int(value[0]) > int(value[1]):
            yield "The span ends before it begins: nobody can match."
    elif wire.get("operator") in ("LT", "LTE", "GT", "GTE") and len(value) > 1:
        yield "One value is enough to compare with; of several it is not plain which one counts."


def _reads_as(kind: str, value: Any) -> bool:
    text = shown_text(value)
    if kind == "moment":
        return text.isascii() and text.removeprefix("-").isdigit()
    return read_value("number", text).value is not None
