"""Matching of columns with the subjects of rules under various names."""

from __future__ import annotations

import pytest

from client.vocabulary.contact_filters import COLUMNS
from domain.file_import import column_matching
from domain.file_import.column_matching import Match
from domain.filters.columns import column_key, column_label
from domain.filters.estimate.rule_questions import (
    UNTIL,
    Subject,
    person_columns,
    subject_of,
    subject_of_column,
)
from domain.filters.filter_draft import FilterDraft, RuleDraft


def match_columns(headers: tuple[str, ...], subjects: list[Subject], chosen=None) -> dict[str, Match]:
    return column_matching.match_columns(headers, [column for one in subjects for column in one.columns], chosen)


def find_unmatched(subjects: list[Subject], matches: dict[str, Match]) -> list[Subject]:
    return [one for one in subjects if not matches[one.key].headers]


def find_unsure(subjects: list[Subject], matches: dict[str, Match]) -> list[Subject]:
    return [one for one in subjects if not matches[one.key].is_sure]


def subject(name: str, embedded: str | None = None, kind: str | None = None) -> Subject:
    (column,) = [
        c for c in COLUMNS if c.name == name and c.embedded == embedded and (kind is None or c.rule_type == kind)
    ]
    return subject_of_column(column)


def attribute(number: int, kind: str = "CUSTOM") -> Subject:
    found = subject_of({"type": kind, "attributeId": number})
    assert found is not None
    return found


@pytest.mark.parametrize("column", COLUMNS, ids=column_key)
def test_every_column_of_the_table_is_found_by_its_label_and_by_its_names(column):
    one = subject_of_column(column)
    names = [column_label(one.key), column_label(one.key).upper()]
    if column.embedded and column.rule_type == "SYSTEM_OBJECT":
        names += [f"{column.embedded}.{column.name}", f"{column.embedded}_{column.name}", column.embedded + column.name]
    elif column.rule_type == "SYSTEM_EXPECTED_OBJECT" and column.embedded:
        names += [f"expected {column.name}", f"expectedLocation.{column.name}"]
    elif sum(other.name == column.name for other in COLUMNS) == 1:
        names += [column.name, column.name.upper(), f" {column.name} "]
    for name in names:
        found = match_columns(("a", name), [one])[one.key]
        assert (found.headers, found.is_sure) == ((name,), True), name


@pytest.mark.parametrize(
    "header",
    ["lastName", "last_name", "LAST NAME", "Last-Name", "last.name", "Lastname", "Surname", "Làst Nàme"],
)
def test_case_spaces_punctuation_and_accents_are_ignored(header: str):
    found = match_columns(("Who", header), [subject("lastName")])[subject("lastName").key]
    assert found.headers == (header,)


@pytest.mark.parametrize("header", ["registedEmail", "registeredEmail", "Registered e-mail", "REGISTED_EMAIL"])
def test_columns_misspelled_in_the_interface_match_in_either_spelling(header: str):
    one = subject("registedEmail")
    assert match_columns((header,), [one])[one.key].headers == (header,)
    longitude = subject("gislocation.lon", "address")
    assert match_columns(("address.gisLocation.lon",), [longitude])[longitude.key].headers


def test_the_three_countries_are_distinguished():
    own, address = subject("country", kind="SYSTEM"), subject("country", "address", "SYSTEM_OBJECT")
    expected = subject("country", "address", "SYSTEM_EXPECTED_OBJECT")
    headers = ("Country", "address.country", "Expected country")
    matches = match_columns(headers, [own, address, expected])
    assert [matches[one.key].headers for one in (own, address, expected)] == [(header,) for header in headers]
    assert not find_unmatched([own, address, expected], matches)
    assert not find_unsure([own, address, expected], matches)


def test_a_short_name_is_an_unsure_match_if_only_one_subject_fits():
    address = subject("country", "address", "SYSTEM_OBJECT")
    expected = subject("country", "address", "SYSTEM_EXPECTED_OBJECT")
    one = match_columns(("Country",), [address])
    assert (one[address.key].headers, one[address.key].is_sure) == (("Country",), False)
    assert find_unsure([address], one) == [address]
    both = match_columns(("Country",), [address, expected])
    assert find_unmatched([address, expected], both) == [address, expected]


def test_several_columns_match_a_column_that_allows_many_values():
    groups, paths = subject("groups"), subject("value", "paths")
    headers = ("Groups", "Group 2", "Work email", "Mobile phone", "paths.value")
    matches = match_columns(headers, [groups, paths])
    assert matches[groups.key].headers == ("Groups", "Group 2")
    assert matches[paths.key].headers == ("paths.value",)
    resembling = match_columns(headers[:4], [groups, paths])[paths.key]
    assert (resembling.headers, resembling.is_sure) == (("Work email", "Mobile phone"), False)


def test_common_names_match_for_sure_and_ambiguous_names_do_not():
    airport, zip_code = subject("iata", "address"), subject("postalCode", "address")
    email, street = subject("registedEmail"), subject("streetAddress", "address")
    matches = match_columns(("Airport", "Zip code", "E-mail", "Home address"), [airport, zip_code, email, street])
    assert [matches[one.key].headers for one in (airport, zip_code, email, street)] == [
        ("Airport",),
        ("Zip code",),
        ("E-mail",),
        ("Home address",),
    ]
    assert find_unsure([airport, zip_code, email, street], matches) == [email, street]


def test_custom_attributes_are_matched_by_number_or_by_hand():
    one = attribute(4001)
    for header in ("4001", "Custom attribute 4001", "attribute_4001", "attributeId 4001", "Custom 4001"):
        assert match_columns(("14001", header), [one])[one.key].headers == (header,)
    assert match_columns(("Site",), [one])[one.key].headers == ()
    assert match_columns(("Site",), [one], {one.key: ["Site"]})[one.key].headers == ("Site",)
    assert attribute(4001).key != attribute(4001, "CUSTOM_ARRAY").key


def test_spans_may_have_a_column_for_their_end():
    expected = subject("expectedDate")
    matches = match_columns(("Arrive date", "Expire date"), [expected])
    assert matches[expected.key].headers == ("Arrive date",)
    assert matches[expected.key + UNTIL].headers == ("Expire date",)
    assert match_columns(("Expected date",), [expected])[expected.key + UNTIL].headers == ()


def test_a_selected_match_stays_even_if_empty_until_its_column_is_missing():
    one = subject("lastName")
    assert match_columns(("lastName", "x"), [one], {one.key: ["x"]})[one.key].headers == ("x",)
    assert match_columns(("lastName",), [one], {one.key: []})[one.key].headers == ()
    assert match_columns(("lastName",), [one], {one.key: ["gone"]})[one.key].headers == ("lastName",)


def test_an_unknown_column_is_matched_by_its_own_name():
    payload = {"type": "SYSTEM", "columnName": "shoeSize", "dataType": "NUMBER", "operator": "E", "columnValue": 44}
    draft = FilterDraft(rules=[RuleDraft(payload=payload), RuleDraft(payload=payload), RuleDraft()])
    (one,) = {subject for rule in draft.rules if (subject := subject_of(rule.payload))}
    assert match_columns(("Shoe size",), [one])[one.key].headers == ("Shoe size",)


def test_people_are_named_by_name_and_id_or_by_the_first_columns():
    assert person_columns(("City", "lastName", "Employee ID", "First name")) == (
        "First name",
        "lastName",
        "Employee ID",
    )
    assert person_columns(("a", "b", "c")) == ("a", "b")
