"""Each step of the builder: its effect, what it keeps, and that no input is lost."""

from __future__ import annotations

from typing import Any

import pytest

from domain.filters import rule_steps, values
from domain.filters.filter_draft import FilterDraft, RuleDraft
from domain.filters.values import paste_list

AT = 1_795_183_500_000
LATER = AT + 86_400_000

COUNTRY = "country|SYSTEM_OBJECT|address"
EXPECTED_COUNTRY = "country|SYSTEM_EXPECTED_OBJECT|address"
CITY = "city|SYSTEM_OBJECT|address"
CREATED = "createdDate|SYSTEM|"
EXPECTED = "expectedDate|SYSTEM_EXPECTED_OBJECT|"
RECORD_TYPE = "recordTypeId|SYSTEM|"
LATITUDE = "gisLocation.lat|SYSTEM_OBJECT|address"
GROUPS = "groups|SYSTEM_ARRAY|"
PATHS = "pathId|SYSTEM_OBJECT|paths"


def build_draft(key: str, operator: str | None = None, **typed: Any) -> tuple[FilterDraft, str]:
    draft = rule_steps.add_rule(FilterDraft(), key)
    uid = draft.rules[0].uid
    if operator is not None:
        draft = rule_steps.set_operator(draft, uid, operator)
    for slot, value in typed.items():
        draft = rule_steps.set_value(draft, uid, slot, str(value) if isinstance(value, int) else value)
    return draft, uid


def payload_of(draft: FilterDraft) -> dict[str, Any]:
    return draft.rules[0].payload


def test_a_new_filter_has_one_empty_rule() -> None:
    draft = rule_steps.new_filter()
    assert [rule.payload for rule in draft.rules] == [{}]
    assert draft.title == "New contact filter"
    assert draft.model_copy(update={"name": "x" * 10_000}).title == "x" * 119 + "…"


def test_a_new_rule_has_an_operator_and_a_known_field_id() -> None:
    draft = rule_steps.add_rule(rule_steps.new_filter(), COUNTRY, field_ids={COUNTRY: 240})
    assert draft.rules[1].payload == {
        "contactFieldId": 240,
        "columnName": "country",
        "type": "SYSTEM_OBJECT",
        "dataType": "STRING",
        "embeddedColumnName": "address",
        "operator": "E",
        "contactFilterOption": "E",
    }
    draft = rule_steps.add_rule(draft, EXPECTED_COUNTRY, field_ids={EXPECTED_COUNTRY: 240})
    assert "contactFieldId" not in draft.rules[2].payload


def test_steps_on_rules_return_a_new_draft_and_leave_the_old_one_unchanged() -> None:
    before = rule_steps.add_rule(rule_steps.add_rule(FilterDraft(), CITY), COUNTRY)
    first, second = (rule.uid for rule in before.rules)
    between = rule_steps.add_rule(before, GROUPS)
    assert [rule.payload["columnName"] for rule in between.rules] == ["city", "country", "groups"]
    assert [rule.uid for rule in rule_steps.move(before, second, -1).rules] == [second, first]
    assert rule_steps.move(before, second, 1) is before
    assert [rule.uid for rule in rule_steps.move(between, first, 99).rules][-1] == first
    copied = rule_steps.duplicate(before, first)
    assert copied.rules[1].payload == copied.rules[0].payload
    assert copied.rules[1].uid not in (first, second)
    assert [rule.muted for rule in rule_steps.mute(before, first).rules] == [True, False]
    assert rule_steps.mute(rule_steps.mute(before, first), first, on=False) == before
    assert [rule.uid for rule in rule_steps.remove(before, first).rules] == [second]
    assert [rule.payload["columnName"] for rule in before.rules] == ["city", "country"]


