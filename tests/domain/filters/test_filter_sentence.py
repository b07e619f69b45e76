"""Filters as plain English sentences."""

from __future__ import annotations

from typing import Any

import pytest

from domain.filters import rule_steps
from domain.filters.filter_draft import FilterDraft, RuleDraft
from domain.filters.sentence import (
    ALL_MUTED,
    NO_RULES,
    NOTHING_CHOSEN,
    describe_filter,
    describe_rule,
    find_separate_matches,
)

AT = 1_795_183_500_000
DAY = 1_795_132_800_000
DAY_END = DAY + 86_400_000 - 1


def rule(column: str, kind: str, operator: str | None, value: Any = None, data_type: str = "STRING") -> dict[str, Any]:
    name, _, embedded = column.partition("@")
    payload: dict[str, Any] = {"columnName": name, "type": kind, "dataType": data_type, "operator": operator}
    if embedded:
        payload["embeddedColumnName"] = embedded
    return payload | ({} if value is None else {"columnValue": value})


def own(name: str, operator: str | None, value: Any = None, data_type: str = "STRING") -> dict[str, Any]:
    return rule(name, "SYSTEM", operator, value, data_type)


def expected(name: str, operator: str, value: Any, data_type: str = "STRING") -> dict[str, Any]:
    return rule(name, "SYSTEM_EXPECTED_OBJECT", operator, value, data_type)


def attribute(operator: str, *values: str, data_type: str = "STRING", kind: str = "CUSTOM") -> dict[str, Any]:
    return {
        "type": kind,
        "attributeId": 4001,
        "dataType": data_type,
        "operator": operator,
        "attributeValues": list(values),
    }


