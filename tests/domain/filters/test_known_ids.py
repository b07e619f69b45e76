"""The IDs that rules need: known from filters and names, or guessed from columns of the same object."""

from __future__ import annotations

from client.models.contact_filters import ContactFilter
from domain.filters import rule_steps
from domain.filters.filter_form import filter_form
from domain.filters.known_ids import (
    AttributeUse,
    LearnedIds,
    combine_ids,
    field_ids_named,
    guess_field_id,
    learn_ids,
    replace_names,
)
from domain.filters.names.id_names import IdNames, merge_names
from domain.filters.sentence import describe_filter, describe_rule

CITY = "city|SYSTEM_OBJECT|address"
STREET = "streetAddress|SYSTEM_OBJECT|address"
POSTAL = "postalCode|SYSTEM_OBJECT|address"
GROUPS = {"type": "SYSTEM_ARRAY", "columnName": "groups", "dataType": "NUMBER", "operator": "IN"}
NAMES = IdNames({"group": {310: "Fire wardens", 311: "First aid"}, "custom attribute": {4001: "Department"}})


def test_an_id_is_guessed_only_if_two_columns_of_the_same_object_share_it() -> None:
    """One column is no evidence, and two with different IDs are evidence against it."""
    guess = guess_field_id(POSTAL, {CITY: 240, STREET: 240})
    assert guess is not None
    assert guess.field_id == 240
    assert guess.reason == "“Street · address” and “City · address” share this ID."
    assert guess_field_id(POSTAL, {CITY: 240}) is None
    assert guess_field_id(POSTAL, {CITY: 240, STREET: 241}) is None
    assert guess_field_id(POSTAL, {CITY: 240, STREET: 240, POSTAL: 7}) is None
    assert guess_field_id("suffix|SYSTEM|", {"firstName|SYSTEM|": 1, "lastName|SYSTEM|": 1}) is None
    assert guess_field_id("value|SYSTEM_OBJECT|paths", {CITY: 240, STREET: 240}) is None


def test_a_named_contact_field_is_the_id_of_its_column() -> None:
    """By its label or by its name in the interface. A name of several columns is none of them."""
    named = IdNames({"contact field": {1: "Postal code · address", 2: "suffix", 3: "country", 4: "Shoe size"}})
    assert field_ids_named(named) == {POSTAL: 1, "suffix|SYSTEM|": 2}
    known = combine_ids(LearnedIds({"suffix|SYSTEM|": 9, CITY: 240}), named)
    assert known.field_ids == {"suffix|SYSTEM|": 2, CITY: 240, POSTAL: 1}
    assert known.can_use(POSTAL)
    assert known.can_use("city|SYSTEM_EXPECTED_OBJECT|address"), "it needs no ID"
    assert not known.can_use("lastName|SYSTEM|")


def test_attributes_are_learned_with_their_most_common_types() -> None:
    """Also if the ID is text."""
    rule = {"type": "CUSTOM_ARRAY", "dataType": "NUMBER", "attributeId": "4010", "attributeValues": ["1"]}
    filters = [ContactFilter.from_wire({"name": "A", "contactFilterRules": [{**rule, "operator": "IN"}]})]
    assert learn_ids(filters).attributes == {4010: AttributeUse("CUSTOM_ARRAY", "NUMBER")}


def test_names_are_replaced_by_ids_only_if_they_have_one_meaning() -> None:
    """Also as lists show them, and without regard to case; IDs and unknown names stay."""
    typed = ["fire WARDENS", "First aid (311)", "ward", "88", "fi", "Sales", "–"]
    assert replace_names(GROUPS, typed, NAMES) == ["310", "311", "310", "88", "fi", "Sales", "–"]
    twice = merge_names({"group": {1: "Same"}}, {"group": {2: "Same", 1: "Other"}})
    assert replace_names(GROUPS, ["Same", "Other"], twice) == ["Same", "Other"]
    assert replace_names({**GROUPS, "columnName": "city"}, ["First aid"], NAMES) == ["First aid"]


def test_a_typed_name_becomes_its_id_in_the_rule_and_the_name_is_in_the_sentence() -> None:
    """The request has the ID, and people read the name with the ID."""
    draft = rule_steps.add_rule(rule_steps.FilterDraft(), "groups|SYSTEM_ARRAY|")
    form = filter_form(names=NAMES)
    uid = draft.rules[0].uid
    draft = form.apply_input(draft, {(uid, "value/chips"): ["First aid", "310"]})
    assert draft.rules[0].payload["columnValue"] == [311, 310]
    chips = form.field(draft, uid, "value/chips")
    assert chips is not None
    assert not chips.is_equivalent(["First aid", "310"], draft.rules[0]), "the field is drawn again with the ID"
    assert chips.is_equivalent(["311", "310"], draft.rules[0])
    sentence = describe_filter(draft, names=NAMES)
    assert sentence == "People who belong to any of the groups First aid (311) or Fire wardens (310)."


def test_a_custom_attribute_is_called_by_its_name() -> None:
    """With its ID, since two attributes may have the same name."""
    draft = rule_steps.add_rule(rule_steps.FilterDraft())
    draft = rule_steps.set_attribute(draft, draft.rules[0].uid, 4001, "CUSTOM", "NUMBER")
    draft = rule_steps.set_value(draft, draft.rules[0].uid, "values", "7")
    assert describe_filter(draft, names=NAMES) == "People whose Department (custom attribute 4001) is 7."
    assert describe_rule(draft.rules[0].payload, names=NAMES) == "Department (custom attribute 4001) is 7"
    assert describe_rule(draft.rules[0].payload) == "Custom attribute 4001 is 7"
