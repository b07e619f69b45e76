"""Contact filters as they are stored: irregular rules are read and written back exactly."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.models.contact_filter_rules import contact_filter_problems
from client.models.contact_filters import ContactFilter, ContactFilterRule

ODD_RULES: list[dict[str, Any]] = [
    {"type": "SYSTEM", "columnName": "userId", "operator": "NOTNULL", "contactFilterOption": "NOTNULL"},
    {"type": "SYSTEM", "columnName": "firstName", "columnValue": "Ana", "dataType": "STRING", "contactFieldId": 5},
    {"type": "SYSTEM", "columnName": "firstName", "columnValue": "Ana", "operator": "E", "contactFilterOption": "LIKE"},
    {"type": "CUSTOM", "attributeId": 12, "attributeValues": [1, 2.5, "three", None], "operator": "IN"},
    {"type": "CUSTOM_ARRAY", "attributeId": "12", "attributeValues": "single", "operator": "IN"},
    {"type": "SYSTEM_WHATEVER", "columnName": "shoeSize", "columnValue": {"size": 42}, "operator": "ABOUT"},
    {"type": None, "columnName": "", "columnValue": None, "operator": "", "contactFieldId": 0, "id": 0},
    {"type": "SYSTEM", "columnName": "registedEmail", "questionaire": "kept", "nested": {"a": [1, {"b": None}]}},
    {"columnName": "gislocation.lon", "columnValue": "12.5", "contactFieldId": 2**63 + 5, "id": str(2**60)},
    {"contactFieldId": 5.5, "attributeId": True, "operator": 7, "type": ["SYSTEM"]},
]


@pytest.mark.parametrize("rule", ODD_RULES, ids=json.dumps)
def test_an_irregular_rule_is_written_back_exactly(rule: dict[str, Any]) -> None:
    read = ContactFilter.model_validate_json(json.dumps({"id": 1, "name": "F", "contactFilterRules": [rule]}))
    assert read.to_wire()["contactFilterRules"] == [rule]


@given(
    st.dictionaries(
        st.one_of(
            st.text(max_size=5),
            st.sampled_from(["columnValue", "attributeValues", "operator", "contactFilterOption", "contactFieldId"]),
        ).filter(lambda key: key not in ContactFilterRule.model_fields or key == "operator"),
        st.recursive(
            st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text()),
            lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)),
            max_leaves=5,
        ),
    )
)
def test_any_rule_is_written_back_exactly(rule: dict[str, Any]) -> None:
    assert ContactFilterRule.from_wire(rule).to_wire() == rule


def test_stored_irregular_rules_are_valid_next_to_new_ones_and_new_irregular_ones_are_not() -> None:
    stored = ContactFilter.from_wire({"id": 1, "name": "F", "contactFilterRules": ODD_RULES})
    changed = stored.model_copy(update={"name": "Other"})
    assert contact_filter_problems(changed, stored=stored) == []
    assert len({problem.field.partition(".")[0] for problem in contact_filter_problems(changed)}) == len(ODD_RULES)


def test_a_change_is_written_and_the_rest_is_unchanged() -> None:
    rule = ContactFilterRule.from_wire(ODD_RULES[2] | {"extra": 1, "contactFieldId": "5"})
    changed = rule.model_copy(update={"column_value": "Ben"})
    assert changed.to_wire() == ODD_RULES[2] | {"extra": 1, "contactFieldId": "5", "columnValue": "Ben"}
    assert rule.to_wire() == ODD_RULES[2] | {"extra": 1, "contactFieldId": "5"}


def test_a_change_inside_a_list_is_written() -> None:
    rule = ContactFilterRule.from_wire({"type": "CUSTOM", "attributeValues": ["a"]})
    assert rule.attribute_values is not None
    rule.attribute_values.append("b")
    assert rule.to_wire()["attributeValues"] == ["a", "b"]


def test_an_emptied_field_is_omitted() -> None:
    rule = ContactFilterRule.from_wire(ODD_RULES[2])
    assert "columnValue" not in rule.model_copy(update={"column_value": None}).to_wire()


def test_read_only_fields_are_not_sent() -> None:
    record = {
        "id": 5, "name": " F ", "contactFilterType": "ContactRule", "contactFilterRules": [], "createdDate": 1,
        "createdId": 1, "createdName": "A", "lastModifiedDate": 1, "lastModifiedId": 1, "lastModifiedName": "A",
        "lastModifiedTime": 1, "lastSynchronizedTime": 1, "accountId": 1, "status": "A", "resourceBundleId": 1,
        "organizationId": 1, "dirty": True,
    }  # fmt: skip
    sent = ContactFilter.from_wire(record).to_wire()
    assert sent == {"name": "F", "contactFilterType": "ContactRule", "contactFilterRules": []}


def test_a_single_read_returns_every_field() -> None:
    record = ContactFilter.from_wire(
        {"id": "5", "createdDate": 1_700_000_000_123, "lastModifiedTime": 1_700_000_000_000, "dirty": True}
    )
    assert record.id == 5
    assert record.created_date is not None
    assert (record.created_date.year, record.created_date.microsecond) == (2023, 123_000)
    assert record.created_date.tzinfo is not None
    assert record.last_modified_time is not None
    assert record.dirty is True


def test_a_listed_record_may_be_incomplete() -> None:
    thin = {"id": 0, "name": "F", "createdId": 0, "organizationId": 0, "contactFilterRules": None}
    record = ContactFilter.from_wire(thin)
    assert (record.id, record.created_id, record.status, record.created_date, record.rules) == (None,) * 4 + ([],)
