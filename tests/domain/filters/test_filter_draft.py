"""A filter is converted to JSON and back, and contact field IDs are learned from other filters."""

from __future__ import annotations

import json
from typing import Any

import pytest

from client.models.contact_filters import ContactFilter
from domain.filters import rule_steps
from domain.filters.filter_draft import (
    FilterDraft,
    RuleDraft,
    base_filter,
    from_filter,
    replace_rules,
    to_filter,
    to_json,
)
from domain.filters.known_ids import learn_ids
from domain.filters.opened_json import parse_filter_json
from tests.domain.filters.odd_filters import ODD_FILTERS

RULE = {"columnName": "suffix", "columnValue": "PhD", "type": "SYSTEM", "dataType": "STRING", "operator": "E"}
BIG = 9_007_199_254_740_993


def build_filter(*rules: dict[str, Any], **record: Any) -> ContactFilter:
    numbered = [{"id": number, **rule} for number, rule in enumerate(rules, start=70)]
    return ContactFilter.from_wire({"id": 5, "name": "Old", "contactFilterRules": numbered, **record})


def read_sent_rules(draft: FilterDraft) -> list[dict[str, Any]]:
    rules: list[dict[str, Any]] = to_filter(draft).to_wire()["contactFilterRules"]
    return rules


@pytest.mark.parametrize("name", ODD_FILTERS)
def test_an_unchanged_rule_is_sent_back_exactly_as_stored(name: str) -> None:
    record, _ = ODD_FILTERS[name]
    draft = from_filter(ContactFilter.from_wire(record), 5)
    assert json.dumps(read_sent_rules(draft)) == json.dumps(record["contactFilterRules"])
    loaded = FilterDraft.model_validate_json(draft.model_dump_json())
    assert json.dumps(read_sent_rules(loaded)) == json.dumps(record["contactFilterRules"])
    assert loaded == draft
    assert all(rule.is_untouched for rule in loaded.rules)


def test_changing_one_rule_leaves_an_unusual_rule_as_stored() -> None:
    odd = ODD_FILTERS["nothing is as it should be"][0]["contactFilterRules"][0]
    draft = from_filter(build_filter(RULE, odd), 5)
    changed = rule_steps.set_value(draft, draft.rules[0].uid, "value", "Jr.")
    first, second = read_sent_rules(rule_steps.move(changed, changed.rules[1].uid, -1))
    assert json.dumps(first) == json.dumps({"id": 71} | odd)
    assert second["columnValue"] == "Jr."


def test_ids_too_large_for_a_float_stay_exact() -> None:
    draft = from_filter(build_filter(RULE | {"contactFieldId": BIG}), 5)
    assert read_sent_rules(draft)[0]["contactFieldId"] == BIG
    assert str(BIG) in to_json(draft)


def test_a_copy_has_no_id_and_no_stored_rules() -> None:
    copy = from_filter(build_filter(RULE))
    assert (copy.filter_id, copy.base, copy.rules[0].stored) == (None, None, None)
    assert read_sent_rules(copy) == [RULE]


def test_a_change_stores_the_complete_original_record() -> None:
    found = build_filter(RULE, lastModifiedDate=1_795_183_500_000, lastModifiedName="Ana Silva", organizationId=8800)
    draft = from_filter(found, 5)
    again = base_filter(FilterDraft.model_validate_json(draft.model_dump_json()))
    assert again is not None
    assert (again.last_modified_date, again.last_modified_name) == (found.last_modified_date, "Ana Silva")
    assert [rule.to_wire() for rule in again.rules] == [rule.to_wire() for rule in found.rules]
    assert base_filter(from_filter(found)) is None


def test_muted_rules_are_not_sent() -> None:
    draft = from_filter(build_filter(RULE, RULE | {"columnValue": "Jr."}), 5)
    muted = rule_steps.mute(draft, draft.rules[0].uid)
    assert [rule["columnValue"] for rule in read_sent_rules(muted)] == ["Jr."]
    assert [rule["columnValue"] for rule in json.loads(to_json(muted))["contactFilterRules"]] == ["Jr."]


def test_the_json_shown_equals_the_json_sent() -> None:
    draft = FilterDraft(name="  Ärzte  ", rules=[RuleDraft(payload=RULE | {"id": 3})])
    assert json.loads(to_json(draft)) == {
        "name": "Ärzte",
        "contactFilterType": "ContactRule",
        "contactFilterRules": [RULE],
    }
    assert "Ärzte" in to_json(draft)


def test_json_opened_over_a_change_is_matched_with_its_stored_rules() -> None:
    odd = ODD_FILTERS["operator and option differ"][0]["contactFilterRules"][0]
    draft = from_filter(build_filter(RULE, odd), 5)
    opened = parse_filter_json(to_json(draft)).draft
    assert opened is not None
    replaced = replace_rules(draft, opened)
    assert (replaced.uid, replaced.filter_id, replaced.base) == (draft.uid, 5, draft.base)
    assert all(rule.is_untouched for rule in replaced.rules)
    assert read_sent_rules(replaced) == read_sent_rules(draft)


def test_a_stored_rule_is_matched_with_only_one_of_two_equal_rules() -> None:
    draft = from_filter(build_filter(RULE), 5)
    opened = FilterDraft(name="", rules=[RuleDraft(payload=dict(RULE)), RuleDraft(payload=dict(RULE))])
    replaced = replace_rules(draft, opened)
    assert [rule.is_untouched for rule in replaced.rules] == [True, False]
    assert replaced.name == "Old"


def test_field_ids_are_learned_from_other_filters() -> None:
    city = {"columnName": "city", "type": "SYSTEM_OBJECT", "embeddedColumnName": "address"}
    filters = [
        build_filter(
            city | {"contactFieldId": 240}, city | {"contactFieldId": "241"}, city | {"contactFieldId": "241"}
        ),
        build_filter(city | {"contactFieldId": 0}, city, RULE | {"contactFieldId": BIG}, RULE | {"contactFieldId": 3}),
        build_filter({"columnName": "shoeSize", "type": "SYSTEM", "contactFieldId": 9}, {}),
        build_filter({"columnName": "shift", "type": "SYSTEM_SCHEDULING", "contactFieldId": 9}),
        build_filter(RULE | {"contactFieldId": 2**63}, RULE | {"contactFieldId": -4}),
        ContactFilter.from_wire({"id": 6, "contactFilterRules": None}),
    ]
    assert learn_ids(filters).field_ids == {"city|SYSTEM_OBJECT|address": 241, "suffix|SYSTEM|": BIG}
    assert learn_ids([]).field_ids == {}


def test_a_draft_stored_with_the_old_payload_name_still_opens() -> None:
    draft = FilterDraft.model_validate({"rules": [{"uid": "a", "wire": {"type": "SYSTEM"}}]})
    assert draft.rules[0].payload == {"type": "SYSTEM"}
    assert FilterDraft.model_validate_json(draft.model_dump_json()) == draft
