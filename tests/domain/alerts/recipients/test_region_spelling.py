"""Suggestions for place names that are joined, shortened, or misspelled."""

from __future__ import annotations

import pytest

from client.models.public_lookups import Regions
from domain.alerts.recipients.region_place import RegionKind
from domain.alerts.recipients.regions import RegionCatalog
from domain.alerts.recipients.us_names import find_similar
from tests.domain.alerts.recipients.sample_regions import CATALOG, region

NAMES = ("O Fallon", "Coeur D Alene", "North Las Vegas", "Prince George's County", "Mcallen", "Washington", "Ely")
HARD = RegionCatalog(Regions(cities=[region(at, name, "DC") for at, name in enumerate(NAMES, 1)]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Bouldr", [1, 2]),
        ("bouldre co", [1]),
        ("boulder, colorodo", [1, 101]),
        ("Springfeild Ilinois", [4]),
        ("New Yrok", [8]),
        ("Larrimer County", [102]),
        ("St.Luois County", [104, 105]),
        ("80302 Boulder CO", [80302, 1, 101]),
        ("Boulder, CO 80302-1234", [80302, 1, 101]),
        ("80303", []),
        ("8030", []),
        ("nowhere", []),
        ("", []),
    ],
)
def test_a_misspelled_name_gets_suggestions(text: str, expected: list[int]):
    """The closest name is first. A mistyped ZIP code gets none."""
    assert [place.id for place in CATALOG.search.suggest(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("OFallon", 1),
        ("Coeur dAlene", 2),
        ("N. Las Vegas", 3),
        ("Prince Georges", 4),
        ("Prince Georges County", 4),
        ("Mc Allen", 5),
    ],
)
def test_spaces_punctuation_and_short_words_are_ignored(text: str, expected: int):
    assert [place.id for place in HARD.search.find_places(text) or HARD.search.suggest(text)] == [expected]


@pytest.mark.parametrize("text", ["Washington, D.C.", "washington d.c.", "Washington DC"])
def test_a_state_code_with_spaces_or_periods_is_recognized(text: str):
    assert [place.id for place in HARD.search.find_places(text)] == [6]
    assert HARD.search.states_of("D. C.") == {"DC"}


@pytest.mark.parametrize(
    ("kind", "state", "expected"), [(None, None, [1, 2]), ("city", "UT", [2]), ("zip", None, []), (None, "NV", [])]
)
def test_suggestions_are_limited_to_the_selected_kind_and_state(
    kind: RegionKind | None, state: str | None, expected: list[int]
):
    assert [place.id for place in CATALOG.search.suggest("bouldr", kind, state)] == expected


def test_very_short_names_get_no_suggestions():
    assert list(find_similar("el", ["ely"])) == []
    assert list(find_similar("elz", ["ely"])) == []
