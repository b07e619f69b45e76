"""Values of rules: the input that fits, how text is read, and how values are shown."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from domain.filters import values
from domain.filters.columns import find_column
from domain.filters.filter_draft import FilterDraft, RuleDraft
from domain.filters.sentence import describe_filter
from domain.filters.values import (
    format_span,
    join_moment_parts,
    moment_parts,
    moment_text,
    paste_list,
    quote_items,
    read_moment,
    upcoming_spans,
)

AT = 1_795_183_500_000
"""2026-11-20 14:05 UTC."""


def build_payload(key: str, operator: str | None = None, **parts: Any) -> dict[str, Any]:
    column = find_column(key)
    assert column is not None
    payload = {"columnName": column.name, "type": column.rule_type, "dataType": column.data_type, **parts}
    if operator is not None:
        payload["operator"] = operator
    return payload | ({"embeddedColumnName": column.embedded} if column.embedded else {})


@pytest.mark.parametrize(
    ("payload", "kind"),
    [
        (build_payload("firstName|SYSTEM|", "E"), "text"),
        (build_payload("recordTypeId|SYSTEM|", "GT"), "whole number"),
        (build_payload("gislocation.lon|SYSTEM_OBJECT|address", "GT"), "number"),
        (build_payload("createdDate|SYSTEM|", "LT"), "moment"),
        (build_payload("createdDate|SYSTEM|", "BETWEEN"), "moment range"),
        (build_payload("groups|SYSTEM_ARRAY|", "IN"), "number list"),
        (build_payload("addressGeoCodingSource|SYSTEM_OBJECT|address", "NIN"), "text list"),
        (build_payload("country|SYSTEM|", "NE"), "country"),
        (build_payload("country|SYSTEM|", "LIKE"), "text"),
        (build_payload("country|SYSTEM_EXPECTED_OBJECT|address", "E"), "country"),
        (build_payload("iata|SYSTEM_EXPECTED_OBJECT|address", "E"), "airport"),
        (build_payload("iata|SYSTEM_EXPECTED_OBJECT|address", "STARTWITH"), "text"),
        (build_payload("address.streetAddress|SYSTEM|", "ISNULL"), "none"),
        (build_payload("userId|SYSTEM|", "NOTNULL"), "none"),
        (build_payload("shiftDate|SYSTEM_SCHEDULING|", "BETWEEN"), "pattern"),
        (build_payload("expectedDate|SYSTEM_EXPECTED_OBJECT|", "LT"), "pattern"),
        (build_payload("firstName|SYSTEM|"), "text"),
        ({"type": "CUSTOM"}, "custom"),
        ({"type": "SYSTEM", "columnName": "shoeSize"}, "unknown"),
        ({}, "unknown"),
    ],
)
def test_the_editor_fits_the_column_and_the_operator(payload: dict[str, Any], kind: str) -> None:
    assert values.editor_kind(payload) == kind


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("text", "Ana", "Ana"),
        ("text", " Ana  ", " Ana  "),
        ("text", "  ", None),
        ("whole number", "9007199254740993", 9_007_199_254_740_993),
        ("whole number", " 9223372036854775807 ", 2**63 - 1),
        ("whole number", "-5", -5),
        ("number", "47.5", 47.5),
        ("number", "-0.25", -0.25),
        ("number", "17", 17),
        ("number", "9007199254740993", 9_007_199_254_740_993),
        ("country", "fr", "FR"),
        ("country", "United Kingdom", "GB"),
        ("country", "Deutschland", "DE"),
        ("country", "Narnia", "Narnia"),
        ("airport", " sin", "SIN"),
        ("airport", "somewhere", "somewhere"),
        ("moment", "2026-11-20 14:05", AT),
        ("moment", "1795183500000", AT),
        ("text", "   ", None),
        ("whole number", "", None),
    ],
)
def test_typed_values_are_read_exactly(kind: str, text: str, value: Any) -> None:
    read = values.read_value(kind, text)
    assert read.problem is None
    assert (type(read.value), read.value) == (type(value), value)


@pytest.mark.parametrize(
    ("kind", "text", "words"),
    [
        ("whole number", "4.5", "not a whole number"),
        ("whole number", "1e5", "not a whole number"),
        ("whole number", "twelve", "not a whole number"),
        ("whole number", "٣", "not a whole number"),
        ("whole number", "9223372036854775808", "too large"),
        ("whole number", "9" * 5000, "too large"),
        ("number", "47,5", "decimal point: 47.5"),
        ("number", "nan", "not a number"),
        ("number", "1e999", "not a number"),
        ("moment", "tomorrow", "not a date"),
        ("moment", "2026-02-30", "not a date"),
        ("moment", "1795183500", "not a date"),
        ("moment", "2026-11-20 99", "not a time of day"),
        ("moment", "2026-11-20 25:00", "not a time of day"),
    ],
)
def test_unreadable_text_has_a_problem(kind: str, text: str, words: str) -> None:
    read = values.read_value(kind, text)
    assert read.value is None
    assert words in (read.problem or "")


@pytest.mark.parametrize(
    ("text", "zone", "expected"),
    [
        ("2026-11-20 14:05", "UTC", AT),
        ("2026-11-20T14:05:00", "UTC", AT),
        ("2026-11-20 14.05", "UTC", AT),
        ("20 Nov 2026 14:05", "UTC", AT),
        ("Fri 20 November 2026, 14:05", "UTC", AT),
        ("2026-11-20 14:05Z", "Asia/Tokyo", AT),
        ("2026-11-20 15:05+01:00", "Asia/Tokyo", AT),
        ("2026-11-20 14:05 UTC", "Asia/Tokyo", AT),
        ("2026-11-20 23:05", "Asia/Tokyo", AT),
        ("2026-11-20 14:05:00.250", "UTC", AT + 250),
        ("1970-01-01", "UTC", 0),
        ("2026-11-20 14", "UTC", AT - 5 * 60_000),
        ("2026-11-20 1405", "UTC", AT),
        ("2026-11-20 9:05", "UTC", AT - 5 * 3_600_000),
        ("1969-12-31 23:59:59.999", "UTC", -1),
        ("2026-11-20 24:00", "UTC", 1_795_219_199_999),
    ],
)
def test_a_date_and_time_is_read_in_its_zone(text: str, zone: str, expected: int) -> None:
    assert read_moment(text, zone).value == expected


@pytest.mark.parametrize("zone", ["UTC", "Asia/Kolkata", "America/St_Johns", "Pacific/Apia"])
@pytest.mark.parametrize("moment", [0, 1, -1, AT, AT + 999, AT + 59_000, 1_795_219_199_999, 253_402_214_400_000 - 1])
def test_a_moment_survives_conversion_to_text_and_back(moment: int, zone: str) -> None:
    assert read_moment(moment_text(moment, zone), zone).value == moment
    assert read_moment(join_moment_parts(*moment_parts(moment, zone)), zone).value == moment


def test_a_moment_beyond_the_calendar_stays_a_number() -> None:
    assert moment_text(10**17) == str(10**17)
    assert moment_parts(10**17) == (None, "")


def test_a_day_without_a_time_ends_a_span_at_the_end_of_the_day() -> None:
    assert read_moment("2026-11-20", end_of_day=True).value == 1_795_219_199_999
    assert moment_text(1_795_219_199_999) == "2026-11-20 24:00"


@pytest.mark.parametrize(
    ("zone", "day", "next_day"),
    [
        ("Africa/Cairo", "2026-10-29", "2026-10-30"),
        ("America/Nuuk", "2026-03-28", "2026-03-29"),
        ("America/Havana", "2026-10-31", "2026-11-01"),
    ],
)
def test_a_day_ends_where_the_next_begins_even_with_a_clock_change(zone: str, day: str, next_day: str) -> None:
    end = read_moment(day, zone, end_of_day=True)
    assert (end.value, end.note) == (read_moment(next_day, zone).value - 1, None)
    assert read_moment(f"{day} 24:00", zone) == end
    assert read_moment(moment_text(end.value, zone), zone).value == end.value


def test_the_first_of_two_last_milliseconds_is_not_the_end_of_the_day() -> None:
    end = read_moment("2026-10-29", "Africa/Cairo", end_of_day=True).value
    first = moment_text(end - 3_600_000, "Africa/Cairo")
    assert (first, moment_text(end, "Africa/Cairo")) == ("2026-10-29 23:59:59.999", "2026-10-29 24:00")
    assert read_moment(first, "Africa/Cairo").value == end - 3_600_000


def test_the_last_day_of_the_calendar_has_an_end() -> None:
    assert moment_text(read_moment("9999-12-31", end_of_day=True).value) == "9999-12-31 24:00"


def test_a_skipped_or_repeated_time_has_a_note() -> None:
    assert "does not exist" in (read_moment("2026-03-29 02:30", "Europe/Berlin").note or "")
    assert "happens twice" in (read_moment("2026-10-25 02:30", "Europe/Berlin").note or "")
    assert read_moment("2026-10-25 02:30", "Nowhere/Land").problem == "There is no time zone named “Nowhere/Land”."


def test_an_incomplete_moment_keeps_its_day_and_time() -> None:
    day, clock = moment_parts("2026-11-20 25:99")
    assert day is not None
    assert (day.isoformat(), clock) == ("2026-11-20", "25:99")
    assert moment_parts("soon") == (None, "soon")


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        (1_795_132_800_000, 1_795_219_199_999, "on Fri, Nov 20, 2026 UTC"),
        (
            1_795_132_800_000,
            1_795_219_199_999 + 7 * 86_400_000,
            "between Fri, Nov 20 and Fri, Nov 27, 2026 UTC (both days included)",
        ),
        (AT, AT + 60_000, "between Fri, Nov 20, 2026, 14:05 and Fri, Nov 20, 2026, 14:06 UTC"),
        (AT, None, "between Fri, Nov 20, 2026, 14:05 and …"),
        (None, AT, "between … and Fri, Nov 20, 2026, 14:05 UTC"),
    ],
)
def test_spans_are_described_in_plain_words(first: int | None, last: int | None, words: str) -> None:
    assert format_span(first, last) == words


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("a,b;c\td\ne\r\nf", ["a", "b", "c", "d", "e", "f"]),
        (" New York , Los Angeles ", ["New York", "Los Angeles"]),
        ('"Boston, MA"\nParis', ["Boston, MA", "Paris"]),
        ('"say ""hi"""; x', ['say "hi"', "x"]),
        ('5" pipe, 6" pipe', ['5" pipe', '6" pipe']),
        ('"not closed, x', ['"not closed', "x"]),
        ("\n\n,,;;\t\n", []),
        ("", []),
    ],
)
def test_a_pasted_list_is_split(text: str, items: list[str]) -> None:
    assert paste_list(text) == items


