"""Valid but useless rules have warnings; useful rules have none."""

from __future__ import annotations

from time import process_time
from typing import Any

import pytest

from client.vocabulary.contact_filters import COLUMNS, LISTED, FilterColumn
from domain.filters import rule_steps
from domain.filters.columns import column_key
from domain.filters.filter_draft import FilterDraft, RuleDraft
from domain.filters.rule_warnings import find_warnings

AT = 1_795_183_500_000


def text(operator: str, value: Any = None, name: str = "firstName") -> dict[str, Any]:
    return own(operator, value, name, "STRING")


def number(operator: str, value: Any = None) -> dict[str, Any]:
    return own(operator, value, "recordTypeId", "NUMBER")


def moment(operator: str, value: Any = None) -> dict[str, Any]:
    return own(operator, value, "createdDate", "DATE")


def own(operator: str, value: Any, name: str, data_type: str, kind: str = "SYSTEM") -> dict[str, Any]:
    payload = {"columnName": name, "type": kind, "dataType": data_type, "operator": operator, "contactFieldId": 1}
    return payload | ({} if value is None else {"columnValue": value})


def groups(operator: str, *ids: int) -> dict[str, Any]:
    return own(operator, list(ids), "groups", "NUMBER", "SYSTEM_ARRAY")


def address(operator: str, value: Any, name: str = "country") -> dict[str, Any]:
    data_type = "NUMBER" if "is" in name else "STRING"
    return own(operator, value, name, data_type, "SYSTEM_OBJECT") | {"embeddedColumnName": "address"}


def expected(operator: str, value: Any, name: str = "country") -> dict[str, Any]:
    return own(operator, value, name, "STRING", "SYSTEM_EXPECTED_OBJECT") | {"embeddedColumnName": "address"}


def pattern(*value: Any) -> dict[str, Any]:
    return own("BETWEEN", list(value), "expectedDate", "DATE", "SYSTEM_EXPECTED_OBJECT")


def attribute(operator: str, *values: str, kind: str = "CUSTOM", id_: int = 5, data: str = "STRING") -> dict[str, Any]:
    return {"type": kind, "attributeId": id_, "dataType": data, "operator": operator, "attributeValues": list(values)}


def list_warnings(*payloads: dict[str, Any]) -> list[str]:
    draft = FilterDraft(
        name="N", rules=[RuleDraft(uid=f"r{number}", payload=payload) for number, payload in enumerate(payloads)]
    )
    return [each.message for each in find_warnings(draft)]


CLASHES = [
    (text("E", "Ana"), text("E", "Bo")),
    (text("E", "Ana"), text("NE", "Ana")),
    (text("E", "Ana"), text("STARTWITH", "B")),
    (text("ENDWITH", "o"), text("E", "Ana")),
    (text("E", "Ana"), text("LIKE", "x")),
    (text("E", "Ana"), text("NLIKE", "n")),
    (text("STARTWITH", "An"), text("STARTWITH", "Bo")),
    (text("ENDWITH", "a"), text("ENDWITH", "o")),
    (text("LIKE", "anna"), text("NLIKE", "nn")),
    (text("STARTWITH", "Anna"), text("NLIKE", "nn")),
    (number("E", 1), number("E", 2)),
    (number("E", 1), number("NE", 1)),
    (number("E", 1), number("NE", 1.0)),
    (number("GT", 5), number("LT", 5)),
    (number("GT", 5), number("LT", 6)),
    (number("GTE", 6), number("LTE", 5)),
    (number("E", 5), number("GT", 5)),
    (moment("LT", AT), moment("GTE", AT)),
    (moment("BETWEEN", [1, 2]), moment("BETWEEN", [3, 4])),
    (moment("BETWEEN", [1, 2]), moment("GT", 2)),
    (groups("IN", 1, 2), groups("NIN", 1, 2, 3)),
    (own("ISNULL", None, "userId", "NUMBER"), own("NOTNULL", None, "userId", "NUMBER")),
    (own("ISNULL", None, "address.streetAddress", "BOOLEAN"), own("NOTNULL", None, "address.streetAddress", "BOOLEAN")),
    (attribute("E", "A"), attribute("NE", "A")),
    (attribute("IN", "A", "B"), attribute("NIN", "A", "B", "C")),
    (attribute("E", "3", data="NUMBER"), attribute("GT", "3", data="NUMBER")),
    (attribute("GT", "10", data="NUMBER"), attribute("LT", "9", data="NUMBER")),
    (attribute("IN", "A", kind="CUSTOM_ARRAY"), attribute("NIN", "A", "B", kind="CUSTOM_ARRAY")),
]