def test_a_copy_of_a_stored_rule_is_independent() -> None:
    stored = {"id": 9, "type": "CUSTOM", "attributeValues": [4711]}
    draft = rule_steps.duplicate(FilterDraft(rules=[RuleDraft(uid="a", payload=stored, stored=stored)]), "a")
    assert draft.rules[1].payload == {"type": "CUSTOM", "attributeValues": [4711]}
    assert draft.rules[1].stored is None
    assert draft.rules[1].payload["attributeValues"] is not stored["attributeValues"]


def test_errors_of_the_service_remain_until_the_draft_changes() -> None:
    draft, uid = build_draft(CITY, value="Paris")
    refused = draft.model_copy(update={"refused": [("name", "Taken.")]})
    assert rule_steps.set_value(refused, uid, "value", "Paris") is refused
    assert rule_steps.set_value(refused, uid, "value", "Rome").refused == []
    assert rule_steps.rename(refused, "Other").refused == []


@pytest.mark.parametrize(
    ("key", "operator", "typed", "then_key", "then_operator", "value"),
    [
        (CITY, "STARTWITH", {"value": "Par"}, "state|SYSTEM_OBJECT|address", "STARTWITH", "Par"),
        (COUNTRY, "E", {"value": "FR"}, EXPECTED_COUNTRY, "E", "FR"),
        (CITY, "E", {"value": "77"}, RECORD_TYPE, "E", 77),
        (CITY, "E", {"value": "Paris"}, RECORD_TYPE, "E", None),
        (RECORD_TYPE, "GT", {"value": "9"}, LATITUDE, "GT", 9),
        (LATITUDE, "GT", {"value": "9.5"}, RECORD_TYPE, "GT", None),
        (RECORD_TYPE, "E", {"value": "310"}, GROUPS, "IN", [310]),
        (GROUPS, "NIN", {"value": "1,2"}, PATHS, "NIN", [1, 2]),
        (GROUPS, "IN", {"value": "7,8"}, RECORD_TYPE, "E", 7),
        (CREATED, "LT", {"value": AT}, EXPECTED, "LT", ["BETWEEN", AT, None]),
        (CREATED, "BETWEEN", {"from": AT, "until": LATER}, EXPECTED, "BETWEEN", ["BETWEEN", AT, LATER]),
        (EXPECTED, "BETWEEN", {"value": "BETWEEN", "from": AT}, CREATED, "BETWEEN", [AT, None]),
        (EXPECTED, "BETWEEN", {"value": "NOW"}, "shiftDate|SYSTEM_SCHEDULING|", "BETWEEN", ["NOW", None, None]),
        (EXPECTED, "BETWEEN", {"value": "NOW"}, CREATED, "BETWEEN", None),
        (RECORD_TYPE, "E", {"value": "9"}, CREATED, "BETWEEN", None),
        (CITY, "E", {"value": "Paris"}, "userId|SYSTEM|", "NOTNULL", None),
    ],
)
def test_a_change_of_column_keeps_values_that_fit(
    key: str, operator: str, typed: dict[str, Any], then_key: str, then_operator: str, value: Any
) -> None:
    draft, uid = build_draft(key, operator, **typed)
    now = payload_of(rule_steps.set_column(draft, uid, then_key))
    assert (now["operator"], now["contactFilterOption"]) == (then_operator, then_operator)
    assert now.get("columnValue") == value
    assert rule_steps.set_column(draft, uid, key) is draft


@pytest.mark.parametrize(
    ("key", "operator", "typed", "then", "value"),
    [
        (COUNTRY, "E", {"value": "FR"}, "STARTWITH", "FR"),
        (CREATED, "BETWEEN", {"from": AT, "until": LATER}, "GTE", AT),
        (CREATED, "GTE", {"value": AT}, "BETWEEN", [AT, None]),
        (EXPECTED, "BETWEEN", {"value": "NOW"}, "GT", ["NOW", None, None]),
        (GROUPS, "IN", {"value": "1,2"}, "NIN", [1, 2]),
    ],
)
def test_a_change_of_operator_keeps_values_that_fit(
    key: str, operator: str, typed: dict[str, Any], then: str, value: Any
) -> None:
    draft, uid = build_draft(key, operator, **typed)
    now = payload_of(rule_steps.set_operator(draft, uid, then))
    assert (now["operator"], now["contactFilterOption"], now.get("columnValue")) == (then, then, value)


