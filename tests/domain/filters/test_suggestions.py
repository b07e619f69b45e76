"""Values to suggest for a rule: where they come from, and which of them match what was typed."""

from __future__ import annotations

from typing import Any

from domain.filters.estimate.filter_estimate import FilterEstimate
from domain.filters.estimate.rule_questions import CONTACTS, EstimateOptions
from domain.filters.filter_draft import FilterDraft, RuleDraft
from domain.filters.names.id_names import IdNames
from domain.filters.suggestions import MOST_LISTED, MOST_SUGGESTED, KnownValues, by_column, by_name, count_values

CITY: dict[str, Any] = {
    "type": "SYSTEM_EXPECTED_OBJECT",
    "columnName": "city",
    "embeddedColumnName": "address",
    "dataType": "STRING",
    "operator": "E",
}
CITY_KEY = "city|SYSTEM_EXPECTED_OBJECT|address"
DEPARTMENT: dict[str, Any] = {"type": "CUSTOM", "dataType": "STRING", "attributeId": 4001, "operator": "IN"}


def test_values_of_other_rules_are_counted_by_column_without_parts_and_times() -> None:
    """A custom attribute is the same in both of its types, and an ID is a text."""
    date = {**CITY, "type": "SYSTEM", "columnName": "createdDate", "dataType": "DATE", "columnValue": 1}
    groups = {"type": "SYSTEM_ARRAY", "columnName": "groups", "dataType": "NUMBER", "operator": "IN"}
    counted = count_values(
        [
            {**CITY, "columnValue": "Lyon"},
            {**CITY, "columnValue": "Paris"},
            {**CITY, "operator": "NE", "columnValue": "Paris"},
            {**CITY, "operator": "LIKE", "columnValue": "Par"},
            {**DEPARTMENT, "attributeValues": ["Sales"]},
            {**DEPARTMENT, "type": "CUSTOM_ARRAY", "attributeId": "4001", "attributeValues": ["Legal", "Sales"]},
            {**groups, "columnValue": [310, 311]},
            {**CITY, "columnName": "shoeSize", "columnValue": "44"},
            date,
        ]
    )
    assert counted == {
        CITY_KEY: ["Paris", "Lyon"],
        "attribute 4001": ["Sales", "Legal"],
        "groups|SYSTEM_ARRAY|": ["310", "311"],
    }


def test_typed_words_find_values_without_accents_and_a_value_that_is_there_finds_none() -> None:
    values = KnownValues([by_column({CITY_KEY: ["Zürich", "New York"]}), by_column({CITY_KEY: ["Zürich", "York"]})])
    assert values.matching(CITY, "") == ["Zürich", "New York", "York"]
    assert values.matching(CITY, "zur") == ["Zürich"]
    assert values.matching(CITY, "york") == ["New York", "York"]
    assert values.matching(CITY, "York ") == []
    assert values.matching({**CITY, "dataType": "DATE", "columnName": "createdDate", "type": "SYSTEM"}, "") == []
    many = KnownValues([by_column({CITY_KEY: [f"City {number}" for number in range(900)]})])
    assert len(many.listed(CITY)) == MOST_LISTED
    assert many.matching(CITY, "899") == ["City 899"]
    assert len(many.matching(CITY, "city")) == MOST_SUGGESTED


def test_mappings_have_values_for_attributes_with_the_same_name() -> None:
    source = by_name(
        {"department": ["Legal", "Sales"], "city": ["Rome"]}, IdNames({"custom attribute": {4001: "Department"}})
    )
    assert source(DEPARTMENT) == ["Legal", "Sales"]
    assert source({**DEPARTMENT, "attributeId": 4002}) == ()
    assert source(CITY) == ["Rome"]
    assert source({**CITY, "columnName": "state"}) == ()


def test_the_file_of_the_filter_test_has_the_values_of_its_matched_columns() -> None:
    """The most frequent first; a column that no rule compares has none."""
    file = CONTACTS.read("contacts.csv", b"Last name,Groups\nSilva,1;2\nOkoro,2\nSilva,2;3\n")
    rules = [
        {"type": "SYSTEM", "columnName": "lastName", "dataType": "STRING", "operator": "E"},
        {"type": "SYSTEM_ARRAY", "columnName": "groups", "dataType": "NUMBER", "operator": "IN"},
    ]
    estimate = FilterEstimate(file)
    assert estimate.frequent_values(rules[0]) == []
    estimate.evaluate(FilterDraft(rules=[RuleDraft(payload=rule) for rule in rules]), EstimateOptions())
    assert [estimate.frequent_values(rule) for rule in rules] == [["Silva", "Okoro"], ["2", "1", "3"]]
    assert estimate.frequent_values({**rules[0], "columnName": "firstName"}) == []
