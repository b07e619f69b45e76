"""Columns: groups, labels, search, and their identification in rules."""

from __future__ import annotations

from itertools import groupby

import pytest

from client.vocabulary.contact_filters import COLUMNS
from domain.filters import columns
from domain.filters.columns import COLUMN_LABELS, column_key
from domain.geography.folding import fold

COUNTRIES = {
    "country|SYSTEM|": "Country · person",
    "country|SYSTEM_OBJECT|address": "Country · address",
    "country|SYSTEM_EXPECTED_OBJECT|address": "Country · expected location",
}


def test_columns_with_the_same_name_are_distinguished() -> None:
    assert {words.key: words.label for words in columns.search_columns("country")[:3]} == COUNTRIES
    labels = [words.label for words in COLUMN_LABELS]
    assert len(labels) == len(set(labels))


def test_every_column_is_in_one_group_with_a_label_and_a_help() -> None:
    assert [group for group, _ in groupby(COLUMN_LABELS, key=lambda words: words.group)] == [
        "Person",
        "Dates",
        "Groups and topics",
        "Delivery paths",
        "Addresses",
        "Last known location",
        "Schedule",
        "Expected location",
        "Custom attributes",
    ]
    table = {column_key(column) for column in COLUMNS}
    assert {words.key for words in COLUMN_LABELS} == {*table, columns.CUSTOM_KEY, columns.CUSTOM_ARRAY_KEY}
    assert all(words.label and words.help.endswith(".") for words in COLUMN_LABELS)


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("surname", "lastName|SYSTEM|"),
        ("first", "firstName|SYSTEM|"),
        ("mobile phone", "pathId|SYSTEM_OBJECT|paths"),
        ("cell", "pathId|SYSTEM_OBJECT|paths"),
        ("nationality", "country|SYSTEM|"),
        ("zip", "postalCode|SYSTEM_OBJECT|address"),
        ("expected COUNTRY", "country|SYSTEM_EXPECTED_OBJECT|address"),
        ("address country", "country|SYSTEM_OBJECT|address"),
        ("floor known", "floorNo|SYSTEM_OBJECT|lastKnownLocation"),
        ("contractor", "recordTypeId|SYSTEM|"),
        ("iata", "iata|SYSTEM_EXPECTED_OBJECT|address"),
        ("gps lat", "gisLocation.lat|SYSTEM_OBJECT|address"),
        ("member", "groups|SYSTEM_ARRAY|"),
        ("own field", "custom"),
        ("department", "custom"),
    ],
)
def test_the_search_finds_a_column_by_common_names(typed: str, first: str) -> None:
    assert columns.search_columns(typed)[0].key == first


def test_the_column_list_contains_every_search_word() -> None:
    for words in COLUMN_LABELS:
        assert all(word in fold(columns.column_choice(words)) for word in fold(words.search).split()), words.key


def test_an_empty_search_finds_all_columns_and_nonsense_finds_none() -> None:
    assert len(columns.search_columns("  ")) == len(COLUMNS) + 2
    assert columns.search_columns("shoe size") == []


@pytest.mark.parametrize(
    ("payload", "key"),
    [
        ({}, None),
        ({"type": "SYSTEM"}, None),
        ({"columnName": "country"}, None),
        ({"columnName": "country", "type": "SYSTEM"}, "country|SYSTEM|"),
        ({"columnName": "country", "type": "SYSTEM", "embeddedColumnName": ""}, "country|SYSTEM|"),
        ({"columnName": "country", "type": "SYSTEM", "embeddedColumnName": "address"}, None),
        (
            {"columnName": "country", "type": "SYSTEM_OBJECT", "embeddedColumnName": "address"},
            "country|SYSTEM_OBJECT|address",
        ),
        ({"columnName": "shoeSize", "type": "SYSTEM"}, None),
        ({"columnName": ["country"], "type": "SYSTEM"}, None),
        ({"columnName": "country", "type": ["SYSTEM"]}, None),
        ({"type": "CUSTOM"}, "custom"),
        ({"type": "CUSTOM_ARRAY", "columnName": "x"}, "custom_array"),
    ],
)
def test_the_column_of_a_rule_is_known_by_name_type_and_embedding(payload: dict[str, object], key: str | None) -> None:
    assert columns.key_of_rule(payload) == key


@pytest.mark.parametrize(
    ("key", "operator", "words"),
    [
        ("firstName|SYSTEM|", "STARTWITH", "starts with"),
        ("firstName|SYSTEM|", "NLIKE", "does not contain"),
        ("recordTypeId|SYSTEM|", "LTE", "is at most"),
        ("userId|SYSTEM|", "ISNULL", "is not set"),
        ("createdDate|SYSTEM|", "LT", "is before"),
        ("createdDate|SYSTEM|", "GTE", "is at or after"),
        ("groups|SYSTEM_ARRAY|", "NIN", "include none of"),
        ("expectedDate|SYSTEM_EXPECTED_OBJECT|", "BETWEEN", "is"),
        ("expectedDate|SYSTEM_EXPECTED_OBJECT|", "GTE", "is during or after"),
        ("locationId|SYSTEM_EXPECTED_OBJECT|address", "GT", "comes after"),
        ("firstName|SYSTEM|", "EQ", "“EQ”"),
    ],
)
def test_operator_labels_depend_on_the_data_type(key: str, operator: str, words: str) -> None:
    assert columns.operator_label(key, operator) == words


def test_the_operators_of_a_column_have_distinct_labels() -> None:
    for column in COLUMNS:
        words = [columns.operator_label(column_key(column), operator) for operator in column.operators]
        assert len(words) == len(set(words))
        assert not any(word.startswith("“") for word in words)
    for data_type in columns.CUSTOM_DATA_TYPES:
        for rule_type in columns.CUSTOM_TYPES.values():
            payload = {"type": rule_type, "dataType": data_type}
            words = [columns.operator_label(payload, operator) for operator in columns.operators_of(payload)]
            assert len(words) == len(set(words))


def test_an_unknown_column_has_no_operators() -> None:
    assert columns.operators_of({"columnName": "shoeSize", "type": "SYSTEM"}) == ()
    assert columns.operators_of({"type": "CUSTOM", "dataType": "BOOLEAN"}) == ()
    assert columns.first_operator({}) is None


@pytest.mark.parametrize(("kind", "operator"), [("CUSTOM", "E"), ("CUSTOM_ARRAY", "IN")])
@pytest.mark.parametrize("data_type", columns.CUSTOM_DATA_TYPES)
def test_a_new_custom_attribute_rule_starts_with_an_operator_for_one_or_several_values(
    kind: str, operator: str, data_type: str
) -> None:
    assert columns.first_operator({"type": kind, "dataType": data_type}) == operator