def test_values_are_kept_between_a_column_and_a_custom_attribute() -> None:
    draft, uid = build_draft(CITY, value="Paris")
    custom = rule_steps.set_column(draft, uid, "custom")
    assert payload_of(custom)["attributeValues"] == ["Paris"]
    assert "columnValue" not in payload_of(custom)
    several = rule_steps.set_column(rule_steps.set_value(custom, uid, "attribute_id", "4001"), uid, "custom_array")
    assert (payload_of(several)["type"], payload_of(several)["attributeId"]) == ("CUSTOM_ARRAY", 4001)
    assert (payload_of(custom)["operator"], payload_of(several)["operator"]) == ("E", "IN")
    back = rule_steps.set_column(several, uid, CITY)
    assert payload_of(back)["columnValue"] == "Paris"
    assert not {"attributeId", "attributeValues"} & set(payload_of(back))


@pytest.mark.parametrize("key", ["custom", CITY, "addressGeoCodingSource|SYSTEM_OBJECT|address"])
def test_spaces_around_typed_text_are_kept(key: str) -> None:
    draft, uid = build_draft(key)
    slot = "values" if key == "custom" else "value"
    typed: Any = "New " if key == CITY else ["New ", "Old"]
    payload = payload_of(rule_steps.set_value(draft, uid, slot, typed))
    assert payload.get("columnValue", payload.get("attributeValues")) == typed


@pytest.mark.parametrize(
    ("key", "operator", "slot", "typed"),
    [
        (RECORD_TYPE, "E", "value", "nine"),
        (LATITUDE, "GT", "value", "47,5"),
        (GROUPS, "IN", "value", "310, x"),
        (CREATED, "LT", "value", "2026-11-20 25:00"),
        (CREATED, "BETWEEN", "until", "soon"),
        (EXPECTED, "BETWEEN", "from", "soon"),
        (COUNTRY, "E", "field_id", "two"),
        (COUNTRY, "E", "field_id", "0"),
        ("custom", "E", "attribute_id", "-1"),
    ],
)
def test_unreadable_input_stays_until_it_is_corrected(key: str, operator: str, slot: str, typed: str) -> None:
    draft, uid = build_draft(key, operator)
    draft = rule_steps.set_value(draft, uid, slot, typed)
    assert draft.rules[0].typed == {slot: typed}
    assert values.value_texts(draft.rules[0])[slot] == typed
    assert rule_steps.set_value(draft, uid, slot, typed) is draft
    assert rule_steps.set_value(draft, uid, slot, "").rules[0].typed == {}


def test_unreadable_input_replaces_the_old_value() -> None:
    draft, uid = build_draft(RECORD_TYPE, value="9")
    assert "columnValue" not in payload_of(rule_steps.set_value(draft, uid, "value", "nine"))
    span, uid = build_draft(CREATED, "BETWEEN", **{"from": AT, "until": LATER})
    assert payload_of(rule_steps.set_value(span, uid, "until", "soon"))["columnValue"] == [AT, None]


def test_unreadable_input_moves_to_a_field_that_can_read_it() -> None:
    draft, uid = build_draft(RECORD_TYPE, value="nine")
    as_text = rule_steps.set_column(draft, uid, CITY)
    assert (payload_of(as_text)["columnValue"], as_text.rules[0].typed) == ("nine", {})
    as_date = rule_steps.set_column(draft, uid, CREATED)
    assert as_date.rules[0].typed == {"from": "nine"}
    assert rule_steps.set_column(draft, uid, "userId|SYSTEM|").rules[0].typed == {}


