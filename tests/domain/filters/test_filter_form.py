"""What the fields of the builder show, and how typed values change a rule."""

from __future__ import annotations

from copy import deepcopy
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.filters import rule_steps
from domain.filters.filter_draft import FilterDraft, RuleDraft
from domain.filters.filter_form import MOST_CHIPS, OTHER_COLUMN, TypedStep, field_values, filter_form, typed_step
from domain.filters.rule_steps import field_ids_in
from domain.forms.form import Form, Place
from tests.filter_rules import allowed_rules, forbidden_custom_rules, forbidden_rules

ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu")
FIRST_NAME = "firstName|SYSTEM|"
LAST_NAME = "lastName|SYSTEM|"
GROUPS = "groups|SYSTEM_ARRAY|"
CREATED = "createdDate|SYSTEM|"
EXPECTED = "expectedDate|SYSTEM_EXPECTED_OBJECT|"
COUNTRY = "country|SYSTEM_EXPECTED_OBJECT|address"


def build_filter(*keys: str) -> FilterDraft:
    """Return a filter with a rule over each of these columns."""
    draft = FilterDraft(name="Some")
    for key in keys:
        draft = rule_steps.add_rule(draft, key)
    return draft


def type_values(draft: FilterDraft, fields: dict[str, Any], number: int = 1, zone: str = "UTC") -> FilterDraft:
    """Return the draft after this was typed into fields of a rule."""
    rule = draft.rules[number - 1]
    return filter_form(zone).apply_input(draft, {(rule.uid, path): value for path, value in fields.items()})


def widget_values(form: Form[FilterDraft], draft: FilterDraft) -> dict[Place, Any]:
    """Return the widget values of all fields that apply."""
    return {
        (part.uid, field.path): field.to_widget(field.value_in(part))
        for parts, part, _ in form.walk(draft)
        for field in parts.fields
        if field.applies(part)
    }


@given(
    st.lists(st.one_of(allowed_rules, forbidden_rules(), forbidden_custom_rules()), max_size=4), st.sampled_from(ZONES)
)
def test_a_stored_rule_that_no_one_changed_stays_as_it_was_stored(rules: list[dict[str, Any]], zone: str) -> None:
    draft = FilterDraft(name="Stored", rules=[RuleDraft(payload=rule, stored=deepcopy(rule)) for rule in rules])
    form = filter_form(zone)
    after = form.apply_input(draft, widget_values(form, draft))
    assert after is draft
    assert typed_step(draft, after) is None
    assert all(rule.is_untouched for rule in after.rules)


@given(st.one_of(allowed_rules, forbidden_rules(), forbidden_custom_rules()), st.sampled_from(ZONES))
def test_every_field_shows_the_value_of_the_rule(payload: dict[str, Any], zone: str) -> None:
    form, draft = filter_form(zone), FilterDraft(rules=[RuleDraft(payload=payload)])
    (rule,) = draft.rules
    shown = {path: value for (uid, path), value in widget_values(form, draft).items() if uid == rule.uid}
    assert set(shown) == set(field_values(rule, zone))
    fields = [form.field(draft, rule.uid, path) for path in shown if shown[path] is not None]
    assert [field.path for field in fields if field and not field.is_equivalent(shown[field.path], rule)] == []


def test_a_number_in_another_notation_stays_in_its_field() -> None:
    draft = type_values(build_filter("recordTypeId|SYSTEM|"), {"value/text": "007"})
    (rule,) = draft.rules
    value, operator = (filter_form().field(draft, rule.uid, path) for path in ("value/text", "operator"))
    assert value
    assert operator
    assert rule.payload["columnValue"] == 7
    assert value.value_in(rule) == "7"
    assert value.is_equivalent("007", rule)
    assert not value.is_equivalent("8", rule)
    assert not operator.is_equivalent("NE", rule)