def describe(*payloads: dict[str, Any], zone: str = "UTC") -> str:
    return describe_filter(FilterDraft(rules=[RuleDraft(payload=payload) for payload in payloads]), zone)


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        (own("firstName", "STARTWITH", "An"), "People whose first name starts with “An”."),
        (own("lastName", "NLIKE", "x\ny"), "People whose last name does not contain “x y”."),
        (own("country", "E", "FR"), "People whose own country is France."),
        (own("country", "NE", "Narnia"), "People whose own country is not “Narnia”."),
        (own("country", "LIKE", "F"), "People whose own country contains “F”."),
        (own("recordTypeId", "NE", 9, "NUMBER"), "People whose record type is not 9."),
        (own("userId", "ISNULL", None, "NUMBER"), "People who have no user ID."),
        (own("individualAccountId", "NOTNULL", None, "NUMBER"), "People who have an individual account."),
        (own("address.streetAddress", "ISNULL", None, "BOOLEAN"), "People who have no street address on file."),
        (own("createdDate", "LT", AT, "DATE"), "People whose record was created before Fri, Nov 20, 2026, 14:05 UTC."),
        (
            own("createdDate", "LTE", DAY_END, "DATE"),
            "People whose record was created at or before the end of Fri, Nov 20, 2026 UTC.",
        ),
        (own("registedDate", "BETWEEN", [DAY, DAY_END], "DATE"), "People who registered on Fri, Nov 20, 2026 UTC."),
        (
            own("registedDate", "BETWEEN", [DAY, AT], "DATE"),
            "People who registered between Fri, Nov 20, 2026, 00:00 and Fri, Nov 20, 2026, 14:05 UTC.",
        ),
        (own("topics", "IN", [12], "NUMBER"), "People who follow topic 12."),
        (
            rule("groups", "SYSTEM_ARRAY", "IN", [310, 311], "NUMBER"),
            "People who belong to any of the groups 310 or 311.",
        ),
        (rule("groups", "SYSTEM_ARRAY", "NIN", [310], "NUMBER"), "People who do not belong to group 310."),
        (
            rule("groups", "SYSTEM_ARRAY", "NIN", list(range(1, 41)), "NUMBER"),
            "People who belong to none of the groups 1, 2, or 38 others.",
        ),
        (
            rule("value@paths", "SYSTEM_OBJECT", "ENDWITH", "@example.com"),
            "People with a delivery path whose value ends with “@example.com”.",
        ),
        (
            rule("pathId@paths", "SYSTEM_OBJECT", "NIN", [1, 2], "NUMBER"),
            "People without a delivery path of any of the kinds 1 or 2.",
        ),
        (
            rule("country@address", "SYSTEM_OBJECT", "E", "GB"),
            "People with an address whose country is United Kingdom.",
        ),
        (
            rule("gisLocation.lat@address", "SYSTEM_OBJECT", "GT", 47.5, "NUMBER"),
            "People with an address whose latitude is more than 47.5.",
        ),
        (
            rule("floorNo@lastKnownLocation", "SYSTEM_OBJECT", "E", "2"),
            "People with a last known location whose floor is “2”.",
        ),
        (rule("calendar", "SYSTEM_SCHEDULING", "E", 7, "NUMBER"), "People who are scheduled in calendar 7."),
        (
            rule("shiftDate", "SYSTEM_SCHEDULING", "BETWEEN", ["NOW", None, None], "DATE"),
            "People who are on shift now.",
        ),
        (expected("expectedDate", "BETWEEN", ["NOW", None, None], "DATE"), "People who are expected somewhere now."),
        (
            expected("expectedDate", "BETWEEN", ["BETWEEN", DAY, DAY_END], "DATE"),
            "People who are expected somewhere on Fri, Nov 20, 2026 UTC.",
        ),
        (expected("expectedDate", "LT", ["NOW", None, None], "DATE"), "People who are expected somewhere before now."),
        (
            expected("expectedDate", "GTE", ["NOW", None, None], "DATE"),
            "People who are expected somewhere now or after.",
        ),
        (
            expected("expectedDate", "GT", ["BETWEEN", DAY, AT], "DATE"),
            (
                "People who are expected somewhere after the time between Fri, Nov 20, 2026, 00:00 and Fri, Nov 20, "
                "2026, 14:05 UTC."
            ),
        ),
        (expected("country@address", "E", "FR"), "People with an expected location whose country is France."),
        (
            expected("iata@address", "NE", "LHR"),
            "People without an expected location whose airport is London Heathrow Airport (LHR).",
        ),
        (
            rule("city@address", "SYSTEM_OBJECT", "NLIKE", "Lond"),
            "People without an address whose city contains “Lond”.",
        ),
        (
            rule("addressGeoCodingSource@address", "SYSTEM_OBJECT", "NIN", ["MANUAL"]),
            "People without an address whose source of coordinates is “MANUAL”.",
        ),
        (
            rule("addressGeoCodingSource@address", "SYSTEM_OBJECT", "IN", ["MANUAL", "GPS"]),
            "People with an address whose source of coordinates is one of “MANUAL” or “GPS”.",
        ),
        (attribute("NE", "A", "B"), "People whose custom attribute 4001 is none of “A” or “B”."),
        (attribute("NIN", "A", kind="CUSTOM_ARRAY"), "People whose custom attribute 4001 does not have “A”."),
        (attribute("E", "Site B"), "People whose custom attribute 4001 is “Site B”."),
        (attribute("E", "A", "B"), "People whose custom attribute 4001 is “A” or “B”."),
        (attribute("GTE", "3", data_type="NUMBER"), "People whose custom attribute 4001 is at least 3."),
        (
            attribute("LT", str(AT), data_type="DATE"),
            "People whose custom attribute 4001 is before Fri, Nov 20, 2026, 14:05 UTC.",
        ),
        (
            attribute("IN", "German", "Dutch", kind="CUSTOM_ARRAY"),
            "People whose custom attribute 4001 has any of “German” or “Dutch”.",
        ),
    ],
)
def test_one_rule_reads_as_a_sentence(payload: dict[str, Any], words: str) -> None:
    assert describe(payload) == words


def test_clauses_about_the_person_come_before_clauses_that_begin_with_with() -> None:
    """“whose record type” must not seem to be about the location."""
    location = expected("country@address", "E", "ES")
    now = expected("expectedDate", "BETWEEN", ["NOW", None, None], "DATE")
    assert describe(location, now) == (
        "People who are expected somewhere now and with an expected location whose country is Spain."
    )
    assert describe(location, now, own("recordTypeId", "NE", 9, "NUMBER")) == (
        "People who are expected somewhere now, whose record type is not 9, and with an expected location whose "
        "country is Spain."
    )


def test_rules_that_two_different_locations_may_match_are_named() -> None:
    location, now = (
        expected("country@address", "E", "ES"),
        expected("expectedDate", "BETWEEN", ["NOW", None, None], "DATE"),
    )
    city, person = rule("city@address", "SYSTEM_OBJECT", "E", "Berlin"), own("recordTypeId", "E", 9, "NUMBER")
    drafts = [[location, person, now], [location, city, person], [location, {**now, "operator": "NE"}]]
    notes = [
        find_separate_matches(FilterDraft(rules=[RuleDraft(payload=each) for each in payloads])) for payloads in drafts
    ]
    assert notes == [
        [
            "Rules 1 and 3 are checked separately: two different expected locations of the same person may match them.",
            "For example, “now” and “in France” also match a person who is in Spain now and in France later.",
        ],
        [],
        [],
    ]


