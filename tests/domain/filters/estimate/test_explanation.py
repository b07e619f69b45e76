"""Why a person matches or not, with the person's own values."""

from __future__ import annotations

import pytest

from domain.filters.estimate.estimate_text import Why, explain, find_people, name_person
from domain.filters.estimate.filter_estimate import FilterEstimate
from domain.filters.estimate.rule_questions import CONTACTS, EstimateOptions
from domain.filters.filter_draft import FilterDraft, RuleDraft

FILE = CONTACTS.read(
    "contacts.csv",
    "First name,Last name,External id,Country,Record type,Groups,Created,User id\n"
    "Ana,Silva,E1,France,1,310;311,1795176000000,\n"
    "Ben,sommer,E2,FR,nine,,2026-11-20,17\n"
    ",,,,,,,\n".replace(",,,,,,,", ",,,x,,,,").encode(),
)


def rule(column: str, operator: str, value=None, data_type: str = "STRING", kind: str = "SYSTEM", **more) -> RuleDraft:
    payload = {"type": kind, "columnName": column, "dataType": data_type, "operator": operator, "columnValue": value}
    return RuleDraft(payload=payload, **more)


def explain_row(row: int, *rules: RuleDraft, **options) -> Why:
    estimate = FilterEstimate(FILE)
    result = estimate.evaluate(FilterDraft(rules=list(rules)), EstimateOptions(**options))
    return explain(estimate, result, row)


def explain_rule(row: int, one: RuleDraft, **options) -> tuple[bool | None, str]:
    (line,) = explain_row(row, one, **options).lines
    return line.holds, line.because


@pytest.mark.parametrize(
    ("row", "one", "holds", "words"),
    [
        (0, rule("lastName", "STARTWITH", "S"), True, "The file has “Silva”."),
        (
            1,
            rule("lastName", "STARTWITH", "S"),
            False,
            "The file has “sommer”. The value matches if case is ignored.",
        ),
        (0, rule("country", "E", "FR"), False, "The file has “France”. The rule compares with “FR”."),
        (
            1,
            rule("recordTypeId", "LT", 5, "NUMBER"),
            False,
            "The file has “nine”. “nine” is not a valid number.",
        ),
        (2, rule("recordTypeId", "LT", 5, "NUMBER"), False, "There is no value to match."),
        (2, rule("recordTypeId", "NE", 5, "NUMBER"), True, "There is no value, which counts as different."),
        (
            0,
            rule("groups", "IN", [311], "NUMBER", "SYSTEM_ARRAY"),
            True,
            "The file has “310” and “311”. “311” matches.",
        ),
        (
            0,
            rule("groups", "IN", [310, 311], "NUMBER", "SYSTEM_ARRAY"),
            True,
            "The file has “310” and “311”. “310” and “311” match.",
        ),
        (
            0,
            rule("createdDate", "GT", 5, "DATE"),
            True,
            "The file has “1795176000000” (Fri, Nov 20, 2026, 12:00 UTC).",
        ),
        (0, rule("userId", "ISNULL", None, "NUMBER"), True, "There is no value."),
        (1, rule("userId", "NOTNULL", None, "NUMBER"), True, "The value is “17”."),
        (0, rule("topics", "IN", [1], "NUMBER"), None, "Not evaluated: no column of the file matches “Topics”."),
    ],
)
def test_each_rule_shows_the_values_of_the_person(row: int, one: RuleDraft, holds: bool | None, words: str):
    assert explain_rule(row, one) == (holds, words)


def test_a_missing_value_that_does_not_count_as_different_is_explained():
    assert explain_rule(2, rule("recordTypeId", "NE", 5, "NUMBER"), absent_is_other=False) == (
        False,
        "There is no value to compare.",
    )


def test_a_person_matches_if_every_rule_matches_and_failing_rules_are_named():
    starts, never, absent = rule("lastName", "STARTWITH", "S"), rule("city", "E", "x"), rule("country", "E", "FR")
    assert explain_row(0, starts).summary == "Match: every rule matches."
    both = explain_row(1, starts, absent, rule("firstName", "E", "x"))
    assert (both.is_in, both.summary) == (False, "No match: rules 1 and 3 do not match.")
    assert explain_row(0, starts, absent).summary == "No match: rule 2 does not match."
    aside = explain_row(0, starts, rule("topics", "IN", [1], "NUMBER"))
    assert aside.is_in
    assert aside.summary == "Match, ignoring rule 2: every other rule matches."
    assert (explain_row(0).is_in, explain_row(0).summary) == (None, "Unknown: no rule was evaluated.")
    assert never.payload["columnName"] == "city"


def test_a_muted_rule_is_shown_but_does_not_count():
    explanation = explain_row(1, rule("lastName", "STARTWITH", "S", muted=True), rule("country", "E", "FR"))
    assert explanation.is_in
    assert [(line.is_muted, line.holds) for line in explanation.lines] == [(True, False), (False, True)]


def test_people_are_found_by_any_words_of_their_row_in_any_case():
    assert find_people(FilterEstimate(FILE), "SILVA ana") == [0]
    assert find_people(FilterEstimate(FILE), "e") == [0, 1]
    assert find_people(FilterEstimate(FILE), "e", at_most=1) == [0]
    assert find_people(FilterEstimate(FILE), "silva ben") == []
    assert find_people(FilterEstimate(FILE), "  ") == []
    assert find_people(FilterEstimate(FILE), "(") == []


def test_people_are_named_by_name_and_id_or_by_row():
    assert name_person(FILE, 0) == "Ana · Silva · E1"
    assert name_person(FILE, 2) == "The contact in row 4"