def test_a_pattern_keeps_its_moments_while_between_is_selected() -> None:
    draft, uid = build_draft(EXPECTED, value="BETWEEN")
    assert payload_of(draft)["columnValue"] == ["BETWEEN", None, None]
    draft = rule_steps.set_value(draft, uid, "from", "2026-11-20 14:05")
    draft = rule_steps.set_value(draft, uid, "until", "2026-11-20 15:05", "Europe/Paris")
    assert payload_of(draft)["columnValue"] == ["BETWEEN", AT, AT]
    now = rule_steps.set_value(rule_steps.set_value(draft, uid, "from", "soon"), uid, "value", "NOW")
    assert (payload_of(now)["columnValue"], now.rules[0].typed) == (["NOW", None, None], {})
    assert "columnValue" not in payload_of(rule_steps.set_value(now, uid, "value", ""))


@pytest.mark.parametrize(
    ("operator", "moment"),
    [("LT", "2026-11-20"), ("GTE", "2026-11-20"), ("LTE", "2026-11-20 24:00"), ("GT", "2026-11-20 24:00")],
)
def test_a_day_without_a_time_is_its_start_or_end_as_the_operator_requires(operator: str, moment: str) -> None:
    draft, uid = build_draft(CREATED, operator, value="2026-11-20")
    assert draft == rule_steps.set_value(draft, uid, "value", moment)


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo"])
def test_another_operator_moves_a_day_without_a_time_to_its_other_end(zone: str) -> None:
    draft, uid = build_draft(CREATED, "LT")
    draft = rule_steps.set_value(draft, uid, "value", "2026-11-20", zone)
    for operator, moment in (
        ("LTE", "2026-11-20 24:00"),
        ("GTE", "2026-11-20 00:00"),
        ("GT", "2026-11-20 24:00"),
        ("GT", "2026-11-20 24:00"),
        ("LT", "2026-11-20 00:00"),
    ):
        draft = rule_steps.set_operator(draft, uid, operator, zone)
        assert values.value_texts(draft.rules[0], zone)["value"] == moment
    ended = rule_steps.set_operator(draft, uid, "LTE", zone)
    assert values.value_texts(rule_steps.set_operator(ended, uid, "BETWEEN", zone).rules[0], zone) == {
        "from": "2026-11-20 00:00",
        "until": "",
        "field_id": "",
    }
    at_noon = rule_steps.set_value(draft, uid, "value", "2026-11-20 12:00", zone)
    assert values.value_texts(rule_steps.set_operator(at_noon, uid, "LTE", zone).rules[0], zone)["value"].endswith(
        "12:00"
    )


def test_another_operator_moves_a_day_of_a_custom_attribute_to_its_other_end() -> None:
    draft = FilterDraft(rules=[RuleDraft(uid="a", payload={"type": "CUSTOM", "dataType": "DATE", "operator": "E"})])
    draft = rule_steps.set_value(draft, "a", "values", ["2026-11-20", "2026-11-21 12:00"])
    for operator, day in (("LTE", "2026-11-20 24:00"), ("LT", "2026-11-20 00:00")):
        draft = rule_steps.set_operator(draft, "a", operator)
        assert values.value_items(draft.rules[0]) == [day, "2026-11-21 12:00"]
    assert all(isinstance(each, str) for each in payload_of(draft)["attributeValues"])


def test_items_are_added_to_a_list_once_each() -> None:
    draft, uid = build_draft(GROUPS, value="310")
    draft = rule_steps.add_items(draft, uid, "value", "311\n310;0311, 312")
    assert payload_of(draft)["columnValue"] == [310, 311, 312]
    assert rule_steps.add_items(draft, uid, "value", "310") is draft
    broken = rule_steps.add_items(draft, uid, "value", "x")
    assert broken.rules[0].typed == {"value": "310\n311\n312\nx"}
    assert payload_of(rule_steps.add_items(broken, uid, "value", "x\n5")).get("columnValue") is None