def test_moments_are_described_in_the_given_zone() -> None:
    payload = own("createdDate", "LT", AT, "DATE")
    assert describe(payload, zone="Asia/Tokyo").endswith("before Fri, Nov 20, 2026, 23:05 (Asia/Tokyo).")
    night = 9 * 3_600_000
    days = own("createdDate", "BETWEEN", [DAY - night, DAY_END + 86_400_000 - night], "DATE")
    assert describe(days, zone="Asia/Tokyo") == (
        "People whose record was created between Fri, Nov 20 and Sat, Nov 21, 2026 (Asia/Tokyo, both days included)."
    )


def test_a_filter_without_active_rules_has_its_own_sentence() -> None:
    assert describe() == NO_RULES
    assert describe_filter(rule_steps.new_filter()) == NOTHING_CHOSEN
    draft = FilterDraft(
        rules=[RuleDraft(payload=own("firstName", "E", "Ana")), RuleDraft(payload=own("suffix", "E", "PhD"))]
    )
    muted = rule_steps.mute(draft, draft.rules[0].uid)
    assert describe_filter(muted) == "People whose suffix is “PhD”."
    assert describe_filter(rule_steps.mute(muted, muted.rules[1].uid)) == ALL_MUTED


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        (own("firstName", "E"), "People whose first name is …"),
        (own("firstName", None, "Ana"), "People whose first name … “Ana”."),
        (own("firstName", "EQ", "Ana"), "People whose first name “EQ” “Ana”."),
        (own("shoeSize", "E", 43), "People whose field “shoeSize” is 43."),
        (
            own("createdDate", "BETWEEN", [AT, None], "DATE"),
            "People whose record was created between Fri, Nov 20, 2026, 14:05 and …",
        ),
        (own("createdDate", "LT", "soon", "DATE"), "People whose record was created before “soon”."),
        (expected("expectedDate", "BETWEEN", "soon", "DATE"), "People who are expected somewhere “soon”."),
        ({"type": "CUSTOM", "operator": "E"}, "People whose custom attribute … is …"),
        (own("city", "E", {"a": 1}), 'People whose field “city” is “{"a": 1}”.'),
        (rule("groups", "SYSTEM_ARRAY", "NE", 310, "NUMBER"), "People whose group is not 310."),
        (rule("shift", "SYSTEM_SCHEDULING", "NE", 7, "NUMBER"), "People whose shift is not 7."),
        (own("userId", "E", 7, "NUMBER"), "People whose user ID is 7."),
        (attribute("BETWEEN", "1", "2", data_type="NUMBER"), "People whose custom attribute 4001 is between 1 and 2."),
        (own("firstName", "E", "x" * 100), f"People whose first name is “{'x' * 59}…”."),
    ],
)
def test_unusual_and_incomplete_rules_have_a_sentence(payload: dict[str, Any], words: str) -> None:
    assert describe(payload) == words


def test_a_stored_rule_without_an_operator_is_read_by_its_option() -> None:
    payload = own("lastName", None, "Sm") | {"contactFilterOption": "LIKE"}
    assert describe(payload) == "People whose last name contains “Sm”."


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        (own("firstName", "STARTWITH", "An"), "First name starts with “An”"),
        (expected("expectedDate", "BETWEEN", ["NOW", None, None], "DATE"), "Expected date is now"),
        (expected("expectedDate", "LTE", ["NOW", None, None], "DATE"), "Expected date is now or before"),
        (
            own("registedDate", "BETWEEN", [DAY, AT], "DATE"),
            "Registered is between Fri, Nov 20, 2026, 00:00 and Fri, Nov 20, 2026, 14:05 UTC",
        ),
        (own("registedDate", "BETWEEN", [DAY, DAY_END], "DATE"), "Registered is on Fri, Nov 20, 2026 UTC"),
        (own("userId", "ISNULL", None, "NUMBER"), "User ID is not set"),
        (attribute("IN", "A", "B"), "Custom attribute 4001 is one of “A” or “B”"),
        (
            attribute("NIN", "A", kind="CUSTOM_ARRAY"),
            "Custom attribute 4001 with several values does not have “A”",
        ),
        (rule("groups", "SYSTEM_ARRAY", "NIN", [310], "NUMBER"), "Groups do not include 310"),
        (own("shoeSize", "E", 43), "“shoeSize” is 43"),
        ({}, "A rule without a column"),
    ],
)
def test_a_rule_reads_by_itself(payload: dict[str, Any], words: str) -> None:
    assert describe_rule(payload) == words