@pytest.mark.parametrize(
    ("key", "operator", "fields"),
    [
        (FIRST_NAME, "LIKE", {"column", "operator", "value/text", "field_id/text"}),
        ("recordTypeId|SYSTEM|", "NE", {"column", "operator", "value/text", "field_id/text"}),
        (GROUPS, "IN", {"column", "operator", "value/chips", "field_id/text"}),
        (CREATED, "GT", {"column", "operator", "value/day", "value/clock", "field_id/text"}),
        (
            CREATED,
            "BETWEEN",
            {"column", "operator", "from/day", "from/clock", "until/day", "until/clock", "field_id/text"},
        ),
        (EXPECTED, "BETWEEN", {"column", "operator", "value/pattern"}),
        (COUNTRY, "E", {"column", "operator", "value/country"}),
        (COUNTRY, "LIKE", {"column", "operator", "value/text"}),
        ("iata|SYSTEM_EXPECTED_OBJECT|address", "E", {"column", "operator", "value/text"}),
        ("userId|SYSTEM|", "ISNULL", {"column", "operator", "field_id/text"}),
        ("custom", "E", {"column", "operator", "data_type", "attribute_id/text", "values/chips"}),
    ],
)
def test_a_rule_has_the_fields_that_its_column_and_operator_need(key: str, operator: str, fields: set[str]) -> None:
    """A field that is not drawn cannot have an error."""
    draft = build_filter(key)
    draft = rule_steps.set_operator(draft, draft.rules[0].uid, operator)
    assert set(field_values(draft.rules[0])) == fields


def test_a_pattern_has_moment_fields_only_with_between() -> None:
    """ "Now" needs no moments."""
    draft = type_values(build_filter(EXPECTED), {"value/pattern": "NOW"})
    assert "from/day" not in field_values(draft.rules[0])
    assert draft.rules[0].payload["columnValue"] == ["NOW", None, None]
    draft = type_values(draft, {"value/pattern": "BETWEEN"})
    assert {"from/day", "from/clock", "until/day", "until/clock"} <= set(field_values(draft.rules[0]))


def test_day_and_time_become_one_moment_in_the_zone_of_the_person() -> None:
    """14:05 in Berlin in winter is 13:05 UTC."""
    draft = build_filter(CREATED)
    draft = rule_steps.set_operator(draft, draft.rules[0].uid, "GT")
    after = type_values(draft, {"value/day": date(2026, 11, 20), "value/clock": "14:05"}, zone="Europe/Berlin")
    assert after.rules[0].payload["columnValue"] == 1_795_179_900_000
    assert typed_step(draft, after) == TypedStep("change the value of rule 1", is_typing=True)


def test_an_unreadable_time_stays_and_prevents_sending() -> None:
    """The old value is not sent in its place."""
    draft = build_filter(CREATED)
    draft = rule_steps.set_operator(draft, draft.rules[0].uid, "GT")
    draft = type_values(draft, {"value/day": date(2026, 11, 20), "value/clock": "14:05"})
    draft = type_values(draft, {"value/clock": "late"})
    assert "columnValue" not in draft.rules[0].payload
    assert draft.rules[0].typed == {"value": "2026-11-20 late"}
    assert field_values(draft.rules[0])["value/clock"] == "late"
    assert field_values(draft.rules[0])["value/day"] == "2026-11-20"


@pytest.mark.parametrize("stored", [99_999_999_999_999, -9_999_999_999_999, "2026-11-20", 1.5])
def test_a_moment_beyond_the_calendar_or_in_another_form_is_shown_as_a_text(stored: Any) -> None:
    """A date input would reject it. Untouched, it is sent back unchanged."""
    payload = {
        "columnName": "createdDate",
        "type": "SYSTEM",
        "dataType": "DATE",
        "operator": "GT",
        "columnValue": stored,
    }
    rule = RuleDraft(payload=payload, stored=dict(payload))
    assert "value/text" in field_values(rule)
    assert "value/day" not in field_values(rule)


def test_lists_are_chips_until_chips_could_lose_or_merge_an_item() -> None:
    """Many items, or items that differ only in case, are lines instead."""
    draft = build_filter("addressGeoCodingSource|SYSTEM_OBJECT|address")
    draft = type_values(draft, {"value/chips": ["AUTO", "MANUAL"]})
    assert field_values(draft.rules[0])["value/chips"] == ["AUTO", "MANUAL"]
    draft = rule_steps.add_items(draft, draft.rules[0].uid, "value", "auto, other")
    assert draft.rules[0].payload["columnValue"] == ["AUTO", "MANUAL", "auto", "other"]
    assert field_values(draft.rules[0])["value/lines"] == "AUTO\nMANUAL\nauto\nother"
    many = "\n".join(str(number) for number in range(MOST_CHIPS + 1))
    groups = build_filter(GROUPS)
    groups = rule_steps.add_items(groups, groups.rules[0].uid, "value", many)
    assert field_values(groups.rules[0])["value/lines"] == many
    fewer = type_values(groups, {"value/lines": "5\n6"})
    assert fewer.rules[0].payload["columnValue"] == [5, 6]
    assert field_values(fewer.rules[0])["value/chips"] == ["5", "6"]


