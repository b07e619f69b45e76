"""Pasted lists of ZIP codes and names: matched, unmatched, and ambiguous entries."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.alerts.recipients.region_paste import MOST_ENTRIES, read_pasted
from tests.domain.alerts.recipients.sample_regions import CATALOG


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("80301\n80302", [80301, 80302]),
        ("80301, 80302;80301", [80301, 80302]),
        ("80301 80302", [80301, 80302]),
        ("80302-1234", [80302]),
        ("80302, CO", [80302]),
        ("• 80301\n- “80302”", [80301, 80302]),
        ("1. 80301\n2) Boulder, CO", [80301, 1]),
        ("CO 80302", [80302]),
        ("Boulder, CO", [1]),
        ("boulder co\nSPRINGFIELD, Illinois", [1, 4]),
        ("Boulder\tCO\t80302", [1, 80302]),
        ("Boulder, CO, Springfield, MA", [1, 5]),
        ("New York, New York", [8]),
        ("mayaguez", [9]),
        ("Saint Louis County, MN", [104, 105]),
        ("Boulder County", [101]),
        ("", []),
        (" ,;\n\t", []),
    ],
)
def test_a_pasted_list_selects_its_places(text: str, expected: list[int]):
    pasted = read_pasted(CATALOG, text)
    assert [place.id for place in pasted.found] == expected
    assert pasted.remaining == ""


def test_a_zip_code_without_its_leading_zero_is_matched_and_reported():
    pasted = read_pasted(CATALOG, "2134\n2134.0")
    assert [place.id for place in pasted.found] == [2134]
    assert pasted.read_as == (("2134", "02134"), ("2134.0", "02134"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("99999", "99999"),
        ("80302, UT", "80302, UT"),
        ("Bouldr, CO", "Bouldr, CO"),
        ("Boulder, TX", "Boulder\nTX"),
        ("Nowhere\n\nBoulder, CO\n77", "Nowhere\n77"),
    ],
)
def test_entries_without_a_match_stay_in_the_field(text: str, expected: str):
    pasted = read_pasted(CATALOG, text)
    assert pasted.remaining == expected


def test_a_name_of_several_places_is_reported_as_ambiguous():
    pasted = read_pasted(CATALOG, "Springfield\nCarson City, NV\nBoulder, CO")
    assert [place.id for place in pasted.found] == [1]
    assert [(each.entry, each.words) for each in pasted.unclear] == [
        ("Springfield", "is in 2 states (IL and MA). Add the state, such as “Springfield, IL”"),
        ("Carson City, NV", "is a city and a county. Search for it and select one"),
    ]


@pytest.mark.parametrize("address", ["Boulder, CO 80302", "80302 Boulder CO", "Boulder 80302-1234"])
def test_a_zip_code_next_to_a_name_is_reported_as_ambiguous(address: str):
    pasted = read_pasted(CATALOG, f"{address}\n80301")
    assert [place.id for place in pasted.found] == [80301]
    assert [(each.entry, each.words) for each in pasted.unclear] == [
        (address, "contains a ZIP code and a name. Keep one of them")
    ]


def test_the_state_and_kind_filters_resolve_ambiguous_names():
    assert [place.id for place in read_pasted(CATALOG, "Springfield", state="MA").found] == [5]
    assert [place.id for place in read_pasted(CATALOG, "Carson City, NV", kind="county").found] == [106]
    assert [place.id for place in read_pasted(CATALOG, "80302", state="MA").found] == [80302]
    elsewhere = read_pasted(CATALOG, "Boulder County", state="MA")
    assert elsewhere.found == ()
    assert elsewhere.unclear[0].words == "is in Colorado. Add the state to confirm"
    assert [place.id for place in read_pasted(CATALOG, "Boulder County, CO", state="MA").found] == [101]


def test_a_list_that_is_too_long_is_read_in_parts():
    text = "\n".join(f"place {number}" for number in range(MOST_ENTRIES)) + "\n80302\n80301"
    pasted = read_pasted(CATALOG, text)
    assert pasted.left == ("80302", "80301")
    assert pasted.remaining.endswith("80302\n80301")


@given(st.text(alphabet="80312 ,;\nBoulderCOSprngfi-.", max_size=40))
def test_every_entry_is_matched_or_stays_in_the_field(text: str):
    pasted = read_pasted(CATALOG, text)
    assert all(place.id in CATALOG.ids for place in pasted.found)
    again = read_pasted(CATALOG, pasted.remaining)
    assert set(again.found) <= set(pasted.found)
    assert bool(pasted.remaining) == bool(pasted.not_found or pasted.unclear)