COMPATIBLE = [
    (text("E", "Ana"), text("E", "Silva", "lastName")),
    (text("STARTWITH", "A"), text("ENDWITH", "b")),
    (text("NE", "Ana"), text("NE", "Bo")),
    (text("LIKE", "n"), text("NLIKE", "nn")),
    (number("GT", 5), number("LT", 7)),
    (number("NE", 1), number("NE", 2)),
    (moment("BETWEEN", [1, 3]), moment("BETWEEN", [2, 4])),
    (own("GT", 5, "gisLocation.lat", "NUMBER"), own("LT", 5.5, "gisLocation.lat", "NUMBER")),
    # A person may have several addresses, paths, groups, and expected locations.
    (address("E", "FR"), address("NE", "FR")),
    (address("STARTWITH", "A", "city"), address("STARTWITH", "B", "city")),
    (address("GT", 5, "gisLocation.lat"), address("LT", 4, "gisLocation.lat")),
    (pattern("BETWEEN", 1, 2), pattern("BETWEEN", 3, 4)),
    (groups("IN", 1, 2), groups("IN", 3, 4)),
    (groups("IN", 1, 2), groups("NIN", 3, 4)),
    (attribute("E", "A"), attribute("E", "B", id_=6)),
    (attribute("GT", "9", data="NUMBER"), attribute("LT", "11", data="NUMBER")),
    (address("E", "FR"), expected("E", "ES")),
    (text("E", "FR", "country"), address("E", "ES")),
    # Incomplete or unknown rules have no warnings.
    (text("E"), text("E", "Ana")),
    (number("E", "nine"), number("E", 8)),
    (own("E", "a", "shoeSize", "STRING"), own("E", "b", "shoeSize", "STRING")),
]


@pytest.mark.parametrize(("one", "other"), CLASHES)
def test_two_rules_that_exclude_each_other_have_a_warning(one: dict[str, Any], other: dict[str, Any]) -> None:
    for pair in ((one, other), (other, one)):
        words = [each for each in list_warnings(*pair) if "list holds one value" not in each]
        assert len(words) == 1, words
        assert words[0].startswith("Rules 1 and 2 exclude each other. ")
        assert words[0].endswith("No one can match.")


@pytest.mark.parametrize(
    ("one", "other", "counted", "not_counted"),
    [
        (text("E", "Ana"), text("NE", "ANA"), "Rule 2 has no effect", "exclude each other"),
        (text("E", "Ana"), text("E", "ANA"), "exclude each other", ""),
        (text("LIKE", "NN"), text("NLIKE", "nn"), "", "exclude each other"),
    ],
)
def test_a_warning_says_if_it_depends_on_case(
    one: dict[str, Any], other: dict[str, Any], counted: str, not_counted: str
) -> None:
    (words,) = list_warnings(one, other)
    before, _, after = words.partition("If the service ignores case: ")
    assert counted in before
    assert before.startswith("If the service is case-sensitive: ") is bool(counted)
    assert not_counted in after
    assert "capitals" not in "".join(list_warnings(one, one | {"columnValue": "Bo", "operator": "E"}))


