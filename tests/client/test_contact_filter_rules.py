"""The rules of contact filters, against the whole column table and everything it forbids."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from client.models.contact_filter_rules import column_of, contact_filter_problems, custom_operators
from client.models.contact_filters import ContactFilter, ContactFilterRule
from client.vocabulary.contact_filters import COLUMNS, FilterColumn
from tests.filter_rules import allowed_filters, forbidden_filters

SAMPLES: dict[str, Any] = {"STRING": "a", "NUMBER": 7, "DATE": 1_700_000_000_000, "BOOLEAN": True}


def fields_at_fault(rule: dict[str, Any], **filter_fields: Any) -> list[str]:
    contact_filter = ContactFilter.from_wire({"name": "F", "contactFilterRules": [rule]} | filter_fields)
    return [problem.field for problem in contact_filter_problems(contact_filter)]


def value_of(column: FilterColumn, operator: str) -> Any:
    sample = SAMPLES[column.data_type]
    if operator in ("ISNULL", "NOTNULL"):
        return None
    if column.name in ("expectedDate", "shiftDate"):
        return ["BETWEEN", 1_700_000_000_000, 1_700_000_000_001]
    return {"IN": [sample], "NIN": [sample], "BETWEEN": [sample, sample]}.get(operator, sample)


def rule_of(column: FilterColumn, operator: str, /, **changed: Any) -> dict[str, Any]:
    rule = ContactFilterRule.for_column(column, operator, value_of(column, operator), contact_field_id=5).to_wire()
    return rule | changed


def test_some_types_require_the_contact_field() -> None:
    for column in COLUMNS:
        is_required = column.rule_type in ("SYSTEM", "SYSTEM_OBJECT", "SYSTEM_ARRAY")
        at_fault = fields_at_fault(rule_of(column, column.operators[0], contactFieldId=None))
        assert at_fault == (["contactFilterRules[0].contactFieldId"] if is_required else []), column


@given(allowed_filters)
def test_a_filter_that_the_table_allows_is_valid(payload: dict[str, Any]) -> None:
    assert contact_filter_problems(ContactFilter.from_wire(payload)) == []


@given(forbidden_filters)
def test_a_filter_that_the_table_forbids_is_refused(payload: dict[str, Any]) -> None:
    assert contact_filter_problems(ContactFilter.from_wire(payload))


@given(allowed_filters)
def test_a_valid_filter_is_sent_unchanged(payload: dict[str, Any]) -> None:
    sent = ContactFilter.from_wire(payload).to_wire()
    assert sent == {"name": payload["name"].strip(), "contactFilterType": "ContactRule"} | {
        "contactFilterRules": payload["contactFilterRules"]
    }


FIRST_NAME = COLUMNS[0]


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"columnName": "shoeSize"}, "columnName"),
        ({"columnName": None}, "columnName"),
        ({"type": "SYSTEM_ARRAY"}, "type"),
        ({"type": "NONE"}, "type"),
        ({"type": None}, "type"),
        ({"dataType": "NUMBER"}, "dataType"),
        ({"dataType": None}, "dataType"),
        ({"operator": "GT", "contactFilterOption": "GT"}, "operator"),
        ({"contactFilterOption": "NE"}, "contactFilterOption"),
        ({"columnValue": 5}, "columnValue"),
        ({"columnValue": "  "}, "columnValue"),
        ({"columnValue": None}, "columnValue"),
        ({"columnValue": ["a"]}, "columnValue"),
        ({"contactFieldId": None}, "contactFieldId"),
        ({"contactFieldId": 0}, "contactFieldId"),
        ({"contactFieldId": 2**63}, "contactFieldId"),
        ({"embeddedColumnName": "address"}, "embeddedColumnName"),
    ],
)  # fmt: skip
def test_each_error_is_reported_at_its_field(changed: dict[str, Any], field: str) -> None:
    assert fields_at_fault(rule_of(FIRST_NAME, "E", **changed)) == [f"contactFilterRules[0].{field}"]


def test_columns_with_one_name_are_distinguished() -> None:
    floors = [column for column in COLUMNS if column.name == "floorNo"]
    assert {column.embedded for column in floors} == {"address", "lastKnownLocation"}
    for column in floors:
        assert column_of(ContactFilterRule.from_wire(rule_of(column, "E"))) is column
    countries = [column for column in COLUMNS if column.name == "country"]
    assert len(countries) == 3
    for column in countries:
        assert column_of(ContactFilterRule.from_wire(rule_of(column, "E"))) is column


@pytest.mark.parametrize(
    "value",
    [["NOW", None, None], ["BETWEEN", 1, 2], ["BETWEEN", 2, 2]],
)
@pytest.mark.parametrize("name", ["expectedDate", "shiftDate"])
def test_the_two_date_patterns_are_valid(name: str, value: list[Any]) -> None:
    column = next(column for column in COLUMNS if column.name == name)
    for operator in column.operators:
        assert fields_at_fault(rule_of(column, operator, columnValue=value)) == []


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        "NOW",
        ["NOW"],
        ["NOW", 1, 2],
        ["BETWEEN", 1],
        ["BETWEEN", 1, 2, 3],
        ["BETWEEN", 1, None],
        ["BETWEEN", 2, 1],
        ["BETWEEN", "2026-01-01", "2026-01-02"],
        [1, 2],
        [["NOW"], None, None],
    ],
)
@pytest.mark.parametrize("name", ["expectedDate", "shiftDate"])
def test_other_date_patterns_are_invalid(name: str, value: Any) -> None:
    column = next(column for column in COLUMNS if column.name == name)
    assert fields_at_fault(rule_of(column, "BETWEEN", columnValue=value)) == ["contactFilterRules[0].columnValue"]


def test_a_range_must_be_in_order() -> None:
    column = next(column for column in COLUMNS if column.name == "createdDate")
    assert fields_at_fault(rule_of(column, "BETWEEN", columnValue=[5, 4])) == ["contactFilterRules[0].columnValue"]


CUSTOM = {
    "type": "CUSTOM",
    "attributeId": 9,
    "attributeValues": ["a"],
    "dataType": "STRING",
    "operator": "E",
    "contactFilterOption": "E",
}


@pytest.mark.parametrize("data_type", ["STRING", "NUMBER", "DATE"])
@pytest.mark.parametrize("kind", ["CUSTOM", "CUSTOM_ARRAY"])
def test_attributes_have_the_operators_of_their_type_and_of_lists(data_type: str, kind: str) -> None:
    for operator in [*custom_operators(data_type), "E", "NE", "IN", "NIN"]:
        assert fields_at_fault(CUSTOM | {"type": kind, "dataType": data_type, "operator": operator,
                                         "contactFilterOption": operator}) == []  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"attributeId": None}, "attributeId"),
        ({"attributeId": 0}, "attributeId"),
        ({"attributeValues": None}, "attributeValues"),
        ({"attributeValues": []}, "attributeValues"),
        ({"attributeValues": [5]}, "attributeValues"),
        ({"attributeValues": ["a", " "]}, "attributeValues"),
        ({"operator": "ISNULL", "contactFilterOption": "ISNULL"}, "operator"),
        ({"dataType": "BOOLEAN"}, "dataType"),
    ],
)
def test_each_rule_of_an_attribute_is_checked(changed: dict[str, Any], field: str) -> None:
    assert fields_at_fault(CUSTOM | changed) == [f"contactFilterRules[0].{field}"]


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"name": " "}, "name"),
        ({"name": None}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"contactFilterRules": []}, "contactFilterRules"),
        ({"contactFilterRules": None}, "contactFilterRules"),
        ({"contactFilterType": "Other"}, "contactFilterType"),
    ],
)
def test_each_rule_of_a_filter_is_checked(changed: dict[str, Any], field: str) -> None:
    assert fields_at_fault(CUSTOM, **changed) == [field]


def test_a_name_of_100_characters_is_valid() -> None:
    assert fields_at_fault(CUSTOM, name="x" * 100) == []


def test_all_problems_are_reported_at_once_in_plain_language() -> None:
    contact_filter = ContactFilter.from_wire(
        {"name": "", "contactFilterRules": [CUSTOM, rule_of(FIRST_NAME, "E", dataType=None, columnValue=None), {}]}
    )
    problems = contact_filter_problems(contact_filter)
    assert [problem.field for problem in problems] == [
        "name",
        "contactFilterRules[1].dataType",
        "contactFilterRules[1].columnValue",
        "contactFilterRules[2].type",
    ]
    assert all(problem.message.endswith(".") for problem in problems)
