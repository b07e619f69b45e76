"""Errors that prevent a filter from being saved: their rule, field, and message."""

from __future__ import annotations

from typing import Any

import pytest

from client.models.contact_filters import ContactFilter
from domain.filters import rule_steps
from domain.filters.filter_draft import FilterDraft, RuleDraft, from_filter
from domain.filters.filter_form import FILTER_FORM, RULES
from domain.filters.filter_problems import find_problems, find_stored_rule_errors, problems_to_show
from domain.text.plain_text import NOT_AN_ID
from tests.domain.filters.odd_filters import ODD_FILTERS

GOOD = {
    "contactFieldId": 210,
    "columnName": "firstName",
    "columnValue": "Ana",
    "type": "SYSTEM",
    "dataType": "STRING",
    "operator": "E",
    "contactFilterOption": "E",
}
SPAN = GOOD | {"columnName": "createdDate", "dataType": "DATE", "operator": "BETWEEN", "contactFilterOption": "BETWEEN"}
PATTERN = {
    "columnName": "expectedDate",
    "type": "SYSTEM_EXPECTED_OBJECT",
    "dataType": "DATE",
    "operator": "BETWEEN",
    "columnValue": ["NOW", None, None],
}
CUSTOM = {"type": "CUSTOM", "dataType": "STRING", "operator": "E", "attributeId": 5, "attributeValues": ["a"]}


def drop_fields(payload: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in payload.items() if name not in names}


def build_draft(*payloads: dict[str, Any], name: str = "Anas") -> FilterDraft:
    rules = [RuleDraft(uid=f"r{number}", payload=payload) for number, payload in enumerate(payloads)]
    return FilterDraft(name=name, rules=rules)


@pytest.mark.parametrize(
    ("payload", "slot", "words"),
    [
        ({}, "column", "Select a column."),
        (GOOD | {"columnName": "shoeSize"}, "column", "“shoeSize” is not a column that a filter can use."),
        (
            GOOD | {"columnName": "city"},
            "column",
            "“city” is not a column of this type. Select City · address or City · expected location.",
        ),
        (GOOD | {"type": "SYSTEMS"}, "column", "“firstName” is not a column of this type. Select First name."),
        (GOOD | {"dataType": "NUMBER"}, "column", "Select the column again."),
        (drop_fields(GOOD, "operator", "contactFilterOption"), "operator", "Select a comparison."),
        (GOOD | {"operator": "GT", "contactFilterOption": "GT"}, "operator", "Select another comparison."),
        (
            GOOD | {"contactFilterOption": "LIKE"},
            "operator",
            "The rule has two comparisons, “is” and “contains”. Select one.",
        ),
        (drop_fields(GOOD, "columnValue"), "value", "Enter the text to compare with."),
        (GOOD | {"columnValue": "  "}, "value", "Enter the text to compare with."),
        (GOOD | {"columnValue": 7}, "value", "Enter text."),
        (drop_fields(GOOD, "contactFieldId"), "field_id", "Enter the ID of the contact field."),
        (GOOD | {"contactFieldId": 2**63}, "field_id", "The ID of the contact field must be a whole number above 0."),
        (GOOD | {"columnName": "country", "columnValue": ""}, "value", "Select a country."),
        (SPAN | {"columnValue": [1, None]}, "until", "Enter the end."),
        (SPAN | {"columnValue": [None, 1]}, "from", "Enter the beginning."),
        (SPAN | {"columnValue": [2, 1]}, "until", "The end is before the beginning."),
        (SPAN | {"columnValue": ["a", 1]}, "from", "The date and time aren’t valid. Enter them again."),
        (SPAN | {"columnValue": 5}, "from", "Enter a list of values."),
        (drop_fields(SPAN, "columnValue"), "from", "Enter the beginning."),
        (drop_fields(SPAN, "columnValue"), "until", "Enter the end."),
        (PATTERN | {"columnValue": ["BETWEEN", 1, None]}, "until", "Enter the end."),
        (PATTERN | {"columnValue": ["BETWEEN", 2, 1]}, "until", "The end is before the beginning."),
        (PATTERN | {"columnValue": ["between", 1, 2]}, "value", "Select now, or a period"),
        (PATTERN | {"columnValue": [1, 2]}, "value", "Select now, or a period with a start and an end."),
        (PATTERN | {"columnValue": ["NOW", 1, 2]}, "value", "“Now” takes no start and no end."),
        (drop_fields(PATTERN, "columnValue"), "value", "Select “now” or “between”."),
        (drop_fields(CUSTOM, "attributeId"), "attribute_id", "Enter the ID of the attribute."),
        (CUSTOM | {"attributeId": 0}, "attribute_id", "The ID of the attribute must be a whole number above 0."),
        (drop_fields(CUSTOM, "attributeValues"), "values", "Enter at least one value to search for."),
        (CUSTOM | {"attributeValues": [4711]}, "values", "must be text that is not blank"),
        (CUSTOM | {"dataType": "BOOLEAN"}, "data_type", "Select the data type of the attribute."),
        (CUSTOM | {"operator": "ISNULL"}, "operator", "Select another comparison."),
    ],
)
def test_a_problem_is_at_its_rule_and_field(payload: dict[str, Any], slot: str, words: str) -> None:
    found = find_problems(build_draft(GOOD, payload))
    assert found
    assert found.of("r0") == []
    assert any(words in message for message in found.at("r1", slot)), found.of("r1")