def test_unchanged_values_of_a_list_are_not_read_again() -> None:
    stored = {"type": "SYSTEM_ARRAY", "columnName": "groups", "dataType": "NUMBER", "operator": "IN"}
    draft = FilterDraft(rules=[RuleDraft(uid="a", payload={**stored, "columnValue": [1.5, "7", 7]})])
    assert payload_of(rule_steps.set_value(draft, "a", "value", ["1.5", "7"]))["columnValue"] == [1.5, 7]
    assert rule_steps.set_value(draft, "a", "value", ["1.5", "7", "7"]) is draft


@pytest.mark.parametrize(
    ("column", "before", "added", "now"),
    [
        ({"columnName": "groups", "type": "SYSTEM_ARRAY", "dataType": "NUMBER"}, ["1", "2"], "3", [1, 2, 3]),
        ({"columnName": "groups", "type": "SYSTEM_ARRAY", "dataType": "NUMBER"}, [True, 2], "3", None),
        (
            {"columnName": "addressGeoCodingSource", "type": "SYSTEM_OBJECT", "embeddedColumnName": "address"},
            [5, "a"],
            "b",
            ["5", "a", "b"],
        ),
    ],
)
def test_values_of_another_type_than_their_list_are_read_again(
    column: dict[str, Any], before: list[Any], added: str, now: list[Any] | None
) -> None:
    draft = FilterDraft(rules=[RuleDraft(uid="a", payload={**column, "operator": "IN", "columnValue": before})])
    assert payload_of(rule_steps.add_items(draft, "a", "value", added)).get("columnValue") == now


def test_editing_one_field_of_an_odd_rule_keeps_the_rest() -> None:
    stored = {
        "id": 7,
        "shape": "round",
        "contactFieldId": "219",
        "columnName": "shoeSize",
        "columnValue": 43,
        "type": "SYSTEM",
        "operator": "EQ",
    }
    draft = FilterDraft(rules=[RuleDraft(uid="a", payload=dict(stored), stored=stored)])
    changed = rule_steps.set_value(draft, "a", "value", "44")
    assert list(payload_of(changed).items()) == list((stored | {"columnValue": 44}).items())
    assert rule_steps.set_value(changed, "a", "value", "43").rules[0].is_untouched
    assert rule_steps.set_value(draft, "a", "value", "[44").rules[0].typed == {"value": "[44"}
    other = rule_steps.set_column(draft, "a", CITY)
    assert {name: payload_of(other)[name] for name in ("id", "shape")} == {"id": 7, "shape": "round"}
    assert payload_of(other)["operator"] == "E"


def test_a_rule_with_two_operators_is_unchanged_until_one_is_selected() -> None:
    stored = {"columnName": "lastName", "type": "SYSTEM", "operator": "STARTWITH", "contactFilterOption": "LIKE"}
    draft = FilterDraft(rules=[RuleDraft(uid="a", payload=dict(stored), stored=stored)])
    assert rule_steps.set_operator(draft, "a", "STARTWITH") is draft
    corrected = rule_steps.set_operator_and_option(draft, "a", "LIKE")
    assert (payload_of(corrected)["operator"], payload_of(corrected)["contactFilterOption"]) == ("LIKE", "LIKE")


def test_numbers_among_attribute_values_become_texts_when_the_list_is_changed() -> None:
    stored = {"type": "CUSTOM_ARRAY", "dataType": "NUMBER", "operator": "IN", "attributeValues": [4711, "4712"]}
    draft = FilterDraft(rules=[RuleDraft(uid="a", payload=dict(stored), stored=stored)])
    assert rule_steps.set_value(draft, "a", "values", ["4711", "4712"]) is draft
    changed = rule_steps.set_value(draft, "a", "values", ["4711", "4712", "4713"])
    assert payload_of(changed)["attributeValues"] == ["4711", "4712", "4713"]


def test_another_data_type_of_an_attribute_keeps_an_operator_that_it_has() -> None:
    draft, uid = build_draft("custom", "LIKE", values="a")
    assert payload_of(rule_steps.set_data_type(draft, uid, "NUMBER"))["operator"] == "E"
    assert (
        payload_of(rule_steps.set_data_type(rule_steps.set_operator(draft, uid, "GT"), uid, "NUMBER"))["operator"]
        == "GT"
    )
    assert rule_steps.set_data_type(draft, uid, "STRING") is draft


