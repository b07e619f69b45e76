"""Warnings about a valid filter: rules that contradict or repeat each other, and values that never match."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, pairwise
from typing import Any, Final

from client.vocabulary.contact_filters import LISTED, PATTERN_BETWEEN, SET_OR_NOT
from client.vocabulary.limits import LONG_MAX
from domain.filters import columns
from domain.filters.filter_draft import FilterDraft, RuleDraft
from domain.filters.sentence import join_items
from domain.filters.values import (
    MILLISECONDS,
    custom_kind,
    editable_text,
    editor_kind,
    elements_of,
    parse_number,
    read_value,
    span_of,
)
from domain.geography.airports import airport
from domain.geography.countries import all_countries

Value = str | int | float

_NOT_CONTENT: Final = ("id", "contactFieldId", "contactFilterOption")
_MOST_COMPARED: Final = 200
"""Rules over the same column that are compared. The time is quadratic in this number, at every keystroke."""
_OTHER: Final = "\0"
"""A text that is in no rule."""


@dataclass(frozen=True, slots=True)
class RuleWarning:
    """A warning, and the rules that it is about."""

    uids: tuple[str, ...]
    message: str


def find_warnings(draft: FilterDraft) -> list[RuleWarning]:
    """Return the warnings about the unmuted rules, to be shown before the filter is saved.

    A person may have several values of some columns (addresses, delivery paths, expected locations, groups), so two
    rules over one of these may both match. They get a warning only if no set of values could match both.
    """
    rules = [
        (number, rule)
        for number, rule in enumerate(draft.rules, start=1)
        if not rule.muted and not rule.typed and rule.payload.get("type")
    ]
    found = [RuleWarning((rule.uid,), words) for _, rule in rules for words in _value_warnings(rule.payload)]
    alike: defaultdict[str, list[tuple[int, RuleDraft]]] = defaultdict(list)
    by_column: defaultdict[tuple[Any, ...], list[_Condition]] = defaultdict(list)
    for number, rule in rules:
        alike[content := _contents(rule.payload)].append((number, rule))
        payload, key, values = rule.payload, columns.key_of_rule(rule.payload), _values(rule.payload)
        if key is not None and not columns.is_pattern(key) and values is not None:
            attribute = editable_text(payload.get("attributeId")) if columns.is_custom(payload) else None
            condition = _Condition(rule.uid, number, content, str(payload["operator"]), values)
            by_column[key, attribute, columns.data_type_of(payload)].append(condition)
    for same in alike.values():
        if len(same) > 1:
            words = f"Rules {join_items([str(number) for number, _ in same])} are the same. One of them is enough."
            found.append(RuleWarning(tuple(rule.uid for _, rule in same), words))
    for (key, _, data_type), asking in by_column.items():
        for one, other in combinations(asking[:_MOST_COMPARED], 2):
            if one.content != other.content and (words := _explain(one, other, key, data_type)):
                found.append(RuleWarning((one.uid, other.uid), words))
    return found


@dataclass(frozen=True)
class _Condition:
    """A rule with the values it compares with, its number on the screen, and its contents as text."""

    uid: str
    number: int
    content: str
    operator: str
    values: tuple[Value, ...]

    @cached_property
    def value_set(self) -> frozenset[Value]:
        """The values for fast lookup, because lists may be long."""
        return frozenset(self.values)

    @cached_property
    def folded(self) -> _Condition:
        """The same rule with its texts for comparison without case."""
        return replace(self, values=tuple(each.casefold() if isinstance(each, str) else each for each in self.values))

    def is_match(self, value: Any) -> bool:
        """Return whether a person with only this value, or with none, matches the rule."""
        if self.operator in SET_OR_NOT:
            return (value is None) == (self.operator == "ISNULL")
        if self.operator in _OPPOSITES:
            return value is None or not _MATCHES[_OPPOSITES[self.operator]](value, self)
        return value is not None and bool(_MATCHES[self.operator](value, self))


_OPPOSITES: Final = {"NE": "E", "NIN": "IN", "NLIKE": "LIKE"}
_MATCHES: Final[Mapping[str, Callable[[Any, _Condition], Any]]] = {
    "E": lambda value, condition: value in condition.value_set,
    "IN": lambda value, condition: value in condition.value_set,
    "LIKE": lambda value, condition: condition.values[0] in value,
    "STARTWITH": lambda value, condition: value.startswith(condition.values[0]),
    "ENDWITH": lambda value, condition: value.endswith(condition.values[0]),
    "LT": lambda value, condition: value < condition.values[0],
    "LTE": lambda value, condition: value <= condition.values[0],
    "GT": lambda value, condition: value > condition.values[0],
    "GTE": lambda value, condition: value >= condition.values[0],
    "BETWEEN": lambda value, condition: condition.values[0] <= value <= condition.values[1],
}


def _explain(one: _Condition, other: _Condition, key: str, data_type: str | None) -> str:
    """Return why two rules are not both useful, with and without regard to case, because services may ignore case."""
    exact, folded = _clash(one, other, key, data_type), ""
    if any(isinstance(each, str) for each in (*one.values, *other.values)):
        folded = _clash(one.folded, other.folded, key, data_type)
        if exact.casefold() != folded.casefold():
            parts = (
                ("If the service is case-sensitive: ", exact),
                ("If the service ignores case: ", folded),
            )
            return " ".join(where + words for where, words in parts if words)
    return exact


def _clash(one: _Condition, other: _Condition, key: str, data_type: str | None) -> str:
    """Return why two rules over the same column are not both useful, as a sentence; "" if they may be."""
    words = columns.labels_of(key)
    single, both = words is not None and words.is_single, f"Rules {one.number} and {other.number}"
    excluded = f"{both} exclude each other. No one can match."
    shared: list[Value] = []
    if {one.operator, other.operator} == set(LISTED):
        wanted, unwanted = (one, other) if one.operator == LISTED[0] else (other, one)
        shared = [value for value in wanted.values if value in unwanted.value_set]
        if len(shared) == len(wanted.values):
            return excluded
    if single:
        whole = (words is not None and words.is_id) or data_type == "DATE"
        tried = [(one.is_match(each), other.is_match(each)) for each in _samples(one, other, whole=whole)]
        if (True, True) not in tried:
            return excluded
        for less, more, apart in ((one, other, (False, True)), (other, one, (True, False))):
            if apart not in tried:
                return f"Rule {less.number} has no effect: everyone who matches rule {more.number} matches it too."
    elif one.operator == other.operator == "E":
        # Users add a second country and mean "or", but rules are combined with "and".
        within = "put the values in one rule" if key in columns.CUSTOM_TYPES else "create two filters"
        return f"{both} must both match: only people with both values match. To match either value, {within}."
    return (
        f"{both} include and exclude the same values: {join_items([editable_text(each) for each in shared])}."
        if shared
        else ""
    )


def _samples(one: _Condition, other: _Condition, *, whole: bool) -> Iterator[Value | None]:
    """Yield values that distinguish two rules: if any value matches both or only one of them, so does one of these."""
    samples = {*one.values, *other.values}
    yield None
    yield from samples
    texts = [each.values[0] for each in (one, other) if each.values and isinstance(each.values[0], str)]
    numbers = sorted(each for each in samples if not isinstance(each, str))
    if texts:
        yield _OTHER
        yield "".join(map(str, texts))
        yield "".join(map(str, reversed(texts)))
        for text in texts:
            yield from (f"{text}{_OTHER}", f"{_OTHER}{text}")
    elif numbers:
        between = [step for each in numbers for step in (each - 1, each + 1)]
        yield from between if whole else (numbers[0] - 1, *((a + b) / 2 for a, b in pairwise(numbers)), numbers[-1] + 1)


def _values(payload: Mapping[str, Any]) -> tuple[Value, ...] | None:
    """Return the values that a rule compares with; None if the rule is incomplete."""
    operator, data_type = payload.get("operator"), columns.data_type_of(payload)
    if operator in SET_OR_NOT:
        return ()
    values = tuple(_comparable(each, data_type) for each in elements_of(payload))
    if not isinstance(operator, str) or operator not in {*_MATCHES, *_OPPOSITES} or not values or None in values:
        return None
    is_text = isinstance(values[0], str)
    if operator not in ("E", "NE", *LISTED):
        takes = 2 if operator == PATTERN_BETWEEN else 1
        if len(values) != takes or is_text is not (operator in ("STARTWITH", "ENDWITH", "LIKE", "NLIKE")):
            return None
    return tuple(each for each in values if each is not None)


def _comparable(value: Any, data_type: str | None) -> Value | None:
    if isinstance(value, bool) or value is None:
        return None
    if data_type in ("NUMBER", "DATE"):
        return parse_number(editable_text(value))
    return value if isinstance(value, str) and value.strip() else None


def _contents(payload: Mapping[str, Any]) -> str:
    """Return the contents of a rule as text, with its list sorted."""
    content: dict[str, Any] = {name: value for name, value in payload.items() if name not in _NOT_CONTENT}
    for name in ("columnValue", "attributeValues"):
        if payload.get("operator") in LISTED and isinstance(payload.get(name), list):
            content[name] = sorted({json.dumps(each) for each in payload[name]})
    if payload.get("operator") in SET_OR_NOT:
        content.pop("columnValue", None)
    return json.dumps(content, sort_keys=True)


def _value_warnings(payload: Mapping[str, Any]) -> Iterator[str]:
    """Yield warnings about the value of a single rule."""
    kind, operator, values = editor_kind(payload), payload.get("operator"), elements_of(payload)
    shown = [editable_text(each) for each in values]
    in_list = operator in LISTED and isinstance(
        payload.get("attributeValues" if kind == "custom" else "columnValue"), list
    )
    if kind == "custom" or in_list:
        doubles = [text for text, times in Counter(shown).items() if times > 1]
        if doubles:
            yield f"Duplicate values in the list: {join_items(doubles)}."
    can_be_plainer = "E" in columns.operators_of(payload) and not columns.is_custom_array(payload)
    if in_list and can_be_plainer and len(set(shown)) == 1:
        other = columns.operator_label(payload, "E" if operator == "IN" else "NE")
        yield f"The list has only 1 value. “{other}” has the same effect."
    padded = [f"“{text}”" for text in values if isinstance(text, str) and text.strip() and text != text.strip()]
    if padded:
        yield f"Spaces at the beginning or end count: {join_items(padded)}. Remove them unless you need them."
    words = columns.labels_of(columns.key_of_rule(payload) or "")
    numbers = [each for each in values if isinstance(each, int | float) and not isinstance(each, bool)]
    beyond = [editable_text(each) for each in numbers if abs(each) > LONG_MAX]
    if beyond and words is not None and words.is_id:
        yield f"No ID is this large, so these values match no one: {join_items(beyond)}."
    first, last = span_of(payload)
    if kind in ("moment range", "pattern") and first is not None and first == last:
        yield "The time span is empty because it ends when it begins."
    value = payload.get("columnValue")
    known = {"country": lambda code: code in all_countries(), "airport": airport}.get(kind)
    if known is not None and isinstance(value, str) and value.strip() and not known(value):
        a = "an airport" if kind == "airport" else "a country"
        yield f"“{value}” is not the code of {a}. Use a value from the list unless your data contains this one."
    if kind == "number" and numbers:
        name, limit = ("latitude", 90) if str(payload.get("columnName", "")).endswith(".lat") else ("longitude", 180)
        if abs(numbers[0]) > limit:
            yield f"No {name} is beyond {limit}. Either everyone or no one matches."
    if kind == "custom":
        yield from _attribute_warnings(payload, shown)


def _attribute_warnings(payload: Mapping[str, Any], shown: list[str]) -> Iterator[str]:
    kind, operator = custom_kind(payload), payload.get("operator")
    reads_as: dict[str, Callable[[str], Any]] = {
        "moment": MILLISECONDS.fullmatch,
        "number": lambda text: read_value("number", text).value is not None,
    }
    odd = [f"“{text}”" for text in shown if kind in reads_as and not reads_as[kind](text)]
    if odd:
        yield f"{join_items(odd)} cannot be compared as {'a number' if kind == 'number' else 'a date'}."
    if operator == PATTERN_BETWEEN and shown:
        if len(shown) != 2:
            yield "A time span needs 2 values, the beginning and the end."
        elif shown[0] == shown[1]:
            yield "The time span is empty because it ends when it begins."
        elif kind == "moment" and not odd and int(shown[0]) > int(shown[1]):
            yield "The time span ends before it begins. No one can match."
    elif operator in ("LT", "LTE", "GT", "GTE") and len(shown) > 1:
        yield "This comparison uses 1 value. With several values, the result is unclear."
