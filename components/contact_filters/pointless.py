"""What a filter says that is legal and yet pointless: rules that stand twice, or that nobody can meet together."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

from client.vocabulary.contact_filters import LISTED, SET_OR_NOT
from components.contact_filters import columns
from components.contact_filters.asked import Asked, asked_by, rule_each_other_out, says_less
from components.contact_filters.draft import FilterDraft, RuleDraft
from components.contact_filters.pointless_values import Pointless, pointless_value
from components.contact_filters.value_words import listed

_NOT_CONTENT: Final = ("id", "contactFieldId", "contactFilterOption")
_HELD_AGAINST_EACH_OTHER: Final = 200
"""Rules over one column; the work grows with their square, and it is done at every keystroke."""


def warnings_of(draft: FilterDraft) -> list[Pointless]:
    """Everything pointless about the rules that count, to be told before the filter is saved.

    A column that a person can have several of (addresses, delivery paths, expected locations, groups) may well meet
    two rules with two of them: such rules are only told of where no set of values could meet both.
    """
    numbered = [
        _Numbered(rule, number, _content(rule))
        for number, rule in enumerate(draft.rules, start=1)
        if not rule.muted and not rule.typed and rule.wire.get("type")
    ]
    found = [Pointless((each.rule.uid,), words) for each in numbered for words in pointless_value(each.rule.wire)]
    return [*found, *_twice(numbered), *_clashes(numbered)]


@dataclass(frozen=True, slots=True)
class _Numbered:
    """A rule with its number on the screen, and what it asks as a text."""

    rule: RuleDraft
    number: int
    content: str


def _twice(rules: list[_Numbered]) -> Iterator[Pointless]:
    alike: defaultdict[str, list[_Numbered]] = defaultdict(list)
    for each in rules:
        alike[each.content].append(each)
    for same in alike.values():
        if len(same) > 1:
            which = listed([str(each.number) for each in same])
            yield Pointless(
                tuple(each.rule.uid for each in same), f"Rules {which} say the same. One of them is enough."
            )


def _clashes(rules: list[_Numbered]) -> Iterator[Pointless]:
    by_column: defaultdict[tuple[str, str], list[tuple[_Numbered, Asked]]] = defaultdict(list)
    for each in rules:
        key, asked = columns.key_of_rule(each.rule.wire), asked_by(each.rule.wire)
        if key is not None and asked is not None:
            attribute = str(each.rule.wire.get("attributeId")) if columns.is_custom(each.rule.wire) else ""
            by_column[key, attribute].append((each, asked))
    for (key, _), asking in by_column.items():
        words = columns.words_of(key)
        single = words is not None and words.single
        for (one, first), (other, second) in combinations(asking[:_HELD_AGAINST_EACH_OTHER], 2):
            if one.content == other.content:
                continue
            said = _said_of(one.number, first, other.number, second, single)
            if said is None and first.operator == second.operator == "E":
                said = _both_asked(one, other)
            if said is not None:
                yield Pointless((one.rule.uid, other.rule.uid), said)


def _said_of(number: int, asked: Asked, other_number: int, other: Asked, single: bool) -> str | None:
    why = rule_each_other_out(asked, other, single=single)
    if why is not None:
        return f"Rules {number} and {other_number} rule each other out: {why} Nobody can match."
    if single and says_less(asked, other):
        return f"Rule {number} adds nothing: whoever meets rule {other_number} meets it too."
    if single and says_less(other, asked):
        return f"Rule {other_number} adds nothing: whoever meets rule {number} meets it too."
    shut_out = asked.shut_out_of(other)
    return f"Rules {number} and {other_number} both look for and shut out {shut_out}." if shut_out else None


def _both_asked(one: _Numbered, other: _Numbered) -> str:
    """People add a second country and mean either; between rules there is no "or"."""
    within = "put the values into one rule" if columns.is_custom(one.rule.wire) else "make two filters"
    return (
        f"Rules {one.number} and {other.number} both have to hold: only people with both of these match. If either "
        f"will do, {within}."
    )


def _content(rule: RuleDraft) -> str:
    """What a rule asks, whatever the order of a list is that it holds."""
    wire: dict[str, Any] = {name: value for name, value in rule.wire.items() if name not in _NOT_CONTENT}
    for name in ("columnValue", "attributeValues"):
        if wire.get("operator") in LISTED and isinstance(wire.get(name), list):
            wire[name] = sorted({json.dumps(each) for each in wire[name]})
    if wire.get("operator") in SET_OR_NOT:
        wire.pop("columnValue", None)
    return json.dumps(wire, sort_keys=True)
