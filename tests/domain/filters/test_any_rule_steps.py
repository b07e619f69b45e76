"""Any sequence of steps, on any stored filter, gives a draft that can be drawn, checked, described, and saved."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from client.models.contact_filters import ContactFilter
from client.vocabulary.contact_filters import COLUMNS
from domain.filters import columns, rule_steps
from domain.filters.columns import COLUMN_LABELS
from domain.filters.filter_draft import FilterDraft, RuleDraft, from_filter, replace_rules, to_filter, to_json
from domain.filters.filter_form import FILTER_FORM, field_values
from domain.filters.filter_problems import find_problems, find_stored_rule_errors, problems_to_show
from domain.filters.rule_warnings import find_warnings
from domain.filters.sentence import describe_filter, describe_rule
from domain.filters.values import editor_kind, value_items, value_texts
from tests.domain.filters.odd_filters import same_content

ZONES = st.sampled_from(["UTC", "Asia/Kolkata", "America/New_York", "Pacific/Apia"])
KEYS = st.sampled_from([words.key for words in COLUMN_LABELS])
SLOTS = st.sampled_from(["value", "from", "until", "values", "field_id", "attribute_id"])
OPERATORS = sorted({operator for column in COLUMNS for operator in column.operators})
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    st.sampled_from(
        [
            "NOW",
            "BETWEEN",
            "7",
            "0",
            "-1",
            "47.5",
            "2026-11-20 14:05",
            "2026-11-20",
            "a, b",
            '"a, b"\nc',
            "1\n2\n1",
            "FR",
            "lhr",
            "9" * 30,
        ]
    ),
)
INPUTS = TEXTS | st.lists(TEXTS, max_size=3)


@st.composite
def steps(draw: st.DrawFn) -> list[tuple[Any, ...]]:
    step = st.one_of(
        st.tuples(st.just("column"), KEYS),
        st.tuples(st.just("operator"), st.sampled_from(OPERATORS)),
        st.tuples(st.just("value"), SLOTS, INPUTS, ZONES),
        st.tuples(st.just("value"), st.just("value"), INPUTS, ZONES),
        st.tuples(st.just("add"), KEYS),
        st.tuples(st.just("paste"), TEXTS),
        st.tuples(st.just("type"), st.sampled_from(tuple(columns.CUSTOM_DATA_TYPES))),
        st.tuples(st.sampled_from(["copy", "up", "mute", "remove", "agree"])),
    )
    return draw(st.lists(step, max_size=12))


def apply_step(draft: FilterDraft, step: tuple[Any, ...]) -> FilterDraft:
    uid = draft.rules[0].uid if draft.rules else "gone"
    match step:
        case "column", key:
            return rule_steps.set_column(draft, uid, key, {key: 5})
        case "operator", operator:
            return rule_steps.set_operator(draft, uid, operator)
        case "value", slot, value, zone:
            return rule_steps.set_value(draft, uid, slot, value, zone)
        case "add", key:
            return rule_steps.add_rule(draft, key)
        case "paste", text:
            return rule_steps.add_items(draft, uid, "value", text)
        case "type", data_type:
            return rule_steps.set_data_type(draft, uid, data_type)
        case ("copy",):
            return rule_steps.duplicate(draft, uid)
        case ("up",):
            return rule_steps.move(draft, draft.rules[-1].uid if draft.rules else uid, -1)
        case ("mute",):
            return rule_steps.mute(draft, uid, not draft.rules[0].muted if draft.rules else True)
        case ("agree",):
            return rule_steps.set_operator_and_option(draft, uid, "E")
        case _:
            return rule_steps.remove(draft, uid)


def assert_is_consistent(draft: FilterDraft) -> None:
    """Check that a draft can be described, and saved and loaded without loss."""
    found = find_problems(draft)
    problems_to_show(draft, found)
    assert len(FILTER_FORM.describe_problems(draft, found)) == found.count
    find_warnings(draft)
    assert describe_filter(draft)
    json.loads(to_json(draft))
    assert FilterDraft.model_validate_json(draft.model_dump_json()) == draft
    for rule in draft.rules:
        find_stored_rule_errors(rule)
        assert describe_rule(rule.payload)
        editor_kind(rule.payload)
        field_values(rule)
        shown = value_texts(rule)
        assert {slot: shown[slot] for slot in rule.typed} == rule.typed
        for slot, text in shown.items():
            assert rule_steps.set_value(draft, rule.uid, slot, text) is draft
        assert rule.typed == {} or rule.muted or found.of(rule.uid)
        value_items(rule)
    # A rule without problems has none for the client either.
    if not found:
        assert same_content(from_filter(to_filter(draft)), draft)


@given(steps())
def test_any_sequence_of_steps_leads_to_a_valid_draft(chosen: list[tuple[Any, ...]]) -> None:
    draft = rule_steps.new_filter()
    for step in chosen:
        before = draft.model_dump_json()
        after = apply_step(draft, step)
        assert draft.model_dump_json() == before
        draft = after
    assert_is_consistent(draft)


ODD_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=4,
)
COLUMN_LABELS = st.sampled_from(
    [
        *{column.name for column in COLUMNS},
        *{column.rule_type for column in COLUMNS},
        *OPERATORS,
        "CUSTOM",
        "CUSTOM_ARRAY",
        "STRING",
        "NUMBER",
        "DATE",
        "BOOLEAN",
        "address",
        "paths",
    ]
)
NAMES = [
    "id",
    "attributeId",
    "attributeValues",
    "columnName",
    "columnValue",
    "contactFieldId",
    "contactFilterOption",
    "dataType",
    "embeddedColumnName",
    "operator",
    "type",
    "unheardOf",
]
ODD_RULES = st.dictionaries(st.sampled_from(NAMES), COLUMN_LABELS | ODD_VALUES)


@st.composite
def nearly_right_rules(draw: st.DrawFn) -> dict[str, Any]:
    """Generate rules over a column of the table or an attribute, in which one or two fields are arbitrary."""
    odd_fields = draw(st.dictionaries(st.sampled_from(NAMES), COLUMN_LABELS | ODD_VALUES, max_size=2))
    if draw(st.integers(0, 3)) == 0:
        attribute = {
            "type": "CUSTOM",
            "attributeId": 4,
            "attributeValues": ["a"],
            "operator": "E",
            "dataType": "STRING",
        }
        return {**attribute, **odd_fields}
    column = draw(st.sampled_from(COLUMNS))
    rule: dict[str, Any] = {
        "columnName": column.name,
        "type": column.rule_type,
        "dataType": column.data_type,
        "operator": draw(st.sampled_from(column.operators)),
        "columnValue": draw(ODD_VALUES),
    }
    if column.embedded:
        rule["embeddedColumnName"] = column.embedded
    return {**rule, **odd_fields}


@example([{"type": "CUSTOM", "operator": "E", "dataType": ["STRING"]}])
@given(st.lists(ODD_RULES | nearly_right_rules(), min_size=1, max_size=3))
def test_any_stored_filter_opens_without_loss(rules: list[dict[str, Any]]) -> None:
    found = ContactFilter.from_wire({"id": 5, "name": "Odd", "contactFilterRules": rules})
    draft = from_filter(found, 5)
    assert find_problems(draft).count == 0
    assert_is_consistent(draft)
    sent = to_filter(draft).to_wire()["contactFilterRules"]
    expected = [{name: each for name, each in rule.items() if (name, each) != ("id", None)} for rule in rules]
    assert json.dumps(sent) == json.dumps(expected)
    assert_is_consistent(from_filter(found))
    opened = FilterDraft(rules=[RuleDraft(payload=rule.payload) for rule in draft.rules])
    assert to_filter(replace_rules(draft, opened)).to_wire()["contactFilterRules"] == sent