@pytest.mark.parametrize(("one", "other"), COMPATIBLE)
def test_two_compatible_rules_have_no_warning(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert list_warnings(one, other) == []
    assert list_warnings(other, one) == []


def test_two_values_of_a_column_get_a_warning_that_both_must_match() -> None:
    """Rules are combined with "and", but one rule over an attribute can have several values."""
    both = "Rules 1 and 2 must both match: only people with both values match. To match either value, "
    assert list_warnings(expected("E", "FR"), expected("E", "ES")) == [both + "create two filters."]
    assert list_warnings(address("E", "FR"), address("E", "ES")) == [both + "create two filters."]
    several = [attribute("E", value, kind="CUSTOM_ARRAY") for value in "AB"]
    assert list_warnings(*several) == [both + "put the values in one rule."]


@pytest.mark.parametrize(
    ("more", "less"),
    [
        (text("E", "Ana"), text("STARTWITH", "A")),
        (text("STARTWITH", "Ana"), text("STARTWITH", "An")),
        (text("ENDWITH", "ana"), text("LIKE", "an")),
        (text("NLIKE", "a"), text("NLIKE", "ana")),
        (text("E", "Ana"), text("NE", "Bo")),
        (number("GT", 5), number("GT", 3)),
        (number("E", 5), number("LTE", 5)),
        (moment("BETWEEN", [2, 3]), moment("BETWEEN", [1, 4])),
        (attribute("IN", "A", "B"), attribute("IN", "A", "B", "C")),
    ],
)
def test_a_rule_without_effect_has_a_warning(more: dict[str, Any], less: dict[str, Any]) -> None:
    assert list_warnings(more, less) == ["Rule 2 has no effect: everyone who matches rule 1 matches it too."]
    assert list_warnings(less, more) == ["Rule 1 has no effect: everyone who matches rule 2 matches it too."]


@pytest.mark.parametrize(
    "rule",
    [
        text("E", "Ana"),
        groups("IN", 1, 2),
        own("ISNULL", None, "userId", "NUMBER"),
        pattern("NOW", None, None),
        address("E", "FR"),
    ],
)
def test_a_repeated_rule_has_one_warning(rule: dict[str, Any]) -> None:
    assert list_warnings(rule, rule) == ["Rules 1 and 2 are the same. One of them is enough."]
    assert list_warnings(rule, text("E", "x", "suffix"), rule | {"id": 9}, rule | {"contactFieldId": 2}) == [
        "Rules 1, 3, and 4 are the same. One of them is enough."
    ]


def test_lists_are_the_same_in_any_order() -> None:
    assert list_warnings(groups("IN", 1, 2), groups("IN", 2, 1)) == [
        "Rules 1 and 2 are the same. One of them is enough."
    ]


@pytest.mark.parametrize("column", [each for each in COLUMNS if set(each.operators) == set(LISTED)], ids=column_key)
@pytest.mark.parametrize("operator", LISTED)
def test_a_list_of_one_value_has_no_warning_if_its_column_is_compared_only_with_lists(
    column: FilterColumn, operator: str
) -> None:
    value: Any = "GEOCODE" if column.data_type == "STRING" else 1
    payload = {"columnName": column.name, "type": column.rule_type, "embeddedColumnName": column.embedded}
    assert list_warnings({**payload, "dataType": column.data_type, "operator": operator, "columnValue": [value]}) == []


def test_a_value_both_included_and_excluded_is_named() -> None:
    assert list_warnings(groups("IN", 1, 2), groups("NIN", 2, 3)) == [
        "Rules 1 and 2 include and exclude the same values: 2."
    ]


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (attribute("IN", "A"), "The list has only 1 value. “is” has the same effect."),
        (attribute("NIN", "A"), "The list has only 1 value. “is not” has the same effect."),
        (text("STARTWITH", "New ", "prefix"), "Spaces at the beginning or end count: “New ”."),
        (attribute("E", "A", " B", "C "), "Spaces at the beginning or end count: “ B” and “C ”."),
        (groups("IN", 1, 2, 1), "Duplicate values in the list: 1."),
        (groups("IN", 1, 2, 1, 2), "Duplicate values in the list: 1 and 2."),
        (attribute("E", "A", "A"), "Duplicate values in the list: A."),
        (moment("BETWEEN", [AT, AT]), "The time span is empty because it ends when it begins."),
        (pattern("BETWEEN", AT, AT), "The time span is empty because it ends when it begins."),
        (number("E", 2**63), "No ID is this large, so these values match no one: 9223372036854775808."),
        (address("E", "Narnia"), "“Narnia” is not the code of a country."),
        (expected("E", "Nowhere", "iata"), "“Nowhere” is not the code of an airport."),
        (address("GT", 91, "gisLocation.lat"), "No latitude is beyond 90"),
        (address("LT", -180.5, "gislocation.lon"), "No longitude is beyond 180"),
        (attribute("E", "x", data="NUMBER"), "“x” cannot be compared as a number."),
        (attribute("LT", "soon", data="DATE"), "“soon” cannot be compared as a date."),
        (attribute("LT", "9" * 20, data="DATE"), f"“{'9' * 20}” cannot be compared as a date."),
        (attribute("GT", "1", "2", data="NUMBER"), "This comparison uses 1 value."),
        (attribute("BETWEEN", "5", data="DATE"), "A time span needs 2 values, the beginning and the end."),
        (attribute("BETWEEN", "5", "4", data="DATE"), "The time span ends before it begins. No one can match."),
    ],
)
def test_a_useless_value_has_a_warning_at_its_rule(rule: dict[str, Any], words: str) -> None:
    found = list_warnings(text("E", "Ana", "suffix"), rule)
    assert len(found) == 1, found
    assert found[0].startswith(words)


