"""Which cells each operator matches, by data type, and every column of the interface's table."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from client.vocabulary.contact_filters import COLUMNS, CUSTOM_OPERATORS, CUSTOM_RULE_TYPES
from domain.filters.estimate.filter_estimate import FilterEstimate
from domain.filters.estimate.rule_questions import CONTACTS, EstimateOptions, columns_of_draft
from domain.filters.filter_draft import FilterDraft, RuleDraft

NOON = 1_795_176_000_000  # Fri, Nov 20, 2026, 12:00 UTC
HOUR = 3_600_000
DAY = 24 * HOUR


def rule(column: str, operator: str, value: Any = None, *, embedded: str | None = None, kind: str = "SYSTEM") -> dict:
    (row,) = [c for c in COLUMNS if (c.name, c.rule_type, c.embedded) == (column, kind, embedded)]
    payload = {"type": kind, "columnName": column, "dataType": row.data_type, "operator": operator}
    if value is not None:
        payload["columnValue"] = value
    return payload | ({"embeddedColumnName": embedded} if embedded else {})


def attribute(data_type: str, operator: str, *values: Any, kind: str = "CUSTOM") -> dict:
    return {
        "type": kind,
        "attributeId": 4001,
        "dataType": data_type,
        "operator": operator,
        "attributeValues": list(values),
    }


def match_cells(payload: dict, cells: list[str], **options: Any) -> list[str]:
    """Return the cells that the rule matches."""
    sink = io.StringIO()
    csv.writer(sink).writerows([("who", "cell"), *(("w", cell) for cell in cells)])
    estimate = FilterEstimate(CONTACTS.read("c.csv", sink.getvalue().encode()))
    draft = FilterDraft(rules=[RuleDraft(uid="r", payload=payload)])
    result = estimate.evaluate(
        draft, EstimateOptions(**options), {column.name: ["cell"] for column in columns_of_draft(draft)[:1]}
    )
    (only,) = result.rules
    assert only.mask is not None, only.not_evaluated
    assert only.match_count == result.match_count == sum(only.mask)
    return [cell for cell, holds in zip(cells, only.mask, strict=True) if holds]


TEXTS = ["Smith", "smith", "Smithson", "Goldsmith", "Smi", "", "Müller"]


@pytest.mark.parametrize(
    ("operator", "to_the_letter", "without_capitals"),
    [
        ("STARTWITH", ["Smith", "Smithson"], ["Smith", "smith", "Smithson"]),
        ("ENDWITH", ["Smith"], ["Smith", "smith", "Goldsmith"]),
        ("E", ["Smith"], ["Smith", "smith"]),
        ("NE", ["smith", "Smithson", "Goldsmith", "Smi", "", "Müller"], ["Smithson", "Goldsmith", "Smi", "", "Müller"]),
        ("LIKE", ["Smith", "Smithson"], ["Smith", "smith", "Smithson", "Goldsmith"]),
        ("NLIKE", ["smith", "Goldsmith", "Smi", "", "Müller"], ["Smi", "", "Müller"]),
    ],
)
def test_operators_of_text_columns(operator: str, to_the_letter: list[str], without_capitals: list[str]):
    payload = rule("lastName", operator, "Smith")
    assert match_cells(payload, TEXTS) == to_the_letter
    assert match_cells(payload, TEXTS, case_matters=False) == without_capitals


@pytest.mark.parametrize(
    ("operator", "expected"),
    [
        ("LT", ["10", "1"]),
        ("LTE", ["2", "10", "1"]),
        ("GT", ["3", "20", "a"]),
        ("GTE", ["2", "3", "20", "a"]),
        ("E", ["2"]),
        ("NE", ["3", "10", "1", "20", "a", ""]),
    ],
)
def test_texts_are_ordered_by_their_characters(operator: str, expected: list[str]):
    payload = rule("locationId", operator, "2", embedded="address", kind="SYSTEM_EXPECTED_OBJECT")
    assert match_cells(payload, ["2", "3", "10", "1", "20", "a", ""]) == expected


def test_special_characters_of_patterns_are_compared_literally():
    cells = ["a.c", "abc", "a*c", "(a", "100%", "\\d"]
    for text in cells:
        for operator in ("E", "LIKE", "STARTWITH", "ENDWITH"):
            assert match_cells(rule("city", operator, text, embedded="address", kind="SYSTEM_OBJECT"), cells) == [text]


def test_accents_count_in_any_encoding_and_case_is_ignored_in_every_alphabet():
    payload = rule("lastName", "E", "Mu\u0308ller")
    assert match_cells(payload, ["Müller", "Mu\u0308ller", "Muller"]) == ["Müller", "Mu\u0308ller"]
    assert match_cells(rule("lastName", "E", "STRASSE"), ["straße", "Strasse", "strase"], case_matters=False) == [
        "straße",
        "Strasse",
    ]
    assert match_cells(rule("lastName", "ENDWITH", "I"), ["Alİ", "ALI", "ali"], case_matters=False) == ["ALI", "ali"]


NUMBERS = ["5", "05", "+5", "5.0", "4", "6", "4.999", "", "five", "-5"]


@pytest.mark.parametrize(
    ("operator", "expected"),
    [
        ("E", ["5", "05", "+5", "5.0"]),
        ("NE", ["4", "6", "4.999", "", "five", "-5"]),
        ("LT", ["4", "4.999", "-5"]),
        ("LTE", ["5", "05", "+5", "5.0", "4", "4.999", "-5"]),
        ("GT", ["6"]),
        ("GTE", ["5", "05", "+5", "5.0", "6"]),
    ],
)
def test_operators_of_number_columns(operator: str, expected: list[str]):
    assert match_cells(rule("recordTypeId", operator, 5), NUMBERS) == expected


def test_a_number_with_decimals_is_compared_exactly_with_whole_ones():
    latitude = {"embedded": "address", "kind": "SYSTEM_OBJECT"}
    cells = ["47", "48", "47.5", "47.6", "-47.5"]
    assert match_cells(rule("gisLocation.lat", "GT", 47.5, **latitude), cells) == ["48", "47.6"]
    assert match_cells(rule("gisLocation.lat", "GTE", 47.5, **latitude), cells) == ["48", "47.5", "47.6"]
    assert match_cells(rule("gisLocation.lat", "LT", -47.1, **latitude), cells) == ["-47.5"]
    assert match_cells(rule("gisLocation.lat", "E", 47.0, **latitude), cells) == ["47"]


def test_ids_beyond_floats_and_64_bits_are_distinguished():
    ids = [2**53, 2**53 + 1, 2**63 - 1, 2**63, 2**64 + 1, 2**64 + 2]
    cells = [str(one) for one in ids]
    for place, one in enumerate(ids):
        assert match_cells(rule("recordTypeId", "E", one), cells) == [cells[place]]
        assert match_cells(rule("recordTypeId", "LT", one), cells) == cells[:place]
        assert match_cells(rule("recordTypeId", "GTE", one), cells) == cells[place:]
    assert match_cells(rule("recordTypeId", "GT", 2**53 + 1), ["9007199254740992.5", "1e30"]) == ["1e30"]


def test_operators_of_id_lists():
    groups = ["310", "311;312", "310 | 9", "", ";", "31"]
    assert match_cells(rule("groups", "IN", [310, 312], kind="SYSTEM_ARRAY"), groups) == ["310", "311;312", "310 | 9"]
    assert match_cells(rule("groups", "NIN", [310, 312], kind="SYSTEM_ARRAY"), groups) == ["", ";", "31"]
    source = {"embedded": "address", "kind": "SYSTEM_OBJECT"}
    assert match_cells(rule("addressGeoCodingSource", "NIN", ["AUTO"], **source), ["AUTO", "MANUAL"]) == ["MANUAL"]


MOMENTS = [
    str(NOON),
    "2026-11-20T12:00:00Z",
    "2026-11-20 13:00+01:00",
    "2026-11-20",
    "2026-11-21",
    "",
    "soon",
    "1795176",
]


@pytest.mark.parametrize(
    ("operator", "value", "expected"),
    [
        ("LT", NOON, ["2026-11-20"]),
        ("LTE", NOON, [*MOMENTS[:3], "2026-11-20"]),
        ("GT", NOON, ["2026-11-21"]),
        ("GTE", NOON, [*MOMENTS[:3], "2026-11-21"]),
        ("BETWEEN", [NOON, NOON + DAY], [*MOMENTS[:3], "2026-11-21"]),
        ("BETWEEN", [NOON, NOON], MOMENTS[:3]),
    ],
)
def test_operators_of_date_columns(operator: str, value: Any, expected: list[str]):
    assert match_cells(rule("createdDate", operator, value), MOMENTS) == expected


def test_a_rules_time_without_a_zone_is_read_in_the_same_zone_as_the_cells():
    payload = attribute("DATE", "E", "2026-11-20T00:00")
    cells = ["2026-11-20 00:00", "2026-11-20 00:00Z"]
    assert match_cells(payload, cells, zone="Europe/Berlin") == cells[:1]
    assert match_cells(payload, cells) == cells


def test_a_custom_date_without_a_time_matches_every_time_of_its_day_in_the_zone():
    assert match_cells(attribute("DATE", "E", str(NOON)), MOMENTS) == MOMENTS[:4]
    late = str(NOON + 11 * HOUR + HOUR // 2)  # 23:30 UTC
    assert match_cells(attribute("DATE", "E", late), ["2026-11-20", "2026-11-21"]) == ["2026-11-20"]
    assert match_cells(attribute("DATE", "E", late), ["2026-11-20", "2026-11-21"], zone="Europe/Berlin") == [
        "2026-11-21"
    ]
    assert match_cells(attribute("DATE", "BETWEEN", "2026-11-20", "2026-11-20T18:00:00Z"), MOMENTS) == MOMENTS[:4]


SPANS = [
    f"2026-11-20T11:00Z/{'2026-11-20T13:00Z'}",
    "2026-11-20T08:00Z/2026-11-20T11:59Z",
    "2026-11-20T12:00Z/2026-11-20T12:00Z",
    "2026-11-20T13:00Z/2026-11-21T08:00Z",
    "2026-11-20",
    "2026-11-19 | 2026-11-22",
    "2026-11-21T08:00Z/2026-11-20T08:00Z",
    "",
]


@pytest.mark.parametrize(
    ("operator", "places"),
    [("BETWEEN", [0, 2, 4]), ("LT", [1, 5]), ("LTE", [0, 1, 2, 4, 5]), ("GT", [3, 5]), ("GTE", [0, 2, 3, 4, 5])],
)
def test_expected_dates_are_compared_with_now_and_with_a_span(operator: str, places: list[int]):
    kind = "SYSTEM_EXPECTED_OBJECT"
    expected = [SPANS[place] for place in places]
    assert match_cells(rule("expectedDate", operator, ["NOW", None, None], kind=kind), SPANS, at_ms=NOON) == expected
    span = ["BETWEEN", NOON - 30_000, NOON + 30_000]
    assert match_cells(rule("expectedDate", operator, span, kind=kind), SPANS) == expected


def test_now_is_the_moment_in_the_options():
    now = rule("shiftDate", "BETWEEN", ["NOW", None, None], kind="SYSTEM_SCHEDULING")
    assert match_cells(now, SPANS[:1], at_ms=NOON + HOUR) == SPANS[:1]
    assert match_cells(now, SPANS[:1], at_ms=NOON + HOUR + 1) == []


CELLS = ["17", "", "  ", "0", "false", "No"]


@pytest.mark.parametrize(
    ("column", "is_set"),
    [
        ("userId", ["17", "0", "false", "No"]),
        ("address.gisLocation.lon", ["17", "0", "false", "No"]),
        ("address.streetAddress", ["17"]),
    ],
)
def test_operators_for_set_and_not_set_values(column: str, is_set: list[str]):
    assert match_cells(rule(column, "NOTNULL"), CELLS) == is_set
    assert match_cells(rule(column, "ISNULL"), CELLS) == [cell for cell in CELLS if cell not in is_set]


def test_a_missing_value_counts_as_different_unless_the_option_is_off():
    for payload in (
        rule("lastName", "NE", "x"),
        rule("lastName", "NLIKE", "x"),
        rule("recordTypeId", "NE", 1),
        rule("groups", "NIN", [1], kind="SYSTEM_ARRAY"),
        attribute("STRING", "NE", "x"),
        attribute("STRING", "NIN", "x", kind="CUSTOM_ARRAY"),
    ):
        assert match_cells(payload, ["", "y"]) == ["", "y"]
        assert match_cells(payload, ["", "y"], absent_is_other=False) == ["y"]


@pytest.mark.parametrize("column", COLUMNS, ids=lambda c: f"{c.name}-{c.rule_type}-{c.embedded}")
def test_a_missing_value_matches_only_negative_rules(column: Any):
    """Each operator of each column, with a missing value and a present one."""
    value: Any = {"STRING": "x", "NUMBER": 5, "DATE": NOON, "BOOLEAN": True}[column.data_type]
    present = {"STRING": "x", "NUMBER": "5", "DATE": str(NOON), "BOOLEAN": "yes"}[column.data_type]
    for operator in column.operators:
        if column.name in ("expectedDate", "shiftDate"):
            operand: Any = ["BETWEEN", NOON, NOON]
        elif operator in ("IN", "NIN"):
            operand = [value]
        else:
            operand = [value, value] if operator == "BETWEEN" else value
        payload = rule(column.name, operator, operand, embedded=column.embedded, kind=column.rule_type)
        fits_itself = operator in (
            "E", "LIKE", "STARTWITH", "ENDWITH", "LTE", "GTE", "IN", "BETWEEN", "NOTNULL"
        )  # fmt: skip
        expected = [present] if fits_itself else [""] if operator in ("NE", "NLIKE", "NIN", "ISNULL") else []
        assert match_cells(payload, ["", present]) == expected, operator


@pytest.mark.parametrize("data_type", CUSTOM_OPERATORS)
@pytest.mark.parametrize("kind", sorted(CUSTOM_RULE_TYPES))
def test_custom_attributes_support_all_their_operators_and_several_values(data_type: Any, kind: str):
    low, middle, high = {
        "STRING": ("aa", "bb", "cc"),
        "NUMBER": ("5", "10", "15"),
        "DATE": (str(NOON - DAY), str(NOON), str(NOON + DAY)),
    }[data_type]
    cells = ["", low, middle, high]
    expected = {
        "STARTWITH": [middle],
        "ENDWITH": [middle],
        "E": [middle],
        "NE": ["", low, high],
        "LIKE": [middle],
        "NLIKE": ["", low, high],
        "LT": [low],
        "LTE": [low, middle],
        "GT": [high],
        "GTE": [middle, high],
        "IN": [middle],
        "NIN": ["", low, high],
    }
    for operator in {*CUSTOM_OPERATORS[data_type], "E", "NE", "IN", "NIN"} - {"BETWEEN"}:
        assert match_cells(attribute(data_type, operator, middle, kind=kind), cells) == expected[operator], operator
    assert match_cells(attribute(data_type, "E", low, high, kind=kind), cells) == [low, high]
    assert match_cells(attribute(data_type, "NE", low, high, kind=kind), cells) == ["", middle]


def test_stored_numbers_among_attribute_values_are_read():
    payload = attribute("NUMBER", "IN", 4711, "4713", kind="CUSTOM_ARRAY")
    assert match_cells(payload, ["4711", "4712", "1;4713"]) == ["4711", "1;4713"]
