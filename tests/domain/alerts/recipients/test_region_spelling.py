"""Places whose names were run together, shortened or typed with a slip: what may have been meant."""

from __future__ import annotations

import pytest

from client.models.public_lookups import Regions
from domain.alerts.recipients.region_place import RegionKind
from domain.alerts.recipients.regions import RegionCatalog
from domain.alerts.recipients.us_names import find_similar
from tests.domain.alerts.recipients.regions_at_hand import CATALOG, region

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
def test_what_matches_nothing_may_have_meant(text: str, expected: list[int]):
    """The nearest first; a mistyped zip code stands for no other."""
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
def test_blanks_marks_and_short_words_do_not_count(text: str, expected: int):
    assert [place.id for place in HARD.search.find_places(text) or HARD.search.suggest(text)] == [expected]


@pytest.mark.parametrize("text", ["Washington, D.C.", "washington d.c.", "Washington DC"])
def test_the_letters_of_a_state_may_stand_apart(text: str):
    assert [place.id for place in HARD.search.find_places(text)] == [6]
    assert HARD.search.states_of("D. C.") == {"DC"}


@pytest.mark.parametrize(
    ("kind", "state", "expected"), [(None, None, [1, 2]), ("city", "UT", [2]), ("zip", None, []), (None, "NV", [])]
)
def test_kind_and_state_narrow_what_may_have_been_meant(
    kind: RegionKind | None, state: str | None, expected: list[int]
):
    assert [place.id for place in CATALOG.search.suggest("bouldr", kind, state)] == expected


def test_names_of_few_letters_are_near_to_nothing():
    assert list(find_similar("el", ["ely"])) == []
    assert list(find_similar("elz", ["ely"])) == []