@pytest.mark.parametrize("payload", [GOOD, PATTERN, CUSTOM, SPAN | {"columnValue": [1, 2]}])
def test_a_valid_rule_has_no_problem(payload: dict[str, Any]) -> None:
    assert not find_problems(build_draft(payload))


@pytest.mark.parametrize(
    ("name", "words"),
    [("", "Enter a name for the filter."), ("x" * 101, "The name has 101 characters. At most 100 are allowed.")],
)
def test_an_error_of_the_name_is_not_at_a_rule(name: str, words: str) -> None:
    draft = build_draft(GOOD, name=name)
    found = find_problems(draft)
    assert (found.at(draft.uid, "name"), found.count) == ([words], 1)


def test_a_filter_without_rules_or_with_muted_ones_only_is_reported() -> None:
    assert find_problems(build_draft()).at(RULES, "") == ["Add at least one rule."]
    draft = rule_steps.mute(build_draft(GOOD), "r0")
    assert find_problems(draft).at(RULES, "") == ["All rules are muted. Unmute at least one."]


def test_muted_rules_are_not_checked_and_do_not_shift_the_others() -> None:
    draft = rule_steps.mute(build_draft({}, GOOD | {"operator": "GT"}), "r0")
    found = find_problems(draft)
    assert found.of("r0") == []
    assert found.at("r1", "operator")
    assert FILTER_FORM.describe_problems(draft, found) == [
        "Rule 2: The column has no comparison “comes after”. Select another comparison."
    ]


@pytest.mark.parametrize(
    ("payload", "slot", "text", "words"),
    [
        (
            GOOD | {"columnName": "recordTypeId", "dataType": "NUMBER"},
            "value",
            "Staff",
            "“Staff” is not a whole number. Enter the ID, or add its name in IDs and names.",
        ),
        (GOOD | {"columnName": "recordTypeId", "dataType": "NUMBER"}, "value", "9.5", "“9.5” is not a whole number."),
        (
            GOOD | {"columnName": "recordTypeId", "dataType": "NUMBER"},
            "value",
            "1 234",
            "“1 234” is not a whole number. Enter 1 number without spaces.",
        ),
        (GOOD, "field_id", "two", "“two” is not a whole number."),
        (GOOD, "field_id", "-2", NOT_AN_ID),
        (SPAN, "from", "soon", "“soon” is not a date. Use a format such as 2026-11-20 14:05."),
        (SPAN, "from", "x" * 10_000, f"“{'x' * 119}…” is not a date. Use a format such as 2026-11-20 14:05."),
        (CUSTOM | {"dataType": "NUMBER"}, "values", "1\nx", "“x” is not a number."),
    ],
)
def test_unreadable_input_prevents_saving(payload: dict[str, Any], slot: str, text: str, words: str) -> None:
    draft = rule_steps.set_value(build_draft(GOOD, payload), "r1", slot, text)
    assert find_problems(draft).at("r1", slot) == [words]
    muted = rule_steps.mute(draft, "r1")
    assert not find_problems(muted)
    assert muted.rules[1].typed == {slot: text}


def test_errors_of_the_service_are_at_their_fields() -> None:
    draft = rule_steps.mute(build_draft(GOOD, GOOD | {"columnName": "lastName"}), "r0").model_copy(
        update={
            "refused": [
                ("contactFilterRules[0].columnValue", "Not that one."),
                ("contactFilterRules[7].columnValue", "Out of sight."),
                ("contactFilterRules[0]", "The whole of it."),
                ("name", "Taken."),
                ("", "Something else."),
            ]
        }
    )
    found = find_problems(draft)
    assert found.at("r1", "value") == ["The service rejected the value: Not that one."]
    assert found.at("r1", "column") == ["The service rejected the rule: The whole of it."]
    assert [found.at(draft.uid, "name"), found.at(RULES, ""), found.at(draft.uid, "")] == [
        ["Taken."],
        ["Out of sight."],
        ["Something else."],
    ]


def test_missing_values_are_shown_after_an_attempt_to_save() -> None:
    draft = rule_steps.set_value(
        build_draft({}, drop_fields(GOOD, "columnValue"), GOOD, name=""), "r2", "field_id", "two"
    )
    shown = problems_to_show(draft, find_problems(draft))
    assert FILTER_FORM.describe_problems(draft, shown) == ["Rule 3: “two” is not a whole number."]
    checked = draft.model_copy(update={"checked": True})
    assert problems_to_show(checked, find_problems(checked)).count == find_problems(checked).count == 4


@pytest.mark.parametrize("name", ODD_FILTERS)
def test_unusual_stored_rules_are_valid_until_they_are_changed(name: str) -> None:
    record, messages = ODD_FILTERS[name]
    draft = from_filter(ContactFilter.from_wire(record), 5)
    assert not find_problems(draft)
    assert [find_stored_rule_errors(rule) for rule in draft.rules] == [messages]
    copy = from_filter(ContactFilter.from_wire(record))
    assert bool(find_problems(copy)) == bool(messages)