def test_pasted_items_are_appended_without_duplicates_and_ids_stay_exact() -> None:
    """Also after an item that could not be read."""
    draft = build_filter(GROUPS)
    uid = draft.rules[0].uid
    draft = rule_steps.add_items(draft, uid, "value", "310; 241901148045316\n310")
    draft = rule_steps.add_items(draft, uid, "value", "9007199254740993\t310")
    assert draft.rules[0].payload["columnValue"] == [310, 241901148045316, 9007199254740993]
    draft = rule_steps.add_items(draft, uid, "value", "seven")
    assert field_values(draft.rules[0])["value/chips"] == ["310", "241901148045316", "9007199254740993", "seven"]
    draft = type_values(draft, {"value/chips": ["310", "7"]})
    assert draft.rules[0].payload["columnValue"] == [310, 7]
    assert rule_steps.add_items(draft, "gone", "value", "1") is draft


def test_changes_of_column_and_operator_are_separate_undo_steps() -> None:
    """Values that fit are kept."""
    draft = type_values(build_filter(FIRST_NAME, LAST_NAME), {"value/text": "An", "operator": "LIKE"})
    assert draft.rules[0].payload["columnValue"] == "An"
    assert draft.rules[0].payload["operator"] == draft.rules[0].payload["contactFilterOption"] == "LIKE"
    after = type_values(draft, {"column": COUNTRY}, number=1)
    assert typed_step(draft, after) == TypedStep("change the column of rule 1", is_typing=False)
    assert after.rules[0].payload["embeddedColumnName"] == "address"
    assert after.rules[1] == draft.rules[1]


def test_a_cleared_selection_changes_nothing() -> None:
    """A rule always has a column, and an unknown column stays."""
    draft = build_filter(FIRST_NAME)
    assert type_values(draft, {"column": None, "operator": None}) == draft
    odd = FilterDraft(rules=[RuleDraft(payload={"columnName": "shoeSize", "type": "SYSTEM", "operator": "EQ"})])
    assert field_values(odd.rules[0])["column"] == OTHER_COLUMN
    assert type_values(odd, {"column": OTHER_COLUMN}) == odd


def test_a_contact_field_id_is_filled_in_from_the_filter() -> None:
    """An ID that was typed once is used for other rules over the same column. Stored rules are unchanged."""
    payload = {"columnName": "firstName", "type": "SYSTEM", "dataType": "STRING", "operator": "E", "columnValue": "A"}
    draft = build_filter(FIRST_NAME, FIRST_NAME, LAST_NAME)
    draft = draft.model_copy(update={"rules": [*draft.rules, RuleDraft(payload=payload, stored=dict(payload))]})
    draft = type_values(draft, {"field_id/text": "210"})
    assert [rule.payload.get("contactFieldId") for rule in draft.rules] == [210, 210, None, None]
    assert field_ids_in(draft) == {FIRST_NAME: 210}
    form = filter_form(field_ids={LAST_NAME: 211})
    assert (
        form.apply_input(draft, {(draft.rules[0].uid, "column"): LAST_NAME}).rules[0].payload["contactFieldId"] == 211
    )
    after = type_values(draft, {"column": FIRST_NAME}, number=3)
    assert after.rules[2].payload["contactFieldId"] == 210


def test_the_name_is_updated_and_an_invalid_id_stays_as_typed() -> None:
    """Both have a label for Undo."""
    draft = build_filter(FIRST_NAME)
    after = filter_form().apply_input(draft, {(draft.uid, "name"): "Another"})
    assert (after.name, typed_step(draft, after)) == ("Another", TypedStep("rename the filter", is_typing=True))
    after = type_values(draft, {"field_id/text": "many"})
    assert after.rules[0].typed == {"field_id": "many"}
    assert "contactFieldId" not in after.rules[0].payload


def test_text_that_becomes_a_moment_is_read_in_the_users_time_zone() -> None:
    text, moment = "2026-11-20 23:05", 1_795_183_500_000
    number = type_values(build_filter("recordTypeId|SYSTEM|"), {"value/text": text}, zone="Asia/Tokyo")
    assert type_values(number, {"column": CREATED}, zone="Asia/Tokyo").rules[0].payload["columnValue"] == [moment, None]
    attribute = type_values(build_filter("custom"), {"values/chips": [text]}, zone="Asia/Tokyo")
    as_date = type_values(attribute, {"data_type": "DATE"}, zone="Asia/Tokyo")
    assert as_date.rules[0].payload["attributeValues"] == [str(moment)]
    assert field_values(as_date.rules[0], "Asia/Tokyo")["values/chips"] == [text]
