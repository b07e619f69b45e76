"""Who matches, how many contacts each rule leaves, the effect of muting, rules that cannot be evaluated, and
caching.
"""

from __future__ import annotations

import time
from itertools import product

import pytest

from domain.filters.estimate.estimate_text import (
    OUT_BECAUSE,
    ROW,
    describe_mute,
    headline,
    not_evaluated_summary,
    now_note,
    people_frame,
    remaining_summary,
    rows_of_people,
    rule_notes,
    rules_frame,
    shown_columns,
)
from domain.filters.estimate.filter_estimate import CACHE_SIZE, EstimateResult, FilterEstimate
from domain.filters.estimate.rule_questions import CONTACTS, EstimateOptions
from domain.filters.filter_draft import FilterDraft, RuleDraft

PEOPLE = """First name,Last name,External id,Country,Record type,Groups
Ana,Silva,E1,FR,1,310;311
Ben,Sommer,E2,FR,9,310
Cleo,Smith,E3,ES,1,
Dan,smith,E4,FR,1,312
Eve,Okafor,E5,FR,,310
"""


def rule(column: str, operator: str, value, *, data_type: str = "STRING", kind: str = "SYSTEM", **more) -> RuleDraft:
    payload = {"type": kind, "columnName": column, "dataType": data_type, "operator": operator, "columnValue": value}
    return RuleDraft(payload=payload, **more)


STARTS_S = rule("lastName", "STARTWITH", "S")
IN_FRANCE = rule("country", "E", "FR")
NOT_NINE = rule("recordTypeId", "NE", 9, data_type="NUMBER")
TOPICS = rule("topics", "IN", [12], data_type="NUMBER")


def build_estimate(text: str = PEOPLE) -> FilterEstimate:
    return FilterEstimate(CONTACTS.read("contacts.csv", text.encode()))


def evaluate(*rules: RuleDraft, **options) -> EstimateResult:
    return build_estimate().evaluate(FilterDraft(rules=list(rules)), EstimateOptions(**options))


def test_each_rule_is_counted_alone_and_after_those_before_it():
    result = evaluate(STARTS_S, IN_FRANCE, NOT_NINE)
    assert [(one.match_count, one.remaining_count, one.mute_effect) for one in result.rules] == [
        (3, 3, 2),
        (4, 2, 1),
        (4, 1, 1),
    ]
    assert headline(result) == "1 of 5 contacts matches"
    assert remaining_summary(result) == "rule 1 keeps 3 · rule 2 keeps 2 · rule 3 keeps 1"
    assert rows_of_people(result, "match").tolist() == [0]
    assert rows_of_people(result, "nearly").tolist() == [1, 2, 3, 4]


def test_the_estimated_effect_of_muting_matches_the_real_effect():
    rules = [STARTS_S, IN_FRANCE, NOT_NINE]
    whole = evaluate(*rules)
    for place, one in enumerate(rules):
        without = evaluate(*rules[:place], one.model_copy(update={"muted": True}), *rules[place + 1 :])
        assert without.match_count - whole.match_count == whole.rules[place].mute_effect
        assert without.rules[place].mute_effect == -whole.rules[place].mute_effect
        assert without.rules[place].remaining_count is None
        assert without.rules[place].match_count == whole.rules[place].match_count
        assert describe_mute(without.rules[place]).endswith("if unmuted")


def test_a_rule_without_its_column_is_reported_and_never_reduces_the_matches():
    with_it, without = evaluate(STARTS_S, TOPICS), evaluate(STARTS_S)
    assert with_it.match_count == without.match_count == 3
    assert headline(with_it) == "At most 3 of 5 contacts match"
    words = not_evaluated_summary(with_it)
    assert words is not None
    assert "rule 2: no column of the file matches “Topics”" in words
    assert "the actual number may be smaller" in words
    assert with_it.rules[1].not_evaluated is not None
    assert with_it.rules[1].not_evaluated.is_missing
    assert not_evaluated_summary(without) is None
    only = not_evaluated_summary(evaluate(TOPICS)) or ""
    assert "rule 1: no column" in only
    assert "the same or smaller" not in only