@pytest.mark.parametrize(
    "rule",
    [
        address("E", "FR"),
        expected("E", "LHR", "iata"),
        groups("IN", 1, 2),
        moment("BETWEEN", [AT, AT + 1]),
        pattern("NOW", None, None),
        attribute("E", "3.5", data="NUMBER"),
        attribute("BETWEEN", "4", "5", data="DATE"),
        address("GT", 90, "gisLocation.lat"),
        {},
        {"type": "SYSTEM", "columnName": "shoeSize", "columnValue": {"a": 1}, "operator": "IN"},
        attribute("IN"),
    ],
)
def test_a_useful_rule_has_no_warning(rule: dict[str, Any]) -> None:
    assert list_warnings(rule) == []


def test_muted_and_unreadable_rules_have_no_warnings() -> None:
    draft = FilterDraft(
        rules=[RuleDraft(uid="a", payload=text("E", "Ana")), RuleDraft(uid="b", payload=text("E", "Bo"))]
    )
    assert [each.uids for each in find_warnings(draft)] == [("a", "b")]
    assert find_warnings(rule_steps.mute(draft, "a")) == []
    assert find_warnings(rule_steps.set_value(draft, "a", "field_id", "x")) == []


def test_warnings_find_every_conflict_among_many_rules() -> None:
    rules = [RuleDraft(uid=f"r{number}", payload=text("NE", f"n{number}")) for number in range(100)]
    assert find_warnings(FilterDraft(rules=rules)) == []
    rules.append(RuleDraft(uid="last", payload=text("E", "n7")))
    found = find_warnings(FilterDraft(rules=rules))
    assert ("r7", "last") in [each.uids for each in found]


def test_two_floors_exclude_each_other_and_two_shifts_do_not() -> None:
    def floor(where: str, value: str) -> dict[str, Any]:
        return own("E", value, "floorNo", "STRING", "SYSTEM_OBJECT") | {"embeddedColumnName": where}

    def shift(number: int) -> dict[str, Any]:
        return own("E", number, "shift", "NUMBER", "SYSTEM_SCHEDULING")

    assert len(list_warnings(floor("lastKnownLocation", "2"), floor("lastKnownLocation", "3"))) == 1
    for several in ((floor("address", "2"), floor("address", "3")), (shift(7), shift(8))):
        assert not any("exclude each other" in words for words in list_warnings(*several))


@pytest.mark.parametrize("odd", [number("EQ", 4), moment("after", AT), attribute("like", "x")])
def test_a_rule_with_an_unknown_operator_is_not_compared(odd: dict[str, Any]) -> None:
    assert list_warnings(odd, {**odd, "operator": "NE"}) == []


@pytest.mark.parametrize("attribute_id", [[1], {"id": 5}])
def test_rules_over_an_attribute_with_an_invalid_id_are_compared(attribute_id: Any) -> None:
    one, other = attribute("E", "x"), attribute("NE", "x")
    assert len(list_warnings(one | {"attributeId": attribute_id}, other | {"attributeId": attribute_id})) == 1
    assert list_warnings(one | {"attributeId": attribute_id}, other) == []


def test_long_lists_are_compared_quickly() -> None:
    ids = [str(number) for number in range(10_000)]
    start = process_time()
    assert len(list_warnings(attribute("IN", *ids), attribute("NIN", *ids[1:], "other"))) == 1
    assert process_time() - start < 2
