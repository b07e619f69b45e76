"""What keeps a filter from being saved, sorted to the rules and fields it stands at, in the words of the screen."""

from __future__ import annotations

import re
from typing import Final

from client.models.contact_filter_rules import contact_filter_problems
from components.contact_filters import columns
from components.contact_filters.draft import FilterDraft, RuleDraft
from components.contact_filters.slot_words import typed_problem, words_at
from components.contact_filters.values import value_texts
from components.contact_filters.wire import base_filter, to_filter
from components.forms.form import Form, Parts, Place, Problems

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


RULES: Final = "rules"
"""Where problems of all rules together stand."""
FILTER_FORM: Final = Form[FilterDraft](
    "contact_filter",
    parts=(Parts(RULES, "Rule {}", (), wire="contactFilterRules", counts=lambda rule: not rule.muted),),
)


def problems_of(draft: FilterDraft) -> Problems:
    """Everything that keeps the draft from being saved, and what the service refused it for last.

    Places in a rule are "column", "operator", "data_type" and those of `RuleDraft.typed`; the filter itself has "name".
    """
    found = Problems()
    rules = draft.live_rules
    for rule in rules:
        for slot, text in rule.typed.items():
            found.add(rule.uid, slot, typed_problem(rule, slot, text))
    for problem in contact_filter_problems(to_filter(draft), stored=base_filter(draft)):
        at, field = _rule_at(rules, problem.field)
        if at is not None:
            for slot, words in words_at(at, _slot(at, field), problem.message):
                if slot not in at.typed:
                    found.add(at.uid, slot, words)
        elif problem.field == "name":
            found.add(draft.uid, "name", problem.message)
        else:
            all_muted = draft.rules and not rules
            found.add(RULES, "", "All rules are muted. Let at least one count." if all_muted else problem.message)
    for path, words in draft.refused:
        at, field = _rule_at(rules, path)
        if at is not None:
            # In the service's own words, which do not tell what they are about: a rule has several fields.
            slot = _slot(at, field)
            found.add(at.uid, slot, f"The service says{f' of {_SLOT_WORDS[slot]}' if field else ''}: {words}")
        elif path == "name":
            found.add(draft.uid, "name", words)
        else:
            found.add(RULES, "", words)
    return found


def worth_showing(draft: FilterDraft, found: Problems) -> Problems:
    """The problems to point out now: all once the person asked to save, until then only those of what is typed.

    What is wrong with a value that stands there is shown too; that something is still missing is not.
    """
    if draft.checked or draft.refused:
        return found
    rules = {rule.uid: rule for rule in draft.live_rules}

    def has_begun(place: Place, _unfinished: bool) -> bool:
        uid, slot = place
        if uid not in rules:
            return slot == "name" and bool(draft.name.strip())
        return slot in rules[uid].typed or _is_filled(rules[uid], slot)

    return found.only(has_begun)


def _is_filled(rule: RuleDraft, slot: str) -> bool:
    match slot:
        case "column":
            return bool(rule.wire.get("type") or rule.wire.get("columnName"))
        case "operator":
            return bool(rule.wire.get("operator") or rule.wire.get("contactFilterOption"))
        case "data_type":
            return bool(rule.wire.get("dataType"))
    return bool(value_texts(rule).get(slot))


def _rule_at(rules: list[RuleDraft], path: str) -> tuple[RuleDraft | None, str]:
    match = _RULE.match(path)
    if match is None or int(match["index"]) >= len(rules):
        return None, ""
    return rules[int(match["index"])], match["field"] or ""


def _slot(rule: RuleDraft, field: str) -> str:
    if field == "dataType" and columns.is_custom(rule.wire):
        return "data_type"
    return _SLOTS.get(field, "column")