@pytest.mark.parametrize(
    ("payload", "typed", "words"),
    [
        ({}, {}, "it has no column"),
        ({"type": "CUSTOM"}, {}, "it has no column"),
        (IN_FRANCE.payload, {"value": "x"}, "cannot be read"),
        ({**IN_FRANCE.payload, "operator": None}, {}, "it has no comparison"),
        ({**IN_FRANCE.payload, "operator": "SOUNDSLIKE"}, {}, "does not know its comparison"),
        ({**IN_FRANCE.payload, "columnValue": ""}, {}, "it has no value"),
        ({**IN_FRANCE.payload, "columnValue": None}, {}, "it has no value"),
        ({**NOT_NINE.payload, "columnValue": "nine"}, {}, "is not a number"),
        ({**NOT_NINE.payload, "columnValue": [1, 2]}, {}, "several values"),
        ({**NOT_NINE.payload, "operator": "BETWEEN", "columnValue": [1]}, {}, "from and until"),
        (
            rule("expectedDate", "BETWEEN", ["NOW"], kind="SYSTEM_EXPECTED_OBJECT").payload,
            {},
            "it has no start and end",
        ),
    ],
)
def test_an_unfinished_or_unknown_rule_is_not_evaluated_and_says_why(payload, typed, words: str):
    result = evaluate(RuleDraft(payload=payload, typed=typed), STARTS_S)
    assert result.rules[0].not_evaluated is not None
    assert words in result.rules[0].not_evaluated.reason
    assert result.match_count == 3


def test_a_stored_rule_without_an_operator_is_evaluated_by_its_option():
    payload = {key: value for key, value in IN_FRANCE.payload.items() if key != "operator"} | {
        "contactFilterOption": "E"
    }
    assert evaluate(RuleDraft(payload=payload)).match_count == 4


def test_without_active_rules_no_number_is_shown():
    assert headline(evaluate()) == "5 contacts loaded. Add a rule to see who matches."
    assert headline(evaluate(STARTS_S.model_copy(update={"muted": True}))).startswith("All rules are muted")
    assert headline(evaluate(TOPICS)).startswith("Muster cannot evaluate any of the rules")


def test_missing_and_unreadable_values_are_noted_at_the_rule():
    text = PEOPLE.replace("Ben,Sommer,E2,FR,9", "Ben,Sommer,E2,FR,nine")
    one = build_estimate(text)
    result = one.evaluate(FilterDraft(rules=[NOT_NINE, rule("country", "E", "fr")]), EstimateOptions())
    notes = rules_frame(one, result)["note"].tolist()
    assert "1 contact without a value counts as a match." in notes[0]
    assert "1 value is not a valid number (“nine”)." in notes[0]
    assert "No one matches. The most frequent values in the file are “FR” 4 and “ES” 1." in notes[1]


def test_a_rule_that_compares_codes_is_explained_if_the_file_has_names():
    one = build_estimate(PEOPLE.replace(",FR,", ",France,"))
    result = one.evaluate(FilterDraft(rules=[IN_FRANCE]), EstimateOptions())
    assert "The rule compares with “FR”." in rules_frame(one, result)["note"][0]


def test_ambiguous_dates_point_to_the_option():
    one = build_estimate("name,Created\nAna,03/04/2026\n")
    draft = FilterDraft(rules=[rule("createdDate", "GT", 0, data_type="DATE")])
    (note,) = rule_notes(rules_frame(one, one.evaluate(draft, EstimateOptions())))
    assert note.startswith("Rule 1: 1 value is not a valid time (“03/04/2026”). In “Options”, select")
    assert one.evaluate(draft, EstimateOptions(date_order="day first")).match_count == 1


def test_the_time_of_now_is_shown_if_a_rule_uses_it():
    text = "name,Expected date\nAna,2026-11-20\n"
    draft = FilterDraft(
        rules=[rule("expectedDate", "BETWEEN", ["NOW", None, None], data_type="DATE", kind="SYSTEM_EXPECTED_OBJECT")]
    )
    result = build_estimate(text).evaluate(draft, EstimateOptions(at_ms=1_795_176_000_000))
    assert result.match_count == 1
    assert now_note(result) == "“Now” is Fri, Nov 20, 2026, 12:00 UTC."
    assert now_note(evaluate(STARTS_S)) is None