def test_duplicates_in_a_pasted_list_are_dropped_in_order() -> None:
    assert paste_list("c\na\nc\nb\na") == ["c", "a", "b"]


GROUPS = build_payload("groups|SYSTEM_ARRAY|", "IN")


def test_a_long_list_is_read_completely() -> None:
    pasted = paste_list("\n".join(str(number) for number in range(20_000)))
    assert values.read_slot(GROUPS, "value", pasted).value == list(range(20_000))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("1, x", "“x” is not a whole number."),
        ("x, 1, y", "“x” is not a whole number. 1 other is not either."),
        ("x, y, z", "“x” is not a whole number. 2 others are not either."),
    ],
)
def test_items_that_cannot_be_read_are_counted(text: str, problem: str) -> None:
    assert values.read_slot(GROUPS, "value", text).problem == problem
    attribute = {"type": "CUSTOM", "dataType": "NUMBER", "operator": "E"}
    assert values.read_slot(attribute, "values", ["x", "3", "y"]).problem == (
        "“x” is not a number. 1 other is not either."
    )


@pytest.mark.parametrize(
    ("operator", "items", "moments"),
    [
        ("GTE", ["2026-11-20"], ["1795132800000"]),
        ("LTE", ["2026-11-20"], ["1795219199999"]),
        ("GT", ["20 Nov 2026"], ["1795219199999"]),
        ("LTE", ["2026-11-20 00:00"], ["1795132800000"]),
        ("BETWEEN", ["2026-11-20", "2026-11-20"], ["1795132800000", "1795219199999"]),
    ],
)
def test_a_day_without_a_time_in_an_attribute_is_its_start_or_end_as_the_operator_requires(
    operator: str, items: list[str], moments: list[str]
) -> None:
    payload = {"type": "CUSTOM", "dataType": "DATE", "operator": operator}
    assert values.read_slot(payload, "values", items).value == moments


