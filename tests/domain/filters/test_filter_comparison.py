"""Differences between two versions of a filter, and whether someone else has changed the stored one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.models.contact_filters import ContactFilter
from domain.filters.comparison import (
    compare_filters,
    compare_rules,
    field_changes,
    find_stored_change,
    is_same_filter,
    summarize,
)
from domain.filters.filter_draft import FilterDraft, RuleDraft, from_filter


def rule(column: str, value: Any = "x", **more: Any) -> dict[str, Any]:
    """Return a rule over a text column of the person."""
    return {
        "contactFieldId": 210,
        "columnName": column,
        "columnValue": value,
        "type": "SYSTEM",
        "dataType": "STRING",
        "operator": "E",
        "contactFilterOption": "E",
        **more,
    }


def build_filter(*rules: dict[str, Any], name: str = "Staff", changed: int = 1_750_000_000_000) -> ContactFilter:
    """Return a stored filter with numbered rules."""
    return ContactFilter.from_wire(
        {
            "id": 7,
            "name": name,
            "contactFilterRules": [{"id": number, **each} for number, each in enumerate(rules, start=1)],
            "lastModifiedDate": changed,
            "lastModifiedName": "Ana Silva",
        }
    )


FIRST, LAST, COUNTRY = rule("firstName", "An"), rule("lastName", "Silva"), rule("country", "FR")


def list_changes(
    was: list[dict[str, Any]], now: list[dict[str, Any]]
) -> list[tuple[str, int | None, int | None, bool]]:
    """Return the change of each rule, with its numbers and whether it moved."""
    return [(each.kind, each.old_number, each.new_number, each.is_moved) for each in compare_rules(was, now)]


def test_equal_filters_with_different_ids_have_no_difference() -> None:
    comparison = compare_filters(
        build_filter(FIRST, LAST), ContactFilter.from_wire({"name": " Staff ", "contactFilterRules": [FIRST, LAST]})
    )
    assert comparison.is_same
    assert summarize(comparison) == "No changes."


def test_added_removed_and_changed_rules_are_distinguished() -> None:
    changed = {**LAST, "operator": "STARTWITH", "contactFilterOption": "STARTWITH"}
    assert list_changes([FIRST, LAST], [changed, COUNTRY]) == [
        ("removed", 1, None, False),
        ("changed", 2, 1, False),
        ("added", None, 2, False),
    ]


def test_a_removed_rule_is_listed_at_its_old_place() -> None:
    assert [each.kind for each in compare_rules([FIRST, LAST, COUNTRY], [FIRST, COUNTRY])] == [
        "same",
        "removed",
        "same",
    ]


def test_only_the_rule_that_left_its_place_is_moved() -> None:
    assert list_changes([FIRST, LAST, COUNTRY], [COUNTRY, FIRST, LAST]) == [
        ("same", 3, 1, True),
        ("same", 1, 2, False),
        ("same", 2, 3, False),
    ]
    comparison = compare_filters(build_filter(FIRST, LAST, COUNTRY), build_filter(COUNTRY, FIRST, LAST))
    assert not comparison.is_same
    assert summarize(comparison) == "1 rule moved · 2 rules unchanged"


def test_a_rule_can_move_and_change_at_once() -> None:
    other = {**COUNTRY, "columnValue": "ES"}
    assert ("changed", 3, 1, True) in list_changes([FIRST, LAST, COUNTRY], [other, FIRST, LAST])


def test_removing_one_of_two_equal_rules_is_one_removal() -> None:
    assert list_changes([FIRST, FIRST], [FIRST]) == [("same", 1, 1, False), ("removed", 2, None, False)]


def test_rules_with_the_same_id_are_paired_even_with_another_column() -> None:
    was, now = {"id": 31, **FIRST}, {"id": 31, **COUNTRY}
    (change,) = compare_rules([was], [now])
    assert change.kind == "changed"
    assert field_changes(was, now) == {"Column": ("firstName", "country"), "Value": ("An", "FR")}


def test_a_new_name_and_muted_rules_are_reported() -> None:
    comparison = compare_filters(build_filter(FIRST), build_filter(FIRST, name="Contractors"), muted=[LAST])
    assert (comparison.old_name, comparison.new_name) == ("Staff", "Contractors")
    assert comparison.muted == (LAST,)
    assert summarize(comparison) == "new name · 1 rule unchanged"


@pytest.mark.parametrize(
    ("theirs", "what"),
    [
        (build_filter(FIRST), "nothing"),
        (build_filter(FIRST, changed=1_750_000_060_000), "saved again"),
        (build_filter(LAST), "changed"),
        (build_filter(FIRST, name="Other"), "changed"),
        (build_filter(LAST, changed=1_750_000_000_000), "changed"),
    ],
)
def test_a_stored_change_is_detected_by_contents_before_time(theirs: ContactFilter, what: str) -> None:
    assert find_stored_change(build_filter(FIRST), theirs) == what


def test_a_record_without_times_is_compared_by_contents() -> None:
    thin = ContactFilter.from_wire({"name": "Staff", "contactFilterRules": [FIRST], "lastModifiedDate": 0})
    assert find_stored_change(build_filter(FIRST), thin) == "nothing"
    assert find_stored_change(None, thin) == "changed"


def test_a_draft_is_untouched_until_something_is_typed_muted_moved_or_removed() -> None:
    draft = from_filter(build_filter(FIRST, LAST), filter_id=7)
    assert draft.is_untouched
    one, other = draft.rules
    for rules in (
        [other, one],
        [one],
        [one.model_copy(update={"muted": True}), other],
        [one, other, RuleDraft(payload=COUNTRY)],
    ):
        assert not draft.model_copy(update={"rules": rules}).is_untouched
    assert not draft.model_copy(update={"name": "Else"}).is_untouched
    typed = one.model_copy(update={"typed": {"value": "?"}})
    assert not draft.model_copy(update={"rules": [typed, other]}).is_untouched


def test_a_new_draft_without_name_and_rules_is_untouched() -> None:
    assert FilterDraft(rules=[RuleDraft()]).is_untouched
    assert not FilterDraft(name="S", rules=[RuleDraft()]).is_untouched
    assert not FilterDraft(rules=[RuleDraft(payload={"columnName": "country"})]).is_untouched


def test_an_attempt_to_save_does_not_change_the_payload_of_a_draft() -> None:
    draft = FilterDraft(name="Staff", rules=[RuleDraft(payload=FIRST)])
    assert draft.has_same_payload(draft.model_copy(update={"checked": True, "refused": [("name", "taken")]}))
    assert not draft.has_same_payload(draft.model_copy(update={"name": "Stuff"}))


rules = st.lists(
    st.sampled_from([rule(name, value) for name in ("firstName", "lastName") for value in "abc"]), max_size=6
)


@given(rules, rules)
def test_every_rule_of_both_versions_is_accounted_for_once(
    was: list[dict[str, Any]], now: list[dict[str, Any]]
) -> None:
    changes = compare_rules(was, now)
    assert [each.new for each in changes if each.new is not None] == now
    assert sorted(each.old_number for each in changes if each.old_number) == list(range(1, len(was) + 1))
    for each in changes:
        assert (each.kind == "same") == (each.old == each.new)


@given(rules)
def test_an_equal_filter_has_no_difference_and_a_reversal_moves_all_but_one_rule(
    given_rules: list[dict[str, Any]],
) -> None:
    assert compare_filters(build_filter(*given_rules), build_filter(*given_rules)).is_same
    assert is_same_filter(build_filter(*given_rules), build_filter(*given_rules))
    distinct = [each for number, each in enumerate(given_rules) if each not in given_rules[:number]]
    moved = sum(each.is_moved for each in compare_rules(distinct, distinct[::-1]))
    assert moved == max(len(distinct) - 1, 0)