def test_changing_one_rule_evaluates_only_that_rule():
    one = build_estimate()
    draft = FilterDraft(rules=[NOT_NINE, rule("groups", "IN", [310], data_type="NUMBER", kind="SYSTEM_ARRAY")])
    one.evaluate(draft, EstimateOptions())
    assert one.computed_masks == 2
    one.evaluate(draft, EstimateOptions())
    assert one.computed_masks == 2
    changed = draft.model_copy(update={"rules": [draft.rules[0], rule("recordTypeId", "LT", 5, data_type="NUMBER")]})
    one.evaluate(changed, EstimateOptions())
    assert one.computed_masks == 3
    muted = draft.model_copy(update={"rules": [draft.rules[0].model_copy(update={"muted": True}), draft.rules[1]]})
    one.evaluate(muted, EstimateOptions())
    one.evaluate(FilterDraft(rules=list(reversed(draft.rules))), EstimateOptions(at_ms=7, zone="Asia/Tokyo"))
    assert one.computed_masks == 3
    one.evaluate(draft, EstimateOptions(absent_is_other=False))
    assert one.computed_masks == 4


def test_other_columns_change_the_result():
    one = build_estimate(PEOPLE.replace("Country", "Home"))
    draft = FilterDraft(rules=[IN_FRANCE])
    assert one.evaluate(draft, EstimateOptions()).unevaluated_rules
    (key,) = one.evaluate(draft, EstimateOptions()).matches
    assert one.evaluate(draft, EstimateOptions(), {key: ["Home"]}).match_count == 4
    assert one.evaluate(draft, EstimateOptions(), {key: ["Last name"]}).match_count == 0


def test_values_of_several_columns_are_added_up():
    one = build_estimate("name,Group 1,Group 2\nAna,310,\nBen,,311;312\nCleo,,\n")
    draft = FilterDraft(rules=[rule("groups", "IN", [312, 310], data_type="NUMBER", kind="SYSTEM_ARRAY")])
    assert rows_of_people(one.evaluate(draft, EstimateOptions()), "match").tolist() == [0, 1]


def test_the_tables_contain_everyone_once_with_the_failing_rules():
    result = evaluate(STARTS_S, IN_FRANCE, NOT_NINE)
    match, out = (rows_of_people(result, who) for who in ("match", "out"))
    assert sorted([*match, *out]) == rows_of_people(result, "all").tolist() == [0, 1, 2, 3, 4]
    table = people_frame(result, out, with_reasons=True)
    assert table[OUT_BECAUSE].tolist() == ["3", "2", "1", "1"]
    assert table[ROW].tolist() == [1, 2, 3, 4]
    assert shown_columns(result)[:3] == ["First name", "Last name", "External id"]
    assert set(people_frame(result, match, with_reasons=False).columns) == {*result.file.headers, ROW}


def test_downloads_are_named_after_the_filter():
    assert FilterDraft(name="In France / Spain?").file_stem == "in-france-spain"
    assert FilterDraft(name="***").file_stem == "contact-filter"


def test_the_cache_has_a_limit():
    one = build_estimate()
    for number, operator in product(range(40), ("E", "NE")):
        one.evaluate(FilterDraft(rules=[rule("recordTypeId", operator, number, data_type="NUMBER")]), EstimateOptions())
    assert one.computed_masks == 80
    assert len(one._masks) == CACHE_SIZE


def test_a_change_is_evaluated_on_100000_contacts_within_a_second():
    rows = "".join(f"Ana,Name {i},E{i},FR,{i % 12},{i % 40};{i % 7}\n" for i in range(100_000))
    one = build_estimate(PEOPLE.partition("\n")[0] + "\n" + rows)
    groups = rule("groups", "IN", [3], data_type="NUMBER", kind="SYSTEM_ARRAY")
    one.evaluate(FilterDraft(rules=[STARTS_S, IN_FRANCE, NOT_NINE, groups]), EstimateOptions())
    changed = rule("lastName", "LIKE", "77")
    began = time.process_time()
    result = one.evaluate(FilterDraft(rules=[changed, IN_FRANCE, NOT_NINE, groups]), EstimateOptions())
    rules_frame(one, result)
    assert time.process_time() - began < 1
    assert result.rules[0].match_count == sum("77" in str(i) for i in range(100_000))
