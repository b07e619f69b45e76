"""The simulation of attribute values, and mappings that contradict each other, overlap, or never match."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.models.lookup_mappings import LookupMapping
from domain.mappings.mapping_query import MOST_OVERLAPS, MappingSnapshot, check_mappings, has_same_attributes, simulate


def mapping(name: str, attributes: list[tuple[str, list[Any]]], *groups: int) -> LookupMapping:
    return LookupMapping.model_validate(
        {
            "id": name,
            "attributes": [{"name": each, "values": values} for each, values in attributes],
            "targetGroups": [{"id": group, "name": f"Group {group}"} for group in groups],
        }
    )


SALES = mapping("sales", [("department", ["Sales"])], 1, 9)
BERLIN_SALES = mapping("berlin sales", [("department", ["Sales"]), ("site", ["BER"])], 2)
DUTY = mapping("duty", [("role", ["Duty officer"]), ("role", ["First aider"]), ("shift", ["Night"])], 3)
EMPTY = mapping("empty", [], 4)
ALL = [SALES, BERLIN_SALES, DUTY, EMPTY]


@pytest.mark.parametrize(
    ("attributes", "matching", "groups", "almost"),
    [
        ({}, [], [], []),
        ({"department": ["Sales"]}, ["sales"], [1, 9], [("berlin sales", "site")]),
        ({"department": ["sales"]}, [], [], []),
        ({"department": ["Sales", "Legal"], "site": ["BER"]}, ["sales", "berlin sales"], [1, 2, 9], []),
        ({"role": ["First aider"], "shift": ["Night"]}, ["duty"], [3], []),
        ({"role": ["First aider"]}, [], [], [("duty", "shift")]),
    ],
)
def test_a_simulation_finds_mappings_and_groups(
    attributes: dict[str, list[str]], matching: list[str], groups: list[int], almost: list[tuple[str, str]]
):
    found = simulate(ALL, attributes)
    assert [each.id for each in found.matching] == matching
    assert [number for number, _ in found.groups] == groups
    assert [(each.id, name) for each, name in found.almost] == almost


def test_a_group_of_two_matching_mappings_is_listed_once():
    again = mapping("again", [("department", ["Sales"])], 9)
    assert [number for number, _ in simulate([SALES, again], {"department": ["Sales"]}).groups] == [1, 9]


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        (("a", [("site", ["BER"])], 1), ("b", [("site", ["BER"])], 2), "contradicts"),
        (("a", [("site", ["BER", "AMS"])], 1), ("b", [("site", ["AMS", "BER"])], 1), "overlaps"),
        (("a", [("site", ["BER", "AMS"])], 1), ("b", [("site", ["BER"])], 2), "overlaps"),
        (("a", [("site", ["BER"])], 1), ("b", [("site", ["AMS"])], 2), None),
        (("a", [("site", ["BER"])], 1), ("b", [("site", ["BER"]), ("role", ["x"])], 2), None),
        (("a", [("site", ["B"]), ("role", ["x"])], 1), ("b", [("role", ["y"]), ("site", ["B"])], 2), None),
    ],
)
def test_two_mappings_are_compared(one: Any, other: Any, kind: str | None):
    found = check_mappings([mapping(*one), mapping(*other)])
    assert [each.kind for each in found] == ([kind] if kind else [])
    assert all({mapped.id for mapped in each.mappings} == {"a", "b"} for each in found)


def test_a_group_has_the_name_that_most_mappings_give_it_and_the_others_are_found():
    mappings = [
        LookupMapping.from_wire(
            {
                "id": str(at),
                "attributes": [{"name": "site", "values": [str(at)]}],
                "targetGroups": [{"id": 88011, "name": name}],
            }
        )
        for at, name in enumerate(["Berlin office", "Berlin office", None, "Paris office"])
    ]
    assert MappingSnapshot(mappings).groups == {88011: "Berlin office"}
    [found] = check_mappings(mappings)
    assert "“Berlin office” (2 mappings) and “Paris office” (1 mapping)" in found.words
    assert [each.id for each in found.mappings] == ["3"]


def test_contradictions_are_found_among_thousands_of_overlaps():
    overlapping = [mapping(f"a{at}", [("site", ["BER", f"S{at}"])], at + 1) for at in range(80)]
    contradicting = mapping("split", [("site", ["BER"]), ("site", ["S79"])], 999)
    kinds = [each.kind for each in check_mappings([*overlapping, contradicting])]
    assert kinds == ["contradicts", *["overlaps"] * MOST_OVERLAPS]


@pytest.mark.parametrize("attributes", [[], [("site", [])], [("site", [" "])], [("", ["x"])]])
def test_a_mapping_that_never_matches_is_reported(attributes: list[tuple[str, list[str]]]):
    (finding,) = check_mappings([mapping("a", attributes, 1)])
    assert finding.kind == "never matches"


def test_equal_attributes_in_another_order_are_one_mapping_to_the_service():
    one = mapping("a", [("site", ["BER", "AMS"]), ("role", ["x"])], 1)
    assert has_same_attributes(one, mapping("b", [("role", ["x"]), ("site", ["AMS", "BER", "BER"])], 2))
    assert not has_same_attributes(one, mapping("b", [("role", ["x"]), ("site", ["AMS"])], 1))
    assert not has_same_attributes(
        mapping("a", [("role", ["x", "y"])], 1), mapping("b", [("role", ["x"]), ("role", ["y"])], 1)
    )


VALUES = st.lists(st.sampled_from("xyz"), min_size=1, max_size=3, unique=True)
MAPPINGS = st.lists(st.dictionaries(st.sampled_from(["a", "b"]), VALUES, min_size=1), min_size=1, max_size=6).map(
    lambda found: [mapping(str(at), list(each.items()), at + 1) for at, each in enumerate(found)]
)


@given(MAPPINGS)
def test_only_mappings_that_one_person_can_match_are_reported_as_overlapping(
    mappings: list[LookupMapping],
):
    overlaps = {frozenset(mapped.id for mapped in each.mappings) for each in check_mappings(mappings)}
    for one in mappings:
        for other in mappings:
            own_values, other_values = (
                {each.name: set(each.values) for each in mapped.attributes} for mapped in (one, other)
            )
            if one is not other and own_values.keys() == other_values.keys():
                meet = all(own_values[name] & other_values[name] for name in own_values)
                assert (frozenset({one.id, other.id}) in overlaps) == meet
