"""What keeps a filter from being saved, sorted to the rules and fields it stands at, in the words of the screen."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Final

from client.errors import FieldError
from client.models.contact_filter_rules import contact_filter_problems
from components.contact_filters import columns
from components.contact_filters.draft import FilterDraft, RuleDraft
from components.contact_filters.slot_words import typed_problem, words_at
from components.contact_filters.values import value_texts
from components.contact_filters.wire import base_filter, to_filter

_RULE: Final = re.compile(r"^contactFilterRules\[(?P<index>\d+)\](?:\.(?P<field>\w+))?")
_SLOTS: Final = {
    "contactFieldId": "field_id",
    "columnName": "column",
    "embeddedColumnName": "column",
    "type": "column",
    "dataType": "column",
    "operator": "operator",
    "contactFilterOption": "operator",
    "columnValue": "value",
    "attributeId": "attribute_id",
    "attributeValues": "values",
}
_SLOT_WORDS: Final = {
    "field_id": "the contact field id",
    "column": "what the rule looks at",
    "operator": "the comparison",
    "value": "the value",
    "attribute_id": "the attribute id",
    "values": "the values",
    "data_type": "what the attribute holds",
}


class FilterProblems:
    """Problems by rule and field. Slots are "column", "operator", "data_type" and those of `RuleDraft.typed`."""

    def __init__(self) -> None:
        self.name: list[str] = []
        self.rules: list[str] = []
        self._by_slot: defaultdict[tuple[str, str], list[str]] = defaultdict(list)

    def add(self, uid: str, slot: str, words: str) -> None:
        """Put a problem at a field of a rule, once."""
        if words not in self._by_slot[uid, slot]:
            self._by_slot[uid, slot].append(words)

    def of(self, uid: str, slot: str) -> list[str]:
        """The problems at one field of a rule."""
        return list(self._by_slot.get((uid, slot), ()))

    def of_rule(self, uid: str) -> list[str]:
        """Every problem of a rule."""
        return [words for _, words in self.slots_of(uid)]

    def slots_of(self, uid: str) -> list[tuple[str, str]]:
        """Every problem of a rule with the field that it stands at."""
        return [(slot, words) for (owner, slot), said in self._by_slot.items() if owner == uid for words in said]

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.name) + len(self.rules) + sum(len(said) for said in self._by_slot.values())

    def __bool__(self) -> bool:
        return self.count > 0

    def listed(self, draft: FilterDraft) -> list[str]:
        """Every problem in a line that says where it stands: "Rule 3: Give a whole number."."""
        lines = [*self.name, *self.rules]
        for number, rule in enumerate(draft.rules, start=1):
            lines += [f"Rule {number}: {words}" for words in self.of_rule(rule.uid)]
        return lines


def problems_of(draft: FilterDraft) -> FilterProblems:
    """Everything that keeps the draft from being saved, and what the service refused it for last."""
    found = FilterProblems()
    rules = draft.live_rules
    for rule in rules:
        for slot, text in rule.typed.items():
            found.add(rule.uid, slot, typed_problem(rule, slot, text))
    for problem in contact_filter_problems(to_filter(draft), stored=base_filter(draft)):
        _place(rules, problem, found)
    if draft.rules and not rules and found.rules:
        found.rules = ["All rules are muted. Let at least one count."]
    for path, words in draft.refused:
        _place_refusal(rules, path, words, found)
    return found


def worth_showing(draft: FilterDraft, found: FilterProblems) -> FilterProblems:
    """The problems to point out now: all once the person asked to save, until then only those of what is typed.

    What is wrong with a value that stands there is shown too; that something is still missing is not.
    """
    if draft.checked or draft.refused:
        return found
    shown = FilterProblems()
    shown.name = found.name if draft.name.strip() else []
    for rule in draft.live_rules:
        for slot, words in found.slots_of(rule.uid):
            if slot in rule.typed or _is_filled(rule, slot):
                shown.add(rule.uid, slot, words)
    return shown


def _is_filled(rule: RuleDraft, slot: str) -> bool:
    match slot:
        case "column":
            return bool(rule.wire.get("type") or rule.wire.get("columnName"))
        case "operator":
            return bool(rule.wire.get("operator") or rule.wire.get("contactFilterOption"))
        case "data_type":
            return bool(rule.wire.get("dataType"))
    return bool(value_texts(rule).get(slot))


def _place(rules: list[RuleDraft], problem: FieldError, found: FilterProblems) -> None:
    match = _RULE.match(problem.field)
    if match is None:
        if problem.field == "name":
            found.name.append(problem.message)
        else:
            found.rules.append(problem.message)
        return
    rule = rules[int(match["index"])]
    for slot, words in words_at(rule, _slot(rule, match["field"] or ""), problem.message):
        if slot not in rule.typed:
            found.add(rule.uid, slot, words)


def _place_refusal(rules: list[RuleDraft], path: str, words: str, found: FilterProblems) -> None:
    match = _RULE.match(path)
    if match is not None and int(match["index"]) < len(rules):
        rule = rules[int(match["index"])]
        slot = _slot(rule, match["field"] or "")
        # In the service's own words, which do not tell what they are about: a rule has several fields.
        about = f" of {_SLOT_WORDS[slot]}" if match["field"] else ""
        found.add(rule.uid, slot, f"The service says{about}: {words}")
    elif path == "name":
        found.name.append(words)
    elif words not in found.rules:
        found.rules.append(words)


def _slot(rule: RuleDraft, field: str) -> str:
    if field == "dataType" and columns.is_custom(rule.wire):
        return "data_type"
    return _SLOTS.get(field, "column")
