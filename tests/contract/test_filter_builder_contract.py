"""The rule builder with the interface's column table and a running service: every built filter is saved and reopened
unchanged.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from client import ServiceClient
from client.models.contact_filters import ContactFilter
from client.vocabulary.contact_filters import CUSTOM_OPERATORS, LISTED
from domain.filters import columns, rule_steps
from domain.filters.columns import COLUMN_LABELS
from domain.filters.filter_draft import FilterDraft, from_filter, to_filter, to_json
from domain.filters.filter_form import FILTER_FORM
from domain.filters.filter_problems import find_problems, find_stored_rule_errors
from domain.filters.opened_json import parse_filter_json
from domain.filters.sentence import describe_filter, describe_rule
from domain.filters.values import editor_kind, value_items, value_texts
from domain.geography.folding import fold
from tests.domain.filters.odd_filters import same_content
from tests.filter_rules import allowed_filters
from tests.running_service import RunningService
from tests.service.interface_document import Column
from tests.service.interface_document import columns as documented_columns

FIELD_ID = 9_007_199_254_740_993
"""The first integer that a float cannot represent."""

# By editor: what a user enters, and the value in the payload.
INPUTS: dict[str, list[tuple[dict[str, str], Any]]] = {
    "text": [({"value": "Ana, “B” & C"}, "Ana, “B” & C")],
    "number": [({"value": "-47.5"}, -47.5), ({"value": "17"}, 17)],
    "whole number": [({"value": str(FIELD_ID)}, FIELD_ID)],
    "moment": [({"value": "2026-11-20 14:05"}, 1_795_183_500_000)],
    "text list": [({"value": "AUTO\nMANUAL"}, ["AUTO", "MANUAL"])],
    "number list": [({"value": f"310; 311,\n{FIELD_ID}"}, [310, 311, FIELD_ID])],
    "moment range": [
        ({"from": "2026-11-20 14:05", "until": "2026-11-20 14:06"}, [1_795_183_500_000, 1_795_183_560_000])
    ],
    "pattern": [
        ({"value": "NOW"}, ["NOW", None, None]),
        (
            {"value": "BETWEEN", "from": "2026-11-20", "until": "2026-11-20"},
            ["BETWEEN", 1_795_132_800_000, 1_795_219_199_999],
        ),
    ],
    "country": [({"value": "France"}, "FR")],
    "airport": [({"value": "lhr"}, "LHR")],
    "none": [({}, None)],
}

# Words of labels that the sentence does not repeat: "who belong to group 310", "who are expected somewhere now".
REPHRASED_WORDS = {"person", "groups", "topics", "kind", "date", "changed", "by"}


def key_of(column: Column) -> str:
    return f"{column.name}|{column.rule_type}|{column.embedded or ''}"


def build_filter(key: str, operator: str, inputs: dict[str, str], data_type: str | None = None) -> FilterDraft:
    """Build a filter of one rule in the steps of a user."""
    draft = rule_steps.rename(rule_steps.new_filter(), f"{key} {operator}"[:100])
    uid = draft.rules[0].uid
    draft = rule_steps.set_column(draft, uid, key)
    if data_type is not None:
        draft = rule_steps.set_data_type(draft, uid, data_type)
        draft = rule_steps.set_value(draft, uid, "attribute_id", str(FIELD_ID))
    draft = rule_steps.set_operator(draft, uid, operator)
    if columns.needs_field_id(draft.rules[0].payload):
        draft = rule_steps.set_value(draft, uid, "field_id", str(FIELD_ID))
    for slot, text in inputs.items():
        draft = rule_steps.set_value(draft, uid, slot, text)
    return draft


def rule_payloads(draft: FilterDraft) -> list[dict[str, Any]]:
    return [{name: value for name, value in rule.payload.items() if name != "id"} for rule in draft.rules]


def to_exact_json(value: Any) -> str:
    """Return the value as JSON, in which 1, 1.0, and true differ."""
    return json.dumps(value, sort_keys=True)


def assert_round_trip(client: ServiceClient, draft: FilterDraft) -> FilterDraft:
    """Save a filter, reopen it, and save it unchanged: its rules stay the same. Returns the reopened draft."""
    created = client.contact_filters.create(to_filter(draft))
    found = client.contact_filters.retrieve(created.id)
    reopened = from_filter(found, created.id)
    assert to_exact_json(rule_payloads(reopened)) == to_exact_json(rule_payloads(draft))
    assert same_content(reopened, draft)
    assert all(rule.is_untouched for rule in reopened.rules)
    assert [find_stored_rule_errors(rule) for rule in reopened.rules] == [[] for _ in reopened.rules]
    client.contact_filters.update(created.id, to_filter(reopened), stored=found)
    again = from_filter(client.contact_filters.retrieve(created.id), created.id)
    assert to_exact_json(rule_payloads(again)) == to_exact_json(rule_payloads(draft))
    client.contact_filters.delete(created.id)
    return reopened


@pytest.fixture(scope="module")
def shared_client() -> Iterator[ServiceClient]:
    with RunningService() as running, running.client(token=running.token()) as made:
        yield made


@pytest.mark.parametrize("column", documented_columns(), ids=lambda column: f"{column.name}-{column.rule_type}")
def test_every_row_of_the_column_table_is_built_saved_and_opened_again(
    shared_client: ServiceClient, column: Column
) -> None:
    """With each of its operators and each way to enter its value, in one filter."""
    key = key_of(column)
    labels = columns.labels_of(key)
    assert labels is not None
    rules = []
    for operator in column.operators:
        payload = build_filter(key, operator, {}).rules[0].payload
        assert operator in columns.operators_of(payload)
        for inputs, value in INPUTS[editor_kind(payload)]:
            draft = build_filter(key, operator, inputs)
            (rule,) = draft.rules
            rules.append(rule)
            assert rule.typed == {}
            assert to_exact_json(rule.payload.get("columnValue")) == to_exact_json(value)
            assert rule.payload.get("dataType") == column.data_type
            assert ("contactFieldId" in rule.payload) == (
                column.rule_type in ("SYSTEM", "SYSTEM_OBJECT", "SYSTEM_ARRAY")
            )
            assert FILTER_FORM.describe_problems(draft, find_problems(draft)) == []
            assert find_stored_rule_errors(rule) == []
            read = describe_filter(draft)
            assert read.startswith("People ")
            assert read.endswith(".")
            assert set(fold(labels.label).split()) - set(fold(read).split()) <= REPHRASED_WORDS
            assert "…" not in read
            openings = (f"{labels.label} {columns.operator_label(key, operator)}", f"{labels.label} is now or ")
            assert describe_rule(rule.payload).startswith(openings)
    assert_round_trip(shared_client, FilterDraft(name=key, rules=rules))


@pytest.mark.parametrize("key", columns.CUSTOM_TYPES)
@pytest.mark.parametrize("data_type", CUSTOM_OPERATORS)
def test_every_operator_of_custom_attributes_is_built_saved_and_opened_again(
    shared_client: ServiceClient, key: str, data_type: str
) -> None:
    typed = {"STRING": "Site B\nSite C", "NUMBER": "3; 4.5", "DATE": "2026-11-20 14:05\n2026-11-21"}[data_type]
    values = {
        "STRING": ["Site B", "Site C"],
        "NUMBER": ["3", "4.5"],
        "DATE": ["1795183500000", "1795219200000"],
    }[data_type]
    # For these operators, a day without a time means its last millisecond.
    of_days = {operator: ["1795183500000", "1795305599999"] for operator in ("LTE", "GT", "BETWEEN")}
    first = build_filter(key, "E", {}, data_type)
    operators = columns.operators_of(first.rules[0].payload)
    assert set(operators) == {*CUSTOM_OPERATORS[data_type], "E", "NE", *LISTED}
    for operator in operators:
        draft = build_filter(key, operator, {"values": typed}, data_type)
        expected = of_days.get(operator, values) if data_type == "DATE" else values
        assert draft.rules[0].payload["attributeValues"] == expected
        assert FILTER_FORM.describe_problems(draft, find_problems(draft)) == []
        assert f"custom attribute {FIELD_ID}" in describe_filter(draft)
        assert_round_trip(shared_client, draft)


def test_every_row_of_the_column_table_is_covered() -> None:
    documented = [key_of(column) for column in documented_columns()]
    offered = [labels.key for labels in COLUMN_LABELS]
    assert len(offered) == len(set(offered))
    assert set(offered) == {*documented, columns.CUSTOM_KEY, columns.CUSTOM_ARRAY_KEY}
    assert {labels.key for labels in COLUMN_LABELS} == set(offered)
    for column in documented_columns():
        made = columns.find_column(key_of(column))
        assert made is not None
        assert (made.data_type, made.rule_type, made.embedded) == (column.data_type, column.rule_type, column.embedded)
        assert set(columns.operators_of({"columnName": made.name, "type": made.rule_type} | _embedded(column))) == set(
            column.operators
        )


def _embedded(column: Column) -> dict[str, str]:
    return {"embeddedColumnName": column.embedded} if column.embedded else {}


few_examples = settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])


@few_examples
@given(allowed_filters)
def test_any_valid_filter_is_unchanged_by_the_builder_the_service_and_json(
    shared_client: ServiceClient, payload: dict[str, Any]
) -> None:
    parsed = parse_filter_json(json.dumps(payload))
    assert parsed.problem is None
    assert parsed.notes == []
    assert parsed.draft is not None
    assert to_exact_json(rule_payloads(parsed.draft)) == to_exact_json(payload["contactFilterRules"])
    assert find_problems(parsed.draft).count == 0
    assert "…" not in describe_filter(parsed.draft).replace("…”", "”")
    saved = assert_round_trip(shared_client, parsed.draft)
    again = parse_filter_json(to_json(saved))
    assert again.draft is not None
    assert to_exact_json(rule_payloads(again.draft)) == to_exact_json(payload["contactFilterRules"])
    assert again.draft.name == payload["name"]


@few_examples
@given(allowed_filters)
def test_entering_the_shown_values_of_a_valid_rule_changes_nothing(payload: dict[str, Any]) -> None:
    draft = from_filter(ContactFilter.from_wire(payload), 7)
    for zone in ("UTC", "America/New_York"):
        for rule in draft.rules:
            now = draft
            for slot, text in value_texts(rule, zone).items():
                now = rule_steps.set_value(now, rule.uid, slot, text, zone)
            if editor_kind(rule.payload) in ("text list", "number list"):
                now = rule_steps.set_value(now, rule.uid, "value", value_items(rule, zone), zone)
            now = rule_steps.set_operator(now, rule.uid, rule.payload["operator"])
            assert now is draft


def test_the_displayed_json_is_the_json_that_is_sent(service: RunningService) -> None:
    """Sent by hand, the JSON creates the same filter as the client does, with exactly the same rules."""
    draft = rule_steps.rename(FilterDraft(), "By hand")
    for number, (key, labels) in enumerate(((labels.key, labels) for labels in COLUMN_LABELS), start=1):
        draft = rule_steps.add_rule(draft, key, field_ids={key: number})
        uid = draft.rules[-1].uid
        payload = draft.rules[-1].payload
        inputs = (
            {"attribute_id": "7", "values": labels.label}
            if columns.is_custom(payload)
            else INPUTS[editor_kind(payload)][0][0]
        )
        for slot, text in inputs.items():
            draft = rule_steps.set_value(draft, uid, slot, text)
    assert FILTER_FORM.describe_problems(draft, find_problems(draft)) == []
    path = f"/contactFilters/{service.organization_id}"
    answer = service.http.post(path, content=to_json(draft).encode(), headers={"Content-Type": "application/json"})
    assert answer.status_code == 200, answer.text
    by_hand = answer.json()["id"]
    with service.client() as client:
        by_client = client.contact_filters.create(to_filter(rule_steps.rename(draft, "By the client"))).id
        records = [client.contact_filters.retrieve(each) for each in (by_hand, by_client)]
    one, other = (from_filter(record) for record in records)
    assert (
        to_exact_json(rule_payloads(one)) == to_exact_json(rule_payloads(other)) == to_exact_json(rule_payloads(draft))
    )


ODD = ["Old import: Boston office", "Old import: cost centers", "Old import: names that differ"]


def read_rules(service: RunningService, filter_id: int) -> str:
    """Return the rules at the service as JSON, without their IDs."""
    record = service.http.get(f"/contactFilters/{service.organization_id}/{filter_id}").json()
    return json.dumps([{**rule, "id": 0} for rule in record["contactFilterRules"]])


def test_every_filter_of_the_demo_is_written_back_unchanged_and_only_irregular_ones_are_marked(
    demo_copy: RunningService, demo_client: ServiceClient
) -> None:
    odd: list[str] = []
    for listed in list(demo_client.contact_filters.list()):
        assert listed.id is not None
        before = read_rules(demo_copy, listed.id)
        found = demo_client.contact_filters.retrieve(listed.id)
        draft = from_filter(found, listed.id)
        assert find_problems(draft).count == 0
        assert json.dumps([{**rule, "id": 0} for rule in to_filter(draft).to_wire()["contactFilterRules"]]) == before
        demo_client.contact_filters.update(listed.id, to_filter(draft), stored=found)
        assert read_rules(demo_copy, listed.id) == before
        odd += [draft.name for rule in draft.rules if find_stored_rule_errors(rule)]
    assert sorted(odd) == ODD


@pytest.mark.parametrize("name", ODD)
def test_an_irregular_rule_is_unchanged_while_the_rest_of_its_filter_changes(
    demo_copy: RunningService, demo_client: ServiceClient, name: str
) -> None:
    found = demo_client.contact_filters.retrieve_by_name(name)
    assert found.id is not None
    before = read_rules(demo_copy, found.id)
    draft = from_filter(found, found.id)
    draft = rule_steps.add_rule(draft, "firstName|SYSTEM|", field_ids={"firstName|SYSTEM|": 210})
    draft = rule_steps.set_value(draft, draft.rules[-1].uid, "value", "Ana")
    assert FILTER_FORM.describe_problems(draft, find_problems(draft)) == []
    demo_client.contact_filters.update(found.id, to_filter(draft), stored=found)
    now = read_rules(demo_copy, found.id)
    assert json.loads(now)[:-1] == json.loads(before)
    assert json.loads(now)[-1]["columnValue"] == "Ana"


@pytest.mark.parametrize("name", ODD)
def test_an_edited_irregular_rule_is_fixed_and_saved(demo_client: ServiceClient, name: str) -> None:
    found = demo_client.contact_filters.retrieve_by_name(name)
    assert found.id is not None
    draft = from_filter(found, found.id)
    uid = draft.rules[0].uid
    if columns.is_custom(draft.rules[0].payload):
        # Entered again, numbers become text, as attribute values must be.
        draft = rule_steps.add_items(draft, uid, "values", "4714")
    else:
        draft = rule_steps.set_value(draft, uid, "field_id", "12")
        assert find_problems(draft).at(uid, "operator")
        draft = rule_steps.set_operator_and_option(draft, uid, "E")
        if find_problems(draft).at(uid, "column"):
            draft = rule_steps.set_column(draft, uid, "city|SYSTEM_OBJECT|address", {"city|SYSTEM_OBJECT|address": 12})
    assert FILTER_FORM.describe_problems(draft, find_problems(draft)) == []
    assert find_stored_rule_errors(draft.rules[0]) == []
    demo_client.contact_filters.update(found.id, to_filter(draft), stored=found)
    (saved_rule, *_) = from_filter(demo_client.contact_filters.retrieve(found.id), found.id).rules
    assert to_exact_json({**saved_rule.payload, "id": 0}) == to_exact_json({**draft.rules[0].payload, "id": 0})
