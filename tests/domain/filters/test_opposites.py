"""A rule is inverted to the opposite comparison of its column, and inverting it again restores it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from domain.filters import rule_steps
from domain.filters.columns import COLUMN_LABELS, effective_operator, operators_of
from domain.filters.filter_draft import FilterDraft, RuleDraft
from domain.filters.opposites import describe_opposite, find_opposite, invert
from domain.filters.sentence import describe_filter
from domain.filters.values import value_texts

KEYS = st.sampled_from([words.key for words in COLUMN_LABELS])
VALUES = st.sampled_from(["7", "2026-11-20", "2026-11-20 14:05", "FR", "LHR", "Ana", "1\n2", "47.5"])


def a_draft(key: str, operator: str, value: str = "") -> FilterDraft:
    """Return a filter with one rule."""
    draft = rule_steps.add_rule(FilterDraft(name="Some"), key)
    uid = draft.rules[0].uid
    draft = rule_steps.set_operator(draft, uid, operator, "Europe/Berlin")
    for slot in value_texts(draft.rules[0]).keys() - {"field_id"}:
        draft = rule_steps.set_value(draft, uid, slot, value, "Europe/Berlin")
    return draft


@given(KEYS, st.data(), VALUES)
def test_inverting_twice_restores_the_rule(key: str, data: st.DataObject, value: str) -> None:
    """Days keep their end, lists their values, and texts that cannot be read stay."""
    empty = rule_steps.add_rule(FilterDraft(), key).rules[0].payload
    draft = a_draft(key, data.draw(st.sampled_from(operators_of(empty))), value)
    uid, payload = draft.rules[0].uid, draft.rules[0].payload
    assume(find_opposite(payload) is not None)
    once = invert(draft, uid, "Europe/Berlin")
    assert effective_operator(once.rules[0].payload) == find_opposite(payload)
    assert once.rules[0].payload["operator"] in operators_of(payload)
    twice = invert(once, uid, "Europe/Berlin")
    assert (twice.rules[0].payload, twice.rules[0].typed) == (payload, draft.rules[0].typed)


@pytest.mark.parametrize(
    ("key", "operator", "inverted"),
    [
        ("country|SYSTEM_EXPECTED_OBJECT|address", "E", "NE"),
        ("city|SYSTEM_OBJECT|address", "NLIKE", "LIKE"),
        ("groups|SYSTEM_ARRAY|", "IN", "NIN"),
        ("gisLocation.lat|SYSTEM_OBJECT|address", "LT", "GTE"),
        ("gisLocation.lat|SYSTEM_OBJECT|address", "GT", "LTE"),
        ("userId|SYSTEM|", "ISNULL", "NOTNULL"),
        ("firstName|SYSTEM|", "STARTWITH", None),
        ("expectedDate|SYSTEM_EXPECTED_OBJECT|", "BETWEEN", None),
        ("shift|SYSTEM_SCHEDULING|", "E", None),
    ],
)
def test_the_table_decides_which_comparisons_have_an_opposite(key: str, operator: str, inverted: str | None) -> None:
    """Text that starts with something, time spans, and shifts have none, which is explained."""
    payload = a_draft(key, operator).rules[0].payload
    assert find_opposite(payload) == inverted
    assert ("no opposite" in describe_opposite(payload)) is (inverted is None)


def test_ordered_comparisons_of_several_values_can_both_match() -> None:
    """Someone with two addresses may be north of a latitude with one and south of it with the other."""
    key = "gisLocation.lat|SYSTEM_OBJECT|address"
    assert "several values may match both" in describe_opposite(a_draft(key, "LT").rules[0].payload)
    assert describe_opposite(a_draft("recordTypeId|SYSTEM|", "LT").rules[0].payload) == (
        "Someone without a value matches neither comparison."
    )
    assert describe_opposite(a_draft(key, "E").rules[0].payload) == ""


def test_the_sentence_of_an_inverted_rule() -> None:
    draft = a_draft("country|SYSTEM_EXPECTED_OBJECT|address", "E", "FR")
    inverted = invert(draft, draft.rules[0].uid)
    assert describe_filter(inverted) == "People without an expected location whose country is France."


def test_an_unknown_stored_rule_stays_as_it_is() -> None:
    stored: dict[str, Any] = {"columnName": ["?"], "operator": {"E": 1}}
    draft = FilterDraft(rules=[RuleDraft(payload=stored)])
    assert invert(draft, draft.rules[0].uid) is draft
