"""JSON that people paste or upload: filters are opened, anything else is explained."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.filters.filter_draft import to_filter
from domain.filters.opened_json import MOST_CHARACTERS, MOST_RULES, parse_filter_json

RULE = {
    "contactFieldId": 9_007_199_254_740_993,
    "columnName": "suffix",
    "columnValue": "PhD",
    "type": "SYSTEM",
    "dataType": "STRING",
    "operator": "E",
}
FILTER = {"name": "Doctors", "contactFilterRules": [RULE]}


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (FILTER, "Doctors"),
        (FILTER | {"id": 5, "createdDate": 1, "status": "A", "contactFilterType": "ContactRule"}, "Doctors"),
        ({"message": "OK", "result": FILTER}, "Doctors"),
        ({"page": {"data": [FILTER], "totalCount": 1}}, "Doctors"),
        ([FILTER], "Doctors"),
        ([RULE], ""),
        (RULE, ""),
        (FILTER | {"contactFilterRules": RULE}, "Doctors"),
        (FILTER | {"name": None}, ""),
    ],
)
def test_a_filter_is_opened_however_it_is_wrapped(value: Any, name: str) -> None:
    for text in (json.dumps(value), "\ufeff" + json.dumps(value, indent=2) + "\n"):
        opened = parse_filter_json(text)
        assert opened.problem is None
        assert opened.draft is not None
        assert opened.draft.name == name
        assert [rule.payload for rule in opened.draft.rules] == [RULE]
        assert opened.draft.rules[0].stored is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "The text is empty."),
        ("  \n ", "The text is empty."),
        ('{\n  "name": "x",\n}', "The text is not JSON: "),
        ('{"name": "x" "y"}', "The text is not JSON: a comma or a closing bracket is missing at line 1, column 14."),
        ("[\n1,\nnope]", "The text is not JSON: a value is missing or misspelled at line 3, column 1."),
        ('{"name": "x', "The text is not JSON: a quotation mark is missing at line 1, column 10."),
        ("{} {}", "The text is not JSON: there is text after the end at line 1, column 4."),
        ("[1, NaN]", "NaN isn’t a valid JSON number."),
        ('[{"a": -Infinity}]', "-Infinity isn’t a valid JSON number."),
        ('{"a": 1, "b": 2, "a": 3}', "“a” appears twice in one object. Remove one of them."),
        ("[" * 200_000, "The JSON is nested too deeply."),
        ("9" * 5_000, "The JSON contains a number that is too large."),
        ('[{"columnName": "city", "size": 1e400}]', "The JSON contains a number that is too large."),
        ('{"name": "\\ud800"}', "The JSON contains an incomplete character."),
        ("12", "The JSON is a number. A contact filter is an object in braces: { … }."),
        ('"text"', "The JSON is a string. A contact filter is an object in braces: { … }."),
        ("null", "The JSON is null. A contact filter is an object in braces: { … }."),
        ("{}", "The object is not a contact filter. It has no “contactFilterRules”."),
        ('{"result": {"pnr": "WSVM7K"}}', "The object is not a contact filter. It has no “contactFilterRules”."),
        ('{"contactFilterRules": 5}', "“contactFilterRules” is a number. It must be a list of rules."),
        (json.dumps([FILTER, FILTER]), "The JSON contains 2 filters. Open all of them in the list of filters."),
        (json.dumps([RULE] * (MOST_RULES + 1)), "The filter has 2,001 rules. The limit is 2,000."),
        (" " * (MOST_CHARACTERS + 1), "The text has 2,000,001 characters. The limit is 2,000,000."),
    ],
)
def test_json_that_is_not_a_filter_is_explained(text: str, problem: str) -> None:
    opened = parse_filter_json(text)
    assert opened.draft is None
    assert (opened.problem or "").startswith(problem)


def test_offending_rules_are_numbered_and_explained_and_the_others_are_not() -> None:
    rules = [
        RULE,
        RULE | {"operator": "GT"},
        "a text",
        RULE | {"columnName": "shoeSize", "size": 43},
        {key: value for key, value in RULE.items() if key != "columnValue"},
    ]
    opened = parse_filter_json(json.dumps({"name": "N", "contactFilterRules": rules}))
    assert opened.notes == [
        (0, "Entry 3 of the rules is a string and was skipped."),
        (2, "The column has no comparison “comes after”. Select another comparison."),
        (3, "“shoeSize” is not a column that a filter can use. Select another column."),
        (4, "Enter the text to compare with."),
    ]
    assert opened.draft is not None
    assert [rule.payload for rule in opened.draft.rules] == [rules[0], rules[1], rules[3], rules[4]]


def test_unknown_fields_of_a_filter_are_reported() -> None:
    opened = parse_filter_json(json.dumps(FILTER | {"name": 12, "colour": "red", "size": 1}))
    assert opened.notes == [
        (0, "The name is a number and was converted to text."),
        (0, "Fields that a filter does not have were skipped: “colour”, “size”."),
    ]
    assert opened.draft is not None
    assert opened.draft.name == "12"


def test_unknown_fields_of_a_rule_are_sent_unchanged() -> None:
    opened = parse_filter_json(json.dumps([RULE | {"since": {"year": 2014}}]))
    assert opened.draft is not None
    assert to_filter(opened.draft).to_wire()["contactFilterRules"] == [RULE | {"since": {"year": 2014}}]


NAMES = st.sampled_from([*FILTER, *RULE, "result", "data", "attributeValues", "attributeId", "x"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(NAMES, inner),
    max_leaves=12,
)


@given(st.text() | VALUES.map(json.dumps))
def test_any_text_is_opened_or_explained_and_never_fails(text: str) -> None:
    opened = parse_filter_json(text)
    assert (opened.draft is None) == (opened.problem is not None)
    if opened.draft is not None:
        to_filter(opened.draft)


def test_a_contact_field_id_of_0_is_dropped_if_none_is_needed() -> None:
    """The builder has no field in which the user could correct it."""
    expected = {
        "contactFieldId": 0,
        "columnName": "country",
        "columnValue": "FR",
        "type": "SYSTEM_EXPECTED_OBJECT",
        "dataType": "STRING",
        "operator": "E",
        "embeddedColumnName": "address",
    }
    opened = parse_filter_json(json.dumps([expected, RULE | {"contactFieldId": 0}]))
    assert opened.draft is not None
    assert [rule.payload.get("contactFieldId") for rule in opened.draft.rules] == [None, 0]