@pytest.mark.parametrize(("stored", "shown"), [("63072000000", "1972-01-01 00:00"), ("-1", "1969-12-31 24:00")])
def test_a_date_attribute_is_shown_as_a_date_even_with_few_digits(stored: str, shown: str) -> None:
    rule = RuleDraft(payload={"type": "CUSTOM", "dataType": "DATE", "operator": "IN", "attributeValues": [stored]})
    assert values.value_items(rule) == [shown]
    assert stored not in describe_filter(FilterDraft(rules=[rule]))
    assert values.read_slot(rule.payload, "values", [shown, "2026-11-20 14:05"]).value == [stored, str(AT)]


@pytest.mark.parametrize("items", [["a", "b c"], ["a, b", "c;d"], ['say "hi"', " spaced "], ['"', "x\ty"]])
def test_a_list_survives_being_written_as_lines(items: list[str]) -> None:
    assert paste_list(quote_items(items)) == items


@pytest.mark.parametrize(
    ("payload", "shown"),
    [
        (
            build_payload("firstName|SYSTEM|", "E", columnValue="Ana", contactFieldId=2**53 + 1),
            {"value": "Ana", "field_id": "9007199254740993"},
        ),
        (build_payload("firstName|SYSTEM|", "E", columnValue={"a": [1]}), {"value": '{"a": [1]}', "field_id": ""}),
        (build_payload("shift|SYSTEM_SCHEDULING|", "E", columnValue=7), {"value": "7"}),
        (build_payload("createdDate|SYSTEM|", "LT", columnValue=AT), {"value": "2026-11-20 14:05", "field_id": ""}),
        (
            build_payload("createdDate|SYSTEM|", "BETWEEN", columnValue=[AT, None]),
            {"from": "2026-11-20 14:05", "until": "", "field_id": ""},
        ),
        (
            build_payload("expectedDate|SYSTEM_EXPECTED_OBJECT|", "BETWEEN", columnValue=["NOW", None, None]),
            {"value": "NOW", "from": "", "until": ""},
        ),
        (
            build_payload("expectedDate|SYSTEM_EXPECTED_OBJECT|", "BETWEEN", columnValue="soon"),
            {"value": "soon", "from": "", "until": ""},
        ),
        (build_payload("groups|SYSTEM_ARRAY|", "IN", columnValue=[1, "2"]), {"value": "1\n2", "field_id": ""}),
        (build_payload("userId|SYSTEM|", "ISNULL"), {"field_id": ""}),
        (
            {"type": "CUSTOM", "dataType": "DATE", "attributeId": 5, "attributeValues": [str(AT), "soon"]},
            {"attribute_id": "5", "values": "2026-11-20 14:05\nsoon"},
        ),
        ({"type": "SYSTEM", "columnName": "shoeSize", "columnValue": [43]}, {"value": "[43]", "field_id": ""}),
    ],
)
def test_fields_show_the_values_of_the_rule(payload: dict[str, Any], shown: dict[str, str]) -> None:
    assert values.value_texts(RuleDraft(payload=payload)) == shown