def test_an_unreadable_number_becomes_text_and_back() -> None:
    draft, uid = build_draft("custom", "E", values="abc")
    draft = rule_steps.set_value(rule_steps.set_data_type(draft, uid, "NUMBER"), uid, "values", "4711 b")
    assert draft.rules[0].typed == {"values": "4711 b"}
    draft = rule_steps.set_data_type(draft, uid, "STRING")
    assert draft.rules[0].typed == {}
    assert payload_of(draft)["attributeValues"] == ["4711 b"]


def test_a_text_that_becomes_a_moment_is_read_in_the_zone_of_its_input() -> None:
    draft, uid = build_draft(RECORD_TYPE, value="2026-11-20 23:05")
    as_date = rule_steps.set_column(draft, uid, CREATED, zone="Asia/Tokyo")
    assert (payload_of(as_date)["columnValue"], as_date.rules[0].typed) == ([AT, None], {})
    attribute, uid = build_draft("custom", values="2026-11-20 23:05")
    assert payload_of(rule_steps.set_data_type(attribute, uid, "DATE", "Asia/Tokyo"))["attributeValues"] == [str(AT)]
    payload = {"columnName": "createdDate", "type": "SYSTEM", "dataType": "DATE", "contactFilterOption": "LT"}
    odd = FilterDraft(rules=[RuleDraft(uid="a", payload=payload, typed={"value": "2026-11-20 23:05"})])
    for step in (rule_steps.set_operator_and_option, rule_steps.set_operator):
        assert payload_of(step(odd, "a", "BETWEEN", "Asia/Tokyo"))["columnValue"] == [AT, None]


@pytest.mark.parametrize("operator", ["E", "LTE"])
@pytest.mark.parametrize(
    ("data_type", "text"), [("DATE", "2026-11-20"), ("DATE", "20261120"), ("NUMBER", " 7; 8 "), ("NUMBER", "7, x")]
)
def test_an_attribute_and_its_data_type_can_be_selected_in_any_order(operator: str, data_type: str, text: str) -> None:
    zone = "Asia/Tokyo"
    draft, uid = build_draft("custom", operator)
    type_last = rule_steps.set_data_type(rule_steps.set_value(draft, uid, "values", text, zone), uid, data_type, zone)
    type_first = rule_steps.set_value(rule_steps.set_data_type(draft, uid, data_type, zone), uid, "values", text, zone)
    assert payload_of(type_last) == payload_of(type_first)
    assert bool(type_last.rules[0].typed) == bool(type_first.rules[0].typed) == (text in ("20261120", "7, x"))
    back = rule_steps.set_data_type(type_last, uid, "STRING", zone)
    if text != "2026-11-20":
        assert payload_of(back)["attributeValues"] == paste_list(text)


def test_moments_of_a_text_attribute_stay_as_shown() -> None:
    draft, uid = build_draft("custom")
    draft = rule_steps.set_value(rule_steps.set_data_type(draft, uid, "DATE"), uid, "values", "2026-11-20 14:05")
    as_text = rule_steps.set_data_type(draft, uid, "STRING", "Asia/Tokyo")
    assert payload_of(as_text)["attributeValues"] == ["2026-11-20 23:05"]
    assert rule_steps.set_data_type(as_text, uid, "DATE", "Asia/Tokyo") == draft


