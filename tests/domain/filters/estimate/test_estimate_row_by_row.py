"""The filter test agrees, contact by contact, with a second evaluation in plain Python
(`bench/_rows_one_by_one.py`).
"""

from __future__ import annotations

import csv
import io
from typing import Any

import hypothesis.strategies as st
from hypothesis import given, settings

from bench._rows_one_by_one import Place, Terms, rule_holds
from client.vocabulary.contact_filters import COLUMNS, CUSTOM_OPERATORS
from domain.filters.estimate.filter_estimate import FilterEstimate
from domain.filters.estimate.rule_questions import CONTACTS, UNTIL, EstimateOptions, subject_of
from domain.filters.filter_draft import FilterDraft, RuleDraft

NOW = 1_795_176_000_000
HEADERS = ("who", "one", "two")
TEXTS = [
    "", "Smith", "smith", "SMITH", "Sm", "ith", "ß", "SS", "ss", "\u00e9", "e\u0301", "É", "İ", "\u212a", "k", "ſ", "I",
    "10", "9", "a;b", "a|b", ";", "b", "a.b", "(", "\\", "%", "日本", "O'Neil", "'=1", "x y",
]  # fmt: skip
NUMBERS = [
    "5", "05", "5.0", "5.5", "-3", "0", "9007199254740993", "9007199254740992", "92233720368547758070", "1e3", "n/a",
    "9223372036854775807", "-9223372036854775809", ".5", "4;5", "5|6", "5.", "1_000", "٣", "1E001", "1e400",
]  # fmt: skip
DATES = [
    str(NOW), str(NOW + 1), "1795176000", "2026-11-20", "2026-11-20T12:00:00Z", "2026-11-20T12:00", "2026-10-25 02:30",
    "2026-03-29", "2026-02-30", "2026-11-20T13:00:00+01:00", "2026-11-20T11:00Z/2026-11-20T13:00Z",
    "2026-11-20/2026-11-21", "2026-11-21/2026-11-20", "2026-11-19 | 2026-11-22", "soon", "2026-11-20T12:00:00.001Z",
]  # fmt: skip
cells = st.sampled_from([*TEXTS, *NUMBERS, *DATES]) | st.text(
    st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=6
)
texts = st.sampled_from([text for text in TEXTS if text.strip()]) | st.text(min_size=1, max_size=4)
numbers = st.sampled_from([5, 0, -3, 5.5, 0.5, 1000, 2**53, 2**53 + 1, 2**63 - 1, 2**63, -(2**63) - 1, 10**30])
moments = st.sampled_from([NOW, NOW - 1, NOW + 86_400_000, 1_792_888_200_000, 0, -1])


def operand(data_type: str) -> st.SearchStrategy[Any]:
    return {"STRING": texts, "NUMBER": numbers, "DATE": moments, "BOOLEAN": st.booleans()}[data_type]


@st.composite
def column_rules(draw: st.DrawFn) -> dict[str, Any]:
    column = draw(st.sampled_from(COLUMNS))
    operator = draw(st.sampled_from(column.operators))
    value = operand(column.data_type)
    payload: dict[str, Any] = {
        "type": column.rule_type,
        "columnName": column.name,
        "dataType": column.data_type,
        "operator": operator,
    }
    if column.embedded:
        payload["embeddedColumnName"] = column.embedded
    if column.name in ("expectedDate", "shiftDate"):
        span = sorted([draw(moments), draw(moments)])
        payload["columnValue"] = draw(st.sampled_from([["NOW", None, None], ["BETWEEN", *span]]))
    elif operator in ("IN", "NIN"):
        payload["columnValue"] = draw(st.lists(value, min_size=1, max_size=3))
    elif operator == "BETWEEN":
        payload["columnValue"] = sorted([draw(value), draw(value)])
    elif operator not in ("ISNULL", "NOTNULL"):
        payload["columnValue"] = draw(value)
    return payload


@st.composite
def custom_rules(draw: st.DrawFn) -> dict[str, Any]:
    data_type = draw(st.sampled_from(sorted(CUSTOM_OPERATORS)))
    operator = draw(st.sampled_from([*CUSTOM_OPERATORS[data_type], "IN", "NIN"]))
    kind = draw(st.sampled_from(["CUSTOM", "CUSTOM_ARRAY"]))
    values = [str(value) for value in draw(st.lists(operand(data_type), min_size=2, max_size=2))]
    if operator == "BETWEEN":
        values = sorted(values, key=int)
    return {
        "type": kind,
        "attributeId": 4001,
        "dataType": data_type,
        "operator": operator,
        "attributeValues": values,
    }


def separators(payload: dict[str, Any]) -> str:
    """Return what separates values in a cell: ; or | if a person may have several values, nothing otherwise."""
    if payload["type"] in ("CUSTOM_ARRAY", "SYSTEM_ARRAY") or payload.get("columnName") == "topics":
        return ";|"
    several = ("SYSTEM_OBJECT", "SYSTEM_EXPECTED_OBJECT", "SYSTEM_SCHEDULING")
    return ";|" if payload["type"] in several and payload.get("embeddedColumnName") != "lastKnownLocation" else ""


@settings(max_examples=80)
@given(
    rules=st.lists(column_rules() | custom_rules(), min_size=1, max_size=5),
    rows=st.lists(st.tuples(cells, cells), min_size=1, max_size=12),
    both=st.booleans(),
    zone=st.sampled_from(["UTC", "Europe/Berlin", "Asia/Kolkata"]),
    case_matters=st.booleans(),
    absent_is_other=st.booleans(),
)
def test_every_rule_holds_for_the_same_contacts(
    rules: list[dict[str, Any]],
    rows: list[tuple[str, str]],
    both: bool,
    zone: str,
    case_matters: bool,
    absent_is_other: bool,
):
    sink = io.StringIO()
    writer = csv.writer(sink, quoting=csv.QUOTE_ALL)
    writer.writerow(HEADERS)
    writer.writerows(("w", *row) for row in rows)
    file = CONTACTS.read("contacts.csv", sink.getvalue().encode("utf-8", errors="replace"))
    draft = FilterDraft(rules=[RuleDraft(payload=payload) for payload in rules])
    columns: dict[str, list[str]] = {}
    places = []
    for payload in rules:
        subject = subject_of(payload)
        assert subject is not None
        if subject.is_span:
            columns[subject.key], ends = ["one"], ["two"] if both else []
            columns[subject.key + UNTIL] = ends
            places.append(Place(("one",), separators(payload), "two" if both else None))
        else:
            headers = ("one", "two") if subject.columns[0].allows_many and both else ("one",)
            columns[subject.key] = list(headers)
            places.append(Place(headers, separators(payload)))
    terms = Terms(NOW, zone, case_matters, absent_is_other)
    options = EstimateOptions(NOW, zone, case_matters, absent_is_other)
    result = FilterEstimate(file).evaluate(draft, options, columns)
    records = file.frame.to_dict("records")
    expected = [
        [rule_holds(payload, row, place, terms) for row in records]
        for payload, place in zip(rules, places, strict=True)
    ]
    assert [rule.mask.tolist() for rule in result.rules if rule.mask is not None] == expected
    assert result.match_count == sum(map(all, zip(*expected, strict=True)))
