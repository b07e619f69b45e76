"""The sample: made from the filter's rules, read back by the bench, with people in and people out by one rule each."""

from __future__ import annotations

from typing import Any

import pytest

from client.vocabulary.contact_filters import COLUMNS, CUSTOM_OPERATORS
from components.contact_filters.columns import column_key
from components.contact_filters.draft import FilterDraft, RuleDraft
from components.filter_test_bench.bench import BenchResult, ContactBench
from components.filter_test_bench.contact_file import read_contacts
from components.filter_test_bench.judging import Judging
from components.filter_test_bench.sample import MOST_PEOPLE, sample_csv

NOW = 1_795_176_000_000
JUDGING = Judging(at_ms=NOW)


def judged(rules: list[dict[str, Any]]) -> BenchResult:
    draft = FilterDraft(rules=[RuleDraft(wire=wire) for wire in rules])
    return ContactBench(read_contacts("sample.csv", sample_csv(draft, JUDGING))).hold_against(draft, JUDGING)


def rule(column: Any, operator: str) -> dict[str, Any]:
    value: Any = {"STRING": "=x 7", "NUMBER": 5, "DATE": NOW, "BOOLEAN": True}[column.data_type]
    given: Any = [value] if operator in ("IN", "NIN") else [value, value + 1000] if operator == "BETWEEN" else value
    if column.name in ("expectedDate", "shiftDate"):
        given = ["NOW", None, None]
    wire = {
        "type": column.rule_type,
        "columnName": column.name,
        "dataType": column.data_type,
        "operator": operator,
        "columnValue": None if operator in ("ISNULL", "NOTNULL") else given,
    }
    return wire | ({"embeddedColumnName": column.embedded} if column.embedded else {})


@pytest.mark.parametrize("column", COLUMNS, ids=column_key)
def test_each_column_and_operator_has_people_in_and_people_out(column: Any):
    for operator in column.operators:
        result = judged([rule(column, operator)])
        assert not result.set_aside, operator
        assert 3 <= result.matching < result.total, operator


@pytest.mark.parametrize("kind", ["CUSTOM", "CUSTOM_ARRAY"])
@pytest.mark.parametrize("data_type", CUSTOM_OPERATORS)
def test_custom_attributes_have_people_in_and_people_out(kind: str, data_type: str):
    for operator in (*CUSTOM_OPERATORS[data_type], "IN", "NIN"):
        values = [str(NOW), str(NOW + 1000)] if data_type == "DATE" else ["7"]
        wire = {
            "type": kind,
            "attributeId": 4001,
            "dataType": data_type,
            "operator": operator,
            "attributeValues": values,
        }
        result = judged([wire])
        assert not result.set_aside, operator
        assert 0 < result.matching < result.total, operator


def test_every_rule_has_somebody_who_misses_it_alone():
    picked = {
        "lastName": "STARTWITH",
        "recordTypeId": "NE",
        "createdDate": "GTE",
        "groups": "IN",
        "expectedDate": "BETWEEN",
    }
    rules = [rule(column, picked[column.name]) for column in COLUMNS if column.name in picked]
    result = judged(rules)
    assert len(rules) == len(picked)
    assert [one.change for one in result.rules] == [1] * len(rules)
    assert result.matching == 3


def test_several_rules_on_one_column_are_met_together_where_they_can():
    (groups,) = [column for column in COLUMNS if column.name == "groups"]
    one, other = rule(groups, "IN"), {**rule(groups, "IN"), "columnValue": [7]}
    assert judged([one, other, {**one, "operator": "NIN", "columnValue": [9]}]).matching >= 3


def test_a_filter_of_many_rules_or_none_still_has_a_small_sample():
    assert judged([]).total == 4
    assert judged([rule(column, column.operators[0]) for column in COLUMNS]).total <= MOST_PEOPLE


def test_unfinished_and_muted_rules_give_their_column_and_nothing_to_miss():
    (column,) = [column for column in COLUMNS if column.name == "recordTypeId"]
    draft = FilterDraft(
        rules=[
            RuleDraft(wire={**rule(column, "E"), "columnValue": None}),
            RuleDraft(wire={**rule(column, "E"), "columnName": "suffix", "dataType": "STRING"}, muted=True),
            RuleDraft(),
        ]
    )
    file = read_contacts("sample.csv", sample_csv(draft, JUDGING))
    assert file.headers == ("First name", "Last name", "External id", "Record type", "Suffix")
    assert file.rows == 4