def test_a_text_that_cannot_be_read_stays_in_its_field() -> None:
    rule = RuleDraft(payload=build_payload("recordTypeId|SYSTEM|", "E"), typed={"value": "nine"})
    assert values.value_texts(rule)["value"] == "nine"


def test_upcoming_spans_start_today_in_the_zone() -> None:
    late_on_sunday = datetime(2026, 11, 22, 23, 30, tzinfo=UTC)
    assert upcoming_spans(late_on_sunday)["This week"] == (date(2026, 11, 16), date(2026, 11, 22))
    assert upcoming_spans(late_on_sunday, "Europe/Berlin") == {
        "Today": (date(2026, 11, 23), date(2026, 11, 23)),
        "This week": (date(2026, 11, 23), date(2026, 11, 29)),
        "Next 7 days": (date(2026, 11, 23), date(2026, 11, 29)),
        "This month": (date(2026, 11, 1), date(2026, 11, 30)),
    }


@pytest.mark.parametrize("text", ["1e400", '{"size": -1e400}', '["\\ud800"]', "NaN"])
def test_json_for_an_unknown_column_is_accepted_only_if_it_can_be_sent(text: str) -> None:
    payload = {"columnName": "shoeSize", "type": "SYSTEM", "columnValue": 43}
    read = values.read_slot(payload, "value", text)
    assert (read.value, read.problem) == (None, "This is not JSON. Put text in quotes.")
