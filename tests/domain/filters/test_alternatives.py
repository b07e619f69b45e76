"""Further values of a rule with a single value become filters or rules, since the interface has no “or”."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.vocabulary.contact_filters import NAME_LENGTH
from domain.filters import rule_steps
from domain.filters.alternatives import (
    add_rules_for,
    alternatives_of,
    new_filters,
    read_values,
    several_values,
)
from domain.filters.filter_draft import FilterDraft, RuleDraft, from_filter, to_filter
from domain.filters.names.id_names import IdNames
from domain.filters.rule_steps import add_rule, mute, set_operator, set_value

COUNTRY = "country|SYSTEM_EXPECTED_OBJECT|address"
AIRPORT = "iata|SYSTEM_EXPECTED_OBJECT|address"
CITY = "city|SYSTEM_EXPECTED_OBJECT|address"
RECORD_TYPE = "recordTypeId|SYSTEM|"


def a_draft(key: str, value: str, operator: str = "E", name: str = "Visitors") -> FilterDraft:
    """Return a filter with one rule."""
    draft = add_rule(FilterDraft(name=name), key)
    draft = set_operator(draft, draft.rules[0].uid, operator)
    return set_value(draft, draft.rules[0].uid, "value", value)


def split(draft: FilterDraft, texts: Sequence[str]) -> list[FilterDraft]:
    """Return the new filters for the values of the first rule."""
    return new_filters(draft, alternatives_of(draft, draft.rules[0].uid, texts))


def test_france_or_brazil_becomes_two_filters_with_a_common_name() -> None:
    """The other rules are the same in both. Muted rules are left out."""
    draft = a_draft(COUNTRY, "FR")
    draft = add_rule(draft, "firstName|SYSTEM|")
    draft = set_value(draft, draft.rules[1].uid, "value", "Ana")
    draft = mute(add_rule(draft, CITY), draft.rules[1].uid, False)
    draft = mute(draft, draft.rules[2].uid)
    france, brazil = split(draft, ["BR"])
    assert (france.name, brazil.name) == ("Visitors – France", "Visitors – Brazil")
    assert [rule.payload["columnValue"] for rule in brazil.rules] == ["BR", "Ana"]
    assert [rule.payload["columnValue"] for rule in france.rules] == ["FR", "Ana"]
    assert not brazil.is_change


def test_the_same_split_has_the_same_uids_and_another_one_has_not() -> None:
    """The uids keep a second press from sending a filter again."""
    draft = a_draft(COUNTRY, "FR")
    uids = [each.uid for each in split(draft, ["BR"])]
    assert len(set(uids)) == 2
    assert [each.uid for each in split(draft, ["BR"])] == uids
    assert split(draft, ["BR", "DE"])[2].uid not in uids
    renamed = draft.model_copy(update={"name": "Guests"})
    assert not {each.uid for each in split(renamed, ["BR"])} & set(uids)


def test_a_split_of_a_stored_filter_makes_new_filters_without_ids() -> None:
    stored = to_filter(a_draft(COUNTRY, "FR"))
    draft = from_filter(stored, filter_id=5)
    draft.rules[0].payload["id"] = 77
    for each in split(draft, ["BR"]):
        assert each.filter_id is None
        assert "id" not in each.rules[0].payload


@pytest.mark.parametrize(
    ("key", "operator", "expected"),
    [
        (COUNTRY, "E", "filters"),
        (COUNTRY, "STARTWITH", "filters"),
        (COUNTRY, "NE", "rules"),
        (CITY, "NLIKE", "rules"),
        (RECORD_TYPE, "E", "filters"),
        (RECORD_TYPE, "LT", None),
        ("groups|SYSTEM_ARRAY|", "IN", None),
        ("expectedDate|SYSTEM_EXPECTED_OBJECT|", "BETWEEN", None),
        ("userId|SYSTEM|", "ISNULL", None),
        ("custom", "E", None),
    ],
)
def test_only_rules_with_a_single_value_take_further_ones(key: str, operator: str, expected: str | None) -> None:
    """Lists take several values themselves, and an ordered comparison with several has no meaning."""
    assert several_values(a_draft(key, "", operator).rules[0].payload) == expected


def test_values_are_read_as_in_the_rule_without_duplicates() -> None:
    """Names of countries, airports, and IDs count as their codes and IDs. The first unreadable value is named."""
    country = a_draft(COUNTRY, "FR").rules[0].payload
    assert read_values(country, ["FR", "BR", "Brazil", "DE"]) == (["BR", "DE"], "")
    number = a_draft(RECORD_TYPE, "7").rules[0].payload
    names = IdNames({"record type": {9: "Contractor"}})
    assert read_values(number, ["Contractor", "7", "11"], names) == (["9", "11"], "")
    found, problem = read_values(number, ["9", "some"], names)
    assert (found, problem) == (["9"], "“some” is not a whole number.")


def test_none_of_several_values_becomes_a_rule_for_each() -> None:
    """All rules must match, so one filter says it."""
    draft = a_draft(COUNTRY, "FR", "NE")
    draft = add_rules_for(add_rule(draft, CITY), draft.rules[0].uid, ["BR", "DE"])
    values = [(rule.payload["operator"], rule.payload.get("columnValue")) for rule in draft.rules]
    assert values == [("NE", "FR"), ("NE", "BR"), ("NE", "DE"), ("E", None)]
    assert len({rule.uid for rule in draft.rules}) == 4


@given(st.text(min_size=1, max_size=2 * NAME_LENGTH).filter(str.strip), st.text(min_size=1, max_size=150))
def test_names_are_never_longer_than_the_service_allows(name: str, value: str) -> None:
    for each in split(a_draft(CITY, "x", name=name), [value]):
        assert 0 < len(each.name) <= NAME_LENGTH
        assert each.name == each.name.strip()


@given(st.lists(st.integers(0, 9), min_size=1, max_size=9), st.integers(0, 8), st.integers(-12, 12))
def test_moving_a_rule_keeps_the_set_of_rules_and_the_order_of_the_others(
    values: list[int], place: int, by: int
) -> None:
    draft = FilterDraft(rules=[RuleDraft(payload={"columnValue": value}) for value in values])
    moved_uid = draft.rules[place % len(values)].uid
    moved = rule_steps.move(draft, moved_uid, by)
    assert sorted(rule.uid for rule in moved.rules) == sorted(rule.uid for rule in draft.rules)
    others = [[rule for rule in each.rules if rule.uid != moved_uid] for each in (draft, moved)]
    assert others[0] == others[1]
    wanted = min(max(place % len(values) + by, 0), len(values) - 1)
    assert moved.rules[wanted].uid == moved_uid