@pytest.mark.parametrize(
    ("typed", "ends"),
    [
        ({"from": "soon", "until": "later"}, [None, None]),
        ({"from": str(AT), "until": "later"}, [AT, None]),
        ({"from": "soon", "until": str(LATER)}, [None, LATER]),
        ({"until": str(LATER)}, [None, LATER]),
    ],
)
def test_both_ends_of_a_span_stay_in_place_even_if_unreadable(typed: dict[str, str], ends: list[int | None]) -> None:
    draft, uid = build_draft(CREATED, "BETWEEN", **typed)
    pattern = rule_steps.set_column(draft, uid, EXPECTED)
    assert payload_of(pattern)["columnValue"] == ["BETWEEN", *ends]
    assert pattern.rules[0].typed == draft.rules[0].typed
    assert payload_of(rule_steps.set_operator(pattern, uid, "LT"))["columnValue"] == ["BETWEEN", *ends]
    assert rule_steps.set_column(pattern, uid, CREATED) == draft


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ({"from": "soon", "until": "later"}, "soon; later"),
        ({"from": "2026-11-20 14:05", "until": "later"}, "2026-11-20 14:05; later"),
        ({"from": "soon"}, "soon"),
    ],
)
def test_an_unreadable_span_is_shown_in_one_field(typed: dict[str, str], shown: str) -> None:
    draft, uid = build_draft(CREATED, "BETWEEN", **typed)
    before = rule_steps.set_operator(draft, uid, "LT")
    assert (payload_of(before).get("columnValue"), before.rules[0].typed) == (None, {"value": shown})
    assert payload_of(rule_steps.set_column(draft, uid, CITY))["columnValue"] == shown
    assert payload_of(rule_steps.set_column(draft, uid, "custom"))["attributeValues"] == paste_list(shown)


@pytest.mark.parametrize(
    ("key", "operator", "before", "then", "now"),
    [
        (CITY, "E", 43, "NE", "43"),
        (CITY, "E", ["Paris", "Rome"], "NE", ["Paris", "Rome"]),
        (COUNTRY, "E", 43, "LIKE", "43"),
        (COUNTRY, "E", "france", "NE", "france"),
        (RECORD_TYPE, "E", "310", "NE", 310),
        (RECORD_TYPE, "E", "HR", "NE", "HR"),
        (RECORD_TYPE, "E", 1.5, "GT", 1.5),
        (LATITUDE, "LT", "47.5", "GT", 47.5),
        (GROUPS, "IN", ["310", 311], "NIN", [310, 311]),
        (GROUPS, "IN", ["310", "HR"], "NIN", ["310", "HR"]),
        ("addressGeoCodingSource|SYSTEM_OBJECT|address", "IN", [5, "a"], "NIN", ["5", "a"]),
        (CREATED, "LT", str(AT), "GT", AT),
        (CREATED, "LT", str(AT), "BETWEEN", [AT, None]),
        (CREATED, "LT", "20261120", "GT", "20261120"),
        (CREATED, "BETWEEN", [str(AT), str(LATER)], "BETWEEN", [AT, LATER]),
        (CREATED, "BETWEEN", [str(AT), str(LATER)], "LT", AT),
        (EXPECTED, "LT", ["BETWEEN", str(AT), LATER], "GT", ["BETWEEN", AT, LATER]),
        (EXPECTED, "LT", ["BETWEEN", "soon", LATER], "GT", ["BETWEEN", "soon", LATER]),
    ],
)
def test_a_stored_value_of_another_type_survives_a_change_of_operator(
    key: str, operator: str, before: Any, then: str, now: Any
) -> None:
    draft, uid = build_draft(key, operator)
    stored = {**payload_of(draft), "columnValue": before}
    draft = draft.model_copy(update={"rules": [RuleDraft(uid=uid, payload=stored, stored=stored)]})
    after = payload_of(rule_steps.set_operator_and_option(draft, uid, then))["columnValue"]
    assert (after, repr(after)) == (now, repr(now))


def test_moments_of_an_attribute_are_kept_in_a_date_column() -> None:
    draft, uid = build_draft("custom")
    draft = rule_steps.set_value(rule_steps.set_data_type(draft, uid, "DATE"), uid, "values", [str(AT), str(LATER)])
    assert payload_of(rule_steps.set_column(draft, uid, CREATED))["columnValue"] == [AT, LATER]
